"""The balance sheet, the trial balance and an account's ledger: what they show at a date."""

import base64
import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest

from erp.finance.books.models import Account
from tests.finance.books.balances import EARLIER_YEARS, trial_balance
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import cells

JOURNALS = "/finance/journals"
SHEET, TRIAL = "/finance/reports/balance-sheet", "/finance/reports/trial-balance"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def sheet(office, date, **params):
    return office.ok("GET", SHEET, params={"date": date, **params})


def rows_of(answer):
    assert answer.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text)))


def cursor_of(*place):
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def account_id(office, code):
    with office.books():
        return Account.get(Account.code == code).id


@pytest.fixture
def trading(acme):
    """Two years of trade: capital 1000, rent 300 and sales 500 in 2025; sales 70 and a card bill of 20 in 2026."""
    for amount, day, debit, credit in [
        ("1000.00", "2025-01-02", "1010", "3000"),
        ("300.00", "2025-06-15", "6100", "1010"),
        ("500.00", "2025-12-31", "1000", "4000"),
        ("70.00", "2026-01-01", "1000", "4100"),
        ("20.00", "2026-02-10", "6400", "2100"),
    ]:
        entry(acme, amount, day=day, debit=debit, credit=credit)
    return acme


def test_the_sheet_groups_accounts_by_subtype_and_computes_the_results(trading):
    shown = sheet(trading, "2026-03-01")
    assert [(group["subtype"], group["name"], group["total"]) for group in shown["assets"]["groups"]] == [
        ("cash", "Cash", "570.00"),
        ("bank", "Bank", "700.00"),
    ]
    (bank,) = shown["assets"]["groups"][1]["accounts"]
    assert (bank["code"], bank["name"], bank["balance"]) == ("1010", "Bank", "700.00")
    assert "previous" not in bank
    assert "previous" not in shown
    assert shown["liabilities"]["total"] == "20.00"
    equity = shown["equity"]
    assert (equity["retainedEarnings"], equity["currentYearEarnings"]) == ("200.00", "50.00")
    assert (equity["total"], equity["groups"][0]["total"]) == ("1250.00", "1000.00")
    assert (shown["totalAssets"], shown["totalLiabilitiesAndEquity"]) == ("1270.00", "1270.00")
    assert (shown["isBalanced"], shown["date"], shown["currency"]) == (True, "2026-03-01", "EUR")


@pytest.mark.parametrize(
    ("date", "retained", "current"),
    [
        ("2024-12-31", "0.00", "0.00"),
        ("2025-06-14", "0.00", "0.00"),
        ("2025-06-15", "0.00", "-300.00"),
        ("2025-12-31", "0.00", "200.00"),
        ("2026-01-01", "200.00", "70.00"),
        ("2027-01-01", "250.00", "0.00"),
    ],
)
def test_the_result_of_a_year_becomes_retained_earnings_without_a_closing_entry(trading, date, retained, current):
    equity = sheet(trading, date)["equity"]
    assert (equity["retainedEarnings"], equity["currentYearEarnings"]) == (retained, current)


def test_a_fiscal_year_may_begin_in_april(installation):
    office = installation.office("Fay", fiscalYearStart="04-01")
    entry(office, "10.00", day="2025-03-31", debit="1000", credit="4000")
    entry(office, "5.00", day="2025-04-01", debit="1000", credit="4000")
    for date, retained, current in [("2025-03-31", "0.00", "10.00"), ("2026-03-31", "10.00", "5.00")]:
        equity = sheet(office, date)["equity"]
        assert (equity["retainedEarnings"], equity["currentYearEarnings"]) == (retained, current)


def test_a_closing_entry_shows_as_the_account_it_was_posted_to(trading):
    lines = [
        {"accountId": "4000", "debit": "500"},
        {"accountId": "6100", "credit": "300"},
        {"accountId": "3200", "credit": "200"},
    ]
    trading.ok("POST", JOURNALS, {"date": "2025-12-31", "description": "Closing", "lines": lines})
    equity = sheet(trading, "2026-03-01")["equity"]
    assert (equity["retainedEarnings"], equity["total"]) == ("0.00", "1250.00")
    assert [group["subtype"] for group in equity["groups"]] == ["equity", "retained_earnings"]


