"""Filters of lists with several values, and with values that are left out.

A list compares one value of each filter. When a request names several (`status=draft&status=issued`, or with commas) or
leaves some out (`not.status=void`), the list is asked with each value in turn, not for rows but for the statement that
selects their ids; then it is asked once more without that filter, and keeps the rows that are among the ids of any of
the values, and of none that are left out. So pages, sums, groups and files follow the same filters.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_origin

import msgspec

from erp.kernel.errors import Complaint, Invalid, UnknownReference
from erp.kernel.language import says
from erp.store import sql
from erp.store.sql import Condition
from erp.web import field_complaints, schema
from erp.web.hints import hints, peeled, without_none
from erp.web.schema import ListQuery, Query

if TYPE_CHECKING:
    from peewee import ModelSelect

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")

MOST = 50
NOT = "not."
_BESIDE = ("columns", "format", "group_by", "ids", "include", "sort")
_TEXTS = ("currency", "tag")
_WITH_COMMAS = ("tag",)
"""Filters whose values may have commas: they take several by being repeated."""


class Choice(msgspec.Struct, frozen=True):
    """The values of a filter, in the place of its one value: any of `among`, and none of `without`."""

    among: Sequence[Any] = ()
    without: Sequence[Any] = ()


class _Narrowing:
    """The conditions under which a list shows a row, in addition to its own; `is_used` once it has asked for them."""

    def __init__(self, groups: Sequence[tuple[str, Sequence[Condition], bool]]) -> None:
        self.names = {name for name, _, _ in groups}
        self.groups = groups
        self.is_used = False


class _Selected(Exception):
    """The statement that selects the ids of the rows of a list."""

    def __init__(self, statement: Condition) -> None:
        self.statement = statement


_NARROWING: ContextVar[_Narrowing | None] = ContextVar("narrowing", default=None)
_IS_ASKED: ContextVar[Iterator[int] | None] = ContextVar("asked for statements", default=None)


@cache
def filters(kind: type[Query]) -> dict[str, str]:
    """The filters that take several values, by wire name: a state, kind, person, contact, account or other record."""
    fields, types = msgspec.structs.fields(kind), hints(kind)
    if not issubclass(kind, ListQuery):
        return {field.encode_name: field.name for field in fields if field.name in kind.SEVERAL}
    return {field.encode_name: field.name for field in fields if _is_choice(kind, field, types[field.encode_name])}


def _is_choice(kind: type[ListQuery], field: msgspec.structs.FieldInfo, hint: Any) -> bool:
    if field.default is not None or field.name in (*_BESIDE, *kind.SINGLE):
        return False
    is_named = field.name.endswith("_id") or field.name in _TEXTS or schema.array_of(hint) is not None
    return is_named or get_origin(peeled(hint)) is Literal


def takes_commas(name: str) -> bool:
    """Whether several values of a filter may be one text with commas."""
    return name not in _WITH_COMMAS


def decode(sent: Mapping[str, str | list[str]], kind: type[Q]) -> Q:
    """As `schema.decode_query`, with a `Choice` where a filter has several values.

    Raises:
        Invalid: with a complaint about every wrong parameter.
    """
    takes = filters(kind)
    named = {name: _values(name, value, kind) for name, value in sent.items() if name.removeprefix(NOT) in takes}
    chosen = {name: values for name, values in named.items() if name.startswith(NOT) or len(values) > 1}
    if not chosen:
        return schema.decode_query(sent, kind)
    plain = {name: value for name, value in sent.items() if name not in chosen}
    plain |= {name: values[0] for name, values in chosen.items() if not name.startswith(NOT)}
    query = _decoded(plain, chosen, kind)
    return msgspec.structs.replace(query, **dict(_choices_of(query, plain, chosen)))


def _decoded(plain: Mapping[str, str | list[str]], chosen: Mapping[str, Sequence[str]], kind: type[Q]) -> Q:
    """The query with one value of each filter, once nothing is wrong with the others."""
    types = hints(kind)
    complaints = [wrong for name in chosen for wrong in _wrong(name, chosen[name], types[name.removeprefix(NOT)])]
    try:
        query = schema.decode_query(plain, kind)
    except Invalid as invalid:
        told = {complaint.field for complaint in invalid.details}
        raise Invalid([*invalid.details, *(wrong for wrong in complaints if wrong.field not in told)]) from None
    if complaints:
        raise Invalid(complaints)
    return query


def _choices_of(query: Query, plain: Mapping[str, object], chosen: Mapping[str, Sequence[str]]) -> Iterator[Any]:
    kind: Any = type(query)
    takes, types = filters(kind), hints(kind)
    for wire in dict.fromkeys(name.removeprefix(NOT) for name in chosen):
        texts = (chosen.get(name, ()) for name in (wire, NOT + wire))
        among, without = (tuple(_read(text, types[wire]) for text in of_name) for of_name in texts)
        if not among and wire in plain:
            among = (getattr(query, takes[wire]),)
        yield takes[wire], Choice(among, without)


def _values(name: str, value: str | list[str], kind: type[Query]) -> list[str]:
    wire = name.removeprefix(NOT)
    texts = value if isinstance(value, list) else [value]
    if schema.array_of(hints(kind)[wire]):
        return [",".join(texts)]
    parts = [part for text in texts for part in (text.split(",") if takes_commas(wire) else [text])]
    return list(dict.fromkeys(parts))


def _wrong(name: str, values: Sequence[str], hint: Any) -> Iterator[Complaint]:
    """The first complaint about the values of a filter."""
    known = (schema.array_of(hint) or {}).get("items", {}).get("enum")
    if len(values) > MOST:
        yield Complaint(name, "too_many", says("List at most {most} values.", most=MOST))
    elif known is not None:
        if not set(values[0].split(",")) <= set(known):
            yield Complaint(name, "not_one_of", says("Must be one of: {options}.", options=", ".join(known)))
    else:
        complaints = (wrong for text in values for wrong in field_complaints.of_field(text, without_none(hint), name))
        yield from islice(complaints, 1)


def _read(text: str, hint: Any) -> Any:
    return field_complaints.read(text, without_none(hint))


def answered(query: Any, ask: Callable[[Any], R]) -> R:
    """The answer to a query, each of whose filters may have several values.

    Args:
        ask: answers a query in which no filter has.
    """
    choices = _choices(query)
    if not choices:
        return ask(query)
    plain = msgspec.structs.replace(query, **dict.fromkeys(choices))
    numbers = count()
    refused: list[Invalid] = []
    groups = [
        (name, [_statement(ask, plain, name, value, numbers, is_out, refused) for value in values], is_out)
        for name, choice in choices.items()
        for values, is_out in ((choice.among, False), (choice.without, True))
        if values
    ]
    _refuse(refused)
    narrowing = _Narrowing(groups)
    token = _NARROWING.set(narrowing)
    try:
        answer = ask(plain)
    finally:
        _NARROWING.reset(token)
    assert narrowing.is_used, f"{type(query).__name__}: its list does not ask for the conditions of its filters"
    return answer


def _choices(query: Any) -> dict[str, Choice]:
    if not isinstance(query, ListQuery):
        return {}
    kind: Any = type(query)
    values = ((name, getattr(query, name)) for name in filters(kind).values() if name not in kind.SEVERAL)
    return {name: value for name, value in values if isinstance(value, Choice)}


_ROWS = {"group_by": None, "include": None, "total": False, "cursor": None}


def _statement(
    ask: Callable[[Any], object],
    plain: Any,
    name: str,
    value: object,
    numbers: Iterator[int],
    is_out: bool,
    refused: list[Invalid],
) -> Condition:
    """The statement that selects the ids of the rows with a value of a filter.

    A value that names no record is complained of by its parameter and itself.
    """
    kind: Any = type(plain)
    rows = {field: empty for field, empty in _ROWS.items() if field in kind.__struct_fields__}
    token = _IS_ASKED.set(numbers)
    try:
        ask(msgspec.structs.replace(plain, **rows, **{name: value}))
    except _Selected as selected:
        return selected.statement
    except Invalid as invalid:
        wire = next(wire for wire, field in filters(kind).items() if field == name)
        invalid.details = [_of_value(complaint, wire, value, is_out) for complaint in invalid.details]
        refused.append(invalid)
        return Condition("", {})
    finally:
        _IS_ASKED.reset(token)
    raise AssertionError(f"{type(plain).__name__}: its list has no statement for its filters")


def found(wanted: object, wire: str, find: Callable[[Any], object]) -> Choice:
    """The ids of the records that a filter names, in a list that compares them in Python.

    Args:
        wire: the filter.
        find: the id that a value names.

    Raises:
        Invalid: values name no record; each of several is told.
    """
    if not isinstance(wanted, Choice):
        return Choice(() if wanted is None else (find(wanted),))
    refused: list[Invalid] = []
    among, without = (
        tuple(filter(None, (_found(value, wire, find, is_out, refused) for value in values)))
        for values, is_out in ((wanted.among, False), (wanted.without, True))
    )
    _refuse(refused)
    return Choice(among, without)


def _found(value: object, wire: str, find: Callable[[Any], object], is_out: bool, refused: list[Invalid]) -> object:
    try:
        return find(value)
    except Invalid as invalid:
        invalid.details = [_of_value(complaint, wire, value, is_out) for complaint in invalid.details]
        refused.append(invalid)
        return None


def _refuse(refused: Sequence[Invalid]) -> None:
    """Refuse with all complaints at once."""
    if refused:
        Invalid.__init__(refused[0], [complaint for each in refused for complaint in each.details])
        raise refused[0]


def fits(wanted: object, value: object) -> bool:
    """Whether a value is one that a filter asks for, in a list that compares it in Python."""
    if isinstance(wanted, Choice):
        return (not wanted.among or value in wanted.among) and value not in wanted.without
    return wanted in (None, value)


def _of_value(complaint: Complaint, wire: str, value: object, is_out: bool) -> Complaint:
    """A complaint about one of several values, or of the values that are left out."""
    if complaint.field != wire:
        return complaint
    message = complaint.message
    if complaint.code == UnknownReference.code:
        message = says("Not in this workspace: {value}.", value=str(value))
    return msgspec.structs.replace(complaint, field=NOT + wire if is_out else wire, message=message)


def narrows(name: str) -> bool:
    """Whether several values of a filter are asked for, while the list is asked without it."""
    narrowing = _NARROWING.get()
    return narrowing is not None and name in narrowing.names


def narrowed(select: "ModelSelect[Any]") -> "ModelSelect[Any]":
    """The records of a select that the filters with several values leave."""
    model: Any = select.model
    if (numbers := _IS_ASKED.get()) is not None:
        raise _Selected(_named(*select.select(model.id).order_by().sql(), numbers))
    for statement, is_out in _statements():
        among = sql.positional(Condition(f"({statement.sql})", statement.parameters))
        select = select.where(model.id.not_in(among) if is_out else model.id.in_(among))
    return select


def conditions() -> Iterator[Condition]:
    """The conditions that the filters with several values add to a list without models."""
    for statement, is_out in _statements():
        yield Condition(f"id {'NOT ' if is_out else ''}IN ({statement.sql})", statement.parameters)


def give(table: str, matching: Condition) -> None:
    """Give the statement of a list without models, if it is asked for that alone."""
    if (numbers := _IS_ASKED.get()) is None:
        return
    number = next(numbers)
    names = {name: f"{name}_of_{number}" for name in matching.parameters}
    text = re.sub(r":(\w+)", lambda match: f":{names.get(match[1], match[1])}", matching.sql)
    parameters = {names[name]: value for name, value in matching.parameters.items()}
    raise _Selected(Condition(f"SELECT id FROM {table} WHERE {text}", parameters))


def _statements() -> Iterator[tuple[Condition, bool]]:
    """For each filter, the statement of all its values, and whether their rows are left out."""
    narrowing = _NARROWING.get()
    if narrowing is not None:
        narrowing.is_used = True
        for _, statements, is_out in narrowing.groups:
            parameters = {name: value for each in statements for name, value in each.parameters.items()}
            yield Condition(" UNION ALL ".join(each.sql for each in statements), parameters), is_out


def _named(text: str, values: Sequence[Any], numbers: Iterator[int]) -> Condition:
    """A statement with names for its parameters."""
    number, places = next(numbers), count()
    named = re.sub(
        r"'[^']*'|\?", lambda match: f":at_{next(places)}_of_{number}" if match[0] == "?" else match[0], text
    )
    return Condition(named, {f"at_{place}_of_{number}": value for place, value in enumerate(values)})
