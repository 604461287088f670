"""The numbers of documents in each series of a fiscal year, and the ones that are missing."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from erp.finance.reports.period import FileQuery
from erp.finance.reports.table.tree import Column, ReportTree, Tree
from erp.kernel.language import Word, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import format_number
from erp.web.endpoint import endpoint
from erp.web.schema import View, show

MOST_GAPS = 100
"""The most gaps of a series that are listed; `missing` counts all numbers."""


class NumberGapsQuery(FileQuery):
    """The fiscal year."""

    year: Annotated[int, Meta(ge=1900, le=2199, description="The fiscal year; the present one when absent.")] | None = (
        None
    )


class NumberGap(View):
    """Missing numbers that follow each other."""

    first: str
    last: str


class NumberSeriesView(View):
    """A series: the documents of a year, or of all years where its numbers have none."""

    series: str
    first: Annotated[str | None, Meta(description="The number of its first document; null without any.")]
    last: str | None
    count: int
    void: int
    missing: Annotated[int, Meta(description="Numbers that were given out, or skipped, without a document.")]
    gaps: Annotated[list[NumberGap], Meta(description="The first 100.")]


class NumberGapsView(ReportTree):
    """The series of a year, as rows and as a list."""

    series: list[NumberSeriesView]


class _Series(NamedTuple):
    name: str
    label: str
    rows: str
    """SQL of `seq`, `number` and `is_void` in the fiscal year `:year`."""


def _of(table: str, is_void: str = "status = 'void'", where: str = "true") -> str:
    return f"SELECT seq, number, {is_void} FROM {table} WHERE fiscal_year = :year AND {where} ORDER BY seq"


_DEMANDS = "kind IN ('sales_invoice', 'deposit_invoice', 'final_invoice')"
SERIES = (
    _Series("salesInvoice", Word("Invoices"), _of("invoice", where=_DEMANDS)),
    _Series("salesCreditNote", Word("Credit notes"), _of("invoice", where="kind = 'sales_credit_note'")),
    _Series("purchaseInvoice", Word("Bills"), _of("invoice", where="kind = 'purchase_invoice'")),
    _Series("purchaseCreditNote", Word("Supplier credit notes"), _of("invoice", where="kind = 'purchase_credit_note'")),
    _Series("payment", Word("Payments"), _of("payment")),
    _Series("reminder", Word("Reminders"), _of("reminder", is_void="status = 'undone'")),
    _Series("paymentRun", Word("Payment runs"), _of("payment_run")),
    _Series("offset", Word("Offsets"), _of("contact_offset")),
    _Series("transfer", Word("Transfers between accounts"), _of("transfer")),
    _Series("revaluation", Word("Revaluations"), _of("revaluation")),
    _Series("depreciationRun", Word("Depreciation runs"), _of("depreciation_run")),
    _Series("journal", Word("Journal entries"), _of("journal_entry", is_void="0")),
)
_COLUMNS = (
    Column(key="first", label=Word("First number"), kind="text"),
    Column(key="last", label=Word("Last number"), kind="text"),
    Column(key="count", label=Word("Number of documents"), kind="count"),
    Column(key="void", label=Word("Voided"), kind="count"),
    Column(key="missing", label=Word("Missing"), kind="count"),
    Column(key="gaps", label=Word("Gaps"), kind="text"),
)


def of(query: NumberGapsQuery) -> NumberGapsView:
    """The numbers of a fiscal year."""
    year = query.year or workspace_settings.fiscal_year(workspace_settings.today())
    title = says("Numbering gaps {year}", year=str(year))
    tree = Tree("number_gaps", title, _COLUMNS, heading=Word("Number series"), since=None, until=None)
    shown = [row for series in SERIES for row in _views(series, year)]
    labels = {series.name: series.label for series in SERIES}
    for row in shown:
        gaps = ", ".join(gap.first if gap.first == gap.last else f"{gap.first} – {gap.last}" for gap in row.gaps)
        cells = {"first": row.first, "last": row.last, "gaps": gaps or None}
        counts = {"count": str(row.count), "void": str(row.void), "missing": str(row.missing)}
        tree.line(labels[row.series], {**cells, **counts}, level=0, key=row.series)
    return show(NumberGapsView, tree.view(query, {"year": str(year)}), series=shown)


def _views(series: _Series, year: int) -> Iterator[NumberSeriesView]:
    """The series in a year; its numbers may have been without a year for a time."""
    formats = {**workspace_settings.FIXED_FORMATS, **workspace_settings.current().number_formats}
    for of_year in (year, 0):
        rows = WORKSPACE.rows(series.rows, {"year": of_year})
        (last,) = WORKSPACE.rows(_LAST, (series.name, of_year))
        if rows or last[0]:
            yield _view(series.name, formats[series.name], of_year, rows, last[0])


_LAST = "SELECT coalesce(max(last), 0) FROM number_counter WHERE series = ? AND fiscal_year = ?"


def _view(name: str, pattern: str, year: int, rows: Sequence[tuple[int, str, int]], given: int) -> NumberSeriesView:
    """A series.

    Args:
        given: the last number that was given out.
    """
    numbers = [seq for seq, *_ in rows]
    gaps = [*_gaps(numbers, given)]
    return NumberSeriesView(
        series=name,
        first=rows[0][1] if rows else None,
        last=rows[-1][1] if rows else None,
        count=len(numbers),
        void=sum(is_void for *_, is_void in rows),
        missing=sum(last - first + 1 for first, last in gaps),
        gaps=[
            NumberGap(first=format_number(pattern, year, first), last=format_number(pattern, year, last))
            for first, last in gaps[:MOST_GAPS]
        ],
    )


def _gaps(numbers: Sequence[int], given: int) -> Iterator[tuple[int, int]]:
    """The first and the last number of each gap from 1 to the last that was given out."""
    before = 0
    for number in (*numbers, max(given, numbers[-1] if numbers else 0) + 1):
        if number > before + 1:
            yield before + 1, number - 1
        before = number


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: NumberGapsQuery) -> NumberGapsView:
        """Show the number series of a fiscal year: the first and last number, void ones, and gaps.

        A number is missing if no document has it, from the first of the series to the last that was given out. A series
        whose format has no year is shown as a whole.
        """
        return of(query)
