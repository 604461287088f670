"""Cash discounts in the payment terms of XRechnung (BR-DE-18)."""

import re
from decimal import Decimal
from itertools import pairwise
from typing import Any

_STEP = re.compile(r"#SKONTO#TAGE=(\d{1,4})#PROZENT=(\d{1,2}\.\d{2})(?:#BASISBETRAG=-?\d+\.\d{2})?#", re.ASCII)
MOST = 2
"""The most steps of a document's terms."""


def discounts(text: str | None) -> list[dict[str, Any]]:
    """The steps in a text, for a request: more days for a lower percentage."""
    steps = sorted({(int(days), percent) for days, percent in _STEP.findall(text or "")})
    falls = all(Decimal(a[1]) > Decimal(b[1]) and a[0] < b[0] for a, b in pairwise(steps))
    if not falls or len(steps) > MOST or any(Decimal(percent) == 0 for _, percent in steps):
        return []
    return [{"percent": percent, "days": days} for days, percent in steps]
