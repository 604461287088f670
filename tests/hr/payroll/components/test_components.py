import json
from datetime import date

import pytest
from msgspec.structs import replace

from erp.hr.payroll.components import components
from erp.hr.payroll.components.templates import TEMPLATES
from erp.hr.payroll.models import PayrollRun, Payslip, PayslipLine
from tests.hr.payroll.calculation.payslips import cents, component, payslip, salary
from tests.paths import DATA

COMPONENTS = "/hr/pay-components"
LUNCH = {"code": "lunch", "name": "Lunch", "kind": "earning", "calculation": "fixed", "amount": "50.00"}
PENSION = {"code": "fund", "name": "Fund", "kind": "deduction", "calculation": "percent_of_gross", "percent": "5"}
TAX = {
    "code": "tax",
    "name": "Income tax",
    "kind": "deduction",
    "calculation": "brackets",
    "brackets": [
        {"upTo": "1000.00", "rate": "0"},
        {"upTo": "3000.00", "rate": "12.5"},
        {"rate": "40", "fixed": "260.00"},
    ],
    "source": "The law of 2026",
}
LATE = {
    "code": "late",
    "name": "Late hours",
    "kind": "earning",
    "calculation": "overtime",
    "overtime": {"afterMinutes": 2400, "per": "week", "multiplier": "1.5"},
}


def refused_fields(office, body, verb="POST", path=COMPONENTS):
    error = office.refused(verb, path, body, status=422)
    return {(detail["field"], detail["code"]) for detail in error["details"]}


def test_a_component_is_shown_as_it_was_added(acme):
    made = acme.ok("POST", COMPONENTS, TAX)
    assert made["brackets"] == [
        {"upTo": "1000.00", "rate": "0", "fixed": None},
        {"upTo": "3000.00", "rate": "12.5", "fixed": None},
        {"upTo": None, "rate": "40", "fixed": "260.00"},
    ]
    assert {name: made[name] for name in ("bracketPeriod", "method", "rounding", "isTaxable", "appliesToAll")} == {
        "bracketPeriod": "period",
        "method": "period",
        "rounding": "half_up",
        "isTaxable": True,
        "appliesToAll": False,
    }
    assert made["source"] == "The law of 2026"
    assert acme.ok("GET", f"{COMPONENTS}/{made['id']}") == made
    assert acme.ok("POST", COMPONENTS, LATE)["overtime"] == LATE["overtime"]
    assert acme.ok("POST", COMPONENTS, LUNCH)["amount"] == "50.00"


def test_components_are_tried_on_a_salary_and_nothing_is_stored(acme):
    """By hand, of 3,200.00 and 50.00: 5 % are 162.50; tax 260.00 and 40 % of 250.00, as pay above 3,000.00 says."""
    lunch = acme.ok("POST", COMPONENTS, LUNCH)["id"]
    acme.ok("POST", COMPONENTS, {**PENSION, "appliesToAll": True})
    acme.ok("POST", COMPONENTS, {**TAX, "appliesToAll": True})
    body = {"amount": "3200.00", "componentIds": [lunch]}
    tried = acme.ok("POST", "/hr/payroll/try", body, headers={"Accept-Language": "de"})
    assert [(line["code"], line["amount"]) for line in tried["lines"]] == [
        ("salary", "3200.00"),
        ("lunch", "50.00"),
        ("fund", "162.50"),
        ("tax", "360.00"),
    ]
    assert (tried["gross"], tried["deductions"], tried["net"]) == ("3250.00", "522.50", "2727.50")
    assert tried["lines"][3]["explanation"] == "260,00 + 40 % von 250,00 = 360,00"
    assert acme.ok("GET", "/hr/payroll/runs") == []
    for wrong, code in (
        ({"componentIds": ["none"]}, "unknown_reference"),
        ({"componentIds": [lunch, lunch]}, "duplicate"),
        ({"amount": "99999999999999.99"}, "trial_too_large"),
    ):
        error = acme.refused("POST", "/hr/payroll/try", {**body, **wrong}, status=422)
        assert code in {error["code"], *(detail["code"] for detail in error["details"])}
    twice = acme.refused("POST", "/hr/payroll/try", {"amount": "1.00", "componentIds": [lunch, lunch]}, status=422)
    assert [detail["field"] for detail in twice["details"]] == ["componentIds[1]"]


