"""Plays a scenario: each entry is one request of the API, sent on its day by the person who does that work.

Kinds that need more than one request, or are generated from a pattern, are in `people`, `work` and `money`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import msgspec

from erp.demo.days import YEAR, Calendar, Span
from erp.demo.figures import figure, pick
from erp.demo.kinds import KINDS, OWN, REFERENCES, SEVERAL
from erp.demo.scenario import Entry, Fields, Scenario
from erp.web.client import Client, RequestRefused

_ANSWERED = re.compile(r"<([^<>]+)\.(\w+)>")


class NotPlayed(RuntimeError):
    """The scenario cannot be played; the message says which of its lines is wrong, and why."""


@contextmanager
def _named(entry: Entry) -> Iterator[None]:
    """Say of whatever goes wrong in the block on which line it is written."""
    try:
        yield
    except (RequestRefused, ValueError, LookupError) as wrong:
        raise NotPlayed(f"Line {entry.line} of the scenario, [[{entry.kind}]]: {wrong}") from wrong


class Act(msgspec.Struct, frozen=True):
    """An entry on one of its days: the `turn`-th of them, counted from 0."""

    entry: Entry
    day: date
    turn: int = 0
    project: Fields = {}
    span: Span | None = None
    lots: Iterator[int] = msgspec.field(default_factory=count)

    @property
    def fields(self) -> Fields:
        """The fields of the entry."""
        return self.entry.fields

    def lot(self) -> tuple[object, ...]:
        """A name for the next figure by lot: the same whenever the same entry is played."""
        return self.entry.kind, repr(self.fields), self.turn, next(self.lots)

    def saying(self, fields: Fields, day: date | None = None) -> "Act":
        """The same with other fields, perhaps on another day."""
        entry = msgspec.structs.replace(self.entry, fields=fields)
        return msgspec.structs.replace(self, entry=entry, day=day or self.day)


class Step(NamedTuple):
    """A task while it is worked on, and how many shares of people's time its project takes."""

    key: str
    share: int
    people: list[str]
    days: Span


Pattern = Callable[["Player", Act], object]


def _read_old_notices(client: Client) -> None:
    """Leave someone only their two newest notices unread."""
    if old := list(client.get("/workspace/notices"))[2:]:
        client.post("/workspace/notices/read", throughId=old[0]["id"])


