"""Scopes of named tokens: the areas of a workspace that a token may read or change, within the rights of its user."""

from collections.abc import Collection
from typing import Literal, get_args

from erp.kernel.language import Sentence, says

Scope = Literal[
    "finance:read",
    "finance:write",
    "hr:read",
    "hr:write",
    "payroll:read",
    "payroll:write",
    "projects:read",
    "projects:write",
    "tasks:read",
    "tasks:write",
    "workspace:read",
    "workspace:write",
]
SCOPES: tuple[Scope, ...] = get_args(Scope)

_AREAS = {
    "finance": "bills contacts finance",
    "hr": "attendance employees expenses leave",
    "payroll": "cost pay payroll",
    "projects": "money projects",
    "tasks": "tasks time",
    "workspace": "events invites members workspace",
}
"""The first words of permissions, by area."""
_AREA_OF = {word: area for area, words in _AREAS.items() for word in words.split()}
_LACKING = says("This token lacks the scope {scope}. Create a token that has it.")


def needed(permission: str, *, writes: bool) -> str:
    """The scope that a permission takes; to change anything by a right to read takes the area's `write` as well."""
    word, _, verb = permission.partition(".")
    return f"{_AREA_OF[word]}:{'read' if verb.startswith('read') and not writes else 'write'}"


def allow(scopes: Collection[str] | None, permission: str, *, writes: bool = False) -> bool:
    """Whether scopes include a permission; None are no limits, and `write` includes `read`."""
    scope = needed(permission, writes=writes)
    return scopes is None or bool({scope, scope.replace(":read", ":write")} & {*scopes})


def lacking(permission: str, *, writes: bool) -> Sentence:
    """The message to a token without the scope; the scope is among its parameters."""
    return _LACKING.fill(scope=needed(permission, writes=writes))
