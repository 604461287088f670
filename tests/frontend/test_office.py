"""The first day in the browser: setting the server up, inviting, signing in and out, oneself, the workspace."""

import re

import pytest

from tests.demo.company import PASSWORD
from tests.frontend.conftest import Desk, expect, refusals

pytestmark = pytest.mark.browser

WORDS = "a few words in a row"


def register(page, name, *, address=None):
    page.get_by_label("Your name").fill(name)
    if address:
        page.get_by_label("E-mail address").fill(address)
    page.get_by_label("Password").fill(WORDS)
    page.keyboard.press("Enter")


def set_up(page, address):
    page.goto(address)
    register(page, "Olga", address="olga@example.com")
    page.get_by_label("Company").fill("Olga & Co")
    page.keyboard.press("Enter")
    page.get_by_text("Olga & Co is ready").wait_for()


def test_a_new_user_reads_the_language_of_their_browser_on_the_next_day_too(chromium, newcomer):
    context = chromium.new_context(locale="de-AT")
    page = context.new_page()
    page.goto(newcomer)
    page.locator("[name=name]").fill("Olga")
    page.locator("[name=email]").fill("olga@example.com")
    page.locator("[name=password]").fill(WORDS)
    page.keyboard.press("Enter")
    page.get_by_label("Firma").fill("Olga & Co")
    page.keyboard.press("Enter")
    page.get_by_text("Olga & Co ist bereit").wait_for()
    page.goto(f"{newcomer}/settings")
    expect(page.locator("main h1")).to_have_text("Einstellungen")
    page.goto("about:blank")
    context.close()


def test_a_new_server_asks_for_its_administrator_and_their_company_and_then_says_what_is_next(tab, newcomer):
    tab.goto(newcomer)
    tab.get_by_role("heading", name="Welcome").wait_for()
    fields = tab.locator("input").evaluate_all("all => all.map(({ name, autocomplete }) => [name, autocomplete])")
    assert fields == [["name", "name"], ["email", "username"], ["password", "new-password"]]
    set_up(tab, newcomer)
    expect(tab.get_by_role("heading", name="Open it on other computers")).to_be_visible()
    note = (
        "Only this computer can open the server so far, so no one else can use the link. Share the server first, above."
    )
    expect(tab.get_by_role("note")).to_have_text(note)
    assert (
        tab.get_by_role("switch", name="Share with the local network").bounding_box()["y"]
        < (tab.get_by_role("note").bounding_box()["y"])
    )
    tab.get_by_role("link", name="Import data").click()
    tab.get_by_role("heading", name="Import data").wait_for()
    tab.get_by_role("link", name="Home", exact=True).first.click()
    tab.get_by_role("heading", name="Home").wait_for()
    tab.get_by_text("No open points.").wait_for()
    expect(tab).to_have_title("Home – Olga & Co – erp")


def test_one_who_comes_back_before_there_is_a_company_is_told_to_create_one(tab, newcomer):
    tab.goto(newcomer)
    register(tab, "Olga", address="olga@example.com")
    tab.get_by_label("Company").wait_for()
    tab.reload()
    expect(tab.get_by_text("You are in no workspace. Create one, or ask a colleague to invite you.")).to_be_visible()
    expect(tab.get_by_role("button", name="Create workspace")).to_be_visible()


def test_a_new_company_is_offered_the_chart_of_accounts_of_its_country(tab, newcomer):
    tab.goto(newcomer)
    register(tab, "Olga", address="olga@example.com")
    chart = tab.get_by_label("Chart of accounts")
    tab.get_by_label("Country").select_option("DE")
    expect(chart.locator("option:checked")).to_have_text("Germany: SKR 04")
    tab.get_by_label("Country").select_option("JP")
    expect(chart.locator("option:checked")).to_have_text("Generic, for any country")
    tab.get_by_label("Country").select_option("DE")
    chart.select_option("de-skr03")
    tab.get_by_label("Company").fill("Olga & Co")
    with tab.expect_response("**/api/v1/workspace") as made:
        tab.keyboard.press("Enter")
    assert (made.value.status, made.value.request.post_data_json["chartTemplate"]) == (201, "de-skr03")
    tab.get_by_text("Olga & Co is ready").wait_for()


