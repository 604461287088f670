"""The log of changes: reading, following, verifying."""

import ast
from contextlib import closing
from pathlib import Path

import pytest

import erp
from erp.desk import rights
from erp.kernel import config
from erp.kernel.roles import PERMISSION_NAMES
from erp.store import connections, control, router
from erp.system.backups import chain_heads
from tests.conftest import Office
from tests.workspace.conftest import post_sale


def rename(office: Office, *names: str) -> None:
    for name in names:
        office.ok("PATCH", f"/workspace/{office.workspace_id}", {"legalName": name})


def test_an_event_shows_who_changed_what_when(acme):
    rename(acme, "Acme Ltd")
    event = acme.ok("GET", "/workspace/events")[0]
    assert event["type"] == "workspace.updated"
    assert event["resource"] == {"type": "workspace", "id": acme.workspace_id}
    assert (event["actor"]["id"], event["actor"]["name"]) == (acme.user["id"], "Olga")
    assert (event["seq"], event["data"]) == (2, {"changed": ["legalName"]})
    assert event["occurredAt"].endswith("Z")


def test_the_first_event_is_the_creation_of_the_workspace(acme):
    (event,) = acme.ok("GET", "/workspace/events")
    assert (event["type"], event["seq"], event["data"]) == ("workspace.created", 1, {"name": "Olga's office"})
    assert event["actor"]["id"] == acme.user["id"]


def test_the_log_is_read_newest_first_in_pages(acme):
    rename(acme, "A", "B")
    first = acme.call("GET", "/workspace/events", params={"limit": "2", "total": "true"}).json
    assert ([event["seq"] for event in first["data"]], first["page"]["total"]) == ([3, 2], 3)
    rest = acme.call("GET", "/workspace/events", params={"limit": "2", "cursor": first["page"]["nextCursor"]}).json
    assert ([event["seq"] for event in rest["data"]], rest["page"]["nextCursor"]) == ([1], None)


def test_the_log_is_followed_oldest_first_from_the_last_event_that_is_known(acme):
    known = acme.ok("GET", "/workspace/events")[0]["id"]
    assert acme.ok("GET", "/workspace/events", params={"after": known}) == []
    rename(acme, "A", "B", "C")
    first = acme.call("GET", "/workspace/events", params={"after": known, "limit": "2"}).json
    assert [event["seq"] for event in first["data"]] == [2, 3]
    cursor = first["page"]["nextCursor"]
    rest = acme.ok("GET", "/workspace/events", params={"after": known, "limit": "2", "cursor": cursor})
    assert [event["seq"] for event in rest] == [4]
    assert acme.ok("GET", "/workspace/events", params={"after": first["data"][1]["id"]}) == rest


def seqs(office, **params):
    return [event["seq"] for event in office.ok("GET", "/workspace/events", params=params)]


def test_a_script_reads_the_log_from_the_beginning_and_goes_on_by_number(acme):
    rename(acme, "A", "B", "C")
    assert seqs(acme, after="0") == [1, 2, 3, 4]
    assert seqs(acme, after="0", limit="3") == [1, 2, 3]
    assert seqs(acme, after="3") == [4]
    assert seqs(acme, after="4") == []


@pytest.mark.parametrize(
    ("params", "expected"),
    [({"sort": "seq"}, [1, 2, 3]), ({"sort": "-seq"}, [3, 2, 1]), ({"after": "1", "sort": "-seq"}, [3, 2])],
)
def test_the_order_of_the_log_can_be_named(acme, params, expected):
    rename(acme, "A", "B")
    assert seqs(acme, **params) == expected


def test_a_number_beyond_the_newest_event_is_refused_because_a_restored_log_would_be_read_with_a_gap(acme):
    rename(acme, "A")
    refusal = acme.refused("GET", "/workspace/events", params={"after": "3"}, status=400, code="bad_parameter")
    assert refusal["message"].startswith("after: The newest event is 2. If a backup has been restored")
    acme.refused("GET", "/workspace/events", params={"after": "9" * 60}, status=400, code="bad_parameter")


def test_nothing_comes_after_an_event_that_does_not_exist(acme, stranger):
    theirs = stranger.ok("GET", "/workspace/events")[0]["id"]
    for id in ("nothing", theirs):
        acme.refused("GET", "/workspace/events", params={"after": id}, status=400, code="bad_parameter")


