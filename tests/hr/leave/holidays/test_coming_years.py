"""Leave that reaches into a year whose holidays were never imported imports them, or says that none are known."""

import pytest

from tests.hr.leave.applications import ask, decide, hired, left


@pytest.fixture(autouse=True)
def _november(clock_at):
    """Monday, 2 November 2026."""
    clock_at("2026-11-02T09:00:00Z")


@pytest.fixture
def office(installation):
    """An office in Germany that has imported the holidays of 2026."""
    office = installation.office("Petra", country="DE")
    office.ok("POST", "/hr/holidays/import", {"year": 2026})
    return office


def days_of(office, year):
    return [each["date"] for each in office.ok("GET", "/hr/holidays", params={"year": year})]


def test_leave_over_the_turn_of_the_year_imports_the_next_years_holidays(office):
    asked = ask(office, "2026-12-28", "2027-01-08", employeeId=hired(office))
    assert asked["days"] == "9", "New Year's Day 2027 is a Friday"
    assert [(each["code"], each["message"]) for each in asked["warnings"]] == [
        (
            "holidays_imported",
            "The public holidays of DE for 2027 were imported, because this leave needs them.",
        )
    ]
    assert "2027-01-01" in days_of(office, 2027)
    again = ask(office, "2027-03-22", "2027-03-29", employeeId=hired(office, "Ben"))
    assert (again["days"], again["warnings"]) == ("4", []), "Good Friday and Easter Monday"
    (event,) = [
        each
        for each in office.ok("GET", "/workspace/events", params={"type": "holidays.imported"})
        if each["data"]["year"] == 2027
    ]
    assert event["data"]["country"] == "DE"


def test_the_region_that_was_imported_last_is_imported_again(office):
    office.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE", "subdivision": "BY"})
    asked = ask(office, "2027-01-04", "2027-01-08", employeeId=hired(office))
    assert asked["days"] == "4", "Epiphany is a holiday in Bavaria"


def test_leave_of_others_in_that_year_is_counted_again(acme):
    mia, ben = hired(acme, "Mia"), hired(acme, "Ben")
    early = decide(acme, ask(acme, "2027-01-01", "2027-01-04", employeeId=mia))
    assert (early["days"], left(acme, mia, year=2027)[0]) == ("2", "18")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"country": "DE"})
    ask(acme, "2027-02-01", employeeId=ben)
    assert acme.ok("GET", f"/hr/leaves/{early['id']}")["days"] == "1"
    assert left(acme, mia, year=2027)[0] == "19"


def test_leave_in_a_year_without_known_holidays_warns(acme):
    mia = hired(acme)
    asked = ask(acme, "2027-01-04", employeeId=mia)
    assert [(each["code"], each["message"]) for each in asked["warnings"]] == [
        ("no_holidays", "No public holidays for 2027 yet. Import them, or enter them manually.")
    ]
    acme.ok("POST", "/hr/holidays", {"date": "2027-01-01", "name": "New Year"})
    assert ask(acme, "2027-01-05", employeeId=mia)["warnings"] == []


def test_a_refused_request_imports_nothing(office):
    body = {"employeeId": hired(office), "startDate": "2027-01-01", "endDate": "2027-01-03"}
    office.refused("POST", "/hr/leaves", body, status=422, code="no_leave_days")
    assert days_of(office, 2027) == []


def test_a_year_whose_holidays_were_deleted_is_not_imported_again(office):
    mia = hired(office)
    ask(office, "2027-01-04", employeeId=mia)
    for each in office.ok("GET", "/hr/holidays", params={"year": 2027}):
        office.ok("DELETE", f"/hr/holidays/{each['id']}")
    assert ask(office, "2027-01-05", employeeId=mia)["warnings"] == []
    assert days_of(office, 2027) == []


def test_every_calendar_that_was_imported_last_is_imported_again(office):
    for body in ({"country": "DE", "subdivision": "BY"}, {"country": "FR"}):
        office.ok("POST", "/hr/holidays/import", {"year": 2026, **body})
    mia = hired(office, "Mia")
    asked = ask(office, "2027-01-04", "2027-01-08", employeeId=mia)
    assert asked["days"] == "4"
    assert asked["warnings"][0]["message"].startswith("The public holidays of DE, FR for 2027 were imported")
    assert "2027-07-14" in days_of(office, 2027)


def test_a_country_whose_holidays_no_one_knows_stops_no_request(acme, monkeypatch):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"country": "DE"})
    monkeypatch.setattr("holidays.list_supported_countries", lambda **_: {})
    asked = ask(acme, "2027-01-04", employeeId=hired(acme))
    assert [each["code"] for each in asked["warnings"]] == ["no_holidays"]
