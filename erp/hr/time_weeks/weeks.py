"""Submitting a week of time, and deciding on it."""

from datetime import date
from typing import Any

from erp.hr.access import own_pay
from erp.hr.time_weeks import listing, parts
from erp.hr.time_weeks.bodies import TimeWeekDecisions, TimeWeekVerdict
from erp.hr.time_weeks.listing import Week
from erp.kernel import caller, clock
from erp.kernel.complaints import all_or_none
from erp.kernel.errors import Conflict, Forbidden, InvalidTransition, NotFound, Refusal, UnknownReference
from erp.kernel.language import Noun, Word, says
from erp.members import people
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.models import Task, Timer, TimeWeek
from erp.tasks.time import costs, spans
from erp.tasks.time.timers import TimerRunning


class NotOver(Conflict):
    """The week can be submitted from {day} on."""


class ApprovalOff(Conflict):
    """Weeks of time are not submitted in this workspace. Turn on their approval in the settings."""


class Invoiced(Refusal):
    """Time of this week is on {invoice}. Void or delete the invoice first."""


class OwnTime(Refusal):
    """You cannot decide on your own time. Ask {whom}."""

    status = 403


_OPEN = {"status": "open", "submitted_at": None, "logged_minutes": None, "billable_minutes": None}


def submit(date_from: str, user_id: str | None, note: str | None) -> Week:
    """Submit a week of time, whose logs are never changed from then on.

    Raises:
        NotFound: no week begins on that day.
        Forbidden: it is someone else's, and the caller may change only their own time.
        ApprovalOff: weeks are not submitted here.
        TimerRunning: the person's timer runs, and began in the week.
        NotOver: its last working day is still to come.
        InvalidTransition: it has been submitted.
    """
    week = _to_submit(date_from, user_id)
    if not listing.is_on():
        raise ApprovalOff
    if week.status not in ("open", "missing"):
        raise InvalidTransition(says("This week is already {status}.", status=Word.of(week.status)))
    if week.last_day > workspace_settings.today():
        raise NotOver(day=week.last_day)
    _check_timer(week)
    record = _record(week)
    nobody = dict.fromkeys(("decided_at", "decided_by"))
    minutes = {"logged_minutes": week.logged, "billable_minutes": week.billable}
    record.change(status="submitted", submitted_at=clock.stamp(), **minutes, note=note or None, **nobody)
    return _written("submitted", record)


def withdraw(date_from: str, user_id: str | None) -> Week:
    """Open a submitted week again, by the person themselves.

    Raises:
        NotFound, Forbidden: as for `submit`.
        InvalidTransition: it is not submitted, or already decided on.
    """
    record = _in_status(_to_submit(date_from, user_id), "submitted")
    record.change(**_OPEN)
    return _written("withdrawn", record)


def approve(date_from: str, user_id: str, note: str | None) -> Week:
    """Approve a submitted week.

    Raises:
        NotFound: no week begins on that day.
        UnknownReference: there is no such member.
        OwnTime: it is the caller's own, and someone else can decide.
        InvalidTransition: it is not submitted.
    """
    week = _approve(date_from, user_id, note)
    costs.keep([user_id])
    return week


def _approve(date_from: str, user_id: str, note: str | None) -> Week:
    record = _in_status(_to_decide(date_from, user_id), "submitted")
    return _decided("approved", record, status="approved", note=note or record.note)


def give_back(date_from: str, user_id: str, reason: str) -> Week:
    """Open a submitted week again, for the person to change it; refuses as `approve` does."""
    record = _in_status(_to_decide(date_from, user_id), "submitted")
    return _decided("returned", record, **_OPEN, note=reason)


def reopen(date_from: str, user_id: str, reason: str) -> Week:
    """Open an approved week again.

    Raises:
        Invoiced: some of its time is on an invoice.
        NotFound, UnknownReference, OwnTime, InvalidTransition: as for `approve`.
    """
    record = _in_status(_to_decide(date_from, user_id), "approved")
    for (number,) in WORKSPACE.rows(_ON_INVOICE, (user_id, record.date_from.isoformat(), record.date_to.isoformat())):
        raise Invoiced(invoice=says("invoice {number}", number=number) if number else Word("a draft invoice"))
    week = _decided("reopened", record, **_OPEN, note=reason)
    costs.release(record.user_id, record.date_from.isoformat(), record.date_to.isoformat())
    return week


