"""Several tasks at once: all or none."""

import pytest

from tests.refusals import complaints
from tests.tasks.tasks import add, change, project, shown, titles

CHANGE = "/tasks/batch/change"


def together(office, *tasks, **options):
    return office.ok("POST", "/tasks/batch", {"tasks": list(tasks)}, **options)["tasks"]


def alike(office, tasks, **fields):
    return office.ok("POST", CHANGE, rows(*tasks, **fields))["tasks"]


def rows(*tasks, **fields):
    """The body of the same change to several tasks."""
    return {"tasks": [{"taskId": task["key"], **fields} for task in tasks]}


def test_tasks_are_added_together_in_their_order(acme):
    website = project(acme, "Website")["id"]
    made = together(acme, {"title": "Sketch"}, {"title": "Paint", "projectId": website}, {"title": "Frame"})
    assert [task["title"] for task in made] == ["Sketch", "Paint", "Frame"]
    assert [shown(acme, task) for task in made] == made
    assert titles(acme, sort="createdAt") == ["Sketch", "Paint", "Frame"]


def test_a_task_that_is_wrong_is_named_by_its_row_and_none_is_added(acme):
    body = {"tasks": [{"title": "Sketch"}, {"title": "Paint", "projectId": "none"}, {"title": "x", "parentId": "none"}]}
    error = acme.refused("POST", "/tasks/batch", body, status=422, code="validation_failed")
    assert complaints(error) == {"tasks[1].projectId": "unknown_reference", "tasks[2].parentId": "unknown_reference"}
    assert titles(acme) == []


def test_tasks_are_changed_alike(acme):
    tasks = [add(acme, title) for title in ("Sketch", "Paint")]
    website = project(acme, "Website")["id"]
    me = acme.user["id"]
    changed = alike(acme, tasks, status="in_progress", assigneeUserIds=[me], projectId=website, priority="high")
    for task in changed:
        assert (task["status"], task["assigneeUserIds"], task["projectId"], task["priority"]) == (
            "in_progress",
            [me],
            website,
            "high",
        )
        assert shown(acme, task) == task
    assert [task["title"] for task in changed] == ["Sketch", "Paint"]


def test_each_task_can_change_in_its_own_way(acme):
    sketch, paint = add(acme, "Sketch"), add(acme, "Paint")
    body = {"tasks": [{"taskId": sketch["id"], "title": "Draft"}, {"taskId": paint["key"], "dueDate": "2026-04-01"}]}
    changed = acme.ok("POST", CHANGE, body)["tasks"]
    assert [(task["title"], task["dueDate"]) for task in changed] == [("Draft", None), ("Paint", "2026-04-01")]


def test_a_task_that_is_done_frees_the_next_one(acme):
    first = add(acme, "Sketch")
    second = add(acme, "Paint", dependsOn=[first["id"]])
    error = acme.refused("POST", CHANGE, rows(second, first, status="done"), status=422)
    assert complaints(error) == {"tasks[0].status": "waits_for_others"}
    assert shown(acme, first)["status"] == "todo"
    assert [task["status"] for task in alike(acme, [first, second], status="done")] == ["done", "done"]


def test_a_task_that_cannot_change_keeps_all_as_they_are(acme):
    tasks = [add(acme, "Sketch"), change(acme, add(acme, "Old"), status="cancelled")]
    error = acme.refused("POST", CHANGE, rows(*tasks, {"key": "NONE-7"}, status="review"), status=422)
    assert complaints(error) == {"tasks[1].status": "invalid_transition", "tasks[2].taskId": "unknown_reference"}
    assert shown(acme, tasks[0])["status"] == "todo"


def test_tasks_that_are_changed_back_go_to_their_places_on_the_board(acme):
    tasks = [add(acme, title, tags=["wood", title]) for title in "ABCDE"]
    order = [(task["title"], "todo") for task in tasks]

    def board():
        listed = acme.ok("GET", "/tasks", params={"sort": "position", "status": "todo"})
        return [(task["title"], task["status"]) for task in listed]

    def back(tasks, **more):
        changes = [{"taskId": task["id"], "status": "todo", "position": task["position"], **more} for task in tasks]
        return acme.ok("POST", CHANGE, {"tasks": changes})["tasks"]

    chosen = [tasks[at] for at in (3, 1, 2)]
    alike(acme, chosen, status="done")
    back(chosen)
    assert board() == order
    alike(acme, chosen, status="review")
    acme.ok("POST", "/tasks/reorder", {"taskId": tasks[4]["id"], "status": "todo", "afterId": tasks[0]["id"]})
    taken = acme.ok("GET", f"/tasks/{tasks[4]['id']}")["position"]
    alike(acme, tasks[:1], status="blocked")
    back([{**tasks[0], "position": taken}])  # another has that place now
    assert board()[:2] == [("A", "todo"), ("E", "todo")]
    assert acme.ok("GET", "/tasks/tags") == [
        {"name": "wood", "uses": 5},
        *({"name": title, "uses": 1} for title in "ABCDE"),
    ]
    add(acme.colleague("member"), tags=["wood"])
    assert acme.colleague("member").ok("GET", "/tasks/tags")[0] == {"name": "wood", "uses": 6}


def test_a_member_changes_only_their_own(acme):
    member = acme.colleague("member")
    own, others = add(member, "Mine"), add(acme, "Yours")
    body = rows(own, others, priority="low")
    error = member.refused("POST", CHANGE, body, status=422)
    assert complaints(error) == {"tasks[1]": "forbidden"}
    acme.colleague("viewer").refused("POST", CHANGE, body, status=403, code="forbidden")


@pytest.mark.parametrize("count", [0, 201])
def test_a_batch_has_1_to_200_tasks(acme, count):
    error = acme.refused("POST", "/tasks/batch", {"tasks": [{"title": "x"}] * count}, status=422)
    assert list(complaints(error)) == ["tasks"]
    error = acme.refused("POST", CHANGE, {"tasks": [{"taskId": "x"}] * count}, status=422)
    assert list(complaints(error)) == ["tasks"]


def test_a_batch_that_is_sent_again_adds_nothing_more(acme):
    key = {"Idempotency-Key": "batch"}
    assert together(acme, {"title": "Sketch"}, headers=key) == together(acme, {"title": "Sketch"}, headers=key)
    assert titles(acme) == ["Sketch"]
