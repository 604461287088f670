import pytest
from icalendar import Calendar

from tests.hr.leave.applications import ask, decide, hired, hired_colleague, type_id


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def out(office, **params):
    found = office.ok("GET", "/hr/leaves/calendar", params=params)["absences"]
    return [(each["name"], each["startDate"], each["status"], each.get("leaveTypeName")) for each in found]


def test_everyone_in_the_office_sees_who_is_out_and_not_why(acme):
    sick, ben = type_id(acme, "sick"), hired(acme, "Ben")
    mia, _ = hired_colleague(acme)
    asked = ask(acme, "2026-03-02", "2026-03-04", employeeId=ben, leaveTypeId=sick, reason="Broken leg", endHalf=True)
    decide(acme, asked)
    ask(acme, "2026-03-09", employeeId=ben)
    decide(acme, ask(mia, "2026-03-05"))
    ask(mia, "2026-03-10")
    decide(acme, ask(mia, "2026-03-11"), "reject")
    assert out(mia) == [
        ("Ben", "2026-03-02", "approved", None),
        ("Member", "2026-03-05", "approved", "Annual leave"),
        ("Member", "2026-03-10", "pending", "Annual leave"),
    ]
    assert out(hired_colleague(acme, "viewer")[0]) == [
        ("Ben", "2026-03-02", "approved", None),
        ("Member", "2026-03-05", "approved", None),
    ]
    assert out(acme.colleague("hr")) == [
        ("Ben", "2026-03-02", "approved", "Sick leave"),
        ("Member", "2026-03-05", "approved", "Annual leave"),
        ("Ben", "2026-03-09", "pending", "Annual leave"),
        ("Member", "2026-03-10", "pending", "Annual leave"),
    ]
    answer = mia.call("GET", "/hr/leaves/calendar")
    assert "Broken" not in answer.text
    assert sick not in answer.text
    first = answer.json["data"]["absences"][0]
    assert (first["leaveId"], first["endDate"], first["startHalf"], first["endHalf"]) == (
        asked["id"],
        "2026-03-04",
        False,
        True,
    )


def test_the_calendar_shows_the_requested_days(acme):
    ben = hired(acme, "Ben")
    acme.ok("POST", "/hr/holidays", {"date": "2026-05-01", "name": "Labour Day"})
    decide(acme, ask(acme, "2026-04-29", "2026-05-05", employeeId=ben))
    decide(acme, ask(acme, "2026-06-01", employeeId=ben))
    shown = acme.ok("GET", "/hr/leaves/calendar", params={"dateFrom": "2026-05-01", "dateTo": "2026-05-31"})
    assert [each["startDate"] for each in shown["absences"]] == ["2026-04-29"]
    assert shown["holidays"] == [
        {"date": "2026-05-01", "name": "Labour Day", "part": "day", "siteIds": [], "siteNames": []}
    ]
    assert out(acme) == []
    assert acme.ok("GET", "/hr/leaves/calendar")["dateTo"] == "2026-04-01"


@pytest.mark.parametrize("end", ["2026-02-28", "2027-03-05"])
def test_a_last_day_that_does_not_fit_is_refused(acme, end):
    params = {"dateFrom": "2026-03-01", "dateTo": end}
    error = acme.refused("GET", "/hr/leaves/calendar", params=params, status=400, code="bad_parameter")
    assert error["message"].startswith("dateTo: ")


def feed(office, url):
    return office.installation.client.simulate_get(url[url.index("/api/") :], host="localhost", port=8420)


def test_a_calendar_program_reads_who_is_out_at_the_secret_address(acme):
    ben, sick = hired(acme, "Ben"), type_id(acme, "sick")
    asked = ask(acme, "2026-03-04", "2026-03-06", employeeId=ben, leaveTypeId=sick, reason="Broken leg", startHalf=True)
    decide(acme, asked)
    ask(acme, "2026-03-09", employeeId=ben)
    acme.ok("POST", "/hr/holidays", {"date": "2026-05-01", "name": "Labour Day"})
    viewer, _ = hired_colleague(acme, "viewer")
    assert viewer.ok("GET", "/hr/leaves/calendar-address") == {"isActive": False, "createdAt": None}
    url = viewer.ok("POST", "/hr/leaves/calendar-address")["url"]
    assert viewer.ok("GET", "/hr/leaves/calendar-address")["isActive"] is True
    answer = feed(acme, url)
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    found = [
        (str(each["summary"]), each.decoded("dtstart").isoformat(), each.decoded("dtend").isoformat())
        for each in Calendar.from_ical(answer.content).walk("VEVENT")
    ]
    assert found == [
        ("Ben is out (from noon)", "2026-03-04", "2026-03-07"),
        ("Labour Day", "2026-05-01", "2026-05-02"),
    ]
    assert "Broken" not in answer.text
    assert "Sick" not in answer.text


@pytest.mark.parametrize("role", ["viewer", "accountant"])
def test_a_user_without_employee_record_or_right_sees_only_the_holidays(acme, role):
    decide(acme, ask(acme, "2026-03-04", employeeId=hired(acme, "Ben")))
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-20", "name": "Founders' day"})
    auditor = acme.colleague(role)
    shown = auditor.ok("GET", "/hr/leaves/calendar")
    assert (shown["absences"], [each["name"] for each in shown["holidays"]]) == ([], ["Founders' day"])
    calendar = feed(acme, auditor.ok("POST", "/hr/leaves/calendar-address")["url"]).text
    assert ("Founders' day" in calendar, "Ben" in calendar) == (True, False)


def test_a_revoked_address_shows_nothing(acme):
    url = acme.ok("POST", "/hr/leaves/calendar-address")["url"]
    newer = acme.ok("POST", "/hr/leaves/calendar-address")["url"]
    assert feed(acme, url).status_code == 404
    assert feed(acme, newer).status_code == 200
    acme.ok("DELETE", "/hr/leaves/calendar-address")
    assert feed(acme, newer).status_code == 404
    acme.refused("DELETE", "/hr/leaves/calendar-address", status=404, code="not_found")


def test_the_secret_of_the_task_calendar_does_not_open_the_leave_calendar(acme):
    url = acme.ok("POST", "/tasks/calendar-address")["url"]
    assert feed(acme, url.replace("/tasks/calendar/", "/hr/leaves/calendar/")).status_code == 404
