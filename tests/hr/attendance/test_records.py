import pytest

from erp.hr.attendance.bodies import AttendanceChange, NewAttendance
from tests.events import events_of
from tests.hr.attendance.records import NOW, employee_at_work, grant_leave, marked_day, minutes, punch, settle, types
from tests.hr.employees.employees import pay
from tests.refusals import complaint

MONDAY, TUESDAY, SATURDAY = "2026-03-02", "2026-03-03", "2026-03-07"


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def anna(acme):
    return acme.once(employee_at_work)


def refused(office, employee_id, *punches, day=MONDAY, **fields):
    body = {"employeeId": employee_id, "date": day, "punches": list(punches), **fields}
    return complaint(office.refused("POST", "/hr/attendance", body, status=422))


def listed(office, **params):
    return [row["date"] for row in office.ok("GET", "/hr/attendance", params=params)]


def test_a_day_is_recorded_with_its_punches_and_its_break(acme, anna):
    body = {
        "employeeId": anna,
        "date": MONDAY,
        "punches": [punch("03-02 08:00", "12:00"), punch("03-02 12:30", "18:00")],
        "breakMinutes": 15,
        "note": "Stocktaking",
    }
    answer = acme.call("POST", "/hr/attendance", body)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/hr/attendance/{made['id']}"
    assert minutes(made) == (555, 480, 75)
    assert (made["status"], made["source"], made["employeeName"], made["note"]) == (
        "present", "manual", "Anna", "Stocktaking",
    )  # fmt: skip
    assert made["punches"][1] == {"in": "2026-03-02T12:30:00.000Z", "out": "2026-03-02T18:00:00.000Z"}
    assert "records" not in made
    assert acme.ok("GET", f"/hr/attendance/{made['id']}") == made
    assert acme.ok("GET", "/hr/attendance") == [made]
    assert events_of(acme, made["id"]) == ["attendance.recorded"]


def test_the_documented_examples_work(acme, anna):
    made = acme.ok("POST", "/hr/attendance", NewAttendance.EXAMPLE)
    assert made["employeeId"] == anna, "named by number"
    changed = acme.ok("PATCH", f"/hr/attendance/{made['id']}", AttendanceChange.EXAMPLE)
    assert (changed["breakMinutes"], changed["workedMinutes"]) == (30, 480)


@pytest.mark.parametrize(
    ("status", "worked", "expected"),
    [("present", 480, 480), ("remote", 480, 480), ("half_day", 240, 480), ("absent", 0, 480), ("on_leave", 0, 0),
     ("holiday", 0, 0)],
)  # fmt: skip
def test_a_day_without_punches_counts_what_its_status_says(acme, anna, status, worked, expected):
    assert minutes(marked_day(acme, anna, MONDAY, status=status)) == (worked, expected, 0)


def test_work_on_a_holiday_and_on_a_weekend_is_overtime(acme, anna):
    acme.ok("POST", "/hr/holidays", {"date": MONDAY, "name": "Founders' day"})
    assert minutes(marked_day(acme, anna, MONDAY, punch("03-02 08:00", "10:00"))) == (120, 0, 120)
    assert minutes(marked_day(acme, anna, SATURDAY, punch("03-07 08:00", "10:00"))) == (120, 0, 120)


def test_no_work_is_expected_on_approved_leave(acme, anna):
    grant_leave(acme, anna, MONDAY, endHalf=True)
    grant_leave(acme, anna, TUESDAY)
    assert minutes(marked_day(acme, anna, MONDAY, punch("03-02 12:00", "17:00"))) == (300, 240, 60)
    assert minutes(marked_day(acme, anna, TUESDAY, status="on_leave")) == (0, 0, 0)


def test_a_night_shift_is_an_hour_shorter_when_the_clocks_go_forward(acme, anna):
    """In New York it is 03:00 after 01:59 on 8 March 2026; the shift begins on the 8th in Greenwich."""
    settle(acme, timeZone="America/New_York")
    shift = {"in": "2026-03-07T22:00:00-05:00", "out": "2026-03-08T06:00:00-04:00"}
    assert minutes(marked_day(acme, anna, SATURDAY, shift)) == (420, 0, 420)


