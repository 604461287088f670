"""Payroll in other currencies: a run for each, posted at the rate of approval and paid at another."""

from typing import Any

import pytest

from erp.store.router import WORKSPACE
from tests.finance.soundness import problems
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    JANUARY,
    NOW,
    act,
    add_components,
    amounts,
    override,
    paid_employee,
    path,
    pay_from,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)
from tests.refusals import complaint

PENSION = {
    "code": "pension",
    "name": "Pension",
    "kind": "deduction",
    "calculation": "percent_of_gross",
    "percent": "20",
    "appliesToAll": True,
}
EMPLOYER = {**PENSION, "code": "employer", "name": "Employer", "kind": "employer_contribution", "percent": "10"}
POUNDS: Any = {"currency": "GBP"}


@pytest.fixture(autouse=True)
def _march(clock_at):
    clock_at(NOW)


@pytest.fixture
def liz(acme):
    """Paid 3,000.00 pounds a month in a workspace in euro, 20 % deducted, 10 % on top."""
    add_components(acme, PENSION, EMPLOYER)
    return paid_employee(acme, "Liz", salary("3000.00", **POUNDS))


def postings(office, entry_id):
    entry = office.ok("GET", f"/finance/journals/{entry_id}")
    return sorted((line["accountName"], line["debit"] or "0.00", line["credit"] or "0.00") for line in entry["lines"])


def rate(office, day, value):
    office.ok("POST", "/finance/exchange-rates", {"currency": "GBP", "date": day, "rate": value})


@pytest.mark.usefixtures("liz")
def test_a_run_in_pounds_is_posted_at_its_rate_and_paid_at_another(acme):
    made = payroll_run(acme, **POUNDS)
    assert (made["currency"], made["totals"]["gross"], made["totals"]["net"]) == ("GBP", "3000.00", "2400.00")
    approved = act(acme, made, "approve", exchangeRate="1.15")
    assert approved["exchangeRate"] == "1.15"
    assert postings(acme, approved["accrualEntryId"]) == [
        ("Employee deductions payable", "0.00", "690.00"),
        ("Employer contributions", "345.00", "0.00"),
        ("Employer contributions payable", "0.00", "345.00"),
        ("Payroll payable", "0.00", "2760.00"),
        ("Salaries and wages", "3450.00", "0.00"),
    ]
    paid = act(acme, made, "pay", exchangeRate="1.16")
    assert postings(acme, paid["paymentEntryId"]) == [
        ("Bank", "0.00", "2784.00"),
        ("Payroll payable", "2760.00", "0.00"),
        ("Realised exchange losses", "24.00", "0.00"),
    ]
    undone = act(acme, made, "pay/undo", reason="Wrong rate")
    assert (undone["status"], undone["exchangeRate"]) == ("approved", "1.15")
    gained = act(acme, made, "pay", exchangeRate="1.14")
    assert ("Realised exchange gains", "0.00", "24.00") in postings(acme, gained["paymentEntryId"])


@pytest.mark.usefixtures("liz")
def test_the_rates_come_from_the_table_of_the_pay_date_and_of_the_payment(acme):
    made = payroll_run(acme, payDate="2026-01-30", **POUNDS)
    error = acme.refused("POST", path(made, "approve"), {}, status=422)
    assert complaint(error) == ("exchangeRate", "required")
    rate(acme, "2026-01-30", "1.15")
    rate(acme, "2026-02-02", "1.16")
    assert act(acme, made, "approve")["exchangeRate"] == "1.15"
    paid = act(acme, made, "pay", date="2026-02-02")
    assert ("Realised exchange losses", "24.00", "0.00") in postings(acme, paid["paymentEntryId"])


def test_a_run_in_the_base_currency_needs_no_rate(acme):
    paid_employee(acme)
    error = acme.refused("POST", path(payroll_run(acme), "approve"), {"exchangeRate": "1.15"}, status=422)
    assert complaint(error) == ("exchangeRate", "not_needed")


def test_what_rounding_leaves_goes_to_the_largest_posting(acme):
    add_components(acme, {**PENSION, "percent": "33.333333"}, {**EMPLOYER, "percent": "7.77"})
    paid_employee(acme, "Liz", salary("1000.01", **POUNDS))
    approved = act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.153")
    by_name = {name: amounts for name, *amounts in postings(acme, approved["accrualEntryId"])}
    # 1,000.01 × 1.153 = 1,153.01; 333.34 × 1.153 = 384.34; 666.67 × 1.153 = 768.67; 77.70 × 1.153 = 89.59
    assert by_name == {
        "Salaries and wages": ["1153.01", "0.00"],
        "Employee deductions payable": ["0.00", "384.34"],
        "Payroll payable": ["0.00", "768.67"],
        "Employer contributions": ["89.59", "0.00"],
        "Employer contributions payable": ["0.00", "89.59"],
    }


