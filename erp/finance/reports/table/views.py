"""View of a report: one shape for all of them, from which its files are written."""

import json
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from erp.kernel.language import Language, Sentence, says
from erp.store import workspace_settings
from erp.web.schema import Printed, Unset, View

_HEAD = 12
"""The characters of a hash that the foot of a page shows."""


ReportName = Literal[
    "balance-sheet",
    "trial-balance",
    "profit-and-loss",
    "aged-receivables",
    "aged-payables",
    "cash-flow",
    "cash-forecast",
    "general-ledger",
    "tax-return",
    "tax-documents",
    "ec-sales-list",
    "statement",
    "number-gaps",
    "oss",
    "sales-tax",
    "annual-tax",
    "asset-register",
    "asset-movements",
    "project-margin",
]
Reason = Literal["too_few_people", "not_whole_months"]


class ReportColumn(View):
    """A column of a report, whose `key` names its cells in each row."""

    key: str
    label: str
    kind: Literal["text", "date", "amount", "percent", "count", "minutes"]
    date_from: Annotated[date | None, Meta(description="The first day of its figures; null where all before count.")]
    date_to: Annotated[date | None, Meta(description="The last day of its figures.")]
    adds: Annotated[list[str], Meta(description="Of a computed column: the added columns, by their keys.")]
    subtracts: Annotated[list[str], Meta(description="The subtracted columns.")]
    percent_of: Annotated[str | None, Meta(description="Base column of the percentage.")]
    turns: Annotated[bool, Meta(description="Rows with `isExpense` subtract `adds` from `subtracts`.")]


class ReportCell(View):
    """A figure or a text."""

    value: Annotated[str | None, Meta(description="Of an amount, a decimal; of a date, `YYYY-MM-DD`.")]
    link: Annotated[str | Unset, Meta(description="The address of the figure's details.")] = UNSET
    currency: Annotated[str | Unset, Meta(description="If not the report's.")] = UNSET
    why: Annotated[
        Reason | Unset,
        Meta(description="Of null: such a figure would tell what someone earns, at least compared with another."),
    ] = UNSET


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


class ReportProof(View):
    """The proof of a report, for `POST /finance/reports/verify`."""

    report: ReportName
    parameters: Annotated[dict[str, str], Meta(description="The parameters of its query, with the days that it shows.")]
    seq: Annotated[int, Meta(description="The number of the last event before it was made.")]
    chain_head: Annotated[str, Meta(description="The hash of that event, which covers all events before it.")]
    content_hash: Annotated[str, Meta(description="SHA-256 of its name, parameters, columns and figures.")]
    made_at: str

    @property
    def foot(self) -> Sentence:
        """The event and the beginning of its hash, for the foot of a page."""
        return says("As of event {seq} · {head}…", seq=str(self.seq), head=self.chain_head[:_HEAD])

    @property
    def headers(self) -> dict[str, str]:
        """The header of a CSV file, which has no other place for a proof: the proof as JSON in ASCII."""
        return {"X-Report-Proof": json.dumps(msgspec.to_builtins(self), separators=(",", ":"))}


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
    proof: Annotated[ReportProof | Unset, Meta(description="Not of several workspaces: each has its own log.")] = UNSET

    @property
    def office(self) -> str:
        """The name at the head of its files."""
        return workspace_settings.office_name()
