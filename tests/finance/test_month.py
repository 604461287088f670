"""The worked month: January 2026 of a German consultancy, from opening balances to the balance sheet, to the cent."""

from decimal import Decimal
from typing import Any

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.conftest import Office
from tests.finance.books.balances import trial_balance
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line, status_and_due
from tests.finance.journals.journals import entry, posted
from tests.finance.payments.payments import payment

CHART = {
    "fixed_asset": {"0650": "Büroeinrichtung"},
    "receivable": {"1200": "Forderungen aus Lieferungen und Leistungen"},
    "current_asset": {"1401": "Vorsteuer 7 %", "1406": "Vorsteuer 19 %", "1407": "Vorsteuer § 13b"},
    "bank": {"1800": "Bank"},
    "equity": {"2900": "Gezeichnetes Kapital"},
    "payable": {"3300": "Verbindlichkeiten aus Lieferungen und Leistungen"},
    "tax": {"3801": "Umsatzsteuer 7 %", "3806": "Umsatzsteuer 19 %", "3837": "Umsatzsteuer § 13b"},
    "income": {
        "4300": "Erlöse 7 %",
        "4336": "Erlöse aus im anderen EU-Land steuerpflichtigen Leistungen",
        "4338": "Erlöse aus im Drittland steuerbaren Leistungen",
        "4400": "Erlöse 19 %",
        "4731": "Gewährte Skonti 7 %",
        "4736": "Gewährte Skonti 19 %",
    },
    "cost_of_sales": {"5923": "Leistungen § 13b"},
    "payroll_expense": {"6020": "Gehälter"},
    "expense": {
        "6220": "Abschreibungen",
        "6310": "Miete",
        "6815": "Bürobedarf",
        "6820": "Zeitschriften, Bücher",
        "6855": "Nebenkosten des Geldverkehrs",
        "6930": "Forderungsverluste",
    },
    "opening_balance": {"9000": "Saldenvorträge"},
}
"""Accounts of SKR 04 by subtype."""
TYPES = {"fixed_asset": "asset", "receivable": "asset", "current_asset": "asset", "bank": "asset"}
TYPES |= {
    "equity": "equity",
    "opening_balance": "equity",
    "payable": "liability",
    "tax": "liability",
    "income": "income",
}
DEFAULTS = {"receivable": "1200", "payable": "3300", "bank": "1800", "bank_charges": "6855", "bad_debts": "6930"}
DEFAULTS |= {"tax": "3806", "input_tax": "1406", "sales": "4400", "opening_balance": "9000"}


def account_ids(office: Office) -> dict[str, str]:
    return {account["code"]: account["id"] for account in office.ok("GET", "/finance/accounts")}


EU = {"taxTag": "eu_services"}


