"""Share links: one document by one secret, without signing in, until it expires, is revoked or is guessed at."""

import re
from datetime import datetime, timedelta

import pytest

from erp.auth import passwords
from erp.kernel.errors import Busy
from erp.share_links import limits
from erp.system.transfer import duplicating
from tests import qr_codes
from tests.events import last_event
from tests.finance.documents.invoices import bill, invoice
from tests.finance.soundness import problems
from tests.refusals import complaint
from tests.system.transfer.exports import at_the_command_line

IBAN = "DE89370400440532013000"


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    limits._of.cache_clear()
    clock_at("2026-02-10T09:00:00Z")


@pytest.fixture
def office(acme):
    settings = {"shareLinks": True, "iban": IBAN, "legalName": "Acme GmbH", "timeZone": "UTC"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settings)
    return acme


@pytest.fixture
def issued(office):
    return invoice(office, "100.00", issueDate="2026-02-01", dueDate="2026-02-15")


def made(office, document, **fields):
    return office.ok("POST", f"/finance/invoices/{document['id']}/links", fields)


def secret_of(link):
    return link["url"].partition("#")[2]


def opened(office, secret, path="view", **fields):
    """The answer to someone who is not signed in."""
    return office.installation.call("POST", f"/share/{path}", {"secret": secret, **fields})


def status(answer):
    return answer.status_code, answer.json["error"]["code"] if answer.status_code >= 400 else None


def squares(code):
    """The squares that the path of a code fills."""
    rows = [[0] * code["size"] for _ in range(code["size"])]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", code["path"]):
        rows[int(y)][int(x) : int(x) + int(width)] = [1] * int(width)
    return rows


