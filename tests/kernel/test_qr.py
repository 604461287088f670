import io

import pytest
import segno

from erp.kernel import qr

ADDRESS = "http://192.168.1.5:8420"
LIGHT_ABOVE_AND_BELOW = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
BORDER = 2


class Screen(io.TextIOWrapper):
    def __init__(self, encoding="utf-8", is_terminal=True):
        super().__init__(io.BytesIO(), encoding)
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


@pytest.fixture
def on_linux(monkeypatch):
    monkeypatch.setattr("os.name", "posix")
    monkeypatch.setenv("TERM", "xterm")


def squares(drawn, light):
    """The drawing's squares, true where dark; `light` is what a block stands for."""
    rows = []
    for line in drawn.splitlines():
        halves = [LIGHT_ABOVE_AND_BELOW[each] for each in line]
        rows += [[half[part] != light for half in halves] for part in (0, 1)]
    inner = rows[BORDER : len(rows[0]) - BORDER]
    return [[int(each) for each in row[BORDER:-BORDER]] for row in inner]


def expected():
    return [list(row) for row in segno.make(ADDRESS, error="m", micro=False).matrix]


def test_a_terminal_is_shown_black_squares_on_white_whatever_its_colours(on_linux):
    lines = qr.drawn_on(Screen(), ADDRESS).splitlines()
    assert all(line.startswith("\033[30;107m") and line.endswith("\033[0m") for line in lines)
    plain = "\n".join(line.removeprefix("\033[30;107m").removesuffix("\033[0m") for line in lines)
    assert squares(plain, light=0) == expected()


@pytest.mark.parametrize("encoding", ["utf-8", "cp437", "cp850"])
def test_the_console_of_windows_is_shown_white_squares_on_its_dark_ground(monkeypatch, encoding):
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.setattr("os.name", "nt")
    drawn = qr.drawn_on(Screen(encoding), ADDRESS)
    assert drawn.encode(encoding)
    assert squares(drawn, light=1) == expected()


@pytest.mark.parametrize("screen", [Screen(is_terminal=False), Screen("ascii"), Screen("cp1252")])
def test_nothing_is_drawn_where_it_could_not_be_seen(on_linux, screen):
    assert qr.drawn_on(screen, ADDRESS) == ""


def test_nothing_is_drawn_on_a_terminal_that_knows_no_colours(on_linux, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert qr.drawn_on(Screen(), ADDRESS) == ""
