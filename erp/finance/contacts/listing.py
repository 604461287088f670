"""Lists of contacts and of tax rates."""

from erp.finance.contacts import numbers
from erp.finance.contacts.bodies import ContactFilter, TaxRateFilter
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.contacts.views import ContactView, TaxRateView
from erp.store import sql
from erp.web import several
from erp.web.paging import page
from erp.web.schema import Page

_NAMED = (
    f"id IN (SELECT named.head_id FROM contact AS named WHERE named.head_id IS NOT NULL AND {sql.holds('named.name')})"
)
"""A contact is also found by the names of its duplicates."""


def search(query: ContactFilter) -> Page[ContactView]:
    """One page of the contacts that match."""
    select = Contact.select().where(Contact.archived_at.is_null(not query.is_archived))
    if query.kind == "employee":
        select = select.where(Contact.kind == "employee")
    elif query.kind is not None:
        select = select.where(sql.among(Contact.kind, (query.kind, "both")))
    elif query.ids is None and not several.narrows("kind"):
        select = select.where(Contact.kind != "employee")
    if query.q is not None:
        texts = ("name", "legal_name", "email", "vat_id", "tax_number")
        select = select.where(sql.positional(sql.contains(texts, query.q, also=(numbers.IS_NUMBERED, _NAMED))))
    return page(select, query, views=ContactView.of_many, sort=query.sort, sortable={"name": Contact.name})


def search_tax_rates(query: TaxRateFilter) -> Page[TaxRateView]:
    """One page of the tax rates that match."""
    select = TaxRate.select().where(TaxRate.archived_at.is_null(not query.is_archived))
    if query.category is not None:
        select = select.where(TaxRate.category == query.category)
    if query.side is not None:
        select = select.where(sql.among(TaxRate.side, (query.side, "both")))
    if query.q is not None:
        select = select.where(sql.positional(sql.contains(("name",), query.q)))
    return page(select, query, views=TaxRateView.of_many, sort=query.sort, sortable={"name": TaxRate.name})
