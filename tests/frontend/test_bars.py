"""What every screen keeps, whoever reads it: enlarged, in forced colours, without motion, on paper, in a long language,
by touch, and while others work on the same list."""

import io
import json
import re
from typing import Any

import pytest

from tests.frontend.conftest import expect
from tests.paths import ROOT

pypdf = pytest.importorskip("pypdf")
pytestmark = pytest.mark.browser

ROUTES = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
SCREENS = [path for path in re.findall(r'screen\("(/[^"]*)"', ROUTES) if ":" not in path]
INSIDE = [path for path in SCREENS if path not in ("/sign-in", "/sign-out", "/choose")]


def wide(desk, paths):
    """The screens that have to be scrolled sideways."""
    found = []
    for path in paths:
        desk.go(path)
        desk.settle()
        found += [path] if desk.is_wide() else []
    return found


def overdue(desk):
    return desk.api("GET", "/finance/invoices?isOverdue=true&kind=sales_invoice&limit=1")[0]


def test_at_200_percent_no_screen_has_to_be_scrolled_sideways(at_desk):
    desk = at_desk("ines", width=640)
    assert wide(desk, [*INSIDE, f"/invoices/{overdue(desk)['id']}"]) == []


def test_forms_can_be_enlarged_to_400_percent(at_desk):
    desk = at_desk("ines", width=320)
    contact = desk.api("GET", "/finance/contacts?q=Hansen&limit=1")[0]["id"]
    assert wide(desk, ["/invoices/new", "/bills/new", "/payments/new", "/settings", "/profile"]) == []
    page = desk.go(f"/contacts/{contact}")
    page.keyboard.press("e")
    page.get_by_role("dialog").get_by_label("Name", exact=True).wait_for()
    assert not desk.is_wide()


