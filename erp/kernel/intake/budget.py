"""The limits of a file that someone sends: one budget for all of its parts.

A file is read before any lock is taken. Readers work in pieces, so that other threads run between them, and a stop of
the server ends the reading.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.parsers import expat

from erp.kernel.errors import Busy, Invalid
from erp.kernel.language import Sentence, says

PIECE = 64 << 10
"""Bytes that are read in one go: the libraries, which are in C, keep other threads waiting so long."""
UNPACKED = 25 << 20
"""The most bytes that the parts of a file unpack to."""
XML = 5 << 20
"""The most bytes of an XML file: before 2.6, the time of expat is quadratic in the length of a comment."""
INVOICE_XML = 15 << 20 if expat.version_info >= (2, 6, 0) else XML
"""The most bytes of an e-invoice, which may bring other files in base64."""
ELEMENTS = 200_000
"""The most elements, and the most attributes, of all XML in a file."""
NAMESPACE = 200
"""The most characters of a namespace: parsers repeat it in every name."""
TOKEN = 1 << 20
"""The most bytes of a tag or a comment in XML."""
DEPTH = 50
"""The most levels of elements in the XML of a spreadsheet: a parser keeps all that are open."""

_stops: list[None] = []
"""One for each server of this process that is stopping."""


@contextmanager
def ended() -> Iterator[None]:
    """End every reading during the block, as a server does that stops."""
    _stops.append(None)
    try:
        yield
    finally:
        _stops.pop()


def go_on() -> None:
    """Call it in every loop over what someone sent.

    Raises:
        Busy: the server is stopping.
    """
    if _stops:
        raise Busy(says("The server is stopping. Nothing was changed. Send the file again in a minute."))


class Budget:
    """The allowance for the rest of a file; a larger rest is refused under the field's name."""

    def __init__(self, field: str = "file", *, xml: int = XML) -> None:
        self.field = field
        self._xml, self._bytes, self._elements, self._attributes = xml, UNPACKED, ELEMENTS, ELEMENTS

    def take_bytes(self, count: int) -> None:
        """Count what a part has unpacked to.

        Raises:
            Invalid: it is too much.
            Busy: the server is stopping.
        """
        go_on()
        self._bytes -= count
        if self._bytes < 0:
            raise self._too_large(says("Must not unpack to more than {mebibytes} MiB.", mebibytes=UNPACKED >> 20))

    def take_element(self, attributes: Mapping[str, str]) -> None:
        """Count an element with its attributes.

        Raises:
            Invalid: there are too many, or it declares a huge namespace.
        """
        self._elements -= 1
        if attributes:
            self._attributes -= len(attributes)
            self._check_namespaces(attributes)
        if self._elements < 0 or self._attributes < 0:
            raise self._too_large(
                says("Must have at most {most:,} XML elements, and as many attributes.", most=ELEMENTS)
            )

    def _check_namespaces(self, attributes: Mapping[str, str]) -> None:
        if any(len(value) > NAMESPACE and name.startswith("xmlns") for name, value in attributes.items()):
            raise self._too_large(says("Must not have namespaces of more than {most} characters.", most=NAMESPACE))

    def check_xml(self, size: int) -> None:
        """Refuse an XML file of too many bytes."""
        if size > self._xml:
            raise self._too_large(says("Must not be XML of more than {mebibytes} MiB.", mebibytes=self._xml >> 20))

    def check_token(self, size: int) -> None:
        """Refuse a tag or a comment of too many bytes: with each piece of it a parser begins it again."""
        if size > TOKEN:
            raise self._too_large(says("Must not have an XML tag or comment of more than 1 MiB."))

    def check_depth(self, depth: int) -> None:
        """Refuse an element within too many others."""
        if depth > DEPTH:
            raise self._too_large(says("Must not have XML elements more than {most} levels deep.", most=DEPTH))

    def _too_large(self, message: Sentence) -> Invalid:
        return Invalid.one(self.field, "too_large", message)


def pieces(content: bytes) -> Iterator[bytes]:
    """The content in pieces.

    Raises:
        Busy: the server is stopping.
    """
    for start in range(0, len(content), PIECE):
        go_on()
        yield content[start : start + PIECE]
