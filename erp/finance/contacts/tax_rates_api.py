"""Tax rates over HTTP."""

from typing import Annotated, Literal

import msgspec

from erp.finance.contacts import tax_rates
from erp.finance.contacts.models import TaxRate
from erp.finance.contacts.tax_rates import Category, NewTaxRate, TaxRateChange
from erp.kernel import money
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import ListQuery, Page, RecordView


class TaxRateFilter(ListQuery):
    """Which tax rates to list."""

    archived: Annotated[bool, msgspec.Meta(description="List those that are archived instead.")] = False
    category: Category | None = None
    q: Annotated[str, msgspec.Meta(max_length=200, description="Text in the name.")] | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class TaxRateView(RecordView):
    """A tax rate; an account of null is the default one for tax or input tax."""

    created_by: str | None
    name: str
    rate: Annotated[str, msgspec.Meta(description="A percentage without trailing zeros.", examples=["7.5"])]
    category: Category
    exemption_reason: str | None
    sales_account_id: str | None
    purchase_account_id: str | None
    is_default: bool
    archived_at: str | None

    @classmethod
    def of(cls, rate: TaxRate) -> "TaxRateView":
        """The view of a tax rate."""
        plain = {name: getattr(rate, name) for name in cls.__struct_fields__ if name != "rate"}
        return cls(**plain, rate=money.plain(rate.rate))


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: TaxRateFilter) -> Page[TaxRateView]:
        """List the tax rates, by name."""
        select = TaxRate.select().where(TaxRate.archived_at.is_null(not query.archived))
        if query.category is not None:
            select = select.where(TaxRate.category == query.category)
        if query.q is not None:
            select = select.where(TaxRate.name.contains(query.q))
        return page(select, query, TaxRateView.of, sort=query.sort, sortable={"name": TaxRate.name})

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewTaxRate) -> TaxRateView:
        """Add a tax rate.

        Categories are those of EN 16931; all but S and AE have a rate of 0. One rate at most is the default: making
        this one it takes the mark off another.
        """
        return TaxRateView.of(tax_rates.add(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> TaxRateView:
        """Show a tax rate."""
        return TaxRateView.of(TaxRate.find(id))

    @endpoint(permission="finance.write", refuses=(InUse, UnknownReference))
    def on_patch(self, id: str, body: TaxRateChange) -> TaxRateView:
        """Change a tax rate.

        Once a document has it, its percentage and category stay (`in_use`): make a successor and archive this one.
        """
        return TaxRateView.of(tax_rates.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a tax rate that no document or contact has."""
        tax_rates.remove(id)


class Archive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> TaxRateView:
        """Archive a tax rate, so that no new document can have it; never the default one."""
        return TaxRateView.of(tax_rates.archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> TaxRateView:
        """Take an archived tax rate back into use."""
        return TaxRateView.of(tax_rates.unarchive(id))
