"""The lock of the books: nothing can be dated in a locked period, and only an owner can unlock one."""

import json

import pytest

from erp.store import events, sql
from tests.finance.books.balances import trial_balance
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import new_entry
from tests.finance.payments.payments import payment
from tests.hr.payroll.payrolls import paid_employee, payroll_run

JOURNALS, LOCK, UNLOCK = "/finance/journals", "/finance/periods/lock", "/finance/periods/unlock"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def test_nothing_is_posted_on_or_before_the_lock_date(acme):
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31"})
    for day in ("2026-01-31", "2026-01-30", "2025-06-01"):
        error = acme.refused("POST", JOURNALS, new_entry(day=day), status=409, code="period_locked")
        assert "31 Jan 2026" in error["message"]
    assert acme.ok("POST", JOURNALS, new_entry(day="2026-02-01"))["number"] == "JE-2026-00001"


def test_an_entry_of_a_locked_period_is_reversed_in_an_open_one(acme):
    posted = acme.ok("POST", JOURNALS, new_entry(day="2026-01-15"))
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31", "reason": "January is reported"})
    path = f"{JOURNALS}/{posted['id']}/reverse"
    acme.refused("POST", path, {"date": "2026-01-20"}, status=409, code="period_locked")
    assert acme.ok("POST", path, {})["date"] == "2026-03-10"
    assert trial_balance(acme, "2026-01-31") == {"1010": 100, "3000": -100}, "what was reported does not change"
    assert trial_balance(acme) == {}


def test_no_document_is_dated_in_a_locked_period(acme):
    line = {"description": "Work", "quantity": "1", "unitPrice": "10.00", "taxRateId": None}
    body = {"customer": {"name": "Initech"}, "lines": [line]}
    invoice = acme.ok("POST", "/finance/invoices", {**body, "issueDate": "2026-01-15"})
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31"})
    acme.refused("POST", "/finance/invoices", {**body, "issueDate": "2026-01-31"}, status=409, code="period_locked")
    paid = {"invoiceId": invoice["id"], "amount": "10.00", "date": "2026-01-31"}
    acme.refused("POST", "/finance/payments", paid, status=409, code="period_locked")
    path = f"/finance/invoices/{invoice['id']}/void"
    acme.refused("POST", path, {"date": "2026-01-31", "reason": "Wrong"}, status=409, code="period_locked")
    assert acme.ok("GET", f"/finance/invoices/{invoice['id']}")["status"] == "issued"


def test_the_lock_moves_forward_and_not_beyond_today(acme):
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31"})
    for day in ("2026-01-31", "2026-01-30"):
        acme.refused("POST", LOCK, {"throughDate": day}, status=409, code="lock_moves_forward")
    acme.refused("POST", LOCK, {"throughDate": "2026-03-11"}, status=422)
    assert acme.ok("POST", LOCK, {"throughDate": "2026-03-10"})["lockDate"] == "2026-03-10"


def test_the_lock_goes_by_the_workspaces_own_today(installation, clock_at):
    clock_at("2026-03-10T11:00:00Z")
    east = installation.office("Kiri", timeZone="Pacific/Kiritimati")
    west = installation.office("Bo", timeZone="Etc/GMT+12")
    assert east.ok("POST", LOCK, {"throughDate": "2026-03-11"})["lockDate"] == "2026-03-11"
    west.refused("POST", LOCK, {"throughDate": "2026-03-10"}, status=422)
    assert west.ok("POST", LOCK, {"throughDate": "2026-03-09"})["lockDate"] == "2026-03-09"


def test_only_an_owner_unlocks_and_gives_a_reason(acme):
    acme.ok("POST", LOCK, {"throughDate": "2026-02-28"})
    body = {"throughDate": "2026-01-31", "reason": "An invoice was forgotten"}
    for role in ("admin", "accountant"):
        acme.colleague(role).refused("POST", UNLOCK, body, status=403)
    acme.refused("POST", UNLOCK, {"throughDate": "2026-01-31"}, status=422)
    acme.refused("POST", UNLOCK, {"reason": "No day"}, status=422)
    acme.refused("POST", UNLOCK, {**body, "throughDate": "2026-02-28"}, status=409, code="lock_moves_back")
    assert acme.ok("POST", UNLOCK, body)["lockDate"] == "2026-01-31"
    acme.ok("POST", JOURNALS, new_entry(day="2026-02-01"))
    assert acme.ok("POST", UNLOCK, {"throughDate": None, "reason": "All of it"})["lockDate"] is None
    acme.refused("POST", UNLOCK, {"throughDate": None, "reason": "Again"}, status=409, code="lock_moves_back")


