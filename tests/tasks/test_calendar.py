"""One's open tasks in one's own calendar, under an address that is secret and can be revoked."""

import datetime
import re
from urllib.parse import urlsplit

import icalendar
import pytest

from erp.store import control
from erp.store.control import User
from tests.conftest import PASSWORD, Installation
from tests.documented import PREFIX

ADDRESS = "/tasks/calendar-address"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def made(office):
    """A new address; the path of its calendar below /api/v1."""
    url = office.ok("POST", ADDRESS)["url"]
    return urlsplit(url).path.removeprefix(PREFIX)


def read(office, path):
    """What a calendar program reads there, which knows nothing but the address."""
    answer = office.installation.call("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return icalendar.Calendar.from_ical(answer.content)


def gone(office, path):
    """See that nothing is read there."""
    answer = office.installation.call("GET", path)
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")


def task(office, title="Pages", **fields):
    body = {"title": title, "dueDate": "2026-03-20", "assigneeUserIds": [office.user["id"]], **fields}
    return office.ok("POST", "/tasks", body)


def titles(calendar):
    return [str(event["summary"]) for event in calendar.walk("VEVENT")]


def test_a_calendar_program_reads_open_tasks_on_the_day_they_are_due(acme):
    web = acme.ok("POST", "/projects", {"name": "Website", "code": "WEB", "status": "active"})
    pages = task(acme, projectId=web["id"], description="All of them", priority="high", tags=["urgent", "a, b"])
    calendar = read(acme, made(acme))
    assert (calendar["version"], calendar["x-wr-calname"]) == ("2.0", "Tasks, Olga's office")
    (event,) = calendar.walk("VEVENT")
    assert (event["summary"], event["description"]) == (f"{pages['key']} Pages", "All of them")
    assert (event["uid"], event["transp"], event["status"]) == (pages["id"], "TRANSPARENT", "CONFIRMED")
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (
        datetime.date(2026, 3, 20),
        datetime.date(2026, 3, 21),
    )
    assert [str(each) for each in event["categories"].cats] == ["Website", "urgent", "a, b"]
    assert (event.decoded("priority"), event.decoded("sequence")) == (3, 0)
    now = datetime.datetime(2026, 3, 10, 9, tzinfo=datetime.UTC)
    assert {event.decoded(name) for name in ("dtstamp", "created", "last-modified")} == {now}


def test_a_change_keeps_the_entry_and_tells_that_it_is_newer(acme, clock_at):
    pages, path = task(acme), made(acme)
    clock_at("2026-03-11T09:00:00Z")
    acme.ok("PATCH", f"/tasks/{pages['id']}", {"dueDate": "2026-03-25"})
    (event,) = read(acme, path).walk("VEVENT")
    assert (event["uid"], event.decoded("sequence")) == (pages["id"], 1)
    assert event.decoded("dtstart") == datetime.date(2026, 3, 25)
    assert event.decoded("last-modified") == datetime.datetime(2026, 3, 11, 9, tzinfo=datetime.UTC)


def test_only_ones_own_open_tasks_with_a_due_date_are_told(acme):
    anna = acme.colleague("member")
    path = made(anna)
    both = [acme.user["id"], anna.user["id"]]
    task(acme, "Hers and mine", assigneeUserIds=both, dueDate="2026-03-21")
    task(acme, "Hers", assigneeUserIds=both[1:])
    task(acme, "Mine")
    task(acme, "Nobody's", assigneeUserIds=[])
    task(anna, "Some day", dueDate=None)
    for status in ("done", "cancelled"):
        finished = task(anna, status)
        acme.ok("PATCH", f"/tasks/{finished['id']}", {"status": status})
    keys = [re.sub(r"^TASK-\d+ ", "", title) for title in titles(read(anna, path))]
    assert keys == ["Hers", "Hers and mine"]


def test_tasks_of_an_archived_project_are_not_told(acme):
    web = acme.ok("POST", "/projects", {"name": "Website", "status": "active"})
    task(acme, projectId=web["id"])
    path = made(acme)
    acme.ok("POST", f"/projects/{web['id']}/archive")
    assert titles(read(acme, path)) == []


@pytest.mark.parametrize(
    "title",
    ["Commas, semicolons; and \\backslashes\\n", "BEGIN:VEVENT", "ü" * 190, "🗓 日本語 " * 15, 'Quotes " and : colons'],
)
def test_any_text_comes_through_as_it_is(acme, title):
    text = f"{title}\nSUMMARY:forged\n\nthird line"
    made_task = task(acme, title.strip(), description=text, tags=[title[:50].strip()])
    path = made(acme)
    (event,) = read(acme, path).walk("VEVENT")
    assert (str(event["summary"]), str(event["description"])) == (f"{made_task['key']} {title.strip()}", text)
    assert [str(each) for each in event["categories"].cats] == [title[:50].strip()]
    lines = acme.installation.call("GET", path).content.split(b"\r\n")
    assert max(map(len, lines)) <= 75


def test_an_empty_calendar_is_a_calendar(acme):
    assert titles(read(acme, made(acme))) == []


def test_an_address_is_told_of_but_shown_only_once(acme):
    assert acme.ok("GET", ADDRESS) == {"isActive": False, "createdAt": None}
    answer = acme.call("POST", ADDRESS)
    assert answer.status_code == 201
    assert re.fullmatch(
        r"http://127\.0\.0\.1:8420/api/v1/tasks/calendar/erp_[\w-]{43}\.ics", answer.json["data"]["url"]
    )
    assert answer.json["data"]["createdAt"] == "2026-03-10T09:00:00.000Z"
    assert acme.ok("GET", ADDRESS) == {"isActive": True, "createdAt": "2026-03-10T09:00:00.000Z"}


def test_an_address_begins_with_the_public_one(acme):
    acme.installation = Installation(acme.installation.config.data_dir, public_url="https://erp.example.com")
    assert acme.ok("POST", ADDRESS)["url"].startswith("https://erp.example.com/api/v1/tasks/calendar/erp_")


def test_an_address_counts_without_its_ending_too(acme):
    read(acme, made(acme).removesuffix(".ics"))


def test_a_new_address_takes_the_place_of_the_one_before(acme):
    former = made(acme)
    path = made(acme)
    assert path != former
    gone(acme, former)
    read(acme, path)


def test_what_people_paste_into_a_task_breaks_no_calendar(acme):
    task(acme, "Bell\x07 and\rBEGIN:VEVENT\x0bend", description="One\r\ntwo\x1b", tags=["\x7fpaper\x08"])
    path = made(acme)
    content = acme.installation.call("GET", path).content
    assert not re.findall(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)", content)
    (event,) = read(acme, path).walk("VEVENT")
    assert str(event["summary"]).endswith(" Bell and\nBEGIN:VEVENT\nend")
    assert (event["description"], event["categories"].cats) == ("One\ntwo", ["paper"])


def test_a_revoked_address_is_dead_at_once(acme):
    path = made(acme)
    acme.ok("DELETE", ADDRESS)
    gone(acme, path)
    assert acme.ok("GET", ADDRESS)["isActive"] is False
    acme.refused("DELETE", ADDRESS, status=404, code="not_found")


@pytest.mark.parametrize("secret", ["erp_" + "A" * 43, "x.ics", ".ics", "%00", "ü"])
def test_an_unknown_address_is_none(acme, secret):
    made(acme)
    gone(acme, f"/tasks/calendar/{secret}")


def test_everybody_has_an_address_of_her_own_in_each_workspace(acme, stranger):
    anna = acme.colleague("viewer")
    paths = [made(acme), made(anna), made(stranger)]
    assert len(set(paths)) == 3
    for office in (acme, stranger):
        task(office, "Mine")
    anna.ok("DELETE", ADDRESS)
    assert [len(titles(read(acme, path))) for path in (paths[0], paths[2])] == [1, 1]
    home = acme.workspace_id
    acme.select(acme.ok("POST", "/workspace", {"name": "Second"})["id"])
    assert acme.ok("GET", ADDRESS)["isActive"] is False
    assert titles(read(acme, made(acme))) == []
    acme.select(home)
    assert len(titles(read(acme, paths[0]))) == 1


def test_an_address_ends_with_a_suspension_and_does_not_come_back(acme):
    anna = acme.colleague("member")
    path = made(anna)
    member = next(each for each in acme.ok("GET", "/workspace/members") if each["user"]["id"] == anna.user["id"])
    for status in ("suspended", "active"):
        acme.ok("PATCH", f"/workspace/members/{member['id']}", {"status": status})
        gone(acme, path)
    again = made(anna)
    read(acme, again)
    acme.ok("DELETE", f"/workspace/members/{member['id']}")
    gone(acme, again)


def test_addresses_end_with_the_password(acme, stranger):
    path, other = made(acme), made(stranger)
    acme.ok("POST", "/auth/change-password", {"currentPassword": PASSWORD, "newPassword": "purple anchor sixteen"})
    gone(acme, path)
    assert acme.ok("GET", ADDRESS)["isActive"] is False
    read(acme, other)


def test_addresses_end_when_the_password_is_set_by_a_link(acme):
    anna = acme.colleague("member")
    path = made(anna)
    token = acme.ok("POST", "/auth/password-resets", {"userId": anna.user["id"]})["token"]
    redemption = {"token": token, "newPassword": "purple anchor sixteen"}
    acme.installation.call("POST", "/auth/password-resets/redeem", redemption)
    gone(acme, path)


def test_all_addresses_of_a_person_are_listed_and_can_be_ended(acme, stranger):
    path = made(acme)
    acme.ok("POST", "/hr/leaves/calendar-address")
    leave, tasks = acme.ok("GET", "/auth/calendar-addresses")
    assert [leave["kind"], tasks["kind"]] == ["leave", "tasks"]
    assert (tasks["workspaceId"], tasks["workspaceName"]) == (
        acme.workspace_id,
        acme.ok("GET", "/workspace")[0]["name"],
    )
    assert stranger.ok("GET", "/auth/calendar-addresses") == []
    stranger.refused("DELETE", f"/auth/calendar-addresses/{tasks['id']}", status=404, code="not_found")
    read(acme, path)
    acme.ok("DELETE", f"/auth/calendar-addresses/{tasks['id']}")
    gone(acme, path)
    assert acme.ok("GET", "/auth/calendar-addresses") == [leave]


def test_a_person_whose_account_is_closed_reads_nothing(acme):
    path = made(acme)
    with acme.acting(), control.write():
        User.update(status="disabled").execute()
    gone(acme, path)


def test_an_archived_workspace_is_still_read_and_its_address_can_be_revoked(acme):
    task(acme)
    path = made(acme)
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    assert len(titles(read(acme, path))) == 1
    acme.refused("POST", ADDRESS, status=409, code="workspace_archived")
    acme.ok("DELETE", ADDRESS)
    gone(acme, path)


def test_a_named_token_makes_no_address(acme):
    token = acme.ok("POST", "/auth/tokens", {"name": "Script", "workspaceId": acme.workspace_id})["token"]
    answer = acme.installation.call("POST", ADDRESS, headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "forbidden")


def test_the_log_of_changes_tells_of_addresses_but_not_which(acme):
    path = made(acme)
    acme.ok("DELETE", ADDRESS)
    told = acme.ok("GET", "/workspace/events", params={"resourceType": "calendar_address"})
    assert {event["type"]: event["data"] for event in told} == {
        "calendar_address.created": {"kind": "tasks"},
        "calendar_address.revoked": {"kind": "tasks"},
    }
    assert path.split("/")[-1].removesuffix(".ics") not in str(told)
