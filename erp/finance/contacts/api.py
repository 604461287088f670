"""Contacts and tax rates over HTTP."""

from erp.finance.contacts import contacts, importing, listing, tax_rates
from erp.finance.contacts.bodies import (
    ContactChange,
    ContactFilter,
    NewContact,
    NewTaxRate,
    TaxRateChange,
    TaxRateFilter,
)
from erp.finance.contacts.contacts import OpenItems
from erp.finance.contacts.importing import ContactImport, ImportedContactsView
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.contacts.views import ContactView, TaxRateView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport.sheets import ReadRows


def _add(body: NewContact) -> Contact:
    return contacts.add(contacts.read(body))


class Collection:
    @endpoint(permission="contacts.read")
    def on_get(self, query: ContactFilter) -> Page[ContactView]:
        """List contacts, the newest first.

        Archived contacts are left out; `isArchived=true` lists only them. Amounts are shown to callers with the
        permission to read finance.
        """
        return listing.search(query)

    @endpoint(permission="contacts.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewContact) -> ContactView:
        """Add a contact: a customer, a supplier, or both.

        A customer gets the next number from 10001 on, a supplier the next from 70001 on; each stays for good.
        """
        return ContactView.of(_add(body))


class Import:
    @endpoint(permission="contacts.write", prepare=importing.read)
    def on_post(self, body: ContactImport, prepared: ReadRows[NewContact]) -> ImportedContactsView:
        """Add contacts from a spreadsheet, all or none.

        The headings are the fields of the body of a `POST` that adds one, with a point in parts: `address.city`. Each
        contact gets a number as with `POST`. Errors name the row (`rows[3].name`; the headings are row 1). `dryRun`
        only checks. A file with other headings is read by the mapping that is kept for them.

        Rows about contacts that are here already are left out and named in `duplicates`: contacts with the same VAT
        id, or with the same name and e-mail address; without an e-mail address, with the same name and place.
        `onDuplicate` can add them.

        With `source`, the file is the export of contacts from Xero as it is; there, the name decides alone.
        """
        return importing.load(body, prepared, _add)


class Item:
    @endpoint(permission="contacts.read")
    def on_get(self, id: str) -> ContactView:
        """Show a contact.

        Balances and bank details are left out for roles that may not read finances.
        """
        return ContactView.of(Contact.find(id))

    @endpoint(permission="contacts.write", refuses=(InvalidTransition, UnknownReference, OpenItems))
    def on_patch(self, id: str, body: ContactChange) -> ContactView:
        """Change a contact.

        Issued documents keep the name and address they were issued with. A contact stays a customer or a supplier as
        long as anything is open on that side; it can always become both. A duplicate that was merged is refused (409).
        """
        return ContactView.of(contacts.change(id, body))

    @endpoint(permission="contacts.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a contact that no document, payment or posting names.

        A contact in use is refused (409 `in_use`); archive it instead. Files that came from the inbox go back there,
        other files are deleted.
        """
        contacts.remove(id)


class Archive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Archive a contact, so that no new document can name it. Open invoices can still be paid.

        Nothing is deleted. A contact that is archived already is refused (409).
        """
        return ContactView.of(contacts.archive(id))


class Unarchive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Unarchive a contact, so that new documents can name it again.

        A contact that is not archived is refused (409).
        """
        return ContactView.of(contacts.unarchive(id))


class TaxRateCollection:
    @endpoint(permission="finance.read")
    def on_get(self, query: TaxRateFilter) -> Page[TaxRateView]:
        """List tax rates by name.

        Archived tax rates are left out; `isArchived=true` lists only them.
        """
        return listing.search_tax_rates(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewTaxRate) -> TaxRateView:
        """Add a tax rate.

        Categories follow EN 16931. All but S have a rate of 0; AE and K may have another one, for bills. At most one
        tax rate is the default: a new default replaces the old one.
        """
        return TaxRateView.of(tax_rates.add(body))


class TaxRateItem:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> TaxRateView:
        """Show a tax rate.

        It shows the percentage, the accounts that tax and discounts are posted to, and its tag for the VAT return.
        """
        return TaxRateView.of(TaxRate.find(id))

    @endpoint(permission="finance.write", refuses=(InUse, UnknownReference))
    def on_patch(self, id: str, body: TaxRateChange) -> TaxRateView:
        """Change a tax rate.

        Once a document uses it, its percentage, category, side and place cannot change (`in_use`): add a new one
        instead.
        """
        return TaxRateView.of(tax_rates.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a tax rate that no document or contact uses.

        A rate in use is refused (409 `in_use`); archive it instead.
        """
        tax_rates.remove(id)


class TaxRateArchive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> TaxRateView:
        """Archive a tax rate, so that no new document can use it. The default cannot be archived.

        Issued documents keep it. The default rate is refused (409 `in_use`), as is one that is archived already.
        """
        return TaxRateView.of(tax_rates.archive(id))


class TaxRateUnarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> TaxRateView:
        """Unarchive a tax rate, so that new documents can use it again.

        A rate that is not archived is refused (409).
        """
        return TaxRateView.of(tax_rates.unarchive(id))
