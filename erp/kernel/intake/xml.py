"""XML from others: judged as a stream within a budget, then read as a tree."""

from collections.abc import Callable, Iterable, Mapping
from xml.etree.ElementTree import Element, ParseError, XMLParser
from xml.parsers import expat

from erp.kernel.intake.budget import Budget, pieces

CheckRoot = Callable[[str], object]
"""Called with the name of the root, without a prefix; it refuses by an exception."""
UNREAD = (expat.ExpatError, ParseError, LookupError, ValueError)
"""Exceptions of the parsers: it is not well formed, or in an unknown encoding."""


class HasDoctype(Exception):
    """It has a document type declaration, whose entities could be anything; it is refused before any is expanded."""


def judge(
    content: Iterable[bytes], budget: Budget, check_root: CheckRoot | None = None, encoding: str | None = None
) -> None:
    """Read the pieces of a file without keeping any of them.

    Args:
        encoding: of the pieces, whatever the file says.

    Raises:
        UNREAD, HasDoctype: as it says.
        Invalid: the budget does not suffice.
    """

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        parser.StartElementHandler = count
        if check_root is not None:
            check_root(name.rpartition(":")[2])
        count(name, attributes)

    def count(name: str, attributes: Mapping[str, str]) -> None:
        budget.take_element(attributes)

    parser = expat.ParserCreate(encoding)
    parser.StartElementHandler = begin
    feed(parser, content, budget)


def feed(parser: expat.XMLParserType, content: Iterable[bytes], budget: Budget) -> None:
    """Let a parser read the pieces of a file.

    Raises:
        UNREAD, HasDoctype: as it says.
        Invalid: a tag or a comment is too long.
    """
    parser.StartDoctypeDeclHandler = _refuse
    size = 0
    for piece in content:
        parser.Parse(piece, False)
        size += len(piece)
        budget.check_token(size - parser.CurrentByteIndex)
    parser.Parse(b"", True)


def _refuse(*declared: object) -> None:
    raise HasDoctype


def root_of(content: bytes | str, budget: Budget, check_root: CheckRoot | None = None) -> Element:
    """The root of a file, with its tree.

    Raises:
        UNREAD, HasDoctype, Invalid: as for `judge`.
    """
    raw, encoding = (content.encode(), "utf-8") if isinstance(content, str) else (content, None)
    budget.check_xml(len(raw))
    judge(pieces(raw), budget, check_root, encoding)
    parser = XMLParser(encoding=encoding)
    for piece in pieces(raw):
        parser.feed(piece)
    root: Element = parser.close()
    return root
