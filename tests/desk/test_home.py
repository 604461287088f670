"""The home page: what waits for whom."""

import pytest

from tests.conftest import Office
from tests.finance.documents.invoices import bill, invoice
from tests.hr.attendance.records import employee_at_work, grant_leave, marked_day, punch
from tests.hr.payroll.payrolls import act, paid_employee, pay_from, payroll_run, salary
from tests.matrix import ACCOUNTING, ADMINS, DECIDERS, EVERY_ROLE, PAY_OFFICE, READ_BOOKS, STAFF_OFFICE, TIME_READERS
from tests.tasks.tasks import add

NOW = "2026-03-11T17:00:00Z"


@pytest.fixture(autouse=True)
def _on_wednesday_at_five(clock_at):
    clock_at(NOW)


def home(office: Office):
    return office.ok("GET", "/workspace/home")


def ask_leave(office: Office, employee_id: str, first: str, last: str, **fields):
    body = {"employeeId": employee_id, "startDate": first, "endDate": last, **fields}
    return office.ok("POST", "/hr/leaves", body)


SHOWN_TO = {
    "firstSteps": ADMINS,
    "leaves": DECIDERS,
    "corrections": DECIDERS,
    "claimsToDecide": DECIDERS,
    "claimsToPost": ACCOUNTING,
    "payrollRuns": PAY_OFFICE,
    "documentsExpiring": STAFF_OFFICE,
    "employmentsEnding": STAFF_OFFICE,
    "leaversWithAccess": ADMINS,
    "tasks": EVERY_ROLE,
    "tasksAhead": EVERY_ROLE,
    "unbilledTime": ACCOUNTING,
    "overdueInvoices": READ_BOOKS,
    "drafts": ACCOUNTING,
    "billsToApprove": ADMINS,
    "billsDue": ACCOUNTING,
    "linesWithoutAsset": ACCOUNTING,
    "messagesInTrouble": PAY_OFFICE,
    "quotesToFollow": ACCOUNTING,
    "money": READ_BOOKS,
    "cash": READ_BOOKS,
    "due": READ_BOOKS,
    "result": READ_BOOKS,
    "hours": TIME_READERS,
    "away": DECIDERS,
    "deadlines": "owner admin accountant hr viewer",
}
FIGURES = ["firstSteps", "money", "tasksAhead", "cash", "due", "result", "hours", "away", "deadlines"]


@pytest.mark.parametrize("role", EVERY_ROLE.split())
def test_each_part_is_there_for_those_with_its_right(acme, role):
    person = acme if role == "owner" else acme.colleague(role)
    shown = home(person)
    assert (shown.pop("today"), shown.pop("clock")) == ("2026-03-11", None)
    assert {part for part, value in shown.items() if value is not None} == {
        part for part, roles in SHOWN_TO.items() if role in roles.split()
    }
    lists = [value for part, value in shown.items() if value is not None and part not in FIGURES]
    assert all(value == {"total": 0, "items": []} for value in lists), "an empty office has nothing to do"


def test_a_leaver_who_can_still_sign_in_waits_for_those_who_change_members(acme, clock_at):
    mei = acme.colleague("member")
    employee = acme.ok("POST", "/hr/employees", {"name": "Mei", "hireDate": "2026-01-01", "userId": mei.user["id"]})
    acme.ok("POST", f"/hr/employees/{employee['id']}/terminate", {"date": "2026-03-11", "access": "keep"})
    assert home(acme)["leaversWithAccess"] == {"total": 0, "items": []}
    clock_at("2026-03-12T08:00:00Z")
    (member,) = acme.ok("GET", "/workspace/members", params={"q": mei.email})
    shown = {
        "employeeId": employee["id"],
        "employeeName": "Mei",
        "lastDay": "2026-03-11",
        "memberId": member["id"],
        "role": "member",
    }
    assert home(acme)["leaversWithAccess"] == {"total": 1, "items": [shown]}
    acme.ok("PATCH", f"/workspace/members/{member['id']}", {"status": "suspended"})
    assert home(acme)["leaversWithAccess"]["total"] == 0
    acme.ok("PATCH", f"/workspace/members/{member['id']}", {"status": "active"})
    assert home(acme)["leaversWithAccess"]["total"] == 1
    acme.ok("DELETE", f"/workspace/members/{member['id']}")
    assert home(acme)["leaversWithAccess"]["total"] == 0


