"""Bookkeeping stories, replayed through the interface, with the balances that they must end with."""

import json
from decimal import Decimal

import pytest

from tests.finance.books.balances import trial_balance
from tests.finance.contacts.contacts import customer
from tests.paths import DATA

STORIES = json.loads((DATA / "scenarios.json").read_text("utf-8"))["cases"]
CODES = {
    "cash": "1000",
    "bank": "1010",
    "receivable": "1100",
    "tax_output": "2200",
    "capital": "3000",
    "sales_services": "4100",
    "rent": "6100",
}
STATUS = {"open": "issued", "partial": "partially_paid"}


class Replay:
    """Replays a story in an office, step by step; what is expected is expected on its last day."""

    def __init__(self, office, digits, last_day):
        self.office, self.unit, self.made = office, Decimal(1).scaleb(-digits), {}
        self.last_day = last_day
        self.customer = customer(office, "Initech")["id"]
        self.rates = {}

    def text(self, amount):
        return str(amount * self.unit)

    def rate(self, percent):
        """The id of the tax rate of a percentage, made when it is first needed."""
        if percent not in self.rates:
            body = {"name": f"Story {percent} %", "rate": percent, "category": "S" if Decimal(percent) else "Z"}
            self.rates[percent] = self.office.ok("POST", "/finance/tax-rates", body)["id"]
        return self.rates[percent]

    def request(self, step):
        """The path and the body of a step."""
        return getattr(self, f"_{step['op']}")(step)

    def _journal(self, step):
        lines = [
            {"accountId": CODES[role], "debit" if amount >= 0 else "credit": self.text(abs(amount))}
            for role, amount in step["lines"]
        ]
        return "/finance/journals", {"date": step["date"], "description": "Story", "lines": lines}

    def _invoice(self, step):
        lines = [
            {
                "description": "Work",
                "quantity": quantity,
                "unitPrice": price,
                "taxRateId": self.rate(percent),
                "accountId": CODES["sales_services"],
            }
            for quantity, price, percent in step["lines"]
        ]
        due = {"dueDate": step["due"]} if "due" in step else {}
        return "/finance/invoices", {"customerId": self.customer, "issueDate": step["date"], "lines": lines, **due}

    def _pay(self, step):
        allocations = [{"invoiceId": self.made[ref], "amount": self.text(amount)} for ref, amount in step["to"]]
        body = {"contactId": self.customer, "amount": self.text(step["amount"]), "date": step["date"]}
        return "/finance/payments", {**body, "allocations": allocations}

    def _void(self, step):
        return f"/finance/invoices/{self.made[step['ref']]}/void", {"date": step["date"], "reason": "Story"}

    def run(self, step):
        if step["op"] == "refuse":
            return self._refused(step["step"])
        if step["op"] == "expect":
            return self._expect(step)
        if step["op"] == "sheet":
            return self._sheet(step)
        answer = self.office.ok("POST", *self.request(step))
        return self.made.setdefault(step.get("ref"), answer["id"])

    def _refused(self, step):
        before = trial_balance(self.office)
        answer = self.office.call("POST", *self.request(step))
        assert answer.status_code in (409, 422), answer.text
        assert trial_balance(self.office) == before

    def _expect(self, step):
        shown = trial_balance(self.office, step.get("as_of", self.last_day))
        for role, amount in step.get("balances", {}).items():
            assert shown.get(CODES[role], 0) == amount * self.unit, role
        for ref, due in step.get("open", {}).items():
            assert self._document(ref)["amountDue"] == self.text(due)
        for ref, status in step.get("status", {}).items():
            assert self._document(ref)["status"] == STATUS.get(status, status)

    def _document(self, ref):
        return self.office.ok("GET", f"/finance/invoices/{self.made[ref]}")

    def _sheet(self, step):
        sheet = self.office.ok("GET", "/finance/reports/balance-sheet", params={"date": step["as_of"]})
        equity = sheet["equity"]
        shown = {
            "assets": sheet["totalAssets"],
            "liabilities": sheet["liabilities"]["total"],
            "equity_posted": str(sum(Decimal(group["total"]) for group in equity["groups"])),
            "current_year_earnings": equity["currentYearEarnings"],
            "prior_years_earnings": equity["retainedEarnings"],
        }
        assert {name: Decimal(text) / self.unit for name, text in shown.items()} == {name: step[name] for name in shown}
        assert sheet["isBalanced"] is True


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_a_story_ends_with_its_known_balances(installation, story):
    office = installation.office("Ida", baseCurrency=story["currency"])
    last_day = max(step["date"] for step in story["steps"] if "date" in step)
    replay = Replay(office, story.get("minor_digits", 2), last_day)
    for step in story["steps"]:
        replay.run(step)
