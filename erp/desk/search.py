"""The search over everything that the caller may read: records of all areas in one answer, the best first."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from erp.desk.list_views import list_views
from erp.finance.books.search import CONTACT_NAMED, found, readings
from erp.finance.contacts import heads
from erp.finance.contacts.numbers import IS_NUMBERED, SERIES
from erp.hr.access import people
from erp.hr.expenses.views import STATUS as CLAIM_STATUS
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.search import narrowing
from erp.store.search.narrowing import Named, Searched
from erp.store.sql import Condition
from erp.tasks import privacy
from erp.web.endpoint import endpoint
from erp.web.scalars import Line
from erp.web.schema import TableQuery, View

MOST = 8
"""Number of hits of a kind."""

Kind = Literal[
    "contact",
    "invoice",
    "quote",
    "payment",
    "project",
    "task",
    "employee",
    "account",
    "journal_entry",
    "asset",
    "expense_claim",
    "reminder",
    "view",
]


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


class Source(NamedTuple):
    """A searched table: the right, the columns of its text, and the SQL of its hits.

    `amounts` are in minor units of `currency`; a `numbered` one has a number of a series. A table `of_contact` is also
    found by the contact's name. `also` are further conditions that find it, and `whole` the texts that they compare.
    """

    type: Kind
    permission: str
    table: str
    title: str
    texts: Sequence[str]
    number: str = "NULL"
    name: str = "NULL"
    kind: str = "NULL"
    status: str = "NULL"
    date: str = "NULL"
    amount: str = "NULL"
    currency: str = "NULL"
    archived: str = "false"
    amounts: Sequence[str] = ()
    also: Sequence[str] = ()
    whole: Sequence[str] = ()
    of_contact: bool = False
    numbered: bool = False

    @property
    def statement(self) -> str:
        """The statement for the best records that match a condition."""
        rank = _rank([text for text in dict.fromkeys((self.title, self.number)) if text != "NULL"])
        order = "id DESC" if self.date != "NULL" else "3, id"
        shown = f"{self.title}, {self.number}, {self.name}, {self.kind}, {self.status}, {self.date}, {self.amount}"
        return (
            f"SELECT {rank} + CASE WHEN {self.archived} THEN 4 ELSE 0 END AS rank, id, {shown}, {self.currency},"
            f" {self.archived} FROM {self.table} WHERE {{where}} ORDER BY 1, {order} LIMIT {MOST}"
        )

    @property
    def searched(self) -> Searched:
        """The indexed texts: every text that `_matching` looks into."""
        texts = (*self.texts, *self.whole, *((_MARKED,) if self.numbered else ()))
        return Searched(self.table, texts, (_CONTACT, _HEAD) if self.of_contact else ())


_CONTACT = Named("contact_id", "contact", "name")
_HEAD = Named(heads.sql("contact_id"), "contact", "name")
_MARK = "#{}#"
_MARKED = "'#' || seq || '#'"
"""The number in a series, as the index holds it."""


def _rank(texts: Sequence[str]) -> str:
    """The rank of a record, 0 the best: a text is the words, begins with them, has a word that does, or has them."""
    forms = enumerate((":whole", ":start", ":inside"))
    tests = (f"WHEN {' OR '.join(sql.holds(text, form) for text in texts)} THEN {rank}" for rank, form in forms)
    return f"CASE {' '.join(tests)} ELSE 3 END"


_BY_HAND = "CASE WHEN kind IN ('manual', 'opening') THEN description END"
"""Entries of documents are found as their documents."""

SOURCES = (
    Source(
        "contact",
        "contacts.read",
        "contact",
        "name",
        ("name", "legal_name", "email", "vat_id", "tax_number"),
        number="coalesce(debtor_number, creditor_number)",
        name="legal_name",
        kind="kind",
        archived="archived_at IS NOT NULL",
        also=(IS_NUMBERED,),
        whole=tuple(series.column for series in SERIES.values()),
    ),
    Source(
        "invoice",
        "finance.read",
        "invoice",
        "coalesce(number, 'Draft')",
        ("number", "contact_name", "supplier_number", "reference", "note"),
        number="number",
        name="contact_name",
        kind="kind",
        status="status",
        date="issue_date",
        amount="total",
        currency="currency",
        amounts=("total", "(total - deposit_total - amount_paid - amount_credited)"),
        of_contact=True,
        numbered=True,
    ),
    Source(
        "quote",
        "finance.read",
        "quote",
        "coalesce(number, 'Draft')",
        ("number", "contact_name", "subject", "reference", "note"),
        number="number",
        name="contact_name",
        status="status",
        date="issue_date",
        amount="total",
        currency="currency",
        archived="status = 'superseded'",
        amounts=("total", "accepted_total"),
        of_contact=True,
        numbered=True,
    ),
    Source(
        "payment",
        "finance.read",
        "payment",
        "number",
        ("number", "reference", "note"),
        number="number",
        name=f"(SELECT contact.name FROM contact WHERE contact.id = {heads.sql('contact_id')})",
        kind="direction",
        status="status",
        date="date",
        amount="amount",
        currency="currency",
        amounts=("amount",),
        of_contact=True,
        numbered=True,
    ),
    Source(
        "reminder",
        "finance.read",
        "reminder",
        "number",
        ("number", "contact_name"),
        number="number",
        name="contact_name",
        kind="level_name",
        status="status",
        date="date",
        amount="total",
        currency="currency",
        amounts=("total",),
        of_contact=True,
        numbered=True,
    ),
    Source(
        "project",
        "projects.read",
        "project",
        "name",
        ("code", "name", "description"),
        number="code",
        name="(SELECT contact.name FROM contact WHERE contact.id = customer_id)",
        status="status",
        date="due_date",
        archived="archived_at IS NOT NULL",
    ),
    Source(
        "task",
        "tasks.read",
        "task",
        "title",
        ("key", "title", "description"),
        number="key",
        name="(SELECT project.name FROM project WHERE project.id = project_id)",
        kind="priority",
        status="status",
        date="due_date",
    ),
    Source(
        "employee",
        "employees.read",
        "employee",
        "name",
        ("name", "employee_number", "email", "job_title", "department"),
        number="employee_number",
        name="job_title",
        kind="employment_type",
    ),
    Source(
        "account",
        "finance.read",
        "account",
        "name",
        ("code", "name"),
        number="code",
        kind="type",
        currency="currency",
        archived="archived_at IS NOT NULL",
    ),
    Source(
        "asset",
        "finance.read",
        "asset",
        "name",
        ("number", "name", "serial_number", "location"),
        number="number",
        kind="method",
        status="status",
        date="acquired_on",
        amount="cost",
        currency="(SELECT base_currency FROM settings)",
        archived="status = 'disposed'",
        numbered=True,
    ),
    Source(
        "expense_claim",
        "expenses.read_own",
        "expense_claim",
        "title",
        ("number", "title"),
        number="number",
        name="(SELECT employee.name FROM employee WHERE employee.id = employee_id)",
        status=CLAIM_STATUS,
        date="substr(coalesce(submitted_at, created_at), 1, 10)",
        amount="total",
        currency="(SELECT base_currency FROM settings)",
        numbered=True,
    ),
    Source(
        "journal_entry",
        "finance.read",
        "journal_entry",
        "number",
        ("number", _BY_HAND, "reference"),
        number="number",
        name="description",
        kind="kind",
        date="date",
        amount="total",
        currency="(SELECT base_currency FROM settings)",
        amounts=("CASE WHEN kind IN ('manual', 'opening') THEN total END",),
        numbered=True,
    ),
    Source("view", "workspace.read", "list_view", "name", ("name",), kind="page"),
)

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
    return [words, *([[_MARK.format(int(number[2]))]] if number else [])]


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
