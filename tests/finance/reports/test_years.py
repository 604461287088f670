"""Income and expense begin at zero in each fiscal year, in every report, and the reports agree to the cent."""

import csv
import io
import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

import pytest

from erp.finance.books import ledger
from erp.finance.books.ledger import Leg
from erp.finance.books.models import Account
from tests.finance.books.balances import EARLIER_YEARS, trial_balance
from tests.finance.journals.journals import entry

SHEET, TRIAL, ACCOUNTS = "/finance/reports/balance-sheet", "/finance/reports/trial-balance", "/finance/accounts"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def trading(acme):
    """Sales of 500 in 2024, of 70 in 2025 and of 30 in 2026; rent of 300 in 2025."""
    for amount, day, debit, credit in [
        ("500.00", "2024-06-30", "1010", "4000"),
        ("300.00", "2025-06-15", "6100", "1010"),
        ("70.00", "2025-12-31", "1010", "4000"),
        ("30.00", "2026-01-01", "1010", "4000"),
    ]:
        entry(acme, amount, day=day, debit=debit, credit=credit)
    return acme


def accounts(office, **params):
    return {account["code"]: account for account in office.ok("GET", ACCOUNTS, params=params)}


def account_ledger(office, code, **params):
    return office.ok("GET", f"{ACCOUNTS}/{accounts(office)[code]['id']}/ledger", params=params)


def rows_of(shown):
    return [(row["kind"], row["date"], row["debit"], row["credit"], row["balance"]) for row in shown["rows"]]


def test_the_trial_balance_shows_income_and_expense_of_the_year_and_the_rest_in_one_computed_row(trading):
    shown = trading.ok("GET", TRIAL, params={"date": "2026-01-31"})
    rows = [(row["kind"], row["account"]["code"], row["debit"], row["credit"]) for row in shown["rows"]]
    assert rows == [
        ("account", "1010", "300.00", "0.00"),
        ("account", "4000", "0.00", "30.00"),
        ("earlier_years", "", "0.00", "270.00"),
    ]
    computed = shown["rows"][-1]["account"]
    assert computed == {"id": None, "code": "", "name": "Result of earlier years"}
    assert shown["totals"] == {"debit": "300.00", "credit": "300.00"}
    assert shown["fiscalYearStart"] == "2026-01-01"
    table = trading.call("GET", TRIAL, params={"date": "2026-01-31", "format": "csv"}).text
    assert [row["account.name"] for row in csv.DictReader(io.StringIO(table))][-1] == "Result of earlier years"


def test_a_loss_of_earlier_years_is_a_debit(acme):
    entry(acme, "80.00", day="2025-05-01", debit="6100", credit="1010")
    assert trial_balance(acme, "2026-01-01") == {"1010": -80, EARLIER_YEARS: 80}


def test_a_closing_entry_leaves_no_computed_row(acme):
    entry(acme, "80.00", day="2025-05-01", debit="1010", credit="4000")
    entry(acme, "80.00", day="2025-12-31", debit="4000", credit="3200")
    assert trial_balance(acme, "2026-01-01") == {"1010": 80, "3200": -80}


def test_the_balances_of_income_and_expense_are_those_of_the_fiscal_year(trading):
    of_day = {day: accounts(trading, date=day) for day in ("2025-12-31", "2026-01-01", "2027-01-01")}
    assert [chart["4000"]["balance"] for chart in of_day.values()] == ["70.00", "30.00", "0.00"]
    assert [chart["6100"]["balance"] for chart in of_day.values()] == ["300.00", "0.00", "0.00"]
    assert [chart["1010"]["balance"] for chart in of_day.values()] == ["270.00", "300.00", "300.00"]
    now = accounts(trading)
    assert (now["4000"]["balance"], now["6100"]["balance"], now["1010"]["balance"]) == ("30.00", "0.00", "300.00")
    assert trading.ok("GET", f"{ACCOUNTS}/{now['4000']['id']}") == now["4000"]


def test_a_group_of_income_shows_the_fiscal_year_too(trading):
    body = {"code": "40", "name": "Income", "type": "income", "subtype": "income", "isGroup": True}
    group = trading.ok("POST", ACCOUNTS, body)
    trading.ok("PATCH", f"{ACCOUNTS}/{accounts(trading)['4000']['id']}", {"parentId": group["id"]})
    assert accounts(trading, date="2025-12-31")["40"]["balance"] == "70.00"


