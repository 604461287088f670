"""Mileage and per diems by the rates of their day."""

import pytest

from tests.hr.expenses.claims import PATH

RATES = "/hr/expense-rates"


def line_of(office, **line):
    """The only line of a draft of the caller."""
    (shown,) = office.ok("POST", PATH, {"title": "Journey", "lines": [line]})["lines"]
    return shown


def away(office, start, end, **fields):
    """A per diem; the times are of German winter."""
    times = {"startAt": f"{start}+01:00", "endAt": f"{end}+01:00"}
    return line_of(office, kind="per_diem", **times, **fields)


def parts(line):
    return [(day["date"][-2:], day["part"], day["country"], day["amount"]) for day in line["days"]]


@pytest.mark.parametrize(("end", "amount"), [("16:00:00", "0.00"), ("16:01:00", "14.00")])
def test_a_day_counts_with_more_than_eight_hours(office, dan, end, amount):
    assert away(dan, "2026-03-09T08:00:00", f"2026-03-09T{end}")["amount"] == amount


def test_meals_never_cut_a_day_below_nothing(office, dan):
    meals = [{"date": "2026-03-10", "breakfast": True, "lunch": True, "dinner": True}]
    line = away(dan, "2026-03-09T10:00:00", "2026-03-10T17:00:00", meals=meals)
    assert parts(line) == [("09", "partial", "DE", "14.00"), ("10", "partial", "DE", "0.00")]
    assert line["amount"] == "14.00"


@pytest.mark.parametrize(("start", "end", "day"), [("20:00:00", "05:00:00", "10"), ("17:00:00", "03:00:00", "09")])
def test_two_days_without_a_night_in_lodging_are_one_on_the_longer_day(office, dan, start, end, day):
    line = away(dan, f"2026-03-09T{start}", f"2026-03-10T{end}", overnight=False)
    assert parts(line) == [(day, "partial", "DE", "14.00")]


def test_the_last_day_has_the_country_of_the_last_stay_abroad(office, dan):
    stays = [{"date": "2026-03-10", "country": "CH", "region": "Bern"}]
    line = away(dan, "2026-03-09T10:00:00", "2026-03-12T17:00:00", country="DE", stays=stays)
    assert parts(line) == [
        ("09", "partial", "DE", "14.00"),
        ("10", "full", "CH", "82.00"),
        ("11", "full", "DE", "28.00"),
        ("12", "partial", "CH", "55.00"),
    ]


def test_a_city_that_is_listed_apart_has_a_rate_of_its_own(office, dan):
    stays = [{"date": f"2026-03-{day}", "country": "US", "region": "Boston"} for day in ("09", "10")]
    line = away(dan, "2026-03-09T10:00:00", "2026-03-10T17:00:00", stays=stays)
    assert [amount for *_, amount in parts(line)] == ["42.00", "42.00"]


@pytest.mark.parametrize(
    ("day", "country", "region", "amount"),
    [
        ("2025-12-31", "NL", None, "32.00"),
        ("2026-01-01", "NL", None, "39.00"),
        ("2026-01-01", "CH", "Genf", "47.00"),
        ("2026-01-01", "US", None, "40.00"),
        ("2025-12-31", "RO", "Bukarest", "21.00"),
        ("2026-01-01", "RO", "Bukarest", "25.00"),  # no longer listed apart
        ("2026-01-01", "GL", None, "50.00"),  # Greenland has Denmark's
        ("2026-01-01", "HK", None, "56.00"),
        ("2026-01-01", "KI", None, "42.00"),  # a country that is not listed has Luxembourg's
    ],
)
def test_a_day_abroad_has_the_rate_of_its_year(office, dan, day, country, region, amount):
    line = away(dan, f"{day}T08:00:00", f"{day}T18:00:00", country=country, region=region)
    assert parts(line) == [(day[-2:], "partial", country, amount)]


def test_days_are_those_of_the_person_in_their_zone(office, dan):
    (person,) = office.ok("GET", "/hr/employees")
    office.ok("PATCH", f"/hr/employees/{person['id']}", {"timeZone": "America/New_York"})
    line = away(dan, "2026-03-10T04:00:00", "2026-03-10T14:00:00", country="DE")
    assert parts(line) == [("09", "partial", "DE", "14.00"), ("10", "partial", "DE", "14.00")]


def test_a_city_counts_for_each_day_that_has_no_other_place(office, dan):
    stays = [{"date": "2026-03-10", "country": "FR", "region": "Paris"}]
    line = away(dan, "2026-03-09T08:00:00", "2026-03-12T18:00:00", country="ES", region="Madrid", stays=stays)
    assert [(day["region"], day["amount"]) for day in line["days"]] == [
        ("Madrid", "28.00"),
        ("Paris", "58.00"),
        ("Madrid", "42.00"),
        ("Madrid", "28.00"),
    ]
    assert (line["trip"]["country"], line["trip"]["region"]) == ("ES", "Madrid")


