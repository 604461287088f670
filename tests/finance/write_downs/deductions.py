"""Write-offs and what they leave in the books, for tests."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from erp.store import router
from erp.system.checks import files as checking
from tests.conftest import Office


def tax_rates(office: Office) -> tuple[str, str]:
    """The ids of a rate of 19 % and one of 7 %."""
    made = [
        office.ok("POST", "/finance/tax-rates", {"name": f"{rate} %", "rate": rate, "category": "S"})
        for rate in ("19", "7")
    ]
    return made[0]["id"], made[1]["id"]


def write_off(office: Office, invoice: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An invoice after it was written off, as uncollectable unless the fields say otherwise."""
    body = {"category": "uncollectable", "reason": "Insolvent", **fields}
    shown: dict[str, Any] = office.ok("POST", f"/finance/invoices/{invoice['id']}/write-off", body)
    return shown


def undo(office: Office, invoice: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An invoice after its last write-off was undone."""
    shown: dict[str, Any] = office.ok("POST", f"/finance/invoices/{invoice['id']}/write-off/undo", fields)
    return shown


def posted(office: Office, entry_id: str) -> dict[str, str]:
    """What an entry posts by account code, debits above zero."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for line in office.ok("GET", f"/finance/journals/{entry_id}")["lines"]:
        sums[line["accountCode"]] += Decimal(line["debit"] or 0) - Decimal(line["credit"] or 0)
    return {code: str(amount) for code, amount in sorted(sums.items())}


def split(deduction: dict[str, Any]) -> list[tuple[str, str]]:
    """Net and tax of a deduction by its rates, in their order."""
    return [(part["net"], part["tax"]) for part in deduction["parts"]]


def check_is_silent(office: Office) -> None:
    """Check that `erp check` has nothing to say."""
    router.close_all()
    path = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []
