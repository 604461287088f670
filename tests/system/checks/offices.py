"""A workspace in which everything has happened once, and copies of its file that another program has changed."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from erp.kernel import clock
from erp.store import connections, router
from tests.busy_offices import NOW, busy_office
from tests.conftest import Installation, Office


def full_books(folder: Path) -> Path:
    """The closed file of a workspace in which everything has happened once."""
    installation = Installation(folder / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: clock.parse(NOW))
        office = busy_office(installation)
        reverse_an_entry(office)
        bill_time(office)
        be_paid_from_abroad(office)
        set_up(office)
        record_attendance(office)
        credit_an_invoice(office)
        pay_bills(office)
        deduct_deposits(office)
        take_off(office)
        take_over(office)
        approve_time(office)
    router.close_all()
    return installation.config.workspaces_dir / f"{office.workspace_id}.db"


def deduct_deposits(office: Office) -> None:
    """A final invoice that deducts a deposit which was paid in part, and one that was paid and is not deducted yet."""
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Alster"})
    line = {"description": "Deposit", "quantity": "1", "unitPrice": "100.00"}
    body = {"kind": "deposit_invoice", "customerId": customer["id"], "lines": [line]}
    for amount in ("40.00", "100.00"):
        asked = office.ok("POST", "/finance/invoices", body)
        office.ok("POST", "/finance/payments", {"invoiceId": asked["id"], "amount": amount})
        if amount == "40.00":
            final = {"kind": "final_invoice", "depositIds": [asked["id"]], "lines": [line | {"quantity": "3"}]}
            office.ok("POST", "/finance/invoices", body | final)


def reverse_an_entry(office: Office) -> None:
    lines = [{"accountId": "6300", "debit": "9.00"}, {"accountId": "1010", "credit": "9.00"}]
    wrong = office.ok("POST", "/finance/journals", {"date": "2026-03-02", "description": "Coffee", "lines": lines})
    office.ok("POST", f"/finance/journals/{wrong['id']}/reverse", {})


def bill_time(office: Office) -> None:
    """Two time logs on a draft invoice, and one not billed yet."""
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Hooli"})
    body = {"status": "active", "billing": "hourly", "customerId": customer["id"], "hourlyRate": "60.00"}
    project = office.ok("POST", "/projects", {"name": "Shop", **body})
    task = office.ok("POST", "/tasks", {"title": "Cart", "projectId": project["id"]})
    for day, minutes in (("2026-03-02", 30), ("2026-03-02", 45), ("2026-03-03", 10)):
        office.ok("POST", f"/tasks/{task['id']}/time-logs", {"date": day, "minutes": minutes})
    office.ok("POST", "/finance/invoices/from-time-logs", {"projectId": project["id"], "dateTo": "2026-03-02"})


def be_paid_from_abroad(office: Office) -> None:
    """An invoice in dollars, which are worth more by the time they come in."""
    line = {"description": "Abroad", "quantity": "1", "unitPrice": "100.00"}
    body = {"customer": {"name": "Globex"}, "currency": "USD", "exchangeRate": "0.90", "lines": [line]}
    sold = office.ok("POST", "/finance/invoices", body)
    office.ok("POST", "/finance/payments", {"invoiceId": sold["id"], "amount": sold["total"], "exchangeRate": "0.95"})


def set_up(office: Office) -> None:
    """Settings, a holiday, a contact with details, a task that someone works on, and things that are gone again."""
    settings = {"iban": "DE89370400440532013000", "taxNumber": "DE136695976", "paymentTermsDays": 14}
    settings["taxBasis"] = [{"since": "2020-01-01", "basis": "cash"}]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)
    office.ok("POST", "/hr/holidays", {"date": "2026-12-24", "name": "Christmas Eve"})
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "The year is filed"})
    details = {"email": "buy@pied-piper.example", "phone": "+49 40 1", "taxNumber": "DE1", "address": {"city": "Bonn"}}
    office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Pied Piper", **details})
    gone = office.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Nobody's supplier"})
    office.ok("DELETE", f"/finance/contacts/{gone['id']}")
    first = office.ok("POST", "/tasks", {"title": "Think", "assigneeUserIds": [office.user["id"]]})
    office.ok("POST", "/tasks", {"title": "Act", "dependsOn": [first["id"]], "tags": ["soon"]})
    office.ok("POST", f"/tasks/{first['id']}/comments", {"text": "Is this enough?"})
    office.ok("POST", "/workspace/views", {"page": "tasks", "name": "Soon", "isShared": True, "isDefault": True})


def record_attendance(office: Office) -> None:
    """A day at work, changed once, and an employee with a bank account who is called by another name by now."""
    clara = office.ok(
        "POST", "/hr/employees", {"name": "Clara", "employmentType": "full_time", "hireDate": "2026-01-01"}
    )
    account = {"holder": "Clara", "iban": "DE89370400440532013000"}
    changed = {"name": "Clara Klein", "bankAccount": account, "phone": "+49 40 2"}
    office.ok("PATCH", f"/hr/employees/{clara['id']}", changed)
    day = office.ok(
        "POST", "/hr/attendance", {"employeeId": clara["id"], "date": "2026-03-03", "status": "present", "note": "Late"}
    )
    office.ok("PATCH", f"/hr/attendance/{day['id']}", {"status": "remote"})


def credit_an_invoice(office: Office) -> None:
    """Half of the first of two lines is credited."""
    lines = [{"description": name, "quantity": "2", "unitPrice": "50.00"} for name in ("Chairs", "Tables")]
    sold = office.ok("POST", "/finance/invoices", {"customer": {"name": "Umbrella"}, "lines": lines})
    half = {"lines": [{"lineId": sold["lines"][0]["id"], "quantity": "1"}]}
    office.ok("POST", f"/finance/invoices/{sold['id']}/credit", half)


def pay_bills(office: Office) -> None:
    """A payment run of two bills that is void, and one that stands, which uses credit; some tax is not deducted."""
    account = {"iban": "NL91ABNA0417164300", "bic": "ABNANL2A"}
    supplier = office.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Meyer", "bankAccount": account})
    owed = office.ok("POST", "/finance/tax-rates", {"name": "Owed", "rate": "19", "category": "AE"})
    line = {"description": "Lunch", "quantity": "1", "unitPrice": "50.00", "taxRateId": owed["id"]}
    line |= {"deductibleTaxPercent": "50", "deductibleCostPercent": "70", "nonDeductibleAccountId": "6900"}
    body = {"kind": "purchase_invoice", "supplierId": supplier["id"], "lines": [line]}
    bills = [office.ok("POST", "/finance/invoices", {**body, "supplierNumber": number}) for number in ("M-1", "M-2")]
    for _ in range(2):
        run = office.ok("POST", "/finance/payment-runs", {"billIds": [bill["id"] for bill in bills]})
        if run["number"].endswith("1"):
            office.ok("POST", f"/finance/payment-runs/{run['id']}/void", {})
            credit = {"description": "Less", "quantity": "1", "unitPrice": "10.00"}
            office.ok("POST", "/finance/invoices", {**body, "kind": "purchase_credit_note", "lines": [credit]})


def take_off(office: Office) -> None:
    """A discount, and a write-off of which a part is received all the same."""
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Pleite"})
    line = {"description": "Advice", "quantity": "1", "unitPrice": "100.00"}
    body = {"customerId": customer["id"], "lines": [line]}
    paid, lost = (office.ok("POST", "/finance/invoices", body) for _ in range(2))
    office.ok("POST", "/finance/payments", {"invoiceId": paid["id"], "amount": "98.00", "discountAmount": "2.00"})
    office.ok("POST", f"/finance/invoices/{lost['id']}/write-off", {"category": "uncollectable", "reason": "Gone"})
    office.ok("POST", "/finance/payments", {"invoiceId": lost["id"], "amount": "30.00"})


def take_over(office: Office) -> None:
    """An old receivable that is written off and received in part, and the bank's balance of the year before."""
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Alt"})
    owed = {"accountId": "1100", "contactId": customer["id"], "number": "R-0815", "documentDate": "2025-12-01"}
    month = {"accountId": "1010", "month": "2025-12", "debit": "500.00"}
    body = {"date": "2026-01-01", "items": [{**owed, "debit": "119.00"}], "months": [month]}
    office.ok("POST", "/finance/opening-balances", body)
    (item,) = office.ok("GET", "/finance/open-items", params={"contactId": customer["id"]})
    body = {"category": "uncollectable", "reason": "Gone"}
    office.ok("POST", f"/finance/open-items/{item['id']}/write-off", body)
    settles = [{"itemId": item["id"], "amount": "30.00"}]
    office.ok("POST", "/finance/payments", {"contactId": customer["id"], "amount": "30.00", "settles": settles})


