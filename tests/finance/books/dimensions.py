"""Dimensions for tests."""

from typing import Any

from tests.conftest import Office


def dimension(office: Office, *values: str, code: str = "cc", **fields: Any) -> str:
    """The id of a new dimension with these values."""
    name = {"cc": "Cost centre", "unit": "Unit"}.get(code, code)
    made = office.ok("POST", "/finance/dimensions", {"code": code, "name": name, **fields})
    for value in values:
        office.ok("POST", f"/finance/dimensions/{made['id']}/values", {"code": value, "name": f"Team {value}"})
    id: str = made["id"]
    return id


def debit(account: str, amount: str, **codes: str) -> dict[str, Any]:
    """A line of a journal entry, with its dimensions."""
    return {"accountId": account, "debit": amount, **({"dimensions": codes} if codes else {})}


def expense(office: Office, *lines: dict[str, Any], day: str = "2026-01-15", status: int = 201) -> dict[str, Any]:
    """An entry of some debits, paid from the bank; or the answer that refuses it."""
    total = sum(float(line["debit"]) for line in lines)
    body = {
        "date": day,
        "description": "Expenses",
        "lines": [*lines, {"accountId": "1010", "credit": f"{total:.2f}"}],
    }
    if status != 201:
        return office.refused("POST", "/finance/journals", body, status=status)
    made: dict[str, Any] = office.ok("POST", "/finance/journals", body)
    return made


def analysed(office: Office, entry_id: str) -> list[tuple[str, dict[str, str]]]:
    """The account codes and dimensions of an entry's lines."""
    entry = office.ok("GET", f"/finance/journals/{entry_id}")
    return [(line["accountCode"], line["dimensions"]) for line in entry["lines"]]
