"""Reading notices, and the kinds of them that someone wants."""

import pytest

from erp.desk.notices import dated
from tests.conftest import Office
from tests.desk.notices import NOTICES, bell, comment, of, task
from tests.hr.payroll.payrolls import paid_employee, payroll_run
from tests.members.conftest import member_id

PREFERENCES = "/workspace/notice-preferences"


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


class TestReading:
    def test_all_up_to_the_newest_that_was_seen(self, acme):
        member = acme.colleague("member")
        made = [task(acme, member, title=title) for title in ("One", "Two", "Three")]
        newest, _, _ = of(member)
        comment(acme, made[0])
        assert member.ok("POST", f"{NOTICES}/read", {"throughId": newest["id"]}) == {"unreadNotices": 1}
        assert [each["kind"] for each in of(member, isRead="false")] == ["task_comment"]
        assert len(of(member, isRead="true", kind="task_assigned")) == 3

    def test_unread_again(self, acme):
        member = acme.colleague("member")
        made = task(acme, member)
        for _ in range(2):
            comment(acme, made)
            newest = of(member)[0]["id"]
            member.ok("POST", f"{NOTICES}/read", {"throughId": newest})
        ids = [each["id"] for each in of(member)]
        assert len(ids) == 3
        assert member.ok("POST", f"{NOTICES}/unread", {"ids": ids}) == {"unreadNotices": 2}
        assert [each["id"] for each in of(member, isRead="true")] == [ids[1]]

    def test_a_notice_that_has_told_more_meanwhile_stays_unread(self, acme):
        member = acme.colleague("member")
        made = task(acme)
        comment(member, made)
        (seen,) = of(acme)
        comment(member, made)
        assert acme.ok("POST", f"{NOTICES}/read", {"ids": [seen["id"]]}) == {"unreadNotices": 1}

    def test_notices_of_others_are_neither_listed_nor_marked(self, acme, stranger):
        member = acme.colleague("member")
        task(acme, member)
        (notice,) = of(member)
        for person in (acme, stranger):
            assert of(person) == []
            person.ok("POST", f"{NOTICES}/read", {"ids": [notice["id"]], "throughId": notice["id"]})
        assert bell(member) == 1
        acme.refused("POST", f"{NOTICES}/read", {}, status=422)

    def test_without_the_right_they_are_not_shown(self, acme):
        hanna = acme.colleague("hr")
        paid_employee(acme)
        payroll_run(acme)
        assert bell(hanna) == 1
        acme.ok("PATCH", f"/workspace/members/{member_id(acme, hanna)}", {"role": "member"})
        assert (of(hanna), bell(hanna)) == ([], 0)

    def test_what_was_read_goes_after_ninety_days(self, acme, clock_at):
        member = acme.colleague("member")
        task(acme, member)
        task(acme, member, title="Unread")
        member.ok("POST", f"{NOTICES}/read", {"ids": [of(member)[1]["id"]]})
        clock_at("2026-05-31T09:00:00Z")
        member = again(member)
        assert len(of(member)) == 2
        clock_at("2026-05-31T09:01:00Z")
        assert len(of(member)) == 1
        dated.Watch(acme.installation.config).look()
        clock_at("2026-05-31T09:00:00Z")
        assert len(of(member)) == 1


def again(person: Office) -> Office:
    """The person, signed in again after their session has ended."""
    signed_in = person.installation.call(
        "POST", "/auth/login", {"email": person.email, "password": "correct horse battery"}
    ).json["data"]
    other = Office(person.installation, person.email, signed_in)
    other.select(person.workspace_id)
    return other


class TestPreferences:
    def test_a_kind_that_someone_does_not_want_is_not_written(self, acme):
        member = acme.colleague("member")
        shown = member.ok("PUT", PREFERENCES, {"kinds": {"task_assigned": {"here": False}}})
        assert shown == member.ok("GET", PREFERENCES)
        assert shown["kinds"]["task_assigned"] == {"here": False, "mail": "off"}
        assert shown["kinds"]["task_comment"] == {"here": True, "mail": "off"}
        made = task(acme, member)
        comment(acme, made)
        assert [each["kind"] for each in of(member)] == ["task_comment"]
        member.ok("PUT", PREFERENCES, {"kinds": {}})
        task(acme, member)
        assert len(of(member)) == 2

    def test_only_the_kinds_that_a_role_can_get_are_offered(self, acme):
        offered = {role: set(acme.colleague(role).ok("GET", PREFERENCES)["kinds"]) for role in ("member", "manager")}
        assert {"payroll_to_approve", "bill_to_approve", "leave_to_decide"} & offered["member"] == set()
        assert "backup_failed" in acme.ok("GET", PREFERENCES)["kinds"].keys() - offered["member"]
        of_reports = {"leave_to_decide", "correction_to_decide", "claim_to_decide"}
        assert offered["manager"] - offered["member"] == of_reports

    def test_an_unknown_kind_is_refused(self, acme):
        acme.refused("PUT", PREFERENCES, {"kinds": {"weather": {"here": False}}}, status=422)
