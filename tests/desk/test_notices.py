"""Notices: whom an event tells, in which words, and how they are counted."""

from collections.abc import Callable
from typing import Any

import pytest

from erp.desk.notices import dated
from erp.kernel import config
from erp.store.router import Router
from erp.system.backups import backups, daily
from tests.crowds import all_at_once
from tests.desk.notices import NOTICES, bell, comment, of, task, told
from tests.events import last_event
from tests.finance.documents.invoices import bill, invoice
from tests.hr.documents.documents import at as document_at
from tests.hr.documents.documents import document
from tests.hr.employees.employees import hire
from tests.hr.expenses.claims import act as claim_act
from tests.hr.expenses.claims import draft, receipt
from tests.hr.leave.applications import ask, decide, hired, hired_colleague
from tests.hr.payroll.payrolls import act, paid_employee, payroll_run


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def max_(acme):
    """A manager with an employee record, and its id."""
    return acme.once(hired_colleague, "manager")


@pytest.fixture
def mia(acme, max_):
    """A member who reports to the manager, and the id of her employee record."""
    member = acme.colleague("member")
    return member, hired(acme, "Mia", user=member, managerEmployeeId=max_[1])


class TestLeave:
    def test_a_request_is_told_to_the_manager_alone_and_its_decision_to_the_person(self, acme, max_, mia):
        asked = ask(mia[0], "2026-05-04", "2026-05-08")
        (notice,) = of(max_[0])
        assert notice == {
            "id": notice["id"],
            "kind": "leave_to_decide",
            "text": "Mia has requested leave: 4 May 2026 – 8 May 2026.",
            "resource": {"type": "leave", "id": asked["id"]},
            "actorName": "Member",
            "createdAt": "2026-03-02T09:00:00.000Z",
            "readAt": None,
            "count": 1,
        }
        assert (bell(max_[0]), bell(acme), bell(mia[0])) == (1, 0, 0)
        decide(max_[0], asked)
        assert told(mia[0]) == [("leave_decided", "Your leave was approved: 4 May 2026 – 8 May 2026.", 1)]
        assert (bell(max_[0]), of(max_[0])[0]["readAt"] is None) == (0, False)

    def test_without_a_manager_who_may_decide_everyone_who_may_is_told(self, acme):
        mia, _ = hired_colleague(acme)
        hanna, viewer = acme.colleague("hr"), acme.colleague("viewer")
        ask(mia, "2026-05-04")
        assert [bell(person) for person in (acme, hanna, viewer, mia)] == [1, 1, 0, 0]
        assert told(hanna) == [("leave_to_decide", "Member has requested leave: 4 May 2026.", 1)]

    def test_a_decision_that_is_undone_is_asked_for_again(self, acme, max_, mia):
        asked = ask(mia[0], "2026-05-04")
        decide(acme, asked)
        assert (bell(max_[0]), bell(mia[0])) == (0, 1)
        acme.ok("POST", f"/hr/leaves/{asked['id']}/decision/undo", {})
        assert (bell(max_[0]), bell(mia[0])) == (1, 0)

    def test_it_is_in_the_language_of_the_reader(self, acme, max_, mia):
        ask(mia[0], "2026-05-04", "2026-05-08")
        max_[0].ok("PATCH", "/auth/me", {"locale": "de"})
        assert told(max_[0])[0][1] == "Mia hat eine Abwesenheit beantragt: 04.05.2026 – 08.05.2026."

    def test_a_manager_no_longer_sees_requests_of_people_who_now_report_to_another(self, acme, max_, mia):
        ask(mia[0], "2026-05-04")
        acme.ok("PATCH", f"/hr/employees/{mia[1]}", {"managerEmployeeId": None})
        assert (of(max_[0]), bell(max_[0])) == ([], 0)


