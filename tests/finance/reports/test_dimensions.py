"""Reports by dimensions: columns that add up to the total, and postings of some values alone."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from erp.finance.books.dimensions.codes import of_text, stored
from erp.finance.reports import dimensions_in
from erp.finance.reports.dimensions_in import Wanted
from tests.finance.books.dimensions import debit, dimension, expense
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import column, report
from tests.projects.projects import plan as project
from tests.refusals import complaint

JANUARY = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}


@pytest.fixture
def analysed(acme):
    """Rent for two cost centres, and wages of one."""
    dimension(acme, "100", "200")
    expense(acme, debit("6100", "900.00", cc="100"), debit("6100", "600.00", cc="200"))
    expense(acme, debit("6000", "2000.00", cc="100"))
    return acme


def results(tree):
    return {each["key"]: column(tree, each["key"]).get("result", "0.00") for each in tree["columns"]}


def test_each_value_has_a_column_and_all_add_up_to_the_total(analysed):
    tree = report(analysed, "profit-and-loss", columns="dimension:cc", **JANUARY)
    assert [each["label"] for each in tree["columns"]] == [
        "100 Team 100",
        "200 Team 200",
        "Without Cost centre",
        "Total",
    ]
    assert results(tree) == {"cc:100": "-2900.00", "cc:200": "-600.00", "without": "0.00", "amount": "-3500.00"}


def test_postings_without_a_value_have_their_own_column(analysed):
    expense(analysed, debit("6200", "50.00"))
    entry(analysed, "70.00", debit="1010", credit="4100")
    assert results(report(analysed, "profit-and-loss", columns="dimension:cc", **JANUARY)) == {
        "cc:100": "-2900.00",
        "cc:200": "-600.00",
        "without": "20.00",
        "amount": "-3480.00",
    }


@pytest.mark.parametrize(
    ("chosen", "figures"),
    [
        ("cc:200", {"cc:200": "-600.00", "amount": "-600.00"}),
        ("cc:200,cc:", {"cc:200": "-600.00", "without": "-50.00", "amount": "-650.00"}),
        ("cc:300", {"amount": "0.00"}),
    ],
)
def test_columns_of_some_values_leave_out_all_other_postings(analysed, chosen, figures):
    (cc,) = analysed.ok("GET", "/finance/dimensions")
    analysed.ok("POST", f"/finance/dimensions/{cc['id']}/values", {"code": "300", "name": "Idle"})
    expense(analysed, debit("6200", "50.00"))
    tree = report(analysed, "profit-and-loss", columns="dimension:cc", dimension=chosen, **JANUARY)
    assert results(tree) == figures


def test_figures_of_a_value_lead_to_the_ledger_that_comes_to_them(analysed):
    expense(analysed, debit("6100", "50.00"))
    tree = report(analysed, "profit-and-loss", columns="dimension:cc", **JANUARY)
    (rent,) = [row for row in tree["rows"] if row["code"] == "6100"]
    for key, amount in (("cc:100", "900.00"), ("cc:200", "600.00"), ("without", "50.00")):
        assert rent["cells"][key]["value"] == amount
        drilled = analysed.ok("GET", rent["cells"][key]["link"].removeprefix("/api/v1"))["rows"]
        assert drilled[-1]["cells"]["debit"]["value"] == amount
        assert [row["code"] for row in drilled if row["kind"] == "section"] == ["6100"]


@pytest.mark.parametrize(("chosen", "linked"), [({"dimension": "cc:100"}, 0), ({}, 4)])
def test_sums_of_some_postings_do_not_lead_to_all_of_their_account(analysed, chosen, linked):
    rows = report(analysed, "general-ledger", accountId="6100", **chosen, **JANUARY)["rows"]
    sums = [row for row in rows if row["label"] in ("Opening balance", "Closing balance")]
    assert sum(bool(cell.get("link")) for row in sums for cell in row["cells"].values()) == linked


@pytest.mark.parametrize(
    ("chosen", "result"),
    [
        ("cc:100", "-2900.00"),
        ("cc:200", "-600.00"),
        ("cc:100,cc:200", "-3500.00"),
        ("cc:", "-7.00"),
        ("cc:200,cc:", "-607.00"),
        ("cc:100,unit:a", "0.00"),
        ("unit:a", "-7.00"),
        ("cc:,unit:a", "-7.00"),
    ],
)
def test_postings_of_some_values_alone(analysed, chosen, result):
    dimension(analysed, "a", code="unit")
    expense(analysed, debit("6200", "7.00", unit="a"))
    assert results(report(analysed, "profit-and-loss", dimension=chosen, **JANUARY)).get("amount") == result
    months = report(analysed, "profit-and-loss", dimension=chosen, columns="month", **JANUARY)
    assert results(months) == {"2026-01": result, "amount": result}
    ledger = report(analysed, "general-ledger", dimension=chosen, cursor="", **JANUARY)
    codes = {row["code"] for row in ledger["rows"] if row["kind"] == "section"} - {"1010"}
    assert bool(codes) == (result != "0.00")


@pytest.mark.parametrize(
    ("chosen", "shown", "german"),
    [
        ("cc:200", "Cost centre: Team 200", "Cost centre: Team 200"),
        ("cc:100,cc:", "Cost centre: Team 100, none", "Cost centre: Team 100, keine"),
        ("cc:100,unit:a", "Cost centre: Team 100; Unit: Team a", "Cost centre: Team 100; Unit: Team a"),
    ],
)
@pytest.mark.parametrize(
    ("name", "title", "titel"),
    [
        ("general-ledger", "General ledger", "Hauptbuch"),
        ("profit-and-loss", "Profit and loss", "Gewinn- und Verlustrechnung"),
    ],
)
def test_a_report_of_some_values_alone_says_so(analysed, name, title, titel, chosen, shown, german):
    dimension(analysed, "a", code="unit")
    assert report(analysed, name, dimension=chosen, **JANUARY)["title"] == f"{title} · {shown}"
    assert report(analysed, name, dimension=chosen, language="de", **JANUARY)["title"] == f"{titel} · {german}"
    assert report(analysed, name, **JANUARY)["title"] == title
    params = {"dimension": chosen, "format": "pdf", **JANUARY}
    answer = analysed.call("GET", f"/finance/reports/{name}", params=params)
    (first, *_) = PdfReader(BytesIO(answer.content)).pages
    assert shown in " ".join(first.extract_text().split())


def test_a_value_includes_all_below_it(analysed):
    (cc,) = analysed.ok("GET", "/finance/dimensions")
    path = f"/finance/dimensions/{cc['id']}/values"
    second = analysed.ok("GET", path)[1]
    analysed.ok("PATCH", f"/finance/dimension-values/{second['id']}", {"parentCode": "100"})
    assert results(report(analysed, "profit-and-loss", dimension="cc:100", **JANUARY))["amount"] == "-3500.00"
    tree = report(analysed, "profit-and-loss", columns="dimension:cc", **JANUARY)
    assert results(tree) == {"cc:100": "-2900.00", "cc:200": "-600.00", "without": "0.00", "amount": "-3500.00"}


def test_values_of_a_project_and_an_earlier_period(analysed):
    harbour = project(analysed)["id"]
    expense(analysed, {**debit("6100", "30.00", cc="100"), "projectId": harbour}, day="2026-02-03")
    expense(analysed, {**debit("6100", "5.00"), "projectId": harbour}, day="2026-02-03")
    february = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"}
    tree = report(analysed, "profit-and-loss", columns="dimension:cc", projectId=harbour, **february)
    assert results(tree) == {"cc:100": "-30.00", "without": "-5.00", "amount": "-35.00"}
    projects = report(analysed, "profit-and-loss", columns="project", dimension="cc:100", **february)
    assert results(projects) == {harbour: "-30.00", "none": "0.00", "amount": "-30.00"}
    compared = report(analysed, "profit-and-loss", dimension="cc:100", compare="previous_period", **february)
    assert (results(compared)["amount"], results(compared)["previous"]) == ("-30.00", "-2900.00")


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"columns": "dimension:xx"}, "columns"),
        ({"dimension": "xx:1"}, "dimension"),
        ({"dimension": "cc:999"}, "dimension"),
    ],
)
def test_unknown_dimensions_and_values_are_refused(analysed, params, field):
    error = analysed.refused("GET", "/finance/reports/profit-and-loss", params=params, status=422)
    assert complaint(error) == (field, "unknown_reference")


TEXTS = [
    stored({code: value for code, value in (("cc", cc), ("unit", unit)) if value})
    for cc in ("", "100", "200", "300")
    for unit in ("", "a")
    if cc or unit
]
PARTS = st.dictionaries(
    st.tuples(st.sampled_from(["rent", "wages"]), st.sampled_from(TEXTS)), st.integers(-(10**9), 10**9)
)
WHOLES = st.dictionaries(st.sampled_from(["rent", "wages", "sales"]), st.integers(-(10**9), 10**9))


@given(PARTS, WHOLES)
def test_the_columns_of_any_postings_add_up_to_each_account(parts, whole):
    completed = dimensions_in.completed(parts, whole)
    everything = Wanted({})
    total = dimensions_in.by_account(completed, everything)
    assert {id: amount for id, amount in total.items() if amount} == {
        id: amount for id, amount in whole.items() if amount
    }
    values = dimensions_in.values_in(completed, everything, "cc")
    columns = [dimensions_in.by_account(completed, everything.only("cc", value)) for value in values]
    for account in total:
        assert sum(column.get(account, 0) for column in columns) == total[account]
    for text in {text for _, text in parts}:
        assert of_text(text).get("cc", "") in values
