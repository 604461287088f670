import pytest

from erp.store.records import new_id
from erp.tasks import bodies as task_terms
from erp.tasks.models import TaskComment, TimeLog, Timer
from tests.events import events_of
from tests.refusals import complaint
from tests.tasks.tasks import add, change, last_event, project, refuse_change, shown, titles


def log_time(office, task, minutes=90, **fields):
    """Minutes on a task, laid into the file."""
    with office.books(write=True):
        TimeLog.add(
            task=task["id"],
            project=task["projectId"],
            user_id=office.user["id"],
            date="2026-03-02",
            minutes=minutes,
            **{"is_billable": False} | fields,
        )


def test_a_task_is_added(acme):
    answer = acme.call("POST", "/tasks", {"title": "Design"})
    made = answer.json["data"]
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == f"/api/v1/tasks/{made['id']}"
    assert made == {
        **{name: made[name] for name in ("id", "createdAt", "updatedAt")},
        **dict.fromkeys(("projectId", "description", "parentId", "startDate", "dueDate", "estimateMinutes")),
        **dict.fromkeys(
            (
                "isBillable",
                "hourlyRate",
                "repeat",
                "successorId",
                "completedAt",
                "archivedAt",
                "employeeId",
                "employeeName",
            )
        ),
        **dict.fromkeys(("projectCode", "projectName", "parentKey", "parentTitle", "successorKey")),
        "key": "TASK-1",
        "title": "Design",
        "status": "todo",
        "priority": "medium",
        "version": 1,
        "assigneeUserIds": [],
        "assigneeNames": [],
        "tags": [],
        "dependsOn": [],
        "dependsOnKeys": [],
        "waitsForKeys": [],
        "loggedMinutes": 0,
        "isOverdue": False,
        "can": ["cancel", "delete", "finish", "move", "update"],
        "createdByUserId": acme.user["id"],
        "createdByName": "Olga",
        "reporterUserId": acme.user["id"],
        "reporterName": "Olga",
        "position": made["position"],
    }
    assert shown(acme, made) == made
    assert acme.ok("GET", "/tasks") == [made]
    assert events_of(acme, made["id"]) == ["task.created"]


def test_a_task_keeps_what_it_is_given(acme):
    member, site = acme.colleague("member"), project(acme, "Site", code="WEB")
    parent, first = add(acme, projectId=site["id"]), add(acme)
    given = {
        "projectId": site["id"],
        "title": "Draw",
        "description": "In ink.",
        "status": "blocked",
        "priority": "urgent",
        "assigneeUserIds": sorted([acme.user["id"], member.user["id"]]),
        "tags": ["b", "a"],
        "parentId": parent["id"],
        "dependsOn": [first["id"]],
        "startDate": "2026-03-01",
        "dueDate": "2026-03-01",
        "estimateMinutes": 90,
        "isBillable": False,
        "hourlyRate": "80.50",
        "repeat": {"every": 2, "unit": "week", "from": "completion"},
    }
    made = acme.ok("POST", "/tasks", given)
    assert {name: made[name] for name in given} == given
    assert made["key"] == "WEB-2"


def test_other_tasks_are_named_by_key_as_well(acme):
    parent, first = add(acme), add(acme)
    made = add(acme, parentId=parent["key"], dependsOn=[first["key"]])
    assert (made["parentId"], made["dependsOn"]) == (parent["id"], [first["id"]])


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/tasks", task_terms.NewTask.EXAMPLE)
    assert change(acme, made, **task_terms.TaskChange.EXAMPLE)["status"] == "in_progress"


def test_numbers_of_keys_are_never_used_again(acme):
    site = project(acme, "Site", code="WEB")
    keys = [add(acme, projectId=site["id"])["key"], add(acme)["key"]]
    last = add(acme, projectId=site["id"])
    acme.ok("DELETE", f"/tasks/{last['id']}")
    keys += [add(acme, projectId=site["id"])["key"], add(acme)["key"]]
    assert keys == ["WEB-1", "TASK-1", "WEB-3", "TASK-2"]


WRONG: list[tuple[dict[str, object], str, str]] = [
    ({"title": " "}, "title", "required"),
    ({"status": "done"}, "status", "not_one_of"),
    ({"priority": "vital"}, "priority", "not_one_of"),
    ({"startDate": "2026-03-02", "dueDate": "2026-03-01"}, "dueDate", "before_start"),
    ({"estimateMinutes": -1}, "estimateMinutes", "out_of_range"),
    ({"hourlyRate": "-1"}, "hourlyRate", "negative"),
    ({"hourlyRate": "1.005"}, "hourlyRate", "too_many_decimals"),
    ({"tags": ["a", ""]}, "tags[1]", "required"),
    ({"tags": ["a", "b", "a"]}, "tags[2]", "duplicate"),
    ({"projectId": "nowhere"}, "projectId", "unknown_reference"),
    ({"parentId": "nothing"}, "parentId", "unknown_reference"),
    ({"assigneeUserIds": ["nobody"]}, "assigneeUserIds[0]", "unknown_reference"),
    ({"dependsOn": ["nothing"]}, "dependsOn[0]", "unknown_reference"),
    ({"dueDate": "2026-03-02", "repeat": {"every": 0, "unit": "day"}}, "repeat.every", "out_of_range"),
    ({"repeat": {"every": 1, "unit": "day"}}, "dueDate", "required"),
    ({"key": "WEB-1"}, "key", "read_only"),
    ({"position": 1}, "position", "read_only"),
    ({"reporterUserId": "me"}, "reporterUserId", "read_only"),
]


