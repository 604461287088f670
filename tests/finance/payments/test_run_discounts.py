"""Payment runs take the cash discounts that are in time, and use what suppliers owe before they transfer money."""

import pytest

from tests.crowds import all_at_once
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, line, status_and_due
from tests.finance.payments.payments import payment
from tests.finance.payments.runs import ELBE, MEYER, OURS, file_of, ids, refused, run, texts
from tests.finance.write_downs.deductions import check_is_silent, posted, split, tax_rates
from tests.refusals import complaint

TERMS = {"days": 30, "discounts": [{"percent": "2", "days": 14}]}


@pytest.fixture(autouse=True)
def _on_the_last_day(clock_at):
    clock_at("2026-01-22T09:00:00Z")


@pytest.fixture
def office(acme):
    """An office with an account to pay from."""
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OURS})
    return acme


@pytest.fixture
def meyer(office):
    return supplier(office, bankAccount={"iban": MEYER})["id"]


@pytest.fixture
def b1(office, meyer):
    """B1 of the month W: 100.00 @ 19 and 50.00 @ 7 of Meyer, due 02-07, here with 2 % until 01-22."""
    full, reduced = tax_rates(office)
    lines = line("100.00", taxRateId=full), line("50.00", taxRateId=reduced)
    terms = {"issueDate": "2026-01-08", "paymentTerms": TERMS}
    return bill(office, *lines, supplierId=meyer, supplierNumber="M-1", **terms)


def credit_note(office, meyer, amount, number="G-1"):
    """A credit note of Meyer that credits no bill."""
    fields = {"kind": "purchase_credit_note", "supplierNumber": number, "issueDate": "2026-01-15"}
    return bill(office, amount, supplierId=meyer, **fields)


def shown(office, document):
    return office.ok("GET", f"/finance/invoices/{document['id']}")


def proposal(office, **params):
    return office.ok("GET", "/finance/payment-runs/proposal", params=params)


def void(office, made):
    return office.ok("POST", f"/finance/payment-runs/{made['id']}/void", {})


# 2 % of 172.50 is 3.45: 2.38 of the 119.00 @ 19, and 1.07 of the 53.50 @ 7.


def test_a_discount_in_time_is_taken_with_its_tax_by_rate(office, b1, meyer):
    made = run(office, billIds=[b1["id"]])
    assert made["amount"] == "169.05"
    (transfer,) = made["transfers"]
    assert (transfer["amount"], transfer["discount"]) == ("169.05", "3.45")
    paid = shown(office, b1)
    assert (paid["status"], paid["amountPaid"], paid["amountDeducted"]) == ("paid", "169.05", "3.45")
    (deduction,) = paid["deductions"]
    assert split(deduction) == [("2.00", "0.38"), ("1.00", "0.07")]
    assert posted(office, deduction["journalEntryId"]) == {"1300": "-0.45", "2000": "3.45", "5050": "-3.00"}
    assert texts(file_of(office, made), "Amt", "InstdAmt") == ["169.05"]
    assert owed_by(office, meyer) == 0
    check_is_silent(office)


def test_a_bill_is_proposed_when_its_discount_ends(office, b1, clock_at):
    offer = {"percent": "2", "amount": "3.45", "amountToPay": "169.05", "until": "2026-01-22"}
    (listed,) = office.ok("GET", "/finance/bills/due")
    assert (listed["id"], listed["cashDiscount"]) == (b1["id"], offer)
    assert office.ok("GET", "/finance/bills/due", params={"dueThrough": "2026-01-21"}) == []
    (proposed,) = proposal(office)["suppliers"]
    assert (proposed["amountDue"], proposed["discount"], proposed["amount"]) == ("172.50", "3.45", "169.05")
    assert [(each["number"], each["cashDiscount"]) for each in proposed["bills"]] == [(b1["number"], offer)]
    assert proposal(office, date="2026-01-23")["suppliers"] == []
    (later,) = office.ok("GET", "/finance/bills/due", params={"dueThrough": "2026-02-07", "date": "2026-01-23"})
    assert later["cashDiscount"] is None
    clock_at("2026-01-23T09:00:00Z")
    refused(office, dueThrough="2026-01-31", status=409, code="nothing_due")
    assert run(office, dueThrough="2026-02-07")["amount"] == "172.50"


def test_a_run_by_day_pays_what_would_lose_its_discount(office, b1):
    made = run(office, dueThrough="2026-01-25")
    assert made["amount"] == "169.05"
    assert status_and_due(office, b1["id"]) == ("paid", "0.00")


def test_days_of_grace_count_as_in_time(office, b1, clock_at):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"discountGraceDays": 3})
    clock_at("2026-01-25T09:00:00Z")
    made = run(office, dueThrough="2026-01-25")
    assert made["amount"] == "169.05"


def test_the_discount_is_by_the_date_of_the_run(office, b1, clock_at):
    clock_at("2026-01-26T09:00:00Z")
    assert proposal(office, date="2026-01-22")["amount"] == "169.05"
    assert run(office, billIds=[b1["id"]], date="2026-01-22")["amount"] == "169.05"


