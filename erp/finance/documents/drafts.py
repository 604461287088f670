"""Writing drafts: from figures to the rows of an invoice, which a change of the draft replaces."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from erp.finance.contacts import contacts, payment_terms
from erp.finance.contacts.models import Contact
from erp.finance.documents import billed_expenses, billed_time, bills, line_assets, reading, store
from erp.finance.documents.bill_taxes import BillTaxes, NonDeductible
from erp.finance.documents.bodies import InvoiceChange
from erp.finance.documents.commands import AdjustmentCommand, InvoiceCommand, LineCommand
from erp.finance.documents.deposits import applied
from erp.finance.documents.figures import Figures, compute_figures
from erp.finance.documents.line_bodies import InvoiceLineChange
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import AdjustmentRow, FullInvoice, LineRow, Parts, TaxRow
from erp.finance.documents.totals import Adjustment, AdjustmentTotals, DocumentAdjustment, Line, LineTotals, TaxTotals
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.store.records import new_id

_DEPOSIT_BILLS_TIME = says("A deposit invoice cannot invoice time. Remove the lines with time entries.")
_CREDIT_BILLS_TIME = says("A credit note cannot invoice time. Remove the lines with time entries.")

SNAPSHOT = (
    *("name", "legal_name", "vat_id", "tax_number", "address", "email", "buyer_reference", "language"),
    *("debtor_number", "creditor_number"),
)
"""Columns of the customer that a document keeps a copy of."""


def write(figures: Figures) -> FullInvoice:
    """Write a new draft.

    Raises:
        SupplierNumberTaken: another bill of the supplier has that number.
    """
    contact = on_record(figures)
    _check_supplier_number(figures, contact)
    invoice = Invoice.add(**columns(figures, contact), quote_id=figures.command.quote_id)
    parts = parts_of(figures, invoice.id)
    store.insert_parts(parts)
    return store.with_deposits(FullInvoice(invoice, parts))


def like(invoice: Invoice, complaints: Complaints) -> InvoiceCommand:
    """The command for an invoice like another one: undated, and due after as many days if it named its due date.

    The supplier's number, printed tax, prepaid amount and fixed assets are left out. Deposits are applied once, so that
    a final invoice becomes a sales invoice.
    """
    request = reading.stored(invoice.terms)
    due_date = workspace_settings.today() + (invoice.due_date - invoice.issue_date)
    request = replace(
        request,
        kind="sales_invoice" if invoice.kind == "final_invoice" else invoice.kind,
        issue_date=None,
        due_date=None if request.due_date is None else due_date,
        currency=invoice.currency,
        prices_include_tax=bool(invoice.prices_include_tax),
        reference=invoice.reference,
        note=invoice.note,
        supplier_number=None,
        printed_tax=None,
        prepaid_amount=None,
        deposit_ids=None,
        time_sheet=False,
        force=False,
        lines=[replace(line, asset=None) for line in request.lines],
    )
    return reading.document(request, complaints, are_lines_new=False)


def recompute(invoice: Invoice, complaints: Complaints) -> tuple[FullInvoice, Figures]:
    """Compute a draft again as of today, and write the changes.

    Args:
        complaints: about issuing it, so far.

    Raises:
        Invalid: something that the draft names has changed, so that it cannot be issued as it is.
    """
    command = reading.document(reading.stored(invoice.terms), complaints, are_lines_new=False)
    figures = compute_figures(command, complaints)
    full, _ = _rewrite(invoice, figures, store.find_parts(invoice.id).lines)
    return full, figures


def change(invoice: Invoice, body: InvoiceChange) -> tuple[FullInvoice, int]:
    """Change a draft.

    Returns:
        The draft, and how many time logs are free again because their line is gone.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    rows = store.find_parts(invoice.id).lines
    line_ids = None if body.lines is UNSET else [line.id for line in body.lines]
    full, freed = _rewrite(invoice, _changed_figures(invoice, body, rows), rows, line_ids)
    if invoice.kind not in ("sales_invoice", "final_invoice") and full.time_logs:
        is_deposit = invoice.kind == "deposit_invoice"
        raise Invalid.one("kind", "bills_time", _DEPOSIT_BILLS_TIME if is_deposit else _CREDIT_BILLS_TIME)
    return full, freed


def _changed_figures(invoice: Invoice, body: InvoiceChange, rows: Sequence[LineRow]) -> Figures:
    complaints = Complaints()
    if body.lines is not UNSET:
        check_line_ids(rows, body.lines, complaints)
    request = reading.changed(invoice.terms, body)
    document = reading.document(request, complaints, are_lines_new=body.lines is not UNSET)
    figures = compute_figures(document, complaints)
    if invoice.quote_id is not None and figures.currency != invoice.currency:
        message = says("This draft bills a quote, so its currency stays {currency}.", currency=invoice.currency)
        raise Invalid.one("currency", "of_quote", message)
    return figures


