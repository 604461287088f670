"""The tax advisor in the browser: a stack goes out, bookings come back, and what is wrong with a file is listed."""

import pytest

from tests.finance.closing.test_datev_received import HEADER, booking, file_of
from tests.frontend.conftest import a_month_ago, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_stack_goes_out_and_bookings_come_back(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    desk.quiet = False
    page = desk.go("/close/advisor")

    desk.act("DATEV settings")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Consultant no.").fill("29098")
    dialog.get_by_label("Client no.").fill("55003")
    dialog.get_by_label("Chart of accounts").select_option("SKR 04")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()

    page.get_by_role("button", name="Create batch").click()
    day = f"{a_month_ago(15 if width == 1280 else 14)}"
    dialog.get_by_label("First day").fill(day)
    dialog.get_by_label("Last day").fill(day)
    entries = [{"accountId": "6100", "debit": "5"}, {"accountId": "1010", "credit": "5"}]
    desk.api("POST", "/finance/journals", {"date": day, "description": f"Out {width}", "lines": entries})
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Create and download").click()
    assert download.value.suggested_filename.startswith("EXTF_Buchungsstapel_")
    expect(page.locator("main [data-row]", has_text="sent").first).to_be_visible()
    desk.api("POST", "/finance/journals", {"date": day, "description": f"Late {width}", "lines": entries})
    desk.go("/close/advisor")
    lacking = page.get_by_role("table", name="Entries that the tax advisor lacks")
    expect(lacking.locator("[data-row]", has_text="5.00").first).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    bring_back(desk, width)


def bring_back(desk, width):
    """Import bookings of the tax advisor: a wrong file is refused with its row, and a right one posted."""
    page, dialog = desk.page, desk.page.get_by_role("dialog")
    header = HEADER.replace("20260331", "20261120")
    wrong = file_of(booking("1,00", "S", "6100", "99999", day="2011"), header=header)
    open_file = page.expect_file_chooser
    with open_file() as chooser:
        desk.act("Import entries")
    chooser.value.set_files({"name": "wrong.csv", "mimeType": "text/csv", "buffer": wrong})
    expect(dialog.get_by_text("There is no account 99999. Create it first.")).to_be_visible()
    assert desk.refusals() == []
    page.keyboard.press("Escape")

    expect(page.locator("main [data-row]", has_text="sent").first).to_be_visible()
    came_back = page.locator("main [data-row]", has_text="received")
    before = came_back.count()
    right = file_of(booking("41,67", "S", "6100", "1010", day="2011", text=f"Back {width}"), header=header)
    with open_file() as chooser:
        desk.act("Import entries")
    chooser.value.set_files({"name": "right.csv", "mimeType": "text/csv", "buffer": right})
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("Import 1 entry?")).to_be_visible()
    expect(asked.get_by_text("€41.67")).to_be_visible()
    entry = asked.locator("[data-row]", has_text=f"Back {width}")
    expect(entry).to_contain_text("6100 to 1010")
    assert not desk.is_wide()
    asked.get_by_role("button", name="Post").click()
    expect(came_back).to_have_count(before + 1)
    (made,) = desk.api("GET", f"/finance/journals?q=Back+{width}")
    assert (made["total"], made["kind"]) == ("41.67", "manual")