def test_a_task_that_does_not_fit_is_refused(acme):
    for fields, field, code in WRONG:
        assert complaint(acme.refused("POST", "/tasks", {"title": "Design", **fields}, status=422)) == (field, code)
    assert titles(acme) == []


def test_every_wrong_field_is_named_at_once_after_days_out_of_order(acme):
    site, made = project(acme, "Site"), add(acme)
    wrong = {
        "projectId": site["id"],
        "startDate": "2026-03-02",
        "dueDate": "2026-03-01",
        "hourlyRate": "0.001",
        "assigneeUserIds": ["x", "x"],
        "tags": ["a", "a"],
        "parentId": made["id"],
        "dependsOn": [made["id"], "nothing", made["key"]],
    }
    wrong |= {"title": "Design"}
    assert complaint(acme.refused("POST", "/tasks", wrong, status=422)) == ("dueDate", "before_start")
    wrong |= {"dueDate": "2026-03-03"}
    error = acme.refused("POST", "/tasks", wrong, status=422, code="validation_failed")
    assert sorted((each["field"], each["code"]) for each in error["details"]) == [
        ("assigneeUserIds[0]", "unknown_reference"),
        ("assigneeUserIds[1]", "duplicate"),
        ("assigneeUserIds[1]", "unknown_reference"),
        ("dependsOn", "circle"),
        ("dependsOn[1]", "unknown_reference"),
        ("dependsOn[2]", "duplicate"),
        ("hourlyRate", "too_many_decimals"),
        ("parentId", "other_project"),
        ("tags[1]", "duplicate"),
    ]


def test_a_change_writes_only_what_differs_and_tells_it(acme):
    made = add(acme, description="In ink.", dueDate="2026-03-31", tags=["a"])
    changed = change(acme, made, title="Design", description=None, tags=["a"], dueDate="2026-04-01")
    assert (changed["description"], changed["dueDate"], changed["version"]) == (None, "2026-04-01", 2)
    assert last_event(acme, "task.updated") == {
        "key": "TASK-1",
        "title": "Design",
        "changed": {
            "description": {"from": "In ink.", "to": None},
            "dueDate": {"from": "2026-03-31", "to": "2026-04-01"},
        },
    }


def test_a_change_of_people_and_dependencies_alone_is_one(acme):
    member, first, made = acme.colleague("member"), add(acme), add(acme)
    changed = change(acme, made, assigneeUserIds=[member.user["id"]], dependsOn=[first["id"]])
    assert (changed["version"], changed["assigneeUserIds"]) == (2, [member.user["id"]])
    assert last_event(acme, "task.updated")["changed"] == {
        "assigneeUserIds": {"from": [], "to": [member.user["id"]]},
        "dependsOn": {"from": [], "to": [first["id"]]},
    }
    assert change(acme, made, assigneeUserIds=[], dependsOn=[])["dependsOn"] == []


def test_a_change_to_what_is_there_already_is_none(acme):
    due = {"dueDate": "2026-01-31", "repeat": {"every": 1, "unit": "month", "from": "due_date"}}
    made = add(acme, assigneeUserIds=[acme.user["id"]], dependsOn=[add(acme)["id"]], hourlyRate="80", **due)
    fields = ("title", "status", "assigneeUserIds", "dependsOn", "tags", "hourlyRate", "dueDate", "repeat")
    assert change(acme, made, **{name: made[name] for name in fields}) == made
    assert events_of(acme, made["id"]) == ["task.created"]


def test_dates_are_seen_together_with_those_that_stay(acme):
    made = add(acme, startDate="2026-03-10", dueDate="2026-03-20")
    assert complaint(refuse_change(acme, made, 422, None, startDate="2026-03-21"))[0] == "startDate"
    assert complaint(refuse_change(acme, made, 422, None, dueDate="2026-03-09"))[0] == "dueDate"
    assert change(acme, made, startDate=None, dueDate="2026-03-09")["dueDate"] == "2026-03-09"


