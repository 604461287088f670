"""The margin of projects: income, less time and expenses; for managers as sums of several people."""

from typing import Any

import pytest

from tests.desk.privacy.people import sign_in
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice, line
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import cells, column, labelled, report, sheet
from tests.hr.employees.employees import hire
from tests.hr.expenses.claims import posted, receipt
from tests.tasks.tasks import add, project
from tests.tasks.time.time_logs import log

FORTY = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)
MARCH = {"dateFrom": "2026-03-01", "dateTo": "2026-03-31"}
DAYS = "dateFrom=2026-03-01&dateTo=2026-03-31"
UNTAXED: dict[str, Any] = {"taxRateId": None}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-31T09:00:00Z")


def employed(office, person, name, **fields):
    pay = {"payType": "salary", "amount": "4000.00", "frequency": "monthly"}
    person.employee = hire(office, name=name, userId=person.user["id"], workSchedule=FORTY, compensation=pay, **fields)
    rate = {"from": "2026-01-01", "method": "from_pay", "employerPercent": "21"}
    office.ok("POST", f"/hr/employees/{person.employee['id']}/cost-rates", rate)
    return person


@pytest.fixture
def mia(acme):
    return employed(acme, acme.colleague("member"), "Mia")


@pytest.fixture
def heron(acme):
    return customer(acme, "Heron")


@pytest.fixture
def site(acme, heron):
    """A project that is billed by the hour, and a task of it in `task`."""
    made = project(acme, "Site", code="SITE", customerId=heron["id"], billing="hourly", hourlyRate="90.00")
    return {**made, "task": add(acme, "Pages", projectId=made["id"])}


@pytest.fixture
def trade(acme, mia, site):
    """12.5 hours, an invoice of 1,200.00, a bill of 150.00 and a claim of 70.00."""
    log(mia, site["task"], 720, date="2026-03-09")
    log(mia, site["task"], 30, date="2026-03-10", isBillable=False)
    invoice(acme, line("1200.00", projectId=site["id"], **UNTAXED), issueDate="2026-03-20")
    bill(acme, line("150.00", projectId=site["id"], **UNTAXED), issueDate="2026-03-12")
    posted(mia, acme, receipt("70.00", projectId=site["id"]), title="Linz")
    return site


def margins(office, **params):
    return report(office, "project-margin", **{**MARCH, **params})


WORTH = {
    "minutes": "750",
    "billable_minutes": "720",
    "income": "1200.00",
    "unbilled": "1080.00",
    "time_cost": "349.00",
    "expenses": "220.00",
    "margin": "631.00",
    "margin_percent": "52.58",
}


def of_march(row):
    return {key: value for key, value in row.items() if not key.startswith("previous_")}


def test_a_project_earns_its_income_less_time_and_expenses(acme, trade):
    tree = margins(acme)
    assert of_march(labelled(tree, "SITE Site")) == WORTH
    assert of_march(labelled(tree, "Total")) == WORTH
    assert [column["key"] for column in tree["columns"]][:8] == list(WORTH)


def test_the_days_before_stand_beside_it(acme, trade):
    tree = margins(acme, dateFrom="2026-04-01", dateTo="2026-04-30")
    assert labelled(tree, "SITE Site") == {
        **dict.fromkeys(("income", "unbilled", "time_cost", "expenses", "margin"), "0.00"),
        **dict.fromkeys(("minutes", "billable_minutes"), "0"),
        **{f"previous_{key}": value for key, value in WORTH.items()},
    }
    (before,) = [column for column in tree["columns"] if column["key"] == "previous_margin"]
    assert (before["dateFrom"], before["dateTo"], before["label"]) == ("2026-03-01", "2026-03-31", "Margin (previous)")


def test_each_figure_leads_to_what_it_is_made_of(acme, trade):
    (row,) = [row for row in margins(acme)["rows"] if row["label"] == "SITE Site"]
    time = f"/api/v1/tasks/time-logs?projectId={trade['id']}&{DAYS}"
    books = f"/api/v1/finance/reports/profit-and-loss?projectId={trade['id']}&{DAYS}"
    links = {key: cell["link"] for key, cell in row["cells"].items() if "link" in cell}
    assert {key: link for key, link in links.items() if not key.startswith("previous_")} == {
        "minutes": time,
        "billable_minutes": f"{time}&isBillable=true",
        "unbilled": f"{time}&isBillable=true&isInvoiced=false",
        "time_cost": time,
        "income": books,
        "expenses": books,
    }
    assert row["link"] == f"/api/v1/projects/{trade['id']}"
    for link in links.values():
        acme.ok("GET", link.removeprefix("/api/v1"))
    assert [shown["minutes"] for shown in acme.ok("GET", links["unbilled"].removeprefix("/api/v1"))] == [720]