def test_leave_waits_with_who_else_is_away(acme):
    mei, rui, ann = (employee_at_work(acme, name) for name in ("Mei", "Rui", "Ann"))
    grant_leave(acme, rui, "2026-04-02")
    grant_leave(acme, ann, "2026-04-07")  # after it
    asked = ask_leave(acme, mei, "2026-04-01", "2026-04-03", startHalf=True, reason="Family")
    (waiting,) = home(acme)["leaves"]["items"]
    type_id = asked["leaveTypeId"]
    assert waiting == {
        "id": asked["id"],
        "version": asked["version"],
        "createdAt": asked["createdAt"],
        "employeeId": mei,
        "employeeName": "Mei",
        "leaveTypeId": type_id,
        "leaveTypeName": asked["leaveTypeName"],
        "startDate": "2026-04-01",
        "endDate": "2026-04-03",
        "startHalf": True,
        "endHalf": False,
        "reason": "Family",
        "days": "2.5",
        "alsoAway": [
            {
                "employeeId": rui,
                "employeeName": "Rui",
                "startDate": "2026-04-02",
                "endDate": "2026-04-02",
                "status": "approved",
            }
        ],
    }
    acme.ok("POST", f"/hr/leaves/{asked['id']}/approve", {})
    assert home(acme)["leaves"] == {"total": 0, "items": []}


def test_a_manager_decides_on_those_who_report_to_them_and_never_on_themselves(acme):
    manager = acme.colleague("manager")
    lead = employee_at_work(acme, "Max", manager)
    mia, zoe = employee_at_work(acme, "Mia", managerEmployeeId=lead), employee_at_work(acme, "Zoe")
    for id in (lead, mia, zoe):
        ask_leave(acme, id, "2026-04-01", "2026-04-02")
    waiting = home(manager)["leaves"]
    assert (waiting["total"], [each["employeeName"] for each in waiting["items"]]) == (1, ["Mia"])
    assert waiting["items"][0]["alsoAway"] == [], "what is pending of others is not theirs to see"
    assert home(acme)["leaves"]["total"] == 3
    (of_mia,) = (each for each in home(acme)["leaves"]["items"] if each["employeeName"] == "Mia")
    assert [(each["employeeName"], each["status"]) for each in of_mia["alsoAway"]] == [
        ("Max", "pending"),
        ("Zoe", "pending"),
    ]


@pytest.mark.parametrize(("role", "total"), [("owner", 1), ("hr", 0)])
def test_only_an_owner_decides_on_their_own_leave(acme, role, total):
    person = acme if role == "owner" else acme.colleague(role)
    ask_leave(acme, employee_at_work(acme, "Pia", person), "2026-04-01", "2026-04-02")
    assert home(person)["leaves"]["total"] == total


def test_a_correction_waits_with_what_it_proposes(acme):
    member = acme.colleague("member")
    rui = employee_at_work(acme, "Rui", member)
    body = {"date": "2026-03-10", "punches": [punch("03-10 07:10", "16:00")], "reason": "At a customer's"}
    asked = member.ok("POST", "/hr/attendance-corrections", body)
    (waiting,) = home(acme)["corrections"]["items"]
    assert waiting == {
        "id": asked["id"],
        "version": 1,
        "createdAt": asked["createdAt"],
        "employeeId": rui,
        "employeeName": "Rui",
        "date": "2026-03-10",
        "proposed": {"punches": [{"in": "2026-03-10T07:10:00.000Z", "out": "2026-03-10T16:00:00.000Z"}]},
        "reason": "At a customer's",
    }
    assert home(acme.colleague("hr"))["corrections"]["total"] == 1
    assert home(acme.colleague("manager"))["corrections"]["total"] == 0