def test_the_log_is_searched_by_type_resource_and_actor(acme):
    admin = acme.colleague("admin")
    rename(admin, "By admin")
    admins = {"actorUserId": admin.user["id"]}
    assert [event["type"] for event in acme.ok("GET", "/workspace/events", params=admins)] == [
        "workspace.updated", "member.joined"
    ]  # fmt: skip
    for params, count in (
        ({"type": "workspace.updated"}, 1),
        ({"resourceType": "workspace"}, 2),
        ({"resourceId": acme.workspace_id}, 2),
        ({"resourceId": "x"}, 0),
        ({"actorUserId": acme.user["id"], "resourceType": "workspace"}, 1),
    ):
        assert len(acme.ok("GET", "/workspace/events", params=params)) == count, params


@pytest.mark.parametrize(
    ("params", "is_listed"),
    [
        ({"dateFrom": "2026-03-02"}, True),
        ({"dateFrom": "2026-03-03"}, False),
        ({"dateTo": "2026-03-01"}, False),
        ({"dateTo": "2026-03-02"}, True),
        ({"dateFrom": "2026-03-02", "dateTo": "2026-03-02"}, True),
    ],
)
def test_a_day_of_the_log_is_a_day_in_the_workspaces_time_zone(installation, clock_at, params, is_listed):
    clock_at("2026-03-01T12:00:00Z")  # the second of March on Kiritimati, 14 hours ahead
    office = installation.office("Tia", timeZone="Pacific/Kiritimati")
    assert bool(office.ok("GET", "/workspace/events", params=params)) == is_listed


@pytest.mark.parametrize("params", [{"dateFrom": "today"}, {"sort": "type"}, {"limit": "201"}, {"before": "x"}])
def test_a_wrong_parameter_of_the_log_is_refused(acme, params):
    acme.refused("GET", "/workspace/events", params=params, status=400, code="bad_parameter")


@pytest.mark.parametrize("role", ["hr", "manager", "member", "viewer"])
def test_the_log_is_not_for_every_role(acme, role):
    colleague = acme.colleague(role)
    for path in ("/workspace/events", "/workspace/events/verify"):
        colleague.refused("GET", path, status=403, code="forbidden")


def test_an_accountant_reads_and_verifies_the_log(acme):
    accountant = acme.colleague("accountant")
    assert accountant.ok("GET", "/workspace/events")
    assert accountant.ok("GET", "/workspace/events/verify")["isValid"]


def put_people_and_books_in_the_log(office: Office) -> None:
    employee = office.ok(
        "POST", "/hr/employees", {"name": "Mia", "hireDate": "2026-01-05", "userId": office.user["id"]}
    )
    office.ok("POST", "/hr/attendance", {"employeeId": employee["id"], "date": "2026-03-04", "status": "present"})
    office.ok("POST", "/hr/leaves", {"startDate": "2026-04-07", "endDate": "2026-04-08"})
    office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Initech"})
    office.ok("POST", "/workspace/invites", {"email": "ben@example.com", "role": "member"})


def types_listed(office: Office, **params: str) -> list[str]:
    return [event["resource"]["type"] for event in office.ok("GET", "/workspace/events", params=params)]


def test_an_accountant_sees_no_event_of_what_an_accountant_may_not_read(acme, clock_at):
    clock_at("2026-03-05T09:00:00Z")
    accountant, admin = acme.colleague("accountant"), acme.colleague("admin")
    put_people_and_books_in_the_log(acme)
    hidden = {"attendance", "leave", "invite"}
    assert hidden | {"contact", "employee", "member"} <= set(types_listed(admin, limit="200"))
    assert set(types_listed(accountant, limit="200")) == set(types_listed(admin, limit="200")) - hidden
    for kind in hidden:
        assert types_listed(accountant, resourceType=kind) == []
    sheet = accountant.call("GET", "/workspace/events", params={"format": "csv"}).text
    assert "contact.created" in sheet
    assert not [kind for kind in ("leave.pending", "attendance.", "ben@example.com") if kind in sheet]


def test_what_an_accountant_may_not_read_leaves_no_gap_in_the_pages_and_is_verified_all_the_same(acme, clock_at):
    clock_at("2026-03-05T09:00:00Z")
    accountant = acme.colleague("accountant")
    put_people_and_books_in_the_log(acme)
    whole = types_listed(accountant, limit="200")
    page = accountant.call("GET", "/workspace/events", params={"limit": "2", "total": "true"}).json
    assert (len(page["data"]), page["page"]["total"]) == (2, len(whole))
    last_leave = acme.ok("GET", "/workspace/events", params={"resourceType": "leave"})[0]["id"]
    assert types_listed(accountant, after=last_leave) == ["contact"]
    verdict = accountant.ok("GET", "/workspace/events/verify")
    assert verdict == acme.ok("GET", "/workspace/events/verify")
    assert verdict["events"] > len(whole)


