"""The parts of an e-invoice that UBL and CII both have, each by paths of its own."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec

from erp.finance.output.einvoice.model import Adjustment, Period, Tax, TaxGroup
from erp.finance.output.einvoice.xml import Node, Unreadable


class Paths(msgspec.Struct, frozen=True, kw_only=True):
    """Where a syntax has the fields of a part.

    Attributes:
        tax: the element with the category and the percentage, within an adjustment.
    """

    category: str
    percent: str
    is_charge: str
    adjusted: str
    reason: str
    reason_code: str
    tax: str
    base: str
    amount: str
    exemption: str
    exemption_code: str

    def tax_of(self, node: Node) -> Tax:
        """The tax of an element with a category."""
        return Tax(node.text(self.category) or "O", node.decimal(self.percent))

    def adjustment_of(self, node: Node) -> Adjustment:
        """The discount or surcharge of an element."""
        taxed = node.at(self.tax)
        return Adjustment(
            is_charge=node.text(self.is_charge) in ("true", "1"),
            amount=node.amount(self.adjusted),
            reason=node.text(self.reason) or node.text(self.reason_code) or "-",
            tax=self.tax_of(taxed) if taxed else None,
        )

    def tax_group_of(self, node: Node, taxed: Node) -> TaxGroup:
        """The amounts of an element, and the tax of the one with a category."""
        return TaxGroup(
            tax=self.tax_of(taxed),
            base=node.amount(self.base),
            amount=node.amount(self.amount),
            reason=taxed.text(self.exemption),
            reason_code=taxed.text(self.exemption_code),
        )


def texts(node: Node, paths: Mapping[str, str]) -> dict[str, str | None]:
    """The texts below an element, by field."""
    return {field: node.text(path) for field, path in paths.items()}


def amounts(node: Node, paths: Mapping[str, str]) -> dict[str, Decimal]:
    """The amounts below an element, by field."""
    return {field: node.amount(path) for field, path in paths.items()}


def period(start: date | None, end: date | None) -> Period | None:
    """The period between two days of which one may be missing."""
    return Period(start, end) if start or end else None


def joined(nodes: list[Node], path: str) -> str | None:
    """The texts of several elements, a line each."""
    return "\n".join(text for node in nodes if (text := node.text(path))) or None


def issued(day: date | None) -> date:
    """The day of issue.

    Raises:
        Unreadable: there is none.
    """
    if day is None:
        raise Unreadable(field="file")
    return day


def quantity(node: Node, path: str) -> tuple[Decimal, str]:
    """A quantity and its unit: one piece where there is none."""
    amount = node.decimal(path)
    return Decimal(1) if amount is None else amount, node.attribute(path, "unitCode") or "C62"
