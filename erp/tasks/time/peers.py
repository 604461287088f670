"""Time from the exports of other programs, by their headings: Toggl Track, Clockify and Kimai."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Literal, NamedTuple

from erp.kernel.days import ONE_DAY
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.intake import day_order
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import Listed, says
from erp.tasks.time.sheet import MOST, Row
from erp.web.transport.cells import yes_or_no
from erp.web.transport.sheets import Table

Program = Literal["toggl", "clockify", "kimai"]

NO_TASK = "Time"
"""The title of the task of rows that name neither a task nor an activity."""

LONGEST_NAME = 200


class Place(NamedTuple):
    """The names of a customer, a project and a task, as a row has them; empty where it has none."""

    customer: str
    project: str
    task: str


class PeerRow(NamedTuple):
    """A row of another program: the place of its work, the person, and the cells of our own spreadsheet."""

    number: int
    place: Place
    person: str
    cells: dict[str, str]

    def at(self, key: str, email: str) -> Row:
        """The row of our own spreadsheet, with the key of its task and the e-mail address of its person."""
        return Row(self.number, {**self.cells, "task": key, "user": email})


class _Program(NamedTuple):
    """The headings of a program's export.

    `end_date` is None where an entry ends on the day of its start or the next. The duration counts in rows whose times
    do not show it: without both, without length, or of more than a day.
    """

    person: tuple[str, ...]
    customer: str
    project: str
    task: tuple[str, ...]
    note: str
    start_date: str
    start: str
    end: str
    end_date: str | None
    duration: str
    billable: str | None
    exported: str | None = None

    @property
    def needed(self) -> list[str]:
        """The headings without which a file is none of the program's."""
        return [self.person[-1], self.project, self.start_date, self.duration]


_TOGGL = _Program(
    person=("Email", "User"),
    customer="Client",
    project="Project",
    task=("Task",),
    note="Description",
    start_date="Start date",
    start="Start time",
    end_date="End date",
    end="End time",
    duration="Duration",
    billable="Billable",
)
PROGRAMS: Mapping[str, _Program] = {
    "toggl": _TOGGL,
    "clockify": _TOGGL._replace(
        start_date="Start Date",
        start="Start Time",
        end_date="End Date",
        end="End Time",
        duration="Duration (h)",
    ),
    "kimai": _Program(
        person=("User",),
        customer="Customer",
        project="Project",
        task=("Activity",),
        note="Description",
        start_date="Date",
        start="From",
        end_date=None,
        end="To",
        duration="Duration",
        billable=None,
        exported="Exported",
    ),
}


def rows(table: Table, program: Program, order: DateOrder | None, field: str) -> list[PeerRow]:
    """The rows of an export.

    Args:
        order: of day and month in dates such as 01/02/2026, where the file does not show it.
        field: the field of the file, which refusals name.

    Raises:
        Invalid: it is no export of the program, or its dates can be read in two ways.
    """
    about = PROGRAMS[program]
    headings, *lines = [[cell.strip() for cell in line] for line in table] or [[]]
    missing = [name for name in about.needed if name not in headings]
    if missing:
        message = says("The headings {columns} are missing.", columns=Listed.of(missing))
        raise Invalid.one(field, "wrong_headings", message)
    named = [(i, dict(zip(headings, line, strict=False))) for i, line in enumerate(lines, 2) if any(line)]
    if not 1 <= len(named) <= MOST:
        message = says("There must be 1 to {most:,} rows; there are {count:,}.", most=MOST, count=len(named))
        raise Invalid.one(field, "row_count", message)
    dated = [cells.get(name, "") for _, cells in named for name in (about.start_date, about.end_date) if name]
    day = day_order.reader(dated, order, field)
    complaints: list[Complaint] = []
    read = [_row(number, cells, about, day, complaints) for number, cells in named]
    if complaints:
        raise Invalid(complaints)
    return read


def _row(
    number: int, cells: Mapping[str, str], about: _Program, day: Callable[[str], str], complaints: list[Complaint]
) -> PeerRow:
    def cell(name: str | None) -> str:
        return cells.get(name, "") if name else ""

    place = Place(cell(about.customer), cell(about.project), next(filter(None, map(cell, about.task)), NO_TASK))
    for name, value in zip(place._fields, place, strict=True):
        if len(value) > LONGEST_NAME:
            message = says("Must have at most {most} characters.", most=LONGEST_NAME)
            complaints.append(Complaint(f"rows[{number}].{name}", "too_long", message))
    ours = {"date": day(cell(about.start_date)), "note": cell(about.note)}
    start, end = _clock(cell(about.start)), _clock(cell(about.end))
    end_day = day(cell(about.end_date)) or (_day_after(ours["date"]) if end < start else ours["date"])
    if start and end and _is_shown_by_times(ours["date"], start, end_day, end):
        ours |= {"start": start, "end": end}
    else:
        minutes = _minutes(cell(about.duration))
        if minutes is None:
            message = says("Must be a duration such as 1:30, 01:30:00 or 5400.")
            complaints.append(Complaint(f"rows[{number}].{about.duration}", "not_a_duration", message))
        ours["minutes"] = str(minutes)
    ours["billable"] = "no" if yes_or_no(cell(about.exported)) else cell(about.billable)
    return PeerRow(number, place, next(filter(None, map(cell, about.person)), ""), ours)


def _is_shown_by_times(day: str, start: str, end_day: str, end: str) -> bool:
    """Whether a day with two times of day is enough: not for an entry without length, or of more than a day."""
    return start < end if end_day == day else end <= start and end_day == _day_after(day)


def _day_after(day: str) -> str:
    """The next day as ISO text; empty after a text that is not a day."""
    try:
        return (date.fromisoformat(day) + ONE_DAY).isoformat()
    except (ValueError, OverflowError):
        return ""


_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(:\d{2})?\s*([AaPp])\.?[Mm]\.?")


def _clock(text: str) -> str:
    """A time of day with 24 hours: 01:05 PM is 13:05."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text.zfill(5) if re.fullmatch(r"\d:\d{2}", text) else text
    hour = int(match[1]) % 12 + (12 if match[4].lower() == "p" else 0)
    return f"{hour:02}:{match[2]}{match[3] or ''}"


_SPAN = re.compile(r"(\d{1,3}):(\d{2})(?::(\d{2}))?")


def _minutes(text: str) -> int | None:
    """A duration as h:mm, h:mm:ss or seconds, in minutes to the nearest, at least 1."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        seconds = int(span[1]) * 3600 + int(span[2]) * 60 + int(span[3] or 0)
    elif re.fullmatch(r"\d{1,7}", text):
        seconds = int(text)
    else:
        return None
    return max(1, (seconds + 30) // 60)


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