def test_ones_own_tasks_wait_once_they_are_due(acme):
    project = acme.ok("POST", "/projects", {"name": "Hansen stores", "code": "HANSEN"})
    mine = {"assigneeUserIds": [acme.user["id"]]}
    late = add(acme, "Signage", **mine, projectId=project["id"], dueDate="2026-03-09")
    urgent = add(acme, "Quote", **mine, dueDate="2026-03-11", priority="urgent")
    today = add(acme, "Call", **mine, dueDate="2026-03-11")
    add(acme, "Later", **mine, dueDate="2026-03-12")
    add(acme, "Some day", **mine)
    add(acme, "Somebody else's", dueDate="2026-03-09")
    done = add(acme, "Done", **mine, dueDate="2026-03-09")
    acme.ok("PATCH", f"/tasks/{done['id']}", {"status": "done"})
    tasks = home(acme)["tasks"]
    assert tasks["total"] == 3
    assert [task["id"] for task in tasks["items"]] == [late["id"], urgent["id"], today["id"]]
    assert tasks["items"][0] == {
        "id": late["id"],
        "version": 1,
        "key": late["key"],
        "title": "Signage",
        "projectId": project["id"],
        "projectName": "Hansen stores",
        "status": "todo",
        "priority": late["priority"],
        "dueDate": "2026-03-09",
        "isOverdue": True,
        "isPrivate": False,
    }
    assert [task["isOverdue"] for task in tasks["items"]] == [True, False, False]


def test_ten_of_a_kind_are_shown_and_all_are_counted(acme):
    for number in range(12):
        body = {"title": f"Task {number}", "dueDate": "2026-03-11", "assigneeUserIds": [acme.user["id"]]}
        acme.ok("POST", "/tasks", body)
    tasks = home(acme)["tasks"]
    assert (tasks["total"], len(tasks["items"])) == (12, 10)


def test_unbilled_time_waits_by_project(acme):
    customer = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Hansen"})
    billable = {"billing": "hourly", "hourlyRate": "130.00"}
    paid = acme.ok("POST", "/projects", {"name": "Stores", "customerId": customer["id"], **billable})
    own = acme.ok("POST", "/projects", {"name": "Nobody's", **billable})
    for project in (paid, own):
        task = acme.ok("POST", "/tasks", {"title": "Plan", "projectId": project["id"]})
        for minutes, is_billable in ((150, True), (60, True), (30, False)):
            body = {"minutes": minutes, "date": "2026-03-10", "isBillable": is_billable}
            acme.ok("POST", f"/tasks/{task['id']}/time-logs", body)
    assert home(acme)["unbilledTime"] == {
        "total": 1,
        "items": [
            {
                "projectId": paid["id"],
                "projectCode": paid["code"],
                "projectName": "Stores",
                "customerId": customer["id"],
                "customerName": "Hansen",
                "minutes": 210,
                "currency": "EUR",
                "amount": "455.00",  # 3.5 hours at 130.00
            }
        ],
    }
    acme.ok("POST", "/finance/invoices/from-time-logs", {"projectId": paid["id"]})
    assert home(acme)["unbilledTime"]["total"] == 0
    assert home(acme)["drafts"]["total"] == 1


def test_money_says_what_there_is_what_is_due_and_what_is_overdue(acme):
    late = invoice(acme, "1000.00", issueDate="2026-02-01", dueDate="2026-03-01")
    invoice(acme, "500.00", issueDate="2026-03-01", dueDate="2026-03-31")
    bill(acme, "200.00", issueDate="2026-03-01", dueDate="2026-03-31")
    payment = {"direction": "received", "contactId": late["customerId"], "amount": "300.00", "date": "2026-03-05"}
    acme.ok("POST", "/finance/payments", {**payment, "allocations": [{"invoiceId": late["id"], "amount": "300.00"}]})
    shown = home(acme)
    assert shown["money"] == {
        "currency": "EUR",
        "bank": "300.00",
        "dueToUs": "1200.00",  # 700.00 and 500.00
        "overdue": "700.00",
        "overdueCount": 1,
        "dueByUs": "200.00",
    }
    assert shown["overdueInvoices"] == {
        "total": 1,
        "items": [
            {
                "id": late["id"],
                "number": late["number"],
                "customerId": late["customerId"],
                "customerName": "Globex",
                "dueDate": "2026-03-01",
                "daysOverdue": 10,
                "currency": "EUR",
                "amountDue": "700.00",
            }
        ],
    }


