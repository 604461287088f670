import pytest

from erp.hr.attendance.corrections.corrections import NewCorrection
from tests.events import events_of
from tests.hr.attendance.records import NOW, employee_at_work, marked_day, minutes, punch, types
from tests.hr.employees.employees import pay
from tests.refusals import complaint

MONDAY = "2026-03-02"
CORRECTIONS = "/hr/attendance-corrections"
LONGER = {"date": MONDAY, "punches": [punch("03-02 08:00", "18:00")], "reason": "Stayed for the delivery"}


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def mia(acme):
    """A member who is an employee."""
    return acme.once(_mia)


def _mia(acme):
    person = acme.colleague("member")
    person.employee_id = employee_at_work(acme, "Mia", person)
    return person


def ask(person, **fields):
    return person.ok("POST", CORRECTIONS, LONGER | fields)["id"]


def listed(person, **params):
    return [row["id"] for row in person.ok("GET", CORRECTIONS, params=params)]


def day_of(person):
    (found,) = person.ok("GET", "/hr/attendance", params={"dateFrom": MONDAY, "dateTo": MONDAY})
    return found


def test_an_employee_requests_a_correction_and_a_manager_approves_it(acme, mia):
    marked_day(acme, mia.employee_id, MONDAY, punch("03-02 08:00", "16:00"), breakMinutes=30, note="Till two")
    answer = mia.call("POST", CORRECTIONS, LONGER)
    asked = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1{CORRECTIONS}/{asked['id']}"
    assert (asked["status"], asked["employeeName"], asked["reason"]) == ("pending", "Mia", "Stayed for the delivery")
    assert asked["proposed"] == {"punches": [{"in": "2026-03-02T08:00:00.000Z", "out": "2026-03-02T18:00:00.000Z"}]}
    assert minutes(day_of(mia)) == (450, 480, 0), "nothing has changed yet"
    manager = acme.colleague("manager")
    boss = employee_at_work(acme, "Mona", manager)
    acme.ok("PATCH", f"/hr/employees/{mia.employee_id}", {"managerEmployeeId": boss})
    approved = manager.ok("POST", f"{CORRECTIONS}/{asked['id']}/approve", {"note": "Thank you"})
    assert (approved["status"], approved["decidedByUserId"], approved["decisionNote"]) == (
        "approved", manager.user["id"], "Thank you",
    )  # fmt: skip
    assert (minutes(day_of(mia)), day_of(mia)["note"]) == ((570, 480, 90), "Till two")
    assert mia.ok("GET", f"{CORRECTIONS}/{asked['id']}") == approved | {"can": []}
    assert events_of(acme, asked["id"]) == ["attendance_correction.pending", "attendance_correction.approved"]


def test_the_documented_example_works(acme, mia):
    asked = acme.ok("POST", CORRECTIONS, NewCorrection.EXAMPLE)
    assert acme.ok("POST", f"{CORRECTIONS}/{asked['id']}/approve", {})["status"] == "approved"


def test_approval_records_a_day_that_had_no_record(acme, mia):
    asked = ask(mia, breakMinutes=60, note="Forgot my card")
    acme.ok("POST", f"{CORRECTIONS}/{asked}/approve")
    found = day_of(mia)
    assert (minutes(found), found["source"], found["note"]) == ((540, 480, 60), "manual", "Forgot my card")
    assert types(acme) == ["attendance_correction.pending", "attendance_correction.approved"]


def test_only_the_status_is_corrected(acme, mia):
    marked_day(acme, mia.employee_id, MONDAY, status="absent")
    asked = mia.ok("POST", CORRECTIONS, {"date": MONDAY, "status": "remote", "reason": "Was at home"})
    assert asked["proposed"] == {"status": "remote"}
    acme.ok("POST", f"{CORRECTIONS}/{asked['id']}/approve", {})
    assert minutes(day_of(mia)) == (480, 480, 0)


def test_a_correction_stops_a_forgotten_clock(acme, mia, clock_at):
    clock_at("2026-03-09T08:00:00Z")
    mia.ok("POST", "/hr/attendance/clock-in", {})
    clock_at(NOW)
    punches = [punch("03-09 08:00", "16:00")]
    asked = mia.ok("POST", CORRECTIONS, {"date": "2026-03-09", "punches": punches, "reason": "Forgot to clock out"})
    acme.ok("POST", f"{CORRECTIONS}/{asked['id']}/approve", {})
    assert mia.ok("POST", "/hr/attendance/clock-in", {})["date"] == "2026-03-11"


def test_a_rejected_correction_changes_nothing(acme, mia):
    made = marked_day(acme, mia.employee_id, MONDAY)
    asked = ask(mia)
    rejected = acme.ok("POST", f"{CORRECTIONS}/{asked}/reject", {"note": "The shop was closed"})
    assert (rejected["status"], rejected["decisionNote"]) == ("rejected", "The shop was closed")
    assert day_of(mia) == made
    assert events_of(acme, asked) == ["attendance_correction.pending", "attendance_correction.rejected"]


def test_only_the_requester_cancels_a_correction(acme, mia):
    asked = ask(mia)
    other = acme.colleague("member")
    employee_at_work(acme, "Otto", other)
    other.refused("POST", f"{CORRECTIONS}/{asked}/cancel", status=403, code="forbidden")
    acme.refused("POST", f"{CORRECTIONS}/{asked}/cancel", status=403, code="forbidden")
    assert mia.ok("POST", f"{CORRECTIONS}/{asked}/cancel")["status"] == "cancelled"
    assert events_of(acme, asked)[-1] == "attendance_correction.cancelled"


