"""The feed of changes: where it goes on, when nothing is sent, and who hears of what."""

from typing import Any

import pytest

from erp.store import events
from erp.store.event_types import TYPES
from erp.store.router import WORKSPACE, Router
from tests.conftest import Office
from tests.desk.files import attach, pdf
from tests.finance.bank.january import lines, statement
from tests.matrix import (
    ACCOUNTING,
    ADMINS,
    EVERY_ROLE,
    PAY_OFFICE,
    READ_BOOKS,
    READ_CONTACTS,
    STAFF_OFFICE,
    TIME_READERS,
)

FEED = "/workspace/changes"
BELL = {"unreadNotices": 0, "counts": None}


@pytest.fixture(autouse=True)
def _events_tell_no_one(acme, monkeypatch):
    """The events of these tests are made up: of their records only the ids are known."""
    monkeypatch.setattr(events, "FOLLOWERS", {})


def feed(office: Office, after: int, **params: object) -> Any:
    return office.ok("GET", FEED, params={"after": str(after), **{name: str(value) for name, value in params.items()}})


def place(office: Office) -> int:
    return int(office.ok("GET", FEED)["next"])


def contact(office: Office, name: str = "Initech") -> str:
    return str(office.ok("POST", "/finance/contacts", {"kind": "customer", "name": name})["id"])


def test_without_a_place_the_feed_says_only_where_now_is(acme):
    contact(acme)
    assert acme.ok("GET", FEED) == {"changes": [], "next": 2, "hasMore": False, "isReset": False, **BELL}


def test_a_change_says_what_happened_to_which_record_when_and_by_whom(acme, clock_at):
    clock_at("2026-03-05T09:00:00Z")
    before = place(acme)
    id = contact(acme)
    assert feed(acme, before) == {
        "changes": [
            {
                "seq": 2,
                "type": "contact.created",
                "occurredAt": "2026-03-05T09:00:00.000Z",
                "actor": {"id": acme.user["id"], "name": "Olga"},
                "resource": {"type": "contact", "id": id},
            }
        ],
        "next": 2,
        "hasMore": False,
        "isReset": False,
        **BELL,
    }


def test_the_feed_goes_on_where_the_answer_before_ended(acme):
    before = place(acme)
    ids = [contact(acme, f"Customer {number}") for number in range(3)]
    first = feed(acme, before, limit=2)
    assert ([change["resource"]["id"] for change in first["changes"]], first["hasMore"]) == (ids[:2], True)
    rest = feed(acme, first["next"], limit=2)
    assert ([change["resource"]["id"] for change in rest["changes"]], rest["hasMore"]) == (ids[2:], False)
    assert feed(acme, rest["next"]) == {
        "changes": [],
        "next": 4,
        "hasMore": False,
        "isReset": False,
        **BELL,
    }


def test_the_place_moves_past_what_one_may_not_read(acme):
    member, before = acme.colleague("member"), place(acme)
    for number in range(3):
        contact(acme, f"Customer {number}")
    assert feed(member, before, limit=2) == {
        "changes": [],
        "next": before + 2,
        "hasMore": True,
        "isReset": False,
        **BELL,
    }
    assert feed(member, before) == {
        "changes": [],
        "next": before + 3,
        "hasMore": False,
        "isReset": False,
        **BELL,
    }


def test_the_feed_counts_what_waits_when_asked_and_when_it_has_changed(acme):
    before = place(acme)
    assert feed(acme, before)["counts"] is None
    assert feed(acme, before, counts="true")["counts"] == {"inbox": 0, "bank": 0}
    for role in ("member", "viewer"):
        assert acme.colleague(role).ok("GET", f"{FEED}?counts=true")["counts"] == {"inbox": None, "bank": None}
    attach(acme, pdf(), "Meyer 4711.pdf")
    assert feed(acme, before)["counts"] == {"inbox": 1, "bank": 0}
    statement(acme, account="1010")
    number = len(lines(acme, "1010", status="unmatched"))
    assert number > 1
    assert feed(acme, place(acme) - 1)["counts"] == {"inbox": 1, "bank": number}


def test_a_log_that_ends_before_the_place_starts_over(acme):
    answer = feed(acme, 40)
    counts = {"inbox": 0, "bank": 0}
    assert answer == {"changes": [], "next": 1, "hasMore": False, "isReset": True, **BELL, "counts": counts}


def test_nothing_is_sent_to_those_who_know_it(acme):
    contact(acme)
    first = acme.call("GET", FEED, params={"after": "1"})
    etag = first.headers["ETag"]
    again = acme.call("GET", FEED, params={"after": "1"}, headers={"If-None-Match": etag})
    assert (again.status_code, again.text, again.headers["ETag"]) == (304, "", etag)
    contact(acme, "Umbrella")
    news = acme.call("GET", FEED, params={"after": "1"}, headers={"If-None-Match": etag})
    assert (news.status_code, len(news.json["data"]["changes"])) == (200, 2)
    assert news.headers["ETag"] != etag


