"""The table of sites."""

from peewee import BooleanField, JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.router import WORKSPACE


class Site(WorkspaceRecord):
    """A place where people work; the default site has the values of the workspace, and none here."""

    noun = Noun("site")

    name = TextField()
    country = TextField(null=True)
    subdivision = TextField(null=True)
    time_zone = TextField(null=True)
    currency = TextField(null=True)
    weekend = JSONField(null=True)
    is_default = BooleanField(default=False)


def default_id() -> str:
    """The id of the default site."""
    ((id,),) = WORKSPACE.rows("SELECT id FROM site WHERE is_default")
    return str(id)