def test_the_ledger_of_an_income_account_opens_with_what_the_year_has_brought(trading):
    shown = account_ledger(trading, "4000", dateFrom="2026-01-01", dateTo="2026-12-31")
    assert (shown["opening"], shown["closing"]) == ("0.00", "30.00")
    shown = account_ledger(trading, "4000", dateFrom="2026-01-02", dateTo="2026-12-31")
    assert (shown["opening"], shown["closing"], shown["rows"]) == ("30.00", "30.00", [])
    shown = account_ledger(trading, "1010", dateFrom="2026-01-01")
    assert (shown["opening"], shown["closing"]) == ("270.00", "300.00")


def test_a_ledger_over_several_years_carries_each_result_to_earlier_years(trading):
    shown = account_ledger(trading, "4000")
    assert (shown["opening"], shown["closing"]) == ("0.00", "30.00")
    assert rows_of(shown) == [
        ("posting", "2024-06-30", "0.00", "500.00", "500.00"),
        ("year_start", "2025-01-01", "500.00", "0.00", "0.00"),
        ("posting", "2025-12-31", "0.00", "70.00", "70.00"),
        ("year_start", "2026-01-01", "70.00", "0.00", "0.00"),
        ("posting", "2026-01-01", "0.00", "30.00", "30.00"),
    ]
    computed = shown["rows"][1]
    assert computed["description"] == "Result of fiscal year 2024, carried forward"
    assert (computed["entryId"], computed["number"]) == (None, None)
    assert "year_start" not in [row["kind"] for row in account_ledger(trading, "1010")["rows"]]


def test_a_year_without_postings_ends_the_ledger_at_zero(trading):
    shown = account_ledger(trading, "6100")
    assert rows_of(shown) == [
        ("posting", "2025-06-15", "300.00", "0.00", "300.00"),
        ("year_start", "2026-01-01", "0.00", "300.00", "0.00"),
    ]
    assert shown["closing"] == accounts(trading)["6100"]["balance"] == "0.00"
    assert account_ledger(trading, "6100", dateTo="2025-12-31")["closing"] == "300.00"
    later = account_ledger(trading, "6100", dateFrom="2025-07-01", dateTo="2028-01-01")
    assert (later["opening"], later["closing"]) == ("300.00", "0.00")
    assert rows_of(later) == [("year_start", "2026-01-01", "0.00", "300.00", "0.00")]


def test_the_start_of_a_year_is_shown_once_whatever_the_page(trading):
    whole, paged = account_ledger(trading, "4000")["rows"], []
    shown = account_ledger(trading, "4000", limit=1)
    while True:
        paged += shown["rows"]
        if shown["nextCursor"] is None:
            break
        shown = account_ledger(trading, "4000", limit=1, cursor=shown["nextCursor"])
    assert paged == whole


def test_a_ledger_as_a_table_has_an_opening_and_a_closing_row(trading):
    path = f"{ACCOUNTS}/{accounts(trading)['4000']['id']}/ledger"
    params = {"dateFrom": "2025-01-01", "dateTo": "2026-12-31", "limit": 1, "format": "csv"}
    table = list(csv.DictReader(io.StringIO(trading.call("GET", path, params=params).text)))
    assert [(row["kind"], row["date"], row["balance"]) for row in table] == [
        ("opening", "2025-01-01", "0.00"),
        ("posting", "2025-12-31", "70.00"),
        ("year_start", "2026-01-01", "0.00"),
        ("posting", "2026-01-01", "30.00"),
        ("closing", "2026-12-31", "30.00"),
    ]


def test_what_is_posted_ahead_counts_where_no_date_is_given(trading):
    entry(trading, "5.00", day="2027-02-01", debit="1010", credit="4000", allowFuture=True)
    shown = account_ledger(trading, "4000")
    assert shown["closing"] == shown["rows"][-1]["balance"] == accounts(trading)["4000"]["balance"] == "35.00"
    assert account_ledger(trading, "4000", dateTo="2027-02-01")["closing"] == "5.00"
    ahead = account_ledger(trading, "4000", dateFrom="2027-03-01")
    assert (ahead["opening"], ahead["closing"]) == ("5.00", "5.00")


def test_an_account_of_an_earlier_year_can_be_archived(trading):
    chart = accounts(trading)
    trading.ok("POST", f"{ACCOUNTS}/{chart['6100']['id']}/archive")
    entry(trading, "5.00", day="2026-02-01", debit="6200", credit="1010")
    error = trading.refused("POST", f"{ACCOUNTS}/{chart['6200']['id']}/archive", status=409, code="in_use")
    assert error["message"] == "Account 6200 has a balance. Bring the balance to zero first."


