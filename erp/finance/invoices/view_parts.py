"""Views of the parts of invoices: lines, adjustments, taxes, deposits and allocations."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books.dimensions.codes import of_text
from erp.finance.books.service import Service, ServicePeriodView
from erp.finance.contacts import heads
from erp.finance.contacts.bodies import PaperLanguage, TaxCategory
from erp.finance.documents.billed_time import NO_TIME, LineTime
from erp.finance.documents.deposits.store import ShownDeposit
from erp.finance.documents.line_assets import LineAssetView, MadeAssetView, view_of
from erp.finance.documents.models import AccountReason, Invoice
from erp.finance.documents.store import AdjustmentRow, LineRow, TaxRow
from erp.finance.items.store import SettledWith
from erp.kernel.money import MICRO, divide, plain, price_text, text
from erp.store.names import Names
from erp.web.address import AddressView
from erp.web.scalars import Figure, Money
from erp.web.schema import View, show

AccountBecause = Annotated[
    AccountReason,
    Meta(description="Why the line has its account: its own, its product's, as on the supplier's bills before, …"),
]
LineTaxDate = Annotated[date, Meta(description="The same for a line with a service of its own; else the document's.")]


LoggedMinutes = Annotated[int | None, Meta(description="The minutes of `timeLogIds`, before they were rounded.")]
BilledMinutes = Annotated[int | None, Meta(description="The minutes of `quantity`, of a line that bills time.")]


class InvoiceCustomerView(View):
    """The customer or supplier as of the day the invoice was issued, or the draft was last saved."""

    id: str
    name: str
    legal_name: str | None = None
    vat_id: str | None = None
    tax_number: str | None = None
    address: AddressView | None = None
    email: str | None = None
    buyer_reference: str | None = None
    language: PaperLanguage | None = None
    debtor_number: str | None = None
    creditor_number: str | None = None

    @classmethod
    def of(cls, invoice: Invoice) -> "InvoiceCustomerView | None":
        customer = invoice.customer
        if customer is None:
            return None
        return cls(id=heads.of(invoice.contact_id), **customer | {"address": AddressView.of(customer["address"])})


class PercentOrAmountView(View):
    """A percentage, or an amount."""

    percent: Figure | None = None
    amount: Money | None = None

    @classmethod
    def of(cls, amount: int | None, percent: int | None, currency: str) -> "PercentOrAmountView | None":
        if percent is not None:
            return cls(percent=plain(percent))
        return None if amount is None else cls(amount=text(amount, currency))


class OfLine(NamedTuple):
    """The records that a line bills, or that it became."""

    time: LineTime = NO_TIME
    expense_line_id: str | None = None
    assets: Sequence[MadeAssetView] = ()


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
    account_because: AccountBecause
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
    logged_minutes: LoggedMinutes
    billed_minutes: BilledMinutes
    expense_line_id: str | None
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
    dimensions: dict[str, str]
    asset: Annotated[LineAssetView | None, Meta(description="Of a bill: the asset that the line becomes.")]
    made_assets: Annotated[list[MadeAssetView], Meta(description="The assets that `asset` became.")]

    @classmethod
    def of(cls, row: LineRow, currency: str, named: Names, of_line: OfLine) -> "InvoiceLineView":
        """Show a line; field by field, since many are shown: measured, half the time of `show`."""
        task_key, task_title = named[row.task_id]
        return cls(
            id=row.id,
            description=row.description,
            quantity=plain(row.quantity),
            unit=row.unit,
            unit_price=price_text(row.unit_price, currency),
            price_base_quantity=plain(row.price_base_quantity),
            discount=PercentOrAmountView.of(row.discount_amount, row.discount_percent, currency),
            charge=PercentOrAmountView.of(row.charge_amount, row.charge_percent, currency),
            tax_rate_id=row.tax_rate_id,
            account_id=row.account_id,
            account_because=row.account_because,  # type: ignore[arg-type]  # one of them, as the table says
            project_id=row.project_id,
            project_name=named[row.project_id][1],
            task_id=row.task_id,
            task_key=task_key,
            task_title=task_title,
            net=text(row.net, currency),
            discount_share=text(row.net + row.tax - row.gross, currency),
            net_after_discount=text(row.gross - row.tax, currency),
            tax=text(row.tax, currency),
            gross=text(row.gross, currency),
            time_log_ids=list(of_line.time.ids),
            logged_minutes=of_line.time.minutes if of_line.time.ids else None,
            billed_minutes=divide(60 * row.quantity, MICRO) if of_line.time.ids else None,
            expense_line_id=of_line.expense_line_id,
            credited_line_id=row.credited_line_id,
            **_target(row, named),
            **_deduction(row, currency, named),
            **service_fields(row.service_from, row.service_to),
            tax_date=_day(row.tax_date),
            product_id=row.product_id,
            product_name=named[row.product_id][1],
            dimensions=of_text(row.dimensions),
            asset=view_of(row.asset),
            made_assets=list(of_line.assets),
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
    dimensions: dict[str, str]

    @classmethod
    def of(cls, row: AdjustmentRow, currency: str, named: Names) -> "InvoiceAdjustmentView":
        return show(
            cls,
            row,
            percent=_percent(row.given_percent),
            amount=text(row.amount, currency),
            dimensions=of_text(row.dimensions),
            **_target(row, named),
        )


class InvoiceTaxView(View):
    """The tax of one category and rate; `taxRateId` is the first rate of the workspace that has both.

    Where the supplier printed the tax of a bill, `amount` is the printed tax, `ownAmount` the tax computed from the
    lines, and `difference` = amount − ownAmount. `reverseCharge` is tax that is no part of a bill's total: it is owed
    in the supplier's place, and deducted.
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
    """The received part of a deposit at one tax rate."""

    tax_rate_id: str | None
    tax_rate_name: str | None
    category: TaxCategory
    rate: Figure
    net: Money
    tax: Money


