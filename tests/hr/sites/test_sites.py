"""People who work at sites in several countries: holidays, weeks, time zones and leave by the site."""

import pytest

from erp.hr.sites import sites
from tests.hr.leave.applications import ask, balance, hired, leave, take, type_id, week
from tests.refusals import complaint

LONDON = {"name": "London", "country": "GB", "subdivision": "ENG"}
THREE = week("1010100")


@pytest.fixture(autouse=True)
def _march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def american(installation):
    """An office in New York with a site in London."""
    return installation.office("Nora", country="US", timeZone="America/New_York", baseCurrency="USD")


def add(office, **fields):
    return office.ok("POST", "/hr/sites", LONDON | fields)["id"]


def default_site(office):
    return next(site for site in office.ok("GET", "/hr/sites") if site["isDefault"])


def holidays(office, **params):
    return [each["date"] for each in office.ok("GET", "/hr/holidays", params=params)]


def counted(office, employee, start, end):
    body = leave(start, end, employeeId=employee, leaveTypeId=type_id(office), dryRun=True)
    details = office.call("POST", "/hr/leaves", body).json["data"]["dayDetails"]
    return {day["date"]: day["counted"] for day in details}


def test_the_default_site_has_the_values_of_the_workspace(american):
    site = default_site(american)
    shown = {name: site[name] for name in ("country", "timeZone", "currency", "weekend")}
    assert shown == {"country": "US", "timeZone": "America/New_York", "currency": "USD", "weekend": ["sat", "sun"]}
    american.ok("PATCH", f"/workspace/{american.workspace_id}", {"timeZone": "America/Chicago"})
    assert default_site(american)["timeZone"] == "America/Chicago"
    path = f"/hr/sites/{site['id']}"
    error = american.refused("PATCH", path, {"timeZone": "Europe/London"}, status=422)
    assert complaint(error) == ("timeZone", "not_applicable")
    assert american.ok("PATCH", path, {"name": "New York"})["name"] == "New York"
    american.refused("DELETE", path, status=409, code="in_use")


def test_a_site_has_the_usual_values_of_its_country(american):
    american.ok("POST", "/hr/sites", sites.NewSite.EXAMPLE)
    site = next(each for each in american.ok("GET", "/hr/sites") if not each["isDefault"])
    shown = {name: site[name] for name in ("country", "subdivision", "timeZone", "currency", "weekend")}
    assert shown == {
        "country": "GB",
        "subdivision": "ENG",
        "timeZone": "Europe/London",
        "currency": "GBP",
        "weekend": ["sat", "sun"],
    }
    american.refused("POST", "/hr/sites", {**LONDON, "name": "london"}, status=409, code="already_exists")
    error = american.refused("POST", "/hr/sites", {**LONDON, "name": "L", "weekend": ["sat", "sat"]}, status=422)
    assert complaint(error) == ("weekend", "duplicate")
    assert american.ok("PATCH", f"/hr/sites/{site['id']}", sites.SiteChange.EXAMPLE)["name"] == "London City"


def test_a_site_that_is_named_stays(american):
    london = add(american)
    mia = hired(american, siteId="London")
    american.refused("DELETE", f"/hr/sites/{london}", status=409, code="in_use")
    assert american.ok("PATCH", f"/hr/employees/{mia}", {"siteId": None})["siteName"] == "Head office"
    holiday = american.ok("POST", "/hr/holidays", {"date": "2026-05-04", "name": "Bank holiday", "siteIds": [london]})
    american.refused("DELETE", f"/hr/sites/{london}", status=409, code="in_use")
    american.ok("DELETE", f"/hr/holidays/{holiday['id']}")
    american.ok("DELETE", f"/hr/sites/{london}")
    american.refused("PATCH", f"/hr/employees/{mia}", {"siteId": london}, status=422, code="unknown_reference")


def test_the_people_of_a_site_are_listed(american):
    add(american)
    hired(american, "Nick")
    hired(american, "Liz", siteId="London")
    listed = american.ok("GET", "/hr/employees", params={"siteId": "London"})
    assert [(each["name"], each["siteName"]) for each in listed] == [("Liz", "London")]


