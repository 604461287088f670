"""Begin and end of the work schedule in the browser, and lateness."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_schedule_has_a_begin_and_an_end(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    page = desk.go(f"/people/{person['id']}")
    desk.act("Work schedule")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Thursday").fill("7:30-16/30")
    dialog.get_by_label("Friday").fill("7:30-7:61")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Friday")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Friday").fill("5")
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("07:30–16:00, 0:30")).to_be_visible()
    week = desk.api("GET", f"/hr/employees/{person['id']}")["workSchedule"]
    assert week["thu"] == {"begin": "07:30", "end": "16:00", "breakMinutes": 30}
    assert week["fri"] == 300


def test_the_month_shows_who_came_late(at_desk):
    desk = at_desk("leila")
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    hours = {"begin": "08:00", "end": "16:00", "breakMinutes": 0}
    week = dict.fromkeys(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), hours)
    before = {"workSchedule": week, "workScheduleFrom": person["hireDate"]}
    desk.api("PATCH", f"/hr/employees/{person['id']}", before)
    summary = desk.api("GET", f"/hr/attendance/summary?month=2026-10&employeeId={person['id']}")[0]
    page = desk.go("/attendance?view=month&month=2026-10")
    row = page.get_by_role("row", name=person["name"])
    minutes = summary["lateMinutes"]
    assert minutes > 0
    expect(row).to_contain_text(f"{minutes // 60}:{minutes % 60:02}")
