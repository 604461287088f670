"""Views of products."""

from collections.abc import Sequence

from erp.finance.books.dimensions.codes import of_text
from erp.finance.products.models import Product
from erp.kernel.money import price_text
from erp.store import names
from erp.web.scalars import Figure
from erp.web.schema import RecordView, show


class ProductView(RecordView):
    """A product; where its tax rate or account is null, a line takes its own default."""

    created_by: str | None
    created_by_name: str | None
    name: str
    number: str | None
    description: str | None
    unit: str | None
    unit_price: Figure | None
    currency: str
    price_includes_tax: bool
    tax_rate_id: str | None
    tax_rate_name: str | None
    account_id: str | None
    account_code: str | None
    account_name: str | None
    purchase_price: Figure | None
    purchase_tax_rate_id: str | None
    purchase_tax_rate_name: str | None
    purchase_account_id: str | None
    purchase_account_code: str | None
    purchase_account_name: str | None
    dimensions: dict[str, str]
    archived_at: str | None

    @classmethod
    def of(cls, product: Product) -> "ProductView":
        return cls.of_many([product])[0]

    @classmethod
    def of_many(cls, products: Sequence[Product]) -> "list[ProductView]":
        """The products; one query names their tax rates and accounts."""
        named = names.of(
            tax_rate=[id for product in products for id in (product.tax_rate_id, product.purchase_tax_rate_id)],
            account=[id for product in products for id in (product.account_id, product.purchase_account_id)],
        )
        return [
            show(
                cls,
                product,
                unit_price=_price(product.unit_price, product),
                purchase_price=_price(product.purchase_price, product),
                tax_rate_name=named.name(product.tax_rate_id),
                account_code=named.code(product.account_id),
                account_name=named.name(product.account_id),
                purchase_tax_rate_name=named.name(product.purchase_tax_rate_id),
                purchase_account_code=named.code(product.purchase_account_id),
                purchase_account_name=named.name(product.purchase_account_id),
                dimensions=of_text(product.dimensions),
            )
            for product in products
        ]


def _price(price: int | None, product: Product) -> str | None:
    return None if price is None else price_text(price, product.currency)
