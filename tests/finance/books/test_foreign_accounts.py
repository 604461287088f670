"""An account in a foreign currency shows its own currency, and what it is worth in the books beside it."""

import csv
import io

import pytest

from erp.store.router import WORKSPACE
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment

ACCOUNTS = "/finance/accounts"
DOLLARS = {"code": "1020", "name": "Bank in dollars", "type": "asset", "subtype": "bank", "currency": "USD"}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def bank(acme):
    """A bank account of 1,000.00 USD with a book value of 960.00 EUR."""
    account = acme.ok("POST", ACCOUNTS, DOLLARS)
    move(acme, "1000.00", "960.00", day="2026-01-10", debit="1020", credit="3000")
    return account


def move(office, dollars, euros, *, day, debit, credit):
    """Post dollars to one of two accounts and their worth to the other."""
    foreign = {"currency": "USD", "foreignAmount": dollars}
    lines = [{"accountId": debit, "debit": euros}, {"accountId": credit, "credit": euros}]
    lines = [line | (foreign if line["accountId"] == "1020" else {}) for line in lines]
    office.ok("POST", "/finance/journals", {"date": day, "description": "Dollars", "lines": lines})


def shown(office, account, **params):
    (view,) = [each for each in office.ok("GET", ACCOUNTS, params=params) if each["code"] == account["code"]]
    return view["currency"], view["balance"], view["baseBalance"]


def test_a_foreign_account_shows_its_balance_in_both_currencies(acme, bank):
    assert shown(acme, bank) == ("USD", "1000.00", "960.00")
    move(acme, "500.00", "480.00", day="2026-02-10", debit="6400", credit="1020")
    assert shown(acme, bank) == ("USD", "500.00", "480.00")
    assert shown(acme, bank, date="2026-02-09") == ("USD", "1000.00", "960.00")
    assert shown(acme, bank, date="2026-01-09") == ("USD", "0.00", "0.00")
    view = acme.ok("GET", f"{ACCOUNTS}/{bank['id']}")
    assert (view["balance"], view["baseBalance"]) == ("500.00", "480.00")


def test_an_account_in_the_base_currency_shows_the_same_balance_twice(acme, bank):
    assert shown(acme, {"code": "3000"}) == ("EUR", "960.00", "960.00")


def test_an_account_in_the_base_currency_stays_in_it_when_dollars_are_paid_in(acme):
    payment_of_dollars(acme, "1010")
    assert shown(acme, {"code": "1010"}) == ("EUR", "92.00", "92.00")


def payment_of_dollars(office, account):
    contact = office.ok("POST", "/finance/contacts", {"name": "Pacific", "kind": "customer"})
    fields = {"currency": "USD", "exchangeRate": "0.92", "date": "2026-02-01", "accountId": account}
    return payment(office, "100.00", contactId=contact["id"], **fields)


def test_a_payment_in_dollars_moves_the_bank_in_dollars(acme, bank):
    payment_of_dollars(acme, "1020")
    assert shown(acme, bank) == ("USD", "1100.00", "1052.00")


def test_sums_of_groups_and_reports_are_in_the_base_currency(acme, bank):
    body = {"code": "10", "name": "Money", "type": "asset", "subtype": "bank", "isGroup": True, "currency": "USD"}
    group = acme.ok("POST", ACCOUNTS, body)
    acme.ok("PATCH", f"{ACCOUNTS}/{bank['id']}", {"parentId": group["id"]})
    assert shown(acme, group)[1:] == ("960.00", "960.00")
    (top,) = [each for each in acme.ok("GET", ACCOUNTS, params={"tree": "true"}) if each["code"] == "10"]
    assert (top["baseBalance"], top["children"][0]["balance"]) == ("960.00", "1000.00")
    assert acme.ok("GET", "/finance/reports/balance-sheet")["totalAssets"] == "960.00"
    assert acme.ok("GET", "/finance/reports/trial-balance")["totals"]["debit"] == "960.00"