def test_a_correction_and_its_decision(acme, max_, mia, clock_at):
    body = {"date": "2026-02-27", "status": "present", "reason": "Forgot"} | {
        "punches": [{"in": "2026-02-27T09:00:00Z", "out": "2026-02-27T17:00:00Z"}]
    }
    asked = mia[0].ok("POST", "/hr/attendance-corrections", body)
    assert told(max_[0]) == [("correction_to_decide", "Mia has requested a correction of 27 Feb 2026.", 1)]
    max_[0].ok("POST", f"/hr/attendance-corrections/{asked['id']}/approve", {})
    assert told(mia[0]) == [("correction_decided", "Your correction of 27 Feb 2026 was approved.", 1)]


class TestClaims:
    @pytest.fixture
    def claim(self, acme, mia):
        """A claim that the member has submitted."""
        made = draft(mia[0], receipt("90.00", date="2026-03-01"))
        claim_act(mia[0], made, "submit")
        return made

    def test_it_is_told_to_the_manager_who_decides_then_to_the_person_and_those_who_post(self, acme, max_, mia, claim):
        anna = acme.colleague("accountant")
        (notice,) = of(max_[0])
        assert notice["text"] == "Mia has submitted expense claim EXP-2026-00001."
        assert notice["resource"] == {"type": "expense_claim", "id": claim["id"]}
        assert [bell(person) for person in (acme, anna, mia[0])] == [0, 0, 0]
        claim_act(max_[0], claim, "approve")
        assert told(mia[0]) == [("claim_decided", "Your expense claim EXP-2026-00001 was approved.", 1)]
        expected = [("claim_to_post", "Expense claim EXP-2026-00001 of Mia can be posted.", 1)]
        assert told(acme) == told(anna) == expected
        assert bell(max_[0]) == 0
        claim_act(anna, claim, "post")
        assert bell(acme) == bell(anna) == 0

    def test_one_that_is_returned_and_submitted_again_or_undone(self, acme, max_, mia, claim):
        claim_act(max_[0], claim, "return", reason="The hotel is missing.")
        assert told(mia[0]) == [("claim_decided", "Your expense claim EXP-2026-00001 was returned to you.", 1)]
        claim_act(mia[0], claim, "submit")
        assert (bell(max_[0]), bell(mia[0])) == (1, 0)
        claim_act(max_[0], claim, "reject", reason="Private.")
        assert told(mia[0]) == [("claim_decided", "Your expense claim EXP-2026-00001 was rejected.", 1)]
        claim_act(acme, claim, "decision/undo")
        assert told(max_[0]) == [("claim_to_decide", "Expense claim EXP-2026-00001 of Mia is to be decided again.", 1)]
        assert bell(mia[0]) == 0

    def test_those_who_could_post_their_own_are_not_asked_to(self, acme, max_):
        anna = acme.colleague("accountant")
        hired(acme, "Anna", user=anna, managerEmployeeId=max_[1])
        made = draft(anna, receipt("12.00", date="2026-03-01"))
        claim_act(anna, made, "submit")
        claim_act(max_[0], made, "approve")
        assert [kind for kind, *_ in told(anna)] == ["claim_decided"]
        assert [kind for kind, *_ in told(acme)] == ["claim_to_post"]

    def test_one_that_is_withdrawn_and_deleted_takes_its_notices_along(self, max_, mia, claim):
        claim_act(mia[0], claim, "withdraw")
        assert bell(max_[0]) == 0
        mia[0].ok("DELETE", f"/hr/expense-claims/{claim['id']}")
        assert of(max_[0]) == []

    def test_its_payment_is_told_once_it_is_paid_in_full(self, acme, max_, mia, claim):
        claim_act(max_[0], claim, "approve")
        posted = claim_act(acme, claim, "post")
        mia[0].ok("POST", f"{NOTICES}/read", {"throughId": of(mia[0])[0]["id"]})
        item = next(row for row in acme.ok("GET", "/finance/open-items") if row["number"] == "EXP-2026-00001")
        part = {"itemId": item["id"], "amount": "40.00"}
        body = {"direction": "made", "contactId": posted["contactId"], "amount": "90.00", "settles": [part]}
        paid = acme.ok("POST", "/finance/payments", body)
        assert bell(mia[0]) == 0
        acme.ok("POST", f"/finance/payments/{paid['id']}/allocations", {"settles": [part | {"amount": "50.00"}]})
        assert told(mia[0]) == [("claim_paid", "Your expense claim EXP-2026-00001 was paid.", 1)]
        data = {"number": "EXP-2026-00001", "employeeId": mia[1], "total": "90.00", "currency": "EUR"}
        assert last_event(acme) == ("expense_claim.paid", data)


