"""The files that were made of documents, or that a supplier sent."""

from peewee import ForeignKeyField, TextField

from erp.finance.documents.models import Invoice
from erp.store.records import WorkspaceRecord, WorkspaceTable


class DocumentFile(WorkspaceRecord):
    """A file of a document: its paper, an e-invoice by profile and syntax, or the original of a bill."""

    noun = "file"

    invoice = ForeignKeyField(Invoice, lazy_load=False)
    form = TextField()
    name = TextField()
    media_type = TextField()
    sha256 = TextField()

    invoice_id: str


class Logo(WorkspaceTable):
    """The image at the head of papers, by its hash; documents keep the one that they were issued with."""

    is_recorded = False

    sha256 = TextField(primary_key=True)
