"""Expense claims that are paid with the pay: once each, outside of gross, tax and the year to date."""

import io

import pypdf
import pytest

from erp.finance.books.models import Allocation
from tests.crowds import all_at_once
from tests.events import events_of
from tests.finance.books.balances import balances, owed_by
from tests.finance.write_downs.deductions import check_is_silent
from tests.hr.expenses.claims import act as claim_act
from tests.hr.expenses.claims import approved, path_of, receipt
from tests.hr.payroll.payrolls import FEBRUARY, act, add_components, paid_employee, path, payroll_run, payslip_of
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _wednesday(wednesday):
    """11 March 2026."""


@pytest.fixture
def dan(acme):
    """A member with 3000.00 a month, of which tax takes 400.00 and the fund 150.00; the office adds 300.00."""
    person = acme.colleague("member")
    add_components(acme)
    person.employee_id = paid_employee(acme, "Dan", user=person)
    return person


def claimed(office, person, amount="90.00", **fields):
    """A posted claim that the next payslip pays."""
    made = approved(person, office, receipt(amount, date="2026-01-20"))
    return claim_act(office, made, "post", payBy="payslip", **fields)


def status(office, claim):
    return office.ok("GET", path_of(claim))["status"]


SUMS = ("gross", "deductions", "net", "reimbursements", "carriedIn", "payable", "carriedForward")


def sums(made, person):
    slip = payslip_of(made, person.employee_id)
    return [slip[name] for name in SUMS]


def test_the_next_payslip_pays_a_claim_beside_the_pay(acme, dan):
    claim = claimed(acme, dan)
    assert (claim["payBy"], claim["status"]) == ("payslip", "posted")
    made = payroll_run(acme)
    assert sums(made, dan) == ["3000.00", "550.00", "2450.00", "90.00", "0.00", "2540.00", "0.00"]
    slip = payslip_of(made, dan.employee_id)
    line = slip["lines"][-1]
    assert {name: line[name] for name in ("kind", "name", "explanation", "amount", "claimId", "componentId")} == {
        "kind": "reimbursement",
        "name": "Expense claim EXP-2026-00001",
        "explanation": "Linz",
        "amount": "90.00",
        "claimId": claim["id"],
        "componentId": None,
    }
    year = slip["yearToDate"]
    assert [year[name] for name in ("gross", "net", "employerContributions")] == ["3000.00", "2450.00", "300.00"]
    assert "reimbursement" not in [entry["code"] for entry in year["components"]]
    assert [made["totals"][name] for name in ("net", "payable")] == ["2450.00", "2540.00"]
    act(acme, made, "approve")
    assert sorted(balances(acme).values()) == [-254000, -40000, -30000, -15000, 9000, 30000, 300000]
    assert balances(acme).get("1010") is None
    assert owed_by(acme, claim["contactId"]) == 0
    assert status(acme, claim) == "paid"
    assert events_of(acme, claim["id"])[-1] == "expense_claim.paid"
    act(acme, made, "pay")
    assert balances(acme)["1010"] == -254000
    check_is_silent(acme)


def test_it_is_on_the_paper_before_what_is_payable(acme, dan):
    claimed(acme, dan)
    made = payroll_run(acme)
    slip = payslip_of(made, dan.employee_id)
    content = acme.call("GET", f"/hr/payroll/payslips/{slip['id']}/pdf").content
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    net, claim, payable = (text.rindex(words) for words in ("Net pay: gross", "EXP-2026-00001", "2,540.00"))
    assert net < claim < payable


def test_later_payslips_do_not_pay_it_again_and_nothing_is_a_difference(acme, dan):
    claimed(acme, dan)
    act(acme, payroll_run(acme), "approve")
    later = payroll_run(acme, FEBRUARY)
    assert sums(later, dan) == ["3000.00", "550.00", "2450.00", "0.00", "0.00", "2450.00", "0.00"]
    year = payslip_of(later, dan.employee_id)["yearToDate"]
    assert (year["gross"], year["net"]) == ("6000.00", "4900.00")
    assert acme.ok("GET", "/hr/payroll/differences") == []


