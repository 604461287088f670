"""Everything that counts in some days: on accrual basis, or on cash basis by the setting for the day of the sale."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting import cash, corrections, documents, uses
from erp.finance.reports.tax.counting.facts import Fact, Rate, rates
from erp.finance.reports.tax.forms import Form
from erp.store import workspace_settings

Basis = Literal["accrual", "cash"]


def basis_on(day: str) -> Basis:
    """The basis of sales on a day."""
    basis: Basis = "accrual"
    for change in workspace_settings.current().tax_basis:
        if change["since"] <= day:
            basis = change["basis"]
    return basis


class Counting:
    """The way to read the facts of some days: the form, its rates, and the basis that a query may ask for instead."""

    def __init__(self, form: Form, span: Span, basis: Basis | None = None) -> None:
        self.form, self.span, self.basis = form, span, basis
        self.rates: Mapping[str, Rate] = rates()

    @property
    def shown_basis(self) -> Basis:
        """The basis at the end of the days."""
        return self.basis or basis_on(str(self.span.last))

    def accrued(self) -> list[Fact]:
        """All facts on accrual basis that count or are posted in the days."""
        return [fact for fact, _ in self._facts]

    def counted(self) -> list[Fact]:
        """The facts that count in the days."""
        if self._is_ever_cash:
            facts = [fact for fact, tax_date in self._facts if not self._waits(fact, tax_date)]
            facts += self._paid()
        else:
            facts = self.accrued()
        first, last = map(str, self.span)
        shown = [fact for fact in facts if first <= fact.day <= last]
        return uses.told(shown) if self.form.asks_for_uses else shown

    @cached_property
    def _facts(self) -> list[tuple[Fact, str]]:
        """Everything on accrual basis, each with the tax date of its document."""
        received = [(fact, fact.day) for fact in corrections.deposits(self.span)]
        return [
            *documents.facts(self.span, self.rates),
            *corrections.deductions(self.span, self.rates),
            *received,
        ]

    def _waits(self, fact: Fact, tax_date: str) -> bool:
        """Whether a fact counts only when it is paid; received ones have been."""
        is_received = fact.kind in ("deposit_invoice", "recovery")
        return not is_received and self._is_paid_for(fact) and self._basis_of(tax_date) == "cash"

    def _is_paid_for(self, fact: Fact) -> bool:
        """Whether the form counts such facts when they are paid, on cash basis."""
        return fact.side in self.form.cash and self.rates[fact.rate_id].tag == "taxed"

    @property
    def _is_ever_cash(self) -> bool:
        """Whether tax is, or ever was, on cash basis."""
        changes = workspace_settings.current().tax_basis
        return self._basis_of("9999") == "cash" or any(change["basis"] == "cash" for change in changes)

    def _paid(self) -> Iterator[Fact]:
        paid = [own for own in cash.documents(self.span) if self._basis_of(own.tax_date) == "cash"]
        yield from (fact for fact in cash.facts(paid, self.rates) if self._is_paid_for(fact))

    def _basis_of(self, tax_date: str) -> Basis:
        return self.basis or basis_on(tax_date)