def test_components_are_listed_in_the_order_of_payslips_and_can_be_moved(acme):
    before = [component["code"] for component in acme.ok("GET", COMPONENTS)]
    lunch = acme.ok("POST", COMPONENTS, LUNCH)
    acme.ok("POST", COMPONENTS, TAX)
    assert [component["code"] for component in acme.ok("GET", COMPONENTS)] == [*before, "lunch", "tax"]
    acme.ok("PATCH", f"{COMPONENTS}/{lunch['id']}", {"position": 9999})
    assert [component["code"] for component in acme.ok("GET", COMPONENTS)] == [*before, "tax", "lunch"]
    assert [component["code"] for component in acme.ok("GET", f"{COMPONENTS}?calculation=brackets")] == ["tax"]
    assert [component["code"] for component in acme.ok("GET", f"{COMPONENTS}?q=lun&kind=earning")] == ["lunch"]


@pytest.mark.parametrize(
    ("body", "complaints"),
    [
        ({**LUNCH, "percent": "5"}, {("percent", "not_applicable")}),
        ({**LUNCH, "baseCap": "5.00"}, {("baseCap", "not_applicable")}),
        ({**LUNCH, "bracketPeriod": "year"}, {("bracketPeriod", "not_applicable")}),
        ({**LUNCH, "amount": None, "appliesToAll": True}, {("amount", "required")}),
        ({**LUNCH, "amount": "0.001"}, {("amount", "too_many_decimals")}),
        ({**LUNCH, "amount": "-1"}, {("amount", "negative")}),
        ({**LUNCH, "calculation": "percent_of_gross"}, {("calculation", "wrong_kind"), ("amount", "not_applicable")}),
        ({**LUNCH, "isPreTax": True}, {("isPreTax", "not_applicable")}),
        ({**PENSION, "percent": "100.5"}, {("percent", "out_of_range")}),
        ({**PENSION, "percent": None, "appliesToAll": True}, {("percent", "required")}),
        ({**PENSION, "isProrated": True}, {("isProrated", "not_applicable")}),
        ({**PENSION, "method": "cumulative", "bracketPeriod": "period"}, {("bracketPeriod", "not_a_year")}),
        ({**TAX, "kind": "earning"}, {("calculation", "wrong_kind")}),
        ({**TAX, "isPreTax": True}, {("isPreTax", "not_applicable")}),
        ({**TAX, "brackets": None}, {("brackets", "required")}),
        ({**TAX, "brackets": [{"upTo": "5.00", "rate": "1"}]}, {("brackets[0].upTo", "not_empty")}),
        (
            {**TAX, "brackets": [{"rate": "1"}, {"upTo": "5.00", "rate": "1"}, {"upTo": "5.00", "rate": "1"}]},
            {
                ("brackets[0].upTo", "required"),
                ("brackets[2].upTo", "not_empty"),
                ("brackets[2].upTo", "not_increasing"),
            },
        ),
        ({**TAX, "brackets": [{"upTo": "5.00", "rate": "x"}, {"rate": "1"}]}, {("brackets[0].rate", "not_a_number")}),
        ({**LATE, "kind": "deduction"}, {("calculation", "wrong_kind")}),
        ({**LATE, "overtime": None}, {("overtime", "required")}),
        (
            {**LATE, "overtime": {"afterMinutes": 480, "per": "day", "multiplier": "0.5"}},
            {("overtime.multiplier", "out_of_range")},
        ),
        (
            {**LUNCH, "expenseAccountId": "1100", "liabilityAccountId": "2320"},
            {("expenseAccountId", "wrong_account"), ("liabilityAccountId", "not_applicable")},
        ),
        (
            {**PENSION, "expenseAccountId": "6000", "liabilityAccountId": "2000"},
            {("expenseAccountId", "not_applicable"), ("liabilityAccountId", "wrong_account")},
        ),
        ({**PENSION, "liabilityAccountId": "4711", "amount": "1.00"}, {
            ("liabilityAccountId", "unknown_reference"), ("amount", "not_applicable"),
        }),
        ({**LUNCH, "code": "no blanks"}, {("code", "bad_format")}),
    ],
)  # fmt: skip
def test_everything_wrong_with_a_component_is_reported_at_once(acme, body, complaints):
    assert refused_fields(acme, body) == complaints


