"""Clients that openapi-python-client and openapi-typescript make from the document do the office's main jobs."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from erp.app import openapi_document
from tests.conftest import IS_THOROUGH, PASSWORD, Installation
from tests.servers import running

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not IS_THOROUGH, reason="making the client takes many seconds; see TRY_THOROUGH"),
]

CONFIG = {
    "post_hooks": [],
    "content_type_overrides": {
        "application/pdf": "application/octet-stream",
        "application/zip": "application/octet-stream",
        "application/xml": "application/octet-stream",
        "image/svg+xml": "application/octet-stream",
        "text/calendar": "application/octet-stream",
    },
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Make the client, and say what its maker could not read."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(openapi_document()), "utf-8")
    (folder / "config.json").write_text(json.dumps(CONFIG), "utf-8")
    words = ["--path", "openapi.json", "--config", "config.json", "--meta", "none", "--output-path", "office_client"]
    program = [sys.executable, "-m", "openapi_python_client", "generate", *words]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield done.stdout
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "office_client"]:
        del sys.modules[name]


def test_its_maker_can_read_everything(generated):
    assert "WARNING" not in generated, generated


class Office:
    """A signed-in user of the generated client, in a new workspace."""

    def __init__(self, installation: Installation) -> None:
        self.models = importlib.import_module("office_client.models")
        client = importlib.import_module("office_client")
        transport = httpx.WSGITransport(app=installation.app)
        local: dict[str, Any] = {"base_url": "http://localhost:8420", "httpx_args": {"transport": transport}}
        self.client = client.Client(**local)
        who = self.models.Credentials(email="olga1@example.com", password=PASSWORD)
        token = self.call("sign_in.sign_in", who).session.token
        self.client = client.AuthenticatedClient(token=token, **local)
        workspace = self.call("workspaces.create_workspace", self.models.NewWorkspace(name="Acme", base_currency="EUR"))
        self.call("sign_in.select_workspace", self.models.WorkspaceSelection(workspace_id=workspace.id))

    def call(self, operation: str, body: Any = None, **path: str) -> Any:
        module = importlib.import_module(f"office_client.api.{operation}")
        sent = {} if body is None else {"body": body}
        answer = module.sync_detailed(*path.values(), client=self.client, **sent)
        assert answer.status_code in (200, 201), answer.content
        assert answer.parsed.success is True
        return answer.parsed.data

    def customer(self, name: str) -> Any:
        kind = self.models.NewContactKind.CUSTOMER
        return self.call("contacts.create_contact", self.models.NewContact(kind=kind, name=name))


def test_from_signing_in_to_a_balance_sheet(generated, installation):
    installation.newcomer("Olga")
    office = Office(installation)
    models, contact = office.models, office.customer("Initech")
    line = models.NewInvoiceLine(description="Consulting", quantity="3", unit_price="150.00", account_id="4100")
    invoice = office.call("invoices.create_invoice", models.NewInvoice(customer_id=contact.id, lines=[line]))
    assert (invoice.status.value, invoice.total) == ("issued", "450.00")
    payment = office.call("payments.create_payment", models.NewPayment(invoice_id=invoice.id, amount="450.00"))
    assert payment.unallocated_amount == "0.00"
    assert office.call("invoices.get_invoice", id=invoice.id).status is models.InvoiceViewStatus.PAID
    sheet = office.call("reports.get_balance_sheet")
    assert sheet.is_balanced is True
    assert sheet.total_assets == sheet.total_liabilities_and_equity == "450.00"


def test_a_month_of_time_is_billed(generated, installation, clock_at):
    clock_at("2026-03-10T09:00:00Z")
    installation.newcomer("Olga")
    office = Office(installation)
    models = office.models
    project = models.NewProject(
        name="Web",
        customer_id=office.customer("Globex").id,
        billing=models.NewProjectBillingType0.HOURLY,
        hourly_rate="90.00",
    )
    month = {"project_id": office.call("projects.create_project", project).id}
    task = office.call("tasks.create_task", models.NewTask(title="Pages", **month))
    for date in ("2026-02-02", "2026-02-16", "2026-02-27"):
        office.call("time.create_task_time_log", models.NewTimeLog(date=date, minutes=90), id=task.id)
    month |= {"date_from": "2026-02-01", "date_to": "2026-02-28"}
    preview = office.call("invoices.create_invoice_from_time_logs", models.NewTimeInvoice(**month, dry_run=True))
    assert type(preview) is models.TimeInvoicePreview
    draft = office.call("invoices.create_invoice_from_time_logs", models.NewTimeInvoice(**month))
    rehearsed = office.call("invoices.issue_invoice", models.InvoiceIssue(dry_run=True), id=draft.id)
    assert type(rehearsed) is models.IssuePreview
    issued = office.call("invoices.issue_invoice", id=draft.id)
    assert type(issued) is models.InvoiceView
    paid = office.call("payments.create_payment", models.NewPayment(invoice_id=issued.id, amount=issued.amount_due))
    assert {each.total for each in (preview, draft, rehearsed, issued)} == {paid.amount} == {"405.00"}


MODULES = os.environ.get("TRY_TYPESCRIPT", "")
"""A folder in which npm has installed openapi-typescript and openapi-fetch; `.ci/run` makes one, if it can."""


@pytest.mark.skipif(not MODULES, reason="needs packages of npm; see TRY_TYPESCRIPT")
def test_a_month_of_time_is_billed_in_typescript(installation, clock_at, tmp_path):
    """Types that openapi-typescript makes are used as they are: optional fields are left out, and no list is a CSV."""
    clock_at("2026-03-10T09:00:00Z")
    installation.newcomer("Olga")
    (tmp_path / "openapi.json").write_text(json.dumps(openapi_document()), "utf-8")
    (tmp_path / "deno.json").write_text('{"nodeModulesDir": "manual"}', "utf-8")
    (tmp_path / "node_modules").symlink_to(Path(MODULES).resolve() / "node_modules")
    shutil.copy(Path(__file__).parent / "data" / "month_billed.ts", tmp_path)
    run(tmp_path, "node_modules/.bin/openapi-typescript", "openapi.json", "--output", "erp.d.ts")
    run(tmp_path, DENO, "check", "--quiet", "month_billed.ts")
    with running(installation.config, app=installation.app) as server:
        who = ("olga1@example.com", PASSWORD)
        said = run(tmp_path, DENO, "run", "--quiet", "--allow-net", "month_billed.ts", server.url, *who)
    assert json.loads(said) == {"totals": ["405.00"] * 5, "statuses": ["paid"], "columns": True}


DENO = Path(sys.executable).with_name("deno")


def run(folder, *words):
    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
