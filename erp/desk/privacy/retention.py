"""The times for which personal data is kept, and the data whose time is over."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import UNSET

from erp.desk.privacy.declared import HELD, KINDS, YEARS, Held, Kind
from erp.desk.privacy.persons import Person
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import Body, Unset, View

Years = Annotated[int, msgspec.Meta(ge=0, le=100)]


class RetentionChange(Body):
    """Years for which personal data is kept; omitted kinds stay as they are."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"attendance": 3}

    profile: Years | Unset = UNSET
    attendance: Years | Unset = UNSET
    leave: Years | Unset = UNSET
    files: Years | Unset = UNSET
    payroll: Years | Unset = UNSET
    documents: Years | Unset = UNSET
    books: Years | Unset = UNSET


class RetentionYears(View):
    """Years by kind of personal data."""

    profile: Annotated[int, msgspec.Meta(description="Name, address, bank account and the like.")]
    attendance: Annotated[int, msgspec.Meta(description="Attendance and its corrections, notes on weeks of time.")]
    leave: Annotated[int, msgspec.Meta(description="Leave and the leave ledger.")]
    files: Annotated[int, msgspec.Meta(description="Documents and files of employees.")]
    payroll: Annotated[int, msgspec.Meta(description="Names in payslips and wage data.")]
    documents: Annotated[int, msgspec.Meta(description="Invoices, payments and expense claims.")]
    books: Annotated[int, msgspec.Meta(description="Journal entries and open items.")]


class RetentionView(View):
    """Years for which personal data is kept, after the end of the calendar year of its last date."""

    years: RetentionYears
    least: Annotated[RetentionYears, msgspec.Meta(description="The years that the law requires.")]


class Rest(msgspec.Struct, frozen=True):
    """Rows of one kind that name a person, `left` of them with something to erase.

    They are kept through `until`, which is None where nothing requires it.
    """

    kind: Kind
    count: int
    left: int
    until: date | None
    is_over: bool


def years() -> dict[Kind, int]:
    """The years of the open workspace."""
    own = workspace_settings.current().retention or {}
    return {kind: own.get(kind, YEARS[kind]) for kind in KINDS}


def show() -> RetentionView:
    """The years of the open workspace, beside the least."""
    return RetentionView(RetentionYears(**years()), RetentionYears(**YEARS))


def change(body: RetentionChange) -> RetentionView:
    """Keep personal data for longer, or shorten that again.

    Raises:
        Invalid: the law requires more years.
    """
    values: dict[Kind, int] = body.changes()  # type: ignore[assignment]
    present, complaints = years(), Complaints()
    for kind, wanted in values.items():
        if wanted < YEARS[kind]:
            complaints.add(kind, "too_short", says("The law requires at least {years} years.", years=YEARS[kind]))
    complaints.refuse()
    changed: dict[str, Any] = {
        kind: {"from": present[kind], "to": wanted} for kind, wanted in values.items() if wanted != present[kind]
    }
    if changed:
        settings = workspace_settings.current()
        settings.change(retention={**(settings.retention or {}), **values})
        events.write("retention.updated", "workspace", str(caller.current().workspace_id), changed)
    return show()


def rests(person: Person) -> list[Rest]:
    """The rows that name a person, by kind; kinds without a row are there as well."""
    (own,) = rests_of([person])
    return own


def rests_of(people: Sequence[Person]) -> list[list[Rest]]:
    """The same of each of several people, read at once."""
    whom = (json.dumps([person.parameters | {"id": person.id} for person in people]),)
    found: dict[str, dict[Kind, list[_Found]]] = {person.id: {kind: [] for kind in KINDS} for person in people}
    for held in HELD if people else ():
        for id, *row in WORKSPACE.rows(_query(held), whom):
            found[id][held.kind].append(_Found(*row))
    today, kept_for = workspace_settings.today(), years()
    return [_rests(person, found[person.id], today, kept_for) for person in people]


class _Found(NamedTuple):
    """The number of rows, the number of those with something to erase, and their last date."""

    rows: int
    left: int
    last: str | None


_PARAMETER = re.compile(r":(employee|user|contacts|alias)\b")
"""A parameter of the conditions in `declared`; here each is a column, as there are several people."""


def _query(held: Held) -> str:
    rows = f"""
        WITH whom AS MATERIALIZED (
            SELECT value ->> 'id' AS person_id, value ->> 'employee' AS employee, value ->> 'user' AS user,
                value ->> 'contacts' AS contacts, value ->> 'alias' AS alias FROM json_each(?))
        SELECT person_id, count(*), count(CASE WHEN {held.left} THEN 1 END), max({held.date})
        FROM whom CROSS JOIN {held.table} WHERE {held.whose} GROUP BY person_id"""
    return _PARAMETER.sub(r"whom.\1", rows)


def _rests(
    person: Person, found: Mapping[Kind, Sequence[_Found]], today: date, kept_for: Mapping[Kind, int]
) -> list[Rest]:
    days = {kind: [date.fromisoformat(row.last) for row in rows if row.last] for kind, rows in found.items()}
    if person.employee is None:
        days["profile"] = [day for own in days.values() for day in own]
    made = []
    for kind, rows in found.items():
        until = _until(person, days[kind], kept_for[kind])
        counts = sum(row.rows for row in rows), sum(row.left for row in rows)
        made.append(Rest(kind, *counts, until, until is None or until < today))
    return made


def _until(person: Person, days: list[date], kept_for: int) -> date | None:
    """The last day of the calendar year in which the time ends.

    An employee's runs from when they left, at least; a contact's profile has the last date of all their rows. Nothing
    requires a user's.
    """
    if person.kind == "user":
        return None
    if person.left_on is not None:
        days = [*days, person.left_on]
    return date(max(days).year + kept_for, 12, 31) if days else None