def test_a_dry_run_shows_what_lies_in_the_period_and_changes_nothing(acme):
    contact = customer(acme, "Initech")
    dates = {"issueDate": "2026-01-15", "dueDate": "2026-02-15", "customerId": contact["id"]}
    draft = invoice(acme, "10.00", **dates, draft=True)
    credit_note = invoice(acme, "5.00", **dates, kind="sales_credit_note")
    paid = payment(acme, "7.00", contactId=contact["id"], date="2026-01-31")
    payment(acme, "8.00", contactId=contact["id"], date="2026-02-01")
    settled = invoice(acme, "20.00", **dates)
    payment(acme, "20.00", invoiceId=settled["id"], date="2026-01-20")
    body = {"throughDate": "2026-01-31"}
    shown = acme.ok("POST", LOCK, {**body, "dryRun": True})
    assert (shown["dryRun"], shown["throughDate"], shown["lockDate"]) == (True, "2026-01-31", None)
    found = {finding["kind"]: finding for finding in shown["findings"]}
    assert {kind: finding["count"] for kind, finding in found.items()} == {
        "draft_invoices": 1,
        "unallocated_payments": 1,
        "unallocated_credit_notes": 1,
        "unmatched_bank_entries": 2,
    }
    assert found["draft_invoices"]["records"] == [
        {
            "type": "invoice",
            "id": draft["id"],
            "number": None,
            "date": "2026-01-15",
            "contactName": "Initech",
            "text": None,
            "amount": "10.00",
            "currency": "EUR",
        }
    ]
    assert found["draft_invoices"]["link"] == "/api/v1/finance/invoices?status=draft"
    (left,) = found["unallocated_payments"]["records"]
    assert (left["number"], left["amount"]) == (paid["number"], "7.00")
    (credit,) = found["unallocated_credit_notes"]["records"]
    assert (credit["number"], credit["amount"]) == (credit_note["number"], "5.00")
    assert acme.ok("GET", "/finance/periods")["lockDate"] is None
    assert acme.ok("POST", JOURNALS, new_entry(day="2026-02-01"))["number"]
    locked = acme.ok("POST", LOCK, {**body, "reason": "Settled in February"})
    assert (locked["lockDate"], locked["dryRun"], locked["findings"]) == ("2026-01-31", False, shown["findings"])


def test_findings_name_the_first_records_and_count_all(acme):
    contact = customer(acme)
    for day in range(1, 23):
        payment(acme, "1.00", contactId=contact["id"], date=f"2026-01-{day:02}")
    found, _ = acme.ok("POST", LOCK, {"throughDate": "2026-01-31", "dryRun": True})["findings"]
    assert (found["count"], found["amount"], len(found["records"])) == (22, "22.00", 20)
    assert [record["date"] for record in found["records"]] == [f"2026-01-{day:02}" for day in range(1, 21)]
    assert found["message"].startswith("Payments in the period are not fully allocated.")


def test_a_payroll_run_that_is_not_approved_lies_in_the_period(acme):
    paid_employee(acme, "Anna")
    run = payroll_run(acme)
    (found,) = acme.ok("POST", LOCK, {"throughDate": run["periodEnd"], "dryRun": True})["findings"]
    assert (found["kind"], found["records"][0]["number"]) == ("draft_payroll_runs", run["number"])
    before = {"throughDate": run["periodStart"], "dryRun": True}
    assert acme.ok("POST", LOCK, before)["findings"] == []


def test_a_dry_run_is_refused_as_the_lock_would_be(acme):
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31"})
    body = {"throughDate": "2026-01-31", "dryRun": True}
    acme.refused("POST", LOCK, body, status=409, code="lock_moves_forward")
    acme.refused("POST", LOCK, {**body, "throughDate": "2026-03-11"}, status=422)
    acme.colleague("viewer").refused("POST", LOCK, {**body, "throughDate": "2026-02-28"}, status=403)


def test_locking_and_unlocking_are_in_the_log(acme):
    acme.colleague("accountant").ok("POST", LOCK, {"throughDate": "2026-02-28", "reason": "Reported"})
    acme.ok("POST", UNLOCK, {"throughDate": None, "reason": "Corrected"})
    with acme.books():
        kinds = ("period.locked", "period.unlocked")
        logged = events.Event.select().where(sql.among(events.Event.type, kinds)).order_by(events.Event.seq)
        assert [(event.type, json.loads(event.data)) for event in logged] == [
            ("period.locked", {"from": None, "to": "2026-02-28", "reason": "Reported"}),
            ("period.unlocked", {"from": "2026-02-28", "to": None, "reason": "Corrected"}),
        ]
    unlocked, locked = acme.ok("GET", "/finance/periods")["locks"]
    assert (unlocked["byName"], unlocked["toDate"], unlocked["reason"]) == ("Olga", None, "Corrected")
    assert (locked["byName"], locked["toDate"], locked["reason"]) == ("Accountant", "2026-02-28", "Reported")


def test_fiscal_years_show_whether_they_are_locked(installation):
    office = installation.office("Fay", fiscalYearStart="04-01")
    for day in ("2023-05-01", "2024-03-31", "2025-04-01"):
        office.ok("POST", JOURNALS, new_entry(day=day))
    office.ok("POST", LOCK, {"throughDate": "2025-12-31", "reason": "Reported"})
    shown = office.ok("GET", "/finance/periods")
    assert shown["lockDate"] == "2025-12-31"
    assert shown["fiscalYears"] == [
        {
            "year": 2026,
            "startDate": "2025-04-01",
            "endDate": "2026-03-31",
            "status": "partly_locked",
            "entryCount": 1,
            "isOpening": False,
        },
        {
            "year": 2024,
            "startDate": "2023-04-01",
            "endDate": "2024-03-31",
            "status": "locked",
            "entryCount": 2,
            "isOpening": False,
        },
    ]


def test_new_books_show_the_present_year_open(acme):
    shown = acme.ok("GET", "/finance/periods")
    assert shown["lockDate"] is None
    assert [(year["year"], year["status"], year["entryCount"]) for year in shown["fiscalYears"]] == [(2026, "open", 0)]