def test_payroll_accounts_are_left_out_since_time_counts_them(acme, trade):
    for account, amount in (("6000", "500"), ("6100", "10")):
        lines = [{"accountId": account, "debit": amount, "projectId": trade["id"]}]
        entry(acme, day="2026-03-30", lines=[*lines, {"accountId": "1010", "credit": amount}])
    assert column(margins(acme), "expenses")["total"] == "230.00"


def test_customers_have_the_sum_of_their_projects(acme, trade, heron, mia):
    other = project(acme, "Own", code="OWN")
    log(mia, add(acme, "Plan", projectId=other["id"]), 60, date="2026-03-11")
    tree = margins(acme, groupBy="customer")
    assert of_march(labelled(tree, "Heron")) == WORTH
    assert labelled(tree, "Without a customer")["margin"] == "-27.92"
    (row,) = [row for row in tree["rows"] if row["label"] == "Heron"]
    assert row["cells"]["margin"]["value"] == "631.00"
    assert row["cells"]["income"]["link"] == (f"/api/v1/finance/reports/project-margin?customerId={heron['id']}&{DAYS}")
    assert [row["label"] for row in margins(acme, customerId=heron["id"])["rows"]] == ["SITE Site", "Total"]
    assert [row["label"] for row in margins(acme, projectId="OWN")["rows"]] == ["OWN Own", "Total"]


def test_people_have_the_billed_share_of_their_time_and_no_expenses(acme, trade, mia):
    draft = acme.ok("POST", "/finance/invoices/from-time-logs", {"projectId": trade["id"], "includeExpenses": False})
    tree = margins(acme, groupBy="user")
    assert labelled(tree, mia.user["name"])["income"] == "0.00"
    acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    tree = margins(acme, groupBy="user")
    assert of_march(labelled(tree, mia.user["name"])) == {
        "minutes": "750",
        "billable_minutes": "720",
        "income": "1080.00",
        "unbilled": "0.00",
        "time_cost": "349.00",
        "margin": "731.00",
        "margin_percent": "67.69",
    }


def test_approved_time_keeps_its_cost_in_the_margin(acme, trade, mia):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    mia.ok("POST", "/tasks/time-weeks/2026-03-09/submit", {})
    acme.ok("POST", "/tasks/time-weeks/2026-03-09/approve", {"userId": mia.user["id"]})
    rate = {"from": "2026-03-10", "method": "given", "hourlyCost": "100.00"}
    acme.ok("POST", f"/hr/employees/{mia.employee['id']}/cost-rates", rate)
    log(mia, trade["task"], 60, date="2026-03-16")
    assert column(margins(acme), "time_cost")["total"] == "449.00"


def test_files_show_hours_and_leave_figures_to_formulas(acme, trade):
    file = acme.call("GET", "/finance/reports/project-margin", params={**MARCH, "format": "xlsx"})
    rows = sheet(file.content)
    (row,) = [row for row in rows if row[1] == "SITE Site"]
    assert row[4:10] == [1200.0, 1080.0, 349.0, 220.0, 631.0, 0.5258]
    lines = acme.call("GET", "/finance/reports/project-margin", params={**MARCH, "format": "csv"}).text.splitlines()
    assert lines[1].startswith('"line",1,,"SITE Site",750,720,1200.00,1080.00,349.00,220.00,631.00,52.58,')
    paper = acme.call("GET", "/finance/reports/project-margin", params={**MARCH, "format": "pdf"})
    assert paper.content.startswith(b"%PDF")


def test_readers_of_the_books_see_no_cost_without_the_right(acme, trade):
    tree = margins(acme.colleague("viewer"))
    assert cells(tree["rows"][0]).keys() & {"time_cost", "margin", "margin_percent"} == set()
    assert labelled(tree, "SITE Site")["income"] == "1200.00"
    assert column(margins(acme.colleague("accountant")), "margin")["total"] == "631.00"


def let_managers(office):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"managersSeeMargin": True})


