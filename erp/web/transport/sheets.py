"""Spreadsheets of records, one a row: read by their headings, and added all or none.

The headings are the fields of the body that would add one record, nested fields as `address.city`.
Capitals, spaces and dashes do not matter.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from io import StringIO
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta

from erp.kernel.complaints import said_of
from erp.kernel.errors import Complaint, Invalid, MalformedJson, NotFound, Refusal, UnknownReference
from erp.kernel.intake import tables
from erp.kernel.intake.budget import go_on
from erp.kernel.language import Listed, says
from erp.store.router import WORKSPACE
from erp.web import csv_list, field_complaints, schema, spreadsheets, strict_json
from erp.web.hints import peeled, struct_in
from erp.web.schema import Body, View
from erp.web.transport import cells as readings

B = TypeVar("B", bound=Body)
Table = list[list[str]]

MOST = 10_000
"""The most rows of one import."""


class Sheet(Body):
    """A table, as CSV or as an Excel file."""

    csv: (
        Annotated[str, Meta(min_length=1, description="Values separated by commas or semicolons, in UTF-8.")] | None
    ) = None
    xlsx: Annotated[str, Meta(min_length=1, description="An Excel file, in base64; its first sheet.")] | None = None

    FILES: ClassVar[dict[str, str]] = {
        "text/csv": "csv",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    }


class SheetImport(Sheet):
    """A table of records with a heading for each field, as CSV or as an Excel file."""

    dry_run: Annotated[bool, Meta(description="Check everything, and add nothing.")] = False


class ImportedView(View):
    """The number of records added, or to be added in a dry run."""

    rows: int
    dry_run: bool


OnDuplicate = Annotated[
    Literal["skip", "add"],
    Meta(description="A row about a record that is here already: leave it out, or add a second one."),
]


class ReadRows(NamedTuple, Generic[B]):
    """The rows of a spreadsheet as bodies by their paths, and the complaints about the others."""

    rows: dict[str, B]
    complaints: list[Complaint]


def rows_of(
    kind: type[B], without: Collection[str] = (), exported: type[View] | None = None
) -> Callable[[SheetImport], ReadRows[B]]:
    """A reader of the table in a request, for use before any lock is taken.

    Args:
        kind: the body that adds one record.
        without: its fields that a table cannot have.
        exported: the rows of the list as CSV, whose other columns are left out.
    """
    skipped = {_plain(path) for path in csv_list.columns(exported)} if exported else set()
    return lambda body: read(body, kind, without, skipped)


def load(body: SheetImport, read: ReadRows[B], add: Callable[[B], object]) -> ImportedView:
    """Add a record for each row, or none.

    Raises:
        Invalid: with a complaint for everything that is wrong, by row; the headings are row 1.
    """
    rows, complaints = read
    with all_or_none(complaints, dry_run=body.dry_run):
        for path, row in rows.items() if not complaints else ():
            try:
                add(row)
            except NotFound as refusal:
                complaints.append(Complaint(path, UnknownReference.code, refusal.message))
            except Refusal as refusal:
                complaints += said_of(refusal, path, f"{path}.")
    return ImportedView(rows=len(rows), dry_run=body.dry_run)


@contextmanager
def all_or_none(complaints: Sequence[Complaint], *, dry_run: bool) -> Iterator[None]:
    """Undo what the block adds in a dry run, and refuse it all if there are complaints after it."""
    with WORKSPACE.undone() if dry_run else nullcontext():
        yield
    if complaints:
        raise Invalid([*complaints])


def table(body: Sheet) -> tuple[Table, str]:
    """The cells of a request's table as text, and the field that holds it.

    Raises:
        Invalid: it is no table, or there are two.
    """
    if (body.csv is None) == (body.xlsx is None):
        raise Invalid.one("csv", "exactly_one", says("Send either csv or xlsx."))
    if body.csv is not None:
        return of_csv(body.csv), "csv"
    return spreadsheets.read(str(body.xlsx), "xlsx"), "xlsx"


def read(body: SheetImport, kind: type[B], without: Collection[str] = (), skipped: Collection[str] = ()) -> ReadRows[B]:
    """Read the table of a request, without the columns of `skipped` headings that the body lacks.

    Raises:
        Invalid: it is not a table with the headings of the body.
    """
    return read_table(*table(body), kind, without, skipped)


def read_table(
    whole: Table, field: str, kind: type[B], without: Collection[str] = (), skipped: Collection[str] = ()
) -> ReadRows[B]:
    """Read a table, which a field of a request holds.

    Raises:
        Invalid: it is not a table with the headings of the body.
    """
    rows: dict[str, B] = {}
    complaints: list[Complaint] = []
    known = {_plain(path): path for path in _paths(kind) if path not in without}
    for number, cells in _cells(whole, kind, known | {key: None for key in skipped if key not in known}, field):
        go_on()
        path = f"rows[{number}]"
        read_row = row(cells, kind, path, complaints, strict=False)
        if read_row is not None:
            rows[path] = read_row
    return ReadRows(rows, complaints)


def row(
    cells: Mapping[str, Any], kind: type[B], path: str, complaints: list[Complaint], *, strict: bool = True
) -> B | None:
    """The cells of a row by their fields as a body; None with complaints where they cannot be read."""
    try:
        return schema.decode(cells, kind, strict=strict)
    except Invalid:
        complaints += field_complaints.of(cells, kind, path, strict=strict)
        return None


def of_csv(text: str) -> Table:
    """The cells of a table as text.

    Raises:
        Invalid: it is no table.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = next((sign for sign in "\t;" if sign in first), ",")
    try:
        return [*tables.rows(StringIO(text, newline=""), "csv", delimiter)]
    except tables.UNREAD:
        raise Invalid.one(
            "csv", "not_csv", says("The file is not a table with values separated by commas, semicolons or tabs.")
        ) from None


