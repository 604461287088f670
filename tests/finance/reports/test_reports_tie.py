"""Books of documents at random: every report says what their raw postings come to when they are added up by hand."""

import random
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal

import pytest

from erp.store.router import WORKSPACE
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import cells, report

FIRST, LAST = date(2025, 10, 1), date(2026, 3, 31)
CASH, FIXED = ("bank", "cash"), "fixed_asset"


def cents(text):
    return int(Decimal(text) * 100)


class Books:
    """An office after some months of documents at random, and what its file says of them."""

    def __init__(self, office, seed, first=FIRST, rounds=8):
        self.office, self.chance, self.first = office, random.Random(seed), first
        self.rates = [tax_rate(office, percent)["id"] for percent in ("19", "7")]
        self.customers = [customer(office, name)["id"] for name in ("Alster", "Wien", "Pacific")]
        self.suppliers = [supplier(office, name)["id"] for name in ("Meyer", "Cloud")]
        self.projects = [office.ok("POST", "/projects", {"name": name})["id"] for name in ("Harbour", "Tower")]
        self.documents = []
        entry(office, "20000", day=str(first), debit="1010", credit="3000")
        entry(office, "3600", day="2025-10-15", debit="1500", credit="1010")
        for month in ("2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28"):
            entry(office, "100", day=month, debit="6700", credit="1590")
        acts = (self.sell, self.sell, self.buy, self.pay, self.pay, self.pay_ahead, self.credit, self.post, self.void)
        for act in acts * rounds:
            act()
        with office.books():
            self.read()

    def day(self, first=None):
        first = first or self.first
        return first + timedelta(self.chance.randrange((LAST - first).days + 1))

    def amount(self):
        return f"{self.chance.randrange(1000, 200_000) / 100:.2f}"

    def line(self, **fields):
        project = self.chance.choice([None, *self.projects])
        return line(self.amount(), taxRateId=self.chance.choice(self.rates), projectId=project, **fields)

    def issue(self, make, party, *lines):
        day = self.day()
        due = day + timedelta(self.chance.randrange(60))
        dollars = {"currency": "USD", "exchangeRate": "0.9137"} if self.chance.random() < 0.3 else {}
        made = make(self.office, *lines, issueDate=str(day), dueDate=str(due), **party, **dollars)
        self.documents.append(made)

    def sell(self):
        party = {"customerId": self.chance.choice(self.customers)}
        self.issue(invoice, party, self.line(), self.line(accountId="4100"))

    def buy(self):
        number = {"supplierNumber": str(self.chance.random())}
        self.issue(bill, {"supplierId": self.chance.choice(self.suppliers), **number}, self.line(accountId="6400"))

    def pay(self):
        """Pay a part of a document, or all that is left."""
        document = self.office.ok("GET", f"/finance/invoices/{self.chance.choice(self.documents)['id']}")
        due = Decimal(document["amountDue"])
        if due > 1 and not document["kind"].endswith("credit_note"):
            amount = self.chance.choice([due, (due / 3).quantize(Decimal("0.01"))])
            direction = "made" if document["kind"] == "purchase_invoice" else "received"
            rate = {} if document["currency"] == "EUR" else {"currency": "USD", "exchangeRate": "0.95"}
            day = self.day(date.fromisoformat(document["issueDate"]))
            payment(self.office, str(amount), direction=direction, invoiceId=document["id"], date=str(day), **rate)

    def pay_ahead(self):
        party = self.chance.choice(self.customers)
        payment(self.office, self.amount(), contactId=party, date=str(self.day()))

    def credit(self):
        document = self.office.ok("GET", f"/finance/invoices/{self.chance.choice(self.documents)['id']}")
        if document["status"] == "issued" and document["kind"] == "sales_invoice":
            credit(self.office, document, date=str(self.day(date.fromisoformat(document["issueDate"]))))

    def post(self):
        debit, other = self.chance.choice([("6100", "1010"), ("1000", "4800"), ("1010", "2700"), ("1000", "1010")])
        entry(self.office, self.amount(), day=str(self.day()), debit=debit, credit=other)

    def void(self):
        document = self.office.ok("GET", f"/finance/invoices/{self.chance.choice(self.documents)['id']}")
        if "void" in document["can"]:
            day = self.day(date.fromisoformat(document["issueDate"]))
            body = {"reason": "Wrong", "date": str(day)}
            self.office.ok("POST", f"/finance/invoices/{document['id']}/void", body)

    def read(self):
        """The raw postings, items and allocations: no sum of the program is asked for."""
        accounts = WORKSPACE.rows("SELECT id, code, type, subtype FROM account")
        self.accounts = {id: (code, type, subtype) for id, code, type, subtype in accounts}
        self.postings = WORKSPACE.rows(
            "SELECT entry_id, account_id, date, amount, contact_id, project_id FROM posting"
            " ORDER BY date, entry_id, line"
        )
        self.items = WORKSPACE.rows(
            "SELECT id, account_id, contact_id, date, due_date, base_amount, document_type FROM open_item"
        )
        self.allocations = WORKSPACE.rows(
            "SELECT from_item_id, to_item_id, date, released_on, from_base, to_base FROM allocation"
        )

    def moved(self, first, last, wanted=lambda posting: True):
        """Debits and credits by code of an account."""
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for posting in self.postings:
            if str(first) <= posting[2] <= str(last) and wanted(posting):
                sums[self.accounts[posting[1]][0]][posting[3] < 0] += abs(posting[3])
        return sums

    def type(self, code):
        return next(type for other, type, _ in self.accounts.values() if other == code)

    def results(self, first, last, project=()):
        """By code of income and expenses: what came in above zero for income, what went out for expenses."""
        moved = self.moved(first, last, lambda posting: project == () or posting[5] == project)
        signs = {"income": -1, "expense": 1}
        return {
            code: signs[self.type(code)] * (debit - credit)
            for code, (debit, credit) in moved.items()
            if self.type(code) in signs and debit != credit
        }

    def open_items(self, subtype, day):
        """What was open of each item that day: its amount, less each allocation that stood then."""
        settled: defaultdict[str, int] = defaultdict(int)
        for source, target, settled_on, released, from_base, to_base in self.allocations:
            if settled_on <= str(day) and (released is None or released > str(day)):
                settled[source] += from_base
                settled[target] += to_base
        for id, account, contact, made_on, due, amount, kind in self.items:
            if self.accounts[account][2] == subtype and made_on <= str(day):
                amount -= settled[id] if amount > 0 else -settled[id]
                if amount:
                    yield contact, due, amount, kind


