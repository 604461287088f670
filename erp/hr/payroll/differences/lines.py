"""The lines by which a payslip pays the difference of an earlier one."""

from erp.hr.payroll.calculation import wording
from erp.hr.payroll.differences.differences import Difference, LineDifference
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.store import StoredLine
from erp.kernel.days import is_month_end
from erp.kernel.language import month, says, translated
from erp.store import workspace_settings


def of(difference: Difference) -> list[StoredLine]:
    """The correction lines of a difference, in the language of the office's papers."""
    return [_line(difference, line) for line in difference.lines if line.rest]


def _line(difference: Difference, line: LineDifference) -> StoredLine:
    language, currency = workspace_settings.paper_language(), difference.run.currency
    figures = {"due": line.due, "paid": line.due - line.rest, "amount": line.rest}
    words = says(
        "{correction} ({number}): {due} − {paid} paid before = {amount}",
        correction=period(difference.run),
        number=difference.run.number,
        **{name: wording.amount(figure, currency) for name, figure in figures.items()},
    )
    return StoredLine(
        component_id=line.line.component_id,
        code=line.line.code,
        name=translated(line.line.name, language),
        kind=line.line.kind,
        quantity=None,
        rate=None,
        amount=line.rest,
        computed_amount=line.rest,
        explanation=words,
        expense_account_id=line.line.expense_account_id,
        liability_account_id=line.line.liability_account_id,
        origin_payslip_id=difference.payslip.id,
    )


def period(run: PayrollRun) -> str:
    """`Correction of October 2026`, or of the days of a run that does not pay a whole month."""
    start, end = run.period_start, run.period_end
    if start.day == 1 and is_month_end(end) and start.replace(day=end.day) == end:
        return says("Correction of {month} {year}", month=month(start), year=start.year)
    return says("Correction of {start} to {end}", start=start, end=end)
