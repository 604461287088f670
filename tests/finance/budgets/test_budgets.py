"""Budgets: planned income and expenses, and their comparison with the books."""

import pytest

from tests.events import events_of
from tests.finance.books.dimensions import debit, dimension, expense
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import cells, labelled, report, sheet, sheet_xml
from tests.projects.projects import plan as project
from tests.refusals import complaint, complaints

EVEN = ["833.34"] * 4 + ["833.33"] * 8
JANUARY = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}


def budget(office, lines, **fields):
    return office.ok("POST", "/finance/budgets", {"year": 2026, "name": "Plan", "lines": lines, **fields})


def refused(office, **fields):
    body = {"year": 2026, "name": "Plan", **fields}
    return complaints(office.refused("POST", "/finance/budgets", body, status=422))


def row(tree, code):
    """The values of an account, from the first column to the last."""
    (found,) = [each for each in tree["rows"] if each["code"] == code]
    return [cells(found).get(column["key"]) for column in tree["columns"]]


def test_the_amount_of_a_year_is_spread_over_its_months_to_the_cent(acme):
    made = budget(acme, [{"accountId": "6100", "year": "10000.00"}])
    (line,) = made["lines"]
    assert (line["months"], line["year"], line["isEven"]) == (EVEN, "10000.00", True)
    assert (line["accountCode"], line["projectId"], made["currency"]) == ("6100", None, "EUR")
    assert acme.ok("GET", f"/finance/budgets/{made['id']}") == made
    assert events_of(acme, made["id"]) == ["budget.created"]


def test_the_account_of_a_budget_stays_income_or_an_expense(acme):
    (line,) = budget(acme, [{"accountId": "6100", "year": "12.00"}])["lines"]
    change = {"type": "asset", "subtype": "current_asset"}
    acme.refused("PATCH", f"/finance/accounts/{line['accountId']}", change, status=409, code="in_use")


def test_months_are_kept_as_they_are_sent(acme):
    months = [f"{number}.50" for number in range(12)]
    (line,) = budget(acme, [{"accountId": "4000", "months": months}])["lines"]
    assert (line["months"], line["year"], line["isEven"]) == (months, "72.00", False)


def test_a_line_names_its_project_by_id_or_code(acme):
    website = project(acme)
    lines = [
        {"accountId": "6100", "projectId": website["code"], "year": "12"},
        {"accountId": "6100", "year": "24"},
    ]
    first, second = budget(acme, lines)["lines"]
    assert (first["projectId"], first["projectCode"], first["year"]) == (website["id"], website["code"], "12.00")
    assert (second["projectId"], second["year"]) == (None, "24.00")


def test_every_wrong_line_is_told_at_once(acme):
    lines = [
        {"accountId": "6100", "year": "1.005"},
        {"accountId": "6100", "year": "5"},
        {"accountId": "1010", "year": "5"},
        {"accountId": "9999", "year": "5"},
        {"accountId": "4000", "projectId": "nothing", "year": "5"},
    ]
    assert refused(acme, lines=lines) == {
        "lines[0].year": "too_many_decimals",
        "lines[1].accountId": "duplicate",
        "lines[2].accountId": "unsuitable_account",
        "lines[3].accountId": "unknown_reference",
        "lines[4].projectId": "unknown_reference",
    }
    assert acme.ok("GET", "/finance/budgets") == []


@pytest.mark.parametrize(
    ("line", "field", "code"),
    [
        ({}, "lines[0].year", "exactly_one"),
        ({"year": "1", "months": ["1"] * 12}, "lines[0].year", "exactly_one"),
        ({"months": ["1"] * 11}, "lines[0].months", "too_few"),
        ({"year": "-1"}, "lines[0].year", "negative"),
    ],
)
def test_a_line_has_either_a_year_or_twelve_months_none_below_zero(acme, line, field, code):
    assert refused(acme, lines=[{"accountId": "6100", **line}]) == {field: code}


