"""The settings of a workspace in the browser: pages, a search, one draft, and the accounts that entries take."""

import re

import pytest

from erp.finance.reports.tax.forms import FORMS
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def owner(at_desk):
    """The owner at a page of the settings, who may be refused."""

    def owner(page="", width=1280, scheme="light", language="en"):
        desk = at_desk("ines", width, scheme)
        desk.quiet = False
        desk.api("PATCH", "/auth/preferences", {"locale": language})
        desk.go(f"/settings{page}")
        return desk

    yield owner
    at_desk("ines").api("PATCH", "/auth/preferences", {"locale": "en"})


def settings(desk):
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    return desk.api("GET", f"/workspace/{workspace}")


def change(desk, body):
    return desk.api("PATCH", f"/workspace/{settings(desk)['id']}", body)


def saved(page):
    """Save by the key; the request and its answer."""
    with page.expect_response(lambda response: response.request.method == "PATCH") as answer:
        page.keyboard.press("Control+s")
    return answer.value


def field(page, name):
    return page.locator(f"[name='{name}']")


def test_the_accounting_basis_is_found_by_a_word_of_the_other_language_and_changed_with_four_keys(owner):
    desk = owner()
    page = desk.page
    desk.press("/")
    desk.type("Istversteuerung")
    found = page.get_by_role("navigation", name="Settings").get_by_role("link", name=re.compile("Accounting basis"))
    found.wait_for()  # by words that are imported now
    desk.press("Enter")
    basis = page.get_by_label("Sales count")
    expect(basis).to_be_focused()
    expect(page.locator(".is-found")).to_have_attribute("data-name", "taxBasis")
    assert page.url.endswith("/settings/tax?field=taxBasis")
    desk.press("ArrowDown")
    page.get_by_text("1 change").wait_for()
    desk.keys += 1
    answer = saved(page)
    assert desk.keys == 4
    year = settings(desk)["createdAt"][:4]
    assert answer.request.post_data_json.keys() == {"taxBasis"}
    (one,) = settings(desk)["taxBasis"]
    assert (one["basis"], one["since"][:4] >= year, one["since"][4:]) == ("cash", True, "-01-01")
    expect(page.get_by_text("1 change")).to_have_count(0)
    page.get_by_role("button", name="Add a change").click()
    assert saved(page).status == 422
    page.locator("[name='taxBasis[1].since'][aria-invalid=true]").wait_for()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Sales count")).to_have_count(1)
    expect(page.locator("main h1")).to_be_focused()
    page.get_by_role("button", name="Remove").click()
    assert saved(page).status == 200
    assert settings(desk)["taxBasis"] == []
    expect(page.get_by_text("can no longer be changed. The first number")).to_be_visible()
    expect(page.get_by_label("Start of the fiscal year")).to_be_disabled()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_what_is_changed_on_two_pages_is_kept_and_sent_at_once(owner, width, scheme):
    desk = owner("/defaults", width, scheme, "de")
    page = desk.page
    version = change(desk, {"paymentTermsDays": 14, "phone": None})["version"]
    desk.go("/settings/defaults")
    asked = []
    page.on("request", lambda one: asked.append(one) if one.method == "PATCH" else None)
    field(page, "paymentTermsDays").fill("30")
    expect(page.get_by_text("1 Änderung")).to_be_visible()
    if width == 360:
        page.get_by_role("main").get_by_role("link", name="Einstellungen").click()
        expect(page.get_by_text("Kulanztage für Skonto")).to_be_hidden()
    else:
        assert desk.refusals() == []
    page.get_by_role("link", name="Firma", exact=True).click()
    field(page, "phone").fill("040 1234")
    expect(page.get_by_text("2 Änderungen")).to_be_visible()
    assert not desk.is_wide()
    page.reload()
    expect(field(page, "phone")).to_have_value("040 1234")
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Gespeichert.").first).to_be_visible()
    (request,) = asked
    assert request.post_data_json == {"paymentTermsDays": 30, "phone": "040 1234"}
    assert request.headers["if-match"] == f'"{version}"'
    now = settings(desk)
    assert (now["paymentTermsDays"], now["phone"]) == (30, "040 1234")
    assert desk.refusals() == []
    field(page, "vatId").fill("?")
    page.goto(f"{desk.address}/settings?q=USt-IdNr")
    result = page.get_by_role("navigation", name="Einstellungen").get_by_role("link", name="USt-IdNr.")
    expect(result).to_be_visible()
    page.goto(f"{desk.address}/settings/tax")
    field(page, "taxRounding").select_option("line")
    expect(page.get_by_text("2 Änderungen")).to_be_visible()
    assert saved(page).status == 422
    page.locator("[name=vatId][aria-invalid=true]:focus").wait_for()
    assert page.url.endswith("/settings/company")
    page.get_by_role("button", name="Verwerfen").click()
    assert settings(desk)["taxRounding"] == "document"


