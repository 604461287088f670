"""Roles and permissions: the only table of both.

A permission is `area.verb`. `…_own` is the right to one's own records only: an endpoint that serves both
declares the narrower one, and its rule shows more to a role that has the broader one. The `…_own` rights of hr
mean nothing without an employee record, which the rule looks up; that is why every role has them. `…_reports` is
the same for the people who report to the caller, directly or through others.
"""

from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from erp.kernel.language import Listed, Sentence, Word, says

Role = Literal["owner", "admin", "accountant", "hr", "manager", "member", "viewer"]

ROLES: tuple[Role, ...] = get_args(Role)
"""All roles, the highest first."""

_INCLUDES = {
    "invites.write": "invites.read",
    "projects.write": "projects.read",
    "tasks.write": "tasks.write_own",
    "tasks.write_own": "tasks.read",
    "time.write": "time.read time.write_own",
    "time.read": "time.read_own",
    "time.write_own": "time.read_own",
    "finance.write": "finance.read contacts.write expenses.post",
    "bills.approve": "finance.read",
    "finance.read": "contacts.read money.read expenses.read",
    "contacts.write": "contacts.read",
    "employees.write": "employees.read",
    "attendance.write": "attendance.decide attendance.write_reports",
    "attendance.write_reports": "attendance.decide_reports",
    "attendance.decide": "attendance.read attendance.decide_reports",
    "attendance.decide_reports": "attendance.read_reports",
    "leave.write": "leave.decide leave.write_reports",
    "leave.write_reports": "leave.decide_reports",
    "leave.decide": "leave.read leave.decide_reports",
    "leave.decide_reports": "leave.read_reports",
    "expenses.decide": "expenses.read expenses.decide_reports",
    "expenses.decide_reports": "expenses.read_reports",
    "payroll.write": "payroll.pay",
    "payroll.pay": "payroll.read",
    "payroll.read": "pay.read",
    "pay.read": "cost.read",
}
"""Rights that each right includes. `money`: rates and amounts of projects; `pay`: people's earnings;
`cost`: the cost of their time."""

_EVERYONE = (
    "workspace.read members.read "
    "employees.read_own attendance.read_own attendance.write_own leave.read_own leave.write_own payroll.read_own "
    "expenses.read_own expenses.write_own"
)

_ADMIN = (
    "workspace.write members.write invites.write events.read projects.write tasks.write time.write finance.write "
    "bills.approve employees.write attendance.write leave.write payroll.write expenses.decide"
)

_GRANTS: dict[Role, str] = {
    "owner": f"workspace.own {_ADMIN}",
    "admin": _ADMIN,
    "accountant": "events.read projects.read tasks.read time.read finance.write employees.read payroll.pay",
    "hr": (
        "projects.read tasks.read time.read employees.write attendance.write leave.write payroll.write expenses.decide"
    ),
    "manager": (
        "projects.write tasks.write time.write contacts.read money.read employees.read "
        "attendance.write_reports leave.write_reports expenses.decide_reports"
    ),
    "member": "projects.read tasks.write_own time.write_own",
    "viewer": "projects.read tasks.read finance.read",
}


def _with_included(names: str) -> frozenset[str]:
    permissions: set[str] = set()
    pending = names.split()
    while pending:
        name = pending.pop()
        permissions.add(name)
        pending += _INCLUDES.get(name, "").split()
    return frozenset(permissions)


PERMISSIONS: dict[Role, frozenset[str]] = {
    role: _with_included(f"{_EVERYONE} {grants}") for role, grants in _GRANTS.items()
}

PERMISSION_NAMES: frozenset[str] = frozenset().union(*PERMISSIONS.values())
"""Every permission; the start fails on an endpoint that declares another."""

if TYPE_CHECKING:
    Permission = str
else:
    Permission = Literal[tuple(sorted(PERMISSION_NAMES))]
