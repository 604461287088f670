"""Records that no example can make, because they name others."""

from erp.webhooks import deliveries, messages
from erp.webhooks.posting import Outcome
from tests.api.endpoints import WITHIN, example
from tests.conftest import Office
from tests.finance.books.dimensions import dimension


def payment_run(office: Office) -> str:
    """A payment run takes more than its example: accounts on both sides, and a bill."""
    account = {"iban": "DE89370400440532013000"}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", account)
    supplier = {"name": "Meyer", "bankAccount": account}
    line = {"description": "Paper", "quantity": "1", "unitPrice": "1.00"}
    bill = office.ok("POST", "/finance/invoices", {"kind": "purchase_invoice", "supplier": supplier, "lines": [line]})
    id: str = office.ok("POST", "/finance/payment-runs", {"billIds": [bill["id"]]})["id"]
    return id


def depreciation_run(office: Office) -> str:
    """A run takes an asset in use."""
    body = {
        "name": "Press",
        "accountId": "1500",
        "cost": "1200.00",
        "acquiredOn": "2026-01-05",
        "inUseOn": "2026-01-05",
    }
    asset = office.ok("POST", "/finance/assets", {**body, "lifeMonths": 12})
    office.ok("POST", f"/finance/assets/{asset['id']}/activate")
    id: str = office.ok("POST", "/finance/depreciation-runs", {"month": "2026-01"})["id"]
    return id


def allocation_of(office: Office) -> str:
    """The id of an allocation of money to an entry by hand."""
    contact = office.ok("POST", "/finance/contacts", {"kind": "both", "name": "Settled"})["id"]
    lines = [{"accountId": "1100", "debit": "5.00", "contactId": contact}, {"accountId": "4000", "credit": "5.00"}]
    office.ok("POST", "/finance/journals", {"date": "2026-01-05", "description": "Owed", "lines": lines})
    office.ok("POST", "/finance/payments", {"contactId": contact, "amount": "5.00"})
    items = office.ok("GET", "/finance/open-items", params={"contactId": contact, "sort": "-date"})
    body = {"fromItemId": items[0]["id"], "toItemId": items[1]["id"], "amount": "5.00"}
    return str(office.ok("POST", "/finance/allocations", body)["id"])


def offset(office: Office) -> str:
    """An offset takes an invoice and a bill of the same contact."""
    contact = office.ok("POST", "/finance/contacts", {"kind": "both", "name": "Technik"})["id"]
    line = {"description": "Paper", "quantity": "1", "unitPrice": "1.00"}
    parties = {"sales_invoice": "customerId", "purchase_invoice": "supplierId"}
    documents = [
        office.ok("POST", "/finance/invoices", {"kind": kind, party: contact, "lines": [line]})["id"]
        for kind, party in parties.items()
    ]
    items = [{"invoiceId": document, "amount": "1.00"} for document in documents]
    return str(office.ok("POST", "/finance/offsets", {"contactId": contact, "items": items})["id"])


def bank_statement(office: Office) -> str:
    """A bank statement comes in with others, as a file."""
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}
    path = "/finance/bank/statements/import"
    office.ok("POST", path, example(makers[path]))
    return str(office.ok("GET", "/finance/bank/statements")[0]["id"])


def bank_line(office: Office) -> str:
    """A line comes in with its statement."""
    bank_statement(office)
    return str(office.ok("GET", "/finance/bank/lines")[0]["id"])


def datev_stack(office: Office) -> str:
    """A stack for DATEV takes settings, accounts of the chart that these name, and an entry."""
    settings = {"datevAdvisor": 29098, "datevClient": 55003, "datevChart": "skr04"}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)
    lines = [{"accountId": "1000", "debit": "5.00"}, {"accountId": "4000", "credit": "5.00"}]
    office.ok("POST", "/finance/journals", {"date": "2026-01-05", "description": "Till", "lines": lines})
    days = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
    return str(office.ok("POST", "/finance/datev/stacks", days)["id"])