def _rewrite(
    invoice: Invoice, figures: Figures, rows: Sequence[LineRow], line_ids: Sequence[str | None] | None = None
) -> tuple[FullInvoice, int]:
    """Write a draft again.

    Args:
        rows: its lines until now.
        line_ids: the ids that a request gives its lines; when absent the lines stay the same.

    Returns:
        The draft, and how many time logs are free again because their line is gone.
    """
    contact = on_record(figures)
    _check_supplier_number(figures, contact, invoice.id)
    invoice.change(**columns(figures, contact))
    parts = parts_of(figures, invoice.id)
    ids = [row.id for row in rows] if line_ids is None else match_lines(rows, parts.lines, line_ids)
    parts = parts.with_line_ids(ids).billing_as(rows)
    store.delete_parts(invoice.id)
    store.insert_parts(parts)
    positions = {id: position for position, id in enumerate(ids)}
    moves = {row.position: positions[row.id] for row in rows if row.id in positions}
    freed = billed_time.move(invoice.id, moves)
    billed_expenses.free(invoice.id, gone_lines=True)
    full = FullInvoice(invoice, parts, time_logs=billed_time.of_invoice(invoice.id))
    return store.with_deposits(full), freed


def on_record(figures: Figures) -> Contact:
    contact, party = figures.command.contact, figures.command.party
    if isinstance(contact, Contact):
        return contact
    try:
        return contacts.add(contact)
    except Invalid as invalid:
        details = [replace(complaint, field=f"{party}.{complaint.field}") for complaint in invalid.details]
        raise Invalid(details) from None


def _check_supplier_number(figures: Figures, contact: Contact, own_id: str = "") -> None:
    command = figures.command
    if command.supplier_number is not None and not command.force:
        supplier = contact.id, contact.name
        bills.check_number(command.kind, supplier, command.supplier_number, figures.issue_date, own_id)


def columns(figures: Figures, contact: Contact) -> dict[str, Any]:
    """The columns of an invoice that follow from its command."""
    command, totals, discount = figures.command, figures.totals, figures.document.discount
    return {
        "kind": command.kind,
        "contact_id": contact.id,
        "contact_name": contact.name,
        "customer": {name: getattr(contact, name) for name in SNAPSHOT},
        "issue_date": figures.issue_date,
        "due_date": figures.due_date,
        "currency": figures.currency,
        "exchange_rate": figures.exchange_rate,
        "prices_include_tax": figures.document.prices_include_tax,
        "tax_rounding": figures.document.tax_rounding,
        "discount_amount": discount and discount.amount,
        "discount_percent": discount and discount.percent,
        "supplier_number": command.supplier_number,
        "reference": command.reference,
        "project_id": command.project_id,
        "note": command.note,
        "intro": command.intro,
        "closing": command.closing,
        "time_sheet": command.time_sheet,
        "service_from": command.service.start,
        "service_to": command.service.end,
        "tax_date": figures.tax_date,
        "payment_terms": payment_terms.stored(figures.payment_terms),
        "subtotal": totals.subtotal,
        "discount_total": totals.discount_total,
        "charge_total": totals.charge_total,
        "tax_total": totals.tax_total,
        "rounding_amount": totals.rounding_amount,
        "total": totals.total,
        "deposit_total": figures.deposit_total,
        "prepaid_amount": command.prepaid_amount,
        "base_total": figures.base_total,
        "terms": reading.terms(command, contact.id, figures.currency),
    }


def parts_of(figures: Figures, invoice_id: str) -> Parts:
    """The rows of an invoice that has been computed, ready to be written."""
    command, document, totals = figures.command, figures.document, figures.totals
    targets = zip(figures.line_accounts, figures.line_projects, strict=True)
    of_lines, of_others = figures.dimensions[: len(command.lines)], figures.dimensions[len(command.lines) :]
    lines = zip(command.lines, document.lines, totals.lines, targets, strict=True)
    adjustments = zip(
        command.adjustments, document.adjustments, totals.adjustments, figures.adjustment_accounts, strict=True
    )
    rows = [_dated(_line(invoice_id, i, *line), figures) for i, line in enumerate(lines)]
    rows = [row._replace(dimensions=text) for row, text in zip(rows, of_lines, strict=True)]
    if figures.line_reasons:
        rows = [row._replace(account_because=why) for row, why in zip(rows, figures.line_reasons, strict=True)]
    return Parts(
        rows if figures.bill is None else list(map(_with_deductions, rows, command.lines, figures.bill.non_deductible)),
        [
            _adjustment(invoice_id, i, *adjustment)._replace(dimensions=text)
            for i, (adjustment, text) in enumerate(zip(adjustments, of_others, strict=True))
        ],
        taxes_of(figures, invoice_id),
        applied.rows_of(figures.deposits, invoice_id),
    )