def test_a_run_pays_one_currency_and_warns_of_the_others(acme, liz):
    anna = paid_employee(acme, "Anna")
    euro = payroll_run(acme)
    assert [slip["employeeId"] for slip in euro["payslips"]] == [anna]
    assert warnings_of(euro) == [("Liz", "other_currency")]
    pounds = payroll_run(acme, **POUNDS)
    assert [slip["employeeId"] for slip in pounds["payslips"]] == [liz]
    assert warnings_of(pounds) == [("Anna", "other_currency")]
    assert [run["currency"] for run in acme.ok("GET", "/hr/payroll/runs", params={"currency": "GBP"})] == ["GBP"]
    acme.refused("POST", "/hr/payroll/run", {**FEBRUARY, "currency": "USD"}, status=422, code="nobody_due")


def test_the_year_to_date_is_in_the_currency_of_the_pay(acme, liz):
    act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.15")
    pay_from(acme, liz, "2026-02-01", salary("3500.00"))
    february = payroll_run(acme, FEBRUARY)
    assert payslip_of(february, liz)["yearToDate"]["gross"] == "3500.00"
    pay_from(acme, liz, "2026-03-01", salary("3000.00", **POUNDS))
    march = payroll_run(acme, {"periodStart": "2026-03-01", "periodEnd": "2026-03-31"}, **POUNDS)
    assert (payslip_of(march, liz)["currency"], payslip_of(march, liz)["yearToDate"]["gross"]) == ("GBP", "6000.00")


def test_a_month_of_two_currencies_is_paid_by_two_runs(acme, liz):
    """January has 22 working days; the 16th is the 12th of them: 11 of 22 days each."""
    pay_from(acme, liz, "2026-01-16", salary("3500.00", currency="EUR"))
    assert amounts(payslip_of(payroll_run(acme, **POUNDS), liz))["salary"] == "1500.00"
    assert amounts(payslip_of(payroll_run(acme), liz))["salary"] == "1750.00"


def test_days_that_are_paid_keep_their_currency(acme, liz):
    act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.15")
    body = {**salary("3500.00", currency="EUR"), "effectiveFrom": "2026-01-16"}
    error = acme.refused("POST", f"/hr/employees/{liz}/compensations", body, status=422)
    assert complaint(error) == ("currency", "already_paid")


def test_arrears_and_corrections_are_in_the_currency_of_the_pay(acme, liz):
    act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.15")
    raised = acme.ok(
        "POST", f"/hr/employees/{liz}/compensations", {**salary("3300.00", **POUNDS), "effectiveFrom": "2026-01-01"}
    )
    assert raised["arrears"] == {"periods": 1, "gross": "300.00"}
    (difference,) = acme.ok("GET", "/hr/payroll/differences", params=POUNDS)
    assert (difference["currency"], difference["difference"]["net"]) == ("GBP", "240.00")
    assert acme.ok("GET", "/hr/payroll/differences", params={"currency": "EUR"}) == []
    acme.refused("POST", "/hr/payroll/run", {"kind": "correction"}, status=422, code="nobody_due")
    correction = payroll_run(acme, {"kind": "correction"}, payDate="2026-03-11", **POUNDS)
    assert (correction["currency"], correction["totals"]["payable"]) == ("GBP", "240.00")
    approved = act(acme, correction, "approve", exchangeRate="1.2")
    assert ("Payroll payable", "0.00", "288.00") in postings(acme, approved["accrualEntryId"])


def test_what_is_carried_on_is_valued_again_where_it_is_taken_up(acme, liz):
    """−90.00 £ at 1.15 are 103.50; of 2,400.00 £ at 1.20 = 2,880.00, 2,310.00 £ = 2,772.00 are paid: 4.50 gained."""
    act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.15")
    acme.ok(
        "POST", f"/hr/employees/{liz}/compensations", {**salary("2887.50", **POUNDS), "effectiveFrom": "2026-01-01"}
    )
    correction = payroll_run(acme, {"kind": "correction"}, payDate="2026-02-01", **POUNDS)
    slip = payslip_of(correction, liz)
    assert (slip["net"], slip["payable"], slip["carriedForward"]) == ("-90.00", "0.00", "-90.00")
    act(acme, correction, "approve", exchangeRate="1.15")
    pounds = {"code": "1021", "name": "Pounds", "type": "asset", "subtype": "bank", "currency": "GBP"}
    account = acme.ok("POST", "/finance/accounts", pounds)
    leg = {"accountId": account["id"], "debit": "115.00", "currency": "GBP", "foreignAmount": "100.00"}
    lines = [leg, {"accountId": "3000", "credit": "115.00"}]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-02", "description": "Capital", "lines": lines})
    nothing = act(acme, correction, "pay", accountId="1021", exchangeRate="1.15")
    assert (nothing["status"], nothing["paymentEntryId"]) == ("paid", None)
    pay_from(acme, liz, "2026-02-01", salary("3000.00", **POUNDS))
    february = payroll_run(acme, FEBRUARY, **POUNDS)
    assert february["totals"]["payable"] == "2310.00"
    approved = act(acme, february, "approve", exchangeRate="1.2")
    posted = postings(acme, approved["accrualEntryId"])
    assert ("Realised exchange gains", "0.00", "4.50") in posted
    assert ("Payroll payable", "0.00", "2875.50") in posted
    act(acme, february, "pay", exchangeRate="1.2")
    january = acme.ok("GET", "/hr/payroll/runs", params={"status": "approved", "dateTo": "2026-01-31"})[0]
    act(acme, january, "pay", exchangeRate="1.15")
    payable = next(one for one in acme.ok("GET", "/finance/accounts") if one["name"] == "Payroll payable")
    ledger = acme.ok("GET", f"/finance/accounts/{payable['id']}/ledger")
    assert ledger["closing"] == "0.00"
    assert problems(acme) == []


