"""Profit and loss: columns by month, quarter, year and project, and other days to compare with."""

import pytest

from tests.finance.journals.journals import entry
from tests.finance.reports.trees import column, report

YEAR = {"dateFrom": "2026-01-01", "dateTo": "2026-12-31"}


@pytest.fixture(autouse=True)
def _in_june(clock_at):
    clock_at("2026-06-10T09:00:00Z")


@pytest.fixture
def trading(acme):
    """Sales in four months of two years, and rent once."""
    for amount, day in (("100", "2025-12-31"), ("10", "2026-01-01"), ("20", "2026-01-31"), ("40", "2026-05-15")):
        entry(acme, amount, day=day, debit="1010", credit="4000")
    entry(acme, "7", day="2026-05-20", debit="6100", credit="1010")
    return acme


def columns(tree):
    return [(each["key"], each["dateFrom"], each["dateTo"]) for each in tree["columns"]]


def results(tree):
    return {each["key"]: column(tree, each["key"]).get("result") for each in tree["columns"]}


def test_a_year_by_month_has_a_column_for_each_and_their_total(trading):
    tree = report(trading, "profit-and-loss", columns="month", **YEAR)
    assert len(tree["columns"]) == 13
    assert [each["label"] for each in tree["columns"]][-2:] == ["December 2026", "Total"]
    shown = results(tree)
    assert {key: value for key, value in shown.items() if value != "0.00"} == {
        "2026-01": "30.00",
        "2026-05": "33.00",
        "amount": "63.00",
    }


def test_months_are_cut_to_the_days_that_are_asked_for(trading):
    tree = report(trading, "profit-and-loss", columns="month", dateFrom="2026-01-02", dateTo="2026-02-10")
    assert columns(tree)[:2] == [("2026-01", "2026-01-02", "2026-01-31"), ("2026-02", "2026-02-01", "2026-02-10")]
    assert results(tree) == {"2026-01": "20.00", "2026-02": "0.00", "amount": "20.00"}


def test_quarters_and_years_are_those_of_the_fiscal_year(installation):
    office = installation.office("Fay", fiscalYearStart="04-01")
    entry(office, "10", day="2026-03-31", debit="1010", credit="4000")
    entry(office, "20", day="2026-04-01", debit="1010", credit="4000")
    tree = report(office, "profit-and-loss", columns="quarter", dateFrom="2026-01-01", dateTo="2026-06-30")
    assert columns(tree)[:2] == [("2026 Q4", "2026-01-01", "2026-03-31"), ("2027 Q1", "2026-04-01", "2026-06-30")]
    assert results(tree) == {"2026 Q4": "10.00", "2027 Q1": "20.00", "amount": "30.00"}
    years = report(office, "profit-and-loss", columns="year", dateFrom="2026-01-01", dateTo="2026-06-30")
    assert results(years) == {"2026": "10.00", "2027": "20.00", "amount": "30.00"}


@pytest.mark.parametrize(
    ("params", "days", "amounts"),
    [
        ({"compare": "previous_year"}, ("2025-01-01", "2025-12-31"), ("63.00", "100.00", "-37.00", "-37.00")),
        ({"compare": "previous_period"}, ("2025-01-01", "2025-12-31"), ("63.00", "100.00", "-37.00", "-37.00")),
        (
            {"compare": "previous_period", "dateFrom": "2026-02-01", "dateTo": "2026-02-28"},
            ("2026-01-01", "2026-01-31"),
            ("0.00", "30.00", "-30.00", "-100.00"),
        ),
        (
            {"compare": "previous_period", "dateFrom": "2026-01-01", "dateTo": "2026-01-10"},
            ("2025-12-22", "2025-12-31"),
            ("10.00", "100.00", "-90.00", "-90.00"),
        ),
        (
            {"compareFrom": "2026-05-01", "compareTo": "2026-05-16", "dateTo": "2026-01-31"},
            ("2026-05-01", "2026-05-16"),
            ("30.00", "40.00", "-10.00", "-25.00"),
        ),
    ],
)
def test_days_are_compared_with_others(trading, params, days, amounts):
    tree = report(trading, "profit-and-loss", **{**YEAR, **params})
    assert ("previous", *days) in columns(tree)
    assert tuple(results(tree)[key] for key in ("amount", "previous", "change")) == amounts[:3]
    assert column(tree, "change_percent")["result"] == amounts[3]


