"""Sums of time by person, project, task or day."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.kernel import caller, money
from erp.kernel.errors import BadParameter
from erp.members import people
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import all_of
from erp.tasks.time.listing import TaskTimeFilter, conditions
from erp.web.scalars import Money
from erp.web.schema import ListQuery, Unset, View

IdIfGrouped = Annotated[str | Unset, msgspec.Meta(description="Only where it is grouped by.")]


class TimeLogSum(View):
    """The sums of one group of logs. Amounts are absent for those who may not see money."""

    name: Annotated[
        str | None,
        msgspec.Meta(description="Of the user, the project with its code, the task with its key, or the day."),
    ]
    minutes: int
    billable_minutes: int
    unbilled_minutes: Annotated[int, msgspec.Meta(description="Billable, and not on an invoice yet.")]
    user_id: IdIfGrouped = UNSET
    project_id: Annotated[
        str | Unset | None, msgspec.Meta(description="Only where it is grouped by; null: tasks without a project.")
    ] = UNSET
    task_id: IdIfGrouped = UNSET
    date: IdIfGrouped = UNSET
    amount: Money | Unset = UNSET
    unbilled_amount: Money | Unset = UNSET


# Each answer is one value, not a row for each group: with every row a thread releases the interpreter.
# Measured for 10,000 tasks: 86 ms, against 98 ms.
_SUMS = """
SELECT json_group_array(json_array({key}, minutes, billable, unbilled, amount, unbilled_amount)) FROM (
    SELECT {key}, sum(minutes) AS minutes, sum(CASE WHEN is_billable THEN minutes ELSE 0 END) AS billable,
        sum(CASE WHEN is_billable AND invoice_id IS NULL THEN minutes ELSE 0 END) AS unbilled,
        sum(amount) AS amount, sum(CASE WHEN invoice_id IS NULL THEN amount ELSE 0 END) AS unbilled_amount
    FROM time_log WHERE {where} GROUP BY {walk}{key}) AS sums
"""
_NAMES = {
    "project_id": "SELECT json_group_object(id, code || ' ' || name) FROM project",
    "task_id": "SELECT json_group_object(id, key || ' ' || title) FROM task",
}


def sums(query: TaskTimeFilter, task_id: str | None = None) -> list[TimeLogSum]:
    """The groups of a query: days the newest first, anything else by name.

    Raises:
        BadParameter: it asks for a page as well.
        Forbidden: it asks for someone else's time, and the caller may read only their own.
    """
    _check_is_no_page(query)
    key = "date" if query.group_by == "date" else f"{query.group_by}_id"
    where = all_of(conditions(query, task_id))
    walk = "+" if query.q else ""  # notes are in no index, through which each would be fetched by itself
    rows = _value(_SUMS.format(key=key, walk=walk, where=where.sql), where.parameters)
    names, show = _names(key, [row[0] for row in rows]), _show(key)
    groups = [show(row, names.get(row[0])) for row in rows]
    if key == "date":
        return sorted(groups, key=lambda group: group.name or "", reverse=True)
    return sorted(groups, key=lambda group: (group.name is None, group.name))


def _check_is_no_page(query: TaskTimeFilter) -> None:
    for field in msgspec.structs.fields(ListQuery):
        if field.name != "format" and getattr(query, field.name) != field.default:
            raise BadParameter(f"{field.encode_name}: Groups come all at once. Leave it out.")


def _names(key: str, ids: Collection[Any]) -> Mapping[str, str]:
    if key == "user_id":
        return people.names(ids)
    named: dict[str, str] = _value(_NAMES[key]) if key in _NAMES else dict(zip(ids, ids, strict=True))
    return named


def _value(sql: str, parameters: Mapping[str, Any] | tuple[()] = ()) -> Any:
    """The one value of a query, decoded from JSON."""
    ((document,),) = WORKSPACE.rows(sql, parameters)
    return msgspec.json.decode(document)


def _show(key: str) -> Callable[[Sequence[Any], str | None], TimeLogSum]:
    currency = workspace_settings.current().base_currency if caller.may("money.read") else None

    def show(row: Sequence[Any], name: str | None) -> TimeLogSum:
        value, minutes, billable, unbilled, *amounts = row
        visible = dict(zip(("amount", "unbilled_amount"), amounts, strict=True)) if currency else {}
        return TimeLogSum(
            **{key: value},
            name=name,
            minutes=minutes,
            billable_minutes=billable,
            unbilled_minutes=unbilled,
            **{field: money.text(amount, currency or "") for field, amount in visible.items()},
        )

    return show
