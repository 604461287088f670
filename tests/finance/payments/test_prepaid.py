"""What a bill says is paid already, such as deposits, is not paid again."""

import pytest

from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, invoice, new_bill
from tests.finance.payments.payments import payment
from tests.finance.payments.runs import MEYER, OURS, file_of, refused, run, texts
from tests.refusals import complaints

TODAY = "2026-03-10"
HINT = "17,808.00 EUR is said to be paid: match it."


@pytest.fixture
def office(acme, clock_at):
    clock_at(f"{TODAY}T09:00:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OURS, "legalName": "Office", "baseCurrency": "EUR"})
    return acme


@pytest.fixture
def meyer(office):
    return supplier(office, bankAccount={"iban": MEYER})["id"]


def of_meyer(office, meyer, **fields):
    """A bill of 18,310.63, of which 17,808.00 is said to be paid."""
    return bill(
        office,
        "18310.63",
        supplierId=meyer,
        **{"issueDate": "2026-02-11", "dueDate": "2026-03-01", "prepaidAmount": "17808.00", **fields},
    )


def due(office):
    return [
        (row["amountDue"], row["prepaidOpen"], row["prepaidHint"]) for row in office.ok("GET", "/finance/bills/due")
    ]


def pay(office, meyer, amount, **fields):
    return payment(office, amount, direction="made", contactId=meyer, **fields)


def match(office, paid, made, amount):
    body = {"allocations": [{"invoiceId": made["id"], "amount": amount}]}
    office.ok("POST", f"/finance/payments/{paid['id']}/allocations", body)


def test_a_run_pays_the_rest_alone_and_once(office, meyer):
    made = of_meyer(office, meyer)
    assert (made["amountDue"], made["prepaidAmount"], made["prepaidHint"]) == ("18310.63", "17808.00", HINT)
    assert due(office) == [("502.63", "17808.00", HINT)]
    proposal = office.ok("GET", "/finance/payment-runs/proposal")
    (row,) = proposal["suppliers"][0]["bills"]
    assert (proposal["amount"], row["amountDue"], row["prepaidOpen"], row["prepaidHint"]) == (
        *("502.63", "502.63"),
        *("17808.00", HINT),
    )
    paid = run(office, billIds=[made["id"]])
    assert texts(file_of(office, paid), "CdtTrfTxInf", "Amt", "InstdAmt") == ["502.63"]
    assert office.ok("GET", f"/finance/invoices/{made['id']}")["amountDue"] == "17808.00"
    assert due(office) == [("0.00", "17808.00", HINT)]
    assert complaints(refused(office, billIds=[made["id"]])) == {"billIds[0]": "nothing_due"}
    refused(office, 409, "nothing_due", dueThrough=TODAY)


@pytest.mark.parametrize("day", ["2026-02-01", "2026-03-05"])
def test_what_is_matched_settles_the_prepaid_part_first(office, meyer, day):
    made = of_meyer(office, meyer)
    paid = pay(office, meyer, "17808.00", date=day)
    match(office, paid, made, "10000.00")
    assert due(office) == [("502.63", "7808.00", "7,808.00 EUR is said to be paid: match it.")]
    match(office, paid, made, "7808.00")
    assert due(office) == [("502.63", "0.00", None)]
    run(office, billIds=[made["id"]])
    assert office.ok("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"


def test_a_deposit_of_less_than_the_rest_settles_the_prepaid_part_if_it_was_paid_before(office, meyer):
    made = of_meyer(office, meyer)
    match(office, pay(office, meyer, "500.00", date="2026-02-01"), made, "500.00")
    assert due(office) == [("502.63", "17308.00", "17,308.00 EUR is said to be paid: match it.")]


def test_money_after_the_bill_that_fits_its_rest_pays_the_rest(office, meyer):
    made = of_meyer(office, meyer)
    match(office, pay(office, meyer, "502.63", date="2026-03-05"), made, "502.63")
    assert due(office) == [("0.00", "17808.00", HINT)]
    match(office, pay(office, meyer, "17808.00", date="2026-03-06"), made, "17808.00")
    assert due(office) == []


def test_the_discount_is_taken_from_the_rest(office, meyer):
    """2 % of 502.63 is 10.05."""
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 30}]}
    made = of_meyer(office, meyer, dueDate=None, paymentTerms=terms)
    assert made["cashDiscount"]["amountToPay"] == "492.58"
    paid = run(office, billIds=[made["id"]])
    assert texts(file_of(office, paid), "CdtTrfTxInf", "Amt", "InstdAmt") == ["492.58"]
    other = of_meyer(office, meyer, dueDate=None, paymentTerms=terms)
    settles = [{"invoiceId": other["id"], "amount": "492.58", "discountTaken": True}]
    pay(office, meyer, "492.58", allocations=settles)
    rows = office.ok("GET", "/finance/bills/due?dueThrough=2026-12-31")
    assert [row["amountDue"] for row in rows] == ["0.00", "0.00"]


def test_what_is_said_can_be_corrected_and_is_checked(office, meyer):
    made = of_meyer(office, meyer)
    path = f"/finance/invoices/{made['id']}"
    error = office.refused("PATCH", path, {"prepaidAmount": "18310.64"}, status=422)
    assert complaints(error) == {"prepaidAmount": "out_of_range"}
    office.ok("PATCH", path, {"prepaidAmount": "310.63"})
    assert due(office)[0][0] == "18000.00"
    assert office.ok("PATCH", path, {"prepaidAmount": None})["prepaidAmount"] is None
    assert due(office) == [("18310.63", "0.00", None)]
    for body, code in (
        (new_bill("100.00", prepaidAmount="100.01"), "out_of_range"),
        (new_bill("100.00", prepaidAmount="-0.01"), "out_of_range"),
        (new_bill("100.00", prepaidAmount="1.00", kind="purchase_credit_note"), "not_needed"),
    ):
        assert complaints(office.refused("POST", "/finance/invoices", body, status=422)) == {"prepaidAmount": code}
    draft = bill(office, "100.00", prepaidAmount="100.00", draft=True)
    assert office.ok("PATCH", f"/finance/invoices/{draft['id']}", {"note": "-"})["prepaidAmount"] == "100.00"
    error = office.refused("PATCH", f"/finance/invoices/{invoice(office)['id']}", {"prepaidAmount": "1.00"}, status=422)
    assert complaints(error) == {"prepaidAmount": "not_needed"}