def test_places_with_per_diems_of_their_own_are_listed(office, dan):
    own = {"kind": "per_diem", "country": "ES", "region": "Bilbao", "validFrom": "2026-01-01", "full": "40.00"}
    office.ok("POST", RATES, own | {"partial": "27.00"})
    listed = {each["country"]: each["regions"] for each in dan.ok("GET", f"{RATES}/places")}
    assert listed["ES"] == ["Bilbao", "Kanarische Inseln", "Madrid", "Palma de Mallorca"]
    assert "Denver" not in listed["US"]
    assert listed["RO"] == ["Bukarest"]  # listed apart until 2025, and a journey of that year may be claimed later


@pytest.mark.parametrize("field", ["region", "stays[1].region"])
def test_a_city_without_a_per_diem_of_its_own_is_refused(office, dan, field):
    stays = [{"date": f"2026-03-{day}", "country": "US", "region": "Boston"} for day in ("09", "10")]
    line = {"kind": "per_diem", "country": "US", "region": "Boston", "stays": stays}
    line |= {"startAt": "2026-03-09T08:00:00Z", "endAt": "2026-03-11T18:00:00Z"}
    (line if field == "region" else stays[1])["region"] = "Denver"
    error = dan.refused("POST", PATH, {"title": "Rockies", "lines": [line]}, status=422)
    (told,) = error["details"]
    assert (told["field"], told["code"]) == (f"lines[0].{field}", "unknown_region")
    assert told["message"] == "Denver has no per diem of its own. Choose the country without a city or region."
    own = {"kind": "per_diem", "country": "US", "region": "denver", "validFrom": "2026-03-10", "full": "66.00"}
    office.ok("POST", RATES, own | {"partial": "44.00"})
    dan.ok("POST", PATH, {"title": "Rockies", "lines": [line]})


def test_a_city_is_known_in_any_case_and_shown_as_its_table_spells_it(office, dan):
    own = {"kind": "per_diem", "country": "ES", "region": "MADRID", "validFrom": "2026-03-10", "full": "60.00"}
    office.ok("POST", RATES, own | {"partial": "40.00"})
    stays = [{"date": "2026-03-10", "country": "FR", "region": "PARIS"}]
    line = away(dan, "2026-03-09T08:00:00", "2026-03-11T18:00:00", country="ES", region="madrid", stays=stays)
    assert [(day["region"], day["amount"]) for day in line["days"]] == [
        ("Madrid", "28.00"),
        ("Paris", "58.00"),
        ("Paris", "39.00"),
    ]
    assert line["trip"]["region"] == "Madrid"
    assert line["trip"]["stays"][0]["region"] == "Paris"
    later = away(dan, "2026-03-10T08:00:00", "2026-03-10T18:00:00", country="ES", region="Madrid")
    assert later["amount"] == "40.00"
    listed = {each["country"]: each["regions"] for each in dan.ok("GET", f"{RATES}/places")}
    assert listed["ES"] == ["Kanarische Inseln", "Madrid", "Palma de Mallorca"]


def test_the_offices_own_rates_win_from_their_day(office, dan):
    own = {"kind": "mileage", "country": "DE", "vehicle": "car", "validFrom": "2026-03-10", "rate": "0.38"}
    made = office.ok("POST", RATES, own)
    office.ok(
        "POST",
        RATES,
        {"kind": "per_diem", "country": "DE", "validFrom": "2026-01-01", "full": "30.00", "partial": "20"},
    )
    drive = {"kind": "mileage", "distance": "100.5", "vehicle": "car"}
    assert line_of(dan, **drive, date="2026-03-09")["amount"] == "30.15"
    assert line_of(dan, **drive, date="2026-03-10")["amount"] == "38.19"
    assert away(dan, "2026-03-09T08:00:00", "2026-03-09T18:00:00")["amount"] == "20.00"
    office.ok("DELETE", f"{RATES}/{made['id']}")
    assert line_of(dan, **drive, date="2026-03-10")["amount"] == "30.15"


def test_a_day_without_a_rate_is_refused(office, dan):
    line = {"kind": "per_diem", "country": "BR", "startAt": "2024-03-09T08:00:00Z", "endAt": "2024-03-09T18:00:00Z"}
    error = dan.refused("POST", PATH, {"title": "Rio", "lines": [line]}, status=422)
    assert error["details"][0]["code"] == "no_rate"
    assert error["details"][0]["field"] == "lines[0].country"


@pytest.mark.parametrize(
    ("country", "vehicle", "amount"), [("AT", "bicycle", "2.50"), ("AT", "car", "5.00"), ("DE", "motorcycle", "2.00")]
)
def test_mileage_has_the_rate_of_its_country(office, dan, country, vehicle, amount):
    line = line_of(dan, kind="mileage", date="2026-03-09", distance="10", vehicle=vehicle, country=country)
    assert line["amount"] == amount