def test_amounts_and_percentages_can_be_left_to_each_employee(acme):
    assert acme.ok("POST", COMPONENTS, {**LUNCH, "amount": None})["amount"] is None
    assert acme.ok("POST", COMPONENTS, {**PENSION, "percent": None})["percent"] is None


def test_percentages_have_up_to_six_decimals(acme):
    table = [{"upTo": "1000.00", "rate": "0.000001"}, {"rate": "33.333333"}]
    assert acme.ok("POST", COMPONENTS, {**TAX, "brackets": table})["brackets"][1]["rate"] == "33.333333"
    made = acme.ok("POST", COMPONENTS, {**PENSION, "percent": "1.234567"})
    assert made["percent"] == "1.234567"
    changed = acme.ok("PATCH", f"{COMPONENTS}/{made['id']}", {"percent": "7.654321"})
    assert changed["percent"] == "7.654321"
    assert refused_fields(acme, {**PENSION, "code": "x", "percent": "1.2345678"}) == {("percent", "too_many_decimals")}


def test_a_cumulative_component_has_brackets_of_a_year(acme):
    made = acme.ok("POST", COMPONENTS, {**TAX, "method": "cumulative"})
    assert made["bracketPeriod"] == "year"
    route = f"{COMPONENTS}/{made['id']}"
    assert refused_fields(acme, {"bracketPeriod": "period"}, "PATCH", route) == {("bracketPeriod", "not_a_year")}


def test_accounts_can_be_named_by_code(acme):
    made = acme.ok("POST", COMPONENTS, {**PENSION, "liabilityAccountId": "2310"})
    assert acme.ok("GET", f"/finance/accounts/{made['liabilityAccountId']}")["code"] == "2310"


def test_a_code_is_unique(acme):
    acme.ok("POST", COMPONENTS, LUNCH)
    other = acme.ok("POST", COMPONENTS, {**LUNCH, "code": "other"})
    acme.refused("POST", COMPONENTS, LUNCH, status=409, code="already_exists")
    acme.refused("PATCH", f"{COMPONENTS}/{other['id']}", {"code": "lunch"}, status=409, code="already_exists")
    assert acme.ok("PATCH", f"{COMPONENTS}/{other['id']}", {"code": "other"})["version"] == 1


def test_a_change_is_checked_as_a_whole_and_its_event_names_the_fields(acme):
    made = acme.ok("POST", COMPONENTS, LUNCH)
    route = f"{COMPONENTS}/{made['id']}"
    complaints = refused_fields(acme, {"calculation": "percent_of_base"}, "PATCH", route)
    assert complaints == {("amount", "not_applicable")}
    changed = acme.ok("PATCH", route, {"calculation": "percent_of_base", "amount": None, "percent": "2.5"})
    assert (changed["calculation"], changed["amount"], changed["percent"]) == ("percent_of_base", None, "2.5")
    logged = acme.ok("GET", "/workspace/events")[0]
    assert logged["type"] == "pay_component.updated"
    assert logged["data"] == {"code": "lunch", "name": "Lunch", "changed": ["calculation", "amount", "percent"]}


