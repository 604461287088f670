"""The tables of files made from documents, or sent by suppliers."""

from peewee import ForeignKeyField, TextField

from erp.finance.documents.models import Invoice
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable


class DocumentFile(WorkspaceRecord):
    """A file of a document: its paper, an e-invoice by profile and syntax, or the original of a bill."""

    noun = Noun("file")

    invoice = ForeignKeyField(Invoice, lazy_load=False)
    form = TextField()
    name = TextField()
    media_type = TextField()
    sha256 = TextField()

    invoice_id: str


class LetterheadFile(WorkspaceTable):
    """A letterhead of papers, by its hash; documents keep the one of their issue."""

    is_recorded = False

    sha256 = TextField(primary_key=True)

    class Meta:
        table_name = "letterhead"


class Logo(WorkspaceTable):
    """The logo of papers, by its hash; documents keep the logo of their issue."""

    is_recorded = False

    sha256 = TextField(primary_key=True)
