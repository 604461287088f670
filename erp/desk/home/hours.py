"""Hours on the home page: everyone's or the caller's, of this week, not yet invoiced, and invoiced this month."""

from datetime import timedelta
from typing import Annotated

from msgspec import Meta

from erp.hr.time_weeks import expected
from erp.kernel import caller, money
from erp.kernel.days import monday, month_end
from erp.members import people
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Money
from erp.web.schema import View


class HoursView(View):
    """Logged time: everyone's with the right to see it, else your own."""

    is_own: bool
    week_minutes: Annotated[int, Meta(description="From Monday to Sunday.")]
    expected_minutes: Annotated[int, Meta(description="Of the whole week: schedules less holidays and leave.")]
    unbilled_minutes: Annotated[int, Meta(description="Billable until today, and on no invoice.")]
    unbilled_amount: Annotated[Money | None, Meta(description="Its value; null without the right to see money.")]
    billed_month: Annotated[int, Meta(description="Minutes of this month that are on an invoice, drafts included.")]
    currency: str


_LOGGED = "(CAST(:user AS TEXT) IS NULL OR user_id = :user)"
_HOURS = f"""
SELECT coalesce(sum(minutes), 0), 0, 0, 0 FROM time_log WHERE date BETWEEN :monday AND :sunday AND {_LOGGED}
UNION ALL SELECT 0, coalesce(sum(minutes), 0), coalesce(sum(amount), 0), 0 FROM time_log
    WHERE is_billable = true AND invoice_id IS NULL AND date <= :today AND {_LOGGED}
UNION ALL SELECT 0, 0, 0, coalesce(sum(minutes), 0) FROM time_log
    WHERE invoice_id IS NOT NULL AND date BETWEEN :first AND :last AND {_LOGGED}
"""


def hours() -> HoursView | None:
    """The hours of everyone, or of the caller; None without the right."""
    if not caller.may("time.read_own"):
        return None
    user = None if caller.may("time.read") else caller.current().user_id
    today, currency = people.today(), workspace_settings.current().base_currency
    first = monday(today)
    last = first + timedelta(days=6)
    days = {"monday": first, "sunday": last, "today": today, "first": today.replace(day=1), "last": month_end(today)}
    rows = WORKSPACE.rows(_HOURS, {"user": user, **{name: str(day) for name, day in days.items()}})
    week, unbilled, amount, billed = map(sum, zip(*rows, strict=True))
    due = expected.minutes(None if user is None else [user], first, last)
    return HoursView(
        is_own=user is not None,
        week_minutes=week,
        expected_minutes=sum(sum(by_day.values()) for by_day in due.values()),
        unbilled_minutes=unbilled,
        unbilled_amount=money.text(amount, currency) if caller.may("money.read") else None,
        billed_month=billed,
        currency=currency,
    )
