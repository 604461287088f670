"""What every report says of the worked month: the figures of the office's books in January 2026, to the cent."""

import pytest

from tests.finance.reports.trees import JANUARY, cells, column, report
from tests.finance.test_month import Month


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    month = Month(acme)
    for step in ("take_over", "sell", "buy", "pay_old_items", "pay_r1_with_discount", "write_by_hand", "write_off_r4"):
        getattr(month, step)()
    return month


def test_the_profit_and_loss_of_the_month(acme, month):
    shown = report(acme, "profit-and-loss", **JANUARY)
    assert column(shown) == {
        "4300": "200.00",
        "4336": "2700.00",
        "4338": "920.00",
        "4400": "1500.00",
        "4731": "-4.00",
        "4736": "-20.00",
        "income": "5296.00",
        "5923": "240.00",
        "cost_of_sales": "240.00",
        "gross_profit": "5056.00",
        "6220": "41.67",
        "6310": "1500.00",
        "6815": "100.00",
        "6820": "50.00",
        "6855": "9.90",
        "6930": "500.00",
        "expense": "2201.57",
        "6020": "2000.00",
        "payroll_expense": "2000.00",
        "operating_result": "854.43",
        "result": "854.43",
    }
    assert (shown["dateFrom"], shown["dateTo"], shown["currency"]) == ("2026-01-01", "2026-01-31", "EUR")


def test_the_month_in_the_order_of_the_german_code(acme, month):
    shown = column(report(acme, "profit-and-loss", layout="hgb", **JANUARY))
    groups = {key: shown.get(key) for key in ("income", "cost_of_sales", "payroll_expense", "depreciation", "expense")}
    assert groups == {
        "income": "5296.00",
        "cost_of_sales": "240.00",
        "payroll_expense": "2000.00",
        "depreciation": "41.67",
        "expense": "2159.90",
    }
    assert shown["result"] == "854.43"


def test_the_turnover_of_the_month_by_account(acme, month):
    tree = report(acme, "trial-balance", tree="true", **JANUARY)["tree"]
    rows = {row["code"] or row["key"]: cells(row) for row in tree["rows"]}
    receivables = {"opening": "1190.00", "debit": "5919.00", "credit": "3489.00", "closing": "3620.00"}
    assert rows["1200"] == receivables | {"year_debit": "5919.00", "year_credit": "3489.00"}
    assert rows["1800"]["closing"] == "6391.02"
    assert (rows["4400"]["opening"], rows["4400"]["closing"]) == ("0.00", "-1500.00")
    total = rows["total"]
    assert (total["opening"], total["closing"]) == ("0.00", "0.00")
    assert total["debit"] == total["credit"]


@pytest.mark.parametrize(
    ("name", "date", "rows"),
    [
        ("receivables", "2026-01-18", {"Alster AG": {"not_due": "1404.00"}, "Pleite": {"not_due": "595.00"}}),
        ("receivables", "2026-01-31", {"Wien": {"not_due": "2700.00"}, "Pacific": {"not_due": "920.00"}}),
        ("receivables", "2026-02-28", {"Wien": {"days_1_30": "2700.00"}, "Pacific": {"days_1_30": "920.00"}}),
        ("receivables", "2026-04-01", {"Wien": {"days_31_60": "2700.00"}, "Pacific": {"days_31_60": "920.00"}}),
        ("payables", "2026-02-28", {"Meyer": {"days_1_30": "172.50"}, "Cloud Ireland": {"days_1_30": "240.00"}}),
    ],
)
def test_what_was_open_of_the_month_by_age(acme, month, name, date, rows):
    tree = report(acme, f"aged-{name}", date=date)
    shown = {row["label"]: cells(row) for row in tree["rows"] if row["level"] == 1 and not row["code"]}
    for label, figures in rows.items():
        (amount,) = figures.values()
        assert {key: value for key, value in shown[label].items() if value != "0.00"} == figures | {"total": amount}
    assert shown.keys() == rows.keys()
    sums = {"2026-01-18": "1999.00"}.get(date, "3620.00" if name == "receivables" else "412.50")
    assert column(tree, "total")["total"] == sums
    assert column(tree, "total")["1200" if name == "receivables" else "3300"] == sums
    assert column(tree, "total")["difference"] == "0.00"


def test_the_age_of_what_is_owed_in_dollars(acme, month):
    tree = report(acme, "aged-receivables", date="2026-02-28", details="true")
    (foreign,) = [row for row in tree["rows"] if row["label"] == "of which in foreign currency"]
    assert foreign["cells"]["days_1_30"]["currency"] == "USD"
    assert cells(foreign)["total"] == "1000.00"
    days = {row["label"]: cells(row)["days_overdue"] for row in tree["rows"] if "due_date" in row["cells"]}
    assert days == {"R-2026-0002": "9", "R-2026-0003": "7"}
    wien = next(row for row in tree["rows"] if row["label"] == "Wien")
    items = acme.ok("GET", wien["cells"]["days_1_30"]["link"].removeprefix("/api/v1"))
    assert [item["openBase"] for item in items] == ["2700.00"]


