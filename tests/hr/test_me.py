"""What employees see of themselves."""

import pytest

from erp.hr.attendance.models import AttendanceRecord
from erp.kernel.roles import ROLES
from tests.hr.employees.employees import SALARY, ask_leave, at, hire, pay


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


@pytest.mark.parametrize("role", [role for role in ROLES if role != "owner"])
def test_everyone_can_ask_and_a_user_without_employee_record_gets_nothing(acme, role):
    hire(acme, compensation=SALARY)
    assert acme.colleague(role).ok("GET", "/hr/me") == {
        "employee": None,
        "leaveBalances": [],
        "payslips": [],
        "openAttendance": None,
        "today": None,
        "week": None,
        "pendingLeaves": [],
        "decidedLeaves": [],
    }


def test_members_see_their_record_leave_payslips_and_open_shift(acme):
    member = acme.colleague("member")
    other = hire(acme, name="Bert")
    mine = hire(acme, compensation=SALARY, taxNumber="7", userId=member.user["id"])
    for employee in (other, mine):
        first = employee is mine
        slip = pay(acme, employee, "2026-01-31", number=f"PR-2026-00{1 + first}", status="paid")
        pay(acme, employee, "2026-02-28", number=f"PR-2026-00{3 + first}", status="draft")
        leave = ask_leave(acme, employee, "2026-04-01", "2026-04-02", "pending")
        ask_leave(acme, employee, "2026-05-01", "2026-05-02", "approved")
        with acme.books(write=True):
            shift = AttendanceRecord.add(
                employee=employee["id"],
                date="2026-03-02",
                status="present",
                source="clock",
                open_since="2026-03-02T08:00:00.000Z",
            ).id
    me = member.ok("GET", "/hr/me")
    assert (me["employee"]["id"], me["employee"]["taxNumber"]) == (mine["id"], "7")
    (shown,) = me["payslips"]
    assert (shown["id"], shown["payDate"], shown["net"]) == (slip, "2026-01-31", "3200.00")
    assert me["openAttendance"] == {
        "id": shift,
        "date": "2026-03-02",
        "since": "2026-03-02T08:00:00.000Z",
        "remedy": None,
    }
    (pending,) = me["pendingLeaves"]
    assert (pending["id"], pending["startDate"], pending["days"]) == (leave, "2026-04-01", "1")
    assert pending["leaveTypeName"] in [kind["name"] for kind in acme.ok("GET", "/hr/leave-types")]
    types = [kind["name"] for kind in acme.ok("GET", "/hr/leave-types")]
    assert [balance["name"] for balance in me["leaveBalances"]] == types


def test_leave_that_is_to_come_is_shown_and_what_was_rejected_lately_with_the_reason(acme, clock_at):
    at(acme, clock_at, "2026-03-02")
    member = acme.colleague("member")
    mine = hire(acme, userId=member.user["id"])
    other = hire(acme, name="Bert")
    ask_leave(acme, other, "2026-05-04", "2026-05-05", "approved")
    ask_leave(acme, mine, "2026-02-02", "2026-03-01", "approved")
    now = ask_leave(acme, mine, "2026-03-01", "2026-03-02", "approved")
    asked = member.ok("POST", "/hr/leaves", {"startDate": "2026-06-01", "endDate": "2026-06-02"})
    acme.ok("POST", f"/hr/leaves/{asked['id']}/reject", {"note": "The stand is on then."})

    def shown():
        return [(one["id"], one["status"], one["decisionNote"]) for one in member.ok("GET", "/hr/me")["decidedLeaves"]]

    rejected = (asked["id"], "rejected", "The stand is on then.")
    assert shown() == [(now, "approved", None), rejected]
    at(member, clock_at, "2026-03-15")
    assert shown() == [rejected]
    at(member, clock_at, "2026-03-17")
    assert shown() == []


def test_the_latest_payslips_come_first_and_are_few(acme, clock_at):
    at(acme, clock_at, "2026-12-02")
    mine = hire(acme, userId=acme.user["id"])
    for month in range(1, 6):
        pay(acme, mine, f"2026-{month:02}-28", number=f"PR-2026-{month:03}")
    shown = acme.ok("GET", "/hr/me")["payslips"]
    assert [slip["payDate"] for slip in shown] == ["2026-05-28", "2026-04-28", "2026-03-28"]
