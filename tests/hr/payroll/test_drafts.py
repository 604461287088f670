"""Drafts: recalculating and deleting them, permissions, and their events."""

import pytest

from erp.store.events import Event
from tests.hr.attendance.records import grant_leave, marked_day, punch
from tests.hr.employees.employees import events_about
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    FUND,
    TAX,
    act,
    add_components,
    hourly,
    leave_type,
    log_time,
    paid_employee,
    path,
    pay_from,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)

pytestmark = pytest.mark.usefixtures("wednesday")

RUN = "/hr/payroll/run"


def test_recalculating_picks_up_changes(acme):
    anna = paid_employee(acme)
    made = payroll_run(acme)
    ben = paid_employee(acme, "Ben", salary("2000.00"))
    pay_from(acme, anna, "2026-01-01", salary("3300.00"))
    again = act(acme, made, "recalculate")
    assert (again["id"], again["number"], again["version"]) == (made["id"], made["number"], 2)
    assert (payslip_of(again, anna)["gross"], payslip_of(again, ben)["gross"]) == ("3300.00", "2000.00")
    assert again["totals"]["gross"] == "5300.00"
    assert payslip_of(again, anna)["id"] == payslip_of(made, anna)["id"]
    assert (again["headCount"], again["warnings"]) == (2, [])
    assert payslip_of(again, anna)["version"] == 2


@pytest.mark.parametrize("what", ["pay", "attendance", "leave", "record"])
def test_a_draft_warns_of_later_changes(acme, clock_at, what):
    anna = paid_employee(acme)
    paid_employee(acme, "Ben")
    made = payroll_run(acme)
    clock_at("2026-03-11T17:00:01Z")
    if what == "pay":
        pay_from(acme, anna, "2026-01-15", salary("3300.00"))
    elif what == "attendance":
        marked_day(acme, anna, "2026-01-05", punch("01-05 08:00", "12:00"))
    elif what == "leave":
        grant_leave(acme, anna, "2026-01-05", leaveTypeId=leave_type(acme, "unpaid"))
    else:
        acme.ok("PATCH", f"/hr/employees/{anna}", {"hireDate": "2026-01-02"})
    assert warnings_of(acme.ok("GET", path(made))) == [("Anna", "changed_after")]
    clock_at("2026-03-11T17:00:02Z")
    again = act(acme, made, "recalculate")
    assert "changed_after" not in {warning["code"] for warning in again["warnings"]}


def test_a_draft_warns_of_time_logged_later_by_hourly_employees(acme, clock_at):
    worker, clerk = acme.colleague("member"), acme.colleague("member")
    paid_employee(acme, "Wanda", hourly(), user=worker)
    paid_employee(acme, "Carl", user=clerk)
    made = payroll_run(acme)
    clock_at("2026-03-11T17:00:01Z")
    log_time(worker, "2026-01-05", 60)
    log_time(clerk, "2026-01-05", 60)
    assert changed(acme, made) == ["Wanda"]


def test_a_draft_warns_of_components_changed_later(acme, clock_at):
    own = acme.ok("POST", "/hr/pay-components", {**FUND, "appliesToAll": False})
    paid_employee(acme, pay=salary(components=[{"componentId": own["id"]}]))
    paid_employee(acme, "Ben")
    made = payroll_run(acme)
    clock_at("2026-03-11T17:00:01Z")
    acme.ok("PATCH", f"/hr/pay-components/{own['id']}", {"percent": "6"})
    assert changed(acme, made) == ["Anna"]
    add_components(acme, TAX)
    assert changed(acme, made) == ["Anna", "Ben"]


def test_a_draft_warns_when_an_earlier_payslip_is_reversed_or_recalculated(acme, clock_at):
    anna, _ = paid_employee(acme), paid_employee(acme, "Ben")
    january = payroll_run(acme, employeeIds=[anna])
    february = payroll_run(acme, FEBRUARY)
    clock_at("2026-03-11T17:00:01Z")
    act(acme, january, "recalculate")
    assert changed(acme, february) == ["Anna"]
    assert changed(acme, january) == []
    act(acme, february, "recalculate")
    act(acme, january, "approve")
    assert changed(acme, february) == []
    clock_at("2026-03-11T17:00:02Z")
    act(acme, january, "reverse")
    assert changed(acme, february) == ["Anna"]
    assert payslip_of(act(acme, february, "recalculate"), anna)["yearToDate"]["gross"] == "3000.00"


def changed(office, made):
    """The employees for whom a draft must be recalculated."""
    return [name for name, code in warnings_of(office.ok("GET", path(made))) if code == "changed_after"]


def test_an_approved_run_does_not_warn_of_later_changes(acme, clock_at):
    anna = paid_employee(acme)
    made = payroll_run(acme)
    act(acme, made, "approve")
    clock_at("2026-03-11T17:00:01Z")
    acme.ok("PATCH", f"/hr/employees/{anna}", {"phone": "030 1234"})
    assert acme.ok("GET", path(made))["warnings"] == []


