"""Invoices, bills and credit notes: drafted, issued to the books, amended, voided."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from erp.attachments import attachments
from erp.finance.books import ledger, open_items, periods
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.voids import Correction
from erp.finance.contacts import tax_categories
from erp.finance.contacts.models import Contact
from erp.finance.documents import (
    billed_expenses,
    billed_time,
    bills,
    drafts,
    posting,
    prepaid,
    snapshot,
    standing,
    store,
    traded_assets,
)
from erp.finance.documents.allowed import check_is_draft, check_removable, check_voidable, negative
from erp.finance.documents.billed_time import BilledLog
from erp.finance.documents.bodies import InvoiceChange
from erp.finance.documents.commands import InvoiceCommand
from erp.finance.documents.deposits import applied
from erp.finance.documents.figures import Figures, compute_figures
from erp.finance.documents.models import DEMANDING, PURCHASES, Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.items import settlement
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints, all_or_none, refuse_any
from erp.kernel.errors import Invalid, InvalidTransition, NotFound, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, workspace_settings

SERIES = {
    "sales_invoice": "salesInvoice",
    "sales_credit_note": "salesCreditNote",
    "deposit_invoice": "salesInvoice",
    "final_invoice": "salesInvoice",
    "purchase_invoice": "purchaseInvoice",
    "purchase_credit_note": "purchaseCreditNote",
}
AMENDABLE = {"reference", "note", "due_date", "prepaid_amount"}
"""Fields that may change once an invoice has been issued."""


def refer(value: str, field: str) -> Invoice:
    """Find the invoice that a field names by id or by number.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    rows = Invoice.fetch("SELECT * FROM invoice WHERE id = ? OR number = ?", value, value)
    invoice: Invoice | None = next(iter(rows), None)
    if invoice is None:
        raise UnknownReference(field, Noun("invoice"))
    return invoice


def is_settled_later(invoice: Invoice) -> bool:
    """Whether anything settles the invoice after today, so that more is shown as due than can still be allocated."""
    full = store.full(invoice)
    return bool(full.paid_later or full.credited_later)


def find(id: str) -> FullInvoice:
    """An invoice with its parts.

    Raises:
        NotFound: there is none in this workspace.
    """
    return store.full(Invoice.find(id))


def create(command: InvoiceCommand, complaints: Complaints | None = None) -> FullInvoice:
    """Issue an invoice, or save it as a draft.

    Args:
        complaints: about the request that the command was read from, to be refused together with the rest.

    Raises:
        Invalid: with a complaint for every field that is wrong, or that no e-invoice can express once it is issued.
        NegativeTotal: it is to be issued, and its total is below zero.
        AccountNeeded: a line of a bill that is to be issued needs an account.
        PeriodLocked: it is to be issued on a day in the locked period.
    """
    figures = compute_figures(command, complaints)
    full = drafts.write(figures)
    if command.is_draft:
        events.write("invoice.draft", "invoice", full.invoice.id, event_data(full.invoice))
    else:
        _issue(full, figures)
    return full


