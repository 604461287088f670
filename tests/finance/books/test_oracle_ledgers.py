"""Whole ledgers, posted through the interface, compared with the balances and results of two other programs."""

import json
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests.conftest import IS_THOROUGH
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


class PostedLedger:
    """A ledger of the data, posted to the books of an office of its own."""

    def __init__(self, office, ledger):
        self.office, self.ledger, self.unit = office, ledger, Decimal(1).scaleb(-ledger["minor_digits"])
        self.codes = {}
        for i, account in enumerate(ledger["accounts"]):
            kind = "income" if account["type"] == "revenue" else account["type"]
            body = {"code": f"T{i}", "name": account["name"], "type": kind, "subtype": SUBTYPES[account["type"]]}
            office.ok("POST", "/finance/accounts", body)
            self.codes[account["name"]] = f"T{i}"
        types = {account["name"]: account["type"] for account in ledger["accounts"]}
        self.results = [code for name, code in self.codes.items() if types[name] in ("revenue", "expense")]
        for day, legs in ledger["entries"]:
            self.post(day, legs)

    def post(self, day, legs):
        lines = [{"accountId": f"T{i}", ("debit" if n > 0 else "credit"): self.text(abs(n))} for i, n in legs]
        self.office.ok("POST", "/finance/journals", {"date": day, "description": "An entry", "lines": lines})

    def text(self, amount):
        return str(amount * self.unit)

    def minor(self, text):
        return int(Decimal(text) / self.unit)

    def balances(self, day):
        """Everything posted until a day: income and expense are the sums of all fiscal years, each of its own."""
        balances = Counter(trial_balance(self.office, day))
        for last_day in self.year_ends(day):
            shown = trial_balance(self.office, last_day)
            balances.update({code: shown[code] for code in self.results if code in shown})
        shown = {name: self.minor(balances[code]) for name, code in self.codes.items()}
        return {name: amount for name, amount in shown.items() if amount}

    def year_ends(self, day):
        """The last days of the fiscal years before that of a day, from that of the first entry on."""
        month, first = self.ledger["fiscal_start_month"], min(day for day, _ in self.ledger["entries"])
        years = range(int(first[:4]), int(day[:4]) + 1)
        starts = [f"{year}-{month:02}-01" for year in years]
        return [str(date.fromisoformat(start) - timedelta(days=1)) for start in starts if first < start <= day]

    def result(self, start, end):
        """Revenue and expense of a period, from the balances at its two ends."""
        before, after = self.balances(str(date.fromisoformat(start) - timedelta(days=1))), self.balances(end)
        moved = {name: after.get(name, 0) - before.get(name, 0) for name in self.codes}
        types = {account["name"]: account["type"] for account in self.ledger["accounts"]}
        return {
            "revenue": -sum(amount for name, amount in moved.items() if types[name] == "revenue"),
            "expense": sum(amount for name, amount in moved.items() if types[name] == "expense"),
        }


@pytest.mark.thorough
@pytest.mark.parametrize("path", LEDGERS if IS_THOROUGH else LEDGERS[::4], ids=lambda path: path.stem)
def test_the_books_agree_with_other_programs_at_every_date(installation, path):
    ledger = json.loads(path.read_text("utf-8"))
    month = ledger["fiscal_start_month"]
    office = installation.office("Ida", baseCurrency=ledger["currency"], fiscalYearStart=f"{month:02}-01")
    posted = PostedLedger(office, ledger)
    for expected in ledger["expected"]:
        day, totals = expected["as_of"], expected["totals"]
        assert posted.balances(day) == {name: n for name, n in expected["balances"].items() if n}, day
        sheet = office.ok("GET", "/finance/reports/balance-sheet", params={"date": day})
        equity = sheet["equity"]
        shown = {
            "assets": posted.minor(sheet["totalAssets"]),
            "liabilities": posted.minor(sheet["liabilities"]["total"]),
            "equity_posted": sum(posted.minor(group["total"]) for group in equity["groups"]),
            "current_year_earnings": posted.minor(equity["currentYearEarnings"]),
            "prior_years_earnings": posted.minor(equity["retainedEarnings"]),
        }
        assert shown == {name: totals.get(name, expected.get(name)) for name in shown}, day
        assert sheet["isBalanced"] is expected["equation_holds"] is True
        assert shown["assets"] == shown["liabilities"] + posted.minor(equity["total"])
    for expected in ledger["income_statements"]:
        shown = posted.result(expected["from"], expected["to"])
        assert shown == {"revenue": expected["revenue"], "expense": expected["expense"]}
        assert shown["revenue"] - shown["expense"] == expected["net_income"]


def test_the_data_is_all_there():
    assert len(LEDGERS) == 15
