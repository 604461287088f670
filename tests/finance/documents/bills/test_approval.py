"""Bills that have to be approved before they are paid."""

import pytest

from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.documents.bills.bills import TODAY
from tests.finance.documents.invoices import bill, credit, invoice
from tests.finance.soundness import problems


@pytest.fixture
def with_approval(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})


def test_a_bill_needs_no_approval_unless_the_workspace_asks_for_it(acme):
    made = bill(acme)
    assert (made["approval"], made["approvedAt"], made["approvedByUserId"]) == ("not_needed", None, None)
    path = f"/finance/invoices/{made['id']}/approve"
    error = acme.refused("POST", path, status=409, code="invalid_transition")
    assert error["message"] == "BILL-2026-00001 needs no approval."


def test_a_bill_is_entered_then_approved(acme, with_approval):
    draft = bill(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    acme.refused("POST", f"{path}/approve", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/issue", {})["approval"] == "pending"
    shown = acme.ok("POST", f"{path}/approve")
    assert (shown["approval"], shown["status"]) == ("approved", "issued")
    assert (shown["approvedAt"], shown["approvedByUserId"]) == (f"{TODAY}T09:00:00.000Z", acme.user["id"])
    assert last_event(acme)[0] == "invoice.approved"
    acme.refused("POST", f"{path}/approve", status=409, code="invalid_transition")
    assert "approve" not in shown["can"]
    assert [each["id"] for each in acme.ok("GET", "/finance/invoices", params={"approval": "approved"})] == [
        draft["id"]
    ]
    assert problems(acme) == []


def test_invoices_and_credit_notes_and_void_bills_are_not_approved(acme, with_approval):
    assert invoice(acme, "1.00")["approval"] == "not_needed"
    made = bill(acme)
    assert credit(acme, made)["approval"] == "not_needed"
    gone = bill(acme)["id"]
    acme.ok("POST", f"/finance/invoices/{gone}/void", {})
    error = acme.refused("POST", f"/finance/invoices/{gone}/approve", status=409)
    assert "is void" in error["message"]


def test_an_accountant_enters_bills_and_does_not_approve_them(acme, with_approval):
    accountant = acme.colleague("accountant")
    made = bill(accountant)
    can = [office.ok("GET", f"/finance/invoices/{made['id']}")["can"] for office in (acme, accountant)]
    assert ["approve" in each for each in can] == [True, False]
    error = accountant.refused("POST", f"/finance/invoices/{made['id']}/approve", status=403, code="forbidden")
    assert "approve bills" in error["message"]


def test_of_many_who_approve_a_bill_one_does(acme, with_approval):
    path = f"/finance/invoices/{bill(acme)['id']}/approve"
    _, statuses = all_at_once(acme, [(path, {})] * 16)
    assert statuses == {200: 1, 409: 15}
