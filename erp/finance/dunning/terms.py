"""The workspace's setting `reminders`: the smallest amount, points above the base rate, and the lump sum.

Only what the office chose itself is stored, as it was sent; the rest is by country. The points and the lump sum of the
countries follow Directive 2011/7/EU as their laws apply it (DE: §§ 247, 288 BGB; AT: §§ 455, 456 UGB, § 1000
ABGB; GB: Late Payment of Commercial Debts (Interest) Act 1998). To be checked against the official text.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import UNSET, Meta, to_builtins

from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.store import workspace_settings
from erp.store.workspace_settings import Settings
from erp.web import schema
from erp.web.scalars import Figure, Money, NotNegativeAmount, Percent, PositiveAmount
from erp.web.schema import Body, Unset, View
from erp.web.text_scalars import KnownCurrency

InterestFrom = Literal["first_letter", "due"]
MINIMUM = Decimal(5)

Points = Annotated[Percent, Meta(description="Percentage points above the base rate; null: no interest.")]


class LumpSum(Body):
    """The amount that a business owes for being late, once for each invoice in this currency."""

    currency: KnownCurrency
    amount: PositiveAmount


class RemindersChange(Body):
    """Terms of reminders; omitted ones stay. Those never sent are the country's."""

    minimum_amount: (
        Annotated[
            NotNegativeAmount, Meta(description="Up to this open amount no letter is made, in the base currency.")
        ]
        | Unset
    ) = UNSET
    business_points: Points | Unset | None = UNSET
    consumer_points: Points | Unset | None = UNSET
    fixed_consumer_rate: (
        Annotated[Percent, Meta(description="The yearly rate for consumers instead of base rate and points.")]
        | Unset
        | None
    ) = UNSET
    lump_sum: LumpSum | Unset | None = UNSET
    consumer_interest_from: (
        Annotated[InterestFrom, Meta(description="Whether consumers owe interest after the first letter, or once due.")]
        | Unset
    ) = UNSET


class LumpSumView(View):
    """The lump sum for being late."""

    currency: str
    amount: Money


class RemindersView(View):
    """The terms of reminders, with the country's where the office chose none."""

    minimum_amount: Money
    business_points: Figure | None
    consumer_points: Figure | None
    fixed_consumer_rate: Figure | None
    lump_sum: LumpSumView | None
    consumer_interest_from: InterestFrom

    @classmethod
    def of(cls, settings: Settings) -> "RemindersView":
        terms = of(settings)
        lump_sum = terms.lump_sum
        return cls(
            minimum_amount=money.text(terms.minimum, settings.base_currency),
            business_points=_figure(terms.business_points),
            consumer_points=_figure(terms.consumer_points),
            fixed_consumer_rate=_figure(terms.fixed_consumer_rate),
            lump_sum=lump_sum and LumpSumView(currency=lump_sum[0], amount=money.text(lump_sum[1], lump_sum[0])),
            consumer_interest_from=terms.consumer_interest_from,
        )


class Terms(NamedTuple):
    """The terms in minor units and millionths of a percent; the lump sum with its currency."""

    minimum: int
    business_points: int | None
    consumer_points: int | None
    fixed_consumer_rate: int | None
    lump_sum: tuple[str, int] | None
    consumer_interest_from: InterestFrom


_BY_COUNTRY: Mapping[str, Mapping[str, Any]] = {
    "DE": {"businessPoints": "9", "consumerPoints": "5", "lumpSum": {"currency": "EUR", "amount": "40.00"}},
    "AT": {"businessPoints": "9.2", "fixedConsumerRate": "4"},
    "GB": {"businessPoints": "8"},
}


def current() -> Terms:
    """The terms of the open workspace."""
    return of(workspace_settings.current())


def of(settings: Settings) -> Terms:
    """The terms by settings: the office's own, else the country's."""
    plain = {**_BY_COUNTRY.get(settings.country or "", {}), **(settings.reminders or {})}
    chosen = schema.decode(plain, RemindersChange)
    lump_sum = chosen.lump_sum or None
    minimum = MINIMUM if chosen.minimum_amount is UNSET else chosen.minimum_amount
    return Terms(
        minimum=_minor(minimum, settings.base_currency),
        business_points=_scaled(chosen.business_points),
        consumer_points=_scaled(chosen.consumer_points),
        fixed_consumer_rate=_scaled(chosen.fixed_consumer_rate),
        lump_sum=lump_sum and (str(lump_sum.currency), _minor(lump_sum.amount, str(lump_sum.currency))),
        consumer_interest_from=chosen.consumer_interest_from or "first_letter",
    )


def stored(change: RemindersChange, settings: Settings, currency: str, complaints: Complaints) -> dict[str, Any]:
    """The terms that the office has chosen, after a change.

    Args:
        currency: the base currency after the change.
    """
    sent = change.changes()
    if sent.get("minimum_amount") is not None:
        complaints.minor(sent["minimum_amount"], currency, "reminders.minimumAmount")
    if sent.get("lump_sum"):
        lump_sum = sent["lump_sum"]
        complaints.minor(lump_sum.amount, str(lump_sum.currency), "reminders.lumpSum.amount")
    plain: dict[str, Any] = to_builtins(change, enc_hook=str)
    return {**(settings.reminders or {}), **plain}


def _minor(amount: Decimal, currency: str) -> int:
    """Minor units; an amount that was chosen for another currency may have more decimals."""
    return money.minor(money.round_to(amount, DIGITS[currency]), currency)


def _scaled(value: Any) -> int | None:
    return None if value is UNSET or value is None else money.scaled(value, money.MICRO)


def _figure(value: int | None) -> str | None:
    return None if value is None else money.plain(value)
