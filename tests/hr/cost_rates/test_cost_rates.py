"""The cost of an hour: given, or worked out from pay, and on logged time until its week is approved."""

import pytest

from erp.tasks.time import costs
from tests.hr.employees.employees import hire
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import LOGS, log

FORTY = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)
MONDAY = "2026-03-09"


@pytest.fixture(autouse=True)
def _after_the_week(clock_at):
    """The week is from 9 to 15 March 2026; today is the Monday after it."""
    clock_at("2026-03-16T09:00:00Z")


@pytest.fixture
def mia(acme):
    """A member who is paid 4,000.00 a month for forty hours a week."""
    person = acme.colleague("member")
    pay = {"payType": "salary", "amount": "4000.00", "frequency": "monthly"}
    person.employee = hire(acme, name="Mia", userId=person.user["id"], workSchedule=FORTY, compensation=pay)
    return person


@pytest.fixture
def task(acme):
    return add(acme, "Pages")


def path(person):
    return f"/hr/employees/{person.employee['id']}/cost-rates"


def cost(office, person, start="2026-01-01", **fields):
    return office.ok("POST", path(person), {"from": start, **fields})


def from_pay(office, person, **fields):
    return cost(office, person, **{"method": "from_pay", "employerPercent": "21", **fields})


def given(office, person, amount, **fields):
    return cost(office, person, method="given", hourlyCost=amount, **fields)


def costs_of(office, made):
    shown = office.ok("GET", LOGS, params={"ids": made["id"]})[0]
    return shown["costRate"], shown["cost"]


def pay_from(office, person, day, amount, **fields):
    body = {"payType": "salary", "amount": amount, "frequency": "monthly", "effectiveFrom": day, **fields}
    office.ok("POST", f"/hr/employees/{person.employee['id']}/compensations", body)


def test_an_hour_costs_the_yearly_pay_with_the_employers_share_by_the_hours_of_a_year(acme, mia):
    made = from_pay(acme, mia)
    assert made["costs"] == [{"from": "2026-01-01", "to": None, "costRate": "27.92"}]
    assert (made["from"], made["method"], made["hourlyCost"], made["employerPercent"]) == (
        *("2026-01-01", "from_pay", None, "21"),
    )
    assert acme.ok("GET", path(mia)) == [made]
    assert acme.ok("GET", f"{path(mia)}/{made['id']}") == made


@pytest.mark.parametrize(
    ("pay", "expected"),
    [
        ({"frequency": "biweekly", "amount": "2000.00"}, "30.25"),  # 52,000 × 1.21 ÷ 2,080
        ({"frequency": "weekly", "amount": "1000.00"}, "30.25"),
        ({"payType": "hourly", "amount": "20.50"}, "24.81"),  # 24.805, half up
    ],
)
def test_pay_counts_by_its_kind(acme, mia, pay, expected):
    pay_from(acme, mia, "2026-01-01", **{"amount": "1.00", **pay})
    assert [one["costRate"] for one in from_pay(acme, mia)["costs"]] == [expected]


def test_twelve_and_a_half_hours_cost_349(acme, mia, task):
    made = log(mia, task, 750, date=MONDAY)
    assert costs_of(acme, made) == (None, None)
    from_pay(acme, mia)
    assert costs_of(acme, made) == ("27.92", "349.00")


def test_a_rate_from_pay_follows_pay_and_schedule_by_their_days(acme, mia, task):
    made = log(mia, task, 60, date=MONDAY)
    from_pay(acme, mia)
    pay_from(acme, mia, "2026-03-01", "5000.00")
    change = {"workSchedule": {**FORTY, "fri": 0}, "workScheduleFrom": "2026-04-01"}
    acme.ok("PATCH", f"/hr/employees/{mia.employee['id']}", change)
    assert acme.ok("GET", path(mia))[0]["costs"] == [
        {"from": "2026-01-01", "to": "2026-02-28", "costRate": "27.92"},
        {"from": "2026-03-01", "to": "2026-03-31", "costRate": "34.90"},  # 72,600 ÷ 2,080
        {"from": "2026-04-01", "to": None, "costRate": "43.63"},  # 72,600 ÷ 1,664 = 43.629
    ]
    assert costs_of(acme, made) == ("34.90", "34.90")


def test_without_a_share_the_contributions_of_the_last_approved_payslip_count(acme, mia):
    made = cost(acme, mia, method="from_pay")
    assert [one["costRate"] for one in made["costs"]] == ["23.08"]  # 48,000 ÷ 2,080 = 23.077
    pension = {
        "code": "pension",
        "name": "Pension",
        "kind": "employer_contribution",
        "calculation": "percent_of_gross",
        "percent": "10",
    }
    component = acme.ok("POST", "/hr/pay-components", pension)
    pay_from(acme, mia, "2026-01-01", "4000.00", components=[{"componentId": component["id"]}])
    run = acme.ok("POST", "/hr/payroll/run", {"periodStart": "2026-02-01", "periodEnd": "2026-02-28"})
    assert [one["costRate"] for one in acme.ok("GET", path(mia))[0]["costs"]] == ["23.08"]
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/approve")
    assert [one["costRate"] for one in acme.ok("GET", path(mia))[0]["costs"]] == ["25.38"]  # 52,800 ÷ 2,080


