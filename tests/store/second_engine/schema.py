"""The schema of a file translated by rule to PostgreSQL: tables, indexes, keys and triggers."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from peewee import BooleanField, Model

from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import engine

TYPES = {"TEXT": "TEXT", "INTEGER": "BIGINT", "BLOB": "BYTEA"}
SCHEMAS = {"control": CONTROL_SCHEMA, "workspace": WORKSPACE_SCHEMA}
RESERVED = {"user"}
"""Names that PostgreSQL has for itself."""

KEY = re.compile(
    r'REFERENCES "?(\w+)"? \(([\w, ]+)\)((?: ON DELETE (?:CASCADE|SET NULL))?(?: DEFERRABLE INITIALLY DEFERRED)?)'
)
RULES = (
    (r"\bdate\(((?:[^()])+)\) IS \1", r"erp.is_day(\1)"),
    (r"\bIS NOT (?!NULL|DISTINCT)", "IS DISTINCT FROM "),
    (r"\bIS (?!NULL|NOT|DISTINCT)", "IS NOT DISTINCT FROM "),
    (r"\bmax\((-?[\w.]+), 0\)", r"greatest(\1, 0)"),
    (r"\bmin\((-?[\w.]+), 0\)", r"least(\1, 0)"),
    (r"strftime\('%Y-%m-%dT%H:%M:%fZ', ([\w.]+), '([^']+)'\)", r"erp.shifted(\1, '\2')"),
    (r"printf\('%064d', 0\)", "repeat('0', 64)"),
    (r"\+ \((fiscal_year_start <> [^)]*\)[^)]*)\)", r"+ (\1)::int"),
    (r" COLLATE NOCASE", ""),
    (r"SELECT value ->> 'seq' FROM", "SELECT CAST(value ->> 'seq' AS BIGINT) FROM"),
)


class Translated(NamedTuple):
    """The statements that make a database, in their order: rows are copied in between."""

    tables: list[str]
    indexes: list[str]
    keys: list[str]
    triggers: list[str]


def flags() -> dict[str, set[str]]:
    """The columns that are true or false, by table, as the models say."""
    found: dict[str, set[str]] = {}
    for model in _models(Model):
        columns = {field.column_name for field in model._meta.sorted_fields if isinstance(field, BooleanField)}
        found.setdefault(model._meta.table_name, set()).update(columns)
    return found


def _models(base: type[Model]) -> Iterator[type[Model]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def translate(kind: str, flags: Mapping[str, set[str]]) -> Translated:
    """The schema of a new file of that kind."""
    made = Translated([], [], [], [])
    schema = SCHEMAS[kind]
    for name, statement in engine.parts_made_by(schema, schema.version).items():
        text = _without_comments(statement.strip())
        if name.startswith("table "):
            table, keys = _table(text, flags)
            made.tables.append(table)
            made.keys.extend(keys)
        elif name.startswith("trigger "):
            made.triggers.extend(_trigger(text, flags))
        else:
            made.indexes.append(_index(text, flags))
    return made


def _without_comments(statement: str) -> str:
    return re.sub(r"('(?:[^']|'')*')|--[^\n]*", lambda match: match[1] or "", statement)


def _quoted(name: str) -> str:
    return f'"{name}"' if name in RESERVED else name


def _expression(text: str) -> str:
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return text


def _parts(body: str) -> list[str]:
    """The columns and constraints between the parentheses of a table."""
    parts, depth, current, is_text = list[str](), 0, "", False
    for sign in body:
        is_text ^= sign == "'"
        depth += 0 if is_text else {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth and not is_text:
            parts.append(current)
            current = ""
        else:
            current += sign
    return [" ".join(part.split()) for part in (*parts, current) if part.strip()]


def _table(statement: str, flags: Mapping[str, set[str]]) -> tuple[str, list[str]]:
    """A table, and the statements that add its keys."""
    match = re.fullmatch(r'CREATE TABLE "?(\w+)"?\s*\((.*)\)\s*STRICT(?:,\s*WITHOUT ROWID)?\s*', statement, re.DOTALL)
    assert match, statement
    name, body = match.groups()
    columns, keys = list[str](), list[str]()
    for part in _parts(body):
        shown, referring = _column(part, flags.get(name, set()))
        columns += [shown] if shown else []
        keys += [f"ALTER TABLE {_quoted(name)} ADD FOREIGN KEY {key}" for key in referring]
    return f"CREATE TABLE {_quoted(name)} ({', '.join(columns)})", keys


def _column(part: str, flags: set[str]) -> tuple[str, list[str]]:
    """A column or a constraint, and the keys that it holds."""
    match = re.match(r'"?(\w+)"? (TEXT|INTEGER|BLOB)\b(.*)$', part)
    if not match:
        key = re.fullmatch(r"FOREIGN KEY (\([\w, ]+\)) (REFERENCES .*)", part)
        return ("", [f"{key[1]} {_key(key[2])}"]) if key else (_on_flags(_expression(part), flags), [])
    column, kind, rest = match.groups()
    keys = [f"({column}) {_key(found[0])}" for found in KEY.finditer(rest)]
    rest = _expression(KEY.sub("", rest))
    if column in flags:
        rest = re.sub(r"DEFAULT ([01])", lambda match: f"DEFAULT {('false', 'true')[int(match[1])]}", rest)
        return f"{column} BOOLEAN{rest.replace(f'CHECK ({column} IN (0, 1))', '')}", keys
    rest = re.sub(r"(GENERATED ALWAYS AS \(.*\))(?: VIRTUAL| STORED)?$", r"\1 STORED", rest)
    return f"{column} {TYPES[kind]}{_on_flags(rest, flags)}", keys


def _key(text: str) -> str:
    match = KEY.fullmatch(text.strip())
    assert match, text
    return f"REFERENCES {_quoted(match[1])} ({match[2]}){match[3]}"


def _on_flags(text: str, flags: set[str]) -> str:
    """An expression in which a flag is compared with true and false instead of 1 and 0."""
    for flag in flags:
        compared = rf"\b((?:\w+\.)?{flag}) (=|<>) ([01])\b"
        text = re.sub(compared, lambda match: f"{match[1]} {match[2]} {('false', 'true')[int(match[3])]}", text)
    return text


def _index(statement: str, flags: Mapping[str, set[str]]) -> str:
    match = re.search(r'\bON "?(\w+)"?', statement)
    assert match, statement
    text = _on_flags(_expression(statement), flags.get(match[1], set()))
    return text.replace(match[0], f"ON {_quoted(match[1])}", 1)


TRIGGER = re.compile(
    r'CREATE TRIGGER "?(?P<name>\w+)"?\s+'
    r"(?P<when>(?:BEFORE|AFTER) (?P<event>INSERT|DELETE|UPDATE)(?:\s+OF\s[\w,\s]+?)?)"
    r'\s+ON "?(?P<table>\w+)"?\s*(?:FOR EACH ROW\s*)?(?:WHEN(?P<condition>.*?))?\bBEGIN\b(?P<body>.*)\bEND\s*',
    re.DOTALL,
)


def _trigger(statement: str, flags: Mapping[str, set[str]]) -> list[str]:
    """A trigger, and the function that it calls."""
    match = TRIGGER.fullmatch(statement)
    assert match, statement
    every_flag = set[str]().union(*flags.values())
    body = "\n".join(_act(act.strip()) for act in match["body"].split(";") if act.strip())
    if match["condition"]:
        body = f"IF {_expression(match['condition'])} THEN\n{body}\nEND IF;"
    body = _on_flags(body, every_flag)
    name, row = match["name"], "OLD" if match["event"] == "DELETE" else "NEW"
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n{body}\nRETURN {row};\nEND $$",
        f"CREATE TRIGGER {name} {match['when']} ON {_quoted(match['table'])} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def _act(act: str) -> str:
    """A statement of a trigger."""
    refusal = re.fullmatch(r"SELECT RAISE\(ABORT, '([^']*)'\)\s*(.*)", act, re.DOTALL)
    if refusal is None:
        return f"{_with_its_table(_expression(act))};"
    raising, rest = f"RAISE EXCEPTION '{refusal[1]}' USING ERRCODE = '23000';", _expression(refusal[2])
    if not rest:
        return raising
    query = _named_selects(f"SELECT 1 {rest}")
    return f"IF EXISTS ({query}) THEN {raising} END IF;"


def _named_selects(query: str) -> str:
    """The query with a name for each select in a FROM."""
    ends = list[int]()
    for start in re.finditer(r"(?<!DISTINCT )\bFROM \(", query):
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(query[end], 0)
            end += 1
        ends += [end] if not re.match(r"\s*AS\b", query[end:]) else []
    for end in sorted(ends, reverse=True):
        query = f"{query[:end]} AS select_{end}{query[end:]}"
    return query


def _with_its_table(statement: str) -> str:
    """An upsert whose counters name their table."""
    match = re.match(r"INSERT INTO (\w+)", statement)
    if match is None or "DO UPDATE" not in statement:
        return statement
    start, act, changes = statement.partition("DO UPDATE")
    return start + act + re.sub(r"\b(\w+) = \1 ([-+])", rf"\1 = {match[1]}.\1 \2", changes)
