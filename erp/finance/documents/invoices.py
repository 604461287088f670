"""Sales invoices and credit notes: drafted, issued to the books, amended, voided."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET

from erp.finance.books import ledger, periods
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.documents import billed_time, line_identity, store
from erp.finance.documents.billed_time import BilledLog
from erp.finance.documents.bodies import InvoiceChange, InvoiceVoid, NewInvoice, kept, restored
from erp.finance.documents.figures import Customer, Figures, work_out
from erp.finance.documents.models import Invoice
from erp.finance.documents.posting import legs
from erp.finance.documents.store import LineRow, Parts
from erp.finance.documents.views import InvoiceView
from erp.finance.items import settlement
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, Invalid, InvalidTransition, Refusal, UnknownReference
from erp.store import changes, events, workspace_settings
from erp.store.records import new_id

SERIES = {"sales_invoice": "salesInvoice", "sales_credit_note": "salesCreditNote"}
TITLES = {"sales_invoice": "Invoice", "sales_credit_note": "Credit note"}
AMENDABLE = {"reference", "notes", "due_date"}
"""What may change once an invoice is issued."""


class NegativeTotal(Refusal):
    """The total is below zero; make a credit note (type sales_credit_note) with the signs turned round."""

    status = 422


def refer(value: str, field: str) -> Invoice:
    """Find the invoice that a field names by id or by number.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    found: Invoice | None = next(
        iter(Invoice.raw("SELECT * FROM invoice WHERE id = ? OR number = ?", value, value)), None
    )
    if found is None:
        raise UnknownReference(field, "invoice")
    return found


def show(invoice: Invoice) -> InvoiceView:
    """All of an invoice as of today."""
    parts, credit_notes = store.find_parts(invoice.id), store.find_credit_notes(invoice.id)
    return InvoiceView.whole(
        invoice, parts, workspace_settings.today(), credit_notes, billed_time.of_invoice(invoice.id)
    )


def create(new: NewInvoice) -> InvoiceView:
    """Issue an invoice, or keep it as a draft.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        NegativeTotal: it is to be issued, and comes to less than nothing.
        PeriodLocked: it is to be issued on a day in the locked period.
    """
    figures = work_out(new)
    invoice, parts = _record(figures)
    if new.draft:
        events.write("invoice.drafted", "invoice", invoice.id, _facts(invoice))
    else:
        _issue(invoice, figures)
    return InvoiceView.whole(invoice, parts, workspace_settings.today())


def draft_for_time(new: NewInvoice, logs: Sequence[Sequence[BilledLog]]) -> InvoiceView:
    """Draft an invoice whose lines bill time.

    Args:
        logs: the time logs of each line, billed by nothing yet.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    invoice, parts = _record(work_out(new))
    billed_time.bill(invoice.id, logs)
    events.write("invoice.drafted", "invoice", invoice.id, _facts(invoice) | {"timeLogs": sum(map(len, logs))})
    return _with_time(invoice, parts)


def change(id: str, wanted: InvoiceChange) -> InvoiceView:
    """Change a draft, or the reference, notes and due date of an issued invoice.

    Raises:
        InvalidTransition: it is issued, and other fields are to change.
        Invalid: with a complaint for every field that is wrong.
    """
    invoice = Invoice.find_to_change(id)
    if invoice.status == "draft":
        return _redraft(invoice, wanted)
    values = wanted.changes()
    if values.keys() - AMENDABLE:
        raise InvalidTransition(f"{invoice.number} is issued: only reference, notes and dueDate can change.")
    _check_due_date(invoice, values)
    return _amend(invoice, changes.differing(invoice, values))


def remove(id: str) -> None:
    """Delete a draft; the time that it bills is free again.

    Raises:
        InvalidTransition: the invoice is issued.
    """
    invoice = Invoice.find_to_change(id)
    if invoice.status != "draft":
        raise InvalidTransition(f"{invoice.number} is issued and stays on record; void it instead.")
    freed = billed_time.free(id)
    invoice.delete_instance()
    events.write("invoice.deleted", "invoice", id, _facts(invoice) | _told_freed(freed))


def issue(id: str) -> InvoiceView:
    """Issue a draft, worked out anew as of today.

    Raises:
        InvalidTransition: the invoice is issued already.
        Invalid: what the draft names has changed so that it cannot be issued as it is.
        NegativeTotal: it comes to less than nothing.
        PeriodLocked: its date is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    if invoice.status != "draft":
        raise InvalidTransition(f"{invoice.number} is issued already.")
    figures = work_out(restored(invoice.terms))
    parts, _ = _rewrite(invoice, figures, store.find_parts(invoice.id).lines)
    _issue(invoice, figures)
    return _with_time(invoice, parts)


