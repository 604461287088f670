"""Texts with places, `Invoice {number}`: which places they have, and the text with values in them.

`{{` and `}}` are braces.
"""

import re
from collections.abc import Collection, Mapping

from erp.kernel.errors import Complaint
from erp.kernel.language import Listed, says

_PLACE = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}")
_GAP = "\0"
"""Stands for a place without a value until the blanks around it are closed; no text may have it."""
_EMPTY_BRACKETS = re.compile(rf"\(\s*{_GAP}(?:\s|{_GAP})*\)")
_RUN = re.compile(rf"[ \t]*{_GAP}[ \t{_GAP}]*")
_NO_BLANK_BEFORE = tuple(".,;:!?)]…")


def named(text: str) -> list[str]:
    """The places of a text, in their order."""
    return [match[1] for match in _PLACE.finditer(text) if match[1] is not None]


def misfits(text: object, known: Collection[str], field: str) -> list[Complaint]:
    """The complaint about a text that has other places than the known ones."""
    unknown = [name for name in named(text) if name not in known] if isinstance(text, str) else []
    if not unknown:
        return []
    message = says(
        "There is no place {unknown} here. Use {places}, or double the brace.",
        unknown=Listed.of([f"{{{name}}}" for name in dict.fromkeys(unknown)]),
        places=Listed.of([f"{{{name}}}" for name in known]),
    )
    return [Complaint(field, "unknown_place", message)]


def filled(text: str, values: Mapping[str, str | None]) -> str:
    """The text with its values; a place without one leaves no gap, nor an empty line, nor an empty paragraph."""

    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        return values.get(match[1]) or _GAP

    lines: list[str] = []
    is_dropped = False  # whether a paragraph of its own has just gone: the empty line after it goes too
    for line in map(_closed, _PLACE.sub(value, text).split("\n")):
        if line is None:
            is_dropped = not lines or not lines[-1]
        elif line or not is_dropped:
            lines.append(line)
            is_dropped = False
    return "\n".join(lines)


def _closed(line: str) -> str | None:
    """A line without its gaps; None if it had nothing else."""
    if _GAP not in line:
        return line
    line = _EMPTY_BRACKETS.sub(_GAP, line)

    def blank(match: re.Match[str]) -> str:
        before, after = line[: match.start()], line[match.end() :]
        is_at_edge = not before or not after or before.endswith(("(", "[")) or after.startswith(_NO_BLANK_BEFORE)
        return "" if is_at_edge or match[0].strip(" \t") == match[0] else " "

    return _RUN.sub(blank, line) or None