def test_bills_wait_to_be_approved_and_then_to_be_paid_once_they_are_due(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})
    due = bill(acme, "200.00", issueDate="2026-03-01", dueDate="2026-03-10")
    bill(acme, "90.00", issueDate="2026-03-01", dueDate="2026-03-12")
    shown = home(acme)
    assert shown["billsToApprove"]["items"][0]["id"] == due["id"]
    assert (shown["billsToApprove"]["total"], shown["billsDue"]["total"]) == (2, 0)
    for each in shown["billsToApprove"]["items"]:
        acme.ok("POST", f"/finance/invoices/{each['id']}/approve", {})
    shown = home(acme)
    assert shown["billsToApprove"]["total"] == 0
    (waiting,) = shown["billsDue"]["items"]
    assert (waiting["id"], waiting["supplierName"], waiting["daysOverdue"]) == (due["id"], "Meyer", 1)
    assert (waiting["amountDue"], waiting["currency"]) == ("200.00", "EUR")


def test_drafts_wait_to_be_issued_the_latest_change_first(acme, clock_at):
    older = invoice(acme, "100.00", draft=True)
    clock_at("2026-03-11T17:01:00Z")
    newer = bill(acme, "40.00", draft=True)
    drafts = home(acme)["drafts"]
    assert drafts["total"] == 2
    assert [(each["id"], each["kind"], each["contactName"], each["total"]) for each in drafts["items"]] == [
        (newer["id"], "purchase_invoice", "Meyer", "40.00"),
        (older["id"], "sales_invoice", "Globex", "100.00"),
    ]


def test_a_payroll_run_waits_to_be_approved_and_then_to_be_paid(acme):
    accountant = acme.colleague("accountant")
    pay = {"payType": "salary", "amount": "3200.00", "frequency": "monthly"}
    employee_at_work(acme, "Anna", compensation=pay)
    period = {"periodStart": "2026-02-01", "periodEnd": "2026-02-28", "payDate": "2026-02-28"}
    run = acme.ok("POST", "/hr/payroll/run", period)
    (waiting,) = home(acme)["payrollRuns"]["items"]
    assert waiting == {
        "id": run["id"],
        "version": 1,
        "number": run["number"],
        "periodStart": "2026-02-01",
        "periodEnd": "2026-02-28",
        "payDate": "2026-02-28",
        "action": "approve",
        "headCount": 1,
        "currency": "EUR",
        "net": run["totals"]["net"],
    }
    assert home(accountant)["payrollRuns"]["total"] == 0, "an accountant pays, and approves nothing"
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/approve", {})
    assert [each["action"] for each in home(accountant)["payrollRuns"]["items"]] == ["pay"]
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/pay", {})
    assert home(acme)["payrollRuns"]["total"] == 0


def test_the_clock_is_that_of_ones_employee_record(acme):
    member = acme.colleague("member")
    mine = employee_at_work(acme, "Mia", member)
    marked_day(acme, mine, "2026-03-11", punch("03-11 08:02"))
    clock = home(member)["clock"]
    assert (clock["employeeId"], clock["since"]) == (mine, "2026-03-11T08:02:00.000Z")
    me = member.ok("GET", "/hr/me")
    assert (clock["today"], clock["week"]) == (me["today"], me["week"])
    assert clock["today"]["workedMinutes"] == 8 * 60 + 58
    member.ok("POST", "/hr/attendance/clock-out", {})
    assert home(member)["clock"]["since"] is None


def test_the_home_of_an_office_shows_nothing_of_another(acme, stranger):
    invoice(acme, "1000.00", issueDate="2026-02-01", dueDate="2026-03-01")
    assert home(stranger)["overdueInvoices"]["total"] == 0
    assert home(stranger)["money"]["dueToUs"] == "0.00"


def test_differences_of_approved_payslips_wait_for_those_who_pay(acme):
    anna = paid_employee(acme)
    act(acme, payroll_run(acme), "approve")
    pay_from(acme, anna, "2026-01-01", salary("3300.00"))
    assert home(acme)["payDifferences"] == {"count": 1, "net": "300.00", "currency": "EUR"}
    pay_from(acme, anna, "2026-01-01", salary("3400.00"))
    assert home(acme)["payDifferences"]["net"] == "400.00"
    assert home(acme.colleague("accountant"))["payDifferences"] is None
    payroll_run(acme, {"kind": "correction"})
    assert home(acme)["payDifferences"] is None
