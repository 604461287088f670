"""The search over everything that the caller may read: records of all areas in one answer, the best first."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from erp.desk.list_views import list_views
from erp.desk.search_sources import MARK, SOURCES, Kind, Source
from erp.finance.books.search import CONTACT_NAMED, found, readings
from erp.hr.access import people
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.search import narrowing
from erp.store.sql import Condition
from erp.tasks import privacy
from erp.web.endpoint import endpoint
from erp.web.scalars import Line
from erp.web.schema import TableQuery, View


class SearchQuery(TableQuery):
    q: (
        Annotated[
            Line,
            msgspec.Meta(
                description="Words in any order, or parts of them, whatever their case and accents; a number, also as"
                " `INV-65`; or an amount, as `5124.16` or `5.124,16`."
            ),
        ]
        | None
    ) = None


class SearchHitView(View):
    """A hit.

    `number` is its number, code or key, `title` its name; `subtitle` has the rest in one line. An employee's `name` is
    the job title, a task's the project, a journal entry's the description.
    """

    type: Kind
    id: str
    title: str
    subtitle: str
    number: str | None
    name: str | None
    kind: str | None
    status: str | None
    date: str | None
    amount: str | None
    currency: str | None
    is_archived: bool


_STATEMENTS = {source.type: source.statement for source in SOURCES}
_SEARCHED = tuple(source.searched for source in SOURCES)
_NUMBER = re.compile(r"([^\W\d]+)[\W_]*0*(\d{1,15})")
"""A series and a number in it."""


def search(text: str) -> list[SearchHitView]:
    """The records that match a text, the best first, at most `MOST` of a kind; a kind is left out for want of a right.

    One statement a kind compares the text with the tables, and alone decides the hits. Where an index of words knows
    that only some rows can have them, it compares no others. The index is caught up here: to update it with each
    invoice would cost a fifth of the time of writing one, as measured.
    """
    if not sql.words(text):
        return []
    sources = [source for source in SOURCES if caller.may(source.permission)]
    wanted = {source.table: words for source in sources if (words := _indexed(source, text))}
    ids = narrowing.candidates(_SEARCHED, wanted)
    hits = [
        (row[0], index, _view(source.type, row))
        for index, source in enumerate(sources)
        for row in _rows(source, text, ids.get(source.table))
    ]
    return [view for *_, view in sorted(hits, key=lambda hit: hit[:2])]


def _indexed(source: Source, text: str) -> list[list[str]]:
    """The words that a row must have to match by its texts, or by its number; none if it need not have any.

    A possible amount need not be in a text.
    """
    if source.amounts and readings(text):
        return []
    words = [word for word in sql.words(text) if not (source.amounts and readings(word))]
    number = _numbered(source, text)
    return [words, *([[MARK.format(int(number[2]))]] if number else [])]


def _numbered(source: Source, text: str) -> re.Match[str] | None:
    return _NUMBER.fullmatch(sql.fold(text).strip()) if source.numbered else None


def _rows(source: Source, text: str, ids: Sequence[str] | None) -> list[tuple[Any, ...]]:
    if ids is not None and not ids:
        return []
    where = _matching(source, text)
    if source.type == "expense_claim":
        where = sql.all_of([*people.conditions(people.visible(None, "expenses.read")), where])
    if source.type == "view":
        where = sql.all_of([list_views.visible(), where])
    if source.type == "task":
        where = sql.all_of([privacy.visible(), where])
    if ids is not None:
        among = f"id IN (SELECT value FROM json_each(:among)) AND {where.sql}"
        where = Condition(among, {**where.parameters, "among": sql.array(ids)})
    statement = _STATEMENTS[source.type].format(where=where.sql)
    return WORKSPACE.rows(statement, {**where.parameters, **_patterns(text)})


def _patterns(text: str) -> dict[str, str]:
    """The parameters of `_rank`."""
    whole = sql.escaped(" ".join(sql.fold(text).split()))
    return {"whole": whole, "start": f"{whole}%", "inside": f"% {whole}%"}


def _matching(source: Source, text: str) -> Condition:
    own = source.currency if source.type != "journal_entry" else f"'{workspace_settings.current().base_currency}'"
    also = (*source.also, CONTACT_NAMED) if source.of_contact else source.also
    matching = found(text, source.texts, source.amounts, currency=own, also=also)
    match = _numbered(source, text)
    if match is None:
        return matching
    series = {"series": f"{sql.escaped(match[1])}%", "seq": int(match[2])}
    numbered = f"(number LIKE :series ESCAPE '\\' AND seq = :seq) OR {matching.sql}"
    return Condition(f"({numbered})", {**matching.parameters, **series})


def _view(type: Kind, row: Sequence[Any]) -> SearchHitView:
    _, id, title, number, name, kind, status, date, amount, currency, is_archived = row
    shown = None if amount is None else money.text(amount, currency)
    beside = [number if number != title else None, name, None if shown is None else f"{shown} {currency}", date]
    return SearchHitView(
        type=type,
        id=id,
        title=title,
        subtitle=" · ".join(part for part in beside if part),
        number=number,
        name=name,
        kind=kind,
        status=status,
        date=date,
        amount=shown,
        currency=currency if shown is not None else None,
        is_archived=bool(is_archived),
    )


class Search:
    @endpoint(permission="workspace.read")
    def on_get(self, query: SearchQuery) -> list[SearchHitView]:
        """Search records of all kinds at once.

        Invoices, quotes, payments, reminders, contacts, projects, tasks, employees, accounts, fixed assets, journal
        entries and views of lists.
        The best hits come first, at most 8 of a kind, as far as your role may read. Case, accents and the order of
        words do not matter, and a number or an amount finds its document.
        """
        return search(query.q or "")
