"""Weeks of time in a browser: submitted with one key, approved from the grid, returned with a reason."""

from datetime import timedelta

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

MONDAY = today() - timedelta(days=today().weekday() + 7)
"""The last week, which Mei has submitted and Rui has not."""
SUNDAY = MONDAY + timedelta(days=6)


@pytest.fixture
def office(at_desk):
    """The owner's desk, in an office that approves time."""
    return at_desk("ines")


def test_a_week_is_submitted_with_one_key_and_approved_with_another(at_desk, office):
    mei = at_desk("mei")
    mei.api("POST", f"/tasks/time-weeks/{MONDAY}/withdraw", {})
    page = mei.go(f"/time?week={MONDAY}")
    page.get_by_role("button", name="Submit").wait_for()
    mei.press("Control+Enter")
    expect(page.locator("main .pill", has_text="submitted")).to_be_visible()
    expect(page.locator(".week tbody input")).to_have_count(0)
    assert mei.keys == 1
    mei.act("Withdraw")
    expect(page.locator("main .pill", has_text="submitted")).to_have_count(0)
    mei.press("Control+Enter")
    expect(page.locator("main .pill", has_text="submitted")).to_be_visible()

    page = office.go(f"/time/approve?week={MONDAY}")
    cell = page.get_by_role("row").filter(has_text="Mei").locator(f"[data-day='{MONDAY}']")
    expect(cell).to_contain_text("submitted")
    cell.focus()
    office.press("a")
    expect(cell).to_contain_text("approved")
    approved = office.api("GET", f"/tasks/time-weeks?dateFrom={MONDAY}&dateTo={SUNDAY}&status=approved")
    assert [week["userName"].split()[0] for week in approved] == ["Mei"]
    cell.click()
    page.get_by_role("dialog").get_by_role("button", name="Reopen").click()
    page.get_by_role("textbox", name="Reason").fill("Thursday is missing.")
    office.press("Enter")
    expect(cell).not_to_contain_text("approved")


def test_a_week_is_returned_with_a_reason_and_the_missing_are_reminded(at_desk, office):
    rui = at_desk("rui")
    rui.api("POST", f"/tasks/time-weeks/{MONDAY}/submit", {})
    page = office.go(f"/time/approve?week={MONDAY}")
    cell = page.get_by_role("row").filter(has_text="Rui").locator(f"[data-day='{MONDAY}']")
    expect(cell).to_contain_text("submitted")
    cell.focus()
    office.press("r")
    page.get_by_role("textbox", name="Reason").fill("Thursday is missing.")
    office.press("Enter")
    expect(cell).to_contain_text("missing")
    own = rui.go(f"/time?week={MONDAY}")
    expect(own.get_by_text("has returned this week: Thursday is missing.")).to_be_visible()
    since = MONDAY - timedelta(days=28)
    missing = office.api("GET", f"/tasks/time-weeks?status=missing&dateFrom={since}&dateTo={SUNDAY}&limit=200")
    others = [week for week in missing if "remind" in week["can"]]
    office.act(f"Remind {len(others)} missing")
    page.get_by_text(f"{len(others)} reminder").first.wait_for()
    reminded = office.api("GET", "/workspace/events?type=time_week.reminded&limit=200")
    assert len(reminded) == len(others)
    assert f"{MONDAY}" in {event["data"]["dateFrom"] for event in reminded}
