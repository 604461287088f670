"""What employees are paid from a day on; the past does not change."""

from datetime import date

import pytest

from erp.hr.employees import employment
from erp.hr.payroll.models import PayComponent
from tests.hr.employees.employees import SALARY, at, events_about, hire, path_of, pay
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def set_pay(office, employee, day, amount="3400.00", **fields):
    body = SALARY | {"amount": amount, "effectiveFrom": day} | fields
    return office.ok("POST", path_of(employee, "/compensations"), body)


def history(office, employee):
    rows = office.ok("GET", path_of(employee, "/compensations"))
    return [(row["effectiveFrom"], row["amount"], row["replacedById"]) for row in rows]


def component(office, code="bonus", calculation="fixed", **fields):
    values = {"name": code.title(), "kind": "earning", "position": 1, **fields}
    with office.books(write=True):
        return PayComponent.add(code=code, calculation=calculation, **values).id


def test_pay_holds_from_its_first_day(acme, clock_at):
    made = hire(acme, compensation=SALARY)
    assert made["compensation"] == {**SALARY, "currency": "EUR", "components": [], "effectiveFrom": "2026-01-01"}
    answer = acme.call("POST", path_of(made, "/compensations"), SALARY | {"effectiveFrom": "2026-04-01"})
    raised = answer.json["data"]
    assert answer.status_code == 201
    assert (raised["employeeId"], raised["createdByUserId"], raised["replacedById"]) == (
        made["id"],
        acme.user["id"],
        None,
    )
    set_pay(acme, made, "2026-05-01", "20.00", payType="hourly", frequency="weekly")
    for today, amount, kind in (("03-31", "3200.00", "salary"), ("05-01", "20.00", "hourly")):
        at(acme, clock_at, f"2026-{today}")
        shown = acme.ok("GET", path_of(made))["compensation"]
        assert (shown["amount"], shown["payType"]) == (amount, kind)
    assert [day for day, _, _ in history(acme, made)] == ["2026-05-01", "2026-04-01", "2026-01-01"]


def test_setting_pay_is_logged_without_the_amount_and_counts_the_version_up(acme):
    made = hire(acme, compensation=SALARY)
    raised = set_pay(acme, made, "2026-02-01")
    ((event, data),) = events_about(acme, raised["id"])
    assert event == "compensation.set"
    assert made["id"] in data
    assert "3400" not in data
    assert "340000" not in data
    assert acme.ok("GET", path_of(made))["version"] == made["version"] + 1


def test_an_employee_hired_without_pay_has_none_until_it_is_set(acme):
    made = hire(acme)
    assert (made["compensation"], history(acme, made)) == (None, [])
    set_pay(acme, made, "2026-01-01")
    assert acme.ok("GET", path_of(made))["compensation"]["amount"] == "3400.00"


def test_the_first_pay_may_begin_later_than_the_employment(acme, clock_at):
    at(acme, clock_at, "2026-01-15")
    made = hire(acme, compensation=SALARY | {"effectiveFrom": "2026-02-01"})
    assert made["compensation"] is None
    at(acme, clock_at, "2026-02-01")
    assert acme.ok("GET", path_of(made))["compensation"]["effectiveFrom"] == "2026-02-01"


def test_the_pay_of_a_future_employee_is_that_of_their_first_day(acme, clock_at):
    at(acme, clock_at, "2025-12-01")
    made = hire(acme, compensation=SALARY)
    set_pay(acme, made, "2026-02-01")
    assert acme.ok("GET", path_of(made))["compensation"]["amount"] == "3200.00"


def test_pay_for_the_same_day_replaces_and_stays_on_record(acme):
    made = hire(acme, compensation=SALARY)
    second = set_pay(acme, made, "2026-01-01", "3300.00")
    third = set_pay(acme, made, "2026-01-01", "3400.00")
    assert history(acme, made) == [
        ("2026-01-01", "3400.00", None),
        ("2026-01-01", "3300.00", third["id"]),
        ("2026-01-01", "3200.00", second["id"]),
    ]
    assert acme.ok("GET", path_of(made))["compensation"]["amount"] == "3400.00"


@pytest.mark.parametrize("status", ["draft", "approved", "paid"])
def test_pay_changes_from_a_day_that_a_payroll_run_has_paid(acme, status):
    made = hire(acme, compensation=SALARY)
    pay(acme, made, "2026-01-30", "2026-01-31", status=status)
    for day in ("2026-01-01", "2026-01-31"):
        assert set_pay(acme, made, day)["effectiveFrom"] == day


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"payType": "wish"}, "payType", "not_one_of"),
        ({"amount": "-1.00"}, "amount", "negative"),
        ({"amount": "1.001"}, "amount", "too_many_decimals"),
        ({"amount": "100000000000000.00"}, "amount", "out_of_range"),
        ({"currency": "XXX"}, "currency", "unknown_currency"),
        ({"frequency": "daily"}, "frequency", "not_one_of"),
        ({"effectiveFrom": "2025-12-31"}, "effectiveFrom", "before_hire_date"),
        ({"effectiveFrom": "soon"}, "effectiveFrom", "not_a_date"),
        ({"components": [{"componentId": "nobody"}]}, "components[0].componentId", "unknown_reference"),
        ({"components": [{}]}, "components[0].componentId", "required"),
    ],
)
def test_pay_that_does_not_fit_is_refused(acme, fields, field, code):
    made = hire(acme)
    body = SALARY | {"effectiveFrom": "2026-02-01"} | fields
    assert complaint(acme.refused("POST", path_of(made, "/compensations"), body, status=422)) == (field, code)
    first = {name: value for name, value in body.items() if name != "effectiveFrom" or name in fields}
    error = acme.refused(
        "POST", "/hr/employees", {"name": "B", "hireDate": "2026-01-01", "compensation": first}, status=422
    )
    assert complaint(error) == (f"compensation.{field}", code)
    assert history(acme, made) == []


