import pytest

from erp.hr.leave.applications import NewLeave
from tests.events import events_of
from tests.hr.leave.applications import ask, balance, decide, hired, hired_colleague, leave, left, type_id, week
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def mia(acme):
    """A member with an employee record, and its id."""
    return hired_colleague(acme)


def shown(asked):
    return [(day["date"][8:], day["fraction"], day["counted"], day["why"]) for day in asked["dayDetails"]]


def test_leave_is_requested_and_each_of_its_days_is_explained(acme, mia):
    member, id = mia
    acme.ok("POST", "/hr/holidays", {"date": "2026-04-06", "name": "Easter Monday"})
    answer = member.call("POST", "/hr/leaves", leave("2026-04-03", "2026-04-07", startHalf=True, reason="Lambs"))
    asked = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/hr/leaves/{asked['id']}"
    assert shown(asked) == [
        ("03", "0.5", "0.5", "Half day, from noon"),
        ("04", "1", "0", "Saturday is not a working day"),
        ("05", "1", "0", "Sunday is not a working day"),
        ("06", "1", "0", "Holiday: Easter Monday"),
        ("07", "1", "1", "Working day"),
    ]
    requested = {
        name: asked[name] for name in ("employeeId", "leaveTypeName", "days", "status", "reason", "decidedByUserId")
    }
    assert requested == {
        "employeeId": id,
        "leaveTypeName": "Annual leave",
        "days": "1.5",
        "status": "pending",
        "reason": "Lambs",
        "decidedByUserId": None,
    }
    assert (asked["balanceBefore"], asked["balanceAfter"]) == ("20", "18.5")
    assert member.ok("GET", f"/hr/leaves/{asked['id']}") | {"warnings": []} == asked
    assert left(member, id) == ("20", "1.5", "18.5")
    assert events_of(acme, asked["id"]) == ["leave.pending"]


def test_the_documented_example_works(acme):
    mia = hired(acme)
    asked = acme.ok("POST", "/hr/leaves", NewLeave.EXAMPLE)
    assert (asked["days"], asked["employeeId"]) == ("5", mia)


def test_a_week_of_leave_takes_three_days_of_a_three_day_schedule(acme):
    part_time = hired(acme, workSchedule=week("1010100"))
    asked = ask(acme, "2026-05-04", "2026-05-10", employeeId=part_time)
    assert asked["days"] == "3"
    assert shown(asked)[1][3] == "Tuesday is not a working day"


def test_the_days_of_pending_leave_are_reserved_and_approval_takes_them(acme, mia):
    member, id = mia
    first = ask(member, "2026-05-04", "2026-05-15")
    second = ask(member, "2026-06-01", "2026-06-05")
    assert (second["balanceBefore"], second["balanceAfter"]) == ("10", "5")
    assert left(member, id) == ("20", "15", "5")
    approved = decide(acme, first, note="Enjoy it")
    assert (approved["status"], approved["decidedByUserId"]) == ("approved", acme.user["id"])
    assert (approved["decisionNote"], approved["decidedAt"]) == ("Enjoy it", "2026-03-02T09:00:00.000Z")
    assert left(member, id) == ("10", "5", "5")
    assert balance(member, id)["taken"] == "10"
    decide(acme, second, "reject")
    assert left(member, id) == ("10", "0", "10")
    decide(member, first, "cancel")
    assert left(member, id) == ("20", "0", "20")
    assert events_of(acme, first["id"]) == ["leave.pending", "leave.approved", "leave.cancelled"]
    assert events_of(acme, second["id"]) == ["leave.pending", "leave.rejected"]


def test_the_refusal_of_too_much_leave_says_how_much_is_left(mia):
    member, id = mia
    ask(member, "2026-05-04", "2026-05-26")
    error = member.refused("POST", "/hr/leaves", leave("2026-06-01", "2026-06-04"), status=422, code="too_little_leave")
    assert error["message"] == "Annual leave 2026: 3 days remain, but this leave takes 4 days."
    assert ask(member, "2026-06-01", "2026-06-03")["balanceAfter"] == "0"
    error = member.refused("POST", "/hr/leaves", leave("2026-06-04", endHalf=True), status=422)
    assert complaint(error) == ("endDate", "too_little_leave")
    assert left(member, id) == ("20", "20", "0")


