"""Pages of a list by keyset: stable while rows are added, and as fast at the end as at the start."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from peewee import ModelSelect

from erp.kernel import clock
from erp.kernel.errors import BadParameter
from erp.kernel.language import Listed, says
from erp.store import sql
from erp.web import several as several_values
from erp.web.schema import MOST_IDS, ListQuery, Page, Query, View

V = TypeVar("V", bound=View)

NEWEST = "-createdAt"
"""The default order of lists of records; ids sort by time of creation."""


def page(
    select: "ModelSelect[Any]",
    query: ListQuery,
    view: Callable[[Any], V] | None = None,
    *,
    views: Callable[[list[Any]], list[V]] | None = None,
    sort: str = NEWEST,
    sortable: Mapping[str, Any] | None = None,
    changed_at: Any = None,
) -> Page[V]:
    """One page of a select, as views.

    Args:
        select: the filtered records of a model with an `id`.
        view: shows one row.
        views: instead of `view`, shows all rows of the page, so that what they share is read once.
        sort: a field of `sortable`, or `createdAt`; with `-` before it, descending.
        sortable: columns by wire name; nullable ones wrapped in COALESCE.
        changed_at: the instant of the last change, if `updated_at` is no column.
    """
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    record_id: Any = select.model.id
    column = {"createdAt": record_id, **(sortable or {})}[name]
    select = chosen(select, query, changed_at)
    total = select.count() if query.total else None
    if query.cursor is not None:
        select = select.where(_after(read_cursor(query.cursor, sort), column, record_id, descending))
    order = [term.desc() if descending else term.asc() for term in (column, record_id)]
    rows = list(select.select_extend(column.alias("sort_value")).order_by(*order).limit(query.limit + 1))
    has_more = len(rows) > query.limit
    rows = rows[: query.limit]
    next_cursor = write_cursor(sort, rows[-1].sort_value, rows[-1].id) if has_more else None
    items = views(rows) if views is not None else [view(row) for row in rows if view is not None]
    return Page(items, query.limit, next_cursor, total)


def _after(position: tuple[Any, str], column: Any, record_id: Any, descending: bool) -> Any:
    value, last_id = position
    if descending:
        return (column < value) | ((column == value) & (record_id < last_id))
    return (column > value) | ((column == value) & (record_id > last_id))


def chosen(select: "ModelSelect[Any]", query: ListQuery, changed_at: Any = None) -> "ModelSelect[Any]":
    """The records of a select that `ids` and `updatedAfter` of a query leave, which every list takes."""
    model: Any = select.model
    select = several_values.narrowed(select)
    if query.ids is not None:
        select = select.where(sql.among(model.id, ids_of(query.ids)))
    after = updated_after(query)
    return select if after is None else select.where((changed_at or model.updated_at) > after)


def ids_of(text: str) -> list[str]:
    """The ids that a query lists.

    Raises:
        BadParameter: they are too many.
    """
    ids = text.split(",")
    if len(ids) > MOST_IDS:
        raise BadParameter(says("ids: List at most {most} ids at once.", most=MOST_IDS))
    return ids


def updated_after(query: Query) -> str | None:
    """The instant after which the records of a query were changed, as stored."""
    after = getattr(query, "updated_after", None)
    return None if after is None else clock.stamp(after)


def several(name: str, text: str, known: Sequence[str]) -> list[str]:
    """The values that a parameter lists, separated by commas.

    Raises:
        BadParameter: one of the values is not known.
    """
    values = text.split(",")
    if not set(values) <= set(known):
        raise BadParameter(
            says("{column}: Must be one or more of {known}, separated by commas.", column=name, known=Listed.of(known))
        )
    return values


def within(select: "ModelSelect[Any]", query: Any, day: Any, last: Any = None) -> "ModelSelect[Any]":
    """The records whose day is from `date_from` to `date_to` of a query, where it has them.

    Args:
        last: the column with the last day of records that have two; those that overlap are meant.
    """
    if query.date_from is not None:
        select = select.where((day if last is None else last) >= query.date_from)
    return select if query.date_to is None else select.where(day <= query.date_to)


def write_cursor(sort: str, value: Any, last_id: str) -> str:
    """The position of a row in a list of that order, opaque to callers."""
    plain = value.isoformat() if hasattr(value, "isoformat") else value
    return base64.urlsafe_b64encode(json.dumps([sort, plain, last_id]).encode()).decode().rstrip("=")


def read_cursor(cursor: str, sort: str) -> tuple[Any, str]:
    """The position that `write_cursor` wrote.

    Raises:
        BadParameter: it is not a cursor, or one of another order.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        made_for, value, last_id = json.loads(base64.urlsafe_b64decode(padded.encode()))
    except (ValueError, TypeError, binascii.Error):
        raise BadParameter(says("cursor: This is not a valid cursor.")) from None
    fits = _is_text(value) or (type(value) is int and abs(value) < 1 << 63)
    if made_for != sort or not _is_text(last_id) or not fits:
        raise BadParameter(says("cursor: It belongs to a list in another order."))
    return value, last_id


def _is_text(value: Any) -> bool:
    """Whether a value is text that a file can store, and so may have come from one."""
    return type(value) is str and not any("\ud800" <= character <= "\udfff" for character in value)
