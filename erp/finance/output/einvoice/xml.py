"""Reading XML from others: no DTD, no entity, and every value is checked before it is used."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from xml.etree.ElementTree import Element

from erp.kernel.errors import Invalid, Refusal
from erp.kernel.intake import xml
from erp.kernel.intake.budget import Budget, go_on
from erp.kernel.language import says

MOST = 500
"""The most lines of a document, and the most of any other part."""
_DECIMAL = re.compile(r"[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})", re.ASCII)
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})([Z+-].*)?", re.ASCII)


class Unreadable(Refusal):
    """The file is not a readable e-invoice. Use UBL 2.1 or CII D16B as XML, or a PDF that contains one of them."""

    status = 422


_ROOTS = ("Invoice", "CreditNote", "CrossIndustryInvoice")


def root_of(content: bytes, budget: Budget) -> Element:
    """The root of a document.

    Raises:
        Unreadable: it is not well formed, is no invoice, or has a document type declaration.
        Invalid: the budget does not suffice.
    """
    try:
        return xml.root_of(content, budget, _check_root)
    except xml.HasDoctype:
        message = says("The file has a document type declaration, which an e-invoice never has.")
        raise Unreadable(message, field="file") from None
    except xml.UNREAD:
        raise Unreadable(field="file") from None


def _check_root(name: str) -> None:
    if name not in _ROOTS:
        raise Unreadable(field="file")


class Node:
    """An element with the namespaces of its paths; it may be missing."""

    def __init__(self, element: Element | None, spaces: Mapping[str, str]) -> None:
        self._element, self._spaces = element, dict(spaces)

    def __bool__(self) -> bool:
        return self._element is not None

    def at(self, path: str) -> "Node":
        """The first element at a path."""
        element = None if self._element is None else self._element.find(path, self._spaces)
        return Node(element, self._spaces)

    def all(self, path: str) -> "list[Node]":
        """The elements at a path.

        Raises:
            Invalid: there are more than any document of the books has.
        """
        go_on()
        elements = [] if self._element is None else self._element.findall(path, self._spaces)
        if len(elements) > MOST:
            raise Invalid.one("file", "too_long", says("Must have at most {most} of {path}.", most=MOST, path=path))
        return [Node(element, self._spaces) for element in elements]

    def text(self, path: str = ".") -> str | None:
        """The text of the first element at a path that has any."""
        elements = [] if self._element is None else self._element.findall(path, self._spaces)
        return next((text for element in elements if (text := (element.text or "").strip())), None)

    def attribute(self, path: str, name: str) -> str | None:
        """An attribute of the first element at a path."""
        element = None if self._element is None else self._element.find(path, self._spaces)
        return None if element is None else element.get(name)

    def must(self, path: str) -> str:
        """The text at a path; for terms that every e-invoice has."""
        text = self.text(path)
        if text is None:
            raise Unreadable(says("The file lacks {path}.", path=path), field="file")
        return text

    def decimal(self, path: str) -> Decimal | None:
        text = self.text(path)
        if text is None:
            return None
        if not _DECIMAL.fullmatch(text):
            raise Unreadable(says("{path} of the file is not a number: {text}.", path=path, text=text[:40]))
        return Decimal(text)

    def amount(self, path: str) -> Decimal:
        """A decimal at a path; 0 where there is none."""
        return self.decimal(path) or Decimal(0)

    def day(self, path: str) -> date | None:
        """A day at a path, as `2026-01-05` or `20260105`."""
        text = self.text(path)
        match = _DAY.fullmatch(text) if text is not None else None
        if text is None:
            return None
        try:
            if match is not None:
                return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            pass
        raise Unreadable(says("{path} of the file is not a date: {text}.", path=path, text=text[:40]))
