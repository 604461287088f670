"""Time logs from a spreadsheet, all rows or none."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from erp.kernel import caller, clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import Listed, Sentence, says
from erp.members import people
from erp.projects.models import Project
from erp.projects.projects import ProjectArchived
from erp.store import events, sql
from erp.store.control import email_key
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks.models import Task, TimeLog
from erp.tasks.time import locks, logs, peers, places, sheet, spans
from erp.tasks.time.locks import Force
from erp.tasks.time.logs import ProjectCancelled, TaskCancelled
from erp.tasks.time.peers import PeerRow, Program
from erp.tasks.time.places import Addable
from erp.tasks.time.sheet import Row
from erp.tasks.time.spans import LONGEST, DayFull, TimeOverlap, Worked
from erp.web.scalars import Id
from erp.web.schema import View
from erp.web.transport import sheets
from erp.web.transport.sheets import OnDuplicate, SheetImport

NOTE_LENGTH = 4000


class TimeImport(SheetImport):
    """A spreadsheet of time, as CSV or as an Excel file: with our own headings, or the export of another program."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "csv": "task,date,hours,note\nTASK-1,2026-01-05,1.5,Sketches\nTASK-1,2026-01-06,0.75,Another sketch\n",
        "dryRun": True,
    }

    source: Annotated[Program, Meta(description="The program that has exported the file.")] | None = None
    date_order: (
        Annotated[DateOrder, Meta(description="For an export with dates such as 01/02/2026, if no date shows it.")]
        | None
    ) = None
    people: Annotated[
        dict[str, Id],
        Meta(description="For an export: the users of e-mail addresses or names that no member here has."),
    ] = {}
    create: Annotated[
        list[Addable], Meta(description="For an export: the kinds of records to add where no name fits.")
    ] = []
    on_duplicate: OnDuplicate = "skip"
    force: Force = False

    def check(self) -> Iterator[Complaint]:
        if self.source is None and (self.people or self.create or self.date_order):
            yield Complaint("source", "required", says("Enter the program that has exported the file."))


class TimeImportView(View):
    """The outcome of an import."""

    rows: int
    minutes: int
    created: Annotated[int, Meta(description="Number of new logs: one for each new row, none in a dry run.")]
    known: Annotated[int, Meta(description="Rows whose time is logged already, and which are left out.")]
    dry_run: bool


Workplace = tuple[Task, Project | None]


class Entry(msgspec.Struct, frozen=True):
    """A row without complaints of its own."""

    row: Row
    user_id: str
    workplace: Workplace
    worked: Worked
    billable: bool | None


Read = list[Row] | list[PeerRow]


def read(body: TimeImport) -> Read:
    """Read the spreadsheet of a request, which takes no lock.

    Raises:
        Invalid: it is no spreadsheet of time.
    """
    table, field = sheets.table(body)
    return peers.rows(table, body.source, body.date_order, field) if body.source else sheet.rows(table, field)


def run(body: TimeImport, rows: Read) -> TimeImportView:
    """Import the rows of a spreadsheet, or only check them.

    Raises:
        Forbidden: it holds time of others, and the caller may log only their own; or the caller may not add a record.
        Invalid: with a complaint for every cell that is wrong.
    """
    with WORKSPACE.undone() if body.dry_run else nullcontext():
        return _run(body, rows)


def _run(body: TimeImport, rows: Read) -> TimeImportView:
    complaints = Complaints()
    ours = [row for row in rows if isinstance(row, Row)]
    theirs = [row for row in rows if isinstance(row, PeerRow)]
    entries = _entries(ours or _placed(theirs, body, complaints), complaints)
    count = len(entries)
    entries = _unknown(entries) if body.on_duplicate == "skip" else entries
    by_user: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_user[entry.user_id].append(entry)
    for user_id, user_entries in by_user.items():
        timed = [entry for entry in user_entries if entry.worked.started_at is not None]
        if timed:
            _check_overlaps(user_id, timed, complaints)
        _check_days(user_id, user_entries, complaints)
        _check_locks(user_id, user_entries, body.force, complaints)
    complaints.items.sort(key=_row_number)
    complaints.refuse()
    if entries and not body.dry_run:
        _store(entries)
    minutes = sum(entry.worked.minutes for entry in entries)
    return TimeImportView(
        rows=count,
        minutes=minutes,
        created=0 if body.dry_run else len(entries),
        known=count - len(entries),
        dry_run=body.dry_run,
    )


def _placed(rows: list[PeerRow], body: TimeImport, complaints: Complaints) -> list[Row]:
    """The rows of another program as ours: each with the key of its task and the e-mail address of a member."""
    emails = _emails({row.person for row in rows}, body.people)
    keys = places.keys(rows, body.create, complaints)
    return [row.at(keys[row.place], emails[row.person]) for row in rows if row.place in keys]