def test_recalculating_a_run_of_named_employees_keeps_to_them(acme):
    anna = paid_employee(acme)
    paid_employee(acme, "Ben")
    again = act(acme, payroll_run(acme, employeeIds=[anna]), "recalculate")
    assert [slip["employeeId"] for slip in again["payslips"]] == [anna]


def test_a_draft_stays_as_it_is_if_no_one_is_due_when_it_is_recalculated(acme):
    anna = paid_employee(acme, hireDate="2026-01-20")
    made = payroll_run(acme)
    acme.ok("PATCH", f"/hr/employees/{anna}", {"hireDate": "2026-02-01"})
    acme.refused("POST", path(made, "recalculate"), status=422, code="nobody_due")
    assert acme.ok("GET", path(made)) == made


def test_a_draft_can_be_deleted_which_frees_its_days(acme):
    paid_employee(acme)
    made = payroll_run(acme)
    acme.ok("DELETE", path(made))
    acme.refused("GET", path(made), status=404)
    assert acme.ok("GET", "/hr/payroll/payslips") == []
    assert payroll_run(acme)["number"] == "PR-2026-002", "a number stays unused"


def test_an_action_on_an_older_version_of_a_run_is_refused(acme):
    paid_employee(acme)
    made = payroll_run(acme)
    stale = {"If-Match": '"9"'}
    for action, body in (("recalculate", None), ("approve", {}), ("pay", {}), ("reverse", {"reason": "No"})):
        acme.refused("POST", path(made, action), body, headers=stale, status=412, code="version_mismatch")
    assert act(acme, made, "approve")["version"] == 2


def test_runs_are_listed_and_filtered(acme):
    paid_employee(acme)
    january, february = payroll_run(acme), payroll_run(acme, FEBRUARY)
    act(acme, january, "approve")

    def listed(**params):
        return [row["number"] for row in acme.ok("GET", "/hr/payroll/runs", params=params)]

    assert listed() == [february["number"], january["number"]]
    assert listed(status="draft") == listed(dateFrom="2026-02-01") == [february["number"]]
    assert listed(dateTo="2026-01-31", sort="payDate") == [january["number"]]
    (row, _) = acme.ok("GET", "/hr/payroll/runs")
    assert (row["headCount"], row["totals"]["net"]) == (1, "3000.00")
    assert "payslips" not in row


def test_events_of_a_run_show_no_pay(acme):
    paid_employee(acme)
    made = payroll_run(acme)
    act(acme, made, "recalculate")
    acme.ok("DELETE", path(made))
    data = {"number": "PR-2026-001", "periodStart": "2026-01-01", "periodEnd": "2026-01-31", "headCount": 1}
    events = events_about(acme, made["id"])
    assert [kind for kind, _ in events] == ["payroll_run.draft", "payroll_run.recalculated", "payroll_run.deleted"]
    with acme.books():
        texts = [event.data for event in Event.select().where(Event.resource_id == made["id"])]
    assert all("3000" not in text and "Anna" not in text for text in texts)
    assert all(name in texts[0] for name in data)


WRITING = ("recalculate", "approve", "reverse")


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_roles_without_payroll_write_cannot_change_a_run(acme, role):
    paid_employee(acme)
    made, colleague = payroll_run(acme), acme.colleague(role)
    colleague.refused("POST", RUN, FEBRUARY, status=403, code="forbidden")
    colleague.refused("DELETE", path(made), status=403)
    for action in WRITING:
        colleague.refused("POST", path(made, action), {"reason": "x"} if action == "reverse" else {}, status=403)
    assert acme.ok("GET", path(made)) == made


@pytest.mark.parametrize("role", ["manager", "member", "viewer"])
def test_roles_without_payroll_read_cannot_see_a_run(acme, role):
    paid_employee(acme)
    made, colleague = payroll_run(acme), acme.colleague(role)
    for route in ("/hr/payroll/runs", path(made), path(made, "bank-file")):
        colleague.refused("GET", route, status=403, code="forbidden")
    colleague.refused("POST", path(made, "pay"), {}, status=403, code="forbidden")


def test_an_accountant_can_read_and_pay_a_run(acme):
    paid_employee(acme)
    made, accountant = payroll_run(acme), acme.colleague("accountant")
    assert accountant.ok("GET", path(made))["totals"]["net"] == "3000.00"
    act(acme, made, "approve")
    assert act(accountant, made, "pay")["status"] == "paid"


def test_a_member_of_human_resources_prepares_a_run_that_includes_their_own_pay(acme):
    person = acme.colleague("hr")
    paid_employee(acme, "Hanna", user=person)
    made = act(person, payroll_run(person), "recalculate")
    assert act(acme, made, "approve")["status"] == "approved"
