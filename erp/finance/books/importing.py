"""Accounts from a spreadsheet: our own, or the export of another program."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.books.bodies import NewAccount
from erp.finance.books.chart import SUBTYPES
from erp.finance.column_mappings import xero
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.store.router import WORKSPACE
from erp.web.transport import sheets
from erp.web.transport.sheets import ReadRows, SheetImport


class AccountImport(SheetImport):
    """A table of accounts."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"csv": "code,name,type,subtype\n1030,Savings,asset,bank\n", "dryRun": True}

    source: Annotated[Literal["xero"], Meta(description="The program that has exported the file.")] | None = None


def read(body: AccountImport) -> ReadRows[NewAccount]:
    """Read the table of a request, before any lock is taken.

    Raises:
        Invalid: it is no such table.
    """
    table, field = sheets.table(body)
    return sheets.read_table(table if body.source is None else xero.accounts(table, SUBTYPES, field), field, NewAccount)


def new(body: AccountImport, read: ReadRows[NewAccount]) -> ReadRows[NewAccount]:
    """The rows to add: of an export, those whose codes are not there yet."""
    if body.source is None:
        return read
    known = dict(WORKSPACE.rows("SELECT code, type FROM account"))
    rows, complaints = {}, [*read.complaints]
    for path, row in read.rows.items():
        if row.code not in known:
            rows[path] = row
        elif known[row.code] != row.type:
            message = says("Account {code} is of another type here. Change its code in the file.", code=row.code)
            complaints.append(Complaint(f"{path}.code", "other_type", message))
    return ReadRows(rows, complaints)
