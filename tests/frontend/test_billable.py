"""Time that is not to be invoiced, and tasks that wait for others, in the browser."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

DAY = "2026-11-10"


def hourly_task(desk, title, **more):
    project = desk.api("POST", "/projects", {"name": title, "status": "active", "billing": "hourly"})
    return desk.api("POST", "/tasks", {"title": title, "projectId": project["id"], **more})


def open_log(page):
    page.get_by_role("main").locator(".card").get_by_role("button", name="Log time").click()


def logged(desk, task):
    return desk.api("GET", f"/tasks/{task['id']}/time-logs?sort=date")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_task_says_that_its_time_is_not_billable_and_a_log_starts_with_that(at_desk, width, scheme):
    desk = at_desk("jonas", width, scheme)
    task = hourly_task(desk, f"Explain the offer {width}")
    page = desk.go(f"/tasks/{task['id']}")
    billing = page.get_by_label("Time entries")
    expect(billing.locator("option:checked")).to_have_text("as set for the project")
    billing.select_option(label="not billable")
    page.get_by_role("button", name="Save").click()
    page.get_by_text(f"{task['key']} saved.").first.wait_for()
    assert desk.api("GET", f"/tasks/{task['id']}")["isBillable"] is False
    open_log(page)
    dialog = page.get_by_role("dialog", name="Log time")
    expect(dialog.get_by_label("Billable")).not_to_be_checked()
    dialog.get_by_label("Duration").fill("1:30")
    dialog.get_by_label("Note").fill("On the phone")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Log time", exact=True).click()
    row = page.get_by_role("listitem").filter(has_text="On the phone")
    expect(row.get_by_text("not billable", exact=True)).to_be_visible()
    assert [(log["minutes"], log["isBillable"]) for log in logged(desk, task)] == [(90, False)]
    assert desk.refusals() == []
    assert not desk.is_wide()

    billing.select_option(label="as set for the project")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Save").click()
    assert desk.api("GET", f"/tasks/{task['id']}")["isBillable"] is None


def test_a_log_starts_as_the_project_is_billed_and_sends_only_what_differs(at_desk):
    desk = at_desk("jonas")
    task = hourly_task(desk, "Measure the hall")
    page = desk.go(f"/tasks/{task['id']}")
    dialog = page.get_by_role("dialog", name="Log time")
    for minutes, is_billable in (("30", None), ("40", False)):
        open_log(page)
        box = dialog.get_by_label("Billable")
        expect(box).to_be_checked()  # its project is billed by the hour
        dialog.get_by_label("Duration").fill(f"{minutes}m")
        if is_billable is False:
            box.uncheck()
        with page.expect_request(lambda request: request.method == "POST" and "time-logs" in request.url) as sent:
            dialog.get_by_role("button", name="Log time", exact=True).click()
        expect(dialog).to_be_hidden()
        assert sent.value.post_data_json.get("isBillable") is is_billable
    assert {(log["minutes"], log["isBillable"]) for log in logged(desk, task)} == {(30, True), (40, False)}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_log_is_changed_and_one_that_is_invoiced_is_not(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    customer = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": f"Payer {width}"})
    project = {"name": f"Billed {width}", "customerId": customer["id"], "status": "active", "hourlyRate": "80"}
    project = desk.api("POST", "/projects", project)
    task = desk.api("POST", "/tasks", {"title": f"Draw {width}", "projectId": project["id"]})
    path = f"/tasks/{task['id']}/time-logs"
    desk.api("POST", path, {"date": DAY, "minutes": 45, "note": "Invoiced already"})
    desk.api("POST", "/finance/invoices/from-time-logs", {"projectId": project["id"]})
    desk.api("POST", path, {"date": DAY, "minutes": 60, "note": "First sketch"})
    page = desk.go(f"/tasks/{task['id']}")
    rows = page.get_by_role("listitem")
    row = rows.filter(has_text="First sketch")
    expect(row).not_to_contain_text("not billable")
    expect(rows.filter(has_text="Invoiced already")).to_be_visible()
    expect(rows.filter(has_text="Invoiced already").get_by_role("button")).to_have_count(0)
    row.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog", name=f"Time on {task['key']}")
    dialog.get_by_label("Duration").fill("2")
    dialog.get_by_label("Billable").uncheck()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(row).to_contain_text("2:00")
    expect(row.get_by_text("not billable", exact=True)).to_be_visible()
    (log,) = [log for log in logged(desk, task) if log["note"] == "First sketch"]
    assert (log["minutes"], log["isBillable"], log["amount"], log["date"]) == (120, False, "0.00", DAY)
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_log_of_the_week_is_made_not_billable_beside_its_note(at_desk):
    desk = at_desk("priya")
    manager = at_desk("jonas")
    task = hourly_task(manager, "Water the plants")
    desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": DAY, "minutes": 15})
    page = desk.go("/time?week=2026-11-09")
    cell = page.get_by_role("row").filter(has_text=task["key"]).locator(f"[data-day='{DAY}']")
    expect(cell).to_have_value("0:15")
    cell.press("'")
    dialog = page.get_by_role("dialog", name=f"Time on {task['key']}")
    expect(dialog.get_by_label("Note")).to_be_focused()
    desk.type("The palm as well")
    dialog.get_by_label("Billable").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    (log,) = logged(desk, task)
    assert (log["note"], log["isBillable"], log["minutes"]) == ("The palm as well", False, 15)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_task_waits_for_another_and_leads_to_it(at_desk, width, scheme):
    desk = at_desk("jonas", width, scheme)
    desk.quiet = False
    first = desk.api("POST", "/tasks", {"title": f"Pour the slab {width}"})
    second = desk.api("POST", "/tasks", {"title": f"Raise the walls {width}"})
    page = desk.go(f"/tasks/{second['id']}")
    page.get_by_label("Waits for").fill(first["title"])
    page.locator("[role=option]:visible", has_text=first["title"]).click()
    link = page.get_by_role("main").get_by_role("link", name=first["key"], exact=True)
    expect(link).to_be_visible()
    page.get_by_role("button", name="Save").click()
    page.get_by_text(f"{second['key']} saved.").first.wait_for()
    assert desk.api("GET", f"/tasks/{second['id']}")["dependsOn"] == [first["id"]]
    assert desk.refusals() == []
    assert not desk.is_wide()

    link.click()
    page.get_by_role("heading", name=first["title"]).wait_for()
    page.get_by_label("Waits for").fill(second["title"])
    page.locator("[role=option]:visible", has_text=second["title"]).click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The task would depend on itself").first).to_be_visible()
    page.get_by_role("button", name=f"Remove {second['key']}").click()
    expect(page.get_by_role("main").get_by_role("link", name=second["key"], exact=True)).to_have_count(0)
    assert desk.api("GET", f"/tasks/{first['id']}")["dependsOn"] == []