def test_whoever_expects_an_older_version_changes_nothing(acme):
    made = add(acme)
    change(acme, made, title="First")
    stale = {"headers": {"If-Match": '"1"'}, "status": 412, "code": "version_mismatch"}
    acme.refused("PATCH", f"/tasks/{made['id']}", {"title": "Late"}, **stale)
    acme.refused("DELETE", f"/tasks/{made['id']}", **stale)
    acme.refused("POST", f"/tasks/{made['id']}/comments", {"text": "Late"}, **stale)
    assert shown(acme, made)["title"] == "First"


def test_a_task_is_for_members_who_are_here(acme, stranger):
    leaver = acme.colleague("member")
    assert add(acme, assigneeUserIds=[leaver.user["id"]])["assigneeUserIds"] == [leaver.user["id"]]
    leaver.ok("POST", "/workspace/leave")
    for user in (leaver.user, stranger.user):
        error = acme.refused("POST", "/tasks", {"title": "Design", "assigneeUserIds": [user["id"]]}, status=422)
        assert complaint(error) == ("assigneeUserIds[0]", "unknown_reference")


def test_who_has_left_stays_assigned_until_somebody_takes_her_off(acme):
    leaver, late = acme.colleague("member"), acme.colleague("member")
    made = add(acme, assigneeUserIds=[leaver.user["id"]])
    for person in (leaver, late):
        person.ok("POST", "/workspace/leave")
    both = sorted([leaver.user["id"], acme.user["id"]])
    assert sorted(change(acme, made, assigneeUserIds=both, title="Ours")["assigneeUserIds"]) == both
    error = refuse_change(acme, made, 422, "unknown_reference", assigneeUserIds=[*both, late.user["id"]])
    assert complaint(error) == ("assigneeUserIds[2]", "unknown_reference")
    change(acme, made, assigneeUserIds=[])
    refuse_change(acme, made, 422, "unknown_reference", assigneeUserIds=[leaver.user["id"]])


def test_a_rate_is_shown_in_the_base_currency(installation):
    office = installation.office("Kaito", baseCurrency="JPY")
    assert add(office, hourlyRate="8000")["hourlyRate"] == "8000"


def test_logged_time_is_counted_and_follows_a_new_rate(acme):
    made = add(acme, hourlyRate="80")
    log_time(acme, made, 90, is_billable=True, amount=12000)
    log_time(acme, made, 30)
    assert change(acme, made, hourlyRate="100", hourlyRateFrom="2026-01-01")["loggedMinutes"] == 120
    with acme.books():
        assert sorted(log.amount for log in TimeLog.select()) == [0, 15000]


def test_a_subtask_is_of_its_parents_project_when_nobody_says(acme):
    site = project(acme, "Site", code="WEB")
    parent = add(acme, projectId=site["id"])
    child = add(acme, parentId=parent["key"])
    assert (child["key"], child["projectId"], child["position"]) == ("WEB-2", site["id"], 2 * parent["position"])
    assert add(acme, parentId=add(acme)["id"])["projectId"] is None
    body = {"title": "Draw", "projectId": None, "parentId": parent["id"]}
    assert complaint(acme.refused("POST", "/tasks", body, status=422)) == ("parentId", "other_project")
    acme.ok("POST", f"/projects/{site['id']}/archive")
    body = {"title": "Draw", "parentId": parent["id"]}
    assert complaint(acme.refused("POST", "/tasks", body, status=422)) == ("projectId", "archived")


def test_a_task_goes_to_another_project_under_a_new_key(acme):
    site, shop = project(acme, "Site", code="WEB"), project(acme, "Shop", code="SHOP")
    other, made = add(acme, projectId=shop["id"]), add(acme, projectId=site["id"])
    moved = change(acme, made, projectId=shop["id"])
    assert (moved["key"], moved["projectId"]) == ("SHOP-2", shop["id"])
    assert moved["position"] > other["position"]
    assert last_event(acme, "task.updated")["changed"]["key"] == {"from": "WEB-1", "to": "SHOP-2"}
    loose = change(acme, made, projectId=None)
    assert (loose["key"], loose["projectId"]) == ("TASK-1", None)


def test_a_task_that_holds_on_to_its_project_stays_in_it(acme):
    site, shop = project(acme, "Site"), project(acme, "Shop")
    worked, parent = add(acme, projectId=site["id"]), add(acme, projectId=site["id"])
    child = add(acme, projectId=site["id"], parentId=parent["id"])
    log_time(acme, worked)
    for task, reason in ((worked, "logged time"), (parent, "subtasks"), (child, "a parent")):
        assert reason in refuse_change(acme, task, 409, "in_use", projectId=shop["id"])["message"]
    assert change(acme, child, projectId=shop["id"], parentId=None)["projectId"] == shop["id"]