@pytest.fixture(params=[1, 2, 3])
def books(acme, clock_at, request):
    clock_at("2026-03-31T18:00:00Z")
    return Books(acme, request.param)


def spans(books):
    for _ in range(3):
        first, last = sorted((books.day(), books.day()))
        yield first, last
    yield books.first, LAST
    yield date(2026, 1, 1), date(2026, 2, 28)


def lines(tree, key):
    return {
        row["code"]: cents(row["cells"][key]["value"])
        for row in tree["rows"]
        if row["kind"] == "line" and row["code"] and key in row["cells"] and cents(row["cells"][key]["value"])
    }


def test_all_reports_say_what_the_postings_come_to(books):
    check_all(books, spans(books))


def check_all(books, spans):
    for first, last in spans:
        days = {"dateFrom": str(first), "dateTo": str(last)}
        check_results(books, days)
        check_turnover(books, days)
        check_cash(books, days)
        check_general_ledger(books, days)
        for side in ("receivable", "payable"):
            check_age(books, side, last)
        check_forecast(books, last)


def check_results(books, days):
    first, last = days.values()
    tree = report(books.office, "profit-and-loss", columns="project", **days)
    shown = {column["key"]: lines(tree, column["key"]) for column in tree["columns"]}
    assert shown.pop("amount") == books.results(first, last)
    for key, figures in shown.items():
        assert figures == books.results(first, last, None if key == "none" else key), key
    months = report(books.office, "profit-and-loss", columns="month", **days)
    assert lines(months, "amount") == books.results(first, last)
    if first[5:] == "01-01":
        sheet = books.office.ok("GET", "/finance/reports/balance-sheet", params={"date": last})
        (result,) = [row["cells"]["amount"]["value"] for row in months["rows"] if row["key"] == "result"]
        assert result == sheet["equity"]["currentYearEarnings"]


def check_turnover(books, days):
    first, last = days.values()
    tree = report(books.office, "trial-balance", tree="true", **days)["tree"]
    moved, before = books.moved(first, last), books.moved("", date.fromisoformat(first) - timedelta(1))
    for side, place in (("debit", 0), ("credit", 1)):
        assert lines(tree, side) == {code: sums[place] for code, sums in moved.items() if sums[place]}
    for code in {*moved, *before}:
        if books.type(code) not in ("income", "expense"):
            opening = before[code][0] - before[code][1]
            assert lines(tree, "opening").get(code, 0) == opening
            assert lines(tree, "closing").get(code, 0) == opening + moved[code][0] - moved[code][1]
    (total,) = [cells(row) for row in tree["rows"] if row["key"] == "total"]
    assert (total["opening"], total["closing"]) == ("0.00", "0.00")


