"""Transfers between own accounts: what leaves a foreign account takes its share of the book value along."""

import pytest

from tests.events import last_event
from tests.finance.books.balances import balances
from tests.finance.books.test_foreign_accounts import move, shown
from tests.finance.journals.journals import entry, posted
from tests.finance.soundness import problems
from tests.refusals import complaint

TRANSFERS = "/finance/transfers"
ACCOUNTS = "/finance/accounts"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def account(office, code, currency, **fields):
    body = {"code": code, "name": f"Bank {code}", "type": "asset", "subtype": "bank", "currency": currency}
    return office.ok("POST", ACCOUNTS, body | fields)


@pytest.fixture
def dollars(acme):
    """A bank account of 1,000.00 USD with a book value of 960.00 EUR."""
    made = account(acme, "1020", "USD")
    move(acme, "1000.00", "960.00", day="2026-01-10", debit="1020", credit="3000")
    return made


def transfer(office, source, target, amount, **fields):
    body = {"fromAccountId": source, "toAccountId": target, "amount": amount}
    return office.ok("POST", TRANSFERS, body | fields)


def refused(office, source, target, amount, status=422, **fields):
    body = {"fromAccountId": source, "toAccountId": target, "amount": amount}
    return office.refused("POST", TRANSFERS, body | fields, status=status)


def test_cash_is_taken_from_the_bank_and_the_bank_keeps_a_fee(acme):
    entry(acme, "1000.00")
    made = transfer(acme, "1010", "1000", "200.00", feeAmount="1.50", reference="Petty cash", date="2026-03-02")
    assert (made["number"], made["status"], made["can"]) == ("TR-2026-00001", "posted", ["void"])
    assert (made["amount"], made["receivedAmount"], made["feeAmount"]) == ("200.00", "200.00", "1.50")
    assert (made["fromAccountCode"], made["toAccountName"], made["exchangeDifference"]) == ("1010", "Cash", "0.00")
    assert posted(acme, made["journalEntryId"]) == {"1000": 20_000, "1010": -20_150, "6800": 150}
    assert acme.ok("GET", f"{TRANSFERS}/{made['id']}") == made
    assert acme.ok("GET", TRANSFERS, params={"accountId": "1000", "dateFrom": "2026-03-02"}) == [made]
    assert acme.ok("GET", TRANSFERS, params={"accountId": "1100"}) == []
    assert acme.ok("GET", TRANSFERS, params={"status": "posted", "dateTo": "2026-03-01"}) == []
    type, data = last_event(acme)
    assert (type, data["number"], data["receivedAmount"]) == ("transfer.posted", "TR-2026-00001", "200.00")
    assert problems(acme) == []


def test_what_leaves_a_foreign_account_takes_its_share_of_the_book_value(acme, dollars):
    """AC-22: of 1,000.00 USD worth 960.00, 500.00 USD leave at 480.00; they fetch 490.00, a gain of 10.00."""
    made = transfer(acme, "1020", "1010", "500.00", receivedAmount="490.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": 49_000, "1020": -48_000, "4920": -1_000}
    assert (made["currency"], made["receivedCurrency"], made["exchangeDifference"]) == ("USD", "EUR", "10.00")
    assert shown(acme, dollars) == ("USD", "500.00", "480.00")
    rest = transfer(acme, "1020", "1010", "500.00", receivedAmount="470.00")
    assert rest["exchangeDifference"] == "-10.00"
    assert posted(acme, rest["journalEntryId"]) == {"1010": 47_000, "1020": -48_000, "6910": 1_000}
    assert shown(acme, dollars) == ("USD", "0.00", "0.00")
    assert problems(acme) == []


