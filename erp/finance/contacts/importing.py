"""Contacts from a spreadsheet: our own, one whose columns are mapped, or the export of another program."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.column_mappings import mappings, xero
from erp.finance.contacts.bodies import ContactKind, NewContact
from erp.store.router import WORKSPACE
from erp.web.transport import sheets
from erp.web.transport.sheets import ReadRows, SheetImport


class ContactImport(SheetImport):
    """A table of contacts."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"csv": "kind,name\ncustomer,Blue Heron Bakery\n", "dryRun": True}

    source: Annotated[Literal["xero"], Meta(description="The program that has exported the file.")] | None = None
    kind: Annotated[ContactKind, Meta(description="With `source`: the type of its contacts.")] = "both"


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


def new(body: ContactImport, read: ReadRows[NewContact]) -> ReadRows[NewContact]:
    """The rows to add: of an export, those whose names are not there yet."""
    if body.source is None:
        return read
    known = {name.casefold() for (name,) in WORKSPACE.rows("SELECT name FROM contact")}
    rows = {path: row for path, row in read.rows.items() if row.name.casefold() not in known}
    return ReadRows(rows, read.complaints)
