import json

import pytest

from erp.kernel import roles
from erp.kernel.errors import Invalid, UnknownReference
from erp.projects import projects
from erp.projects.bodies import NewProject, ProjectChange
from erp.projects.models import Project
from erp.projects.states import STATUSES
from erp.store.events import Event
from erp.tasks.models import TimeLog
from tests.events import events_of
from tests.finance.contacts.contacts import customer
from tests.projects.projects import PATH, plan, project_invoice, put, shown, stored_log, stored_task
from tests.refusals import complaint, refuse_every_change, refuse_stale_changes

PROJECT = {"name": "Website"}
MONEY = {"hourlyRate", "fixedPrice", "budgetAmount"}


def test_a_project_is_added_with_all_that_is_said_of_it(acme):
    heron, manager = customer(acme), acme.colleague("manager")
    body = {
        "name": "Website relaunch",
        "code": "WEB",
        "description": "New pages",
        "customerId": heron["id"],
        "ownerUserId": manager.user["id"],
        "memberUserIds": [manager.user["id"], acme.user["id"]],
        "status": "active",
        "startDate": "2026-03-02",
        "dueDate": "2026-03-02",
        "billing": "hourly",
        "hourlyRate": "95.00",
        "fixedPrice": "1000.00",
        "budgetMinutes": 600,
        "budgetAmount": "950.00",
    }
    answer = acme.call("POST", PATH, body | {"tags": ["web", "shop", "web"]})
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/projects/{made['id']}"
    assert made.items() >= (body | {"memberUserIds": sorted(body["memberUserIds"]), "tags": ["web", "shop"]}).items()
    assert (made["createdByUserId"], made["archivedAt"], made["version"]) == (acme.user["id"], None, 1)
    assert made["totals"] == {
        "taskCount": 0,
        "openTaskCount": 0,
        "loggedMinutes": 0,
        "billableMinutes": 0,
        "progressPercent": 0,
        "unbilledAmount": "0.00",
        "invoicedAmount": "0.00",
    }
    assert shown(acme, made) == made
    assert events_of(acme, made["id"]) == ["project.created"]


def test_a_name_is_enough_for_a_project(acme):
    made = plan(acme)
    assert (made["code"], made["status"], made["billing"], made["tags"]) == ("WEB", "planned", "non_billable", [])
    assert {made[name] for name in ("customerId", "ownerUserId", "startDate", "dueDate", "hourlyRate")} == {None}


@pytest.mark.parametrize(
    ("fields", "billing"),
    [
        ({"hourlyRate": "90.00"}, "hourly"),
        ({"fixedPrice": "0"}, "fixed"),
        ({"fixedPrice": "900.00", "hourlyRate": "90.00"}, "fixed"),
        ({"hourlyRate": "90.00", "billing": "non_billable"}, "non_billable"),
        ({"billing": "fixed"}, "fixed"),
    ],
)
def test_a_project_is_billed_as_its_prices_suggest_unless_it_says(acme, fields, billing):
    assert plan(acme, **fields)["billing"] == billing


def test_a_code_that_does_not_fit_is_told_what_would(acme):
    error = acme.refused("POST", PATH, {"name": "Website", "code": "web"}, status=422)
    assert error["details"][0]["message"] == "Must be 2 to 8 capital letters and digits, a letter first, such as WEB."


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", PATH, NewProject.EXAMPLE)
    changed = acme.ok("PATCH", f"{PATH}/{made['id']}", ProjectChange.EXAMPLE)
    assert changed["dueDate"] == ProjectChange.EXAMPLE["dueDate"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"name": " "}, "name", "required"),
        ({"code": "W"}, "code", "bad_format"),
        ({"code": "web"}, "code", "bad_format"),
        ({"code": "1WEB"}, "code", "bad_format"),
        ({"code": "ABCDEFGHI"}, "code", "bad_format"),
        ({"code": "TASK"}, "code", "reserved"),
        ({"customerId": "nobody"}, "customerId", "unknown_reference"),
        ({"ownerUserId": "nobody"}, "ownerUserId", "unknown_reference"),
        ({"memberUserIds": ["nobody"]}, "memberUserIds[0]", "unknown_reference"),
        ({"startDate": "2026-03-02", "dueDate": "2026-03-01"}, "dueDate", "before_start"),
        ({"billing": "daily"}, "billing", "not_one_of"),
        ({"hourlyRate": "-1"}, "hourlyRate", "negative"),
        ({"hourlyRate": "1.005"}, "hourlyRate", "too_many_decimals"),
        ({"hourlyRate": "9999999999"}, "hourlyRate", "out_of_range"),
        ({"fixedPrice": "1.005"}, "fixedPrice", "too_many_decimals"),
        ({"budgetAmount": "99999999999999999"}, "budgetAmount", "out_of_range"),
        ({"budgetMinutes": -1}, "budgetMinutes", "out_of_range"),
        ({"tags": [""]}, "tags[0]", "required"),
        ({"tags": ["x" * 51]}, "tags[0]", "too_long"),
        ({"tags": ["x"] * 51}, "tags", "too_many"),
        ({"totals": {}}, "totals", "read_only"),
        ({"archivedAt": None}, "archivedAt", "read_only"),
    ],
)
def test_a_project_that_does_not_fit_is_refused(acme, fields, field, code):
    assert complaint(acme.refused("POST", PATH, PROJECT | fields, status=422)) == (field, code)
    assert acme.ok("GET", PATH) == []