@pytest.mark.parametrize("first", ["approve", "reject", "cancel"])
def test_a_decision_is_final(acme, mia, first):
    asked = ask(mia)
    by = mia if first == "cancel" else acme
    by.ok("POST", f"{CORRECTIONS}/{asked}/{first}")
    for person, then in ((acme, "approve"), (acme, "reject"), (mia, "cancel")):
        person.refused("POST", f"{CORRECTIONS}/{asked}/{then}", status=409, code="invalid_transition")


@pytest.mark.parametrize("role", ["admin", "hr", "manager"])
@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_no_one_decides_on_their_own_correction(acme, role, decision):
    person = acme.colleague(role)
    employee_at_work(acme, "Mia", person)
    asked = ask(person)
    error = person.refused("POST", f"{CORRECTIONS}/{asked}/{decision}", status=403, code="own_correction")
    assert error["message"] == ("You cannot decide on a correction of your own attendance. Ask your manager or HR.")
    acme.ok("POST", f"{CORRECTIONS}/{asked}/{decision}")


def test_an_owner_decides_on_her_own_correction(acme):
    employee_at_work(acme, "Olga", acme)
    assert acme.ok("POST", f"{CORRECTIONS}/{ask(acme)}/approve")["status"] == "approved"


@pytest.mark.parametrize("role", ["accountant", "member", "viewer"])
def test_most_roles_decide_on_nothing(acme, mia, role):
    asked = ask(mia)
    person = acme.colleague(role)
    for decision in ("approve", "reject"):
        person.refused("POST", f"{CORRECTIONS}/{asked}/{decision}", status=403, code="forbidden")


def test_a_correction_is_checked_when_it_is_requested(acme, mia):
    def refused(**fields):
        return complaint(mia.refused("POST", CORRECTIONS, {"reason": "I was there", **fields}, status=422))

    assert refused(date=MONDAY) == ("punches", "required")
    assert refused(date="2025-12-31", status="present") == ("date", "not_employed")
    assert refused(date="2026-03-12", status="present") == ("date", "future")
    assert refused(date=MONDAY, punches=[punch("03-02 09:00", "08:00")]) == ("punches[0].out", "not_after_in")
    assert refused(date=MONDAY, note="I was there") == ("status", "required")
    assert refused(date=MONDAY, breakMinutes=30) == ("breakMinutes", "no_punches")
    assert complaint(mia.refused("POST", CORRECTIONS, {**LONGER, "reason": ""}, status=422)) == ("reason", "required")


def test_a_correction_is_checked_again_when_it_is_approved(acme, mia):
    asked = ask(mia)
    marked_day(acme, mia.employee_id, "2026-03-01", punch("03-01 20:00", "03-02 08:30"))
    error = acme.refused("POST", f"{CORRECTIONS}/{asked}/approve", status=422)
    assert complaint(error) == ("punches[0].in", "overlaps")
    assert mia.ok("GET", f"{CORRECTIONS}/{asked}")["status"] == "pending"


def test_a_day_that_payroll_has_paid_is_corrected(acme, mia):
    asked = ask(mia)
    pay(acme, {"id": mia.employee_id}, MONDAY)
    acme.ok("POST", f"{CORRECTIONS}/{asked}/approve")
    acme.ok("POST", f"{CORRECTIONS}/{ask(mia)}/reject")


def test_members_request_corrections_of_their_own_days_and_human_resources_of_any(acme, mia):
    anna = employee_at_work(acme)
    mia.refused("POST", CORRECTIONS, LONGER | {"employeeId": anna}, status=403, code="forbidden")
    acme.colleague("viewer").refused("POST", CORRECTIONS, LONGER, status=409, code="no_employee_record")
    office = acme.colleague("hr")
    asked = ask(office, employeeId=anna)
    assert office.ok("POST", f"{CORRECTIONS}/{asked}/cancel")["employeeId"] == anna


def test_corrections_are_listed_as_far_as_the_caller_can_see_them(acme, mia):
    anna = employee_at_work(acme)
    theirs, first, second = ask(acme, employeeId=anna), ask(mia), ask(mia, date="2026-03-03", punches=[])
    acme.ok("POST", f"{CORRECTIONS}/{first}/reject")
    assert listed(acme.colleague("hr")) == [second, first, theirs]
    assert listed(acme, status="pending") == [second, theirs]
    assert listed(acme, employeeId=anna) == [theirs]
    assert listed(acme, dateFrom="2026-03-03") == [second]
    assert listed(acme, sort="date")[2] == second
    assert listed(mia) == [second, first]
    mia.refused("GET", CORRECTIONS, params={"employeeId": anna}, status=403, code="forbidden")
    mia.refused("GET", f"{CORRECTIONS}/{theirs}", status=403, code="forbidden")
    assert acme.colleague("viewer").ok("GET", CORRECTIONS) == []


def test_a_decision_on_another_version_is_refused(acme, mia):
    asked = ask(mia)
    for action in ("approve", "reject"):
        path = f"{CORRECTIONS}/{asked}/{action}"
        acme.refused("POST", path, status=412, code="version_mismatch", headers={"If-Match": '"7"'})
    mia.refused("POST", f"{CORRECTIONS}/{asked}/cancel", status=412, headers={"If-Match": '"7"'})
    acme.ok("POST", f"{CORRECTIONS}/{asked}/approve", headers={"If-Match": '"1"'})
