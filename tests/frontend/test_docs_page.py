"""The documentation page in a real browser."""

import re

import pytest

from tests.frontend.conftest import TIMEOUT, Desk, expect

pytestmark = pytest.mark.browser

READ = 6 * TIMEOUT
"""The viewer is large."""


def test_the_list_is_there_at_once_and_an_operation_is_shown_when_it_is_opened(tab, newcomer):
    loaded = []
    tab.on("request", lambda request: loaded.append(request.url))
    tab.goto(f"{newcomer}/api/docs")
    expect(tab.locator("#operations > details").first).to_be_visible()
    expect(tab.locator(".swagger-ui")).to_have_count(0)
    assert not [url for url in loaded if "openapi.json" in url]
    tab.get_by_label("Search paths").fill("getRegistrationMode")
    tab.locator("#getRegistrationMode > summary").click()
    execute = tab.get_by_role("button", name="Execute")
    expect(execute).to_be_visible(timeout=READ)
    execute.click()
    expect(tab.locator(".live-responses-table")).to_contain_text('"success": true', timeout=READ)
    expect(tab).to_have_url(re.compile(r"#\w+$"))


def test_an_address_opens_its_operation(tab, newcomer):
    tab.goto(f"{newcomer}/api/docs#issueInvoice")
    expect(tab.locator("#issueInvoice .opblock-body")).to_be_visible(timeout=READ)
    expect(tab.locator(".opblock")).to_have_count(1)


def test_a_token_is_entered_once_for_all_operations(tab, newcomer):
    tab.goto(f"{newcomer}/api/docs#getSession")
    shown = tab.locator("#getSession")
    shown.get_by_role("button", name="Authorize").click(timeout=READ)
    tab.get_by_label("bearer").fill("erp_wrong")
    tab.locator(".auth-btn-wrapper .authorize").first.click()
    tab.get_by_role("button", name="Close").first.click()
    tab.get_by_label("Search paths").fill("listProjects")
    other = tab.locator("#listProjects")
    other.locator("summary").first.click()
    with tab.expect_request("**/api/v1/projects**", timeout=READ) as sent:
        other.get_by_role("button", name="Execute").click(timeout=READ)
    assert sent.value.headers["authorization"] == "Bearer erp_wrong"
    expect(other.locator(".live-responses-table")).to_contain_text("not_authenticated", timeout=READ)
    assert [text for text in tab.complaints if "401" not in text] == []
    tab.complaints.clear()


def test_an_operation_can_be_sent_from_the_moment_its_button_is_there(tab, newcomer):
    tab.add_init_script(
        """new MutationObserver((_, watching) => {
            const button = document.querySelector("#getRegistrationMode .execute");
            if (!button) return;
            watching.disconnect();
            button.click();
        }).observe(document, { childList: true, subtree: true });"""
    )
    tab.goto(f"{newcomer}/api/docs#getRegistrationMode")
    expect(tab.locator(".live-responses-table")).to_contain_text('"success": true', timeout=READ)


def test_a_search_finds_an_operation_by_a_field_that_it_takes(tab, newcomer):
    tab.goto(f"{newcomer}/api/docs?q=depositIds+preview", timeout=READ)
    expect(tab.get_by_text(" operations")).to_contain_text("1 of ", timeout=READ)
    expect(tab.locator("[data-words]:not([hidden])")).to_have_count(1)
    tab.get_by_label("Search paths").fill("")
    expect(tab.locator("[data-words][hidden]")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_by_day_and_by_night(tab, newcomer, scheme, width):
    desk = Desk(tab, newcomer)
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    for address, last in (("/api/docs#issueInvoice", ".opblock-body .execute"), ("/api/docs/events.html", "pre")):
        tab.goto(newcomer + address, timeout=READ)
        tab.locator(last).first.wait_for(state="attached", timeout=READ)
        assert desk.refusals() == []
        assert tab.evaluate("document.documentElement.scrollWidth") == width
