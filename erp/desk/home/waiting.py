"""The common part of the lists on the home page: the number of items, and the first of them."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw

from erp.store.router import WORKSPACE
from erp.web.schema import View

MOST = 10
"""Number of items shown."""


class Waiting(View):
    """Items of one kind that wait for the caller; the first ten are shown."""

    total: Annotated[int, Meta(description="Their number; `items` has the first ten.")]


W = TypeVar("W", bound=Waiting)


def read(kind: type[W], statement: str, parameters: dict[str, Any]) -> W:
    """The items of a statement, each row as its JSON and the number of all rows."""
    rows = WORKSPACE.rows(f"{statement} LIMIT {MOST}", parameters)
    return kind(total=rows[0][1] if rows else 0, items=[Raw(shown.encode()) for shown, _ in rows])  # type: ignore[call-arg]


def named(view: type[msgspec.Struct], row: tuple[Any, ...]) -> dict[str, Any]:
    """A row by the first fields of a view."""
    return dict(zip(view.__struct_fields__, row, strict=False))
