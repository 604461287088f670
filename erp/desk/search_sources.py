"""The tables that the search looks into: the right, the texts and the hit of each."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from erp.finance.contacts import heads
from erp.finance.contacts.numbers import IS_NUMBERED, SERIES
from erp.hr.expenses.views import STATUS as CLAIM_STATUS
from erp.store import sql
from erp.store.search.narrowing import Named, Searched

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


MARK = "#{}#"


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
        archived="archived_at IS NOT NULL",
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