_ON_INVOICE = """
SELECT invoice.number FROM time_log JOIN invoice ON invoice.id = time_log.invoice_id
WHERE time_log.user_id = ? AND time_log.date BETWEEN ? AND ? ORDER BY invoice.number LIMIT 1
"""


def decide_all(body: TimeWeekDecisions) -> list[Week]:
    """Approve and return weeks in the given order, all or none.

    Raises:
        Invalid: with a complaint for every week that cannot be decided so.
    """
    weeks = all_or_none(body.decisions, _decide_one, "decisions")
    costs.keep({week.user_id for week in weeks if week.status == "approved"})
    return weeks


def _decide_one(verdict: TimeWeekVerdict) -> Week:
    first = verdict.date_from.isoformat()
    if verdict.decision == "approve":
        return _approve(first, verdict.user_id, verdict.note)
    return give_back(first, verdict.user_id, verdict.note or "")


def remind(date_from: str, user_id: str) -> Week:
    """Remind a person of a week that is missing.

    Raises:
        NotFound, UnknownReference, OwnTime: as for `approve`.
        InvalidTransition: it is not missing.
    """
    week = _to_decide(date_from, user_id)
    if week.status != "missing":
        raise InvalidTransition(says("This week is {status}, not missing.", status=Word.of(week.status)))
    return _written("reminded", _record(week))


def _to_submit(date_from: str, user_id: str | None) -> Week:
    person = people.meant(user_id or people.ME)
    if not listing.may_act_for(person):
        raise Forbidden(says("You can only submit your own time."))
    return find(date_from, person)


def _to_decide(date_from: str, user_id: str) -> Week:
    week = find(date_from, people.meant(user_id))
    if not listing.may_decide(week.user_id):
        raise OwnTime(whom=own_pay.another("time.write"))
    return week


def find(date_from: str, user_id: str) -> Week:
    """A person's week by its first day.

    Raises:
        NotFound: none begins on that day.
        UnknownReference: there is no such member.
    """
    if people.strangers([user_id]):
        raise UnknownReference("userId", Noun("member"))
    day = _day(date_from)
    begun = parts.beginning(day, listing.mode()) if day else None
    for week in listing.of(user_id, parts.Span(day, day)) if day else ():
        if week.span.first == day:
            return week
    if begun is None:
        raise NotFound(says("No week of time begins on this day."))
    return Week(user_id, begun, None, {}, 0, 0)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _record(week: Week) -> TimeWeek:
    """The record of a week, made where it has none."""
    if week.record is not None:
        return week.record
    return TimeWeek.add(user_id=week.user_id, date_from=week.span.first, date_to=week.span.last)


def _in_status(week: Week, status: str) -> TimeWeek:
    if week.record is None or week.record.status != status:
        message = says("This week is {status}, not {needed}.", status=Word.of(week.status), needed=Word.of(status))
        raise InvalidTransition(message)
    return week.record


def _check_timer(week: Week) -> None:
    timer = Timer.find_by(user_id=week.user_id)
    if timer is None:
        return
    zone, began = people.zone(week.user_id), clock.parse(timer.started_at)
    if spans.day_of(began, zone) <= week.span.last:
        raise TimerRunning(since=clock.shown(began, zone), key=Task.find(timer.task_id).key)


def _decided(act: str, record: TimeWeek, **columns: Any) -> Week:
    record.change(**columns, decided_at=clock.stamp(), decided_by=caller.current().user_id)
    return _written(act, record)


def _written(act: str, record: TimeWeek) -> Week:
    """Write the event of an act; the week after it. Notices about weeks begin here."""
    days = {"dateFrom": record.date_from.isoformat(), "dateTo": record.date_to.isoformat()}
    events.write(f"time_week.{act}", "time_week", record.id, {"userId": record.user_id, **days})
    return find(days["dateFrom"], record.user_id)
