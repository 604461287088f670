"""Looking into the made-up company: sign in as the terminal says, and read."""

import datetime
from datetime import UTC, date, timedelta

from erp.app import create_app
from erp.demo import filling
from erp.demo.days import Calendar
from erp.kernel import clock
from erp.kernel.config import Config
from erp.web.client import Client

PASSWORD = "welcome-to-the-demo"
FIRST_HALF = ("1", "2", "3")
"""The first digits of the accounts of the balance sheet."""


def made_on(instant, folder, monkeypatch):
    """The company as created at an instant, with the clock stopped there."""
    moment = datetime.datetime.fromisoformat(instant).astimezone(UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    settings = Config(data_dir=folder)
    people = filling.fill(settings, create_app)
    return Company(create_app(settings), people, folder)


class Company:
    """The company, once it has been created."""

    def __init__(self, app, people, folder):
        self.folder = folder
        self.visitor = Client(app)
        self.people = people
        self.days = Calendar(clock.today("Europe/Berlin"))
        self.owner = self.enter("ines@alderfinch.example")

    def enter(self, email):
        """Sign in and select the only workspace."""
        signed_in = self.visitor.post("/auth/sign-in/email", email=email, password=PASSWORD)
        person = Client(self.visitor.app, signed_in["session"]["token"])
        (workspace,) = signed_in["workspaces"]
        person.post("/auth/select-workspace", workspaceId=workspace["id"])
        return person

    def invoices(self):
        kinds = ("sales_invoice", "sales_credit_note", "purchase_invoice")
        lists = [self.owner.get(f"/finance/invoices?kind={kind}&limit=200&sort=createdAt") for kind in kinds]
        assert max(map(len, lists)) < 200
        return [invoice for invoices in lists for invoice in invoices]

    def balances(self, day: date):
        """The balance of each account on a day, in cents, debits above zero."""
        rows = self.owner.get(f"/finance/reports/trial-balance?date={day}")["rows"]
        return {row["account"]["code"]: minor(row["debit"]) - minor(row["credit"]) for row in rows}

    def month_ends(self):
        last_days = [self.days.month(ago - 1) - timedelta(days=1) for ago in range(12, -1, -1)]
        return [min(day, self.days.today) for day in last_days]

    def figures(self):
        """All that is the same each time the company is created on that day."""
        time = self.owner.get("/tasks/time-logs?groupBy=task")
        slips = self.owner.get("/hr/payroll/payslips?limit=200&sort=createdAt")
        tasks = self.owner.get("/tasks?limit=200&sort=createdAt")
        payments = self.owner.get("/finance/payments?limit=200&sort=createdAt")
        return {
            "accounts": [self.balances(day) for day in self.month_ends()],
            "invoices": [
                [invoice["number"], invoice["status"], invoice["total"], invoice["dueDate"]]
                for invoice in self.invoices()
            ],
            "payments": [
                [payment["number"], payment["date"], payment["amount"], payment["contactName"]] for payment in payments
            ],
            "payslips": [[slip["snapshot"]["name"], slip["net"], slip["workedMinutes"]] for slip in slips],
            "time": sorted([row["name"], row["minutes"]] for row in time),
            "tasks": [[task["key"], task["title"], task["status"], task["dueDate"]] for task in tasks],
        }


def minor(amount):
    return int(amount.replace(".", ""))