def void(id: str, wanted: InvoiceVoid) -> InvoiceView:
    """Void an issued invoice: its entry is mirrored, its number kept, the time that it bills free again.

    Raises:
        InvalidTransition: it is a draft, void or written off.
        InUse: payments or credit notes are allocated to it.
        DatedTooEarly: the day is before the invoice's, or before what was allocated to it was released.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    _check_voidable(invoice)
    first = settlement.last_day(invoice)
    day = wanted.date or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(earliest=first, field="date")
    periods.check_open(day, "date")
    mirrored: str | None = invoice.journal_entry_id
    entries = [ledger.reverse(mirrored, day, f"Void of {invoice.number}")] if mirrored is not None else []
    invoice.change(status="void", voided_at=clock.stamp(), void_reason=wanted.reason)
    told = {"date": day.isoformat(), "reason": wanted.reason, **_told_freed(billed_time.free(id))}
    events.write("invoice.voided", "invoice", id, _facts(invoice) | told, entries=entries)
    return show(invoice)


def _on_record(customer: Customer) -> Contact:
    if isinstance(customer, Contact):
        return customer
    try:
        return contacts.add(customer)
    except Invalid as invalid:
        raise Invalid([replace(fault, field=f"customer.{fault.field}") for fault in invalid.details]) from None


def _values(figures: Figures, contact: Contact) -> dict[str, Any]:
    """The columns of an invoice that follow from its terms."""
    terms, totals, discount = figures.terms, figures.totals, figures.document.discount
    return {
        "type": terms.type,
        "contact_id": contact.id,
        "contact_name": contact.name,
        "customer": {name: getattr(contact, name) for name in ("name", "legal_name", "tax_number", "address")},
        "issue_date": figures.issue_date,
        "due_date": figures.due_date,
        "currency": figures.currency,
        "exchange_rate": figures.exchange_rate,
        "prices_include_tax": figures.document.prices_include_tax,
        "tax_rounding": figures.document.tax_rounding,
        "discount_amount": discount and discount.amount,
        "discount_percent": discount and discount.percent,
        "reference": terms.reference,
        "project_id": terms.project_id,
        "notes": terms.notes,
        "subtotal": totals.subtotal,
        "discount_total": totals.discount_total,
        "charge_total": totals.charge_total,
        "tax_total": totals.tax_total,
        "rounding_amount": totals.rounding_amount,
        "total": totals.total,
        "base_total": figures.base_total,
        "terms": kept(terms, contact.id),
    }


def _record(figures: Figures) -> tuple[Invoice, Parts]:
    invoice = store.insert({"id": new_id(), **_values(figures, _on_record(figures.customer))})
    parts = store.parts_of(figures, invoice.id)
    store.insert_parts(parts)
    return invoice, parts


def _rewrite(
    invoice: Invoice, figures: Figures, before: Sequence[LineRow], given: Sequence[str | None] | None = None
) -> tuple[Parts, int]:
    """Write a draft anew.

    Args:
        before: the lines that it had.
        given: the ids that a request gives to its lines; all are those of before when absent.

    Returns:
        The parts, and how many time logs are free because their line is gone.
    """
    invoice.change(**_values(figures, _on_record(figures.customer)))
    parts = store.parts_of(figures, invoice.id)
    ids = [row.id for row in before] if given is None else line_identity.find(before, parts.lines, given)
    parts = parts.staying(ids)
    store.delete_parts(invoice.id)
    store.insert_parts(parts)
    places = {id: place for place, id in enumerate(ids)}
    moved = {row.position: places[row.id] for row in before if row.id in places}
    return parts, billed_time.follow(invoice.id, moved)


def _issue(invoice: Invoice, figures: Figures) -> None:
    total = figures.totals.total
    if total < 0:
        raise NegativeTotal(field="lines")
    periods.check_open(figures.issue_date, "issueDate")
    number = workspace_settings.next_number(SERIES[invoice.type], figures.issue_date)
    entries = []
    if postings := legs(figures, invoice.contact_id):
        text = f"{TITLES[invoice.type]} {number[0]}, {invoice.contact_name}"
        source = ("invoice", invoice.id)
        entries = [ledger.post(figures.issue_date, text, postings, kind="invoice", source=source)]
    status = "issued" if total else "paid"
    store.mark_issued(invoice, number, status, entries[0].id if entries else None, clock.stamp())
    events.write("invoice.issued", "invoice", invoice.id, _facts(invoice), entries=entries)


def _facts(invoice: Invoice) -> dict[str, Any]:
    return {
        "type": invoice.type,
        "number": invoice.number,
        "customerId": invoice.contact_id,
        "total": money.text(invoice.total, invoice.currency),
        "currency": invoice.currency,
    }


def _redraft(invoice: Invoice, wanted: InvoiceChange) -> InvoiceView:
    before = store.find_parts(invoice.id).lines
    given = None if wanted.lines is UNSET else [line.id for line in wanted.lines]
    parts, freed = _rewrite(invoice, _reworked(invoice, wanted, before), before, given)
    shown = _with_time(invoice, parts)
    _check_bills_time(shown)
    changed = [changes.wire_name(name) for name in wanted.changes()]
    events.write("invoice.updated", "invoice", invoice.id, _facts(invoice) | {"changed": changed, **_told_freed(freed)})
    return shown


def _reworked(invoice: Invoice, wanted: InvoiceChange, before: Sequence[LineRow]) -> Figures:
    complaints = Complaints()
    if wanted.lines is not UNSET:
        line_identity.check(before, wanted.lines, complaints)
    with complaints.gathered():
        figures = work_out(restored(invoice.terms, wanted))
    complaints.refuse()
    return figures


def _check_bills_time(shown: InvoiceView) -> None:
    if shown.type != "sales_invoice" and any(line.time_log_ids for line in shown.lines):
        raise Invalid.one("type", "bills_time", "It bills time, which a credit note cannot.")


def _with_time(invoice: Invoice, parts: Parts) -> InvoiceView:
    return InvoiceView.whole(invoice, parts, workspace_settings.today(), time_logs=billed_time.of_invoice(invoice.id))


def _told_freed(time_logs: int) -> dict[str, int]:
    return {"freedTimeLogs": time_logs} if time_logs else {}


def _check_due_date(invoice: Invoice, values: dict[str, Any]) -> None:
    if "due_date" not in values:
        return
    if values["due_date"] is None:
        raise Invalid.one("dueDate", "required", "An issued invoice keeps a due date.")
    if values["due_date"] < invoice.issue_date:
        raise Invalid.one("dueDate", "too_early", f"Must not be before the issue date, {invoice.issue_date}.")


def _amend(invoice: Invoice, values: dict[str, Any]) -> InvoiceView:
    if values:
        told = changes.before_and_after(invoice, values)
        invoice.change(**values)
        events.write("invoice.updated", "invoice", invoice.id, {"number": invoice.number, "changes": told})
    return show(invoice)


def _check_voidable(invoice: Invoice) -> None:
    if invoice.amount_paid or invoice.amount_credited:
        raise InUse(f"Payments or credit are allocated to {invoice.number}; release or void them first.")
    if invoice.status == "draft":
        raise InvalidTransition("A draft is not on record; delete it instead.")
    if invoice.status in ("void", "written_off"):
        raise InvalidTransition(f"{invoice.number} is {invoice.status.replace('_', ' ')} already.")
