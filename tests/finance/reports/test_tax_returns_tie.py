"""An office at random: what returns show is what the raw postings and allocations come to, added up in another way."""

import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

import pytest

from erp.store.router import WORKSPACE
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import cells, report

FIRST, LAST = date(2026, 1, 1), date(2026, 3, 31)
MONTHS = ((FIRST, date(2026, 1, 31)), (date(2026, 2, 1), date(2026, 2, 28)), (date(2026, 3, 1), LAST), (FIRST, LAST))


def cents(text):
    return int(Decimal(text) * 100)


class RandomOffice:
    """A quarter of documents at random; each rate has accounts of its own for sales, purchases, discounts and tax."""

    def __init__(self, office, seed):
        self.office, self.chance, self.documents = office, random.Random(seed), []
        self.rates = {percent: self.rate(i, percent) for i, percent in enumerate(("19", "7"))}
        self.customers = [customer(office, name)["id"] for name in ("Alster", "Wien")]
        self.suppliers = [supplier(office, name)["id"] for name in ("Meyer", "Cloud")]
        for act in (self.sell, self.sell, self.buy, self.pay, self.pay, self.credit, self.write_off, self.void) * 9:
            act()

    def rate(self, i, percent):
        kinds = {
            "income": ("income", "incomeAccountId"),
            "expense": ("expense", "expenseAccountId"),
            "given": ("income", "discountsGivenAccountId"),
            "output": ("tax", "outputTaxAccountId"),
            "input": ("current_asset", "inputTaxAccountId"),
        }
        types = {"income": "income", "expense": "expense", "tax": "liability", "current_asset": "asset"}
        fields = {}
        for place, (name, (subtype, field)) in enumerate(kinds.items()):
            body = {"code": f"99{i}{place}", "name": f"{name} {percent}", "type": types[subtype], "subtype": subtype}
            fields[field] = self.office.ok("POST", "/finance/accounts", body)["code"]
        return tax_rate(self.office, percent, name=percent, **fields)["id"]

    def day(self, first=FIRST):
        return first + timedelta(self.chance.randrange((LAST - first).days + 1))

    def lines(self):
        return [
            line(f"{self.chance.randrange(1000, 90_000) / 100:.2f}", taxRateId=id)
            for id in self.chance.sample([*self.rates.values()], self.chance.randrange(1, 3))
        ]

    def sell(self):
        terms = {"paymentTerms": {"discounts": [{"percent": "2", "days": 14}]}}
        party = {"customerId": self.chance.choice(self.customers), "issueDate": str(self.day())}
        self.documents.append(invoice(self.office, *self.lines(), **party, **terms))

    def buy(self):
        party = {"supplierId": self.chance.choice(self.suppliers), "supplierNumber": str(self.chance.random())}
        self.documents.append(bill(self.office, *self.lines(), issueDate=str(self.day()), **party))

    def chosen(self):
        return self.office.ok("GET", f"/finance/invoices/{self.chance.choice(self.documents)['id']}")

    def pay(self):
        document = self.chosen()
        due = Decimal(document["amountDue"])
        if due > 1:
            amount = self.chance.choice([due, (due / 3).quantize(Decimal("0.01"))])
            direction = "made" if document["kind"] == "purchase_invoice" else "received"
            day = str(self.day(date.fromisoformat(document["issueDate"])))
            part = {"invoiceId": document["id"], "amount": str(amount)}
            if direction == "received" and amount == due and self.chance.random() < 0.5:
                part["amount"] = str(amount - Decimal("1.00"))
                part["discountAmount"] = "1.00"
            payment(self.office, part["amount"], direction=direction, allocations=[part], date=day)

    def credit(self):
        document = self.chosen()
        if document["status"] == "issued" and document["kind"] == "sales_invoice":
            credit(self.office, document, date=str(self.day(date.fromisoformat(document["issueDate"]))))

    def write_off(self):
        document = self.chosen()
        if document["kind"] == "sales_invoice" and "write_off" in document["can"] and self.chance.random() < 0.4:
            body = {"category": "uncollectable", "reason": "Gone", "date": str(LAST)}
            self.office.ok("POST", f"/finance/invoices/{document['id']}/write-off", body)

    def void(self):
        document = self.chosen()
        if "void" in document["can"]:
            body = {"reason": "Wrong", "date": str(self.day(date.fromisoformat(document["issueDate"])))}
            self.office.ok("POST", f"/finance/invoices/{document['id']}/void", body)


@pytest.fixture(params=[3, 8])
def office(acme, clock_at, request):
    clock_at("2026-03-31T18:00:00Z")
    return RandomOffice(acme, request.param)


def shown(office, first, last, **params):
    """By the heading of a section and the name of a rate: what the return shows."""
    tree = report(office, "tax", dateFrom=str(first), dateTo=str(last), **params)
    found, section = {}, ""
    for row in tree["rows"]:
        if row["kind"] == "section":
            section = row["label"]
        elif any("tax-documents" in cell.get("link", "") for cell in row["cells"].values()):
            found[section, row["label"]] = cells(row)
    return found, tree


def test_boxes_by_accrual_are_what_was_posted_to_the_accounts_of_each_rate(office):
    with office.office.books():
        rows = WORKSPACE.rows(
            "SELECT a.name, p.date, p.amount FROM posting AS p JOIN account AS a ON a.id = p.account_id"
        )
    for first, last in MONTHS:
        posted: Counter[str] = Counter()
        for name, day, amount in rows:
            if str(first) <= day <= str(last):
                posted[name] += amount
        boxes, tree = shown(office.office, first, last)
        for percent in office.rates:
            sales = boxes.get(("Sales", percent), {"base": "0", "tax": "0"})
            bought = boxes.get(("Purchases, with the tax that is deducted", percent), {"tax": "0"})
            assert cents(sales["tax"]) == -posted[f"output {percent}"]
            assert cents(bought["tax"]) == posted[f"input {percent}"]
            assert cents(bought.get("base", "0")) == posted[f"expense {percent}"]
        (difference,) = [cells(row)["tax"] for row in tree["rows"] if row["key"] == "difference"]
        assert difference == "0.00"


def test_boxes_by_cash_are_what_was_received_of_sales(office):
    """With its tax, that is what payments settle of invoices, and of what credit notes owe."""
    with office.office.books():
        received = WORKSPACE.rows(
            "SELECT a.amount, a.date, a.released_on FROM allocation AS a"
            " JOIN open_item AS s ON s.id = a.from_item_id JOIN open_item AS t ON t.id = a.to_item_id"
            " JOIN invoice AS i ON i.id = t.document_id AND i.kind = 'sales_invoice'"
            " WHERE s.document_type = 'payment'"
        )
    for first, last in MONTHS:
        days = str(first), str(last)
        counted = sum(amount for amount, day, _ in received if days[0] <= day <= days[1])
        counted -= sum(amount for amount, _, back in received if back and days[0] <= back <= days[1])
        boxes, _ = shown(office.office, first, last, basis="cash")
        gross = sum(cents(own["base"]) + cents(own["tax"]) for (section, _), own in boxes.items() if section == "Sales")
        assert gross == counted
