"""Who is responsible for a project and works on it, and its budgets, in the browser."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def user(desk, name):
    return next(
        one["user"] for one in desk.api("GET", "/workspace/members?limit=200") if one["user"]["name"].startswith(name)
    )


def take(page, dialog, member):
    dialog.get_by_label("Members").fill(member["name"])
    page.locator("[role=option]:visible", has_text=member["name"]).click()
    expect(dialog.get_by_role("button", name=f"Remove {member['name']}")).to_be_visible()


def card(page, label):
    return page.locator(".figure-card").filter(has_text=label)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_project_is_added_with_its_people_and_budgets(at_desk, width, scheme):
    desk = at_desk("jonas", width, scheme)
    mei, rui = user(desk, "Mei"), user(desk, "Rui")
    name = f"Pavilion {width}"
    page = desk.go("/projects")
    desk.act("New project")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Hourly rate").fill("90")
    dialog.get_by_label("Assignee").select_option(label=mei["name"])
    take(page, dialog, mei)
    take(page, dialog, rui)
    dialog.get_by_label("Budget in hours").fill("40")
    dialog.get_by_label("Budget in EUR").fill("3600")
    dialog.get_by_label("Customer").fill("Hansen")
    page.locator("[role=option]:visible", has_text="Hansen").click()
    dialog.get_by_label("Begins").fill("1.12.2026")
    dialog.get_by_label("Description").fill("Open on three sides")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Create project").click()
    page.get_by_role("heading", name=name).wait_for()
    (made,) = desk.api("GET", f"/projects?q=Pavilion%20{width}")
    assert (made["ownerUserId"], set(made["memberUserIds"])) == (mei["id"], {mei["id"], rui["id"]})
    assert (made["budgetMinutes"], made["budgetAmount"], made["billing"]) == (2400, "3600.00", "hourly")
    assert (made["customerName"], made["startDate"], made["description"]) == (
        "Hansen & Söhne",
        "2026-12-01",
        "Open on three sides",
    )
    about = page.locator(".facts").first
    expect(about).to_contain_text(rui["name"])
    expect(about.locator("div").filter(has_text="Assignee")).to_contain_text(mei["name"])
    expect(card(page, "Hours used")).to_contain_text("0:00 of 40:00")
    expect(card(page, "Budget used")).to_contain_text("€0.00 of €3,600.00")
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_project_is_changed_and_its_people_with_it(at_desk):
    desk = at_desk("jonas")
    mei, rui = user(desk, "Mei"), user(desk, "Rui")
    people = {"ownerUserId": mei["id"], "memberUserIds": [mei["id"], rui["id"]]}
    budget = {"hourlyRate": "90", "budgetMinutes": 2400, "budgetAmount": "3600"}
    made = desk.api("POST", "/projects", {"name": "Greenhouse", **people, **budget})
    page = desk.go(f"/projects/{made['id']}")
    desk.act("Edit")
    dialog = page.get_by_role("dialog", name="Edit Greenhouse")
    expect(dialog.get_by_label("Assignee").locator("option:checked")).to_have_text(mei["name"])
    dialog.get_by_role("button", name=f"Remove {mei['name']}").click()
    dialog.get_by_label("Assignee").select_option(label="No one yet")
    dialog.get_by_label("Budget in hours").fill("20")
    dialog.get_by_label("Invoicing").select_option(label="at a fixed price")
    dialog.get_by_label("Fixed price").fill("5000")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(card(page, "Hours used")).to_contain_text("0:00 of 20:00")
    now = desk.api("GET", f"/projects/{made['id']}")
    assert (now["ownerUserId"], now["memberUserIds"], now["budgetMinutes"]) == (None, [rui["id"]], 1200)
    assert (now["billing"], now["fixedPrice"]) == ("fixed", "5000.00")
    assert (now["budgetAmount"], now["hourlyRate"]) == ("3600.00", "90.00")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_budget_that_is_exceeded_is_marked_and_one_that_is_not_is_not(at_desk, width, scheme):
    desk = at_desk("jonas", width, scheme)
    project = desk.api(
        "POST",
        "/projects",
        {"name": f"Kiosk {width}", "hourlyRate": "60", "budgetMinutes": 299, "budgetAmount": "400", "status": "active"},
    )
    task = desk.api("POST", "/tasks", {"title": "Paint", "projectId": project["id"]})
    desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": f"2026-01-{width % 20 + 5:02}", "minutes": 300})
    page = desk.go(f"/projects/{project['id']}")
    hours, money = card(page, "Hours used"), card(page, "Budget used")
    expect(hours).to_contain_text("100%")  # rounded down, and yet more than all of it
    expect(hours).to_contain_text("5:00 of 4:59")
    expect(hours.get_by_text("exceeded", exact=True)).to_be_visible()
    expect(money).to_contain_text("75%")
    expect(money).to_contain_text("€300.00 of €400.00")
    expect(money.get_by_text("exceeded")).to_have_count(0)
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_who_may_see_no_money_sees_the_hours_alone_and_changes_nothing(at_desk):
    manager, desk = at_desk("jonas"), at_desk("mei")
    project = {
        "name": "Garden wall",
        "budgetMinutes": 600,
        "budgetAmount": "500",
        "ownerUserId": user(manager, "Jo")["id"],
    }
    project = manager.api("POST", "/projects", project)
    page = desk.go(f"/projects/{project['id']}")
    expect(card(page, "Hours used")).to_contain_text("0:00 of 10:00")
    expect(card(page, "Budget used")).to_have_count(0)
    expect(page.locator(".facts").first).to_contain_text("Jonas")
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)


def test_a_project_is_taken_from_its_customer(at_desk):
    desk = at_desk("jonas")
    customer = desk.api("GET", "/finance/contacts?kind=customer&limit=1")[0]
    made = desk.api("POST", "/projects", {"name": "Shed", "customerId": customer["id"]})
    page = desk.go(f"/projects/{made['id']}")
    expect(page.locator(".facts").first).to_contain_text(customer["name"])
    desk.act("Edit")
    dialog = page.get_by_role("dialog", name="Edit Shed")
    expect(dialog.get_by_label("Customer")).to_have_value(customer["name"])
    dialog.get_by_label("Customer").fill("")
    desk.press("Control+Enter")
    expect(dialog).to_be_hidden()
    assert desk.api("GET", f"/projects/{made['id']}")["customerId"] is None


def test_two_who_change_the_members_are_asked_whose_remain_by_name(at_desk):
    first, second = at_desk("jonas"), at_desk("ines")
    first.quiet = False
    mei, rui = user(first, "Mei"), user(first, "Rui")
    project = first.api("POST", "/projects", {"name": "Bridge", "budgetMinutes": 60})
    page = first.go(f"/projects/{project['id']}")
    first.act("Edit")
    dialog = page.get_by_role("dialog", name="Edit Bridge")
    take(page, dialog, mei)
    dialog.get_by_label("Budget in hours").fill("3")
    second.api("PATCH", f"/projects/{project['id']}", {"memberUserIds": [rui["id"]], "dueDate": "2027-03-01"})
    dialog.get_by_role("button", name="Save").click()
    asked = page.get_by_role("dialog", name="Someone else has changed this")
    asked.get_by_role("row", name=f"Members {rui['name']} {mei['name']}").wait_for()
    asked.get_by_role("button", name="Keep mine").click()
    expect(dialog).to_be_hidden()
    now = first.api("GET", f"/projects/{project['id']}")
    assert (now["memberUserIds"], now["budgetMinutes"], now["dueDate"]) == ([mei["id"]], 180, "2027-03-01")


def test_a_project_with_open_tasks_cannot_be_completed_in_its_form(at_desk):
    desk = at_desk("jonas")
    project = desk.api("POST", "/projects", {"name": "Fence", "status": "active"})
    task = desk.api("POST", "/tasks", {"title": "Posts", "projectId": project["id"]})
    page = desk.go(f"/projects/{project['id']}")
    desk.act("Edit")
    dialog = page.get_by_role("dialog", name="Edit Fence")
    expect(dialog.get_by_text("The project can be completed once all tasks are done.")).to_be_visible()
    expect(dialog.get_by_label("Status").locator("option")).to_have_text(["active", "cancelled", "on hold"])
    desk.api("PATCH", f"/tasks/{task['id']}", {"status": "done"})
    page = desk.go(f"/projects/{project['id']}")
    desk.act("Edit")
    dialog.get_by_label("Status").select_option(label="completed")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    assert desk.api("GET", f"/projects/{project['id']}")["status"] == "completed"


def test_a_project_that_is_not_billed_is_added(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/projects")
    desk.act("New project")
    dialog = page.get_by_role("dialog", name="New project")
    dialog.get_by_label("Name").fill("Tidy the archive")
    dialog.get_by_label("Invoicing").select_option(label="not invoiced")
    expect(dialog.get_by_label("Hourly rate")).to_have_count(0)
    dialog.get_by_role("button", name="Create project").click()
    page.get_by_role("heading", name="Tidy the archive").wait_for()
    (made,) = desk.api("GET", "/projects?q=Tidy%20the%20archive")
    assert made["billing"] == "non_billable"