TYPE_AT = {"write": 1, "write_into": 2, "write_later": 2}
"""Where a call that logs a change names the type of the resource."""


def logged_types() -> set[str]:
    """The types of resources that the program's source logs changes of; a call that names none by its place."""
    return {
        str(named.value) if isinstance(named := call.args[TYPE_AT[call.func.attr]], ast.Constant) else path.name
        for path in Path(erp.__file__).parent.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in TYPE_AT
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "events"
    }


def test_every_type_of_resource_has_a_rule_who_reads_its_events():
    # These log by the type of the record.
    of_any_record = {"changes.py", "attachments.py", "blocks.py", "erasing.py", "export.py", "files.py", "marking.py"}
    by_their_files = {"attachment", "fiscal_year"}
    assert logged_types() - of_any_record | by_their_files == set(rights.READ_WITH)
    assert set(rights.READ_WITH.values()) <= PERMISSION_NAMES


def test_a_workspaces_log_is_its_own(acme, stranger):
    rename(acme, "Secret Ltd")
    assert [event["type"] for event in stranger.ok("GET", "/workspace/events")] == ["workspace.created"]


def tamper(office: Office, *statements: str) -> None:
    """Change the file as someone with their own tool would."""
    router.close_all()
    with config.use(office.installation.config):
        path = control.workspace_path(office.workspace_id)
    with closing(connections.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)


def test_an_untouched_log_is_valid_and_shows_its_tip(acme):
    post_sale(acme)
    newest = acme.ok("GET", "/workspace/events")[0]
    verdict = acme.ok("GET", "/workspace/events/verify")
    assert verdict == {"isValid": True, "events": 2, "tip": newest["hash"], "redacted": 0} | {
        "brokenAt": None,
        "reason": None,
    }


@pytest.mark.parametrize(
    ("statement", "broken_at", "reason"),
    [
        ("UPDATE event SET data = '{}' WHERE seq = 2", 2, "Event 2 was altered."),
        ("UPDATE event SET actor = replace(actor, 'Olga', 'Eve') WHERE seq = 1", 1, "Event 1 was altered."),
        ("UPDATE event SET occurred_at = '2020-01-01T00:00:00.000Z' WHERE seq = 3", 3, "Event 3 was altered."),
        ("UPDATE event SET hash = previous_hash WHERE seq = 2", 2, "Event 2 was altered."),
        ("DELETE FROM event WHERE seq = 2", 3, "Event 2 is missing."),
        ("UPDATE posting SET amount = amount * 2", 2, "The journal entry of event 2 was altered."),
        ("UPDATE journal_entry SET date = '2025-12-31'", 2, "The journal entry of event 2 was altered."),
        ("DELETE FROM posting WHERE line = 0", 2, "The journal entry of event 2 was altered."),
    ],
)
def test_an_alteration_from_outside_is_found(acme, statement, broken_at, reason):
    post_sale(acme)
    rename(acme, "A", "B")
    tamper(acme, statement)
    verdict = acme.ok("GET", "/workspace/events/verify")
    assert (verdict["isValid"], verdict["brokenAt"], verdict["reason"]) == (False, broken_at, reason)


@pytest.mark.parametrize(
    ("statement", "broken_at", "reason"),
    [
        (
            "DELETE FROM event WHERE seq > 2",
            3,
            "Its log ends with event 2, but event 4 was there before, as control.db ",
        ),
        ("UPDATE event SET data = '{}' WHERE seq = 3", 3, "Event 3 was altered."),
    ],
)
def test_a_tail_that_was_cut_off_after_it_was_noted_is_found(acme, statement, broken_at, reason):
    """Reliability L7."""
    post_sale(acme)
    rename(acme, "A", "B")
    with acme.acting():
        chain_heads.note_written()
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    tamper(acme, statement)
    verdict = acme.ok("GET", "/workspace/events/verify")
    assert (verdict["isValid"], verdict["brokenAt"]) == (False, broken_at)
    assert verdict["reason"].startswith(reason)


def test_a_cut_off_tail_that_was_not_noted_shows_in_the_count_and_the_tip(acme):
    rename(acme, "A")
    before = acme.ok("GET", "/workspace/events/verify")
    tamper(acme, "DELETE FROM event WHERE seq = 2")
    after = acme.ok("GET", "/workspace/events/verify")
    assert (after["events"], after["isValid"]) == (before["events"] - 1, True)
    assert after["tip"] != before["tip"]