def test_money_leaves_at_its_book_value_on_the_day_of_a_revaluation_too(acme, dollars):
    """1,000.00 USD at 0.95 are worth 10.00 less than their 960.00 on 03-10, and 960.00 again on 03-11."""
    rates = [{"currency": "USD", "rate": "0.95"}]
    acme.ok("POST", "/finance/revaluations", {"date": "2026-03-10", "rates": rates})
    made = transfer(acme, "1020", "1010", "1000.00", receivedAmount="970.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": 97_000, "1020": -96_000, "4920": -1_000}
    assert shown(acme, dollars, date="2026-03-11") == ("USD", "0.00", "0.00")
    assert problems(acme) == []


def test_the_last_part_takes_all_cents_that_are_left(acme):
    usd = account(acme, "1020", "USD")
    move(acme, "3.00", "1.00", day="2026-01-10", debit="1020", credit="3000")
    legs = [posted(acme, transfer(acme, "1020", "1010", "1.00", receivedAmount="0.33")["journalEntryId"])]
    legs += [posted(acme, transfer(acme, "1020", "1010", "2.00", receivedAmount="0.66")["journalEntryId"])]
    assert [leg["1020"] for leg in legs] == [-33, -67]
    assert shown(acme, usd) == ("USD", "0.00", "0.00")


def test_dollars_that_are_bought_are_worth_what_was_given_for_them(acme):
    usd = account(acme, "1020", "USD")
    entry(acme, "2000.00")
    made = transfer(acme, "1010", "1020", "960.00", receivedAmount="1000.00", feeAmount="4.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": -96_400, "1020": 96_000, "6800": 400}
    assert shown(acme, usd) == ("USD", "1000.00", "960.00")


def test_a_fee_in_dollars_leaves_with_its_share(acme, dollars):
    """500.00 USD and a fee of 10.00 USD leave at 489.60; 490.00 arrive, and the fee is worth 9.80: a gain of 10.20."""
    made = transfer(acme, "1020", "1010", "500.00", feeAmount="10.00", receivedAmount="490.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": 49_000, "1020": -48_960, "4920": -1_020, "6800": 980}
    assert shown(acme, dollars) == ("USD", "490.00", "470.40")


def test_between_two_accounts_in_dollars_the_book_value_moves(acme, dollars):
    other = account(acme, "1021", "USD")
    made = transfer(acme, "1020", "1021", "333.33", feeAmount="1.00")
    assert posted(acme, made["journalEntryId"]) == {"1020": -32_096, "1021": 32_000, "6800": 96}
    assert shown(acme, other) == ("USD", "333.33", "320.00")
    assert shown(acme, dollars) == ("USD", "665.67", "639.04")
    assert problems(acme) == []


def test_between_two_foreign_currencies_the_rate_of_the_day_says_the_worth(acme, dollars):
    """500.00 USD at 0.98 are worth 490.00, and leave at 480.00."""
    francs = account(acme, "1022", "CHF")
    made = transfer(acme, "1020", "1022", "500.00", receivedAmount="450.00", exchangeRate="0.98")
    assert posted(acme, made["journalEntryId"]) == {"1020": -48_000, "1022": 49_000, "4920": -1_000}
    assert shown(acme, francs) == ("CHF", "450.00", "490.00")


def test_without_what_arrives_the_exchange_rates_of_the_day_say_it(acme, dollars):
    for currency, rate in (("USD", "0.95"), ("CHF", "1.05")):
        acme.ok("POST", "/finance/exchange-rates", {"currency": currency, "date": "2026-03-09", "rate": rate})
    francs = account(acme, "1022", "CHF")
    assert transfer(acme, "1020", "1010", "100.00")["receivedAmount"] == "95.00"
    assert transfer(acme, "1010", "1020", "95.00")["receivedAmount"] == "100.00"
    made = transfer(acme, "1020", "1022", "210.00")
    assert (made["receivedAmount"], made["receivedCurrency"]) == ("190.00", "CHF")
    assert shown(acme, francs) == ("CHF", "190.00", "199.50")
    assert problems(acme) == []