def test_a_night_shift_is_an_hour_longer_when_the_clocks_go_back(acme):
    settle(acme, timeZone="Europe/Berlin")
    ben = employee_at_work(acme, "Ben", hireDate="2025-10-01")
    shift = {"in": "2025-10-25T22:00:00+02:00", "out": "2025-10-26T06:00:00+01:00"}
    assert minutes(marked_day(acme, ben, "2025-10-25", shift)) == (540, 0, 540)


def test_punches_are_rounded_as_the_office_has_set(acme, anna):
    settle(acme, punchRounding={"step": 15, "mode": "nearest"})
    assert marked_day(acme, anna, MONDAY, punch("03-02 08:07", "16:08"))["workedMinutes"] == 495
    settle(acme, punchRounding=None)
    assert marked_day(acme, anna, TUESDAY, punch("03-03 08:07", "16:08"))["workedMinutes"] == 481


@pytest.mark.parametrize(
    ("punches", "expected"),
    [
        ([punch("03-02 09:00", "08:00")], ("punches[0].out", "not_after_in")),
        ([punch("03-02 09:00", "09:00")], ("punches[0].out", "not_after_in")),
        ([punch("03-02 08:00", "12:00"), punch("03-02 11:59", "13:00")], ("punches[1].in", "overlaps")),
        ([punch("03-02 13:00", "14:00"), punch("03-02 08:00", "12:00")], ("punches[1].in", "overlaps")),
        ([punch("03-02 08:00", "03-03 08:01")], ("punches[0].out", "too_long")),
        ([punch("03-02 08:00"), punch("03-02 09:00", "10:00")], None),
        ([punch("03-03 00:00", "08:00")], ("punches[0].in", "other_day")),
        ([punch("03-01 23:59", "03-02 08:00")], ("punches[0].in", "other_day")),
        ([punch("03-02 08:00")], ("punches[0].out", "required")),
    ],
)
def test_impossible_punches_are_refused(acme, anna, punches, expected):
    body = {"employeeId": anna, "date": MONDAY, "punches": punches}
    error = acme.refused("POST", "/hr/attendance", body, status=422)
    if expected is not None:
        assert complaint(error) == expected
    else:
        assert ("punches[0].out", "required") in [(each["field"], each["code"]) for each in error["details"]]


def test_no_one_has_worked_in_the_future(acme, anna):
    assert refused(acme, anna, punch("03-11 08:00", "17:01"), day="2026-03-11") == ("punches[0].out", "future")
    assert refused(acme, anna, day="2026-03-12", status="absent") == ("date", "future")
    assert marked_day(acme, anna, "2026-03-12", status="on_leave")["status"] == "on_leave"


def test_a_break_is_not_longer_than_what_it_is_taken_off(acme, anna):
    assert refused(acme, anna, punch("03-02 08:00", "09:00"), breakMinutes=61) == ("breakMinutes", "too_long")
    assert refused(acme, anna, breakMinutes=1) == ("breakMinutes", "no_punches")
    assert minutes(marked_day(acme, anna, MONDAY, punch("03-02 08:00", "09:00"), breakMinutes=60))[0] == 0


@pytest.mark.parametrize("status", ["absent", "on_leave", "holiday"])
def test_who_is_not_at_work_has_no_punches(acme, anna, status):
    assert refused(acme, anna, punch("03-02 08:00", "09:00"), status=status) == ("punches", "not_at_work")


def test_nobody_is_marked_on_days_outside_employment(acme):
    ben = employee_at_work(acme, "Ben", hireDate=TUESDAY)
    assert refused(acme, ben) == ("date", "not_employed")
    acme.ok("POST", f"/hr/employees/{ben}/terminate", {"date": "2026-03-05"})
    assert marked_day(acme, ben, "2026-03-05")["date"] == "2026-03-05"
    assert refused(acme, ben, day="2026-03-06") == ("date", "not_employed")


