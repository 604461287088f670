"""A spreadsheet of opening balances as text: each row is a balance, now or of a month, or an open item."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.books import default_accounts
from erp.finance.closing.opening_bodies import MOST, NewOpeningBalances, OpeningItem, OpeningLine, OpeningMonth
from erp.finance.column_mappings import mappings, xero
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Listed, says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web import spreadsheets
from erp.web.scalars import Day, Number
from erp.web.transport import cells as readings
from erp.web.transport import sheets
from erp.web.transport.sheets import Table

Row = OpeningLine | OpeningItem | OpeningMonth
Rows = dict[str, Row]

_COLUMNS = {
    "account": "accountId",
    "debit": "debit",
    "credit": "credit",
    "contact": "contactId",
    "number": "number",
    "documentdate": "documentDate",
    "duedate": "dueDate",
    "currency": "currency",
    "foreignamount": "foreignAmount",
    "taxrate": "taxRateId",
    "month": "month",
}
_TYPES = {"debit": Number, "credit": Number, "foreignAmount": Number, "documentDate": Day, "dueDate": Day}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CONTACTS = (
    "SELECT coalesce(head_id, id), name FROM contact WHERE name IN (SELECT value FROM json_each(?))"
    " ORDER BY head_id IS NULL, id DESC"
)
_TAX_RATES = "SELECT id, name FROM tax_rate WHERE name IN (SELECT value FROM json_each(?)) ORDER BY id DESC"


class ReadTable(NamedTuple):
    """The field of a spreadsheet, its rows as cells by their places, and the complaints about it."""

    field: str
    rows: dict[str, dict[str, str]]
    complaints: Sequence[Complaint]


def read_table(body: NewOpeningBalances) -> ReadTable | None:
    """Read the spreadsheet of a request, which takes no lock; its headings are row 1. None where there is none."""
    if body.csv is None and body.xlsx is None:
        return None
    field = "csv" if body.csv is not None else "xlsx"
    complaints = Complaints()
    rows: dict[str, dict[str, str]] = {}
    with complaints.gathered():
        table = sheets.of_csv(body.csv) if body.csv is not None else spreadsheets.read(str(body.xlsx), field)
        if body.source is None:
            table = mappings.in_own_headings("opening_balances", table, field)
        else:
            table = xero.open_items(table, body.date_order, field)
        rows = {f"rows[{number}]": cells for number, cells in _cells(table, field)}
    return ReadTable(field, rows, complaints.items)


def read(body: NewOpeningBalances, table: ReadTable | None, complaints: Complaints) -> Rows:
    """The rows of a request by their places in it."""
    if table is None:
        rows: Rows = {f"lines[{i}]": line for i, line in enumerate(body.lines)}
        rows |= {f"items[{i}]": item for i, item in enumerate(body.items)}
        if not rows:
            complaints.add("lines", "required", says("Enter at least one balance."))
        return rows | {f"months[{i}]": month for i, month in enumerate(body.months)}
    if body.lines or body.items or body.months or (body.csv is not None and body.xlsx is not None):
        message = says("Send one of csv, xlsx, and lines with items and months.")
        complaints.add(table.field, "exactly_one", message)
    complaints.items += table.complaints
    return _from_table(table.rows if body.source is None else _exported(table.rows, complaints), complaints)


def _exported(rows: dict[str, dict[str, str]], complaints: Complaints) -> dict[str, dict[str, str]]:
    """The rows of an export in the base currency, with the accounts for receivables and payables."""
    base = workspace_settings.current().base_currency
    own = {}
    for path, cells in rows.items():
        if cells.pop("currency", base) != base:
            message = says("The books are in {base}. Enter documents in other currencies by hand.", base=base)
            complaints.add(path, "other_currency", message)
        else:
            own[path] = cells | {"accountId": default_accounts.of(cells["accountId"])}
    return own


def _from_table(tables: dict[str, dict[str, str]], complaints: Complaints) -> Rows:
    for column, query in (("contactId", _CONTACTS), ("taxRateId", _TAX_RATES)):
        names = {cells[column] for cells in tables.values() if column in cells}
        ids = {name: id for id, name in WORKSPACE.rows(query, (sql.array(names),))} if names else {}
        for cells in tables.values():
            if cells.get(column) in ids:
                cells[column] = ids[cells[column]]
    rows: Rows = {}
    for path, cells in tables.items():
        row = _row(path, cells, complaints)
        if row is not None:
            rows[path] = row
    return rows


def _cells(table: Table, field: str) -> list[tuple[int, dict[str, str]]]:
    """The cells of each row that is not empty, by their fields; numbered as a spreadsheet does.

    Raises:
        Invalid: it has other headings, or too many rows.
    """
    headings, lines = (table[0], table[1:]) if table else ([], [])
    names = [_COLUMNS.get(heading.strip().lower(), "") for heading in headings]
    while names and not names[-1] and not headings[len(names) - 1].strip():
        names.pop()  # an empty column at the end, as spreadsheets leave one
    if not {"accountId", "debit", "credit"} <= set(names) or "" in names:
        message = says(
            "Use the headings account, debit and credit, and others of {columns}.", columns=Listed.of(list(_COLUMNS))
        )
        raise Invalid.one(field, "wrong_headings", message)
    if len(lines) > MOST:
        raise Invalid.one(field, "too_long", says("Must have at most {most} rows.", most=MOST))
    rows = [
        (number, {name: cell.strip() for name, cell in zip(names, line, strict=False) if cell.strip()})
        for number, line in enumerate(lines, 2)
    ]
    read = readings.reader([cells for _, cells in rows], _TYPES, is_text=field == "csv")
    return [(number, read(cells)) for number, cells in rows if cells]


def _row(path: str, cells: dict[str, str], complaints: Complaints) -> Row | None:
    """A row as a body; None with complaints where it cannot be read."""
    kind: type[Row] = OpeningItem if cells.keys() & {"contactId", "number"} else OpeningLine
    if "month" in cells:
        kind = OpeningMonth
        if _DAY.fullmatch(cells["month"]):  # a spreadsheet makes a day of a month
            cells["month"] = cells["month"][:7]
    return sheets.row(cells, kind, path, complaints.items)
