"""The rights to see and to send messages of a kind."""

from typing import NamedTuple

from erp.kernel import caller


class Rights(NamedTuple):
    """The permissions to see messages of a kind, and to send them."""

    read: str
    write: str


_BOOKS = Rights("finance.read", "finance.write")
_OFFICE = Rights("workspace.write", "workspace.write")
RIGHTS: dict[str, Rights] = {
    "invoice": _BOOKS,
    "quote": _BOOKS,
    "reminder": _BOOKS,
    "statement": _BOOKS,
    "payslip": Rights("payroll.read", "payroll.write"),
    "invite": Rights("invites.read", "invites.write"),
    "password_reset": _OFFICE,
    "notice": _OFFICE,
    "test": _OFFICE,
}


def readable() -> list[str]:
    """The kinds of messages that the caller may see."""
    return [kind for kind, rights in RIGHTS.items() if caller.may(rights.read)]


def may_change(kind: str) -> bool:
    """Whether the caller may send messages of a kind."""
    return caller.may_change(RIGHTS[kind].write)
