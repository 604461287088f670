"""Contacts from a spreadsheet: our own, one whose columns are mapped, or the export of another program."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.column_mappings import mappings, xero
from erp.finance.contacts import same_contact
from erp.finance.contacts.bodies import ContactKind, NewContact
from erp.finance.contacts.same_contact import DuplicateView
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, OnDuplicate, ReadRows, SheetImport


class ContactImport(SheetImport):
    """A table of contacts."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"csv": "kind,name\ncustomer,Blue Heron Bakery\n", "dryRun": True}

    source: Annotated[Literal["xero"], Meta(description="The program that has exported the file.")] | None = None
    kind: Annotated[ContactKind, Meta(description="With `source`: the type of its contacts.")] = "both"
    on_duplicate: OnDuplicate = "skip"


class ImportedContactsView(ImportedView):
    """The number of rows, and the ones that were left out."""

    known: Annotated[int, Meta(description="Rows about contacts that are here already, which are left out.")]
    duplicates: list[DuplicateView]


def read(body: ContactImport) -> ReadRows[NewContact]:
    """Read the table of a request, before any lock is taken.

    Raises:
        Invalid: it is no such table.
    """
    table, field = sheets.table(body)
    if body.source is None:
        table = mappings.in_own_headings("contacts", table, field)
    else:
        table = xero.contacts(table, body.kind, field)
    return sheets.read_table(table, field, NewContact)


def load(
    body: ContactImport, prepared: ReadRows[NewContact], add: Callable[[NewContact], object]
) -> ImportedContactsView:
    """Add a contact for each row that is about a new one, or none.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row.
    """
    rows, complaints = prepared
    is_export = body.source is not None
    found = {} if body.on_duplicate == "add" else same_contact.duplicates(rows, by_name=is_export)
    fresh = {path: row for path, row in rows.items() if path not in found}
    imported = sheets.load(body, ReadRows(fresh, complaints), add)
    return ImportedContactsView(
        rows=len(rows), dry_run=imported.dry_run, known=len(found), duplicates=[*found.values()]
    )
