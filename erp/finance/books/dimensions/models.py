"""The tables of dimensions."""

from peewee import ForeignKeyField, JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord


class Dimension(WorkspaceRecord):
    """A way to analyse income and expenses; `required_for` are ranges of account codes, both ends included."""

    noun = Noun("dimension")

    code = TextField()
    name = TextField()
    datev = TextField(null=True)
    required_for = JSONField(default=list)
    archived_at = TextField(null=True)


class DimensionValue(WorkspaceRecord):
    """A value of a dimension, such as a cost centre, possibly below another one; for the pay of some departments."""

    noun = Noun("dimension value")

    dimension = ForeignKeyField(Dimension, lazy_load=False)
    code = TextField()
    name = TextField()
    parent = ForeignKeyField("self", null=True, lazy_load=False)
    departments = JSONField(default=list)
    archived_at = TextField(null=True)

    dimension_id: str
    parent_id: str | None
