import datetime

import pytest

from erp.kernel import clock


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", "22:00 on 3 September"),
        ("Europe/Berlin", "00:00 on 4 September"),
        ("Asia/Kathmandu", "03:45 on 4 September"),
        ("America/New_York", "18:00 on 3 September"),
    ],
)
def test_a_sentence_shows_an_instant_in_the_readers_zone(zone, expected, clock_at):
    clock_at("2026-11-22T12:00:00Z")
    instant = datetime.datetime(2026, 9, 3, 22, 0, 59, tzinfo=datetime.UTC)
    assert clock.shown(instant, zone) == expected


def test_a_sentence_names_the_year_of_an_instant_in_another_one(clock_at):
    clock_at("2027-01-01T00:30:00Z")
    instant = datetime.datetime(2026, 12, 31, 23, 30, tzinfo=datetime.UTC)
    assert clock.shown(instant, "UTC") == "23:30 on 31 December 2026"
    assert clock.shown(instant, "Europe/Berlin") == "00:30 on 1 January"