def test_a_balance_sheet_is_compared_with_another_day(trading):
    shown = sheet(trading, "2026-03-01", compareDate="2025-12-31")
    accounts = {
        account["code"]: (account["balance"], account["previous"])
        for section in ("assets", "liabilities", "equity")
        for group in shown[section]["groups"]
        for account in group["accounts"]
    }
    assert accounts == {
        "1000": ("570.00", "500.00"),
        "1010": ("700.00", "700.00"),
        "2100": ("20.00", "0.00"),
        "3000": ("1000.00", "1000.00"),
    }
    assert shown["liabilities"]["groups"][0]["previous"] == "0.00"
    assert shown["previous"] == {
        "date": "2025-12-31",
        "assets": "1200.00",
        "liabilities": "0.00",
        "equity": "1200.00",
        "retainedEarnings": "0.00",
        "currentYearEarnings": "200.00",
    }


def test_an_account_with_no_balance_is_shown_only_if_it_has_one_on_the_compared_day(trading):
    entry(trading, "20.00", day="2026-02-20", debit="2100", credit="1010")
    assert sheet(trading, "2026-03-01")["liabilities"]["groups"] == []
    (group,) = sheet(trading, "2026-03-01", compareDate="2026-02-15")["liabilities"]["groups"]
    assert [(account["balance"], account["previous"]) for account in group["accounts"]] == [("0.00", "20.00")]


def test_a_balance_opposite_to_its_normal_side_is_negative(trading):
    entry(trading, "800.00", day="2026-02-20", debit="3100", credit="1010")
    shown = sheet(trading, "2026-03-01")
    bank = shown["assets"]["groups"][1]["accounts"][0]
    drawings = shown["equity"]["groups"][0]["accounts"][1]
    assert (bank["balance"], drawings["code"], drawings["balance"]) == ("-100.00", "3100", "-800.00")
    assert shown["isBalanced"] is True


def test_without_a_date_the_balance_sheet_is_of_the_workspaces_today(installation, clock_at):
    clock_at("2026-03-10T11:00:00Z")
    for zone, today in [("Pacific/Kiritimati", "2026-03-11"), ("Etc/GMT+12", "2026-03-09")]:
        office = installation.office("Zoe", timeZone=zone)
        entry(office, day="2026-03-10")
        shown = office.ok("GET", SHEET)
        assert (shown["date"], shown["totalAssets"]) == (today, "100.00" if today == "2026-03-11" else "0.00")


def test_an_empty_sheet_balances(acme):
    shown = sheet(acme, "2026-03-01")
    assert (shown["totalAssets"], shown["assets"]["groups"], shown["isBalanced"]) == ("0.00", [], True)


def test_the_sheet_as_a_table_has_every_account_and_the_results(trading):
    rows = rows_of(trading.call("GET", SHEET, params={"date": "2026-03-01", "format": "csv"}))
    assert [(row["section"], row["code"], row["balance"], row["previous"]) for row in rows] == [
        ("assets", "1000", "570.00", ""),
        ("assets", "1010", "700.00", ""),
        ("liabilities", "2100", "20.00", ""),
        ("equity", "3000", "1000.00", ""),
        ("equity", "", "200.00", ""),
        ("equity", "", "50.00", ""),
    ]
    params = {"date": "2026-03-01", "compareDate": "2025-12-31"}
    rows = rows_of(trading.call("GET", SHEET, params=params, headers={"Accept": "text/csv"}))
    assert [row["previous"] for row in rows] == ["500.00", "700.00", "0.00", "1000.00", "0.00", "200.00"]


def test_the_trial_balance_has_each_balance_in_the_column_of_its_side(trading):
    shown = trading.ok("GET", TRIAL, params={"date": "2025-12-31"})
    assert [(row["account"]["code"], row["debit"], row["credit"]) for row in shown["rows"]] == [
        ("1000", "500.00", "0.00"),
        ("1010", "700.00", "0.00"),
        ("3000", "0.00", "1000.00"),
        ("4000", "0.00", "500.00"),
        ("6100", "300.00", "0.00"),
    ]
    assert shown["totals"] == {"debit": "1500.00", "credit": "1500.00"}
    table = rows_of(trading.call("GET", TRIAL, params={"date": "2025-12-31", "format": "csv"}))
    assert [(row["account.code"], row["debit"]) for row in table][:2] == [("1000", "500.00"), ("1010", "700.00")]


