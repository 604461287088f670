"""What one sees at a glance: days and amounts as people write them, what is current in view, and nothing cut off."""

import itertools
import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def test_columns_of_a_report_name_their_days_as_people_write_them(at_desk):
    page = at_desk("amara").go("/reports/balance-sheet?date=2026-01-31&compareDate=2025-12-31")
    heads = page.locator("table.report thead th")
    expect(heads.nth(1)).to_have_text("31 Jan 2026")
    expect(heads.nth(2)).to_have_text("31 Dec 2025")


def test_amounts_below_zero_have_a_minus_sign_in_every_list(at_desk):
    desk = at_desk("amara")
    for path in ("/contacts", "/accounts", "/payments"):
        page = desk.go(path)
        page.locator("td.at-figure", has_text="−").first.wait_for()
        expect(page.locator("td.at-figure", has_text=re.compile(r"-[\d€£$]"))).to_have_count(0)


def test_the_five_columns_of_the_board_fit_a_desk(at_desk):
    page = at_desk("mei").go("/board")
    columns = page.locator(".board-column")
    expect(columns).to_have_count(5)
    expect(columns.last.locator("header")).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_week_shows_today_and_arrows_go_to_the_week_before(at_desk):
    desk = at_desk("mei", 360)
    desk.page.clock.set_fixed_time("2026-11-28T10:00:00")  # a Saturday, six columns along
    page = desk.go("/time")
    expect(page.locator(".week .is-today")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Previous week").click()
    page.wait_for_url(re.compile("week="))
    expect(page.locator(".week .is-today")).to_have_count(0)


@pytest.mark.parametrize("path", ["/close/year", "/contacts/{hansen}", "/bills?columns=supplierNumber,net,due"])
def test_on_a_phone_nothing_of_a_table_is_cut_off(at_desk, path):
    desk = at_desk("amara", 360)
    hansen = desk.api("GET", "/finance/contacts?q=Hansen&limit=1")[0]["id"]
    page = desk.go(path.format(hansen=hansen))
    page.locator("main table tbody tr").nth(3).wait_for()
    cut = """() => [...document.querySelectorAll("main td, main .scrolls")]
      .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
    assert page.evaluate(cut) == []


def test_no_name_of_the_sidebar_is_cut_in_german(at_desk):
    desk = at_desk("amara")
    desk.api("PATCH", "/auth/preferences", {"locale": "de"})
    page = desk.go("/recurring")
    names = page.locator(".nav-name:visible")
    expect(names.filter(has_text="Wiederkehrende Belege")).to_be_visible()
    assert names.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0
    desk.api("PATCH", "/auth/preferences", {"locale": "en"})


def test_on_a_phone_a_button_at_the_foot_lies_beside_the_round_one(at_desk):
    page = at_desk("amara", 360).go("/bank")
    foot = page.locator(".bank-foot .button")
    foot.wait_for()
    assert edge(foot.bounding_box()) < page.locator(".making").bounding_box()["x"]


@pytest.mark.parametrize("width", [1280, 360])
def test_a_chart_has_a_scale_from_zero_and_the_values_of_the_month_that_one_looks_at(at_desk, width):
    page = at_desk("amara", width).go("/")
    chart = page.locator(".chart", has_text="Income and expenses by month")
    months = chart.locator(".chart-picture a")
    months.last.wait_for()
    scale = chart.locator(".chart-text[text-anchor=end]").all_text_contents()
    assert scale[0] == "0"
    assert 4 <= len(scale) <= 6
    assert all(text.endswith("\u00a0k") for text in scale[1:])
    values = chart.locator(".chart-value")
    expect(values).to_have_count(0)
    months.last.focus()
    expect(values).to_have_count(3)  # the last is the income of the same month a year before
    label = months.last.get_attribute("aria-label")
    assert all(text in label for text in values.all_text_contents())
    assert all(chart.locator(".chart-ground").nth(at).bounding_box()["width"] > 40 for at in range(3))
    picture = chart.locator(".chart-picture").bounding_box()
    start = max(edge(box) for box in (mark.bounding_box() for mark in chart.locator("[text-anchor=end]").all()))
    for month, count in ((months.last, 3), (months.first, 2)):
        month.focus()  # a month without income a year before has no value of it
        expect(values).to_have_count(count)
        boxes = [value.bounding_box() for value in values.all()]
        assert all(start <= box["x"] and edge(box) <= edge(picture) + 1 for box in boxes), "clear of the scale, uncut"
        heights = sorted(box["y"] for box in boxes)
        assert all(below - above >= 13 for above, below in itertools.pairwise(heights))


def edge(box):
    return box["x"] + box["width"]