def draft_for_time(
    command: InvoiceCommand, logs: Sequence[Sequence[BilledLog]], expense_ids: Sequence[str] = ()
) -> FullInvoice:
    """Draft an invoice whose lines bill time, and then expenses.

    Args:
        logs: the time logs of each line, none of them billed yet.
        expense_ids: the expense of each of the last lines.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    full = drafts.write(compute_figures(command))
    invoice = full.invoice
    billed_time.bill(invoice.id, logs)
    line_ids = [row.id for row in full.parts.lines[len(logs) :]]
    billed_expenses.bill(invoice.id, dict(zip(expense_ids, line_ids, strict=True)))
    events.write("invoice.draft", "invoice", invoice.id, event_data(invoice) | {"timeLogs": sum(map(len, logs))})
    return full._replace(time_logs=billed_time.of_invoice(invoice.id))


def duplicate(id: str) -> FullInvoice:
    """Draft an invoice like another one, of any status, dated today.

    Raises:
        UnknownReference: a record that it names has since been deleted.
        Invalid: a record that it names has since been archived.
    """
    original = Invoice.find_to_change(id)
    complaints = Complaints()
    full = drafts.write(compute_figures(drafts.like(original, complaints), complaints))
    events.write("invoice.draft", "invoice", full.invoice.id, event_data(full.invoice) | {"duplicateOf": id})
    return full


def change(id: str, body: InvoiceChange) -> FullInvoice:
    """Change a draft, or the reference, note, due date and prepaid amount of an issued invoice.

    Raises:
        InvalidTransition: it has been issued, and other fields are to change.
        Invalid: with a complaint for every field that is wrong.
    """
    invoice = Invoice.find_to_change(id)
    if invoice.status != "draft":
        return _amend(invoice, body.changes())
    full, freed = drafts.change(invoice, body)
    data = event_data(invoice) | {"changed": [wire_name(name) for name in body.changes()], **_freed_data(freed)}
    events.write("invoice.updated", "invoice", id, data)
    return full


def remove(id: str) -> None:
    """Delete a draft; the time that it bills can be billed again.

    Files that came from the inbox go back there, other files are deleted.

    Raises:
        InvalidTransition: the invoice has been issued.
    """
    invoice = Invoice.find_to_change(id)
    check_removable(standing.of(invoice))
    attachments.give_back("invoice", id)
    freed = billed_time.free(id)
    billed_expenses.free(id)
    invoice.delete_instance()
    events.write("invoice.deleted", "invoice", id, event_data(invoice) | _freed_data(freed))


def remove_all(ids: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Delete drafts; return the ids of the deleted ones, and the others with the code of what keeps them."""
    deleted, kept = list[str](), list[tuple[str, str]]()
    for id in dict.fromkeys(ids):
        try:
            remove(id)
            deleted.append(id)
        except (InvalidTransition, NotFound) as refusal:
            kept.append((id, refusal.code))
    return deleted, kept


def issue(id: str, *, allow_future: bool = False) -> FullInvoice:
    """Issue a draft, computed again as of today.

    Raises:
        InvalidTransition: the invoice has already been issued.
        Invalid: something that the draft names has changed, or no e-invoice can express it.
        NegativeTotal: its total is below zero.
        PeriodLocked: its date is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    check_is_draft(invoice)
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(invoice.issue_date, "issueDate", allow_future=allow_future)
    full, figures = drafts.recompute(invoice, complaints)
    _issue(full, figures)
    return full


def issue_all(ids: Sequence[str], *, allow_future: bool = False) -> list[FullInvoice]:
    """Issue drafts in their order, in which they are also numbered.

    Raises:
        Invalid: with a complaint for every draft that cannot be issued; then none is, and no number is taken.
    """
    return all_or_none(ids, lambda id: issue(id, allow_future=allow_future), "invoiceIds")


def void(id: str, correction: Correction) -> FullInvoice:
    """Void an issued invoice: its entry is reversed, its number stays, its time can be billed again.

    The allocations of a credit note are released first, so that its invoices are due again.

    Raises:
        InvalidTransition: it is a draft, void or written off.
        InUse: payments or credit notes are allocated to it, credit notes credit its lines, or an asset that was bought
            with it is depreciated or disposed of, or one was sold with it.
        DatedTooEarly: the day is before the invoice's, or before an allocation to it was released.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    check_voidable(standing.of(invoice))
    traded_assets.check_none_sold(invoice)
    withdrawn = traded_assets.withdraw(invoice)
    first = settlement.last_day(id, invoice.issue_date)
    day = correction.day or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(earliest=first, field="date")
    periods.check_open(day, "date")
    entries = _release_all(invoice, day)
    if invoice.journal_entry_id is not None:
        entries.append(ledger.reverse(invoice.journal_entry_id, day, says("Void of {number}", number=invoice.number)))
    entries += applied.reopen_rests(invoice, day)
    for item in open_items.of_document(id):
        open_items.close_unposted(item, day)
    invoice = Invoice.find(id)
    invoice.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    data = {"date": day.isoformat(), "reason": correction.reason, **withdrawn}
    data |= _freed_data(billed_time.free(id))
    billed_expenses.free(id)
    events.write("invoice.void", "invoice", id, event_data(invoice) | data, entries=entries)
    return store.full(invoice)