def test_the_fiscal_years_are_those_of_the_settings(installation):
    formats = {"journal": "JE-{seq:5}"}
    office = installation.office("Fay")
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"numberFormats": formats})
    for day in ("2025-03-31", "2025-04-01"):
        entry(office, "10.00", day=day, debit="1010", credit="4000")
    assert trial_balance(office, "2025-12-31") == {"1010": 20, "4000": -20}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"fiscalYearStart": "04-01"})
    assert trial_balance(office, "2025-12-31") == {"1010": 20, "4000": -10, EARLIER_YEARS: -10}
    assert accounts(office, date="2025-12-31")["4000"]["balance"] == "10.00"
    assert rows_of(account_ledger(office, "4000"))[1] == ("year_start", "2025-04-01", "10.00", "0.00", "0.00")
    text = account_ledger(office, "4000")["rows"][1]["description"]
    assert text == "Result of fiscal year 2025, carried forward"


@pytest.mark.parametrize("start", ["01-01", "04-06", "12-31"])
def test_trial_balance_ledgers_balances_and_balance_sheet_agree_on_any_day(installation, start):
    chance = random.Random(start)
    office = installation.office("Rita", fiscalYearStart=start)
    codes = ("1000", "1010", "2100", "3000", "4000", "4100", "6100")
    posted = []
    with office.books(write=True):
        ids = {account.code: account.id for account in Account.select()}
        for _ in range(300):
            day, amount = date(2022, 6, 1) + timedelta(chance.randrange(1700)), chance.randrange(1, 10**6)
            debit, credit = chance.sample(codes, 2)
            ledger.post(day, "At random", [Leg(ids[debit], amount), Leg(ids[credit], -amount)], kind="manual")
            posted += [(str(day), debit, amount), (str(day), credit, -amount)]
    days = [date(2022, 6, 1) + timedelta(chance.randrange(1800)) for _ in range(6)]
    for day in [
        *days,
        *(date.fromisoformat(f"{year}-{start}") - timedelta(n) for year in (2024, 2025) for n in (0, 1)),
    ]:
        check_reports(office, posted, start, str(day))
    for code in ("4000", "1010"):
        check_ledger(office, code, str(min(days)), str(max(days)))


def check_reports(office, posted, start, day):
    """Compare what the reports show of a day with the sums of what was posted, and with each other."""
    year = int(day[:4]) - (day[5:] < start)
    since = f"{year}-{start}"
    expected: Counter[str] = Counter()
    earlier = 0
    for posted_on, code, amount in posted:
        if posted_on <= day and (code < "4000" or posted_on >= since):
            expected[code] += amount
        elif posted_on < since and posted_on <= day:
            earlier += amount
    balances = {code: Decimal(amount).scaleb(-2) for code, amount in expected.items() if amount}
    trial = trial_balance(office, day)
    assert trial.pop(EARLIER_YEARS, 0) == Decimal(earlier).scaleb(-2)
    assert trial == balances, day
    chart = accounts(office, date=day)
    signed = {
        code: Decimal(account["balance"]) * (1 if account["normalBalance"] == "debit" else -1)
        for code, account in chart.items()
    }
    assert {code: amount for code, amount in signed.items() if amount} == balances
    sheet = office.ok("GET", SHEET, params={"date": day})
    assert Decimal(sheet["equity"]["retainedEarnings"]) == -Decimal(earlier).scaleb(-2)
    result = -sum(amount for code, amount in balances.items() if code >= "4000")
    assert Decimal(sheet["equity"]["currentYearEarnings"]) == result
    for code in ("1010", "4000", "6100"):
        path = f"{ACCOUNTS}/{chart[code]['id']}/ledger"
        shown = office.ok("GET", path, params={"dateFrom": since, "dateTo": day, "limit": 200})
        assert shown["closing"] == chart[code]["balance"], (code, day)
        assert code < "4000" or shown["opening"] == "0.00"


def check_ledger(office, code, first, last):
    """Check that the rows of a ledger lead from its opening to its closing balance."""
    account = accounts(office, date=last)[code]
    sign = 1 if account["normalBalance"] == "debit" else -1
    shown = account_ledger(office, code, dateFrom=first, dateTo=last, limit=200)
    balance = Decimal(shown["opening"])
    for row in shown["rows"]:
        balance += sign * (Decimal(row["debit"]) - Decimal(row["credit"]))
        assert balance == Decimal(row["balance"])
        assert row["kind"] == "posting" or balance == 0
    assert balance == Decimal(shown["closing"]) == Decimal(account["balance"])
