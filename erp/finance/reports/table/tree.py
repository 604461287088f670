"""The tree of a report: columns, and rows that are headings, lines, and sums of other rows.

A report fills a `Tree`; `Tree.view` is the answer, from which the files are written as well. A sum keeps its rows, so
that it is computed once and a spreadsheet can compute it again.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import msgspec

from erp.finance.reports.period import FileQuery
from erp.finance.reports.table import files, proof
from erp.finance.reports.table.views import Reason, ReportCell, ReportColumn, ReportProof, ReportRow, ReportTable
from erp.kernel import caller, language, money
from erp.kernel.language import Sentence, Word, says
from erp.store import workspace_settings
from erp.web.schema import File

Kind = Literal["text", "date", "amount", "percent", "count", "minutes"]


class Figure(NamedTuple):
    """Minutes, or minor units of the report's currency or the named one, with the address of their details."""

    minor: int
    link: str | None = None
    currency: str | None = None


class Withheld(NamedTuple):
    """A figure that the caller may not see, nor any that is computed from it."""

    why: Reason


Cell = Figure | Withheld | str | None


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column; a computed one names the columns that it adds and subtracts.

    Attributes:
        percent_of: the column in per cent of which it shows the one that it adds.
        adds_up: whether sums have a figure in it: not where the currency differs from row to row.
        turns: whether rows of expenses subtract the other way round, so that below zero is worse in every row.
        is_for_all: whether everyone who may read the report sees it; the proof leaves others out.
    """

    key: str
    label: str
    kind: Kind = "amount"
    date_from: date | None = None
    date_to: date | None = None
    adds: tuple[str, ...] = ()
    subtracts: tuple[str, ...] = ()
    percent_of: str | None = None
    adds_up: bool = True
    turns: bool = False
    is_for_all: bool = True


class Row(msgspec.Struct, kw_only=True, eq=False):
    """A row, with its cells by the keys of their columns, and the rows that a sum adds (1) and subtracts (-1)."""

    kind: Literal["section", "line", "sum"]
    label: str
    level: int = 0
    key: str | None = None
    code: str | None = None
    link: str | None = None
    is_expense: bool = False
    cells: dict[str, Cell] = msgspec.field(default_factory=dict)
    terms: list[tuple[int, "Row"]] = msgspec.field(default_factory=list)

    def minor(self, column: str) -> int:
        """The amount in a column; an empty cell counts as zero."""
        cell = self.cells.get(column)
        return cell.minor if isinstance(cell, Figure) else 0


class ReportTree(ReportTable):
    """A report: its columns, and its rows from top to bottom. Each figure leads to its details."""

    proof: ReportProof

    def file(self, format: str, query: Any) -> File:
        return files.written(self, format, query)


class Tree:
    """A report while it is made."""

    def __init__(
        self,
        name: str,
        title: str,
        columns: Sequence[Column],
        *,
        heading: str,
        since: date | None,
        until: date | None,
        currency: str | None = None,
    ) -> None:
        """Begin a report without rows.

        Args:
            name: as in its address.
            heading: the text above the labels of the rows.
            since: the first day that counts; None for a report as at a day.
            currency: the base currency of the open workspace when absent.
        """
        self.name, self.title, self.heading = name, title, heading
        self.columns = list(columns)
        self._computed = [column for column in columns if column.adds]
        self._kinds = {column.key: column.kind for column in columns}
        self.since, self.until = since, until
        self.currency: str = currency or workspace_settings.current().base_currency
        self.rows: list[Row] = []

    def section(self, label: str, *, level: int = 0, key: str | None = None, link: str | None = None) -> Row:
        """Add a heading."""
        return self.add(Row(kind="section", label=label, level=level, key=key, link=link))

    def line(
        self,
        label: str,
        cells: dict[str, Cell],
        *,
        level: int = 1,
        key: str | None = None,
        code: str | None = None,
        link: str | None = None,
    ) -> Row:
        """Add a line with its cells by the keys of their columns."""
        return self.add(Row(kind="line", label=label, level=level, key=key, code=code, link=link, cells=cells))

    def sum(
        self,
        label: str,
        adds: Iterable[Row],
        takes: Iterable[Row] = (),
        *,
        level: int = 0,
        key: str | None = None,
        only: str | None = None,
        is_expense: bool = False,
    ) -> Row:
        """Add the sum of some rows, less others, in all columns or in only one."""
        terms = [*((1, row) for row in adds), *((-1, row) for row in takes)]
        cells = {
            column.key: _sum(column.key, terms)
            for column in self.columns
            if column.kind in ("amount", "minutes") and column.adds_up and only in (None, column.key)
        }
        return self.add(
            Row(kind="sum", label=label, level=level, key=key, is_expense=is_expense, cells=cells, terms=terms)
        )

    def group(self, label: str, lines: Iterable[Row], *, key: str, level: int = 1) -> Row | None:
        """Add lines below a heading, and their sum; nothing without lines."""
        rows = [*lines]
        if not rows:
            return None
        self.section(label, level=level)
        for line in rows:
            line.level = level + 1
            self.add(line)
        is_expense = all(row.is_expense for row in rows)
        return self.sum(says("Total: {group}", group=label), rows, level=level, key=key, is_expense=is_expense)

    def add(self, row: Row) -> Row:
        """Add a finished row."""
        self._derive(row)
        self.rows.append(row)
        return row

    def view(self, query: FileQuery, more: Mapping[str, str] | None = None) -> ReportTree:
        """The report as an answer, in the language of its query; without one, in the caller's.

        Args:
            more: parameters of its proof that the query does not have, or of a page of the report.
        """
        fields = self.shown(query)
        for_all = {column.key for column in self.columns if column.is_for_all}
        columns = [column for column in fields["columns"] if column.key in for_all]
        digests = [*proof.digests(columns, fields["rows"])]
        made = proof.of(self.name, query, columns, digests, since=self.since, until=self.until, more=more)
        return ReportTree(**fields, proof=made)

    def shown(self, query: FileQuery) -> dict[str, Any]:
        """The fields of the answer, without a proof."""
        tongue = query.language or language.spoken(caller.current().locale) or language.ENGLISH
        places = {id(row): index for index, row in enumerate(self.rows)}
        return {
            "name": self.name,
            "title": _translated(self.title, tongue),
            "language": tongue,
            "date_from": self.since,
            "date_to": self.until,
            "currency": self.currency,
            "heading": _translated(self.heading, tongue),
            "columns": [self._column(column, tongue) for column in self.columns],
            "rows": [self._row(row, places, tongue) for row in self.rows],
        }

    def _column(self, column: Column, tongue: str) -> ReportColumn:
        return ReportColumn(
            key=column.key,
            label=_translated(column.label, tongue),
            kind=column.kind,
            date_from=column.date_from,
            date_to=column.date_to,
            adds=list(column.adds),
            subtracts=list(column.subtracts),
            percent_of=column.percent_of,
            turns=column.turns,
        )

    def _row(self, row: Row, places: dict[int, int], tongue: str) -> ReportRow:
        return ReportRow(
            kind=row.kind,
            level=row.level,
            key=row.key,
            code=row.code,
            label=_translated(row.label, tongue),
            link=row.link,
            is_expense=row.is_expense,
            cells={key: self._cell(cell, key, tongue) for key, cell in row.cells.items() if cell is not None},
            adds=[places[id(other)] for sign, other in row.terms if sign > 0],
            subtracts=[places[id(other)] for sign, other in row.terms if sign < 0],
        )

    def _derive(self, row: Row) -> None:
        """Fill in the cells that are computed from others of their row."""
        for column in self._computed:
            parts = [row.cells.get(key) for key in column.adds + column.subtracts]
            withheld = next((part for part in parts if isinstance(part, Withheld)), None)
            if withheld is not None:
                row.cells[column.key] = withheld
            elif any(isinstance(part, Figure) for part in parts):
                currency = next((part.currency for part in parts if isinstance(part, Figure)), None)
                amount = sum(map(row.minor, column.adds)) - sum(map(row.minor, column.subtracts))
                amount = -amount if column.turns and row.is_expense else amount
                whole = None if column.percent_of is None else row.minor(column.percent_of)
                row.cells[column.key] = Figure(amount, currency=currency) if whole is None else percent(amount, whole)

    def _cell(self, cell: Cell, key: str, tongue: str) -> ReportCell:
        if isinstance(cell, Withheld):
            return ReportCell(value=None, why=cell.why)
        if not isinstance(cell, Figure):
            return ReportCell(value=_translated(cell or "", tongue))
        is_time = self._kinds[key] == "minutes"
        shown = ReportCell(value=str(cell.minor) if is_time else money.text(cell.minor, cell.currency or self.currency))
        if cell.link is not None:
            shown.link = cell.link
        if cell.currency is not None:
            shown.currency = cell.currency
        return shown


def _sum(key: str, terms: Sequence[tuple[int, Row]]) -> Cell:
    """The sum of the cells of a column; withheld if one of them is."""
    withheld = next((cell for _, row in terms if isinstance(cell := row.cells.get(key), Withheld)), None)
    return withheld or Figure(sum(sign * row.minor(key) for sign, row in terms))


def comparison(now: str = "amount", then: str = "previous") -> tuple[Column, Column]:
    """The columns of the change from one column to another, and of its percentage."""
    return (
        Column(key="change", label=Word("Change", "figures"), adds=(now,), subtracts=(then,)),
        Column(
            key="change_percent",
            label=Word("Change in %"),
            kind="percent",
            adds=(now,),
            subtracts=(then,),
            percent_of=then,
        ),
    )


def percent(part: int, whole: int) -> str | None:
    """A part in per cent of the size of a whole, to two decimals; None if the whole is 0."""
    return f"{Decimal(money.divide(part * 10_000, abs(whole))) / 100:.2f}" if whole else None


def _translated(text: str, tongue: str) -> str:
    """A text of the program in a language; names from people stay as they are."""
    return language.translated(text, tongue) if isinstance(text, (Word, Sentence)) else text
