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
def test_a_sentence_shows_an_instant_in_the_readers_zone(zone, expected):
    instant = datetime.datetime(2026, 9, 3, 22, 0, 59, tzinfo=datetime.UTC)
    assert clock.shown(instant, zone) == expected
