"""Opening years: the pay of a calendar year that an employee got before payroll came to this program."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.hr.access import own_pay
from erp.hr.access.models import Employee
from erp.hr.access.own_pay import OwnPay
from erp.hr.employees import compensation
from erp.hr.payroll.calculation.values import Kind
from erp.hr.payroll.models import OpeningYear, PayComponent
from erp.hr.sites import sites
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, NotFound, UnknownReference
from erp.kernel.language import Noun, Word, says, translated
from erp.store import events, names, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Amount, Day, Id, Money
from erp.web.schema import Body, RecordView, View, show
from erp.web.text_scalars import KnownCurrency

BASE = "base"
"""The code of the line of base pay."""


class OpeningPay(Body, kw_only=True):
    """The sum of a pay component before, or of base pay."""

    component_id: Id | None = None
    code: Annotated[Literal["base"], msgspec.Meta(description="Base pay, in place of a component.")] | None = None
    kind: Annotated[Kind, msgspec.Meta(description="As the component's; it can be left out.")] | None = None
    amount: Amount


class OpeningYearChange(Body, kw_only=True):
    """The year through a day; `taxable` is the base of brackets."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "throughDate": "2026-06-30",
        "taxable": "18000.00",
        "lines": [{"code": "base", "kind": "earning", "amount": "18000.00"}],
    }

    through_date: Annotated[Day, msgspec.Meta(description="Payslips with a later pay date count it.")]
    currency: (
        Annotated[KnownCurrency, msgspec.Meta(description="Of the amounts; the one of the pay by default.")] | None
    ) = None
    taxable: Amount
    lines: Annotated[list[OpeningPay], msgspec.Meta(max_length=100)]


class OpeningPayView(View):
    """The sum of a pay component before, or of base pay, which has no component."""

    component_id: str | None
    code: str
    name: str
    kind: Kind
    amount: Money


class OpeningYearView(RecordView):
    """The pay of a year before this program; the next payslips of the year count it in their year to date."""

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    year: int
    through_date: str
    currency: str
    taxable: Money
    lines: list[OpeningPayView]

    @classmethod
    def of(cls, opening: OpeningYear) -> "OpeningYearView":
        currency = opening.currency
        return show(
            cls,
            opening,
            employee_name=names.of(employee=[opening.employee_id]).name(opening.employee_id),
            through_date=opening.through_date.isoformat(),
            taxable=money.text(opening.taxable, currency),
            lines=[_line(line, currency) for line in opening.lines],
        )


def _line(line: Mapping[str, Any], currency: str) -> OpeningPayView:
    return OpeningPayView(
        component_id=line["componentId"],
        code=line["code"],
        name=line["name"],
        kind=line["kind"],
        amount=money.text(line["amount"], currency),
    )


_PAID = """
SELECT run.number FROM payslip JOIN payroll_run AS run ON run.id = run_id
WHERE employee_id = ? AND run.status IN ('approved', 'paid') AND payslip.pay_date BETWEEN ? AND ? LIMIT 1
"""


def find(employee_id: str, year: int) -> OpeningYear:
    """The opening year of an employee.

    Raises:
        NotFound: there is none.
    """
    opening = OpeningYear.find_by(employee_id=employee_id, year=year)
    if opening is None:
        raise NotFound(OpeningYear.noun.missing())
    return opening


