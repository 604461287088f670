"""The made-up company as a visitor sees it, on the last day of a long month."""

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import timedelta

import pytest

from erp.demo import scenario
from erp.system.checks import files as checking
from erp.web.client import Client, RequestRefused
from tests.conftest import IS_THOROUGH
from tests.demo.company import made_on, minor

DAY = "2026-03-31T12:00:00+00:00"
REQUESTS_MOST = 1500

ELSEWHERE = """
import json, sys
from pathlib import Path
import pytest
from tests.demo.company import made_on, minor
with pytest.MonkeyPatch.context() as patch:
    print(json.dumps(made_on(sys.argv[1], Path(sys.argv[2]), patch).figures()))
"""


@pytest.fixture(scope="module")
def asked():
    """Counts the requests that create the company."""
    return Counter()


@pytest.fixture(scope="module")
def company(tmp_path_factory, asked):
    with pytest.MonkeyPatch.context() as patch:
        call = Client._call

        def counted(self, *what):
            asked["requests"] += 1
            return call(self, *what)

        with pytest.MonkeyPatch.context() as counting:
            counting.setattr(Client, "_call", counted)
            company = made_on(DAY, tmp_path_factory.mktemp("demo"), patch)
        yield company


def test_it_takes_only_as_many_requests_as_fit_into_a_few_seconds(company, asked):
    assert 500 < asked["requests"] <= REQUESTS_MOST


def test_the_books_balance_and_the_event_chain_is_complete(company):
    for day in company.month_ends():
        assert sum(company.balances(day).values()) == 0
        assert company.owner.get(f"/finance/reports/balance-sheet?date={day}")["isBalanced"]
    assert company.owner.get("/workspace/events/verify")["isValid"]


def test_its_file_is_sound_and_every_row_is_as_its_events_recorded_it(company):
    (books,) = company.folder.glob("workspaces/*.db")
    assert checking.workspace_file(books).findings == []


def test_the_company_earns_a_little_and_can_always_pay(company):
    by_month = [company.balances(day) for day in company.month_ends()]
    assert min(balances["1010"] for balances in by_month) > 2_000_000
    now = by_month[-1]
    ends = zip(company.month_ends(), by_month, strict=True)
    years = [balances for day, balances in ends if day.month == 12 or day == company.month_ends()[-1]]
    revenue = -sum(amount for year in years for code, amount in year.items() if code.startswith("4"))
    result = revenue - sum(amount for year in years for code, amount in year.items() if code[:1] in ("5", "6"))
    assert 50_000_000 < revenue < 150_000_000
    assert revenue * 3 < result * 100 < revenue * 20
    assert now["2200"] < 0 < now["1300"]


def due_on(invoices):
    """What is due in euros, in cents."""
    return sum(
        int(invoice["amountDue"].replace(".", ""))
        for invoice in invoices
        if invoice["status"] in ("issued", "partially_paid") and invoice["currency"] == "EUR"
    )


def test_the_payable_account_is_the_sum_of_the_bills_that_are_due(company):
    bills = [invoice for invoice in company.invoices() if invoice["kind"] == "purchase_invoice"]
    assert Counter(bill["status"] for bill in bills)["paid"] > 30
    assert company.balances(company.days.today)["2000"] == -due_on(bills) < 0


def test_the_receivable_account_is_the_sum_of_what_is_due(company):
    due = due_on(invoice for invoice in company.invoices() if invoice["kind"] != "purchase_invoice")
    (foreign,) = [
        invoice for invoice in company.invoices() if invoice["currency"] == "GBP" and invoice["status"] == "issued"
    ]
    assert company.balances(company.days.today)["1100"] == due + round(int(foreign["total"].replace(".", "")) * 1.168)


def test_there_are_invoices_in_every_state(company):
    invoices = company.invoices()
    states = Counter(invoice["status"] for invoice in invoices)
    assert set(states) == {"draft", "issued", "partially_paid", "paid", "void"}
    assert sum(invoice["isOverdue"] for invoice in invoices) >= 2
    assert {invoice["currency"] for invoice in invoices} == {"EUR", "GBP"}
    assert {invoice["kind"] for invoice in invoices} == {
        "sales_invoice",
        "sales_credit_note",
        "purchase_invoice",
    }
    assert {"4920", "6910"} & company.balances(company.days.today).keys(), "an exchange difference"


def first_suggestions(company):
    """The lines of the bank that nobody has looked at, each with the reason of its first suggestion."""
    lines = company.owner.get("/finance/bank/lines?status=unmatched&limit=200")
    return {line["party"]: next((one["because"] for one in line["suggestions"]), None) for line in lines}