def test_every_wrong_field_is_named_at_once_after_days_out_of_order(acme):
    member = acme.user["id"]
    body = {
        **PROJECT,
        "customerId": "nobody",
        "ownerUserId": "nobody",
        "memberUserIds": [member, "nobody", member],
        "hourlyRate": "1.005",
        "startDate": "2026-03-02",
        "dueDate": "2026-03-01",
    }
    assert complaint(acme.refused("POST", PATH, body, status=422)) == ("dueDate", "before_start")
    body |= {"dueDate": "2026-03-03"}
    error = acme.refused("POST", PATH, body, status=422, code="validation_failed")
    assert [(each["field"], each["code"]) for each in error["details"]] == [
        ("hourlyRate", "too_many_decimals"),
        ("customerId", "unknown_reference"),
        ("ownerUserId", "unknown_reference"),
        ("memberUserIds[2]", "duplicate"),
        ("memberUserIds[1]", "unknown_reference"),
    ]


def test_a_project_is_for_a_customer_in_use(acme):
    supplier, old = customer(acme, kind="supplier"), customer(acme)
    acme.ok("POST", f"/finance/contacts/{old['id']}/archive")
    for contact, code in ((supplier, "wrong_kind"), (old, "archived")):
        error = acme.refused("POST", PATH, PROJECT | {"customerId": contact["id"]}, status=422)
        assert complaint(error) == ("customerId", code)
    assert plan(acme, customerId=customer(acme, kind="both")["id"])["customerId"]


def test_what_was_right_when_it_was_said_may_stay(acme):
    old, leaver = customer(acme), acme.colleague("member")
    people = {"ownerUserId": leaver.user["id"], "memberUserIds": [leaver.user["id"]]}
    project = plan(acme, customerId=old["id"], **people)
    acme.ok("POST", f"/finance/contacts/{old['id']}/archive")
    leaver.ok("POST", "/workspace/leave")
    path, members = f"{PATH}/{project['id']}", [leaver.user["id"], acme.user["id"]]
    changed = acme.ok("PATCH", path, {**people, "customerId": old["id"], "memberUserIds": members})
    assert changed["memberUserIds"] == sorted(members)
    acme.ok("PATCH", path, {"ownerUserId": None})
    assert complaint(acme.refused("PATCH", path, {"ownerUserId": leaver.user["id"]}, status=422))[0] == "ownerUserId"


def test_a_code_that_is_taken_is_refused_and_never_made(acme):
    assert [plan(acme)["code"] for _ in range(3)] == ["WEB", "WEB2", "WEB3"]
    assert plan(acme, "Task a story keep")["code"] != "TASK"
    error = acme.refused("POST", PATH, PROJECT | {"code": "WEB2"}, status=409, code="already_exists")
    assert complaint(error) == ("code", "already_exists")
    other = plan(acme, "Other")
    acme.refused("PATCH", f"{PATH}/{other['id']}", {"code": "WEB2"}, status=409, code="already_exists")