def test_a_claim_of_a_draft_is_not_paid_elsewhere_and_is_free_without_it(acme, dan):
    claim = claimed(acme, dan)
    other = payroll_run(acme)
    params = {"dueThrough": "2026-12-31"}
    assert acme.ok("GET", "/finance/payment-runs/proposal", params=params)["suppliers"] == []
    again = payroll_run(acme, FEBRUARY)
    assert sums(again, dan)[3] == "0.00"
    error = acme.refused("POST", "/finance/payments", payment_of(acme, claim), status=409, code="paid_by_payroll")
    assert error["message"].startswith(f"Payroll run {other['number']} pays expense claim EXP-2026-00001.")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": "DE75512108001245126199"})
    body = {"claimIds": [claim["id"]]}
    acme.refused("POST", "/finance/payment-runs", body, status=409, code="paid_by_payroll")
    acme.ok("DELETE", path(other))
    assert sums(act(acme, again, "recalculate"), dan)[3] == "90.00"
    acme.ok("DELETE", path(again))
    acme.ok("POST", "/finance/payments", payment_of(acme, claim))
    assert status(acme, claim) == "paid"
    check_is_silent(acme)


def payment_of(office, claim):
    """A payment of the whole claim."""
    item = next(row for row in office.ok("GET", "/finance/open-items") if row["number"] == claim["number"])
    settles = [{"itemId": item["id"], "amount": claim["ownTotal"]}]
    return {"direction": "made", "contactId": claim["contactId"], "amount": claim["ownTotal"], "settles": settles}


def test_a_claim_that_is_void_leaves_the_draft_when_it_is_recalculated(acme, dan):
    claim = claimed(acme, dan)
    made = payroll_run(acme)
    claim_act(acme, claim, "void", reason="Claimed twice")
    error = acme.refused("POST", path(made, "approve"), {}, status=409, code="claims_changed")
    assert "EXP-2026-00001" in error["message"]
    assert sums(act(acme, made, "recalculate"), dan)[3] == "0.00"
    act(acme, made, "approve")
    check_is_silent(acme)


def test_reversing_the_run_frees_the_claim_for_the_next(acme, dan):
    claim = claimed(acme, dan)
    made = payroll_run(acme)
    act(acme, made, "approve")
    acme.refused("POST", path_of(claim, "/void"), {"reason": "Twice"}, status=409, code="still_settled")
    act(acme, made, "reverse")
    assert status(acme, claim) == "posted"
    assert owed_by(acme, claim["contactId"]) == -9000
    check_is_silent(acme)
    again = payroll_run(acme)
    assert sums(again, dan)[3] == "90.00"
    act(acme, again, "approve")
    assert status(acme, claim) == "paid"
    check_is_silent(acme)


def test_the_settlement_is_not_released_by_hand(acme, dan):
    claim = claimed(acme, dan)
    made = payroll_run(acme)
    act(acme, made, "approve")
    with acme.books():
        (allocation,) = [row.id for row in Allocation.select()]
    error = acme.refused("POST", f"/finance/allocations/{allocation}/release", {}, status=409)
    assert made["number"] in error["message"]
    assert status(acme, claim) == "paid"


def test_a_claim_lessens_what_corrections_carry_on(acme, dan):
    """20 of 22 days unpaid: gross -2727.27, tax -400.00, fund -136.36; then 2450.00 + 100.00 - 2190.91 = 359.09."""
    act(acme, payroll_run(acme), "approve")
    unpaid = next(row["id"] for row in acme.ok("GET", "/hr/leave-types") if row["code"] == "unpaid")
    days = {"startDate": "2026-01-05", "endDate": "2026-01-30"}
    body = {"employeeId": dan.employee_id, "leaveTypeId": unpaid, "approve": True, **days}
    acme.ok("POST", "/hr/leaves", body)
    claimed(acme, dan, "100.00")
    correction = payroll_run(acme, {}, kind="correction")
    assert sums(correction, dan)[2:] == ["-2190.91", "0.00", "0.00", "0.00", "-2190.91"]
    act(acme, correction, "approve")
    later = payroll_run(acme, FEBRUARY)
    assert sums(later, dan)[2:] == ["2450.00", "100.00", "-2190.91", "359.09", "0.00"]
    act(acme, later, "approve")
    check_is_silent(acme)


def test_of_sixteen_approvals_one_pays_the_claim(acme, dan):
    claim = claimed(acme, dan)
    made = payroll_run(acme)
    _, counts = all_at_once(acme, [(path(made, "approve"), {})] * 16)
    assert counts == {200: 1, 409: 15}
    assert owed_by(acme, claim["contactId"]) == 0
    check_is_silent(acme)


def test_a_claim_is_paid_by_a_payment_run_or_the_payslip(acme, dan):
    made = approved(dan, acme, receipt("90.00"))
    error = acme.refused("POST", path_of(made, "/post"), {"payBy": "cash"}, status=422)
    assert complaint(error)[0] == "payBy"
    assert claim_act(acme, made, "post")["payBy"] == "payment_run"
    assert sums(payroll_run(acme), dan)[3] == "0.00"
