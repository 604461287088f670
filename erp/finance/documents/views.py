"""How invoices are shown."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from erp.finance.documents.figures import Figures
from erp.finance.documents.models import Invoice, amount_due
from erp.finance.documents.store import AdjustmentRow, LineRow, Parts, TaxRow
from erp.finance.documents.totals import LineTotals, TaxTotals
from erp.kernel.money import RATE_SCALE, plain, price_text, text
from erp.web.address import AddressView
from erp.web.scalars import Money
from erp.web.schema import RecordView, View

AWAITING = ("issued", "partially_paid")
"""Statuses in which something is due."""

NO_TIME: Mapping[int, Sequence[str]] = {}


class CustomerView(View):
    """The customer as it was when the invoice was issued, or the draft last saved."""

    id: str
    name: str
    legal_name: str | None = None
    tax_number: str | None = None
    address: AddressView | None = None


class PartView(View):
    """A percentage, or an amount."""

    percent: str | None = None
    amount: Money | None = None


class InvoiceLineView(View):
    """A line; `gross` is `net` less its share of the document's discount (`discountShare`), and `tax` on that."""

    id: str
    description: str
    quantity: str
    unit: str | None
    unit_price: str
    price_base_quantity: str
    discount: PartView | None
    charge: PartView | None
    tax_rate_id: str | None
    account_id: str
    project_id: str | None
    task_id: str | None
    net: Money
    discount_share: Money
    tax: Money
    gross: Money
    time_log_ids: list[str]

    @classmethod
    def of(cls, row: LineRow, currency: str, time_log_ids: Sequence[str]) -> "InvoiceLineView":
        return cls(
            id=row.id,
            description=row.description,
            quantity=plain(row.quantity),
            unit=row.unit,
            unit_price=price_text(row.unit_price, currency),
            price_base_quantity=plain(row.price_base_quantity),
            discount=_part(row.discount_amount, row.discount_percent, currency),
            charge=_part(row.charge_amount, row.charge_percent, currency),
            tax_rate_id=row.tax_rate_id,
            account_id=row.account_id,
            project_id=row.project_id,
            task_id=row.task_id,
            net=text(row.net, currency),
            discount_share=text(row.net + row.tax - row.gross, currency),
            tax=text(row.tax, currency),
            gross=text(row.gross, currency),
            time_log_ids=list(time_log_ids),
        )


class InvoiceAdjustmentView(View):
    """An allowance or a charge; `amount` is what it comes to without tax."""

    description: str | None
    percent: str | None
    amount: Money
    tax_rate_id: str | None
    account_id: str

    @classmethod
    def of(cls, row: AdjustmentRow, currency: str) -> "InvoiceAdjustmentView":
        percent = None if row.given_percent is None else plain(row.given_percent)
        return cls(
            description=row.description,
            percent=percent,
            amount=text(row.amount, currency),
            tax_rate_id=row.tax_rate_id,
            account_id=row.account_id,
        )


class InvoiceTaxView(View):
    """Tax of one category and rate; `taxRateId` is the first of those that share both."""

    tax_rate_id: str | None
    category: str
    rate: str
    base: Money
    amount: Money

    @classmethod
    def of(cls, row: TaxRow | TaxTotals, currency: str) -> "InvoiceTaxView":
        return cls(
            tax_rate_id=row.rate_id if isinstance(row, TaxTotals) else row.tax_rate_id,
            category=row.category,
            rate=plain(row.rate),
            base=text(row.base, currency),
            amount=text(row.amount, currency),
        )


class InvoiceSummary(RecordView):
    """An invoice as lists show it."""

    type: str
    number: str | None
    status: str
    customer_id: str
    customer_name: str
    issue_date: date
    due_date: date
    currency: str
    reference: str | None
    project_id: str | None
    subtotal: Money
    tax_total: Money
    total: Money
    amount_paid: Money
    amount_credited: Money
    amount_due: Money
    is_overdue: bool
    days_overdue: int


