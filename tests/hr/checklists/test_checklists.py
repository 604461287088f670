"""Checklists: started for a person, they become tasks that few may see."""

import pytest

from tests.hr.attendance.records import employee_at_work
from tests.refusals import complaint

PATH = "/hr/checklists"
ITEMS = [
    {"title": "Order a laptop", "days": -2, "assignee": "hr", "note": "The small one."},
    {"title": "Show the house", "days": 0, "assignee": "manager"},
    {"title": "Read the handbook", "days": 5, "assignee": "person"},
]
MONDAY = "2026-06-01"


@pytest.fixture(autouse=True)
def _in_may(clock_at):
    clock_at("2026-05-20T09:00:00Z")


@pytest.fixture
def people(acme):
    """Olga with everyone who takes part, and outsiders; Mia reports to Ben."""
    mia, ben, hanna, leo = (acme.colleague(role) for role in ("member", "manager", "hr", "accountant"))
    boss = employee_at_work(acme, "Ben", ben)
    return {
        "olga": acme,
        "mia": mia,
        "ben": ben,
        "hanna": hanna,
        "leo": leo,
        "id": employee_at_work(acme, "Mia", mia, managerEmployeeId=boss),
    }


def listed(office, items=ITEMS, **fields):
    return office.ok("POST", PATH, {"name": "First days", "kind": "onboarding", "items": items, **fields})


def started(office, employee_id, items=ITEMS, date=MONDAY):
    made = listed(office, items)
    return office.ok("POST", f"{PATH}/{made['id']}/start", {"employeeId": employee_id, "date": date})["tasks"]


def test_a_checklist_is_added_changed_listed_and_deleted(acme):
    made = listed(acme)
    assert (made["name"], made["kind"], made["createdByName"]) == ("First days", "onboarding", acme.user["name"])
    assert made["items"] == [{"note": None, **item, "assigneeName": None} for item in ITEMS]
    member = [{"title": "Sign", "days": 0, "assignee": acme.user["id"]}]
    changed = acme.ok("PATCH", f"{PATH}/{made['id']}", {"name": "Day one", "items": member})
    assert (changed["name"], changed["items"][0]["assigneeName"]) == ("Day one", acme.user["name"])
    listed(acme, name="All done", kind="offboarding")
    assert [one["name"] for one in acme.ok("GET", PATH)] == ["All done", "Day one"]
    assert [one["name"] for one in acme.ok("GET", PATH, params={"kind": "onboarding"})] == ["Day one"]
    acme.ok("DELETE", f"{PATH}/{made['id']}")
    acme.refused("GET", f"{PATH}/{made['id']}", status=404)
    told = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"]})
    assert [event["type"] for event in told] == ["checklist.deleted", "checklist.updated", "checklist.created"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"items": []}, ("items", "too_few")),
        ({"items": [ITEMS[0]] * 101}, ("items", "too_many")),
        ({"items": [{**ITEMS[0], "days": -366}]}, ("items[0].days", "out_of_range")),
        ({"items": [{**ITEMS[0], "days": 366}]}, ("items[0].days", "out_of_range")),
        ({"items": [{**ITEMS[0], "title": ""}]}, ("items[0].title", "required")),
        ({"items": [ITEMS[0], {**ITEMS[0], "assignee": "boss"}]}, ("items[1].assignee", "unknown_reference")),
        ({"kind": "party"}, ("kind", "not_one_of")),
        ({"name": ""}, ("name", "required")),
    ],
)
def test_a_wrong_checklist_is_refused(acme, fields, expected):
    error = acme.refused("POST", PATH, {"name": "A", "kind": "other", "items": ITEMS, **fields}, status=422)
    assert complaint(error) == expected


def test_each_item_becomes_a_task_of_its_assignee(people):
    olga, id = people["olga"], people["id"]
    first, second, third = started(olga, id)
    assert [task["title"] for task in (first, second, third)] == [item["title"] for item in ITEMS]
    assert [task["assigneeNames"] for task in (first, second, third)] == [["Hr"], ["Manager"], ["Member"]]
    assert (first["description"], first["employeeId"], first["employeeName"]) == ("The small one.", id, "Mia")
    assert first["reporterUserId"] == olga.user["id"]