def test_an_invited_colleague_registers_by_the_link_and_is_in(tab, chromium, newcomer):
    set_up(tab, newcomer)
    tab.get_by_label("E-mail address").fill("anna@example.com")
    tab.get_by_label("Role").select_option("accountant")
    tab.get_by_text("everyone's payslips").first.wait_for()
    tab.get_by_role("button", name="Create link").click()
    link = tab.locator("code", has_text="#invite=").inner_text()
    phone = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en-GB", has_touch=True)
    page = phone.new_page()
    page.goto(link)
    page.get_by_role("heading", name="Join Olga & Co").wait_for()
    expect(page, "the secret does not stay in the address").to_have_url(f"{newcomer}/#invite")
    page.get_by_role("button", name="Deutsch").click()
    page.get_by_role("heading", name="Arbeitsbereich Olga & Co beitreten").wait_for()
    page.get_by_role("button", name="English").click()
    page.get_by_text("Olga invites anna@example.com as Accountant.").wait_for()
    expect(page.get_by_label("E-mail address")).not_to_be_editable()
    register(page, "Anna")
    page.get_by_role("heading", name="Welcome to Olga & Co").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Home").wait_for()
    page.goto(link)
    page.get_by_text("This invite has already been used.").wait_for()
    phone.close()


def test_an_invite_that_nobody_made_is_refused(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    desk.page.goto(f"{desk.address}/#invite=nonsense")
    desk.page.get_by_text("There is no such invite.").wait_for()
    expect(desk.page.locator("input")).to_have_count(0)


def test_a_link_sets_a_new_password_once_and_both_must_match(at_desk, tab, company):
    token = at_desk("ines").api("POST", "/auth/password-resets", {"userId": user_id(at_desk("rui"))})["token"]
    tab.goto(f"{company}/#reset={token}")
    tab.get_by_label("New password", exact=True).fill(WORDS)
    tab.get_by_label("New password again").fill("something else")
    tab.keyboard.press("Enter")
    tab.get_by_text("The passwords do not match.").first.wait_for()
    expect(tab.get_by_label("New password again")).to_have_attribute("aria-invalid", "true")
    tab.get_by_label("New password again").fill(WORDS)
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Your new password is set").wait_for()
    tab.get_by_role("link", name="Sign in").click()
    tab.get_by_label("E-mail address").fill("rui@alderfinch.example")
    tab.get_by_label("Password").fill(WORDS)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", name="Home")).to_be_visible()


@pytest.mark.parametrize("name", ["reset", "setup", "invite"])
def test_a_link_that_nobody_made_says_so_before_any_form(chromium, company, name):
    page = chromium.new_context(locale="en-GB").new_page()
    page.goto(f"{company}/#{name}=nonsense")
    words = {"reset": "This link no longer works", "setup": "already has an administrator", "invite": "no such invite"}
    page.get_by_text(words[name]).first.wait_for()
    expect(page.locator("input")).to_have_count(0)
    page.context.close()


def test_a_link_that_was_used_says_so_before_any_form(at_desk, chromium, company):
    token = at_desk("ines").api("POST", "/auth/password-resets", {"userId": user_id(at_desk("mei"))})["token"]
    page = chromium.new_context(locale="en-GB").new_page()
    page.goto(f"{company}/#reset={token}")
    page.get_by_text("The link is for mei@alderfinch.example.").wait_for()
    at_desk("ines").api("POST", "/auth/password-resets/redeem", {"token": token, "newPassword": PASSWORD})
    page.goto("about:blank")
    page.goto(f"{company}/#reset={token}")
    page.get_by_text("This link no longer works").wait_for()
    expect(page.locator("input")).to_have_count(0)
    page.context.close()


def test_an_address_without_a_screen_says_so_to_a_stranger_too(chromium, company):
    page = chromium.new_context(locale="en-GB").new_page()
    assert page.goto(f"{company}/nowhere/at/all").status == 404
    page.get_by_role("heading", name="Page not found").wait_for()
    page.context.close()


def test_an_address_with_a_sign_that_stands_for_nothing_has_no_screen(at_desk):
    desk = at_desk("ines")
    desk.quiet = False  # the console tells of the 404
    assert desk.page.goto(f"{desk.address}/invoices/%zz").status == 404
    expect(desk.page.get_by_text("No page at this address")).to_be_visible()


def user_id(desk):
    return desk.api("GET", "/auth/session")["user"]["id"]


def test_a_browser_that_is_too_old_says_so_in_place_of_an_empty_page(chromium, company):
    page = chromium.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script("Object.defineProperty(self, 'navigation', { value: undefined })")
    page.goto(f"{company}/invoices")
    page.get_by_text("This browser is too old for these pages.").wait_for()
    expect(page.get_by_text("Dieser Browser ist zu alt")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert errors == []
    page.close()


def test_signing_in_leads_to_the_address_that_was_asked_for_and_out_again(tab, company):
    tab.goto(f"{company}/contacts")
    tab.get_by_label("E-mail address").fill("amara@alderfinch.example")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Contacts").wait_for()
    expect(tab).to_have_url(f"{company}/contacts")
    tab.get_by_role("button", name="Amara Okonkwo").click()
    tab.get_by_role("menuitem", name="Sign out").click()
    tab.get_by_role("heading", name="Sign in").wait_for()
    assert tab.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft/'))") == []


def test_the_language_is_chosen_before_one_is_inside_and_is_the_users_from_then_on(tab, company):
    tab.goto(f"{company}/me")
    assert refusals(tab) == []
    tab.get_by_role("button", name="Deutsch").click()
    tab.get_by_role("heading", name="Anmelden").wait_for()
    tab.get_by_label("E-Mail-Adresse").fill("priya@alderfinch.example")
    password = tab.get_by_label("Passwort")
    password.fill(PASSWORD)
    expect(password).to_have_attribute("type", "password")
    tab.get_by_role("button", name="Passwort anzeigen").click()
    expect(password).to_have_attribute("type", "text")
    tab.get_by_role("button", name="Passwort verbergen").click()
    expect(password).to_have_attribute("type", "password")
    password.press("Enter")
    tab.locator("nav.sidebar").wait_for()
    desk = Desk(tab, company)
    assert desk.api("GET", "/auth/preferences")["locale"] == "de"
    desk.api("PATCH", "/auth/preferences", {"locale": "en"})


def test_an_address_without_a_screen_or_outside_ones_role_says_so(at_desk):
    page = at_desk("mei").go("/invoices")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.locator("nav.sidebar").get_by_text("Invoices")).to_have_count(0)


def test_the_language_of_the_user_is_that_of_the_pages_and_of_refusals(at_desk):
    desk = at_desk("hanna")
    page = desk.go("/profile")
    page.get_by_label("Language", exact=True).select_option("de")
    page.get_by_role("button", name="Save").nth(1).click()
    page.get_by_role("heading", name="Ihr Profil").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("nav.sidebar").get_by_role("button", name="Verkauf")).to_be_visible()