def test_the_cash_flow_of_the_month(acme, month):
    shown = column(report(acme, "cash-flow", **JANUARY))
    operating = ("result", "depreciation", "receivable", "current_asset", "payable", "tax", "operating")
    assert {key: shown[key] for key in operating} == {
        "result": "854.43",
        "depreciation": "41.67",
        "receivable": "-2430.00",
        "current_asset": "-638.10",
        "payable": "-182.50",
        "tax": "245.52",
        "operating": "-2108.98",
    }
    assert (shown["0650"], shown["investing"], shown["financing"]) == ("-1500.00", "-1500.00", "0.00")
    assert (shown["change"], shown["opening"], shown["closing"]) == ("-3608.98", "10000.00", "6391.02")
    assert shown["difference"] == "0.00"


def test_the_money_of_the_month_by_what_it_was_moved_against(acme, month):
    """Customers paid 1,190.00 + 1,375.92; suppliers got 595.00 + 2 × 1,785.00, and 9.90 were the bank's."""
    shown = column(report(acme, "cash-flow", method="direct", **JANUARY))
    accounts = {code: shown.get(code) for code in ("1200", "3300", "6020", "6855")}
    assert accounts == {"1200": "2565.92", "3300": "-4165.00", "6020": "-2000.00", "6855": "-9.90"}
    assert (shown["change"], shown["closing"], shown["difference"]) == ("-3608.98", "6391.02", "0.00")


def test_opening_balances_are_no_flow(acme, month):
    year = {"dateFrom": "2025-12-01", "dateTo": "2026-01-31"}
    for method in ("indirect", "direct"):
        shown = column(report(acme, "cash-flow", method=method, **year))
        assert (shown["opening"], shown["change"], shown["taken_over"]) == ("0.00", "-3608.98", "10000.00")
        assert (shown["closing"], shown["difference"]) == ("6391.02", "0.00")


def test_the_forecast_after_the_month(acme, month):
    tree = report(acme, "cash-forecast", date="2026-01-31")
    rows = [cells(row) for row in tree["rows"] if row["kind"] == "line"]
    assert [(row["due_date"], row.get("amount"), row["balance"]) for row in rows] == [
        ("2026-01-31", None, "6391.02"),
        ("2026-02-07", "-172.50", "6218.52"),
        ("2026-02-11", "-240.00", "5978.52"),
        ("2026-02-19", "2700.00", "8678.52"),
        ("2026-02-21", "920.00", "9598.52"),
    ]
    assert [row.get("foreign") for row in rows] == [None, None, None, None, "1000.00"]
    assert column(tree)["total"] == "3207.50"
    shown = report(acme, "cash-forecast", date="2026-01-31", dateTo="2026-02-19")
    assert column(shown)["total"] == "2287.50"


def test_the_general_ledger_of_the_receivables(acme, month):
    tree = report(acme, "general-ledger", accountId="1200", **JANUARY)
    opening, *postings, closing = [cells(row) for row in tree["rows"][1:]]
    assert [row["debit"] for row in postings if "debit" in row] == ["1404.00", "595.00", "3000.00", "920.00"]
    credits = [row["credit"] for row in postings if "credit" in row]
    assert sorted(credits) == sorted(["1190.00", "1375.92", "28.08", "300.00", "595.00"])
    assert (opening["balance"], closing["balance"]) == ("1190.00", "3620.00")
    assert (closing["debit"], closing["credit"]) == ("5919.00", "3489.00")
    by_number = {row["document"]: row["contra"] for row in postings if "debit" in row}
    assert by_number["R-2026-0001"] == "diverse: 3801, 3806, 4300, 4400"
    assert by_number["R-2026-0002"].startswith("4336 ")


def test_the_general_ledger_names_the_tax_rates_of_documents(acme, month):
    """R1 is at 19 % and 7 %: each of its income and tax accounts has the one that is its own."""
    tree = report(acme, "general-ledger", **JANUARY)
    shown = {
        (row["code"], row["cells"]["document"]["value"]): row["cells"]["tax"]["value"]
        for row in tree["rows"]
        if "tax" in row["cells"]
    }
    r1 = {code: shown[code, "R-2026-0001"] for code in ("4400", "4300", "3806", "3801")}
    assert r1 == {"4400": "Rate of 19", "4300": "Rate of 7", "3806": "Rate of 19", "3801": "Rate of 7"}
    assert ("1200", "R-2026-0001") not in shown


def test_the_statement_of_alster_says_that_all_is_settled(acme, month):
    path = f"/finance/contacts/{month.contacts['Alster AG']}/statement"
    (block,) = acme.ok("GET", path, params=JANUARY)["blocks"]
    settled = [(line["debit"], line["credit"], line["settled"], line["open"]) for line in block["lines"]]
    assert settled == [
        ("1404.00", "0.00", "1404.00", "0.00"),
        ("0.00", "1190.00", "1190.00", "0.00"),
        ("0.00", "1375.92", "1375.92", "0.00"),
        ("0.00", "28.08", "28.08", "0.00"),
    ]
    assert block["openItems"] == []
    (before,) = acme.ok("GET", path, params={"dateTo": "2026-01-18"})["blocks"]
    assert [(item["number"], item["open"]) for item in before["openItems"]] == [("R-2026-0001", "1404.00")]
