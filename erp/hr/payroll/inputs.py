"""The inputs of a run's payslips, gathered for all employees together in a few queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, cast

import msgspec
from msgspec.structs import replace

from erp.finance.books import default_accounts
from erp.hr.attendance import days as attendance_days
from erp.hr.employees import employment
from erp.hr.employees.models import Compensation
from erp.hr.leave import days as leave_days
from erp.hr.payroll import history
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import (
    Basis,
    Component,
    Frequency,
    NamedComponent,
    PayInputs,
    PayLine,
    PayResult,
    PayTerms,
    PayType,
)
from erp.hr.payroll.components import components
from erp.hr.payroll.due import Due
from erp.hr.payroll.history import Earlier
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.store import Overrides
from erp.kernel.days import monday
from erp.kernel.errors import Refusal
from erp.kernel.money import OutOfRange
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import known

Source = Literal["attendance", "time_logs", "none"]
"""Source of an employee's working time."""

Minutes = Mapping[date, int]

_LOGGED = """
SELECT user_id, date, sum(minutes) FROM time_log
WHERE date BETWEEN ? AND ? AND user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id, date
"""


class PayTooLarge(Refusal):
    """The pay of {name} is more than the books can hold."""

    status = 422


class Case(msgspec.Struct, frozen=True):
    """An employee due, with all inputs of their payslip."""

    due: Due
    inputs: PayInputs
    source: Source
    earlier: Earlier

    def compute(self) -> PayResult:
        """The payslip.

        Raises:
            PayTooLarge: an amount is beyond what the books hold.
        """
        try:
            return payslip.compute(self.inputs)
        except OutOfRange:
            raise PayTooLarge(name=self.due.employee.name) from None


class ByHand(msgspec.Struct, frozen=True):
    """An employee's entries in a run that are not computed."""

    overrides: Overrides = msgspec.field(default_factory=dict)
    one_offs: Sequence[PayLine] = ()


def gather(
    run: PayrollRun, due: Sequence[Due], by_hand: Mapping[str, ByHand], paid: Mapping[str, Payslip] | None = None
) -> list[Case]:
    """The cases of the employees due who have days to pay and pay in force, or get a payslip always.

    Args:
        by_hand: by employee.
        paid: the payslips to recompute, by employee: with their source of time and their year as it stood then.
    """
    start, end = run.period_start, run.period_end
    all_terms = employment.compensations_between([entry.employee.id for entry in due], start, end)
    terms = _in_currency(all_terms, run.currency)
    due = [_without_others(entry, all_terms.get(entry.employee.id, ()), run.currency) for entry in due]
    entries = defaultdict(ByHand, by_hand)
    payable = [entry for entry in due if entry.always or (entry.days and entry.employee.id in terms)]
    ids = [entry.employee.id for entry in payable]
    times, leave = _times(run, payable, terms, paid or {}), leave_days.approved_between(ids, start, end)
    before, earlier = history.recorded(paid) if paid else (history.parts(run, ids), history.years_to_date(run, ids))
    shared = _shared(run)
    return [
        Case(
            due=entry,
            inputs=replace(
                shared,
                terms=[_terms(row) for row in terms.get(id, ())],
                work_days=list(entry.work_calendar.days(*payslip.days_needed(start, end))),
                due=entry.days,
                unpaid_leave=_leave(leave.get(id, {}), paid=False),
                paid_leave=_leave(leave.get(id, {}), paid=True),
                worked_minutes=times[id][0],
                before=before.get(id, ()),
                year_to_date=earlier[id].sums,
                overrides={key: override.amount for key, override in entries[id].overrides.items()},
                one_offs=entries[id].one_offs,
            ),
            source=times[id][1],
            earlier=earlier[id],
        )
        for id, entry in zip(ids, payable, strict=True)
    ]


def _in_currency(terms: Mapping[str, Sequence[Compensation]], currency: str) -> dict[str, list[Compensation]]:
    own = {id: [row for row in rows if row.currency == currency] for id, rows in terms.items()}
    return {id: rows for id, rows in own.items() if rows}


def _without_others(entry: Due, terms: Sequence[Compensation], currency: str) -> Due:
    """An employee without the days on which their pay is in another currency, for a run in that one."""
    if all(row.currency == currency for row in terms):
        return entry
    days = [day for day in entry.days if _currency_on(day, terms) in (None, currency)]
    return replace(entry, days=days)


