"""The recipes for scripts do their jobs as they are printed."""

import csv
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PASSWORD, Office
from tests.docs.pages import blocks, page
from tests.finance.bank.january import camt, entry
from tests.servers import running


class Shell:
    """A shell with the lines that all recipes begin with, and a named token with the rights that a recipe asks for."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.office = office
        self.folder = folder

    def run(self, recipe: str, scope: str, *, status: int = 0, **settings: str) -> list[str]:
        """Run a recipe; the lines that it says."""
        asked = {"name": recipe, "workspaceId": self.office.workspace_id, "scopes": [scope]}
        given = {"TOKEN": self.office.ok("POST", "/auth/tokens", asked)["token"], **settings}
        script = "\n".join(each for name in ("begin", recipe) for each in blocks(page("api"), name))
        with running(self.office.installation.config, self.office.installation.app) as server:
            done = subprocess.run(
                [str(shutil.which("bash")), "-euo", "pipefail", "-c", script],
                env={"PATH": "/usr/bin:/bin", "API": f"{server.url}/api/v1", **given},
                capture_output=True,
                text=True,
                timeout=60,
                cwd=self.folder,
                check=False,
            )
        refused = "\n".join(each.read_text("utf-8") for each in self.folder.glob("*.json"))
        assert done.returncode == status, f"{done.stdout}\n{done.stderr}\n{refused}"
        return done.stdout.splitlines()


@pytest.fixture
def shell(acme: Office, clock_at, tmp_path: Path) -> Shell:
    clock_at("2026-03-11T09:00:00Z")
    return Shell(acme, tmp_path)


def project(office: Office, customer: str) -> dict[str, Any]:
    """A task of a project at 90.00 an hour for a customer."""
    contact = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": customer})
    asked = {"name": f"Web of {customer}", "customerId": contact["id"], "billing": "hourly", "hourlyRate": "90.00"}
    web = office.ok("POST", "/projects", {**asked, "code": customer[:3].upper()})
    task: dict[str, Any] = office.ok("POST", "/tasks", {"projectId": web["id"], "title": "Pages"})
    return task


def test_a_month_is_billed_once_for_each_customer_with_hours(shell: Shell) -> None:
    office = shell.office
    globex, initech = project(office, "Globex"), project(office, "Initech")
    office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Without hours"})
    for task, date, minutes in ((globex, "2026-02-02", 90), (globex, "2026-02-27", 60), (initech, "2026-02-10", 30)):
        office.ok("POST", f"/tasks/{task['id']}/time-logs", {"date": date, "minutes": minutes})
    office.ok("POST", f"/tasks/{globex['id']}/time-logs", {"date": "2026-03-01", "minutes": 45})  # of the next month
    assert sorted(shell.run("bill a month", "finance:write")) == ["Globex: 225.00", "Initech: 45.00"]
    assert shell.run("bill a month", "finance:write") == []
    assert [each["status"] for each in office.ok("GET", "/finance/invoices")] == ["draft", "draft"]


def test_a_bank_file_is_read_and_sure_lines_are_matched(shell: Shell) -> None:
    office = shell.office
    line = {"description": "Advice", "quantity": "1", "unitPrice": "100.00", "accountId": "4100"}
    invoice = office.ok("POST", "/finance/invoices", {"customer": {"name": "Globex"}, "lines": [line]})
    paid = entry(invoice["total"], f"Invoice {invoice['number']}", name="Globex", ref="1")
    unknown = entry("-12.50", "Parking", name="City", ref="2")
    closing = f"{float(invoice['total']) + 87.5:.2f}"
    (shell.folder / "statement.xml").write_text(camt(paid, unknown, closing=closing), "utf-8")
    assert shell.run("bank file", "finance:write") == [f"2 new, {invoice['total']} matched"]
    assert office.ok("GET", f"/finance/invoices/{invoice['id']}")["status"] == "paid"
    with (shell.folder / "open.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [list(row.values()) for row in csv.DictReader(file)] == [["2026-03-10", "City", "Parking", "-12.50"]]
    assert shell.run("bank file", "finance:write") == ["0 new, 0.00 matched"]


def test_a_month_is_exported_and_locked_once_its_findings_are_settled(shell: Shell) -> None:
    office = shell.office
    line = {"description": "Advice", "quantity": "1", "unitPrice": "100.00", "accountId": "4100"}
    asked = {"customer": {"name": "Globex"}, "issueDate": "2026-02-10", "lines": [line], "draft": True}
    draft = office.ok("POST", "/finance/invoices", asked)
    (finding,) = shell.run("month-end export", "finance:write", status=1)
    assert "draft" in finding.lower()
    office.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert shell.run("month-end export", "finance:write") == ["2026-02-28"]
    assert "Globex" in (shell.folder / "ledger-2026-02.csv").read_text("utf-8")
    assert "4100" in (shell.folder / "trial-balance-2026-02.csv").read_text("utf-8")
    assert office.ok("GET", "/finance/periods")["lockDate"] == "2026-02-28"


def test_hours_of_a_spreadsheet_are_stored_once(shell: Shell) -> None:
    task = project(shell.office, "Globex")
    rows = f"task,date,hours,note\n{task['key']},2026-02-02,1.5,Sketches\n{task['key']},2026-02-03,2,Talk\n"
    (shell.folder / "hours.csv").write_text(rows, "utf-8")
    for _ in range(2):
        assert shell.run("hours from elsewhere", "tasks:write") == ["2", "210"]
    logs = shell.office.ok("GET", f"/tasks/{task['id']}/time-logs")
    assert [(log["date"], log["minutes"], log["note"]) for log in logs] == [
        ("2026-02-03", 120, "Talk"),
        ("2026-02-02", 90, "Sketches"),
    ]


def test_an_order_of_a_shop_is_billed_and_paid_once(shell: Shell) -> None:
    office = shell.office
    for _ in range(2):
        assert shell.run("web shop", "finance:write") == []
    (invoice,) = office.ok("GET", "/finance/invoices")
    assert (invoice["customerName"], invoice["total"], invoice["status"]) == ("Ada Lovelace", "65.45", "paid")
    (payment,) = office.ok("GET", "/finance/payments")
    assert (payment["amount"], payment["feeAmount"], payment["method"]) == ("65.45", "1.20", "card")
    assert (shell.folder / f"{invoice['number']}.pdf").read_bytes().startswith(b"%PDF")
    assert len(office.ok("GET", "/finance/contacts?kind=customer")) == 1


def test_a_backup_is_checked_and_fetched(shell: Shell) -> None:
    (shell.folder / "password.txt").write_text(PASSWORD, "utf-8")
    assert shell.run("backup off-site", "workspace:read", ADMIN=shell.office.email) == []
    (kept,) = shell.office.ok("GET", "/system/backups")
    assert (shell.folder / kept["name"]).stat().st_size == kept["size"]