def test_a_link_opens_one_document_without_signing_in(office, issued):
    link = made(office, issued)
    base, _, secret = link["url"].partition("/s#")
    assert (base, link["reach"]) == ("http://127.0.0.1:8420", "this_computer")
    assert re.fullmatch(office.workspace_id + r"\.[A-Za-z0-9_-]{43}", secret)
    assert (link["expiresAt"][:16], link["hasPin"], link["seenCount"]) == ("2026-03-18T00:00", False, 0)
    answer = opened(office, secret)
    shown = answer.json["data"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert {name: shown[name] for name in ("office", "kind", "number", "total", "amountDue", "state", "can")} == {
        "office": "Acme GmbH",
        "kind": "sales_invoice",
        "number": issued["number"],
        "total": "100.00",
        "amountDue": "100.00",
        "state": "issued",
        "can": [],
    }
    transfer = f"BCD\n002\n1\nSCT\n\nAcme GmbH\n{IBAN}\nEUR100.00\n\n\n{issued['number']}"
    code = shown["payment"].pop("qrCode")
    assert qr_codes.read(squares(code)) == transfer
    assert shown["payment"] == {
        "holder": "Acme GmbH",
        "iban": IBAN,
        "bic": None,
        "reference": issued["number"],
        "qrText": transfer,
    }
    file = opened(office, secret, "file", form="pdf")
    assert (file.status_code, file.content[:5], file.headers["Cache-Control"]) == (200, b"%PDF-", "no-store")
    assert status(opened(office, secret, "file", form="order_confirmation")) == (404, "not_found")
    assert secret.partition(".")[2] not in str(office.ok("GET", "/workspace/events"))
    (listed,) = office.ok("GET", f"/finance/invoices/{issued['id']}/links")
    assert (listed["seenCount"], listed["isLive"], "url" in listed) == (1, True, False)
    assert problems(office) == []


def test_it_is_seen_once_as_an_event_and_counted_again_after_ten_minutes(office, issued, clock_at):
    secret = secret_of(made(office, issued))

    def counted():
        (listed,) = office.ok("GET", f"/finance/invoices/{issued['id']}/links")
        return listed["seenCount"]

    opened(office, secret)
    type, _ = last_event(office)
    assert type == "share_link.seen"
    clock_at("2026-02-10T09:09:00Z")
    opened(office, secret)
    assert counted() == 1
    clock_at("2026-02-10T09:10:01Z")
    opened(office, secret)
    assert counted() == 2
    events = office.ok("GET", "/workspace/events", params={"type": "share_link.seen"})
    assert [event["actor"]["name"] for event in events] == ["Customer, by link"]
    payment = {"invoiceId": issued["id"], "amount": "100.00", "date": "2026-02-10"}
    office.ok("POST", "/finance/payments", payment)
    paid = opened(office, secret).json["data"]
    assert (paid["state"], paid["amountDue"], paid["payment"]) == ("paid", "0.00", None)


def test_what_does_not_open_is_one_404(office, issued, clock_at):
    link = made(office, issued, expiresAt="2026-02-11T00:00:00Z")
    secret, path = secret_of(link), f"/finance/invoices/{issued['id']}/links/{link['id']}/revoke"
    gone = []
    other = secret_of(made(office, issued))
    gone += [opened(office, "nonsense"), opened(office, secret[:-1] + ("A" if secret[-1] != "A" else "B"))]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": False})
    gone.append(opened(office, secret))
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": True})
    assert opened(office, secret).status_code == 200
    office.ok("POST", path)
    gone.append(opened(office, secret))
    office.refused("POST", path, status=409, code="invalid_transition")
    assert last_event(office)[0] == "share_link.revoked"
    clock_at("2026-04-01T00:00:00Z")
    gone.append(opened(office, other))
    clock_at("2026-02-10T09:00:00Z")
    with at_the_command_line(office.installation):
        copy_id = duplicating.duplicate(office.workspace_id, "Copy")[0]
    gone.append(opened(office, f"{copy_id}.{other.partition('.')[2]}"))
    office.ok("POST", f"/workspace/{office.workspace_id}/archive")
    gone.append(opened(office, other))
    assert {answer.text.replace(answer.json["error"]["requestId"], "") for answer in gone} == {
        gone[0].text.replace(gone[0].json["error"]["requestId"], "")
    }
    assert status(gone[0]) == (404, "not_found")
    office.ok("POST", f"/workspace/{office.workspace_id}/unarchive")
    office.select(copy_id)
    assert problems(office) == []
    (copied, _) = office.ok("GET", f"/finance/invoices/{issued['id']}/links")
    assert copied["isLive"] is False


def test_a_pin_is_asked_for_and_cannot_be_guessed(office, issued, clock_at):
    link = made(office, issued, pin="4711")
    secret = secret_of(link)
    assert status(opened(office, secret)) == (401, "pin_needed")
    assert status(opened(office, secret, pin="4712")) == (403, "wrong_pin")
    assert opened(office, secret, pin="4711").status_code == 200
    for round in range(4):
        clock_at(f"2026-02-10T1{round}:00:00Z")
        for _ in range(5):
            answer = opened(office, secret, pin="0000")
            assert status(answer) in ((403, "wrong_pin"), (404, "not_found"))
        if round < 3:
            waiting = opened(office, secret, pin="4711")
            assert (status(waiting), waiting.headers["Retry-After"]) == ((429, "rate_limited"), "900")
            assert last_event(office)[0] == "share_link.locked"
    assert last_event(office)[1]["because"] == "wrong_pins"
    assert status(opened(office, secret, pin="4711")) == (404, "not_found")
    assert problems(office) == []


def test_a_busy_server_counts_no_pin(office, issued, monkeypatch):
    secret = secret_of(made(office, issued, pin="4711"))

    def busy(*_):
        raise Busy

    with monkeypatch.context() as once:
        once.setattr(passwords, "verify", busy)
        for _ in range(6):
            assert status(opened(office, secret, pin="4711")) == (503, "busy")
    assert status(opened(office, secret, pin="0000")) == (403, "wrong_pin")
    assert opened(office, secret, pin="4711").status_code == 200


def test_links_and_addresses_are_limited(office, issued):
    secret = secret_of(made(office, issued))
    known = limits._of(office.installation.config.data_dir)
    (link,) = office.ok("GET", f"/finance/invoices/{issued['id']}/links")
    for _ in range(59):
        known.requests.count(link["id"])
    assert opened(office, secret).status_code == 200
    assert status(opened(office, secret)) == (429, "rate_limited")
    for _ in range(30):
        assert opened(office, "unknown").status_code == 404
    answer = opened(office, "unknown")
    assert (status(answer), 0 < int(answer.headers["Retry-After"]) <= 600) == ((429, "rate_limited"), True)


def test_making_a_link_is_refused(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"shareLinks": True})
    draft, bought = invoice(acme, draft=True), bill(acme, "10.00")
    for document in (draft, bought):
        path = f"/finance/invoices/{document['id']}/links"
        acme.refused("POST", path, {}, status=409, code="invalid_transition")
    issued = invoice(acme)
    path = f"/finance/invoices/{issued['id']}/links"
    late = datetime.fromisoformat("2026-02-10T09:00:00+00:00") + timedelta(days=366)
    for day in (late.isoformat(), "2026-02-10T08:00:00Z"):
        assert complaint(acme.refused("POST", path, {"expiresAt": day}, status=422)) == ("expiresAt", "out_of_range")
    for pin in ("123", "abcd", "1234567890123"):
        assert complaint(acme.refused("POST", path, {"pin": pin}, status=422))[0] == "pin"
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"shareLinks": False})
    acme.refused("POST", path, {}, status=409, code="sharing_off")
