"""Everything that counts in some days: on accrual basis, or on cash basis by the setting for the day of the sale."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting import cash, corrections, documents, expenses, settlements, uses
from erp.finance.reports.tax.counting.facts import Fact, Rate, rates
from erp.finance.reports.tax.counting.settlements import Paid
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

    def counted(self) -> list[Fact]:
        """The facts that count in the days."""
        facts = [fact for fact in (*self._accrued, *self._paid) if self._is_in(fact.day)]
        return uses.told(facts) if self.form.asks_for_uses else facts

    def on_other_days(self) -> Iterator[Fact]:
        """The facts that are posted in the days and count on others, less those that count in them."""
        for fact in self._accrued:
            if self._is_in(fact.posted) and not self._is_in(fact.day):
                yield fact
            elif self._is_in(fact.day) and not self._is_in(fact.posted):
                yield fact.reversed_on(fact.day, fact.posted)

    def unpaid(self, day: str) -> Iterator[Fact]:
        """The facts that are posted by the end of a day, and count only when they are paid."""
        if self.is_ever_cash:
            paid = self._on_cash_basis(settlements.open_on(day, str(self.span.last)))
            yield from self._paid_for(cash.unpaid(paid, self.rates, day))

    def _is_in(self, day: str) -> bool:
        first, last = map(str, self.span)
        return first <= day <= last

    @cached_property
    def _accrued(self) -> list[Fact]:
        """The facts on accrual basis that count or are posted in the days, without those that count when paid."""
        return [fact for fact, tax_date in self._facts if not (self.is_ever_cash and self._waits(fact, tax_date))]

    @cached_property
    def _paid(self) -> list[Fact]:
        """The facts of the documents that are settled or released in the days."""
        if not self.is_ever_cash:
            return []
        paid = self._on_cash_basis(settlements.settled_in(self.span))
        return [*self._paid_for(cash.facts(paid, self.rates))]

    @property
    def _facts(self) -> list[tuple[Fact, str | None]]:
        """Everything on accrual basis, each with the tax date of its document; None where nothing is to be paid."""
        received = [(fact, fact.day) for fact in corrections.deposits(self.span)]
        return [
            *documents.facts(self.span, self.rates),
            *corrections.deductions(self.span, self.rates),
            *received,
            *((fact, None) for fact in expenses.facts(self.span)),
        ]

    def _waits(self, fact: Fact, tax_date: str | None) -> bool:
        """Whether a fact counts only when it is paid; received ones have been."""
        is_received = fact.kind in ("deposit_invoice", "recovery")
        is_due = tax_date is not None and self._basis_of(tax_date) == "cash"
        return is_due and not is_received and self._is_paid_for(fact)

    def _is_paid_for(self, fact: Fact) -> bool:
        """Whether the form counts such facts when they are paid, on cash basis."""
        return fact.side in self.form.cash and self.rates[fact.rate_id].tag == "taxed"

    @cached_property
    def is_ever_cash(self) -> bool:
        """Whether tax is, or ever was, on cash basis."""
        changes = workspace_settings.current().tax_basis
        return self._basis_of("9999") == "cash" or any(change["basis"] == "cash" for change in changes)

    def _on_cash_basis(self, documents: Sequence[Paid]) -> list[Paid]:
        return [document for document in documents if self._basis_of(document.tax_date) == "cash"]

    def _paid_for(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        return (fact for fact in facts if self._is_paid_for(fact))

    def _basis_of(self, tax_date: str) -> Basis:
        return self.basis or basis_on(tax_date)
