"""The leave calendar of the whole office.

Everyone with an employee record sees who is on approved leave. The type of leave is shown only to readers of that
person's leave, pending leave only to those who decide on it, and both to the employee. Anyone else, such as an auditor,
sees only the holidays.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal, cast

import msgspec
from msgspec import UNSET

from erp.auth import calendar_addresses
from erp.auth.calendar_addresses import CalendarAddressView, CreatedCalendarAddressView
from erp.hr.access import people
from erp.hr.calendar.holidays import site_names
from erp.hr.calendar.models import Holiday
from erp.hr.calendar.work_days import Part
from erp.kernel import roles
from erp.kernel.errors import BadParameter, NotFound, SampleData, Unavailable
from erp.kernel.language import says
from erp.members import people as workspace_people
from erp.store import control, workspace_settings
from erp.store.router import WORKSPACE
from erp.web import ical
from erp.web.endpoint import endpoint
from erp.web.scalars import Day
from erp.web.schema import File, Query, Unset, View

PATH = "/api/v1/hr/leaves/calendar"
USUAL_DAYS = 30
MOST_DAYS = 366
PAST_DAYS = 90
"""Days that the calendar of a secret address goes back."""


class LeaveCalendarFilter(Query):
    """The days to show: 30 from today by default."""

    date_from: Annotated[Day | None, msgspec.Meta(description="Today by default.")] = None
    date_to: Annotated[Day | None, msgspec.Meta(description="30 days later by default, at most 366.")] = None


class AbsenceView(View):
    """A person who is out; with the leave type if you can read their leave."""

    leave_id: str
    employee_id: str
    name: str
    start_date: str
    end_date: str
    start_half: bool
    end_half: bool
    status: Literal["pending", "approved"]
    leave_type_id: str | Unset = UNSET
    leave_type_name: str | Unset = UNSET


class CalendarHolidayView(View):
    """A holiday in the leave calendar."""

    date: str
    name: str
    part: Part
    site_ids: Annotated[list[str], msgspec.Meta(description="Empty: at all sites.")]
    site_names: Annotated[list[str | None], msgspec.Meta(description="In the order of `siteIds`.")]


class LeaveCalendarView(View):
    """The people who are out between two days, and the holidays."""

    date_from: str
    date_to: str
    absences: list[AbsenceView]
    holidays: list[CalendarHolidayView]


_ABSENT = """
SELECT leave.id, employee_id, employee.name, leave_type_id, leave_type.name, start_date, end_date, start_half, end_half,
    leave.status, leave.created_at, leave.updated_at, leave.version
