"""The papers of several documents at once: packed, or as one file to print."""

import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import PurePath

from erp.finance.documents.models import Invoice
from erp.finance.output.bodies import Packing, PaperQuery
from erp.finance.output.paper import joining, papers
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Noun, says
from erp.store import control
from erp.web.schema import File

LEFT_OUT = "X-Left-Out"


def file_of(ids: Sequence[str], packing: Packing) -> File:
    """The papers of issued documents, in the order of their ids; drafts are left out, and named in a header.

    Raises:
        Invalid: an id names no document, or all are drafts.
    """
    with control.reading_own():
        drafts = _drafts(ids)
    files = [papers.file_of(id, PaperQuery()) for id in dict.fromkeys(ids) if id not in drafts]
    headers = {LEFT_OUT: ",".join(drafts)} if drafts else {}
    if packing == "pdf":
        return File(joining.joined([_content(file) for file in files]), "invoices.pdf", "application/pdf", headers)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in zip(names(files), files, strict=True):
            archive.writestr(name, _content(file))
    return File(packed, "invoices.zip", "application/zip", headers)


def _drafts(ids: Sequence[str]) -> list[str]:
    found = [Invoice.find_or_none(id) for id in ids]
    missing = Noun("invoice").missing_here()
    if wrong := [Complaint(f"ids[{i}]", "unknown_reference", missing) for i, each in enumerate(found) if each is None]:
        raise Invalid(wrong)
    drafts = [invoice.id for invoice in found if invoice is not None and invoice.status == "draft"]
    if len(drafts) == len(ids):
        raise Invalid.one("ids", "only_drafts", says("All of these are drafts. Issue them first."))
    return list(dict.fromkeys(drafts))


def _content(file: File) -> bytes:
    if isinstance(file.content, bytes):
        return file.content
    assert not isinstance(file.content, PurePath)
    return file.content.read()


def names(files: Sequence[File]) -> Iterator[str]:
    """A name for each file; bills of two suppliers may have the same number."""
    taken = set[str]()
    for file in files:
        path, name, number = PurePath(file.name), file.name, 1
        while name in taken:
            number += 1
            name = f"{path.stem}-{number}{path.suffix}"
        taken.add(name)
        yield name
