"""The books: opening balances, sales and payments, purchases, taxes, and the locked months."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from erp.demo import plan_books as plan
from erp.demo import plan_work
from erp.demo.days import PRESENT
from erp.demo.figures import about, cents, money, pick
from erp.demo.office import Office
from erp.demo.payroll import BOOKKEEPER
from erp.demo.people import OWNER
from erp.demo.plan_books import Cost, Customer, Single
from erp.demo.plan_work import Job
from erp.demo.work import Span
from erp.web.client import Client

BANK, INPUT_TAX, TAX = "1010", "1300", "2200"
DEDUCTED = ("2310", "2320", "2330")
"""Liabilities for withheld wage tax and social insurance."""

Line = tuple[str, int] | tuple[str, int, str]
"""An account, an amount (debits above zero), and the contact, if any."""


def set_up(office: Office) -> None:
    """Complete the chart, enter the contacts, and open the books."""
    for code, name, kind, subtype in plan.ACCOUNTS:
        _books(office).post("/finance/accounts", code=code, name=name, type=kind, subtype=subtype)
    office.as_(OWNER).patch(f"/workspace/{office.workspace_id}", defaultAccounts={"sales": "4100"})
    rates = {rate["name"]: rate["id"] for rate in _books(office).get("/finance/tax-rates")}
    _books(office).patch(f"/finance/tax-rates/{rates['Tax 19 %']}", isDefault=True)
    for customer in plan.CUSTOMERS:
        _add_customer(office, customer, rates["No tax"])
    for supplier in plan.SUPPLIERS:
        address = {"city": supplier.city, "country": "DE"}
        account = {"holder": supplier.name, "iban": supplier.iban}
        contact = _books(office).post(
            "/finance/contacts", kind="supplier", name=supplier.name, address=address, bankAccount=account
        )
        office.contacts[supplier.name] = contact["id"]
    _post(office, office.days.first(0), "Opening balances", plan.OPENING)


def _add_customer(office: Office, customer: Customer, no_tax: str) -> None:
    address = {"line1": customer.street, "city": customer.city, "postalCode": customer.postal_code}
    foreign = {"currency": customer.currency, "defaultTaxRateId": no_tax} if customer.currency else {}
    contact = _books(office).post(
        "/finance/contacts",
        kind="customer",
        name=customer.name,
        email=f"books@{customer.site}.example",
        address=address | {"country": customer.country},
        **foreign,
    )
    office.contacts[customer.name] = contact["id"]


def schedule(office: Office) -> None:
    """Plan what is bought, sold and paid on which day."""
    at, days = office.agenda.at, office.days
    for job in plan_work.JOBS:
        _schedule_job(office, job)
    for month in range(PRESENT + 1):
        for cost in plan.COSTS:
            if month % cost.every == 0:
                at(days.working(days.on(month, cost.day)), _spend, office, cost, month)
        for index, day in enumerate(plan.FURNITURE_DAYS):
            at(days.working(days.on(month, day)), _sell_furniture, office, month, index)
        at(days.last(month), _end_month, office, month)
        at(days.working(days.on(month, plan.TAX_DAY)), _pay_taxes, office, month)
    at(days.working(days.on(plan.MACHINE_MONTH, plan.MACHINE.day)), _spend, office, plan.MACHINE, plan.MACHINE_MONTH)
    for single in plan.SINGLES:
        at(days.ago(single.ago), _invoice_single, office, single)
    at(days.ago(plan.REFUND[3]), _refund, office)


def _schedule_job(office: Office, job: Job) -> None:
    """Plan the invoices of a project, for parts of its price or for the hours of each month, and its bills."""
    at, days, span = office.agenda.at, office.days, Span.of(office.days, job)
    if job.price:
        for index, (percent, _, _) in enumerate(plan.MILESTONES):
            at(days.working(span.at(percent)), _invoice_milestone, office, job, index)
        for percent, share in plan.BILLS:
            at(days.working(span.at(percent)), _buy_for, office, job, days.working(span.at(percent)), share)
    if job.rate:
        for month in range(job.start, min(job.end, PRESENT)):
            at(days.working(days.on(month + 1, plan.TIME_DAY)), _invoice_time, office, job, month)


def _spend(office: Office, cost: Cost, month: int) -> None:
    """Pay a regular cost from the bank."""
    day = office.days.working(office.days.on(month, cost.day))
    lines = _with_tax(cost.account, about(cost.amount, cost.varies, cost.what, month), cost.percent)
    _post(office, day, cost.what, _from_bank(lines))


def _end_month(office: Office, month: int) -> None:
    """Pay the instalment of the loan, and post the depreciation of the machines."""
    day = office.days.last(month)
    _post(office, day, "Loan instalment", _from_bank([("2700", plan.REPAYMENT), ("6810", plan.INTEREST)]))
    _post(office, day, "Monthly depreciation", [("6700", plan.DEPRECIATION), ("1590", -plan.DEPRECIATION)])


def _pay_taxes(office: Office, month: int) -> None:
    """Pay the tax and wage liabilities of the end of the previous month, and every quarter income tax in advance."""
    day = office.days.working(office.days.on(month, plan.TAX_DAY))
    through = office.days.last(month - 1)
    rows = _books(office).get(f"/finance/reports/trial-balance?date={through}")["rows"]
    owed = {row["account"]["code"]: cents(row["credit"]) - cents(row["debit"]) for row in rows}
    for what, codes in (("Sales tax for the month", (TAX, INPUT_TAX)), ("Wage tax and social insurance", DEDUCTED)):
        lines: list[Line] = [(code, owed[code]) for code in codes if code in owed]
        if lines:
            _post(office, day, what, _from_bank(lines))
    if month % 3 == 2:
        _post(office, day, "Income tax prepayment", _from_bank([("6950", plan.INCOME_TAX)]))


def lock(office: Office) -> None:
    """Lock the months whose tax returns are filed."""
    through = office.days.last(PRESENT - 4)
    office.as_(OWNER).post("/finance/periods/lock", throughDate=through, reason="Tax returns filed")


def _books(office: Office) -> Client:
    return office.as_(BOOKKEEPER)


def _with_tax(account: str, amount: int, percent: int) -> list[Line]:
    """An expense and its input tax."""
    tax = (amount * percent + 50) // 100
    return [(account, amount), (INPUT_TAX, tax)] if tax else [(account, amount)]


def _from_bank(lines: list[Line]) -> list[Line]:
    """The lines, and their total from the bank."""
    return [*lines, (BANK, -sum(line[1] for line in lines))]


def _post(office: Office, day: date, what: str, lines: Iterable[Line]) -> None:
    entered = [
        {
            "accountId": account,
            "debit" if amount > 0 else "credit": money(abs(amount)),
            "contactId": office.contacts[contact[0]] if contact else None,
        }
        for account, amount, *contact in lines
        if amount
    ]
    _books(office).post("/finance/journals", date=day, description=what, lines=entered)


def _await_payment(office: Office, invoice: Any, customer: Customer) -> None:
    """Plan the payment of an invoice for the day on which this customer pays."""
    issued = date.fromisoformat(invoice["issueDate"])
    day = office.days.working(issued + timedelta(days=customer.pays_after))
    office.agenda.at(day, _enter_payment, office, invoice, day, invoice["total"])


def _enter_payment(office: Office, invoice: Any, day: date, amount: str, **more: str) -> None:
    """Enter the payment of an invoice or a bill."""
    _books(office).post("/finance/payments", invoiceId=invoice["id"], amount=amount, date=day, **more)


def _customer(name: str) -> Customer:
    return next(customer for customer in plan.CUSTOMERS if customer.name == name)


def _invoice_milestone(office: Office, job: Job, index: int) -> None:
    """Invoice a part of a fixed price."""
    percent, share, what = plan.MILESTONES[index]
    line = {
        "description": f"{job.name}, part {index + 1} of {len(plan.MILESTONES)}: {what}",
        "quantity": "1",
        "unitPrice": money(job.price * share // 100),
        "accountId": "4000",
    }
    invoice = _books(office).post(
        "/finance/invoices",
        customerId=office.contacts[job.customer],
        issueDate=office.days.working(Span.of(office.days, job).at(percent)),
        projectId=office.projects[job.code],
        lines=[line],
    )
    _await_payment(office, invoice, _customer(job.customer))


def _invoice_time(office: Office, job: Job, month: int) -> None:
    """Invoice the hours of a month in the next one."""
    day = office.days.working(office.days.on(month + 1, plan.TIME_DAY))
    draft = _books(office).post(
        "/finance/invoices/from-time-logs", projectId=office.projects[job.code], dateTo=office.days.last(month)
    )
    _books(office).patch(f"/finance/invoices/{draft['id']}", issueDate=day, reference=f"{job.code} {day:%m/%Y}")
    invoice = _books(office).post(f"/finance/invoices/{draft['id']}/issue")
    _await_payment(office, invoice, _customer(job.customer))


def _sell_furniture(office: Office, month: int, index: int) -> None:
    """Sell a few pieces, and buy the wood for them from the supplier."""
    day = office.days.working(office.days.on(month, plan.FURNITURE_DAYS[index]))
    buyer = plan.FURNITURE_BUYERS[pick(0, len(plan.FURNITURE_BUYERS) - 1, "buyer", month, index)]
    chosen = {pick(0, len(plan.FURNITURE) - 1, "piece", month, index, piece) for piece in range(3)}
    lines = [
        {
            "description": plan.FURNITURE[piece][0],
            "quantity": str(pick(1, 3, "pieces", month, index, piece)),
            "unit": "piece",
            "unitPrice": money(plan.FURNITURE[piece][1]),
            "accountId": "4010",
        }
        for piece in sorted(chosen)
    ]
    invoice = _books(office).post("/finance/invoices", customerId=office.contacts[buyer], issueDate=day, lines=lines)
    _await_payment(office, invoice, _customer(buyer))
    _buy(office, day, "Wood for furniture", plan.HOLZ, "5000", cents(invoice["subtotal"]) * plan.FURNITURE_COST // 100)


def _buy_for(office: Office, job: Job, day: date, share: int) -> None:
    of_share = job.price * share // 100
    wood, lamps = of_share * plan.MATERIAL * 3 // 400, of_share * plan.MATERIAL // 400
    _buy(office, day, f"Material for {job.name}", plan.HOLZ, "5000", wood)
    _buy(office, day, f"Lamps for {job.name}", plan.LAMPS, "5000", lamps)
    _buy(office, day, f"Electrical work at {job.name}", plan.TRADES, "5010", of_share * plan.SUBCONTRACTED // 100)


def _buy(office: Office, day: date, what: str, supplier: str, account: str, amount: int) -> None:
    """Enter a supplier's bill, which is paid when it is due."""
    paid_after = next(known.paid_after for known in plan.SUPPLIERS if known.name == supplier)
    due = office.days.working(day + timedelta(days=paid_after))
    line = {"description": what, "quantity": "1", "unitPrice": money(amount), "accountId": account}
    bill = _books(office).post(
        "/finance/invoices",
        kind="purchase_invoice",
        supplierId=office.contacts[supplier],
        supplierNumber=f"R{next(office.bill_numbers)}",
        issueDate=day,
        dueDate=due,
        lines=[line],
    )
    office.agenda.at(due, _pay, office, bill, due)


