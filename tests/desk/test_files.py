"""Files as they are sent and kept: what is refused, and what comes back."""

import base64
import hashlib
import io

import pytest

from tests.desk.files import JPEG, PATH, XML, attach, check, content, files, options, pdf, png, refused, stored
from tests.documented import PREFIX
from tests.events import events_of, last_event
from tests.finance.documents.invoices import bill, invoice
from tests.projects.projects import plan


def test_the_same_file_twice_is_stored_once_and_told(acme):
    """AC-24: B1's PDF of 120 kB twice is one file, two links, and a warning."""
    b1 = bill(acme, "60.00")
    paper = pdf(120_000)
    first = attach(acme, paper, "B1.pdf", ("invoice", b1["id"]))
    second = attach(acme, paper, "B1 again.pdf", ("invoice", b1["number"]))
    assert first["warnings"] == []
    assert second["warnings"] == [f"This file is already on {b1['number']}."]
    assert [(row["name"], row["resourceName"], row["size"]) for row in files(acme, ("invoice", b1["id"]))] == [
        ("B1 again.pdf", b1["number"], 120_000),
        ("B1.pdf", b1["number"], 120_000),
    ]
    assert stored(acme) == (1, 120_000)
    assert check(acme) == []


def test_the_hash_is_in_the_event(acme):
    sold = invoice(acme, "60.00")
    added = attach(acme, pdf(), "terms.pdf", ("invoice", sold["id"]))
    digest = hashlib.sha256(pdf()).hexdigest()
    assert added["sha256"] == digest
    assert last_event(acme) == (
        "attachment.added",
        {
            "attachmentId": added["id"],
            "name": "terms.pdf",
            "sha256": digest,
            "size": 400,
            "mediaType": "application/pdf",
        },
    )
    assert events_of(acme, sold["id"])[-1] == "attachment.added"
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (pdf(), "a.pdf", "application/pdf"),
        (png(), "a.PNG", "image/png"),
        (JPEG, "a.jpeg", "image/jpeg"),
        (JPEG + b"video", "a.jpg", "image/jpeg"),
        (XML, "a.xml", "application/xml"),
        (b"\xef\xbb\xbf" + XML, "a.xml", "application/xml"),
    ],
)
def test_a_file_comes_back_as_it_was_and_is_never_shown_by_a_browser(acme, data, name, media_type):
    id = attach(acme, data, name)["id"]
    answer = acme.call("GET", f"{PATH}/{id}/content")
    assert answer.content == data
    assert answer.headers["content-type"] == media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-sha256"] == hashlib.sha256(data).hexdigest()


HTML = b"<html><script>alert(1)</script></html>"
WRONG = {
    "a page called PDF": (HTML, "a.pdf"),
    "a page called XML": (HTML, "a.xml"),
    "a page in its own namespace": (b'<h:p xmlns:h="http://www.w3.org/1999/xhtml"/>', "a.xml"),
    "a page inside": (b'<a><h:script xmlns:h="http://www.w3.org/1999/xhtml"/></a>', "a.xml"),
    "a drawing that can run": (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "a.xml"),
    "a style that makes a page": (b'<?xml-stylesheet href="a.xsl" type="text/xsl"?><a/>', "a.xml"),
    "entities": (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "a.xml"),
    "broken XML": (b"<a><b></a>", "a.xml"),
    "a page before a PDF": (HTML + pdf(), "a.pdf"),
    "an archive after a PDF": (pdf() + b"PK\x05\x06" + bytes(18), "a.pdf"),
    "a page after a PDF": (pdf() + HTML, "a.pdf"),
    "half a PDF": (pdf()[:-7], "a.pdf"),
    "a page after a picture": (png() + HTML, "a.png"),
    "half a picture": (png()[:-12], "a.png"),
    "a photo without an end": (JPEG[:-2], "a.jpg"),
    "a program": (b"MZ" + bytes(100), "a.pdf"),
    "an archive": (b"PK\x03\x04" + bytes(100), "a.xml"),
    "JSON": (b'{"file": "x"}', "a.json"),
}


@pytest.mark.parametrize(("data", "name"), WRONG.values(), ids=WRONG.keys())
def test_what_is_not_a_plain_document_is_not_kept(acme, data, name):
    error = refused(acme, data, name, status=422)
    assert (error["code"], error["message"]) == (
        "not_allowed",
        "This file type is not supported. Use a PDF, PNG, JPEG or XML file.",
    )
    assert stored(acme) == (0, 0)


@pytest.mark.parametrize("name", ["a.exe", "a.png", "a", "a.pdf.html", "pdf"])
def test_a_name_that_promises_something_else_is_refused(acme, name):
    error = refused(acme, pdf(), name, status=422)
    assert (error["code"], error["message"]) == (
        "wrongly_named",
        "The file type is PDF, but the name does not match. The name must end in .pdf.",
    )
    assert stored(acme) == (0, 0)


