"""One text of SQL for two engines: every documented GET about the demonstration answers the same on PostgreSQL.

The program itself uses SQLite alone. `tests/store/second_engine` translates the schema by rule, copies the rows, and
lets a process of its own run the program on the databases of a server that this test starts.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from erp.store import sql
from tests.paths import ROOT
from tests.store.second_engine import server, words
from tests.store.second_engine.differences import DIFFERENT, UNANSWERED, difference

REASON = server.reason_to_skip()


class Asked(NamedTuple):
    """The answers of both engines by URL, with the paths without one, and the statements that failed."""

    sqlite: dict[str, Any]
    postgresql: dict[str, Any]
    unanswered: list[str]
    failed: dict[str, str]


def _ask(folder: Path) -> Asked:
    """Ask everything that is documented of both engines."""
    from tests.store.second_engine.copying import copy_all  # psycopg may be missing

    data, untouched, given = folder / "data", folder / "untouched", folder / "given.json"
    answers = [folder / "sqlite.json", folder / "postgresql.json"]
    _run("fill", data, given)
    shutil.copytree(data, untouched)
    with server.running() as socket:
        copy_all(untouched, socket)
        _run("ask_sqlite", data, given, answers[0])
        _without_databases(untouched, data)
        _run("ask_postgresql", data, socket, given, *answers)
    first, second = (json.loads(path.read_text()) for path in answers)
    return Asked(first["answers"], second["answers"], first["unanswered"], second["failed"])


def _run(act: str, *arguments: Path | str) -> None:
    """Run the program on one of the engines; each reads its statements anew."""
    command = [sys.executable, "-m", "tests.store.second_engine.program", act, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def _without_databases(untouched: Path, data: Path) -> None:
    """Put the folder back as it was before it was asked, with nothing in it that SQLite could read."""
    shutil.rmtree(data)
    shutil.copytree(untouched, data, ignore=shutil.ignore_patterns("control.db*", "*-wal", "*-shm"))
    for path in (data / "workspaces").iterdir():
        path.unlink()


@pytest.mark.skipif(REASON is not None, reason=REASON or "")
def test_every_get_answers_the_same_on_both_engines(tmp_path: Path) -> None:
    """One test, so that one worker starts one server."""
    asked = _ask(tmp_path)
    assert asked.failed == {}, "PostgreSQL does not read these statements"
    told = [*asked.sqlite.items(), *((url, answer) for url, answer in asked.postgresql.items() if url not in DIFFERENT)]
    assert [url for url, (status, _) in told if status >= "5"] == []
    differing = {
        url: found
        for url, answer in asked.sqlite.items()
        if url not in DIFFERENT and (found := difference(answer, asked.postgresql[url]))
    }
    assert differing == {}
    same = [url for url in DIFFERENT if difference(asked.sqlite[url], asked.postgresql[url]) is None]
    assert same == [], "these differences are no longer needed"
    assert set(asked.unanswered) - UNANSWERED.keys() == set(), "nothing is compared here"
    assert UNANSWERED.keys() - set(asked.unanswered) == set(), "these exceptions are no longer needed"


def test_each_word_of_the_second_engine_is_a_word_of_the_first() -> None:
    assert [name for name in words.WORDS if not hasattr(sql, name)] == []


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"a": [1, 2]}, {"a": [1, 2]}, None),
        ({"a": [1, 2]}, {"a": [1, 3]}, ".a[1]: '2' and '3'"),
        ({"a": 1}, {"a": True}, ".a: '1' and 'True'"),
        ({"a": 1}, {"b": 1}, ": \"{'a': 1}\" and \"{'b': 1}\""),
        ([1], [1, 2], ": '[1]' and '[1, 2]'"),
    ],
)
def test_a_difference_is_named_with_its_place(one: Any, other: Any, found: str | None) -> None:
    assert difference(one, other) == found