class AppliedDepositView(View):
    """A deposit invoice that a final invoice applies, as far as it was received; gross = net + tax.

    The part that was not received is closed, and the final invoice asks for it.
    """

    invoice_id: str
    number: str
    issue_date: date
    net: Money
    tax: Money
    gross: Money
    tax_breakdown: list[DepositTaxView]

    @classmethod
    def of(cls, rows: Sequence[ShownDeposit], currency: str, named: Names) -> "AppliedDepositView":
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


def deposit_views(rows: Sequence[ShownDeposit], currency: str, named: Names) -> list[AppliedDepositView]:
    """Show deposits from their rows, which are sorted by deposit."""
    by_deposit = [list(group) for _, group in groupby(rows, key=attrgetter("deposit_id"))]
    return [AppliedDepositView.of(group, currency, named) for group in by_deposit]


SettlementKind = Literal["payment", "credit_note", "invoice", "offset", "deposit_closing", "journal_entry"]


class InvoiceAllocationView(View):
    """A document that settles an invoice, or that a credit note settles; `id` and `number` name that other document.

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


def _target(row: LineRow | AdjustmentRow, named: Names) -> dict[str, Any]:
    """Names of the tax rate and the account of a line or adjustment, as fields of its view."""
    code, name = named[row.account_id]
    return {"tax_rate_name": named[row.tax_rate_id][1], "account_code": code, "account_name": name}


def _deduction(row: LineRow, currency: str, named: Names) -> dict[str, Any]:
    """The deductible parts of a bill's line and where the rest goes, as fields of its view."""
    code, name = named[row.non_deductible_account_id]
    return {
        "deductible_tax_percent": _percent(row.deductible_tax_percent),
        "deductible_cost_percent": _percent(row.deductible_cost_percent),
        "non_deductible_account_id": row.non_deductible_account_id,
        "non_deductible_account_code": code,
        "non_deductible_account_name": name,
        "non_deductible_tax": text(row.non_deductible_tax, currency),
        "non_deductible_cost": text(row.non_deductible_cost, currency),
    }


def _percent(percent: int | None) -> str | None:
    return None if percent is None else plain(percent)


def service_fields(start: date | str | None, end: date | str | None) -> dict[str, Any]:
    """The view's fields for the service date or period."""
    if end is None:
        return {"service_date": None, "service_period": None}
    days = Service(_day(start), _day(end))
    return {"service_date": days.day, "service_period": days.period}


def _day(value: date | str | None) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value