def test_no_one_is_refused_being_ill(mia):
    member, id = mia
    sick = type_id(member, "sick")
    asked = ask(member, "2026-03-02", "2026-03-31", leaveTypeId=sick)
    assert (asked["days"], asked["balanceBefore"], asked["balanceAfter"]) == ("22", "0", "-22")
    assert left(member, id, "sick") == ("0", "22", "-22")


def test_leave_across_the_turn_of_the_year_takes_days_of_both_years(acme, mia):
    member, id = mia
    asked = ask(member, "2026-12-28", "2027-01-08")
    assert (asked["days"], asked["balanceBefore"], asked["balanceAfter"]) == ("10", "40", "30")
    assert (left(member, id), left(member, id, year=2027)) == (("20", "4", "16"), ("20", "6", "14"))
    decide(acme, asked)
    assert (left(member, id), left(member, id, year=2027)) == (("16", "0", "16"), ("14", "0", "14"))
    decide(acme, asked, "cancel")
    assert (left(member, id), left(member, id, year=2027)) == (("20", "0", "20"), ("20", "0", "20"))


def test_leave_across_the_turn_of_the_year_needs_enough_in_each_year(mia):
    member, _ = mia
    ask(member, "2026-03-03", "2026-03-26")
    message = member.refused("POST", "/hr/leaves", leave("2026-12-28", "2027-01-08"), status=422)["message"]
    assert message == "Annual leave 2026: 2 days remain, but this leave takes 4 days."


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        (leave("2026-05-09", "2026-05-10"), "startDate", "no_leave_days"),
        (leave("2026-05-05", "2026-05-04"), "endDate", "before_start"),
        (leave("2026-05-05", startHalf=True, endHalf=True), "endHalf", "both_halves"),
        (leave("2026-05-05", "2029-05-10"), "endDate", "too_long"),
        (leave("2019-12-30", "2020-01-03"), "startDate", "not_employed_then"),
        (leave("2026-05-05", leaveTypeId="none"), "leaveTypeId", "unknown_reference"),
        (leave("2026-05-05", days="1"), "days", "read_only"),
    ],
)
def test_leave_that_does_not_fit_is_refused(mia, fields, field, code):
    assert complaint(mia[0].refused("POST", "/hr/leaves", fields, status=422)) == (field, code)


def test_the_message_says_why_leave_takes_no_day(acme, mia):
    acme.ok("POST", "/hr/holidays", {"date": "2026-05-01", "name": "Labour Day"})
    error = mia[0].refused("POST", "/hr/leaves", leave("2026-05-01", "2026-05-03"), status=422, code="no_leave_days")
    assert error["message"] == (
        "This leave includes no working days: Holiday: Labour Day; Saturday is not a working day; "
        "Sunday is not a working day."
    )


def test_no_one_is_on_leave_after_their_last_day(acme, mia):
    acme.ok("POST", f"/hr/employees/{mia[1]}/terminate", {"date": "2026-06-30"})
    error = mia[0].refused("POST", "/hr/leaves", leave("2026-06-29", "2026-07-01"), status=422)
    assert complaint(error) == ("endDate", "not_employed_then")
    assert ask(mia[0], "2026-06-29", "2026-06-30")["days"] == "2"


def test_leave_does_not_overlap_other_leave_and_the_refusal_names_it(acme, mia):
    member, _ = mia
    decide(acme, ask(member, "2026-05-04", "2026-05-06"))
    error = member.refused("POST", "/hr/leaves", leave("2026-05-06", "2026-05-08"), status=422, code="leave_overlap")
    assert error["message"] == "The leave overlaps approved leave from 4 May 2026 to 6 May 2026."
    pending = ask(member, "2026-06-01", "2026-06-02")
    error = member.refused("POST", "/hr/leaves", leave("2026-06-02"), status=422, code="leave_overlap")
    assert "pending leave" in error["message"]
    decide(acme, pending, "reject")
    ask(member, "2026-06-02")