class Month:
    """The office with its chart, its tax rates and its contacts, and its documents by their names in the month."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.documents: dict[str, dict[str, Any]] = {}
        self.settle_workspace()
        self.rates = {
            "19": self.rate("19", "3806", "1406", incomeAccountId="4400", discountsGivenAccountId="4736"),
            "7": self.rate("7", "3801", "1401", incomeAccountId="4300", discountsGivenAccountId="4731"),
            "EU": self.rate("0", "3806", "1406", "AE", **EU, incomeAccountId="4336", exemptionReason="Reverse charge"),
            "13b": self.rate("19", "3837", "1407", "AE", **EU),
            "third country": self.rate("0", "3806", "1406", "O", incomeAccountId="4338", exemptionReason="§ 3a UStG"),
        }
        vat_ids = {"Wien": "ATU12345675", "Cloud Ireland": "IE1234567T"}
        self.contacts = {
            name: kind(office, name, vatId=vat_ids.get(name))["id"]
            for kind, names in (
                (customer, ("Alster AG", "Pleite", "Wien", "Pacific")),
                (supplier, ("Meyer", "Cloud Ireland", "Elbe Immobilien", "Technik GmbH")),
            )
            for name in names
        }

    def settle_workspace(self) -> None:
        """SKR 04 in place of the standard chart, whose account of inventory has the code of receivables."""
        self.office.ok("PATCH", f"/finance/accounts/{account_ids(self.office)['1200']}", {"code": "1140"})
        for subtype, names in CHART.items():
            for code, name in names.items():
                body = {"code": code, "name": name, "type": TYPES.get(subtype, "expense"), "subtype": subtype}
                self.office.ok("POST", "/finance/accounts", body)
        formats = {"salesInvoice": "R-{year}-{seq:4}"}
        settings = {"vatId": "DE123456788", "defaultAccounts": DEFAULTS, "numberFormats": formats}
        self.office.ok("PATCH", f"/workspace/{self.office.workspace_id}", settings)

    def rate(self, percent: str, output: str, input: str, category: str = "S", **fields: str) -> str:
        accounts = {"outputTaxAccountId": output, "inputTaxAccountId": input}
        return str(tax_rate(self.office, percent, category=category, **accounts, **fields)["id"])

    def line(self, price: str, rate: str, **fields: str) -> dict[str, Any]:
        return line(price, taxRateId=self.rates[rate], **fields)

    def item(self, number: str) -> str:
        items = self.office.ok("GET", "/finance/open-items", params={"q": number})
        return next(str(item["id"]) for item in items if item["number"] == number)

    def take_over(self) -> None:
        """What the office has on 2025-12-31."""
        old = {"accountId": "1200", "contactId": self.contacts["Alster AG"], "number": "R-0815", "debit": "1190.00"}
        owed = {"accountId": "3300", "contactId": self.contacts["Meyer"], "number": "M-4700", "credit": "595.00"}
        lines = [("1800", "debit", "10000.00"), ("1200", "debit", "1190.00"), ("3300", "credit", "595.00")]
        lines += [("3806", "credit", "190.00"), ("2900", "credit", "10405.00")]
        self.opening = self.office.ok(
            "POST",
            "/finance/opening-balances",
            {
                "date": "2025-12-31",
                "lines": [{"accountId": code, side: amount} for code, side, amount in lines],
                "items": [
                    old | {"documentDate": "2025-12-01", "dueDate": "2025-12-15", "taxRateId": self.rates["19"]},
                    owed | {"documentDate": "2025-12-11", "dueDate": "2026-01-10"},
                ],
            },
        )

    def sell(self) -> None:
        """R1 to R4 and G1, in the order of their names."""
        terms = {"paymentTerms": {"discounts": [{"percent": "2", "days": 14}]}}
        self.issue("R1", "Alster AG", "01-05", "01-19", self.line("1000.00", "19"), self.line("200.00", "7"), **terms)
        self.issue("R2", "Wien", "01-20", "02-19", self.line("3000.00", "EU"))
        dollars = {"currency": "USD", "exchangeRate": "0.92"}
        self.issue("R3", "Pacific", "01-22", "02-21", self.line("1000.00", "third country"), **dollars)
        self.issue("R4", "Pleite", "01-05", "01-19", self.line("500.00", "19"))
        r2 = self.documents["R2"]
        part = {"lineId": r2["lines"][0]["id"], "amount": "300.00"}
        self.documents["G1"] = credit(self.office, r2, part, date="2026-01-25")

    def issue(self, name: str, contact: str, day: str, due: str, *lines: dict[str, Any], **fields: Any) -> None:
        dates = {"issueDate": f"2026-{day}", "dueDate": f"2026-{due}"}
        made = invoice(self.office, *lines, customerId=self.contacts[contact], **dates, **fields)
        self.documents[name] = made

    def buy(self) -> None:
        """B1 to B4; the last two are paid on their day."""
        supplies, books = self.line("100.00", "19", accountId="6815"), self.line("50.00", "7", accountId="6820")
        self.enter("B1", "Meyer", "01-08", "02-07", supplies, books)
        self.enter("B2", "Cloud Ireland", "01-12", "02-11", self.line("240.00", "13b", accountId="5923"))
        self.enter("B3", "Elbe Immobilien", "01-15", "01-15", self.line("1500.00", "19", accountId="6310"))
        self.enter("B4", "Technik GmbH", "01-14", "01-14", self.line("1500.00", "19", accountId="0650"))
        for name in ("B3", "B4"):
            made = self.documents[name]
            payment(self.office, "1785.00", direction="made", invoiceId=made["id"], date=made["issueDate"])

    def enter(self, name: str, contact: str, day: str, due: str, *lines: dict[str, Any]) -> None:
        dates = {"issueDate": f"2026-{day}", "dueDate": f"2026-{due}", "supplierNumber": name}
        self.documents[name] = bill(self.office, *lines, supplierId=self.contacts[contact], **dates)

    def pay_old_items(self) -> None:
        alster, meyer = self.contacts["Alster AG"], self.contacts["Meyer"]
        for number, contact, amount, direction, day in (
            ("R-0815", alster, "1190.00", "received", "2026-01-07"),
            ("M-4700", meyer, "595.00", "made", "2026-01-10"),
        ):
            old = [{"itemId": self.item(number), "amount": amount}]
            payment(self.office, amount, contactId=contact, direction=direction, date=day, settles=old)

    def write_by_hand(self) -> None:
        """Wages, depreciation and the bank's fee."""
        for amount, day, debit, other in (
            ("2000.00", "2026-01-28", "6020", "1800"),
            ("41.67", "2026-01-31", "6220", "0650"),
            ("9.90", "2026-01-31", "6855", "1800"),
        ):
            entry(self.office, amount, day=day, debit=debit, credit=other)

    def pay_r1_with_discount(self) -> None:
        """Alster pays R1 less 2 %: 20.00 at 19 % and 4.00 at 7 %, and their tax."""
        part = {"invoiceId": self.documents["R1"]["id"], "amount": "1375.92", "discountTaken": True}
        payment(self.office, "1375.92", allocations=[part], date="2026-01-19")

    def write_off_r4(self) -> None:
        """Pleite pays nothing any more: 500.00 and its tax."""
        body = {"category": "uncollectable", "reason": "Insolvent", "date": "2026-01-31"}
        self.office.ok("POST", f"/finance/invoices/{self.documents['R4']['id']}/write-off", body)


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    return acme.once(_month)