def test_a_dark_page_is_chosen_and_kept(at_desk):
    desk = at_desk("priya", scheme="light")
    page = desk.go("/profile")
    page.get_by_label("Appearance", exact=True).select_option("dark")
    page.get_by_role("button", name="Save").nth(1).click()
    page.locator("html[data-scheme=dark]").wait_for(state="attached")
    desk.go("/me")
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")


def test_a_token_for_a_script_is_shown_once(at_desk):
    page = at_desk("amara").go("/profile")
    page.get_by_label("Name", exact=True).last.fill("Nightly export")
    page.get_by_role("button", name="Create access token").click()
    page.get_by_text("Copy it now. It is not shown again.").wait_for()
    page.reload()
    page.get_by_text("Nightly export").wait_for()
    expect(page.get_by_text("Copy it now.")).to_have_count(0)
    page.get_by_role("listitem").filter(has_text="Nightly export").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Nightly export")).to_have_count(0)


def test_a_token_is_limited_to_areas(at_desk):
    desk = at_desk("amara")
    page = desk.go("/profile")
    form = page.get_by_role("form", name="Access tokens")
    form.get_by_label("Name", exact=True).fill("Bookkeeping")
    areas = form.get_by_role("group", name="Areas")
    areas.get_by_label("Books").check()
    areas.get_by_label("Projects").check()
    form.get_by_role("button", name="Create access token").click()
    row = page.get_by_role("listitem").filter(has_text="Bookkeeping")
    expect(row).to_contain_text("can read Books, Projects")
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)


