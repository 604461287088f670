from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from erp.hr.attendance.clocking import Clocking
from erp.store import router
from tests.hr.attendance.records import employee_at_work, grant_leave, marked_day, minutes, punch, settle, types
from tests.hr.employees.employees import pay
from tests.refusals import complaint

IN, OUT = "/hr/attendance/clock-in", "/hr/attendance/clock-out"


@pytest.fixture(autouse=True)
def _monday_morning(clock_at):
    clock_at("2026-03-02T08:00:00Z")


@pytest.fixture
def mia(acme):
    """A member who is an employee."""
    return acme.once(_mia)


def _mia(acme):
    person = acme.colleague("member")
    person.employee_id = employee_at_work(acme, "Mia", person)
    return person


def test_a_day_is_clocked_with_several_punches(acme, mia, clock_at):
    begun = mia.ok("POST", IN, {"note": "Front desk"})
    assert (begun["date"], begun["status"], begun["source"]) == ("2026-03-02", "present", "clock")
    assert begun["punches"] == [{"in": "2026-03-02T08:00:00.000Z", "out": None}]
    assert minutes(begun) == (0, 480, 0)
    clock_at("2026-03-02T12:00:00Z")
    assert mia.ok("POST", OUT, {})["workedMinutes"] == 240
    clock_at("2026-03-02T12:30:00Z")
    mia.ok("POST", IN, {"note": "Back office"})
    clock_at("2026-03-02T17:00:00Z")
    ended = mia.ok("POST", OUT)
    assert (ended["id"], ended["note"], minutes(ended)) == (begun["id"], "Front desk\nBack office", (510, 480, 30))
    assert mia.ok("GET", "/hr/attendance") == [ended]
    assert types(acme) == ["attendance.clocked_in", "attendance.clocked_out"] * 2


def test_the_documented_example_works(acme, mia, clock_at):
    assert acme.ok("POST", IN, Clocking.EXAMPLE)["employeeId"] == mia.employee_id
    clock_at("2026-03-02T09:00:00Z")
    assert acme.ok("POST", OUT, Clocking.EXAMPLE)["workedMinutes"] == 60


def test_no_one_clocks_in_twice_or_out_without_being_in(acme, mia, clock_at):
    error = mia.refused("POST", OUT, {}, status=409, code="not_clocked_in")
    assert error["message"] == "Mia is not clocked in."
    mia.ok("POST", IN, {})
    clock_at("2026-03-02T08:01:00Z")
    error = mia.refused("POST", IN, {}, status=409, code="already_clocked_in")
    assert error["message"] == "Mia has been clocked in since 08:00 on 2 March. Clock out first."
    assert "remedy" not in error


def test_a_message_shows_a_time_in_the_readers_zone(acme, mia, clock_at):
    """The owner reads it in Berlin; Mia has no zone of her own and reads it in the office's, New York."""
    settle(acme, timeZone="America/New_York")
    clock_at("2026-03-02T21:30:00Z")
    mia.ok("POST", IN, {})
    acme.ok("PATCH", "/auth/me", {"timeZone": "Europe/Berlin"})
    for person, shown in ((mia, "16:30 on 2 March"), (acme, "22:30 on 2 March")):
        error = person.refused("POST", IN, {"employeeId": mia.employee_id}, status=409, code="already_clocked_in")
        assert error["message"] == f"Mia has been clocked in since {shown}. Clock out first."


def test_of_eight_simultaneous_requests_to_clock_in_one_succeeds(acme, mia, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    barrier = Barrier(8)

    def clock_in(_):
        barrier.wait()
        return mia.call("POST", IN, {}).status_code

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(clock_in, range(8))) == [200] + [409] * 7
    assert len(mia.ok("GET", "/hr/attendance")[0]["punches"]) == 1


