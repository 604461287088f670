"""The self-test finds each part of a build that does not work."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from erp import app, cli
from erp.auth import passwords
from erp.hr.calendar import holidays
from erp.kernel import language, qr
from erp.kernel.paper import pdf as printing
from erp.selftest import probes
from erp.store import connections
from erp.system.checks import files as checking
from erp.web import ical
from erp.web.pages import static


def test_a_sound_build_has_an_ok_line_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["selftest"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"ok      {name}" for name in probes.PROBES]


def test_it_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert probes.run()
    assert not list(tmp_path.iterdir())


def missing(*_: Any, **__: Any) -> Any:
    raise FileNotFoundError("it was not packed")


def an_old_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "check_sqlite_version", lambda: check_sqlite_version((3, 40, 1)))


check_sqlite_version = connections.check_sqlite_version


def two_sqlites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys._MEIPASS", "/tmp/_MEI1", raising=False)
    for name in ("_sqlite3", "pysqlite3._sqlite3"):
        monkeypatch.setitem(sys.modules, name, probes)


def a_module_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "import_module", missing)


def no_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tzdata", None)
    monkeypatch.setitem(sys.modules, "tzdata.zoneinfo.Pacific", None)


def hashes_that_accept_any_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "verify", lambda hashed, password: True)


def no_typeface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "TYPEFACE", Path("/nowhere/font.ttf"))


def no_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stdnum.iban.is_valid", lambda number: True)


def no_rules_of_a_country(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("stdnum.pt", "stdnum.pt.nif"):
        monkeypatch.setitem(sys.modules, module, None)


def holidays_in_german_only(monkeypatch: pytest.MonkeyPatch) -> None:
    german = holidays.public_holidays
    monkeypatch.setattr(
        holidays, "public_holidays", lambda country, part, year, language=None: german(country, part, year)
    )


def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qr, "svg", lambda text: b"")


def no_calendar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ical, "calendar", missing)


def an_empty_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    file_of = static.File.of
    monkeypatch.setattr(static.File, "of", lambda name, content: file_of(name, b"" if "swagger" in name else content))
    monkeypatch.setattr(app, "documentation", app.documentation.__wrapped__)


def a_page_that_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static.Page, "on_get", lambda self, req, resp: setattr(resp, "data", b"<p>"))


def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "frontend", missing)


def no_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "catalogue", lambda spoken: {})


def unsound_books(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = checking.workspace_file

    def unsound(path: Path) -> checking.Report:
        report = sound(path)
        report.problems.append("Entry 1 does not balance.")
        return report

    monkeypatch.setattr(checking, "workspace_file", unsound)


DEFECTS: list[tuple[Callable[[pytest.MonkeyPatch], None], str, str]] = [
    (a_module_gone, "modules", "it was not packed"),
    (an_old_sqlite, "SQLite", "SQLite 3.40.1 can lose committed data"),
    (two_sqlites, "SQLite", "two SQLite libraries are loaded"),
    (hashes_that_accept_any_password, "passwords", "the result is (True, True) instead of (True, False)"),
    (no_zones, "time zones", "No time zone found"),
    (no_typeface, "PDF", str(Path("/nowhere/font.ttf"))),
    (no_registry, "bank accounts", "instead of [True, False]"),
    (no_rules_of_a_country, "VAT ids", "the result is ['pt'] instead of []"),
    (holidays_in_german_only, "public holidays", " instead of "),
    (no_drawing, "QR codes", "the result is not an image"),
    (no_calendar, "calendars", "it was not packed"),
    (an_empty_viewer, "pages", "empty: ['/api/docs/swagger_"),
    (a_page_that_names_nothing, "pages", "without script or style: ['/']"),
    (no_pages, "pages", "it was not packed"),
    (no_translations, "messages", "the result is ['de'] instead of []"),
    (unsound_books, "books", "Entry 1 does not balance."),
]


@pytest.mark.parametrize(("spoil", "part", "why"), DEFECTS, ids=lambda value: getattr(value, "__name__", None))
def test_a_part_that_does_not_work_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[pytest.MonkeyPatch], None],
    part: str,
    why: str,
) -> None:
    monkeypatch.setattr(probes, "PROBES", {part: probes.PROBES[part], "bank accounts!": lambda: "reached"})
    monkeypatch.setattr(app, "_router", app._router.__wrapped__)
    spoil(monkeypatch)
    assert cli.main(["selftest"]) == 1
    failed, other = capsys.readouterr().out.splitlines()
    assert failed.startswith(f"FAILED  {part}: ")
    assert why in failed
    assert other == "ok      bank accounts!: reached"
