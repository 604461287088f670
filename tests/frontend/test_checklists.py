"""Checklists in the browser: written, started on the page of a person, and done."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_checklist_is_written_started_and_done(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    name = f"First days {width}"
    page = desk.go("/people/checklists")
    desk.act("New checklist")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Task").fill("Order a laptop")
    dialog.get_by_label("Days from the start").fill("−2")
    dialog.get_by_role("button", name="Add step").click()
    second = dialog.get_by_role("group", name="Step 2")
    second.get_by_label("Task").fill(f"Read the handbook {width}")
    second.get_by_label("Assignee").fill("Mei")
    page.get_by_role("option", name="Mei Takahashi").click()
    expect(second.get_by_label("Assignee")).to_have_value("Mei Takahashi")
    second.get_by_label("Assignee").fill("The emp")
    page.get_by_role("option", name="The employee").click()
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name=name)
    expect(row).to_contain_text("2 steps")
    assert not desk.is_wide()
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Edit").click()
    expect(dialog.get_by_role("group", name="Step 1").get_by_label("Days from the start")).to_have_value("-2")
    dialog.get_by_role("button", name="Remove step 1").click()
    dialog.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("1 step")
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    page = desk.go(f"/people/{person['id']}")
    page.get_by_role("button", name="Start checklist").click()
    dialog.get_by_label("Checklist", exact=True).select_option(label=name)
    dialog.get_by_label("First or last day").fill("2026-06-01")
    dialog.get_by_role("button", name="Start").click()
    task = page.get_by_role("row", name=f"Read the handbook {width}")
    expect(task).to_contain_text("Jonas")
    assert not desk.is_wide()
    assert desk.refusals() == []
    task.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Done").click()
    expect(task).to_contain_text("done")
    (made,) = desk.api("GET", f"/tasks?employeeId={person['id']}&q=handbook+{width}")
    assert (made["status"], made["dueDate"]) == ("done", "2026-06-01")


def test_an_assignee_finishes_a_step_on_home(at_desk):
    """Whoever may not open the person's page has the task among what is due."""
    desk, mei = at_desk("leila"), at_desk("mei")
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    who = mei.api("GET", "/auth/session")["user"]["id"]
    items = [{"title": "Hand over the keys", "days": 0, "assignee": who}]
    made = desk.api("POST", "/hr/checklists", {"name": "Keys", "kind": "other", "items": items})
    (task,) = desk.api(
        "POST", f"/hr/checklists/{made['id']}/start", {"employeeId": person["id"], "date": "2026-01-05"}
    )["tasks"]
    page = mei.go("/")
    due = page.get_by_role("list", name="Tasks due")
    due.get_by_role("button", name="Hand over the keys").click()
    expect(due).not_to_contain_text("Hand over the keys")
    assert mei.api("GET", f"/tasks/{task['id']}")["status"] == "done"
    page = mei.go(f"/tasks/{task['id']}")
    mei.act("Reopen")
    expect(page.get_by_role("main")).to_contain_text("To do")
    assert mei.refusals() == []
