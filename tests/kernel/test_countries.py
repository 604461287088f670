"""Facts about countries, held against the lists that are at hand."""

from datetime import date
from decimal import Decimal
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest

from erp.kernel.countries import COUNTRIES, IN_ADDRESSES, currency_of, date_text, tax_percentages, time_zone_of
from erp.kernel.currencies import DIGITS

EUROPEAN_UNION = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE",
    "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
]  # fmt: skip
WITHOUT_THE_EURO = {"CZ": "CZK", "DK": "DKK", "HU": "HUF", "PL": "PLN", "RO": "RON", "SE": "SEK"}


def test_every_country_of_iso_3166_is_known() -> None:
    listed = files("tzdata").joinpath("zoneinfo/iso3166.tab").read_text(encoding="utf-8").splitlines()
    assert {line.split("\t")[0] for line in listed if not line.startswith("#")} == set(COUNTRIES)


def test_of_the_codes_that_anyone_may_define_only_two_are_in_addresses() -> None:
    letters = [chr(i) for i in range(ord("A"), ord("Z") + 1)]
    free = {"AA", "ZZ", *(f"Q{letter}" for letter in letters[12:]), *(f"X{letter}" for letter in letters)}
    assert free & IN_ADDRESSES == {"XI", "XK"}
    assert set(COUNTRIES) == IN_ADDRESSES - free


def test_every_country_has_a_currency_that_the_books_can_count_in() -> None:
    assert set(COUNTRIES.values()) <= set(DIGITS)


def test_every_currency_in_use_is_some_countrys() -> None:
    funds_and_second_currencies = {
        "BOV", "CHE", "CHW", "CLF", "COU", "CUC", "MXV", "SVC", "USN", "UYI", "UYW", "VED", "XAD",
    }  # fmt: skip
    assert set(DIGITS) - set(COUNTRIES.values()) <= funds_and_second_currencies


@pytest.mark.parametrize("country", EUROPEAN_UNION)
def test_a_member_of_the_union_counts_in_euros_unless_it_kept_its_own(country: str) -> None:
    assert currency_of(country) == WITHOUT_THE_EURO.get(country, "EUR")


@pytest.mark.parametrize(
    ("country", "currency"),
    [
        ("US", "USD"), ("GB", "GBP"), ("CH", "CHF"), ("LI", "CHF"), ("NO", "NOK"), ("IS", "ISK"), ("JP", "JPY"),
        ("IN", "INR"), ("KW", "KWD"), ("ZW", "ZWG"), ("SL", "SLE"), ("CW", "XCG"), ("SN", "XOF"), ("CM", "XAF"),
    ],
)  # fmt: skip
def test_a_country_has_its_currency(country: str, currency: str) -> None:
    assert currency_of(country) == currency


@pytest.mark.parametrize(
    ("country", "percentages"),
    [
        ("DE", ("19", "7")), ("FI", ("25.5", "13.5", "10")), ("EE", ("24", "13", "9")), ("SK", ("23", "19", "5")),
        ("RO", ("21", "11")), ("CH", ("8.1", "3.8", "2.6")), ("GB", ("20", "5")), ("NO", ("25", "15", "12")),
        ("JP", ("10", "8")), ("IN", ("18", "5", "40")), ("SG", ("9",)), ("AE", ("5",)), ("US", ()), ("BR", ()),
        ("HK", ()),
    ],
)  # fmt: skip
def test_a_country_has_its_common_percentages_standard_first(country: str, percentages: tuple[str, ...]) -> None:
    assert tax_percentages(country) == percentages


@pytest.mark.parametrize("country", EUROPEAN_UNION)
def test_a_member_of_the_union_has_a_standard_rate_between_its_limits_and_lower_ones_after_it(country: str) -> None:
    rates = [Decimal(rate) for rate in tax_percentages(country)]
    assert Decimal(15) <= rates[0] <= Decimal(27)
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize("country", sorted(COUNTRIES))
def test_percentages_are_plain_decimals_each_named_once(country: str) -> None:
    rates = tax_percentages(country)
    assert len(set(rates)) == len(rates)
    for rate in rates:
        assert 0 < Decimal(rate) < 100
        assert f"{Decimal(rate).normalize():f}" == rate


def test_a_country_that_does_not_exist_has_no_percentages() -> None:
    assert tax_percentages("ZZ") == ()
    assert "ZZ" not in COUNTRIES


@pytest.mark.parametrize(
    ("country", "zone"),
    [
        ("DE", "Europe/Berlin"), ("ES", "Europe/Madrid"), ("US", "America/New_York"), ("BR", "America/Sao_Paulo"),
        ("AU", "Australia/Sydney"), ("CA", "America/Toronto"), ("JP", "Asia/Tokyo"), ("NP", "Asia/Kathmandu"),
    ],
)  # fmt: skip
def test_a_country_lives_by_the_clock_of_most_of_its_people(country: str, zone: str) -> None:
    assert time_zone_of(country) == zone


def test_every_country_where_people_live_has_a_time_zone() -> None:
    zones = {country: time_zone_of(country) for country in COUNTRIES}
    assert {country for country, zone in zones.items() if zone is None} == {"BV", "HM"}
    assert all(ZoneInfo(zone) for zone in zones.values() if zone)


@pytest.mark.parametrize(
    ("country", "written"),
    [
        ("DE", "31.01.2026"),
        ("GB", "31/01/2026"),
        ("US", "01/31/2026"),
        ("NL", "31-01-2026"),
        ("JP", "2026/01/31"),
        ("SE", "2026-01-31"),
        (None, "2026-01-31"),
    ],
)
def test_a_date_is_written_as_in_its_country(country, written):
    assert date_text(date(2026, 1, 31), country) == written
