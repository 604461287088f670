"""What the caller may do with a record now, as answers show it in `can`."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from erp.kernel import caller
from erp.kernel.errors import Refusal

A = TypeVar("A", bound=str)


def allowed(permission: str, checks: Mapping[A, Callable[[], object]]) -> list[A]:
    """The actions that would not be refused because of the record's state or of who asks.

    Args:
        permission: what all of the actions need.
        checks: by the name of an action, the check that refuses it.
    """
    who = caller.current()
    if not caller.may(permission) or who.read_only or who.is_workspace_archived:
        return []
    return [name for name, check in checks.items() if _passes(check)]


def _passes(check: Callable[[], object]) -> bool:
    try:
        check()
    except Refusal:
        return False
    return True