def test_a_code_changes_until_there_are_tasks(acme):
    project = plan(acme)
    path = f"{PATH}/{project['id']}"
    assert acme.ok("PATCH", path, {"code": "SITE"})["code"] == "SITE"
    stored_task(acme, project)
    acme.refused("PATCH", path, {"code": "WEB"}, status=409, code="in_use")
    assert acme.ok("PATCH", path, {"code": "SITE", "name": "Site"})["name"] == "Site"


def test_a_change_clears_and_leaves_and_tells_what_differs(acme):
    project = plan(acme, description="Old", hourlyRate="90.00", startDate="2026-03-02", tags=["a"])
    path, member = f"{PATH}/{project['id']}", acme.user["id"]
    body = {
        "description": None,
        "hourlyRate": "95.50",
        "startDate": "2026-04-01",
        "memberUserIds": [member],
        "tags": ["a"],
    }
    changed = acme.ok("PATCH", path, body)
    assert changed.items() >= body.items()
    assert (changed["version"], changed["billing"], changed["name"]) == (2, "hourly", "Website")
    with acme.books():
        event = Event.select().where(Event.type == "project.updated").get()
        assert json.loads(event.data)["changed"] == {
            "description": {"from": "Old", "to": None},
            "hourlyRate": {"from": 9000, "to": 9550},
            "startDate": {"from": "2026-03-02", "to": "2026-04-01"},
            "memberUserIds": {"from": [], "to": [member]},
        }
    assert acme.ok("PATCH", path, {"memberUserIds": []})["memberUserIds"] == []


def test_a_change_to_what_is_there_already_is_none(acme):
    other = acme.colleague("member").user["id"]
    body = {
        **PROJECT,
        "hourlyRate": "90",
        "memberUserIds": [other, acme.user["id"]],
        "tags": ["a", "b"],
        "status": "active",
    }
    made = acme.ok("POST", PATH, body)
    again = body | {"memberUserIds": [acme.user["id"], other], "tags": ["a", "b", "a"]}
    assert acme.ok("PATCH", f"{PATH}/{made['id']}", again) == made
    assert events_of(acme, made["id"]) == ["project.created"]


def test_a_change_of_one_date_has_to_fit_the_other(acme):
    project = plan(acme, startDate="2026-03-02", dueDate="2026-03-31")
    path = f"{PATH}/{project['id']}"
    for field, day in (("startDate", "2026-04-01"), ("dueDate", "2026-03-01")):
        assert complaint(acme.refused("PATCH", path, {field: day}, status=422)) == (field, "before_start")
    assert acme.ok("PATCH", path, {"startDate": "2026-04-01", "dueDate": None})["startDate"] == "2026-04-01"


def test_time_that_is_not_invoiced_follows_the_rate_of_the_project(acme):
    project = plan(acme, hourlyRate="60.00")
    first = stored_log(acme, project, stored_task(acme, project), 90, 9_000)
    changed = acme.ok("PATCH", f"{PATH}/{project['id']}", {"hourlyRate": "80.00", "hourlyRateFrom": "2026-01-01"})
    assert changed["totals"]["unbilledAmount"] == "120.00"
    with acme.books():
        assert TimeLog.find(first).amount == 12_000


def test_a_project_that_nothing_names_is_deleted(acme):
    project = plan(acme, memberUserIds=[acme.user["id"]])
    path = f"{PATH}/{project['id']}"
    assert acme.ok("DELETE", path) == {}
    acme.refused("GET", path, status=404, code="not_found")
    assert events_of(acme, project["id"]) == ["project.created", "project.deleted"]


