"""Words of SQL that engines spell differently; all other SQL is written in what SQLite and PostgreSQL both read.

A word takes SQL expressions and returns one; values are always parameters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields
from peewee import SQL

from erp.kernel.currencies import DIGITS
from erp.kernel.wire import own_text


class Condition(msgspec.Struct, frozen=True):
    """A part of a WHERE clause with its named parameters; within a statement, each name is used once."""

    sql: str
    parameters: Mapping[str, Any] = msgspec.field(default_factory=dict)


def given(*clauses: tuple[str, object]) -> Iterator[Condition]:
    """The conditions of those clauses whose value is not None; a clause has one parameter, as in `type = :type`."""
    for clause, value in clauses:
        if value is not None:
            (name,) = set(re.findall(r":(\w+)", clause))
            yield Condition(clause, {name: value if isinstance(value, int) else str(value)})


def all_of(where: Sequence[Condition]) -> Condition:
    """The conjunction of the conditions; always true without any."""
    parameters = {name: value for condition in where for name, value in condition.parameters.items()}
    return Condition(" AND ".join(condition.sql for condition in where) or "true", parameters)


def array(values: Iterable[object]) -> str:
    """A list as one parameter, for `IN (SELECT value FROM json_each(?))`: one statement for any number of values."""
    return _ARRAY.encode(list(values)).decode()


_ARRAY = msgspec.json.Encoder(enc_hook=own_text)


def among(column: Any, values: Iterable[object]) -> Any:
    """Peewee's condition that a column has one of the values, as `array` passes them."""
    return column.in_(SQL("(SELECT value FROM json_each(?))", [array(values)]))


def contains(
    columns: Sequence[str],
    text: str,
    *,
    also: Sequence[str] = (),
    meaning: Callable[[str], Iterable[str]] = lambda word: (),
) -> Condition:
    """A condition: each word of a text, in any case and with any accents, is in one of the columns, without wildcards.

    Args:
        also: other conditions that a word may meet instead, with the word as `:contained`, made by `holds`.
        meaning: what a word may stand for instead, such as an amount: conditions without parameters.
    """
    clauses, parameters = [], {}
    for index, word in enumerate(words(text)):
        name = f":contained_{index}"
        met = [*(holds(column, name) for column in columns), *(clause.replace(":contained", name) for clause in also)]
        met += meaning(word)
        clauses.append(f"({' OR '.join(met)})")
        parameters[name[1:]] = f"%{escaped(word)}%"
    return Condition(f"({' AND '.join(clauses)})" if clauses else "true", parameters)


def escaped(text: str) -> str:
    """A text as a part of a pattern, in which `%` and `_` are no wildcards."""
    for special in "\\%_":
        text = text.replace(special, f"\\{special}")
    return text


def holds(column: str, pattern: str = ":contained") -> str:
    """A condition: a column, in any case and with any accents, is like a folded pattern.

    Only text beyond ASCII is folded, by a function of the connection: it costs thirty times a comparison.
    """
    is_plain = f"octet_length({column}) = length({column})"
    return f"({column} LIKE {pattern} ESCAPE '\\' OR NOT ({is_plain}) AND folded({column}) LIKE {pattern} ESCAPE '\\')"


class Amount(NamedTuple):
    """An amount in minor units of the row's `currency`, which is never null."""

    sql: str


class Json(NamedTuple):
    """A text that is JSON already."""

    sql: str


Value = str | Amount | Json


def json_of(view: type[Struct], columns: Mapping[str, Value | None] | None = None) -> str:
    """A row as the JSON of a view.

    Args:
        columns: SQL by field of the view, for fields that are not columns of that name; None leaves a field out.
    """
    derived = columns or {}
    values = [(item, derived.get(item.name, item.name)) for item in fields(view)]
    shown = [(item, value) for item, value in values if value is not None]
    plain = ", ".join(f"'{item.encode_name}', {_plain(value)}" for item, value in shown)
    amounts = [f"{value.sql} >= 0" for _, value in shown if isinstance(value, Amount)]
    if not amounts:
        return f"json_object({plain})"
    is_usual = " AND ".join([*amounts, _has_cents("currency")])
    return f"CASE WHEN {is_usual} THEN {_printed(shown)} ELSE json_object({plain}) END"


def _plain(value: Value) -> str:
    """The value in a form that `json_object` takes."""
    if isinstance(value, Amount):
        return money_text(*value)
    return f"json({value.sql})" if isinstance(value, Json) else value


def _printed(shown: Sequence[tuple[FieldInfo, Value]]) -> str:
    """A row whose amounts all have two decimals and no sign; measured: a third of the time of a text for each."""
    forms, values = zip(*(_to_print(item, value) for item, value in shown), strict=True)
    named = (f'"{item.encode_name}":{form}' for (item, _), form in zip(shown, forms, strict=True))
    return f"printf('{{{','.join(named)}}}', {', '.join(values)})"


def _to_print(item: FieldInfo, value: Value) -> tuple[str, str]:
    """The format of a field, and its value."""
    if isinstance(value, Amount):
        return '"%d.%02d"', f"{value.sql} / 100, {value.sql} % 100"
    if isinstance(value, Json):
        return "%s", value.sql
    if item.type is int:
        return "%d", value
    return ('"%s"', value) if _is_one_word(item) else ("%s", f"json_quote({value})")


_OWN = ("id", "created_at", "updated_at", "currency")
"""Columns that hold a word which the program itself has written, and are never null."""


def _is_one_word(item: FieldInfo) -> bool:
    """Whether a field's value is never null, and needs no escaping in JSON."""
    kind = get_args(item.type)[0] if get_origin(item.type) is Annotated else item.type
    return item.name in _OWN or kind is date or get_origin(kind) is Literal


