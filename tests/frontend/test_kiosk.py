"""The kiosk in the browser: set up, PINs, and people who come and go, also while the server cannot be reached."""

import re

import pytest

from tests.frontend.conftest import TIMEOUT, expect, refusals

pytestmark = pytest.mark.browser


@pytest.fixture
def tablet(chromium):
    """A browser on a wall, in which nobody is signed in."""
    contexts = []

    def open_tablet(width=1280, scheme="light", locale="en-GB"):
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", locale=locale
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        return page

    yield open_tablet
    for context in contexts:
        context.close()


def set_up(desk, name, site="All sites"):
    """A kiosk, set up by its page; its address."""
    page = desk.go("/attendance/kiosks")
    desk.act("New kiosk")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Site").select_option(site)
    dialog.get_by_role("button", name="Set up").click()
    address = dialog.locator(".handed-over").inner_text()
    page.keyboard.press("Escape")
    expect(page.get_by_role("row", name=name)).to_contain_text(site)
    return f"{desk.address}/kiosk#{address.partition('#')[2]}"


def give_pin(desk, name, pin):
    """Give somebody a PIN on their page."""
    person = desk.api("GET", f"/hr/employees?q={name}")[0]
    page = desk.go(f"/people/{person['id']}")
    desk.act("Set PIN")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("PIN", exact=True).fill(pin)
    dialog.get_by_role("button", name="Set PIN").click()
    expect(page.get_by_role("region", name="Notices").get_by_text("PIN set.")).to_be_visible()
    return person


def enter(page, pin):
    for digit in pin:
        page.get_by_role("button", name=digit, exact=True).click()


def presence(desk, person):
    present = desk.api("GET", "/hr/attendance/present")
    return next(one["presence"] for one in present if one["employeeId"] == person["id"])


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_somebody_comes_and_goes_at_the_kiosk(at_desk, tablet, width, scheme):
    desk = at_desk("leila", width, scheme)
    person = give_pin(desk, "Jonas", "4711")
    if presence(desk, person) == "in":
        desk.api("POST", "/hr/attendance/clock-out", {"employeeId": person["id"]})
    address = set_up(desk, f"Entrance {width}")
    assert not desk.is_wide()
    assert desk.refusals() == []
    page = tablet(width, scheme)
    page.goto(address)
    button = page.get_by_role("button", name="Jonas")
    expect(button).to_contain_text("out")
    assert page.url == f"{desk.address}/kiosk"
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert refusals(page) == []
    button.click()
    enter(page, "0000")
    assert refusals(page) == []
    page.get_by_role("button", name="Clock in").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("The PIN is wrong")
    page.keyboard.type("4711")
    page.keyboard.press("Enter")
    expect(page.locator(".kiosk-said")).to_contain_text("clocked in at")
    expect(page.get_by_role("button", name="Jonas")).to_contain_text("in")
    assert presence(desk, person) == "in"
    page.reload()
    page.get_by_role("button", name="Jonas").click()
    enter(page, "4711")
    page.get_by_role("button", name="Clock out").click()
    expect(page.locator(".kiosk-said")).to_contain_text("clocked out at")
    assert presence(desk, person) in ("on_break", "finished")


def test_what_is_clocked_without_the_server_waits(at_desk, tablet):
    desk = at_desk("leila")
    person = give_pin(desk, "Priya", "2468")
    before = presence(desk, person) == "in"
    page = tablet()
    page.goto(set_up(desk, "Yard"))
    button = page.get_by_role("button", name="Priya")
    expect(button).to_be_visible()
    page.context.set_offline(True)
    button.click()
    enter(page, "2468")
    page.get_by_role("button", name="Clock out" if before else "Clock in").click()
    expect(page.locator(".kiosk-said")).to_contain_text("sent when the server answers again")
    expect(page.get_by_text("1 clocking waits for the server")).to_be_visible()
    button.click()
    enter(page, "9999")
    page.get_by_role("button", name="Clock in" if before else "Clock out").click()
    expect(page.get_by_text("2 clockings wait for the server")).to_be_visible()
    assert (presence(desk, person) == "in") is before
    page.context.set_offline(False)
    expect(page.get_by_text("wait for the server")).to_have_count(0)
    expect(page.get_by_text("Not recorded")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("The PIN is wrong")
    assert (presence(desk, person) == "in") is not before
    page.get_by_role("button", name="Remove from the list").click()
    expect(page.get_by_text("Not recorded")).to_have_count(0)


def test_a_deleted_kiosk_asks_for_a_token(at_desk, tablet):
    desk = at_desk("leila")
    page = tablet()
    page.goto(set_up(desk, "Cellar", site="London"))
    expect(page.locator(".kiosk-time")).to_be_visible()
    row = desk.page.get_by_role("row", name="Cellar")
    row.get_by_role("button", name="Actions").click()
    desk.page.get_by_role("menuitem", name="Delete").click()
    desk.page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(desk.page.get_by_role("row", name="Cellar")).to_have_count(0)
    waiting = [{"employeeId": "mei", "name": "Mei", "pin": "1357", "at": "2026-11-27T08:00:00Z", "key": "one"}]
    page.evaluate("(items) => localStorage.setItem('kiosk.waiting', JSON.stringify(items))", waiting)
    page.reload()
    expect(page.get_by_label("Token")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Mei")  # not recorded
    assert "1357" not in page.evaluate("JSON.stringify(localStorage)")


def test_the_pin_pad_stays_until_its_answer_is_there_and_the_people_stay_as_they_are(at_desk, tablet):
    desk = at_desk("leila")
    give_pin(desk, "Priya", "2468")
    page = tablet()
    page.goto(set_up(desk, "Gate"))
    button = page.get_by_role("button", name="Priya")
    button.focus()
    button.evaluate("(one) => { one.isTheSame = true; }")
    with page.expect_response("**/kiosk/people"):
        page.evaluate("dispatchEvent(new Event('online'))")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert button.evaluate("(one) => one.isTheSame && one === document.activeElement")
    held = []
    page.route("**/kiosk/clock", lambda route: held.append(route))
    button.click()
    enter(page, "9999")
    with page.expect_request("**/kiosk/clock"):
        page.locator(".kiosk-key[type=submit]").click()
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    held[0].continue_()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("The PIN is wrong")
    page.get_by_role("button", name="Back").click()
    expect(button).to_be_visible()


def test_the_german_keys_fit_a_phone(at_desk, tablet):
    desk = at_desk("leila")
    give_pin(desk, "Jonas", "4711")
    page = tablet(360, locale="de")
    page.goto(set_up(desk, "Dock"))
    page.get_by_role("button", name="Jonas").click()
    main = page.get_by_role("button", name=re.compile("stempeln"))
    main.locator("span").last.evaluate("(one) => { one.textContent = 'Ausstempeln'; }")  # the longer of the two
    assert page.evaluate("[...document.querySelectorAll('.kiosk-key')].every((b) => b.scrollWidth <= b.clientWidth)")
