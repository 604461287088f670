"""Whoever works by keys stays where they are: after an action the focus is on the same record, or on the next."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
CARD = "document.activeElement.closest('[data-card]')?.dataset.card"
LEFT = "document.activeElement === document.body"


def focused(desk):
    desk.settle()
    return desk.page.evaluate(FOCUSED)


def test_a_card_that_is_moved_by_keys_keeps_the_focus(at_desk):
    desk = at_desk("jonas")
    task = desk.api("POST", "/tasks", {"title": "Walk across the board"})
    page = desk.go("/board")
    card = page.locator(f"[data-card='{task['id']}']")
    card.get_by_role("link").focus()
    for arrow, column in [("Right", "in_progress"), ("Right", "review"), ("Left", "in_progress"), ("Left", "todo")] * 3:
        with page.expect_response("**/tasks/reorder"):
            desk.press(f"Shift+Arrow{arrow}")
        desk.settle()
        expect(page.locator(f"[data-column={column}] [data-card='{task['id']}']")).to_have_count(1)
        assert page.evaluate(CARD) == task["id"]


def test_a_card_that_others_move_or_rename_keeps_the_focus(at_desk):
    desk, other = at_desk("mei"), at_desk("jonas")
    task = other.api("POST", "/tasks", {"title": "Paint the sign"})
    page = desk.go("/board")
    card = page.locator(f"[data-card='{task['id']}']")
    card.get_by_role("link").focus()
    other.api("PATCH", f"/tasks/{task['id']}", {"title": "Paint both signs", "priority": "urgent"})
    desk.come_back()
    card.get_by_text("Paint both signs").wait_for()
    assert (focused(desk), page.evaluate(CARD)) == (task["key"], task["id"])
    other.api("POST", "/tasks/reorder", {"taskId": task["id"], "status": "review"})
    desk.come_back()
    page.locator(f"[data-column=review] [data-card='{task['id']}']").wait_for()
    assert (focused(desk), page.evaluate(CARD)) == (task["key"], task["id"])


def test_a_card_that_is_deleted_gives_the_focus_to_the_next(at_desk):
    desk, other = at_desk("jonas"), at_desk("ines")
    page = desk.go("/board")
    cards = page.locator("[data-column=todo] [data-card]")
    first, second = (cards.nth(at).get_attribute("data-card") for at in (0, 1))
    cards.first.get_by_role("link").focus()
    other.api("DELETE", f"/tasks/{first}")
    desk.come_back()
    page.locator(f"[data-card='{first}']").wait_for(state="detached")
    desk.settle()
    assert page.evaluate(CARD) == second


def ask(desk, day):
    return desk.api("POST", "/hr/leaves", {"startDate": day, "endDate": day})


def test_at_home_the_next_approve_has_the_focus_after_one(at_desk):
    for who, day in [("mei", "2027-05-03"), ("rui", "2027-05-04"), ("priya", "2027-05-05")]:
        ask(at_desk(who), day)
    desk = at_desk("ines")
    page = desk.go("/")
    names = page.get_by_role("button", name="Approve: ")
    wanted = [names.nth(at).get_attribute("aria-label") for at in range(4)]
    names.first.focus()
    for name in wanted[1:]:
        desk.press("Enter")
        assert focused(desk) == name
    with page.expect_response("**/approve"):
        page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    assert focused(desk) == wanted[3]


def test_at_home_the_focus_stays_when_what_waits_has_changed(at_desk):
    leave = ask(at_desk("mei"), "2027-06-01")
    desk = at_desk("ines")
    page = desk.go("/")
    own = page.get_by_role("listitem").filter(has_text="Mei Takahashi requests leave: 1 Jun")
    own.get_by_role("button", name="Reject").focus()
    other = ask(at_desk("rui"), "2027-06-01")
    desk.come_back()
    page.get_by_role("listitem").filter(has_text="Rui Carvalho requests leave: 1 Jun").wait_for()
    assert "Reject: Mei Takahashi requests leave: 1 Jun" in focused(desk)
    jonas = at_desk("jonas")
    for one in (leave, other):
        jonas.api("POST", f"/hr/leaves/{one['id']}/approve", {})
    desk.come_back()
    own.wait_for(state="detached")
    desk.settle()
    assert not page.evaluate(LEFT)
