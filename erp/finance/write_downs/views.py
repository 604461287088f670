"""Views of deductions, of cash discounts in time, and of open items with their deductions."""

from collections.abc import Callable, Sequence
from datetime import date as Date  # noqa: N812
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books import open_items
from erp.finance.books.models import OpenItem
from erp.finance.contacts import heads
from erp.finance.documents import prepaid, standing
from erp.finance.documents.models import Deduction, Invoice
from erp.finance.items.views import OpenItemView
from erp.finance.write_downs import discounts, taken_over
from erp.finance.write_downs.discounts import Offer
from erp.kernel import caller, money
from erp.kernel.language import says
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import View, show

ItemAction = Literal["write_off", "undo_write_off"]
DeductionKind = Literal["cash_discount", "uncollectable", "small_difference", "doubtful", "recovery"]


class DeductionPartView(View):
    """The part of a deduction at one tax rate; amount = net + tax."""

    tax_rate_id: str | None
    tax_rate_name: str | None
    rate: Annotated[Figure | None, Meta(description="Its percentage; null without a tax rate.")]
    net: Money
    tax: Money
    amount: Money


class InvoiceDeductionView(View):
    """A cash discount, a write-off or a small difference, or a recovery of a write-off.

    A `doubtful` one has moved its amount to doubtful receivables, where it is still due. One that has been undone no
    longer counts.
    """

    id: str
    kind: DeductionKind
    date: Date
    amount: Money
    parts: list[DeductionPartView]
    corrects_tax: bool
    is_late: Annotated[bool, Meta(description="Whether a discount was taken after its last day.")]
    reason: str | None
    payment_id: str | None
    payment_number: str | None
    journal_entry_id: str | None
    journal_entry_number: str | None
    undone_on: Date | None
    undo_reason: str | None


class PaymentDeductionView(View):
    """A deduction from an invoice or an open item that a payment took, or its recovery of a write-off."""

    id: str
    kind: DeductionKind
    invoice_id: Annotated[str | None, Meta(description="Null where it was taken off an open item without a document.")]
    invoice_number: str | None
    item_id: Annotated[str | None, Meta(description="That open item.")]
    item_number: str | None
    amount: Money
    date: Date
    is_late: bool
    undone_on: Date | None

    @classmethod
    def of_many(cls, deductions: Sequence[Deduction]) -> "list[PaymentDeductionView]":
        """Show deductions that were taken with payments; one query, if there are any."""
        named = names.of(
            invoice=[deduction.invoice_id for deduction in deductions],
            open_item=[deduction.of_item_id for deduction in deductions],
        )
        return [
            show(
                cls,
                deduction,
                invoice_number=named.code(deduction.invoice_id),
                item_id=deduction.of_item_id,
                item_number=named.code(deduction.of_item_id),
                amount=money.text(deduction.amount, deduction.currency),
            )
            for deduction in deductions
        ]


class DiscountOfferView(View):
    """A cash discount that is in time: amount due, less `prepaidOpen` of a bill = `amountToPay` + `amount`."""

    percent: Figure
    amount: Money
    amount_to_pay: Money
    until: Annotated[Date, Meta(description="Its last day, without the days of grace.")]

    @classmethod
    def of(cls, invoice: Invoice, day: Date | None = None) -> "DiscountOfferView | None":
        """The offer of an invoice for paying it on a day, by default today; None without one."""
        offer = discounts.in_time(invoice, day or workspace_settings.today())
        return None if offer is None else cls.of_offer(invoice, offer)

    @classmethod
    def of_offer(cls, invoice: Invoice, offer: Offer) -> "DiscountOfferView":
        """Show an offer of an invoice."""
        return cls.of_due(offer, prepaid.payable(invoice), invoice.currency)

    @classmethod
    def of_due(cls, offer: Offer, due: int, currency: str) -> "DiscountOfferView":
        """Show an offer for an amount due."""
        return cls(
            percent=money.plain(offer.percent),
            amount=money.text(offer.amount, currency),
            amount_to_pay=money.text(due - offer.amount, currency),
            until=offer.until,
        )