def test_an_archived_component_is_not_listed_and_applies_to_no_one_new(acme):
    made = acme.ok("POST", COMPONENTS, {**LUNCH, "appliesToAll": True})
    route = f"{COMPONENTS}/{made['id']}"
    acme.ok("POST", f"{route}/archive")
    acme.refused("POST", f"{route}/archive", status=409, code="invalid_transition")
    assert "lunch" not in [component["code"] for component in acme.ok("GET", COMPONENTS)]
    assert [component["code"] for component in acme.ok("GET", f"{COMPONENTS}?isArchived=true")] == ["lunch"]
    with acme.books():
        assert [component.applies_to_all for component in components.list_all() if component.code == "lunch"] == [False]
    acme.ok("POST", f"{route}/unarchive")
    acme.refused("POST", f"{route}/unarchive", status=409, code="invalid_transition")


def test_an_unused_component_can_be_deleted(acme):
    made = acme.ok("POST", COMPONENTS, LUNCH)
    acme.ok("DELETE", f"{COMPONENTS}/{made['id']}")
    acme.refused("GET", f"{COMPONENTS}/{made['id']}", status=404)


ANNA = {"name": "Anna", "hireDate": "2026-01-01", "employmentType": "full_time"}


def test_a_component_named_in_pay_cannot_be_deleted(acme):
    made = acme.ok("POST", COMPONENTS, LUNCH)
    pay = {
        "payType": "salary",
        "amount": "3000.00",
        "frequency": "monthly",
        "components": [{"componentId": made["id"]}],
    }
    acme.ok("POST", "/hr/employees", {**ANNA, "compensation": pay})
    acme.refused("DELETE", f"{COMPONENTS}/{made['id']}", status=409, code="in_use")


def test_a_component_of_a_payslip_cannot_be_deleted(acme):
    made = acme.ok("POST", COMPONENTS, LUNCH)
    anna = acme.ok("POST", "/hr/employees", ANNA)
    day, none = date(2026, 1, 31), dict.fromkeys(("gross", "deductions", "employer_contributions", "net"), 0)
    days = dict.fromkeys(("working_days", "paid_days", "unpaid_leave_days", "paid_leave_days", "worked_minutes"), 0)
    with acme.books(write=True):
        run = PayrollRun.add(
            number="PR-1", fiscal_year=2026, seq=1, period_start=day, period_end=day, pay_date=day, warnings=[],
            variance=[], currency="EUR", **none,
        )  # fmt: skip
        slip = Payslip.add(
            run=run.id, employee=anna["id"], pay_date=day, snapshot={}, taxable=0, year_to_date={}, **none, **days
        )
        PayslipLine.insert(
            payslip=slip.id, position=0, component=made["id"], code="lunch", name="Lunch", kind="earning", amount=0,
            computed_amount=0, explanation="",
        ).execute()  # fmt: skip
    acme.refused("DELETE", f"{COMPONENTS}/{made['id']}", status=409, code="in_use")


def test_readers_of_payroll_read_components_and_only_its_editors_change_them(acme):
    made = acme.ok("POST", COMPONENTS, LUNCH)
    accountant, member = acme.colleague("accountant"), acme.colleague("member")
    assert accountant.ok("GET", f"{COMPONENTS}/{made['id']}")["code"] == "lunch"
    accountant.refused("PATCH", f"{COMPONENTS}/{made['id']}", {"name": "X"}, status=403)
    member.refused("GET", COMPONENTS, status=403)
    member.refused("GET", "/hr/component-sets", status=403)
    acme.colleague("hr").ok("PATCH", f"{COMPONENTS}/{made['id']}", {"name": "X"})


def test_a_component_without_accounts_is_posted_to_the_defaults_of_its_kind(acme):
    employer = {**PENSION, "code": "employer", "kind": "employer_contribution"}
    for body in (LUNCH, PENSION, employer, TAX, {**PENSION, "code": "own", "liabilityAccountId": "2700"}):
        acme.ok("POST", COMPONENTS, body)
    codes = {account["id"]: account["code"] for account in acme.ok("GET", "/finance/accounts")} | {None: None}
    with acme.books():
        known = {component.code: component for component in components.list_all()}
    assert {
        code: (codes[known[code].expense_account_id], codes[known[code].liability_account_id])
        for code in ("lunch", "fund", "employer", "tax", "own")
    } == {
        "lunch": ("6000", None),
        "fund": (None, "2320"),
        "employer": ("6010", "2330"),
        "tax": (None, "2310"),
        "own": (None, "2700"),
    }