def test_an_overdrawn_account_is_paid_back_at_what_its_debt_is_worth(acme):
    """1,000.00 USD owed at 960.00 are paid back with 950.00: a gain of 10.00."""
    card = account(acme, "2110", "USD", type="liability", subtype="credit_card")
    lines = [
        {"accountId": "6400", "debit": "960.00"},
        {"accountId": "2110", "credit": "960.00", "currency": "USD", "foreignAmount": "1000.00"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-10", "description": "Flights", "lines": lines})
    made = transfer(acme, "1010", "2110", "950.00", receivedAmount="1000.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": -95_000, "2110": 96_000, "4920": -1_000}
    assert shown(acme, card) == ("USD", "0.00", "0.00")


def test_more_than_an_account_holds_leaves_at_the_worth_of_the_day(acme, dollars):
    """1,000.00 USD at their book value of 960.00, and 500.00 USD at 0.98."""
    made = transfer(acme, "1020", "1010", "1500.00", receivedAmount="1470.00")
    assert posted(acme, made["journalEntryId"]) == {"1010": 147_000, "1020": -145_000, "4920": -2_000}
    assert shown(acme, dollars) == ("USD", "-500.00", "-490.00")


def test_a_void_transfer_moves_the_money_back(acme, dollars):
    made = transfer(acme, "1020", "1010", "500.00", receivedAmount="490.00", date="2026-03-02")
    path = f"{TRANSFERS}/{made['id']}/void"
    acme.refused("POST", path, {"date": "2026-03-01"}, status=422, code="dated_too_early")
    gone = acme.ok("POST", path, {"reason": "Entered twice"})
    assert (gone["status"], gone["voidReason"], gone["can"]) == ("void", "Entered twice", [])
    assert shown(acme, dollars) == ("USD", "1000.00", "960.00")
    assert balances(acme) == {"1020": 96_000, "3000": -96_000}
    acme.refused("POST", path, {}, status=409, code="invalid_transition")
    error = acme.refused("POST", f"/finance/journals/{made['journalEntryId']}/reverse", {}, status=409)
    assert error["message"] == f"This entry belongs to transfer {made['number']}. Void the transfer instead."
    assert problems(acme) == []


def test_a_locked_period_refuses_a_transfer_and_its_void(acme):
    made = transfer(acme, "1010", "1000", "5.00", date="2026-02-02")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Tax return"})
    assert refused(acme, "1010", "1000", "5.00", status=409, date="2026-02-03")["code"] == "period_locked"
    path = f"{TRANSFERS}/{made['id']}/void"
    acme.refused("POST", path, {"date": "2026-02-28"}, status=409, code="period_locked")
    acme.ok("POST", path, {"date": "2026-03-01"})


@pytest.mark.parametrize(
    ("target", "fields", "field", "code"),
    [
        ("1010", {}, "toAccountId", "same_account"),
        ("1100", {}, "toAccountId", "unsuitable_account"),
        ("9999", {}, "toAccountId", "unknown_reference"),
        ("1000", {"receivedAmount": "4.00"}, "receivedAmount", "differs"),
        ("1000", {"currency": "USD"}, "currency", "wrong_currency"),
        ("1000", {"exchangeRate": "1.1"}, "exchangeRate", "not_needed"),
        ("1020", {}, "receivedAmount", "required"),
        ("1000", {"amount": "5.001"}, "amount", "too_many_decimals"),
    ],
)
def test_what_does_not_fit_is_refused(acme, dollars, target, fields, field, code):
    before = balances(acme)
    assert complaint(refused(acme, "1010", target, **{"amount": "5.00"} | fields)) == (field, code)
    assert balances(acme) == before


def test_a_fee_that_the_bank_gives_back_is_an_entry_by_hand(acme):
    transfer(acme, "1010", "1000", "200.00", feeAmount="1.50")
    entry(acme, "1.50", day="2026-03-05", debit="1010", credit="6800")
    assert balances(acme) == {"1000": 20_000, "1010": -20_000}
