"""Projects and tasks changed by keys: rates from a day, steps of a project, many tasks at once, and the way back."""

import re

import pytest

from tests.frontend.conftest import expect, today
from tests.servers import wait_for

pytestmark = pytest.mark.browser


def plan(desk, name, *titles, **about):
    """A project with tasks of these titles."""
    project = desk.api("POST", "/projects", {"name": name, "status": "active", **about})
    return project, [desk.api("POST", "/tasks", {"title": title, "projectId": project["id"]}) for title in titles]


def log(desk, task, date, minutes):
    return desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": date, "minutes": minutes})


def undo(page):
    page.get_by_role("button", name="Undo").last.click()


def test_a_project_is_changed_by_keys_and_what_was_worked_keeps_its_rate(at_desk):
    desk = at_desk("ines")
    project, (task,) = plan(desk, "Ferry hall", "Draw", hourlyRate="100", budgetMinutes=6750, budgetAmount="12000")
    early = log(desk, task, "2026-11-02", 60)
    for date, minutes in (("01-04", 1440), ("01-11", 1440), ("01-18", 1440), ("01-25", 1440), ("02-01", 660)):
        log(desk, task, f"2026-{date}", minutes)
    page = desk.go(f"/projects/{project['id']}")
    expect(page.locator(".figure-card").filter(has_text="Hours used")).to_contain_text("96%, 4:30 left")
    expect(page.locator(".figure-card").filter(has_text="Budget used")).to_contain_text("90%, €1,200.00 left")
    desk.press("e")
    dialog = page.get_by_role("dialog", name="Edit Ferry hall")
    expect(dialog.get_by_label("Name")).to_be_focused()
    desk.type(" and pier")
    desk.press(*["Tab"] * 5)
    expect(dialog.get_by_role("textbox", name="Hourly rate")).to_be_focused()
    desk.type("130")
    desk.press("Control+Enter")
    page.get_by_role("heading", name="pier").wait_for()
    assert desk.keys == 7
    late = log(desk, task, str(today()), 60)
    amounts = [desk.api("GET", f"/tasks/time-logs/{one['id']}")["amount"] for one in (early, late)]
    assert amounts == ["100.00", "130.00"]
    desk.press("e")
    dialog = page.get_by_role("dialog", name="Edit")
    expect(dialog.get_by_label("Project code")).not_to_be_editable()
    rates = dialog.get_by_role("list", name="Hourly rates")
    expect(rates.get_by_role("listitem").first).to_have_text("100.00 at first")
    expect(dialog.get_by_label("New rate from")).to_have_count(0)
    dialog.get_by_role("textbox", name="Hourly rate").fill("140")
    expect(dialog.get_by_label("New rate from")).not_to_have_value("")
    assert desk.refusals() == []
    rates.get_by_role("button", name="Delete the rate from").click()
    expect(rates.get_by_role("button")).to_have_count(0)
    desk.go("/projects?status=archived")  # what is held back is sent when the page is left
    expect(page.get_by_text("No archived records.")).to_be_visible()
    wait_for(lambda: len(desk.api("GET", f"/projects/{project['id']}/rates")) == 1)


def test_a_project_goes_through_its_steps_and_each_is_taken_back(at_desk):
    desk = at_desk("ines", width=360)
    project, _ = plan(desk, "Boat house", *"ABCDE")
    page = desk.go(f"/projects/{project['id']}")

    def state():
        return desk.api("GET", f"/projects/{project['id']}")["status"]

    desk.act("Complete")
    asked = page.get_by_role("alertdialog", name="Complete Boat house?")
    expect(asked).to_contain_text("5 tasks are open.")
    asked.get_by_role("button", name="Complete anyway").click()
    expect(page.locator(".page-head")).to_contain_text("completed")
    assert state() == "completed"
    undo(page)
    expect(page.locator(".page-head")).to_contain_text("active")
    desk.act("Put on hold")
    expect(page.locator(".page-head")).to_contain_text("on hold")
    desk.act("Cancel project")
    expect(page.locator(".page-head")).to_contain_text("cancelled")
    undo(page)  # by way of what a cancelled project can become
    expect(page.locator(".page-head")).to_contain_text("on hold")
    desk.act("Archive")
    expect(page.locator(".page-head")).to_contain_text("archived")
    assert desk.refusals() == []
    undo(page)
    expect(page.locator(".page-head")).to_contain_text("on hold")
    assert not desk.is_wide()
    desk.act("Duplicate")
    dialog = page.get_by_role("dialog", name="Duplicate Boat house")
    dialog.get_by_label("Name").fill("Boat house, the next")
    dialog.get_by_label("Begins").fill("1.9.2026")
    dialog.get_by_role("button", name="Duplicate").click()
    expect(page.get_by_role("heading", name="Boat house, the next")).to_be_focused()
    (copy,) = desk.api("GET", "/projects?q=Boat%20house,")
    assert (copy["status"], copy["startDate"], copy["totals"]["taskCount"]) == ("planned", "2026-09-01", 5)
    empty, _ = plan(desk, "Nothing yet", billing="fixed", dueDate="2026-12-18")
    page = desk.go(f"/projects/{empty['id']}")
    about = page.locator(".card").filter(has=page.get_by_role("heading", name="About"))
    expect(about).to_contain_text(re.compile("Due date.*18 Dec 2026.*at a fixed price", re.DOTALL))
    expect(page.get_by_text("No tasks yet.")).to_be_visible()
    desk.act("Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/projects$"))
    assert desk.api("GET", "/projects?q=Nothing%20yet") == []