class Player:
    """The company while it is being created.

    Attributes:
        calendar: its days.
        scenario: what is played.
        visitor: a client that is not signed in.
        staff: the client of each person.
        employed: from when until when people are employed, until today if they have not left.
        leave: how much of a day ("1" or "0.5") a person is on leave, by first name and day.
        habits: when customers pay, by their ids.
        steps: the tasks that are worked on.
    """

    def __init__(
        self, scenario: Scenario, visitor: Client, calendar: Calendar, patterns: Mapping[str, Pattern]
    ) -> None:
        self.scenario, self.visitor, self.calendar = scenario, visitor, calendar
        self.staff: dict[str, Client] = {}
        self.employed: dict[str, Span] = {}
        self.leave: dict[tuple[str, date], str] = {}
        self.habits: dict[str, str | None] = {}
        self.steps: list[Step] = []
        self._patterns = patterns
        self._records: dict[tuple[str, str], Fields] = {}
        self._answers: dict[str, Fields] = {}
        self._agenda: list[tuple[date, int, int, Act, Callable[[Act], object]]] = []
        self._numbers = count()

    def play(self) -> None:
        """Do what has no day, then all the rest in the order of days.

        Raises:
            NotPlayed: the program refuses an entry, or it cannot be understood.
        """
        for dated in (False, True):
            for entry in self.scenario.entries:
                if ("on" in entry.fields) is dated:
                    with _named(entry):
                        self.plan(entry, self.calendar.month(YEAR))
            self._play_agenda()
        for person in self.scenario.people:
            if not person.leaves:
                _read_old_notices(self.staff[person.first])
        owner = next(person for person in self.scenario.people if person.role == "owner")
        self.staff[owner.first].post("/workspace/first-steps", isHidden=True)
        for client in self.staff.values():
            client.post("/auth/logout")

    def _play_agenda(self) -> None:
        while self._agenda:
            *_, act, do = heappop(self._agenda)
            with _named(act.entry):
                do(act)

    def plan(self, entry: Entry, own: date, project: Fields | None = None, span: Span | None = None) -> None:
        """Put an entry on each of its days; without any, on the day `own`."""
        for turn, day in enumerate(self._days(entry.fields, own, span)):
            self.at(Act(entry, day, turn, project or {}, span), self._do)

    def _days(self, fields: Fields, own: date, span: Span | None) -> list[date]:
        if "on" not in fields:
            return [own]
        return self.days(fields["on"], own, span, fields.get("since", ""), fields.get("through", ""))

    def days(self, on: str | list[str], own: date, span: Span | None = None, *months: str) -> list[date]:
        """The days of one or several texts."""
        texts = [on] if isinstance(on, str) else on
        return sorted({day for text in texts for day in self.calendar.acts(text, own, span, *months)})

    def at(self, act: Act, do: Callable[[Act], object]) -> None:
        """Plan something for the day of an act; what is after today is not done."""
        if act.day <= self.calendar.today:
            heappush(self._agenda, (act.day, act.entry.line, next(self._numbers), act, do))

    def _do(self, act: Act) -> None:
        self._patterns.get(act.entry.kind, Player.create)(self, act)

    def create(self, act: Act) -> Fields:
        """Send an entry, remember what it makes by its name, and do what comes then."""
        kind = KINDS[act.entry.kind]
        body = kind.fixed | self.body(act.fields, act)
        if kind.dated:
            body.setdefault(kind.dated, str(act.day))
        path = re.sub(r"{(\w+)}", lambda name: str(body.pop(name[1])), kind.path)
        record: Fields = self.client(act).post(path, **body)
        self.remember(act, record)
        for step in act.fields.get("then", ()):
            self._then(act, record, step)
        return record

    def remember(self, act: Act, record: Fields) -> None:
        """Keep a record by the name that entries call it by."""
        kind = KINDS[act.entry.kind]
        name = str(act.fields.get("as") or record.get(kind.called))
        self._records[self._key(kind.records or act.entry.kind, name, act)] = record
        self._answers[name] = record

    def _then(self, act: Act, record: Fields, step: Fields) -> None:
        """Do one more thing with a record, at once or on a later day."""
        kind = KINDS[act.entry.kind]
        path = f"{kind.item or kind.path}/{record['id']}"
        by = {"by": step.get("by") or self._by(act)}
        if "on" not in step:
            self._change(path, act.saying(step | by))
            return
        for day in self.days(step["on"], act.day, act.span):
            self.at(act.saying(step | by, day), partial(self._change, path))

    def _change(self, path: str, act: Act) -> None:
        client, body = self.client(act), self.body(act.fields, act)
        if "do" in act.fields:
            client.post(f"{path}/{act.fields['do']}", **body)
        else:
            client.patch(path, **body)

    def change(self, act: Act) -> None:
        """Change the record that an entry names."""
        self._change(f"{KINDS[act.fields['what']].path}/{self.named(act)['id']}", act)

    def named(self, act: Act) -> Fields:
        """The record that an entry names with `what` and `named`."""
        return self.find(act.fields["what"], self._text(act.fields["named"], act), act)

    def client(self, act: Act) -> Client:
        """The client of the person who does an act."""
        return self.staff[self._by(act)]

    def _by(self, act: Act) -> str:
        return str(act.fields.get("by") or self.scenario.tables["by"][act.entry.kind])

    def find(self, kind: str, name: str, act: Act) -> Fields:
        """The record that an entry names; one that was there before the scenario is looked up.

        Raises:
            LookupError: there is none.
        """
        key = self._key(kind, name, act)
        if key not in self._records and kind in KINDS and "{" not in KINDS[kind].path:
            for record in self.client(act).get(KINDS[kind].path):
                called = record.get(KINDS[kind].called) or record.get("user", {}).get("name")
                self._records.setdefault((kind, str(called)), record)
        if key not in self._records:
            raise LookupError(f"There is no {kind} “{name}”.")
        return self._records[key]

    def _key(self, kind: str, name: str, act: Act) -> tuple[str, str]:
        """Tasks are told apart by their projects."""
        return kind, f"{act.project['name']}: {name}" if kind == "task" else name

    def keep(self, kind: str, name: str, record: Fields) -> None:
        """Keep a record that no entry of its kind has made."""
        self._records[kind, name] = record

    def body(self, fields: Fields, act: Act) -> Fields:
        """Fields as a request writes them."""
        return dict(self._field(name, value, act) for name, value in fields.items() if name not in OWN)

    def _field(self, name: str, value: Any, act: Act) -> tuple[str, object]:
        if name == "account" or name not in REFERENCES or isinstance(value, dict):
            return ("accountId" if name == "account" else name), self._value(value, act)
        kind, field = REFERENCES[name]
        names = value if isinstance(value, list) else [value]
        if name not in SEVERAL:
            names = [names[pick(0, len(names) - 1, *act.lot())]]
        ids = [self.find(kind, self._text(one, act), act)["id"] for one in names]
        return field, ids if name in SEVERAL else ids[0]

    def _value(self, value: Any, act: Act) -> Any:
        if isinstance(value, dict):
            return self.body(value, act)
        if isinstance(value, list):
            return [self._value(one, act) for one in value]
        if not isinstance(value, str):
            return value
        if value == "this year":
            return self.calendar.today.year
        text = self._text(value, act)
        day = self.calendar.exact(text, act.day, act.span)
        return str(day) if day else figure(text, *act.lot())

    def _text(self, text: str, act: Act) -> str:
        """A text with all that it takes from its day, its project and from answers."""
        known = {"date": str(act.day), "month": f"{act.day:%m/%Y}"}
        text = re.sub(r"<(\w+)>", lambda word: known.get(word[1], word[0]), text)
        return _ANSWERED.sub(lambda found: self._answer(found[1], found[2], act), text)

    def _answer(self, name: str, field: str, act: Act) -> str:
        source = act.project if name == "project" else self._answers.get(name, {})
        if field not in source:
            raise LookupError(f"Nothing is known of “{name}.{field}”.")
        return str(source[field])
