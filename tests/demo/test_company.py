"""The made-up company as whoever looks around in it finds it, on the last day of a long month."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from erp.demo.plan_people import STAFF
from erp.web.client import Client, RequestRefused
from tests.demo.looking import made_on

DAY = "2026-03-31T12:00:00+00:00"
REQUESTS_MOST = 1500

ELSEWHERE = """
import json, sys
from pathlib import Path
import pytest
from tests.demo.looking import made_on
with pytest.MonkeyPatch.context() as patch:
    print(json.dumps(made_on(sys.argv[1], Path(sys.argv[2]), patch).figures()))
"""


@pytest.fixture(scope="module")
def asked():
    """How often a client asked for something while the company was made."""
    return Counter()


@pytest.fixture(scope="module")
def company(tmp_path_factory, asked):
    with pytest.MonkeyPatch.context() as patch:
        ask = Client._call

        def counted(self, *what):
            asked["requests"] += 1
            return ask(self, *what)

        with pytest.MonkeyPatch.context() as counting:
            counting.setattr(Client, "_call", counted)
            found = made_on(DAY, tmp_path_factory.mktemp("demo"), patch)
        yield found


def test_it_takes_no_more_requests_than_a_few_seconds_have_room_for(company, asked):
    assert 500 < asked["requests"] <= REQUESTS_MOST


def test_the_books_balance_and_no_event_is_missing_from_the_chain(company):
    for day in company.month_ends():
        assert sum(company.balances(day).values()) == 0
        assert company.owner.get(f"/finance/reports/balance-sheet?date={day}")["balanced"]
    assert company.owner.get("/workspace/events/verify")["valid"]


def test_the_company_earns_a_little_and_can_always_pay(company):
    by_month = [company.balances(day) for day in company.month_ends()]
    assert min(balances["1010"] for balances in by_month) > 2_000_000
    now = by_month[-1]
    revenue = -sum(amount for code, amount in now.items() if code.startswith("4"))
    result = revenue - sum(amount for code, amount in now.items() if code[0] in "56")
    assert 50_000_000 < revenue < 150_000_000
    assert revenue * 3 < result * 100 < revenue * 20
    assert now["2200"] < 0 < now["1300"]


def test_what_is_due_stands_on_the_account_of_receivables(company):
    due = sum(
        int(each["amountDue"].replace(".", ""))
        for each in company.invoices()
        if each["status"] in ("issued", "partially_paid") and each["currency"] == "EUR"
    )
    (foreign,) = [each for each in company.invoices() if each["currency"] == "GBP" and each["status"] == "issued"]
    assert company.balances(company.days.today)["1100"] == due + round(int(foreign["total"].replace(".", "")) * 1.168)


def test_invoices_are_found_in_every_state(company):
    found = company.invoices()
    states = Counter(each["status"] for each in found)
    assert set(states) == {"draft", "issued", "partially_paid", "paid", "void"}
    assert sum(each["isOverdue"] for each in found) >= 2
    assert {each["currency"] for each in found} == {"EUR", "GBP"}
    assert {each["type"] for each in found} == {"sales_invoice", "sales_credit_note"}
    assert "4900" in company.balances(company.days.today), "an exchange difference"


def test_time_of_several_people_is_partly_invoiced(company):
    by_person = company.owner.get("/tasks/time-logs?groupBy=user")
    assert len(by_person) >= 6
    assert sum(each["minutes"] for each in by_person) > 300_000
    assert sum(each["billableMinutes"] > each["unbilledMinutes"] > 0 for each in by_person) >= 2


def test_projects_of_every_kind_are_at_different_points(company):
    found = company.owner.get("/projects?limit=100")
    assert {each["billing"] for each in found} == {"hourly", "fixed", "non_billable"}
    assert {each["status"] for each in found} == {"planned", "active", "on_hold", "completed"}
    assert any(each.get("budgetAmount") for each in found)


def test_the_board_has_tasks_in_every_column(company):
    found = company.owner.get("/tasks?limit=200")
    assert {each["status"] for each in found} == {"todo", "in_progress", "review", "blocked", "done"}
    assert any(each["parentId"] for each in found)
    assert any(each["dependsOn"] for each in found)
    assert any(each["isOverdue"] for each in found)
    assert any(each["repeat"] and each["successorId"] for each in found)
    permit = next(each for each in found if each["title"].startswith("Permit"))
    assert company.owner.get(f"/tasks/{permit['id']}/comments")[0]["author"]["name"] == "Jonas Petersen"


def test_people_come_go_and_report_to_each_other(company):
    found = company.owner.get("/hr/employees?limit=50")
    assert Counter(each["status"] for each in found) == {"active": 8, "terminated": 1}
    assert len({each["managerId"] for each in found}) >= 4
    assert any(each["hireDate"] > str(company.days.first(0)) for each in found)
    assert {each["compensation"]["payType"] for each in found} == {"salary", "hourly"}
    (oskar,) = [each for each in company.owner.get("/workspace/members") if each["status"] == "suspended"]
    assert oskar["user"]["name"] == "Oskar Lindgren"


def test_leave_is_found_in_every_state(company):
    found = company.owner.get("/hr/leaves?limit=100")
    assert {each["status"] for each in found} == {"approved", "pending", "rejected", "cancelled"}
    assert {each["leaveTypeName"] for each in found} == {"Annual leave", "Sick leave", "Unpaid leave"}
    assert company.owner.get("/hr/leave-balances")


def test_each_month_is_paid_and_the_present_one_is_drafted(company):
    runs = company.owner.get("/hr/payroll/runs?limit=50")
    assert Counter(each["status"] for each in runs) == {"paid": 12, "draft": 1}
    assert [each["periodStart"] for each in runs if each["status"] == "draft"] == [str(company.days.first(12))]
    assert not any(company.owner.get(f"/hr/payroll/runs/{each['id']}")["warnings"] for each in runs[1:])
    assert "2300" not in company.balances(company.days.today), "nobody waits for her pay"


def test_attendance_is_complete_until_yesterday(company):
    days = company.days
    missing = company.owner.get(f"/hr/attendance?missing=true&dateFrom={days.first(1)}&dateTo={days.ago(1)}")
    assert missing == []
    assert len(company.owner.get(f"/hr/holidays?year={days.today.year}")) >= 9


@pytest.mark.parametrize("person", [each for each in STAFF if each.left is None], ids=lambda each: each.role)
def test_everybody_can_sign_in_with_her_role(company, person):
    session = company.enter(person.email).get("/auth/session")
    assert (session["workspace"]["role"], session["user"]["name"]) == (person.role, person.name)


MAY_READ = {
    "tomasz": ("/finance/invoices", "/hr/payroll/runs", "/workspace/invites", "/workspace/events"),
    "amara": ("/finance/invoices", "/hr/payroll/runs", "/hr/employees"),
    "leila": ("/hr/payroll/runs", "/hr/leaves", "/hr/attendance"),
    "jonas": ("/projects", "/hr/employees", "/hr/leaves"),
    "mei": ("/projects", "/tasks?assigneeId=me", "/hr/payroll/payslips", "/hr/leaves"),
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
def test_everybody_sees_what_her_role_may(company, name):
    person = company.enter(f"{name}@alderfinch.example")
    for path in MAY_READ[name]:
        assert person.get(path), path
    for path in MAY_NOT_READ.get(name, ()):
        with pytest.raises(RequestRefused, match="403"):
            person.get(path)


def test_nobody_stays_signed_in_from_the_making_of_it(company):
    found = company.enter("amara@alderfinch.example").get("/auth/sessions")
    assert all(each["current"] or each["userAgent"] is None for each in found)
    assert len([each for each in found if not each["current"]]) <= 5


def test_it_is_the_same_in_another_place_and_another_process(company, tmp_path):
    surroundings = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LANG": "C"}
    made = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, DAY, str(tmp_path / "data")],
        env=surroundings,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(made.stdout) == json.loads(json.dumps(company.figures()))