def _emails(persons: set[str], named: Mapping[str, str]) -> dict[str, str]:
    """The e-mail addresses of the members whose addresses or names a file has.

    Raises:
        Invalid: with everyone who is no member here, and whom `people` does not name.
    """
    by_user = people.emails()
    members = {email_key(email): email for email in by_user.values()}
    members |= {email_key(name): by_user[user_id] for user_id, name in people.names(by_user.keys()).items()}
    members |= {email_key(text): by_user[user_id] for text, user_id in named.items() if user_id in by_user}
    unknown = sorted(person for person in persons if email_key(person) not in members)
    if unknown:
        message = says(
            "These people are no members of this workspace: {names}. Name a user for each in people.",
            names=Listed.of(unknown),
        )
        raise Invalid.one("people", "unknown_people", message)
    return {person: members[email_key(person)] for person in persons}


_SAME = """
SELECT user_id, task_id, date, minutes, coalesce(started_at, ''), coalesce(note, ''), count(*) FROM time_log
WHERE date BETWEEN ? AND ? GROUP BY 1, 2, 3, 4, 5, 6
"""


def _unknown(entries: list[Entry]) -> list[Entry]:
    """The entries without those that are logged already, so that the same file brings nothing twice."""
    if not entries:
        return entries
    days = [entry.worked.date.isoformat() for entry in entries]
    logged = Counter({tuple(key): count for *key, count in WORKSPACE.rows(_SAME, (min(days), max(days)))})
    fresh = []
    for entry, day in zip(entries, days, strict=True):
        worked, note = entry.worked, entry.row.cells.get("note") or ""
        key = (entry.user_id, entry.workplace[0].id, day, worked.minutes, worked.started_at or "", note)
        if logged[key] > 0:
            logged[key] -= 1
        else:
            fresh.append(entry)
    return fresh


def _row_number(complaint: Complaint) -> int:
    return int(complaint.field[len("rows[") : complaint.field.index("]")])


def _entries(rows: list[Row], complaints: Complaints) -> list[Entry]:
    tasks, users = _tasks({_key(row) for row in rows}), _users(rows)
    entries = []
    for row in rows:
        of_row = Complaints()
        entry = _entry(row, tasks, users, of_row)
        for complaint in of_row.items:
            _complain(complaints, row, complaint.field, complaint.code, complaint.message)
        entries += [entry] if entry is not None else []
    return entries


def _entry(
    row: Row, tasks: dict[str, Workplace | Refusal], users: dict[str, str], complaints: Complaints
) -> Entry | None:
    workplace, user_id = tasks.get(_key(row)), users.get(_user(row))
    if workplace is None:
        complaints.add(
            "task", "unknown_reference", says("There is no such task in this workspace. For example WEB-12.")
        )
    if isinstance(workplace, Refusal):
        complaints.add("task", workplace.code, workplace.message)
    if user_id is None:
        complaints.add("user", "unknown_reference", says("There is no such member in this workspace."))
    if len(row.cells.get("note", "")) > NOTE_LENGTH:
        complaints.add("note", "too_long", says("Must have at most {most} characters.", most=NOTE_LENGTH))
    billable = sheet.billable(row, complaints)
    time = sheet.time(row, people.zone(user_id), complaints)
    worked = None if complaints.items else spans.read(time, user_id or "", complaints)
    if worked is None or user_id is None or not isinstance(workplace, tuple):
        return None
    return Entry(row, user_id, workplace, worked, billable)


def _key(row: Row) -> str:
    return row.cells.get("task", "").upper()


def _user(row: Row) -> str:
    return email_key(row.cells.get("user") or caller.current().email)


def _tasks(keys: Iterable[str]) -> dict[str, Workplace | Refusal]:
    """The tasks with these keys and their projects, or the reason why they take no time."""
    workplaces: dict[str, Workplace | Refusal] = {}
    for task in Task.select().where(sql.among(Task.key, keys), Task.employee_id.is_null()):
        try:
            workplaces[task.key] = (task, logs.open_project(task))
        except (ProjectArchived, ProjectCancelled, TaskCancelled) as refusal:
            workplaces[task.key] = refusal
    return workplaces


def _users(rows: list[Row]) -> dict[str, str]:
    """The ids of the users that rows name; a row without a name is the caller's."""
    current = caller.current()
    others = {_user(row) for row in rows} - {email_key(current.email)}
    if others:
        logs.check_rights("", sets_rate=False)
    return people.by_email(others) | {email_key(current.email): current.user_id}


class _Span(msgspec.Struct, frozen=True):
    """Time that is already logged or in another row, and its name in a complaint."""

    start: str
    end: str
    name: str
    row: Row | None = None