def _pay(office: Office, bill: Any, day: date) -> None:
    _enter_payment(office, bill, day, bill["total"], direction="made")


def _invoice_single(office: Office, single: Single) -> None:
    """Write one of the recent invoices, and plan what becomes of it."""
    days, line = office.days, {"description": single.what, "quantity": "1", "unitPrice": money(single.amount)}
    foreign = {"exchangeRate": single.rate} if single.rate else {}
    invoice = _books(office).post(
        "/finance/invoices",
        customerId=office.contacts[single.customer],
        issueDate=days.ago(single.ago),
        lines=[line | {"accountId": "4010"}],
        draft=single.state == "draft",
        **foreign,
    )
    office.agenda.at(days.ago(single.then), _conclude, office, single, invoice)


def _conclude(office: Office, single: Single, invoice: Any) -> None:
    """Void or pay an invoice, as planned."""
    day, path = office.days.ago(single.then), f"/finance/invoices/{invoice['id']}/void"
    if single.state == "void":
        _books(office).post(path, date=day, reason="A different price was agreed")
    elif single.state == "paid":
        rate = {"exchangeRate": single.rate_then} if single.rate_then else {}
        _enter_payment(office, invoice, day, invoice["total"], **rate)
    elif single.state == "part_paid":
        _enter_payment(office, invoice, day, money(cents(invoice["total"]) * 2 // 5))


def _refund(office: Office) -> None:
    """Credit a customer for a scratch, and refund the amount."""
    customer, what, amount, ago = plan.REFUND
    day = office.days.ago(ago)
    note = _books(office).post(
        "/finance/invoices",
        kind="sales_credit_note",
        customerId=office.contacts[customer],
        issueDate=day,
        lines=[{"description": what, "quantity": "1", "unitPrice": money(amount), "accountId": "4010"}],
    )
    _enter_payment(office, note, day, note["total"], direction="made")
