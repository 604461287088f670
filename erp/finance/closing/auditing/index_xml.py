"""`index.xml`, which describes the tables to the auditor's program.

It follows the description standard for handing over data to the German tax office, whose document type is
`gdpdu-01-09-2004.dtd`. That file itself is not in the export, because it is not ours: the auditor's program has it. It
leaves out `Map`, as codes are English words that need none, `Command` and `FixedLength`. The record of a file or an
entry is in one of several tables, which a `ForeignKey` cannot express.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.closing.auditing.sheet import Sheet
from erp.finance.closing.auditing.tables import Column

DTD = "gdpdu-01-09-2004.dtd"
DAY = "DD.MM.YYYY"
ACCURACY = {"micro": 6, "rate": 12}


class Supplier(NamedTuple):
    """The firm that hands over the data."""

    name: str
    location: str
    comment: str


def written(supplier: Supplier, media: str, sheets: Iterable[Sheet], first: date, last: date) -> str:
    """The description of some tables of some days."""
    tables = "".join(_table(sheet, first, last) for sheet in sheets)
    about = _tag("Name", supplier.name) + _tag("Location", supplier.location) + _tag("Comment", supplier.comment)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE DataSet SYSTEM "{DTD}">\n<DataSet>\n'
        f"{_tag('Version', '1.0')}<DataSupplier>\n{about}</DataSupplier>\n"
        f"<Media>\n{_tag('Name', media)}{tables}</Media>\n</DataSet>\n"
    )


def _table(sheet: Sheet, first: date, last: date) -> str:
    table = sheet.table
    span = f"<Range>{_tag('From', f'{first:%d.%m.%Y}')}{_tag('To', f'{last:%d.%m.%Y}')}</Range>"
    keys, others = table.columns[: table.keys], table.columns[table.keys :]
    columns = [_column("VariablePrimaryKey", column, sheet) for column in keys]
    columns += [_column("VariableColumn", column, sheet) for column in others]
    return (
        f"<Table>\n{_tag('URL', table.file)}{_tag('Name', table.name)}{_tag('Description', table.about)}"
        f"<Validity>{span}{_tag('Format', DAY)}</Validity>\n<UTF8/>\n"
        f"{_tag('DecimalSymbol', ',')}{_tag('DigitGroupingSymbol', '.')}<Range>{_tag('From', '2')}</Range>\n"
        f"<VariableLength>\n{_tag('ColumnDelimiter', ';')}<RecordDelimiter>&#13;&#10;</RecordDelimiter>\n"
        f"{_tag('TextEncapsulator', chr(34))}{''.join(columns)}{''.join(_foreign(table.columns))}"
        "</VariableLength>\n</Table>\n"
    )


def _column(element: str, column: Column, sheet: Sheet) -> str:
    return f"<{element}>{_tag('Name', column.name)}{_kind(column, sheet)}</{element}>\n"


def _kind(column: Column, sheet: Sheet) -> str:
    if column.kind in ("text", "user"):
        return "<AlphaNumeric/>"
    if column.kind == "date":
        return f"<Date>{_tag('Format', DAY)}</Date>"
    if column.kind == "whole":
        return "<Numeric/>"
    return f"<Numeric>{_tag('Accuracy', str(ACCURACY.get(column.kind, sheet.decimals[column.name])))}</Numeric>"


def _foreign(columns: Sequence[Column]) -> Iterator[str]:
    for column in columns:
        if column.refers_to is not None:
            yield f"<ForeignKey>{_tag('Name', column.name)}{_tag('References', column.refers_to)}</ForeignKey>\n"


def _tag(name: str, text: str) -> str:
    from xml.sax.saxutils import escape  # here, because it loads a client for HTTP

    return f"<{name}>{escape(text)}</{name}>\n"