_LOGGED = """
SELECT started_at, ended_at, task.key FROM time_log JOIN task ON task.id = task_id
WHERE user_id = ? AND started_at < ? AND ended_at > ? AND started_at > ?
"""
_RUNNING = "SELECT started_at, task.key FROM timer JOIN task ON task.id = task_id WHERE user_id = ?"
_END_OF_TIME = "9999"


def _check_overlaps(user_id: str, entries: Sequence[Entry], complaints: Complaints) -> None:
    """Complain about every row that overlaps another row, a log or the running timer."""
    rows = [
        _Span(
            str(entry.worked.started_at), str(entry.worked.ended_at), says("row {row}", row=entry.row.number), entry.row
        )
        for entry in entries
    ]
    ordered = sorted(rows + _taken(user_id, rows), key=lambda span: (span.start, span.end))
    longest: _Span | None = None
    for span, following in zip(ordered, [*ordered[1:], None], strict=True):
        met = [other for other in (longest, following) if other is not None and _meet(span, other)]
        if span.row is not None and met:
            refusal = TimeOverlap(other=met[0].name)
            _complain(complaints, span.row, "start", refusal.code, refusal.message)
        longest = span if longest is None or span.end > longest.end else longest


def _taken(user_id: str, rows: Sequence[_Span]) -> list[_Span]:
    zone = people.zone(user_id)
    first = min(row.start for row in rows)
    within = (user_id, max(row.end for row in rows), first, spans.well_before(first))
    return [
        *(
            _Span(start, end, says("{span} ({key})", span=spans.shown(start, end, zone), key=key))
            for start, end, key in WORKSPACE.rows(_LOGGED, within)
        ),
        *(
            _Span(start, _END_OF_TIME, says("{span} ({key})", span=spans.running(start, zone), key=key))
            for start, key in WORKSPACE.rows(_RUNNING, (user_id,))
        ),
    ]


def _meet(span: _Span, other: _Span) -> bool:
    return span.start < other.end and other.start < span.end


_SPENT = "SELECT date, sum(minutes) FROM time_log WHERE user_id = ? AND date BETWEEN ? AND ? GROUP BY date"


def _check_days(user_id: str, entries: Sequence[Entry], complaints: Complaints) -> None:
    """Complain about every row for which its day has no room after the rows above it."""
    days = [entry.worked.date.isoformat() for entry in entries]
    spent: dict[str, int] = defaultdict(int, WORKSPACE.rows(_SPENT, (user_id, min(days), max(days))))
    for day, entry in zip(days, entries, strict=True):
        minutes = entry.worked.minutes
        if spent[day] + minutes > LONGEST:
            refusal = DayFull(date=day, left=LONGEST - spent[day], minutes=minutes)
            _complain(complaints, entry.row, "minutes", refusal.code, refusal.message)
        else:
            spent[day] += minutes


def _check_locks(user_id: str, entries: Sequence[Entry], force: bool, complaints: Complaints) -> None:
    """Complain about every row on a day that is locked for its person."""
    refusals: dict[date, Refusal | None] = {}
    for entry in entries:
        day = entry.worked.date
        if day not in refusals:
            refusals[day] = locks.refusal(user_id, day, force=force)
        if refusal := refusals[day]:
            _complain(complaints, entry.row, "date", refusal.code, refusal.message)


_CELLS = {"startedAt": "start", "endedAt": "end"}


def _complain(complaints: Complaints, row: Row, field: str, code: str, message: Sentence) -> None:
    complaints.add(f"rows[{row.number}].{_CELLS.get(field, field)}", code, message)


def _store(entries: Sequence[Entry]) -> None:
    now, created_by = clock.stamp(), caller.current().user_id
    rows = [
        {
            "id": new_id(),
            "version": 1,
            "created_at": now,
            "updated_at": now,
            "created_by": created_by,
            **logs.columns(
                *entry.workplace,
                entry.user_id,
                entry.worked,
                note=entry.row.cells.get("note"),
                is_billable=entry.billable,
            ),
            "date": entry.worked.date.isoformat(),
        }
        for entry in entries
    ]
    names = list(rows[0])
    insert = f"INSERT INTO time_log ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    WORKSPACE.run_many(insert, [tuple(row.values()) for row in rows])
    for row in rows:
        TimeLog.record_whole(row["id"], row, ("task_id", "user_id"))
    days = sorted(row["date"] for row in rows)
    imported = {"count": len(rows), "dateFrom": days[0], "dateTo": days[-1]}
    imported |= {"minutes": sum(row["minutes"] for row in rows), "userIds": sorted({row["user_id"] for row in rows})}
    events.write("time_log.imported", "time_import", new_id(), imported)