def test_many_tasks_are_changed_at_once_and_changed_back(at_desk):
    desk = at_desk("ines")
    desk.quiet = False  # one of them is refused
    _, (other,) = plan(desk, "Elsewhere", "Permit", code="ELSE")
    project, tasks = plan(desk, "Jetty", *"ABCDEFGH", code="JETTY")
    desk.api("PATCH", f"/tasks/{tasks[1]['id']}", {"status": "blocked", "tags": ["wood"], "priority": "low"})
    desk.api("PATCH", f"/tasks/{tasks[7]['id']}", {"dependsOn": [other["id"]]})

    def shown(*fields):
        listed = desk.api("GET", f"/tasks?projectId={project['id']}&sort=title")
        return [tuple(one[field] for field in fields) for one in listed]

    before = shown("title", "status", "priority", "tags")
    desk.offer_undo_longer()
    page = desk.go(f"/tasks?project={project['id']}&sort=title")
    expect(page.get_by_role("row").filter(has_text="JETTY-8")).to_contain_text("waits for ELSE-1")
    desk.press("j", "x", *["Shift+ArrowDown"] * 7)
    expect(page.get_by_role("region", name="Selected rows")).to_contain_text("8 selected")
    assert desk.refusals() == []
    desk.press("u")
    dialog = page.get_by_role("dialog", name="Change 8 tasks")
    expect(dialog.get_by_label("Status")).to_be_focused()
    desk.press("d")  # of Done
    desk.press("Control+Enter")
    page.get_by_text("7 changed, 1 not (JETTY-8 depends on ELSE-1.").first.wait_for()
    assert desk.keys == 12
    assert [status for (status,) in shown("status")] == ["done"] * 7 + ["todo"]
    expect(page.get_by_role("row").filter(has_text="JETTY-8")).to_have_attribute("aria-selected", "true")
    undo(page)
    expect(page.get_by_role("row").filter(has_text="JETTY-2")).to_contain_text("Blocked")
    assert shown("title", "status", "priority", "tags") == before
    expect(page.locator("body:focus")).to_have_count(0)
    page.get_by_role("checkbox", name="Select all").check()
    desk.press("t")
    page.get_by_label("Tags to add").fill("soon")
    desk.press("Enter", "Control+Enter")
    page.get_by_text("8 tasks changed.").first.wait_for()
    assert shown("tags")[:3] == [(["soon"],), (["wood", "soon"],), (["soon"],)]
    with page.expect_response("**/tasks/batch/change"):
        undo(page)
    assert shown("title", "status", "priority", "tags") == before
    delete_and_take_back(page, "JETTY-8")
    choose_on_the_board(desk, project, tasks[0])
    assert shown("priority")[0] == ("urgent",)


def test_each_field_of_several_tasks_is_changed_by_its_key(at_desk):
    desk = at_desk("ines")
    target, _ = plan(desk, "Mole", code="MOLE")
    project, _ = plan(desk, "Weir", "A", "B", code="WEIR")
    desk.offer_undo_longer()
    page = desk.go(f"/tasks?project={project['id']}")
    desk.press("j", "x", "Shift+ArrowDown")
    dialog = page.get_by_role("dialog", name="Change 2 tasks")
    labels = {"u": "Status", "a": "Who", "d": "Due date", "r": "Priority", "t": "Tags to add", "p": "Project"}
    for key, label in labels.items():
        desk.press(key)
        expect(dialog.get_by_label(label)).to_be_focused()
        desk.press("Escape")
        dialog.wait_for(state="detached")
    desk.press("p")
    dialog.get_by_label("Project").fill("mole")
    page.get_by_role("option", name="Mole").click()
    desk.press("Control+Enter")
    page.get_by_text("2 tasks changed.").first.wait_for()
    assert [task["title"] for task in pier(desk, target)] == ["A", "B"]
    undo(page)
    page.get_by_role("row").filter(has_text="WEIR-").nth(1).wait_for()
    assert [task["title"] for task in pier(desk, project)] == ["A", "B"]


