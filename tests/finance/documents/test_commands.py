"""Documents from commands: what Python says to the rule, and what a draft stores of it."""

import json
from datetime import date
from typing import Any

import pytest

from erp.finance.books.service import Service
from erp.finance.contacts.contacts import ContactCommand
from erp.finance.documents import invoices, reading
from erp.finance.documents.commands import AdjustmentCommand, InvoiceCommand, LineCommand, PrintedTax
from erp.finance.documents.models import Invoice
from erp.finance.documents.totals import Adjustment
from erp.kernel.complaints import Complaints
from erp.kernel.money import MICRO
from tests.conftest import Office
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import bill, invoice, line


def rich(office: Office) -> InvoiceCommand:
    """An invoice that says all that a draft can say; 8 × 95.00 − 10 % + 1.50 = 685.50, − 5.50 + 20.00 = 700.00."""
    rate = tax_rate(office, "19")["id"]
    consulting = LineCommand(
        description="Consulting",
        quantity=8 * MICRO,
        unit_price=95 * MICRO,
        unit="hour",
        discount=Adjustment(percent=10 * MICRO),
        charge=Adjustment(amount=150),
        tax_rate_id=rate,
        account_id="4100",
        service=Service(date(2026, 3, 1), date(2026, 3, 14)),
    )
    return InvoiceCommand(
        contact=ContactCommand(kind="customer", name="Globex"),
        lines=[consulting],
        is_draft=True,
        issue_date=date(2026, 3, 16),
        due_date=date(2026, 3, 30),
        service=Service(end=date(2026, 3, 14)),
        prices_include_tax=False,
        allowances=[AdjustmentCommand(part=Adjustment(amount=550), description="Regular customer", tax_rate_id=rate)],
        charges=[AdjustmentCommand(part=Adjustment(amount=2000), tax_rate_id=rate)],
        rounding_amount=-3,
        reference="Order 4711",
        note="Thank you.",
    )


def test_a_command_makes_the_document_that_its_integers_say(acme):
    command = rich(acme)
    with acme.books(write=True):
        id = invoices.create(command).invoice.id
    shown = acme.ok("GET", f"/finance/invoices/{id}")
    assert (shown["status"], shown["customerName"], shown["dueDate"]) == ("draft", "Globex", "2026-03-30")
    assert (shown["lines"][0]["quantity"], shown["lines"][0]["unitPrice"]) == ("8", "95.00")
    assert (shown["lines"][0]["net"], shown["netTotal"]) == ("685.50", "700.00")
    assert (shown["taxTotal"], shown["roundingAmount"], shown["total"]) == ("133.00", "-0.03", "832.97")


def again(id: str, currency: str) -> tuple[str, str]:
    """The terms that a document stores, and those of the command that is read from them."""
    made = Invoice.find(id)
    command = reading.document(reading.stored(made.terms), Complaints(), are_lines_new=False)
    return made.terms, reading.terms(command, made.contact_id, currency)


def test_the_stored_request_of_a_command_reads_as_the_same_command(acme):
    command = rich(acme)
    with acme.books(write=True):
        made = invoices.create(command).invoice
        read = reading.document(reading.stored(made.terms), Complaints(), are_lines_new=False)
        assert again(made.id, "EUR")[0] == again(made.id, "EUR")[1]
    for name in set(InvoiceCommand.__struct_fields__) - {"contact", "is_draft"}:
        assert getattr(read, name) == getattr(command, name), name
    assert read.contact.name == "Globex"


BILL: dict[str, Any] = {
    "supplierNumber": "4711",
    "force": True,
    "servicePeriod": {"from": "2026-02-01", "to": "2026-02-28"},
    "discount": {"percent": "2.5"},
}


@pytest.mark.parametrize("terms", [{}, {"days": 30, "discounts": [{"percent": "2", "days": 10}]}])
def test_a_bill_stores_all_that_it_says(acme, terms):
    rate = tax_rate(acme, "19")["id"]
    partly = line(
        "40",
        taxRateId=rate,
        deductibleTaxPercent="50",
        deductibleCostPercent="70",
        nonDeductibleAccountId="6400",
        priceBaseQuantity="4",
        serviceDate="2026-02-03",
    )
    made = bill(
        acme,
        partly,
        line(taxRateId=None),
        **BILL,
        paymentTerms=terms,
        printedTax=[{"taxRateId": rate, "amount": "1.85"}],
        draft=True,
    )
    with acme.books():
        stored, read = again(made["id"], "EUR")
        command = reading.document(reading.stored(stored), Complaints(), are_lines_new=False)
    assert stored == read
    assert json.loads(stored).keys() >= {"supplierId", "supplierNumber", "force", "paymentTerms", "printedTax"}
    assert command.printed_tax == [PrintedTax(rate, 185)]
    assert (command.lines[0].deductible_tax_percent, command.lines[0].price_base_quantity) == (50 * MICRO, 4 * MICRO)
    assert command.lines[1].tax_rate_id is None
    assert command.service == Service(date(2026, 2, 1), date(2026, 2, 28))


def test_a_draft_that_changes_its_currency_reads_its_amounts_again(acme):
    drafted = invoice(acme, line(charge="5.50"), draft=True)
    path = f"/finance/invoices/{drafted['id']}"
    error = acme.refused("PATCH", path, {"currency": "JPY", "exchangeRate": "0.006"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [
        ("lines[0].charge.amount", "too_many_decimals")
    ]
