"""Heads: the contacts that merged duplicates count for. Nothing posted changes by a merge; sums go by head."""

from collections.abc import Iterable

from erp.store.router import WORKSPACE

_MEMO = "heads of contacts"


def of(id: str) -> str:
    """The id of the contact whose balance a posting of this contact belongs to: its own, unless it was merged."""
    return _heads().get(id, id)


def group(id: str) -> list[str]:
    """The ids of a contact and of all that were merged into its head; the head comes first."""
    head = of(id)
    return [head, *(other for other, of_other in _heads().items() if of_other == head)]


def groups(ids: Iterable[str]) -> list[str]:
    """The ids of several contacts and of all that count for the same heads."""
    return sorted({other for id in ids for other in group(id)})


def forget() -> None:
    """Drop the heads that were read, after a merge."""
    WORKSPACE.forget(_MEMO)


def _heads() -> dict[str, str]:
    return WORKSPACE.memo(_MEMO, lambda: dict(WORKSPACE.rows(_MERGED)))


def sql(column: str) -> str:
    """SQL for the head of the contact whose id a column has."""
    return f"coalesce((SELECT merged.head_id FROM contact AS merged WHERE merged.id = {column}), {column})"


def join(column: str) -> str:
    """SQL that joins, as `contact`, the head of the contact whose id a column has."""
    return (
        f"JOIN contact AS party ON party.id = {column} JOIN contact ON contact.id = coalesce(party.head_id, party.id)"
    )


def owned(parameter: str) -> str:
    """SQL for the ids of a head, whose id a named parameter has, and of its duplicates."""
    return f"(SELECT own.id FROM contact AS own WHERE own.id = :{parameter} OR own.head_id = :{parameter})"


_MERGED = "SELECT id, head_id FROM contact WHERE head_id IS NOT NULL ORDER BY id"