class TestWeeksOfTime:
    def test_a_reminder_and_a_return_are_told_until_the_week_is_submitted(self, acme, clock_at):
        acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
        mia, _ = hired_colleague(acme)
        clock_at("2026-03-09T08:00:00Z")
        week = "/tasks/time-weeks/2026-03-02"
        acme.ok("POST", f"{week}/remind", {"userId": mia.user["id"]})
        (notice,) = of(mia)
        assert notice["text"] == "Olga asks you to submit your time: 2 Mar 2026 – 8 Mar 2026."
        assert notice["resource"] == {"type": "time_week", "id": f"{mia.user['id']}_2026-03-02"}
        mia.ok("POST", f"{week}/submit", {})
        assert bell(mia) == 0
        acme.ok("POST", f"{week}/return", {"userId": mia.user["id"], "reason": "Thursday"})
        assert told(mia) == [("time_returned", "Olga has returned your time: 2 Mar 2026 – 8 Mar 2026.", 1)]
        mia.ok("POST", f"{week}/submit", {})
        acme.ok("POST", f"{week}/approve", {"userId": mia.user["id"]})
        assert bell(mia) == 0
        acme.ok("POST", f"{week}/reopen", {"userId": mia.user["id"], "reason": "Friday"})
        words = "Olga has opened your approved time again: 2 Mar 2026 – 8 Mar 2026."
        assert told(mia) == [("time_returned", words, 1)]
        assert bell(acme) == 0


class TestReminders:
    """They are told on a day, by the server."""

    def look(self, office, clock_at, day):
        clock_at(f"{day}T09:00:00Z")
        for _ in range(2):
            dated.Watch(office.installation.config).look()
            clock_at(f"{day}T11:00:00Z")

    def test_a_document_is_told_once_from_the_first_day_of_its_reminder_on(self, acme, mia, clock_at):
        hanna = acme.colleague("hr")
        made = document(acme, mia[1], validUntil="2026-03-25", remindDays=20)
        self.look(acme, clock_at, "2026-03-04")
        assert bell(hanna) == 0
        self.look(acme, clock_at, "2026-03-05")
        expected = [("document_expiring", "Residence permit of Mia expires on 25 Mar 2026.", 1)]
        assert told(hanna) == told(acme) == expected
        assert of(mia[0]) == []
        hanna.ok("POST", f"{NOTICES}/read", {"throughId": of(hanna)[0]["id"]})
        acme.ok("PATCH", document_at(made), {"title": "Permit"})
        self.look(acme, clock_at, "2026-03-06")
        assert told(hanna) == []
        acme.ok("PATCH", document_at(made), {"validUntil": "2026-03-28"})
        self.look(acme, clock_at, "2026-03-07")
        assert told(hanna) == []
        self.look(acme, clock_at, "2026-03-08")
        assert told(hanna) == [("document_expiring", "Permit of Mia expires on 28 Mar 2026.", 1)]

    @pytest.mark.parametrize("end", ["done", "replace", "archive", "delete", "without end"])
    def test_the_notice_goes_when_the_document_no_longer_expires(self, acme, mia, clock_at, end):
        made = document(acme, mia[1], validUntil="2026-04-01")
        hanna = acme.colleague("hr")
        other = document(acme, mia[1], title="Other", validUntil="2026-04-02")
        self.look(acme, clock_at, "2026-03-05")
        assert bell(hanna) == 2
        if end == "replace":
            document(acme, mia[1], replacesDocumentId=made["id"])
        elif end == "delete":
            acme.ok("DELETE", document_at(made))
        elif end == "without end":
            acme.ok("PATCH", document_at(made), {"validUntil": None})
        else:
            acme.ok("POST", document_at(made, f"/{end}"))
        assert [notice["resource"]["id"] for notice in of(hanna)] == [other["id"]]

    def test_a_probation_is_told_thirty_days_before_its_end(self, acme, max_, mia, clock_at):
        hanna = acme.colleague("hr")
        acme.ok("PATCH", f"/hr/employees/{mia[1]}", {"probationEnd": "2026-04-05"})
        self.look(acme, clock_at, "2026-03-05")
        assert bell(hanna) == 0
        self.look(acme, clock_at, "2026-03-06")
        assert told(hanna) == [("probation_ending", "The probation of Mia ends on 5 Apr 2026.", 1)]
        assert (of(max_[0]), of(mia[0])) == ([], [])
        acme.ok("PATCH", f"/hr/employees/{mia[1]}", {"phone": "+49 30 1234"})
        assert bell(hanna) == 1
        acme.ok("PATCH", f"/hr/employees/{mia[1]}", {"probationEnd": None})
        assert of(hanna) == []