def test_an_account_ledger_runs_from_the_opening_to_the_closing_balance(trading):
    path = f"/finance/accounts/{account_id(trading, '1000')}/ledger"
    shown = trading.ok("GET", path)
    assert (shown["opening"], shown["closing"], shown["nextCursor"]) == ("0.00", "570.00", None)
    assert [(row["date"], row["debit"], row["credit"], row["balance"]) for row in shown["rows"]] == [
        ("2025-12-31", "500.00", "0.00", "500.00"),
        ("2026-01-01", "70.00", "0.00", "570.00"),
    ]
    assert shown["rows"][0]["number"] == "JE-2025-00003"
    shown = trading.ok("GET", path, params={"dateFrom": "2026-01-01", "dateTo": "2026-01-31"})
    assert (shown["opening"], shown["closing"], len(shown["rows"])) == ("500.00", "570.00", 1)
    shown = trading.ok("GET", path, params={"dateTo": "2025-12-30"})
    assert (shown["opening"], shown["closing"], shown["rows"]) == ("0.00", "0.00", [])


def test_an_account_ledger_shows_balances_on_the_normal_side(trading):
    shown = trading.ok("GET", f"/finance/accounts/{account_id(trading, '3000')}/ledger")
    assert [(row["credit"], row["balance"]) for row in shown["rows"]] == [("1000.00", "1000.00")]


def test_each_page_of_an_account_ledger_continues_from_the_page_before(acme):
    days = [f"2026-01-{day:02}" for day in (3, 1, 2, 2, 2, 1, 31)]
    for number, day in enumerate(days, 1):
        entry(acme, f"{number}.00", day=day)
    path = f"/finance/accounts/{account_id(acme, '1010')}/ledger"
    whole = acme.ok("GET", path, params={"limit": 200})
    assert [row["debit"] for row in whole["rows"]] == [f"{n}.00" for n in (2, 6, 3, 4, 5, 1, 7)]
    paged: list[Any] = []
    cursor: dict[str, str] | None = {}
    while cursor is not None:
        shown = acme.ok("GET", path, params={"limit": 2, **cursor})
        assert (shown["opening"], shown["closing"]) == ("0.00", "28.00")
        paged += shown["rows"]
        cursor = shown["nextCursor"] and {"cursor": shown["nextCursor"]}
    assert paged == whole["rows"]
    table = rows_of(acme.call("GET", path, params={"limit": 2, "format": "csv"}))
    assert [row["balance"] for row in table] == ["0.00", *(row["balance"] for row in whole["rows"]), "28.00"]
    later = acme.ok("GET", path, params={"dateFrom": "2026-01-02", "limit": 3})
    assert [row["balance"] for row in later["rows"]] == ["11.00", "15.00", "20.00"]
    params = {"dateFrom": "2026-01-02", "limit": 3, "cursor": later["nextCursor"]}
    assert [row["balance"] for row in acme.ok("GET", path, params=params)["rows"]] == ["21.00", "28.00"]


@pytest.mark.parametrize(
    "cursor",
    [
        *("x", "bnVsbA", "WzEsMiwzXQ", "WyJuZXZlciIsICJ4IiwgMV0", "WyIyMDI2LTAxLTAxIiwgMSwgMV0"),
        *(cursor_of("2026-01-01", "x", 10**30), cursor_of("2026-01-01", "x", True), cursor_of("0001-01-01", "x", 1)),
    ],
)
def test_an_invalid_cursor_is_refused(acme, cursor):
    path = f"/finance/accounts/{account_id(acme, '1010')}/ledger"
    acme.refused("GET", path, params={"cursor": cursor}, status=400, code="bad_parameter")


def test_an_account_ledger_does_not_end_before_it_begins(acme):
    path = f"/finance/accounts/{account_id(acme, '1010')}/ledger"
    params = {"dateFrom": "2026-03-02", "dateTo": "2026-03-01"}
    acme.refused("GET", path, params=params, status=400, code="bad_parameter")


def test_the_ledger_of_an_unknown_account_is_not_found(acme, stranger):
    acme.refused("GET", f"/finance/accounts/{account_id(stranger, '1010')}/ledger", status=404)


@pytest.mark.parametrize("path", [SHEET, TRIAL, "/finance/periods"])
def test_reports_need_the_permission_to_read_finance(acme, path):
    assert acme.colleague("viewer").call("GET", path).status_code == 200
    acme.colleague("member").refused("GET", path, status=403)