def enter(invoice: Invoice, legs: Sequence[Leg]) -> list[Entry]:
    """Give a draft its number, post it and mark it as issued; the caller has checked it, and logs the event."""
    number = workspace_settings.next_number(SERIES[invoice.kind], invoice.issue_date)
    entries = posting.post(invoice, legs, number[0])
    if invoice.demanded and not any(entry.rows for entry in entries):
        posting.open_unposted(invoice, number[0])
    status = "issued" if invoice.demanded else "paid"
    store.mark_issued(invoice, number, status, entries[0].id if entries else None, clock.stamp())
    return entries


def event_data(invoice: Invoice) -> dict[str, Any]:
    """The fields of every event of an invoice."""
    return {
        "kind": invoice.kind,
        "number": invoice.number,
        "supplierId" if invoice.kind in PURCHASES else "customerId": invoice.contact_id,
        "total": money.text(invoice.total, invoice.currency),
        "currency": invoice.currency,
    }


def _freed_data(time_logs: int) -> dict[str, int]:
    return {"freedTimeLogs": time_logs} if time_logs else {}


def _issue(full: FullInvoice, figures: Figures) -> None:
    invoice = full.invoice
    if invoice.total < 0:
        raise negative(invoice)
    if figures.command.is_purchase:
        bills.check_accounts(figures.line_reasons)
    else:
        _check_expressible(invoice, figures)
        invoice.paper = snapshot.taken(invoice, figures.rates.values())
    periods.check_open(figures.issue_date, "issueDate")
    entries = enter(invoice, posting.legs_of(figures, invoice.contact_id))
    entries += applied.close_rests(invoice, figures.deposits)
    events.write("invoice.issued", "invoice", invoice.id, event_data(invoice), entries=entries)
    traded_assets.make(invoice, full.parts.lines)


def _check_expressible(invoice: Invoice, figures: Figures) -> None:
    """Refuse an invoice that no e-invoice can express."""
    customer = figures.command.contact
    is_new = not isinstance(customer, Contact)
    complaints = tax_categories.misfits(
        figures.rates,
        seller=workspace_settings.current().vat_id,
        buyer=customer.vat_id,
        buyer_field="customer.vatId" if is_new else "customerId",
    )
    others = snapshot.misfits(
        invoice.customer or {},
        "customer" if is_new else "customerId",
        is_supply=any(rate.category == "K" for rate in figures.rates.values() if rate),
    )
    refuse_any([*complaints, *others], Noun("tax rate"))


def _amend(invoice: Invoice, values: dict[str, Any]) -> FullInvoice:
    if values.keys() - AMENDABLE:
        message = says(
            "{number} has been issued. Only the reference, the document text, the due date and the prepaid "
            "amount can still change.",
            number=invoice.number,
        )
        raise InvalidTransition(message)
    _check_due_date(invoice, values)
    if values.get("prepaid_amount") is not None:
        values["prepaid_amount"] = _prepaid(invoice, values["prepaid_amount"])
    if values := changes.differing(invoice, values):
        data = {"number": invoice.number, "changes": changes.before_and_after(invoice, values)}
        invoice.change(**values)
        if "due_date" in values and invoice.kind in DEMANDING:
            open_items.change_due_date(invoice.id, values["due_date"])
        events.write("invoice.updated", "invoice", invoice.id, data)
    return store.full(invoice)


def _prepaid(invoice: Invoice, amount: Decimal) -> int:
    """A prepaid amount in minor units."""
    complaints = Complaints()
    prepaid_amount = complaints.minor(amount, invoice.currency, "prepaidAmount")
    complaints.items += prepaid.misfits(invoice.kind, prepaid_amount, invoice.total)
    complaints.refuse()
    return prepaid_amount


def _check_due_date(invoice: Invoice, values: dict[str, Any]) -> None:
    if "due_date" not in values:
        return
    if values["due_date"] is None:
        raise Invalid.one("dueDate", "required", says("An issued invoice must have a due date."))
    if values["due_date"] < invoice.issue_date:
        raise Invalid.one(
            "dueDate",
            "too_early",
            says("Must not be before the issue date, {issue_date}.", issue_date=invoice.issue_date),
        )


def _release_all(credit_note: Invoice, day: date) -> list[Entry]:
    """Release all allocations of a credit note."""
    entries: list[Entry] = []
    for allocation in settlement.live_allocations(credit_note.id):
        entries += settlement.release(allocation, day)
    return entries
