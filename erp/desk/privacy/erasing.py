"""Erasing a person: what is no longer to be kept goes, the rest stays until its time is over."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any

import msgspec
from peewee import Model

from erp.desk.privacy import accounts, mentions, persons, redaction, retention, texts
from erp.desk.privacy.declared import HELD, WITHOUT_ID, Held, Kind
from erp.desk.privacy.mentions import MentionKind
from erp.desk.privacy.persons import Person
from erp.desk.privacy.redaction import Gone
from erp.desk.privacy.retention import Rest
from erp.hr.access import people as employees
from erp.hr.payroll.store import is_any_carried
from erp.kernel import caller, clock
from erp.kernel.errors import Refusal
from erp.store import control, engine, events, sql, workspace_settings
from erp.store.records import Recorded
from erp.store.router import WORKSPACE
from erp.store.search import words


class StillEmployed(Refusal):
    """{name} is still employed. Enter their last day first."""


class BalanceOpen(Refusal):
    """{name} still has open amounts or claims. Settle them first."""


class Plan(msgspec.Struct, frozen=True):
    """The effect of an erasure: what goes, what stays, and the events that say less.

    `authored` is the number and the last day of the events of the books that a user has written, `mentions` the number
    of texts of the office that have the person's name, by table, and `tip` the newest event that was looked at.
    """

    person: Person
    erases: list[Rest]
    keeps: list[Rest]
    gone: Gone
    blanked: list[redaction.Blanked]
    authored: tuple[int, date] | None
    account_stays: bool
    mentions: dict[MentionKind, int]
    tip: tuple[int, str]


def judge(kind: str, id: str) -> Plan:
    """The effect of erasing a person, before the file is opened to change it: it reads the whole log.

    Raises:
        Forbidden, NotFound: as `persons.find`.
        StillEmployed, BalanceOpen, LastOwner: as `plan`.
    """
    with control.reading_own():
        return plan(persons.find(kind, id))


def plan(person: Person, judged: Plan | None = None) -> Plan:
    """The effect of erasing a person now.

    Args:
        judged: an earlier plan; of the log, only events since are read, unless it concerns other data by now.

    Raises:
        StillEmployed: the employment has not ended.
        BalanceOpen: money is owed, or a claim waits for a decision.
        LastOwner: no owner would be left.
    """
    _check(person)
    rests = retention.rests(person)
    gone = _gone(person, _over(person, rests))
    erases = [rest for rest in rests if rest.kind in gone.over and rest.left]
    keeps = [rest for rest in rests if rest.count > (rest.left if rest in erases else 0)]
    tip, account_stays = events.tip(), person.user_id is not None and accounts.stays(person.user_id)
    if judged is not None and _still_holds(judged, person, gone):
        blanked = [*judged.blanked, *redaction.find(person, gone, after=judged.tip[0])]
        return Plan(person, erases, keeps, gone, blanked, judged.authored, account_stays, judged.mentions, tip)
    blanked, authored = redaction.find(person, gone), redaction.authored(person)
    return Plan(person, erases, keeps, gone, blanked, authored, account_stays, mentions.of(person), tip)


def _still_holds(judged: Plan, person: Person, gone: Gone) -> bool:
    return (judged.person.ids, judged.gone) == (person.ids, gone) and redaction.is_unchanged(judged.tip)


def _over(person: Person, rests: list[Rest]) -> frozenset[Kind]:
    """The kinds of data that may go; the author of what was posted is a part of the books."""
    kept = ("payroll", "documents", "books") if person.kind == "user" else ("books",)
    return frozenset(rest.kind for rest in rests if rest.is_over and rest.kind not in kept)


def _check(person: Person) -> None:
    employee = person.employee
    if person.user_id is not None:
        accounts.check(person.user_id)
        employee = accounts.employee_of(person.user_id)
    if employee is not None and employees.status(employee, workspace_settings.today()) != "terminated":
        raise StillEmployed(name=employee.name)
    if any(_owed(person)):
        raise BalanceOpen(name=person.name)


_OPEN = """
SELECT EXISTS (SELECT 1 FROM open_item WHERE open <> 0 AND contact_id IN (SELECT value FROM json_each(:contacts)))
    OR EXISTS (SELECT 1 FROM expense_claim WHERE employee_id = :employee AND status IN ('submitted', 'approved'))
    OR EXISTS (
        SELECT 1 FROM payslip JOIN payroll_run ON payroll_run.id = run_id
        WHERE employee_id = :employee AND status IN ('draft', 'approved'))