def test_a_shift_over_midnight_stays_with_the_day_it_began(mia, clock_at):
    clock_at("2026-03-02T22:00:00Z")
    begun = mia.ok("POST", IN, {})
    clock_at("2026-03-03T06:00:00Z")
    ended = mia.ok("POST", OUT, {})
    assert (ended["id"], ended["date"], ended["workedMinutes"]) == (begun["id"], "2026-03-02", 480)
    assert mia.ok("POST", IN, {})["date"] == "2026-03-03"


def test_the_day_is_that_of_the_office(acme, mia, clock_at):
    settle(acme, timeZone="Pacific/Auckland")
    clock_at("2026-03-02T20:00:00Z")
    assert mia.ok("POST", IN, {})["date"] == "2026-03-03"


def test_clocked_times_are_rounded_as_the_office_has_set(acme, mia, clock_at):
    settle(acme, punchRounding={"step": 15, "mode": "nearest"})
    clock_at("2026-03-02T08:07:30Z")
    mia.ok("POST", IN, {})
    clock_at("2026-03-02T16:23:00Z")
    ended = mia.ok("POST", OUT, {})
    assert (ended["workedMinutes"], ended["punches"][0]["in"]) == (510, "2026-03-02T08:07:30.000Z")


def test_a_member_neither_sets_the_time_nor_clocks_others(acme, mia):
    anna = employee_at_work(acme)
    error = mia.refused("POST", IN, {"at": "2026-03-02T07:00:00Z"}, status=403, code="forbidden")
    assert error["message"] == (
        "Only someone who may edit attendance can set `at`. Leave it out to clock in or out now."
    )
    mia.refused("POST", IN, {"employeeId": anna}, status=403, code="forbidden")
    mia.refused("POST", OUT, {"employeeId": "nobody"}, status=403, code="forbidden")
    assert mia.ok("POST", IN, {"employeeId": mia.employee_id})["employeeId"] == mia.employee_id


def test_managers_clock_only_themselves(acme):
    manager = acme.colleague("manager")
    anna = employee_at_work(acme)
    manager.refused("POST", IN, {"employeeId": anna}, status=403, code="forbidden")
    manager.refused("POST", IN, {}, status=409, code="no_employee_record")


def test_human_resources_clocks_others_and_sets_the_time(acme, mia):
    office = acme.colleague("hr")
    who = {"employeeId": mia.employee_id}
    office.ok("POST", IN, {**who, "at": "2026-03-02T06:00:00Z"})
    ended = office.ok("POST", OUT, {**who, "at": "2026-03-02T07:30:00Z"})
    assert ended["workedMinutes"] == 90


@pytest.mark.parametrize(
    ("verb", "at", "code"),
    [
        (IN, "2026-03-02T08:00:01Z", "future"),
        (IN, "2026-03-02T06:59:59Z", "before_last_punch"),
        (IN, "2026-02-27T08:00:00Z", "before_last_punch"),
        (IN, "2025-12-31T08:00:00Z", "not_employed"),
    ],
)
def test_an_impossible_time_is_refused(acme, mia, verb, at, code):
    marked_day(acme, mia.employee_id, "2026-03-02", punch("03-02 06:00", "07:00"))
    who = {"employeeId": mia.employee_id}
    error = acme.refused("POST", verb, {**who, "at": at}, status=422)
    assert complaint(error) == ("at", code)
    if code == "before_last_punch":
        assert error["details"][0]["message"] == "The time is before the last punch, at 07:00 on 2 March."
    assert acme.ok("POST", IN, {**who, "at": "2026-03-02T07:00:00Z"})["punches"][1]["out"] is None


def test_no_one_clocks_out_before_they_clocked_in(acme, mia):
    mia.ok("POST", IN, {})
    body = {"employeeId": mia.employee_id, "at": "2026-03-02T07:59:00Z"}
    assert complaint(acme.refused("POST", OUT, body, status=422)) == ("at", "before_last_punch")


