"""Full-text search: an index of parts of words in a file of its own, beside the workspace that it was made from.

It uses FTS5, which nothing else knows of. Three letters in a row are a word of it, so that parts of words are found
as well. A row that it finds has all threes of the words, which need not stand in the same order: it may be wanted.
"""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from erp.kernel import config
from erp.kernel.errors import Busy
from erp.store import files, sql
from erp.store.connections import STORAGE_ERRORS, means_damage, message_of, plain
from erp.store.router import INDEX

log = logging.getLogger("erp.search")

VERSION = 1
"""Of the tables below."""

_WORDS = "text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'"
"""Neither texts nor positions of words are stored; without positions it takes 112 bytes a row, not 225."""

_TABLES = (
    "CREATE TABLE state (form TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, unread TEXT NOT NULL) STRICT",
    "CREATE TABLE record (place INTEGER PRIMARY KEY, section INTEGER NOT NULL, id TEXT NOT NULL) STRICT",
    "CREATE UNIQUE INDEX record_id ON record (section, id)",
    f"CREATE VIRTUAL TABLE word USING fts5 ({_WORDS})",
)
_PARTS = ("", "-wal", "-shm")
_NEW = ".new"

LETTERS = 3
"""The letters of an indexed part of a word; a shorter word cannot be found."""

_SECTION = 1 << 40
"""The most rows of a section."""

_MOST_THREES = 40
"""The most trigrams per search; the rest of a long word is left to the comparison."""

Alternatives = Sequence[Sequence[str]]
"""Folded words; a row is found if it has all of one of these."""


class State(NamedTuple):
    """The progress of an index: the newest event that it has read, and the last id in each table not yet read through.

    `form` differs as soon as the same rows would make another index.
    """

    form: str
    seq: int
    hash: str
    unread: Mapping[str, str]


def path_of(workspace_id: str) -> Path:
    """The path of a workspace's index."""
    return config.current().search_dir / f"{workspace_id}.db"


def opened(path: Path, *, write: bool) -> AbstractContextManager[None]:
    """Open an index for one transaction."""
    return INDEX.scope(path, write=write)


@contextmanager
def giving_up(path: Path) -> Iterator[None]:
    """Leave the block if the index cannot be used; a damaged or foreign file is deleted."""
    try:
        yield
    except (*STORAGE_ERRORS, OSError, Busy) as problem:
        log.info("%s is not used: %s", path, message_of(problem))
        if means_damage(problem) or "no such table" in str(problem) or "no such column" in str(problem):
            discard(path)


def make(path: Path) -> None:
    """Put an empty index in place, which has no state yet."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    new = path.with_suffix(_NEW)
    new.unlink(missing_ok=True)
    with plain(new) as connection:
        for statement in (*_TABLES, f"PRAGMA application_id = {INDEX.application_id_expected}"):
            connection.execute(statement)
    discard(path)  # also the log of an index that is gone
    files.replace(new, path)


def discard(path: Path) -> None:
    """Delete an index, unless it is in use or cannot be deleted."""
    try:
        with INDEX.closed(path):
            for part in _PARTS:
                path.with_name(path.name + part).unlink(missing_ok=True)
    except (OSError, Busy) as problem:
        log.info("%s cannot be deleted: %s", path, problem)


def discard_others(folder: Path, workspace_ids: Iterable[str]) -> None:
    """Delete what is in the folder of indexes and belongs to none of these workspaces; no one has it open."""
    own = {f"{id}.db{part}" for id in workspace_ids for part in _PARTS}
    for path in folder.glob("*"):
        if path.name not in own:
            try:
                path.unlink()
            except OSError as problem:
                log.info("%s cannot be deleted: %s", path, problem)


def state() -> State | None:
    """The progress of the open index."""
    for form, seq, hash, unread in INDEX.rows("SELECT form, seq, hash, unread FROM state"):
        return State(form, seq, hash, json.loads(unread))
    return None


def note(state: State) -> None:
    """Store the progress of the open index."""
    INDEX.run("DELETE FROM state")
    values = (state.form, state.seq, state.hash, json.dumps(state.unread))
    INDEX.run("INSERT INTO state (form, seq, hash, unread) VALUES (?, ?, ?, ?)", values)


def clear() -> None:
    """Remove every row from the open index."""
    INDEX.run("DELETE FROM record")
    INDEX.run("INSERT INTO word (word) VALUES ('delete-all')")


def index(section: int, texts: Mapping[str, str]) -> None:
    """Index rows of a section by their ids, as these folded texts have them now."""
    remove(section, texts)
    first = section * _SECTION
    ((last,),) = INDEX.rows(
        "SELECT coalesce(max(place), ?) FROM record WHERE place BETWEEN ? AND ?", (first, first, first + _SECTION - 1)
    )
    places = range(last + 1, last + 1 + len(texts))
    rows = [(place, section, id) for place, id in zip(places, texts, strict=True)]
    INDEX.run_many("INSERT INTO record (place, section, id) VALUES (?, ?, ?)", rows)
    INDEX.run_many("INSERT INTO word (rowid, text) VALUES (?, ?)", [*zip(places, texts.values(), strict=True)])


def remove(section: int, ids: Iterable[str]) -> None:
    """Remove rows of a section, if it has them."""
    places = INDEX.rows(_PLACES, (section, sql.array(ids)))
    INDEX.run_many("DELETE FROM word WHERE rowid = ?", places)
    INDEX.run_many("DELETE FROM record WHERE place = ?", places)


_PLACES = "SELECT place FROM record WHERE section = ? AND id IN (SELECT value FROM json_each(?))"


def find(section: int, words: Alternatives, most: int) -> list[str] | None:
    """The ids of the rows of a section that may have the words; None if there are more, or the words are too short."""
    wanted = [_threes(alternative) for alternative in words]
    if not all(wanted):
        return None
    first = section * _SECTION
    match = " OR ".join(f"({' AND '.join(threes)})" for threes in wanted)
    rows = INDEX.rows(_FIND, (match, first, first + _SECTION - 1, most + 1))
    return [id for (id,) in rows] if len(rows) <= most else None


_FIND = (
    "SELECT record.id FROM word CROSS JOIN record ON record.place = word.rowid"
    " WHERE word MATCH ? AND word.rowid BETWEEN ? AND ? LIMIT ?"
)


def _threes(words: Sequence[str]) -> list[str]:
    """The trigrams of all of the words, quoted for FTS5."""
    threes = (word[at : at + LETTERS] for word in words for at in range(len(word) - LETTERS + 1))
    return ['"{}"'.format(three.replace('"', '""')) for three in [*dict.fromkeys(threes)][:_MOST_THREES]]