FROM leave_application AS leave
JOIN employee ON employee.id = employee_id JOIN leave_type ON leave_type.id = leave_type_id
WHERE leave.status IN ('approved', 'pending') AND end_date >= ? AND start_date <= ?
ORDER BY start_date, employee.name, leave.id
"""


def show(query: LeaveCalendarFilter) -> LeaveCalendarView:
    """The absences and holidays that the caller can see.

    Raises:
        BadParameter: the last day is before the first, or too far from it.
    """
    start = query.date_from or workspace_settings.today()
    end = query.date_to or start + timedelta(days=USUAL_DAYS)
    if not 0 <= (end - start).days <= MOST_DAYS:
        raise BadParameter(says("dateTo: Must be dateFrom or at most {days} days later.", days=MOST_DAYS))
    holidays = Holiday.select().where(Holiday.date.between(start, end)).order_by(Holiday.date, Holiday.id)
    return LeaveCalendarView(
        date_from=start.isoformat(),
        date_to=end.isoformat(),
        absences=list(absences(start, end)),
        holidays=[
            CalendarHolidayView(
                date=holiday.date.isoformat(),
                name=holiday.name,
                part=cast(Part, holiday.part),
                site_ids=holiday.site_ids,
                site_names=site_names(holiday.site_ids),
            )
            for holiday in holidays
        ],
    )


def absences(start: date, end: date) -> Iterator[AbsenceView]:
    """The absences between two days that the caller can see."""
    own, read, decided = people.own_id(), people.over("leave.read"), people.over("leave.decide")
    if own is None and read is not None:
        return
    for id, employee_id, name, type_id, type_name, first, last, start_half, end_half, status, *_ in WORKSPACE.rows(
        _ABSENT, (start.isoformat(), end.isoformat())
    ):
        is_own = employee_id == own
        if status == "approved" or is_own or decided is None or employee_id in decided:
            absence = AbsenceView(
                leave_id=id,
                employee_id=employee_id,
                name=name,
                start_date=first,
                end_date=last,
                start_half=bool(start_half),
                end_half=bool(end_half),
                status=status,
            )
            if is_own or read is None or employee_id in read:
                absence.leave_type_id, absence.leave_type_name = type_id, type_name
            yield absence


def feed(secret: str) -> bytes:
    """The calendar of a secret address: names of people on approved leave, and the holidays.

    Raises:
        NotFound: there is no such address.
    """
    with control.read():
        subscriber = calendar_addresses.find_subscriber("leave", secret, "leave.read_own")
    with control.open_workspace(subscriber.workspace_id, write=False):
        since = workspace_settings.today() - timedelta(days=PAST_DAYS)
        sees_all = roles.allows(subscriber.role, "leave.read") or workspace_people.employee_ids([subscriber.user_id])
        entries = [*(_out_since(since) if sees_all else ()), *_holidays_since(since)]
        return ical.calendar(f"Who is out, {subscriber.workspace_name}", entries)


def _out_since(since: date) -> Iterator[ical.Entry]:
    for id, _, name, _, _, first, last, start_half, end_half, status, created_at, updated_at, version in WORKSPACE.rows(
        _ABSENT, (since.isoformat(), date.max.isoformat())
    ):
        if status == "approved":
            halves = [words for words, half in (("from noon", start_half), ("until noon", end_half)) if half]
            yield ical.Entry(
                uid=id,
                first=date.fromisoformat(first),
                last=date.fromisoformat(last),
                summary=f"{name} is out" + (f" ({', '.join(halves)})" if halves else ""),
                created_at=created_at,
                updated_at=updated_at,
                version=version,
            )


def _holidays_since(since: date) -> Iterator[ical.Entry]:
    holidays = list(Holiday.select().where(Holiday.date >= since).order_by(Holiday.date, Holiday.id))
    for holiday in holidays:
        places = ", ".join(map(str, site_names(holiday.site_ids)))
        yield ical.Entry(
            uid=holiday.id,
            first=holiday.date,
            last=holiday.date,
            summary=f"{holiday.name} ({places})" if places else holiday.name,
            created_at=holiday.created_at,
            updated_at=holiday.updated_at,
            version=holiday.version,
        )


class Calendar:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: LeaveCalendarFilter) -> LeaveCalendarView:
        """Show who is out.

        Everyone with an employee record sees the names and days of approved leave, but not its type or reason. With
        the right to read someone's leave you also see its type; with the right to decide on it, pending leave. Anyone
        else sees only the holidays.
        """
        return show(query)


class Address:
    @endpoint(permission="leave.read_own", store="control")
    def on_get(self) -> CalendarAddressView:
        """Show whether you have a secret address of the leave calendar, with its date.

        The address itself is a secret and is shown only when it is created.
        """
        return calendar_addresses.show("leave")

    @endpoint(
        permission="leave.read_own",
        store="control",
        status=201,
        shows_secret=True,
        session_only=True,
        refuses=(SampleData,),
    )
    def on_post(self) -> CreatedCalendarAddressView:
        """Create a secret address of the leave calendar.

        A calendar program that subscribes to it shows the holidays and, if you have an employee record or can read all
        leave, who is on approved leave, without its type. Anyone who knows the address can read that without signing
        in. It is therefore shown only once. A new address replaces the earlier one.
        """
        return calendar_addresses.make("leave", PATH)

    @endpoint(permission="leave.read_own", store="control", also_when=("archived",), refuses=(NotFound,))
    def on_delete(self) -> None:
        """Revoke your address of the leave calendar; programs that subscribed to it can no longer read it.

        A new one can be created at any time. Without an address the answer is a 404.
        """
        calendar_addresses.revoke("leave")


class Feed:
    @endpoint(access="public", produces=ical.MEDIA_TYPE, refuses=(NotFound, Unavailable))
    def on_get(self, secret: str) -> File:
        """Read the leave calendar of a secret address, as iCalendar (RFC 5545).

        Needs no sign-in: the address is the secret. It shows the leave that its owner may see, and is a 404 once it is
        revoked.
        """
        return File(feed(secret), "leave.ics", ical.SENT_AS)