def test_a_shift_over_midnight_stays_with_its_day_and_the_next_begins_after_it(acme, anna):
    night = marked_day(acme, anna, MONDAY, punch("03-02 22:00", "03-03 02:00"), punch("03-03 02:30", "03-03 06:00"))
    assert (night["date"], night["workedMinutes"]) == (MONDAY, 450)
    assert refused(acme, anna, punch("03-03 05:59", "07:00"), day=TUESDAY) == ("punches[0].in", "overlaps")
    assert marked_day(acme, anna, TUESDAY, punch("03-03 06:00", "07:00"))["workedMinutes"] == 60
    longer = {"punches": [punch("03-02 22:00", "03-03 06:01")]}
    error = acme.refused("PATCH", f"/hr/attendance/{night['id']}", longer, status=422)
    assert complaint(error) == ("punches[0].in", "overlaps")


def test_a_day_has_one_record(acme, anna):
    marked_day(acme, anna, MONDAY, punch("03-02 08:00", "09:00"))
    body = {"employeeId": anna, "date": MONDAY, "punches": [punch("03-02 08:00", "09:00")]}
    error = acme.refused("POST", "/hr/attendance", body, status=409, code="already_exists")
    assert "2 Mar 2026" in error["message"]
    assert complaint(error) == ("date", "already_exists")
    marked_day(acme, employee_at_work(acme, "Ben"), MONDAY)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"employeeId": "nobody"}, ("employeeId", "unknown_reference")),
        ({"status": "ill"}, ("status", "not_one_of")),
        ({"date": "2026-02-30"}, ("date", "not_a_date")),
        ({"breakMinutes": -1}, ("breakMinutes", "out_of_range")),
        ({"punches": [{"out": "2026-03-02T08:00:00Z"}]}, ("punches[0].in", "required")),
        ({"punches": [{"in": "2026-03-02T08:00:00"}]}, ("punches[0].in", "not_an_instant")),
        ({"workedMinutes": 480}, ("workedMinutes", "read_only")),
        ({"source": "clock"}, ("source", "read_only")),
    ],
)
def test_a_record_that_does_not_fit_is_refused(acme, anna, fields, expected):
    body = {"employeeId": anna, "date": MONDAY} | fields
    assert complaint(acme.refused("POST", "/hr/attendance", body, status=422)) == expected
    assert acme.ok("GET", "/hr/attendance") == []


def test_a_record_needs_a_day_and_an_employee(acme, anna):
    assert complaint(acme.refused("POST", "/hr/attendance", {"employeeId": anna}, status=422)) == ("date", "required")
    acme.refused("POST", "/hr/attendance", {"date": MONDAY}, status=409, code="no_employee_record")


def test_a_changed_record_is_recomputed(acme, anna):
    made = marked_day(acme, anna, MONDAY, punch("03-02 08:00", "16:00"), note="Left early")
    path = f"/hr/attendance/{made['id']}"
    changed = acme.ok("PATCH", path, {"breakMinutes": 30})
    assert (changed["workedMinutes"], changed["note"], changed["version"]) == (450, "Left early", 2)
    assert acme.ok("PATCH", path, {"breakMinutes": 30}) == changed, "which is no change"
    error = acme.refused("PATCH", path, {"status": "absent"}, status=422)
    assert complaint(error) == ("punches", "not_at_work")
    gone = acme.ok("PATCH", path, {"status": "absent", "punches": [], "breakMinutes": 0, "note": None})
    assert (gone["workedMinutes"], gone["punches"], gone["note"]) == (0, [], None)
    assert events_of(acme, made["id"]) == ["attendance.recorded", "attendance.updated", "attendance.updated"]


def test_a_record_is_deleted_and_can_be_made_again(acme, anna):
    made = marked_day(acme, anna, MONDAY)
    acme.refused("DELETE", f"/hr/attendance/{made['id']}", status=412, headers={"If-Match": '"9"'})
    assert acme.ok("DELETE", f"/hr/attendance/{made['id']}") == {}
    acme.refused("GET", f"/hr/attendance/{made['id']}", status=404, code="not_found")
    marked_day(acme, anna, MONDAY)
    assert types(acme) == ["attendance.recorded", "attendance.deleted", "attendance.recorded"]


def test_a_day_that_payroll_has_paid_is_recorded_changed_and_deleted(acme, anna):
    pay(acme, {"id": anna}, MONDAY)
    made = marked_day(acme, anna, MONDAY)
    path = f"/hr/attendance/{made['id']}"
    assert acme.ok("PATCH", path, {"note": "Was here"})["note"] == "Was here"
    acme.ok("DELETE", path)
    assert listed(acme) == []


