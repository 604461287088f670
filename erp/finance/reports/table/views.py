"""View of a report: one shape for all of them, from which its files are written."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta

from erp.kernel.language import Language
from erp.web.schema import Printed, Unset, View


class ReportColumn(View):
    """A column of a report, whose `key` names its cells in each row."""

    key: str
    label: str
    kind: Literal["text", "date", "amount", "percent", "count"]
    date_from: Annotated[date | None, Meta(description="The first day of its figures; null where all before count.")]
    date_to: Annotated[date | None, Meta(description="The last day of its figures.")]
    adds: Annotated[list[str], Meta(description="Of a computed column: the added columns, by their keys.")]
    subtracts: Annotated[list[str], Meta(description="The subtracted columns.")]
    percent_of: Annotated[str | None, Meta(description="Base column of the percentage.")]
    turns: Annotated[bool, Meta(description="Rows with `isExpense` subtract `adds` from `subtracts`.")]


class ReportCell(View):
    """A figure or a text."""

    value: Annotated[str, Meta(description="Of an amount, a decimal; of a date, `YYYY-MM-DD`.")]
    link: Annotated[str | Unset, Meta(description="The address of the figure's details.")] = UNSET
    currency: Annotated[str | Unset, Meta(description="If not the report's.")] = UNSET


class ReportRow(View):
    """A heading, a line, or the sum of other rows."""

    kind: Literal["section", "line", "sum"]
    level: Annotated[int, Meta(description="Level of indentation.")]
    key: Annotated[str | None, Meta(description="Its name for programs, such as `result`.")]
    code: Annotated[str | None, Meta(description="The code of its account.")]
    label: str
    link: Annotated[str | None, Meta(description="The address of its record.")]
    is_expense: Annotated[bool, Meta(description="More of it is worse.")]
    cells: Annotated[dict[str, ReportCell], Meta(description="By the `key` of their column; empty ones are left out.")]
    adds: Annotated[list[int], Meta(description="Of a sum: the places in `rows` of the added rows, from 0.")]
    subtracts: Annotated[list[int], Meta(description="Of a sum: the places of the subtracted rows.")]


class ReportTable(Printed):
    """A report: its columns, and its rows from top to bottom."""

    name: str
    title: str
    language: Annotated[Language, Meta(description="Of the title and the labels.")]
    date_from: Annotated[date | None, Meta(description="The first day that counts; null for a report as at a day.")]
    date_to: Annotated[date | None, Meta(description="The last day that counts.")]
    currency: str
    heading: Annotated[str, Meta(description="The text above the labels of the rows.")]
    columns: list[ReportColumn]
    rows: list[ReportRow]
