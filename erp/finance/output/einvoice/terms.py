"""Cash discounts in the payment terms of an e-invoice: elements of their own, or a text in the form of XRechnung."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from erp.finance.output.einvoice.model import Discount
from erp.finance.output.einvoice.tree import number
from erp.finance.output.einvoice.xml import Node

_STEP = re.compile(r"#SKONTO#TAGE=(\d{1,4})#PROZENT=(\d{1,2}\.\d{2})(?:#BASISBETRAG=-?\d+\.\d{2})?#", re.ASCII)
"""Source: XRechnung 3.0.2, BR-DE-18."""
MOST = 2
"""The most steps of a document's terms."""
LONGEST = 3650
"""The most days of a step."""


def discounts_in(text: str | None) -> list[Discount]:
    """The discounts in a text."""
    return [Discount(int(days), Decimal(percent)) for days, percent in _STEP.findall(text or "")]


def steps(discounts: Iterable[Discount]) -> list[dict[str, Any]]:
    """The steps of discounts, for a request: more days for a lower percentage, else none."""
    ordered = sorted(set(discounts))
    falls = all(a.percent > b.percent and a.days < b.days for a, b in pairwise(ordered))
    fits = all(0 < step.percent < 100 and 0 <= step.days <= LONGEST for step in ordered)
    if not (falls and fits) or len(ordered) > MOST:
        return []
    return [{"percent": number(step.percent), "days": step.days} for step in ordered]


def offered(percent: Decimal | None, days: Decimal | None, until: date | None, issued: date) -> Iterator[Discount]:
    """The discount of an element, if it has a percentage and an end."""
    if percent and days is not None and days == days.to_integral_value():
        yield Discount(int(days), percent)
    elif percent and until is not None:
        yield Discount((until - issued).days, percent)


def due_date(terms: Iterable[Node], *, percent: str, text: str, day: str) -> date | None:
    """The due date of several terms, by paths in them: the latest without a discount, else the latest."""
    dated = [(node.day(day), bool(node.decimal(percent) or discounts_in(node.text(text)))) for node in terms]
    plain = [day for day, is_discounted in dated if day and not is_discounted]
    return max(plain or [day for day, _ in dated if day], default=None)