def test_projects_have_their_own_columns(trading):
    harbour, tower = (trading.ok("POST", "/projects", {"name": name}) for name in ("Harbour", "Tower"))
    for project, debit, credit in ((harbour, "90", None), (tower, "50", None), (harbour, None, "5")):
        amount = debit or credit
        accounts = ("1010", "4000") if debit else ("6100", "1010")
        legs = [
            {"accountId": accounts[0], "debit": amount, "projectId": project["id"]},
            {"accountId": accounts[1], "credit": amount, "projectId": project["id"]},
        ]
        trading.ok("POST", "/finance/journals", {"date": "2026-02-02", "description": "Work", "lines": legs})
    tree = report(trading, "profit-and-loss", columns="project", **YEAR)
    expected = {harbour["id"]: "85.00", tower["id"]: "50.00", "none": "63.00", "amount": "198.00"}
    assert results(tree) == expected
    for column_key, code in ((harbour["id"], "6100"), ("none", "4000")):
        row = next(row for row in tree["rows"] if row["code"] == code)
        cell = row["cells"][column_key]
        drilled = trading.ok("GET", cell["link"].removeprefix("/api/v1"))["rows"][-1]["cells"]
        assert cell["value"] in (drilled["debit"]["value"], drilled["credit"]["value"])
    one = report(trading, "profit-and-loss", projectId=harbour["code"], columns="month", **YEAR)
    assert (results(one)["2026-02"], results(one)["amount"]) == ("85.00", "85.00")
    two = report(trading, "profit-and-loss", projectId=tower["id"], compare="previous_year", **YEAR)
    assert (results(two)["amount"], results(two)["previous"]) == ("50.00", "0.00")


def test_every_figure_leads_to_the_ledger_that_comes_to_it(trading):
    tree = report(trading, "profit-and-loss", columns="month", **YEAR)
    row = next(row for row in tree["rows"] if row["code"] == "4000")
    for key in ("2026-01", "2026-05"):
        ledger = trading.ok("GET", row["cells"][key]["link"].removeprefix("/api/v1"))
        assert ledger["closing"] == {"2026-01": "30.00", "2026-05": "70.00"}[key]
        assert sum(float(each["credit"]) for each in ledger["rows"]) == float(row["cells"][key]["value"])


def test_months_that_were_taken_over_are_compared_with(installation):
    """The program before had sales of 900.00 in 2025: of 300.00 in its first two months, 100.00 in January."""
    office = installation.office("Tom")
    months = [
        {"accountId": "4000", "month": month, "credit": credit}
        for month, credit in (("2025-01", "100"), ("2025-02", "300"), ("2025-12", "900"))
    ]
    lines = [{"accountId": "1010", "debit": "300"}, {"accountId": "3000", "credit": "300"}]
    office.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "lines": lines, "months": months})
    entry(office, "250", day="2026-02-03", debit="1010", credit="4000")
    february = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"}
    tree = report(office, "profit-and-loss", compare="previous_year", **february)
    assert (column(tree)["result"], column(tree, "previous")["result"]) == ("250.00", "200.00")
    year = report(office, "profit-and-loss", compareFrom="2025-01-01", compareTo="2025-12-31")
    assert column(year, "previous")["result"] == "900.00"


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"dateFrom": "2026-02-01", "dateTo": "2026-01-31"}, "dateTo"),
        ({"compareFrom": "2026-02-01"}, "compareTo"),
        ({"compareFrom": "2026-02-01", "compareTo": "2026-01-01"}, "compareTo"),
        ({"columns": "month", "dateFrom": "2020-01-01", "dateTo": "2026-01-01"}, "columns"),
        ({"columns": "week"}, "columns"),
    ],
)
def test_days_that_make_no_sense_are_refused(trading, params, text):
    answer = trading.call("GET", "/finance/reports/profit-and-loss", params=params)
    assert answer.status_code == 400
    assert text in answer.json["error"]["message"]
