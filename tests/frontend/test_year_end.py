"""The end of the year in the browser: months and what is open, the lock with its reason, closing, and the export."""

import calendar
import re
import zipfile
from datetime import date, timedelta

import pytest

from tests.frontend.conftest import expect, short, today
from tests.frontend.test_records import filled, of_row, row

pytestmark = pytest.mark.browser


def shown(desk, path="/close/year"):
    page = desk.go(path)
    page.get_by_role("table", name="Months").get_by_role("row").nth(12).wait_for()
    return page


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_page_is_quiet_fits_and_is_accessible(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = shown(desk)
    page.get_by_text("Lock history").click()
    assert not desk.is_wide()
    assert desk.refusals() == []


def credit_left(desk):
    """A payment of the next month to lock that no invoice takes."""
    locked = date.fromisoformat(desk.api("GET", "/finance/periods")["lockDate"])
    (customer, *_) = desk.api("GET", "/finance/contacts?kind=customer")
    about = {
        "contactId": customer["id"],
        "amount": "5.00",
        "currency": "EUR",
        "date": (locked + timedelta(days=9)).isoformat(),
    }
    desk.api("POST", "/finance/payments", about)


def test_what_is_open_leads_to_its_list(at_desk):
    desk = at_desk("amara")
    credit_left(desk)
    page = shown(desk)
    page.get_by_role("link", name="Payments on account").click()
    page.wait_for_url(re.compile(r"/payments\?isUnallocated=true&dateFrom=\d{4}-\d\d-\d\d&dateTo=\d{4}-12-31"))
    expect(page.get_by_role("button", name="Allocation Open")).to_be_visible()
    expect(page.get_by_role("table", name="Payments").get_by_text("5.00").first).to_be_visible()


def test_the_list_of_an_open_point_ends_with_its_month(at_desk):
    desk = at_desk("amara")
    month = desk.api("GET", "/finance/periods/month")
    found = next(one for one in month["findings"] if one["kind"] == "bills_without_file")
    page = desk.go("/close")
    page.get_by_role("link", name="Bills without a file").click()
    page.wait_for_url(f"**/bills?hasFile=false&dateFrom={found['dateFrom']}&dateTo={month['endDate']}")
    expect(page.get_by_text(f"{found['count']} documents", exact=True).first).to_be_visible()


def test_an_entry_that_is_on_no_statement_is_opened_from_the_check_list(at_desk):
    desk = at_desk("amara")
    lines = [{"accountId": "1010", "debit": "7.00"}, {"accountId": "3000", "credit": "7.00"}]
    first = date.fromisoformat(desk.api("GET", "/finance/periods")["lockDate"]) + timedelta(days=1)
    made = desk.api("POST", "/finance/journals", {"date": f"{first}", "description": "From the drawer", "lines": lines})
    findings = {one["kind"]: one["records"] for one in desk.api("GET", "/finance/periods/month")["findings"]}
    number = findings["unmatched_bank_entries"][0]["number"]
    page = desk.go("/close")
    page.get_by_role("link", name=number).click()
    expect(page.get_by_role("heading", name=re.compile(number))).to_be_visible()
    desk.api("POST", f"/finance/journals/{made['id']}/reverse", {})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_month_is_closed_in_one_place(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    locked = date.fromisoformat(desk.api("GET", "/finance/periods")["lockDate"])
    first = locked + timedelta(days=1)
    name = f"{first:%B %Y}"
    page = desk.go("/close")
    expect(page.get_by_label("Month")).to_have_value(f"{first:%Y-%m}")
    expect(page.locator("main")).to_contain_text(f"The books are locked through {short(locked)}.")
    titles = page.locator("main h2")
    assert [title.split("· ")[-1] for title in titles.all_inner_texts()][:3] == ["Check", "VAT return", "Lock"]
    told = desk.api("GET", "/finance/periods/month")
    for one in told["findings"]:
        expect(page.get_by_text(one["message"])).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    expect(page.get_by_role("button", name=f"Lock {name}")).to_be_visible()
    desk.press("l")
    expect(page.get_by_role("dialog").get_by_label("Reason")).to_be_focused()
    assert desk.keys == 1, "with the reason, Enter locks"
    desk.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_label("Month").focus()
    page.get_by_label("Month").select_option(f"{locked:%Y-%m}")
    expect(page.locator("main").get_by_text("locked", exact=True)).to_be_visible()
    expect(page.get_by_label("Month")).to_be_focused()
    assert page.url.endswith(f"?month={locked:%Y-%m}")
    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="VAT return")).to_be_visible()


def test_a_month_is_locked_with_the_reason_that_it_needs(at_desk):
    desk = at_desk("amara")
    page = shown(desk)
    months = page.get_by_role("table", name="Months")
    before = months.get_by_text("locked", exact=True).count()
    page.get_by_role("button", name="Lock the next month").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").wait_for()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Lock", exact=True).click()
    expect(dialog.get_by_text("Enter a reason.").first).to_be_visible()
    dialog.get_by_label("Reason").fill("The bank comes later")
    dialog.get_by_role("button", name="Lock", exact=True).click()
    expect(months.get_by_text("locked", exact=True)).to_have_count(before + 1)
    page.get_by_text("Lock history").click()
    expect(page.get_by_text("The bank comes later")).to_be_visible()


