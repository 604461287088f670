"""A new, changed or deleted holiday counts leave again, and the answer says whose."""

import pytest

from tests.events import events_of
from tests.hr.attendance.records import marked_day
from tests.hr.employees.employees import pay
from tests.hr.leave.applications import ask, decide, hired, hired_colleague, left

EASTER_MONDAY = {"date": "2026-04-06", "name": "Easter Monday"}


@pytest.fixture(autouse=True)
def _march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def two_weeks(office, who):
    """Ten days around Easter Monday."""
    return ask(office, "2026-03-30", "2026-04-10", employeeId=who)


def recounted(answer):
    return [
        (each["employeeName"], each["daysBefore"], each["days"], each["status"]) for each in answer["recountedLeaves"]
    ]


def shown(office, asked):
    return office.ok("GET", f"/hr/leaves/{asked['id']}")


def test_a_new_holiday_gives_back_a_day_of_leave_that_is_not_over(acme):
    mia, ben, eve = (hired(acme, name) for name in ("Mia", "Ben", "Eve"))
    approved, pending = decide(acme, two_weeks(acme, mia)), two_weeks(acme, ben)
    ask(acme, "2026-04-07", "2026-04-10", employeeId=eve)
    assert left(acme, mia) == ("10", "0", "10")
    answer = acme.ok("POST", "/hr/holidays", EASTER_MONDAY)
    assert recounted(answer) == [("Mia", "10", "9", "approved"), ("Ben", "10", "9", "pending")]
    assert {each["employeeId"] for each in answer["recountedLeaves"]} == {mia, ben}
    assert left(acme, mia) == ("11", "0", "11")
    assert left(acme, ben) == ("20", "9", "11")
    for asked in (approved, pending):
        now = shown(acme, asked)
        assert (now["days"], now["balanceAfter"], now["version"]) == ("9", "11", asked["version"] + 1)
        assert [day["why"] for day in now["dayDetails"] if day["date"] == "2026-04-06"] == ["Holiday: Easter Monday"]
    assert events_of(acme, approved["id"])[-1] == events_of(acme, pending["id"])[-1] == "leave.recounted"
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "leave.recounted", "resourceId": approved["id"]})
    assert (event["data"]["daysBefore"], event["data"]["days"]) == ("10", "9")


def test_a_holiday_that_is_deleted_takes_the_day_again(acme):
    mia = hired(acme)
    made = acme.ok("POST", "/hr/holidays", EASTER_MONDAY)
    asked = decide(acme, two_weeks(acme, mia))
    assert asked["days"] == "9"
    assert recounted(acme.ok("DELETE", f"/hr/holidays/{made['id']}")) == [("Mia", "9", "10", "approved")]
    assert left(acme, mia) == ("10", "0", "10")
    decide(acme, asked, "cancel")
    assert left(acme, mia) == ("20", "0", "20")


def test_a_holiday_that_moves_gives_back_one_day_and_takes_the_other(acme):
    mia, ben = hired(acme, "Mia"), hired(acme, "Ben")
    made = acme.ok("POST", "/hr/holidays", EASTER_MONDAY)
    assert made["recountedLeaves"] == []
    decide(acme, ask(acme, "2026-04-06", "2026-04-07", employeeId=mia))
    decide(acme, ask(acme, "2026-04-08", "2026-04-09", employeeId=ben))
    path = f"/hr/holidays/{made['id']}"
    answer = acme.ok("PATCH", path, {"date": "2026-04-08"})
    assert recounted(answer) == [("Mia", "1", "2", "approved"), ("Ben", "2", "1", "approved")]
    assert (left(acme, mia)[0], left(acme, ben)[0]) == ("18", "19")
    assert acme.ok("PATCH", path, {"name": "Founders' day"})["recountedLeaves"] == []


def test_leave_of_which_nothing_is_left_is_cancelled(acme):
    member, mia = hired_colleague(acme)
    asked = decide(acme, ask(member, "2026-04-06"))
    record = marked_day(acme, mia, "2026-04-06", status="on_leave")
    assert recounted(acme.ok("POST", "/hr/holidays", EASTER_MONDAY)) == [("Member", "1", "0", "cancelled")]
    now = shown(member, asked)
    assert (now["status"], now["decisionNote"]) == ("cancelled", "Every day of this leave has become a holiday.")
    assert left(acme, mia) == ("20", "0", "20")
    assert events_of(acme, asked["id"])[-1] == "leave.cancelled"
    assert acme.ok("GET", f"/hr/attendance/{record['id']}")["expectedMinutes"] == 0


def test_an_import_counts_leave_again(acme):
    mia = hired(acme)
    asked = decide(acme, two_weeks(acme, mia))
    answer = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})
    assert recounted(answer) == [("Mia", "10", "8", "approved")], "Good Friday and Easter Monday"
    assert left(acme, mia) == ("12", "0", "12")
    assert events_of(acme, asked["id"]).count("leave.recounted") == 1
    again = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})
    assert again["recountedLeaves"] == []


def test_leave_that_is_over_keeps_its_days(acme, clock_at):
    mia = hired(acme)
    over = decide(acme, ask(acme, "2026-02-23", "2026-02-27", employeeId=mia))
    begun = decide(acme, ask(acme, "2026-03-02", "2026-03-06", employeeId=mia))
    for day in ("2026-02-24", "2026-03-03"):
        acme.ok("POST", "/hr/holidays", {"date": day, "name": "Carnival"})
    assert (shown(acme, over)["days"], shown(acme, begun)["days"]) == ("5", "4")


@pytest.mark.parametrize("status", ["approved", "paid", "draft", "reversed"])
def test_days_in_a_payroll_run_are_counted_again_too(acme, status):
    mia = hired(acme)
    asked = decide(acme, two_weeks(acme, mia))
    pay(acme, {"id": mia}, "2026-04-06", status=status)
    acme.ok("POST", "/hr/holidays", EASTER_MONDAY)
    assert shown(acme, asked)["days"] == "9"


def test_half_a_day_of_leave_on_a_new_holiday_is_given_back(acme):
    mia = hired(acme)
    asked = decide(acme, ask(acme, "2026-04-06", "2026-04-07", employeeId=mia, startHalf=True))
    assert recounted(acme.ok("POST", "/hr/holidays", EASTER_MONDAY)) == [("Mia", "1.5", "1", "approved")]
    assert left(acme, mia)[0] == "19"
    assert shown(acme, asked)["dayDetails"][0]["fraction"] == "0.5"


def test_attendance_expects_nothing_on_a_new_holiday(acme):
    mia = hired(acme)
    record = marked_day(acme, mia, "2026-02-24")
    missing = {"isMissing": "true", "dateFrom": "2026-02-25", "dateTo": "2026-02-25"}
    assert len(acme.ok("GET", "/hr/attendance", params=missing)) == 1
    for day in ("2026-02-24", "2026-02-25"):
        acme.ok("POST", "/hr/holidays", {"date": day, "name": "Carnival"})
    shown_day = acme.ok("GET", f"/hr/attendance/{record['id']}")
    assert (shown_day["expectedMinutes"], shown_day["overtimeMinutes"]) == (0, 480)
    assert acme.ok("GET", "/hr/attendance", params=missing) == []