def _month(acme):
    month = Month(acme)
    month.take_over()
    month.sell()
    month.buy()
    month.pay_old_items()
    month.pay_r1_with_discount()
    month.write_by_hand()
    month.write_off_r4()
    return month


def open_items(office: Office, **filters: str) -> dict[str, str]:
    """What is open by number."""
    shown = office.ok("GET", "/finance/open-items", params={"sort": "dueDate", **filters})
    return {item["number"]: item["open"] for item in shown}


def sums(office: Office, code: str) -> tuple[str, Decimal, Decimal, str]:
    """Opening, debits, credits and closing of an account in the month."""
    period = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
    shown = office.ok("GET", f"/finance/accounts/{account_ids(office)[code]}/ledger", params=period)
    debit, credit = (sum((Decimal(row[side]) for row in shown["rows"]), Decimal(0)) for side in ("debit", "credit"))
    return shown["opening"], debit, credit, shown["closing"]


def test_the_month_closes_with_its_figures(acme, month):
    rows = {code: str(amount) for code, amount in trial_balance(acme, "2026-01-31").items() if amount}
    assert rows == {
        "0650": "1458.33",
        "1200": "3620.00",
        "1800": "6391.02",
        "1401": "3.50",
        "1406": "589.00",
        "1407": "45.60",
        "2900": "-10405.00",
        "3300": "-412.50",
        "3801": "-13.72",
        "3806": "-376.20",
        "3837": "-45.60",
        "4300": "-200.00",
        "4336": "-2700.00",
        "4338": "-920.00",
        "4400": "-1500.00",
        "4731": "4.00",
        "4736": "20.00",
        "5923": "240.00",
        "6020": "2000.00",
        "6220": "41.67",
        "6310": "1500.00",
        "6815": "100.00",
        "6820": "50.00",
        "6855": "9.90",
        "6930": "500.00",
    }
    sheet = acme.ok("GET", "/finance/reports/balance-sheet", params={"date": "2026-01-31"})
    assert (sheet["totalAssets"], sheet["totalLiabilitiesAndEquity"]) == ("12107.45", "12107.45")
    assert (sheet["liabilities"]["total"], sheet["equity"]["total"]) == ("848.02", "11259.43")
    assert (sheet["equity"]["currentYearEarnings"], sheet["equity"]["retainedEarnings"]) == ("854.43", "0.00")
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_the_month_begins_with_what_was_taken_over(acme, month):
    assert (month.opening["total"], month.opening["difference"]) == ("11190.00", "0.00")
    old, owed = acme.ok("GET", "/finance/open-items", params={"asOf": "2025-12-31", "sort": "dueDate"})
    assert (old["number"], old["open"], old["daysOverdue"]) == ("R-0815", "1190.00", 16)
    assert (owed["number"], owed["open"], owed["daysOverdue"]) == ("M-4700", "-595.00", 0)
    assert "R-0815" not in open_items(acme, asOf="2026-01-07")
    assert "M-4700" not in open_items(acme, asOf="2026-01-10")


