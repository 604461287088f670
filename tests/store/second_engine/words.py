"""The words of `erp.store.sql` as PostgreSQL spells them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from erp.store import sql


def holds(column: str, pattern: str = ":contained") -> str:
    return f"folded(CAST({column} AS TEXT)) LIKE {pattern} ESCAPE '\\'"


def json_of(view: type[Struct], columns: Mapping[str, Any] | None = None) -> str:
    values = [(item, (columns or {}).get(item.name, item.name)) for item in fields(view)]
    shown = ", ".join(f"'{item.encode_name}', {sql._plain(value)}" for item, value in values if value is not None)
    return f"CAST(json_build_object({shown}) AS TEXT)"


def json_array(*values: str) -> str:
    return f"CAST(json_build_array({', '.join(values)}) AS TEXT)"


def json_bool(condition: str) -> str:
    return f"to_json({condition})"


def days_between(earlier: str, later: str) -> str:
    return f"(CAST(CAST({later} AS TEXT) AS DATE) - CAST(CAST({earlier} AS TEXT) AS DATE))"


def padded(number: str, digits: int) -> str:
    return f"lpad(CAST({number} AS TEXT), {digits}, '0')"


def _decimal(amount: str, digits: int) -> str:
    if not digits:
        return f"CAST({amount} AS TEXT)"
    whole = f"CAST(div(abs({amount}), {10**digits}) AS TEXT)"
    part = f"lpad(CAST(abs({amount}) % {10**digits} AS TEXT), {digits}, '0')"
    return f"CASE WHEN {amount} < 0 THEN '-' ELSE '' END || {whole} || '.' || {part}"


THEN_JOIN = "JOIN"


def json_list(value: str, rows: str, order: str = "") -> str:
    ordered = f" ORDER BY {order}" if order else ""
    return f"(SELECT coalesce(CAST(json_agg({value}{ordered}) AS TEXT), '[]') FROM {rows})"


def json_map(name: str, value: str) -> str:
    return f"coalesce(CAST(json_object_agg({name}, {value}) AS TEXT), '{{}}')"


def json_object(values: Mapping[str, str]) -> str:
    named = (f"'{name}', {value}" for name, value in values.items())
    return f"CAST(json_build_object({', '.join(named)}) AS TEXT)"


def json_members(document: str) -> str:
    return f"jsonb_each_text(CAST({document} AS JSONB))"


def json_without(document: str, name: str) -> str:
    return f"CAST(CAST({document} AS JSONB) - '{name}' AS TEXT)"


def unindexed(column: str) -> str:
    return column


def greater(one: str, other: str) -> str:
    return f"greatest({one}, {other})"


WORDS = tuple(
    name for name, value in vars().copy().items() if name.isupper() or getattr(value, "__module__", None) == __name__
)
