"""Cells of tables: the value of a row in a column, and its text."""

import json
from typing import Any


def dug(value: Any, column: str) -> Any:
    """The value of a row in a column, such as `address.city`."""
    for name in column.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text_of(value: Any) -> str:
    """A value as text."""
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
