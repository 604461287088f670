"""The list of invoices."""

from typing import Any

import pytest

from tests.finance.billing.time_logs import hourly_project, project_task, time_invoice, time_log
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice, line


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def office(acme):
    """Five documents: old and due, new, paid, a draft, a credit note."""
    globex, initech = customer(acme)["id"], customer(acme, name="Initech")["id"]

    invoice(acme, "10.00", customerId=globex, issueDate="2026-01-05", dueDate="2026-02-01", reference="old_1")
    invoice(
        acme, "30.00", customerId=initech, issueDate="2026-03-01", currency="USD", exchangeRate="1", reference="oldX1"
    )
    invoice(acme, "0", customerId=initech, issueDate="2026-01-06", dueDate="2026-01-06")
    invoice(acme, "20.00", customerId=globex, issueDate="2026-01-07", dueDate="2026-01-07", draft=True)
    invoice(acme, "5.00", customerId=globex, issueDate="2026-01-08", dueDate="2026-01-08", kind="sales_credit_note")
    return acme


def totals(office, **params):
    return [each["total"] for each in office.ok("GET", "/finance/invoices", params=params)]


def test_a_list_shows_invoices_newest_first_without_their_lines(office):
    listed = office.ok("GET", "/finance/invoices")
    assert [each["total"] for each in listed] == ["5.00", "20.00", "0.00", "30.00", "10.00"]
    whole = office.ok("GET", f"/finance/invoices/{listed[-1]['id']}")
    assert "lines" not in listed[-1]
    assert listed[-1] == {name: whole[name] for name in listed[-1]}


def test_an_invoice_is_overdue_from_the_day_after_it_was_due(office, clock_at):
    old = office.ok("GET", "/finance/invoices", params={"q": "old_1"})[0]
    assert (old["isOverdue"], old["daysOverdue"]) == (True, 37)
    clock_at("2026-02-01T09:00:00Z")
    old = office.ok("GET", "/finance/invoices", params={"q": "old_1"})[0]
    assert (old["isOverdue"], old["daysOverdue"]) == (False, 0)


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"status": "draft"}, ["20.00"]),
        ({"status": "issued,paid"}, ["5.00", "0.00", "30.00", "10.00"]),
        ({"kind": "sales_credit_note"}, ["5.00"]),
        ({"currency": "USD"}, ["30.00"]),
        ({"isOverdue": "true"}, ["10.00"]),
        ({"isOverdue": "false"}, ["5.00", "20.00", "0.00", "30.00"]),
        ({"dateFrom": "2026-01-06", "dateTo": "2026-01-08"}, ["5.00", "20.00", "0.00"]),
        ({"dueFrom": "2026-01-08", "dueTo": "2026-02-01"}, ["5.00", "10.00"]),
        ({"q": "init"}, ["0.00", "30.00"]),
        ({"q": "INV-2026-00002"}, ["30.00"]),
        ({"q": "old_"}, ["10.00"]),
        ({"q": "nothing"}, []),
        ({"status": "issued", "q": "globex", "sort": "total"}, ["5.00", "10.00"]),
        ({"sort": "issueDate"}, ["10.00", "0.00", "20.00", "5.00", "30.00"]),
        ({"sort": "-dueDate"}, ["30.00", "10.00", "5.00", "20.00", "0.00"]),
        ({"sort": "total"}, ["0.00", "5.00", "10.00", "20.00", "30.00"]),
        ({"sort": "-number"}, ["0.00", "30.00", "10.00", "5.00", "20.00"]),
        ({"sort": "createdAt"}, ["10.00", "30.00", "0.00", "20.00", "5.00"]),
    ],
    ids=str,
)
def test_a_list_is_filtered_and_sorted(office, params, found):
    assert totals(office, **params) == found


def test_a_list_is_filtered_by_customer_and_sorted_by_name(office):
    initech_id = office.ok("GET", "/finance/contacts", params={"q": "Initech"})[0]["id"]
    assert totals(office, customerId=initech_id) == ["0.00", "30.00"]
    names = [each["customerName"] for each in office.ok("GET", "/finance/invoices", params={"sort": "customerName"})]
    assert names == ["Globex", "Globex", "Globex", "Initech", "Initech"]


@pytest.mark.parametrize("sort", ["number", "-number", "total", "-dueDate", "customerName", "-createdAt"])
def test_pages_follow_each_other_without_gap_or_repetition(office, sort):
    paged, query = [], {"sort": sort, "limit": "2"}
    while query.get("cursor", "more"):
        answer = office.call("GET", "/finance/invoices", params=query).json
        paged += [each["total"] for each in answer["data"]]
        query["cursor"] = answer["page"]["nextCursor"]
    assert paged == totals(office, sort=sort)


