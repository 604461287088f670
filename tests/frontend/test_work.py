"""The board, tasks, the timer, the week and billing: what each job costs in keys, and what it leaves behind."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

PROBE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'


def test_the_timer_is_started_and_stopped_by_one_key_each_from_every_screen(at_desk):
    desk = at_desk("mei")
    task = desk.api("GET", "/tasks/time-logs?userId=me&limit=1")[0]["taskKey"]
    page = desk.go("/me")
    page.get_by_role("button", name=f"Start timer on {task}").wait_for()
    desk.press("s")
    page.get_by_role("button", name=f"Stop timer on {task}").wait_for()
    assert desk.api("GET", "/tasks/timer")["taskKey"] == task
    page = desk.go("/projects")
    page.get_by_role("button", name=f"Stop timer on {task}").wait_for()
    desk.press("s")
    page.get_by_text(f"logged on {task}").first.wait_for()
    assert desk.keys == 2
    assert not desk.api("GET", "/tasks/timer")["isRunning"]


def test_the_timer_goes_over_to_the_task_that_is_open(at_desk):
    desk = at_desk("rui")
    first, second = desk.api("GET", "/tasks?status=in_progress&limit=2")
    desk.api("POST", f"/tasks/{first['id']}/timer/start", {})
    page = desk.go(f"/tasks/{second['id']}")
    page.get_by_role("button", name=f"Stop timer on {first['key']}").wait_for()
    desk.press("s")
    page.get_by_role("button", name=f"Stop timer on {second['key']}").wait_for()
    desk.press("s")
    page.get_by_text(f"logged on {second['key']}").first.wait_for()
    assert desk.keys == 2


def test_on_a_phone_only_the_days_of_a_week_scroll(at_desk):
    desk = at_desk("mei", width=360)
    page = desk.go("/time?week=2026-11-23")
    page.locator(".week tbody tr").first.wait_for()
    page.locator(".week-box").evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    expect(page.get_by_role("columnheader", name="Sun")).to_be_in_viewport(ratio=1)
    for kept in (page.get_by_role("rowheader", name="Sum"), page.get_by_role("combobox", name="Task")):
        expect(kept).to_be_in_viewport(ratio=1)


def test_a_week_is_filled_with_tab_and_figures_alone(at_desk):
    desk = at_desk("priya")
    task = desk.api("POST", "/tasks", {"title": "Count the samples"})
    desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": "2026-11-06", "minutes": 15})
    page = desk.go("/time?week=2026-11-09")
    row = page.get_by_role("row").filter(has_text=task["key"])  # it was worked on the week before
    row.get_by_role("textbox").first.focus()
    for figure in ("1:30", "2", "90m"):
        desk.type(figure)
        desk.press("Tab")
    row.get_by_role("cell", name="5:00").wait_for()
    assert desk.keys == 3
    logs = desk.api("GET", f"/tasks/{task['id']}/time-logs?dateFrom=2026-11-09&sort=date")
    assert [(log["date"], log["minutes"]) for log in logs] == [
        ("2026-11-09", 90),
        ("2026-11-10", 120),
        ("2026-11-11", 90),
    ]


def test_a_projects_time_is_billed_with_three_keys_and_ends_in_the_editor(at_desk):
    desk = at_desk("jonas")
    project = next(
        one for one in desk.api("GET", "/projects?status=active") if one["totals"]["unbilledAmount"] != "0.00"
    )
    desk = at_desk("amara")
    page = desk.go(f"/projects/{project['id']}")
    page.get_by_role("button", name="Invoice time").wait_for()
    desk.press("b")
    page.get_by_role("dialog").locator("[name=dateFrom]:focus").wait_for()
    desk.press("Enter")
    page.get_by_role("heading", name="Edit").wait_for()
    page.get_by_text("Subtotal").first.wait_for()
    assert desk.keys <= 3
    expect(page).to_have_url(re.compile("/edit$"))
    assert desk.api("GET", "/finance/invoices?limit=1")[0]["subtotal"] == project["totals"]["unbilledAmount"]


def test_a_comment_names_its_author_and_markup_stays_text(at_desk):
    desk = at_desk("mei", width=360, scheme="dark")
    task = desk.api("POST", "/tasks", {"title": PROBE, "description": "javascript:alert(1)"})
    desk.api("POST", f"/tasks/{task['id']}/comments", {"text": PROBE})
    page = desk.go(f"/tasks/{task['id']}")
    comment = page.get_by_role("listitem").filter(has_text=PROBE)
    comment.get_by_text("Mei Takahashi").wait_for()
    expect(page.locator("main h1")).to_have_text(f"{task['key']} {PROBE}", use_inner_text=True)
    expect(page.locator("main img, main script, a[href^=javascript]")).to_have_count(0)
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_figure_that_is_no_duration_is_said_and_not_sent(at_desk):
    desk = at_desk("rui")
    page = desk.go("/time")
    cell = page.get_by_role("table", name="Timesheet").get_by_role("textbox").first
    cell.fill("soon")
    cell.press("Tab")
    page.get_by_text("Not a duration").first.wait_for()
    expect(cell).to_have_attribute("aria-invalid", "true")


def test_a_task_opens_over_the_board_and_an_hour_is_logged_there_by_three_keys(at_desk):
    desk = at_desk("mei")
    page = desk.go("/board")
    task = desk.api("GET", "/tasks?status=in_progress&limit=1&q=HANSEN")[0]
    page.get_by_role("link", name=task["key"], exact=True).click()
    panel = page.get_by_role("dialog", name=task["key"])
    panel.get_by_role("button", name="Log time").first.wait_for()
    assert desk.refusals() == []
    desk.press("l")
    page.get_by_role("dialog", name="Log time").get_by_label("Duration").wait_for()
    desk.press("1", "Enter")
    page.get_by_role("dialog", name="Log time").wait_for(state="detached")
    assert desk.keys == 3
    assert desk.api("GET", f"/tasks/{task['id']}")["loggedMinutes"] == task["loggedMinutes"] + 60
    page.reload()  # the address holds the panel
    panel.get_by_role("button", name="Log time").first.wait_for()
    desk.press("Escape")
    panel.wait_for(state="detached")
    expect(page).not_to_have_url(re.compile("task="))


def test_what_is_typed_into_a_task_stays_when_another_changes_it_and_they_say_whose_remains(at_desk):
    mei, manager = at_desk("mei"), at_desk("jonas")
    mei.quiet = False
    task = mei.api("POST", "/tasks", {"title": "Draw the plan"})
    page = mei.go(f"/tasks/{task['id']}")
    title = page.get_by_role("textbox", name="Title")
    title.fill("Draw the whole plan")
    manager.api("PATCH", f"/tasks/{task['id']}", {"title": "Draw half the plan", "priority": "high"})
    page.get_by_role("button", name="Save").click()
    dialog = page.get_by_role("dialog", name="Someone else has changed this")
    dialog.get_by_role("row", name="Title Draw half the plan Draw the whole plan").wait_for()
    dialog.get_by_role("button", name="Keep mine").click()
    page.get_by_role("heading", name="Draw the whole plan").wait_for()
    now = mei.api("GET", f"/tasks/{task['id']}")
    assert (now["title"], now["priority"]) == ("Draw the whole plan", "high")


def test_what_is_kept_of_a_task_is_what_was_typed_and_not_what_another_changes_later(at_desk):
    desk = at_desk("jonas")
    task = desk.api("POST", "/tasks", {"title": "Saw the planks", "priority": "low"})
    page = desk.go(f"/tasks/{task['id']}")
    page.get_by_label("Description").fill("With the band saw")
    page.reload()
    page.get_by_text("Not saved, on this device since").wait_for()
    desk.api("PATCH", f"/tasks/{task['id']}", {"priority": "urgent"})
    page.reload()
    expect(page.get_by_label("Description")).to_have_value("With the band saw")
    expect(page.get_by_label("Priority").locator("option:checked")).to_have_text("urgent")
    page.get_by_label("Description").press("Control+Enter")
    page.get_by_text(f"{task['key']} saved.").first.wait_for()
    now = desk.api("GET", f"/tasks/{task['id']}")
    assert (now["description"], now["priority"]) == ("With the band saw", "urgent")
    page.reload()
    page.get_by_label("Description").wait_for()
    expect(page.get_by_text("Not saved, on this device since")).to_have_count(0)


def test_what_is_typed_into_a_task_is_discarded_for_what_is_there_now(at_desk):
    desk = at_desk("jonas")
    task = desk.api("POST", "/tasks", {"title": "Oil the hinges"})
    page = desk.go(f"/tasks/{task['id']}")
    title = page.get_by_role("textbox", name="Title")
    title.fill("Oil the doors")
    page.reload()
    expect(title).to_have_value("Oil the doors")
    desk.api("PATCH", f"/tasks/{task['id']}", {"title": "Oil the gate"})
    desk.come_back()
    page.get_by_role("heading", name="Oil the gate").wait_for()
    expect(title).to_have_value("Oil the doors")
    page.get_by_role("button", name="Discard").click()
    expect(title).to_have_value("Oil the gate")
    assert desk.api("GET", f"/tasks/{task['id']}")["title"] == "Oil the gate"


def test_a_card_is_dragged_into_another_column_and_back_by_undo(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/board?q=")
    task = next(one for one in desk.api("GET", "/tasks?status=todo&limit=50") if one["key"].startswith("APO-"))
    card = page.locator(f"[data-card='{task['id']}']")
    card.drag_to(page.locator("[data-column=review]"))
    page.get_by_text("moved to “Review”").first.wait_for()
    assert desk.api("GET", f"/tasks/{task['id']}")["status"] == "review"
    page.get_by_role("button", name="Undo").click()
    page.locator(f"[data-column=todo] [data-card='{task['id']}']").wait_for()
    assert desk.api("GET", f"/tasks/{task['id']}")["status"] == "todo"


def moved_and_back(desk, project, task):
    """Move a task to the right of its column by keys, and undo it; its column in between."""
    page = desk.go(f"/board?project={project['id']}")
    page.locator(f"[data-card='{task['id']}']").get_by_role("link").focus()
    with page.expect_response("**/tasks/reorder"):
        desk.press("Shift+ArrowRight")
    page.get_by_text(f"{task['key']} moved to").first.wait_for()
    between = desk.api("GET", f"/tasks/{task['id']}")
    page.get_by_role("button", name="Undo").click()
    page.locator(f"[data-column={task['status']}] [data-card='{task['id']}']").wait_for()
    desk.settle()
    return between


@pytest.mark.parametrize("at", [0, 1, 3])
def test_undo_puts_a_card_back_to_where_it_was_in_its_column(at_desk, at):
    desk = at_desk("ines")
    project = desk.api("POST", "/projects", {"name": f"Four cards {at}"})
    tasks = [desk.api("POST", "/tasks", {"title": title, "projectId": project["id"]}) for title in "ABCD"]
    moved_and_back(desk, project, tasks[at])
    listed = desk.api("GET", f"/tasks?projectId={project['id']}&sort=position")
    assert [(one["title"], one["status"]) for one in listed] == [(title, "todo") for title in "ABCD"]


def test_undo_of_done_takes_the_next_of_a_recurring_task_away_again(at_desk):
    desk = at_desk("ines")
    project = desk.api("POST", "/projects", {"name": "Each week"})
    repeat = {"every": 1, "unit": "week", "from": "due_date"}
    about = {"title": "Water the plants", "projectId": project["id"], "dueDate": "2026-12-01", "repeat": repeat}
    task = desk.api("POST", "/tasks", about)
    task = desk.api("POST", "/tasks/reorder", {"taskId": task["id"], "status": "blocked"})
    between = moved_and_back(desk, project, task)
    assert (between["status"], between["successorId"] is None) == ("done", False)
    (left,) = desk.api("GET", f"/tasks?projectId={project['id']}")
    assert (left["id"], left["status"], left["successorId"]) == (task["id"], "blocked", None)


@pytest.mark.parametrize("who", ["hanna", "amara"])
def test_who_may_only_read_opens_the_board_and_its_tasks_without_a_refusal(at_desk, who):
    desk = at_desk(who, width=360, scheme="dark")
    task = desk.api("GET", "/tasks?status=in_progress&limit=1")[0]
    page = desk.go(f"/board?task={task['id']}")
    page.get_by_role("dialog").get_by_role("link", name="Open as a page").click()
    page.get_by_role("heading", name=task["key"]).wait_for()
    desk.settle()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert desk.refusals() == []
    assert not desk.is_wide()
