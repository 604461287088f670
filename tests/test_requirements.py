"""The pins of the libraries, for development and for the executable."""

import re

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_with_hashes_and_names_no_index(name):
    text = (ROOT / "packaging" / name).read_text("utf-8")
    pins = re.split(r"\n(?=[^\s#])", text)[1:]
    assert len(pins) > 10
    for pin in pins:
        assert re.match(r"[a-z0-9.-]+==[^\s]+ .*\\\n +--hash=sha256:[0-9a-f]{64}\b", pin), pin
    assert "://" not in text


def test_what_is_tested_is_what_the_executable_holds():
    """The pins of the development file are those of the executable, and more."""
    pins = [
        set(re.findall(r"^(\S+==[^\s;]+)", (ROOT / "packaging" / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.txt", "requirements-dev.txt")
    ]
    assert pins[0]
    assert pins[0] < pins[1]
