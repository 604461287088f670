"""Cells of tables: the value of a row in a column, and its text."""

import json
from typing import Any


def dug(value: Any, column: str) -> Any:
    """The value of a row in a column, such as `address.city`; `items.number` is the numbers of all its items."""
    name, _, rest = column.partition(".")
    value = value.get(name) if isinstance(value, dict) else None
    if not rest:
        return value
    return ", ".join(text_of(dug(each, rest)) for each in value) if isinstance(value, list) else dug(value, rest)


def text_of(value: Any) -> str:
    """A value as text."""
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