def test_the_ledger_of_a_foreign_account_has_a_column_for_each_currency(acme, bank):
    move(acme, "500.00", "480.00", day="2026-02-10", debit="6400", credit="1020")
    path = f"{ACCOUNTS}/{bank['id']}/ledger"
    whole = acme.ok("GET", path)
    assert (whole["currency"], whole["baseCurrency"]) == ("USD", "EUR")
    assert (whole["closing"], whole["baseClosing"]) == ("500.00", "480.00")
    rows = [(row["debit"], row["credit"], row["balance"], row["baseBalance"]) for row in whole["rows"]]
    assert rows == [("1000.00", "0.00", "1000.00", "960.00"), ("0.00", "500.00", "500.00", "480.00")]
    assert (whole["rows"][1]["baseDebit"], whole["rows"][1]["baseCredit"]) == ("0.00", "480.00")
    later = acme.ok("GET", path, params={"dateFrom": "2026-02-01"})
    assert (later["opening"], later["baseOpening"]) == ("1000.00", "960.00")
    first = acme.ok("GET", path, params={"limit": 1})
    second = acme.ok("GET", path, params={"limit": 1, "cursor": first["nextCursor"]})
    assert first["rows"] + second["rows"] == whole["rows"]
    table = list(csv.DictReader(io.StringIO(acme.call("GET", path, params={"format": "csv"}).text)))
    assert [(row["kind"], row["balance"], row["baseBalance"]) for row in table] == [
        ("opening", "0.00", "0.00"),
        ("posting", "1000.00", "960.00"),
        ("posting", "500.00", "480.00"),
        ("closing", "500.00", "480.00"),
    ]


def test_yen_are_shown_without_decimals(acme):
    yen = acme.ok("POST", ACCOUNTS, DOLLARS | {"currency": "JPY"})
    line = {"currency": "JPY", "foreignAmount": "16000"}
    lines = [{"accountId": "1020", "debit": "100.00", **line}, {"accountId": "3000", "credit": "100.00"}]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-10", "description": "Yen", "lines": lines})
    assert shown(acme, yen) == ("JPY", "16000", "100.00")


def test_a_foreign_income_account_begins_at_zero_each_year_in_its_own_currency(acme):
    sales = {"code": "4020", "name": "Sales in dollars", "type": "income", "subtype": "income", "currency": "USD"}
    account = acme.ok("POST", ACCOUNTS, sales)
    foreign = {"currency": "USD", "foreignAmount": "100.00"}
    lines = [{"accountId": "1010", "debit": "90.00"}, {"accountId": "4020", "credit": "90.00", **foreign}]
    for day in ("2025-12-31", "2026-01-01"):
        acme.ok("POST", "/finance/journals", {"date": day, "description": "Sold", "lines": lines})
    assert shown(acme, account) == ("USD", "100.00", "90.00")
    ledger = acme.ok("GET", f"{ACCOUNTS}/{account['id']}/ledger")
    assert [(row["kind"], row["balance"], row["baseBalance"]) for row in ledger["rows"]] == [
        ("posting", "100.00", "90.00"),
        ("year_start", "0.00", "0.00"),
        ("posting", "100.00", "90.00"),
    ]


def test_an_account_with_dollars_that_are_worth_nothing_is_not_archived(acme, bank):
    lines = [{"accountId": "3000", "debit": "960.00"}, {"accountId": "1020", "credit": "960.00"}]
    lines[1] |= {"currency": "USD", "foreignAmount": "1.00"}
    acme.ok("POST", "/finance/journals", {"date": "2026-02-01", "description": "Worthless", "lines": lines})
    assert shown(acme, bank) == ("USD", "999.00", "0.00")
    acme.refused("POST", f"{ACCOUNTS}/{bank['id']}/archive", status=409, code="in_use")


def test_foreign_balances_are_summed_from_an_index(acme):
    query = (
        "EXPLAIN QUERY PLAN SELECT (SELECT sum(foreign_amount) FROM posting WHERE account_id = account.id"
        " AND currency = account.currency AND date BETWEEN '' AND '9999') FROM account"
    )
    with acme.books():
        plan = " ".join(row[3] for row in WORKSPACE.rows(query))
    assert "COVERING INDEX posting_foreign" in plan


@pytest.mark.parametrize(
    ("path", "queries"),
    [(ACCOUNTS, 4), (f"{ACCOUNTS}?date=2026-02-03", 4), ("/finance/reports/trial-balance?date=2026-02-03", 9)],
)
def test_balances_take_as_many_queries_however_many_accounts_there_are(acme, monkeypatch, path, queries):
    asked: list[str] = []
    execute = type(WORKSPACE).execute_sql

    def counted(router, sql, *parameters, **named):
        if router is WORKSPACE and sql.startswith("SELECT"):
            asked.append(sql)
        return execute(router, sql, *parameters, **named)

    monkeypatch.setattr(type(WORKSPACE), "execute_sql", counted)
    for more in range(2):
        if more:
            for number in range(5):
                acme.ok("POST", ACCOUNTS, DOLLARS | {"code": f"10{number}9"})
                entry(acme, "1.00", debit="1010", credit="4000", day=f"2026-0{number % 2 + 1}-05")
        asked.clear()
        acme.ok("GET", path)
        assert len(asked) <= queries, asked