def test_papers_have_gone_out_as_messages_and_by_a_link(company):
    messages = company.owner.get("/workspace/messages")
    assert Counter((each["kind"], each["status"]) for each in messages) == {
        ("invoice", "handed_over"): 3,
        ("invoice", "prepared"): 1,
        ("invoice", "discarded"): 1,
        ("quote", "handed_over"): 2,
        ("quote", "prepared"): 1,
        ("reminder", "prepared"): 1,
        ("statement", "handed_over"): 1,
        ("statement", "prepared"): 1,
        ("payslip", "handed_over"): 1,
    }
    subjects = " ".join(each["subject"] for each in messages)
    assert ("Angebot" in subjects, "Invoice" in subjects, "Kontoübersicht" in subjects) == (True, True, True)
    (terrace,) = company.owner.get("/finance/quotes?q=Terrace")
    (link,) = company.owner.get(f"/finance/quotes/{terrace['id']}/links")
    assert link["isLive"]
    assert len(company.owner.get("/finance/reminders")) == 3
    assert [each["rate"] for each in company.owner.get("/finance/base-rates")] != []


def test_six_quotes_are_in_six_states(company):
    states = sorted(quote["status"] for quote in company.owner.get("/finance/quotes"))
    assert states == ["accepted", "declined", "draft", "expired", "issued", "partly_invoiced"]


def test_some_lines_of_the_bank_are_matched_some_have_suggestions_and_some_are_unknown(company):
    matched = company.owner.get("/finance/bank/lines?status=matched&limit=200")
    assert len(matched) > 15
    assert sum(line["matches"][0]["made"] == "journal_entry" for line in matched) == 1, "of the automatic rule"
    reasons = first_suggestions(company)
    assert reasons["Yoga am Kanal"] == "number_and_amount"
    assert (reasons["Kanzlei Brandt"], reasons["Hotel Elbufer"]) == ("part", "name")
    assert (reasons["Buchhandlung Lesezeit"], reasons["Café Moritz"]) == ("number_and_amount", "fee")
    assert reasons["Elbe Parkhaus GmbH"] == reasons["Hauptzollamt Itzehoe"] == "rule"
    assert reasons["M. Sievers"] is None


def test_the_bank_and_the_books_differ_by_what_is_unmatched_alone(company):
    (bank,) = [one for one in company.owner.get("/finance/accounts") if one["code"] == "1010"]
    state = company.owner.get(f"/finance/bank/accounts/{bank['id']}")
    assert state["unexplained"] == "0.00" != state["difference"]
    assert len(company.owner.get("/finance/bank/statements")) == 2


def test_bills_are_paid_by_runs_of_which_the_bank_can_read_a_file(company):
    runs = company.owner.get("/finance/payment-runs?limit=50")
    assert len(runs) >= 24
    assert len(runs[0]["transfers"]) >= 3
    file = company.enter("amara@alderfinch.example").fetch(f"/api/v1/finance/payment-runs/{runs[0]['id']}/file")
    assert file.count(b"<CdtTrfTxInf>") == len(runs[0]["transfers"])
    assert company.owner.get("/finance/bills/due?dueThrough=2026-04-10"), "there is something to pay next"


def test_a_care_contract_is_invoiced_every_month(company):
    recurring = {one["name"]: one for one in company.owner.get("/finance/recurring")}
    care = recurring["Care contract of Klinik Solveig"]
    (made,) = company.owner.get(f"/finance/recurring/{care['id']}/occurrences?upcoming=0")
    invoice = company.owner.get(f"/finance/invoices/{made['documentId']}")
    assert (invoice["issueDate"], invoice["status"]) == ("2026-03-01", "issued")
    assert invoice["lines"][0]["description"] == "Care of signs and fittings, 01.03.2026–31.03.2026"
    assert (care["nextOn"], care["failure"]) == ("2026-04-01", None)
    assert {one["status"] for one in recurring.values()} == {"active", "paused"}
    assert {one["kind"] for one in recurring.values()} == {"invoice", "journal"}


def test_furniture_is_sold_as_products(company):
    products = {product["id"]: product for product in company.owner.get("/finance/products?limit=50")}
    assert {"piece", "metre", "hour", "month"} == {product["unit"] for product in products.values()}
    sold = [
        line
        for invoice in company.owner.get("/finance/invoices?kind=sales_invoice&q=Yoga&limit=50")
        for line in company.owner.get(f"/finance/invoices/{invoice['id']}")["lines"]
        if line["productId"]
    ]
    assert sold
    assert all(line["unitPrice"] == products[line["productId"]]["unitPrice"] for line in sold)


def test_a_project_a_bill_and_the_inbox_have_files(company):
    files = {file["name"]: file for file in company.owner.get("/workspace/attachments")}
    assert files["tidal-floor-plan.png"]["resourceType"] == "project"
    assert files["panel-saw-handover.pdf"]["resourceType"] == "invoice"
    assert files["lichthaus-petrov-bill.pdf"]["resourceType"] is None
    plan = company.owner.fetch(f"/api/v1/workspace/attachments/{files['tidal-floor-plan.png']['id']}/content")
    assert plan.startswith(b"\x89PNG")