def test_the_owner_changes_a_role_and_sees_first_what_it_means(at_desk):
    page = at_desk("ines").go("/settings/members")
    page.get_by_role("link", name="Hanna Sobol").or_(page.get_by_text("Hanna Sobol")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Role").select_option("accountant")
    dialog.get_by_text("the books: accounts, invoices and payments").wait_for()
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row").filter(has_text="Hanna Sobol").get_by_text("Accountant")).to_be_visible()


def test_the_administrator_makes_a_backup_and_sees_it(at_desk):
    page = at_desk("ines").go("/server/backups")
    page.get_by_role("button", name="Create backup").click()
    page.get_by_text("Backup created and verified.").first.wait_for(timeout=30_000)
    expect(page.get_by_text("-manual.zip").first).to_be_visible()
    expect(page.get_by_text("To have a copy elsewhere, download a backup from its row.")).to_be_visible()


@pytest.mark.parametrize("path", ["/server/users", "/server/backups"])
def test_a_row_that_opens_nothing_is_no_button_and_keys_reach_its_actions(at_desk, path):
    desk = at_desk("ines")
    page = desk.go(path)
    rows = page.locator("main [data-row]")
    expect(rows.first).to_be_visible()
    expect(rows.locator("button[data-opens], a[data-opens]")).to_have_count(0)
    desk.press("j")
    expect(rows.first.locator("[data-opens]")).to_be_focused()
    desk.press(".")
    expect(page.get_by_role("menu", name="Actions")).to_be_visible()
    if path == "/server/users":
        expect(page.get_by_role("columnheader", name="Last seen")).to_be_visible()


def test_the_server_is_shared_by_a_switch_and_an_invite_says_before_that_it_is_not(at_desk):
    desk = at_desk("ines")
    desk.quiet = False  # the server is away for a moment
    page = desk.go("/settings/members")
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("dialog").get_by_text("Share the server first, under Settings, Network.").wait_for()
    desk.go("/server")
    switch = page.get_by_role("switch", name="Share with the local network")
    expect(switch).not_to_be_checked()
    assert desk.refusals() == []
    switch.check()
    page.get_by_text("Colleagues can open this address").or_(page.get_by_text("in no network now")).wait_for()
    expect(switch).to_be_checked()
    assert desk.api("GET", "/system/sharing")["isShared"]
    desk.go("/settings/members")
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("dialog").get_by_role("button", name="Create link").wait_for()
    expect(page.get_by_text("no one else can use the link")).to_have_count(0)
    desk.go("/server")
    switch.uncheck()
    page.get_by_role("alertdialog").get_by_role("button", name="Stop sharing").click()
    page.get_by_text("Only this computer can open the server so far.").wait_for()
    expect(switch).not_to_be_checked()


def test_single_letters_are_no_commands_once_they_are_switched_off(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/profile")
    page.get_by_label("Single-key shortcuts").uncheck()
    with page.expect_navigation():
        page.get_by_role("form", name="Language and appearance").get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Profile", level=1).wait_for()
    desk.press("g", "b", "?")
    desk.press("Control+k")
    page.get_by_role("dialog").wait_for()  # other keys go on
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(page).to_have_url(re.compile("/profile$"))
    desk.press("Escape")
    desk.api("PATCH", "/auth/preferences", {"singleKeys": True})
    desk.go("/profile")
    desk.press("g", "b")
    page.get_by_role("heading", name="Board", level=1).wait_for()