def test_two_halves_of_a_day_are_no_overlap(mia):
    member, id = mia
    ask(member, "2026-05-04", "2026-05-05", endHalf=True)
    member.refused("POST", "/hr/leaves", leave("2026-05-05", endHalf=True), status=422, code="leave_overlap")
    member.refused("POST", "/hr/leaves", leave("2026-05-05"), status=422, code="leave_overlap")
    assert ask(member, "2026-05-05", startHalf=True)["days"] == "0.5"
    member.refused("POST", "/hr/leaves", leave("2026-05-05", startHalf=True), status=422, code="leave_overlap")
    assert left(member, id) == ("20", "2", "18")


def test_leave_of_two_people_is_no_overlap(acme, mia):
    ask(mia[0], "2026-05-04")
    assert ask(acme, "2026-05-04", employeeId=hired(acme, "Ben"))["status"] == "pending"


def test_a_leave_type_limits_the_days_at_a_time_and_requires_notice(acme, mia):
    member, id = mia
    study = {"name": "Study", "allowanceDays": "10", "maxConsecutiveDays": "3", "minNoticeDays": 14}
    kind = acme.ok("POST", "/hr/leave-types", study)["id"]
    refused = member.refused("POST", "/hr/leaves", leave("2026-03-15", "2026-03-16", leaveTypeId=kind), status=422)
    assert complaint(refused) == ("startDate", "notice_too_short")
    assert refused["message"] == "Study must be requested at least 14 days before it begins."
    short = acme.ok("POST", "/hr/leave-types", study | {"name": "Move", "minNoticeDays": 1})["id"]
    refused = member.refused("POST", "/hr/leaves", leave("2026-03-02", "2026-03-02", leaveTypeId=short), status=422)
    assert refused["message"] == "Move must be requested at least 1 day before it begins."
    refused = member.refused("POST", "/hr/leaves", leave("2026-03-16", "2026-03-19", leaveTypeId=kind), status=422)
    assert complaint(refused) == ("endDate", "too_many_consecutive_days")
    assert refused["message"] == "Study: at most 3 days in a row. This leave takes 4 days."
    ask(member, "2026-03-16", "2026-03-18", leaveTypeId=kind)
    ask(acme.colleague("hr"), "2026-03-03", leaveTypeId=kind, employeeId=id)


def test_an_archived_leave_type_cannot_be_requested(acme, mia):
    annual = type_id(acme)
    acme.ok("POST", f"/hr/leave-types/{annual}/archive")
    error = mia[0].refused("POST", "/hr/leaves", leave("2026-05-04", leaveTypeId=annual), status=422)
    assert complaint(error) == ("leaveTypeId", "archived")
    assert ask(mia[0], "2026-05-04")["leaveTypeName"] == "Sick leave"


def test_without_an_employee_record_no_leave_is_requested(acme):
    acme.colleague("member").refused("POST", "/hr/leaves", leave("2026-05-04"), status=409, code="no_employee_record")


def test_members_request_leave_only_for_themselves(acme, mia):
    member, id = mia
    other = hired(acme, "Ben")
    for employee in (other, "nobody"):
        body = leave("2026-05-04", employeeId=employee)
        member.refused("POST", "/hr/leaves", body, status=403, code="forbidden")
        acme.colleague("manager").refused("POST", "/hr/leaves", body, status=403, code="forbidden")
    assert ask(member, "2026-05-04", employeeId=id)["employeeId"] == id
    assert ask(acme.colleague("hr"), "2026-05-04", employeeId=other)["employeeId"] == other
    error = acme.refused("POST", "/hr/leaves", leave("2026-05-04", employeeId="nobody"), status=422)
    assert complaint(error) == ("employeeId", "unknown_reference")


