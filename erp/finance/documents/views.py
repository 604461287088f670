"""How invoices are shown."""

from collections.abc import Callable, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, Literal, Self

from msgspec import Meta

from erp.finance.books.service import Service, ServicePeriodView
from erp.finance.contacts import payment_terms
from erp.finance.contacts.bodies import TaxCategory
from erp.finance.contacts.payment_terms import PaymentTermsView
from erp.finance.documents import invoices
from erp.finance.documents.bills import approval
from erp.finance.documents.bills.approval import Approval
from erp.finance.documents.bodies import PURCHASES, InvoiceKind
from erp.finance.documents.crediting import credits
from erp.finance.documents.deducted.standing import SETTLING
from erp.finance.documents.deductions import write_offs
from erp.finance.documents.deductions.views import DiscountOfferView, InvoiceDeductionView, deduction_views
from erp.finance.documents.deposits.store import ShownDeposit
from erp.finance.documents.models import Invoice
from erp.finance.documents.overdue import Settled
from erp.finance.documents.store import AdjustmentRow, FullInvoice, LineRow, TaxRow
from erp.finance.documents.totals import TaxRounding
from erp.finance.items.store import SettledWith
from erp.kernel import caller
from erp.kernel.money import RATE_SCALE, plain, price_text, text
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.address import AddressView
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

InvoiceStatus = Literal["draft", "issued", "partially_paid", "paid", "credited", "void", "written_off"]
Action = Literal[
    "update", "delete", "issue", "approve", "pay", "credit", "void", "write_off", "undo_write_off", "duplicate"
]
Can = Annotated[
    list[Action],
    Meta(
        description="What you may do with the document now. Of an issued one, `update` changes the reference, note and"
        " due date; `pay` settles it with a payment."
    ),
]
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
LineTaxDate = Annotated[date, Meta(description="The same for a line with a service of its own; else the document's.")]


class InvoiceCustomerView(View):
    """The customer or supplier as of the day the invoice was issued, or the draft was last saved."""

    id: str
    name: str
    legal_name: str | None = None
    vat_id: str | None = None
    tax_number: str | None = None
    address: AddressView | None = None


class PercentOrAmountView(View):
    """A percentage, or an amount."""

    percent: Figure | None = None
    amount: Money | None = None


class InvoiceLineView(View):
    """A line; gross = netAfterDiscount + tax, and netAfterDiscount = net − discountShare (of the document's discount).

    `creditedLineId` is the line of an invoice that a line of its credit note credits. Of a bill,
    `nonDeductibleTax` is posted to the account of the line, and `nonDeductibleCost`, which is a part of its net, to
    `nonDeductibleAccountId`.

    The base of a tax rate is the sum of netAfterDiscount of its lines, less its allowances and with its charges.
    """

    id: str
    description: str
    quantity: Figure
    unit: str | None
    unit_price: Figure
    price_base_quantity: Figure
    discount: PercentOrAmountView | None
    charge: PercentOrAmountView | None
    tax_rate_id: str | None
    tax_rate_name: str | None
    account_id: str
    account_code: str
    account_name: str
    project_id: str | None
    project_name: str | None
    task_id: str | None
    task_key: str | None
    task_title: str | None
    net: Money
    discount_share: Money
    net_after_discount: Money
    tax: Money
    gross: Money
    time_log_ids: list[str]
    credited_line_id: str | None
    deductible_tax_percent: Figure | None
    deductible_cost_percent: Figure | None
    non_deductible_account_id: str | None
    non_deductible_account_code: str | None
    non_deductible_account_name: str | None
    non_deductible_tax: Money
    non_deductible_cost: Money
    service_date: date | None
    service_period: ServicePeriodView | None
    tax_date: LineTaxDate | None
    product_id: str | None
    product_name: str | None

    @classmethod
    def of(cls, row: LineRow, currency: str, time_log_ids: Sequence[str], named: Names) -> "InvoiceLineView":
        task_key, task_title = named[row.task_id]
        non_deductible_code, non_deductible_name = named[row.non_deductible_account_id]
        return show(
            cls,
            row,
            quantity=plain(row.quantity),
            unit_price=price_text(row.unit_price, currency),
            price_base_quantity=plain(row.price_base_quantity),
            discount=_part(row.discount_amount, row.discount_percent, currency),
            charge=_part(row.charge_amount, row.charge_percent, currency),
            net=text(row.net, currency),
            discount_share=text(row.net + row.tax - row.gross, currency),
            net_after_discount=text(row.gross - row.tax, currency),
            tax=text(row.tax, currency),
            gross=text(row.gross, currency),
            time_log_ids=list(time_log_ids),
            deductible_tax_percent=_percent(row.deductible_tax_percent),
            deductible_cost_percent=_percent(row.deductible_cost_percent),
            non_deductible_tax=text(row.non_deductible_tax, currency),
            non_deductible_cost=text(row.non_deductible_cost, currency),
            **_service(row.service_from, row.service_to),
            tax_date=_day(row.tax_date),
            **_target(row, named),
            project_name=named[row.project_id][1],
            task_key=task_key,
            task_title=task_title,
            non_deductible_account_code=non_deductible_code,
            non_deductible_account_name=non_deductible_name,
            product_name=named[row.product_id][1],
        )


