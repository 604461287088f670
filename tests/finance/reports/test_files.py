"""Reports as files: CSV, Excel and PDF."""

import csv
import io
import re

import pytest

from tests.finance.journals.journals import entry
from tests.finance.reports.trees import JANUARY, report, sheet, sheet_xml

PROFIT = "/finance/reports/profit-and-loss"


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    clock_at("2026-02-10T09:00:00Z")


@pytest.fixture
def trading(acme):
    """Sales of 1,250.50 and rent of 300 in January, and an account whose code and name look like formulas."""
    odd = {"code": "0650", "name": "=1+1", "type": "expense", "subtype": "expense"}
    acme.ok("POST", "/finance/accounts", odd)
    entry(acme, "1250.50", day="2026-01-05", debit="1010", credit="4000")
    entry(acme, "300.00", day="2026-01-06", debit="6100", credit="1010")
    entry(acme, "7.25", day="2026-01-07", debit="0650", credit="1010")
    return acme


def fetched(office, format, path=PROFIT, **params):
    answer = office.call("GET", path, params={"format": format, **JANUARY, **params})
    assert answer.status_code == 200, answer.text
    return answer


def test_a_report_is_csv_with_a_row_for_each_heading_line_and_sum(trading):
    answer = fetched(trading, "csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "profit-and-loss-2026-01-01-2026-01-31.csv" in answer.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[0] == ["kind", "level", "code", "Account", "January 2026"]
    assert ["line", "2", "4000", "Sales", "1250.50"] in rows
    assert ["line", "2", "0650", "'=1+1", "7.25"] in rows
    assert rows[-1] == ["sum", "0", "", "Result", "943.25"]


def test_a_csv_may_have_semicolons_and_decimal_commas(trading):
    content = fetched(trading, "csv", separator="semicolon").content
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))
    assert ["line", "2", "4000", "Sales", "1250,50"] in rows
    assert rows[-1][-1] == "943,25"


def test_an_excel_file_has_numbers_and_formulas_that_come_to_the_same(trading):
    answer = fetched(trading, "xlsx", compare="previous_period")
    assert answer.headers["content-type"].endswith("spreadsheetml.sheet")
    rows = sheet(answer.content)
    assert rows[0][0] == "Profit and loss"
    assert rows[2][0] == "1 Jan 2026 to 31 Jan 2026, in EUR"
    assert rows[4][:5] == ["", "Account", "January 2026", "December 2025", "Change"]
    lines = {row[1]: row[2:] for row in rows[5:]}
    assert lines["Sales"] == [1250.5, 0.0, 1250.5, ""]
    assert lines["=1+1"][0] == 7.25
    assert lines["Result"][0] == 943.25
    xml = sheet_xml(answer.content)
    formulas = dict(re.findall(r'<c r="([A-Z]+\d+)"[^>]*><f>([^<]*)</f>', xml))
    places = {row[1]: number for number, row in enumerate(rows, 1)}
    assert formulas[f"C{places['Total: Expenses']}"] == f"SUM(C{places['=1+1']}:C{places['Rent']})"
    assert formulas[f"C{places['Result']}"] == f"C{places['Total: Income']}-C{places['Total: Expenses']}"
    assert formulas[f"E{places['Sales']}"] == f"C{places['Sales']}-D{places['Sales']}"


def test_a_report_is_paper(trading):
    answer = fetched(trading, "pdf")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("media", "start"),
    [
        ("text/csv", b'"kind"'),
        ("application/pdf", b"%PDF-"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"PK"),
    ],
)
def test_the_accept_header_asks_for_a_file_as_well(trading, media, start):
    answer = trading.call("GET", PROFIT, params=JANUARY, headers={"Accept": media})
    assert answer.content.startswith(start)


def test_labels_are_in_the_language_that_is_asked_for_or_the_user_has_chosen(trading):
    assert report(trading, "profit-and-loss", language="de")["title"] == "Gewinn- und Verlustrechnung"
    trading.ok("PATCH", "/auth/me", {"locale": "de"})
    shown = report(trading, "profit-and-loss")
    assert (shown["title"], shown["rows"][-1]["label"]) == ("Gewinn- und Verlustrechnung", "Ergebnis")
    assert report(trading, "profit-and-loss", language="en")["title"] == "Profit and loss"


def test_a_column_names_its_month_or_days_as_the_language_writes_them(trading):
    def labels(**query):
        return [each["label"] for each in report(trading, "profit-and-loss", **query)["columns"]]

    assert labels(**JANUARY) == ["January 2026"]
    assert labels(**JANUARY, language="de") == ["Januar 2026"]
    days = {"dateFrom": "2026-01-02", "dateTo": "2026-02-10"}
    assert labels(**days) == ["2 Jan 2026 – 10 Feb 2026"]
    assert labels(**days, language="de") == ["02.01.2026 – 10.02.2026"]
    assert labels(dateFrom="2026-01-01", dateTo="2026-12-31") == ["2026"]


@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
@pytest.mark.parametrize("name", ["balance-sheet", "trial-balance"])
def test_the_older_reports_are_files_too(trading, name, format):
    path = f"/finance/reports/{name}"
    answer = trading.call("GET", path, params={"format": format, "date": "2026-01-31", "separator": "semicolon"})
    assert answer.status_code == 200
    assert not answer.headers["content-type"].startswith("application/json")
    assert f"{name}-2026-01-0" in answer.headers["content-disposition"] or name == "balance-sheet"
