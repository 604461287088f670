"""Who reads tasks and their rates, and who changes them."""

from tests.tasks.tasks import add, change, project, refuse_change, shown, titles

REFUSED, COMMENTED, DONE = [403] * 5, [201, 403, 403, 201, 403], [201, 200, 200, 201, 200]
ANSWERS = {
    "accountant": REFUSED,
    "hr": REFUSED,
    "viewer": REFUSED,
    "member": COMMENTED,
    "manager": DONE,
    "admin": DONE,
}
"""How the changes of someone else's task are answered, by role: new, changed, moved, commented, deleted."""


def test_everybody_reads_tasks_and_some_change_them(acme):
    for role, answers in ANSWERS.items():
        made, person = add(acme, title="Old"), acme.colleague(role)
        path = f"/tasks/{made['id']}"
        assert titles(person) == ["Old"]
        assert shown(person, made) | {"hourlyRate": None, "can": made["can"]} == made
        assert person.ok("GET", f"{path}/comments") == []
        given = [
            person.call("POST", "/tasks", {"title": "New"}),
            person.call("PATCH", path, {"title": "Changed"}),
            person.call("POST", "/tasks/reorder", {"taskId": made["id"], "status": "review"}),
            person.call("POST", f"{path}/comments", {"text": "Fine."}),
            person.call("DELETE", path),
        ]
        assert [answer.status_code for answer in given] == answers, role
        assert titles(acme) == [*(["New"] if answers != REFUSED else []), *(["Old"] if answers != DONE else [])]
        for task in acme.ok("GET", "/tasks"):
            acme.ok("DELETE", f"/tasks/{task['id']}")


def acts(person, task):
    """What a person hears who changes, moves and deletes a task."""
    return [
        person.call("PATCH", f"/tasks/{task['id']}", {"title": "Changed"}),
        person.call("POST", "/tasks/reorder", {"taskId": task["id"], "status": "review"}),
        person.call("DELETE", f"/tasks/{task['id']}"),
    ]


def test_a_member_changes_moves_and_deletes_what_they_created_or_is_assigned_to_them(acme):
    mia = acme.colleague("member")
    for task in (add(mia), add(acme, assigneeUserIds=[mia.user["id"], acme.user["id"]])):
        assert [answer.status_code for answer in acts(mia, task)] == [200, 200, 200]


def test_a_member_changes_the_copy_of_a_task_that_they_reported(acme):
    mia = acme.colleague("member")
    weekly = {"dueDate": "2026-03-31", "repeat": {"every": 1, "unit": "week", "from": "due_date"}}
    reported = add(mia, **weekly)
    change(acme, reported, status="done")
    (copy,) = acme.ok("GET", "/tasks", params={"status": "todo"})
    assert (copy["createdByUserId"], copy["reporterUserId"]) == (acme.user["id"], mia.user["id"])
    assert change(mia, copy, title="Mine still")["title"] == "Mine still"


def test_a_member_hears_whose_task_it_is_that_they_cannot_change(acme):
    mia, ben = acme.colleague("member"), acme.colleague("member")
    yours = "You can change tasks that you created or reported, and those assigned to you."
    for task, whose in (
        (add(acme), "was reported by Olga and has no assignee."),
        (add(acme, assigneeUserIds=[ben.user["id"]]), "is assigned to Member."),
        (add(ben, assigneeUserIds=[acme.user["id"]]), "is assigned to Olga."),
    ):
        for answer in acts(mia, task):
            error = answer.json["error"]
            assert (error["status"], error["code"]) == (403, "forbidden")
            assert error["message"] == f"{task['key']} {whose} {yours}"
        assert (shown(acme, task)["title"], shown(acme, task)["version"]) == (task["title"], 1)


def test_whose_task_it_is_is_said_before_its_version_and_its_project(acme):
    mia, site = acme.colleague("member"), project(acme, "Site")
    task = add(acme, projectId=site["id"])
    acme.ok("POST", f"/projects/{site['id']}/archive")
    mia.refused("PATCH", f"/tasks/{task['id']}", {}, headers={"If-Match": '"7"'}, status=403, code="forbidden")


def test_rates_are_not_for_those_who_see_no_money(acme):
    made = add(acme, hourlyRate="81.23")
    for role in ("member", "hr"):
        person = acme.colleague(role)
        assert "hourlyRate" not in shown(person, made)
        assert ["hourlyRate" in each for each in person.ok("GET", "/tasks")] == [False]
        assert "81.23" not in person.call("GET", "/tasks", headers={"Accept": "text/csv"}).text
    assert "81.23" in acme.call("GET", "/tasks", headers={"Accept": "text/csv"}).text


def test_a_member_sets_no_rate(acme):
    made, member = add(acme, hourlyRate="80"), acme.colleague("member")
    for rate in ("90", None):
        member.refused("POST", "/tasks", {"title": "Mine", "hourlyRate": rate}, status=403, code="forbidden")
        refuse_change(member, made, 403, "forbidden", hourlyRate=rate)
    change(acme, made, assigneeUserIds=[member.user["id"]])
    assert change(member, made, title="Draw")["title"] == "Draw"
    assert shown(acme, made)["hourlyRate"] == "80.00"


def test_a_manager_sets_rates_and_sees_them(acme):
    manager = acme.colleague("manager")
    made = add(manager, hourlyRate="80")
    assert change(manager, made, hourlyRate="90")["hourlyRate"] == "90.00"
    assert change(manager, made, hourlyRate=None)["hourlyRate"] is None
    assert shown(acme.colleague("viewer"), made)["hourlyRate"] is None
