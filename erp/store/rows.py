"""Rows as models and back by fixed statements, which are made once per table and set of columns.

Peewee spells every statement again, which takes about 1 ms for a wide table; its row is written in 0.04 ms.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from peewee import BooleanField, Field, JSONField, Model

from erp.kernel.wire import own_text

M = TypeVar("M", bound=Model)
Convert = Callable[[Any], Any]


def _compact(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=own_text).decode()


class DayField(Field):
    """A calendar day, stored as ISO text."""

    field_type = "TEXT"

    def db_value(self, value: date | str | None) -> str | None:
        return value.isoformat() if isinstance(value, date) else value

    def python_value(self, value: str | None) -> date | None:
        return None if value is None else date.fromisoformat(value)


@cache
def _readers(model: type[Model], columns: tuple[str, ...]) -> tuple[list[str], list[tuple[str, Convert]], list[str]]:
    """For the columns of a row: their attributes, the converted ones, and those that are not fields."""
    fields = [model._meta.columns.get(column) for column in columns]
    names = [column if field is None else field.name for column, field in zip(columns, fields, strict=True)]
    converted = [(field.name, read) for field in fields if (read := _reader(field)) is not None]
    return names, converted, [name for name, field in zip(names, fields, strict=True) if field is None]


def _reader(field: Field | None) -> Convert | None:
    """The converter of a field whose values have different types in Python and in the file."""
    if isinstance(field, JSONField):
        return msgspec.json.decode
    return field.python_value if isinstance(field, (BooleanField, DayField)) else None


def as_models(model: type[M], cursor: Any, columns: tuple[str, ...] | None = None) -> list[M]:
    """The rows of a query; a column that is not a field of the model becomes an attribute unconverted.

    Args:
        columns: the columns that the query selects; by default the cursor's.
    """
    columns = columns or tuple(map(itemgetter(0), cursor.description))
    return [as_model(model, columns, row) for row in cursor.fetchall()]


def as_model(model: type[M], columns: tuple[str, ...], row: Sequence[Any]) -> M:
    """One row with these columns."""
    names, converted, others = _readers(model, columns)
    values = dict(zip(names, row, strict=True))
    for name, convert in converted:
        if values[name] is not None:
            values[name] = convert(values[name])
    record = model(__no_default__=True)
    for name in others:
        setattr(record, name, values.pop(name))
    record.__data__ = values
    return record


@cache
def search(model: type[Model], columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The query for rows by the values of these columns, or for all rows, and the columns that it selects."""
    selected = tuple(model._meta.columns)
    names = ", ".join(f'"{column}"' for column in selected)
    where = f" WHERE {' AND '.join(f'{column} = ?' for column in columns)}" if columns else ""
    return f"SELECT {names} FROM {_table(model)}{where}", selected


def insertion(model: type[Model], values: Mapping[str, Any]) -> tuple[str, Sequence[Any]]:
    """The statement that inserts a row, with its parameters.

    Args:
        values: by the names of fields.
    """
    sql, converted = _insertion(model, tuple(values))
    return sql, _stored(values, converted)


def change(model: type[Model], values: Mapping[str, Any], id: str) -> tuple[str, Sequence[Any]]:
    """The statement that changes the row with that id, with its parameters.

    Args:
        values: by the names of fields.
    """
    sql, converted = _change(model, tuple(values))
    return sql, [*_stored(values, converted), id]


@cache
def _insertion(model: type[Model], names: tuple[str, ...]) -> tuple[str, Sequence[Convert | None]]:
    columns, converted = _columns(model, names)
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {_table(model)} ({', '.join(columns)}) VALUES ({marks})", converted


@cache
def _change(model: type[Model], names: tuple[str, ...]) -> tuple[str, Sequence[Convert | None]]:
    columns, converted = _columns(model, names)
    return f"UPDATE {_table(model)} SET {', '.join(f'{column} = ?' for column in columns)} WHERE id = ?", converted


def _columns(model: type[Model], names: Iterable[str]) -> tuple[list[str], Sequence[Convert | None]]:
    fields = [model._meta.fields[name] for name in names]
    return [f'"{field.column_name}"' for field in fields], [_converter(field) for field in fields]


def _table(model: type[Model]) -> str:
    return f'"{model._meta.table_name}"'


def _converter(field: Field) -> Convert | None:
    if isinstance(field, JSONField):
        return _compact
    return field.db_value if isinstance(field, DayField) else None


def _stored(values: Mapping[str, Any], converted: Sequence[Convert | None]) -> list[Any]:
    return [
        value if convert is None or value is None else convert(value)
        for value, convert in zip(values.values(), converted, strict=True)
    ]
