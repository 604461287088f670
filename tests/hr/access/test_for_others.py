"""Leave and attendance entered for others: at once, in bulk, and undone."""

import pytest

from tests.hr.employees.employees import at, hire
from tests.refusals import complaint, complaints

WEEK = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)


@pytest.fixture(autouse=True)
def _in_november(acme, clock_at):
    at(acme, clock_at, "2026-11-26")


@pytest.fixture
def boss(acme):
    """A manager with a user, an employee record and two reports."""
    person = acme.colleague("manager")
    person.employee = hire(acme, name="Boss", userId=person.user["id"], workSchedule=WEEK)
    person.reports = [
        hire(acme, name=name, managerEmployeeId=person.employee["id"], workSchedule=WEEK) for name in ("Ann", "Ben")
    ]
    return person


def leave(office, employee, first="2026-12-01", last="2026-12-02", **more):
    return office.ok("POST", "/hr/leaves", {"employeeId": employee["id"], "startDate": first, "endDate": last, **more})


def events_of(office, id):
    rows = office.ok("GET", "/workspace/events", params={"resourceId": id})
    return [row["type"] for row in reversed(rows)]


def taken(office, employee):
    params = {"employeeId": employee["id"], "year": "2026"}
    return office.ok("GET", "/hr/leave-balances", params=params)[0]["taken"]


def test_leave_for_a_report_is_entered_and_approved_in_one_request(acme, boss):
    entered = leave(boss, boss.reports[0], approve=True)
    assert (entered["status"], entered["decidedByUserId"]) == ("approved", boss.user["id"])
    assert events_of(acme, entered["id"]) == ["leave.pending", "leave.approved"]
    assert taken(acme, boss.reports[0]) == "2"
    assert leave(boss, boss.reports[1])["status"] == "pending"


def test_no_one_approves_their_own_leave_at_once_or_that_of_strangers(acme, boss):
    other = hire(acme, name="Other", workSchedule=WEEK)
    body = {"startDate": "2026-12-01", "endDate": "2026-12-02", "approve": True}
    boss.refused("POST", "/hr/leaves", body, status=403, code="own_leave")
    boss.refused("POST", "/hr/leaves", body | {"employeeId": other["id"]}, status=403)
    person = acme.colleague("member")
    hire(acme, name="Mine", userId=person.user["id"], workSchedule=WEEK)
    person.refused("POST", "/hr/leaves", body, status=403)
    assert boss.ok("GET", "/hr/leaves") == []


def test_an_approval_is_undone_and_the_days_come_back(acme, boss):
    ann = boss.reports[0]
    approved = leave(boss, ann, approve=True)
    undone = boss.ok("POST", f"/hr/leaves/{approved['id']}/decision/undo")
    assert (undone["status"], undone["decidedByUserId"], taken(acme, ann)) == ("pending", None, "0")
    assert events_of(acme, approved["id"])[-1] == "leave.decision_undone"
    boss.refused("POST", f"/hr/leaves/{approved['id']}/decision/undo", status=409, code="invalid_transition")
    assert boss.ok("POST", f"/hr/leaves/{approved['id']}/approve", {})["status"] == "approved"
    assert taken(acme, ann) == "2"


def test_a_rejection_is_undone_only_while_its_days_are_free(acme, boss):
    ann = boss.reports[0]
    rejected = leave(boss, ann)["id"]
    boss.ok("POST", f"/hr/leaves/{rejected}/reject", {})
    assert boss.ok("POST", f"/hr/leaves/{rejected}/decision/undo")["status"] == "pending"
    boss.ok("POST", f"/hr/leaves/{rejected}/reject", {})
    leave(boss, ann)
    boss.refused("POST", f"/hr/leaves/{rejected}/decision/undo", status=422, code="leave_overlap")


