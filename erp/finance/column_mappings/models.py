"""The table of column mappings."""

from typing import Literal

from peewee import JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord

TargetName = Literal["contacts", "opening_balances"]
DecimalSign = Literal[".", ","]


class ColumnMapping(WorkspaceRecord):
    """The columns of files with the same headings; `headings_key` is what finds them."""

    noun = Noun("column mapping")

    target = TextField()
    name = TextField()
    headings = JSONField()
    headings_key = TextField()
    columns = JSONField()
    defaults = JSONField()
    decimal_sign = TextField()
    date_order = TextField(null=True)
