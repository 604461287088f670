"""The list of weeks of time: everyone's with the right to read it, else the caller's own."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, Literal, cast

import msgspec

from erp.hr.access import own_pay
from erp.hr.time_weeks import expected, parts
from erp.hr.time_weeks.bodies import Status, TimeWeekFilter
from erp.hr.time_weeks.parts import Span
from erp.kernel import caller
from erp.kernel.errors import BadParameter, Forbidden
from erp.kernel.language import says
from erp.members import people
from erp.store import names, workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.models import TimeWeek
from erp.web import paging, several
from erp.web.scalars import Instant
from erp.web.schema import Page, View
from erp.web.several import Choice
from erp.web.text_scalars import TimeApproval

Action = Literal["approve", "remind", "reopen", "return", "submit", "withdraw"]

WEEKS = 8
"""The weeks that the list shows unless it is asked for others."""
LONGEST = timedelta(days=366)


class TimeWeekStatusView(View):
    """A person's week of time, or its part in a month."""

    id: Annotated[str, msgspec.Meta(description="Made of the person and the first day.")]
    user_id: str
    user_name: Annotated[str | None, msgspec.Meta(description="Null for someone who is no longer a member.")]
    date_from: date
    date_to: date
    status: Status
    expected_minutes: Annotated[int, msgspec.Meta(description="Of the schedule, less holidays and approved leave.")]
    logged_minutes: int
    billable_minutes: int
    submitted_at: Instant | None
    decided_at: Instant | None
    decided_by_name: str | None
    note: Annotated[str | None, msgspec.Meta(description="Of the submission, or of the last decision.")]
    can: Annotated[list[Action], msgspec.Meta(description="Actions open to you now.")]


class Week(msgspec.Struct, frozen=True):
    """A person's week: its record, if it has one, and its minutes."""

    user_id: str
    span: Span
    record: TimeWeek | None
    expected: expected.ByDay
    logged: int
    billable: int

    @property
    def expected_minutes(self) -> int:
        return sum(self.expected.get(day, 0) for day in self.span.days)

    @property
    def last_day(self) -> date:
        """The last day on which time is expected, else the last one at all: from then on it can be submitted."""
        return max((day for day in self.span.days if self.expected.get(day)), default=self.span.last)

    @property
    def status(self) -> Status:
        if self.record is not None and self.record.status != "open":
            return cast(Status, self.record.status)
        is_over = self.span.last < workspace_settings.today()
        return "missing" if is_over and is_on() and self.expected_minutes > 0 else "open"

    @property
    def id(self) -> str:
        return f"{self.user_id}_{self.span.first}"

    @property
    def key(self) -> tuple[str, str]:
        return self.span.first.isoformat(), self.user_id


def is_on() -> bool:
    """Whether people submit their weeks."""
    return mode() != "off"


def mode() -> TimeApproval:
    return cast(TimeApproval, workspace_settings.current().time_approval)


def search(query: TimeWeekFilter) -> Page[TimeWeekStatusView]:
    """The weeks that a filter matches; these eight weeks by default.

    Raises:
        Forbidden: it names someone else, and the caller may read only their own time.
        BadParameter: the days span more than a year or end before they begin.
    """
    ids = None if query.ids is None else paging.ids_of(query.ids)
    users, asked = _whose(query.user_id), _asked(query)
    user_id = str(users.among[0]) if len(users.among) == 1 else None
    rows = WORKSPACE.memo(f"time weeks {query.status} {user_id} {asked}", lambda: _rows(user_id, asked, query.status))
    keys = [key for key in rows if (ids is None or rows[key].id in ids) and several.fits(users, rows[key].user_id)]
    total = len(keys)
    if query.sort == "-date":
        keys.reverse()
    if query.cursor is not None:
        last = paging.read_cursor(query.cursor, query.sort)
        keys = [key for key in keys if (key < last if query.sort == "-date" else key > last)]
    shown = keys[: query.limit]
    next_cursor = paging.write_cursor(query.sort, *shown[-1]) if len(keys) > query.limit else None
    views = [view(rows[key]) for key in shown]
    return Page(views, query.limit, next_cursor, total if query.total else None)


def _whose(named: object) -> Choice:
    me = caller.current().user_id
    users = several.found(named, "userId", people.meant)
    if caller.may("time.read"):
        return users
    if not {me}.issuperset(users.among):
        raise Forbidden(says("You can only read your own time."))
    return Choice((me,), users.without)


def _asked(query: TimeWeekFilter) -> Span:
    last = query.date_to or workspace_settings.today()
    asked = Span(query.date_from or last - timedelta(weeks=WEEKS), last)
    if asked.last < asked.first:
        raise BadParameter(says("dateTo: Must not be before dateFrom."))
    if asked.last - asked.first > LONGEST:
        raise BadParameter(says("dateFrom: Choose a year at most."))
    return asked