def test_one_carries_on_as_much_as_another_takes_up(acme, liz):
    """As before, but Jim carries −90.00 £ on, at 1.20: his 2,310.00 £ of February less 2,400.00 £ of January."""
    jim = paid_employee(acme, "Jim", salary("3000.00", **POUNDS))
    january = act(acme, payroll_run(acme, **POUNDS), "approve", exchangeRate="1.15")
    pay_from(acme, liz, "2026-01-01", salary("2887.50", **POUNDS))
    correction = payroll_run(acme, {"kind": "correction"}, payDate="2026-02-01", **POUNDS)
    act(acme, correction, "approve", exchangeRate="1.15")
    pay_from(acme, liz, "2026-02-01", salary("3000.00", **POUNDS))
    pay_from(acme, jim, "2026-01-01", salary("0.00", **POUNDS))
    pay_from(acme, jim, "2026-02-01", salary("2887.50", **POUNDS))
    february = payroll_run(acme, FEBRUARY, **POUNDS)
    assert (february["totals"]["net"], february["totals"]["payable"]) == ("2310.00", "2310.00")
    assert payslip_of(february, jim)["carriedForward"] == "-90.00"
    approved = act(acme, february, "approve", exchangeRate="1.2")
    assert ("Realised exchange gains", "0.00", "4.50") in postings(acme, approved["accrualEntryId"])
    act(acme, february, "pay", exchangeRate="1.2")
    act(acme, january, "pay", exchangeRate="1.15")
    payable = next(one for one in acme.ok("GET", "/finance/accounts") if one["name"] == "Payroll payable")
    assert acme.ok("GET", f"/finance/accounts/{payable['id']}/ledger")["closing"] == "-108.00"
    assert problems(acme) == []


@pytest.mark.usefixtures("liz")
def test_a_paid_run_in_pounds_is_reversed_whole(acme):
    made = payroll_run(acme, **POUNDS)
    act(acme, made, "approve", exchangeRate="1.15")
    act(acme, made, "pay", exchangeRate="1.16", date="2026-02-02")
    assert act(acme, made, "reverse", moneyReturnedOn="2026-02-03")["status"] == "reversed"
    for name in ("Payroll payable", "Realised exchange losses", "Salaries and wages", "Bank"):
        account = next(one for one in acme.ok("GET", "/finance/accounts") if one["name"] == name)
        assert acme.ok("GET", f"/finance/accounts/{account['id']}/ledger")["closing"] == "0.00", name
    assert problems(acme) == []


@pytest.mark.usefixtures("liz")
@pytest.mark.parametrize(
    ("spoiling", "told"),
    [
        (
            "UPDATE payroll_run SET exchange_rate = exchange_rate * 11 / 10",
            "at its exchange rate",
        ),
        ("UPDATE payroll_run SET payable_base = payable_base + 1", "The payment of payroll run"),
        ("UPDATE payroll_run SET carried_base = carried_base + 1", "The balance of payroll runs"),
    ],
)
def test_a_run_in_pounds_is_checked_against_the_books(acme, spoiling, told):
    made = payroll_run(acme, **POUNDS)
    act(acme, made, "approve", exchangeRate="1.15")
    act(acme, made, "pay", exchangeRate="1.16")
    assert problems(acme) == []
    with acme.books(write=True):
        WORKSPACE.run("DROP TRIGGER payroll_run_kept")
        WORKSPACE.run(spoiling)
    assert any(told in problem for problem in problems(acme)), problems(acme)


