"""The tables of official rates, as a reader of the letters would proofread them."""

from datetime import date
from decimal import Decimal

import pytest

from erp.hr.expenses.rates import tables
from erp.kernel import countries


@pytest.fixture(params=tables.COUNTRIES)
def table(request):
    return tables.of(request.param)


def test_newer_rates_follow_older_ones(table):
    of_places: dict[tuple[str, str | None], list[date]] = {}
    for row in table.per_diems:
        of_places.setdefault((row.country, row.region), []).append(row.valid_from)
    for place, days in of_places.items():
        assert days == sorted(set(days)), place


def test_a_partial_day_is_less_than_a_full_one(table):
    for row in table.per_diems:
        assert 0 < Decimal(row.partial) < Decimal(row.full), row


def test_each_country_exists_and_each_region_has_its_country(table):
    whole = {row.country for row in table.per_diems if row.region is None}
    assert {row.country for row in table.per_diems} == whole
    assert whole <= countries.IN_ADDRESSES


def test_a_territory_has_the_rates_of_one_country_that_has_some(table):
    whole = {row.country for row in table.per_diems}
    covered = [country for each in table.covers.values() for country in each]
    assert len(covered) == len(set(covered))
    assert not whole & set(covered)
    assert {*table.covers, *filter(None, [table.others])} <= whole


def test_rates_abroad_are_120_and_80_percent_of_an_allowance():
    """Of a whole number of euros, each rounded up: § 9 (4a) sentence 5 EStG."""
    lawful = {tuple(Decimal(-(-share * allowance // 5)) for share in (6, 4)) for allowance in range(1, 100)}
    table = tables.of("DE")
    assert table is not None
    abroad = [row for row in table.per_diems if row.country != "DE"]
    assert len(abroad) > 250
    for row in abroad:
        assert tuple(map(Decimal, (row.full, row.partial))) in lawful, row