def test_tasks_of_a_project_are_done_by_keys_and_go_back_to_their_places(at_desk):
    desk = at_desk("ines")
    project, tasks = plan(desk, "Pier", *"ABCD", code="PIER")
    desk.api("PATCH", f"/tasks/{tasks[3]['id']}", {"tags": ["seagrass"]})
    page = desk.go(f"/projects/{project['id']}")
    page.get_by_role("row").filter(has_text="PIER-2").get_by_role("link").first.focus()
    desk.press("x", "Shift+ArrowDown", "u")
    expect(page.get_by_role("dialog", name="Change 2 tasks").get_by_label("Status")).to_be_focused()
    desk.press("d", "Control+Enter")  # of Done
    page.get_by_text("2 tasks changed.").first.wait_for()
    assert desk.keys == 5
    assert [task["status"] for task in pier(desk, project)] == ["todo", "done", "done", "todo"]
    undo(page)
    expect(page.get_by_role("row").filter(has_text="PIER-3")).to_contain_text("To do")
    board = desk.api("GET", f"/tasks?projectId={project['id']}&sort=position")
    assert [(task["title"], task["status"]) for task in board] == [(title, "todo") for title in "ABCD"]
    expect(page.locator("body:focus")).to_have_count(0)
    before = desk.keys
    page.get_by_role("row").filter(has_text="PIER-1").get_by_role("link").first.focus()
    desk.press("x", "t")
    page.get_by_label("Tags to add").wait_for()
    desk.settle()
    desk.type("seag")
    page.get_by_role("option", name="seagrass").wait_for()
    desk.press("ArrowDown", "Enter", "Control+Enter")
    page.get_by_text("1 task changed.").first.wait_for()
    assert desk.keys - before == 5
    assert pier(desk, project)[0]["tags"] == ["seagrass"]


def pier(desk, project):
    return desk.api("GET", f"/tasks?projectId={project['id']}&sort=title")


def delete_and_take_back(page, key):
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("region", name="Selected rows").get_by_role("button", name="Delete").click()
    page.get_by_text("No tasks match.").wait_for()
    undo(page)
    page.get_by_role("row").filter(has_text=key).wait_for()


def choose_on_the_board(desk, project, task):
    page = desk.go(f"/board?project={project['id']}")
    page.locator(f"[data-card='{task['id']}']").get_by_role("link").focus()
    desk.press("x", "r")
    page.get_by_role("dialog", name="Change 1 task").get_by_label("Priority").select_option(label="urgent")
    desk.press("Control+Enter")
    page.get_by_text("1 task changed.").first.wait_for()


def test_a_task_waits_repeats_and_has_parts_and_rates(at_desk):
    desk = at_desk("jonas", width=360, scheme="dark")
    _, (first, second) = plan(desk, "Slipway", "Survey", "Build", code="SLIP", hourlyRate="100")
    page = desk.go(f"/tasks/{second['id']}")
    page.get_by_label("Waits for").fill("Survey")
    page.get_by_role("option", name=first["key"]).click()
    page.get_by_label("Tags").fill("wet")
    page.keyboard.press("Enter")
    page.get_by_label("Due date").fill("31.1.2027")
    page.get_by_label("Repeat every").fill("1")
    page.get_by_label("Time entries").select_option(label="not billable")
    page.get_by_label("Hourly rate").fill("130")
    assert desk.refusals() == []
    page.get_by_role("button", name="Save").click()
    page.get_by_text("waits for SLIP-1").wait_for()
    now = desk.api("GET", f"/tasks/{second['id']}")
    assert (now["dependsOnKeys"], now["tags"], now["isBillable"]) == (["SLIP-1"], ["wet"], False)
    assert now["repeat"] == {"every": 1, "unit": "month", "from": "due_date"}
    rates = page.get_by_role("list", name="Hourly rates")
    expect(rates.get_by_role("listitem")).to_have_count(2)
    rates.get_by_role("button", name="Delete the rate from").click()
    page.get_by_role("button", name="New subtask").click()
    page.get_by_role("dialog").get_by_label("Title").fill("Lay the rails")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    part = page.get_by_role("link", name="SLIP-3 Lay the rails")
    part.wait_for()
    assert not desk.is_wide()
    page = desk.go(f"/tasks/{first['id']}")
    wait_for(lambda: len(desk.api("GET", f"/tasks/{second['id']}/rates")) == 1)
    page.get_by_label("Waits for").fill("Build")
    page.get_by_role("option", name=second["key"]).click()
    desk.quiet = False
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The task would depend on itself: SLIP-1 → SLIP-2 → SLIP-1.").first.wait_for()
    desk.act("Start timer")
    page.get_by_role("button", name="Stop timer on SLIP-1").wait_for()
    desk.act("Discard timer")
    page.get_by_role("alertdialog").get_by_role("button", name="Discard timer").click()
    page.get_by_role("button", name="Stop timer on SLIP-1").wait_for(state="detached")
    assert not desk.api("GET", "/tasks/timer")["isRunning"]
    assert desk.api("GET", f"/tasks/{first['id']}")["loggedMinutes"] == 0