def _cells(
    table: Table, kind: type[Body], known: Mapping[str, str | None], field: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The fields of each row that is not empty, with its number in the spreadsheet."""
    headings, lines = (table[0], table[1:]) if table else ([], [])
    columns = _columns(headings, known, field)
    _check_required(columns, kind, field)
    if len(lines) > MOST:
        raise Invalid.one(field, "too_long", says("Must have at most {most} rows.", most=MOST))
    types = dict(_types(kind))
    rows = [*_under(columns, lines, field)]
    read = readings.reader([cells for _, cells in rows], types, is_text=field == "csv")
    for number, cells in rows:
        yield number, _nested(read(cells), types)


def _under(columns: Sequence[str | None], lines: Table, field: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each row that is not empty, by their fields."""
    for number, line in enumerate(lines, 2):
        if any(cell.strip() for cell in line[len(columns) :]):
            message = says(
                "Row {row} has more cells than there are headings. Put cells with commas in quotation marks.",
                row=number,
            )
            raise Invalid.one(field, "wrong_row", message)
        pairs = zip(columns, line, strict=False)
        cells = {path: csv_list.plain(cell.strip()) for path, cell in pairs if path and cell.strip()}
        if cells:
            yield number, cells


def _columns(headings: Sequence[str], known: Mapping[str, str | None], field: str) -> list[str | None]:
    """The fields of headings, None for one to skip, without an empty last column, which spreadsheets often leave."""
    names = [*headings]
    while names and not names[-1].strip():
        names.pop()
    unknown = [name for name in names if _plain(name) not in known]
    if unknown or not names:
        message = says(
            "There is no field for the heading {heading}. Use headings of {columns}.",
            heading=(unknown or [""])[0][:80],
            columns=Listed.of([path for path in known.values() if path]),
        )
        raise Invalid.one(field, "wrong_headings", message)
    columns = [known[_plain(name)] for name in names]
    for path in columns:
        if path and columns.count(path) > 1:
            raise Invalid.one(field, "wrong_headings", says("The heading {heading} appears twice.", heading=path))
    return columns


def _check_required(columns: Collection[str | None], kind: type[Body], field: str) -> None:
    required = [each.encode_name for each in msgspec.structs.fields(kind) if each.required]
    missing = [name for name in required if not any(path and f"{path}.".startswith(f"{name}.") for path in columns)]
    if missing:
        message = says("The headings {columns} are missing.", columns=Listed.of(missing))
        raise Invalid.one(field, "wrong_headings", message)


def _paths(kind: type[Body]) -> list[str]:
    return [path for path, _ in _types(kind)]


def _types(kind: type[msgspec.Struct], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a body that fit in a cell, nested ones included, with their types.

    Lists of text are separated by commas. Where a number or an object can stand, the object is JSON.
    """
    for field in msgspec.structs.fields(kind):
        inner, path = peeled(field.type), f"{prefix}{field.encode_name}"
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            yield from _types(inner, f"{path}.")
        elif get_origin(inner) is not dict and not (get_origin(inner) is list and _is_struct(get_args(inner)[0])):
            yield path, struct_in(field.type) or inner


def _is_struct(hint: Any) -> bool:
    inner = peeled(hint)
    return isinstance(inner, type) and issubclass(inner, msgspec.Struct)


def _plain(heading: str) -> str:
    return re.sub(r"[\s_-]", "", heading).lower()


def _nested(cells: Mapping[str, str], types: Mapping[str, Any]) -> dict[str, Any]:
    """Cells by the paths of their fields, as a body has them."""
    body: dict[str, Any] = {}
    for path, cell in cells.items():
        *above, name = path.split(".")
        parent = body
        for part in above:
            parent = parent.setdefault(part, {})
        parent[name] = _value(cell, types[path])
    return body


def _value(cell: str, kind: Any) -> Any:
    if get_origin(kind) is list:
        return [part.strip() for part in cell.split(",")]
    if struct_in(kind) is not None and cell.startswith("{"):
        try:
            return strict_json.read(cell.encode())
        except MalformedJson:
            return cell
    return cell
