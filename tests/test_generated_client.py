"""Clients that openapi-python-client and openapi-typescript make from the document do the office's main jobs."""

import datetime
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
from tests.finance.bank.january import camt, entry
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

    def answer(self, operation: str, body: Any = None, **given: Any) -> Any:
        module = importlib.import_module(f"office_client.api.{operation}")
        sent = {} if body is None else {"body": body}
        return module.sync_detailed(client=self.client, **sent, **given)

    def call(self, operation: str, body: Any = None, **given: Any) -> Any:
        answer = self.answer(operation, body, **given)
        assert answer.status_code in (200, 201), answer.content
        assert answer.parsed.success is True
        return answer.parsed.data

    def invoice(self, amount: str, **fields: Any) -> Any:
        """An issued invoice of one line to a new customer."""
        line = self.models.NewInvoiceLine(description="Advice", quantity="1", unit_price=amount, account_id="4100")
        asked = self.models.NewInvoice(customer_id=self.customer("Globex").id, lines=[line], **fields)
        return self.call("invoices.create_invoice", asked)

    def customer(self, name: str) -> Any:
        kind = self.models.NewContactKind.CUSTOMER
        return self.call("contacts.create_contact", self.models.NewContact(kind=kind, name=name))


FIRST, LAST = datetime.date(2026, 2, 1), datetime.date(2026, 2, 28)


@pytest.fixture
def office(generated, installation, clock_at):
    """Olga with the generated client, on 11 March."""
    clock_at("2026-03-11T09:00:00Z")
    installation.newcomer("Olga")
    return Office(installation)


def test_from_signing_in_to_a_balance_sheet(office):
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


def test_a_month_of_time_is_billed(office):
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


def test_the_hours_of_a_spreadsheet_become_drafts_of_each_customer(office):
    """The recipes "Hours from elsewhere" and "Bill a month"."""
    models = office.models
    for name, code in (("Globex", "GLO"), ("Initech", "INI")):
        project = models.NewProject(
            name=name,
            code=code,
            customer_id=office.customer(name).id,
            billing=models.NewProjectBillingType0.HOURLY,
            hourly_rate="90.00",
        )
        task = models.NewTask(title="Pages", project_id=office.call("projects.create_project", project).id)
        assert office.call("tasks.create_task", task).key == f"{code}-1"
    sheet = "task,date,hours,note\nGLO-1,2026-02-02,1.5,Sketches\nGLO-1,2026-02-27,1,\nINI-1,2026-02-10,0.5,\n"
    for is_rehearsal, created in ((True, 0), (False, 3)):
        outcome = office.call("time.import_time_logs", models.TimeImport(csv=sheet, dry_run=is_rehearsal))
        assert (outcome.rows, outcome.minutes, outcome.created) == (3, 180, created)
    drafts = {}
    for customer in office.call("contacts.list_contacts", kind=[models.ListContactsKindItem.CUSTOMER]):
        month = models.NewTimeInvoice(customer_id=customer.id, date_from=FIRST, date_to=LAST)
        drafts[customer.name] = office.call("invoices.create_invoice_from_time_logs", month).net_total
    assert drafts == {"Globex": "225.00", "Initech": "45.00"}


def test_the_lines_of_a_bank_file_are_matched(office):
    """The recipe "A bank file"."""
    models = office.models
    invoice = office.invoice("100.00")
    text = camt(
        entry("100.00", f"Invoice {invoice.number}", name="Globex", ref="1"),
        entry("-12.50", "Parking", name="City", ref="2"),
        closing="187.50",
    )
    read = office.call("bank.import_statements", models.BankStatementFile(file=text, account_id="1010"))
    matched = office.call("bank.confirm_lines", models.LinesConfirmation(account_id="1010"))
    assert (read.new, matched.money_in, matched.money_out) == (2, "100.00", "0.00")
    (left,) = office.call("bank.list_bank_lines", status=[models.ListBankLinesStatusItem.UNMATCHED])
    assert (left.party, left.amount) == ("City", "-12.50")