def test_pounds_are_revalued_at_two_month_ends_once_up_and_once_down(company):
    last, before = company.owner.get("/finance/revaluations")
    assert (last["date"], before["date"]) == ("2026-02-28", "2026-01-31")
    assert [line["difference"] for line in (*before["lines"], *last["lines"])] == ["75.24", "-37.80"]


def test_machines_are_depreciated_each_month_and_the_van_is_sold(company):
    assets = {asset["name"]: asset for asset in company.owner.get("/finance/assets")}
    van, saw = assets["Delivery van"], assets["Panel saw for the workshop"]
    assert (van["status"], van["accumulated"], van["bookValue"], van["gain"]) == (
        "disposed",
        "7508.33",
        "8991.67",
        "408.33",
    )
    assert (saw["status"], saw["cost"], saw["invoiceNumber"] is not None) == ("in_use", "7800.00", True)
    runs = company.owner.get("/finance/depreciation-runs?limit=50")
    assert len(runs) >= 12
    assert {run["status"] for run in runs} == {"posted"}
    register = company.owner.get("/finance/reports/asset-register")
    differences = [row["cells"]["difference"]["value"] for row in register["rows"] if "difference" in row["cells"]]
    assert differences == ["0.00", "0.00"]
    assert company.owner.get("/finance/assets/candidates") == []


def test_pay_and_machines_have_cost_centres(company):
    tree = company.owner.get(
        "/finance/reports/profit-and-loss?columns=dimension:cc&dateFrom=2026-02-01&dateTo=2026-02-28"
    )
    assert [column["label"] for column in tree["columns"]] == [
        "100 Studio",
        "200 Workshop",
        "Without Cost centre",
        "Total",
    ]
    cells = {row["code"]: {key: cell["value"] for key, cell in row["cells"].items()} for row in tree["rows"]}
    assert [cells["6700"][key] for key in ("cc:100", "cc:200", "without")] == ["0.00", "440.00", "0.00"]
    assert "0.00" not in [cells["6000"][key] for key in ("cc:100", "cc:200", "without")]


def tax_by_the_books(company, first, last):
    """The cells of a tax return of some days that compare it with the books."""
    rows = company.owner.get(f"/finance/reports/tax?dateFrom={first}&dateTo={last}")["rows"]
    return {row["key"]: row["cells"]["tax"]["value"] for row in rows if row["key"] and "tax" in row["cells"]}


def test_tax_returns_are_filed_each_quarter_but_for_the_one_that_ends_now(company):
    returns = company.owner.get("/finance/tax-returns")
    assert [one["dateTo"] for one in returns] == ["2025-12-31", "2025-09-30", "2025-06-30", "2025-03-31"]
    assert all(one["journalEntryId"] and not one["isChanged"] for one in returns)
    assert minor(tax_by_the_books(company, "2026-01-01", "2026-03-31")["payable"]) > 0


def test_each_tax_return_equals_the_books_and_has_been_paid(company):
    for first, last in [("2025-04-01", "2025-06-30"), ("2025-10-01", "2025-12-31"), ("2026-01-01", "2026-03-31")]:
        cells = tax_by_the_books(company, first, last)
        assert cells["by_documents"] == cells["ledger"]
        assert cells["difference"] == "0.00"
    assert "2250" not in company.balances(company.days.today), "all that was owed to the tax office is paid"


def test_time_of_several_people_is_partly_invoiced(company):
    by_person = company.owner.get("/tasks/time-logs?groupBy=user")
    assert len(by_person) >= 6
    assert sum(row["minutes"] for row in by_person) > 300_000
    assert sum(row["billableMinutes"] > row["unbilledMinutes"] > 0 for row in by_person) >= 2


def test_projects_of_every_kind_are_at_different_points(company):
    projects = company.owner.get("/projects?limit=100")
    assert {project["billing"] for project in projects} == {"hourly", "fixed", "non_billable"}
    assert {project["status"] for project in projects} == {"planned", "active", "on_hold", "completed"}
    assert any(project.get("budgetAmount") for project in projects)


def test_the_board_has_tasks_in_every_column(company):
    tasks = company.owner.get("/tasks?limit=200")
    assert {task["status"] for task in tasks} == {"todo", "in_progress", "review", "blocked", "done"}
    assert any(task["parentId"] for task in tasks)
    assert any(task["dependsOn"] for task in tasks)
    assert any(task["isOverdue"] for task in tasks)
    assert any(task["repeat"] and task["successorId"] for task in tasks)
    permit = next(task for task in tasks if task["title"].startswith("Permit"))
    assert company.owner.get(f"/tasks/{permit['id']}/comments")[0]["author"]["name"] == "Jonas Petersen"


