from erp.tasks.statuses import OPEN, STATUSES
from tests.refusals import complaint
from tests.tasks.tasks import add, change, project, refuse_change, shown

PAIRS = {(before, after) for before in STATUSES for after in STATUSES}
STEPS = {(before, after) for before, after in PAIRS if before in OPEN or after in ("todo", before)}


def in_status(office, status):
    """A task that has come to that status."""
    made = add(office)
    return made if status == "todo" else change(office, made, status=status)


def test_a_status_leads_where_it_may(acme):
    for before, after in sorted(PAIRS):
        task = in_status(acme, before)
        if (before, after) in STEPS:
            changed = change(acme, task, status=after)
            assert (changed["status"], changed["completedAt"] is not None) == (after, after == "done")
        else:
            error = refuse_change(acme, task, 409, "invalid_transition", status=after)
            assert error["message"] == f"{task['key']} is {before}. The task can only be reopened."
            assert shown(acme, task) == task


def test_the_board_knows_the_same_steps(acme):
    for before, after in sorted(PAIRS):
        task = in_status(acme, before)
        move = {"taskId": task["id"], "status": after}
        if (before, after) in STEPS:
            moved = acme.ok("POST", "/tasks/reorder", move)
            assert (moved["status"], moved["completedAt"] is not None) == (after, after == "done")
        else:
            acme.refused("POST", "/tasks/reorder", move, status=409, code="invalid_transition")


def test_a_new_task_may_begin_anywhere_that_is_open(acme):
    assert [add(acme, status=status)["status"] for status in OPEN] == list(OPEN)


def test_a_task_is_completed_when_it_is_done_until_it_is_opened_again(acme, clock_at):
    made = add(acme)
    clock_at("2026-03-02T09:00:00Z")
    assert change(acme, made, status="done")["completedAt"] == "2026-03-02T09:00:00.000Z"
    clock_at("2026-03-03T09:00:00Z")
    assert change(acme, made, title="Draw")["completedAt"] == "2026-03-02T09:00:00.000Z"
    assert change(acme, made, status="todo")["completedAt"] is None


def test_a_task_waits_for_what_it_depends_on(acme):
    shop = project(acme, "Shop", code="SHOP")
    first, second, third = add(acme), add(acme, projectId=shop["id"]), add(acme)
    made = add(acme, dependsOn=[first["id"], second["id"], third["id"]])
    change(acme, third, status="cancelled")
    for call in (
        lambda: refuse_change(acme, made, 409, "waits_for_others", status="done"),
        lambda: acme.refused(
            "POST", "/tasks/reorder", {"taskId": made["id"], "status": "done"}, status=409, code="waits_for_others"
        ),
    ):
        error = call()
        assert "TASK-3 depends on TASK-1, SHOP-1." in error["message"]
        assert complaint(error) == ("status", "waits_for_others")
    change(acme, first, status="done")
    assert acme.ok("GET", f"/tasks/{made['id']}")["waitsForKeys"] == ["SHOP-1"]
    assert "TASK-3 depends on SHOP-1." in refuse_change(acme, made, 409, None, status="done")["message"]
    assert change(acme, made, status="done", dependsOn=[first["id"]])["status"] == "done"


def test_what_is_done_does_not_come_to_wait(acme):
    closed, opened, made = add(acme), add(acme), add(acme)
    change(acme, closed, status="done")
    change(acme, made, status="done")
    error = refuse_change(acme, made, 409, None, dependsOn=[opened["id"]])
    assert complaint(error) == ("dependsOn", "waits_for_others")
    refuse_change(acme, add(acme), 409, "waits_for_others", dependsOn=[opened["id"]], status="done")
    assert change(acme, made, dependsOn=[closed["id"]])["status"] == "done"
    assert change(acme, closed, status="todo")["status"] == "todo", "what was done stays done"
    assert change(acme, made, status="todo", dependsOn=[opened["id"]])["dependsOn"] == [opened["id"]]


def test_a_task_is_done_after_its_subtasks(acme):
    parent = add(acme)
    children = [add(acme, parentId=parent["id"]) for _ in range(12)]
    message = refuse_change(acme, parent, 409, "subtasks_open", status="done")["message"]
    assert message.startswith("TASK-1 has open subtasks: TASK-2, TASK-3,")
    assert "TASK-11 and 2 more." in message
    for child in children:
        change(acme, child, status="cancelled")
    assert change(acme, parent, status="done")["status"] == "done"


def test_a_task_may_be_cancelled_whatever_it_waits_for(acme):
    made = add(acme, dependsOn=[add(acme)["id"]])
    add(acme, parentId=made["id"])
    assert change(acme, made, status="cancelled")["status"] == "cancelled"