def webhook_delivery(office: Office) -> str:
    """A delivery, as a test leaves it whose receiver could not be reached."""
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}
    webhook = office.ok("POST", "/workspace/webhooks", example(makers["/workspace/webhooks"]))["id"]
    with office.books(write=True):
        return deliveries.note_test(webhook, messages.of_test(), Outcome("no_connection", None, None, 12)).id


def message(office: Office) -> str:
    """A message to a customer, for one's own mail program."""
    sold = {"customer": {"name": "Eve"}, "lines": [{"description": "Work", "quantity": "1", "unitPrice": "100.00"}]}
    invoice = office.ok("POST", "/finance/invoices", sold)["id"]
    body = {"to": ["eve@example.com"], "force": True}
    return str(office.ok("POST", f"/finance/invoices/{invoice}/send", body)["id"])


def dimension_value(office: Office) -> str:
    """A value of a dimension of its own."""
    id = dimension(office, "100", code="car")
    return str(office.ok("GET", f"/finance/dimensions/{id}/values")[0]["id"])


def employee_document(office: Office) -> dict[str, str]:
    """A document of an employee, with its file."""
    (contract,) = (each[3] for each in WITHIN if each[1:3] == ("/hr/employees/{id}/documents", "POST"))
    person = office.ok("POST", "/hr/employees", {"name": "Paul", "hireDate": "2026-01-05"})
    made: dict[str, str] = office.ok("POST", f"/hr/employees/{person['id']}/documents", example(contract))
    return made


def checklist_task(office: Office) -> str:
    """A step of a checklist that was started for someone."""
    person = office.ok("POST", "/hr/employees", {"name": "New", "hireDate": "2026-06-01"})["id"]
    items = [{"title": "Greet", "days": 0, "assignee": "person"}]
    checklist = office.ok("POST", "/hr/checklists", {"name": "First day", "kind": "onboarding", "items": items})["id"]
    body = {"employeeId": person, "date": "2026-06-01"}
    return str(office.ok("POST", f"/hr/checklists/{checklist}/start", body)["tasks"][0]["id"])


def reminder(office: Office) -> str:
    """A reminder takes an invoice that is overdue."""
    line = {"description": "Paper", "quantity": "1", "unitPrice": "100.00"}
    dates = {"issueDate": "2025-01-02", "dueDate": "2025-01-16"}
    invoice = office.ok("POST", "/finance/invoices", {"customer": {"name": "Late"}, "lines": [line], **dates})
    letters = [{"contactId": invoice["customerId"], "currency": invoice["currency"]}]
    return str(office.ok("POST", "/finance/reminder-runs", {"letters": letters})["letters"][0]["id"])


def paper_of_preview(office: Office) -> str:
    """The token of a preview's paper, which is kept for a minute."""
    body = {"lines": [{"description": "Paper", "quantity": "1", "unitPrice": "1.00"}]}
    made = office.call("POST", "/finance/invoices/preview", body, params={"format": "pdf", "inline": True})
    return made.headers["Content-Location"].rpartition("/")[2]


MADE_OF_OTHERS = {
    "/finance/bank/accounts": lambda office: str(office.ok("GET", "/finance/accounts")[0]["id"]),
    "/finance/bank/lines": bank_line,
    "/finance/bank/statements": bank_statement,
    "/finance/datev/stacks": datev_stack,
    "/finance/depreciation-runs": depreciation_run,
    "/finance/dimension-values": dimension_value,
    "/finance/invoices/preview": paper_of_preview,
    "/finance/payment-runs": payment_run,
    "/finance/offsets": offset,
    "/finance/reminders": reminder,
    "/finance/allocations": allocation_of,
    "/workspace/people/{kind}": lambda office: str(
        office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Eve"})["id"]
    ),
    "/hr/checklist-tasks": checklist_task,
    "/hr/documents": lambda office: employee_document(office)["id"],
    "/workspace/webhooks/deliveries": webhook_delivery,
    "/workspace/messages": message,
}
"""How a record is made that no example can make, because it names others."""
