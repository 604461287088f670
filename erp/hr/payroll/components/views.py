"""Views of pay components."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from erp.hr.payroll.calculation.values import BracketPeriod, Calculation, Kind, LineRounding, Method
from erp.hr.payroll.models import PayComponent
from erp.kernel import money
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

Percentage = Annotated[str, msgspec.Meta(description="A percentage without trailing zeros.", examples=["12.5"])]


class BracketView(View):
    """A slice of pay, up to and including `upTo`, which is null for the last."""

    up_to: Money | None
    rate: Percentage
    fixed: Annotated[Money | None, msgspec.Meta(description="Due for all below the slice; null: what it comes to.")]


class OvertimeView(View):
    """The threshold of overtime, and the multiplier of its regular rate."""

    after_minutes: int
    per: Literal["day", "week"]
    multiplier: Figure


class PayComponentView(RecordView):
    """A pay component; an account of null is the default one."""

    created_by: str | None
    created_by_name: str | None
    code: str
    name: str
    kind: Kind
    calculation: Calculation
    currency: Annotated[
        str | None,
        msgspec.Meta(description="It is only for pay in it; null: for all pay, by amounts in the base currency."),
    ]
    amount: Money | None
    percent: Percentage | None
    brackets: list[BracketView] | None
    bracket_period: BracketPeriod
    method: Method
    base_cap: Money | None
    amount_cap: Money | None
    overtime: OvertimeView | None
    rounding: LineRounding
    is_taxable: bool
    is_pre_tax: bool
    is_prorated: bool
    applies_to_all: bool
    expense_account_id: str | None
    expense_account_code: str | None
    expense_account_name: str | None
    liability_account_id: str | None
    liability_account_code: str | None
    liability_account_name: str | None
    position: int
    source: str | None
    archived_at: str | None

    @classmethod
    def of(cls, row: PayComponent) -> "PayComponentView":
        return cls.of_many([row])[0]

    @classmethod
    def of_many(cls, rows: Sequence[PayComponent]) -> "list[PayComponentView]":
        """The views of pay components; one query names their accounts."""
        named = names.of(account=[id for row in rows for id in (row.expense_account_id, row.liability_account_id)])
        return [show(cls, row, **_derived(row, named)) for row in rows]


def _derived(row: PayComponent, named: Names) -> dict[str, Any]:
    return {
        **{name: _money(row, getattr(row, name)) for name in ("amount", "base_cap", "amount_cap")},
        "percent": None if row.percent is None else money.plain(row.percent),
        "brackets": _brackets(row),
        "overtime": _overtime(row),
        "expense_account_code": named.code(row.expense_account_id),
        "expense_account_name": named.name(row.expense_account_id),
        "liability_account_code": named.code(row.liability_account_id),
        "liability_account_name": named.name(row.liability_account_id),
    }


def _money(row: PayComponent, amount: int | None) -> str | None:
    currency = row.currency or workspace_settings.current().base_currency
    return None if amount is None else money.text(amount, currency)


def _brackets(row: PayComponent) -> list[BracketView] | None:
    if row.brackets is None:
        return None
    return [
        BracketView(
            up_to=_money(row, bracket["upTo"]),
            rate=money.plain(bracket["rate"]),
            fixed=_money(row, bracket["fixed"]),
        )
        for bracket in row.brackets
    ]


def _overtime(row: PayComponent) -> OvertimeView | None:
    rule = row.overtime
    if rule is None:
        return None
    multiplier = money.plain(rule["multiplier"])
    return OvertimeView(after_minutes=rule["afterMinutes"], per=rule["per"], multiplier=multiplier)
