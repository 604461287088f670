"""Transfers between own accounts and exchange rates in the browser."""

import pytest

from tests.frontend.conftest import expect
from tests.frontend.test_records import filled, of_row, row

pytestmark = pytest.mark.browser

DAILY = b"""<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
 xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<Cube><Cube time="2026-11-19"><Cube currency="USD" rate="1.25"/><Cube currency="GBP" rate="0.80"/></Cube></Cube>
</gesmes:Envelope>"""


def choose(page, dialog, label, text):
    dialog.get_by_label(label).fill(text)
    page.locator("[role=option]:visible").first.click()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_cash_is_taken_to_the_bank_and_the_transfer_is_voided(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    page = desk.go("/payments")
    desk.act("Transfers between accounts")
    expect(page.get_by_role("heading", name="Transfers between accounts")).to_be_visible()
    desk.act("New transfer")
    dialog = filled(page, amount="25", reference=f"Till {width}")
    choose(page, dialog, "From account", "1000")
    choose(page, dialog, "To account", "1000")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_text("Choose another account than the money comes from.", exact=True)).to_be_visible()
    choose(page, dialog, "To account", "1010")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_be_hidden()
    (made,) = [one for one in desk.api("GET", "/finance/transfers") if one["reference"] == f"Till {width}"]
    assert (made["fromAccountCode"], made["toAccountCode"], made["amount"]) == ("1000", "1010", "25.00")
    expect(row(page, made["number"])).to_contain_text("€25.00")
    assert not desk.is_wide()
    of_row(page, made["number"], "Void")
    page.get_by_role("alertdialog").get_by_role("button", name="Void").click()
    expect(row(page, made["number"])).to_contain_text("void")
    assert desk.api("GET", f"/finance/transfers/{made['id']}")["status"] == "void"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_rates_are_entered_by_hand_and_taken_from_the_central_banks_file(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go("/settings/exchange-rates")
    day = 17 if width == 1280 else 18
    desk.act("New exchange rate")
    dialog = filled(page, currency="USD", date=f"{day}.11.2026", rate="0.9")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_be_hidden()
    by_hand = row(page, f"{day} Nov 2026")
    expect(by_hand).to_contain_text("0.9 EUR")
    of_row(page, f"{day} Nov 2026", "Edit")
    dialog = filled(page, rate="0.91")
    expect(dialog.get_by_label("Currency")).to_have_count(0)
    dialog.get_by_role("button", name="Save").click()
    expect(by_hand).to_contain_text("0.91 EUR")

    desk.act("Import rates")
    file = {"name": "eurofxref-daily.xml", "mimeType": "text/xml", "buffer": DAILY}
    dialog.get_by_label("File", exact=True).set_input_files(file)
    dialog.get_by_role("button", name="Import").click()
    expect(dialog).to_be_hidden()
    of_bank = row(page, "19 Nov 2026").filter(has_text="USD")
    expect(of_bank).to_contain_text("0.8 EUR")
    expect(of_bank.get_by_role("button")).to_have_count(0)
    page.get_by_label("Currency, for example USD").fill("gbp")
    expect(by_hand).to_have_count(0)
    expect(row(page, "GBP")).to_contain_text("1.25 EUR")
    assert not desk.is_wide()
