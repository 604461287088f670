"""Dates far ahead: a slip of the year is refused on its field, unless the request says that it is meant."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, new_invoice
from tests.finance.journals.journals import entry, entry_count, new_entry
from tests.finance.payments.payments import payment

pytestmark = pytest.mark.usefixtures("on_10_march")

LAST, FAR = "2026-03-17", "2026-03-18"
"""The last day that is accepted as it is, 7 days ahead, and the day after."""


@pytest.fixture
def on_10_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def paid(office, **fields):
    return payment(office, "5.00", contactId=customer(office)["id"], **fields)


def allocated(office):
    made = invoice(office, "5.00")
    return payment(office, "5.00", invoiceId=made["id"])


def on_account(office):
    made = invoice(office, "5.00")
    return f"/finance/payments/{payment(office, '5.00', contactId=made['customerId'])['id']}/allocations", {
        "allocations": [{"invoiceId": made["id"], "amount": "5.00"}]
    }


REQUESTS = {
    "an invoice": ("issueDate", lambda office: ("/finance/invoices", new_invoice())),
    "a credit note": ("issueDate", lambda office: ("/finance/invoices", new_invoice(kind="sales_credit_note"))),
    "the void of an invoice": ("date", lambda office: (f"/finance/invoices/{invoice(office)['id']}/void", {})),
    "a payment": (
        "date",
        lambda office: ("/finance/payments", {"amount": "5.00", "contactId": customer(office)["id"]}),
    ),
    "the void of a payment": ("date", lambda office: (f"/finance/payments/{paid(office)['id']}/void", {})),
    "an allocation": ("date", on_account),
    "a release": (
        "date",
        lambda office: (
            "/finance/payments/{0[id]}/allocations/{0[allocations][0][id]}/release".format(allocated(office)),
            {},
        ),
    ),
    "a journal entry": ("date", lambda office: ("/finance/journals", new_entry())),
    "a reversal": (
        "date",
        lambda office: (f"/finance/journals/{entry(office, day='2026-03-01')['id']}/reverse", {}),
    ),
}


@pytest.mark.parametrize(("field", "request_of"), REQUESTS.values(), ids=REQUESTS.keys())
def test_a_date_more_than_a_week_ahead_is_refused_on_its_field_unless_it_is_meant(acme, field, request_of):
    path, body = request_of(acme)
    before = entry_count(acme)
    error = acme.refused("POST", path, {**body, field: FAR}, status=422, code="date_in_future")
    (detail,) = error["details"]
    assert (detail["field"], detail["code"]) == (field, "date_in_future")
    assert detail["message"] == (
        "The date is more than 7 days after today, 10 Mar 2026. Check the date. The API accepts it with allowFuture."
    )
    assert entry_count(acme) == before
    acme.ok("POST", path, {**body, field: FAR, "allowFuture": True})


@pytest.mark.parametrize(("field", "request_of"), REQUESTS.values(), ids=REQUESTS.keys())
def test_a_date_within_a_week_is_accepted(acme, field, request_of):
    path, body = request_of(acme)
    acme.ok("POST", path, {**body, field: LAST})


def test_a_draft_has_any_date_until_it_is_issued(acme, clock_at):
    draft = invoice(acme, issueDate="2027-03-10", draft=True)
    path = f"/finance/invoices/{draft['id']}/issue"
    error = acme.refused("POST", path, status=422, code="date_in_future")
    assert error["details"][0]["field"] == "issueDate"
    assert acme.ok("POST", path, {"allowFuture": True})["issueDate"] == "2027-03-10"
    waiting = invoice(acme, issueDate="2026-03-20", draft=True)
    clock_at("2026-03-16T09:00:00Z")
    assert acme.ok("POST", f"/finance/invoices/{waiting['id']}/issue")["status"] == "issued"


def test_a_draft_does_not_remember_that_a_date_ahead_was_meant(acme):
    draft = invoice(acme, issueDate="2027-03-10", draft=True, allowFuture=True)
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", status=422, code="date_in_future")


def test_due_dates_are_ahead_by_nature(acme):
    made = invoice(acme, dueDate="2027-03-10")
    assert acme.ok("PATCH", f"/finance/invoices/{made['id']}", {"dueDate": "2028-03-10"})["dueDate"] == "2028-03-10"


def test_the_date_is_one_complaint_among_others(acme):
    def fields(path, body):
        return {
            each["field"] for each in acme.refused("POST", path, body, status=422, code="validation_failed")["details"]
        }

    body = new_invoice(issueDate=FAR, currency="XXX")
    assert fields("/finance/invoices", body) == {"issueDate", "currency"}
    assert fields("/finance/payments", {"amount": "1.00", "date": FAR, "accountId": "9"}) >= {"date", "accountId"}
    assert fields("/finance/journals", new_entry(day=FAR, debit="9")) == {"date", "lines[0].accountId"}


def test_today_is_the_day_where_the_office_is(installation, clock_at):
    office = installation.office("Olga", timeZone="Pacific/Auckland")
    clock_at("2026-03-10T12:00:00Z")  # 01:00 on 11 March in Auckland
    paid(office, date="2026-03-18")
    body = {"amount": "5.00", "contactId": customer(office)["id"], "date": "2026-03-19"}
    office.refused("POST", "/finance/payments", body, status=422, code="date_in_future")
