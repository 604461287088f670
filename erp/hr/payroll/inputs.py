"""What the payslips of a run are worked out of, gathered for all employees together in few queries."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, cast

from erp.finance.books import ledger
from erp.hr.attendance import days as attendance
from erp.hr.employees import employment
from erp.hr.employees.models import Compensation
from erp.hr.leave import days as leave_days
from erp.hr.payroll import history
from erp.hr.payroll.calculation import payslip
from erp.hr.payroll.calculation.values import Basis, Frequency, NamedComponent, PayInputs, PayTerms, PayType
from erp.hr.payroll.components import components as pay_components
from erp.hr.payroll.due import Due
from erp.hr.payroll.history import Earlier
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import Overrides
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

Source = Literal["attendance", "time_logs", "none"]
"""Where the time comes from by which somebody is paid."""

Minutes = Mapping[date, int]

_LOGGED = """
SELECT user_id, date, sum(minutes) FROM time_log
WHERE date BETWEEN ? AND ? AND user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id, date
"""


@dataclass(frozen=True, slots=True)
class Case:
    """Somebody's payslip to be."""

    due: Due
    inputs: PayInputs
    source: Source
    earlier: Earlier


def gather(run: PayrollRun, found: Sequence[Due], overrides: Mapping[str, Overrides]) -> list[Case]:
    """The cases of those who have days to be paid and pay to be paid by.

    Args:
        overrides: by employee.
    """
    start, end = run.period_start, run.period_end
    terms = employment.compensations_between([each.employee.id for each in found], start, end)
    owed = [each for each in found if each.days and each.employee.id in terms]
    ids = [each.employee.id for each in owed]
    times, leave = _times(run, owed, terms), leave_days.approved_between(ids, start, end)
    before, earlier = history.parts(run, ids), history.years_to_date(run, ids)
    office = _office(run)
    return [
        Case(
            each,
            replace(
                office,
                terms=[_terms(row) for row in terms[id]],
                roster=list(each.roster.days(*payslip.days_needed(start, end))),
                due=each.days,
                unpaid_leave=_leave(leave.get(id, {}), paid=False),
                paid_leave=_leave(leave.get(id, {}), paid=True),
                worked_minutes=times[id][0],
                before=before.get(id, ()),
                year_to_date=earlier[id].sums,
                overrides={key: amount for key, (amount, _) in overrides.get(id, {}).items()},
            ),
            times[id][1],
            earlier[id],
        )
        for id, each in zip(ids, owed, strict=True)
    ]


def _office(run: PayrollRun) -> PayInputs:
    """What is the same for everybody."""
    row = workspace_settings.current()
    return PayInputs(
        period_start=run.period_start,
        period_end=run.period_end,
        currency=row.base_currency,
        basis=cast(Basis, row.proration_basis),
        terms=(),
        roster=(),
        due=(),
        components=pay_components.known(),
        salaries_account_id=ledger.default_account("salaries"),
    )


def _terms(row: Compensation) -> PayTerms:
    named = [NamedComponent(each["componentId"], each.get("amount"), each.get("percent")) for each in row.components]
    pay_type, frequency = cast(PayType, row.pay_type), cast(Frequency, row.frequency)
    return PayTerms(row.effective_from, pay_type, row.amount, frequency, named)


def _leave(days: Mapping[date, Sequence[tuple[int, bool]]], *, paid: bool) -> dict[date, int]:
    found = {day: sum(part for part, is_paid in parts if is_paid == paid) for day, parts in days.items()}
    return {day: part for day, part in found.items() if part}


def _times(
    run: PayrollRun, owed: Sequence[Due], terms: Mapping[str, Sequence[Compensation]]
) -> dict[str, tuple[Minutes, Source]]:
    """The minutes of each day from the Monday before, and where they come from.

    Attendance counts for all who have any in the period; of those on hourly pay who have none, time logs do.
    """
    monday = run.period_start - timedelta(days=run.period_start.weekday())
    marked = attendance.worked_between([each.employee.id for each in owed], monday, run.period_end)
    by_logs = [
        each.employee
        for each in owed
        if each.employee.user_id
        and any(row.pay_type == "hourly" for row in terms[each.employee.id])
        and not any(day >= run.period_start for day in marked[each.employee.id])
    ]
    logged = _logged([str(each.user_id) for each in by_logs], monday, run.period_end)
    found: dict[str, tuple[Minutes, Source]] = {
        id: (days, "attendance" if any(day >= run.period_start for day in days) else "none")
        for id, days in marked.items()
    }
    return found | {each.id: (logged[str(each.user_id)], "time_logs") for each in by_logs if each.user_id in logged}


def _logged(user_ids: Sequence[str], start: date, end: date) -> dict[str, dict[date, int]]:
    found: dict[str, dict[date, int]] = defaultdict(dict)
    if user_ids:
        for user_id, day, minutes in WORKSPACE.rows(
            _LOGGED, (start.isoformat(), end.isoformat(), json.dumps(user_ids))
        ):
            found[user_id][date.fromisoformat(day)] = minutes
    return dict(found)
