"""Views of revaluations."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books.voids import check_voidable
from erp.finance.closing.revaluation.bodies import RevaluationFilter
from erp.finance.closing.revaluation.models import Revaluation, Status
from erp.finance.closing.revaluation.revaluations import gains_and_losses
from erp.finance.contacts import heads
from erp.finance.items.views import Signed
from erp.kernel import caller, money
from erp.kernel.money import RATE_SCALE
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.paging import page, within
from erp.web.scalars import Figure, Money
from erp.web.schema import Page, RecordView, View, show


class RevaluationRateView(View):
    """The value of 1 unit of a currency in the base currency."""

    currency: str
    rate: Figure


class RevaluationLineView(View):
    """An open item or the balance of an account, with its book value and its value on the day."""

    account_id: str
    account_code: str
    account_name: str
    contact_id: str | None
    contact_name: str | None
    item_id: Annotated[str | None, Meta(description="Null for the balance of an account.")]
    number: Annotated[str, Meta(description="Of the item's document; of an account, its code.")]
    currency: str
    amount: Signed
    book_value: Signed
    value: Signed
    difference: Annotated[Money, Meta(description="A gain above zero, a loss below.")]


class RevaluationPreview(View):
    """A revaluation as it would be posted: nothing is stored."""

    date: str
    reversed_on: str
    rates: list[RevaluationRateView]
    lines: list[RevaluationLineView]
    gains: Money
    losses: Money

    @classmethod
    def of(cls, revaluation: Revaluation) -> "RevaluationPreview":
        """The view of a revaluation that is not stored."""
        return cls(**_figures(revaluation, _names([revaluation])))


class RevaluationView(RecordView):
    """Open items and accounts in foreign currencies, valued at the end of a day.

    The next day it is reversed automatically.
    """

    created_by: str | None
    created_by_name: str | None
    number: str
    status: Status
    date: str
    reversed_on: str
    rates: list[RevaluationRateView]
    lines: list[RevaluationLineView]
    gains: Money
    losses: Money
    journal_entry_id: Annotated[str | None, Meta(description="Null where nothing differs.")]
    journal_entry_number: str | None
    reversal_entry_id: str | None
    reversal_entry_number: str | None
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Literal["void"]], Meta(description="Actions on the revaluation open to you now.")]

    @classmethod
    def of(cls, revaluation: Revaluation) -> "RevaluationView":
        (view,) = cls.of_many([revaluation])
        return view

    @classmethod
    def of_many(cls, revaluations: Sequence[Revaluation]) -> "list[RevaluationView]":
        """Show revaluations; one query, however many they are."""
        named = _names(revaluations)
        return [_shown(revaluation, named) for revaluation in revaluations]


def search(query: RevaluationFilter) -> Page[RevaluationView]:
    select = Revaluation.select()
    if query.status is not None:
        select = select.where(Revaluation.status == query.status)
    select = within(select, query, Revaluation.date)
    sortable = {"date": Revaluation.date}
    return page(select, query, views=RevaluationView.of_many, sort=query.sort, sortable=sortable)


def _names(revaluations: Sequence[Revaluation]) -> Names:
    lines = [line for revaluation in revaluations for line in revaluation.lines]
    return names.of(
        account=[line["account_id"] for line in lines],
        contact=[line["contact_id"] for line in lines],
        journal_entry=[
            id for revaluation in revaluations for id in (revaluation.journal_entry_id, revaluation.reversal_entry_id)
        ],
    )


def _shown(revaluation: Revaluation, named: Names) -> RevaluationView:
    can: dict[Literal["void"], Callable[[], object]] = {"void": lambda: check_voidable(revaluation)}
    return show(
        RevaluationView,
        revaluation,
        **_figures(revaluation, named),
        journal_entry_number=named.code(revaluation.journal_entry_id),
        reversal_entry_number=named.code(revaluation.reversal_entry_id),
        can=caller.allowed("finance.write", can),
    )


def _figures(revaluation: Revaluation, named: Names) -> dict[str, Any]:
    base = workspace_settings.current().base_currency
    gains, losses = gains_and_losses(revaluation)
    rates = sorted(revaluation.rates.items())
    return {
        "date": revaluation.date.isoformat(),
        "reversed_on": (revaluation.date + timedelta(days=1)).isoformat(),
        "rates": [RevaluationRateView(currency=name, rate=money.plain(rate, RATE_SCALE)) for name, rate in rates],
        "lines": [_line(line, named, base) for line in revaluation.lines],
        "gains": money.text(gains, base),
        "losses": money.text(losses, base),
    }


def _line(line: Mapping[str, Any], named: Names, base: str) -> RevaluationLineView:
    fields = ("account_id", "item_id", "number", "currency")
    return RevaluationLineView(
        **{name: line[name] for name in fields},
        contact_id=line["contact_id"] and heads.of(line["contact_id"]),
        account_code=named.code(line["account_id"]) or "",
        account_name=named.name(line["account_id"]) or "",
        contact_name=named.name(line["contact_id"]),
        amount=money.text(line["amount"], line["currency"]),
        book_value=money.text(line["book"], base),
        value=money.text(line["book"] + line["difference"], base),
        difference=money.text(line["difference"], base),
    )
