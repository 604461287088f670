"""Documents to write, in the terms of the books.

Amounts are minor units of the document's currency; quantities, prices (in the major unit) and percentages are
millionths. Anything that a command leaves out takes its default on the day that it is computed.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.service import NO_SERVICE, Service
from erp.finance.contacts.contacts import ContactCommand
from erp.finance.contacts.models import Contact
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.documents.line_assets import LineAsset
from erp.finance.documents.models import PURCHASES, InvoiceKind, Party, party_of
from erp.finance.documents.totals import Adjustment
from erp.kernel.money import MICRO


class QuotePart(NamedTuple):
    """The part of a quote's line that a line bills; `part` in billionths."""

    line_id: str
    part: int


class LineCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a document; accounts are named by id or code, and no `tax_rate_id` is the contact's or the default."""

    description: str
    quantity: int
    unit_price: int
    unit: str | None = None
    price_base_quantity: int = MICRO
    discount: Adjustment | None = None
    charge: Adjustment | None = None
    tax_rate_id: str | UnsetType | None = UNSET
    account_id: str | None = None
    is_account_of_product: bool = False
    product_id: str | None = None
    project_id: str | None = None
    task_id: str | None = None
    deductible_tax_percent: int | None = None
    deductible_cost_percent: int | None = None
    non_deductible_account_id: str | None = None
    service: Service = NO_SERVICE
    dimensions: Dimensions | None = None
    asset: LineAsset | None = None
    of_quote: QuotePart | None = None


class AdjustmentCommand(msgspec.Struct, frozen=True, kw_only=True):
    """An allowance or a charge on a whole document."""

    part: Adjustment
    description: str | None = None
    tax_rate_id: str | UnsetType | None = UNSET
    account_id: str | None = None
    dimensions: Dimensions | None = None


class PrintedTax(NamedTuple):
    """The tax of one rate as the supplier printed it on the bill."""

    tax_rate_id: str
    amount: int


class InvoiceCommand(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice, bill or credit note to issue, or to save as a draft.

    The exchange rate is times `RATE_SCALE`. With `force`, another bill of the year may have the `supplier_number`.
    """

    kind: InvoiceKind = "sales_invoice"
    contact: Contact | ContactCommand
    lines: Sequence[LineCommand]
    is_draft: bool = False
    supplier_number: str | None = None
    force: bool = False
    issue_date: date | None = None
    due_date: date | None = None
    payment_terms: PaymentTerms | None = None
    service: Service = NO_SERVICE
    currency: str | None = None
    exchange_rate: int | None = None
    prices_include_tax: bool | None = None
    discount: Adjustment | None = None
    allowances: Sequence[AdjustmentCommand] = ()
    charges: Sequence[AdjustmentCommand] = ()
    rounding_amount: int | None = None
    printed_tax: Sequence[PrintedTax] | None = None
    prepaid_amount: int | None = None
    reference: str | None = None
    project_id: str | None = None
    note: str | None = None
    intro: str | None = None
    closing: str | None = None
    time_sheet: bool = False
    deposit_ids: Sequence[str] = ()
    quote_id: str | None = None

    @property
    def is_purchase(self) -> bool:
        """Whether a supplier wrote it."""
        return self.kind in PURCHASES

    @property
    def party(self) -> Party:
        return party_of(self.kind)

    @property
    def adjustments(self) -> Sequence[AdjustmentCommand]:
        """The allowances, then the charges."""
        return [*self.allowances, *self.charges]

    @property
    def items(self) -> Iterator[tuple[str, LineCommand | AdjustmentCommand]]:
        """Lines, allowances and charges, each with its path in a request."""
        parts: Sequence[tuple[str, Sequence[LineCommand | AdjustmentCommand]]] = (
            ("lines", self.lines),
            ("allowances", self.allowances),
            ("charges", self.charges),
        )
        for name, items in parts:
            yield from ((f"{name}[{i}]", item) for i, item in enumerate(items))
