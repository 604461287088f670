"""What is open in a foreign currency, revalued in the browser: shown first, then posted, and voided."""

import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

TODAY = today()


def row(page, text):
    return page.locator("[data-row]", has_text=text)


def owed_in_dollars(desk, name):
    """A receivable of 1,000 USD that is worth 900 EUR in the books."""
    customer = desk.api("POST", "/finance/contacts", {"name": name, "kind": "customer"})
    dollars = {"currency": "USD", "foreignAmount": "1000"}
    lines = [
        {"accountId": "1100", "debit": "900", "contactId": customer["id"], **dollars},
        {"accountId": "4000", "credit": "900"},
    ]
    return desk.api("POST", "/finance/journals", {"date": f"{TODAY}", "description": "Sold", "lines": lines})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_day_is_revalued_and_its_revaluation_voided(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    owed = owed_in_dollars(desk, f"Dione {width}")
    page = desk.go("/close")
    page.get_by_role("main").get_by_role("link", name="Revaluations").click()
    expect(page.get_by_role("heading", name="Revaluations")).to_be_visible()
    desk.act("New revaluation")
    dialog = page.get_by_role("dialog", name="New revaluation")
    dialog.locator("[name=date]").fill(f"{TODAY:%d.%m.%Y}")
    desk.press("Tab")
    for currency, rate in (("GBP", "1.15"), ("USD", "0.95")):  # those that the company has no rate of
        dialog.get_by_label(f"1 {currency} in EUR").fill(rate)
        desk.press("Tab")
    shown = row(dialog, owed["number"])
    expect(shown).to_contain_text("50.00")
    if width == 1280:  # with room, the books and the day are compared
        expect(shown).to_contain_text(re.compile("900.00.*950.00.*50.00", re.DOTALL))
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Revalue").click()
    page.get_by_role("heading", name=re.compile("^Revaluation REV-")).wait_for()
    made = desk.api("GET", "/finance/revaluations?status=posted&sort=-createdAt")[0]
    (line,) = [one for one in made["lines"] if one["number"] == owed["number"]]
    assert (made["date"], line["bookValue"], line["value"]) == (f"{TODAY}", "900.00", "950.00")
    expect(row(page, owed["number"])).to_contain_text("50.00")
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.act("Void")
    page.get_by_role("alertdialog").get_by_role("button", name="Void").click()
    expect(page.get_by_text("Voided on")).to_be_visible()
    assert desk.api("GET", f"/finance/revaluations/{made['id']}")["status"] == "void"
    page.get_by_role("link", name="Revaluations").first.click()
    expect(row(page, made["number"])).to_contain_text("void")
    assert not desk.is_wide()
