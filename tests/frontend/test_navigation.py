"""The way around: groups of the sidebar, favourites, the records of before, and what is made from everywhere."""

import json
import re

import pytest

from tests.frontend.conftest import NAMED, expect

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll(".bottombar .nav-name")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
RECENT = "Object.keys(localStorage).filter((name) => name.startsWith('recent/'))"


def group(page, name):
    return page.locator(".sidebar .nav-head").filter(has_text=name)


def open_groups(page):
    return [one.inner_text().split("\n")[0] for one in page.locator(".nav-head[aria-expanded=true]").all()]


def test_groups_open_with_their_screen_and_are_kept_as_someone_leaves_them(at_desk):
    desk = at_desk("ines")
    page = desk.page
    page.set_viewport_size({"width": 1280, "height": 700})
    desk.go("/bills")
    assert open_groups(page) == ["Purchases"]
    sidebar = page.locator("nav.sidebar")
    for name in ("Settings", "Bills"):
        expect(sidebar.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    expect(sidebar.get_by_role("button", name="Help")).to_be_in_viewport(ratio=1)
    waiting = len(desk.api("GET", "/finance/bank/lines?status=unmatched&limit=200"))
    inbox = len(desk.api("GET", "/workspace/attachments?isFiled=false&limit=200"))
    expect(sidebar.get_by_role("link", name=f"Inbox {inbox}")).to_be_visible()
    expect(group(page, "Money")).to_have_text(f"Money{waiting}")
    with page.expect_response(re.compile("/auth/preferences")):
        group(page, "Money").click()
    expect(group(page, "Money")).to_be_focused()
    expect(sidebar.get_by_role("link", name=f"Bank {waiting}")).to_be_visible()
    with page.expect_response(re.compile("/auth/preferences")) as kept:
        group(page, "Purchases").click()
    expect(sidebar.get_by_role("link", name="Bills")).to_be_hidden()
    assert len(json.dumps(kept.value.json()["data"]["screens"]["nav"])) <= 1024
    desk.go("/board")
    assert open_groups(page) == ["Money", "Work"]
    assert desk.refusals() == []
    few = at_desk("mei").go("/")
    expect(few.locator(".nav-head[aria-expanded=true]").first).to_be_visible()
    expect(few.locator(".nav-head[aria-expanded=false]")).to_have_count(0)


def test_a_starred_page_stands_in_the_navigation_of_its_workspace(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices?state=overdue")
    star = page.get_by_role("button", name="Favourite", exact=True)
    with page.expect_response(re.compile("/auth/preferences")):
        desk.press("F")
    favourites = page.get_by_role("group", name="Favourites").get_by_role("link")
    expect(favourites).to_have_text(["Invoices · Overdue"])
    expect(star).to_have_attribute("aria-pressed", "true")
    for path in ("/quotes", "/bills", "/bank", "/payments", "/journals", "/accounts", "/board"):
        desk.go(path)
        with page.expect_response(re.compile("/auth/preferences")):
            star.click()
    desk.go("/time")
    desk.press("F")
    expect(page.get_by_text("There can be 8 favourites.").first).to_be_visible()
    favourites.first.click()
    page.wait_for_url(re.compile("state=overdue"))
    with page.expect_response(re.compile("/auth/preferences")):
        star.click()
    expect(favourites).to_have_count(7)
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Favourite")
    assert desk.refusals() == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("menuitem").first).to_have_text("Quotes")
    expect(at_desk("hanna").go("/invoices").get_by_role("group", name="Favourites")).to_have_count(0)


def test_records_opened_last_stand_first_until_someone_signs_out(at_desk):
    desk = at_desk("jonas")
    projects = desk.api("GET", "/projects?limit=2")
    for one in projects:
        expect(desk.go(f"/projects/{one['id']}").locator("main h1")).to_have_text(one["name"])
    page = desk.page
    desk.press("Control+k")
    items = page.locator(".palette-item")
    expect(items.nth(0)).to_have_text(projects[1]["name"])
    expect(items.nth(1)).to_have_text(projects[0]["name"])
    assert desk.refusals() == []
    desk.press("ArrowDown", "Enter")
    expect(page.locator("main h1")).to_have_text(projects[0]["name"])
    page.evaluate("localStorage.setItem('recent/somebody/else', '[]')")
    desk.go("/")
    assert page.evaluate(f"{RECENT}.length") == 1, "nothing of another user is left"
    page.get_by_role("button", name="Jonas Petersen").click()
    page.get_by_role("menuitem", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert page.evaluate(RECENT) == []


def test_what_someone_may_make_is_made_from_every_screen_the_last_kind_first(at_desk):
    desk = at_desk("leila")
    page = desk.go("/leave")
    desk.press("c")
    expect(page.locator(".palette-item")).to_have_text(["Leave", "Person"])
    page.keyboard.type("pers")
    expect(page.locator(".palette-item")).to_have_text(["Person"])
    desk.press("Enter")
    page.wait_for_url(re.compile("/people/new"))
    desk = at_desk("amara", width=360, scheme="dark")
    page = desk.go("/invoices")
    button = page.get_by_role("button", name="New", exact=True)
    bar, box = page.locator(".bottombar").bounding_box(), button.bounding_box()
    assert (box["width"], box["height"]) == (56, 56)
    assert box["y"] + box["height"] < bar["y"]
    button.click()
    assert desk.refusals() == []
    page.locator(".palette-item").filter(has_text="Contact").click()
    expect(page.get_by_role("dialog").locator("[name=name]")).to_be_focused()
    page.keyboard.press("Escape")
    button.click()
    expect(page.locator(".palette-item").first).to_have_text("Contact")


def test_german_words_fit_the_bar_and_results_are_said_in_the_language(at_desk):
    desk = at_desk("tomasz", width=360)
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    page = desk.go("/invoices")
    assert page.evaluate(CUT) == []
    expect(page.locator(".bottombar .nav-name")).to_have_count(5)
    paid = desk.api("GET", "/finance/invoices?status=paid&kind=sales_invoice&limit=1")[0]
    page.get_by_role("button", name="Suchen oder ausführen").click()
    page.locator(".palette-input").fill(paid["number"])
    total = f"{float(paid['total']):,.2f}".translate(str.maketrans(",.", ".,"))
    more = page.locator(".palette-item").filter(has_text=paid["number"]).locator(".palette-more").first
    expect(more).to_contain_text(f"bezahlt · {total}")
    page.locator(".palette-input").fill("Nummernkreise")
    page.locator(".palette-item").first.click()
    page.wait_for_url(re.compile("/settings/numbers"))
    expect(page.locator("main h1")).to_have_text(NAMED)
    assert desk.refusals() == []


def test_the_page_can_be_installed_as_an_app(at_desk):
    desk = at_desk("leila")
    page = desk.go("/")
    inside = page.context.new_cdp_session(page)
    assert inside.send("Page.getAppManifest")["errors"] == []
    # The browser of the tests has no profile, in which alone it installs nothing.
    found = inside.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in found] in ([], ["in-incognito"])
    person, entry = (
        page.get_by_role("button", name="Leïla Benhaddou"),
        page.get_by_role("menuitem", name="Install as an app"),
    )
    person.click()
    expect(page.get_by_role("menuitem", name="Sign out")).to_be_visible()
    expect(entry).to_have_count(0)
    desk.press("Escape")
    page.evaluate(
        "dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => document.title += ' asked' }))"
    )
    person.click()
    entry.click()
    assert page.title().endswith(" asked")
    person.click()
    expect(entry).to_have_count(0)
