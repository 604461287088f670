"""Preview of issuing a document: its number, the entries that it would post, and warnings."""

import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.contacts import heads, tax_fit, tax_rates
from erp.finance.contacts.tax_fit import OtherParty
from erp.finance.documents.bodies import NewInvoice
from erp.finance.documents.invoices import SERIES
from erp.finance.documents.models import PURCHASES, Invoice, InvoiceKind
from erp.finance.documents.store import FullInvoice
from erp.finance.invoices.views import InvoiceStatus, TaxDate
from erp.finance.journals.views import JournalLineView, lines_of
from erp.kernel import money
from erp.kernel.errors import Invalid
from erp.kernel.language import Word, says
from erp.store import events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import View, show

ALIKE = timedelta(days=14)
"""Greatest distance between two documents of which one may be a duplicate."""


class IssueWarning(View):
    """A warning before a document is issued; it prevents nothing."""

    code: Literal["out_of_order", "alike", "past_due", "no_customer_address", "no_own_details", "rate_does_not_fit"]
    message: str
    field: Annotated[str | None, Meta(description="The field that it is about; null for the document.")] = None


class IssuedEntryView(View):
    """A journal entry as it would be posted."""

    number: str
    date: date
    description: str
    lines: list[JournalLineView]


class IssuePreview(View):
    """A document as it would be issued: nothing is stored, and its number is still free."""

    kind: InvoiceKind
    number: str
    status: InvoiceStatus
    issue_date: date
    due_date: date
    tax_date: TaxDate
    currency: str
    total: Money
    amount_due: Money
    entries: list[IssuedEntryView]
    warnings: list[IssueWarning]


def rehearse(issue: Callable[[], FullInvoice]) -> IssuePreview:
    """Issue a document, show it and undo it.

    Raises:
        Refusal: it could not be issued.
    """
    with WORKSPACE.undone():
        seq, _ = events.tip()
        full = issue()
        invoice = full.invoice
        return show(
            IssuePreview,
            invoice,
            total=money.text(invoice.total, invoice.currency),
            amount_due=money.text(invoice.due, invoice.currency),
            entries=_entries_since(seq),
            warnings=[*_warnings(invoice), *_of_rates(full)],
        )


def check_no_draft(body: NewInvoice) -> None:
    """Refuse to rehearse a draft, which posts nothing."""
    if body.draft:
        raise Invalid.one("dryRun", "not_applicable", says("A draft is not posted. Ask for a preview instead."))


_EVENTS = "SELECT data FROM event WHERE seq > ? ORDER BY seq"
_ENTRIES = (
    "SELECT id, number, date, description FROM journal_entry WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
)


def _entries_since(seq: int) -> list[IssuedEntryView]:
    """The entries posted by events after this sequence number."""
    ids = [entry["id"] for (data,) in WORKSPACE.rows(_EVENTS, (seq,)) for entry in json.loads(data).get("entries", ())]
    lines = lines_of(ids)
    return [
        IssuedEntryView(number=number, date=date.fromisoformat(day), description=text, lines=lines[id])
        for id, number, day, text in WORKSPACE.rows(_ENTRIES, (sql.array(ids),))
    ]


def _warnings(invoice: Invoice) -> Iterator[IssueWarning]:
    if invoice.due_date < workspace_settings.today() and invoice.demanded > 0:
        yield IssueWarning(
            code="past_due", message=says("The document was already due on {day}.", day=invoice.due_date)
        )
    for number, day in WORKSPACE.rows(_ALIKE, _alike(invoice)):
        message = says(
            "{number} of {day} has the same {party} and total. Check that this is not the same document.",
            number=number,
            day=date.fromisoformat(day),
            party=Word("supplier" if invoice.kind in PURCHASES else "customer"),
        )
        yield IssueWarning(code="alike", message=message)
    if invoice.kind not in PURCHASES:
        yield from _warnings_of_sale(invoice)


def _warnings_of_sale(invoice: Invoice) -> Iterator[IssueWarning]:
    kinds = [kind for kind, series in SERIES.items() if series == SERIES[invoice.kind]]
    for number, day in WORKSPACE.rows(_LATER, (sql.array(kinds), invoice.issue_date.isoformat())):
        message = says(
            "{number} has a later date, {day}. Numbers usually follow the dates.",
            number=number,
            day=date.fromisoformat(day),
        )
        yield IssueWarning(code="out_of_order", message=message)
    if invoice.customer is None or not invoice.customer["address"]:
        message = says(
            "{name} has no address. Enter it in the contact to print it on the document.", name=invoice.contact_name
        )
        yield IssueWarning(code="no_customer_address", message=message)
    own = workspace_settings.current()
    if not own.address or not (own.vat_id or own.tax_number):
        message = says(
            "Your own address or tax number is missing. Enter it in the workspace settings to print it on documents."
        )
        yield IssueWarning(code="no_own_details", message=message)


def _of_rates(full: FullInvoice) -> Iterator[IssueWarning]:
    """A warning for each line whose tax rate hardly fits the other party."""
    ids = {f"lines[{i}].taxRateId": row.tax_rate_id for i, row in enumerate(full.parts.lines)}
    rates, _ = tax_rates.look_up({field: id for field, id in ids.items() if id is not None})
    party = full.invoice.customer or {}
    of_party = OtherParty.of(party.get("vat_id"), party.get("address"))
    for each in tax_fit.warnings(rates, of_party, is_purchase=full.invoice.kind in PURCHASES):
        yield IssueWarning(code="rate_does_not_fit", field=each.field, message=each.message)


def _alike(invoice: Invoice) -> tuple[str | int, ...]:
    days = ((invoice.issue_date + apart).isoformat() for apart in (-ALIKE, ALIKE))
    return (
        sql.array(heads.group(invoice.contact_id)),
        invoice.kind,
        invoice.total,
        invoice.currency,
        invoice.id,
        *days,
    )


_ALIKE = (
    "SELECT number, issue_date FROM invoice"
    " WHERE contact_id IN (SELECT value FROM json_each(?)) AND kind = ? AND total = ? AND currency = ?"
    " AND id <> ? AND status NOT IN ('draft', 'void') AND issue_date BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
)
_LATER = (
    "SELECT number, issue_date FROM invoice WHERE kind IN (SELECT value FROM json_each(?)) AND status <> 'draft'"
    " AND issue_date > ? ORDER BY issue_date DESC, id DESC LIMIT 1"
)