def _rows(user_id: str | None, asked: Span, status: object) -> dict[tuple[str, str], Week]:
    weeks = sorted(of(user_id, asked), key=lambda week: week.key)
    return {week.key: week for week in weeks if several.fits(status, week.status)}


def recent(user_id: str | None, status: Status) -> list[Week]:
    """The weeks in a status of the last eight weeks, of a person or of everyone, the earliest at the top."""
    today = workspace_settings.today()
    return list(_rows(user_id, Span(today - timedelta(weeks=WEEKS), today), status).values())


def of(user_id: str | None, asked: Span) -> Iterator[Week]:
    """The weeks of people with a day of a span, if they have a record or time, or time is expected."""
    spans = list(parts.between(asked.first, asked.last, mode()))
    whole = Span(spans[0].first, spans[-1].last)
    records, logged = _records(user_id, whole), _logged(user_id, whole)
    due = expected.minutes(None if user_id is None else [user_id], whole.first, whole.last)
    for person in sorted({*records, *logged, *due}):
        own, minutes = records.get(person, []), logged.get(person, {})
        for span, record in _parts(spans, own):
            sums = [minutes[day] for day in span.days if day in minutes]
            days = due.get(person, {})
            week = Week(person, span, record, days, sum(each for each, _ in sums), sum(each for _, each in sums))
            if span.meets(asked) and (record is not None or week.logged or week.expected_minutes):
                yield week


def _parts(spans: list[Span], records: list[TimeWeek]) -> Iterator[tuple[Span, TimeWeek | None]]:
    """The weeks of a person; a submitted one stays as it was, though weeks are parted in another way since."""
    held = {Span(record.date_from, record.date_to): record for record in records if record.status != "open"}
    yield from held.items()
    opened = {Span(record.date_from, record.date_to): record for record in records if record.status == "open"}
    for span in spans:
        if not any(span.meets(other) for other in held):
            yield span, opened.get(span)


def _records(user_id: str | None, whole: Span) -> dict[str, list[TimeWeek]]:
    records: dict[str, list[TimeWeek]] = defaultdict(list)
    chosen = (TimeWeek.date_from <= whole.last) & (TimeWeek.date_to >= whole.first)
    if user_id is not None:
        chosen &= TimeWeek.user_id == user_id
    for record in TimeWeek.select().where(chosen):
        records[record.user_id].append(record)
    return records


_LOGGED = """
SELECT user_id, date, sum(minutes), coalesce(sum(minutes) FILTER (WHERE is_billable), 0) FROM time_log
WHERE date BETWEEN ? AND ? AND (CAST(? AS TEXT) IS NULL OR user_id = ?) GROUP BY user_id, date
"""


def _logged(user_id: str | None, whole: Span) -> dict[str, dict[date, tuple[int, int]]]:
    """The minutes and the billable minutes of each day, by user."""
    days: dict[str, dict[date, tuple[int, int]]] = defaultdict(dict)
    for person, day, minutes, billable in WORKSPACE.rows(_LOGGED, (*map(str, whole), user_id, user_id)):
        days[person][date.fromisoformat(day)] = (minutes, billable)
    return days


def view(week: Week) -> TimeWeekStatusView:
    record = week.record or TimeWeek()
    return TimeWeekStatusView(
        id=week.id,
        user_id=week.user_id,
        user_name=names.of_user(week.user_id),
        date_from=week.span.first,
        date_to=week.span.last,
        status=week.status,
        expected_minutes=week.expected_minutes,
        logged_minutes=week.logged,
        billable_minutes=week.billable,
        submitted_at=record.submitted_at,
        decided_at=record.decided_at,
        decided_by_name=names.of_user(record.decided_by),
        note=record.note,
        can=list(_actions(week)),
    )


def may_act_for(user_id: str) -> bool:
    """Whether the caller may submit and withdraw the weeks of a person."""
    return caller.may_change("time.write" if user_id != caller.current().user_id else "time.write_own")


def may_decide(user_id: str) -> bool:
    """Whether the caller may decide on a person's weeks: never on their own, unless no one else can."""
    return caller.may_change("time.write") and (user_id != caller.current().user_id or _is_alone())


def _is_alone() -> bool:
    return WORKSPACE.memo("alone with time.write", lambda: own_pay.is_alone("time.write"))


def _actions(week: Week) -> Iterator[Action]:
    status, decides, acts = week.status, may_decide(week.user_id), may_act_for(week.user_id)
    offered: Mapping[Action, bool] = {
        "approve": decides and status == "submitted",
        "remind": decides and status == "missing" and week.user_id != caller.current().user_id,
        "reopen": decides and status == "approved",
        "return": decides and status == "submitted",
        "submit": acts and status in ("open", "missing") and is_on() and week.last_day <= workspace_settings.today(),
        "withdraw": acts and status == "submitted",
    }
    return (action for action, is_open in offered.items() if is_open)
