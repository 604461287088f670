"""Whole ledgers, posted through the interface: every balance and result that two other programs computed."""

import json
from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests.finance.books.balances import trial_balance
from tests.paths import DATA

LEDGERS = sorted((DATA / "ledgers").glob("*.json"))
SUBTYPES = {
    "asset": "other_asset",
    "liability": "current_liability",
    "equity": "equity",
    "revenue": "income",
    "expense": "expense",
}


class Story:
    """A ledger of the data, in the books of an office of its own."""

    def __init__(self, office, told):
        self.office, self.told, self.unit = office, told, Decimal(1).scaleb(-told["minor_digits"])
        self.codes = {}
        for place, account in enumerate(told["accounts"]):
            kind = "income" if account["type"] == "revenue" else account["type"]
            body = {"code": f"T{place}", "name": account["name"], "type": kind, "subtype": SUBTYPES[account["type"]]}
            office.ok("POST", "/finance/accounts", body)
            self.codes[account["name"]] = f"T{place}"
        for day, legs in told["entries"]:
            self.post(day, legs)

    def post(self, day, legs):
        lines = [{"accountId": f"T{place}", ("debit" if n > 0 else "credit"): self.text(abs(n))} for place, n in legs]
        self.office.ok("POST", "/finance/journals", {"date": day, "description": "As told", "lines": lines})

    def text(self, amount):
        return str(amount * self.unit)

    def minor(self, text):
        return int(Decimal(text) / self.unit)

    def balances(self, day):
        found = trial_balance(self.office, day)
        return {name: self.minor(found[code]) for name, code in self.codes.items() if code in found}

    def result(self, start, end):
        """Revenue and expense of a span, from the balances at its two ends."""
        before, after = self.balances(str(date.fromisoformat(start) - timedelta(days=1))), self.balances(end)
        moved = {name: after.get(name, 0) - before.get(name, 0) for name in self.codes}
        types = {account["name"]: account["type"] for account in self.told["accounts"]}
        return {
            "revenue": -sum(amount for name, amount in moved.items() if types[name] == "revenue"),
            "expense": sum(amount for name, amount in moved.items() if types[name] == "expense"),
        }


@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.stem)
def test_the_books_agree_with_other_programs_at_every_date(installation, path):
    told = json.loads(path.read_text("utf-8"))
    month = told["fiscal_start_month"]
    office = installation.office("Ida", baseCurrency=told["currency"], fiscalYearStart=f"{month:02}-01")
    story = Story(office, told)
    for expected in told["expected"]:
        day, totals = expected["as_of"], expected["totals"]
        assert story.balances(day) == {name: n for name, n in expected["balances"].items() if n}, day
        sheet = office.ok("GET", "/finance/reports/balance-sheet", params={"date": day})
        equity = sheet["equity"]
        found = {
            "assets": story.minor(sheet["totalAssets"]),
            "liabilities": story.minor(sheet["liabilities"]["total"]),
            "equity_posted": sum(story.minor(group["total"]) for group in equity["groups"]),
            "current_year_earnings": story.minor(equity["currentYearEarnings"]),
            "prior_years_earnings": story.minor(equity["retainedEarnings"]),
        }
        assert found == {name: totals.get(name, expected.get(name)) for name in found}, day
        assert sheet["balanced"] is expected["equation_holds"] is True
        assert found["assets"] == found["liabilities"] + story.minor(equity["total"])
    for expected in told["income_statements"]:
        found = story.result(expected["from"], expected["to"])
        assert found == {"revenue": expected["revenue"], "expense": expected["expense"]}
        assert found["revenue"] - found["expense"] == expected["net_income"]


def test_the_data_is_all_there():
    assert len(LEDGERS) == 15
