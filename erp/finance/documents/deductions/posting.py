"""From the parts of a deduction to the legs of its journal entry."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books import ledger
from erp.finance.books.ledger import Leg
from erp.finance.contacts.tax_rates import OWED_BY_BUYER, TaxRateRef
from erp.finance.documents.bodies import PURCHASES
from erp.finance.documents.crediting import left as lefts
from erp.finance.documents.crediting.left import Left
from erp.finance.documents.deductions.parts import Part, Rate
from erp.finance.documents.totals import TAXED, tax_on
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
    """An amount in the currency of its document, and what it is worth in the base currency."""

    minor: int
    base: int


def rates_of(left: Left) -> list[Rate]:
    """What a document comes to at each tax rate; its rounding is with the largest of them."""
    worths = [(line.row.tax_rate_id, line.worth) for line in left.lines]
    worths += [(item.row.tax_rate_id, item.worth) for item in left.adjustments]
    rates = []
    for id in dict.fromkeys(id for id, _ in worths):
        own = [worth for rate_id, worth in worths if rate_id == id]
        tax = sum(worth.tax for worth in own)
        amount = sum(worth.discounted for worth in own) + (0 if left.prices.include_tax else tax)
        percent = left.tax(id).rate if left.tax(id).category == TAXED else 0
        rates.append(Rate(id, percent, amount, tax))
    largest = max(range(len(rates)), key=lambda i: rates[i].amount)
    rates[largest] = rates[largest]._replace(amount=rates[largest].amount + left.rounding_amount)
    return rates


def legs_of(left: Left, parts: Sequence[Part], amount: Amount, kind: str, *, corrects_tax: bool) -> list[Leg]:
    """The legs of a deduction without that on the receivable or payable, for a sale as debits.

    Args:
        left: the document as it is without deductions.
        amount: what they sum to, for a sale above zero.
    """
    nets = [part.net if corrects_tax else part.amount for part in parts]
    taxes = [part.tax if corrects_tax else 0 for part in parts]
    deductible = [_deductible(left, part.rate_id, tax) for part, tax in zip(parts, taxes, strict=True)]
    targets = [
        (_account(left, part.rate_id, kind), net + tax - own, part.rate_id)
        for part, net, tax, own in zip(parts, nets, taxes, deductible, strict=True)
    ]
    accounts = lefts.tax_accounts_of(left)
    fallback = ledger.default_account("input_tax" if left.invoice.kind in PURCHASES else "tax")
    targets += [
        (accounts.get(part.rate_id) or fallback, own, part.rate_id)
        for part, own in zip(parts, deductible, strict=True)
        if own
    ]
    legs = list(_legs(left, targets, amount))
    if corrects_tax and left.invoice.kind in PURCHASES:
        legs += [leg for part in parts for leg in _reverse_charge(left, part, amount, accounts.get(part.rate_id))]
    return [leg for leg in legs if leg.amount]


def _account(left: Left, rate_id: str | None, kind: str) -> str:
    """The account of a net amount: for a cash discount that of its tax rate, where it has one."""
    is_purchase, rate = left.invoice.kind in PURCHASES, left.rates.get(rate_id)
    own = rate and (rate.discounts_received_account_id if is_purchase else rate.discounts_given_account_id)
    if kind == "cash_discount" and own:
        return own
    return ledger.default_account((PURCHASE_KEYS if is_purchase else SALE_KEYS)[kind])


def signed(left: Left, legs: Sequence[Leg], *, is_opposite: bool = False) -> list[Leg]:
    """Legs as the document posts them: a deduction from a sale debits them, one from a bill credits them."""
    sign = -1 if (left.invoice.kind in PURCHASES) != is_opposite else 1
    return [
        replace(
            leg,
            amount=sign * leg.amount,
            foreign_amount=None if leg.foreign_amount is None else sign * leg.foreign_amount,
        )
        for leg in legs
    ]


def _legs(left: Left, targets: Sequence[tuple[str, int, str | None]], amount: Amount) -> Iterator[Leg]:
    bases = spread(amount.base, [minor for _, minor, _ in targets])
    for (account_id, minor, rate_id), base in zip(targets, bases, strict=True):
        yield _leg(left, account_id, minor, base, rate_id)


def _leg(left: Left, account_id: str, minor: int, base: int, rate_id: str | None) -> Leg:
    rate = left.rates.get(rate_id)
    leg = Leg(account_id, base, description=None if rate is None else f"{money.plain(rate.rate)} %")
    if left.invoice.exchange_rate is None:
        return leg
    return replace(leg, currency=left.invoice.currency, foreign_amount=minor)


def _deductible(left: Left, rate_id: str | None, tax: int) -> int:
    """The part of a tax that had been deducted, of a bill whose tax is deductible in part."""
    rows = [line.row for line in left.lines if line.row.tax_rate_id == rate_id]
    own, lost = sum(row.tax for row in rows), sum(row.non_deductible_tax for row in rows)
    return tax - divide(tax * lost, own) if own and lost else tax


def _reverse_charge(left: Left, part: Part, amount: Amount, input_tax: str | None) -> Iterator[Leg]:
    """The tax that was owed in the supplier's place and deducted, both less."""
    rate = left.rates.get(part.rate_id)
    if rate is None or rate.category not in OWED_BY_BUYER or not rate.rate:
        return
    tax = tax_on(part.amount, rate.rate)
    base = divide(amount.base * tax, amount.minor)
    owed_to = _owed_to(rate)
    yield _leg(left, input_tax or ledger.default_account("input_tax"), tax, base, part.rate_id)
    yield _leg(left, owed_to, -tax, -base, part.rate_id)


def _owed_to(rate: TaxRateRef) -> str:
    return rate.output_tax_account_id or ledger.default_account("tax")
