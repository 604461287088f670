"""A server that is off, busy, or no longer knows who is signed in: what is shown stays, and nothing typed is lost."""

import re
from typing import Any

import pytest

from tests.frontend.conftest import DRAWN, expect

pytestmark = pytest.mark.browser
CHANGES = "**/api/v1/workspace/changes*"
PREVIEW = "**/api/v1/finance/invoices/preview*"


def test_without_an_answer_the_header_says_since_when_and_takes_it_back(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.page
    page.clock.install()
    with page.expect_response(CHANGES):
        desk.go("/contacts")
    page.route(CHANGES, lambda route: route.abort())
    notice = page.locator(".offline")
    with page.expect_event("requestfailed"):
        page.clock.fast_forward(11_000)
    expect(notice).to_have_count(0)  # once is no sign
    page.clock.fast_forward(11_000)
    expect(notice).to_have_text(re.compile(r"Offline since \d"))
    page.unroute(CHANGES)
    page.clock.fast_forward(11_000)
    expect(notice).to_have_count(0)


def test_a_list_that_cannot_be_renewed_stays_and_is_asked_for_again(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/contacts")
    page.get_by_role("link", name="Hansen & Söhne").wait_for()
    page.route("**/api/v1/finance/contacts?*", lambda route: route.abort())
    page.get_by_role("searchbox").fill("klinik")
    page.get_by_text("The server does not answer. What you type is kept.").first.wait_for()
    page.unroute("**/api/v1/finance/contacts?*")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("link", name="Klinik Solveig").wait_for()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_what_is_sent_without_an_answer_is_sent_again_and_made_once(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/contacts")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Twice and Sons")
    desk.lose_answer("/finance/contacts")
    dialog.get_by_role("button", name="Create contact").click()
    dialog.get_by_text("The server does not answer. What you type is kept.").wait_for()
    dialog.get_by_role("button", name="Try again").click()
    dialog.wait_for(state="detached")
    assert len(desk.api("GET", "/finance/contacts?q=Twice")) == 1


def test_a_busy_server_is_asked_three_times_more(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        busy = {"success": False, "error": {"code": "busy", "status": 503, "message": "Busy.", "details": []}}
        route.fulfill(status=503, json=busy) if len(asked) < 4 else route.continue_()

    page = desk.page
    page.clock.install()
    desk.go("/payments")
    page.route("**/api/v1/finance/contacts?*", refuse)
    page.locator("nav.sidebar").get_by_role("button", name="Sales").click()
    page.locator("nav.sidebar").get_by_role("link", name="Contacts").click()
    for pause in (500, 1300, 3100):
        with page.expect_response(re.compile("/finance/contacts")):
            page.clock.fast_forward(pause)
    page.get_by_role("link", name="Hansen & Söhne").wait_for()
    assert len(asked) == 4


def test_when_the_session_has_ended_one_signs_in_over_the_screen_and_goes_on(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/invoices/new")
    with page.expect_response(PREVIEW):
        page.locator("[name='lines[0].description']").fill("Half a thought")
    page.context.clear_cookies()
    desk.press("Control+s")
    dialog = page.get_by_role("dialog", name="Sign in again")
    dialog.get_by_text("What you typed is still here.").wait_for()
    expect(dialog.get_by_label("E-mail")).to_have_value("amara@alderfinch.example")
    dialog.get_by_label("Password").fill("welcome-to-the-demo")
    dialog.get_by_label("Password").press("Enter")
    dialog.wait_for(state="detached")
    expect(page.locator("[name='lines[0].description']")).to_have_value("Half a thought")
    page.get_by_text("Draft saved.").or_(page.locator("[aria-invalid=true]")).first.wait_for()


def test_a_sign_in_that_was_put_off_comes_back_with_what_the_user_does_not_what_the_page_asks(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/invoices/new")
    description = page.locator("[name='lines[0].description']")
    description.wait_for()
    page.context.clear_cookies()
    dialog = page.get_by_role("dialog", name="Sign in again")
    for ask, path in ((lambda: description.fill("Half"), PREVIEW), (desk.come_back, CHANGES)):
        desk.press("Control+s")
        dialog.wait_for()
        desk.press("Escape")
        dialog.wait_for(state="detached")
        with page.expect_response(path) as refused:
            ask()
        assert refused.value.status == 401
        page.evaluate(DRAWN)
        expect(dialog).to_have_count(0)


def test_a_refusal_that_comes_after_signing_in_again_asks_for_it_no_second_time(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/invoices/new")
    page.wait_for_load_state("networkidle")
    late: list[Any] = []
    page.route(PREVIEW, lambda route: route.continue_() if late else late.append(route))
    with page.expect_request(PREVIEW):
        page.locator("[name='lines[0].description']").fill("Half a thought")
    page.context.clear_cookies()
    desk.press("Control+s")
    dialog = page.get_by_role("dialog", name="Sign in again")
    dialog.get_by_label("Password").fill("welcome-to-the-demo")
    dialog.get_by_label("Password").press("Enter")
    dialog.wait_for(state="detached")
    error = {"code": "sign_in_required", "status": 401, "message": "Sign in first."}
    with page.expect_request(PREVIEW):  # which is sent again, without a question
        late[0].fulfill(status=401, json={"success": False, "error": error})
    page.wait_for_load_state("networkidle")
    expect(dialog).to_have_count(0)


def test_signing_out_says_how_many_drafts_go_and_deletes_them(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices/new")
    page.locator("[name='lines[0].description']").fill("Half a thought")
    page.get_by_text("not saved, on this device since").wait_for()
    page.get_by_role("button", name="Amara Okonkwo").click()
    page.get_by_role("menuitem", name="Sign out").click()
    asked = page.get_by_role("alertdialog")
    asked.get_by_text("1 unsaved draft will be deleted from this browser.").wait_for()
    asked.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft/'))") == []


def test_pay_that_is_sent_twice_is_kept_once(at_desk):
    desk = at_desk("leila")
    desk.quiet = False
    one = desk.api("GET", "/hr/employees?q=Mei")[0]
    pay = f"/hr/employees/{one['id']}/compensations"
    page = desk.go(f"/people/{one['id']}")
    desk.act("Change pay")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Pay in EUR").fill("4444")
    dialog.locator("[name=effectiveFrom]").fill("2027-02-01")
    desk.lose_answer(pay)
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_text("The server does not answer. What you type is kept.").wait_for()
    dialog.get_by_role("button", name="Try again").click()
    dialog.wait_for(state="detached")
    kept = desk.api("GET", pay)
    assert [row["amount"] for row in kept].count("4444.00") == 1


def test_a_cell_of_the_week_that_is_sent_twice_is_one_log(at_desk):
    desk = at_desk("priya")
    desk.quiet = False
    task = desk.api("POST", "/tasks", {"title": "Sand the edges"})
    desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": "2026-11-05", "minutes": 15})
    page = desk.go("/time?week=2026-11-09")
    cell = page.get_by_role("row").filter(has_text=task["key"]).get_by_role("textbox").first

    page.route(CHANGES, lambda route: route.abort())  # or the cell would show it soon
    desk.lose_answer(f"/tasks/{task['id']}/time-logs")
    cell.fill("1:30")
    cell.press("Tab")
    page.get_by_text("The server does not answer.").first.wait_for()
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("time-logs")):
        expect(cell).to_have_value("1:30")
        cell.focus()
        cell.press("Tab")
    expect(cell).not_to_have_attribute("aria-invalid", "true")
    found = desk.api("GET", f"/tasks/{task['id']}/time-logs?dateFrom=2026-11-09")
    assert [log["minutes"] for log in found] == [90]


def test_who_signs_out_is_not_asked_to_sign_in_again(at_desk):
    desk = at_desk("hanna")
    desk.quiet = False
    page = desk.go("/contacts")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/workspace/changes" in request.url else None)
    held = []

    def leave(route):
        held.append((route, route.fetch()))
        desk.come_back()

    page.route("**/auth/logout", leave)
    page.get_by_role("button", name="Hanna").click()
    with page.expect_response(CHANGES) as refused:
        page.get_by_role("menuitem", name="Sign out").click()
    assert refused.value.status == 401
    page.evaluate(DRAWN)
    expect(page.get_by_role("dialog")).to_have_count(0)
    ((route, answer),) = held
    route.fulfill(response=answer)
    page.get_by_role("heading", name="Sign in", exact=True).wait_for()
    assert len(asked) == 1


def test_who_has_signed_out_follows_no_more_changes(at_desk):
    desk = at_desk("hanna")
    desk.quiet = False
    page = desk.page
    page.clock.install()
    desk.go("/contacts")
    asked: list[Any] = []
    page.route(CHANGES, lambda route: asked.append(route))
    with page.expect_request(CHANGES):
        desk.come_back()
    page.get_by_role("button", name="Hanna").click()
    page.get_by_role("menuitem", name="Sign out").click()
    page.get_by_role("heading", name="Sign in", exact=True).wait_for()
    with page.expect_response(CHANGES):
        asked[0].fulfill(json={"success": True, "data": {"changes": [], "next": 1, "hasMore": False, "isReset": False}})
    page.evaluate(DRAWN)
    page.clock.fast_forward(11_000)
    page.evaluate(DRAWN)
    assert len(asked) == 1
