"""The fields that a line of a document takes from its product."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET, UnsetType

from erp.finance.contacts import tax_rates
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
    are_of_purchase: bool = False


class _Offer(NamedTuple):
    """The price of a product in millionths, its tax rate and its account, for lines of sales or of bills."""

    price: int | None
    tax_rate_id: str | None
    account_id: str | None


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


def fill(lines: Sequence[Line], prices: Prices, complaints: Complaints) -> list[Filled]:
    """The fields of new lines of a document, taken from their products where a line leaves them out."""
    products = _named({line.product_id for line in lines if line.product_id is not None})
    offers = _offers({product.id: product for product in products.values()}, prices)
    return [_filled(line, products, offers, prices, complaints, f"lines[{i}]") for i, line in enumerate(lines)]


def _named(names: set[str]) -> Mapping[str, Product]:
    """Products by their ids and by their numbers."""
    products = Product.fetch(_NAMED, sql.array(names)) if names else []
    return {name: product for product in products for name in (product.number, product.id) if name is not None}


def _offers(products: Mapping[str, Product], prices: Prices) -> Mapping[str, _Offer]:
    if not prices.are_of_purchase:
        return {id: _Offer(it.unit_price, it.tax_rate_id, it.account_id) for id, it in products.items()}
    of_sales = {id: it.tax_rate_id for id, it in products.items() if it.tax_rate_id and not it.purchase_tax_rate_id}
    _, misfits = tax_rates.look_up(of_sales, "purchase") if of_sales else ({}, [])
    fitting = {id: rate for id, rate in of_sales.items() if id not in {each.field for each in misfits}}
    return {
        id: _Offer(it.purchase_price, it.purchase_tax_rate_id or fitting.get(id), it.purchase_account_id)
        for id, it in products.items()
    }


def _filled(
    line: Line,
    products: Mapping[str, Product],
    offers: Mapping[str, _Offer],
    prices: Prices,
    complaints: Complaints,
    path: str,
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
        _check_price(product, offers, prices, complaints, f"{path}.unitPrice")
    if line.description is None and line.product_id is None:
        complaints.add(f"{path}.description", *REQUIRED)
    own = Filled.of(line)
    return own if product is None else _taken(line, own, product, offers[product.id])


def _taken(line: Line, own: Filled, product: Product, offer: _Offer) -> Filled:
    takes_tax = line.tax_rate_id is UNSET and offer.tax_rate_id is not None
    return Filled(
        product_id=product.id,
        description=line.description or product.description or product.name,
        unit=product.unit if line.unit is None else line.unit,
        unit_price=offer.price or 0 if line.unit_price is None else own.unit_price,
        tax_rate_id=offer.tax_rate_id if takes_tax else line.tax_rate_id,
        account_id=line.account_id or offer.account_id,
    )


_PRICE_WITH_TAX = says("The price of {name} includes tax, but the document's prices do not. Enter a price.")
_PRICE_WITHOUT_TAX = says("The price of {name} excludes tax, but the document's prices include it. Enter a price.")


def _check_price(
    product: Product | None, offers: Mapping[str, _Offer], prices: Prices, complaints: Complaints, field: str
) -> None:
    """Complain if a line can take no price from its product."""
    if product is None:
        complaints.add(field, *REQUIRED)
    elif offers[product.id].price is None:
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
