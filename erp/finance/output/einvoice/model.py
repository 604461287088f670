"""An e-invoice by EN 16931, in any syntax; the names of its terms (BT, BG) are in the comments."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

import msgspec

Syntax = Literal["ubl", "cii"]
Profile = Literal["en16931", "xrechnung", "factur_x"]

ZERO = Decimal(0)
UNSCOPED = "O"
SUPPLY = "K"
"""The category of a supply within the EU."""


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """The seller (BG-4) or the buyer (BG-7)."""

    name: str
    id: str | None = None  # BT-29, BT-46
    legal_id: str | None = None  # BT-30, BT-47
    trading_name: str | None = None  # BT-28, BT-45
    vat_id: str | None = None  # BT-31, BT-48
    tax_number: str | None = None  # BT-32
    legal_text: str | None = None  # BT-33
    email_address: str | None = None  # BT-34, BT-49: the electronic address
    line1: str | None = None
    line2: str | None = None
    city: str | None = None
    postal_code: str | None = None
    region: str | None = None
    country: str | None = None
    contact_name: str | None = None  # BT-41
    phone: str | None = None  # BT-42
    email: str | None = None  # BT-43


class Period(msgspec.Struct, frozen=True):
    """The first and the last day of a service (BG-14, BG-26)."""

    start: date | None
    end: date | None


class Tax(msgspec.Struct, frozen=True):
    """A category with its percentage; category O has none."""

    category: str = "S"
    rate: Decimal | None = None


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """An allowance or a charge of the document (BG-20, BG-21), or without `tax` of a line (BG-27, BG-28)."""

    is_charge: bool
    amount: Decimal
    reason: str
    tax: Tax | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line (BG-25)."""

    id: str
    name: str
    description: str | None = None
    note: str | None = None
    quantity: Decimal
    unit: str
    price: Decimal
    base_quantity: Decimal = Decimal(1)
    net: Decimal
    tax: Tax
    period: Period | None = None
    adjustments: Sequence[Adjustment] = ()


class TaxGroup(msgspec.Struct, frozen=True, kw_only=True):
    """The tax of a category and percentage (BG-23)."""

    tax: Tax
    base: Decimal
    amount: Decimal
    reason: str | None = None
    reason_code: str | None = None


class Preceding(msgspec.Struct, frozen=True):
    """An invoice that this one credits, or whose deposit it applies (BG-3)."""

    number: str
    day: date | None


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """The means of payment (BG-16, BG-17)."""

    code: str
    iban: str | None = None
    bic: str | None = None
    holder: str | None = None
    reference: str | None = None


class Discount(NamedTuple):
    """A cash discount for paying within some days of the issue."""

    days: int
    percent: Decimal


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """The totals (BG-22)."""

    lines: Decimal  # BT-106
    allowances: Decimal = ZERO  # BT-107
    charges: Decimal = ZERO  # BT-108
    net: Decimal  # BT-109
    tax: Decimal  # BT-110
    base_tax: Decimal | None = None  # BT-111
    gross: Decimal  # BT-112
    prepaid: Decimal = ZERO  # BT-113
    rounding: Decimal = ZERO  # BT-114
    payable: Decimal  # BT-115


class EInvoice(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice or a credit note."""

    number: str  # BT-1
    issue_date: date  # BT-2
    type_code: str = "380"  # BT-3
    currency: str  # BT-5
    tax_currency: str | None = None  # BT-6, with BT-111
    due_date: date | None = None  # BT-9
    buyer_reference: str | None = None  # BT-10
    order_reference: str | None = None  # BT-13
    terms: str | None = None  # BT-20
    discounts: Sequence[Discount] = ()  # no term of EN 16931: Factur-X Extended and UBL have elements for them
    note: str | None = None  # BT-22
    preceding: Sequence[Preceding] = ()
    seller: Party
    buyer: Party
    delivered_on: date | None = None  # BT-72
    delivered_to: Party | None = None  # BG-15: its address alone
    period: Period | None = None  # BG-14
    payment: Payment | None = None
    adjustments: Sequence[Adjustment] = ()
    taxes: Sequence[TaxGroup]
    sums: Sums
    lines: Sequence[Line]

    @property
    def has_allowances(self) -> bool:
        """Whether the totals include the sum of allowances, even 0 (BR-CO-11)."""
        return any(not item.is_charge for item in self.adjustments)

    @property
    def has_charges(self) -> bool:
        """Whether the totals include the sum of charges, even 0 (BR-CO-12)."""
        return any(item.is_charge for item in self.adjustments)

    @property
    def is_credit_note(self) -> bool:
        """Whether its amounts are owed to the buyer."""
        return self.type_code in CREDIT_NOTES


CREDIT_NOTES = ("381", "261", "308", "396", "420", "458", "532", "81", "83", "262", "296")
"""Types of documents that are credit notes. Source: EN 16931 code list UNTDID 1001, as the rules for UBL use it."""
