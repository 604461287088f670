"""The general ledger: postings with contra accounts, by account, contact and project, page by page and as a file."""

import csv
import io

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, line
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import JANUARY, cells, report


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def trading(acme):
    entry(acme, "1000.00", day="2025-12-30", debit="1010", credit="3000")
    entry(acme, "80.00", day="2025-12-31", debit="6100", credit="1010")
    for day in ("02", "03", "05", "07"):
        entry(acme, f"10.{day}", day=f"2026-01-{day}", debit="6100", credit="1010")
    return acme


def rows_of(tree):
    return [(row["code"], row["key"] or row["kind"], cells(row).get("balance")) for row in tree["rows"]]


def test_an_account_is_shown_between_its_opening_and_its_closing_balance(trading):
    tree = report(trading, "general-ledger", accountId="1010", **JANUARY)
    assert rows_of(tree) == [
        ("1010", "section", None),
        ("1010", "opening", "920.00"),
        ("1010", "line", "909.98"),
        ("1010", "line", "899.95"),
        ("1010", "line", "889.90"),
        ("1010", "line", "879.83"),
        ("1010", "closing", "879.83"),
    ]
    first = cells(tree["rows"][2])
    assert (first["date"], first["credit"], first["contra"]) == ("2026-01-02", "10.02", "6100 Rent")
    assert cells(tree["rows"][-1])["credit"] == "40.17"
    assert (tree["nextCursor"], "total" in tree) == (None, False)
    assert report(trading, "general-ledger", accountId="1010", limit="1", total="true", **JANUARY)["total"] == 4


@pytest.mark.parametrize("limit", ["1", "2", "3", "4", "5", "9"])
def test_pages_have_the_rows_of_the_whole_ledger(trading, limit):
    whole = rows_of(report(trading, "general-ledger", **JANUARY))
    assert {code for code, *_ in whole} == {"1010", "3000", "6100"}
    rows, params = [], {**JANUARY, "limit": limit}
    for _ in range(30):
        page = report(trading, "general-ledger", **params)
        rows += rows_of(page)
        if page["nextCursor"] is None:
            break
        params["cursor"] = page["nextCursor"]
    assert rows == whole


def test_a_file_has_all_pages(trading):
    path = "/finance/reports/general-ledger"
    answer = trading.call("GET", path, params={**JANUARY, "limit": "1", "format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["code"], row["Text"]) for row in rows if row["kind"] == "sum"] == [
        (code, "Closing balance") for code in ("1010", "3000", "6100")
    ]
    assert [row["Balance"] for row in rows if row["code"] == "1010" and row["Text"] == "Opening balance"] == ["920.00"]
    for format, start in (("pdf", b"%PDF-"), ("xlsx", b"PK")):
        assert trading.call("GET", path, params={**JANUARY, "format": format}).content.startswith(start)


def test_expenses_begin_at_zero_in_each_fiscal_year(trading):
    params = {"accountId": "6100", "dateFrom": "2025-12-01", "dateTo": "2026-01-02"}
    tree = report(trading, "general-ledger", **params)
    assert [(row["label"], cells(row).get("balance")) for row in tree["rows"][1:]] == [
        ("Opening balance", "0.00"),
        ("Capital paid in", "80.00"),
        ("Result of fiscal year 2025, carried forward", "0.00"),
        ("Capital paid in", "10.02"),
        ("Closing balance", "10.02"),
    ]
    cursor = report(trading, "general-ledger", limit="1", **params)["nextCursor"]
    rest = report(trading, "general-ledger", limit="9", cursor=cursor, **params)
    assert [cells(row).get("balance") for row in rest["rows"]] == ["0.00", "10.02", "10.02"]


def test_several_accounts_on_the_other_side_are_all_named(acme):
    lines = [
        {"accountId": "6100", "debit": "70"},
        {"accountId": "6200", "debit": "30"},
        {"accountId": "1010", "credit": "100"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-05", "description": "Rent and heating", "lines": lines})
    tree = report(acme, "general-ledger", **JANUARY)
    contra = {row["code"]: cells(row)["contra"] for row in tree["rows"] if row["kind"] == "line" and not row["key"]}
    assert contra == {"1010": "diverse: 6100, 6200", "6100": "1010 Bank", "6200": "1010 Bank"}


def test_the_ledger_of_a_contact_and_of_a_project(acme):
    alster, meyer = customer(acme, "Alster"), customer(acme, "Meyer")
    project = acme.ok("POST", "/projects", {"name": "Harbour"})
    mine = invoice(acme, line("100.00", projectId=project["id"]), customerId=alster["id"], issueDate="2026-01-05")
    invoice(acme, line("40.00"), customerId=meyer["id"], issueDate="2026-01-06")
    tree = report(acme, "general-ledger", contactId=alster["id"], **JANUARY)
    (posting,) = [row for row in tree["rows"] if row["kind"] == "line" and not row["key"]]
    shown = cells(posting)
    assert (shown["contact"], shown["document"], shown["debit"]) == ("Alster", mine["number"], "100.00")
    assert posting["cells"]["debit"]["link"] == f"/api/v1/finance/invoices/{mine['id']}"
    assert cells(tree["rows"][-1])["balance"] == "100.00"
    for name, amount in ((project["code"], "100.00"), ("none", "40.00")):
        of_project = report(acme, "general-ledger", projectId=name, accountId="4000", **JANUARY)
        assert cells(of_project["rows"][-1])["credit"] == amount
    later = report(acme, "general-ledger", contactId=alster["id"], dateFrom="2026-02-01", dateTo="2026-02-28")
    assert [cells(row).get("balance") for row in later["rows"]] == [None, "100.00", "100.00"]


def test_what_cannot_be_shown_is_refused_by_name(acme):
    path = "/finance/reports/general-ledger"
    for params, status, text in (
        ({"dateFrom": "2026-02-01", "dateTo": "2026-01-01"}, 400, "dateTo"),
        ({"cursor": "nonsense"}, 400, "cursor"),
        ({"accountId": "9999"}, 422, "accountId"),
        ({"projectId": "NOPE"}, 422, "projectId"),
    ):
        answer = acme.call("GET", path, params=params)
        assert answer.status_code == status, params
        assert text in answer.text
