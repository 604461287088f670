"""When a service was rendered, on documents and lines, and the day that decides their tax period."""

from datetime import date

import pytest

from erp.finance.books.service import tax_day
from tests.finance.documents.invoices import credit, invoice, line, new_invoice
from tests.refusals import complaint, complaints

JANUARY = {"from": "2026-01-05", "to": "2026-01-30"}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def days(document):
    """The service of a document or a line, and the day that decides its tax period."""
    return document["serviceDate"], document["servicePeriod"], document["taxDate"]


def test_a_sale_counts_for_tax_on_the_day_of_its_service(acme):
    made = invoice(acme, serviceDate="2026-02-27")
    assert days(made) == ("2026-02-27", None, "2026-02-27")
    assert acme.ok("GET", f"/finance/invoices/{made['id']}") == made


def test_a_sale_counts_for_tax_at_the_end_of_its_service_period(acme):
    assert days(invoice(acme, servicePeriod=JANUARY)) == (None, JANUARY, "2026-01-30")


def test_a_document_without_a_service_counts_on_its_own_date(acme):
    assert days(invoice(acme, issueDate="2026-03-02")) == (None, None, "2026-03-02")


def test_a_period_of_one_day_stays_a_period(acme):
    one_day = {"from": "2026-01-05", "to": "2026-01-05"}
    assert days(invoice(acme, servicePeriod=one_day)) == (None, one_day, "2026-01-05")


def test_a_line_may_have_a_service_of_its_own(acme):
    made = invoice(acme, line(serviceDate="2026-02-01"), line(servicePeriod=JANUARY), line(), serviceDate="2026-02-28")
    assert days(made) == ("2026-02-28", None, "2026-02-28")
    assert [days(each) for each in made["lines"]] == [
        ("2026-02-01", None, "2026-02-01"),
        (None, JANUARY, "2026-01-30"),
        (None, None, None),
    ]


def test_what_was_rendered_in_a_locked_period_counts_on_the_first_open_day(acme):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    made = invoice(acme, line(servicePeriod=JANUARY), serviceDate="2026-01-31")
    assert (made["taxDate"], made["lines"][0]["taxDate"]) == ("2026-02-01", "2026-02-01")


def test_a_draft_counts_as_the_books_are_locked_when_it_is_issued(acme):
    draft = invoice(acme, serviceDate="2026-01-31", draft=True)
    assert draft["taxDate"] == "2026-01-31"
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Closed"})
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    assert days(issued) == ("2026-01-31", None, "2026-03-01")


def test_a_preview_tells_the_day_for_tax(acme):
    shown = acme.ok("POST", "/finance/invoices/preview", new_invoice(servicePeriod=JANUARY))
    assert shown["taxDate"] == "2026-01-30"


def test_a_draft_changes_from_a_day_to_a_period_and_back_to_none(acme):
    path = f"/finance/invoices/{invoice(acme, serviceDate='2026-02-27', draft=True)['id']}"
    assert days(acme.ok("PATCH", path, {"servicePeriod": JANUARY})) == (None, JANUARY, "2026-01-30")
    assert days(acme.ok("PATCH", path, {"note": "Thank you."})) == (None, JANUARY, "2026-01-30")
    assert days(acme.ok("PATCH", path, {"serviceDate": "2026-02-01"})) == ("2026-02-01", None, "2026-02-01")
    assert days(acme.ok("PATCH", path, {"serviceDate": None})) == (None, None, "2026-03-10")


def test_an_issued_invoice_keeps_its_service(acme):
    made = invoice(acme, serviceDate="2026-02-27")
    acme.refused(
        "PATCH",
        f"/finance/invoices/{made['id']}",
        {"serviceDate": "2026-02-28"},
        status=409,
        code="invalid_transition",
    )


def test_a_duplicate_has_the_services_of_its_original(acme):
    made = invoice(acme, line(serviceDate="2026-02-01"), servicePeriod=JANUARY)
    copy = acme.ok("POST", f"/finance/invoices/{made['id']}/duplicate")
    assert [days(each) for each in (copy, *copy["lines"])] == [days(each) for each in (made, *made["lines"])]


def test_a_credit_note_names_the_service_and_counts_on_its_own_date(acme):
    made = invoice(acme, line(serviceDate="2026-02-01"), line(), servicePeriod=JANUARY, issueDate="2026-03-01")
    note = credit(acme, made, date="2026-03-09")
    assert days(note) == (None, JANUARY, "2026-03-09")
    assert [days(each) for each in note["lines"]] == [("2026-02-01", None, "2026-03-09"), (None, None, None)]
    copy = acme.ok("POST", f"/finance/invoices/{note['id']}/duplicate")
    assert days(copy) == (None, JANUARY, "2026-03-10")
    assert days(copy["lines"][0]) == ("2026-02-01", None, "2026-03-10")


def test_a_service_is_a_day_or_a_period_that_ends_after_it_begins(acme):
    backwards = {"from": "2026-01-30", "to": "2026-01-05"}
    body = new_invoice(
        line(serviceDate="2026-01-05", servicePeriod=JANUARY),
        line(servicePeriod=backwards),
        servicePeriod=backwards,
        serviceDate="2026-01-05",
    )
    error = acme.refused("POST", "/finance/invoices", body, status=422)
    assert complaints(error) == {
        "serviceDate": "exactly_one",
        "servicePeriod.to": "too_early",
        "lines[0].serviceDate": "exactly_one",
        "lines[1].servicePeriod.to": "too_early",
    }


def test_a_period_has_both_days(acme):
    body = new_invoice(servicePeriod={"from": "2026-01-05"})
    assert complaint(acme.refused("POST", "/finance/invoices", body, status=422)) == ("servicePeriod.to", "required")


@pytest.mark.parametrize(
    ("kind", "service_end", "lock_date", "expected"),
    [
        ("sales_invoice", None, None, "2026-02-10"),
        ("sales_invoice", "2026-01-31", None, "2026-01-31"),
        ("sales_invoice", "2026-03-01", None, "2026-03-01"),
        ("sales_invoice", "2026-01-31", "2026-01-30", "2026-01-31"),
        ("sales_invoice", "2026-01-31", "2026-01-31", "2026-02-01"),
        ("purchase_invoice", "2026-01-31", None, "2026-02-10"),
        ("purchase_invoice", "2026-03-01", None, "2026-03-01"),
        ("purchase_invoice", "2026-01-31", "2026-02-28", "2026-03-01"),
        ("sales_credit_note", "2026-01-31", None, "2026-02-10"),
        ("purchase_credit_note", "2026-03-01", None, "2026-02-10"),
    ],
)
def test_the_kind_the_service_and_the_lock_decide_the_tax_day(kind, service_end, lock_date, expected):
    end, lock = (None if day is None else date.fromisoformat(day) for day in (service_end, lock_date))
    assert tax_day(kind, date(2026, 2, 10), end, lock).isoformat() == expected
