"""Views of journal entries and their lines."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta

from erp.finance.books.dimensions.codes import of_text
from erp.finance.books.models import EntryKind, JournalEntry, SourceType
from erp.finance.journals import journals
from erp.finance.journals.preview import Preview
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Money
from erp.web.schema import DetailView, RecordView, Unset, View, show


class JournalSourceView(View):
    """The document that caused an entry."""

    type: SourceType
    id: str


class JournalLineView(View):
    """One line of a journal entry: a debit or a credit."""

    account_id: str
    account_code: str
    account_name: str
    debit: Money | None
    credit: Money | None
    description: str | None
    contact_id: str | None
    contact_name: str | None
    project_id: str | None
    project_name: str | None
    currency: str | None
    foreign_amount: Money | None
    dimensions: dict[str, str]


class JournalEntrySummary(RecordView):
    """A journal entry without its lines."""

    number: str
    date: Day
    description: str
    reference: str | None
    kind: EntryKind
    source: JournalSourceView | None
    status: Literal["posted", "reversed"]
    reverses_id: str | None
    reverses_number: str | None
    reversed_by_id: str | None
    reversed_by_number: str | None
    total: Money
    created_by: str | None
    created_by_name: str | None
    can: Annotated[list[Literal["reverse"]], Meta(description="Actions on the entry open to you now.")]
    lines: Annotated[list[JournalLineView] | Unset, Meta(description="In a list, only with `include=lines`.")] = UNSET

    @classmethod
    def of_many(cls, entries: Sequence[JournalEntry], *, with_lines: bool) -> "list[JournalEntrySummary]":
        """The views of entries that `listing` read."""
        lines = lines_of([entry.id for entry in entries]) if with_lines else {}
        return [show(cls, entry, lines=lines.get(entry.id, UNSET), **_derived(entry)) for entry in entries]


class JournalPreviewLine(View):
    """A line of an unsaved entry, in the base currency; 0 for an unreadable amount."""

    debit: Money
    credit: Money
    details: Annotated[list[DetailView], Meta(description="Complaints about the line.")]


class JournalPreview(View):
    """Totals of an unsaved journal entry; without any details, it can be posted as it is."""

    currency: str
    debit: Annotated[Money, Meta(description="The sum of all debits.")]
    credit: Annotated[Money, Meta(description="The sum of all credits.")]
    difference: Annotated[Money, Meta(description="Debits less credits; an entry is posted if it is 0.")]
    lines: list[JournalPreviewLine]
    details: Annotated[list[DetailView], Meta(description="Complaints about the entry, except for its lines.")]

    @classmethod
    def of(cls, found: Preview) -> "JournalPreview":
        base = workspace_settings.current().base_currency
        debits, credits = ([max(0, sign * leg.amount) for leg in found.legs] for sign in (1, -1))
        amounts = {"debit": sum(debits), "credit": sum(credits), "difference": sum(debits) - sum(credits)}
        return cls(
            currency=base,
            lines=[
                JournalPreviewLine(
                    debit=money.text(debit, base), credit=money.text(credit, base), details=DetailView.of_all(wrong)
                )
                for debit, credit, wrong in zip(debits, credits, found.of_lines, strict=True)
            ],
            details=DetailView.of_all(found.of_entry),
            **{name: money.text(amount, base) for name, amount in amounts.items()},
        )


class JournalEntryView(JournalEntrySummary):
    """A journal entry with its lines."""

    lines: list[JournalLineView]

    @classmethod
    def of(cls, entry: JournalEntry) -> "JournalEntryView":
        """The view of an entry that `journals.find` read, with its lines."""
        return show(cls, entry, lines=lines_of([entry.id])[entry.id], **_derived(entry))


def _derived(entry: Any) -> dict[str, Any]:
    return {
        "version": journals.version(entry),
        "updated_at": entry.reversed_at or entry.created_at,
        "source": JournalSourceView(type=entry.source_type, id=entry.source_id) if entry.source_id else None,
        "status": "reversed" if entry.reversed_by_id else "posted",
        "can": caller.allowed("finance.write", {"reverse": lambda: None} if journals.is_reversible(entry) else {}),
        "total": money.text(entry.total, workspace_settings.current().base_currency),
    }


_LINES = (
    "SELECT p.entry_id, a.id, a.code, a.name, p.amount, p.description, p.contact_id, c.name, p.project_id, j.name,"
    " p.currency, p.foreign_amount, p.dimensions FROM posting AS p JOIN account AS a ON a.id = p.account_id"
    " LEFT JOIN contact AS c ON c.id = p.contact_id LEFT JOIN project AS j ON j.id = p.project_id"
    " WHERE p.entry_id IN (SELECT value FROM json_each(?)) ORDER BY p.entry_id, p.line"
)


def lines_of(entry_ids: Sequence[str]) -> dict[str, list[JournalLineView]]:
    """The lines of entries, by their ids."""
    base = workspace_settings.current().base_currency
    lines: dict[str, list[JournalLineView]] = {id: [] for id in entry_ids}
    for entry_id, *row in WORKSPACE.rows(_LINES, (sql.array(entry_ids),)):
        lines[entry_id].append(_line(row, base))
    return lines


def _line(row: Sequence[Any], base: str) -> JournalLineView:
    account_id, code, name, amount, description, contact_id, contact, project_id, project, *money_parts = row
    currency, foreign, dimensions = money_parts
    return JournalLineView(
        account_id=account_id,
        account_code=code,
        account_name=name,
        debit=money.text(amount, base) if amount > 0 else None,
        credit=money.text(-amount, base) if amount < 0 else None,
        description=description,
        contact_id=contact_id,
        contact_name=contact,
        project_id=project_id,
        project_name=project,
        currency=currency,
        foreign_amount=None if foreign is None else money.text(abs(foreign), currency),
        dimensions=of_text(dimensions),
    )
