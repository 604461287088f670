"""Payments out of a bank account in a foreign currency take their share of its book value along."""

import pytest

from tests.finance.books.balances import balances, owed_by
from tests.finance.books.test_foreign_accounts import DOLLARS, move, shown
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, invoice, status_and_due
from tests.finance.payments.payments import payment
from tests.finance.payments.runs import MEYER, OURS, file_of, ids, refused, run, texts
from tests.finance.write_downs.deductions import check_is_silent, posted
from tests.refusals import complaint, complaints


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def bank(acme):
    """A bank account of 1,000.00 USD with a book value of 960.00 EUR."""
    account = acme.ok("POST", "/finance/accounts", DOLLARS)
    move(acme, "1000.00", "960.00", day="2026-01-10", debit="1020", credit="3000")
    return account


def owed_in_dollars(office, amount="500.00", rate="0.90", **fields):
    """A bill of 500.00 USD at 0.90 unless said otherwise, due in March."""
    days = {"issueDate": "2026-02-10", "dueDate": "2026-03-10"}
    return bill(office, amount, currency="USD", exchangeRate=rate, **days, **fields)


def test_half_of_the_money_leaves_at_half_of_its_book_value(acme, bank):
    """AC-22: of 1,000.00 USD worth 960.00, 500.00 USD leave at 480.00, whatever a dollar is worth that day."""
    owed = owed_in_dollars(acme)
    paid = payment(acme, "500.00", direction="made", invoiceId=owed["id"], accountId="1020", exchangeRate="0.95")
    assert shown(acme, bank) == ("USD", "500.00", "480.00")
    # Worth 475.00 that day, 5.00 less than in the books; 25.00 more than the bill.
    assert posted(acme, paid["journalEntryId"]) == {"1020": "-480.00", "2000": "475.00", "6910": "5.00"}
    assert paid["allocations"][0]["exchangeDifference"] == "-25.00"
    assert owed_by(acme, owed["supplierId"]) == 0
    check_is_silent(acme)


def test_the_last_money_takes_all_that_is_left_of_the_book_value(acme, bank):
    meyer = supplier(acme, currency="USD")["id"]
    for amount, rate in (("333.33", "0.95"), ("333.33", "1.01"), ("333.34", "0.99")):
        payment(acme, amount, direction="made", contactId=meyer, accountId="1020", exchangeRate=rate)
    assert shown(acme, bank) == ("USD", "0.00", "0.00")
    check_is_silent(acme)


def test_a_fee_leaves_with_the_payment(acme, bank):
    owed = owed_in_dollars(acme, "490.00")
    paid = payment(
        acme,
        "490.00",
        direction="made",
        invoiceId=owed["id"],
        accountId="1020",
        exchangeRate="1.00",
        feeAmount="10.00",
    )
    lines = {"1020": "-480.00", "2000": "490.00", "4920": "-20.00", "6800": "10.00"}
    assert posted(acme, paid["journalEntryId"]) == lines
    assert shown(acme, bank) == ("USD", "500.00", "480.00")


def test_a_refund_leaves_at_its_share_too(acme, bank):
    sold = invoice(acme, "200.00", currency="USD", exchangeRate="0.90")
    received = payment(
        acme, "250.00", invoiceId=None, contactId=sold["customerId"], currency="USD", exchangeRate="0.96"
    )
    repaid = payment(
        acme,
        "250.00",
        direction="made",
        contactId=sold["customerId"],
        settles=[{"paymentId": received["id"], "amount": "250.00"}],
        accountId="1020",
        exchangeRate="1.00",
    )
    assert posted(acme, repaid["journalEntryId"]) == {"1020": "-240.00", "1100": "250.00", "4920": "-10.00"}
    assert shown(acme, bank) == ("USD", "750.00", "720.00")
    check_is_silent(acme)


def test_what_comes_in_is_worth_its_rate_until_it_leaves(acme, bank):
    sold = invoice(acme, "1000.00", currency="USD", exchangeRate="0.90")
    paid = payment(acme, "1000.00", invoiceId=sold["id"], accountId="1020", exchangeRate="0.92")
    assert posted(acme, paid["journalEntryId"]) == {"1020": "920.00", "1100": "-920.00"}
    owed = owed_in_dollars(acme)
    payment(acme, "500.00", direction="made", invoiceId=owed["id"], accountId="1020", exchangeRate="0.94")
    # 2,000.00 USD at 1,880.00; a quarter of both has left.
    assert shown(acme, bank) == ("USD", "1500.00", "1410.00")


def test_more_than_the_account_holds_is_overdrawn_at_the_rate_of_the_day(acme, bank):
    owed = owed_in_dollars(acme, "1500.00")
    payment(acme, "1500.00", direction="made", invoiceId=owed["id"], accountId="1020", exchangeRate="0.95")
    assert shown(acme, bank) == ("USD", "-500.00", "-475.00")
    check_is_silent(acme)


def test_a_void_payment_brings_its_book_value_back(acme, bank):
    owed = owed_in_dollars(acme)
    paid = payment(acme, "500.00", direction="made", invoiceId=owed["id"], accountId="1020", exchangeRate="0.95")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert shown(acme, bank) == ("USD", "1000.00", "960.00")
    assert status_and_due(acme, owed["id"]) == ("issued", "500.00")
    check_is_silent(acme)


