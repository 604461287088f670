"""Absences: hire people, request leave for them, decide on it, and look up balances."""

from typing import Any

from tests.conftest import Office

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def week(marks: str) -> dict[str, int]:
    """A work schedule by seven characters, Monday first, 1 for a day that is worked."""
    return {day: 480 * int(mark) for day, mark in zip(DAYS, marks, strict=True)}


def hired(
    office: Office, name: str = "Mia", hired: str = "2020-01-01", user: Office | None = None, **fields: Any
) -> str:
    """Hire someone, for instance a colleague with a user; the employee's id."""
    of_user = {"userId": user.user["id"]} if user else {}
    employee: dict[str, Any] = office.ok(
        "POST", "/hr/employees", {"name": name, "hireDate": hired, **of_user, **fields}
    )
    return str(employee["id"])


def hired_colleague(office: Office, role: str = "member", **fields: Any) -> tuple[Office, str]:
    """A colleague of that role with an employee record, and its id."""
    colleague = office.colleague(role)
    return colleague, hired(office, role.capitalize(), user=colleague, **fields)


def type_id(office: Office, code: str = "annual") -> str:
    """The id of a leave type."""
    return next(str(kind["id"]) for kind in office.ok("GET", "/hr/leave-types") if kind["code"] == code)


def leave(start: str, end: str | None = None, **fields: Any) -> dict[str, Any]:
    """The body of a request for leave."""
    return {"startDate": start, "endDate": end or start, **fields}


def ask(office: Office, start: str, end: str | None = None, **fields: Any) -> dict[str, Any]:
    """Request leave."""
    asked: dict[str, Any] = office.ok("POST", "/hr/leaves", leave(start, end, **fields))
    return asked


def decide(office: Office, asked: dict[str, Any], what: str = "approve", **fields: Any) -> dict[str, Any]:
    """Approve, reject or cancel leave."""
    decided: dict[str, Any] = office.ok("POST", f"/hr/leaves/{asked['id']}/{what}", fields)
    return decided


def balance(office: Office, employee: str, code: str = "annual", **params: Any) -> dict[str, Any]:
    """An employee's balance of a leave type."""
    query = {"employeeId": employee, "leaveTypeId": type_id(office, code), **params}
    (shown,) = office.ok("GET", "/hr/leave-balances", params=query)
    return dict(shown)


def left(office: Office, employee: str, code: str = "annual", **params: Any) -> tuple[str, str, str]:
    """The balance, the pending days and the available ones."""
    shown = balance(office, employee, code, **params)
    return shown["balance"], shown["pending"], shown["available"]


def close(office: Office, year: int = 2026, **fields: Any) -> dict[str, Any]:
    """Close a leave year."""
    closed: dict[str, Any] = office.ok("POST", f"/hr/leave-years/{year}/close", fields)
    return closed


def take(office: Office, member: Office, start: str, end: str, **fields: Any) -> dict[str, Any]:
    """Leave that a member has requested and someone has approved."""
    return decide(office, ask(member, start, end, **fields))


def carried(closed: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The rows of a closed year."""
    return [(row["employeeName"], row["balance"], row["carried"], row["expired"]) for row in closed["rows"]]
