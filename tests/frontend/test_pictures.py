"""The pictures for people to look at: one is taken here, so that the way to all of them stays open."""

import pytest

from tests import pictures

pytestmark = pytest.mark.browser


def test_a_screen_is_taken_at_two_widths_in_both_schemes(chromium, company, tmp_path):
    pictures.take(chromium, company, tmp_path, ["invoice"])
    taken = sorted(tmp_path.iterdir())
    assert [file.name for file in taken] == [
        f"invoice-{width}-{scheme}.png" for width in (1280, 360) for scheme in ("dark", "light")
    ]
    assert len({file.read_bytes() for file in taken}) == 4


def test_twelve_screens_are_in_the_list():
    assert len(pictures.SCREENS) == 12
