"""The basis for splitting a deduction: the tax rates of its subject, and the accounts of their tax."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from erp.finance.books import default_accounts
from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.crediting import remaining
from erp.finance.crediting.remaining import Left
from erp.finance.documents.totals import TAXED, tax_within
from erp.finance.write_downs.parts import Rate
from erp.finance.write_downs.subjects import Subject


class Basis(NamedTuple):
    """The tax rates of a subject and their accounts, by the ids of the rates; None for no rate.

    `lost` is the tax of a rate and its non-deductible part. `currency` is None in the base currency.
    """

    is_purchase: bool
    currency: str | None
    rates: Sequence[Rate]
    tax_rates: Mapping[str | None, TaxRateRef | None]
    tax_accounts: Mapping[str | None, str | None]
    lost: Mapping[str | None, tuple[int, int]]


def of(subject: Subject) -> Basis:
    """The basis of a document, less its credit notes, or of an item without a document, which has one rate."""
    currency = subject.item.currency if subject.is_foreign else None
    if subject.invoice is None:
        return _of_item(subject, currency)
    left = remaining.after_credits(subject.invoice)
    rates = rates_of(left)
    return Basis(
        is_purchase=subject.is_purchase,
        currency=currency,
        rates=rates,
        tax_rates=left.rates,
        tax_accounts=remaining.tax_accounts_of(left),
        lost={rate.rate_id: _lost(left, rate.rate_id) for rate in rates},
    )


def _of_item(subject: Subject, currency: str | None) -> Basis:
    """The basis of an item without a document: its whole amount is gross, at its one rate."""
    id: str | None = subject.item.tax_rate_id
    rate = None if id is None else tax_rates.look_up({id: id})[0][id]
    percent = rate.rate if rate is not None and rate.category == TAXED else 0
    amount = abs(subject.item.amount)
    account = None
    if rate is not None:
        account = rate.input_tax_account_id if subject.is_purchase else rate.output_tax_account_id
    return Basis(
        is_purchase=subject.is_purchase,
        currency=currency,
        rates=[Rate(id, percent, amount, tax_within(amount, percent))],
        tax_rates={id: rate},
        tax_accounts={id: account or default_accounts.of("input_tax" if subject.is_purchase else "tax")},
        lost={},
    )


def rates_of(left: Left) -> list[Rate]:
    """Amount and tax of a document at each tax rate; its rounding goes with the largest amount."""
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


def _lost(left: Left, rate_id: str | None) -> tuple[int, int]:
    rows = [line.row for line in left.lines if line.row.tax_rate_id == rate_id]
    return sum(row.tax for row in rows), sum(row.non_deductible_tax for row in rows)
