"""The bodies of the lines and adjustments of invoices."""

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import UNSET

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.service import ServicePeriod
from erp.finance.documents.line_assets import LineAsset
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web import schema
from erp.web.scalars import (
    Amount,
    Day,
    Id,
    Line,
    Percent,
    PositiveQuantity,
    Quantity,
    Scalar,
    UnitPrice,
)
from erp.web.schema import Body, Unset

Wording = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
"""The text of a line."""


TaxRateId = Annotated[
    Id,
    msgspec.Meta(description="The contact's rate or the default one when absent, none when null."),
]


class Share(Percent):
    """A percentage of a value, finer than a tax rate may be."""

    decimals = 6
    json_schema = {**Percent.json_schema, "description": "A percentage from 0 to 100, with at most 6 decimals."}


class PercentOrAmount(Body):
    """A percentage, or an amount in the currency of the document; exactly one of them."""

    percent: Share | None = None
    amount: Amount | None = None


class LineCharge(Scalar):
    """A charge on a line, as `PercentOrAmount` or as a bare amount."""

    json_schema = {
        "description": "A percentage, an amount, or the amount alone.",
        "anyOf": [
            Amount.json_schema,
            {"type": "object", "properties": {"percent": Share.json_schema, "amount": Amount.json_schema}},
        ],
    }

    def __init__(self, part: PercentOrAmount) -> None:
        self.part = part

    @classmethod
    def read(cls, value: object) -> "LineCharge":
        """Read either form."""
        if not isinstance(value, dict):
            return cls(PercentOrAmount(amount=Amount.read(value)))
        return cls(schema.part(value, PercentOrAmount))


DeductibleTax = Annotated[
    Share,
    msgspec.Meta(
        description="On a bill: how much of the line's tax can be deducted, all when absent. The rest goes to the"
        " account of the line."
    ),
]


DeductibleCost = Annotated[
    Share,
    msgspec.Meta(
        description="On a bill: how much of the line's net amount is a deductible cost, all when absent. The rest goes"
        " to `nonDeductibleAccountId`."
    ),
]


ServiceDay = Annotated[
    Day, msgspec.Meta(description="The day of the service or delivery, unless it is a `servicePeriod`.")
]


ProductIdOrNumber = Annotated[
    Id, msgspec.Meta(description="A product's id or number: its values fill in the fields that the line leaves out.")
]


TakenWording = Annotated[Wording, msgspec.Meta(description="Needed without a `productId`.")]


TakenPrice = Annotated[UnitPrice, msgspec.Meta(description="Needed unless the product has one in the same currency.")]


AssetOfLine = Annotated[
    LineAsset,
    msgspec.Meta(
        description="On a bill: the line, on an account for fixed assets, becomes an asset when the bill is posted, in"
        " use at once if it has an `inUseOn`, else a draft."
    ),
]


class LineQuantity(Quantity):
    """A quantity other than zero; a line that is kept may have 0, where its time was rounded to that."""

    sign = "any"
    json_schema = Quantity.json_schema


class NewInvoiceLine(Body):
    """A line: description, quantity, price and tax of a sale or purchase."""

    quantity: LineQuantity
    product_id: ProductIdOrNumber | None = None
    description: TakenWording | None = None
    unit_price: TakenPrice | None = None
    unit: Line | None = None
    price_base_quantity: PositiveQuantity | None = None
    discount: PercentOrAmount | None = None
    charge: LineCharge | None = None
    tax_rate_id: TaxRateId | Unset | None = UNSET
    account_id: AccountIdOrCode | None = None
    project_id: Id | None = None
    task_id: Id | None = None
    deductible_tax_percent: DeductibleTax | None = None
    deductible_cost_percent: DeductibleCost | None = None
    non_deductible_account_id: AccountIdOrCode | None = None
    service_date: ServiceDay | None = None
    service_period: ServicePeriod | None = None
    dimensions: Dimensions | None = None
    asset: AssetOfLine | None = None

    def check(self) -> Iterable[Complaint]:
        if self.quantity == 0:
            yield Complaint("quantity", "zero", says("Must not be 0."))


class InvoiceLineChange(NewInvoiceLine):
    """A line of a draft; the lines of a change replace all lines of the draft."""

    id: (
        Annotated[Id, msgspec.Meta(description="The line of the draft to keep, together with its time logs.")] | None
    ) = None

    def check(self) -> Iterable[Complaint]:
        return super().check() if self.id is None else ()


class StoredLine(NewInvoiceLine):
    """A line of a document on record."""

    def check(self) -> Iterable[Complaint]:
        """Nothing is refused again."""
        return ()


class NewInvoiceAdjustment(Body):
    """An allowance or a charge on the whole document: a percentage of the sum of lines, or an amount."""

    description: Line | None = None
    percent: Share | None = None
    amount: Amount | None = None
    tax_rate_id: TaxRateId | Unset | None = UNSET
    account_id: AccountIdOrCode | None = None
    dimensions: Dimensions | None = None


Lines = Annotated[list[NewInvoiceLine], msgspec.Meta(min_length=1, max_length=500)]


ChangedLines = Annotated[list[InvoiceLineChange], msgspec.Meta(min_length=1, max_length=500)]


Adjustments = Annotated[list[NewInvoiceAdjustment], msgspec.Meta(max_length=100)]