def test_a_project_with_tasks_or_in_the_books_is_never_deleted(acme):
    worked, invoiced, posted = plan(acme), plan(acme), plan(acme)
    stored_task(acme, worked)
    project_invoice(acme, invoiced["id"], "5.00", draft=True)
    accounts = {each["systemKey"]: each["id"] for each in acme.ok("GET", "/finance/accounts")}
    lines = [
        {"accountId": accounts["bank"], "debit": "5.00", "projectId": posted["id"]},
        {"accountId": accounts["sales"], "credit": "5.00"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-03-01", "description": "Sold", "lines": lines})
    for project in (worked, invoiced, posted):
        acme.refused("DELETE", f"{PATH}/{project['id']}", status=409, code="in_use")
        assert shown(acme, project)["id"] == project["id"]


def test_an_archived_project_is_read_only_until_it_is_taken_back(acme):
    project = plan(acme)
    path = f"{PATH}/{project['id']}"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/archive")["archivedAt"] is not None
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    acme.refused("PATCH", path, {"name": "New"}, status=409, code="project_archived")
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None
    assert acme.ok("PATCH", path, {"name": "New"})["name"] == "New"
    expected = ["project.created", "project.archived", "project.unarchived", "project.updated"]
    assert events_of(acme, project["id"]) == expected


def test_an_archived_project_without_anything_in_it_is_deleted(acme):
    path = f"{PATH}/{plan(acme)['id']}"
    acme.ok("POST", f"{path}/archive")
    assert acme.ok("DELETE", path) == {}


def test_a_stale_change_changes_nothing(acme):
    refuse_stale_changes(acme, f"{PATH}/{plan(acme)['id']}")


@pytest.mark.parametrize("role", ["owner", "admin", "manager"])
def test_who_leads_projects_sees_and_sets_their_money(acme, role):
    leader = acme if role == "owner" else acme.colleague(role)
    project = plan(leader, hourlyRate="90.00")
    path = f"{PATH}/{project['id']}"
    assert leader.ok("PATCH", path, {"budgetAmount": "900.00"})["budgetAmount"] == "900.00"
    for action in ("archive", "unarchive"):
        leader.ok("POST", f"{path}/{action}")
    leader.ok("DELETE", path)


@pytest.mark.parametrize("role", ["accountant", "hr", "member", "viewer"])
def test_others_read_projects_and_change_nothing(acme, role):
    project, reader = plan(acme, hourlyRate="90.00", budgetAmount="900.00"), acme.colleague(role)
    path = f"{PATH}/{project['id']}"
    seen, project["can"] = reader.ok("GET", path), []
    if role in ("accountant", "viewer"):
        assert seen == project
    else:
        assert not MONEY & seen.keys()
        assert not {"unbilledAmount", "invoicedAmount"} & seen["totals"].keys()
        assert seen.items() <= (project | {"totals": seen["totals"]}).items()
    assert reader.ok("GET", PATH) == [seen]
    refuse_every_change(reader, PATH, path, PROJECT)
    reader.refused("POST", f"{path}/duplicate", {}, status=403, code="forbidden")


def test_whoever_may_change_projects_may_see_their_money():
    assert all(roles.allows(role, "money.read") for role in roles.ROLES if roles.allows(role, "projects.write"))


def test_the_projects_of_another_office_are_not_there(acme, stranger):
    path = f"{PATH}/{plan(acme)['id']}"
    for verb, where, body in (
        ("GET", path, None),
        ("GET", f"{path}/summary", None),
        ("PATCH", path, {"name": "Mine"}),
        ("POST", f"{path}/archive", None),
        ("POST", f"{path}/duplicate", {"name": "Mine", "startDate": "2026-03-01"}),
        ("DELETE", path, None),
    ):
        stranger.refused(verb, where, body, status=404, code="not_found")
    assert stranger.ok("GET", PATH) == []
    error = stranger.refused("POST", PATH, PROJECT | {"ownerUserId": acme.user["id"]}, status=422)
    assert complaint(error) == ("ownerUserId", "unknown_reference")


def test_a_project_takes_tasks_and_time_while_it_is_at_work(acme):
    project = plan(acme)
    refused = {"tasks": {"completed", "cancelled"}, "time": {"cancelled"}}
    for status in STATUSES:
        put(acme, project, status=status)
        with acme.books():
            assert projects.refer(project["id"], "projectId").id == project["id"]
            for takes, closed in refused.items():
                assert code_of(project, takes) == ("closed" if status in closed else None)
    put(acme, project, status="active", archived_at="2026-03-01T09:00:00.000Z")
    with acme.books():
        assert [code_of(project, takes) for takes in ("tasks", "time", None)] == ["archived", "archived", None]
        with pytest.raises(UnknownReference):
            projects.refer("nothing", "projectId")


def code_of(project, takes):
    """The code of the refusal to take tasks or time; None if it does."""
    try:
        assert isinstance(projects.refer(project["id"], "projectId", takes=takes), Project)
    except Invalid as refusal:
        ((field, code),) = [(each.field, each.code) for each in refusal.details]
        assert field == "projectId"
        return code
