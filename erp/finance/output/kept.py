"""Files of documents: made at the first request, and stored from then on, with their hash."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from erp.attachments import stored
from erp.finance.documents.models import Invoice
from erp.finance.output.models import DocumentFile
from erp.kernel import caller
from erp.kernel.errors import Busy
from erp.store import control, events
from erp.store.connections import STORAGE_ERRORS
from erp.web.schema import File


class Made(NamedTuple):
    """A file that has just been made; one that is not final is made again at the next request."""

    name: str
    media_type: str
    content: bytes
    is_final: bool = True


Choice = Callable[[Invoice], tuple[str, Callable[[], Made]]]
"""A form of a document: its name, and the function that makes it."""


def file_of(invoice_id: str, choose: Choice) -> File:
    """The file of a document in some form, for download.

    It is made outside of the transaction that stores it, so that no writer waits for it. Nothing is stored in an
    archived workspace, nor on a full disk or in a locked file, so that the document can still be read.
    """
    current = caller.current()
    assert current.workspace_id is not None
    with control.reading_own():
        invoice = Invoice.find(invoice_id)
        form, make = choose(invoice)
        present = find(invoice_id, form)
        if present is not None:
            return as_file(present)
        file = make()
    if file.is_final and not current.is_workspace_archived:
        with suppress(Busy, *STORAGE_ERRORS), control.open_workspace(current.workspace_id, write=True):
            return as_file(find(invoice_id, form) or keep(invoice, form, file))
    return File(file.content, file.name, file.media_type)


def find(invoice_id: str, form: str) -> DocumentFile | None:
    """The stored file of a document in some form."""
    return DocumentFile.find_by(invoice_id=invoice_id, form=form)


def keep(invoice: Invoice, form: str, file: Made) -> DocumentFile:
    digest = stored.keep_bytes(file.content, file.media_type)
    row = DocumentFile.add(
        invoice_id=invoice.id,
        form=form,
        name=file.name,
        media_type=file.media_type,
        sha256=digest,
    )
    data = {"number": invoice.number, "form": form, "sha256": digest}
    events.write("invoice.filed", "invoice", invoice.id, data)
    return row


def as_file(row: DocumentFile) -> File:
    """A stored file, for download; its ETag is its hash."""
    return File(stored.whole(row.sha256), row.name, row.media_type, headers={"X-Content-SHA256": row.sha256})
