"""When documents are due: terms of contacts and documents, to the day."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.finance.contacts.payment_terms import PaymentTerms, due_date
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import credit, invoice, new_invoice
from tests.refusals import complaint, complaints

DATA = Path(__file__).parents[2] / "data"
CASES = json.loads((DATA / "time_and_terms.json").read_text("utf-8"))["due"]
EARLY = [{"percent": "3", "days": 7}, {"percent": "2.5", "days": 14}]


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    clock_at("2026-02-16T09:00:00Z")


def terms_of(name):
    """The terms that a case of the data folder names."""
    if name in ("end_of_month", "end_of_next_month"):
        return {"endOfMonth": True, **({"months": 1} if "next" in name else {})}
    unit, number = name.split("_")
    return {{"net": "days", "months": "months"}[unit]: int(number)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['issued']} {case['term']}")
def test_a_document_is_due_to_the_day(acme, clock_at, case):
    clock_at(f"{case['issued']}T09:00:00Z")
    assert invoice(acme, paymentTerms=terms_of(case["term"]), draft=True)["dueDate"] == case["due"]


@pytest.mark.parametrize(
    ("issued", "terms", "due"),
    [
        ("2026-01-05", {"day_of_month": 15}, "2026-01-15"),
        ("2026-01-15", {"day_of_month": 15}, "2026-01-15"),
        ("2026-01-16", {"day_of_month": 15}, "2026-02-15"),
        ("2026-02-02", {"day_of_month": 31}, "2026-02-28"),
        ("2026-01-31", {"months": 1, "day_of_month": 31}, "2026-02-28"),
        ("2026-12-20", {"day_of_month": 10}, "2027-01-10"),
        ("2026-01-05", {"end_of_month": True, "day_of_month": 10}, "2026-02-10"),
        ("2026-01-31", {"end_of_month": True, "day_of_month": 31}, "2026-02-28"),
        ("2026-12-05", {"days": 30, "end_of_month": True}, "2027-01-31"),
        ("2026-01-20", {"days": 14, "day_of_month": 5}, "2026-02-05"),
        ("2024-11-30", {"months": 3}, "2025-02-28"),
        ("2026-01-31", {"months": 1, "days": 10}, "2026-03-10"),
    ],
)
def test_months_come_first_then_days_then_the_end_or_a_day_of_the_month(issued, terms, due):
    assert due_date(PaymentTerms(**terms), date.fromisoformat(issued)).isoformat() == due


@given(
    st.dates(date(1900, 1, 1), date(2199, 12, 31)),
    st.builds(
        PaymentTerms,
        days=st.none() | st.integers(0, 3650),
        months=st.none() | st.integers(0, 120),
        end_of_month=st.booleans(),
        day_of_month=st.none() | st.integers(1, 31),
    ),
)
def test_nothing_is_due_before_its_date_and_the_last_rule_holds(issued, terms):
    due = due_date(terms, issued)
    assert due >= issued
    if terms.day_of_month is not None:
        assert due.day == terms.day_of_month or (due + timedelta(days=1)).day == 1
        assert due.day <= terms.day_of_month
    elif terms.end_of_month:
        assert (due + timedelta(days=1)).day == 1


def shown(**terms):
    """Terms as they are shown."""
    return {"days": None, "months": None, "endOfMonth": False, "dayOfMonth": None, "discounts": []} | terms


def steps(*until):
    """The two discounts of these tests as they are shown, on a document with their last days."""
    return [each | {"until": day} for each, day in zip(EARLY, until or (None, None), strict=True)]


def test_a_contact_keeps_its_terms_and_its_documents_take_them(acme):
    made = customer(acme, paymentTerms={"days": 30, "discounts": EARLY})
    assert made["paymentTerms"] == shown(days=30, discounts=steps())
    assert made["paymentTermsDays"] == 30
    taken = invoice(acme, customerId=made["id"])
    assert taken["dueDate"] == "2026-03-18"
    assert taken["paymentTerms"] == shown(days=30, discounts=steps("2026-02-23", "2026-03-02"))
    assert acme.ok("GET", f"/finance/invoices/{taken['id']}") == taken


def test_days_alone_are_terms(acme):
    made = customer(acme, paymentTermsDays=10)
    assert (made["paymentTermsDays"], made["paymentTerms"]) == (10, shown(days=10))
    other = customer(acme, name="Initech", paymentTerms={"days": 10})
    assert (other["paymentTermsDays"], other["paymentTerms"]) == (10, shown(days=10))


def test_terms_of_a_contact_replace_each_other(acme):
    path = f"/finance/contacts/{customer(acme, paymentTermsDays=10)['id']}"
    by_month = acme.ok("PATCH", path, {"paymentTerms": {"days": 5, "endOfMonth": True}})
    assert (by_month["paymentTermsDays"], by_month["paymentTerms"]) == (None, shown(days=5, endOfMonth=True))
    same = acme.ok("PATCH", path, {"phone": "+49 40 1"})
    assert same["paymentTerms"] == by_month["paymentTerms"]
    by_days = acme.ok("PATCH", path, {"paymentTermsDays": 7})
    assert (by_days["paymentTermsDays"], by_days["paymentTerms"]) == (7, shown(days=7))
    none = acme.ok("PATCH", path, {"paymentTerms": None})
    assert (none["paymentTermsDays"], none["paymentTerms"]) == (None, None)


@pytest.mark.parametrize("terms", [{"days": 30, "discounts": EARLY}, {"endOfMonth": True}])
def test_a_contact_that_is_sent_back_whole_keeps_its_terms(acme, terms):
    made = customer(acme, paymentTerms=terms)
    path = f"/finance/contacts/{made['id']}"
    assert acme.ok("PATCH", path, made | {"phone": "+49 40 1"})["paymentTerms"] == made["paymentTerms"]
    both = {"paymentTerms": {"months": 2}, "paymentTermsDays": made["paymentTermsDays"]}
    assert acme.ok("PATCH", path, both)["paymentTerms"] == shown(months=2)


def test_discounts_alone_leave_the_due_date_to_the_workspace(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"paymentTermsDays": 20})
    made = invoice(acme, paymentTerms={"discounts": EARLY})
    assert made["dueDate"] == "2026-03-08"
    assert made["paymentTerms"] == shown(days=20, discounts=steps("2026-02-23", "2026-03-02"))


def test_a_document_has_terms_of_its_own_before_those_of_its_contact(acme):
    made = invoice(acme, customer={"name": "Globex", "paymentTermsDays": 7}, paymentTerms={"months": 1})
    assert (made["dueDate"], made["paymentTerms"]) == ("2026-03-16", shown(months=1))


def test_a_due_date_that_is_given_leaves_the_discounts(acme):
    globex = customer(acme, paymentTerms={"days": 30, "discounts": EARLY})["id"]
    made = invoice(acme, customerId=globex, dueDate="2026-04-01")
    assert (made["dueDate"], made["paymentTerms"]) == (
        "2026-04-01",
        shown(discounts=steps("2026-02-23", "2026-03-02")),
    )
    assert invoice(acme, dueDate="2026-04-01")["paymentTerms"] is None


def test_a_draft_is_due_by_its_terms_from_the_day_it_is_issued(acme, clock_at):
    draft = invoice(acme, paymentTerms={"endOfMonth": True}, draft=True)
    copy = acme.ok("POST", f"/finance/invoices/{draft['id']}/duplicate")
    assert (draft["dueDate"], copy["dueDate"]) == ("2026-02-28", "2026-02-28")
    clock_at("2026-03-02T09:00:00Z")
    for each in (draft, copy):
        issued = acme.ok("POST", f"/finance/invoices/{each['id']}/issue", {})
        assert (issued["dueDate"], issued["paymentTerms"]) == ("2026-03-31", shown(endOfMonth=True))


def test_the_credit_note_of_an_invoice_has_no_terms(acme):
    made = invoice(acme, paymentTerms={"days": 30, "discounts": EARLY})
    assert credit(acme, made)["paymentTerms"] is None


def test_an_issued_invoice_keeps_its_terms(acme):
    path = f"/finance/invoices/{invoice(acme)['id']}"
    acme.refused("PATCH", path, {"paymentTerms": {"days": 3}}, status=409, code="invalid_transition")


@pytest.mark.parametrize(
    ("terms", "wrong"),
    [
        ({"days": -1}, {"days": "out_of_range"}),
        ({"months": 121}, {"months": "out_of_range"}),
        ({"dayOfMonth": 32}, {"dayOfMonth": "out_of_range"}),
        ({"discounts": [{"percent": "0", "days": 7}]}, {"discounts[0].percent": "not_positive"}),
        ({"discounts": [{"percent": "101", "days": 7}]}, {"discounts[0].percent": "out_of_range"}),
        ({"discounts": [*EARLY, {"percent": "1", "days": 20}]}, {"discounts": "too_many"}),
        ({"discounts": EARLY[::-1]}, {"discounts[1].days": "too_small", "discounts[1].percent": "too_large"}),
        ({"days": 10, "discounts": EARLY}, {"discounts[1].days": "too_large"}),
    ],
)
def test_wrong_terms_are_refused_on_contacts_and_on_documents(acme, terms, wrong):
    expected = {f"paymentTerms.{field}": code for field, code in wrong.items()}
    body = {"kind": "customer", "name": "Globex", "paymentTerms": terms}
    assert complaints(acme.refused("POST", "/finance/contacts", body, status=422)) == expected
    path = f"/finance/contacts/{customer(acme)['id']}"
    assert complaints(acme.refused("PATCH", path, {"paymentTerms": terms}, status=422)) == expected
    sent = new_invoice(paymentTerms=terms)
    assert complaints(acme.refused("POST", "/finance/invoices", sent, status=422)) == expected


def test_terms_are_said_once(acme):
    both = {"kind": "customer", "name": "Globex", "paymentTermsDays": 7, "paymentTerms": {"days": 7}}
    error = acme.refused("POST", "/finance/contacts", both, status=422)
    assert complaint(error) == ("paymentTermsDays", "exactly_one")
    sent = new_invoice(dueDate="2026-03-01", paymentTerms={"days": 7})
    assert complaint(acme.refused("POST", "/finance/invoices", sent, status=422)) == ("dueDate", "not_by_terms")
    assert invoice(acme, dueDate="2026-02-23", paymentTerms={"days": 7})["paymentTerms"] == shown(days=7)