def taxes_of(figures: Figures, invoice_id: str) -> list[TaxRow]:
    """The rows of an invoice's tax."""
    groups = figures.totals.tax_breakdown
    rows = [
        TaxRow(new_id(), invoice_id, i, group.rate_id, group.category, group.rate, group.base, group.amount)
        for i, group in enumerate(groups)
    ]
    if figures.bill is None:
        return rows
    return [_of_bill(row, group, figures, figures.bill) for row, group in zip(rows, groups, strict=True)]


def _of_bill(row: TaxRow, group: TaxTotals, figures: Figures, bill: BillTaxes) -> TaxRow:
    own = sum(bill.own.get(rate.rate_id, rate.tax) for rate in group.rates)
    is_printed = any(rate.rate_id in bill.own for rate in group.rates)
    taxes = [line.tax for line in figures.document.lines] + [item.tax for item in figures.document.adjustments]
    owed = zip(taxes, bill.reverse, strict=True)
    reverse = sum(amount for tax, amount in owed if (tax.category, tax.rate) == (group.category, group.rate))
    return row._replace(own_amount=own if is_printed else None, reverse_charge=reverse)


def _with_deductions(row: LineRow, command: LineCommand, part: NonDeductible) -> LineRow:
    return row._replace(
        deductible_tax_percent=command.deductible_tax_percent,
        deductible_cost_percent=command.deductible_cost_percent,
        non_deductible_account_id=part.account_id,
        non_deductible_tax=part.tax,
        non_deductible_cost=part.cost,
    )


def _line(
    invoice_id: str, i: int, command: LineCommand, line: Line, result: LineTotals, target: tuple[str, str | None]
) -> LineRow:
    return LineRow(
        new_id(),
        invoice_id,
        i,
        command.description,
        line.quantity,
        command.unit,
        line.unit_price,
        line.price_base_quantity,
        *_either(line.discount),
        *_either(line.charge),
        line.tax.rate_id,
        *target,
        command.task_id,
        result.net,
        result.tax,
        result.gross,
        product_id=command.product_id,
        asset=line_assets.stored(command.asset),
        quote_line_id=None if command.of_quote is None else command.of_quote.line_id,
        quote_part=None if command.of_quote is None else command.of_quote.part,
    )


def _dated(row: LineRow, figures: Figures) -> LineRow:
    """A line with the days of its own service, if it names one."""
    start, end = figures.command.lines[row.position].service
    if end is None:
        return row
    days = [None if day is None else day.isoformat() for day in (start, end, figures.line_tax_date(row.position))]
    return row._replace(service_from=days[0], service_to=days[1], tax_date=days[2])


def _adjustment(
    invoice_id: str,
    i: int,
    command: AdjustmentCommand,
    item: DocumentAdjustment,
    result: AdjustmentTotals,
    account_id: str,
) -> AdjustmentRow:
    return AdjustmentRow(
        new_id(),
        invoice_id,
        i,
        int(item.is_charge),
        command.description,
        *_either(item.adjustment),
        item.tax.rate_id,
        account_id,
        result.amount,
        result.tax,
    )


def _either(part: Adjustment | None) -> tuple[int | None, int | None]:
    return (part.amount, part.percent) if part is not None else (None, None)


def check_line_ids(rows: Sequence[LineRow], lines: Sequence[InvoiceLineChange], complaints: Complaints) -> None:
    """Complain about ids that no line of the draft has, and ids that a request sends twice."""
    known, seen = {row.id for row in rows}, set()
    for i, line in enumerate(lines):
        if line.id is not None and line.id not in known:
            complaints.add(f"lines[{i}].id", "unknown_reference", says("The draft has no line with this id."))
        elif line.id is not None and line.id in seen:
            complaints.add(f"lines[{i}].id", "repeated", says("Another line of the request has the same id."))
        seen.add(line.id)


def match_lines(before: Sequence[LineRow], after: Sequence[LineRow], ids: Sequence[str | None]) -> list[str | None]:
    """The id of the earlier line that each line continues, None for a new line.

    Args:
        before: the lines of the draft until now.
        after: the lines it is going to have.
        ids: the ids that the request sends; a line without one continues the first unmatched line that has the
            same description, project and task.
    """
    alike: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
    for row in reversed(before):
        if row.id not in ids:
            alike[_likeness(row)].append(row.id)
    return [id or _next(alike[_likeness(row)]) for row, id in zip(after, ids, strict=True)]


def _next(ids: list[str]) -> str | None:
    return ids.pop() if ids else None


def _likeness(row: LineRow) -> tuple[str | None, ...]:
    return row.description, row.project_id, row.task_id
