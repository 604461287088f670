"""Tax rates over HTTP."""

from erp.finance.contacts import listing, tax_rates
from erp.finance.contacts.bodies import NewTaxRate, TaxRateChange, TaxRateFilter
from erp.finance.contacts.models import TaxRate
from erp.finance.contacts.views import TaxRateView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: TaxRateFilter) -> Page[TaxRateView]:
        """List tax rates by name.

        Archived tax rates are left out; `isArchived=true` lists only them.
        """
        return listing.search_tax_rates(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewTaxRate) -> TaxRateView:
        """Add a tax rate.

        Categories are those of EN 16931. All but S have a rate of 0; AE and K may have another one, for bills. At most
        one tax rate is the default: a new default replaces the old one.
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

        Once a document uses it, its percentage and category cannot change (`in_use`): add a new one and archive this.
        """
        return TaxRateView.of(tax_rates.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a tax rate that no document or contact uses."""
        tax_rates.remove(id)


class Archive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> TaxRateView:
        """Archive a tax rate, so that no new document can use it. The default cannot be archived."""
        return TaxRateView.of(tax_rates.archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> TaxRateView:
        """Unarchive a tax rate, so that new documents can use it again."""
        return TaxRateView.of(tax_rates.unarchive(id))
