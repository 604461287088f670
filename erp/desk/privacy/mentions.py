"""Texts of the office's work that have a person's name: neither exported nor erased, as people must judge them."""

from typing import Literal

from erp.desk.privacy.persons import Person
from erp.store import sql
from erp.store.router import WORKSPACE

MentionKind = Literal["project", "task", "task_comment", "time_log", "attachment"]

_TEXTS: dict[MentionKind, str] = {
    "project": "SELECT name || ' ' || coalesce(description, '') AS text FROM project",
    "task": "SELECT title || ' ' || coalesce(description, '') AS text FROM task",
    "task_comment": "SELECT text FROM task_comment",
    "time_log": "SELECT note AS text FROM time_log",
    "attachment": "SELECT name AS text FROM attachment WHERE resource_type IN ('project', 'task')",
}


def of(person: Person) -> dict[MentionKind, int]:
    """The number of texts with the person's name, in any case and with any accents, by table, without zeros."""
    counts = {kind: _count(texts, person.name) for kind, texts in _TEXTS.items()}
    return {kind: count for kind, count in counts.items() if count}


def _count(texts: str, name: str) -> int:
    query = f"SELECT count(*) FROM ({texts}) AS found WHERE {sql.holds('text')}"
    ((count,),) = WORKSPACE.rows(query, {"contained": f"%{sql.escaped(sql.fold(name))}%"})
    return int(count)
