"""The tables of files: the files, their bytes in parts, and the records that have them."""

from peewee import BlobField, CompositeKey, IntegerField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable


class StoredFile(WorkspaceTable):
    """A file by the SHA-256 of its bytes, kept once however many records name it."""

    is_recorded = False

    sha256 = TextField(primary_key=True)
    size = IntegerField()
    media_type = TextField()


class StoredPart(WorkspaceTable):
    """A part of a file's bytes, `number` counted from 0."""

    is_recorded = False

    sha256 = TextField()
    number = IntegerField()
    content = BlobField()

    class Meta:
        primary_key = CompositeKey("sha256", "number")


class Attachment(WorkspaceRecord):
    """A file of a record; of the inbox while it names none."""

    noun = Noun("file")

    resource_type = TextField(null=True)
    resource_id = TextField(null=True)
    name = TextField()
    sha256 = TextField()
    size = IntegerField()
    media_type = TextField()
