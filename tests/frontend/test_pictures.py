"""The pictures for people to look at: one is taken here, so that the way to all of them stays open."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests import pictures
from tests.paths import ROOT

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


@pytest.mark.skipif(find_spec("PIL") is None, reason="Pillow is not installed")
def test_a_picture_of_the_manual_is_taken_in_both_languages(chromium, tmp_path):
    take = [sys.executable, ROOT / "packaging" / "pictures.py", "quote", "--folder", tmp_path]
    subprocess.run(take, check=True, cwd=ROOT)
    english, german = (tmp_path / "using" / place / "quote.webp" for place in ("pictures", "de/pictures"))
    assert english.read_bytes()[8:12] == german.read_bytes()[8:12] == b"WEBP"
    assert english.read_bytes() != german.read_bytes()