def tamper(books: Path, script: str) -> None:
    """Change a closed file as another program could, which minds no rule of it."""
    with closing(connections.sqlite3.connect(books)) as connection:
        rules = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in rules:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = 1")
        connection.executescript(script)
        for _, rule in rules:
            connection.execute(rule)


def tampered_copy(books: Path, folder: Path, script: str) -> Path:
    """A copy of the file that another program has changed."""
    copy = folder / books.name
    shutil.copy(books, copy)
    tamper(copy, script)
    return copy


def approve_time(office: Office) -> None:
    """A week of time that is approved, and so keeps its cost, and a day of another one."""
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeApproval": "week"})
    own = {"name": "Olga Own", "hireDate": "2026-01-01", "userId": office.user["id"]}
    employee = office.ok("POST", "/hr/employees", own)
    rate = {"from": "2026-01-01", "method": "given", "hourlyCost": "30.00"}
    office.ok("POST", f"/hr/employees/{employee['id']}/cost-rates", rate)
    task = office.ok("POST", "/tasks", {"title": "Sums"})
    for day in ("2026-02-10", "2026-02-17"):
        office.ok("POST", f"/tasks/{task['id']}/time-logs", {"date": day, "minutes": 20})
    office.ok("POST", "/tasks/time-weeks/2026-02-09/submit", {})
    office.ok("POST", "/tasks/time-weeks/2026-02-09/approve", {"userId": office.user["id"]})
