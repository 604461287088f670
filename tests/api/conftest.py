"""Olga's office with a record of each kind, and Sam's, who is a stranger to it."""

from typing import get_args

import pytest

from erp.kernel.roles import Role
from tests.api.endpoints import WITHIN, example, filled
from tests.api.made import MADE_OF_OTHERS, bank_line, employee_document, reminder
from tests.conftest import Installation, Office
from tests.desk.files import attach, pdf


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("walk"))


@pytest.fixture(scope="module")
def olga(server: Installation) -> Office:
    return server.office("Olga")


@pytest.fixture(scope="module")
def sam(olga: Office) -> Office:
    return olga.installation.office("Sam")


@pytest.fixture(scope="module")
def colleagues(olga: Office) -> dict[str, Office]:
    return {role: olga.colleague(role) for role in get_args(Role) if role != "owner"} | {"owner": olga}


@pytest.fixture(scope="module")
def theirs(sam: Office) -> dict[str, str]:
    """One record of each kind in Sam's workspace."""
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}

    def made(path: str) -> str:
        id: str = sam.ok("POST", path, example(makers[path]))["id"]
        return id

    contact_id = made("/finance/contacts")
    payment = sam.ok("POST", "/finance/payments", {"contactId": contact_id, "amount": "1.00"})
    document = employee_document(sam)
    return {
        "account": sam.ok("GET", "/finance/accounts")[0]["id"],
        "attachment": attach(sam, pdf(), "bill.pdf")["id"],
        "contact": contact_id,
        "employee": made("/hr/employees"),
        "expense category": sam.ok("GET", "/hr/expense-categories")[0]["id"],
        "expense claim": made("/hr/expense-claims"),
        "employee document": document["id"],
        "invoice": made("/finance/invoices"),
        "journal entry": sam.ok("GET", "/finance/journals")[0]["id"],
        "leave": made("/hr/leaves"),
        "leave type": sam.ok("GET", "/hr/leave-types")[0]["id"],
        "open item": sam.ok("GET", "/finance/open-items")[0]["id"],
        "pay component": made("/hr/pay-components"),
        "payment": payment["id"],
        "payroll run": made("/hr/payroll/run"),
        "product": made("/finance/products"),
        "quote line": sam.ok("GET", f"/finance/quotes/{made('/finance/quotes')}")["lines"][0]["id"],
        "reminder": reminder(sam),
        "project": made("/projects"),
        "site": made("/hr/sites"),
        "task": made("/tasks"),
        "tax rate": sam.ok("GET", "/finance/tax-rates")[0]["id"],
        "user": sam.user["id"],
        "workspace": sam.workspace_id,
        "bank line": bank_line(sam),
        "bank rule": made("/finance/bank/rules"),
    }


@pytest.fixture(scope="module")
def records(olga: Office) -> dict[str, str]:
    """The id of one of Olga's records for each collection that has items."""
    found: dict[str, str] = {}
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}
    elsewhere = {
        contract.collection.removeprefix("/api/v1"): path for path, contract in makers.items() if contract.collection
    }
    for _, path, _, _ in WITHIN:
        collection, item, _ = path.partition("/{id}")
        if not item or collection in found:
            continue
        if collection in MADE_OF_OTHERS:
            found[collection] = MADE_OF_OTHERS[collection](olga)
        elif collection in makers and collection != "/workspace":  # she has one
            found[collection] = olga.ok("POST", collection, example(makers[collection]))["id"]
            if collection == "/finance/invoices":  # a draft, of which everything can be changed
                draft = {**example(makers[collection]), "draft": True}
                found[collection] = olga.ok("POST", collection, draft)["id"]
        elif collection in elsewhere:  # made by an action, or below a record of another collection
            above, below, _ = elsewhere[collection].partition("/{id}")
            found[collection] = olga.ok("POST", above, example(makers[above]))["id"]
            if below:
                body = example(makers[elsewhere[collection]])
                found[collection] = olga.ok("POST", filled(elsewhere[collection], found[collection]), body)["id"]
        else:
            found[collection] = olga.ok("GET", collection)[0]["id"]
    return found