class InvoiceAdjustmentView(View):
    """An allowance or a charge; `amount` is without tax."""

    description: str | None
    percent: Figure | None
    amount: Money
    tax_rate_id: str | None
    tax_rate_name: str | None
    account_id: str
    account_code: str
    account_name: str

    @classmethod
    def of(cls, row: AdjustmentRow, currency: str, named: Names) -> "InvoiceAdjustmentView":
        amount = text(row.amount, currency)
        return show(cls, row, percent=_percent(row.given_percent), amount=amount, **_target(row, named))


class InvoiceTaxView(View):
    """The tax of one category and rate; `taxRateId` is the first rate of the workspace that has both.

    Where the supplier printed the tax of a bill, `amount` is the printed one, `ownAmount` what its lines come to, and
    `difference` the printed one less that. `reverseCharge` is tax that is no part of a bill's total: it is owed in the
    supplier's place, and deducted.
    """

    tax_rate_id: str | None
    tax_rate_name: str | None
    category: TaxCategory
    rate: Figure
    base: Money
    amount: Money
    own_amount: Money | None
    difference: Money | None
    reverse_charge: Money

    @classmethod
    def of(cls, row: TaxRow, currency: str, named: Names) -> "InvoiceTaxView":
        own = row.own_amount
        return show(
            cls,
            row,
            tax_rate_name=named.name(row.tax_rate_id),
            rate=plain(row.rate),
            base=text(row.base, currency),
            amount=text(row.amount, currency),
            own_amount=None if own is None else text(own, currency),
            difference=None if own is None else text(row.amount - own, currency),
            reverse_charge=text(row.reverse_charge, currency),
        )


class DepositTaxView(View):
    """What was received of a deposit at one tax rate."""

    tax_rate_id: str | None
    tax_rate_name: str | None
    category: TaxCategory
    rate: Figure
    net: Money
    tax: Money


class DeductedDepositView(View):
    """A deposit invoice that a final invoice deducts, as far as it was received; gross = net + tax.

    What was not received of it is closed, and part of what the final invoice asks for.
    """

    invoice_id: str
    number: str
    issue_date: date
    net: Money
    tax: Money
    gross: Money
    tax_breakdown: list[DepositTaxView]

    @classmethod
    def of(cls, rows: Sequence[ShownDeposit], currency: str, named: Names) -> "DeductedDepositView":
        net, tax = sum(row.net for row in rows), sum(row.tax for row in rows)
        taxes = [
            show(
                DepositTaxView,
                row,
                tax_rate_name=named.name(row.tax_rate_id),
                rate=plain(row.rate),
                net=text(row.net, currency),
                tax=text(row.tax, currency),
            )
            for row in rows
            if row.net or row.tax
        ]
        return cls(
            invoice_id=rows[0].deposit_id,
            number=rows[0].number,
            issue_date=date.fromisoformat(rows[0].issue_date),
            net=text(net, currency),
            tax=text(tax, currency),
            gross=text(net + tax, currency),
            tax_breakdown=taxes,
        )


DepositTotal = Annotated[
    Money, Meta(description="Of a final invoice: what was received of its deposits. It asks for that much less.")
]


