"""How text is folded to be searched."""

import pytest

from erp.store.sql import fold, words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Müller", "muller"),
        ("Mu\u0308ller", "muller"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Groẞ", "gross"),
        ("Crème Brûlée", "creme brulee"),
        ("Łódź", "lodz"),
        ("Søren Ærø", "soren aero"),
        ("İstanbul", "istanbul"),
        ("Σίσυφος", "σισυφοσ"),
        ("ﬁx №5", "fix no5"),
        ("100 % _", "100 % _"),
        ("", ""),
    ],
)
def test_text_is_folded_without_case_and_accents(text, folded):
    assert fold(text) == folded


def test_what_is_beyond_the_last_word_counts_as_one():
    assert words("  Anna   Müller ") == ["anna", "muller"]
    assert words("a b c d", most=3) == ["a", "b", "c d"]
    assert words("   ") == []