def test_the_rate_of_a_day_is_the_latest_by_then(acme, mia, task):
    given(acme, mia, "30.00")
    earlier = given(acme, mia, "35.00", start="2026-03-10")
    monday, tuesday = log(mia, task, 90, date=MONDAY), log(mia, task, 1, date="2026-03-10")
    assert (costs_of(acme, monday), costs_of(acme, tuesday)) == (("30.00", "45.00"), ("35.00", "0.58"))
    assert [row["costs"] for row in acme.ok("GET", path(mia))] == [
        [{"from": "2026-03-10", "to": None, "costRate": "35.00"}],
        [{"from": "2026-01-01", "to": "2026-03-09", "costRate": "30.00"}],
    ]
    acme.ok("DELETE", f"{path(mia)}/{earlier['id']}")
    assert costs_of(acme, tuesday) == ("30.00", "0.50")


def week(office, act, **body):
    return office.ok("POST", f"/tasks/time-weeks/{MONDAY}/{act}", body)


def test_the_cost_of_time_follows_until_its_week_is_approved(acme, mia, task):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    made, open_still = log(mia, task, 60, date=MONDAY), log(mia, task, 60, date="2026-03-16")
    rate = given(acme, mia, "30.00")
    week(mia, "submit")
    acme.ok("DELETE", f"{path(mia)}/{rate['id']}")
    given(acme, mia, "31.00")
    assert costs_of(acme, made) == ("31.00", "31.00")
    week(acme, "approve", userId=mia.user["id"])
    given(acme, mia, "40.00", start="2026-03-02")
    assert (costs_of(acme, made), costs_of(acme, open_still)) == (("31.00", "31.00"), ("40.00", "40.00"))
    week(acme, "reopen", userId=mia.user["id"], reason="An hour is missing.")
    assert costs_of(acme, made) == ("40.00", "40.00")


def test_approved_time_without_a_cost_takes_the_first_one_and_keeps_it(acme, mia, task):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    made = log(mia, task, 60, date=MONDAY)
    week(mia, "submit")
    week(acme, "approve", userId=mia.user["id"])
    rate = given(acme, mia, "30.00")
    acme.ok("DELETE", f"{path(mia)}/{rate['id']}")
    given(acme, mia, "50.00")
    assert costs_of(acme, made) == ("30.00", "30.00")


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"method": "given"}, 422, "validation_failed", "hourlyCost"),
        (
            {"method": "given", "hourlyCost": "1.00", "employerPercent": "1"},
            422,
            "validation_failed",
            "employerPercent",
        ),
        ({"method": "from_pay", "hourlyCost": "1.00"}, 422, "validation_failed", "hourlyCost"),
        ({"method": "given", "hourlyCost": "1.001"}, 422, "validation_failed", "hourlyCost"),
        ({"method": "given", "hourlyCost": "-1.00"}, 422, "validation_failed", "hourlyCost"),
    ],
)
def test_a_rate_has_what_its_method_takes(acme, mia, body, status, code, field):
    error = acme.refused("POST", path(mia), {"from": "2026-01-01", **body}, status=status, code=code)
    assert [detail["field"] for detail in error["details"]] == [field]


def test_two_rates_do_not_begin_on_one_day(acme, mia):
    given(acme, mia, "30.00")
    body = {"from": "2026-01-01", "method": "from_pay"}
    error = acme.refused("POST", path(mia), body, status=409, code="already_exists")
    assert error["message"] == "A cost rate begins on this day already. Delete it first."


def test_a_rate_is_that_of_its_own_employee(acme, mia):
    made, other = given(acme, mia, "30.00"), hire(acme, name="Tom")
    for verb in ("GET", "DELETE"):
        acme.refused(verb, f"/hr/employees/{other['id']}/cost-rates/{made['id']}", status=404, code="not_found")


@pytest.mark.parametrize("role", ["manager", "member", "viewer"])
def test_no_one_else_comes_to_costs(acme, mia, role):
    made, other = given(acme, mia, "30.00"), acme.colleague(role)
    other.refused("GET", path(mia), status=403, code="forbidden")
    other.refused("POST", path(mia), {"from": "2026-02-01", "method": "from_pay"}, status=403, code="forbidden")
    other.refused("DELETE", f"{path(mia)}/{made['id']}", status=403, code="forbidden")
    mia.refused("GET", path(mia), status=403, code="forbidden")


def test_the_events_of_a_rate_name_no_amount(acme, mia):
    made = given(acme, mia, "31.41")
    acme.ok("DELETE", f"{path(mia)}/{made['id']}")
    rows = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"]})
    about = {"employeeId": mia.employee["id"], "name": "Mia", "from": "2026-01-01"}
    assert [(row["type"], row["data"]) for row in rows] == [
        ("cost_rate.deleted", about),
        ("cost_rate.created", about),
    ]


def test_the_rates_are_worked_out_once_however_many_weeks_are_decided(acme, mia, task, monkeypatch):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    given(acme, mia, "20.00")
    made = [log(mia, task, 60, date=day) for day in ("2026-03-02", MONDAY)]
    for day in ("2026-03-02", MONDAY):
        mia.ok("POST", f"/tasks/time-weeks/{day}/submit", {})
    source, asked = costs.source, []

    def counted():
        asked.append(1)
        return source()

    monkeypatch.setattr(costs, "source", counted)
    row = {"userId": mia.user["id"], "decision": "approve"}
    weeks = [{**row, "dateFrom": day} for day in ("2026-03-02", MONDAY)]
    acme.ok("POST", "/tasks/time-weeks/decide", {"decisions": weeks})
    assert len(asked) == 1
    monkeypatch.undo()
    given(acme, mia, "99.00", start="2026-03-02")
    assert [costs_of(acme, one) for one in made] == [("20.00", "20.00")] * 2
