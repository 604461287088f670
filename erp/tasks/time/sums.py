"""Sums of time by person, project, task or day."""

from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.kernel import caller
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.members import people
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.tasks.time.listing import TaskTimeFilter, conditions
from erp.web.json_pages import chosen
from erp.web.scalars import Money
from erp.web.schema import ListQuery, Unset, View, known

IdIfGrouped = Annotated[str | Unset, msgspec.Meta(description="Only when grouped by it.")]


class TimeLogSum(View):
    """The sums of one group of logs, or of all in a list. Amounts are absent without the right to see money."""

    name: Annotated[
        str | None,
        msgspec.Meta(
            description="Of the user, the project with its code, the task with its key, or the day; null of a list."
        ),
    ]
    minutes: int
    billable_minutes: int
    unbilled_minutes: Annotated[int, msgspec.Meta(description="Billable, and not on an invoice yet.")]
    user_id: IdIfGrouped = UNSET
    project_id: Annotated[
        str | Unset | None, msgspec.Meta(description="Only when grouped by it; null: tasks without a project.")
    ] = UNSET
    task_id: IdIfGrouped = UNSET
    date: IdIfGrouped = UNSET
    amount: Money | Unset = UNSET
    unbilled_amount: Money | Unset = UNSET


# Each answer is one value, not a row for each group: with every row a thread releases the interpreter.
# SQLite writes their JSON: for 10,000 tasks a third less than making views of rows in Python.
_SUMS = """
SELECT string_agg({shown}, ',') FROM (
    SELECT {key}, CAST(:currency AS TEXT) AS currency, sum(minutes) AS minutes,
        coalesce(sum(minutes) FILTER (WHERE is_billable), 0) AS billable_minutes,
        coalesce(sum(minutes) FILTER (WHERE is_billable AND invoice_id IS NULL), 0) AS unbilled_minutes,
        sum(amount) AS amount, coalesce(sum(amount) FILTER (WHERE invoice_id IS NULL), 0) AS unbilled_amount
    FROM time_log WHERE {where} {grouping}) AS sums
"""
KEYS = frozenset({"user_id", "project_id", "task_id", "date"})
"""The columns that logs can be grouped by."""

_NAMES = {
    "project_id": "SELECT " + sql.json_map("id", "code || ' ' || name") + " FROM project",
    "task_id": "SELECT " + sql.json_map("id", "key || ' ' || title") + " FROM task",
}


def sums(query: TaskTimeFilter, task_id: str | None = None) -> list[TimeLogSum]:
    """The matching groups: days the newest first, anything else by name.

    Raises:
        BadParameter: it asks for a page as well.
        Forbidden: it asks for someone else's time, and the caller may read only their own.
    """
    _check_is_no_page(query)
    key = "date" if query.group_by == "date" else f"{query.group_by}_id"
    where = sql.all_of([*conditions(query, task_id), *chosen(query)])
    walk = "+" if query.q else ""  # notes are in no index, which would fetch each of them separately
    groups = _read(key, f"GROUP BY {walk}{key}", where)
    ids = [getattr(group, key) for group in groups]
    names = _names(key, ids)
    for group, id in zip(groups, ids, strict=True):
        group.name = names.get(id)
    named = [group for group in groups if group.name is not None]
    named.sort(key=attrgetter("name"), reverse=key == "date")
    return named + [group for group in groups if group.name is None]


def whole(query: TaskTimeFilter, task_id: str | None = None) -> list[TimeLogSum]:
    """The sum of all matching logs, as the only group; none where nothing matches."""
    return _read("NULL AS task_id", "HAVING count(*) > 0", sql.all_of([*conditions(query, task_id), *chosen(query)]))


def _read(key: str, grouping: str, where: Condition) -> list[TimeLogSum]:
    shown = _shown(key)
    document = _value(_SUMS.format(shown=shown.sql, key=key, grouping=grouping, where=where.sql), shown, where)
    groups: list[TimeLogSum] = msgspec.json.decode(f"[{document or ''}]", type=known(list[TimeLogSum]))
    return groups


def _check_is_no_page(query: TaskTimeFilter) -> None:
    for field in msgspec.structs.fields(ListQuery):
        if field.name not in ("format", "ids") and getattr(query, field.name) != field.default:
            raise BadParameter(says("{field}: Groups are shown all at once. Leave it out.", field=field.encode_name))


def _names(key: str, ids: Collection[Any]) -> Mapping[str, str]:
    if key == "user_id":
        return people.names(ids)
    if key == "date":
        return dict(zip(ids, ids, strict=True))
    names: dict[str, str] = msgspec.json.decode(_value(_NAMES[key]))
    return names


def _value(query: str, *conditions: Condition) -> Any:
    """The one value of a query, with the parameters of its conditions."""
    ((value,),) = WORKSPACE.rows(query, sql.all_of(conditions).parameters)
    return value


def _shown(key: str) -> Condition:
    """The JSON of a group without its name, as the caller may see it."""
    currency = workspace_settings.current().base_currency if caller.may("money.read") else None
    columns: dict[str, str | sql.Amount | None] = {"name": "NULL", **dict.fromkeys(KEYS - {key})}
    for field in ("amount", "unbilled_amount"):
        columns[field] = sql.Amount(field) if currency else None
    return Condition(sql.json_of(TimeLogSum, columns), {"currency": currency})
