"""Pay components as they are shown."""

from typing import Annotated, Literal

import msgspec

from erp.hr.payroll.calculation.values import BracketPeriod, Calculation, Kind, LineRounding, Method
from erp.hr.payroll.models import PayComponent
from erp.kernel import money
from erp.store import workspace_settings
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

Percentage = Annotated[str, msgspec.Meta(description="A percentage without trailing zeros.", examples=["12.5"])]


class BracketView(View):
    """A slice of pay, up to and including `upTo`, which is null for the last."""

    up_to: Money | None
    rate: Percentage


class OvertimeView(View):
    """When time counts as overtime, and by how much its regular rate is multiplied."""

    after_minutes: int
    per: Literal["day", "week"]
    multiplier: Figure


class PayComponentView(RecordView):
    """A pay component; an account of null is the default one."""

    created_by: str | None
    code: str
    name: str
    kind: Kind
    calculation: Calculation
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
    liability_account_id: str | None
    position: int
    source: str | None
    archived_at: str | None

    @classmethod
    def of(cls, row: PayComponent) -> "PayComponentView":
        """The view of a pay component."""
        amounts = {name: _money(getattr(row, name)) for name in ("amount", "base_cap", "amount_cap")}
        percent = None if row.percent is None else money.plain(row.percent)
        return show(cls, row, **amounts, percent=percent, brackets=_brackets(row), overtime=_overtime(row))


def _money(amount: int | None) -> str | None:
    return None if amount is None else money.text(amount, workspace_settings.current().base_currency)


def _brackets(row: PayComponent) -> list[BracketView] | None:
    if row.brackets is None:
        return None
    return [BracketView(up_to=_money(bracket["upTo"]), rate=money.plain(bracket["rate"])) for bracket in row.brackets]


def _overtime(row: PayComponent) -> OvertimeView | None:
    rule = row.overtime
    if rule is None:
        return None
    multiplier = money.plain(rule["multiplier"])
    return OvertimeView(after_minutes=rule["afterMinutes"], per=rule["per"], multiplier=multiplier)
