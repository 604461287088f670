from datetime import date

import pytest

from erp.kernel import local_dates


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
    assert local_dates.text(date(2026, 1, 31), country) == written
