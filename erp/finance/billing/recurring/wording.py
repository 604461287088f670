"""The texts of recurring documents: `Rent {month} {year}` becomes `Rent January 2026`."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from erp.kernel import countries
from erp.kernel.complaints import Complaints
from erp.kernel.language import month, says

TEXTS = frozenset({"description", "note", "reference", "supplierNumber"})
"""The fields of a request that may have names to be filled in."""

NAMES = ("month", "year", "quarter", "date", "from", "to")
_NAME = re.compile(r"\{([^{}]*)\}")


class Period(NamedTuple):
    """The period of an occurrence."""

    first: date
    last: date


def values(day: date, period: Period, country: str | None, language: str) -> dict[str, str]:
    """The texts of the names in a document of that day."""
    return {
        "month": month(day, language),
        "year": str(day.year),
        "quarter": str((day.month + 2) // 3),
        "date": countries.date_text(day, country),
        "from": countries.date_text(period.first, country),
        "to": countries.date_text(period.last, country),
    }


def filled(request: Any, by_name: dict[str, str]) -> Any:
    """A request with every name in its texts filled in."""
    if isinstance(request, list):
        return [filled(item, by_name) for item in request]
    if not isinstance(request, dict):
        return request
    return {
        field: _NAME.sub(lambda match: by_name[match[1]], value)
        if field in TEXTS and isinstance(value, str)
        else filled(value, by_name)
        for field, value in request.items()
    }


def check(request: Any, path: str, complaints: Complaints) -> None:
    """Complain about unknown names in texts."""
    for field, text in _texts(request, path):
        unknown = [name for name in _NAME.findall(text) if name not in NAMES]
        if unknown:
            known = ", ".join(f"{{{name}}}" for name in NAMES)
            message = says("There is no {name}. Use {known}.", name=f"{{{unknown[0][:40]}}}", known=known)
            complaints.add(field, "unknown_name", message)


def _texts(request: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(request, list):
        for i, item in enumerate(request):
            yield from _texts(item, f"{path}[{i}]")
    elif isinstance(request, dict):
        for field, value in request.items():
            if field in TEXTS and isinstance(value, str):
                yield f"{path}.{field}", value
            else:
                yield from _texts(value, f"{path}.{field}")
