"""Tax rates in the browser: those of the side alone, what is usual, and warnings where one hardly fits."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def rates(desk):
    return {rate["name"]: rate for rate in desk.api("GET", "/finance/tax-rates?limit=200")}


def texts(page):
    return page.get_by_label("Tax, line 1").locator("option").all_text_contents()


def test_the_editor_offers_the_rates_of_its_side_the_default_and_the_taxed_first(at_desk):
    desk = at_desk("amara")
    known = rates(desk).values()
    usual = next(rate for rate in known if rate["isDefault"])
    for path, side in (("/invoices/new", "sale"), ("/bills/new", "purchase")):
        page = desk.go(path)
        page.get_by_label("Tax, line 1").locator("option").nth(1).wait_for(state="attached")
        first, *shown = texts(page)
        assert first == f"as usual ({usual['rate']}%)"
        assert shown[0].startswith(usual["name"])
        assert len(shown) == len([rate for rate in known if rate["side"] in ("both", side)])
        percents = [re.findall(r"([\d.]+) ?%", text) for text in shown]
        assert all(len(said) == 1 for said in percents), "each option says its percentage once"
        assert percents[1:] == sorted(percents[1:], key=lambda said: said == ["0"])


@pytest.mark.parametrize("width", [1280, 360])
def test_a_swiss_office_has_net_tax_rates(at_desk, width):
    desk = at_desk("ines", width=width)
    path = f"/workspace/{desk.api('GET', '/auth/session')['workspace']['id']}"
    home = desk.api("GET", path)["country"]
    desk.api("PATCH", path, {"country": "CH"})
    page = desk.go("/settings/tax")
    page.get_by_label("Tax method").select_option(label="by net tax rates")
    page.keyboard.press("Control+s")
    page.get_by_text("Saved.").first.wait_for()
    assert desk.api("GET", path)["taxMethod"] == "net_rate"
    page = desk.go("/settings/tax-rates")
    page.get_by_role("button", name="New tax rate").first.click()
    dialog = page.get_by_role("dialog")
    for field, value in {"name": "Net 8.1 %", "rate": "8.1", "netTaxRate": "6.2"}.items():
        dialog.locator(f"[name={field}]").fill(value)
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_have_count(0)
    made = rates(desk)["Net 8.1 %"]
    assert made["netTaxRate"] == "6.2"
    desk.api("DELETE", f"/finance/tax-rates/{made['id']}")
    desk.api("PATCH", path, {"country": home, "taxMethod": "effective"})


def test_a_rate_that_hardly_fits_is_told_below_the_lines(at_desk):
    desk = at_desk("amara")
    firm = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": "Wien", "vatId": "ATU12345675"})
    page = desk.go(f"/invoices/new?customerId={firm['id']}")
    page.get_by_label("Description, line 1").fill("Goods")
    page.get_by_label("Price, line 1").fill("100")
    expect(page.get_by_text("Line 1: The customer has a VAT number of AT.")).to_be_visible()
    services = next(rate for rate in rates(desk).values() if (rate["taxTag"], rate["rate"]) == ("eu_services", "0"))
    page.get_by_label("Tax, line 1").select_option(services["id"])
    expect(page.get_by_text("Line 1: The customer has a VAT number of AT.")).to_have_count(0)


def test_the_tax_return_leads_to_the_one_stop_shop_and_an_elster_file(at_desk):
    desk = at_desk()
    desk.quiet = False
    own = f"/workspace/{desk.api('GET', '/workspace')[0]['id']}"
    desk.api("PATCH", own, {"taxNumber": None, "taxOfficeState": "HH", "taxForm": "de-ustva"})
    days = {"dateFrom": "2024-01-01", "dateTo": "2024-01-31"}
    desk.api("POST", "/finance/tax-returns", days)
    page = desk.go("/reports/tax?dateFrom=2024-01-01&dateTo=2024-01-31")
    desk.act("ELSTER file")
    expect(page.get_by_text("Enter the tax number in the settings first, under Company.").first).to_be_visible()
    desk.api("PATCH", own, {"taxNumber": "02/887/02118"})
    with page.expect_download() as file:
        desk.act("ELSTER file")
    assert file.value.suggested_filename == "ustva-2024-01.xml"
    desk.act("One-stop shop (OSS)")
    page.get_by_role("heading", name="One-stop shop (OSS)").wait_for()
    expect(page).to_have_url(re.compile("/reports/oss[?]dateFrom=2024-01-01"))
