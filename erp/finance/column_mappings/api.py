"""Column mappings over HTTP."""

from erp.finance.column_mappings import mappings
from erp.finance.column_mappings.bodies import ColumnMappingChange, ColumnMappingFilter, NewColumnMapping
from erp.finance.column_mappings.models import ColumnMapping
from erp.finance.column_mappings.proposing import Proposal, reader
from erp.finance.column_mappings.views import ColumnMappingView, FileColumnsView
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Page
from erp.web.transport.sheets import Sheet


class Collection:
    @endpoint(permission="contacts.read")
    def on_get(self, query: ColumnMappingFilter) -> Page[ColumnMappingView]:
        """List column mappings, the newest first.

        Each is found again by the headings of a file, and the file is then imported as if it had our headings.
        """
        select = ColumnMapping.select()
        if query.target is not None:
            select = select.where(ColumnMapping.target == query.target)
        return page(select, query, ColumnMappingView.of)

    @endpoint(permission="contacts.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewColumnMapping) -> ColumnMappingView:
        """Keep which columns of a file have which fields, for all files with the same headings.

        `POST /finance/contacts/import/columns` and `POST /finance/opening-balances/columns` propose it. In opening
        balances, `balance` is a column whose sign is the side: a debit above zero.
        """
        return ColumnMappingView.of(mappings.add(body))


class Item:
    @endpoint(permission="contacts.read")
    def on_get(self, id: str) -> ColumnMappingView:
        """Show a column mapping.

        It has the headings of the files, and the column of each field.
        """
        return ColumnMappingView.of(ColumnMapping.find(id))

    @endpoint(permission="contacts.write")
    def on_patch(self, id: str, body: ColumnMappingChange) -> ColumnMappingView:
        """Rename a column mapping, or change its columns.

        What has been imported stays.
        """
        return ColumnMappingView.of(mappings.change(id, body))

    @endpoint(permission="contacts.write")
    def on_delete(self, id: str) -> None:
        """Delete a column mapping: the next file with its headings asks for the columns again.

        What has been imported stays.
        """
        mappings.remove(id)


class OfContacts:
    @endpoint(permission="contacts.write", writes=False, prepare=reader("contacts"))
    def on_post(self, body: Sheet, prepared: Proposal) -> FileColumnsView:
        """Propose which columns of a file have the fields of contacts.

        If the mapping of its headings is kept, that one; else likely columns, by German and English headings. Keep
        them with `POST /finance/column-mappings`, and import the file as it is.
        """
        return FileColumnsView.of(prepared)


class OfOpeningBalances:
    @endpoint(permission="finance.write", writes=False, prepare=reader("opening_balances"))
    def on_post(self, body: Sheet, prepared: Proposal) -> FileColumnsView:
        """Propose which columns of a file have the fields of opening balances.

        If the mapping of its headings is kept, that one; else likely columns, by German and English headings. Keep
        them with `POST /finance/column-mappings`, and import the file as it is.
        """
        return FileColumnsView.of(prepared)
