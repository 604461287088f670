"""The list of open items: its filters and orders, today or on a past day."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from erp.finance.books import open_items
from erp.finance.contacts import contacts, heads
from erp.finance.items.documents import Side
from erp.finance.items.views import OpenItemView
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Amount, Condition
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Line
from erp.web.schema import ListQuery, Page


class OpenItemFilter(ListQuery):
    contact_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    side: Annotated[Side, msgspec.Meta(description="Receivables or payables.")] | None = None
    currency: str | None = None
    as_of: (
        Annotated[Day, msgspec.Meta(description="Amounts open at the end of this day; without it, open now.")] | None
    ) = None
    due: Annotated[Day, msgspec.Meta(description="Due on or before this day.")] | None = None
    due_from: Annotated[Day, msgspec.Meta(description="Due on or after this day.")] | None = None
    is_overdue: bool | None = None
    q: Annotated[Line, msgspec.Meta(description="Part of the number or of the contact's name.")] | None = None
    sort: Literal["dueDate", "-dueDate", "date", "-date", "number", "-number", "contactName", "-contactName"] = (
        "dueDate"
    )


SORTABLE = {"dueDate": "due_date", "date": "date", "number": "number", "contactName": "contact_name"}

_ITEMS = (
    "(SELECT open_item.*, contact.id AS head_id, account.subtype AS side, account.code AS account_code,"
    " account.name AS account_name, contact.name AS contact_name, {open} AS open_then,"
    " {open_base} AS open_base_then, {revaluation} AS revaluation FROM open_item"
    " JOIN account ON account.id = open_item.account_id"
    f" {heads.join('open_item.contact_id')}"
    " {join} WHERE {where}) AS item"
)
_PRESENT = _ITEMS.format(open="open", open_base="open_base", revaluation="0", join="", where="open <> 0")
_REVALUED = sql.json_members(":revalued")
_PAST = _ITEMS.format(
    open=open_items.OPEN_AT,
    open_base=f"{open_items.OPEN_BASE_AT} + coalesce(CAST(revalued.value AS BIGINT), 0)",
    revaluation="coalesce(CAST(revalued.value AS BIGINT), 0)",
    join=f"LEFT JOIN {_REVALUED} AS revalued ON revalued.key = open_item.id",
    where=f"({open_items.MAY_BE_OPEN_AT} OR open_item.id IN (SELECT key FROM {_REVALUED} AS found))",
)
_IS_OVERDUE = open_items.overdue("open_then", "side")
_SHOWN = sql.json_of(
    OpenItemView,
    {
        "days_overdue": f"CASE WHEN {_IS_OVERDUE} THEN {sql.days_between('due_date', ':today')} ELSE 0 END",
        "entry_number": "(SELECT journal_entry.number FROM journal_entry WHERE journal_entry.id = item.entry_id)",
        "contact_id": "head_id",
        "amount": Amount("amount"),
        "open": Amount("open_then"),
        "base_amount": sql.money_text("base_amount", ":base"),
        "open_base": sql.money_text("open_base_then", ":base"),
        "revaluation": sql.money_text("revaluation", ":base"),
    },
)


def search(query: OpenItemFilter) -> Page[OpenItemView]:
    day = (query.as_of or workspace_settings.today()).isoformat()
    shown = Condition(_SHOWN, {"today": day, "base": workspace_settings.current().base_currency})
    where = [*_conditions(query, day)]
    table = _PRESENT if query.as_of is None else _PAST
    return page(table, shown, where, query, sort=query.sort, sortable=SORTABLE)


def _revalued(day: str) -> str:
    """The difference of each item that a revaluation of a day has posted, by its id, as JSON.

    An item that was settled later as of that day or earlier has one as well: the entry still counts on that day.
    """
    differences: Counter[str] = Counter()
    for (lines,) in WORKSPACE.rows("SELECT lines FROM revaluation WHERE date = ? AND status = 'posted'", (day,)):
        for line in json.loads(lines):
            if line["item_id"] is not None:
                differences[line["item_id"]] += line["difference"]
    return json.dumps({id: amount for id, amount in differences.items() if amount})


def _conditions(query: OpenItemFilter, day: str) -> Iterator[Condition]:
    if query.as_of is None:
        yield Condition("open_then <> 0")
    else:
        is_shown = "(open_then <> 0 OR revaluation <> 0) AND :day = :day AND :revalued = :revalued"
        yield Condition(is_shown, {"day": day, "revalued": _revalued(day)})
    yield from sql.given(
        (
            "head_id = :contact_id",
            query.contact_id and contacts.refer(query.contact_id, "contactId", archived=True).id,
        ),
        ("side = :side", query.side),
        ("currency = :currency", query.currency),
        ("due_date <= :due", query.due),
        ("due_date >= :due_from", query.due_from),
    )
    if query.is_overdue is not None:
        yield Condition(_IS_OVERDUE if query.is_overdue else f"NOT {_IS_OVERDUE}", {"today": day})
    if query.q:
        yield sql.contains(("number", "contact_name"), query.q)
