"""XML from nested tuples: empty elements are left out, so that a writer lists every term once, in its order."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

Part = tuple[str, Any] | tuple[str, Any, Mapping[str, str]]
"""A name, its content (text, or parts in their order), and its attributes."""


def written(name: str, spaces: Mapping[str, str], parts: Iterable[Part | None]) -> bytes:
    """The bytes of a document.

    Args:
        spaces: namespaces by prefix.
    """
    root = Element(name, {f"xmlns:{prefix}" if prefix else "xmlns": space for prefix, space in spaces.items()})
    _fill(root, parts)
    indent(root)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def amount(value: Decimal) -> str:
    """An amount in plain digits."""
    return f"{value:f}"


def number(value: Decimal) -> str:
    """A quantity, price or percentage without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fill(parent: Element, parts: Iterable[Part | None]) -> None:
    for part in parts:
        if part is None or part[1] is None or part[1] == "":
            continue
        content = part[1]
        if isinstance(content, str | date):
            SubElement(parent, part[0], _attributes(part)).text = str(content)
        else:
            _add(parent, part)


def _add(parent: Element, part: Part) -> None:
    """Add an element of elements, if any of them has content."""
    child = Element(part[0], _attributes(part))
    _fill(child, part[1])
    if len(child):
        parent.append(child)


def _attributes(part: Part) -> dict[str, str]:
    return dict(part[2]) if len(part) == 3 else {}