def test_a_subtask_is_of_its_parents_project(acme):
    site, shop = project(acme, "Site"), project(acme, "Shop")
    parent, made = add(acme, projectId=site["id"]), add(acme, projectId=shop["id"])
    assert complaint(refuse_change(acme, made, 422, None, parentId=parent["id"])) == ("parentId", "other_project")
    moved = change(acme, made, projectId=site["id"], parentId=parent["id"])
    assert (moved["projectId"], moved["parentId"]) == (site["id"], parent["id"])
    error = refuse_change(acme, made, 422, None, projectId=shop["id"], parentId=parent["id"])
    assert complaint(error) == ("parentId", "other_project")


@pytest.mark.parametrize("status", ["completed", "cancelled"])
def test_a_project_that_is_over_takes_no_more_tasks_but_keeps_those_it_has(acme, status):
    site = project(acme, "Site")
    made, other = add(acme, projectId=site["id"]), add(acme)
    change(acme, made, status="done")
    acme.ok("PATCH", f"/projects/{site['id']}", {"status": status})
    body = {"title": "Late", "projectId": site["id"]}
    assert complaint(acme.refused("POST", "/tasks", body, status=422)) == ("projectId", "closed")
    assert complaint(refuse_change(acme, other, 422, None, projectId=site["id"])) == ("projectId", "closed")
    assert change(acme, made, title="Told", projectId=site["id"])["title"] == "Told"
    assert change(acme, made, status="todo")["status"] == "todo"


def test_the_tasks_of_an_archived_project_can_only_be_read(acme):
    site = project(acme, "Site")
    made = add(acme, projectId=site["id"])
    acme.ok("POST", f"/projects/{site['id']}/archive")
    path = f"/tasks/{made['id']}"
    archived = {"status": 409, "code": "project_archived"}
    acme.refused("PATCH", path, {"title": "Late"}, **archived)
    acme.refused("POST", "/tasks/reorder", {"taskId": made["id"], "status": "done"}, **archived)
    acme.refused("POST", f"{path}/comments", {"text": "Late"}, **archived)
    acme.refused("DELETE", path, **archived)
    assert shown(acme, made) == made | {"can": []}
    body = {"title": "Late", "projectId": site["id"]}
    assert complaint(acme.refused("POST", "/tasks", body, status=422)) == ("projectId", "archived")


def test_a_task_that_nothing_holds_is_deleted(acme):
    made, waiting = add(acme), add(acme)
    change(acme, waiting, dependsOn=[made["id"]])
    acme.ok("POST", f"/tasks/{made['id']}/comments", {"text": "Superfluous."})
    assert acme.ok("DELETE", f"/tasks/{made['id']}") == {}
    acme.refused("GET", f"/tasks/{made['id']}", status=404, code="not_found")
    assert last_event(acme, "task.deleted") == {"key": "TASK-1", "title": "Design", "freed": [waiting["id"]]}
    assert change(acme, waiting, status="done")["dependsOn"] == []
    with acme.books():
        assert TaskComment.select().count() == 0


def test_a_task_with_time_or_subtasks_is_never_deleted(acme):
    worked, running, parent = add(acme), add(acme), add(acme)
    add(acme, parentId=parent["id"])
    log_time(acme, worked)
    with acme.books(write=True):
        Timer.insert(user_id=new_id(), task=running["id"], started_at="2026-03-02T09:00:00.000Z").execute()
    for task, reason in ((worked, "logged time"), (running, "a running timer"), (parent, "subtasks")):
        error = acme.refused("DELETE", f"/tasks/{task['id']}", status=409, code="in_use")
        assert f"{task['key']} cannot be deleted: {reason}." in error["message"]


def test_a_closed_task_is_archived_and_comes_back(acme):
    task = add(acme, "Pack")
    path = f"/tasks/{task['id']}"
    error = acme.refused("POST", f"{path}/archive", {}, status=409, code="task_open")
    assert error["message"] == f"{task['key']} is open. Complete or cancel the task first."
    acme.ok("PATCH", path, {"status": "done"})
    shown = acme.ok("POST", f"{path}/archive", {})
    assert (shown["archivedAt"] is not None, shown["can"]) == (True, ["unarchive"])
    assert task["id"] not in {row["id"] for row in acme.ok("GET", "/tasks")}
    assert [row["id"] for row in acme.ok("GET", "/tasks", params={"isArchived": "true"})] == [task["id"]]
    acme.refused("PATCH", path, {"title": "New"}, status=409, code="task_archived")
    acme.refused("POST", "/tasks/reorder", {"taskId": task["id"], "status": "todo"}, status=409, code="task_archived")
    acme.refused("POST", f"{path}/archive", {}, status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/unarchive", {})["status"] == "done"
    acme.refused("POST", f"{path}/unarchive", {}, status=409, code="invalid_transition")
    assert acme.ok("PATCH", path, {"status": "todo"})["can"] == ["cancel", "delete", "finish", "move", "update"]
