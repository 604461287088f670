"""Home: its blocks by right, each figure with the list behind it, and their arrangement."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def titles(page):
    return page.locator(".home > .card h2").all_inner_texts()


def usual(home):
    """The titles of an owner's blocks, in their order."""
    first, *others = [
        "Waiting for you",
        "Today",
        "Deadlines",
        "Bank and cash",
        "Due amounts",
        "Result",
        "Hours",
        "Away",
    ]
    keeps_attendance = home["clock"] and home["clock"]["keepsAttendance"]
    return [first, *(["Attendance"] if keeps_attendance else []), *others]


def test_an_owner_reads_the_figures_of_each_block(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    home = desk.api("GET", "/workspace/home")
    assert titles(page) == usual(home)
    expect(page.locator(".home .chart-picture a")).to_have_count(13 + 12)
    deadlines = page.get_by_role("list", name="Deadlines")
    expect(deadlines.locator("li")).to_have_count(len(home["deadlines"]))
    expect(deadlines.locator("li").filter(has_text="Backup elsewhere")).to_contain_text("none yet")
    last = [month for month in home["result"]["months"] if float(month["incomeBefore"])][-1]
    before = f"Income a year earlier {float(last['incomeBefore']):,.2f}"
    expect(page.locator(".chart-picture a", has=page.locator(".chart-mark")).last).to_have_accessible_name(
        re.compile(re.escape(before) + "$")
    )
    page.locator("details.more", has_text="Income a year earlier").locator("summary").click()
    expect(page.locator(".chart tr", has_text="Income a year earlier")).to_be_visible()
    cash = home["cash"]
    assert float(cash["lowest"]["balance"]) <= float(cash["bank"])
    expect(page.get_by_role("link", name=re.compile("^Lowest"))).to_contain_text(f"{float(cash['overdue']):,.2f}")
    assert (desk.refusals(), desk.is_wide()) == ([], False)


def test_a_figure_leads_to_the_list_that_adds_up_to_it(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    home = desk.api("GET", "/workspace/home")
    late = page.get_by_role("link", name=re.compile("Receivables overdue"))
    expect(late).to_contain_text(f"{float(home['due']['in']['overdue']):,.2f}")
    late.click()
    expect(page.locator("main h1")).to_have_text("Open items")
    expect(
        page.get_by_role("tab", name="Receivables").or_(page.get_by_role("link", name="Receivables"))
    ).to_be_visible()
    expect(page.get_by_text(f"{home['due']['in']['overdueCount']} items")).to_be_visible()
    desk.go("/").get_by_role("link", name=re.compile("Not invoiced")).click()
    expect(page.locator("main h1")).to_have_text("Time entries")
    minutes = home["hours"]["unbilledMinutes"]
    expect(page.locator("main")).to_contain_text(f"{minutes // 60}:{minutes % 60:02}")


def test_the_blocks_are_arranged_by_keyboard_and_the_server_keeps_it(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    before = usual(desk.api("GET", "/workspace/home"))
    desk.press("Control+k")
    desk.type("Arrange")
    expect(page.get_by_role("option").first).to_contain_text("Arrange")
    desk.press("Enter")
    dialog = page.get_by_role("dialog", name="Arrange")
    expect(dialog.get_by_role("checkbox", name="Waiting for you")).to_be_focused()
    desk.press("Alt+ArrowDown", "Alt+ArrowDown")
    expect(dialog.get_by_role("checkbox", name="Waiting for you")).to_be_focused()
    expect(dialog.locator("li").nth(2)).to_have_text("Waiting for you")
    dialog.get_by_role("checkbox", name="Deadlines").focus()
    desk.keys = 2  # to here, the keys that open it; then to put a block away
    desk.press("ArrowDown")
    expect(dialog.get_by_role("checkbox", name="Bank and cash")).to_be_focused()
    desk.press("Space", "Enter")
    assert desk.keys == 5
    dialog.wait_for(state="detached")
    moved = [*before[1:3], before[0], *before[3:]]
    expect(page.get_by_role("heading", name="Bank and cash")).to_have_count(0)
    assert titles(page) == [title for title in moved if title != "Bank and cash"]
    expect(page.locator("body:focus")).to_have_count(0)
    desk.go("/")
    assert titles(page) == [title for title in moved if title != "Bank and cash"], "the server keeps it"
    desk.act("Arrange")
    page.get_by_role("button", name="As it was").click()
    expect(page.get_by_role("heading", name="Bank and cash")).to_be_visible()
    assert titles(page) == before


def test_a_member_sees_their_clock_their_tasks_and_their_week(at_desk):
    desk = at_desk("mei", width=360, locale="de-DE")
    page = desk.go("/")
    shown = titles(page)
    assert [title for title in shown if title not in ("Waiting for you", "Wartet auf Sie")] in (
        ["Anwesenheit", "Heute", "Woche"],
        ["Attendance", "Today", "Week"],
    )
    figures = page.locator(".home .figures").last.locator(".figure-card")
    tops = [box["y"] for box in (figures.nth(at).bounding_box() for at in range(2))]
    assert tops[0] == tops[1], "two figures stand side by side on a phone"
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    desk.act(re.compile("Anordnen|Arrange"))
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li").first).to_be_visible()
    names = dialog.locator("li").all_inner_texts()
    assert not any(re.search("Cash|Geld|Fristen|Deadlines", name) for name in names), "by right, not by role"
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