class TestTasks:
    def test_whoever_is_assigned_later_is_told_once_and_oneself_never(self, acme):
        member, manager = acme.colleague("member"), acme.colleague("manager")
        made = task(acme, acme, member)
        assert told(member) == [("task_assigned", f"Olga has assigned {made['key']} to you: Sketches", 1)]
        both = [member.user["id"], manager.user["id"]]
        acme.ok("PATCH", f"/tasks/{made['id']}", {"assigneeUserIds": both})
        acme.ok("PATCH", f"/tasks/{made['id']}", {"title": "Drafts"})
        assert [bell(person) for person in (acme, member, manager)] == [0, 1, 1]
        assert told(manager)[0][2] == 1

    def test_comments_are_counted_until_they_are_read(self, acme):
        member = acme.colleague("member")
        made = task(acme, member)
        for _ in range(3):
            comment(member, made)
        assert told(acme) == [("task_comment", f"Member has commented on {made['key']}: Sketches", 3)]
        (notice,) = of(acme)
        assert acme.ok("POST", f"{NOTICES}/read", {"ids": [notice["id"]]}) == {"unreadNotices": 0}
        comment(member, made)
        assert [each["count"] for each in of(acme)] == [1, 3]

    def test_a_mention_takes_the_place_of_the_comment(self, acme):
        member, manager, viewer = (acme.colleague(role) for role in ("member", "manager", "viewer"))
        made = task(acme, manager)
        comment(acme, made, "@Manager and @member: look, please. Not you, x@viewer.example")
        assert told(member) == [("mention", f"Olga has mentioned you in {made['key']}: Sketches", 1)]
        assert [kind for kind, *_ in told(manager)] == ["mention", "task_assigned"]
        assert told(viewer) == []

    def test_the_notices_of_a_deleted_task_go_with_it(self, acme):
        member = acme.colleague("member")
        made = task(acme, member)
        acme.ok("DELETE", f"/tasks/{made['id']}")
        assert of(member) == []

    def test_sixteen_comments_at_once_are_one_notice(self, acme):
        member = acme.colleague("member")
        made = task(acme, member)
        path = f"/tasks/{made['id']}/comments"
        _, statuses = all_at_once(member, [(path, {"text": f"Number {number}"}) for number in range(16)])
        assert statuses == {201: 16}
        assert [(each["kind"], each["count"]) for each in of(acme)] == [("task_comment", 16)]


