"""Fixed assets in the browser: added, put in use, depreciated by a run, disposed of, and reported."""

import datetime
import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

TODAY = today()
FIRST = datetime.date(TODAY.year, 1, 1)


def row(page, text):
    return page.locator("[data-row]", has_text=text)


def is_fine(desk):
    assert not desk.is_wide()
    assert desk.refusals() == []


def in_use(desk, name, **fields):
    """An asset in use since January."""
    body = {"name": name, "accountId": "1500", "cost": "1200.00", "acquiredOn": f"{FIRST}", "inUseOn": f"{FIRST}"}
    made = desk.api("POST", "/finance/assets", {**body, "lifeMonths": 24, **fields})
    return desk.api("POST", f"/finance/assets/{made['id']}/activate")


def added(desk, name):
    """A new asset, put in use in January by the pages."""
    page = desk.go("/assets")
    is_fine(desk)
    desk.act("New asset")
    dialog = page.get_by_role("dialog", name="New asset")
    dialog.get_by_label("Name").fill(name)
    dialog.locator("[name=accountId]").fill("1500")
    page.get_by_role("option", name=re.compile("1500")).click()
    dialog.locator("[name=cost]").fill("1200")
    dialog.locator("[name=acquiredOn]").fill(f"{FIRST:%d.%m.%Y}")
    dialog.locator("[name=inUseOn]").fill(f"{FIRST:%d.%m.%Y}")
    dialog.locator("[name=lifeMonths]").fill("24")
    is_fine(desk)
    dialog.get_by_role("button", name="Add").click()
    page.get_by_role("heading", name=re.compile(name)).wait_for()
    is_fine(desk)
    desk.act("Put in use")
    expect(page.get_by_text("in use", exact=True)).to_be_visible()
    (made,) = desk.api("GET", f"/finance/assets?q={name.replace(' ', '+')}")
    assert made["status"] == "in_use"
    return made


