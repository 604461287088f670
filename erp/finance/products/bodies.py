"""Request bodies of products."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books.bodies import AccountIdOrCode, DefaultDimensions
from erp.web.scalars import Currency, Id, Line, Name, UnitPrice
from erp.web.schema import Body, RecordQuery, Unset

ProductNumber = Annotated[
    str, Meta(min_length=1, max_length=40, description="The office's own number of the product; unique.")
]
ProductText = Annotated[
    str, Meta(min_length=1, max_length=1000, description="The text of a line; the name when absent.")
]
PriceIncludesTax = Annotated[bool, Meta(description="The workspace's `pricesIncludeTax` when absent.")]
PurchasePrice = Annotated[
    UnitPrice, Meta(description="The price that lines of bills take, in the currency and form of the price.")
]
PurchaseTaxRate = Annotated[
    Id, Meta(description="The tax rate that lines of bills take; the tax rate of sales, if it fits bills, when absent.")
]
PurchaseAccount = Annotated[AccountIdOrCode, Meta(description="The account that lines of bills take.")]
BaseCurrency = Annotated[Currency, Meta(description="The base currency when absent.")]


class NewProduct(Body):
    """An article or a service that is sold again and again."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Consulting",
        "description": "Consulting, on site",
        "unit": "hour",
        "unitPrice": "95.00",
        "accountId": "4100",
    }

    name: Name
    number: ProductNumber | None = None
    description: ProductText | None = None
    unit: Line | None = None
    unit_price: UnitPrice | None = None
    currency: BaseCurrency | None = None
    price_includes_tax: PriceIncludesTax | None = None
    tax_rate_id: Id | None = None
    account_id: AccountIdOrCode | None = None
    purchase_price: PurchasePrice | None = None
    purchase_tax_rate_id: PurchaseTaxRate | None = None
    purchase_account_id: PurchaseAccount | None = None
    dimensions: DefaultDimensions | None = None


class ProductChange(Body):
    """The fields of a product to change. Null clears a field, or restores its default."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"unitPrice": "105.00"}

    name: Name | Unset = UNSET
    number: ProductNumber | Unset | None = UNSET
    description: ProductText | Unset | None = UNSET
    unit: Line | Unset | None = UNSET
    unit_price: UnitPrice | Unset | None = UNSET
    currency: BaseCurrency | Unset | None = UNSET
    price_includes_tax: PriceIncludesTax | Unset | None = UNSET
    tax_rate_id: Id | Unset | None = UNSET
    account_id: AccountIdOrCode | Unset | None = UNSET
    purchase_price: PurchasePrice | Unset | None = UNSET
    purchase_tax_rate_id: PurchaseTaxRate | Unset | None = UNSET
    purchase_account_id: PurchaseAccount | Unset | None = UNSET
    dimensions: DefaultDimensions | Unset | None = UNSET


class ProductFilter(RecordQuery):
    """Filter for products."""

    is_archived: Annotated[bool, Meta(description="List only archived products.")] = False
    currency: str | None = None
    q: Annotated[str, Meta(max_length=200, description="Text in the name, number or description.")] | None = None
    sort: Literal["name", "-name", "number", "-number", "createdAt", "-createdAt"] = "name"