class TestMoney:
    def test_a_bill_that_needs_approval_is_told_until_someone_approves_it(self, acme):
        anna, admin = acme.colleague("accountant"), acme.colleague("admin")
        bill(acme)
        assert bell(admin) == 0
        acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})
        made = bill(acme)
        (words,) = [text for _, text, _ in told(admin)]
        assert words == f"Bill {made['number']} of {made['supplierName']} needs approval."
        assert (bell(anna), bell(acme)) == (0, 0)
        acme.ok("POST", f"/finance/invoices/{made['id']}/approve")
        assert bell(admin) == 0

    def test_a_payroll_run_and_the_payslips_in_it_without_any_amount(self, acme):
        hanna, anna = acme.colleague("hr"), acme.colleague("member")
        paid_employee(acme, user=anna)
        made = payroll_run(acme)
        assert told(hanna) == [("payroll_to_approve", f"Payroll run {made['number']} needs approval.", 1)]
        assert told(anna) == []
        act(acme, made, "approve")
        assert bell(hanna) == 0
        (notice,) = of(anna)
        assert notice["text"] == "Your payslip is ready: 1 Jan 2026 – 31 Jan 2026."
        assert notice["resource"]["type"] == "payslip"
        anna.ok("GET", f"/hr/payroll/payslips/{notice['resource']['id']}")
        assert "3000" not in str(of(anna)) + str(of(hanna))
        act(acme, made, "reverse")
        assert of(anna) == []

    def test_a_draft_that_is_deleted_takes_its_notice_along(self, acme):
        hanna = acme.colleague("hr")
        paid_employee(acme)
        acme.ok("DELETE", f"/hr/payroll/runs/{payroll_run(acme)['id']}")
        assert of(hanna) == []


class TestTheServer:
    def test_a_leaver_who_can_still_sign_in_is_told_once_their_last_day_is_over(self, acme, clock_at):
        admin, gone = acme.colleague("admin"), acme.colleague("member")
        made = hire(acme, name="Gone", userId=gone.user["id"])
        body = {"date": "2026-03-02", "access": "keep"}
        acme.ok("POST", f"/hr/employees/{made['id']}/terminate", body)
        dated.Watch(acme.installation.config).look()
        assert bell(admin) == 0
        clock_at("2026-03-04T09:00:00Z")
        for _ in range(2):
            dated.Watch(acme.installation.config).look()
        expected = [("leaver_has_access", "Gone has left and can still sign in.", 1)]
        assert told(admin) == told(acme) == expected
        assert bell(acme.colleague("manager")) == 0

    def test_a_failing_backup_is_told_to_the_admin_of_the_server_once(self, acme, clock_at, monkeypatch):
        admin = acme.colleague("admin")

        def fail(kind):
            raise OSError

        monkeypatch.setattr(backups, "make", fail)
        with config.use(acme.installation.config):
            keeper = daily.Daily(acme.installation.config)
            for hour in (10, 12):
                clock_at(f"2026-03-03T{hour}:00:00Z")
                keeper.look()
        assert told(acme) == [("backup_failed", "The daily backup has failed.", 1)]
        assert told(admin) == []


def noting(asked: list[str], run: Callable[..., Any]) -> Callable[..., Any]:
    """A statement's run that notes its text first."""

    def noted(self: Router, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return run(self, sql, *rest)

    return noted


def test_an_invoice_and_logged_time_that_concern_no_one_ask_and_write_nothing_for_it(acme, monkeypatch):
    made = task(acme)
    asked: list[str] = []
    for name in ("execute_sql", "run_many"):
        monkeypatch.setattr(Router, name, noting(asked, getattr(Router, name)))
    invoice(acme)
    acme.ok("POST", f"/tasks/{made['id']}/time-logs", {"date": "2026-03-02", "minutes": 30})
    assert [sql for sql in asked if "notice" in sql] == []
    assert len(asked) > 10