def test_a_discount_can_be_declined(office, b1, meyer):
    other = bill(office, "50.00", supplierId=meyer, issueDate="2026-01-08", paymentTerms=TERMS)
    made = run(office, billIds=ids([b1, other]), withoutDiscount=[b1["number"]])
    assert made["amount"] == "221.50"
    assert shown(office, b1)["deductions"] == []


def test_a_declined_discount_must_be_of_a_bill_of_the_run(office, b1):
    assert complaint(refused(office, billIds=[b1["id"]], withoutDiscount=["BILL-9"])) == (
        "withoutDiscount[0]",
        "not_in_run",
    )


def test_a_void_run_takes_its_discounts_back(office, b1, meyer):
    made = void(office, run(office, billIds=[b1["id"]]))
    assert made["transfers"][0]["discount"] == "0.00"
    assert status_and_due(office, b1["id"]) == ("issued", "172.50")
    assert shown(office, b1)["deductions"][0]["undoneOn"] == "2026-01-22"
    assert owed_by(office, meyer) == -17_250
    check_is_silent(office)
    assert run(office, billIds=[b1["id"]])["amount"] == "169.05"


def test_credit_is_deducted_from_what_is_transferred(office, meyer):
    bills = [bill(office, amount, supplierId=meyer, dueDate="2026-01-22") for amount in ("172.50", "27.50")]
    note = credit_note(office, meyer, "150.00")
    over = payment(office, "30.00", direction="made", contactId=meyer)
    (proposed,) = proposal(office)["suppliers"]
    assert [proposed[name] for name in ("amountDue", "creditUsed", "amount")] == ["200.00", "180.00", "20.00"]
    assert [(each["creditUsed"], each["amount"]) for each in proposed["bills"]] == [
        ("172.50", "0.00"),
        ("7.50", "20.00"),
    ]
    assert [(each["number"], each["open"], each["used"]) for each in proposed["credits"]] == [
        (note["number"], "150.00", "150.00"),
        (over["number"], "30.00", "30.00"),
    ]
    made = run(office, dueThrough="2026-01-22")
    (transfer,) = made["transfers"]
    assert (made["amount"], transfer["amount"]) == ("20.00", "20.00")
    assert transfer["remittance"] == f"{bills[0]['number']}, {bills[1]['number']} less G-1, {over['number']}"
    rows = [(each["billNumber"], each["creditNumber"], each["amount"]) for each in made["credits"]]
    assert rows == [
        (bills[0]["number"], note["number"], "150.00"),
        (bills[0]["number"], over["number"], "22.50"),
        (bills[1]["number"], over["number"], "7.50"),
    ]
    assert [status_and_due(office, each["id"])[1] for each in [*bills, note]] == ["0.00"] * 3
    assert office.ok("GET", f"/finance/payments/{over['id']}")["unallocatedAmount"] == "0.00"
    # 200.00 of bills less a credit of 150.00; the bank paid 30.00 and 20.00.
    assert balances(office) == {"1010": -5_000, "5000": 5_000}
    assert owed_by(office, meyer) == 0
    check_is_silent(office)


def test_a_supplier_whose_credit_exceeds_its_bills_gets_nothing(office):
    poor = supplier(office, "Technik GmbH")["id"]
    owed = bill(office, "80.00", supplierId=poor, dueDate="2026-01-22")
    note = credit_note(office, poor, "100.00")
    elbe = supplier(office, "Elbe Immobilien", bankAccount={"iban": ELBE})["id"]
    bill(office, "50.00", supplierId=elbe, dueDate="2026-01-22")
    made = run(office, dueThrough="2026-01-22")
    assert [(each["supplierName"], each["amount"]) for each in made["transfers"]] == [("Elbe Immobilien", "50.00")]
    assert [(each["supplierName"], each["amount"]) for each in made["credits"]] == [("Technik GmbH", "80.00")]
    assert status_and_due(office, owed["id"])[1] == "0.00"
    assert status_and_due(office, note["id"])[1] == "20.00"
    check_is_silent(office)


def test_a_run_that_credit_pays_whole_has_no_file(acme):
    poor = supplier(acme, "Technik GmbH")["id"]
    owed = bill(acme, "80.00", supplierId=poor)
    credit_note(acme, poor, "80.00")
    made = run(acme, billIds=[owed["id"]])
    assert (made["amount"], made["transfers"]) == ("0.00", [])
    acme.refused("GET", f"/finance/payment-runs/{made['id']}/file", status=409, code="nothing_to_pay")
    assert status_and_due(acme, owed["id"]) == ("credited", "0.00")
    check_is_silent(acme)
    void(acme, made)
    assert status_and_due(acme, owed["id"]) == ("issued", "80.00")
    check_is_silent(acme)


def test_a_void_run_gives_its_credit_back(office, b1, meyer):
    note = credit_note(office, meyer, "100.00")
    made = void(office, run(office, billIds=[b1["id"]]))
    assert [(each["creditNumber"], each["releasedOn"]) for each in made["credits"]] == [(note["number"], "2026-01-22")]
    assert status_and_due(office, b1["id"]) == ("issued", "172.50")
    assert status_and_due(office, note["id"])[1] == "100.00"
    assert owed_by(office, meyer) == -7_250
    check_is_silent(office)