def test_putting_an_asset_in_use_asks_for_what_it_lacks(at_desk):
    desk = at_desk("amara", 360)
    desk.quiet = False
    body = {"name": "Bare shelf", "accountId": "1500", "cost": "1200.00", "acquiredOn": f"{FIRST}"}
    made = desk.api("POST", "/finance/assets", body)
    page = desk.go(f"/assets/{made['id']}")
    desk.act("Put in use")
    dialog = page.get_by_role("dialog", name="Put Bare shelf in use")
    is_fine(desk)
    dialog.get_by_role("button", name="Put in use").click()
    expect(dialog.get_by_label("Useful life in months")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Useful life in months").fill("24")
    dialog.get_by_role("button", name="Put in use").click()
    expect(page.get_by_text("in use", exact=True)).to_be_visible()
    made = desk.api("GET", f"/finance/assets/{made['id']}")
    assert (made["status"], made["inUseOn"], made["lifeMonths"]) == ("in_use", f"{FIRST}", 24)


def depreciated(desk, made):
    """Post the run of the present month, in which the asset is."""
    page = desk.go("/assets")
    desk.act("Post depreciation")
    dialog = page.get_by_role("dialog", name="Depreciation run")
    expect(row(dialog, made["name"])).to_be_visible()
    is_fine(desk)
    dialog.get_by_role("button", name="Post").click()
    expect(page.get_by_text(re.compile("^DEP-.* posted")).first).to_be_visible()
    run = desk.api("GET", "/finance/depreciation-runs")[0]
    assert any(line["assetId"] == made["id"] for line in run["lines"])


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_an_asset_is_added_put_in_use_depreciated_and_disposed_of(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    made = added(desk, f"Press {width}")
    depreciated(desk, made)

    page = desk.go(f"/assets/{made['id']}")
    page.get_by_text("By month").click()
    expect(page.get_by_text("posted", exact=True).first).to_be_visible()
    desk.act("Dispose")
    dialog = page.get_by_role("dialog", name=re.compile("^Dispose of"))
    dialog.locator("[name=proceeds]").fill("500")
    dialog.locator("[name=reason]").fill("Sold by hand")
    is_fine(desk)
    dialog.get_by_role("button", name="Dispose of it").click()
    expect(page.get_by_text("disposed of", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Disposal")).to_be_visible()
    is_fine(desk)
    gone = desk.api("GET", f"/finance/assets/{made['id']}")
    assert (gone["status"], gone["proceeds"]) == ("disposed", "500.00")
    desk.act("Undo disposal")
    page.get_by_role("alertdialog").get_by_role("button", name="Undo disposal").click()
    expect(page.get_by_text("in use", exact=True)).to_be_visible()


def test_what_is_refused_is_marked_at_its_field(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/assets")
    desk.act("New asset")
    dialog = page.get_by_role("dialog", name="New asset")
    dialog.get_by_label("Name").fill("Nothing")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.locator("[name=cost][aria-invalid=true]")).to_be_visible()


def test_a_line_of_a_bill_becomes_an_asset_with_one_click(at_desk):
    desk = at_desk("amara")
    line = {"description": "Lathe", "quantity": "1", "unitPrice": "4000", "accountId": "1500"}
    bill = {"kind": "purchase_invoice", "supplier": {"name": "Tools Ltd"}, "lines": [line]}
    desk.api("POST", "/finance/invoices", bill)
    page = desk.go("/assets")
    bought = page.get_by_role("table", name="Bought, without an asset")
    row(bought, "Lathe").get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Add").click()
    page.get_by_role("heading", name=re.compile("Lathe")).wait_for()
    (made,) = desk.api("GET", "/finance/assets?q=Lathe")
    assert (made["status"], made["cost"]) == ("draft", "4000.00")


def test_an_asset_is_found_by_its_name(at_desk):
    desk = at_desk("amara")
    made = in_use(desk, "Engraver")
    page = desk.go("/")
    desk.press("Control+k")
    desk.type("engrav")
    page.get_by_role("option", name=re.compile("Engraver")).click()
    expect(page).to_have_url(re.compile(f"/assets/{made['id']}$"))
    expect(page.get_by_role("heading", name=re.compile("Engraver"))).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_the_useful_life_is_changed(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    made = in_use(desk, f"Mill {width}")
    page = desk.go(f"/assets/{made['id']}")
    desk.act("Change useful life")
    dialog = page.get_by_role("dialog", name="Change useful life")
    dialog.locator("[name=lifeMonths]").fill("36")
    dialog.locator("[name=reason]").fill("It lasts longer")
    is_fine(desk)
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("36 months")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_reports_lead_to_the_asset_and_speak_german(at_desk, width):
    desk = at_desk("amara", width)
    made = in_use(desk, f"Fräse {width}")
    desk.api("PATCH", "/auth/preferences", {"locale": "de"})
    page = desk.go("/assets")
    expect(page.get_by_role("heading", name="Anlagen", exact=True)).to_be_visible()
    is_fine(desk)
    desk.go(f"/assets/{made['id']}")
    expect(page.get_by_text("Restbuchwert").first).to_be_visible()
    is_fine(desk)
    desk.go("/reports/asset-register")
    is_fine(desk)
    page.get_by_role("link", name=re.compile(f"Fräse {width}")).click()
    page.get_by_role("heading", name=re.compile(f"Fräse {width}")).wait_for()
    desk.go("/reports/asset-movements")
    expect(page.get_by_role("row", name=re.compile("1500")).first).to_be_visible()
    is_fine(desk)
    desk.go("/depreciation-runs")
    expect(page.get_by_role("heading", name="Abschreibungsläufe", exact=True)).to_be_visible()
    is_fine(desk)
    desk.api("PATCH", "/auth/preferences", {"locale": "en"})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_line_of_a_bill_becomes_an_asset_with_the_bill(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go("/bills/new")
    page.locator("[name=supplierId]").fill(f"Werk {width}")
    page.get_by_role("option", name=re.compile(f"Werk {width}")).click()
    name = f"Drill {width}"
    for cell, value in (("description", name), ("unitPrice", "1200")):
        page.locator(f"[name='lines[0].{cell}']").fill(value)
    page.get_by_role("button", name="More of line 1").click()
    expect(page.locator("[name='lines[0].unit']")).to_be_visible()
    expect(page.locator("[name='lines[0].asset']")).to_have_count(0)
    page.locator("[name='lines[0].accountId']").fill("1500")
    page.get_by_role("option", name="1500 Equipment").click()
    page.get_by_label("Add to the fixed assets when the bill is posted").check()
    page.locator("[name='lines[0].asset.inUseOn']").fill(f"{TODAY:%d.%m.%Y}")
    life = page.locator("[name='lines[0].asset.lifeMonths']")
    life.press_sequentially("36")
    expect(life).to_have_value("36")
    is_fine(desk)
    desk.act("Post")
    page.get_by_role("alertdialog").get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url(re.compile(r"/bills/[0-9a-f-]{36}$"))
    (made,) = desk.api("GET", f"/finance/assets?q={name.replace(' ', '+')}")
    assert (made["status"], made["lifeMonths"]) == ("in_use", 36)
    page.get_by_role("link", name=made["number"]).click()
    page.get_by_role("heading", name=re.compile(name)).wait_for()
    is_fine(desk)