def test_more_changes_than_asked_for_have_an_etag_of_their_own(acme):
    contact(acme)
    whole = acme.call("GET", FEED, params={"after": "1", "limit": "1"}).headers["ETag"]
    contact(acme, "Umbrella")
    more = acme.call("GET", FEED, params={"after": "1", "limit": "1"}, headers={"If-None-Match": whole})
    assert (more.status_code, more.json["data"]["hasMore"]) == (200, True)


@pytest.mark.parametrize(
    "params", [{"after": "-1"}, {"after": "x"}, {"after": "null"}, {"limit": "0"}, {"limit": "201"}]
)
def test_a_place_that_cannot_be_is_refused(acme, params):
    acme.refused("GET", FEED, params=params, status=400, code="bad_parameter")


def test_the_feed_of_a_workspace_is_its_own(acme, stranger):
    contact(acme)
    assert [change["type"] for change in feed(stranger, 0)["changes"]] == ["workspace.created"]


BOOKS = (
    "account allocation asset bank_account bank_line bank_rule bank_statement base_rate budget datev_stack"
    " depreciation_run dimension dimension_value exchange_rate exchange_rate_import invoice journal_entry offset"
    " open_item payment payment_run process_chapter product quote recurring_document reminder reminder_level"
    " revaluation share_link tax_rate tax_return transfer"
)
STAFF = "attendance attendance_correction kiosk leave leave_adjustment leave_year"
PAY = "compensation component_set cost_rate pay_component payroll_run payslip wage_export wage_type"
READERS = {
    **dict.fromkeys(BOOKS.split(), READ_BOOKS),
    **dict.fromkeys(STAFF.split(), STAFF_OFFICE),
    **dict.fromkeys(PAY.split(), PAY_OFFICE),
    **dict.fromkeys(
        (
            "expense_category",
            "expense_rate",
            "holiday",
            "leave_type",
            "member",
            "project",
            "site",
            "task",
            "text",
            "user",
            "workspace",
        ),
        EVERY_ROLE,
    ),
    **dict.fromkeys(("time_import", "time_log", "time_week", "timer"), "owner admin accountant hr manager"),
    **dict.fromkeys(("calendar_address", "invite", "mail", "message", "view", "webhook"), ADMINS),
    "attachment": READ_BOOKS,
    "column_mapping": READ_CONTACTS,
    "contact": READ_CONTACTS,
    "checklist": STAFF_OFFICE,
    "employee_document": STAFF_OFFICE,
    "employee": "owner admin accountant hr manager",
    "expense_claim": "owner admin accountant hr viewer",
}
"""Who hears of a record that is not their own, by its type, written by hand from the matrix of roles."""

LOG_READERS = {"workspace.exported": ACCOUNTING, "workspace.duplicated": ACCOUNTING}

RESOURCE_OF = {
    "exchange_rate.imported": "exchange_rate_import",
    "holidays.imported": "holiday",
    "leave.adjusted": "leave_adjustment",
    "period.locked": "workspace",
    "person.erased": "employee",
    "person.exported": "employee",
    "retention.updated": "workspace",
    "period.unlocked": "workspace",
    "time_log.imported": "time_import",
}
"""The type of resource of those events whose type does not begin with it."""


def resource_of(type: str) -> str:
    return RESOURCE_OF.get(type, type.partition(".")[0])


def write_all(office: Office, **about: str) -> int:
    """Write one event of every type, all about a stranger's record or, if it is given, about someone's."""
    before = place(office)
    with office.books(write=True):
        for type in sorted(TYPES):
            events.write(type, resource_of(type), about.get("id", "nobody's"), about)
    return before


def heard(office: Office, before: int) -> set[str]:
    types, more = set[str](), True
    while more:
        answer = feed(office, before)
        types |= {change["type"] for change in answer["changes"]}
        before, more = int(answer["next"]), answer["hasMore"]
    return types


@pytest.mark.parametrize("role", EVERY_ROLE.split())
def test_every_role_hears_of_what_it_may_read_and_of_nothing_else(acme, role):
    person = acme if role == "owner" else acme.colleague(role)
    acme.ok("POST", "/hr/employees", {"name": "Pia", "hireDate": "2026-01-01", "userId": person.user["id"]})
    before = write_all(acme, employeeId="somebody else", userId="somebody else")
    expected = {type for type in TYPES if role in LOG_READERS.get(type, READERS[resource_of(type)]).split()}
    assert heard(person, before) == expected


def test_every_type_of_record_is_written_down_here():
    assert {resource_of(type) for type in TYPES} == set(READERS)


