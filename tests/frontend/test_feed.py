"""What colleagues change shows on the screen that is open, by the feed of changes."""

import pytest

from erp.app import PREFIX, routes
from erp.desk.rights import READ_WITH
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

WATCH = """() => {
  window.drawn = new Set();
  const rowOf = ({ target }) => (target.closest ? target : target.parentElement).closest("[data-row]")?.dataset.row;
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver((seen) => seen.map(rowOf).filter(Boolean).forEach((row) => drawn.add(row)))
    .observe(document.querySelector("main"), all);
}"""
"""Notes the rows that are drawn again, wholly or in part."""
SHOWN_AT = "import('/core/changes.js').then(({ SHOWN_AT }) => SHOWN_AT)"


def test_the_page_knows_where_every_type_of_record_is_shown(tab, files):
    tab.goto(files)
    shown_at = tab.evaluate(SHOWN_AT)
    assert set(shown_at) == set(READ_WITH)
    readable = [path for path, resource in routes().items() if hasattr(resource, "on_get")]
    for beginning in {one for beginnings in shown_at.values() for one in beginnings}:
        assert any(path.startswith(PREFIX + beginning) for path in readable), beginning


@pytest.mark.parametrize(
    ("who", "screen", "path"),
    [
        ("amara", "/settings/tax-rates", "/finance/tax-rates"),
        ("amara", "/contacts", "/finance/contacts"),
        ("leila", "/settings/leave-types", "/hr/leave-types"),
        ("leila", "/settings/holidays", "/hr/holidays"),
        ("leila", "/settings/pay-components", "/hr/pay-components"),
        ("ines", "/projects", "/projects"),
        ("ines", "/tasks", "/tasks"),
    ],
)
def test_a_record_that_a_colleague_renames_is_renamed_on_the_screen(at_desk, who, screen, path):
    desk = at_desk(who)
    page = desk.go(screen)
    shown = page.locator("main [data-row]").first.get_attribute("data-row")
    field = "title" if path == "/tasks" else "name"
    desk.api("PATCH", f"{path}/{shown}", {field: "Renamed meanwhile"})
    desk.come_back()
    expect(page.locator(f"main [data-row='{shown}']")).to_contain_text("Renamed meanwhile")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_menu_of_actions_stays_open_when_a_colleague_changes_them(at_desk, width):
    desk = at_desk("amara", width=width)
    contact = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": "Clara Kunde"})
    page = desk.go(f"/contacts/{contact['id']}")
    more = page.get_by_role("main").get_by_role("button", name="More actions")
    more.click()
    entry = page.get_by_role("menuitem", name="Archive", exact=True)
    expect(entry).to_be_visible()
    desk.api("POST", f"/finance/contacts/{contact['id']}/archive")
    desk.come_back()
    expect(page.locator(".page-title")).to_contain_text("archived")
    expect(entry).to_be_visible()
    page.keyboard.press("Escape")
    more.click()
    expect(page.get_by_role("menuitem", name="Unarchive")).to_be_visible()


@pytest.fixture
def seen(at_desk):
    """Amara's desk at the contacts, whose page has not asked for changes yet, with the id of the first contact."""
    desk = at_desk("amara")
    (first, *_) = desk.api("GET", "/finance/contacts?limit=1")
    return desk, first["id"]


def test_a_change_before_the_page_first_hears_of_changes_is_shown(seen):
    desk, first = seen
    held = []
    desk.page.route("**/workspace/changes*", lambda route: held.append(route))
    page = desk.go("/contacts")
    desk.api("PATCH", f"/finance/contacts/{first}", {"name": "Before the first answer"})
    for route in held:
        route.continue_()
    desk.page.unroute("**/workspace/changes*")
    desk.come_back()
    expect(page.locator(f"main [data-row='{first}']")).to_contain_text("Before the first answer")


def test_reading_the_session_again_skips_no_change(seen):
    desk, first = seen
    page = desk.go("/contacts")
    desk.api("PATCH", f"/finance/contacts/{first}", {"name": "Before the session"})
    app = page.locator("script[type=module]").first.get_attribute("src")
    page.evaluate(f"import('{app}').then(({{ M }}) => M['core/session'].readSession())")
    desk.come_back()
    expect(page.locator(f"main [data-row='{first}']")).to_contain_text("Before the session")


def test_a_day_that_is_corrected_elsewhere_shows_as_it_is_now(at_desk):
    member, manager = at_desk("mei"), at_desk("jonas")
    day = "2026-11-18"
    punches = [{"in": f"{day}T08:05:00+01:00", "out": f"{day}T16:35:00+01:00"}]
    page = manager.go(f"/attendance?view=day&date={day}")
    page.get_by_role("row").filter(has_text="Mei Takahashi").wait_for()
    asked = {"date": day, "punches": punches, "reason": "Forgot it"}
    correction = member.api("POST", "/hr/attendance-corrections", asked)
    manager.api("POST", f"/hr/attendance-corrections/{correction['id']}/approve", {})
    manager.come_back()
    expect(page.get_by_role("row").filter(has_text="8:05–16:35")).to_be_visible()


def test_the_log_tells_of_what_a_colleague_does_meanwhile(at_desk):
    desk = at_desk("ines")
    page = desk.go("/log")
    at_desk("amara").api("POST", "/finance/contacts", {"kind": "customer", "name": "Of this minute"})
    desk.come_back()
    page.get_by_role("button", name="1 new").click()
    expect(page.locator("main [data-row]").first).to_contain_text("Contact")


def test_only_what_has_changed_is_drawn_again(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    changed = page.locator("main [data-row]").nth(1).get_attribute("data-row")
    page.evaluate(WATCH)
    desk.api("PATCH", f"/finance/contacts/{changed}", {"name": "Another name"})
    desk.come_back()
    expect(page.locator(f"main [data-row='{changed}']")).to_contain_text("Another name")
    assert page.evaluate("[...drawn]") == [changed]


def test_the_focus_stays_at_a_button_of_the_page_while_others_work(at_desk):
    desk = at_desk("amara")
    customer, other = desk.api("GET", "/finance/contacts?kind=customer&limit=2")
    page = desk.go(f"/contacts/{customer['id']}")
    button = page.locator(".page-actions").get_by_role("button").first
    button.focus()
    desk.api("PATCH", f"/finance/contacts/{other['id']}", {"note": "Seen"})
    with page.expect_response(f"**/finance/contacts/{customer['id']}"):
        desk.come_back()
    desk.settle()
    expect(button).to_be_focused()
