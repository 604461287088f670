"""Contacts over HTTP."""

from erp.finance.contacts import contacts, listing
from erp.finance.contacts.bodies import ContactChange, ContactFilter, NewContact
from erp.finance.contacts.contacts import OpenItems
from erp.finance.contacts.models import Contact
from erp.finance.contacts.views import ContactView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, SheetImport


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
        return ContactView.of(contacts.add(body))


class Import:
    @endpoint(permission="contacts.write")
    def on_post(self, body: SheetImport) -> ImportedView:
        """Add contacts from a spreadsheet, all or none.

        Each row is as the body of a `POST` that adds one, and its headings are the fields of that. Parts have
        a point: `address.city`. Each contact gets its number as with `POST`.
        What is wrong is said by row (`rows[3].name`; the headings are row 1). `dryRun` only checks.
        """
        return sheets.load(body, NewContact, contacts.add)


class Item:
    @endpoint(permission="contacts.read")
    def on_get(self, id: str) -> ContactView:
        """Show a contact."""
        return ContactView.of(Contact.find(id))

    @endpoint(permission="contacts.write", refuses=(UnknownReference, OpenItems))
    def on_patch(self, id: str, body: ContactChange) -> ContactView:
        """Change a contact.

        Issued documents keep the name and address they were issued with. A contact stays a customer or a supplier as
        long as anything is open on that side; it can always become both.
        """
        return ContactView.of(contacts.change(id, body))

    @endpoint(permission="contacts.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a contact that no document, payment or posting names."""
        contacts.remove(id)


class Archive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Archive a contact, so that no new document can name it. Open invoices can still be paid."""
        return ContactView.of(contacts.archive(id))


class Unarchive:
    @endpoint(permission="contacts.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Unarchive a contact, so that new documents can name it again."""
        return ContactView.of(contacts.unarchive(id))
