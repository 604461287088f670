import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.eu.vat import MEMBER_STATES

from erp.kernel import vat_ids


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("DE123456788", "DE123456788"),
        ("de 123 456 788", "DE123456788"),
        ("BE 0428.759.497", "BE0428759497"),
        ("IE1234567T", "IE1234567T"),
        ("EL 094259216", "EL094259216"),
        ("gr 094259216", "EL094259216"),
        ("XI 999 9999 73", "XI999999973"),
        ("CHE-123.456.788", "CHE-123.456.788"),
        ("gb 123 456 789", "GB123456789"),
    ],
)
def test_a_vat_id_is_stored_in_one_spelling(written, stored):
    assert vat_ids.tidied(written) == stored
    assert vat_ids.is_valid(stored)


@pytest.mark.parametrize(
    "text", ["", "DE", "DE123456789", "ATU12345676", "U12345675", "123456788", "DE1234567880", "dE123456788"]
)
def test_a_vat_id_of_another_form_or_with_other_check_digits_is_wrong(text):
    assert not vat_ids.is_valid(text)


def test_digits_of_other_alphabets_are_wrong():
    assert not vat_ids.is_valid(vat_ids.tidied("DE12345678\N{ARABIC-INDIC DIGIT EIGHT}"))


PREFIXES = sorted({*MEMBER_STATES, "el", "eu", "im"})


@given(st.sampled_from(PREFIXES), st.text(string.ascii_uppercase + string.digits + "+*.-", max_size=14))
def test_whatever_is_typed_is_right_or_wrong_and_what_is_stored_stays_right(country, number):
    stored = vat_ids.tidied(country + number)
    if vat_ids.is_valid(stored):
        assert vat_ids.tidied(stored) == stored
