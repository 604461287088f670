"""What may be done with a task now: what `can` offers works, the rest is refused."""

import pytest

from tests.tasks.tasks import add, change, project, shown

SENT = {"cancel": "cancelled", "finish": "done", "reopen": "todo"}
OPEN = "cancel delete finish move update"


def attempt(person, task, action):
    """Whether a task takes an action."""
    path = f"/tasks/{task['id']}"
    if action == "move":
        answer = person.call("POST", "/tasks/reorder", {"taskId": task["id"], "status": task["status"]})
    elif action in ("archive", "unarchive"):
        answer = person.call("POST", f"{path}/{action}")
    elif action == "delete":
        answer = person.call("DELETE", path)
    else:
        body = {"status": SENT[action]} if action in SENT else {"title": f"{task['title']} again"}
        answer = person.call("PATCH", path, body)
    return answer.status_code < 300


def is_new(office, task):
    return task


def in_status(status):
    def become(office, task):
        return change(office, task, status=status)

    become.__name__ = status
    return become


def waits_for_another(office, task):
    return change(office, task, dependsOn=[add(office)["id"]])


def waits_for_a_cancelled_one(office, task):
    other = change(office, add(office), status="cancelled")
    return change(office, task, dependsOn=[other["id"]])


def has_an_open_subtask(office, task):
    add(office, parentId=task["id"])
    return task


def has_a_finished_subtask(office, task):
    change(office, add(office, parentId=task["id"]), status="done")
    return task


def has_time(office, task):
    office.ok("POST", f"/tasks/{task['id']}/time-logs", {"minutes": 30})
    return task


def has_a_timer(office, task):
    office.call("POST", "/tasks/timer/stop", {})  # nobody runs two
    office.ok("POST", f"/tasks/{task['id']}/timer/start", {})
    return task


def is_billed(office, task):
    customer = office.ok("POST", "/finance/contacts", {"name": "Globex", "kind": "customer"})
    line = {"description": "Work", "quantity": "1", "unitPrice": "10.00", "taskId": task["id"]}
    office.ok("POST", "/finance/invoices", {"customerId": customer["id"], "lines": [line]})
    return task


def is_archived(office, task):
    return office.ok("POST", f"/tasks/{change(office, task, status='done')['id']}/archive")


def is_in_an_archived_project(office, task):
    made = project(office, f"Past {task['key']}")
    moved = change(office, task, projectId=made["id"])
    office.ok("POST", f"/projects/{made['id']}/archive")
    return moved


STATES = {
    is_new: OPEN,
    in_status("in_progress"): OPEN,
    in_status("blocked"): OPEN,
    in_status("done"): "archive delete move reopen update",
    in_status("cancelled"): "archive delete move reopen update",
    waits_for_another: "cancel delete move update",
    waits_for_a_cancelled_one: OPEN,
    has_an_open_subtask: "cancel move update",
    has_a_finished_subtask: "cancel finish move update",
    has_time: "cancel finish move update",
    has_a_timer: "cancel finish move update",
    is_billed: "cancel finish move update",
    is_archived: "unarchive",
    is_in_an_archived_project: "",
}


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_a_task_offers_works_and_the_rest_is_refused(acme, state):
    expected = STATES[state].split()
    for action in ("archive", "cancel", "delete", "finish", "move", "reopen", "unarchive", "update"):
        task = state(acme, add(acme))
        assert shown(acme, task)["can"] == expected
        listed = acme.ok("GET", "/tasks", params={"isArchived": str(state is is_archived).lower()})
        assert [row["can"] for row in listed if row["id"] == task["id"]] == [expected]
        assert attempt(acme, task, action) == (action in expected) or is_no_change(task, action), action


def is_no_change(task, action):
    """An open task takes a change to `todo`, and every task one to its own status, which `can` does not offer."""
    return (action == "reopen" and task["status"] not in ("done", "cancelled")) or SENT.get(action) == task["status"]


@pytest.mark.parametrize("how", ["created", "assigned", "of others"])
@pytest.mark.parametrize("role", ["manager", "member", "viewer"])
def test_a_member_is_offered_only_their_own_tasks(acme, role, how):
    person = acme.colleague(role)
    may = role == "manager" or (role == "member" and how != "of others")
    for action in ("cancel", "delete", "finish", "move", "update"):
        by = person if how == "created" and role != "viewer" else acme
        task = add(by, **({"assigneeUserIds": [person.user["id"]]} if how == "assigned" else {}))
        assert shown(person, task)["can"] == (OPEN.split() if may else [])
        assert attempt(person, task, action) == may