def check_cash(books, days):
    first, last = days.values()
    is_cash = {id: subtype in CASH for id, (_, _, subtype) in books.accounts.items()}
    entries = defaultdict(list)
    for posting in books.postings:
        if first <= posting[2] <= last:
            entries[posting[0]].append(posting)
    against: defaultdict[str, int] = defaultdict(int)
    for postings in entries.values():
        if any(is_cash[posting[1]] for posting in postings):
            for posting in postings:
                if not is_cash[posting[1]]:
                    against[books.accounts[posting[1]][0]] -= posting[3]
    direct = report(books.office, "cash-flow", method="direct", **days)
    assert lines(direct, "amount") == {code: amount for code, amount in against.items() if amount}
    change = sum(posting[3] for posting in books.postings if first <= posting[2] <= last and is_cash[posting[1]])
    for tree in (direct, report(books.office, "cash-flow", **days)):
        (shown,) = [row["cells"]["amount"]["value"] for row in tree["rows"] if row["key"] == "change"]
        (difference,) = [row["cells"]["amount"]["value"] for row in tree["rows"] if row["key"] == "difference"]
        assert (cents(shown), difference) == (change, "0.00")


def check_general_ledger(books, days):
    first, last = days.values()
    tree = report(books.office, "general-ledger", limit="1000", **days)
    rows = tree["rows"]
    while cursor := tree["nextCursor"]:
        tree = report(books.office, "general-ledger", limit="1000", cursor=cursor, **days)
        rows += tree["rows"]
    shown = defaultdict(list)
    for row in rows:
        if row["level"] == 1 and row["key"] is None:
            figures = cells(row)
            shown[row["code"]].append(cents(figures.get("debit", "0")) - cents(figures.get("credit", "0")))
    expected = defaultdict(list)
    for posting in books.postings:
        if first <= posting[2] <= last:
            expected[books.accounts[posting[1]][0]].append(posting[3])
    assert shown == expected
    closings = {row["code"]: cells(row)["balance"] for row in rows if row["key"] == "closing"}
    for code, (debits, credits) in books.moved("", last).items():
        if books.type(code) not in ("income", "expense") and code in closings:
            assert cents(closings[code]) == debits - credits, code


def check_age(books, side, day):
    sign = 1 if side == "receivable" else -1
    expected: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for contact, due, amount, kind in books.open_items(side, day):
        late = (day - date.fromisoformat(due)).days
        names = ((0, "not_due"), (30, "days_1_30"), (60, "days_31_60"), (90, "days_61_90"))
        bucket = next((name for most, name in names if late <= most), "days_over_90")
        is_credit = kind == "payment" or sign * amount < 0
        expected[contact]["credit" if is_credit else bucket] += sign * amount
        expected[contact]["total"] += sign * amount
    tree = report(books.office, f"aged-{side}s", date=str(day))
    shown = {
        row["link"].rsplit("/")[-1]: {key: cents(value) for key, value in cells(row).items() if cents(value)}
        for row in tree["rows"]
        if row["link"] and "/contacts/" in row["link"]
    }
    assert shown == {contact: {key: amount for key, amount in of.items() if amount} for contact, of in expected.items()}
    for contact, figures in shown.items():
        owed = sum(
            posting[3]
            for posting in books.postings
            if posting[4] == contact and posting[2] <= str(day) and books.accounts[posting[1]][2] == side
        )
        assert figures.get("total", 0) == sign * owed
    (difference,) = [row["cells"]["total"]["value"] for row in tree["rows"] if row["key"] == "difference"]
    assert difference == "0.00"


def check_forecast(books, day):
    tree = report(books.office, "cash-forecast", date=str(day))
    due = [amount for side in ("receivable", "payable") for _, _, amount, _ in books.open_items(side, day)]
    cash = sum(
        posting[3] for posting in books.postings if posting[2] <= str(day) and books.accounts[posting[1]][2] in CASH
    )
    last = cells(tree["rows"][-1])
    assert (cents(last["amount"]), cents(last["balance"])) == (sum(due), cash + sum(due))