def test_an_owner_unlocks_a_month_with_a_reason(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    locked = date.fromisoformat(desk.api("GET", "/finance/periods")["lockDate"])
    before = locked.replace(day=1) - timedelta(days=1)
    page = shown(desk)
    desk.act("Unlock")
    dialog = page.get_by_role("dialog", name="Unlock books?")
    expect(dialog.get_by_label("Locked through")).to_have_value(short(before))
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Unlock").click()
    dialog.locator("[name=reason][aria-invalid=true]").fill("A bill was missing")
    dialog.get_by_role("button", name="Unlock").click()
    expect(dialog).to_be_hidden()
    periods = desk.api("GET", "/finance/periods")
    assert (periods["lockDate"], periods["locks"][0]["reason"]) == (f"{before}", "A bill was missing")
    page.get_by_text("Lock history").click()
    expect(page.get_by_text("A bill was missing")).to_be_visible()


def test_the_auditors_export_is_saved_as_a_file(at_desk):
    desk = at_desk("amara")
    page = shown(desk, "/close/year?year=2025")
    with page.expect_download() as download:
        page.get_by_role("button", name="Audit export").click()
    assert download.value.suggested_filename == "auditor-export-2025.zip"
    assert "index.xml" in zipfile.ZipFile(download.value.path()).namelist()


def test_the_number_series_and_the_process_description_are_saved_as_files(at_desk):
    desk = at_desk("amara")
    page = shown(desk, "/close/year?year=2025")
    for button, name in (
        ("Number series", "number-gaps.pdf"),
        ("Process description", "process-description-2025.pdf"),
    ):
        with page.expect_download() as download:
            desk.act(button)
        assert download.value.suggested_filename == name


def test_the_page_is_in_german(at_desk):
    desk = at_desk("amara", locale="de-DE")
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    credit_left(desk)
    page = desk.go("/close/year")
    expect(page.get_by_role("heading", name="Jahresabschluss")).to_be_visible()
    expect(page.get_by_role("heading", name="Prüfliste")).to_be_visible()
    expect(page.get_by_text("Zahlungen des Zeitraums sind nicht vollständig ausgeglichen.")).to_be_visible()
    desk.api("PATCH", "/auth/me", {"locale": "en"})


def test_who_may_only_read_locks_nothing(at_desk):
    desk = at_desk("hanna")
    page = shown(desk)
    expect(page.get_by_role("button", name="Audit export")).to_be_visible()
    expect(page.get_by_role("button", name="Lock the next month")).to_have_count(0)
    expect(page.get_by_role("button", name="Unlock")).to_have_count(0)
    page = desk.go("/close")
    expect(page.get_by_role("heading", name="1 · Check")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Lock|Mark as filed|Create batch)"))).to_have_count(0)


def test_a_tax_return_is_filed_and_its_days_are_locked_at_once(at_desk):
    desk = at_desk("amara")
    first = date.fromisoformat(desk.api("GET", "/finance/tax-returns?limit=1")[0]["dateTo"]) + timedelta(days=1)
    month_end = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    last = min(month_end, today() - timedelta(days=1))
    page = desk.go(f"/reports/tax?dateFrom={first}&dateTo={last}")
    page.locator("table.report tbody tr").first.wait_for()
    desk.act("File and lock")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Filed in time")
    dialog.get_by_role("button", name="File and lock").click()
    expect(page.get_by_role("columnheader", name="Tax as filed")).to_be_visible()
    periods = desk.api("GET", "/finance/periods")
    assert periods["lockDate"] == str(last)
    assert "Filed in time" in [lock["reason"] for lock in periods["locks"]]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_office_writes_chapters_of_its_own_and_sees_their_wordings(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = shown(desk)
    desk.act("Own chapters")
    expect(page.get_by_role("heading", name="Own chapters")).to_be_visible()
    desk.act("New chapter")
    title = f"Petty cash {width}"
    dialog = filled(page, title=title, text="The cash is counted.\n- on Fridays", validFrom="1.2.2026")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, title)).to_contain_text("1 Feb 2026")
    of_row(page, title, "Edit")
    dialog = filled(page, text="The cash is counted daily.")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    of_row(page, title, "Wordings")
    wordings = page.get_by_role("dialog").get_by_role("listitem")
    expect(wordings).to_have_count(2)
    expect(wordings.last).to_contain_text("on Fridays")
    assert desk.refusals() == []
    (made,) = [one for one in desk.api("GET", "/finance/process-chapters") if one["title"] == title]
    assert [one["text"] for one in desk.api("GET", f"/finance/process-chapters/{made['id']}/wordings")] == [
        "The cash is counted daily.",
        "The cash is counted.\n- on Fridays",
    ]