@pytest.mark.parametrize(
    ("name", "stored_as"),
    [
        ("../../etc/bill.pdf", "bill.pdf"),
        ("C:\\temp\\bill.pdf", "bill.pdf"),
        ("..\\..\\bill.pdf", "bill.pdf"),
        ("bill\u202efdp.exe.pdf", "billfdp.exe.pdf"),
        ("bill\r\nX-Header: 1.pdf", "billX-Header- 1.pdf"),
        ('a"b<c>|d?*.pdf', "a-b-c--d--.pdf"),
        ("..hidden.pdf", "hidden.pdf"),
        ("Rechnung März 発票.pdf", "Rechnung März 発票.pdf"),
        ("x" * 400 + ".pdf", "x" * 196 + ".pdf"),
    ],
)
def test_a_name_is_one_that_every_computer_can_store(acme, name, stored_as):
    assert attach(acme, pdf(), name)["name"] == stored_as


def test_an_empty_file_is_refused(acme):
    error = acme.refused("POST", PATH, **options(b"", "a.pdf"), status=422)
    assert [(each["field"], each["message"]) for each in error["details"]] == [
        ("file", "Send the file as the body, or as a part of a form.")
    ]


def test_a_file_may_have_25_mebibytes_and_not_a_byte_more(acme):
    most = 25 << 20
    added = attach(acme, pdf(most), "large.pdf")
    assert added["size"] == most
    assert hashlib.sha256(content(acme, added["id"])).hexdigest() == added["sha256"]
    error = refused(acme, pdf(most + 1), "large.pdf", status=413)
    assert error["message"] == "The file is larger than 25 MiB. Send a smaller one."
    assert stored(acme) == (1, most)


def test_other_endpoints_still_take_one_mebibyte(acme):
    body = {"name": "x" * (1 << 20)}
    acme.refused("POST", "/finance/contacts", body, status=413, code="too_large")


def form(*parts):
    lines = b"".join(b"--zwischen\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts)
    return {
        "raw": lines + b"--zwischen--\r\n",
        "headers": {"Content-Type": "multipart/form-data; boundary=zwischen"},
    }


def test_a_form_brings_a_file_too(acme):
    sold = invoice(acme, "60.00")
    part = b'name="upload"; filename="terms.pdf"\r\nContent-Type: application/pdf\r\n\r\n' + pdf()
    fields = [b'name="resourceType"\r\n\r\ninvoice', f'name="resourceId"\r\n\r\n{sold["id"]}'.encode()]
    added = acme.ok("POST", PATH, **form(*fields, part))
    assert (added["name"], added["resourceId"], content(acme, added["id"])) == ("terms.pdf", sold["id"], pdf())


def test_the_part_of_a_form_called_file_needs_no_name_of_its_own(acme):
    added = acme.ok("POST", PATH, **form(b'name="name"\r\n\r\nterms.pdf', b'name="file"\r\n\r\n' + pdf()))
    assert (added["name"], content(acme, added["id"])) == ("terms.pdf", pdf())


@pytest.mark.parametrize(("file", "status"), [(base64.b64encode(pdf()).decode(), 201), ("?", 422)])
def test_a_file_in_the_query_string_is_base64(acme, file, status):
    headers = {"Content-Type": "application/pdf"}
    params = {"name": "a.pdf", "file": file}
    assert acme.call("POST", PATH, params=params, headers=headers).status_code == status


@pytest.mark.parametrize("cut", [8, 40, 300, 560])
def test_a_form_that_breaks_off_leaves_nothing(acme, cut):
    whole = form(b'name="upload"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n' + pdf())
    answer = acme.call("POST", PATH, **whole | {"raw": whole["raw"][:-cut]})
    assert answer.status_code in (400, 422), answer.text
    assert stored(acme) == (0, 0)
    assert files(acme) == []


class BrokenStream(io.BytesIO):
    """A connection that breaks in the middle of a body."""

    def read(self, size=-1):
        piece = super().read(size)
        if not piece:
            raise ConnectionResetError
        return piece


def test_a_connection_that_breaks_leaves_nothing(acme):
    broken = BrokenStream(pdf(300_000))
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": PREFIX + PATH,
        "QUERY_STRING": "name=a.pdf",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8420",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost:8420",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": f"Bearer {acme.token}",
        "CONTENT_TYPE": "application/pdf",
        "CONTENT_LENGTH": "600000",
        "wsgi.input": broken,
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
    }
    statuses = []
    list(acme.installation.app(environ, lambda status, *_: statuses.append(status)))
    assert not statuses[0].startswith("2")
    assert stored(acme) == (0, 0)
    assert files(acme) == []


def test_a_repeated_request_adds_the_file_once(acme):
    sent = options(pdf(), "a.pdf")
    sent["headers"] = sent["headers"] | {"Idempotency-Key": "once"}
    first, again = (acme.call("POST", PATH, **sent) for _ in range(2))
    assert (first.content, again.headers["idempotent-replayed"]) == (again.content, "true")
    assert len(files(acme)) == 1
    sent["raw"] = pdf(500)
    acme.refused("POST", PATH, **sent, status=422, code="idempotency_mismatch")


def test_files_are_found_by_their_name(acme):
    of = ("project", plan(acme)["id"])
    attach(acme, pdf(), "Mietvertrag Speicherstraße.pdf", of)
    attach(acme, pdf(500), "Angebot.pdf")
    assert [row["name"] for row in files(acme, q="SPEICHERSTRASSE miet")] == ["Mietvertrag Speicherstraße.pdf"]
    assert [row["name"] for row in files(acme, isFiled=False)] == ["Angebot.pdf"]
    assert [row["name"] for row in files(acme, resourceType="project")] == ["Mietvertrag Speicherstraße.pdf"]