def test_a_month_is_exported_and_locked(office):
    """The recipe "Month-end export"."""
    models = office.models
    office.invoice("100.00", issue_date=FIRST)
    assert office.call("closing.get_period_month", month="2026-02").findings == []
    days = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28", "format": "csv"}
    table = office.client.get_httpx_client().get("/api/v1/finance/reports/trial-balance", params=days)
    assert "4100" in table.text
    assert office.call("closing.lock_periods", models.PeriodLock(through_date=LAST)).lock_date == LAST


def test_an_order_of_a_shop_is_billed_once(office):
    """The recipe "Invoices of a web shop"."""
    models = office.models
    buyer = models.NewContact(kind=models.NewContactKind.CUSTOMER, name="Ada Lovelace", email="ada@example.org")
    customer = office.call("contacts.create_contact", buyer)
    lines = [
        models.NewInvoiceLine(description="Teapot", quantity="2", unit_price="29.75"),
        models.NewInvoiceLine(description="Postage", quantity="1", unit_price="5.95"),
    ]
    order = models.NewInvoice(customer_id=customer.id, prices_include_tax=True, lines=lines)
    first, again = (office.call("invoices.create_invoice", order, idempotency_key="order-4711") for _ in range(2))
    assert (first.id, first.total) == (again.id, "65.45")
    paid = models.NewPayment(
        invoice_id=first.id, amount=first.total, fee_amount="1.20", method=models.NewPaymentMethod.CARD
    )
    assert office.call("payments.create_payment", paid).unallocated_amount == "0.00"
    paper = office.answer("invoices.download_invoice_pdf", id=first.id)
    assert paper.content.startswith(b"%PDF")


def test_a_backup_is_checked_and_fetched(office):
    """The recipe "Backup off-site"."""
    backup = office.call("installation.create_backup")
    assert office.call("installation.verify_backup", name=backup.name).is_good is True
    assert len(office.answer("installation.download_backup", name=backup.name).content) == backup.size


MODULES = os.environ.get("TRY_TYPESCRIPT", "")
"""A folder in which npm has installed openapi-typescript and openapi-fetch; `.ci/run` makes one, if it can."""


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """A folder with the types that openapi-typescript makes of the document."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "openapi.json").write_text(json.dumps(openapi_document()), "utf-8")
    (folder / "deno.json").write_text('{"nodeModulesDir": "manual"}', "utf-8")
    (folder / "node_modules").symlink_to(Path(MODULES).resolve() / "node_modules")
    run(folder, "node_modules/.bin/openapi-typescript", "openapi.json", "--output", "erp.d.ts")
    return folder


@pytest.mark.skipif(not MODULES, reason="needs packages of npm; see TRY_TYPESCRIPT")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("month_billed", {"totals": ["405.00"] * 5, "statuses": ["paid"], "columns": True}),
        (
            "recipes",
            {
                "hours": [[180, 0], [180, 3]],
                "drafts": {"Globex": "225.00", "Initech": "45.00"},
                "bank": [2, "100.00", [["City", "-12.50"]]],
                "month": [[], True, "2026-02-28"],
                "order": [True, "65.45", "0.00", "%PDF"],
                "backup": [True, True],
            },
        ),
    ],
)
def test_the_recipes_in_typescript(typed, installation, clock_at, script, said):
    """Types that openapi-typescript makes are used as they are: optional fields are left out, and no list is a CSV."""
    clock_at("2026-03-11T09:00:00Z")
    installation.newcomer("Olga")
    shutil.copy(Path(__file__).parent / "data" / f"{script}.ts", typed)
    run(typed, DENO, "check", "--quiet", f"{script}.ts")
    statement = camt(
        entry("100.00", "Invoice INV-2026-00001", name="Globex", ref="1"),
        entry("-12.50", "Parking", name="City", ref="2"),
        closing="187.50",
    )
    with running(installation.config, app=installation.app) as server:
        given = (server.url, "olga1@example.com", PASSWORD, statement)
        answer = run(typed, DENO, "run", "--quiet", "--allow-net", f"{script}.ts", *given)
    assert json.loads(answer) == said


DENO = Path(sys.executable).with_name("deno")


def run(folder, *words):
    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
