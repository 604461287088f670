"""Files of the pages' lists: the columns of a page are fields of its list."""

import csv
import io
import re

from erp.app import PREFIX, routes
from erp.web.csv_list import columns, within_lists
from erp.web.endpoint import contract_of
from tests.conftest import Office
from tests.finance.documents.invoices import invoice, line
from tests.web.test_static import FOLDER

LISTS = {
    "/kiosks": "/hr/kiosks",
    "/time/entries": "/tasks/time-logs",
    "/wages": "/hr/payroll/wage-exports",
    "/webhooks": "/workspace/webhooks",
    "assets": "/finance/assets",
    "attendance": "/hr/attendance/summary",
    "bank": "/finance/bank/lines",
    "bank_rules": "/finance/bank/rules",
    "bills": "/finance/invoices",
    "checklists": "/hr/checklists",
    "documents": "/hr/documents",
    "expenses": "/hr/expense-claims",
    "leave": "/hr/leaves",
    "log": "/workspace/events",
    "members": "/workspace/members",
    "messages": "/workspace/messages",
    "notices": "/workspace/notices",
    "payroll": "/hr/payroll/runs",
    "people": "/hr/employees",
    "projects": "/projects",
    "tasks": "/tasks",
}
"""The paths of the pages whose names do not tell them."""

OF_OTHER_TABLES = {
    "/wages": {"name", "quantity", "type"},
    "assets": {"bill", "date", "supplier"},
    "attendance": {"date", "department", "reason", "since", "state", "times"},
    "depreciation_runs": {"account", "amount", "name"},
    "reminders": {"items", "open", "overdue"},
    "revaluations": {"amount", "contact", "what"},
}
"""Columns of further tables in the module of a list."""

COLUMN = re.compile(r'{\s*key: "(\w+)",\s*text: (.*?)(?={\s*key: |extra\(|\Z)|extra\("(\w+)"', re.DOTALL)


def pairs(text: str) -> dict[str, str]:
    return dict(re.findall(r'(\w+): "([^"]*)"', text))


def fields() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The fields of columns of any page, and of each."""
    text = (FOLDER / "ui/lists/fields.js").read_text("utf-8")
    of_any, document, of_page = (part.split("\n};")[0] for part in re.split(r"const [A-Z_]+ = ", text)[1:4])
    pages = re.findall(r'^  "?([\w/-]+)"?: {(.*?)}', of_page.replace("...DOCUMENT", document), re.MULTILINE | re.DOTALL)
    return pairs(of_any), {page: pairs(text) for page, text in pages}


def shown() -> dict[str, dict[str, str | None]]:
    """The columns of every page, each with the field that it sorts by."""
    found: dict[str, dict[str, str | None]] = {}
    for path in FOLDER.rglob("*.js"):
        text = path.read_text("utf-8")
        lines = "".join(re.findall(r"^ *page: (.*),$", text, re.MULTILINE))
        names = re.findall(r'"([\w/]+)"', lines)
        if "recordsScreen({" in text and not names:
            names = re.findall(r'(?:path: |[A-Z]+ = )"(/(?:hr|finance)/[\w/-]+)', text)[:1]
        parts = [
            (first or extra, re.search(r'sort: "(\w+)"', body))
            for first, body, extra in COLUMN.findall(text)
            if extra or "cell" in body
        ]
        of_file = {key: sort and sort[1] for key, sort in parts}
        found |= {name: of_file for name in names if name != "sales"}
    return found


def test_every_column_of_every_list_has_fields_of_its_api() -> None:
    of_any, of_page = fields()
    tried = 0
    for page, sorts in shown().items():
        path = LISTS.get(page) or (page if page.startswith("/") else f"/finance/{page.replace('_', '-')}")
        contract = contract_of(routes()[PREFIX + path], "GET")
        assert contract is not None, page
        assert contract.row is not None, page
        assert getattr(contract.query, "HAS_COLUMNS", False), page
        known = {*columns(contract.row), *within_lists(contract.row)}
        known |= {name.split(".")[0] for name in known}
        names = of_any | of_page.pop(page, {})
        for key, sort in sorts.items():
            wanted = (names.get(key) or sort or key).split(",")
            assert set(wanted) <= known or key in OF_OTHER_TABLES.get(page, ()), (page, key, wanted)
            tried += 1
    assert tried > 250
    assert set(of_page) <= {"/finance/base-rates", "/finance/reminder-levels"}  # their paths are in another module


def test_a_file_has_parts_of_the_lists_in_a_row(acme: Office) -> None:
    globex = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Globex"})["id"]
    first, second = (invoice(acme, line("100.00"), customerId=globex) for _ in range(2))
    settles = [{"invoiceId": one["id"], "amount": "100.00"} for one in (first, second)]
    acme.ok("POST", "/finance/payments", {"amount": "200.00", "allocations": settles})
    of = {"format": "csv", "columns": "date,allocations.invoiceNumber,amount"}
    rows = list(
        csv.DictReader(io.StringIO(acme.call("GET", "/finance/payments", params=of).text.removeprefix("\ufeff")))
    )
    assert [*rows[0]] == ["date", "allocations.invoiceNumber", "amount"]
    assert rows[0]["allocations.invoiceNumber"] == f"{first['number']}, {second['number']}"
    acme.refused("GET", "/finance/payments", params={**of, "columns": "allocations.nowhere"}, status=400)