def json_array(*values: str) -> str:
    """A JSON list of values; a condition is 0 or 1 in it."""
    return f"json_array({', '.join(values)})"


def json_bool(condition: str) -> str:
    """A condition as true, false or null in JSON."""
    return f"json(CASE WHEN {condition} THEN 'true' WHEN NOT ({condition}) THEN 'false' ELSE 'null' END)"


def json_names(conditions: Mapping[Any, str]) -> str:
    """A JSON list of those names whose condition holds, in alphabetical order."""
    named = (f"CASE WHEN {condition} THEN ',\"{name}\"' ELSE '' END" for name, condition in sorted(conditions.items()))
    return f"json('[' || substr({' || '.join(named)}, 2) || ']')"


def json_list(value: str, rows: str, order: str = "") -> str:
    """A JSON list of a value of all rows; empty if there are none.

    Args:
        rows: the rest of the query after FROM.
    """
    ordered = f" ORDER BY {order}" if order else ""
    return f"(SELECT json_group_array({value}{ordered}) FROM {rows})"


def json_map(name: str, value: str) -> str:
    """An aggregate: a JSON object with a name and a value of each row; empty without rows."""
    return f"json_group_object({name}, {value})"


def json_object(values: Mapping[str, str]) -> str:
    """A JSON object of values by name."""
    named = (f"'{name}', {value}" for name, value in values.items())
    return f"json_object({', '.join(named)})"


def json_members(document: str) -> str:
    """The members of a JSON object, as rows with `key` and `value`."""
    return f"json_each({document})"


def json_without(document: str, name: str) -> str:
    """A JSON object without one of its names; null stays null."""
    return f"json_remove({document}, '$.{name}')"


def json_text(document: str, path: str) -> str:
    """The value at a path in a JSON document, as text or a number."""
    return f"json_extract({document}, {path})"


def greater(one: str, other: str) -> str:
    """The greater of two values that are not null."""
    return f"max({one}, {other})"


def total(amount: str) -> str:
    """An aggregate: the sum of all rows; 0 without rows."""
    return f"coalesce(sum({amount}), 0)"


THEN_JOIN = "CROSS JOIN"
"""A JOIN with ON that SQLite follows as it is written; PostgreSQL chooses an order from what it knows of the tables."""


def unindexed(column: str) -> str:
    """A column by which SQLite searches no index, as another one finds the rows faster."""
    return f"+{column}"


def days_between(earlier: str, later: str) -> str:
    """The number of days from one date to another."""
    return f"CAST(julianday({later}) - julianday({earlier}) AS INTEGER)"


def padded(number: str, digits: int) -> str:
    """A number as text with leading zeros, so that texts sort as the numbers do; null stays null."""
    return f"CASE WHEN {number} IS NOT NULL THEN printf('%0{digits}d', {number}) END"


def lines(text: str) -> str:
    """An aggregate: the texts of all rows, in the order in which they come, each on a line."""
    return f"string_agg({text}, '\n')"


def joined(text: str, order: str) -> str:
    """An aggregate: the texts of all rows, in an order, separated by commas."""
    return f"string_agg({text}, ',' ORDER BY {order})"


def money_text(amount: str, currency: str = "currency") -> str:
    """An amount as `kernel.money.text` shows it.

    Args:
        amount: in minor units; null stays null.
        currency: the currency's code.
    """
    others = [f"WHEN instr('{_WITH[digits]}', {currency}) > 0 THEN {_decimal(amount, digits)}" for digits in _WITH]
    usual = f"WHEN {_has_cents(currency)} THEN {_decimal(amount, 2)}"
    return f"CASE WHEN {amount} IS NULL THEN NULL {usual} {' '.join(others)} END"


_WITH = {digits: " ".join(code for code in DIGITS if DIGITS[code] == digits) for digits in (0, 3, 4)}
"""The currencies that do not have two decimals, by the number that they have."""


def of_digits(currency: str) -> Iterator[tuple[int, str]]:
    """For each number of decimals, the condition that a currency has it."""
    yield 2, _has_cents(currency)
    for digits, codes in _WITH.items():
        yield digits, f"instr('{codes}', {currency}) > 0"


def positional(condition: Condition) -> SQL:
    """A condition for Peewee, whose parameters have no names."""
    names = re.findall(r":(\w+)", condition.sql)
    return SQL(re.sub(r":\w+", "?", condition.sql), [condition.parameters[name] for name in names])


def _has_cents(currency: str) -> str:
    others = (f"'{code}'" for codes in _WITH.values() for code in codes.split())
    return f"({currency} IN ('EUR', 'USD') OR {currency} NOT IN ({', '.join(others)}))"  # to look among many costs most


def _decimal(amount: str, digits: int) -> str:
    if not digits:
        return f"CAST({amount} AS TEXT)"
    unit = 10**digits
    sign = f"CASE WHEN {amount} < 0 THEN '-' ELSE '' END"
    return f"printf('%s%d.%0{digits}d', {sign}, abs({amount}) / {unit}, abs({amount}) % {unit})"


_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ı": "i", "ŋ": "n"}
)
"""Letters that Unicode does not decompose; `ß` becomes `ss` when it is folded."""


def fold(text: str) -> str:
    """The text without case and accents, so that `muller` finds Müller and `strasse` finds Straße."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part)).translate(_LETTERS)


def words(text: str, most: int = 8) -> list[str]:
    """The folded words of a text; the last one includes all further words."""
    return fold(text).split(None, most - 1)