def test_due_days_move_off_weekends_and_holidays(people):
    """Monday, 1 June: −2 is Friday, 29 May; +5 would be a Saturday, and so is Monday, 8 June."""
    olga, id = people["olga"], people["id"]
    assert [task["dueDate"] for task in started(olga, id)] == ["2026-05-29", "2026-06-01", "2026-06-08"]
    olga.ok("POST", "/hr/holidays", {"date": "2026-05-29", "name": "Bridge day"})
    olga.ok("POST", "/hr/holidays", {"date": "2026-06-08", "name": "Fair"})
    olga.ok("POST", "/hr/holidays", {"date": "2026-06-01", "name": "Half", "part": "morning"})
    assert [task["dueDate"] for task in started(olga, id)] == ["2026-05-28", "2026-06-01", "2026-06-09"]
    on_saturday = [{"title": "Greet", "days": 0, "assignee": "hr"}]
    assert started(olga, id, on_saturday, date="2026-06-06")[0]["dueDate"] == "2026-06-09"


def test_where_nobody_has_the_role_whoever_starts_it_does_it(acme):
    lone = employee_at_work(acme, "Lone")
    gone = acme.colleague("member")
    items = [*ITEMS, {"title": "Sign", "days": 0, "assignee": gone.user["id"]}]
    made = listed(acme, items)
    (member,) = [one for one in acme.ok("GET", "/workspace/members") if one["user"]["id"] == gone.user["id"]]
    acme.ok("DELETE", f"/workspace/members/{member['id']}")
    tasks = acme.ok("POST", f"{PATH}/{made['id']}/start", {"employeeId": lone, "date": MONDAY})["tasks"]
    assert [task["assigneeUserIds"] for task in tasks] == [[acme.user["id"]]] * 4


def test_a_checklist_starts_once_for_a_person_and_day(people):
    olga, id = people["olga"], people["id"]
    made = listed(olga)
    start = f"{PATH}/{made['id']}/start"
    olga.ok("POST", start, {"employeeId": id, "date": MONDAY})
    olga.refused("POST", start, {"employeeId": "EMP-0002", "date": MONDAY}, status=409, code="already_exists")
    olga.ok("POST", start, {"employeeId": id, "date": "2026-06-02"})
    olga.ok("POST", start, {"employeeId": "EMP-0001", "date": MONDAY})
    error = olga.refused("POST", start, {"employeeId": "EMP-0009", "date": MONDAY}, status=422)
    assert complaint(error) == ("employeeId", "unknown_reference")
    tasks = olga.ok("GET", "/tasks", params={"employeeId": id})
    assert len(tasks) == 6
    olga.ok("DELETE", f"{PATH}/{made['id']}")
    assert len(olga.ok("GET", "/tasks", params={"employeeId": id})) == 6


# Who sees them.


def titles(office, **params):
    return {task["title"] for task in office.ok("GET", "/tasks", params=params)}


def test_only_assignees_and_those_who_may_change_employees_see_the_tasks(people):
    tasks = started(people["olga"], people["id"])
    seen = {
        "olga": {"Order a laptop", "Show the house", "Read the handbook"},
        "hanna": {"Order a laptop", "Show the house", "Read the handbook"},
        "ben": {"Show the house"},
        "mia": {"Read the handbook"},
        "leo": set(),
    }
    for name, expected in seen.items():
        who = people[name]
        assert titles(who) == expected, name
        counts = who.ok("GET", "/tasks", params={"groupBy": "status"})
        assert sum(row["count"] for row in counts) == len(expected)
        for task in tasks:
            status = 200 if task["title"] in expected else 404
            for path in ("", "/comments", "/time-logs", "/rates"):
                answer = who.call("GET", f"/tasks/{task['id']}{path}")
                assert answer.status_code in (status, 403) if path else answer.status_code == status, (name, path)


def test_others_reach_a_private_task_by_no_other_way(people):
    """An attacker who knows its id and key, with the right to change every task."""
    started(people["olga"], people["id"])
    (task,) = [one for one in people["hanna"].ok("GET", "/tasks") if one["title"] == "Order a laptop"]
    ben = people["ben"]
    id, key = task["id"], task["key"]
    own = ben.ok("POST", "/tasks", {"title": "Own"})
    for name in (id, key):
        for body in ({"title": "x", "parentId": name}, {"title": "x", "dependsOn": [name]}):
            ben.refused("POST", "/tasks", body, status=422)
        ben.refused("POST", "/tasks/reorder", {"taskId": name, "status": "todo"}, status=422)
        ben.refused("POST", "/tasks/batch/change", {"tasks": [{"taskId": name, "title": "x"}]}, status=422)
        ben.refused("GET", "/tasks", params={"parentId": name}, status=422)
        ben.refused("GET", "/tasks/time-logs", params={"taskId": name}, status=422)
        assert ben.ok("GET", "/workspace/search", params={"q": key}) == []
    for verb, path, sent in (
        ("PATCH", f"/tasks/{id}", {"title": "x"}),
        ("DELETE", f"/tasks/{id}", None),
        ("POST", f"/tasks/{id}/comments", {"text": "x"}),
        ("POST", f"/tasks/{id}/time-logs", {"date": "2026-05-19", "minutes": 5}),
        ("POST", f"/tasks/{id}/timer/start", {}),
        ("POST", f"/hr/checklist-tasks/{id}/done", None),
        ("POST", f"/hr/checklist-tasks/{id}/reopen", None),
    ):
        ben.refused(verb, path, sent, status=404)
    ben.refused("POST", f"/hr/checklist-tasks/{own['id']}/done", status=404)
    assert ben.ok("GET", "/workspace/search", params={"q": "laptop"}) == []
    assert "laptop" in str(people["hanna"].ok("GET", "/workspace/search", params={"q": "laptop"}))
    assert people["mia"].ok("GET", "/workspace/search", params={"q": "handbook"}) != []
    for who in (ben, people["leo"], people["mia"]):
        assert "laptop" not in who.call("GET", "/workspace/changes").text
        assert "laptop" not in who.call("GET", "/workspace/home").text
    assert "laptop" not in people["olga"].call("GET", "/workspace/events").text