def set_year(employee_id: str, year: int, body: OpeningYearChange) -> OpeningYear:
    """Set the opening year of an employee, in place of the one before.

    Raises:
        NotFound: there is no such employee.
        OwnPay: it is the caller's own, and someone else can set it.
        InUse: a payslip of the year has been approved.
        UnknownReference, Invalid: a component or an amount does not fit.
    """
    employee = Employee.find(employee_id)
    own_pay.refuse_own(employee, Word("change your own pay"))
    for (number,) in WORKSPACE.rows(_PAID, (employee_id, f"{year}-01-01", f"{year}-12-31")):
        raise InUse(says("{number} has paid {name} in {year} already.", number=number, name=employee.name, year=year))
    columns = _columns(year, body, body.currency or _usual_currency(employee))
    opening = OpeningYear.find_by(employee_id=employee_id, year=year)
    if opening is None:
        opening = OpeningYear.add(employee=employee_id, year=year, **columns)
    else:
        opening.check_version()
        opening.change(**columns)
    employee.change()
    about = {"name": employee.name, "year": year, "changed": ["yearToDate"]}
    events.write("employee.year_to_date_set", "employee", employee.id, about)
    return opening


def _usual_currency(employee: Employee) -> str:
    """The currency of an employee's pay, or of their site."""
    pay = compensation.in_force([employee.id], workspace_settings.today()).get(employee.id)
    usual: str = pay.currency if pay else sites.values(sites.of_employee(employee.id))["currency"]
    return usual


def _columns(year: int, body: OpeningYearChange, currency: str) -> dict[str, Any]:
    complaints = Complaints()
    if body.through_date.year != year:
        complaints.add("throughDate", "outside_year", says("Must be a day of {year}.", year=year))
    taxable = complaints.minor(body.taxable, currency, "taxable")
    lines = [_stored(line, index, body.lines, currency, complaints) for index, line in enumerate(body.lines)]
    complaints.refuse()
    return {"through_date": body.through_date, "currency": currency, "taxable": taxable, "lines": lines}


def _stored(
    line: OpeningPay, index: int, lines: Sequence[OpeningPay], currency: str, complaints: Complaints
) -> dict[str, str | int | None]:
    field = f"lines[{index}]"
    if (line.component_id is None) == (line.code is None):
        message = says("Enter either a pay component, or the code of base pay.")
        complaints.add(f"{field}.code", "exactly_one", message)
    if any((line.component_id, line.code) == (other.component_id, other.code) for other in lines[:index]):
        complaints.add(f"{field}.componentId", "duplicate", says("This pay component is already listed above."))
    code, name, kind = _described(line, field, complaints)
    if line.kind not in (None, kind):
        complaints.add(f"{field}.kind", "other_kind", says("{name} is of another kind.", name=name))
    amount = complaints.minor(line.amount, currency, f"{field}.amount")
    return {"componentId": line.component_id, "code": code, "name": name, "kind": kind, "amount": amount}


def _described(line: OpeningPay, field: str, complaints: Complaints) -> tuple[str, str, str]:
    """The code, name and kind of a line."""
    component = line.component_id and PayComponent.find_or_none(line.component_id)
    if component:
        return component.code, component.name, component.kind
    if line.component_id is not None:
        complaints.unknown(f"{field}.componentId", Noun("pay component"))
    return BASE, translated(Word("Base pay"), workspace_settings.paper_language()), "earning"


def _year(year: str) -> int:
    if not re.fullmatch("(19|20|21)[0-9]{2}", year):
        raise NotFound(OpeningYear.noun.missing())
    return int(year)


class OfEmployee:
    @endpoint(permission="pay.read")
    def on_get(self, id: str, year: str) -> OpeningYearView:
        """Show the pay of a year that an employee got before this program.

        The sums of base pay and pay components through a day, and the base of brackets.
        """
        return OpeningYearView.of(find(id, _year(year)))

    @endpoint(permission="payroll.write", refuses=(OwnPay, InUse, NotFound, UnknownReference))
    def on_put(self, id: str, year: str, body: OpeningYearChange) -> OpeningYearView:
        """Set the pay of a year that an employee got before this program, in place of what was set before.

        Payslips with a pay date after `throughDate` count it in their year to date, in yearly caps and in cumulative
        brackets; no entry is posted. Once a payslip of the year is approved it is refused (409).

        You cannot set it for yourself: another owner, admin or hr does. Only an owner may when there is no other.
        """
        return OpeningYearView.of(set_year(id, _year(year), body))
