"""Reports in the browser: figures, what they lead to, other days and columns, and files."""

import re
from datetime import timedelta

import pytest

from erp.app import routes
from tests.frontend.conftest import NAMED, a_month_ago, expect, today

pytestmark = pytest.mark.browser

NAMES: tuple[str, ...] = (
    "profit-and-loss",
    "balance-sheet",
    "trial-balance",
    "general-ledger",
    "aged-receivables",
    "aged-payables",
)
NAMES += ("cash-flow", "cash-forecast", "tax", "ec-sales-list", "number-gaps")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("name", NAMES)
def test_every_report_is_quiet_fits_and_is_accessible(at_desk, name, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go(f"/reports/{name}")
    page.locator("table.report tbody tr").first.wait_for()
    assert not desk.is_wide()
    assert desk.refusals() == []


def test_all_reports_are_cards_with_a_figure_and_each_leads_to_the_others(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports")
    cards = page.locator(".hub .card")
    reports = {path.split("/finance/reports/")[1].split("/")[0] for path in routes() if "/finance/reports/" in path}
    links = {link.get_attribute("href").split("/")[-1] for link in cards.get_by_role("link").all()}
    assert reports - links == {"series", "verify", "tax-documents"}, "charts, a check, and the documents of a return"
    result = desk.api("GET", "/finance/reports/profit-and-loss")["rows"][-1]["cells"]["amount"]["value"]
    card = cards.filter(has_text="Income less expenses")
    expect(card.locator(".figure-value")).to_have_text(f"{float(result):,.2f}")
    figures = page.locator(".hub-figure")
    expect(figures).to_have_count(cards.count() - 2)  # budgets and the check of a report are no reports
    lines = desk.api("GET", "/finance/reports/general-ledger?limit=1&total=true")["total"]
    ledger = cards.filter(has_text="account by account").locator(".hub-figure")
    expect(ledger).to_contain_text(re.compile(rf"Journal lines\s*{lines:,}"))
    year = cards.filter(has_text="returns as filed").locator(".hub-figure")
    expect(year).to_contain_text(re.compile(rf"{today().year - 1} · Change of tax"))
    expect(cards.filter(has_text="Sales tax").locator(".figure-value")).to_have_text("–")
    page.get_by_role("link", name="Trial balance").click()
    page.get_by_role("button", name="Other reports").click()
    page.get_by_role("menuitem", name="Profit and loss").click()
    page.wait_for_url(re.compile("/reports/profit-and-loss$"))
    desk.go("/reports/profit-and-loss?dateFrom=2026-01-01&dateTo=2026-10-31")
    expect(page.locator(".page-title")).to_contain_text(re.compile(r"Jan\s–\sOct 2026"))
    desk.go("/reports/trial-balance?dateFrom=2026-02-01&dateTo=2026-02-28")
    expect(page.locator(".page-title")).to_contain_text("February 2026")
    zeros = page.locator("table.report td").filter(has_text=re.compile("^–$"))
    expect(zeros.first).to_be_visible()
    expect(zeros.get_by_role("link")).to_have_count(0)


def test_the_other_reports_stay_open_when_the_figures_come(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports")
    menu, row = page.get_by_role("menu", name="Other reports"), page.locator("table.report tbody tr").first
    with desk.held("/finance/reports/trial-balance"):
        page.get_by_role("link", name="Trial balance").click()
        page.get_by_role("button", name="Other reports").click()
        expect(menu).to_be_visible()
        expect(row).to_be_hidden()
    expect(row).to_be_visible()
    expect(menu).to_be_visible()
    menu.get_by_role("menuitem", name="Profit and loss").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Profit and loss")


def test_a_figure_leads_to_the_ledger_and_from_there_to_the_document(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports")
    page.locator("main").get_by_role("link", name="Profit and loss").click()
    page.locator("table.report tbody td a").first.click()
    page.wait_for_url(re.compile(r"/reports/general-ledger\?accountId="))
    page.locator(".chip.is-set").get_by_text(re.compile(r"\d{4} \w+")).wait_for()
    page.locator("table.report td a[href^='/invoices/']").first.click()
    page.wait_for_url(re.compile(r"/invoices/[\w-]+"))
    expect(page.locator("main h1")).to_have_text(NAMED)


def test_months_and_days_are_chosen_by_chips_that_the_address_keeps(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports/profit-and-loss")
    page.get_by_role("button", name="Columns").click()
    page.get_by_text("Quarters").click()
    page.wait_for_url(re.compile("columns=quarter"))
    expect(page.get_by_role("columnheader", name=re.compile(r"\d{4} Q\d")).first).to_be_visible()


@pytest.mark.parametrize(("label", "ending"), [("PDF", "pdf"), ("Excel", "xlsx"), ("CSV", "csv")])
def test_a_report_is_saved_as_a_file_under_its_own_name(at_desk, label, ending):
    desk = at_desk("amara")
    page = desk.go("/reports/balance-sheet?date=2026-01-31")
    page.locator("table.report tbody tr").first.wait_for()
    with page.expect_download() as download:
        desk.act(label)
    assert download.value.suggested_filename == f"balance-sheet-2026-01-31.{ending}"


def test_a_report_without_a_day_says_that_it_is_as_of_today(at_desk):
    desk = at_desk("amara")
    for name, text in (
        ("balance-sheet", re.compile("^As of today, ")),
        ("aged-payables", re.compile("^As of today, ")),
        ("cash-forecast", re.compile("^As of today, ")),
        ("asset-register", re.compile("^As of today, ")),
    ):
        page = desk.go(f"/reports/{name}")
        expect(page.locator("table.report caption"), name).to_have_text(text)
        desk.go(f"/reports/{name}?date={today() - timedelta(days=1)}")
        expect(page.locator("table.report caption"), name).not_to_have_text(re.compile("today"))
    desk.go("/reports/balance-sheet?saved=none")
    expect(page.locator("table.report caption")).to_have_text(re.compile("^As of today, "))


def test_a_report_is_saved_as_a_view_that_keeps_its_words_for_days(at_desk):
    desk = at_desk("amara")
    page = desk.go("/")
    desk.press("Control+k")
    desk.type("profit and loss")
    expect(page.get_by_role("option").first).to_contain_text("Profit and loss")
    desk.press("Enter")
    page.wait_for_url(re.compile("/reports/profit-and-loss$"))
    views = page.locator(".views")
    expect(views).to_be_visible()
    desk.press("v", "Enter")
    form = page.get_by_role("dialog", name="Save as view")
    desk.type("Plain")
    desk.press("Enter")
    expect(views).to_have_text("View: Plain")
    assert desk.keys == 5
    chips = page.get_by_role("group", name="Filters")
    for chip, choice in (("Period", "Last month"), ("Columns", "Months"), ("Compare with", "The year before")):
        chips.get_by_role("button", name=chip, exact=True).click()
        page.get_by_role("menuitem", name=choice).click()
    views.get_by_role("button", name="Save as", exact=True).click()
    form.get_by_label("Name").fill("Month by month")
    form.get_by_label("Share with all who see this report").check()
    desk.press("Enter")
    expect(views).to_have_text("View: Month by month")
    first = today().replace(day=1)
    last_month = f"{first - timedelta(days=1):%B %Y}"
    expect(page.locator(".page-title")).to_contain_text(last_month)
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    kept = {one["name"]: one["query"] for one in desk.api("GET", "/workspace/views?page=report_profit_and_loss")}
    assert kept == {"Plain": "", "Month by month": "period=last_month&columns=month&compare=previous_year"}
    colleague = at_desk("ines", 360, locale="de-DE")
    colleague.go("/reports")
    colleague.page.get_by_role("link", name="Month by month").click()
    colleague.page.wait_for_url(re.compile("period=last_month&columns=month&compare=previous_year&saved="))
    colleague.page.locator("table.report tbody tr").first.wait_for()
    assert colleague.page.get_by_role("columnheader").count() > 2, "the month, and the year before"
    assert (colleague.refusals(), colleague.is_wide()) == ([], False)
    desk.go("/reports/tax").locator(".chip-open", has_text="Period").click()
    page.get_by_role("combobox", name="Period").fill(f"{today():%B}")
    expect(page.get_by_role("option", name=f"{today():%B %Y}", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Period").fill("last q")
    desk.press("Enter")
    page.wait_for_url(re.compile("period=last_quarter$"))
    page.locator("table.report tbody tr").first.wait_for()


def test_reports_are_in_the_language_of_the_page(at_desk):
    desk = at_desk("amara", locale="de-DE")
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    page = desk.go("/reports/profit-and-loss")
    expect(page.get_by_role("heading", name="Gewinn- und Verlustrechnung")).to_be_visible()
    expect(page.locator("table.report").get_by_text("Ergebnis", exact=True)).to_be_visible()
    desk.go("/reports/balance-sheet")
    expect(page.locator("table.report caption")).to_have_text(re.compile("^Stand heute, "))
    desk.api("PATCH", "/auth/me", {"locale": "en"})


def test_a_tax_return_is_marked_as_filed_and_leads_to_the_documents_of_a_box(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports/tax?dateFrom=2024-01-01&dateTo=2024-01-31")
    page.locator("table.report tbody tr").first.wait_for()
    page.get_by_role("button", name="Mark as filed").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Mark as filed").click()
    page.get_by_role("columnheader", name="Tax as filed").wait_for()
    desk.go("/reports/tax?dateFrom=2026-01-01&dateTo=2026-01-31")  # zeros lead nowhere
    page.locator("table.report td a[href^='/reports/tax-documents']").first.click()
    page.wait_for_url(re.compile(r"/reports/tax-documents\?.*box="))
    expect(page.locator("table.report tbody tr").first).to_be_visible()
    filed = [each["dateTo"] for each in desk.api("GET", "/finance/tax-returns") if each["dateFrom"] == "2024-01-01"]
    assert filed == ["2024-01-31"]


def sheet_of(proof):
    """The rows of the sheet with a proof, as they are copied from a spreadsheet."""
    parameters = {f"parameters.{name}": value for name, value in proof["parameters"].items()}
    plain = {name: value for name, value in proof.items() if name != "parameters"}
    return "\n".join(f"{name}\t{value}" for name, value in {**plain, **parameters}.items())


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_report_is_verified_from_its_page_and_by_its_sheet(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go("/reports/profit-and-loss?dateFrom=2026-01-01&dateTo=2026-12-31")
    page.locator("table.report tbody tr").first.wait_for()
    desk.act("Verify a report")
    page.get_by_label("Proof").wait_for()
    desk.act("Verify")
    verdict = page.get_by_role("status").filter(has_text="Figures")
    expect(verdict).to_contain_text("the same")
    expect(verdict).to_contain_text("intact")
    expect(verdict).to_contain_text("Nothing has been posted to it since.")
    assert not desk.is_wide()

    days = "dateFrom=2026-01-01&dateTo=2026-12-31"
    proof = desk.api("GET", f"/finance/reports/profit-and-loss?{days}")["proof"]
    lines = [{"accountId": "6100", "debit": "33"}, {"accountId": "1010", "credit": "33"}]
    entry = desk.api("POST", "/finance/journals", {"date": f"{a_month_ago(10)}", "description": "Rent", "lines": lines})
    page.get_by_label("Proof").fill(sheet_of(proof))
    desk.act("Verify")
    expect(verdict).to_contain_text("changed since")
    expect(verdict.get_by_role("link", name=entry["number"])).to_have_attribute("href", f"/journals/{entry['id']}")
    desk.quiet = False
    page.get_by_label("Proof").fill("3f9a21")
    desk.act("Verify")
    expect(verdict).to_have_count(0)
    expect(page.locator("main")).to_contain_text(re.compile("field", re.IGNORECASE))


def test_the_log_leads_to_the_verification_of_a_report(at_desk):
    desk = at_desk("ines")
    desk.go("/log")
    desk.act("Verify a report")
    desk.page.wait_for_url(re.compile("/report-proof"))
    expect(desk.page.locator("main h1")).to_have_text("Verify a report")


@pytest.mark.parametrize("width", [1280, 360])
def test_several_workspaces_are_shown_as_one(at_desk, width):
    desk = at_desk("ines", width)
    page = desk.go("/reports")
    session = desk.api("GET", "/auth/session")
    if len(session["workspaces"]) == 1:
        expect(page.get_by_role("link", name="Consolidation")).to_have_count(0)
        desk.api("POST", "/workspace", {"name": "Finch Tools", "country": "DE"})
        desk.api("POST", "/auth/select-workspace", {"workspaceId": session["workspace"]["id"]})
    page = desk.go("/reports")
    page.get_by_role("link", name="Consolidation").click()
    for name in ("Finch Tools", "Eliminations", "Total"):
        expect(page.get_by_role("columnheader", name=name)).to_be_attached()
    expect(page.get_by_role("rowheader", name="Elimination difference")).to_be_attached()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page = desk.go("/contacts")
    desk.act("New contact")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=name]").fill(f"Finch {width}")
    dialog.locator("[name=groupWorkspaceId]").select_option(label="Finch Tools")
    with page.expect_response(lambda answer: answer.request.method == "POST") as sent:
        dialog.get_by_role("button", name="Create contact").click()
    assert sent.value.json()["data"]["groupWorkspaceId"]


@pytest.mark.parametrize("path", ["/reports/profit", "/reports/toString", "/settings/nothing"])
def test_a_page_that_there_is_not_is_not_another_one(at_desk, path):
    desk = at_desk("amara")
    page = desk.go(path)
    expect(page.locator("main h1")).to_have_text("Page not found")
    page.get_by_role("link", name="Go to the start page").click()
    expect(page.locator("main h1")).to_have_text("Home")
    assert desk.refusals() == []