def test_a_decision_is_undone_by_who_decided_within_a_day_or_by_hr(acme, boss, clock_at):
    head = hire(acme, name="Head")
    acme.ok("PATCH", f"/hr/employees/{boss.employee['id']}", {"managerEmployeeId": head["id"]})
    ann = boss.reports[0]
    approved = leave(boss, ann, "2026-12-10", "2026-12-11", approve=True)["id"]
    begun = leave(boss, ann, "2026-11-26", "2026-11-26", approve=True)["id"]
    boss.refused("POST", f"/hr/leaves/{begun}/decision/undo", status=409, code="begun")
    assert acme.ok("POST", f"/hr/leaves/{begun}/decision/undo")["status"] == "pending"
    own = acme.colleague("member")
    acme.ok("PATCH", f"/hr/employees/{ann['id']}", {"userId": own.user["id"]})
    own.refused("POST", f"/hr/leaves/{approved}/decision/undo", status=403)
    acme.ok("PATCH", f"/hr/employees/{ann['id']}", {"managerEmployeeId": head["id"]})
    clock_at("2026-11-27T09:01:00Z")
    boss.refused("POST", f"/hr/leaves/{approved}/decision/undo", status=403)
    assert acme.ok("POST", f"/hr/leaves/{approved}/decision/undo")["status"] == "pending"


def test_a_manager_writes_the_attendance_of_reports_and_not_their_own(acme, boss):
    body = {"date": "2026-11-24", "status": "absent"}
    record = boss.ok("POST", "/hr/attendance", body | {"employeeId": boss.reports[0]["id"]})
    assert boss.ok("PATCH", f"/hr/attendance/{record['id']}", {"status": "present"})["workedMinutes"] == 480
    assert boss.call("DELETE", f"/hr/attendance/{record['id']}").status_code == 200
    boss.refused("POST", "/hr/attendance", body, status=403)
    mine = acme.ok("POST", "/hr/attendance", body | {"employeeId": boss.employee["id"]})
    boss.refused("PATCH", f"/hr/attendance/{mine['id']}", {"status": "present"}, status=403)
    boss.refused("DELETE", f"/hr/attendance/{mine['id']}", status=403)
    boss.refused("POST", "/hr/attendance", {"records": [body | {"employeeId": boss.employee["id"]}]}, status=403)


def batch(office, people, **more):
    body = {"employeeIds": [each["id"] for each in people], "dateFrom": "2026-11-20", "dateTo": "2026-11-24"}
    return office.ok("POST", "/hr/attendance/batch", body | more)


def test_a_team_is_recorded_on_its_working_days(acme, boss):
    ann, ben = boss.reports
    leave(boss, ben, "2026-11-23", "2026-11-23", approve=True)
    acme.ok("POST", "/hr/holidays", {"date": "2026-11-24", "name": "Feast"})
    times = {"punches": [{"in": "08:00", "out": "16:30"}], "breakMinutes": 30}
    listed = batch(boss, boss.reports, dryRun=True, **times)
    days = [("Ann", "2026-11-20"), ("Ann", "2026-11-23"), ("Ben", "2026-11-20")]
    assert [(row["employeeName"], row["date"]) for row in listed["days"]] == days
    assert boss.ok("GET", "/hr/attendance") == []
    assert batch(boss, boss.reports, **times)["days"] == listed["days"]
    assert {row["workedMinutes"] for row in boss.ok("GET", "/hr/attendance")} == {480}
    error = boss.refused(
        "POST",
        "/hr/attendance/batch",
        {"employeeIds": [ann["id"]], "dateFrom": "2026-11-20", "dateTo": "2026-11-23"},
        status=422,
    )
    assert complaint(error) == ("dateFrom", "no_days")
    body = {"employeeIds": [ann["id"]], "dateFrom": "2026-11-19", "dateTo": "2026-11-20", "skipRecorded": False}
    refused = boss.refused("POST", "/hr/attendance/batch", body, status=409, code="already_exists")
    assert [(each["field"], each["message"].partition(": ")[0]) for each in refused["details"]] == [
        ("employeeIds[0]", "Ann, 20 Nov 2026")
    ]
    assert len(boss.ok("GET", "/hr/attendance")) == 3