def test_a_name_is_used_once_a_year(acme):
    budget(acme, [])
    body = {"year": 2026, "name": "Plan"}
    assert complaint(acme.refused("POST", "/finance/budgets", body, status=409)) == ("name", "already_exists")
    budget(acme, [], year=2027)
    other = budget(acme, [], name="Other")
    acme.refused("PATCH", f"/finance/budgets/{other['id']}", {"name": "Plan"}, status=409, code="already_exists")


def test_new_lines_replace_all_lines(acme):
    made = budget(acme, [{"accountId": "6100", "year": "12"}, {"accountId": "4000", "year": "24"}])
    path = f"/finance/budgets/{made['id']}"
    renamed = acme.ok("PATCH", path, {"name": "Later"})
    assert (renamed["name"], renamed["lines"]) == ("Later", made["lines"])
    changed = acme.ok("PATCH", path, {"lines": [{"accountId": "6300", "year": "36"}]}, headers={"If-Match": '"2"'})
    assert [(line["accountCode"], line["year"]) for line in changed["lines"]] == [("6300", "36.00")]
    acme.refused("PATCH", path, {"lines": []}, status=412, code="version_mismatch", headers={"If-Match": '"2"'})
    assert events_of(acme, made["id"]) == ["budget.created", "budget.updated", "budget.updated"]


def test_an_account_with_a_budget_is_not_deleted_and_both_go_in_turn(acme):
    account = acme.ok(
        "POST",
        "/finance/accounts",
        {"code": "6999", "name": "Fairs", "type": "expense", "subtype": "expense"},
    )
    made = budget(acme, [{"accountId": "6999", "year": "12"}])
    acme.refused("DELETE", f"/finance/accounts/{account['id']}", status=409, code="in_use")
    acme.ok("DELETE", f"/finance/budgets/{made['id']}")
    acme.refused("GET", f"/finance/budgets/{made['id']}", status=404)
    acme.ok("DELETE", f"/finance/accounts/{account['id']}")


def test_a_copy_is_raised_month_by_month(acme):
    made = budget(acme, [{"accountId": "6100", "year": "10000.00"}])
    copy = acme.ok("POST", f"/finance/budgets/{made['id']}/copy", {"year": 2027, "percent": "2.5"})
    assert (copy["year"], copy["name"]) == (2027, "Plan")
    assert copy["lines"][0]["months"] == ["854.17"] * 4 + ["854.16"] * 8
    lower = acme.ok("POST", f"/finance/budgets/{made['id']}/copy", {"year": 2028, "percent": "-50"})
    assert lower["lines"][0]["months"] == ["416.67"] * 12
    same = {"year": 2026}
    acme.refused("POST", f"/finance/budgets/{made['id']}/copy", same, status=409, code="already_exists")


def test_a_copy_is_not_raised_beyond_the_largest_amount(acme):
    made = budget(acme, [{"accountId": "6100", "months": ["9090909090909.09"] + ["0"] * 11}])
    path = f"/finance/budgets/{made['id']}/copy"
    raised = acme.ok("POST", path, {"year": 2027, "percent": "1000"})
    assert raised["lines"][0]["months"][0] == "99999999999999.99"
    most = [{"accountId": "6100", "months": ["9090909090909.10"] + ["0"] * 11}]
    acme.ok("PATCH", f"/finance/budgets/{made['id']}", {"lines": most})
    refusal = acme.refused("POST", path, {"year": 2028, "percent": "1000"}, status=422)
    assert complaint(refusal) == ("percent", "too_large")


def test_budgets_are_listed_by_year(acme):
    for year in (2025, 2027, 2026):
        budget(acme, [], year=year)
    assert [each["year"] for each in acme.ok("GET", "/finance/budgets")] == [2027, 2026, 2025]
    assert [each["year"] for each in acme.ok("GET", "/finance/budgets", params={"year": "2026"})] == [2026]