def test_half_a_month_ends_on_the_fifteenth(acme):
    anna = paid_employee(acme, "Anna", {"payType": "salary", "amount": "1500.00", "frequency": "semimonthly"})
    assert amounts(payslip_of(payroll_run(acme, {"periodStart": "2026-01-01", "periodEnd": "2026-01-15"}), anna)) == {
        "salary": "1500.00"
    }
    acme.ok("POST", f"/hr/employees/{anna}/terminate", {"date": "2026-01-23"})
    # from the 16th, 6 of 11 working days: 1,500.00 × 6 ÷ 11
    second = payroll_run(acme, {"periodStart": "2026-01-16", "periodEnd": "2026-01-31"})
    assert amounts(payslip_of(second, anna)) == {"salary": "818.18"}


def test_amounts_of_the_office_are_not_taken_in_another_currency(acme):
    """An amount for all is left out too, with a word."""
    canteen = {
        **PENSION,
        "code": "canteen",
        "name": "Canteen",
        "calculation": "fixed",
        "amount": "20.00",
        "percent": None,
    }
    capped = {**PENSION, "code": "capped", "name": "Capped", "baseCap": "1000.00"}
    add_components(acme, canteen, capped)
    components = {one["code"]: one["id"] for one in acme.ok("GET", "/hr/pay-components")}
    named = [{"componentId": components["canteen"]}]
    body = {"name": "Liz", "hireDate": "2026-01-01", "compensation": salary(components=named, **POUNDS)}
    error = acme.refused("POST", "/hr/employees", body, status=422)
    assert complaint(error) == ("compensation.components[0].amount", "required")
    liz = paid_employee(acme, "Liz", salary(components=[{**named[0], "amount": "15.00"}], **POUNDS))
    made = payroll_run(acme, **POUNDS)
    assert amounts(payslip_of(made, liz)) == {"salary": "3000.00", "canteen": "15.00"}
    assert "component_left_out" in [warning["code"] for warning in made["warnings"]]
    override(acme, payslip_of(made, liz), {"code": "salary", "amount": "2900.00", "reason": "Agreed"})
    changed = acme.ok("GET", path(made))
    (left_out,) = [warning for warning in changed["warnings"] if warning["code"] == "component_left_out"]
    assert left_out["count"] == 1


def test_a_component_with_a_currency_is_for_pay_in_it(acme):
    """A table in pounds: 20 % above 1,000.00 of 3,000.00 is 400.00; a parking fee of 10.00 is for all in pounds."""
    table = {
        "code": "paye",
        "name": "Income tax",
        "kind": "deduction",
        "calculation": "brackets",
        "brackets": [{"upTo": "1000.00", "rate": "0"}, {"rate": "20"}],
        "appliesToAll": True,
    }
    parking = {**PENSION, "code": "parking", "name": "Parking", "calculation": "fixed", "amount": "10.00"}
    made = acme.ok("POST", "/hr/pay-components", {**table, **POUNDS})
    assert (made["currency"], made["brackets"][0]["upTo"]) == ("GBP", "1000.00")
    parking_id = acme.ok("POST", "/hr/pay-components", {**parking, **POUNDS, "percent": None})["id"]
    acme.ok("POST", "/hr/pay-components", {**parking, "code": "lot", "name": "Lot", "percent": None})
    liz, anna = paid_employee(acme, "Liz", salary("3000.00", **POUNDS)), paid_employee(acme, "Anna")
    pounds = payroll_run(acme, **POUNDS)
    assert amounts(payslip_of(pounds, liz)) == {"salary": "3000.00", "paye": "400.00", "parking": "10.00"}
    assert [one["items"][0]["message"] for one in pounds["warnings"] if one["code"] == "component_left_out"] == [
        "Left out, as their amounts are in EUR: Lot."
    ]
    euro = payroll_run(acme)
    assert amounts(payslip_of(euro, anna)) == {"salary": "3000.00", "lot": "10.00"}
    assert "component_left_out" not in [one["code"] for one in euro["warnings"]]
    body = {**salary(components=[{"componentId": parking_id}]), "effectiveFrom": "2026-03-01"}
    error = acme.refused("POST", f"/hr/employees/{anna}/compensations", body, status=422)
    assert complaint(error) == ("components[0].componentId", "other_currency")
    acme.refused("PATCH", f"/hr/pay-components/{parking_id}", {"currency": "EUR"}, status=422)


def test_pay_is_in_the_currency_of_the_site_unless_it_says_otherwise(acme):
    acme.ok("POST", "/hr/sites", {"name": "London", "country": "GB"})
    liz = paid_employee(acme, "Liz", siteId="London")
    assert acme.ok("GET", f"/hr/employees/{liz}")["compensation"]["currency"] == "GBP"
    error = acme.refused("POST", "/hr/payroll/run", {**JANUARY, "currency": "XXX"}, status=422)
    assert complaint(error)[0] == "currency"