def test_the_last_of_august_is_free_in_london_and_a_working_day_in_new_york(american):
    london = add(american)
    new_york = default_site(american)["id"]
    for site in (london, new_york):
        american.ok("POST", "/hr/holidays/import", {"year": 2026, "siteId": site})
    assert "2026-08-31" in holidays(american, year=2026, siteId=london)
    assert "2026-08-31" not in holidays(american, year=2026, siteId=new_york)
    assert "2026-07-03" in holidays(american, year=2026, siteId=new_york), "4 July is a Saturday"
    liz, nick = hired(american, "Liz", siteId=london), hired(american, "Nick")
    assert counted(american, liz, "2026-08-31", "2026-09-01") == {"2026-08-31": "0", "2026-09-01": "1"}
    assert counted(american, nick, "2026-08-31", "2026-09-01") == {"2026-08-31": "1", "2026-09-01": "1"}
    body = leave("2026-08-31", employeeId=liz, leaveTypeId=type_id(american))
    american.refused("POST", "/hr/leaves", body, status=422, code="no_leave_days")
    assert ask(american, "2026-08-31", employeeId=nick, leaveTypeId=type_id(american))["days"] == "1"


def test_a_day_is_free_at_two_sites_by_two_records_and_once_at_each(american):
    london, new_york = add(american), default_site(american)["id"]
    day = {"date": "2026-12-25", "name": "Christmas"}
    american.ok("POST", "/hr/holidays", {**day, "siteIds": [london]})
    american.ok("POST", "/hr/holidays", {**day, "siteIds": [new_york]})
    american.refused("POST", "/hr/holidays", day, status=409, code="already_exists")
    american.refused("POST", "/hr/holidays", {**day, "siteIds": ["London"]}, status=409, code="already_exists")
    everywhere = american.ok("POST", "/hr/holidays", {"date": "2026-12-24", "name": "Christmas Eve"})
    assert everywhere["siteIds"] == []
    path = f"/hr/holidays/{everywhere['id']}"
    american.refused("PATCH", path, {"date": "2026-12-25"}, status=409, code="already_exists")
    error = american.refused("PATCH", path, {"siteIds": ["Paris"]}, status=422)
    assert complaint(error) == ("siteIds[0]", "unknown_reference")


def test_an_import_for_all_sites_leaves_out_those_that_have_the_day(american):
    london, new_york = add(american), default_site(american)["id"]
    american.ok("POST", "/hr/holidays", {"date": "2026-12-25", "name": "Christmas", "siteIds": [london]})
    added = american.ok("POST", "/hr/holidays/import", {"year": 2026})["added"]
    sites_of = {each["date"]: each["siteIds"] for each in added}
    assert (sites_of["2026-12-25"], sites_of["2026-11-26"]) == ([new_york], [])


def test_leave_is_counted_again_where_a_holiday_moves_to(american):
    london = add(american)
    liz, nick = hired(american, "Liz", siteId=london), hired(american, "Nick")
    kinds = {"leaveTypeId": type_id(american)}
    for employee in (liz, nick):
        take(american, american, "2026-06-08", "2026-06-12", employeeId=employee, **kinds)
    made = american.ok("POST", "/hr/holidays", {"date": "2026-06-08", "name": "Closed", "siteIds": [london]})
    assert [(each["employeeName"], each["days"]) for each in made["recountedLeaves"]] == [("Liz", "4")]
    path, new_york = f"/hr/holidays/{made['id']}", default_site(american)["id"]
    moved = american.ok("PATCH", path, {"siteIds": [new_york]})["recountedLeaves"]
    assert {each["employeeName"]: each["days"] for each in moved} == {"Liz": "5", "Nick": "4"}


def test_who_moves_to_another_site_has_its_holidays_from_that_day(american):
    london = add(american)
    american.ok("POST", "/hr/holidays", {"date": "2026-05-04", "name": "May", "siteIds": [london]})
    mia = hired(american)
    take(american, american, "2026-05-04", "2026-05-08", employeeId=mia, leaveTypeId=type_id(american))
    rehearsed = american.ok("PATCH", f"/hr/employees/{mia}", {"siteId": london, "dryRun": True})
    assert [(each["days"], each["daysBefore"]) for each in rehearsed["recountedLeaves"]] == [("4", "5")]
    moved = american.ok("PATCH", f"/hr/employees/{mia}", {"siteId": london})
    assert (moved["siteName"], moved["recountedLeaves"]) == ("London", rehearsed["recountedLeaves"])
    assert balance(american, mia)["taken"] == "4"


def test_half_a_holiday_elsewhere_is_a_full_day_here(american):
    london = add(american)
    noon = {"date": "2026-12-24", "name": "Christmas Eve", "part": "afternoon", "siteIds": [london]}
    american.ok("POST", "/hr/holidays", noon)
    liz, nick = hired(american, "Liz", siteId=london), hired(american, "Nick")
    assert counted(american, liz, "2026-12-23", "2026-12-24") == {"2026-12-23": "1", "2026-12-24": "0.5"}
    assert counted(american, nick, "2026-12-23", "2026-12-24") == {"2026-12-23": "1", "2026-12-24": "1"}


