"""Days such as 01/02/2026, whose order of day and month a whole file shows, or the person who sends it."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Literal

from erp.kernel.errors import Invalid
from erp.kernel.language import says

DateOrder = Literal["day_first", "month_first"]

_BY_SLASHES = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})")


def reader(texts: Sequence[str], order: DateOrder | None, field: str) -> Callable[[str], str]:
    """A reader of the days of a file, as ISO text. A text that is not a day stays as it is, and is refused later."""
    pairs = [(int(match[1]), int(match[2])) for match in map(_BY_SLASHES.fullmatch, texts) if match]
    found = _orders(pairs)
    if order is not None:
        found &= {order}
    if pairs and len(found) != 1:
        message = (
            says("Its dates can be read in two ways. Say whether the day or the month comes first.")
            if found
            else says("Its dates are in neither order: some have no such month.")
        )
        raise Invalid.one("dateOrder" if found else field, "date_order", message)
    is_day_first = "day_first" in found

    def read(text: str) -> str:
        match = _BY_SLASHES.fullmatch(text)
        if match is None:
            return text
        day, month = (match[1], match[2]) if is_day_first else (match[2], match[1])
        try:
            return date(int(match[3]), int(month), int(day)).isoformat()
        except ValueError:
            return text

    return read


def _orders(pairs: Iterable[tuple[int, int]]) -> set[str]:
    """The orders in which all dates have a month."""
    seen = [*pairs]
    possible = {"day_first": all(second <= 12 for _, second in seen), "month_first": all(f <= 12 for f, _ in seen)}
    return {order for order, fits in possible.items() if fits}