def test_files_of_a_private_task_are_private(people):
    task = started(people["olga"], people["id"])[0]
    body = {"resourceType": "task", "resourceId": task["id"], "name": "offer.pdf", "file": "JVBERi0xLjQKJSVFT0YK"}
    added = people["olga"].call("POST", "/workspace/attachments", body)
    assert added.status_code == 201, added.text
    file = added.json["data"]["id"]
    assert file in {one["id"] for one in people["hanna"].ok("GET", "/workspace/attachments")}
    for name in ("ben", "mia"):
        who = people[name]
        assert who.call("GET", f"/workspace/attachments/{file}").status_code in (403, 404)
        shown = who.call("GET", "/workspace/attachments")
        assert shown.status_code == 403 or file not in shown.text
        shown = who.call("GET", "/workspace/attachments", params={"resourceType": "task", "resourceId": task["id"]})
        assert shown.status_code in (403, 422) or file not in shown.text


def test_a_private_task_stays_private(people):
    olga = people["olga"]
    task = started(olga, people["id"])[2]
    project = olga.ok("POST", "/projects", {"name": "House"})["id"]
    own = olga.ok("POST", "/tasks", {"title": "Own"})
    for field, value in (("projectId", project), ("repeat", {"every": 1, "unit": "week", "from": "due_date"})):
        error = olga.refused("PATCH", f"/tasks/{task['id']}", {field: value}, status=422)
        assert complaint(error) == (field, "not_applicable")
    olga.refused("PATCH", f"/tasks/{own['id']}", {"parentId": task["id"]}, status=422)
    olga.refused("PATCH", f"/tasks/{own['id']}", {"dependsOn": [task["key"]]}, status=422)
    log = {"date": "2026-05-19", "minutes": 5}
    olga.refused("POST", f"/tasks/{task['id']}/time-logs", log, status=409, code="task_private")
    olga.refused("POST", f"/tasks/{task['id']}/timer/start", {}, status=409, code="task_private")
    olga.ok("PATCH", f"/tasks/{task['id']}", {"title": "Read the secret handbook"})
    assert "secret" not in olga.call("GET", "/workspace/events").text


def test_assignees_of_any_role_finish_their_tasks_and_hr_all(people):
    first, second, third = started(people["olga"], people["id"])
    finish, reopen = "/hr/checklist-tasks/{}/done", "/hr/checklist-tasks/{}/reopen"
    for who, task in (("mia", third), ("ben", second), ("hanna", first), ("hanna", third)):
        if who == "hanna" and task is third:
            assert people["hanna"].ok("POST", reopen.format(task["id"]))["status"] == "todo"
        done = people[who].ok("POST", finish.format(task["id"]))
        assert (done["status"], done["employeeName"]) == ("done", "Mia")
    leo = people["leo"]
    employee_at_work(people["olga"], "Leo", leo)
    items = [{"title": "Pay", "days": 0, "assignee": leo.user["id"]}]
    (task,) = started(people["olga"], people["id"], items, "2026-05-20")
    shown = leo.ok("GET", "/workspace/home")["tasks"]["items"]
    assert [(one["id"], one["isPrivate"]) for one in shown] == [(task["id"], True)]
    assert leo.ok("POST", finish.format(task["id"]))["status"] == "done"


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_only_those_who_may_change_employees_have_checklists(acme, role):
    made = listed(acme)
    who = acme.colleague(role)
    who.refused("GET", PATH, status=403)
    who.refused("POST", f"{PATH}/{made['id']}/start", {"employeeId": "EMP-0001", "date": MONDAY}, status=403)