def test_a_new_workspace_has_the_generic_components_and_they_apply_to_no_one(acme):
    with acme.books():
        known = components.list_all()
    assert [component.code for component in known] == [component.code for component in TEMPLATES["generic"].components]
    assert payslip(date(2026, 3, 1), date(2026, 3, 31), salary(100000), components=known).net == 100000


def test_applying_a_template_adds_only_missing_components(installation):
    london = installation.office("Olga", baseCurrency="GBP")
    london.ok("POST", COMPONENTS, {**LUNCH, "code": "uk-nic-2012-13"})
    applied = london.ok("POST", "/hr/component-sets/uk-nic-2012-13/apply")
    assert (applied["added"], applied["skipped"]) == (["uk-nic-2012-13-employer"], ["uk-nic-2012-13"])
    before = london.ok("GET", "/workspace/events")[0]
    assert before["type"] == "component_set.applied"
    assert london.ok("POST", "/hr/component-sets/uk-nic-2012-13/apply")["added"] == []
    assert london.ok("GET", "/workspace/events")[0] == before


def test_a_template_in_another_currency_is_for_pay_in_it(installation):
    paris = installation.office("Olga", baseCurrency="EUR")
    (code, *_) = paris.ok("POST", "/hr/component-sets/us-2024-single/apply")["added"]
    (made,) = [one for one in paris.ok("GET", COMPONENTS) if one["code"] == code]
    assert made["currency"] == "USD"
    assert paris.ok("POST", COMPONENTS, LUNCH)["currency"] is None
    assert paris.ok("POST", "/hr/component-sets/generic/apply")["added"] == []


def test_an_unknown_template_is_not_found(acme):
    acme.refused("POST", "/hr/component-sets/atlantis/apply", status=404, code="not_found")


def test_templates_name_the_source_of_their_rates(acme):
    sets = acme.ok("GET", "/hr/component-sets")
    examples = [template for template in sets if template["country"]]
    assert len({template["country"] for template in examples}) >= 2
    for template in examples:
        assert template["year"][:4] in template["source"] or template["year"][:4] in template["name"]
        assert "to be checked" in template["source"]
        assert not any(component["appliesToAll"] for component in template["components"])


TABLES = {
    "us-2024-single": ("us-2024-income-tax", "USD"),
    "nz-2021": ("nz-2021-income-tax", "NZD"),
    "uk-nic-2012-13-monthly": ("uk-nic-2012-13", "GBP"),
}
SCHEDULES = [
    schedule
    for schedule in json.loads((DATA / "tax_brackets.json").read_text())["schedules"]
    if schedule["id"] in TABLES
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: schedule["id"])
def test_a_template_gives_the_published_tax(installation, schedule):
    """A year paid at once bears the tax of the year; the monthly table is for one month."""
    code, currency = TABLES[schedule["id"]]
    office = installation.office("Olga", baseCurrency=currency)
    office.ok("POST", f"/hr/component-sets/{schedule['id'].removesuffix('-monthly')}/apply")
    with office.books():
        (table,) = [component for component in components.list_all() if component.code == code]
    end = date(2024, 1, 31) if schedule["id"].endswith("monthly") else date(2024, 12, 31)
    for case in schedule["published"]:
        earned = component("earned", "earning", "fixed", amount=cents(case["income"]))
        applied = replace(table, applies_to_all=True)
        paid = payslip(date(2024, 1, 1), end, salary(0), components=[earned, applied], currency=currency)
        assert paid.deductions == cents(case["tax"]), case
