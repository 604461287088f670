"""Published and generated invoices, posted through HTTP, against the totals they are known to come to."""

import json
from decimal import Decimal

import pytest

from tests.conftest import Installation
from tests.finance.contacts.contacts import customer
from tests.paths import DATA

FILES = [json.loads((DATA / f"invoices_{name}.json").read_text()) for name in ("published", "generated")]
CASES = [case for file in FILES for case in file["cases"] if case["strict"]]


def total_of(case):
    return Decimal(case["expected"]["gross"]) + Decimal(case["rounding_amount"])


NEGATIVE = [case for case in CASES if total_of(case) < 0]
ISSUABLE = [case for case in CASES if total_of(case) >= 0]


def by_id(case):
    return case["id"]


class Books:
    """An office that keeps its books in euros, with the tax rates that it has needed so far."""

    def __init__(self, office):
        self.office = office
        self.rates = {}
        self.customer_id = customer(office)["id"]

    def rate(self, item):
        category, percent = item["tax_category"], Decimal(item["tax_rate"] or "0")
        if (category, percent) not in self.rates:
            new = {"name": f"{category} {percent}", "category": category, "rate": str(percent)}
            new |= {"exemptionReason": "Exempt by law"} if category == "E" else {}
            self.rates[category, percent] = self.office.ok("POST", "/finance/tax-rates", new)["id"]
        return self.rates[category, percent]

    def request(self, case):
        foreign = {} if case["currency"] == "EUR" else {"exchangeRate": "1"}
        due = {} if case["due_date"] is None else {"dueDate": case["due_date"]}
        return {
            "kind": "sales_credit_note" if case["kind"] == "credit_note" else "sales_invoice",
            "customerId": self.customer_id,
            "issueDate": case["issue_date"],
            "currency": case["currency"],
            "roundingAmount": in_cents(case["rounding_amount"]),
            "lines": [self.line(item) for item in case["lines"]],
            "allowances": [self.adjustment(item) for item in case["allowances_charges"] if not item["charge"]],
            "charges": [self.adjustment(item) for item in case["allowances_charges"] if item["charge"]],
            **foreign,
            **due,
        }

    def line(self, item):
        parts = {
            name: {"amount": in_cents(sum(Decimal(each["amount"]) for each in found))}
            for name, is_charge in (("discount", False), ("charge", True))
            if (found := [each for each in item["allowances_charges"] if each["charge"] is is_charge])
        }
        return {
            "description": "Goods",
            "quantity": item["qty"],
            "unitPrice": item["unit_price"],
            "priceBaseQuantity": item["price_base_qty"],
            "taxRateId": self.rate(item),
            **parts,
        }

    def adjustment(self, item):
        return {"amount": in_cents(item["amount"]), "taxRateId": self.rate(item)}

    def prepay(self, path, case):
        direction = "made" if case["kind"] == "credit_note" else "received"
        foreign = {} if case["currency"] == "EUR" else {"exchangeRate": "1"}
        payment = {"amount": in_cents(case["prepaid"]), "date": case["issue_date"], "direction": direction, **foreign}
        self.office.ok("POST", "/finance/payments", {"invoiceId": path.rpartition("/")[2], **payment})


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    installation = Installation(tmp_path_factory.mktemp("oracle") / "data")
    return Books(installation.office("Olga", baseCurrency="EUR"))


def in_cents(amount):
    return f"{Decimal(amount):.2f}"


def check_totals(shown, case):
    expected = case["expected"]
    assert [line["net"] for line in shown["lines"]] == [in_cents(net) for net in expected["line_totals"]]
    breakdown = {(row["category"], Decimal(row["rate"]), row["base"], row["amount"]) for row in shown["taxBreakdown"]}
    assert breakdown == {
        (row["tax_category"], Decimal(row["tax_rate"] or "0"), in_cents(row["taxable"]), in_cents(row["tax"]))
        for row in expected["tax_subtotals"]
    }
    names = {
        "subtotal": "sum_lines",
        "discountTotal": "allowance_total",
        "chargeTotal": "charge_total",
        "netTotal": "net",
        "taxTotal": "tax_total",
    }
    assert {name: shown[name] for name in names} == {name: in_cents(expected[key]) for name, key in names.items()}
    assert Decimal(shown["total"]) - Decimal(shown["roundingAmount"]) == Decimal(expected["gross"])
    if not case["allowances_charges"]:
        assert sum(Decimal(line["tax"]) for line in shown["lines"]) == Decimal(expected["tax_total"])


@pytest.mark.parametrize("case", ISSUABLE, ids=by_id)
def test_an_invoice_comes_to_its_known_totals_and_leaves_what_is_payable(books, case):
    path = f"/finance/invoices/{books.office.ok('POST', '/finance/invoices', books.request(case))['id']}"
    check_totals(books.office.ok("GET", path), case)
    if Decimal(case["prepaid"]):
        books.prepay(path, case)
    assert books.office.ok("GET", path)["amountDue"] == in_cents(case["expected"]["payable"])


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_a_preview_comes_to_the_known_totals(books, case):
    check_totals(books.office.ok("POST", "/finance/invoices/preview", books.request(case)), case)


@pytest.mark.parametrize("case", NEGATIVE, ids=by_id)
def test_an_invoice_below_zero_is_to_be_a_credit_note(books, case):
    books.office.refused("POST", "/finance/invoices", books.request(case), status=422, code="negative_total")
