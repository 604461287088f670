"""The tables of the chapters that an office adds to its process description."""

from peewee import CompositeKey, ForeignKeyField, IntegerField, TextField

from erp.kernel import caller, clock
from erp.kernel.language import Noun
from erp.store import names
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.rows import DayField


class ProcessChapter(WorkspaceRecord):
    """A chapter in its newest wording, which is in force from a day on."""

    noun = Noun("process chapter")

    title = TextField()
    text = TextField()
    valid_from = DayField()
    archived_at = TextField(null=True)


class ProcessWording(WorkspaceTable):
    """A wording of a chapter; none is ever changed."""

    chapter = ForeignKeyField(ProcessChapter, lazy_load=False)
    number = IntegerField()
    title = TextField()
    text = TextField()
    valid_from = DayField()
    created_at = TextField(default=clock.stamp)
    created_by = TextField(null=True, default=lambda: caller.current().user_id)

    @property
    def created_by_name(self) -> str | None:
        """The name of the user who wrote it."""
        return names.of_user(self.created_by)

    class Meta:
        primary_key = CompositeKey("chapter", "number")
