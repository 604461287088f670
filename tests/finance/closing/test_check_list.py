"""The check-list before a lock: what is open is found, and asks for a reason that is kept."""

import pytest

from erp.store.router import WORKSPACE
from tests.desk.files import attach, pdf
from tests.finance.bank.january import confirm, lines, state, statement
from tests.finance.documents.invoices import bill, invoice
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.finance.test_month import Month

CHECK_LIST, LOCK = "/finance/periods/check-list", "/finance/periods/lock"
JANUARY = {"throughDate": "2026-01-31"}


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    return acme.once(_month)


def _month(acme):
    """The worked month with all that the bank moved in the books, and no statement of it."""
    month = Month(acme)
    month.take_over()
    month.sell()
    month.buy()
    month.pay_old_items()
    month.pay_r1_with_discount()
    month.write_by_hand()
    month.write_off_r4()
    return month


def findings(office, day="2026-01-31"):
    """What is open through a day, by kind."""
    return {found["kind"]: found for found in office.ok("GET", CHECK_LIST, params={"date": day})["findings"]}


def counts(office, day="2026-01-31"):
    return {kind: found["count"] for kind, found in findings(office, day).items()}


def test_without_the_statement_of_the_month_seven_lines_are_open_and_the_lock_asks_for_a_reason(acme, month):
    found = findings(acme)
    assert {kind: each["count"] for kind, each in found.items()} == {
        "unmatched_bank_entries": 7,
        "bills_without_file": 4,
    }
    assert found["unmatched_bank_entries"]["amount"] == "-3608.98", "10,000.00 before, 6,391.02 after"
    assert {(each["dateFrom"], each["dateTo"]) for each in found.values()} == {(None, "2026-01-31")}
    error = acme.refused("POST", LOCK, JANUARY, status=422, code="reason_needed")
    assert [detail["code"] for detail in error["details"]] == [*found]
    assert "31 Jan 2026" in error["message"]
    acme.refused("POST", LOCK, {**JANUARY, "reason": " "}, status=422, code="reason_needed")
    assert acme.ok("GET", "/finance/periods")["lockDate"] is None
    acme.ok("POST", LOCK, {**JANUARY, "reason": "The statement comes in February"})
    (locked,) = acme.ok("GET", "/finance/periods")["locks"]
    assert (locked["toDate"], locked["reason"]) == ("2026-01-31", "The statement comes in February")
    assert {each["kind"]: each["count"] for each in locked["findings"]} == {
        "unmatched_bank_entries": 7,
        "bills_without_file": 4,
    }


def test_lines_of_the_statement_are_open_until_they_are_confirmed(acme, month):
    statement(acme)
    assert counts(acme)["unmatched_bank_lines"] == 7
    first, *_ = lines(acme)
    confirm(acme, first)
    assert (counts(acme)["unmatched_bank_lines"], counts(acme)["unmatched_bank_entries"]) == (6, 6)
    for line in lines(acme, status="unmatched"):
        confirm(acme, line)
    assert counts(acme) == {"bills_without_file": 4}


def test_a_bill_is_open_until_its_file_is_attached(acme, month):
    attach(acme, pdf(), "b1.pdf", of=("invoice", month.documents["B1"]["id"]))
    found = findings(acme)["bills_without_file"]
    assert (found["count"], found["amount"]) == (3, "3810.00")
    assert month.documents["B1"]["id"] not in {record["id"] for record in found["records"]}
    listed = acme.ok("GET", found["link"].removeprefix("/api/v1"))
    assert {each["id"] for each in listed} == {record["id"] for record in found["records"]}
    with_file = acme.ok("GET", "/finance/invoices", params={"hasFile": "true"})
    assert [each["id"] for each in with_file] == [month.documents["B1"]["id"]]


def test_a_bank_account_without_a_statement_shows_its_entries_as_only_in_the_books(acme, month):
    found = counts(acme)["unmatched_bank_entries"]
    assert (state(acme)["statementBalance"], state(acme)["unmatchedEntries"], found) == (None, 7, 7)


def test_drafts_are_found_by_what_they_are(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    invoice(acme, "10.00", issueDate="2026-01-15", customer={"name": "Initech"}, draft=True)
    bill(acme, "20.00", issueDate="2026-01-15", supplier={"name": "Meyer"}, draft=True)
    invoice(acme, "30.00", issueDate="2026-02-01", customer={"name": "Initech"}, draft=True)
    assert counts(acme) == {"draft_invoices": 1, "draft_bills": 1}
    assert findings(acme)["draft_bills"]["link"] == "/api/v1/finance/invoices?kind=purchase_invoice&status=draft"


def test_what_is_dated_far_ahead_is_open(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    entry(acme, "5.00", day="2026-02-17", debit="1010", credit="3000")
    assert counts(acme) == {}
    ahead = {"issueDate": "2027-01-15", "dueDate": "2027-02-15", "allowFuture": True}
    made = invoice(acme, "10.00", customer={"name": "Initech"}, **ahead)
    (record,) = findings(acme)["future_documents"]["records"]
    assert (record["id"], record["date"]) == (made["id"], "2027-01-15")


def test_opening_balances_that_are_not_complete_are_open(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    half = [{"accountId": "1010", "debit": "100.00"}]
    acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "lines": half})
    found = findings(acme)["opening_account"]
    assert (found["amount"], found["records"][0]["type"]) == ("-100.00", "account")
    both = [*half, {"accountId": "3000", "credit": "100.00"}]
    acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "lines": both})
    assert counts(acme) == {}


def test_a_trial_balance_that_another_program_has_broken_is_open(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    entry(acme, "5.00", day="2026-01-17", debit="1010", credit="3000")
    with acme.books(write=True):
        WORKSPACE.run("UPDATE balance SET debit = debit + 1 WHERE debit > 0")
    found = findings(acme)["trial_balance"]
    assert (found["amount"], found["count"]) == ("0.01", 1)


def test_what_was_accepted_with_an_earlier_year_is_not_asked_again(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    payment(acme, "7.00", contactId=acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "A"})["id"])
    invoice(acme, "10.00", issueDate="2025-12-15", dueDate="2025-12-30", customer={"name": "Initech"}, draft=True)
    assert counts(acme) == {"draft_invoices": 1}
    acme.refused("POST", LOCK, {"throughDate": "2025-12-31"}, status=422, code="reason_needed")
    acme.ok("POST", LOCK, {"throughDate": "2025-12-31", "reason": "Will be deleted"})
    assert counts(acme) == {}
    assert acme.ok("GET", CHECK_LIST)["throughDate"] == "2026-01-31", "the month before, unless a day is asked for"
    acme.ok("POST", LOCK, JANUARY)


def test_months_of_the_same_year_are_asked_again(acme, clock_at):
    clock_at("2026-03-10T09:00:00Z")
    invoice(acme, "10.00", issueDate="2026-01-15", dueDate="2026-01-30", customer={"name": "Initech"}, draft=True)
    acme.ok("POST", LOCK, {**JANUARY, "reason": "Later"})
    assert counts(acme, "2026-02-28") == {"draft_invoices": 1}


def test_findings_are_in_the_callers_language(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    invoice(acme, "10.00", issueDate="2026-01-15", dueDate="2026-01-30", customer={"name": "Initech"}, draft=True)
    acme.ok("PATCH", "/auth/me", {"locale": "de"})
    assert findings(acme)["draft_invoices"]["message"].startswith("Rechnungsentwürfe")
    error = acme.refused("POST", LOCK, JANUARY, status=422, code="reason_needed")
    assert error["details"][0]["message"].startswith("Rechnungsentwürfe")
