"""An office whose search has an index, however small it is, and what a search has compared."""

from pathlib import Path
from typing import Any

import pytest

from erp.desk import search as searching
from erp.store.search import narrowing, words
from erp.store.search.words import State
from tests.conftest import Office
from tests.desk.test_search import search

Compared = dict[str, int | None]


@pytest.fixture(autouse=True)
def small_offices_have_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "SMALL", 0)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Compared:
    """How many rows of each kind the last search has compared; None for all of them."""
    counts: Compared = {}
    rows = searching._rows

    def counting(source: Any, text: str, ids: Any) -> Any:
        counts[source.type] = None if ids is None else len(ids)
        return rows(source, text, ids)

    monkeypatch.setattr(searching, "_rows", counting)
    return counts


def workspace_file(person: Office) -> Path:
    return person.installation.config.workspaces_dir / f"{person.workspace_id}.db"


def index_file(person: Office) -> Path:
    return person.installation.config.search_dir / f"{person.workspace_id}.db"


def state(person: Office) -> State | None:
    with person.acting(), words.opened(index_file(person), write=False):
        return words.state()


def without_index(person: Office, text: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrowing, "SMALL", 1 << 60)
        return search(person, text)


def is_asked(person: Office, compared: Compared) -> bool:
    """Whether the index narrows what is compared: no one is called that."""
    assert search(person, "qqqqq") == []
    return set(compared.values()) == {0}