def test_a_language_with_40_percent_longer_words_fits_a_phone(at_desk):
    desk = at_desk("ines", width=360)

    def lengthened(text):
        return f"{text} {'wordier and ' * 40}"[: len(text) + max(2, len(text) * 2 // 5)].strip()

    def answer(route):
        catalogue = route.fetch().json()
        made_up = {
            text: [lengthened(one) for one in forms] if isinstance(forms, list) else lengthened(text)
            for text, forms in catalogue.items()
        }
        route.fulfill(content_type="application/json", body=json.dumps(made_up))

    desk.page.route("**/messages/de**", answer)
    desk.api("PATCH", "/auth/preferences", {"locale": "de"})
    try:
        assert wide(desk, [*INSIDE, f"/invoices/{overdue(desk)['id']}"]) == []
        desk.go("/server").locator("main").get_by_text("wordier").first.wait_for()
    finally:
        desk.api("PATCH", "/auth/preferences", {"locale": "en"})


def test_german_fits_a_phone(at_desk):
    desk = at_desk("ines", width=360)
    desk.api("PATCH", "/auth/preferences", {"locale": "de"})
    try:
        assert wide(desk, [*INSIDE, f"/invoices/{overdue(desk)['id']}"]) == []
        assert desk.page.evaluate("document.documentElement.lang") == "de"
        expect(desk.go("/settings/leave-types").get_by_text("Jahresurlaub").first).to_be_visible()
    finally:
        desk.api("PATCH", "/auth/preferences", {"locale": "en"})


SPACED = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`);
document.adoptedStyleSheets = [sheet];
"""
CUT = """() => [...document.querySelectorAll("main *, header *, nav *")].filter((one) => {
  const { overflowY, clipPath, position } = getComputedStyle(one);
  return overflowY === "hidden" && clipPath === "none" && one.clientHeight > 1 && one.textContent.trim() &&
    one.scrollHeight > one.clientHeight + 1;
}).map((one) => `${one.className}: ${one.textContent.slice(0, 40)}`)"""


@pytest.mark.parametrize("width", [1280, 360])
def test_text_that_is_spaced_out_is_not_cut_off(at_desk, width):
    desk = at_desk("ines", width=width)
    desk.page.add_init_script(SPACED)
    page = desk.page
    for path in ("/", "/invoices", "/invoices/new", f"/invoices/{overdue(desk)['id']}", "/board", "/time", "/settings"):
        desk.go(path)
        desk.settle()
        assert page.locator("main h1").evaluate("(one) => getComputedStyle(one).letterSpacing") != "normal"
        assert not desk.is_wide(), path
        assert page.evaluate(CUT) == [], path


def test_opening_and_leaving_screens_200_times_leaves_no_nodes_and_no_listeners(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    inside = page.context.new_cdp_session(page)
    inside.send("Performance.enable")
    screens = [("Contacts", "Contacts"), ("Close", "Close"), ("Board", "Board"), ("Attendance", "Attendance")]

    def walk(times):
        for _ in range(times):
            for link, title in screens:
                page.locator("nav.sidebar").get_by_role("link", name=link, exact=True).click()
                page.get_by_role("heading", name=title, level=1).wait_for()

    def counted():
        desk.settle()
        inside.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in inside.send("Performance.getMetrics")["metrics"]}
        return found["Nodes"], found["JSEventListeners"]

    for group in ("Sales", "Books", "Work", "People"):
        page.locator("nav.sidebar").get_by_role("button", name=group).click()
    walk(5)
    nodes, listeners = counted()
    walk(50)
    nodes_after, listeners_after = counted()
    assert nodes_after < nodes * 1.1
    assert listeners_after < listeners * 1.1


def test_forced_colours_keep_states_focus_and_the_main_button_visible(at_desk):
    desk = at_desk("amara")
    page = desk.page
    page.emulate_media(forced_colors="active")
    desk.go(f"/invoices/{overdue(desk)['id']}")
    seen = "(one) => [getComputedStyle(one).borderStyle, getComputedStyle(one).borderWidth]"
    for part in (page.locator(".page-title .pill"), page.locator(".page-actions .is-main"), page.locator(".meter-bar")):
        assert part.evaluate(seen) == ["solid", "1px"]
    page.keyboard.press("Tab")
    assert page.locator(":focus").evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"


@pytest.mark.parametrize(("wish", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_those_who_wish_so(at_desk, wish, moves):
    desk = at_desk("amara")
    desk.page.emulate_media(reduced_motion=wish)
    page = desk.go("/contacts")
    page.keyboard.press("n")
    page.get_by_role("dialog").wait_for()
    moving = """() => [...document.querySelectorAll("*")].some((one) => {
      const { transitionDuration, transitionProperty, animationName } = getComputedStyle(one);
      return animationName !== "none" || (transitionProperty !== "none" && !/^0s(, 0s)*$/.test(transitionDuration));
    })"""
    assert page.evaluate(moving) is moves


def test_an_invoice_on_paper_has_a_company_and_lines_but_no_shell(at_desk):
    desk = at_desk("amara")
    invoice = overdue(desk)
    page = desk.go(f"/invoices/{invoice['id']}")
    page.get_by_role("table").first.wait_for()
    page.emulate_media(media="print")
    for hidden in (".shell-header", ".sidebar", ".bottombar", ".page-actions", ".page-way"):
        expect(page.locator(hidden), hidden).to_be_hidden()
    expect(page.locator(".print-head")).to_be_visible()
    expect(page.locator(".print-head")).to_have_text("Alder & Finch", use_inner_text=True)
    expect(page.get_by_role("heading", name=invoice["number"])).to_be_visible()
    expect(page.get_by_text(invoice["customerName"]).first).to_be_visible()
    heads = page.locator("main table thead")
    assert heads.first.evaluate("(one) => getComputedStyle(one).display") == "table-header-group"
    assert page.locator("main h1").evaluate("(one) => getComputedStyle(one).color") == "rgb(0, 0, 0)"


def test_a_long_list_is_printed_whole_with_page_numbers(at_desk):
    desk = at_desk("amara")
    page = desk.go("/journals")
    rows = page.locator("main .row-line")
    rows.first.wait_for()
    pages = [one.extract_text() for one in pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    numbers = re.findall(r"JE-\d{4}-\d{5}", "".join(pages))
    assert len(set(numbers)) == 200, "as many as are loaded"
    assert rows.count() < 100, "and on the screen those in view"
    for at, text in enumerate(pages, 1):
        assert f"{at} / {len(pages)}" in text
        assert "Number" in text, "the heads are repeated"
        assert "Amount" in text
    assert sum("200+ entries" in text for text in pages) == 1


def finger_of(page):
    """A finger on the page: it comes down, moves and leaves."""
    touch = page.context.new_cdp_session(page)

    def finger(kind, *points):
        spots = [{"x": across, "y": down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    return finger


def test_on_a_phone_a_swipe_leads_to_the_column_beside_and_a_menu_moves_a_card(at_desk):
    desk = at_desk("jonas", width=360)
    page = desk.go("/board")
    shown = page.locator(".board-column.is-shown")
    shown.locator("[data-card]").first.wait_for()
    expect(shown).to_have_count(1)
    finger = finger_of(page)

    def swipe(first, last, between="null"):
        finger("touchStart", (first, 400))
        finger("touchMove", ((first + last) / 2, 405))
        page.evaluate(between)
        finger("touchMove", (last, 410))
        finger("touchEnd")

    swipe(300, 80)
    expect(shown).to_have_attribute("data-column", "in_progress")
    expect(page.get_by_role("tab", name="In progress")).to_have_attribute("aria-selected", "true")
    swipe(80, 300)
    expect(shown).to_have_attribute("data-column", "todo")
    swipe(80, 300)  # nothing is before it
    swipe(200, 180)  # too short
    expect(shown).to_have_attribute("data-column", "todo")
    page.evaluate("addEventListener('touchstart', ({ target }) => window.touched = target, { capture: true })")
    swipe(300, 80, between="touched.remove()")  # replaced under the finger
    expect(shown).to_have_attribute("data-column", "in_progress")
    swipe(80, 300)
    expect(shown).to_have_attribute("data-column", "todo")
    card = shown.locator("[data-card]").last
    task = card.get_attribute("data-card")
    card.get_by_role("button").click()
    page.get_by_role("menuitem", name="Review").click()
    page.get_by_text("moved to “Review”").first.wait_for()
    expect(shown).to_have_attribute("data-column", "review")
    assert desk.api("GET", f"/tasks/{task}")["status"] == "review"


def test_a_finger_moves_a_card_after_a_long_press_and_scrolls_before(at_desk):
    desk = at_desk("jonas", width=600)
    page = desk.page
    page.set_viewport_size({"width": 1000, "height": 820})
    desk.go("/board")
    card = page.locator("[data-column=todo] [data-card]").first
    card.wait_for()
    key, task = card.locator("a").first.inner_text(), card.get_attribute("data-card")
    start, goal = card.bounding_box(), page.locator("[data-column=in_progress]").bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] - 8
    finger = finger_of(page)
    finger("touchStart", (x, y))
    page.locator(".is-ghost").wait_for()  # the press was long enough
    finger("touchMove", (goal["x"] + 20, goal["y"] + 60))
    finger("touchMove", (goal["x"] + 40, goal["y"] + 80))
    page.locator("[data-column=in_progress] .board-place").wait_for(state="attached")
    finger("touchEnd")
    page.get_by_text(f"{key} moved to “In progress”").first.wait_for()
    assert desk.api("GET", f"/tasks/{task}")["status"] == "in_progress"


def test_what_others_add_to_a_list_waits_behind_a_button(at_desk):
    desk, other = at_desk("amara"), at_desk("ines")
    page = desk.go("/contacts?sort=name")
    page.locator("main .row-link").first.wait_for()
    before = page.locator("main .row-link").all_inner_texts()
    for name in ("Aachen Works", "Aalen Works"):
        other.api("POST", "/finance/contacts", {"name": name, "kind": "customer"})
    desk.come_back()
    button = page.get_by_role("button", name="2 new")
    button.wait_for()
    expect(page.locator("main .row-link")).to_have_text(before, use_inner_text=True)
    button.click()
    page.get_by_role("link", name="Aachen Works").wait_for()
    expect(button).to_have_count(0)
    assert len(page.locator("main .row-link").all()) == len(before) + 2


def test_what_one_tab_hears_of_changes_it_tells_the_others(at_desk):
    desk, other = at_desk("amara"), at_desk("ines")
    told = desk.page.context.new_page()
    unanswered: list[Any] = []
    told.route("**/workspace/changes?after=*", lambda route: unanswered.append(route))  # so it hears nothing of its own
    told.goto(f"{desk.address}/contacts?sort=name")
    told.locator("main .row-link").first.wait_for()
    desk.go("/contacts")
    other.api("POST", "/finance/contacts", {"name": "Aabenraa Works", "kind": "customer"})
    desk.come_back()
    told.get_by_role("button", name="1 new").click()
    expect(told.get_by_role("link", name="Aabenraa Works")).to_be_visible()