def refused(office, **params):
    office.refused("GET", "/finance/reports/project-margin", params={**MARCH, **params}, status=403, code="forbidden")


def test_managers_see_margins_only_with_the_setting_and_of_projects_alone(acme, trade):
    manager = acme.colleague("manager")
    refused(manager)
    let_managers(acme)
    margins(manager)
    for group_by in ("customer", "user"):
        refused(manager, groupBy=group_by)
    refused(acme.colleague("viewer"), groupBy="user")


COSTS = ("time_cost", "margin", "margin_percent")


def hidden(why):
    return {key: {"value": None, "why": why} for key in COSTS}


def costs(office, **params):
    """The cells of the project's costs."""
    (row,) = [row for row in margins(office, **params)["rows"] if row["key"] != "total"]
    return {key: row["cells"][key] for key in COSTS}


@pytest.fixture
def three(acme, trade, clock_at):
    """A manager, with whom two others worked on the project in March; it is May."""
    let_managers(acme)
    manager, second = acme.colleague("manager"), employed(acme, acme.colleague("admin"), "Ada")
    for person in (employed(acme, manager, "Max"), second, acme):  # the owner has no cost rate, and so is of no help
        log(person, trade["task"], 60, date="2026-03-11")
    clock_at("2026-05-01T09:00:00Z")
    sign_in(acme)
    sign_in(manager)
    return manager


def test_managers_see_a_sum_of_three_people_and_none_of_two(acme, trade, three):
    tree = margins(three)
    assert (column(tree, "time_cost")["total"], column(tree, "margin")["total"]) == ("404.84", "575.16")
    csv = three.call("GET", "/finance/reports/project-margin", params={**MARCH, "format": "csv"}).text
    assert ",404.84,220.00,575.16," in csv
    (row,) = acme.ok("GET", "/tasks/time-logs", params={"userId": three.user["id"]})
    acme.ok("DELETE", f"/tasks/time-logs/{row['id']}")
    for row in margins(three)["rows"]:
        assert {key: row["cells"][key] for key in COSTS} == hidden("too_few_people")
        assert row["cells"]["income"]["value"] == "1200.00"


def test_managers_cannot_tell_a_person_by_two_ranges(acme, trade, three):
    """Only of whole months that are over, each with three people: no two of them differ by fewer."""
    log(acme, trade["task"], 60, date="2026-05-01")
    for last in ("2026-03-30", "2026-05-01", "2026-05-31"):
        assert costs(three, dateTo=last) == hidden("not_whole_months")
    assert costs(three, dateFrom="2026-03-02") == hidden("not_whole_months")
    assert costs(three, dateTo="2026-04-30")["time_cost"]["value"] == "404.84"  # nobody worked in April
    assert costs(acme, dateTo="2026-05-01")["time_cost"]["value"] == "404.84"
    then = {"dateFrom": "2026-04-01", "dateTo": "2026-04-30", "compareFrom": "2026-03-01", "compareTo": "2026-03-30"}
    (row, _) = margins(three, **then)["rows"]
    assert row["cells"]["previous_time_cost"] == {"value": None, "why": "not_whole_months"}
    log(employed(acme, acme.colleague("member"), "Olga"), trade["task"], 60, date="2026-04-01")
    assert costs(three, dateTo="2026-04-30") == hidden("too_few_people")


def test_the_proof_is_the_same_for_whoever_may_read_the_margin(acme, trade, three):
    readers = [acme, three, acme.colleague("viewer"), acme.colleague("accountant")]
    proofs = [margins(reader)["proof"] for reader in readers]
    assert len({proof["contentHash"] for proof in proofs}) == 1
    proof = {name: proofs[0][name] for name in proofs[0] if name != "madeAt"}
    bill(acme, line("1.00", projectId=trade["id"], **UNTAXED), issueDate="2026-03-12")
    for reader in readers:
        verdict = reader.ok("POST", "/finance/reports/verify", proof)
        assert (verdict["isChainIntact"], verdict["isSame"]) == (True, False)
        assert len(verdict["changes"]) == (0 if reader is three else 1)
        assert reader.ok(
            "POST", "/finance/reports/verify", proof | {"contentHash": margins(acme)["proof"]["contentHash"]}
        )["isSame"]
    books = {**proof, "report": "profit-and-loss"}
    three.refused("POST", "/finance/reports/verify", books, status=403, code="forbidden")
