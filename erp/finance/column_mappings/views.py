"""Views of column mappings, and of the columns that are proposed for a file."""

from typing import Annotated

from msgspec import Meta

from erp.finance.column_mappings import mappings
from erp.finance.column_mappings.models import ColumnMapping, DecimalSign, TargetName
from erp.finance.column_mappings.proposing import Proposal
from erp.finance.column_mappings.targets import TARGETS
from erp.kernel.intake.day_order import DateOrder
from erp.web.schema import RecordView, View, show

Columns = Annotated[dict[str, str], Meta(description="By field, the heading of the column that has it.")]
Defaults = Annotated[dict[str, str], Meta(description="By field, the value of rows that have none.")]


class ColumnMappingView(RecordView):
    """The columns of files with the same headings."""

    created_by: str | None
    created_by_name: str | None
    target: TargetName
    name: str
    headings: list[str]
    columns: Columns
    defaults: Defaults
    decimal_sign: DecimalSign
    date_order: DateOrder | None

    @classmethod
    def of(cls, mapping: ColumnMapping) -> "ColumnMappingView":
        return show(cls, mapping)


class FileColumnsView(View):
    """The head of a file, with the columns of its mapping or, if none is kept, likely ones."""

    target: TargetName
    headings: list[str]
    rows: Annotated[list[list[str]], Meta(description="The first rows.")]
    fields: Annotated[list[str], Meta(description="All fields that a column can have.")]
    columns: Columns
    defaults: Defaults
    decimal_sign: DecimalSign
    date_order: DateOrder | None
    mapping: Annotated[ColumnMappingView | None, Meta(description="The mapping of files with these headings.")]

    @classmethod
    def of(cls, proposal: Proposal) -> "FileColumnsView":
        kept = mappings.kept(proposal.target, proposal.headings)
        return show(
            cls,
            kept or proposal,
            headings=proposal.headings,
            rows=proposal.rows,
            fields=[*TARGETS[proposal.target].words],
            mapping=kept and ColumnMappingView.of(kept),
        )
