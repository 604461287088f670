from datetime import date

import pytest

from erp.hr.employees import schedules
from erp.hr.employees.models import Employment
from erp.hr.employees.schedules import WorkWeek
from tests.hr.attendance.records import marked_day
from tests.hr.employees.employees import pay
from tests.hr.leave.applications import ask, decide, hired, hired_colleague, leave, left, week


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def mia(acme):
    """A member with an employee record, and its id."""
    return acme.once(hired_colleague)


def free_on_mondays(office, id):
    """Let someone work from Tuesday to Saturday from April on, without counting leave again."""
    with office.books(write=True):
        schedules.begin(id, date(2026, 4, 1), WorkWeek(**week("0111110")))


def path(asked, what):
    return f"/hr/leaves/{asked['id']}/{what}"


def test_members_cannot_approve_their_own_leave(mia):
    member, _ = mia
    asked = ask(member, "2026-05-04")
    for what in ("approve", "reject"):
        member.refused("POST", path(asked, what), {}, status=403, code="forbidden")


@pytest.mark.parametrize("role", ["manager", "hr", "admin"])
def test_those_who_decide_on_leave_do_not_decide_on_their_own(acme, role):
    colleague, _ = hired_colleague(acme, role)
    asked = ask(colleague, "2026-05-04")
    for what in ("approve", "reject"):
        error = colleague.refused("POST", path(asked, what), {}, status=403, code="own_leave")
    assert error["message"] == "Only an owner can decide on their own leave. Ask another person."
    assert decide(acme, asked)["status"] == "approved"


def test_an_owner_decides_on_her_own_leave(acme):
    hired(acme, "Olga", user=acme)
    assert decide(acme, ask(acme, "2026-05-04"))["status"] == "approved"


@pytest.mark.parametrize("role", ["hr", "admin"])
def test_some_roles_decide_on_the_leave_of_others(acme, mia, role):
    asked = ask(mia[0], "2026-05-04")
    colleague = acme.colleague(role)
    assert colleague.call("POST", path(asked, "approve")).status_code == 200
    assert decide(colleague, asked, "cancel")["status"] == "cancelled"
    assert decide(colleague, ask(mia[0], "2026-05-04"), "reject")["status"] == "rejected"


@pytest.mark.parametrize("role", ["accountant", "viewer", "member"])
def test_most_roles_do_not_decide_on_the_leave_of_others(acme, mia, role):
    asked = ask(mia[0], "2026-05-04")
    colleague, _ = hired_colleague(acme, role)
    for what in ("approve", "reject", "cancel"):
        colleague.refused("POST", path(asked, what), {}, status=403, code="forbidden")


WAYS = ("approve", "reject", "cancel")
ALLOWED = {None: WAYS, "approve": ("cancel",), "reject": (), "cancel": ()}


@pytest.mark.parametrize(("before", "allowed"), ALLOWED.items())
def test_leave_changes_its_status_in_allowed_ways_only(acme, mia, before, allowed):
    for day, way in enumerate(WAYS, start=4):
        asked = ask(mia[0], f"2026-05-0{day}")
        if before is not None:
            decide(acme, asked, before)
        if way in allowed:
            decide(acme, asked, way)
        else:
            acme.refused("POST", path(asked, way), {}, status=409, code="invalid_transition")


def test_members_cancel_their_leave_until_it_begins(acme, mia, clock_at):
    member, id = mia
    asked = decide(acme, ask(member, "2026-03-03", "2026-03-04"))
    waiting = ask(member, "2026-03-05")
    other = decide(acme, ask(member, "2026-03-06"))
    decide(member, other, "cancel", note="No need")
    clock_at("2026-03-03T09:00:00Z")
    error = member.refused("POST", path(asked, "cancel"), {}, status=403, code="leave_begun")
    assert error["message"] == "This leave has begun. Ask your manager or HR to cancel it."
    clock_at("2026-03-06T09:00:00Z")
    assert decide(member, waiting, "cancel")["status"] == "cancelled"
    assert decide(acme.colleague("hr"), asked, "cancel")["status"] == "cancelled"
    assert left(member, id) == ("20", "0", "20")


def test_managers_do_not_cancel_their_own_leave_once_it_has_begun(acme, clock_at):
    manager, _ = hired_colleague(acme, "manager")
    asked = decide(acme, ask(manager, "2026-03-03"))
    clock_at("2026-03-04T09:00:00Z")
    manager.refused("POST", path(asked, "cancel"), {}, status=403, code="own_leave")


def test_approval_counts_the_days_again_after_a_new_schedule(acme, mia):
    member, id = mia
    asked = ask(member, "2026-04-06", "2026-04-08")
    free_on_mondays(acme, id)
    approved = decide(acme, asked)
    assert (asked["days"], approved["days"]) == ("3", "2")
    assert (approved["balanceBefore"], approved["balanceAfter"]) == ("20", "18")
    assert approved["dayDetails"][0]["why"] == "Monday is not a working day"
    assert left(member, id) == ("18", "0", "18")
    events = acme.ok("GET", "/workspace/events", params={"resourceId": asked["id"]})
    assert sorted(event["data"].get("recounted", False) for event in events) == [False, True]


def test_leave_that_no_longer_takes_any_day_is_not_approved(acme, mia):
    asked = ask(mia[0], "2026-04-06")
    free_on_mondays(acme, mia[1])
    acme.refused("POST", path(asked, "approve"), {}, status=422, code="no_leave_days")
    decide(acme, asked, "reject")


def test_leave_after_the_last_day_is_not_approved(acme, mia):
    asked = ask(mia[0], "2026-07-01")
    with acme.books(write=True):
        Employment.update(ends_on="2026-06-30").where(Employment.employee == mia[1]).execute()
    acme.refused("POST", path(asked, "approve"), {}, status=422, code="not_employed_then")


