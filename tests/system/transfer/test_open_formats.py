"""Everything of a workspace as a zip that any program can read."""

import base64
import csv
import io
import json
import zipfile

from tests.conftest import Office
from tests.finance.documents.invoices import invoice
from tests.system.transfer.test_export import logged

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def exported(office: Office) -> zipfile.ZipFile:
    answer = office.call("GET", "/workspace/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(answer.content))


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(archive.read(f"json/{name}.json"))
    return rows


def test_the_tables_are_there_as_csv_and_as_json(acme: Office) -> None:
    made = invoice(acme, "100.00", customer={"name": "Übersee, „Nord“", "address": {"city": "Köln"}})
    archive = exported(acme)
    assert archive.testzip() is None
    (row,) = table(archive, "invoice")
    assert (row["number"], row["total"]) == (made["number"], 10000)
    (customer,) = table(archive, "contact")
    assert (customer["name"], customer["address"]) == ("Übersee, „Nord“", {"city": "Köln"})
    (cells,) = csv.DictReader(io.StringIO(archive.read("csv/contact.csv").decode(), newline=""))
    assert (cells["id"], cells["name"]) == (customer["id"], "Übersee, „Nord“")
    postings = table(archive, "posting")
    assert sorted(int(str(posting["amount"])) for posting in postings) == [-10000, 10000]
    with io.StringIO(archive.read("csv/posting.csv").decode(), newline="") as file:
        assert sorted(posting["amount"] for posting in csv.DictReader(file)) == ["-10000", "10000"]


def test_every_table_is_described_and_counted(acme: Office) -> None:
    invoice(acme, "100.00")
    archive = exported(acme)
    about = {entry["table"]: entry for entry in json.loads(archive.read("tables.json"))}
    names = {name.removeprefix("csv/").removesuffix(".csv") for name in archive.namelist() if name.startswith("csv/")}
    assert names == about.keys()
    assert {"account", "employee", "event", "invoice", "journal_entry", "member", "settings", "task"} <= names
    assert names.isdisjoint({"idempotency", "kiosk_pin", "workspace_meta"})
    for name, entry in about.items():
        rows = table(archive, name)
        assert (len(rows), [*rows[0]] if rows else entry["columns"]) == (entry["rows"], entry["columns"])
    schema = archive.read("schema.sql").decode()
    assert all(f"CREATE TABLE {name} " in schema.replace('"', "") for name in names - {"member"})


def test_the_readme_says_what_is_what(acme: Office) -> None:
    invoice(acme, "100.00")
    readme = exported(acme).read("README.txt").decode()
    assert "- invoice (1): A sales or purchase document" in readme
    assert "Amounts are whole numbers in the smallest unit of their currency" in readme


def test_the_members_are_named(acme: Office) -> None:
    acme.colleague("accountant")
    members = table(exported(acme), "member")
    assert sorted((row["role"], row["status"]) for row in members) == [("accountant", "active"), ("owner", "active")]
    invoice(acme, "100.00")
    (owner,) = (row["user_id"] for row in members if row["role"] == "owner")
    assert [row["created_by"] for row in table(exported(acme), "invoice")] == [owner]


def test_files_are_files_again(acme: Office) -> None:
    acme.ok("POST", "/workspace/logo", {"file": PNG})
    archive = exported(acme)
    (logo,) = table(archive, "logo")
    assert archive.read(f"files/{logo['sha256']}.png") == base64.b64decode(PNG)


def test_a_formula_stays_text_in_a_spreadsheet(acme: Office) -> None:
    invoice(acme, "100.00", customer={"name": "=1+1"})
    archive = exported(acme)
    assert '"\'=1+1"' in archive.read("csv/contact.csv").decode()
    assert table(archive, "contact")[0]["name"] == "=1+1"


def test_the_log_says_that_it_was_exported(acme: Office) -> None:
    archive = exported(acme)
    (event,) = logged(acme, "workspace.exported")
    assert dict(event["data"])["file"].endswith(".zip")  # type: ignore[call-overload]
    assert [row["type"] for row in table(archive, "event")][-1] == "workspace.exported"


def test_only_an_owner_takes_everything_along(acme: Office) -> None:
    acme.colleague("admin").refused("GET", "/workspace/export", status=403, code="forbidden")
    assert logged(acme, "workspace.exported") == []


def test_nobody_gets_the_tables_of_another_office(acme: Office, stranger: Office) -> None:
    invoice(acme, "100.00")
    archive = exported(stranger)
    assert table(archive, "invoice") == []
    assert [row["email"] for row in table(archive, "member")] == [stranger.email]
