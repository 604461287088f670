"""From the parts of a deduction to the legs of its journal entry."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books import default_accounts
from erp.finance.books.ledger import Leg
from erp.finance.contacts.tax_rates import OWED_BY_BUYER
from erp.finance.documents.totals import tax_on
from erp.finance.write_downs.basis import Basis
from erp.finance.write_downs.parts import Part
from erp.kernel import money
from erp.kernel.money import divide, spread

SALE_KEYS = {
    "cash_discount": "discounts_given",
    "uncollectable": "bad_debts",
    "small_difference": "small_difference_losses",
    "recovery": "recovered_debts",
}
PURCHASE_KEYS = {
    "cash_discount": "discounts_received",
    "uncollectable": "recovered_debts",
    "small_difference": "small_difference_gains",
    "recovery": "recovered_debts",
}
"""The default account that the net amount of a deduction goes to, by its kind."""


class Amount(NamedTuple):
    """An amount in the currency of its subject, and in the base currency."""

    minor: int
    base: int


def legs_of(basis: Basis, parts: Sequence[Part], amount: Amount, kind: str, *, corrects_tax: bool) -> list[Leg]:
    """The legs of a deduction except the one on the receivable or payable, for a sale as debits.

    Args:
        basis: of the parts.
        amount: the sum of the parts, for a sale above zero.
    """
    nets = [part.net if corrects_tax else part.amount for part in parts]
    taxes = [part.tax if corrects_tax else 0 for part in parts]
    deductible = [_deductible(basis, part.rate_id, tax) for part, tax in zip(parts, taxes, strict=True)]
    targets = [
        (_account(basis, part.rate_id, kind), net + tax - own, part.rate_id)
        for part, net, tax, own in zip(parts, nets, taxes, deductible, strict=True)
    ]
    fallback = default_accounts.of("input_tax" if basis.is_purchase else "tax")
    targets += [
        (basis.tax_accounts.get(part.rate_id) or fallback, own, part.rate_id)
        for part, own in zip(parts, deductible, strict=True)
        if own
    ]
    legs = list(_legs(basis, targets, amount))
    if corrects_tax and basis.is_purchase:
        legs += [leg for part in parts for leg in _reverse_charge(basis, part, amount)]
    return [leg for leg in legs if leg.amount]


def _account(basis: Basis, rate_id: str | None, kind: str) -> str:
    """The account of a net amount; a tax rate may have its own for cash discounts."""
    rate = basis.tax_rates.get(rate_id)
    own = rate and (rate.discounts_received_account_id if basis.is_purchase else rate.discounts_given_account_id)
    if kind == "cash_discount" and own:
        return own
    return default_accounts.of((PURCHASE_KEYS if basis.is_purchase else SALE_KEYS)[kind])


def signed(basis: Basis, legs: Sequence[Leg], *, is_opposite: bool = False) -> list[Leg]:
    """Legs as they are posted: a deduction from a sale debits them, one from a bill credits them."""
    sign = -1 if basis.is_purchase != is_opposite else 1
    return [
        replace(
            leg,
            amount=sign * leg.amount,
            foreign_amount=None if leg.foreign_amount is None else sign * leg.foreign_amount,
        )
        for leg in legs
    ]


def _legs(basis: Basis, targets: Sequence[tuple[str, int, str | None]], amount: Amount) -> Iterator[Leg]:
    bases = spread(amount.base, [minor for _, minor, _ in targets])
    for (account_id, minor, rate_id), base in zip(targets, bases, strict=True):
        yield _leg(basis, account_id, minor, base, rate_id)


def _leg(basis: Basis, account_id: str, minor: int, base: int, rate_id: str | None) -> Leg:
    rate = basis.tax_rates.get(rate_id)
    leg = Leg(account_id, base, description=None if rate is None else f"{money.plain(rate.rate)} %")
    if basis.currency is None:
        return leg
    return replace(leg, currency=basis.currency, foreign_amount=minor)


def _deductible(basis: Basis, rate_id: str | None, tax: int) -> int:
    """The deductible part of a tax; all of it, unless a part of the bill's tax was not deductible."""
    own, lost = basis.lost.get(rate_id, (0, 0))
    return tax - divide(tax * lost, own) if own and lost else tax


def _reverse_charge(basis: Basis, part: Part, amount: Amount) -> Iterator[Leg]:
    """Lower both sides of a reverse charge: the tax owed in the supplier's place, and the same tax deducted."""
    rate = basis.tax_rates.get(part.rate_id)
    if rate is None or rate.category not in OWED_BY_BUYER or not rate.rate:
        return
    tax = tax_on(part.amount, rate.rate)
    base = divide(amount.base * tax, amount.minor)
    input_tax = basis.tax_accounts.get(part.rate_id)
    yield _leg(basis, input_tax or default_accounts.of("input_tax"), tax, base, part.rate_id)
    yield _leg(basis, rate.output_tax_account_id or default_accounts.of("tax"), -tax, -base, part.rate_id)
