"""From the bytes of a file to the e-invoice in it: XML, or a PDF that holds XML."""

import zlib
from collections.abc import Iterator
from contextlib import suppress

from erp.finance.output.einvoice import cii_reader, ubl_reader
from erp.finance.output.einvoice.cii import SPACES as CII_SPACES
from erp.finance.output.einvoice.model import EInvoice
from erp.finance.output.einvoice.ubl import SPACES as UBL_SPACES
from erp.finance.output.einvoice.xml import Node, Unreadable, root_of
from erp.kernel.language import says

MOST = 20 << 20
"""The largest XML that is unpacked from a PDF."""
FILES = 100
"""The most files inside a PDF that are looked at."""


def read(content: bytes) -> EInvoice:
    """The e-invoice of a file.

    Raises:
        Unreadable: there is none, or it lacks a term that every e-invoice has.
    """
    if b"%PDF-" not in content[:1024]:
        return _read_xml(content)
    for embedded in _embedded(content):
        try:
            return _read_xml(embedded)
        except Unreadable:
            continue  # another file in the same PDF
    raise Unreadable(says("The PDF contains no e-invoice. Enter the bill manually."), field="file")


def _read_xml(content: bytes) -> EInvoice:
    root = root_of(content)
    if root.tag in ubl_reader.ROOTS:
        return ubl_reader.read(Node(root, UBL_SPACES), ubl_reader.ROOTS[root.tag])
    if root.tag == cii_reader.ROOT:
        return cii_reader.read(Node(root, CII_SPACES))
    raise Unreadable(field="file")


def _embedded(content: bytes) -> Iterator[bytes]:
    """The files inside a PDF: streams of type EmbeddedFile, which are never nested."""
    at = 0
    for _ in range(FILES):
        at = content.find(b"/EmbeddedFile", at + 1)
        if at < 0:
            return
        start, stream = content.rfind(b" obj", 0, at), content.find(b"stream", at)
        head = content[start:stream]
        if stream >= 0 and b"endobj" not in head:
            yield from _unpacked(content[stream + 6 :].lstrip(b"\r\n"), is_packed=b"/FlateDecode" in head)


def _unpacked(stream: bytes, *, is_packed: bool) -> Iterator[bytes]:
    if not is_packed:
        yield stream.partition(b"endstream")[0].rstrip(b"\r\n")
        return
    with suppress(zlib.error):
        yield zlib.decompressobj().decompress(stream, MOST)
