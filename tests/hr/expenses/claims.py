"""Expense claims of the office's people, for tests."""

from typing import Any

from tests.conftest import Office
from tests.desk.files import attach, pdf

PATH = "/hr/expense-claims"


def rates(office: Office) -> dict[str, str]:
    """The ids of tax rates by percentage, made where there is none."""
    made = {}
    for percent in ("19", "7"):
        rate = office.ok("POST", "/finance/tax-rates", {"name": f"{percent} %", "rate": percent, "category": "S"})
        made[percent] = rate["id"]
    return made


def receipt(amount: str, **fields: Any) -> dict[str, Any]:
    """A receipt of a journey, on 10 March 2026 unless the fields say otherwise."""
    return {"kind": "receipt", "categoryId": "travel", "date": "2026-03-10", "amount": amount, **fields}


def draft(office: Office, *lines: dict[str, Any], **fields: Any) -> Any:
    """A claim of the caller that has been drafted; each receipt has a file of its own."""
    claim = office.ok("POST", PATH, {"title": "Linz", "lines": list(lines), **fields})
    if not any(line["kind"] == "receipt" for line in lines):
        return claim
    filed = []
    for i, line in enumerate(lines):
        if line["kind"] != "receipt" or "attachmentIds" in line:
            filed.append(line)
            continue
        content = pdf(400 + i, filling=claim["id"][-1].encode())
        file = attach(office, content + claim["id"].encode() + b"\n%%EOF\n", f"{i}.pdf", ("expense_claim", claim["id"]))
        filed.append(line | {"attachmentIds": [file["id"]]})
    return office.ok("PATCH", path_of(claim), {"lines": filed})


def path_of(claim: dict[str, Any], act: str = "") -> str:
    return f"{PATH}/{claim['id']}{act}"


def act(office: Office, claim: dict[str, Any], name: str, **fields: Any) -> Any:
    """A claim after an act."""
    return office.ok("POST", path_of(claim, f"/{name}"), fields or None)


def approved(person: Office, boss: Office, *lines: dict[str, Any], **fields: Any) -> Any:
    """A claim that has been approved."""
    claim = draft(person, *lines, **fields)
    act(person, claim, "submit")
    return act(boss, claim, "approve")


def posted(person: Office, boss: Office, *lines: dict[str, Any], **fields: Any) -> Any:
    """A claim that has been posted."""
    return act(boss, approved(person, boss, *lines, **fields), "post")