class InvoiceSummary(RecordView):
    """An invoice as lists show it; what is paid, credited and due, and its status, are as of today.

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
    can: Can


SettlementKind = Literal["payment", "credit_note", "invoice", "offset", "deposit_closing", "journal_entry"]


class InvoiceAllocationView(View):
    """What settles an invoice, or what a credit note settles: `id` and `number` are those of the other document.

    Of a `deposit_closing` these are the entry that closes the rest of a deposit, and the number of its final invoice.
    """

    allocation_id: str
    kind: SettlementKind
    id: str
    number: str
    date: date
    amount: Money

    @classmethod
    def of(cls, row: SettledWith, currency: str) -> "InvoiceAllocationView":
        kind, id = _settlement(row)
        return show(cls, row, kind=kind, id=id, date=date.fromisoformat(row.date), amount=text(row.amount, currency))


def _settlement(row: SettledWith) -> tuple[SettlementKind, str]:
    if row.document_type == "payment":
        return "payment", row.document_id
    if row.document_type == "invoice":
        return "credit_note" if str(row.kind).endswith("credit_note") else "invoice", row.document_id
    if row.entry_kind == "offset":
        return "offset", row.source_id or row.document_id
    return "deposit_closing" if row.entry_kind == "deposit_closing" else "journal_entry", row.document_id


Deposits = Annotated[list[DeductedDepositView], Meta(description="The deposits that a final invoice deducts.")]
FinalInvoiceId = Annotated[str, Meta(description="The issued final invoice that deducts this deposit invoice.")]


class InvoiceView(InvoiceSummary):
    """An invoice or a credit note with its lines and taxes."""

    created_by: str | None
    created_by_name: str | None
    customer: InvoiceCustomerView | None
    supplier: InvoiceCustomerView | None
    exchange_rate: Figure | None
    prices_include_tax: bool
    tax_rounding: TaxRounding
    discount: PercentOrAmountView | None
    allowances: list[InvoiceAdjustmentView]
    charges: list[InvoiceAdjustmentView]
    note: str | None
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
        Meta(description="What settles it, by date; those after today are not shown as paid before their day."),
    ]
    deductions: Annotated[list[InvoiceDeductionView], Meta(description="What was taken off it, in its order.")]
    cash_discount: Annotated[
        DiscountOfferView | None,
        Meta(description="What may be taken off for paying today."),
    ]
    payment_terms: PaymentTermsView | None
    deposits: Deposits
    final_invoice_id: FinalInvoiceId | None
    final_invoice_number: str | None

    @classmethod
    def of(cls, full: FullInvoice) -> Self:
        """Show an invoice as of today."""
        invoice, currency, named = full.invoice, full.invoice.currency, _names(full)
        adjustments = [
            (row.is_charge, InvoiceAdjustmentView.of(row, currency, named)) for row in full.parts.adjustments
        ]
        lines = full.parts.lines
        return show(
            cls,
            invoice,
            **_derived(full),
            exchange_rate=None if invoice.exchange_rate is None else plain(invoice.exchange_rate, RATE_SCALE),
            discount=_part(invoice.discount_amount, invoice.discount_percent, currency),
            allowances=[view for is_charge, view in adjustments if not is_charge],
            charges=[view for is_charge, view in adjustments if is_charge],
            lines=[InvoiceLineView.of(row, currency, full.time_logs.get(row.position, ()), named) for row in lines],
            tax_breakdown=[InvoiceTaxView.of(row, currency, named) for row in full.parts.taxes],
            credit_note_ids=list(full.credit_note_ids),
            **_numbers(full, named),
            project_name=named.name(invoice.project_id),
            approved_by_name=names.of_user(invoice.approved_by),
            **_service(invoice.service_from, invoice.service_to),
            deposits=_deposits(full.deposits, currency, named),
            final_invoice_id=full.final_invoice_id,
            can=actions(full),
            allocations=[InvoiceAllocationView.of(row, currency) for row in full.settled_with],
            deductions=deduction_views(full.deductions),
            cash_discount=DiscountOfferView.of(invoice),
            payment_terms=payment_terms.view(payment_terms.read(invoice.payment_terms), invoice.issue_date),
        )


def _names(full: FullInvoice) -> Names:
    """What an invoice and its parts name by ids; one query."""
    invoice, parts = full.invoice, full.parts
    lines = parts.lines
    rates = [row.tax_rate_id for row in lines] + [row.tax_rate_id for row in parts.adjustments]
    accounts = [row.account_id for row in lines] + [row.account_id for row in parts.adjustments]
    return names.of(
        account=accounts + [row.non_deductible_account_id for row in lines],
        tax_rate=rates + [row.tax_rate_id for row in parts.taxes] + [row.tax_rate_id for row in full.deposits],
        project=[invoice.project_id, *(row.project_id for row in lines)],
        task=[row.task_id for row in lines],
        product=[row.product_id for row in lines],
        invoice=[*full.credit_note_ids, invoice.credited_invoice_id, full.final_invoice_id],
        journal_entry=[invoice.journal_entry_id],
    )


def _target(row: LineRow | AdjustmentRow, named: Names) -> dict[str, Any]:
    """What the tax rate and the account of an item are called."""
    code, name = named[row.account_id]
    return {"tax_rate_name": named[row.tax_rate_id][1], "account_code": code, "account_name": name}


def _numbers(full: FullInvoice, named: Names) -> dict[str, Any]:
    """The numbers of the documents that belong to an invoice."""
    return {
        "journal_entry_number": named.code(full.invoice.journal_entry_id),
        "credit_note_numbers": [named.code(id) for id in full.credit_note_ids],
        "credited_invoice_number": named.code(full.invoice.credited_invoice_id),
        "final_invoice_number": named.code(full.final_invoice_id),
    }


class IssuedInvoicesView(View):
    """The invoices that were issued, in the order of the request."""

    invoices: list[InvoiceView]


def actions(full: FullInvoice) -> list[Action]:
    """What the caller may do with a document; the checks are those that refuse it."""
    invoice = full.invoice
    checks: dict[Action, Callable[[], object]] = {"update": lambda: None}
    if invoice.status == "draft":  # the others refuse every draft, and these two what has been issued
        checks["delete"] = lambda: invoices.check_removable(invoice)
        checks["issue"] = lambda: invoices.check_issuable(invoice)
    else:
        checks["pay"] = lambda: invoices.check_payable(invoice)
        checks["credit"] = lambda: credits.check_creditable(full)
        checks["write_off"] = lambda: write_offs.check_writable(invoice)
        if full.deductions:
            checks["undo_write_off"] = lambda: write_offs.check_undoable(invoice, full.deductions)
        checks["void"] = lambda: invoices.check_voidable(invoice, full.credited_by, full.deductions)
    checks["duplicate"] = lambda: None
    approvals: dict[Action, Callable[[], object]] = {"approve": lambda: approval.check_approvable(invoice)}
    needs_none = invoice.approval == "not_needed"
    approve = [] if needs_none else caller.allowed("bills.approve", approvals)
    return sorted([*caller.allowed("finance.write", checks), *approve])


TOTALS = ("subtotal", "discount_total", "charge_total", "net_total", "tax_total", "rounding_amount", "total")


def _derived(full: FullInvoice) -> dict[str, Any]:
    """What an invoice's summary, and its amounts, show other than its columns do."""
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