def test_a_draft_payroll_run_locks_no_day(acme, anna):
    pay(acme, {"id": anna}, MONDAY, status="draft")
    made = marked_day(acme, anna, MONDAY)
    acme.ok("DELETE", f"/hr/attendance/{made['id']}")


def test_many_days_are_imported_at_once(acme, anna):
    ben = employee_at_work(acme, "Ben")
    records = [
        {"employeeId": anna, "date": MONDAY, "punches": [punch("03-02 08:00", "16:00")]},
        {"employeeId": "EMP-0002", "date": MONDAY, "status": "remote", "note": "From home"},
        {"employeeId": ben, "date": TUESDAY, "status": "absent"},
    ]
    made = acme.ok("POST", "/hr/attendance", {"records": records})
    assert [(each["employeeName"], each["date"], each["workedMinutes"]) for each in made["records"]] == [
        ("Anna", MONDAY, 480), ("Ben", MONDAY, 480), ("Ben", TUESDAY, 0),
    ]  # fmt: skip
    assert {each["source"] for each in made["records"]} == {"import"}
    assert made["id"] == made["records"][0]["id"]
    assert types(acme) == ["attendance.imported"]


def test_an_import_names_every_wrong_field_and_records_nothing(acme, anna):
    records = [
        {"employeeId": anna, "date": MONDAY},
        {"employeeId": anna, "date": MONDAY},
        {"employeeId": anna, "date": TUESDAY, "punches": [punch("03-02 22:00", "03-03 01:00")]},
        {"employeeId": anna, "date": "2026-03-12"},
    ]
    error = acme.refused("POST", "/hr/attendance", {"records": records}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [
        ("records[1].date", "duplicate"), ("records[2].punches[0].in", "other_day"), ("records[3].date", "future"),
    ]  # fmt: skip
    records = [{"employeeId": anna, "date": MONDAY}, {"employeeId": "nobody", "date": MONDAY}]
    error = acme.refused("POST", "/hr/attendance", {"records": records}, status=422)
    assert complaint(error) == ("records[1].employeeId", "unknown_reference")
    assert acme.ok("GET", "/hr/attendance") == []


def test_an_import_is_refused_as_a_whole_if_a_day_is_recorded(acme, anna):
    marked_day(acme, anna, TUESDAY)
    records = [{"employeeId": anna, "date": MONDAY}, {"employeeId": anna, "date": TUESDAY}]
    error = acme.refused("POST", "/hr/attendance", {"records": records}, status=409, code="already_exists")
    assert complaint(error)[0] == "records[1].date"
    assert listed(acme) == [TUESDAY]


def test_imported_days_do_not_overlap_each_other(acme, anna):
    records = [
        {"employeeId": anna, "date": MONDAY, "punches": [punch("03-02 22:00", "03-03 06:00")]},
        {"employeeId": anna, "date": TUESDAY, "punches": [punch("03-03 05:00", "09:00")]},
    ]
    error = acme.refused("POST", "/hr/attendance", {"records": records}, status=422)
    assert complaint(error) == ("records[1].punches[0].in", "overlaps")


def test_fields_beside_the_records_of_an_import_are_refused(acme, anna):
    body = {"employeeId": anna, "records": [{"employeeId": anna, "date": MONDAY}]}
    assert complaint(acme.refused("POST", "/hr/attendance", body, status=422)) == ("employeeId", "not_applicable")
    assert complaint(acme.refused("POST", "/hr/attendance", {"records": []}, status=422)) == ("records", "too_few")


def test_a_thousand_days_are_imported_and_not_one_more(acme):
    names = [employee_at_work(acme, f"Worker {n}") for n in range(40)]
    days = [f"2026-02-{day:02}" for day in range(1, 26)]
    records = [{"employeeId": name, "date": day, "status": "present"} for name in names for day in days]
    assert len(acme.ok("POST", "/hr/attendance", {"records": records})["records"]) == 1000
    error = acme.refused("POST", "/hr/attendance", {"records": [*records, records[0]]}, status=422)
    assert complaint(error) == ("records", "too_many")


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_no_one_without_the_right_records_by_hand_not_even_their_own_day(acme, role):
    person = acme.colleague(role)
    own = employee_at_work(acme, "Mia", person)
    made = marked_day(acme, own, MONDAY)
    person.refused("POST", "/hr/attendance", {"date": TUESDAY}, status=403, code="forbidden")
    person.refused("PATCH", f"/hr/attendance/{made['id']}", {"note": "x"}, status=403, code="forbidden")
    person.refused("DELETE", f"/hr/attendance/{made['id']}", status=403, code="forbidden")
    assert person.ok("GET", f"/hr/attendance/{made['id']}") == made


@pytest.mark.parametrize("role", ["admin", "hr"])
def test_human_resources_records_the_days_of_others(acme, anna, role):
    person = acme.colleague(role)
    made = marked_day(person, anna, MONDAY)
    assert person.ok("PATCH", f"/hr/attendance/{made['id']}", {"note": "x"})["note"] == "x"


@pytest.mark.parametrize("role", ["accountant", "member", "viewer"])
def test_most_roles_see_only_their_own_days(acme, anna, role):
    person = acme.colleague(role)
    own = employee_at_work(acme, "Mia", person)
    theirs, mine = marked_day(acme, anna, MONDAY), marked_day(acme, own, TUESDAY)
    assert person.ok("GET", "/hr/attendance") == [mine]
    assert person.ok("GET", "/hr/attendance", params={"employeeId": own}) == [mine]
    for other in (anna, "nobody"):
        person.refused("GET", "/hr/attendance", params={"employeeId": other}, status=403, code="forbidden")
    person.refused("GET", f"/hr/attendance/{theirs['id']}", status=403, code="forbidden")
    person.refused("GET", "/hr/attendance/nothing", status=404, code="not_found")


def test_human_resources_see_all_days_and_users_without_an_employee_record_see_none(acme, anna):
    marked_day(acme, anna, MONDAY)
    assert listed(acme.colleague("hr")) == [MONDAY]
    assert acme.colleague("member").ok("GET", "/hr/attendance") == []


def test_days_are_filtered_and_sorted(acme, anna):
    ben = employee_at_work(acme, "Ben")
    for day, status in (("2026-03-03", "present"), ("2026-03-02", "absent"), ("2026-03-04", "present")):
        marked_day(acme, anna, day, status=status)
    marked_day(acme, ben, "2026-03-05")
    assert listed(acme) == ["2026-03-05", "2026-03-04", "2026-03-03", "2026-03-02"]
    assert listed(acme, sort="date", employeeId=anna) == ["2026-03-02", "2026-03-03", "2026-03-04"]
    assert listed(acme, sort="createdAt", employeeId=anna) == ["2026-03-03", "2026-03-02", "2026-03-04"]
    assert listed(acme, status="absent") == ["2026-03-02"]
    assert listed(acme, dateFrom="2026-03-03", dateTo="2026-03-04") == ["2026-03-04", "2026-03-03"]


def test_a_corrected_schedule_changes_days_without_punches_only(acme, anna):
    whole = marked_day(acme, anna, MONDAY)
    punched = marked_day(acme, anna, TUESDAY, punch("03-03 08:00", "16:00"))
    week = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 360)
    acme.ok("PATCH", f"/hr/employees/{anna}", {"workSchedule": week, "workScheduleFrom": "2026-03-01"})
    assert minutes(acme.ok("GET", f"/hr/attendance/{whole['id']}")) == (360, 360, 0)
    assert minutes(acme.ok("GET", f"/hr/attendance/{punched['id']}")) == (480, 360, 120)


def test_the_log_does_not_quote_the_note_of_a_day(acme, anna):
    made = marked_day(acme, anna, MONDAY, note="Migraine")
    acme.ok("PATCH", f"/hr/attendance/{made['id']}", {"note": "Broken leg", "status": "remote"})
    log = acme.call("GET", "/workspace/events", params={"resourceId": made["id"]}).text
    assert '"note":{}' in log.replace(" ", "")
    assert "Migraine" not in log
    assert "Broken leg" not in log
