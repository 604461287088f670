import pytest

from tests.tasks.tasks import add, change, project, titles


@pytest.fixture
def board(acme):
    """A few tasks of all kinds."""
    member, site = acme.colleague("member"), project(acme, "Site", code="WEB")
    mine = {"assigneeUserIds": [acme.user["id"]]}
    add(acme, "Plan", projectId=site["id"], priority="urgent", dueDate="2026-03-10", tags=["paper", "a,b"], **mine)
    add(acme, "Draw", projectId=site["id"], priority="low", dueDate="2026-03-05", description="100% ink")
    add(member, "Tidy", status="review", priority="high", **mine)
    done = add(acme, "Bill", dueDate="2026-03-01", assigneeUserIds=[member.user["id"]], tags=["paper"])
    change(acme, done, status="done")
    return {"site": site["id"], "member": member}


FOUND = [
    ({}, ["Bill", "Tidy", "Draw", "Plan"]),
    ({"status": "done"}, ["Bill"]),
    ({"status": "done,review"}, ["Bill", "Tidy"]),
    ({"assigneeUserId": "me"}, ["Tidy", "Plan"]),
    ({"assigneeUserId": "nobody"}, []),
    ({"reporterUserId": "me"}, ["Bill", "Draw", "Plan"]),
    ({"priority": "low"}, ["Draw"]),
    ({"tag": "paper"}, ["Bill", "Plan"]),
    ({"tag": "a,b"}, ["Plan"]),
    ({"tag": "pap"}, []),
    ({"dueFrom": "2026-03-05"}, ["Draw", "Plan"]),
    ({"dueTo": "2026-03-05"}, ["Bill", "Draw"]),
    ({"dueFrom": "2026-03-02", "dueTo": "2026-03-09"}, ["Draw"]),
    ({"q": "web-2"}, ["Draw"]),
    ({"q": "0%"}, ["Draw"]),
    ({"q": "idy"}, ["Tidy"]),
    ({"sort": "dueDate"}, ["Bill", "Draw", "Plan", "Tidy"]),
    ({"sort": "-dueDate"}, ["Plan", "Draw", "Bill", "Tidy"]),
    ({"sort": "-priority"}, ["Plan", "Tidy", "Bill", "Draw"]),
    ({"sort": "title"}, ["Bill", "Draw", "Plan", "Tidy"]),
    ({"sort": "createdAt"}, ["Plan", "Draw", "Tidy", "Bill"]),
    ({"assigneeUserId": "me", "status": "todo", "sort": "title"}, ["Plan"]),
]


def test_tasks_are_found(acme, board):
    for params, found in FOUND:
        assert titles(acme, **params) == found, params


def test_tasks_of_a_project_and_of_a_person_and_of_a_parent_are_found(acme, board):
    assert titles(acme, projectId=board["site"]) == ["Draw", "Plan"]
    assert titles(acme, assigneeUserId=board["member"].user["id"]) == ["Bill"]
    assert titles(board["member"], assigneeUserId="me", reporterUserId=acme.user["id"]) == ["Bill"]
    parent = acme.ok("GET", "/tasks", params={"q": "Plan"})[0]
    add(acme, "Count", projectId=board["site"], parentId=parent["id"])
    assert titles(acme, parentId=parent["id"]) == ["Count"]


def test_a_status_that_there_is_not_is_refused(acme):
    acme.refused("GET", "/tasks", params={"status": "todo,over"}, status=400, code="bad_parameter")


def test_tasks_are_listed_as_they_stand_on_the_board(acme):
    first, second, third = (add(acme, title) for title in "ABC")
    acme.ok("POST", "/tasks/reorder", {"taskId": third["id"], "status": "todo", "beforeId": second["id"]})
    assert titles(acme, sort="position") == ["A", "C", "B"]
    assert titles(acme, sort="-position") == ["B", "C", "A"]
    assert first["position"] < third["position"]


def test_what_is_overdue_hangs_on_the_day_where_the_caller_is(acme, clock_at):
    add(acme, "Late", dueDate="2026-03-10")
    change(acme, add(acme, "Done", dueDate="2026-03-01"), status="done")
    add(acme, "Someday")
    clock_at("2026-03-10T23:30:00Z")
    assert titles(acme, isOverdue="true") == []
    acme.ok("PATCH", "/auth/me", {"timeZone": "Europe/Berlin"})
    assert titles(acme, isOverdue="true") == ["Late"]
    assert titles(acme, isOverdue="false") == ["Someday", "Done"]
    assert [task["isOverdue"] for task in acme.ok("GET", "/tasks")] == [False, False, True]


def one_by_one(office, sort):
    """The titles of all tasks, a page for each."""
    cursor: dict[str, str] = {}
    while True:
        answer = office.call("GET", "/tasks", params={"sort": sort, "limit": 1, "total": "true", **cursor})
        assert answer.json["page"]["total"] == 4
        yield answer.json["data"][0]["title"]
        if answer.json["page"]["nextCursor"] is None:
            return
        cursor = {"cursor": answer.json["page"]["nextCursor"]}


def test_tasks_come_page_by_page(acme, board):
    for sort in ("position", "-dueDate", "dueDate", "-priority", "title", "-createdAt"):
        assert list(one_by_one(acme, sort)) == titles(acme, sort=sort)


def test_tasks_are_counted_by_status_in_the_order_of_the_board(acme):
    add(acme)
    add(acme, dueDate="2020-01-01")
    done = add(acme, "Other")
    change(acme, done, status="done")
    todo = {"status": "todo", "count": 2, "overdueCount": 1, "loggedMinutes": 0}
    closed = {"status": "done", "count": 1, "overdueCount": 0, "loggedMinutes": 0}
    assert acme.ok("GET", "/tasks", params={"groupBy": "status"}) == [todo, closed]
    assert acme.ok("GET", "/tasks", params={"groupBy": "status", "q": "other"}) == [closed]