def _currency_on(day: date, terms: Sequence[Compensation]) -> str | None:
    begun = [row.currency for row in terms if row.effective_from <= day]
    return begun[-1] if begun else None


def rules() -> dict[str, Any]:
    """The pay components and the proration basis of today, for a run to keep."""
    kept = msgspec.to_builtins(components.list_all())
    return {"basis": workspace_settings.current().proration_basis, "components": kept}


def _shared(run: PayrollRun) -> PayInputs:
    """The inputs that are the same for all employees; by the rules that an approved run has kept."""
    settings = workspace_settings.current()
    kept = run.rules or {"basis": settings.proration_basis}
    return PayInputs(
        period_start=run.period_start,
        period_end=run.period_end,
        currency=run.currency,
        basis=cast(Basis, kept["basis"]),
        terms=(),
        work_days=(),
        due=(),
        components=component_list(run),
        salaries_account_id=default_accounts.of("salaries"),
    )


def component_list(run: PayrollRun) -> list[Component]:
    """The pay components that a run takes: as it has kept them, else as they are today."""
    kept = msgspec.convert(run.rules["components"], known(list[Component])) if run.rules else components.list_all()
    taken = (taken_in(run.currency, component) for component in kept)
    return [component for component in taken if component is not None]


def taken_in(currency: str, component: Component) -> Component | None:
    """A component as pay in a currency takes it; None if it does not.

    One without a currency has its amounts in the base currency. Pay in another takes none of them: people have their
    own amounts there, and a component with brackets or caps is left out.
    """
    if currency == (component.currency or workspace_settings.current().base_currency):
        return component
    has_limits = component.brackets or component.base_cap is not None or component.amount_cap is not None
    return None if component.currency or has_limits else replace(component, amount=None)


def _terms(row: Compensation) -> PayTerms:
    named = [
        NamedComponent(entry["componentId"], entry.get("amount"), entry.get("percent")) for entry in row.components
    ]
    pay_type, frequency = cast(PayType, row.pay_type), cast(Frequency, row.frequency)
    return PayTerms(row.effective_from, pay_type, row.amount, frequency, named)


def _leave(days: Mapping[date, Sequence[tuple[int, bool]]], *, paid: bool) -> dict[date, int]:
    hundredths = {day: sum(part for part, is_paid in parts if is_paid == paid) for day, parts in days.items()}
    return {day: part for day, part in hundredths.items() if part}


def _times(
    run: PayrollRun,
    payable: Sequence[Due],
    terms: Mapping[str, Sequence[Compensation]],
    paid: Mapping[str, Payslip],
) -> dict[str, tuple[Minutes, Source]]:
    """The minutes of each day from the Monday before the period, and their source.

    Attendance counts for every employee who has any in the period. Hourly employees without any are paid by their
    time logs. A payslip that is recomputed keeps its source, except for `none`.
    """
    start = monday(run.period_start)
    kept = {id: payslip.time_source for id, payslip in paid.items() if payslip.time_source != "none"}
    attended = attendance_days.worked_between([entry.employee.id for entry in payable], start, run.period_end)
    by_logs = [
        entry.employee
        for entry in payable
        if entry.employee.user_id
        and any(row.pay_type == "hourly" for row in terms.get(entry.employee.id, ()))
        and _is_logged(kept.get(entry.employee.id), attended[entry.employee.id], run.period_start)
    ]
    logged = _logged([str(employee.user_id) for employee in by_logs], start, run.period_end)
    times: dict[str, tuple[Minutes, Source]] = {
        id: (days, "attendance" if any(day >= run.period_start for day in days) else "none")
        for id, days in attended.items()
    }
    return times | {
        employee.id: (logged.get(str(employee.user_id), {}), "time_logs")
        for employee in by_logs
        if employee.user_id in logged or kept.get(employee.id)
    }


def _is_logged(kept: str | None, attended: Minutes, start: date) -> bool:
    """Whether hours may come from time logs: as a payslip has kept it, else where there is no attendance."""
    return kept == "time_logs" if kept else not any(day >= start for day in attended)


def _logged(user_ids: Sequence[str], start: date, end: date) -> dict[str, dict[date, int]]:
    logged: dict[str, dict[date, int]] = defaultdict(dict)
    if user_ids:
        parameters = start.isoformat(), end.isoformat(), sql.array(user_ids)
        for user_id, day, minutes in WORKSPACE.rows(_LOGGED, parameters):
            logged[user_id][date.fromisoformat(day)] = minutes
    return dict(logged)
