import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.projects import codes


@given(st.text(max_size=200), st.sets(st.from_regex(r"[A-Z][A-Z0-9]{1,7}", fullmatch=True)), st.integers(1, 30))
def test_a_code_is_well_formed_and_free_whatever_the_name(name, taken, times):
    for _ in range(times):
        code = codes.make(name, taken)
        assert re.fullmatch("[A-Z][A-Z0-9]{1,7}", code)
        assert code not in taken
        taken.add(code)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Website", "WEB"),
        ("Website relaunch", "WR"),
        ("a very long name of a project", "AVLN"),
        ("2026 audit", "AUD"),
        ("Große Übersicht", "GU"),
        ("B2B", "B2B"),
        ("Проект", "PROJ"),
        ("ウェブサイト", "PROJ"),
        ("x", "PROJ"),
        ("42", "PROJ"),
    ],
)
def test_a_code_reminds_of_the_name(name, code):
    assert codes.make(name, set()) == code
    assert codes.make(name, {code}) == f"{code}2"


def test_a_code_that_is_full_gives_way_to_the_number():
    taken = {"AVLN", *(f"AVLN{number}" for number in range(2, 10_000))}
    assert codes.make("a very long name", taken) == "AVL10000"[:8]