def test_credit_that_was_released_by_itself_stays_released(office, b1, meyer):
    note = credit_note(office, meyer, "100.00")
    made = run(office, billIds=[b1["id"]])
    office.ok("POST", f"/finance/allocations/{made['credits'][0]['allocationId']}/release", {})
    assert status_and_due(office, b1["id"])[1] == "100.00"
    void(office, made)
    assert (status_and_due(office, b1["id"])[1], status_and_due(office, note["id"])[1]) == ("172.50", "100.00")
    check_is_silent(office)


def test_credit_can_be_left_alone(office, b1, meyer):
    note = credit_note(office, meyer, "100.00")
    assert proposal(office, deductCredit="false")["amount"] == "169.05"
    made = run(office, billIds=[b1["id"]], deductCredit=False)
    assert (made["amount"], made["credits"]) == ("169.05", [])
    assert status_and_due(office, note["id"])[1] == "100.00"


def test_credit_of_another_currency_or_of_a_later_day_is_not_used(office, b1, meyer):
    bill(office, "9.00", supplierId=meyer, kind="purchase_credit_note", currency="USD", exchangeRate="0.9")
    bill(office, "5.00", supplierId=meyer, kind="purchase_credit_note", issueDate="2026-01-22")
    assert run(office, billIds=[b1["id"]], date="2026-01-21")["amount"] == "169.05"


def test_a_discount_is_of_the_whole_bill_and_credit_pays_a_part_of_the_rest(office, meyer):
    full, _ = tax_rates(office)
    owed = bill(office, line("1000.00", taxRateId=full), supplierId=meyer, paymentTerms=TERMS)
    credit_note(office, meyer, "119.00")
    made = run(office, billIds=[owed["id"]])
    # 1,190.00 less 2 %, 23.80, and less 119.00
    assert (made["amount"], made["transfers"][0]["discount"]) == ("1047.20", "23.80")
    assert split(shown(office, owed)["deductions"][0]) == [("20.00", "3.80")]
    assert status_and_due(office, owed["id"]) == ("paid", "0.00")
    check_is_silent(office)


def test_a_bill_that_credit_pays_whole_is_paid_less_its_discount(office, meyer):
    full, _ = tax_rates(office)
    owed = bill(office, line("1000.00", taxRateId=full), supplierId=meyer, paymentTerms=TERMS)
    note = credit_note(office, meyer, "1500.00")
    made = run(office, billIds=[owed["id"]])
    (used,) = made["credits"]
    assert (made["amount"], used["amount"], used["discount"]) == ("0.00", "1166.20", "23.80")
    (deduction,) = shown(office, owed)["deductions"]
    assert split(deduction) == [("20.00", "3.80")]
    assert status_and_due(office, note["id"])[1] == "333.80"
    assert status_and_due(office, owed["id"])[1] == "0.00"
    check_is_silent(office)
    message = f"cash discount on {owed['number']} is part of RUN-2026-001. Void that payment run instead."
    path = f"/finance/allocations/{used['allocationId']}/release"
    assert office.refused("POST", path, {}, status=409)["message"] == message
    office.refused("POST", f"/finance/invoices/{owed['id']}/write-off/undo", {}, status=409, code="invalid_transition")
    assert void(office, made)["credits"][0]["discount"] == "0.00"
    assert (status_and_due(office, owed["id"])[1], status_and_due(office, note["id"])[1]) == ("1190.00", "1500.00")
    assert shown(office, owed)["deductions"][0]["undoneOn"] == "2026-01-22"
    check_is_silent(office)


def test_a_run_is_not_voided_before_the_credit_that_it_used(acme):
    poor = supplier(acme, "Technik GmbH")["id"]
    owed = bill(acme, "80.00", supplierId=poor)
    credit_note(acme, poor, "80.00")
    path = f"/finance/payment-runs/{run(acme, billIds=[owed['id']])['id']}/void"
    acme.refused("POST", path, {"date": "2026-01-21"}, status=422, code="dated_too_early")
    acme.refused("POST", path, {"date": "2026-03-23"}, status=422, code="date_in_future")
    acme.ok("POST", path, {})


def test_of_many_runs_one_takes_the_discount_and_the_credit(office, b1, meyer):
    note = credit_note(office, meyer, "100.00")
    _, statuses = all_at_once(office, [("/finance/payment-runs", {"dueThrough": "2026-01-22"})] * 16)
    assert statuses == {201: 1, 409: 15}
    assert status_and_due(office, note["id"])[1] == "0.00"
    assert (owed_by(office, meyer), balances(office)["1010"]) == (0, -6_905)
    (made,) = office.ok("GET", "/finance/payment-runs")
    path = f"/finance/payment-runs/{made['id']}/void"
    _, statuses = all_at_once(office, [(path, {})] * 16)
    assert statuses == {200: 1, 409: 15}
    assert owed_by(office, meyer) == -7_250
    check_is_silent(office)