OWN = "attendance attendance_correction compensation expense_claim leave leave_adjustment"
REPORTS = "attendance attendance_correction expense_claim leave leave_adjustment"


def of(nouns: str) -> set[str]:
    return {type for type in TYPES if resource_of(type) in nouns.split()}


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_everyone_hears_of_their_own_attendance_leave_and_pay(acme, role):
    person = acme.colleague(role)
    before = write_all(acme)
    others = heard(person, before)
    own = {"name": "Pia", "hireDate": "2026-01-01", "userId": person.user["id"]}
    employee_id = acme.ok("POST", "/hr/employees", own)["id"]
    before = write_all(acme, employeeId=employee_id)
    assert heard(person, before) == others | of(OWN)
    before = write_all(acme, id=employee_id)
    assert heard(person, before) == others | of("employee")


def test_a_manager_hears_of_those_who_report_to_them_directly_or_through_others(acme):
    manager = acme.colleague("manager")

    def hire(name: str, **more: str) -> str:
        return str(acme.ok("POST", "/hr/employees", {"name": name, "hireDate": "2026-01-01", **more})["id"])

    lead = hire("Max", userId=manager.user["id"])
    below = hire("Ben", managerEmployeeId=hire("Ann", managerEmployeeId=lead))
    beside = hire("Zoe")
    others = heard(manager, write_all(acme, employeeId=beside))
    assert heard(manager, write_all(acme, employeeId=below)) == others | of(REPORTS)


def test_of_the_reports_of_a_manager_who_has_left_the_successor_hears_and_the_leaver_no_longer(acme, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    gone, manager, other = (acme.colleague("manager") for _ in range(3))

    def hire(name: str, **more: str) -> str:
        return str(acme.ok("POST", "/hr/employees", {"name": name, "hireDate": "2026-01-01", **more})["id"])

    above = hire("Otto", userId=other.user["id"])
    left = hire("Max", userId=gone.user["id"], managerEmployeeId=above)
    below = hire("Ben", managerEmployeeId=left)
    named = hire("Ida", userId=manager.user["id"])
    last = {"date": "2026-02-27", "access": "keep", "reportsToEmployeeId": named}
    acme.ok("POST", f"/hr/employees/{left}/terminate", last)
    others = heard(manager, write_all(acme, employeeId="nobody's"))
    after = write_all(acme, employeeId=below)
    assert heard(manager, after) == others | of(REPORTS)
    assert heard(gone, after) == heard(other, after) == others


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_everyone_hears_of_their_own_time_who_may_log_it(acme, role):
    person = acme.colleague(role)
    others = heard(person, write_all(acme))
    logs = of("time_log time_week") if role == "member" else set()
    assert role in TIME_READERS.split() or not logs
    assert heard(person, write_all(acme, userId=person.user["id"])) == others | logs
    timer = of("timer") if role == "member" else set()
    assert heard(person, write_all(acme, id=person.user["id"])) == others | timer


def test_an_employee_hears_of_their_payslip_once_its_run_is_approved(acme, clock_at):
    clock_at("2026-02-02T09:00:00Z")
    member, other = acme.colleague("member"), acme.colleague("member")
    for person in (member, other):
        hired = {"name": "Pia", "hireDate": "2026-01-01", "userId": person.user["id"]}
        id = acme.ok("POST", "/hr/employees", hired)["id"]
        if person is member:
            pay = {"payType": "salary", "amount": "3200.00", "frequency": "monthly", "effectiveFrom": "2026-01-01"}
            acme.ok("POST", f"/hr/employees/{id}/compensations", pay)
    before = place(acme)
    period = {"periodStart": "2026-01-01", "periodEnd": "2026-01-31", "payDate": "2026-01-31"}
    run = acme.ok("POST", "/hr/payroll/run", period)
    assert heard(member, before) == set(), "a draft is nobody's payslip yet"
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/approve", {})
    (slip,) = member.ok("GET", "/hr/payroll/payslips")
    (change,) = feed(member, before)["changes"]
    assert (change["type"], change["resource"]) == ("payroll_run.approved", {"type": "payslip", "id": slip["id"]})
    assert heard(other, before) == set()
    assert {change["resource"]["type"] for change in feed(acme, before)["changes"]} == {"payroll_run"}
    acme.ok("POST", f"/hr/payroll/runs/{run['id']}/reverse", {"reason": "Wrong month"})
    assert heard(member, before) == set(), "it is not theirs to read any more"


def test_asking_takes_one_statement(acme, monkeypatch):
    contact(acme)
    place(acme)
    seen: list[str] = []
    execute = Router.execute_sql

    def counted(router, sql, *parameters, **named):
        seen.extend([sql] if router is WORKSPACE else [])
        return execute(router, sql, *parameters, **named)

    monkeypatch.setattr(Router, "execute_sql", counted)
    feed(acme, 1)
    assert len(seen) == 1