def test_dollars_out_of_an_account_in_the_base_currency_leave_at_their_rate(acme, bank):
    owed = owed_in_dollars(acme)
    paid = payment(acme, "500.00", direction="made", invoiceId=owed["id"], exchangeRate="0.95")
    assert posted(acme, paid["journalEntryId"]) == {"1010": "-475.00", "2000": "475.00"}


@pytest.fixture
def office(acme):
    """An office with an IBAN."""
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OURS})
    return acme


@pytest.fixture
def bills(office):
    """Two of Meyer in dollars, 500.00 at 0.90 and 100.00 at 0.92, and one in euro."""
    meyer = supplier(office, bankAccount={"iban": MEYER})["id"]
    return [
        owed_in_dollars(office, supplierId=meyer, supplierNumber="M-1"),
        owed_in_dollars(office, "100.00", "0.92", supplierId=meyer, supplierNumber="M-2"),
        bill(office, "10.00", supplierId=meyer, issueDate="2026-02-10", dueDate="2026-03-10"),
    ]


def test_a_run_pays_bills_in_dollars_from_an_account_in_dollars(office, bank, bills):
    made = run(office, billIds=ids(bills[:2]), accountId="1020", exchangeRate="0.95", iban="DE75512108001245126199")
    assert (made["currency"], made["amount"]) == ("USD", "600.00")
    (transfer,) = made["transfers"]
    assert (transfer["amount"], transfer["remittance"]) == ("600.00", "M-1, M-2")
    # Of 960.00, 576.00 leave, worth 570.00 that day: 450.00 and 92.00 of bills cost 25.00 and 3.00 more.
    assert shown(office, bank) == ("USD", "400.00", "384.00")
    assert balances(office)["6910"] == 600 + 2_500 + 300
    root = file_of(office, made)
    amounts = root.findall(".//{*}InstdAmt")
    assert [(each.text, each.get("Ccy")) for each in amounts] == [("600.00", "USD")]
    assert texts(root, "DbtrAcct", "Id", "IBAN") == ["DE75512108001245126199"]
    assert texts(root, "DbtrAcct", "Ccy") == ["USD"]
    assert texts(root, "SvcLvl", "Cd") == []
    check_is_silent(office)
    office.ok("POST", f"/finance/payment-runs/{made['id']}/void", {})
    assert shown(office, bank) == ("USD", "1000.00", "960.00")
    assert [status_and_due(office, each["id"])[1] for each in bills] == ["500.00", "100.00", "10.00"]
    check_is_silent(office)


def test_a_run_pays_bills_in_dollars_from_an_account_in_euro(office, bills):
    made = run(office, dueThrough="2026-03-10", currency="USD", exchangeRate="0.95")
    assert (made["currency"], made["amount"]) == ("USD", "600.00")
    assert balances(office)["1010"] == -57_000
    root = file_of(office, made)
    assert texts(root, "DbtrAcct", "Id", "IBAN") == [OURS]
    assert texts(root, "DbtrAcct", "Ccy") == []
    assert status_and_due(office, bills[2]["id"]) == ("issued", "10.00")
    check_is_silent(office)


def test_a_run_takes_the_rate_of_its_day(office, bills):
    body = {"currency": "USD", "date": "2026-03-09", "rate": "0.95"}
    office.ok("POST", "/finance/exchange-rates", body)
    run(office, billIds=[bills[0]["id"]])
    assert balances(office)["1010"] == -47_500


def test_credit_in_dollars_pays_bills_in_dollars(office, bank, bills):
    meyer = bills[0]["supplierId"]
    owed_in_dollars(office, "150.00", "0.94", supplierId=meyer, kind="purchase_credit_note")
    params = {"dueThrough": "2026-03-10", "currency": "USD"}
    proposed = office.ok("GET", "/finance/payment-runs/proposal", params=params)
    assert [proposed[name] for name in ("amountDue", "creditUsed", "amount")] == ["600.00", "150.00", "450.00"]
    made = run(office, **params, accountId="1020", exchangeRate="0.96")
    assert made["amount"] == "450.00"
    # The credit is worth 141.00, its part of the first bill 135.00; the account gives 432.00 for 407.00 of bills.
    assert balances(office)["6910"] == 600 + 2_500
    assert shown(office, bank) == ("USD", "550.00", "528.00")
    assert owed_by(office, meyer) == -1_000
    check_is_silent(office)


def test_a_run_pays_in_one_currency(office, bills, bank):
    assert complaint(refused(office, billIds=ids(bills), exchangeRate="0.95")) == ("billIds[2]", "wrong_currency")
    error = refused(office, billIds=[bills[2]["id"]], currency="USD", exchangeRate="0.95")
    assert complaint(error) == ("billIds[0]", "wrong_currency")
    error = refused(office, billIds=[bills[2]["id"]], exchangeRate="0.95", accountId="1020")
    assert complaints(error) == {"exchangeRate": "not_needed", "accountId": "wrong_currency"}
    assert complaint(refused(office, billIds=[bills[0]["id"]])) == ("exchangeRate", "required")
    error = refused(office, billIds=[bills[0]["id"]], currency="XXY")
    assert complaints(error) == {"billIds[0]": "wrong_currency", "currency": "unknown_currency"}
    assert office.ok("GET", "/finance/payment-runs") == []


def test_a_proposal_is_in_a_currency_that_exists(office):
    path = "/finance/payment-runs/proposal"
    error = office.refused("GET", path, params={"currency": "XXY"}, status=400, code="bad_parameter")
    assert error["message"] == "currency: There is no such currency. Use a code such as EUR."
    assert office.ok("GET", path, params={"currency": "JPY"})["amount"] == "0"
