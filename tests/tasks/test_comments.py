from tests.refusals import complaint
from tests.tasks.tasks import add, last_event, shown


def say(office, task, text):
    return office.ok("POST", f"/tasks/{task['id']}/comments", {"text": text})


def heard(office, task, **params):
    return office.ok("GET", f"/tasks/{task['id']}/comments", params=params)


def test_people_talk_about_a_task(acme):
    member, made = acme.colleague("member"), add(acme)
    first, second = say(acme, made, "Which colour?\nGreen?"), say(member, made, "Blue.")
    assert first == {
        "id": first["id"],
        "text": "Which colour?\nGreen?",
        "author": {"id": acme.user["id"], "name": "Olga"},
        "createdAt": first["createdAt"],
    }
    assert second["author"] == {"id": member.user["id"], "name": "Member"}
    assert heard(member, made) == [second, first]
    assert heard(acme, made, sort="createdAt") == [first, second]
    assert heard(acme, add(acme)) == []


def test_a_comment_is_told_in_the_log_and_leaves_the_task_as_it_is(acme):
    made = add(acme)
    said = say(acme, made, "Which colour?")
    assert last_event(acme, "task.commented") == {"key": "TASK-1", "title": "Design", "commentId": said["id"]}
    assert shown(acme, made) == made


def test_a_comment_is_found_where_its_making_said(acme):
    member, made = acme.colleague("member"), add(acme)
    answer = member.call("POST", f"/tasks/{made['id']}/comments", {"text": "Blue."})
    place = answer.headers["location"].removeprefix("/api/v1")
    assert acme.ok("GET", place) == answer.json["data"]
    other = f"/tasks/{add(acme)['id']}/comments/{answer.json['data']['id']}"
    acme.refused("GET", other, status=404, code="not_found")
    acme.refused("GET", f"/tasks/{made['id']}/comments/nothing", status=404, code="not_found")


def test_what_somebody_said_stays_when_they_leave(acme):
    member, made = acme.colleague("member"), add(acme)
    say(member, made, "Goodbye.")
    member.ok("POST", "/workspace/leave")
    assert heard(acme, made)[0]["author"] == {"id": member.user["id"], "name": "Member"}


def test_comments_come_page_by_page(acme):
    made = add(acme)
    said = [say(acme, made, f"Thought {number}.") for number in range(5)]
    page = acme.call("GET", f"/tasks/{made['id']}/comments", params={"limit": 2, "total": "true"}).json
    assert (page["data"], page["page"]["total"]) == (said[:2:-1], 5)
    assert heard(acme, made, limit=200, cursor=page["page"]["nextCursor"]) == said[2::-1]


def test_a_comment_says_something_of_a_task_that_there_is(acme, stranger):
    made = add(acme)
    path = f"/tasks/{made['id']}/comments"
    for text, code in ((" ", "required"), ("x" * 10_001, "too_long")):
        assert complaint(acme.refused("POST", path, {"text": text}, status=422)) == ("text", code)
    for verb, body in (("POST", {"text": "Mine."}), ("GET", None)):
        stranger.refused(verb, path, body, status=404, code="not_found")
    assert heard(acme, made) == []