def test_a_forgotten_clock_is_stopped_by_saying_when_work_ended(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-03T08:00:01Z")
    error = mia.refused("POST", OUT, {}, status=422)
    assert complaint(error) == ("at", "required")
    assert error["details"][0]["message"] == (
        "The clock has been running for more than 24 hours, since 08:00 on 2 March. Request a correction of that day,"
        " or ask someone who may edit attendance to set when the work ended."
    )
    who = {"employeeId": mia.employee_id}
    error = acme.refused("POST", OUT, {**who, "at": "2026-03-03T08:00:01Z"}, status=422)
    assert complaint(error) == ("at", "too_long")
    assert error["details"][0]["message"] == (
        "The clock has been running since 08:00 on 2 March. A punch can last 24 hours at most."
    )
    assert acme.ok("POST", OUT, {**who, "at": "2026-03-02T16:00:00Z"})["workedMinutes"] == 480


def test_someone_marked_absent_who_clocks_in_is_present(acme, mia, clock_at):
    marked_day(acme, mia.employee_id, "2026-03-02", status="absent", note="Did not call")
    began = mia.ok("POST", IN, {"note": "Train was late"})
    assert (began["status"], began["source"], began["note"]) == ("present", "clock", "Did not call\nTrain was late")


def test_a_remote_day_stays_remote_when_clocked(acme, mia):
    marked_day(acme, mia.employee_id, "2026-03-02", status="remote")
    assert mia.ok("POST", IN, {})["status"] == "remote"


def test_a_break_longer_than_the_punches_does_not_stop_anyone_from_clocking_out(acme, mia, clock_at):
    begun = mia.ok("POST", IN, {})
    acme.ok("PATCH", f"/hr/attendance/{begun['id']}", {"breakMinutes": 30})
    clock_at("2026-03-02T08:20:00Z")
    assert mia.ok("POST", OUT, {})["workedMinutes"] == 0


def test_overtime_begins_after_the_hours_that_leave_does_not_take(acme, mia, clock_at):
    grant_leave(acme, mia.employee_id, "2026-03-02", endHalf=True)
    mia.ok("POST", IN, {})
    clock_at("2026-03-02T13:00:00Z")
    assert minutes(mia.ok("POST", OUT, {})) == (300, 240, 60)


def test_a_day_that_payroll_has_paid_is_clocked_in_and_out(acme, mia, clock_at):
    pay(acme, {"id": mia.employee_id}, "2026-03-02")
    mia.ok("POST", IN, {})
    clock_at("2026-03-02T16:00:00Z")
    assert mia.ok("POST", OUT, {})["status"] == "present"


def test_the_notes_of_a_day_have_a_longest_length(mia, clock_at):
    mia.ok("POST", IN, {"note": "x" * 4000})
    clock_at("2026-03-02T09:00:00Z")
    assert complaint(mia.refused("POST", OUT, {"note": "y"}, status=422)) == ("note", "too_long")
    assert mia.ok("POST", OUT, {})["note"] == "x" * 4000


def test_no_second_clock_is_started_by_hand(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-04T09:00:00Z")
    body = {"employeeId": mia.employee_id, "date": "2026-03-04", "punches": [punch("03-04 08:00")]}
    assert complaint(acme.refused("POST", "/hr/attendance", body, status=422)) == ("punches[0].out", "required")
    body["punches"] = [punch("03-04 08:00", "09:00")]
    assert acme.ok("POST", "/hr/attendance", body)["workedMinutes"] == 60


def test_the_employee_stops_a_clock_that_was_started_by_hand(acme, mia):
    marked_day(acme, mia.employee_id, "2026-03-02", punch("03-02 06:00", "07:00"), punch("03-02 07:30"))
    assert mia.ok("POST", OUT, {})["workedMinutes"] == 90


def corrected(person, remedy):
    """Send the request that a refusal offers; the correction."""
    return person.ok(remedy["method"], remedy["path"].removeprefix("/api/v1"), remedy["body"])


def test_someone_who_forgot_to_clock_out_is_offered_the_correction_of_that_day(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-03T07:45:00Z")
    error = mia.refused("POST", IN, {}, status=409, code="already_clocked_in")
    assert error["message"] == ("Mia has been clocked in since 08:00 on 2 March. Clock out, or request a correction.")
    assert error["remedy"] == {
        "method": "POST",
        "path": "/api/v1/hr/attendance-corrections",
        "body": {
            "employeeId": mia.employee_id,
            "date": "2026-03-02",
            "punches": [{"in": "2026-03-02T08:00:00.000Z", "out": "2026-03-02T16:00:00.000Z"}],
            "reason": "Forgot to clock out.",
        },
    }
    assert mia.ok("GET", "/hr/me")["openAttendance"]["remedy"] == error["remedy"]
    asked = corrected(mia, error["remedy"])
    assert mia.ok("POST", IN, {})["date"] == "2026-03-03", "the day of work does not wait for the decision"
    acme.ok("POST", f"/hr/attendance-corrections/{asked['id']}/approve")
    today, before = mia.ok("GET", "/hr/attendance")
    assert (before["workedMinutes"], before["punches"][0]["out"]) == (480, "2026-03-02T16:00:00.000Z")
    assert today["punches"] == [{"in": "2026-03-03T07:45:00.000Z", "out": None}]
    clock_at("2026-03-03T15:45:00Z")
    assert mia.ok("POST", OUT, {})["workedMinutes"] == 480


def test_the_offered_correction_ends_with_the_hours_of_the_schedule(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-02T12:00:00Z")
    mia.ok("POST", OUT, {})
    clock_at("2026-03-02T13:00:00Z")
    mia.ok("POST", IN, {})
    assert mia.ok("GET", "/hr/me")["openAttendance"]["remedy"] is None
    clock_at("2026-03-03T08:00:00Z")
    error = mia.refused("POST", IN, {}, status=409, code="already_clocked_in")
    assert error["remedy"]["body"]["punches"] == [
        {"in": "2026-03-02T08:00:00.000Z", "out": "2026-03-02T12:00:00.000Z"},
        {"in": "2026-03-02T13:00:00.000Z", "out": "2026-03-02T17:00:00.000Z"},
    ]


def test_a_clock_that_ran_for_more_than_a_day_is_not_stopped_but_corrected(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-05T08:00:00Z")
    error = mia.refused("POST", OUT, {}, status=422, code="validation_failed")
    asked = corrected(mia, error["remedy"])
    acme.ok("POST", f"/hr/attendance-corrections/{asked['id']}/approve")
    mia.refused("POST", OUT, {}, status=409, code="not_clocked_in")
    assert mia.ok("GET", "/hr/attendance")[0]["workedMinutes"] == 480


def test_a_correction_of_another_day_or_without_an_end_starts_no_second_clock(acme, mia, clock_at):
    marked_day(acme, mia.employee_id, "2026-02-27")
    mia.ok("POST", IN, {})
    clock_at("2026-03-03T07:45:00Z")
    for body in (
        {"date": "2026-02-27", "punches": [punch("02-27 08:00", "16:00")]},
        {"date": "2026-03-02", "note": "At the bakery"},
    ):
        mia.ok("POST", "/hr/attendance-corrections", {"reason": "Test", **body})
        mia.refused("POST", IN, {}, status=409, code="already_clocked_in")


def test_a_rejected_correction_leaves_the_day_to_be_corrected(acme, mia, clock_at):
    mia.ok("POST", IN, {})
    clock_at("2026-03-03T07:45:00Z")
    remedy = mia.refused("POST", IN, {}, status=409, code="already_clocked_in")["remedy"]
    asked = corrected(mia, remedy)
    mia.ok("POST", IN, {})
    acme.ok("POST", f"/hr/attendance-corrections/{asked['id']}/reject")
    second = corrected(mia, remedy | {"body": remedy["body"] | {"punches": [punch("03-02 08:00", "15:00")]}})
    acme.ok("POST", f"/hr/attendance-corrections/{second['id']}/approve")
    assert [day["workedMinutes"] for day in mia.ok("GET", "/hr/attendance")] == [0, 420]