def test_invalid_parameters_are_refused(acme):
    acme.refused("GET", SHEET, params={"date": "tomorrow"}, status=400)
    acme.refused("GET", SHEET, params={"dateTo": "2026-01-01"}, status=400)


def test_all_reports_agree(trading):
    balances = trial_balance(trading, "2026-03-01")
    shown = sheet(trading, "2026-03-01")
    assert sum(balances.values()) == 0
    assert balances["1000"] + balances["1010"] == Decimal(shown["totalAssets"])
    accounts = trading.ok("GET", "/finance/accounts", params={"date": "2026-03-01"})
    normal = {account["code"]: (account["normalBalance"], Decimal(account["balance"])) for account in accounts}
    signed = {code: amount if side == "debit" else -amount for code, (side, amount) in normal.items() if amount}
    assert balances.pop(EARLIER_YEARS) == -Decimal(shown["equity"]["retainedEarnings"])
    assert signed == balances


def test_a_trial_balance_over_two_years_carries_their_result(trading):
    """Rent of 300 was paid before July, sales of 500 came after: 200 are carried to 2026, in which 70 were earned."""
    days = {"dateFrom": "2025-07-01", "dateTo": "2026-01-31", "compareDate": "2025-06-30"}
    tree = trading.ok("GET", TRIAL, params={"tree": "true", **days})["tree"]
    names = ("opening", "debit", "credit", "carried", "closing", "previous", "change")
    shown = {
        row["code"] or row["key"]: tuple(cells(row).get(name) for name in names)
        for row in tree["rows"]
        if row["key"] != "total"
    }
    assert shown == {
        "1000": ("0.00", "570.00", "0.00", "0.00", "570.00", "0.00", "570.00"),
        "1010": ("700.00", "0.00", "0.00", "0.00", "700.00", "700.00", "0.00"),
        "3000": ("-1000.00", "0.00", "0.00", "0.00", "-1000.00", "-1000.00", "0.00"),
        "4000": ("0.00", "0.00", "500.00", "500.00", "0.00", "0.00", "0.00"),
        "4100": ("0.00", "0.00", "70.00", "0.00", "-70.00", "0.00", "-70.00"),
        "6100": ("300.00", "0.00", "0.00", "-300.00", "0.00", "300.00", "-300.00"),
        "earlier_years": ("0.00", None, None, "-200.00", "-200.00", "0.00", "-200.00"),
    }
    year = {row["code"]: cells(row).get("year_credit") for row in tree["rows"] if row["code"]}
    assert (year["4000"], year["4100"]) == ("0.00", "70.00")


def test_a_trial_balance_is_of_one_last_day(trading):
    refusal = trading.refused("GET", TRIAL, params={"date": "2026-01-31", "dateTo": "2026-01-31"}, status=400)
    assert refusal["message"] == "dateTo: Give either date or dateTo."
    refusal = trading.refused("GET", TRIAL, params={"dateFrom": "2026-02-01", "dateTo": "2026-01-31"}, status=400)
    assert refusal["message"] == "dateTo: Must not be before dateFrom."


def test_the_tree_of_the_balance_sheet_has_its_totals(trading):
    params = {"compareDate": "2025-12-31", "tree": "true"}
    tree = sheet(trading, "2026-03-01", **params)["tree"]
    keys = ("asset", "liability", "equity", "retained_earnings", "current_year_earnings", "liabilities_and_equity")
    shown = {row["key"]: (cells(row)["balance"], cells(row)["previous"]) for row in tree["rows"] if row["key"] in keys}
    assert shown == {
        "asset": ("1270.00", "1200.00"),
        "liability": ("20.00", "0.00"),
        "retained_earnings": ("200.00", "0.00"),
        "current_year_earnings": ("50.00", "200.00"),
        "equity": ("1250.00", "1200.00"),
        "liabilities_and_equity": ("1270.00", "1200.00"),
    }
    (current,) = [row for row in tree["rows"] if row["key"] == "current_year_earnings"]
    profit = trading.ok("GET", current["cells"]["balance"]["link"].removeprefix("/api/v1"))
    assert profit["rows"][-1]["cells"]["amount"]["value"] == "50.00"
    assert "tree" not in sheet(trading, "2026-03-01")