def test_a_budget_is_imported_from_a_spreadsheet(acme):
    website = project(acme)
    months = ",".join(f"{number:02}" for number in range(1, 13))
    table = f"account,project,year,{months}\n6100,,10000,\n4000,{website['code']},,{','.join(['1'] * 11)},\n"
    body = {"year": 2026, "name": "Plan", "csv": table}
    assert acme.ok("POST", "/finance/budgets/import", body | {"dryRun": True}) == {"rows": 2, "dryRun": True}
    assert acme.ok("GET", "/finance/budgets") == []
    assert acme.ok("POST", "/finance/budgets/import", body) == {"rows": 2, "dryRun": False}
    (listed,) = acme.ok("GET", "/finance/budgets")
    rent, sales = acme.ok("GET", f"/finance/budgets/{listed['id']}")["lines"]
    assert rent["months"] == EVEN
    assert (sales["projectCode"], sales["months"]) == (website["code"], ["1.00"] * 11 + ["0.00"])


def test_a_wrong_spreadsheet_is_told_by_its_rows(acme):
    table = "account,year,02\n6100,5,\n1010,5,\n6300,5,5\n6400,,1.005\n"
    error = acme.refused("POST", "/finance/budgets/import", {"year": 2026, "name": "Plan", "csv": table}, status=422)
    assert complaints(error) == {"rows[4].year": "exactly_one"}
    table = "account,year,02\n6100,5,\n1010,5,\n6400,,1.005\n"
    error = acme.refused("POST", "/finance/budgets/import", {"year": 2026, "name": "Plan", "csv": table}, status=422)
    assert complaints(error) == {"rows[3].account": "unsuitable_account", "rows[4].02": "too_many_decimals"}
    assert acme.ok("GET", "/finance/budgets") == []


@pytest.fixture
def january(acme, clock_at):
    """An office with a plan, and a January that was better and worse."""
    clock_at("2026-03-10T09:00:00Z")
    entry(acme, "1500.00", day="2026-01-05", debit="6100", credit="1010")
    entry(acme, "150.00", day="2026-01-08", debit="6300", credit="1010")
    entry(acme, "5296.00", day="2026-01-20", debit="1010", credit="4000")
    plan = budget(
        acme,
        [
            {"accountId": "6100", "year": "18000.00"},
            {"accountId": "6300", "year": "1440.00"},
            {"accountId": "4000", "months": ["5000.00", *["0.00"] * 11]},
            {"accountId": "6400", "year": "120.00"},
        ],
    )
    return acme, plan["id"]


def test_profit_and_loss_compares_a_month_with_its_budget(january):
    acme, plan = january
    tree = report(acme, "profit-and-loss", budgetId=plan, **JANUARY)
    assert [each["key"] for each in tree["columns"]] == [
        "amount",
        "budget",
        "difference",
        "percent",
        "year_budget",
        "rest",
    ]
    assert row(tree, "6100") == ["1500.00", "1500.00", "0.00", "100.00", "18000.00", "16500.00"]
    assert row(tree, "6300") == ["150.00", "120.00", "-30.00", "125.00", "1440.00", "1290.00"]
    assert row(tree, "4000") == ["5296.00", "5000.00", "296.00", "105.92", "5000.00", "-296.00"]
    assert row(tree, "6400") == ["0.00", "10.00", "10.00", "0.00", "120.00", "120.00"]
    result = labelled(tree, "Result")
    assert (result["amount"], result["budget"], result["difference"]) == ("3646.00", "3370.00", "276.00")
    spent = labelled(tree, "Total: Expenses")
    assert (spent["amount"], spent["budget"], spent["difference"]) == ("1650.00", "1630.00", "-20.00")


def test_the_days_of_a_budget_count_whole_months(january):
    acme, plan = january
    tree = report(acme, "profit-and-loss", budgetId=plan, dateFrom="2026-01-01", dateTo="2026-02-01")
    assert row(tree, "6300")[1] == "240.00"


def test_the_spreadsheet_computes_the_difference_the_same_way(january):
    acme, plan = january
    answer = acme.call(
        "GET", "/finance/reports/profit-and-loss", params={"budgetId": plan, "format": "xlsx", **JANUARY}
    )
    rows = {line[0]: line[2:] for line in sheet(answer.content) if line[0]}
    assert rows["6300"] == [150.0, 120.0, -30.0, 1.25, 1440.0, 1290.0]
    assert rows["4000"][:3] == [5296.0, 5000.0, 296.0]
    number = [line[0] for line in sheet(answer.content)].index("6300") + 1
    assert f"<f>D{number}-C{number}</f>" in sheet_xml(answer.content)