"""


def _owed(person: Person) -> Iterator[bool]:
    ((is_open,),) = WORKSPACE.rows(_OPEN, person.parameters)
    yield bool(is_open)
    if person.employee is not None:
        yield is_any_carried(person.employee.id)


def _gone(person: Person, over: frozenset[Kind]) -> Gone:
    deleted: set[str] = set()
    changed: dict[tuple[str, str], Held] = {}
    for held in HELD:
        if held.kind in over and held.is_erased and held.table not in WITHOUT_ID:
            for (id,) in WORKSPACE.rows(f"SELECT id FROM {held.table} WHERE {held.left}", person.parameters):
                if held.deleted:
                    deleted.add(id)
                else:
                    changed[held.table, id] = held
    values = _values(person) if "profile" in over else set[str]()
    telling = {value for value in values if _is_telling(value)}
    if person.name in values and not WORKSPACE.rows(_NAMESAKES, (person.name, sql.array(person.ids))):
        telling.add(person.name)
    return Gone(over, frozenset(deleted), changed, texts.pattern(values), frozenset(telling))


_NAMESAKES = """
SELECT 1 FROM (SELECT id, name FROM employee UNION ALL SELECT id, name FROM contact) AS bearer
WHERE name = ? AND id NOT IN (SELECT value FROM json_each(?))
"""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _is_telling(value: str) -> bool:
    """Whether a value names no one else: an e-mail address, or a number of some length that is no date."""
    return "@" in value or (sum(map(str.isdigit, value)) > 5 and not _DAY.match(value))


def _values(person: Person) -> set[str]:
    """The person's own values, as their rows have them and as earlier events have recorded them."""
    values = {person.name}
    for held in HELD:
        if held.kind == "profile" and held.named:
            columns = ", ".join(held.personal)
            for row in WORKSPACE.rows(f"SELECT {columns} FROM {held.table} WHERE {held.left}", person.parameters):
                values.update(text for value in row if value is not None for text in texts.leaves(value))
    return values | accounts.values(person.user_id) | _former_names(person)


_RECORDED = """
SELECT recorded FROM event WHERE resource_id IN (SELECT value FROM json_each(?)) AND recorded IS NOT NULL
"""


def _former_names(person: Person) -> set[str]:
    """The names that the person once had, as events have recorded them."""
    names: set[Any] = set()
    for (text,) in WORKSPACE.rows(_RECORDED, (sql.array(person.ids),)):
        for table in ("employee", "contact"):
            names.update((row or {}).get("name") for row in json.loads(text).get(table, {}).values())
    return names - {None, texts.ERASED, person.alias}


def carry_out(planned: Plan, reason: str) -> None:
    """Do what a plan says, and log it; without anything to erase, nothing happens."""
    person = planned.person
    if not (planned.erases or planned.blanked or person.user_id):
        return
    engine.overwrite_deleted(WORKSPACE)
    _begin(person)
    for held in HELD:
        if held.kind in planned.gone.over and held.is_erased:
            _erase(held, planned)
    _forget_answers(planned)
    words.discard(words.path_of(str(caller.current().workspace_id)))
    redactions = redaction.write(planned.blanked)
    events.write(
        events.ERASURE,
        person.kind,
        person.id,
        {
            "reason": reason,
            "erases": {rest.kind: rest.left for rest in planned.erases},
            "redactions": [msgspec.structs.asdict(each) for each in redactions],
        },
    )
    if person.user_id is not None:  # last: the control file is committed at once, and could not be taken back
        accounts.remove(person.user_id, person.alias)


_BEGIN = "INSERT INTO erasure (person_id, event_seq) VALUES (?, ?)"


def _begin(person: Person) -> None:
    seq, _ = events.tip()
    WORKSPACE.run_many(_BEGIN, [(id, seq + 1) for id in person.ids])


def _erase(held: Held, planned: Plan) -> None:
    person, model = planned.person, _model(held.table)
    cursor = WORKSPACE.run(f"SELECT * FROM {held.table} WHERE {held.left}", person.parameters)
    columns = [column[0] for column in cursor.description]
    rows = [dict(zip(columns, values, strict=True)) for values in cursor]
    if held.deleted:
        WORKSPACE.run(f"DELETE FROM {held.table} WHERE {held.whose}", person.parameters)
    for row in rows if held.table not in WITHOUT_ID else ():
        if held.deleted:
            model and model.record_removed(row["id"])
        else:
            _change(held, row, person, model)


def _change(held: Held, row: dict[str, Any], person: Person, model: type[Recorded] | None) -> None:
    values: dict[str, Any] = dict.fromkeys(held.emptied)
    values |= {column: texts.within(row[column], _erased) for column in held.blanked}
    values |= {column: _without_name(row[column], person.id) for column in held.shared}
    if held.named:
        values[held.named] = person.alias
    if "version" in row:
        values |= {"version": row["version"] + 1, "updated_at": clock.stamp()}
    settings = ", ".join(f"{column} = :{column}" for column in values)
    WORKSPACE.run(f"UPDATE {held.table} SET {settings} WHERE id = :id", {**values, "id": row["id"]})
    if model is not None:
        after = row | values
        model.record_whole(row["id"], after, ())
        model.record_columns(row["id"], {column: after[column] for column in held.personal})


def _erased(value: Any) -> Any:
    return texts.ERASED if isinstance(value, str) else value


def _without_name(text: str, employee_id: str) -> str:
    """A list of JSON about several people, without the name of one of them."""
    parts = json.loads(text)
    for part in parts:
        if part.get("employeeId") == employee_id:
            part.update({name: texts.ERASED for name in ("name", "employeeName") if part.get(name) is not None})
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


_ANSWERED = "DELETE FROM idempotency WHERE instr(body, CAST(? AS BLOB)) > 0"


def _forget_answers(planned: Plan) -> None:
    """Delete stored answers that name an erased row or person."""
    for value in (*planned.person.ids, planned.person.name):
        WORKSPACE.run(_ANSWERED, (value,))


@cache
def _models() -> Mapping[str, type[Recorded]]:
    def below(base: type[Model]) -> Iterator[type[Model]]:
        for model in base.__subclasses__():
            yield model
            yield from below(model)

    return {model._meta.table_name: model for model in below(Recorded)}  # type: ignore[misc]


def _model(table: str) -> type[Recorded] | None:
    model = _models().get(table)
    return model if model is not None and model.is_recorded else None
