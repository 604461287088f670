"""From an invoice's figures to the legs of its journal entry."""

from collections.abc import Iterator
from dataclasses import replace

from erp.finance.books import ledger
from erp.finance.books.ledger import Leg
from erp.finance.documents.figures import Figures, in_base

_Place = tuple[str, str | None]
"""The account and the project that an amount is posted to."""


def legs(figures: Figures, contact_id: str) -> list[Leg]:
    """The legs of a sales document, none of zero: the receivable against income, tax and rounding.

    In a foreign currency each leg is converted by itself. What their rounding leaves goes to the largest of those
    against the receivable, which stays the document's total at its rate.
    """
    sign = -1 if figures.terms.type == "sales_credit_note" else 1
    amounts: dict[_Place, int] = {}
    for place, amount in _against(figures):
        amounts[place] = amounts.get(place, 0) - sign * amount
    receivable = _leg(figures, (ledger.default_account("receivable"), None), sign * figures.totals.total, contact_id)
    against = [_leg(figures, place, amount) for place, amount in amounts.items()]
    _balance(against, -receivable.amount)
    return [leg for leg in (receivable, *against) if leg.amount]


def _against(figures: Figures) -> Iterator[tuple[_Place, int]]:
    """What makes up the total, by where it is posted."""
    totals, project_id = figures.totals, figures.terms.project_id
    for result, account_id, own in zip(totals.lines, figures.line_accounts, figures.line_projects, strict=True):
        yield (account_id, own or project_id), result.net - result.discount_share
    adjustments = zip(figures.document.adjustments, totals.adjustments, figures.adjustment_accounts, strict=True)
    for given, worked_out, account_id in adjustments:
        yield (account_id, project_id), worked_out.amount if given.is_charge else -worked_out.amount
    for group in totals.tax_breakdown:
        for rate in group.rates:
            account = figures.tax_accounts.get(rate.rate_id) or ledger.default_account("tax")
            yield (account, None), rate.tax
    yield (ledger.default_account("rounding"), None), totals.rounding_amount


def _leg(figures: Figures, place: _Place, amount: int, contact_id: str | None = None) -> Leg:
    account_id, project_id = place
    if figures.exchange_rate is None:
        return Leg(account_id, amount, contact_id, project_id)
    base = in_base(amount, figures.currency, figures.exchange_rate)
    return Leg(account_id, base, contact_id, project_id, currency=figures.currency, foreign_amount=amount)


def _balance(against: list[Leg], wanted: int) -> None:
    """Give the largest leg what rounding has left, so that all sum to what is wanted."""
    rest = wanted - sum(leg.amount for leg in against)
    if rest:
        largest = max(range(len(against)), key=lambda i: (abs(against[i].amount), abs(against[i].foreign_amount or 0)))
        against[largest] = replace(against[largest], amount=against[largest].amount + rest)
