"""What the page asks while its scripts are still on their way, and what it loads once nothing else is to be done."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

FIRST = ("/auth/register", "/auth/session", "/workspace/home")


@pytest.fixture
def asked(at_desk):
    """Amara's desk away from Home, and the questions that its page asks from now on."""
    desk = at_desk("amara")
    page = desk.go("/profile")
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(desk.address + "/api/v1")))
    return desk, asked


def test_home_is_asked_for_before_the_scripts_are_there_and_only_once(asked):
    desk, urls = asked
    held = []
    for late in ("**/joined/app.js", "**/auth/register"):  # that there is a session, the page knows by its cookie
        desk.page.route(late, lambda route: held.append(route))
    with desk.page.expect_response("**/workspace/home"):
        desk.page.goto(desk.address, wait_until="commit")
    assert [url for url in urls if url in FIRST] == list(FIRST)
    for route in held:
        route.continue_()
    expect(desk.page.locator("main h2").first).to_be_visible()
    assert [url for url in urls if url in FIRST] == list(FIRST)


def test_a_page_that_is_opened_first_asks_for_home_when_home_is_opened(asked):
    desk, urls = asked
    desk.go("/me")
    assert "/workspace/home" not in urls
    desk.page.get_by_role("link", name="Home", exact=True).first.click()
    expect(desk.page.locator("main h2").first).to_be_visible()
    assert urls.count("/workspace/home") == 1


def test_a_record_is_asked_for_when_its_link_is_pressed_and_only_once(asked):
    desk, urls = asked
    page = desk.go("/contacts")
    link = page.locator("main .row-link").first
    path = f"/finance{link.get_attribute('href')}"
    link.hover()
    with page.expect_request(f"**{path}"):
        page.mouse.down()
    assert page.url.endswith("/contacts")
    page.mouse.up()
    page.wait_for_url("**/contacts/*")
    desk.settle()
    assert urls.count(path) == 1


def test_the_screens_of_the_bar_of_a_phone_are_loaded_while_nothing_is_to_be_done(asked):
    desk, _ = asked
    with desk.page.expect_request("**/joined/work/time/week.js"):
        desk.go("/")
    assert desk.page.url == desk.address + "/"
