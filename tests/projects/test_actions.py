"""What may be done with a project now: what `can` offers works, the rest is refused."""

import itertools

import pytest

STATUS = {"activate": "active", "cancel": "cancelled", "complete": "completed", "hold": "on_hold", "plan": "planned"}
ACTIONS = [*STATUS, "archive", "delete", "unarchive", "update"]
NUMBERS = itertools.count(1)


def project(office, status="planned"):
    made = office.ok("POST", "/projects", {"name": f"Project {next(NUMBERS)}"})
    steps = {"on_hold": ["active", "on_hold"], "completed": ["active", "completed"], "planned": []}
    for step in steps.get(status, [status]):
        made = office.ok("PATCH", f"/projects/{made['id']}", {"status": step})
    return made


def in_status(status):
    def made(office):
        return project(office, status)

    made.__name__ = status
    return made


def with_an_open_task(office):
    made = project(office, "active")
    office.ok("POST", "/tasks", {"title": "Design", "projectId": made["id"]})
    return made


def archived(office):
    return office.ok("POST", f"/projects/{project(office)['id']}/archive")


def archived_with_a_task(office):
    return office.ok("POST", f"/projects/{with_an_open_task(office)['id']}/archive")


STATES = {
    in_status("planned"): "activate archive cancel delete update",
    in_status("active"): "archive cancel complete delete hold update",
    in_status("on_hold"): "activate archive cancel delete update",
    in_status("completed"): "activate archive delete update",
    in_status("cancelled"): "archive delete plan update",
    with_an_open_task: "archive cancel complete hold update",
    archived: "delete unarchive",
    archived_with_a_task: "unarchive",
}


def attempt(person, made, action):
    """Whether a project takes an action."""
    path = f"/projects/{made['id']}"
    if action in STATUS:
        answer = person.call("PATCH", path, {"status": STATUS[action], "force": action == "complete"})
    elif action == "update":
        answer = person.call("PATCH", path, {"description": "Again"})
    elif action == "delete":
        answer = person.call("DELETE", path)
    else:
        answer = person.call("POST", f"{path}/{action}")
    return answer.status_code < 300


def can(person, made):
    """What a project offers, by itself and in the list."""
    params = {"isArchived": "true"} if made["archivedAt"] else {}
    (listed,) = [row["can"] for row in person.ok("GET", "/projects", params=params) if row["id"] == made["id"]]
    assert person.ok("GET", f"/projects/{made['id']}")["can"] == listed
    return listed


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_a_project_offers_works_and_the_rest_is_refused(acme, state):
    expected = STATES[state].split()
    for action in ACTIONS:
        made = state(acme)
        assert can(acme, made) == expected
        if STATUS.get(action) != made["status"]:
            assert attempt(acme, made, action) == (action in expected), action


@pytest.mark.parametrize("role", ["manager", "accountant", "member", "viewer"])
def test_only_those_who_change_projects_are_offered_anything(acme, role):
    person = acme.colleague(role)
    for action in ("activate", "archive", "cancel", "delete", "update"):
        made = project(acme)
        assert can(person, made) == (["activate", "archive", "cancel", "delete", "update"] if role == "manager" else [])
        assert attempt(person, made, action) == (role == "manager")


def test_a_project_that_the_books_name_offers_to_be_deleted_and_then_says_why_not(acme):
    made = project(acme)
    customer = acme.ok("POST", "/finance/contacts", {"name": "Globex", "kind": "customer"})
    line = {"description": "Work", "quantity": "1", "unitPrice": "10.00", "projectId": made["id"]}
    acme.ok("POST", "/finance/invoices", {"customerId": customer["id"], "lines": [line]})
    assert "delete" in can(acme, made)
    acme.refused("DELETE", f"/projects/{made['id']}", status=409, code="in_use")
