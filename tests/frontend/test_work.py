"""The board, tasks, the timer, the week and billing: what each job costs in keys, and what it leaves behind."""

import pytest

pytestmark = pytest.mark.browser

PROBE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'


def test_the_timer_is_started_and_stopped_by_one_key_each_from_every_screen(at_desk):
    desk = at_desk("mei")
    task = desk.api("GET", "/tasks/time-logs?userId=me&limit=1")[0]["taskKey"]
    page = desk.go("/me")
    page.get_by_role("button", name=f"Start the timer on {task}").wait_for()
    desk.press("s")
    page.get_by_role("button", name=f"Stop the timer on {task}").wait_for()
    assert desk.api("GET", "/tasks/timer")["taskKey"] == task
    page = desk.go("/projects")
    page.get_by_role("button", name=f"Stop the timer on {task}").wait_for()
    desk.press("s")
    page.get_by_text(f"logged on {task}").first.wait_for()
    assert desk.keys == 2
    assert not desk.api("GET", "/tasks/timer")["isRunning"]


def test_the_timer_goes_over_to_the_task_that_is_open(at_desk):
    desk = at_desk("rui")
    first, second = desk.api("GET", "/tasks?status=in_progress&limit=2")
    desk.api("POST", f"/tasks/{first['id']}/timer/start", {})
    page = desk.go(f"/tasks/{second['id']}")
    page.get_by_role("button", name=f"Stop the timer on {first['key']}").wait_for()
    desk.press("s")
    page.get_by_role("button", name=f"Stop the timer on {second['key']}").wait_for()
    desk.press("s")
    page.get_by_text(f"logged on {second['key']}").first.wait_for()
    assert desk.keys == 2


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
    page.get_by_role("button", name="Bill the time").wait_for()
    desk.press("b")
    page.get_by_role("dialog").locator("[name=dateFrom]:focus").wait_for()
    desk.press("Enter")
    page.get_by_role("heading", name="Edit").wait_for()
    page.get_by_text("Subtotal").first.wait_for()
    assert desk.keys <= 3
    assert page.url.endswith("/edit")
    assert desk.api("GET", "/finance/invoices?limit=1")[0]["subtotal"] == project["totals"]["unbilledAmount"]


def test_a_comment_names_its_author_and_markup_stays_text(at_desk):
    desk = at_desk("mei", width=360, scheme="dark")
    task = desk.api("POST", "/tasks", {"title": PROBE, "description": "javascript:alert(1)"})
    desk.api("POST", f"/tasks/{task['id']}/comments", {"text": PROBE})
    page = desk.go(f"/tasks/{task['id']}")
    comment = page.get_by_role("listitem").filter(has_text=PROBE)
    comment.get_by_text("Mei Takahashi").wait_for()
    assert page.locator("main h1").inner_text() == f"{task['key']} {PROBE}"
    assert page.locator("main img, main script, a[href^=javascript]").count() == 0
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_figure_that_is_no_duration_is_said_and_not_sent(at_desk):
    desk = at_desk("rui")
    page = desk.go("/time")
    cell = page.get_by_role("table", name="Time of the week").get_by_role("textbox").first
    cell.fill("soon")
    cell.press("Tab")
    page.get_by_text("This is not a duration").first.wait_for()
    assert cell.get_attribute("aria-invalid") == "true"