def test_people_come_go_and_report_to_each_other(company):
    employees = company.owner.get("/hr/employees?limit=50")
    assert Counter(employee["status"] for employee in employees) == {"active": 8, "terminated": 1}
    assert len({employee["managerEmployeeId"] for employee in employees}) >= 4
    assert any(employee["hireDate"] > str(company.days.month(12)) for employee in employees)
    assert {employee["compensation"]["payType"] for employee in employees} == {"salary", "hourly"}
    members = company.owner.get("/workspace/members")
    (oskar,) = [member for member in members if member["status"] == "suspended"]
    assert oskar["user"]["name"] == "Oskar Lindgren"


def test_there_is_leave_in_every_state(company):
    applications = company.owner.get("/hr/leaves?limit=100")
    assert {leave["status"] for leave in applications} == {"approved", "pending", "rejected", "cancelled"}
    assert {leave["leaveTypeName"] for leave in applications} == {"Annual leave", "Sick leave", "Unpaid leave"}
    assert company.owner.get("/hr/leave-balances")


def test_one_expense_claim_is_paid_and_one_waits_for_a_decision(company):
    claims = company.owner.get("/hr/expense-claims?sort=number")
    shown = [(claim["title"], claim["status"], claim["total"]) for claim in claims]
    assert shown == [("Measuring in Bremen", "paid", "70.80"), ("Samples from Lüneburg", "submitted", "31.20")]


def test_each_month_is_paid_and_the_current_one_is_a_draft(company):
    runs = company.owner.get("/hr/payroll/runs?limit=50")
    assert Counter(run["status"] for run in runs) == {"paid": 12, "draft": 1}
    assert [run["periodStart"] for run in runs if run["status"] == "draft"] == [str(company.days.month(0))]
    paid = [company.owner.get(f"/hr/payroll/runs/{run['id']}") for run in runs[1:]]
    assert {warning["code"] for run in paid for warning in run["warnings"]} == {"leave_left"}, "of the one who left"
    assert "2300" not in company.balances(company.days.today), "all pay has been paid out"


def test_attendance_is_complete_until_yesterday(company):
    days = company.days
    missing = company.owner.get(
        f"/hr/attendance?isMissing=true&dateFrom={days.month(11)}&dateTo={days.today - timedelta(days=1)}"
    )
    assert missing == []
    assert len(company.owner.get(f"/hr/holidays?year={days.today.year}")) >= 9


@pytest.mark.parametrize(
    "person", [person for person in scenario.read().people if not person.leaves], ids=lambda person: person.role
)
def test_everyone_can_sign_in_with_their_role(company, person):
    session = company.enter(person.email).get("/auth/session")
    assert (session["workspace"]["role"], session["user"]["name"]) == (person.role, person.name)


MAY_READ = {
    "tomasz": ("/finance/invoices", "/hr/payroll/runs", "/workspace/invites", "/workspace/events"),
    "amara": ("/finance/invoices", "/hr/payroll/runs", "/hr/employees"),
    "leila": ("/hr/payroll/runs", "/hr/leaves", "/hr/attendance"),
    "jonas": ("/projects", "/hr/employees", "/hr/leaves"),
    "mei": ("/projects", "/tasks?assigneeUserId=me", "/hr/payroll/payslips", "/hr/leaves"),
    "hanna": ("/projects", "/finance/invoices", "/finance/accounts"),
}
MAY_NOT_READ = {
    "amara": ("/workspace/invites",),
    "leila": ("/finance/invoices", "/workspace/invites"),
    "jonas": ("/finance/invoices", "/hr/payroll/runs"),
    "mei": ("/finance/invoices", "/hr/payroll/runs"),
    "hanna": ("/hr/payroll/runs", "/workspace/events"),
}


@pytest.mark.parametrize("name", MAY_READ)
def test_everyone_sees_what_their_role_permits(company, name):
    person = company.enter(f"{name}@alderfinch.example")
    for path in MAY_READ[name]:
        assert person.get(path), path
    for path in MAY_NOT_READ.get(name, ()):
        with pytest.raises(RequestRefused, match="403"):
            person.get(path)


def test_no_one_stays_signed_in_from_its_creation(company):
    sessions = company.enter("amara@alderfinch.example").get("/auth/sessions")
    assert all(session["isCurrent"] or session["userAgent"] is None for session in sessions)
    assert len([session for session in sessions if not session["isCurrent"]]) <= 5


@pytest.mark.thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="it makes the company once more; see TRY_THOROUGH")
def test_it_is_the_same_in_another_process_and_time_zone(company, tmp_path):
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LANG": "C"}
    made = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, DAY, str(tmp_path / "data")],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(made.stdout) == json.loads(json.dumps(company.figures()))