class InvoiceView(InvoiceSummary):
    created_by: str | None
    customer: CustomerView | None
    exchange_rate: str | None
    prices_include_tax: bool
    tax_rounding: str
    discount: PartView | None
    allowances: list[InvoiceAdjustmentView]
    charges: list[InvoiceAdjustmentView]
    notes: str | None
    lines: list[InvoiceLineView]
    discount_total: Money
    charge_total: Money
    rounding_amount: Money
    tax_breakdown: list[InvoiceTaxView]
    journal_entry_id: str | None
    credit_note_ids: list[str]
    credited_invoice_id: str | None
    issued_at: str | None
    voided_at: str | None
    void_reason: str | None

    @classmethod
    def whole(
        cls,
        invoice: Invoice,
        parts: Parts,
        today: date,
        credit_note_ids: Sequence[str] = (),
        time_logs: Mapping[int, Sequence[str]] = NO_TIME,
    ) -> "InvoiceView":
        """Show all of an invoice as of today.

        Args:
            time_logs: the ids of the time logs that it bills, by the place of their line.
        """
        currency: str = invoice.currency
        adjustments = [(row.is_charge, InvoiceAdjustmentView.of(row, currency)) for row in parts.adjustments]
        return cls(
            **_summary(invoice, today),
            created_by=invoice.created_by,
            customer=_customer(invoice),
            exchange_rate=None if invoice.exchange_rate is None else plain(invoice.exchange_rate, RATE_SCALE),
            prices_include_tax=invoice.prices_include_tax,
            tax_rounding=invoice.tax_rounding,
            discount=_part(invoice.discount_amount, invoice.discount_percent, currency),
            allowances=[view for is_charge, view in adjustments if not is_charge],
            charges=[view for is_charge, view in adjustments if is_charge],
            notes=invoice.notes,
            lines=[InvoiceLineView.of(row, currency, time_logs.get(row.position, ())) for row in parts.lines],
            discount_total=text(invoice.discount_total, currency),
            charge_total=text(invoice.charge_total, currency),
            rounding_amount=text(invoice.rounding_amount, currency),
            tax_breakdown=[InvoiceTaxView.of(row, currency) for row in parts.taxes],
            journal_entry_id=invoice.journal_entry_id,
            credit_note_ids=list(credit_note_ids),
            credited_invoice_id=invoice.credited_invoice_id,
            issued_at=invoice.issued_at,
            voided_at=invoice.voided_at,
            void_reason=invoice.void_reason,
        )


class PreviewLine(View):
    net: Money
    discount_share: Money
    tax: Money
    gross: Money

    @classmethod
    def of(cls, line: LineTotals, currency: str) -> "PreviewLine":
        return cls(
            net=text(line.net, currency),
            discount_share=text(line.discount_share, currency),
            tax=text(line.tax, currency),
            gross=text(line.gross, currency),
        )


class InvoicePreview(View):
    """What an invoice would come to."""

    issue_date: date
    due_date: date
    currency: str
    lines: list[PreviewLine]
    allowances: list[Money]
    charges: list[Money]
    subtotal: Money
    discount_total: Money
    charge_total: Money
    tax_breakdown: list[InvoiceTaxView]
    tax_total: Money
    rounding_amount: Money
    total: Money

    @classmethod
    def of(cls, figures: Figures) -> "InvoicePreview":
        totals, currency = figures.totals, figures.currency
        adjusted = list(zip(figures.document.adjustments, totals.adjustments, strict=True))
        return cls(
            issue_date=figures.issue_date,
            due_date=figures.due_date,
            currency=currency,
            lines=[PreviewLine.of(line, currency) for line in totals.lines],
            allowances=[text(result.amount, currency) for item, result in adjusted if not item.is_charge],
            charges=[text(result.amount, currency) for item, result in adjusted if item.is_charge],
            subtotal=text(totals.subtotal, currency),
            discount_total=text(totals.discount_total, currency),
            charge_total=text(totals.charge_total, currency),
            tax_breakdown=[InvoiceTaxView.of(group, currency) for group in totals.tax_breakdown],
            tax_total=text(totals.tax_total, currency),
            rounding_amount=text(totals.rounding_amount, currency),
            total=text(totals.total, currency),
        )


def days_overdue(invoice: Invoice, today: date) -> int:
    """How many days an invoice is past its due date; credit notes are never overdue."""
    owed = invoice.status in AWAITING and not invoice.type.endswith("credit_note")
    return max((today - invoice.due_date).days, 0) if owed else 0


def _summary(invoice: Invoice, today: date) -> dict[str, Any]:
    currency: str = invoice.currency
    late = days_overdue(invoice, today)
    settled = invoice.amount_paid + invoice.amount_credited
    return {
        "id": invoice.id,
        "version": invoice.version,
        "created_at": invoice.created_at,
        "updated_at": invoice.updated_at,
        "type": invoice.type,
        "number": invoice.number,
        "status": invoice.status,
        "customer_id": invoice.contact_id,
        "customer_name": invoice.contact_name,
        "issue_date": invoice.issue_date,
        "due_date": invoice.due_date,
        "currency": currency,
        "reference": invoice.reference,
        "project_id": invoice.project_id,
        "subtotal": text(invoice.subtotal, currency),
        "tax_total": text(invoice.tax_total, currency),
        "total": text(invoice.total, currency),
        "amount_paid": text(invoice.amount_paid, currency),
        "amount_credited": text(invoice.amount_credited, currency),
        "amount_due": text(amount_due(invoice.status, invoice.total, settled), currency),
        "is_overdue": late > 0,
        "days_overdue": late,
    }


def _part(amount: int | None, percent: int | None, currency: str) -> PartView | None:
    if percent is not None:
        return PartView(percent=plain(percent))
    return None if amount is None else PartView(amount=text(amount, currency))


def _customer(invoice: Invoice) -> CustomerView | None:
    kept = invoice.customer
    if kept is None:
        return None
    return CustomerView(id=invoice.contact_id, **kept | {"address": AddressView.of(kept["address"])})
