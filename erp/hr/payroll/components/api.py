"""Pay components over HTTP."""

from typing import Annotated, Any, Literal

import msgspec

from erp.hr.payroll.calculation.values import BracketPeriod, Calculation, Kind, LineRounding, Method
from erp.hr.payroll.components import components
from erp.hr.payroll.components.bodies import NewPayComponent, PayComponentChange
from erp.hr.payroll.models import PayComponent
from erp.kernel import money
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition, UnknownReference
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Money
from erp.web.schema import ListQuery, Page, RecordView, View

Percentage = Annotated[str, msgspec.Meta(description="A percentage without trailing zeros.", examples=["12.5"])]


class PayComponentFilter(ListQuery):
    """Which pay components to list."""

    archived: Annotated[bool, msgspec.Meta(description="List those that are archived instead.")] = False
    kind: Kind | None = None
    calculation: Calculation | None = None
    q: Annotated[str, msgspec.Meta(max_length=200, description="Text in the code or the name.")] | None = None
    sort: Literal["position", "-position", "code", "-code", "name", "-name", "createdAt", "-createdAt"] = "position"


class BracketView(View):
    """A slice of pay, up to and with `upTo`; the last has no end."""

    up_to: Money | None
    rate: Percentage


class OvertimeView(View):
    """From when on time counts as overtime, and how many times the regular rate it is worth."""

    after_minutes: int
    per: Literal["day", "week"]
    multiplier: str


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
    taxable: bool
    pre_tax: bool
    prorated: bool
    applies_to_all: bool
    expense_account_id: str | None
    liability_account_id: str | None
    position: int
    source: str | None
    archived_at: str | None

    @classmethod
    def of(cls, row: PayComponent) -> "PayComponentView":
        """The view of a pay component."""
        shown: dict[str, Any] = {name: _money(getattr(row, name)) for name in ("amount", "base_cap", "amount_cap")}
        shown |= {"percent": _plain(row.percent), "brackets": _brackets(row), "overtime": _overtime(row)}
        return cls(**{name: getattr(row, name) for name in cls.__struct_fields__ if name not in shown}, **shown)


def _money(amount: int | None) -> str | None:
    return None if amount is None else money.text(amount, workspace_settings.current().base_currency)


def _plain(value: int | None) -> str | None:
    return None if value is None else money.plain(value)


def _brackets(row: PayComponent) -> list[BracketView] | None:
    if row.brackets is None:
        return None
    return [BracketView(up_to=_money(each["upTo"]), rate=money.plain(each["rate"])) for each in row.brackets]


def _overtime(row: PayComponent) -> OvertimeView | None:
    rule = row.overtime
    if rule is None:
        return None
    multiplier = money.plain(rule["multiplier"])
    return OvertimeView(after_minutes=rule["afterMinutes"], per=rule["per"], multiplier=multiplier)


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self, query: PayComponentFilter) -> Page[PayComponentView]:
        """List the pay components, in the order in which payslips show them."""
        select = PayComponent.select().where(PayComponent.archived_at.is_null(not query.archived))
        if query.kind is not None:
            select = select.where(PayComponent.kind == query.kind)
        if query.calculation is not None:
            select = select.where(PayComponent.calculation == query.calculation)
        if query.q is not None:
            select = select.where(PayComponent.name.contains(query.q) | PayComponent.code.contains(query.q))
        sortable = {"position": PayComponent.position, "code": PayComponent.code, "name": PayComponent.name}
        return page(select, query, PayComponentView.of, sort=query.sort, sortable=sortable)

    @endpoint(permission="payroll.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewPayComponent) -> PayComponentView:
        """Add a pay component.

        Nobody gets it before their pay names it, unless `appliesToAll` gives it to everybody. What of it does not fit
        together is told all at once.
        """
        return PayComponentView.of(components.add(body))


class Item:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> PayComponentView:
        """Show a pay component."""
        return PayComponentView.of(PayComponent.find(id))

    @endpoint(permission="payroll.write", refuses=(AlreadyExists, UnknownReference))
    def on_patch(self, id: str, body: PayComponentChange) -> PayComponentView:
        """Change a pay component.

        Payslips keep the lines they have; drafts follow when they are recalculated.
        """
        return PayComponentView.of(components.change(id, body))

    @endpoint(permission="payroll.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a pay component that nobody's pay names and no payslip has."""
        components.remove(id)


class Archive:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> PayComponentView:
        """Archive a pay component.

        Nobody gets it anew; those whose pay names it keep it until their pay changes.
        """
        return PayComponentView.of(components.archive(id))


class Unarchive:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> PayComponentView:
        """Take an archived pay component back into use."""
        return PayComponentView.of(components.unarchive(id))