def test_a_budget_of_a_project_is_compared_with_its_postings(acme, clock_at):
    clock_at("2026-03-10T09:00:00Z")
    website = project(acme)
    entry(
        acme,
        "70.00",
        day="2026-01-05",
        lines=[
            {"accountId": "6100", "debit": "70.00", "projectId": website["id"]},
            {"accountId": "1010", "credit": "70.00"},
        ],
    )
    entry(acme, "500.00", day="2026-01-06", debit="6100", credit="1010")
    lines = [
        {"accountId": "6100", "projectId": website["id"], "year": "1200"},
        {"accountId": "6100", "year": "6000"},
    ]
    plan = budget(acme, lines)["id"]
    alone = report(acme, "profit-and-loss", budgetId=plan, projectId=website["id"], **JANUARY)
    assert row(alone, "6100")[:3] == ["70.00", "100.00", "30.00"]
    whole = report(acme, "profit-and-loss", budgetId=plan, **JANUARY)
    assert row(whole, "6100")[:3] == ["570.00", "600.00", "30.00"]


def test_a_budget_is_compared_only_with_the_total_of_its_own_year(acme):
    plan = budget(acme, [])["id"]

    def refused(status, **params):
        params = {"budgetId": plan, **JANUARY, **params}
        return acme.refused("GET", "/finance/reports/profit-and-loss", params=params, status=status)

    assert "1 Jan 2026 to 31 Dec 2026" in refused(400, dateFrom="2025-12-31")["message"]
    assert complaint(refused(400, columns="month")) == ("columns", "not_with_budget")
    assert complaint(refused(422, budgetId="nothing")) == ("budgetId", "unknown_reference")


def test_a_fiscal_year_that_begins_in_july_has_its_own_first_month(installation):
    office = installation.office("Fay", fiscalYearStart="07-01")
    plan = budget(office, [{"accountId": "6100", "months": ["5.00", *["0.00"] * 11]}])["id"]
    tree = report(office, "profit-and-loss", budgetId=plan, dateFrom="2025-07-01", dateTo="2025-07-31")
    assert row(tree, "6100")[1] == "5.00"


def test_a_table_can_be_the_body_itself(acme):
    answer = acme.call(
        "POST",
        "/finance/budgets/import",
        params={"year": "2026", "name": "Plan"},
        headers={"Content-Type": "text/csv"},
        raw="account,year\n6100,1200\n",
    )
    assert (answer.status_code, answer.json["data"]) == (200, {"rows": 1, "dryRun": False})


def test_an_amount_with_a_comma_is_not_cut(acme):
    """1,50 without quotes is two cells; the budget is not of 1."""
    body = {"year": 2026, "name": "Plan", "csv": "account,year\n6100,1,50\n"}
    refusal = acme.refused("POST", "/finance/budgets/import", body, status=422)
    assert complaint(refusal) == ("csv", "wrong_row")


def test_a_budget_plans_values_of_dimensions(acme, clock_at):
    clock_at("2026-06-10T09:00:00Z")
    dimension(acme, "100", "200")
    line = {"accountId": "6100", "year": "1200.00"}
    made = budget(acme, [{**line, "dimensions": {"cc": value}} for value in ("100", "200")])
    assert [each["dimensions"] for each in made["lines"]] == [{"cc": "100"}, {"cc": "200"}]
    expense(acme, debit("6100", "150.00", cc="100"))
    for chosen, planned in (({"dimension": "cc:100"}, "100.00"), ({}, "200.00"), ({"dimension": "cc:"}, None)):
        tree = report(acme, "profit-and-loss", budgetId=made["id"], **chosen, **JANUARY)
        assert [cells(each).get("budget") for each in tree["rows"] if each["code"] == "6100"] == [planned] * bool(
            planned
        )
    twice = [{**line, "dimensions": {"cc": "100"}}] * 2
    assert refused(acme, name="Twice", lines=twice) == {"lines[1].accountId": "duplicate"}
    assert refused(acme, name="X", lines=[{**line, "dimensions": {"cc": "9"}}]) == {
        "lines[0].dimensions.cc": "unknown_reference"
    }
