"""The table of roles, cell by cell."""

import pytest

from erp.kernel.language import params
from erp.kernel.roles import PERMISSION_NAMES, PERMISSIONS, ROLES, Role, allows, in_words, lacking, may_grant

EVERYONE: set[str] = set(ROLES)
ADMINS = {"owner", "admin"}

HOLDERS: dict[str, set[str]] = {
    "workspace.read": EVERYONE,
    "members.read": EVERYONE,
    "workspace.write": ADMINS,
    "members.write": ADMINS,
    "invites.read": ADMINS,
    "invites.write": ADMINS,
    "events.read": ADMINS | {"accountant"},
    "workspace.own": {"owner"},
    "projects.read": EVERYONE,
    "projects.write": ADMINS | {"manager"},
    "tasks.read": EVERYONE,
    "tasks.write": ADMINS | {"manager"},
    "tasks.write_own": ADMINS | {"manager", "member"},
    "time.read": ADMINS | {"accountant", "hr", "manager"},
    "time.read_own": EVERYONE - {"viewer"},
    "time.write": ADMINS | {"manager"},
    "time.write_own": ADMINS | {"manager", "member"},
    "finance.read": ADMINS | {"accountant", "viewer"},
    "finance.write": ADMINS | {"accountant"},
    "bills.approve": ADMINS,
    "money.read": ADMINS | {"accountant", "viewer", "manager"},
    "contacts.read": ADMINS | {"accountant", "viewer", "manager"},
    "contacts.write": ADMINS | {"accountant"},
    "employees.read": ADMINS | {"accountant", "hr", "manager"},
    "employees.write": ADMINS | {"hr"},
    "cost.read": ADMINS | {"accountant", "hr"},
    "pay.read": ADMINS | {"accountant", "hr"},
    "attendance.read": ADMINS | {"hr"},
    "attendance.read_reports": ADMINS | {"hr", "manager"},
    "attendance.decide": ADMINS | {"hr"},
    "attendance.decide_reports": ADMINS | {"hr", "manager"},
    "attendance.write": ADMINS | {"hr"},
    "attendance.write_reports": ADMINS | {"hr", "manager"},
    "leave.read": ADMINS | {"hr"},
    "leave.read_reports": ADMINS | {"hr", "manager"},
    "leave.decide": ADMINS | {"hr"},
    "leave.decide_reports": ADMINS | {"hr", "manager"},
    "leave.write": ADMINS | {"hr"},
    "leave.write_reports": ADMINS | {"hr", "manager"},
    "expenses.read": ADMINS | {"accountant", "hr", "viewer"},
    "expenses.read_reports": ADMINS | {"hr", "manager"},
    "expenses.decide": ADMINS | {"hr"},
    "expenses.decide_reports": ADMINS | {"hr", "manager"},
    "expenses.post": ADMINS | {"accountant"},
    "payroll.read": ADMINS | {"accountant", "hr"},
    "payroll.pay": ADMINS | {"accountant", "hr"},
    "payroll.write": ADMINS | {"hr"},
    "employees.read_own": EVERYONE,
    "attendance.read_own": EVERYONE,
    "attendance.write_own": EVERYONE,
    "leave.read_own": EVERYONE,
    "leave.write_own": EVERYONE,
    "payroll.read_own": EVERYONE,
    "expenses.read_own": EVERYONE,
    "expenses.write_own": EVERYONE,
}


def test_the_matrix_has_every_permission() -> None:
    assert set(HOLDERS) == PERMISSION_NAMES


def test_every_role_has_its_row() -> None:
    assert tuple(PERMISSIONS) == ROLES


@pytest.mark.parametrize("permission", sorted(HOLDERS))
def test_a_role_holds_a_permission_exactly_when_the_matrix_says_so(permission: str) -> None:
    assert {role for role in ROLES if allows(role, permission)} == set(HOLDERS[permission])


@pytest.mark.parametrize("role", ROLES)
def test_no_role_has_a_permission_that_does_not_exist(role: Role) -> None:
    assert not allows(role, "books.burn")


@pytest.mark.parametrize("role", ROLES)
def test_an_owner_grants_every_role(role: Role) -> None:
    assert may_grant("owner", role)


@pytest.mark.parametrize("role", ROLES)
def test_an_admin_grants_every_role_but_owner(role: Role) -> None:
    assert may_grant("admin", role) == (role != "owner")


@pytest.mark.parametrize("granter", ROLES[2:])
@pytest.mark.parametrize("role", ROLES)
def test_no_other_role_grants_any_role(granter: Role, role: Role) -> None:
    assert not may_grant(granter, role)


@pytest.mark.parametrize("permission", sorted(PERMISSION_NAMES))
def test_no_permission_is_without_words(permission: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PERMISSIONS, "viewer", frozenset({permission}))
    told = in_words("viewer")
    assert told.sees + told.changes, permission


@pytest.mark.parametrize("permission", sorted(PERMISSION_NAMES))
def test_a_refusal_names_the_role_and_whom_to_ask_and_programs_learn_the_right(permission: str) -> None:
    message = lacking("viewer", permission)
    assert message.startswith("The role Viewer cannot ")
    assert message.endswith((". Ask an owner or admin.", ". Ask an owner."))
    assert params(message) == {"role": "Viewer", "permission": permission}
    assert permission not in message
