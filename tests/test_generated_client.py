"""A client that openapi-python-client makes from the document does the office's main job."""

import importlib
import json
import subprocess
import sys
from typing import Any

import httpx
import pytest

from erp.app import openapi_document
from tests.conftest import IS_THOROUGH, PASSWORD

pytestmark = pytest.mark.skipif(not IS_THOROUGH, reason="making the client takes many seconds; see TRY_THOROUGH")

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


def test_from_signing_in_to_a_balance_sheet(generated, installation):
    installation.newcomer("Olga")
    models = importlib.import_module("office_client.models")
    office_client = importlib.import_module("office_client")
    transport = httpx.WSGITransport(app=installation.app)
    local: dict[str, Any] = {"base_url": "http://localhost:8420", "httpx_args": {"transport": transport}}

    def call(operation: str, body: Any = None, client: Any = None, **path: str) -> Any:
        module = importlib.import_module(f"office_client.api.{operation}")
        sent = {} if body is None else {"body": body}
        answer = module.sync_detailed(*path.values(), client=client or office, **sent)
        assert answer.status_code in (200, 201), answer.content
        assert answer.parsed.success is True
        return answer.parsed.data

    who = models.Credentials(email="olga1@example.com", password=PASSWORD)
    token = call("auth.sign_in", who, office_client.Client(**local)).session.token
    office = office_client.AuthenticatedClient(token=token, **local)
    workspace = call("workspace.create_workspace", models.NewWorkspace(name="Acme", base_currency="EUR"))
    call("auth.select_workspace", models.WorkspaceSelection(workspace_id=workspace.id))
    contact = call("finance.create_contact", models.NewContact(kind=models.NewContactKind.CUSTOMER, name="Initech"))
    line = models.NewInvoiceLine(description="Consulting", quantity="3", unit_price="150.00", account_id="4100")
    invoice = call("finance.create_invoice", models.NewInvoice(customer_id=contact.id, lines=[line]))
    assert (invoice.status.value, invoice.total) == ("issued", "450.00")
    payment = call("finance.create_payment", models.NewPayment(invoice_id=invoice.id, amount="450.00"))
    assert payment.unallocated_amount == "0.00"
    assert call("finance.get_invoice", id=invoice.id).status is models.InvoiceViewStatus.PAID
    sheet = call("finance.get_balance_sheet")
    assert sheet.is_balanced is True
    assert sheet.total_assets == sheet.total_liabilities_and_equity == "450.00"