def test_a_refused_field_stays_marked_until_it_is_changed(owner):
    desk = owner("/company")
    vat = field(desk.page, "vatId")
    vat.focus()
    desk.type("?")
    desk.press("Control+s")
    marked = desk.page.locator("[name=vatId][aria-invalid=true]")
    expect(marked).to_be_focused()
    desk.press("Tab")
    expect(vat).not_to_be_focused()
    expect(marked).to_be_visible()
    vat.focus()
    desk.type("!")
    expect(marked).to_have_count(0)
    desk.page.get_by_role("button", name="Discard").click()


def test_every_form_of_a_tax_return_is_offered_by_its_country(owner):
    forms = field(owner("/tax").page, "taxForm")
    expect(forms.locator("option[value=de-ustva]")).to_have_text("Germany: UStVA")
    values = "(forms) => [...forms.options].map(({ value }) => value).filter(Boolean)"
    assert set(forms.evaluate(values)) == set(FORMS)


def test_what_has_an_address_of_its_own_is_saved_by_the_same_button_and_what_is_half_typed_stays(owner):
    desk = owner("/defaults", 360)
    page = desk.page
    before = {"layout": "classic", "topMm": desk.api("GET", "/workspace/paper")["topMm"]}
    field(page, "lowValueLimit").fill("8o0")
    desk.go("/settings/paper")
    field(page, "layout").select_option("plain")
    field(page, "topMm").fill("5000")
    desk.go("/settings/personal-data")
    field(page, "leave").fill("9")
    expect(page.get_by_text("4 changes")).to_be_visible()
    page.keyboard.press("Control+s")  # the amount makes no sense
    page.locator("[name=lowValueLimit][aria-invalid=true]").wait_for()
    expect(field(page, "lowValueLimit")).to_have_value("8o0")
    assert page.url.endswith("/settings/defaults")
    field(page, "lowValueLimit").fill("900")
    asked = []
    page.on("response", lambda one: asked.append(one) if one.request.method == "PATCH" else None)
    page.keyboard.press("Control+s")
    page.locator("[name=topMm][aria-invalid=true]:focus").wait_for()
    assert page.url.endswith("/settings/paper")
    expect(page.get_by_text("The changes on the other pages are saved.").first).to_be_visible()
    assert settings(desk)["lowValueLimit"] == "900.00"
    field(page, "topMm").fill("30")
    with page.expect_response(lambda one: one.request.method == "PATCH" and "retention" in one.url):
        page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.").last).to_be_visible()
    assert [(one.url.split("/v1")[1].split("/")[2][:9], one.status) for one in asked][1:] == [
        ("paper", 422),
        ("paper", 200),
        ("retention", 200),
    ]
    paper = desk.api("GET", "/workspace/paper")
    assert (paper["layout"], paper["topMm"]) == ("plain", 30)
    assert desk.api("GET", "/workspace/retention")["years"]["leave"] == 9
    assert not desk.is_wide()
    expect(page.get_by_text("The file is saved at once").first).to_be_visible()
    desk.api("PATCH", "/workspace/paper", before)


def test_a_setting_is_found_changed_and_saved_by_keys_from_a_screen_beside_them(owner):
    desk = owner("/members")
    page = desk.page
    navigation = page.get_by_role("navigation", name="Settings")
    expect(navigation.locator("[aria-current=page]")).to_have_text("Members")
    navigation.get_by_role("searchbox").focus()
    desk.type("Days of grace")
    desk.press("Enter")
    navigation.get_by_role("link", name="Days of grace for a discount").wait_for()
    navigation.get_by_role("searchbox").focus()
    desk.press("Enter")
    page.locator("[name=discountGraceDays]:focus").wait_for()
    desk.type("4")
    desk.keys += 1
    assert saved(page).status == 200
    assert desk.keys == 3
    assert "4" in str(settings(desk)["discountGraceDays"])
    assert desk.refusals() == []


@pytest.mark.parametrize(
    ("typed", "name", "path"),
    [
        ("Webhooks", "Webhooks", "/settings/webhooks"),
        ("sicherung", "Backups", "/server/backups"),
        ("holidays public", "Public holidays", "/settings/holidays"),
        ("zweiter faktor", "Require two-factor sign-in", "/settings/access"),
    ],
)
def test_a_screen_among_the_settings_is_found_in_both_languages(owner, typed, name, path):
    desk = owner("")
    page = desk.page
    page.get_by_role("navigation", name="Settings").get_by_role("searchbox").fill(typed)
    desk.settle()  # the words are read when the search is first used
    found = page.get_by_role("navigation", name="Settings").get_by_role("link", name=name)
    expect(found.first).to_have_attribute("href", re.compile(f"^{path}"))
    found.first.click()
    expect(page).to_have_url(re.compile(path))