@pytest.mark.parametrize(
    "params", [{"status": "overdue"}, {"status": ""}, {"sort": "note"}, {"dateFrom": "soon"}], ids=str
)
def test_a_wrong_filter_is_named(office, params):
    error = office.refused("GET", "/finance/invoices", params=params, status=400, code="bad_parameter")
    assert next(iter(params)) in error["message"]


def test_a_list_goes_into_a_spreadsheet(office):
    answer = office.call("GET", "/finance/invoices", params={"format": "csv", "sort": "number"})
    assert answer.headers["Content-Type"].startswith("text/csv")
    head, *rows = answer.text.splitlines()
    assert (head.split(",")[5], len(rows)) == ("number", 5)


def test_a_row_of_the_list_shows_what_the_invoice_shows(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    drafted: dict[str, Any] = {"draft": True, "currency": "BHD", "exchangeRate": "2.4"}
    bodies: list[dict[str, Any]] = [
        {"customer": {"name": 'Quote "and" Söhne'}, "issueDate": "2026-01-01", "dueDate": "2026-02-01"},
        {"customer": {"name": "Initech"}, **drafted},
        {"customer": {"name": "Globex"}, "kind": "sales_credit_note", "dueDate": "2026-03-01", "reference": "7"},
    ]
    for body in bodies:
        acme.ok("POST", "/finance/invoices", {**body, "lines": [line("19.90")]})
    void = acme.ok("GET", "/finance/invoices", params={"q": "Globex"})[0]["id"]
    acme.ok("POST", f"/finance/invoices/{void}/void", {})
    rows = acme.ok("GET", "/finance/invoices")
    assert len(rows) == 3
    for row in rows:
        whole = acme.ok("GET", f"/finance/invoices/{row['id']}")
        assert row == {name: whole[name] for name in row}
    assert {row["isOverdue"] for row in rows} == {True, False}
    assert max(row["daysOverdue"] for row in rows) == 28


def test_a_list_shows_the_lines_of_its_documents_on_request(acme):
    consulting = invoice(acme, line("100.00", description="Consulting"), line("20.00", description="Travel"))
    bill(acme, line("30.00", description="Paper"))
    plain = acme.ok("GET", "/finance/invoices")
    assert not any("lines" in each for each in plain)
    shown = acme.ok("GET", "/finance/invoices", params={"include": "lines", "limit": "1", "sort": "createdAt"})
    assert [{**each, "lines": None} for each in shown] == [{**plain[-1], "lines": None}]
    assert shown[0]["lines"] == consulting["lines"]
    assert [each["description"] for each in shown[0]["lines"]] == ["Consulting", "Travel"]


def test_lines_in_a_list_name_the_time_that_they_bill(acme):
    task = project_task(acme, hourly_project(acme, customer_id=customer(acme)["id"])["id"])
    log = time_log(acme, task["id"], 90)
    time_invoice(acme, projectId=task["projectId"])
    ((billed,),) = (each["lines"] for each in acme.ok("GET", "/finance/invoices", params={"include": "lines"}))
    assert (billed["taskKey"], billed["timeLogIds"]) == (task["key"], [log["id"]])


def test_a_table_has_a_column_for_lines_on_request_alone(acme):
    invoice(acme, line("100.00", description="Consulting"))
    for asked, has_column in (({}, False), ({"include": "lines"}, True)):
        head, row = acme.call("GET", "/finance/invoices", params={"format": "csv", **asked}).text.splitlines()
        assert ("lines" in head.split(","), "Consulting" in row) == (has_column, has_column)


def test_a_list_of_changes_has_what_was_paid_since(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    first, other = invoice(acme, "100.00"), invoice(acme, "200.00")
    clock_at("2026-03-02T09:00:00Z")
    acme.ok("POST", "/finance/payments", {"invoiceId": other["id"], "amount": "50.00"})
    changed = acme.ok("GET", "/finance/invoices", params={"updatedAfter": "2026-03-01T10:00:00+01:00"})
    assert [each["id"] for each in changed] == [other["id"]]
    everything = acme.ok("GET", "/finance/invoices", params={"updatedAfter": "2026-03-01T09:59:59+01:00"})
    assert {each["id"] for each in everything} == {first["id"], other["id"]}