def test_a_batch_is_refused_for_people_of_others_and_for_the_future(acme, boss):
    other = hire(acme, name="Other", workSchedule=WEEK)
    body = {"employeeIds": [boss.reports[0]["id"], other["id"]], "dateFrom": "2026-11-24", "dateTo": "2026-11-24"}
    boss.refused("POST", "/hr/attendance/batch", body, status=403)
    late = {"employeeIds": [other["id"]], "dateFrom": "2026-11-26", "dateTo": "2026-11-27"}
    refused = acme.refused("POST", "/hr/attendance/batch", late, status=422)
    assert [each["message"] for each in refused["details"]] == [
        "Other, 27 Nov 2026: The date is in the future. It can only be marked as leave or public holiday."
    ]
    crossed = {"employeeIds": body["employeeIds"], "dateFrom": "2026-11-20", "dateTo": "2026-11-24", "breakMinutes": 30}
    assert complaints(
        boss.refused(
            "POST",
            "/hr/attendance/batch",
            crossed | {"employeeIds": [boss.reports[0]["id"], boss.reports[1]["id"]]},
            status=422,
        )
    ) == {"breakMinutes": "no_punches"}
    unknown = body | {"employeeIds": ["nobody"]}
    assert complaints(acme.refused("POST", "/hr/attendance/batch", unknown, status=422)) == {
        "employeeIds[0]": "unknown_reference"
    }
    assert acme.ok("GET", "/hr/attendance") == []


def correction(office, employee, day, **more):
    body = {"employeeId": employee["id"], "date": day, "reason": "Forgot", "status": "remote", **more}
    return office.ok("POST", "/hr/attendance-corrections", body)["id"]


def test_corrections_are_decided_together_all_or_none(acme, boss):
    one, two = (correction(boss, each, "2026-11-24") for each in boss.reports)
    path = "/hr/attendance-corrections/decide"
    verdicts = [{"id": one, "decision": "approve"}, {"id": two, "decision": "reject", "note": "No"}]
    error = boss.refused("POST", path, {"decisions": [*verdicts, {"id": "gone", "decision": "reject"}]}, status=422)
    assert complaint(error)[0] == "decisions[2]"
    decided = boss.ok("POST", path, {"decisions": verdicts})["corrections"]
    assert [(row["id"], row["status"], row["decisionNote"]) for row in decided] == [
        (one, "approved", None),
        (two, "rejected", "No"),
    ]
    assert [row["status"] for row in boss.ok("GET", "/hr/attendance")] == ["remote"]


def test_an_approved_correction_is_undone_and_the_day_is_as_before(acme, boss):
    ann = boss.reports[0]
    record = boss.ok("POST", "/hr/attendance", {"employeeId": ann["id"], "date": "2026-11-24", "status": "absent"})
    fixed, new = correction(boss, ann, "2026-11-24"), correction(boss, ann, "2026-11-25")
    for id in (fixed, new):
        boss.ok("POST", f"/hr/attendance-corrections/{id}/approve", {})
    assert len(boss.ok("GET", "/hr/attendance")) == 2
    for id in (fixed, new):
        undone = boss.ok("POST", f"/hr/attendance-corrections/{id}/decision/undo")
        assert (undone["status"], undone["decidedAt"]) == ("pending", None)
    (shown,) = boss.ok("GET", "/hr/attendance")
    assert (shown["id"], shown["status"], shown["workedMinutes"]) == (record["id"], "absent", 0)
    assert events_of(acme, fixed)[-1] == "attendance_correction.decision_undone"
    boss.ok("POST", f"/hr/attendance-corrections/{fixed}/approve", {})
    boss.ok("PATCH", f"/hr/attendance/{record['id']}", {"note": "seen"})
    boss.refused("POST", f"/hr/attendance-corrections/{fixed}/decision/undo", status=409, code="invalid_transition")
