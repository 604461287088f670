"""Weeks of time on the home page: submitted ones to decide on, and missing ones."""

from collections.abc import Sequence
from datetime import date

from erp.desk.home.waiting import MOST, Waiting
from erp.hr.time_weeks import listing
from erp.hr.time_weeks.listing import Week
from erp.kernel import caller
from erp.store import names
from erp.web.schema import View


class WaitingWeekView(View):
    """A person's week of time, or its part in a month."""

    user_id: str
    user_name: str | None
    date_from: date
    date_to: date
    expected_minutes: int
    logged_minutes: int


class WaitingWeeks(Waiting):
    """Weeks of time, the earliest at the top."""

    items: list[WaitingWeekView]


def to_approve() -> WaitingWeeks | None:
    """The submitted weeks on which the caller may decide; None without the right, or where weeks are not submitted."""
    if not (caller.may("time.write") and listing.is_on()):
        return None
    return _shown([week for week in listing.recent(None, "submitted") if listing.may_decide(week.user_id)])


def missing() -> WaitingWeeks | None:
    """The missing weeks of the caller, or with the right to decide, of everyone; None where weeks are not submitted."""
    if not (caller.may("time.read_own") and listing.is_on()):
        return None
    return _shown(listing.recent(None if caller.may("time.write") else caller.current().user_id, "missing"))


def _shown(weeks: Sequence[Week]) -> WaitingWeeks:
    return WaitingWeeks(total=len(weeks), items=[_view(week) for week in weeks[:MOST]])


def _view(week: Week) -> WaitingWeekView:
    return WaitingWeekView(
        user_id=week.user_id,
        user_name=names.of_user(week.user_id),
        date_from=week.span.first,
        date_to=week.span.last,
        expected_minutes=week.expected_minutes,
        logged_minutes=week.logged,
    )
