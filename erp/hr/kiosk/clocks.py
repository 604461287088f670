"""Clocking in and out at a kiosk."""

from datetime import datetime, timedelta

from erp.hr.access.models import Employee
from erp.hr.attendance import clocking
from erp.hr.attendance.punches import LONGEST
from erp.hr.calendar import work_calendar
from erp.hr.kiosk.bodies import KioskClockedView, KioskClocking, KioskPersonView
from erp.kernel import caller, clock
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import control, workspace_settings
from erp.store.control import Kiosk
from erp.store.router import WORKSPACE
from erp.web.scalars import Instant, Moment

OLDEST = timedelta(hours=24)
"""The time for which a kiosk may keep what it could not send."""

_PEOPLE = f"""
SELECT id, name, EXISTS (SELECT 1 FROM attendance_record WHERE employee_id = employee.id AND open_since >= :since)
FROM employee
WHERE keeps_attendance = true AND {work_calendar.EMPLOYED} AND id IN (SELECT employee_id FROM kiosk_pin)
AND site_id = coalesce(CAST(:site AS TEXT), site_id)
ORDER BY name, employee_number
"""


def listed() -> list[KioskPersonView]:
    """The people employed today who keep attendance and have a PIN, at the kiosk's site if it has one."""
    with control.read():
        site = Kiosk.find(caller.current().user_id).site_id
    today = workspace_settings.today().isoformat()
    since = clock.stamp(clock.now() - LONGEST)
    rows = WORKSPACE.rows(_PEOPLE, {"start": today, "end": today, "since": since, "site": site})
    return [KioskPersonView(id=id, name=short_name(name), is_in=bool(is_in)) for id, name, is_in in rows]


def short_name(name: str) -> str:
    """The first name with the initial of the last one: all that a screen on a wall says of a person."""
    first, *others = name.split()
    return f"{first} {others[-1][0]}." if others else first


def clock_at(sent: KioskClocking) -> KioskClockedView:
    """Clock someone in or, if they are in, out.

    A clock that has run for more than a day was forgotten: it is not stopped, but refused as when clocking in.

    Raises:
        Invalid: that was not within the last 24 hours, or cannot be.
        AlreadyClockedIn: an earlier day was not ended.
    """
    employee, at = Employee.find(sent.employee_id), _moment(sent.at)
    if _is_in(employee.id, at):
        record = clocking.clock_out(employee, at, is_now=sent.at is None)
    else:
        record = clocking.clock_in(employee, at, source="kiosk")
    return KioskClockedView(
        name=short_name(employee.name),
        is_in=record.open_since is not None,
        at=Instant(clock.stamp(at)),
        worked_minutes=record.worked_minutes,
    )


def _is_in(employee_id: str, at: datetime) -> bool:
    record = clocking.running(employee_id)
    return record is not None and at - clock.parse(str(record.open_since)) <= LONGEST


def _moment(at: Moment | None) -> datetime:
    now = clock.now()
    if at is None:
        return now
    if at > now:
        raise Invalid.one("at", "future", says("This time is in the future."))
    if now - at > OLDEST:
        raise Invalid.one("at", "too_old", says("Must be within the last 24 hours."))
    return at
