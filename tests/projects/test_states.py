import itertools

import pytest

from erp.projects.states import STATUSES
from tests.events import events_of
from tests.projects.projects import PATH, plan, put, shown, stored_task

ALLOWED = {
    ("planned", "active"),
    ("planned", "cancelled"),
    ("active", "on_hold"),
    ("active", "completed"),
    ("active", "cancelled"),
    ("on_hold", "active"),
    ("on_hold", "cancelled"),
    ("completed", "active"),
    ("cancelled", "planned"),
}
SAME = {(status, status) for status in STATUSES}


def test_a_project_goes_from_state_to_state_as_it_may_and_no_other_way(acme):
    for before, after in itertools.product(STATUSES, STATUSES):
        project = plan(acme)
        put(acme, project, status=before)
        path, body = f"{PATH}/{project['id']}", {"status": after}
        if (before, after) in ALLOWED | SAME:
            assert acme.ok("PATCH", path, body)["status"] == after
        else:
            error = acme.refused("PATCH", path, body, status=409, code="invalid_transition")
            possible = [status for status in STATUSES if (before, status) in ALLOWED]
            assert all(status.replace("_", " ") in error["message"] for status in (before, after, *possible))
            assert shown(acme, project)["status"] == before
        changed = (before, after) in ALLOWED
        assert events_of(acme, project["id"]) == ["project.created", *["project.updated"] * changed]


@pytest.mark.parametrize("status", ["planned", "active"])
def test_a_project_begins_planned_or_active(acme, status):
    assert plan(acme, status=status)["status"] == status


@pytest.mark.parametrize("status", ["on_hold", "completed", "cancelled", "archived"])
def test_a_project_does_not_begin_with_its_end(acme, status):
    acme.refused("POST", PATH, {"name": "Website", "status": status}, status=422)


@pytest.mark.parametrize("status", ["todo", "in_progress", "review", "blocked"])
def test_a_project_with_open_tasks_is_completed_only_by_force(acme, status):
    project = plan(acme, status="active")
    path = f"{PATH}/{project['id']}"
    for each in (status, status, "done", "cancelled"):
        stored_task(acme, project, status=each)
    error = acme.refused("PATCH", path, {"status": "completed"}, status=409, code="open_tasks")
    assert "2 open tasks" in error["message"]
    acme.refused("PATCH", path, {"status": "completed", "force": False}, status=409, code="open_tasks")
    assert acme.ok("PATCH", path, {"status": "completed", "force": True})["status"] == "completed"


def test_a_project_whose_tasks_are_done_or_cancelled_is_completed(acme):
    project = plan(acme, status="active")
    for status in ("done", "cancelled"):
        stored_task(acme, project, status=status)
    stored_task(acme, plan(acme, "Another"))
    assert acme.ok("PATCH", f"{PATH}/{project['id']}", {"status": "completed"})["status"] == "completed"


def test_force_says_nothing_of_any_other_change(acme):
    project = plan(acme)
    path = f"{PATH}/{project['id']}"
    assert acme.ok("PATCH", path, {"force": True}) == project
    assert acme.ok("PATCH", path, {"status": "active", "force": True})["status"] == "active"
    put(acme, project, status="planned")
    acme.refused("PATCH", path, {"status": "completed", "force": True}, status=409, code="invalid_transition")
