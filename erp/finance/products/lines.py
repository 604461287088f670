"""The fields that a line of a document takes from its product."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET, UnsetType

from erp.finance.products.models import Product
from erp.kernel import money
from erp.kernel.complaints import REQUIRED, Complaints
from erp.kernel.language import Noun, says
from erp.kernel.money import MICRO
from erp.store import sql

_NAMED = (
    "SELECT * FROM product WHERE id IN (SELECT value FROM json_each(?1)) OR number IN (SELECT value FROM json_each(?1))"
)


class Prices(NamedTuple):
    """The form of a document's prices."""

    currency: str
    include_tax: bool


class Line(Protocol):
    """A line as a request sends it: None or UNSET where it leaves a field out."""

    product_id: Any
    description: Any
    unit: Any
    unit_price: Any
    tax_rate_id: Any
    account_id: Any


class Filled(NamedTuple):
    """The fields of a line that it may take from its product; the price in millionths."""

    product_id: str | None
    description: str
    unit: str | None
    unit_price: int
    tax_rate_id: str | UnsetType | None
    account_id: str | None

    @classmethod
    def of(cls, line: Line) -> "Filled":
        """The line's own; one that is incomplete is then complete, but meaningless."""
        price = 0 if line.unit_price is None else money.scaled(line.unit_price, MICRO)
        return cls(line.product_id, line.description or "-", line.unit, price, line.tax_rate_id, line.account_id)


def fill(lines: Sequence[Line], prices: Prices | None, complaints: Complaints) -> list[Filled]:
    """The fields of new lines of a document, taken from their products where a line leaves them out.

    Args:
        prices: the prices of a sale; None for a purchase, which takes neither price nor account.
    """
    products = _named({line.product_id for line in lines if line.product_id is not None})
    return [_filled(line, products, prices, complaints, f"lines[{i}]") for i, line in enumerate(lines)]


def _named(names: set[str]) -> Mapping[str, Product]:
    """Products by their ids and by their numbers."""
    products = Product.fetch(_NAMED, sql.array(names)) if names else []
    return {name: product for product in products for name in (product.number, product.id) if name is not None}


def _filled(
    line: Line, products: Mapping[str, Product], prices: Prices | None, complaints: Complaints, path: str
) -> Filled:
    if line.product_id is None and line.description is not None and line.unit_price is not None:
        return Filled.of(line)
    product = None if line.product_id is None else products.get(line.product_id)
    if product is None and line.product_id is not None:
        complaints.unknown(f"{path}.productId", Noun("product"))
    elif product is not None and product.archived_at is not None:
        message = says("{name} is archived. Unarchive the product first.", name=product.name)
        complaints.add(f"{path}.productId", "archived", message)
    if line.unit_price is None and (line.product_id is None or product is not None):
        _check_price(product, prices, complaints, f"{path}.unitPrice")
    if line.description is None and line.product_id is None:
        complaints.add(f"{path}.description", *REQUIRED)
    own = Filled.of(line)
    return own if product is None else _taken(line, own, product, is_sale=prices is not None)


def _taken(line: Line, own: Filled, product: Product, *, is_sale: bool) -> Filled:
    takes_tax = line.tax_rate_id is UNSET and product.tax_rate_id is not None
    return Filled(
        product_id=product.id,
        description=line.description or product.description or product.name,
        unit=product.unit if line.unit is None else line.unit,
        unit_price=product.unit_price or 0 if line.unit_price is None else own.unit_price,
        tax_rate_id=product.tax_rate_id if takes_tax else line.tax_rate_id,
        account_id=line.account_id or (product.account_id if is_sale else None),
    )


_PRICE_WITH_TAX = says("The price of {name} includes tax, but the document's prices do not. Enter a price.")
_PRICE_WITHOUT_TAX = says("The price of {name} excludes tax, but the document's prices include it. Enter a price.")


def _check_price(product: Product | None, prices: Prices | None, complaints: Complaints, field: str) -> None:
    """Complain if a line can take no price from its product."""
    if product is None or prices is None:
        complaints.add(field, *REQUIRED)
    elif product.unit_price is None:
        complaints.add(field, "required", says("{name} has no price. Enter the price of the line.", name=product.name))
    elif product.currency != prices.currency:
        message = says(
            "The price of {name} is in {currency}. Enter a price in {own}.",
            name=product.name,
            currency=product.currency,
            own=prices.currency,
        )
        complaints.add(field, "wrong_currency", message)
    elif bool(product.price_includes_tax) != prices.include_tax:
        message = _PRICE_WITH_TAX if product.price_includes_tax else _PRICE_WITHOUT_TAX
        complaints.add(field, "wrong_price", message.fill(name=product.name))
