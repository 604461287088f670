"""From the bytes of a file to the e-invoice in it: XML, or a PDF that holds XML."""

import zlib
from collections.abc import Iterator
from contextlib import suppress

from erp.finance.output.einvoice import cii_reader, ubl_reader
from erp.finance.output.einvoice.cii import SPACES as CII_SPACES
from erp.finance.output.einvoice.model import EInvoice
from erp.finance.output.einvoice.ubl import SPACES as UBL_SPACES
from erp.finance.output.einvoice.xml import Node, Unreadable, root_of
from erp.kernel.intake import packed
from erp.kernel.intake.budget import INVOICE_XML, PIECE, Budget
from erp.kernel.language import says

FILES = 100
"""The most files inside a PDF that are looked at."""
_HEAD = 4096
"""The most bytes on either side of the type of a stream in which the rest of its dictionary is."""
_BEFORE_XML = 8
"""Bytes within which XML begins, after a mark of its encoding or a blank."""


def read(content: bytes) -> EInvoice:
    """The e-invoice of a file.

    Raises:
        Unreadable: there is none, or it lacks a term that every e-invoice has.
        Invalid: its parts are too large.
    """
    budget = Budget(xml=INVOICE_XML)
    if not is_pdf(content):
        return _read_xml(content, budget)
    for embedded in _embedded(content, budget):
        with suppress(Unreadable):  # another file in the same PDF
            return _read_xml(embedded, budget)
    raise Unreadable(says("The PDF contains no e-invoice. Enter the bill manually."), field="file")


def is_pdf(content: bytes) -> bool:
    return b"%PDF-" in content[:1024]


def _read_xml(content: bytes, budget: Budget) -> EInvoice:
    root = root_of(content, budget)
    if root.tag in ubl_reader.ROOTS:
        return ubl_reader.read(Node(root, UBL_SPACES), ubl_reader.ROOTS[root.tag])
    if root.tag == cii_reader.ROOT:
        return cii_reader.read(Node(root, CII_SPACES))
    raise Unreadable(field="file")


def _embedded(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The XML files inside a PDF: streams of type EmbeddedFile, which are never nested."""
    at = 0
    for _ in range(FILES):
        at = content.find(b"/EmbeddedFile", at + 1)
        if at < 0:
            return
        start, stream = content.rfind(b" obj", max(0, at - _HEAD), at), content.find(b"stream", at, at + _HEAD)
        head = content[start:stream]
        if start >= 0 and stream >= 0 and b"endobj" not in head:
            yield from _unpacked(content, stream + len(b"stream"), budget, is_packed=b"/FlateDecode" in head)


def _unpacked(content: bytes, start: int, budget: Budget, *, is_packed: bool) -> Iterator[bytes]:
    """The stream from a place on, if it is XML."""
    while content[start : start + 1] in (b"\r", b"\n"):
        start += 1
    pieces = packed.inflated(content, start, budget) if is_packed else _plain(content, start, budget)
    with suppress(zlib.error):
        first = next(pieces, b"")
        if b"<" in first[:_BEFORE_XML]:
            yield first + b"".join(pieces)


def _plain(content: bytes, start: int, budget: Budget) -> Iterator[bytes]:
    end = content.find(b"endstream", start)
    stream = content[start : end if end >= 0 else None].rstrip(b"\r\n")
    for place in range(0, len(stream), PIECE):
        piece = stream[place : place + PIECE]
        budget.take_bytes(len(piece))
        yield piece