def test_personal_components_take_an_amount_or_a_percentage_by_their_calculation(acme):
    fixed, share = component(acme), component(acme, "share", "percent_of_base", percent=5_000_000)
    hours, plain = component(acme, "night", "per_hour", amount=100), component(acme, "tax", "brackets")
    made = hire(acme)
    components = [
        {"componentId": fixed, "amount": "150.50"},
        {"componentId": share, "percent": "7.5"},
        {"componentId": hours},
        {"componentId": plain},
    ]
    called = [("bonus", "Bonus"), ("share", "Share"), ("night", "Night"), ("tax", "Tax")]
    named = [
        {**component, "componentCode": code, "componentName": name}
        for component, (code, name) in zip(components, called, strict=True)
    ]
    assert set_pay(acme, made, "2026-02-01", components=components)["components"] == named
    assert acme.ok("GET", path_of(made))["compensation"]["components"] == named


@pytest.mark.parametrize(
    ("calculation", "own", "field", "code"),
    [
        ("fixed", {"percent": "1"}, "percent", "not_applicable"),
        ("fixed", {}, "amount", "required"),
        ("fixed", {"amount": "1.001"}, "amount", "too_many_decimals"),
        ("percent_of_gross", {"amount": "1.00", "percent": "1"}, "amount", "not_applicable"),
        ("percent_of_base", {}, "percent", "required"),
        ("percent_of_base", {"percent": "101"}, "percent", "out_of_range"),
        ("per_hour", {"percent": "1", "amount": "1"}, "percent", "not_applicable"),
        ("brackets", {"amount": "1.00"}, "amount", "not_applicable"),
        ("overtime", {"percent": "1"}, "percent", "not_applicable"),
    ],
)
def test_a_personal_component_that_does_not_fit_is_refused(acme, calculation, own, field, code):
    made, id = hire(acme), component(acme, "x", calculation)
    body = SALARY | {"effectiveFrom": "2026-02-01", "components": [{"componentId": id, **own}]}
    found = acme.refused("POST", path_of(made, "/compensations"), body, status=422)["details"]
    assert (f"components[0].{field}", code) in [(each["field"], each["code"]) for each in found]


def test_a_component_is_listed_once_and_not_archived(acme):
    made, id = hire(acme), component(acme, amount=100)
    old = component(acme, "old", amount=100, archived_at="2026-01-01T00:00:00.000Z")
    body = SALARY | {"effectiveFrom": "2026-02-01", "components": [{"componentId": each} for each in (id, id, old)]}
    found = acme.refused("POST", path_of(made, "/compensations"), body, status=422)["details"]
    assert [(each["field"], each["code"]) for each in found] == [
        ("components[1].componentId", "duplicate"),
        ("components[2].componentId", "archived"),
    ]


def test_the_history_is_for_the_employee_and_those_who_can_read_pay(acme):
    persons = {role: acme.colleague(role) for role in ("admin", "hr", "accountant", "manager", "member", "viewer")}
    member = persons["member"]
    anna, mine = hire(acme, compensation=SALARY), hire(acme, compensation=SALARY, userId=member.user["id"])
    for role, person in persons.items():
        if role in ("admin", "hr", "accountant"):
            assert len(history(person, anna)) == 1
        else:
            person.refused("GET", path_of(anna, "/compensations"), status=403, code="forbidden")
    assert history(member, mine) == [("2026-01-01", "3200.00", None)]
    acme.refused("GET", path_of({"id": "nobody"}, "/compensations"), status=404)


def test_pay_in_force_in_a_period_includes_pay_that_began_earlier(acme):
    anna, bert, cleo = hire(acme, compensation=SALARY), hire(acme, compensation=SALARY), hire(acme)
    for day in ("2026-02-01", "2026-02-15", "2026-02-15", "2026-03-01"):
        set_pay(acme, anna, day)
    with acme.books():
        found = employment.compensations_between(
            [anna["id"], bert["id"], cleo["id"]], date(2026, 2, 10), date(2026, 2, 28)
        )
    days = {id: [each.effective_from.isoformat() for each in rows] for id, rows in found.items()}
    assert days == {anna["id"]: ["2026-02-01", "2026-02-15"], bert["id"]: ["2026-01-01"]}