def deduction_views(deductions: Sequence[Deduction]) -> list[InvoiceDeductionView]:
    """Show the deductions of an invoice with their parts."""
    if not deductions:
        return []
    parts: dict[str, list[DeductionPartView]] = {deduction.id: [] for deduction in deductions}
    by_id = {deduction.id: deduction for deduction in deductions}
    named = names.of(
        payment=[deduction.payment_id for deduction in deductions],
        journal_entry=[deduction.journal_entry_id for deduction in deductions],
    )
    for id, *rate, amount, tax in WORKSPACE.rows(_PARTS, (sql.array(by_id),)):
        parts[id].append(_part(by_id[id], rate, amount, tax if by_id[id].corrects_tax else 0))
    return [
        show(
            InvoiceDeductionView,
            deduction,
            parts=parts[deduction.id],
            amount=money.text(deduction.amount, deduction.currency),
            payment_number=named.code(deduction.payment_id),
            journal_entry_number=named.code(deduction.journal_entry_id),
        )
        for deduction in deductions
    ]


def warnings_of(deductions: Sequence[Deduction]) -> list[str]:
    """Warnings about deductions that were taken with a payment."""
    return [
        says("The cash discount of {amount} was taken too late.", amount=money.shown(item.amount, item.currency))
        for item in deductions
        if item.is_late and item.undone_on is None
    ]


_PARTS = (
    "SELECT deduction_id, tax_rate_id, tax_rate.name, rate, amount, tax FROM deduction_part"
    " LEFT JOIN tax_rate ON tax_rate.id = tax_rate_id"
    " WHERE deduction_id IN (SELECT value FROM json_each(?)) ORDER BY deduction_id, position"
)


def _part(deduction: Deduction, rate: Sequence[Any], amount: int, tax: int) -> DeductionPartView:
    net, taxed, whole = (money.text(minor, deduction.currency) for minor in (amount - tax, tax, amount))
    rate_id, name, millionths = rate
    percent = None if millionths is None else money.plain(millionths)
    return DeductionPartView(tax_rate_id=rate_id, tax_rate_name=name, rate=percent, net=net, tax=taxed, amount=whole)


class OpenItemDetail(OpenItemView):
    """An open item with its deductions; where it has a document, the document shows them."""

    tax_rate_id: Annotated[str | None, Meta(description="The tax rate in the amount of an opening item.")]
    tax_rate_name: str | None
    deductions: list[InvoiceDeductionView]
    can: Annotated[list[ItemAction], Meta(description="Actions on the item open to you now.")]

    @classmethod
    def of(cls, item: OpenItem) -> "OpenItemDetail":
        """Show an open item as it is today."""
        ((side,),) = WORKSPACE.rows("SELECT subtype FROM account WHERE id = ?", (item.account_id,))
        named = names.of(
            account=[item.account_id],
            contact=[item.contact_id],
            journal_entry=[item.entry_id],
            tax_rate=[item.tax_rate_id],
        )
        base = workspace_settings.current().base_currency
        taken = standing.deductions_of_item(item) if item.document_type == "journal_entry" else []
        return show(
            cls,
            item,
            side=side,
            contact_id=heads.of(item.contact_id),
            contact_name=named.name(item.contact_id),
            account_code=named.code(item.account_id),
            account_name=named.name(item.account_id),
            entry_number=named.code(item.entry_id),
            tax_rate_name=named.name(item.tax_rate_id),
            days_overdue=open_items.days_overdue(item, side, workspace_settings.today()),
            amount=money.text(item.amount, item.currency),
            open=money.text(item.open, item.currency),
            base_amount=money.text(item.base_amount, base),
            open_base=money.text(item.open_base, base),
            revaluation=money.text(0, base),
            deductions=deduction_views(taken),
            can=_can(item, taken),
        )


def _can(item: OpenItem, taken: Sequence[Deduction]) -> list[ItemAction]:
    checks: dict[ItemAction, Callable[[], object]] = {"write_off": lambda: taken_over.check_writable(item)}
    if taken:
        checks["undo_write_off"] = lambda: taken_over.check_undoable(item)
    return caller.allowed("finance.write", checks)
