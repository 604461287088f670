"""How products are shown."""

from erp.finance.products.models import Product
from erp.kernel.money import price_text
from erp.web.scalars import Figure
from erp.web.schema import RecordView, show


class ProductView(RecordView):
    """A product; where its tax rate or account is null, a line takes its own default."""

    created_by: str | None
    name: str
    number: str | None
    description: str | None
    unit: str | None
    unit_price: Figure | None
    currency: str
    price_includes_tax: bool
    tax_rate_id: str | None
    account_id: str | None
    archived_at: str | None

    @classmethod
    def of(cls, product: Product) -> "ProductView":
        """The product."""
        price = None if product.unit_price is None else price_text(product.unit_price, product.currency)
        return show(cls, product, unit_price=price)
