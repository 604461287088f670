"""Files as bodies: the spreadsheet itself, or a form with it, wherever an import takes its text in JSON."""

import base64

import pytest

from erp.web.transport.uploads import CSV, XLSX, XML, ZIP
from tests.finance.books.test_exchange_rates import HISTORY_CSV, xml, zipped
from tests.finance.closing.test_opening import excel
from tests.tasks.tasks import add

TIME, RATES, OPENING = "/tasks/time-logs/import", "/finance/exchange-rates/import", "/finance/opening-balances"
BALANCES = "account;debit;credit\n1010;10000.00\n3000;;10000.00\n"
BOUNDARY = "zwischen"


@pytest.fixture(autouse=True)
def _end_of_january(clock_at):
    clock_at("2026-01-31T09:00:00Z")


def as_file(office, path, content, media_type, **query):
    """Send a file as the body itself, with the other fields in the query string."""
    raw = content.encode() if isinstance(content, str) else content
    return office.call("POST", path, raw=raw, params=query, headers={"Content-Type": media_type})


def as_form(office, path, content, name, media_type=CSV, **fields):
    """Send a file as a browser's form does."""
    raw = content.encode() if isinstance(content, str) else content
    head = f'Content-Disposition: form-data; name="upload"; filename="{name}"\r\nContent-Type: {media_type}\r\n\r\n'
    parts = [f'Content-Disposition: form-data; name="{field}"\r\n\r\n{text}'.encode() for field, text in fields.items()]
    lines = b"".join(f"--{BOUNDARY}\r\n".encode() + part + b"\r\n" for part in [*parts, head.encode() + raw])
    whole = lines + f"--{BOUNDARY}--\r\n".encode()
    return office.call("POST", path, raw=whole, headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})


@pytest.mark.parametrize(
    "send", [lambda at, to, text: as_file(at, to, text, CSV), lambda at, to, text: as_form(at, to, text, "hours.csv")]
)
def test_hours_are_imported_from_the_spreadsheet_itself(acme, send):
    task = add(acme)
    answer = send(acme, TIME, f"task,date,hours\n{task['key']},2026-01-05,1.5\n")
    assert answer.json["data"] == {"rows": 1, "minutes": 90, "created": 1, "known": 0, "dryRun": False}
    (log,) = acme.ok("GET", "/tasks/time-logs")
    assert (log["date"], log["minutes"]) == ("2026-01-05", 90)


def test_the_other_fields_stand_in_the_query_string_or_in_the_form(acme):
    for answer in (
        as_file(acme, OPENING, BALANCES, CSV, date="2025-12-31", dryRun="true"),
        as_form(acme, OPENING, BALANCES, "balances.csv", date="2025-12-31", dryRun="true"),
    ):
        made = answer.json["data"]
        assert (made["date"], made["total"], made["difference"], made["dryRun"]) == (
            "2025-12-31",
            "10000.00",
            "0.00",
            True,
        )
    assert acme.ok("GET", OPENING)["journalEntryId"] is None
    made = as_file(acme, OPENING, BALANCES, CSV, date="2025-12-31", dryRun="false").json["data"]
    assert made["journalEntryId"] is not None


def test_an_excel_file_is_sent_as_it_is(acme):
    file = base64.b64decode(excel([["account", "debit", "credit"], ["1010", 10000.0], ["3000", None, 10000.0]]))
    assert as_file(acme, OPENING, file, XLSX, date="2025-12-31", dryRun="true").json["data"]["total"] == "10000.00"
    named_wrongly = as_form(acme, OPENING, file, "Salden.XLSX", "application/x-excel", date="2025-12-31", dryRun="true")
    assert named_wrongly.json["data"]["total"] == "10000.00"


@pytest.mark.parametrize(
    ("file", "media_type"),
    [(HISTORY_CSV, CSV), (xml(d22="1.0870"), XML), (base64.b64decode(zipped(HISTORY_CSV)), ZIP)],
    ids=["csv", "xml", "zip"],
)
def test_the_banks_files_of_rates_are_sent_as_they_are(acme, file, media_type):
    answer = as_file(acme, RATES, file, media_type, dateFrom="2026-01-22")
    assert (answer.status_code, answer.json["data"]["dateFrom"]) == (200, "2026-01-22")
    assert ("USD", "0.919963201472") in {
        (row["currency"], row["rate"]) for row in acme.ok("GET", "/finance/exchange-rates")
    }


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16", "UTF-8"])
def test_a_spreadsheet_says_in_which_letters_it_is_written(acme, charset):
    key = add(acme)["key"]
    table = f"task,date,hours,note\n{key},2026-01-05,1,Büro\n".encode(charset)
    assert as_file(acme, TIME, table, f"text/csv; charset={charset}").status_code == 200
    assert acme.ok("GET", "/tasks/time-logs")[0]["note"] == "Büro"


@pytest.mark.parametrize(
    ("content", "media_type", "code"),
    [
        ("Büro".encode("latin-1"), CSV, "wrong_charset"),
        (b"task", "text/csv; charset=klingon", "wrong_charset"),
        (b"task,date,hours\nX-1,2026-01-05,1\n", CSV, "unknown_reference"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_as_for_json(acme, content, media_type, code):
    answer = as_file(acme, TIME, content, media_type)
    assert answer.status_code == 422
    assert [detail["code"] for detail in answer.json["error"]["details"]] == [code]


def test_a_field_that_there_is_not_is_refused_in_a_query_string_too(acme):
    error = as_file(acme, TIME, "task,date,hours\n", CSV, colour="red").json["error"]
    assert ("colour", "unknown_field") in {(detail["field"], detail["code"]) for detail in error["details"]}


def test_an_import_names_the_kinds_of_files_that_it_takes(acme):
    answer = as_file(acme, OPENING, BALANCES, "text/plain", date="2025-12-31")
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "unsupported_media_type")
    assert "application/json, text/csv, application/vnd." in answer.json["error"]["message"]


def test_elsewhere_a_file_is_no_body(acme):
    assert as_file(acme, "/finance/contacts", "name\nInitech\n", CSV).status_code == 415


@pytest.mark.parametrize("raw", [b"no form at all", b"--zwischen\r\nnothing"])
def test_a_form_that_cannot_be_read_is_refused(acme, raw):
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    assert acme.call("POST", TIME, raw=raw, headers=headers).status_code == 400


def test_a_form_with_two_files_is_refused_and_not_half_read(acme):
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a.csv"\r\n\r\ntask,date,hours\r\n'
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    answer = acme.call("POST", TIME, raw=f"{part}{part}--{BOUNDARY}--\r\n", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed_json")


def test_the_documentation_shows_each_kind_of_body(installation):
    document = installation.client.simulate_get("/api/openapi.json", host="localhost").json
    operation = document["paths"]["/api/v1/finance/opening-balances"]["post"]
    content = operation["requestBody"]["content"]
    assert set(content) == {"application/json", CSV, XLSX, "multipart/form-data"}
    fields = set(content["multipart/form-data"]["schema"]["properties"])
    assert fields == {"upload", "date", "source", "dateOrder", "dryRun"}
    assert "The file may also be the body itself" in operation["description"]