_IN_WORDS: dict[str, tuple[Sentence | None, Sentence | None]] = {
    "workspace.read": (says("the workspace's settings"), None),
    "workspace.write": (None, says("the workspace's settings")),
    "workspace.own": (None, says("the workspace's settings, whether it is archived, and which periods are unlocked")),
    "members.read": (says("the members"), None),
    "members.write": (None, says("the members and their roles")),
    "invites.read": (says("the invites"), None),
    "invites.write": (None, says("the invites")),
    "events.read": (says("the log of what they may see"), None),
    "projects.read": (says("the projects"), None),
    "projects.write": (None, says("the projects")),
    "tasks.read": (says("the tasks"), None),
    "tasks.write_own": (None, says("new tasks, and those they created, reported or are assigned to")),
    "tasks.write": (None, says("all tasks")),
    "time.read_own": (says("their own logged time"), None),
    "time.write_own": (None, says("their own logged time")),
    "time.read": (says("everyone's logged time"), None),
    "time.write": (None, says("everyone's logged time")),
    "contacts.read": (says("the customers and suppliers"), None),
    "contacts.write": (None, says("the customers and suppliers")),
    "money.read": (says("the rates and amounts of projects"), None),
    "finance.read": (says("the books: accounts, invoices, payments and reports"), None),
    "finance.write": (None, says("the books: accounts, invoices and payments")),
    "bills.approve": (None, says("the approval of bills")),
    "employees.read_own": (says("their own employee record"), None),
    "employees.read": (says("the employees, without phone and address"), None),
    "employees.write": (says("the employees, with phone and address"), says("the employees")),
    "attendance.read_own": (says("their own attendance"), None),
    "attendance.write_own": (None, says("their own clock times, and requests to correct them")),
    "attendance.read_reports": (says("the attendance of those who report to them"), None),
    "attendance.decide_reports": (None, says("their own clock times, and corrections for those who report to them")),
    "attendance.write_reports": (None, says("their own clock times, and the attendance of those who report to them")),
    "attendance.read": (says("everyone's attendance"), None),
    "attendance.decide": (None, says("their own clock times, and everyone's corrections")),
    "attendance.write": (says("everyone's attendance"), says("everyone's attendance")),
    "leave.read_own": (says("their own leave"), None),
    "leave.write_own": (None, says("their own requests for leave")),
    "leave.read_reports": (says("the leave of those who report to them"), None),
    "leave.decide_reports": (None, says("their own requests for leave, and decisions for those who report to them")),
    "leave.write_reports": (None, says("their own requests for leave, and the leave of those who report to them")),
    "leave.read": (says("everyone's leave"), None),
    "leave.decide": (None, says("their own requests for leave, and decisions for everyone")),
    "leave.write": (says("everyone's leave"), says("everyone's leave")),
    "expenses.read_own": (says("their own expense claims"), None),
    "expenses.write_own": (None, says("their own expense claims")),
    "expenses.read_reports": (says("the expense claims of those who report to them"), None),
    "expenses.decide_reports": (None, says("their own expense claims, and decisions for those who report to them")),
    "expenses.read": (says("everyone's expense claims"), None),
    "expenses.decide": (None, says("their own expense claims, and decisions for everyone")),
    "expenses.post": (None, says("their own expense claims, and the posting of approved ones")),
    "pay.read": (says("everyone's pay"), None),
    "cost.read": (says("the cost of everyone's time"), None),
    "payroll.read_own": (says("their own payslips"), None),
    "payroll.read": (says("everyone's payslips"), None),
    "payroll.pay": (None, says("the payment of approved payroll runs")),
    "payroll.write": (None, says("payroll")),
}
"""Each right in words, to see and to change; within an area, only the last entry of a role counts."""


class Rights(msgspec.Struct, frozen=True):
    """The rights of a role to see and to change, in words."""

    sentence: Sentence
    sees: list[Sentence]
    changes: list[Sentence]


def in_words(role: Role) -> Rights:
    """The rights of a role in words, from its permissions."""
    sees, changes = _last_of_each_area(role, 0), _last_of_each_area(role, 1)
    sentence = says(
        "{role}. Sees: {sees}. Changes: {changes}.",
        role=title(role),
        sees=Listed.of(sees, separator="; "),
        changes=Listed.of(changes, separator="; "),
    )
    return Rights(sentence, sees, changes)


def _last_of_each_area(role: Role, column: int) -> list[Sentence]:
    by_area: dict[str, Sentence] = {}
    for permission, words in _IN_WORDS.items():
        right = words[column]
        if right and permission in PERMISSIONS[role]:
            by_area[permission.partition(".")[0]] = right
    return list(by_area.values())


