"""The media type of a file by its content: the few kinds that an office keeps, and nothing that a browser runs."""

import re
from collections.abc import Callable, Iterator
from typing import IO
from xml.parsers import expat

from erp.kernel.errors import Refusal
from erp.kernel.intake import xml
from erp.kernel.intake.budget import INVOICE_XML, PIECE, Budget, go_on
from erp.kernel.language import Listed

SUFFIXES = {
    "application/pdf": (".pdf",),
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "application/xml": (".xml",),
}
"""The kinds of files, with the endings that their names may have."""

_TAIL = 1024
_SPACE = b"\0\t\n\f\r "
_BEGINS_AS_XML = re.compile(rb"(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\0\s]*<")
_SHOWN_BY_BROWSERS = ("http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg")


class NotAllowed(Refusal):
    """This file type is not supported. Use a PDF, PNG, JPEG or XML file."""

    status = 422


class WronglyNamed(Refusal):
    """The file type is {kind}, but the name does not match. The name must end in {endings}."""

    status = 422


def of(content: IO[bytes], name: str) -> str:
    """The media type of a file.

    Raises:
        NotAllowed: its kind is not kept, or it is of two kinds at once.
        WronglyNamed: its name promises something else.
        Invalid: it is XML that is too large.
    """
    for media_type, fits in _TESTS.items():
        content.seek(0)
        if fits(content):
            if not name.lower().endswith(SUFFIXES[media_type]):
                endings = Listed.of(SUFFIXES[media_type], "or")
                raise WronglyNamed(field="name", kind=media_type.rpartition("/")[2].upper(), endings=endings)
            return media_type
    raise NotAllowed(field="file")


def _is_pdf(content: IO[bytes]) -> bool:
    """Whether it begins as a PDF, and nothing follows its end, such as an archive."""
    return content.read(5) == b"%PDF-" and _tail(content).rstrip(_SPACE).endswith(b"%%EOF")


def _is_png(content: IO[bytes]) -> bool:
    """Whether it begins as a PNG, and ends with its last chunk."""
    return content.read(16) == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" and _tail(content).endswith(b"\0\0\0\0IEND\xaeB`\x82")


def _is_jpeg(content: IO[bytes]) -> bool:
    """Whether it begins as a JPEG, and has an end; cameras add more images after it."""
    return content.read(3) == b"\xff\xd8\xff" and _holds(content, b"\xff\xd9")


def _tail(content: IO[bytes]) -> bytes:
    size = content.seek(0, 2)
    content.seek(max(size - _TAIL, 0))
    return content.read(_TAIL)


def _holds(content: IO[bytes], sign: bytes) -> bool:
    before = b""
    while piece := content.read(PIECE):
        if sign in before + piece:
            return True
        before = piece[-len(sign) + 1 :]
    return False


class _NotKept(Exception):
    pass


def _is_xml(content: IO[bytes]) -> bool:
    """Whether it is well formed, declares no document type, and is nothing that a browser would show or run.

    Raises:
        Invalid: it is too large to be judged.
    """
    if not _BEGINS_AS_XML.match(content.read(PIECE)):
        return False
    budget = Budget(xml=INVOICE_XML)
    budget.check_xml(content.seek(0, 2))
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = _check_element
    parser.ProcessingInstructionHandler = _check_instruction
    try:
        xml.judge(_pieces(content), budget)
        for piece in _pieces(content):
            parser.Parse(piece, False)
    except (*xml.UNREAD, xml.HasDoctype, _NotKept):
        return False
    return True


def _pieces(content: IO[bytes]) -> Iterator[bytes]:
    content.seek(0)
    while piece := content.read(PIECE):
        go_on()
        yield piece


def _check_element(name: str, attributes: object) -> None:
    space, _, local = name.rpartition(" ")
    if space in _SHOWN_BY_BROWSERS or (not space and local.lower() in ("html", "svg", "script")):
        raise _NotKept


def _check_instruction(target: str, data: object) -> None:
    if target.lower() == "xml-stylesheet":
        raise _NotKept


_TESTS: dict[str, Callable[[IO[bytes]], bool]] = {
    "application/pdf": _is_pdf,
    "image/png": _is_png,
    "image/jpeg": _is_jpeg,
    "application/xml": _is_xml,
}