def test_the_documents_of_the_month_post_what_they_should(acme, month):
    entries = {name: posted(acme, document["journalEntryId"]) for name, document in month.documents.items()}
    assert entries == {
        "R1": {"1200": 140_400, "3801": -1_400, "3806": -19_000, "4300": -20_000, "4400": -100_000},
        "R2": {"1200": 300_000, "4336": -300_000},
        "R3": {"1200": 92_000, "4338": -92_000},
        "R4": {"1200": 59_500, "3806": -9_500, "4400": -50_000},
        "G1": {"1200": -30_000, "4336": 30_000},
        "B1": {"1401": 350, "1406": 1_900, "3300": -17_250, "6815": 10_000, "6820": 5_000},
        "B2": {"1407": 4_560, "3300": -24_000, "3837": -4_560, "5923": 24_000},
        "B3": {"1406": 28_500, "3300": -178_500, "6310": 150_000},
        "B4": {"0650": 150_000, "1406": 28_500, "3300": -178_500},
    }
    numbers = [month.documents[name]["number"] for name in ("R1", "R2", "R3", "R4")]
    assert numbers == ["R-2026-0001", "R-2026-0002", "R-2026-0003", "R-2026-0004"]


def test_what_is_due_after_the_month(acme, month):
    due = {name: status_and_due(acme, document["id"])[1] for name, document in month.documents.items()}
    assert due == dict.fromkeys(due, "0.00") | {"R2": "2700.00", "R3": "1000.00", "B1": "172.50", "B2": "240.00"}
    assert status_and_due(acme, month.documents["R1"]["id"])[0] == "paid"
    for name, balance in (("Alster AG", "0.00"), ("Pleite", "0.00"), ("Wien", "2700.00"), ("Pacific", "920.00")):
        shown = acme.ok("GET", f"/finance/contacts/{month.contacts[name]}")
        assert (shown["balance"], shown["overdue"], shown["unallocatedCredit"]) == (balance, "0.00", "0.00"), name


def test_what_was_open_on_days_of_the_month(acme, month):
    """On the 18th, Alster owed R1 and Pleite R4; at the end, Wien and Pacific owe, and Meyer and Cloud are owed."""
    sold = {"side": "receivable"}
    assert open_items(acme, asOf="2026-01-18", **sold) == {"R-2026-0001": "1404.00", "R-2026-0004": "595.00"}
    for day in ("2026-01-31", "2026-02-28"):
        items = acme.ok("GET", "/finance/open-items", params={"asOf": day, "sort": "dueDate"})
        assert [(item["contactName"], item["openBase"]) for item in items] == [
            ("Meyer", "-172.50"),
            ("Cloud Ireland", "-240.00"),
            ("Wien", "2700.00"),
            ("Pacific", "920.00"),
        ]
        overdue = [0, 0, 0, 0] if day == "2026-01-31" else [21, 17, 9, 7]
        assert [item["daysOverdue"] for item in items] == overdue


def test_debits_and_credits_of_the_receivables(acme, month):
    assert sums(acme, "1200") == ("1190.00", Decimal("5919.00"), Decimal("3489.00"), "3620.00")
    assert sums(acme, "1800") == ("10000.00", Decimal("2565.92"), Decimal("6174.90"), "6391.02")


def test_the_statement_of_alster(acme, month):
    path = f"/finance/contacts/{month.contacts['Alster AG']}/statement"
    (block,) = acme.ok("GET", path, params={"dateFrom": "2026-01-01", "dateTo": "2026-01-31"})["blocks"]
    assert (block["opening"], block["closing"]) == ("1190.00", "0.00")
    assert [(each["debit"], each["credit"]) for each in block["lines"]] == [
        ("1404.00", "0.00"),
        ("0.00", "1190.00"),
        ("0.00", "1375.92"),
        ("0.00", "28.08"),
    ]
