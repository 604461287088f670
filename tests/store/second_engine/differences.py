"""Where the answers of the two engines differ, and may; and how two answers are compared."""

from typing import Any

DIFFERENT = {
    "/api/v1/system/info": "it says how large the files of the workspaces are",
    "/api/v1/workspace/export": "the archive holds the workspace as an SQLite file, which is copied from its file",
}
"""The reason why an answer differs, by path; an entry that is no longer needed fails the test."""

UNANSWERED: dict[str, str] = {}
"""The reason why nothing is answered, by path; an entry that is no longer needed fails the test."""


def difference(one: Any, other: Any, place: str = "") -> str | None:
    """The first difference between two answers, with its place in them."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(f"{place}.{name}", one[name], other[name]) for name in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{place}[{index}]", part, other[index]) for index, part in enumerate(one)]
    else:
        is_same = type(one) is type(other) and one == other
        return None if is_same else f"{place}: {str(one)[:200]!r} and {str(other)[:200]!r}"
    return next((found for deeper, part, rest in pairs if (found := difference(part, rest, deeper))), None)
