"""Weeks of time: submitted by people, approved or returned by those who may change everyone's time."""

import pytest

from tests.events import events_of
from tests.hr.employees.employees import at, hire
from tests.hr.leave.applications import ask, decide
from tests.refusals import complaints
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import hourly_task, log, put_on_invoice, start

WEEKS = "/tasks/time-weeks"
MONDAY, SUNDAY = "2026-03-09", "2026-03-15"
FIVE_DAYS = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)


@pytest.fixture(autouse=True)
def _after_the_week(clock_at):
    """The week is from 9 to 15 March 2026; today is the Monday after it."""
    clock_at("2026-03-16T09:00:00Z")


@pytest.fixture
def office(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    return acme


@pytest.fixture
def mia(office):
    """A member who works five days of eight hours since Monday, 9 March."""
    person = office.colleague("member")
    person.employee = hire(
        office, name="Mia", userId=person.user["id"], hireDate=MONDAY, workSchedule=FIVE_DAYS, compensation=None
    )
    return person


@pytest.fixture
def task(office):
    return add(office, "Pages")


def later(clock_at, day, *offices):
    for office in offices:
        at(office, clock_at, day)


def weeks(office, **params):
    return office.ok("GET", WEEKS, params=params)


def act(office, name, first=MONDAY, **body):
    return office.ok("POST", f"{WEEKS}/{first}/{name}", body)


def refused(office, name, code, status=409, first=MONDAY, **body):
    return office.refused("POST", f"{WEEKS}/{first}/{name}", body, status=status, code=code)


def states(office, **params):
    return [(row["dateFrom"], row["status"]) for row in weeks(office, **params)]


def test_a_week_is_submitted_and_approved(office, mia, task):
    log(mia, task, 600, date="2026-03-10", isBillable=True)
    log(mia, task, 60, date=SUNDAY)
    submitted = act(mia, "submit", note="Sunday was the fair.")
    assert {name: submitted[name] for name in ("userId", "userName", "dateFrom", "dateTo", "status", "note")} == {
        "userId": mia.user["id"],
        "userName": mia.user["name"],
        "dateFrom": MONDAY,
        "dateTo": SUNDAY,
        "status": "submitted",
        "note": "Sunday was the fair.",
    }
    assert [submitted[f"{name}Minutes"] for name in ("expected", "logged", "billable")] == [2400, 660, 600]
    assert (submitted["can"], submitted["submittedAt"]) == (["withdraw"], "2026-03-16T09:00:00.000Z")
    (seen,) = weeks(office, status="submitted")
    assert seen["can"] == ["approve", "return", "withdraw"]
    approved_week = act(office, "approve", userId=mia.user["id"])
    assert (approved_week["status"], approved_week["decidedByName"]) == ("approved", office.user["name"])
    assert (approved_week["can"], approved_week["note"]) == (["reopen"], "Sunday was the fair.")
    assert weeks(mia, status="approved")[0]["can"] == []


def test_every_step_writes_its_event(office, mia, task):
    log(mia, task, 60, date=MONDAY)
    user = {"userId": mia.user["id"]}
    act(mia, "submit")
    act(mia, "withdraw")
    act(mia, "submit")
    act(office, "return", **user, reason="Thursday is missing.")
    assert weeks(mia, status="missing")[0]["note"] == "Thursday is missing."
    act(office, "remind", **user)
    act(mia, "submit")
    act(office, "approve", **user)
    act(office, "reopen", **user, reason="One hour was wrong.")
    rows = office.ok("GET", "/workspace/events", params={"resourceType": "time_week"})
    assert [row["type"].partition(".")[2] for row in reversed(rows)] == [
        *("submitted", "withdrawn", "submitted", "returned", "reminded", "submitted", "approved", "reopened")
    ]
    assert rows[0]["data"] == {**user, "dateFrom": MONDAY, "dateTo": SUNDAY}
    assert events_of(mia, rows[0]["resource"]["id"])


def test_a_week_with_half_a_day_of_leave_expects_36_hours(office, mia):
    decide(office, ask(mia, "2026-03-11", startHalf=True))
    assert [row["expectedMinutes"] for row in weeks(mia, dateFrom=MONDAY, dateTo=SUNDAY)] == [36 * 60]


def test_holidays_are_not_expected(office, mia):
    office.ok("POST", "/hr/holidays", {"date": "2026-03-12", "name": "Day of the office"})
    assert [row["expectedMinutes"] for row in weeks(mia, dateFrom=MONDAY, dateTo=SUNDAY)] == [32 * 60]


def test_a_week_is_missing_once_it_is_over_and_time_was_expected(office, mia, clock_at):
    clock_at("2026-03-15T20:00:00Z")
    assert states(mia) == [(MONDAY, "open")]
    clock_at("2026-03-16T09:00:00Z")
    assert states(office, status="missing") == [(MONDAY, "missing")]
    assert states(mia) == [("2026-03-16", "open"), (MONDAY, "missing")]
    assert weeks(office, status="missing")[0]["can"] == ["remind", "submit"]
    office.ok("PATCH", f"/hr/employees/{mia.employee['id']}", {"expectsTime": False})
    assert states(mia) == []
    office.ok("PATCH", f"/hr/employees/{mia.employee['id']}", {"expectsTime": True})
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeApproval": "off"})
    assert states(office, status="missing") == []


def test_weeks_are_parted_at_the_end_of_a_month(office, mia, clock_at):
    """Monday, 29 June to Sunday, 5 July 2026."""
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeApproval": "week_in_month"})
    later(clock_at, "2026-07-06", office, mia)
    rows = weeks(mia, dateFrom="2026-06-29", dateTo="2026-07-05", sort="date")
    assert [(row["dateFrom"], row["dateTo"], row["expectedMinutes"]) for row in rows] == [
        ("2026-06-29", "2026-06-30", 960),
        ("2026-07-01", "2026-07-05", 1440),
    ]
    act(mia, "submit", "2026-06-29")
    assert states(mia, dateFrom="2026-06-29", dateTo="2026-07-05", sort="date") == [
        ("2026-06-29", "submitted"),
        ("2026-07-01", "missing"),
    ]
    refused(mia, "submit", "not_found", 404, "2026-06-30")
    act(mia, "submit", "2026-07-01")


def test_a_submitted_week_stays_as_it_was_when_weeks_are_parted_later(office, mia, clock_at):
    later(clock_at, "2026-07-06", office, mia)
    act(mia, "submit", "2026-06-29")
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeApproval": "week_in_month"})
    (row,) = weeks(mia, dateFrom="2026-07-01", dateTo="2026-07-05")
    assert (row["dateFrom"], row["dateTo"], row["status"]) == ("2026-06-29", "2026-07-05", "submitted")
    act(mia, "withdraw", "2026-06-29")
    assert [row["dateFrom"] for row in weeks(mia, dateFrom="2026-06-29", dateTo="2026-07-05", sort="date")] == [
        "2026-06-29",
        "2026-07-01",
    ]


def test_a_week_is_submitted_from_its_last_working_day_on(office, mia, clock_at):
    clock_at("2026-03-12T20:00:00Z")
    error = refused(mia, "submit", "not_over")
    assert "13 Mar 2026" in error["message"]
    assert weeks(mia)[0]["can"] == []
    clock_at("2026-03-13T16:00:00Z")
    assert act(mia, "submit")["status"] == "submitted"


def test_without_a_schedule_the_last_day_is_sunday(office, task, clock_at):
    clock_at("2026-03-14T20:00:00Z")
    log(office, task, 60, date=MONDAY)
    refused(office, "submit", "not_over")
    clock_at("2026-03-15T08:00:00Z")
    act(office, "submit")


def test_a_timer_that_began_in_the_week_is_stopped_first(office, mia, task, clock_at):
    clock_at("2026-03-15T10:00:00Z")
    start(mia, task)
    refused(mia, "submit", "timer_running")
    mia.ok("POST", "/tasks/timer/stop", {})
    clock_at("2026-03-16T10:00:00Z")
    start(mia, task)
    act(mia, "submit")


def test_steps_that_a_week_cannot_take_are_refused(office, mia):
    user = {"userId": mia.user["id"]}
    refused(mia, "withdraw", "invalid_transition")
    refused(office, "approve", "invalid_transition", **user)
    refused(office, "return", "invalid_transition", **user, reason="No")
    refused(office, "reopen", "invalid_transition", **user, reason="No")
    act(mia, "submit")
    refused(mia, "submit", "invalid_transition")
    refused(office, "remind", "invalid_transition", **user)
    refused(office, "reopen", "invalid_transition", **user, reason="No")
    act(office, "approve", **user)
    refused(mia, "withdraw", "invalid_transition")
    refused(mia, "submit", "not_found", 404, "2026-03-10")
    refused(mia, "submit", "not_found", 404, "tuesday")


def test_weeks_are_not_submitted_where_approval_is_off(acme):
    refused(acme, "submit", "approval_off")
    assert weeks(acme) == []


def test_an_invoiced_week_is_not_reopened(office, mia, task):
    made = log(mia, task, 60, date=MONDAY, isBillable=True)
    act(mia, "submit")
    act(office, "approve", userId=mia.user["id"])
    name = put_on_invoice(office, made)
    error = refused(office, "reopen", "invoiced", userId=mia.user["id"], reason="Wrong")
    assert name in error["message"]


def test_no_one_decides_on_their_own_week_while_another_could(office, task):
    log(office, task, 60, date=MONDAY)
    act(office, "submit")
    boss = office.colleague("manager")
    error = refused(office, "approve", "own_time", 403, userId="me")
    assert error["message"] == "You cannot decide on your own time. Ask another Owner, Admin or Manager."
    assert weeks(office)[0]["can"] == ["withdraw"]
    assert act(boss, "approve", userId=office.user["id"])["status"] == "approved"


def test_an_owner_alone_approves_their_own_week(office, task):
    log(office, task, 60, date=MONDAY)
    act(office, "submit")
    assert act(office, "approve", userId="me")["status"] == "approved"


def test_members_see_and_submit_only_their_own_weeks(office, mia, task):
    log(office, task, 60, date=MONDAY)
    assert {row["userId"] for row in weeks(mia)} == {mia.user["id"]}
    assert {row["userId"] for row in weeks(office)} == {mia.user["id"], office.user["id"]}
    mia.refused("GET", WEEKS, params={"userId": office.user["id"]}, status=403)
    refused(mia, "submit", "forbidden", 403, userId=office.user["id"])
    refused(mia, "approve", "forbidden", 403, userId=mia.user["id"])
    assert act(office, "submit", userId=mia.user["id"])["status"] == "submitted"


def test_many_weeks_are_decided_at_once_or_none(office, mia, clock_at):
    later(clock_at, "2026-03-23", office, mia)
    act(mia, "submit")
    act(mia, "submit", "2026-03-16")
    user = {"userId": mia.user["id"]}

    def decisions(*rows):
        return {"decisions": [{**user, "dateFrom": day, "decision": verdict, **more} for day, verdict, more in rows]}

    reason = {"note": "Thursday is missing."}
    wrong = decisions((MONDAY, "approve", {}), ("2026-03-17", "approve", {}), ("2026-03-16", "return", {}))
    assert complaints(office.refused("POST", f"{WEEKS}/decide", wrong, status=422)) == {"decisions[2].note": "required"}
    wrong["decisions"][2] |= reason
    assert complaints(office.refused("POST", f"{WEEKS}/decide", wrong, status=422)) == {
        "decisions[1]": "unknown_reference"
    }
    assert states(office, status="approved") == []
    both = decisions((MONDAY, "approve", {}), ("2026-03-16", "return", reason))
    decided = office.ok("POST", f"{WEEKS}/decide", both)["weeks"]
    assert [row["status"] for row in decided] == ["approved", "missing"]


def test_the_list_is_read_in_pages_and_as_a_table(office, mia, clock_at):
    later(clock_at, "2026-03-30", office, mia)
    page = mia.call("GET", WEEKS, params={"limit": "2", "total": "true"}).json
    assert ([row["dateFrom"] for row in page["data"]], page["page"]["total"]) == (["2026-03-30", "2026-03-23"], 4)
    cursor = page["page"]["nextCursor"]
    assert states(mia, cursor=cursor) == [("2026-03-16", "missing"), (MONDAY, "missing")]
    table = mia.call("GET", WEEKS, params={"format": "csv"}).text.splitlines()
    assert len(table) == 5
    assert len(states(office, **{"not.status": "missing"})) == len(states(office, status="open,approved"))
    own = {"userId": f"me,{mia.ok('GET', '/auth/session')['user']['id']}"}
    assert len(states(office, **own)) == len(states(office))
    mia.refused("GET", WEEKS, params={"dateFrom": "2024-01-01", "dateTo": "2026-01-01"}, status=400)
    mia.refused("GET", WEEKS, params={"dateFrom": "2026-02-01", "dateTo": "2026-01-01"}, status=400)


def test_only_approved_time_is_billed(office, mia, clock_at):
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Globex"})["id"]
    project, task = hourly_task(office, "100.00", customerId=customer)
    path, body = "/finance/invoices/from-time-logs", {"projectId": project["id"], "dryRun": True}
    log(mia, task, 60, date=MONDAY)
    log(mia, task, 90, date="2026-03-16")
    everything = office.ok("POST", path, body)
    assert (everything["total"], everything["leftOut"]) == ("250.00", {"minutes": 0, "amount": "0.00"})
    office.refused("POST", path, {**body, "approvedOnly": True}, status=422, code="nothing_to_bill")
    act(mia, "submit")
    office.refused("POST", path, {**body, "approvedOnly": True}, status=422, code="nothing_to_bill")
    act(office, "approve", userId=mia.user["id"])
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"billApprovedTimeOnly": True})
    office.refused("POST", path, {**body, "approvedOnly": False}, status=422, code="approved_time_only")
    for chosen in ({}, {"approvedOnly": True}):
        shown = office.ok("POST", path, {**body, **chosen})
        assert (shown["total"], shown["leftOut"]) == ("100.00", {"minutes": 90, "amount": "150.00"})
    made = office.ok("POST", path, {"projectId": project["id"]})
    assert (made["total"], made["leftOut"]["minutes"]) == ("100.00", 90)
    assert [row["isBillable"] for row in office.ok("GET", "/tasks/time-logs", params={"isApproved": "true"})] == [True]
    assert [row["weekStatus"] for row in office.ok("GET", "/tasks/time-logs", params={"isApproved": "false"})] == [
        "open"
    ]


def test_home_counts_the_weeks_to_approve_and_the_missing_ones(office, mia, clock_at):
    later(clock_at, "2026-03-23", office, mia)

    def counts(person):
        home = person.ok("GET", "/workspace/home")
        return [home[name] and home[name]["total"] for name in ("timeToApprove", "timeMissing")]

    assert (counts(office), counts(mia)) == ([0, 2], [None, 2])
    act(mia, "submit")
    assert (counts(office), counts(mia)) == ([1, 1], [None, 1])
    (waiting,) = office.ok("GET", "/workspace/home")["timeToApprove"]["items"]
    assert (waiting["userName"], waiting["dateFrom"]) == (mia.user["name"], MONDAY)
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeApproval": "off"})
    assert counts(office) == [None, None]