_TITLES: dict[Role, Word] = {
    "owner": Word("Owner", "role"),
    "admin": Word("Admin", "role"),
    "accountant": Word("Accountant", "role"),
    "hr": Word("HR", "role"),
    "manager": Word("Manager", "role"),
    "member": Word("Member", "role"),
    "viewer": Word("Viewer", "role"),
}
_LACKING = {
    "attendance.decide": says("The role {role} cannot decide on correction requests. Ask an owner or admin."),
    "attendance.decide_reports": says(
        "The role {role} cannot decide on correction requests of your team. Ask an owner or admin."
    ),
    "attendance.read": says("The role {role} cannot see attendance. Ask an owner or admin."),
    "attendance.read_own": says("The role {role} cannot see your own attendance. Ask an owner or admin."),
    "attendance.read_reports": says("The role {role} cannot see the attendance of your team. Ask an owner or admin."),
    "attendance.write": says("The role {role} cannot change attendance. Ask an owner or admin."),
    "attendance.write_reports": says(
        "The role {role} cannot change the attendance of your team. Ask an owner or admin."
    ),
    "attendance.write_own": says("The role {role} cannot clock in or out. Ask an owner or admin."),
    "bills.approve": says("The role {role} cannot approve bills. Ask an owner or admin."),
    "contacts.read": says("The role {role} cannot see contacts. Ask an owner or admin."),
    "contacts.write": says("The role {role} cannot change contacts. Ask an owner or admin."),
    "cost.read": says("The role {role} cannot see the cost of time. Ask an owner or admin."),
    "employees.read": says("The role {role} cannot see employees. Ask an owner or admin."),
    "employees.read_own": says("The role {role} cannot see your own employee record. Ask an owner or admin."),
    "employees.write": says("The role {role} cannot change employees. Ask an owner or admin."),
    "events.read": says("The role {role} cannot see the audit log. Ask an owner or admin."),
    "expenses.decide": says("The role {role} cannot decide on expense claims. Ask an owner or admin."),
    "expenses.decide_reports": says(
        "The role {role} cannot decide on expense claims of your team. Ask an owner or admin."
    ),
    "expenses.post": says("The role {role} cannot post expense claims. Ask an owner or admin."),
    "expenses.read": says("The role {role} cannot see expense claims. Ask an owner or admin."),
    "expenses.read_own": says("The role {role} cannot see your own expense claims. Ask an owner or admin."),
    "expenses.read_reports": says("The role {role} cannot see the expense claims of your team. Ask an owner or admin."),
    "expenses.write_own": says("The role {role} cannot change your own expense claims. Ask an owner or admin."),
    "finance.read": says("The role {role} cannot see the books. Ask an owner or admin."),
    "finance.write": says("The role {role} cannot change the books. Ask an owner or admin."),
    "invites.read": says("The role {role} cannot see invites. Ask an owner or admin."),
    "invites.write": says("The role {role} cannot change invites. Ask an owner or admin."),
    "leave.decide": says("The role {role} cannot decide on leave requests. Ask an owner or admin."),
    "leave.decide_reports": says(
        "The role {role} cannot decide on leave requests of your team. Ask an owner or admin."
    ),
    "leave.read": says("The role {role} cannot see leave. Ask an owner or admin."),
    "leave.read_own": says("The role {role} cannot see your own leave. Ask an owner or admin."),
    "leave.read_reports": says("The role {role} cannot see the leave of your team. Ask an owner or admin."),
    "leave.write": says("The role {role} cannot change leave. Ask an owner or admin."),
    "leave.write_reports": says("The role {role} cannot change the leave of your team. Ask an owner or admin."),
    "leave.write_own": says("The role {role} cannot request leave. Ask an owner or admin."),
    "members.read": says("The role {role} cannot see members. Ask an owner or admin."),
    "members.write": says("The role {role} cannot change members. Ask an owner or admin."),
    "money.read": says("The role {role} cannot see rates and amounts of projects. Ask an owner or admin."),
    "pay.read": says("The role {role} cannot see pay. Ask an owner or admin."),
    "payroll.pay": says("The role {role} cannot pay payroll runs. Ask an owner or admin."),
    "payroll.read": says("The role {role} cannot see payroll. Ask an owner or admin."),
    "payroll.read_own": says("The role {role} cannot see your own payslips. Ask an owner or admin."),
    "payroll.write": says("The role {role} cannot change payroll. Ask an owner or admin."),
    "projects.read": says("The role {role} cannot see projects. Ask an owner or admin."),
    "projects.write": says("The role {role} cannot change projects. Ask an owner or admin."),
    "tasks.read": says("The role {role} cannot see tasks. Ask an owner or admin."),
    "tasks.write": says("The role {role} cannot change the tasks of others. Ask an owner or admin."),
    "tasks.write_own": says("The role {role} cannot change tasks. Ask an owner or admin."),
    "time.read": says("The role {role} cannot see the time entries of others. Ask an owner or admin."),
    "time.read_own": says("The role {role} cannot see your own time entries. Ask an owner or admin."),
    "time.write": says("The role {role} cannot change the time entries of others. Ask an owner or admin."),
    "time.write_own": says("The role {role} cannot change your own time entries. Ask an owner or admin."),
    "workspace.own": says("The role {role} cannot make this change to the workspace. Ask an owner."),
    "workspace.read": says("The role {role} cannot see the workspace. Ask an owner or admin."),
    "workspace.write": says("The role {role} cannot change the workspace. Ask an owner or admin."),
}


def title(role: Role) -> Word:
    """The label of a role."""
    return _TITLES[role]


def lacking(role: Role, permission: str) -> Sentence:
    """The message to a member whose role does not include a permission; the right is among its parameters."""
    return _LACKING[permission].fill(role=title(role), permission=permission)


def allows(role: Role, permission: str) -> bool:
    """Whether a role includes a permission."""
    return permission in PERMISSIONS[role]


def may_grant(granter: Role, role: Role) -> bool:
    """Whether a member may give, change or take away a role: their own or a lower one.

    To change one role into another takes the right to both. Only owners change owners.
    """
    return allows(granter, "members.write") and ROLES.index(granter) <= ROLES.index(role)