@pytest.mark.parametrize("path", ["/settings/pay", "/server/users"])
def test_the_page_that_is_shown_is_seen_in_the_navigation_beside_it(owner, path):
    desk = owner("")
    page = desk.go(path)
    current = page.get_by_role("navigation", name="Settings").locator("[aria-current=page]")
    expect(current).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    assert desk.refusals() == []


def test_parts_of_a_setting_are_sent_together(owner):
    desk = owner("/work-week", 360, "dark")
    page = desk.page
    change(desk, {"punchRounding": None, "cashRounding": None})
    page.get_by_label("Friday").check()
    field(page, "punchRounding.step").fill("90")
    assert saved(page).status == 422
    field(page, "punchRounding.step").fill("15")
    page.get_by_label("Rounded", exact=True).select_option("up")
    assert saved(page).status == 200
    now = settings(desk)
    assert (now["weekend"], now["punchRounding"]) == (["fri", "sat", "sun"], {"step": 15, "mode": "up"})
    desk.go("/settings/numbers")
    payment = field(page, "numberFormats.payment")
    payment.fill("Z-{year}-{seq:4}")
    desk.go("/settings/reminders")
    field(page, "reminders.lumpSum.amount").fill("50")
    desk.go("/settings/pay")
    field(page, "datevClient").fill("77")
    assert saved(page).request.post_data_json == {
        "numberFormats": {"payment": "Z-{year}-{seq:4}"},
        "reminders": {"lumpSum": {"currency": "EUR", "amount": "50"}},
        "datevClient": 77,
    }
    page.get_by_text("Saved.").first.wait_for()
    desk.go("/settings/numbers")
    expect(page.get_by_text(re.compile(r"^Next: Z-\d{4}-\d{4}$"))).to_be_visible()


def test_a_bank_account_that_is_typed_is_not_stored_in_the_browser(owner):
    desk = owner("/paper")
    page = desk.page
    field(page, "iban").fill("DE89370400440532013000")
    page.get_by_role("link", name="Number series").click()
    expect(page.get_by_text("1 change")).to_be_visible()
    assert "DE8937" not in page.evaluate("JSON.stringify(localStorage)")
    page.get_by_role("link", name="Paper").click()
    expect(field(page, "iban")).to_have_value("DE89370400440532013000")
    page.get_by_role("button", name="Discard").click()
    expect(field(page, "iban")).not_to_have_value("DE89370400440532013000")


def test_a_default_account_is_chosen(owner):
    desk = owner(width=360)
    page = desk.page
    change(desk, {"defaultAccounts": {"sales": "4100"}})
    desk.come_back()
    page.get_by_role("link", name="Default accounts").click()
    sales = field(page, "defaultAccounts.sales")
    expect(sales).to_have_value("4100 Services")
    assert not desk.is_wide()
    sales.fill("1000")
    page.locator("[role=option]:visible", has_text="1000").click()
    assert saved(page).status == 422
    expect(page.get_by_text("Account 1000 cannot be used here.").first).to_be_visible()
    change(desk, {"defaultAccounts": {"bank": "1000"}})  # by a colleague
    desk.come_back()
    expect(field(page, "defaultAccounts.bank")).to_have_value("1000 Cash")
    sales.fill("4000")
    page.locator("[role=option]:visible", has_text="4000").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").first.wait_for()
    (account,) = [one for one in desk.api("GET", "/finance/accounts") if one["code"] == "4000"]
    now = settings(desk)["defaultAccounts"]
    assert now["sales"] == account["id"] != now["bank"]
    change(desk, {"defaultAccounts": {"bank": "1010"}})


def test_a_workspace_is_archived_and_taken_back_into_use(owner):
    desk = owner("/workspace")
    page = desk.page
    desk.act("Archive this workspace")
    page.get_by_role("alertdialog").get_by_role("button", name="Archive").click()
    mark = page.get_by_role("main").get_by_text("archived", exact=True).first
    expect(mark).to_be_visible()
    desk.go("/settings/defaults")
    field(page, "discountGraceDays").fill("9")
    assert saved(page).status == 409
    assert settings(desk)["status"] == "archived"
    desk.go("/settings/workspace")
    desk.act("Unarchive this workspace")
    expect(mark).to_have_count(0)
    desk.go("/settings/defaults")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.").first).to_be_visible()
    assert settings(desk)["discountGraceDays"] == 9
