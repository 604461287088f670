import json

import pytest

from erp.hr.calendar import holidays
from tests.events import events_of
from tests.paths import DATA
from tests.refusals import complaint

LABOUR_DAY = {"date": "2026-05-01", "name": "Labour Day"}


def dates(office, **params):
    return [each["date"] for each in office.ok("GET", "/hr/holidays", params=params)]


def test_a_holiday_is_added_changed_and_removed(acme):
    answer = acme.call("POST", "/hr/holidays", LABOUR_DAY)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert (made["date"], made["name"]) == ("2026-05-01", "Labour Day")
    path = f"/hr/holidays/{made['id']}"
    assert acme.ok("GET", path) == {name: value for name, value in made.items() if name != "recountedLeaves"}
    changed = acme.ok("PATCH", path, {"date": "2026-05-02", "name": "Day after"})
    assert (changed["date"], changed["name"], changed["version"]) == ("2026-05-02", "Day after", 2)
    assert acme.ok("PATCH", path, {"name": "Day after"})["version"] == 2
    assert acme.ok("DELETE", path) == {"recountedLeaves": []}
    assert dates(acme) == []
    assert events_of(acme, made["id"]) == ["holiday.created", "holiday.updated", "holiday.deleted"]


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/hr/holidays", holidays.NewHoliday.EXAMPLE)
    acme.ok("PATCH", f"/hr/holidays/{made['id']}", holidays.HolidayChange.EXAMPLE)
    assert acme.ok("POST", "/hr/holidays/import", holidays.NewHolidayImport.EXAMPLE)["skipped"] == []


def test_a_day_is_a_holiday_only_once(acme):
    acme.ok("POST", "/hr/holidays", LABOUR_DAY)
    error = acme.refused("POST", "/hr/holidays", LABOUR_DAY, status=409, code="already_exists")
    assert error["message"] == "1 May 2026 is already a holiday."
    other = acme.ok("POST", "/hr/holidays", {"date": "2026-05-02", "name": "Other"})
    acme.refused("PATCH", f"/hr/holidays/{other['id']}", {"date": "2026-05-01"}, status=409, code="already_exists")


def test_holidays_are_listed_by_date_and_found_by_year_and_days(acme):
    for day in ("2027-01-01", "2026-12-25", "2026-05-01"):
        acme.ok("POST", "/hr/holidays", {"date": day, "name": "Holiday"})
    assert dates(acme) == ["2026-05-01", "2026-12-25", "2027-01-01"]
    assert dates(acme, year=2026) == ["2026-05-01", "2026-12-25"]
    assert dates(acme, dateFrom="2026-12-25", dateTo="2027-01-01", sort="-date") == ["2027-01-01", "2026-12-25"]


def test_everyone_reads_holidays_and_few_change_them(acme):
    made = acme.ok("POST", "/hr/holidays", LABOUR_DAY)
    path = f"/hr/holidays/{made['id']}"
    for role in ("viewer", "member", "manager", "accountant"):
        colleague = acme.colleague(role)
        assert dates(colleague) == ["2026-05-01"]
        for verb, where, body in (
            ("POST", "/hr/holidays", {"date": "2026-05-04", "name": "Mine"}),
            ("PATCH", path, {"name": "Mine"}),
            ("DELETE", path, None),
            ("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"}),
        ):
            colleague.refused(verb, where, body, status=403, code="forbidden")
    acme.colleague("hr").ok("DELETE", path)


def test_the_public_holidays_of_a_region_are_imported(acme):
    body = {"year": 2026, "country": "DE", "subdivision": "BY"}
    added = acme.ok("POST", "/hr/holidays/import", body)["added"]
    found = {each["date"]: each["name"] for each in added}
    assert {"2026-01-06", "2026-04-06", "2026-06-04", "2026-10-03", "2026-12-26"} <= set(found)
    assert found["2026-04-06"] == "Ostermontag"
    assert dates(acme) == sorted(found)
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "holidays.imported"})
    assert event["data"] == body | {"added": len(added)}


def test_an_import_skips_days_that_are_holidays_already(acme):
    acme.ok("POST", "/hr/holidays", {"date": "2026-04-06", "name": "Office closed"})
    found = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})
    assert [(each["date"], each["name"]) for each in found["skipped"]] == [("2026-04-06", "Office closed")]
    again = acme.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})
    assert again["added"] == []
    assert len(again["skipped"]) == len(found["added"]) + 1 == len(dates(acme))


def test_the_country_is_the_workspaces_by_default(installation):
    office = installation.office("Petra", country="PL")
    added = office.ok("POST", "/hr/holidays/import", {"year": 2026})["added"]
    assert "2026-11-11" in [each["date"] for each in added]


def test_names_are_imported_in_another_language(acme):
    body = {"year": 2026, "country": "DE", "language": "en_US"}
    added = acme.ok("POST", "/hr/holidays/import", body)["added"]
    assert "Easter Monday" in [each["name"] for each in added]


@pytest.mark.parametrize(
    ("fields", "field", "code", "message"),
    [
        ({}, "country", "required", "Choose a country: the workspace has none."),
        ({"country": "ZZ"}, "country", "unknown_country", "Enter them manually"),
        ({"country": "DE", "subdivision": "XX"}, "subdivision", "unknown_subdivision", "BB, BE, BW, BY"),
        ({"country": "JP", "subdivision": "XX"}, "subdivision", "unknown_subdivision", "no values for subdivision"),
        ({"country": "DE", "language": "xx"}, "language", "unknown_language", "de, en_US"),
        ({"country": "DE", "year": 1800}, "year", "out_of_range", "1900"),
    ],
)
def test_an_import_that_is_refused_lists_what_is_possible(acme, fields, field, code, message):
    error = acme.refused("POST", "/hr/holidays/import", {"year": 2026} | fields, status=422)
    assert complaint(error) == (field, code)
    assert message in error["details"][0]["message"]


CASES = json.loads((DATA / "working_days.json").read_text())["cases"]
REGIONS = sorted({(case["country"], case["subdivision"]) for case in CASES}, key=str)


@pytest.mark.parametrize(("country", "subdivision"), REGIONS)
def test_the_holidays_of_a_region_match_the_published_calendar(country, subdivision):
    for case in CASES:
        if (case["country"], case["subdivision"]) == (country, subdivision):
            years = {int(case[end][:4]) for end in ("from", "to")}
            found = {day for year in years for day in holidays.public_holidays(country, subdivision, year)}
            within = sorted(day.isoformat() for day in found if case["from"] <= day.isoformat() <= case["to"])
            assert within == case["holidays"], case["id"]