def _party(invoice: Invoice) -> dict[str, Any]:
    """The contact as the customer or as the supplier."""
    own, other = ("supplier", "customer") if invoice.kind in PURCHASES else ("customer", "supplier")
    shown = {f"{own}_id": invoice.contact_id, f"{own}_name": invoice.contact_name, own: _customer(invoice)}
    return shown | dict.fromkeys((f"{other}_id", f"{other}_name", other))


def _deposits(rows: Sequence[ShownDeposit], currency: str, named: Names) -> list[DeductedDepositView]:
    by_deposit = [list(group) for _, group in groupby(rows, key=attrgetter("deposit_id"))]
    return [DeductedDepositView.of(group, currency, named) for group in by_deposit]


def _percent(percent: int | None) -> str | None:
    return None if percent is None else plain(percent)


def _part(amount: int | None, percent: int | None, currency: str) -> PercentOrAmountView | None:
    if percent is not None:
        return PercentOrAmountView(percent=plain(percent))
    return None if amount is None else PercentOrAmountView(amount=text(amount, currency))


def _service(start: date | str | None, end: date | str | None) -> dict[str, Any]:
    """The fields that say when a service was rendered."""
    if end is None:
        return {"service_date": None, "service_period": None}
    days = Service(_day(start), _day(end))
    return {"service_date": days.day, "service_period": days.period}


def _day(value: date | str | None) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value


def _customer(invoice: Invoice) -> InvoiceCustomerView | None:
    customer = invoice.customer
    if customer is None:
        return None
    return InvoiceCustomerView(id=invoice.contact_id, **customer | {"address": AddressView.of(customer["address"])})