def test_a_part_timer_in_each_country_gets_the_share_of_the_own_week(american):
    """Eve works 3 of 5 days: 20 × 3 ÷ 5 = 12; in the United Kingdom 28 × 3 ÷ 5 = 16.8."""
    add(american)
    american.ok("PATCH", f"/hr/leave-types/{type_id(american)}", {"allowanceDays": "20"})
    statutory = {"name": "Annual leave (UK)", "code": "uk", "allowanceDays": "28", "accrual": "yearly"}
    american.ok("POST", "/hr/leave-types", statutory)
    eve = hired(american, "Eve", workSchedule=THREE)
    liz = hired(american, "Liz", siteId="London", workSchedule=THREE)
    assert balance(american, eve)["balance"] == "12"
    assert balance(american, liz, "uk")["balance"] == "16.8"


def test_the_full_week_is_the_one_of_the_site(american):
    add(american, name="Dubai", country="AE", subdivision=None, weekend=["sun"])
    mia = hired(american, siteId="Dubai", workSchedule=THREE)
    assert balance(american, mia)["balance"] == "10", "20 × 3 ÷ 6"
    american.ok("PATCH", f"/hr/employees/{mia}", {"siteId": None})
    assert balance(american, mia)["balance"] == "12", "20 × 3 ÷ 5"


def test_the_usual_week_is_without_the_weekend_of_the_site(american):
    add(american, name="Riyadh", country="SA", subdivision=None, weekend=["fri", "sat"])
    mia = hired(american, siteId="Riyadh")
    assert american.ok("GET", f"/hr/employees/{mia}")["workSchedule"] == week("1111001")


def test_the_days_of_a_person_begin_at_their_site_unless_they_or_their_user_say_otherwise(american, clock_at):
    clock_at("2026-03-02T23:30:00Z")  # the evening of 2 March in New York, the morning of the 3rd in Brisbane
    add(american, name="Brisbane", country="AU", subdivision=None, timeZone="Australia/Brisbane")
    person = american.colleague("member")
    mia = hired(american, user=person, siteId="Brisbane", workSchedule=week("1111100"))
    assert person.ok("GET", "/hr/me")["today"]["date"] == "2026-03-03"
    person.ok("PATCH", "/auth/me", {"timeZone": "America/Chicago"})
    assert person.ok("GET", "/hr/me")["today"]["date"] == "2026-03-02"
    american.ok("PATCH", f"/hr/employees/{mia}", {"timeZone": "Asia/Tokyo"})
    assert person.ok("GET", "/hr/me")["today"]["date"] == "2026-03-03"


def test_a_country_whose_regions_have_more_says_so(american):
    warnings = american.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "DE"})["warnings"]
    assert [each["code"] for each in warnings] == ["regions_have_more"]
    assert "BY" in warnings[0]["message"]
    region = {"year": 2026, "country": "DE", "subdivision": "BY"}
    assert american.ok("POST", "/hr/holidays/import", region)["warnings"] == []
    assert american.ok("POST", "/hr/holidays/import", {"year": 2026, "country": "JP"})["warnings"] == []


def test_next_years_holidays_come_for_the_site_of_the_person(american):
    london, new_york = add(american), default_site(american)["id"]
    liz, nick = hired(american, "Liz", siteId=london), hired(american, "Nick")
    american.ok("POST", "/hr/holidays/import", {"year": 2026})
    assert holidays(american, year=2026, siteId=london) == holidays(american, year=2026, siteId=new_york)
    kinds = {"leaveTypeId": type_id(american)}
    asked = ask(american, "2027-08-30", "2027-08-31", employeeId=liz, **kinds)
    assert (asked["days"], asked["warnings"][0]["code"]) == ("1", "holidays_imported")
    assert holidays(american, year=2027, siteId=new_york) == []
    ask(american, "2027-07-01", "2027-07-02", employeeId=nick, **kinds)
    assert "2027-07-05" in holidays(american, year=2027, siteId=new_york)
    assert "2027-07-05" not in holidays(american, year=2027, siteId=london)


def test_the_leave_calendar_says_where_a_day_is_free(american):
    london = add(american)
    american.ok("POST", "/hr/holidays", {"date": "2026-05-04", "name": "May", "siteIds": [london]})
    shown = american.ok("GET", "/hr/leaves/calendar", params={"dateFrom": "2026-05-01", "dateTo": "2026-05-31"})
    assert [(day["date"], day["siteNames"]) for day in shown["holidays"]] == [("2026-05-04", ["London"])]
    address = american.ok("POST", "/hr/leaves/calendar-address")["url"]
    assert "SUMMARY:May (London)" in american.call("GET", address[address.index("/hr/") :]).text
