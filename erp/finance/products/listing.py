"""The list of products."""

from peewee import fn

from erp.finance.products.bodies import ProductFilter
from erp.finance.products.models import Product
from erp.finance.products.views import ProductView
from erp.store import sql
from erp.web.paging import page
from erp.web.schema import Page

_SORTABLE = {"name": Product.name, "number": fn.coalesce(Product.number, "")}


def search(query: ProductFilter) -> Page[ProductView]:
    """One page of the products that match."""
    select = Product.select().where(Product.archived_at.is_null(not query.is_archived))
    if query.currency is not None:
        select = select.where(Product.currency == query.currency)
    if query.q is not None:
        select = select.where(sql.positional(sql.contains(("name", "number", "description"), query.q)))
    return page(select, query, views=ProductView.of_many, sort=query.sort, sortable=_SORTABLE)