def test_members_see_only_their_own_leave(acme, mia):
    member, _ = mia
    ben = hired(acme, "Ben")
    own, other = ask(member, "2026-05-04", reason="Mine"), ask(acme, "2026-05-05", employeeId=ben, reason="His")
    assert [each["id"] for each in member.ok("GET", "/hr/leaves")] == [own["id"]]
    member.refused("GET", "/hr/leaves", params={"employeeId": ben}, status=403, code="forbidden")
    member.refused("GET", "/hr/leaves", params={"employeeId": "nobody"}, status=403, code="forbidden")
    member.refused("GET", f"/hr/leaves/{other['id']}", status=403, code="forbidden")
    assert acme.colleague("viewer").ok("GET", "/hr/leaves") == []
    hr = acme.colleague("hr")
    assert {each["reason"] for each in hr.ok("GET", "/hr/leaves")} == {"Mine", "His"}
    assert [each["employeeName"] for each in hr.ok("GET", "/hr/leaves", params={"employeeId": ben})] == ["Ben"]


def test_leave_is_listed_by_type_status_and_days(acme, mia):
    member, _ = mia
    sick = type_id(acme, "sick")
    may, june = ask(member, "2026-05-04", "2026-05-08"), ask(member, "2026-06-01", leaveTypeId=sick)
    july = decide(acme, ask(member, "2026-07-01"), "reject")

    def found(**params):
        return [each["startDate"][5:7] for each in acme.ok("GET", "/hr/leaves", params=params)]

    decide(acme, june)
    assert found() == ["07", "06", "05"]
    assert found(sort="startDate") == ["05", "06", "07"]
    assert found(leaveTypeId=sick) == ["06"]
    assert found(status="pending") == ["05"]
    assert found(status="approved,rejected") == ["07", "06"]
    assert found(dateFrom="2026-05-08", dateTo="2026-06-30") == ["06", "05"]
    assert found(dateFrom="2026-05-09") == ["07", "06"]
    assert found(dateTo="2026-05-03") == []
    assert [may["status"], july["status"]] == ["pending", "rejected"]
    error = acme.refused("GET", "/hr/leaves", params={"status": "open"}, status=400, code="bad_parameter")
    assert error["message"].startswith("status: ")


def test_the_log_names_neither_the_leave_type_nor_the_reason(acme, mia):
    asked = ask(mia[0], "2026-05-04", leaveTypeId=type_id(acme, "sick"), reason="Broken leg")
    (event,) = acme.ok("GET", "/workspace/events", params={"resourceId": asked["id"]})
    data = {"employeeId": mia[1], "startDate": "2026-05-04", "endDate": "2026-05-04", "days": "1"}
    assert event["data"] == data


def test_employees_can_be_named_by_number(acme, mia):
    member, id = mia
    ask(member, "2026-05-04")
    number = acme.ok("GET", f"/hr/employees/{id}")["employeeNumber"]
    for office in (acme, member):
        for path in ("/hr/leaves", "/hr/leave-balances", "/hr/attendance/summary"):
            found = office.ok("GET", path, params={"employeeId": number})
            assert {each["employeeId"] for each in found} == {id}, path
    member.refused("GET", "/hr/leaves", params={"employeeId": "EMP-0099"}, status=403, code="forbidden")


def test_leave_is_counted_by_status(acme):
    hired(acme)
    first = ask(acme, "2026-06-01", "2026-06-02", employeeId="EMP-0001")
    ask(acme, "2026-06-03", employeeId="EMP-0001")
    decide(acme, first, "reject")
    counts = [{"status": "pending", "count": 1, "days": "1"}, {"status": "rejected", "count": 1, "days": "2"}]
    assert acme.ok("GET", "/hr/leaves", params={"groupBy": "status"}) == counts
    assert acme.ok("GET", "/hr/leaves", params={"groupBy": "status", "status": "pending"}) == counts[:1]