def test_approval_checks_the_balance_again(acme, mia):
    member, id = mia
    acme.ok("POST", "/hr/holidays", {"date": "2026-05-01", "name": "Labour Day"})
    asked = ask(member, "2026-04-27", "2026-05-25")
    assert asked["days"] == "20"
    (holiday,) = acme.ok("GET", "/hr/holidays")
    acme.ok("DELETE", f"/hr/holidays/{holiday['id']}")
    error = acme.refused("POST", path(asked, "approve"), {}, status=422, code="too_little_leave")
    assert error["message"] == "Annual leave 2026: 20 days remain, but this leave takes 21 days."
    assert left(member, id) == ("20", "21", "-1")


def test_a_stale_decision_decides_nothing(acme, mia):
    asked = ask(mia[0], "2026-05-04")
    for what in ("approve", "reject", "cancel"):
        stale = {"If-Match": '"9"'}
        acme.refused("POST", path(asked, what), {}, status=412, code="version_mismatch", headers=stale)
    assert acme.ok("GET", f"/hr/leaves/{asked['id']}")["version"] == asked["version"]


@pytest.mark.parametrize("status", ["approved", "paid"])
def test_leave_on_days_that_payroll_has_paid_is_requested_approved_and_cancelled(acme, mia, status):
    member, id = mia
    approved = decide(acme, ask(member, "2026-04-06", "2026-04-07"))
    pending = ask(member, "2026-04-08", "2026-04-09")
    for n, day in enumerate(("2026-04-07", "2026-04-08", "2026-06-10"), start=1):
        pay(acme, {"id": id}, day, number=f"PR-2026-{n:03}", status=status)
    assert decide(acme, approved, "cancel")["status"] == "cancelled"
    assert decide(acme, pending)["status"] == "approved"
    assert ask(member, "2026-06-09", "2026-06-10")["status"] == "pending"


def test_a_draft_payroll_run_does_not_stop_leave(acme, mia):
    member, id = mia
    pay(acme, {"id": id}, "2026-04-07", status="draft")
    approved = decide(acme, ask(member, "2026-04-07"))
    assert approved["status"] == "approved"
    assert decide(acme, approved, "cancel")["status"] == "cancelled"


def test_leave_of_another_office_is_not_found(acme, mia, stranger):
    asked = ask(mia[0], "2026-05-04")
    stranger.refused("GET", f"/hr/leaves/{asked['id']}", status=404, code="not_found")
    for what in ("approve", "reject", "cancel"):
        stranger.refused("POST", path(asked, what), {}, status=404, code="not_found")


@pytest.mark.parametrize("role", ["hr", "admin"])
def test_no_one_unlinks_their_own_record_to_decide_on_it(acme, role):
    colleague, id = hired_colleague(acme, role)
    other = acme.colleague("member").user["id"]
    for user in (None, other):
        colleague.refused("PATCH", f"/hr/employees/{id}", {"userId": user}, status=403, code="own_link")
    colleague.ok("PATCH", f"/hr/employees/{id}", {"userId": colleague.user["id"], "phone": "1"})
    colleague.refused("POST", path(ask(colleague, "2026-05-04"), "approve"), {}, status=403, code="own_leave")
    assert acme.ok("PATCH", f"/hr/employees/{id}", {"userId": None})["userId"] is None


def test_an_owner_unlinks_their_own_record(acme):
    id = hired(acme, "Olga", user=acme)
    assert acme.ok("PATCH", f"/hr/employees/{id}", {"userId": None})["userId"] is None


@pytest.mark.parametrize("status", ["present", "remote", "half_day"])
def test_a_day_at_work_cannot_be_leave(acme, mia, status):
    member, id = mia
    asked = ask(member, "2026-02-23", "2026-02-25")
    record = marked_day(acme, id, "2026-02-24", status=status)
    error = acme.refused("POST", path(asked, "approve"), {}, status=409, code="at_work_then")
    assert error["message"] == (
        "Member has attendance on 24 Feb 2026. Correct the attendance first, or request half a day."
    )
    acme.ok("POST", path(asked, "cancel"), {})
    member.refused("POST", "/hr/leaves", leave("2026-02-24"), status=409, code="at_work_then")
    decide(acme, ask(member, "2026-02-24", startHalf=True))
    acme.ok("DELETE", f"/hr/attendance/{record['id']}")
    decide(acme, ask(member, "2026-02-25", "2026-02-26"))


@pytest.mark.parametrize("status", ["absent", "on_leave"])
def test_a_day_of_absence_can_be_leave(acme, mia, status):
    member, id = mia
    marked_day(acme, id, "2026-02-24", status=status)
    assert decide(acme, ask(member, "2026-02-24"))["status"] == "approved"


def test_work_on_a_weekend_does_not_prevent_leave_around_it(acme, mia):
    member, id = mia
    marked_day(acme, id, "2026-02-28")
    assert decide(acme, ask(member, "2026-02-27", "2026-03-02"))["days"] == "2"


def test_half_a_day_of_leave_halves_the_minutes_of_a_day_marked_present(acme, mia):
    member, id = mia
    record = marked_day(acme, id, "2026-02-24")

    def minutes():
        shown = acme.ok("GET", f"/hr/attendance/{record['id']}")
        return shown["workedMinutes"], shown["expectedMinutes"], shown["overtimeMinutes"]

    assert minutes() == (480, 480, 0)
    asked = ask(member, "2026-02-24", endHalf=True)
    decide(acme, asked)
    assert minutes() == (240, 240, 0)
    decide(acme, asked, "cancel")
    assert minutes() == (480, 480, 0)
