"""Views of invoices, in lists and in full."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, Self

from msgspec import UNSET, Meta

from erp.finance.books.service import ServicePeriodView
from erp.finance.contacts import heads, payment_terms, reminded
from erp.finance.contacts.payment_terms import PaymentTermsView
from erp.finance.contacts.reminded import ReminderBlockView
from erp.finance.documents import billed_expenses, billed_time, prepaid, store, traded_assets
from erp.finance.documents.billed_time import NO_TIME, LineTime
from erp.finance.documents.bills import Approval
from erp.finance.documents.models import PURCHASES, Invoice, InvoiceKind, SentVia
from erp.finance.documents.overdue import Settled
from erp.finance.documents.prepaid import PrepaidHint, PrepaidOpen
from erp.finance.documents.standing import SETTLING
from erp.finance.documents.store import FullInvoice, LineRow
from erp.finance.documents.totals import TaxRounding
from erp.finance.invoices.actions import Can, actions
from erp.finance.invoices.view_parts import (
    AppliedDepositView,
    InvoiceAdjustmentView,
    InvoiceAllocationView,
    InvoiceCustomerView,
    InvoiceLineView,
    InvoiceTaxView,
    OfLine,
    PercentOrAmountView,
    deposit_views,
    service_fields,
)
from erp.finance.write_downs.views import DiscountOfferView, InvoiceDeductionView, deduction_views
from erp.kernel.money import RATE_SCALE, plain, text
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.scalars import Figure, Instant, Money
from erp.web.schema import RecordView, Unset, View, show

TOTALS = ("subtotal", "discount_total", "charge_total", "net_total", "tax_total", "rounding_amount", "total")

InvoiceStatus = Literal["draft", "issued", "partially_paid", "paid", "credited", "void", "written_off"]
SumOfLines = Annotated[Money, Meta(description="The sum of the lines, before the document's discount.")]
NetTotal = Annotated[
    Money,
    Meta(description="The total before tax and rounding: subtotal − discountTotal + chargeTotal."),
]
TaxDate = Annotated[
    date,
    Meta(
        description="The day whose month is the tax period: of a sale the last day of its service, of a purchase the"
        " later of that day and its own date, of a credit note its own date; in a locked period the first open day. The"
        " tax of a deposit invoice is due when it is received instead."
    ),
]
DepositTotal = Annotated[
    Money, Meta(description="Of a final invoice: the amount received of its deposits. It asks for that much less.")
]


PrepaidAmount = Annotated[Money, Meta(description="The part of a bill that the supplier says has been paid.")]


class InvoiceSummary(RecordView):
    """An invoice in a list; the paid, credited and due amounts, and the status, are as of today.

    A bill has a supplier instead of a customer.
    """

    kind: InvoiceKind
    number: str | None
    status: InvoiceStatus
    customer_id: str | None
    customer_name: str | None
    supplier_id: str | None
    supplier_name: str | None
    supplier_number: str | None
    approval: Annotated[Approval, Meta(description="Of a bill: a payment run takes none that is pending.")]
    issue_date: date
    due_date: date
    currency: str
    reference: str | None
    project_id: str | None
    project_name: str | None
    quote_id: Annotated[str | None, Meta(description="The quote that it bills.")]
    quote_number: str | None
    subtotal: SumOfLines
    net_total: NetTotal
    tax_total: Money
    total: Money
    amount_paid: Annotated[Money, Meta(description="Settled by all but credit notes and deductions.")]
    amount_deducted: Annotated[Money, Meta(description="Taken off by discounts, write-offs and small differences.")]
    amount_credited: Money
    deposit_total: DepositTotal
    amount_due: Money
    is_overdue: bool
    days_overdue: int
    reminder_level: Annotated[int, Meta(description="Its level in the newest reminder that names it; 0 without one.")]
    last_reminder_on: date | None
    is_blocked: Annotated[bool, Meta(description="Whether it, or its contact, is blocked from reminders.")]
    is_reminder_charge: Annotated[bool, Meta(description="Whether it asks for charges of a reminder.")]
    sent_at: Annotated[Instant | None, Meta(description="When it first went out to its customer, as far as known.")]
    sent_via: SentVia | None
    is_sent: bool
    can: Can
    lines: Annotated[list[InvoiceLineView] | Unset, Meta(description="In a list, only with `include=lines`.")] = UNSET


Deposits = Annotated[list[AppliedDepositView], Meta(description="The deposits that a final invoice applies.")]
FinalInvoiceId = Annotated[str, Meta(description="The issued final invoice that applies this deposit invoice.")]


class InvoiceView(InvoiceSummary):
    """An invoice or a credit note with its lines and taxes."""

    created_by: str | None
    created_by_name: str | None
    customer: InvoiceCustomerView | None
    supplier: InvoiceCustomerView | None
    exchange_rate: Figure | None
    base_tax_total: Annotated[
        Money | None,
        Meta(description="The tax in the base currency; null for a document that is in it, or has no tax."),
    ]
    prices_include_tax: bool
    tax_rounding: TaxRounding
    discount: PercentOrAmountView | None
    allowances: list[InvoiceAdjustmentView]
    charges: list[InvoiceAdjustmentView]
    note: str | None
    intro: str | None
    closing: str | None
    time_sheet: bool
    lines: list[InvoiceLineView]
    discount_total: Money
    charge_total: Money
    rounding_amount: Money
    tax_breakdown: list[InvoiceTaxView]
    journal_entry_id: str | None
    journal_entry_number: str | None
    credit_note_ids: list[str]
    credit_note_numbers: list[str | None]
    credited_invoice_id: str | None
    credited_invoice_number: str | None
    issued_at: str | None
    voided_at: str | None
    void_reason: str | None
    approved_at: str | None
    approved_by: str | None
    approved_by_name: str | None
    service_date: date | None
    service_period: ServicePeriodView | None
    tax_date: TaxDate
    allocations: Annotated[
        list[InvoiceAllocationView],
        Meta(description="Settling documents, by date; one after today does not count as paid before its day."),
    ]
    deductions: Annotated[
        list[InvoiceDeductionView], Meta(description="All deductions in their order, also undone ones.")
    ]
    cash_discount: Annotated[
        DiscountOfferView | None,
        Meta(description="The discount for paying today."),
    ]
    prepaid_amount: PrepaidAmount | None
    prepaid_open: PrepaidOpen
    prepaid_hint: PrepaidHint | None
    amount_to_pay: Annotated[Money, Meta(description="The amount still to be paid: amountDue less prepaidOpen.")]
    payment_terms: PaymentTermsView | None
    deposits: Deposits
    final_invoice_id: FinalInvoiceId | None
    final_invoice_number: str | None
    reminder_block: Annotated[
        ReminderBlockView | None, Meta(description="Its own block from reminders, else the block of its contact.")
    ]
    has_original: Annotated[bool, Meta(description="Whether it is a bill that came in as an e-invoice.")]

    @classmethod
    def of(cls, full: FullInvoice, **more: Any) -> Self:
        """Show an invoice as of today, with the further fields of a view that extends this one."""
        invoice, currency, named = full.invoice, full.invoice.currency, _names(full)
        derived = _derived(full)
        of_lines = _of_lines(
            full.parts.lines, {(invoice.id, position): time for position, time in full.time_logs.items()}
        )
        adjustments = [
            (row.is_charge, InvoiceAdjustmentView.of(row, currency, named)) for row in full.parts.adjustments
        ]
        return show(
            cls,
            invoice,
            **derived,
            exchange_rate=None if invoice.exchange_rate is None else plain(invoice.exchange_rate, RATE_SCALE),
            base_tax_total=_base_tax_total(full),
            discount=PercentOrAmountView.of(invoice.discount_amount, invoice.discount_percent, currency),
            allowances=[view for is_charge, view in adjustments if not is_charge],
            charges=[view for is_charge, view in adjustments if is_charge],
            lines=[
                InvoiceLineView.of(row, currency, named, of_line)
                for row, of_line in zip(full.parts.lines, of_lines, strict=True)
            ],
            tax_breakdown=[InvoiceTaxView.of(row, currency, named) for row in full.parts.taxes],
            credit_note_ids=list(full.credit_note_ids),
            **_numbers(full, named),
            project_name=named.name(invoice.project_id),
            approved_by_name=names.of_user(invoice.approved_by),
            **service_fields(invoice.service_from, invoice.service_to),
            deposits=deposit_views(full.deposits, currency, named),
            final_invoice_id=full.final_invoice_id,
            has_original=full.has_original,
            **_reminders(invoice),
            can=actions(invoice),
            allocations=[InvoiceAllocationView.of(row, currency) for row in full.settled_with],
            deductions=deduction_views(full.deductions),
            cash_discount=DiscountOfferView.of(invoice),
            **_prepaid(invoice, derived["amount_due"]),
            payment_terms=payment_terms.view(payment_terms.read(invoice.payment_terms), invoice.issue_date),
            **more,
        )


def lines_of(currencies: Mapping[str, str]) -> dict[str, list[InvoiceLineView]]:
    """The lines of invoices; the same number of queries, however many they are.

    Args:
        currencies: of the invoices, by their ids.
    """
    rows, time_logs = store.lines_of([*currencies]), billed_time.of_invoices([*currencies])
    named = names.of(**_in_lines(rows))
    lines: dict[str, list[InvoiceLineView]] = {id: [] for id in currencies}
    for row, of_line in zip(rows, _of_lines(rows, time_logs), strict=True):
        lines[row.invoice_id].append(InvoiceLineView.of(row, currencies[row.invoice_id], named, of_line))
    return lines


def _of_lines(rows: Sequence[LineRow], time_logs: Mapping[tuple[str, int], LineTime]) -> list[OfLine]:
    """The records that each line bills, or that it became."""
    expenses = billed_expenses.of_invoices([*{row.invoice_id for row in rows}])
    assets = traded_assets.made_of(rows)
    return [
        OfLine(time_logs.get((row.invoice_id, row.position), NO_TIME), expenses.get(row.id), assets.get(row.id, []))
        for row in rows
    ]


def _in_lines(lines: Sequence[LineRow]) -> dict[str, list[str | None]]:
    """The ids of the records that lines refer to, by their kind."""
    return {
        "account": [id for row in lines for id in (row.account_id, row.non_deductible_account_id)],
        "tax_rate": [row.tax_rate_id for row in lines],
        "project": [row.project_id for row in lines],
        "task": [row.task_id for row in lines],
        "product": [row.product_id for row in lines],
    }


def _names(full: FullInvoice) -> Names:
    """Names of the records that an invoice and its parts refer to; one query."""
    invoice, parts = full.invoice, full.parts
    ids = _in_lines(parts.lines)
    ids["account"] += [row.account_id for row in parts.adjustments]
    ids["tax_rate"] += [row.tax_rate_id for row in parts.adjustments]
    ids["tax_rate"] += [row.tax_rate_id for row in parts.taxes] + [row.tax_rate_id for row in full.deposits]
    ids["project"].append(invoice.project_id)
    return names.of(
        **ids,
        invoice=[*full.credit_note_ids, invoice.credited_invoice_id, full.final_invoice_id],
        journal_entry=[invoice.journal_entry_id],
        quote=[invoice.quote_id],
    )


def _numbers(full: FullInvoice, named: Names) -> dict[str, Any]:
    """The numbers of the documents that belong to an invoice."""
    return {
        "journal_entry_number": named.code(full.invoice.journal_entry_id),
        "credit_note_numbers": [named.code(id) for id in full.credit_note_ids],
        "credited_invoice_number": named.code(full.invoice.credited_invoice_id),
        "final_invoice_number": named.code(full.final_invoice_id),
        "quote_number": named.code(full.invoice.quote_id),
    }


class IssuedInvoicesView(View):
    """The invoices that were issued, in the order of the request."""

    invoices: list[InvoiceView]


class KeptDocumentView(View):
    """A document that was not deleted, with the code of the refusal."""

    id: str
    code: str


class DeletedDraftsView(View):
    """The ids of the deleted drafts, and the documents that stay."""

    deleted: list[str]
    kept: list[KeptDocumentView]


def _base_tax_total(full: FullInvoice) -> str | None:
    total = full.base_tax_total
    return None if total is None else text(total, workspace_settings.current().base_currency)


def _derived(full: FullInvoice) -> dict[str, Any]:
    """Fields of the summary that are computed as of today, with the amounts as texts."""
    invoice = full.invoice
    today = workspace_settings.today()
    settled = Settled.of(invoice, full.paid_later, full.credited_later, today)
    amounts = {name: getattr(invoice, name) for name in (*TOTALS, "deposit_total")}
    off = [
        item.amount
        for item in full.deductions
        if item.kind in SETTLING and item.undone_on is None and item.date <= today
    ]
    amounts |= {
        "amount_paid": settled.paid - sum(off),
        "amount_deducted": sum(off),
        "amount_credited": settled.credited,
        "amount_due": settled.due,
    }
    return {
        "status": settled.status,
        **_party(invoice),
        **{name: text(amount, invoice.currency) for name, amount in amounts.items()},
        "is_overdue": settled.days_overdue > 0,
        "days_overdue": settled.days_overdue,
    }


def _reminders(invoice: Invoice) -> dict[str, Any]:
    head = heads.of(invoice.contact_id)
    blocks = reminded.blocks([invoice.id, head])
    block = None if invoice.kind in PURCHASES else blocks.get(invoice.id) or blocks.get(head)
    letter = reminded.of_invoice(invoice.id)
    return {**letter._asdict(), "reminder_block": block, "is_blocked": block is not None}


def _prepaid(invoice: Invoice, due: str) -> dict[str, Any]:
    amount, unmatched = invoice.prepaid_amount, prepaid.unmatched([invoice]).get(invoice.id, 0)
    return {
        "prepaid_amount": None if amount is None else text(amount, invoice.currency),
        "prepaid_open": text(unmatched, invoice.currency),
        "prepaid_hint": prepaid.hint(invoice, unmatched),
        "amount_to_pay": text(invoice.due - unmatched, invoice.currency) if unmatched else due,
    }


def _party(invoice: Invoice) -> dict[str, Any]:
    """The contact as the customer or as the supplier."""
    own, other = ("supplier", "customer") if invoice.kind in PURCHASES else ("customer", "supplier")
    head, customer = heads.of(invoice.contact_id), InvoiceCustomerView.of(invoice)
    shown = {f"{own}_id": head, f"{own}_name": invoice.contact_name, own: customer}
    return shown | dict.fromkeys((f"{other}_id", f"{other}_name", other))
