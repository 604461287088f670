"""Tables in a real browser, as the gallery shows them: keys, choosing, sorting, and what is drawn of long lists."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.frontend.gallery_page import called, focused, press, told

pytestmark = pytest.mark.browser


JUMP = """(row) => new Promise((resolve) => {
  const frames = [];
  const lines = () => [...document.querySelectorAll(".row-line")];
  const number = (line) => Number(line.getAttribute("aria-rowindex")) - 1;
  const isSeen = (line) => line.getBoundingClientRect().bottom > 0 && line.getBoundingClientRect().top < innerHeight;
  const note = () => frames.push({ drawn: lines().map(number), seen: lines().filter(isSeen).map(number) });
  note();
  scrollBy(0, document.querySelector("tbody").getBoundingClientRect().top + row * lines()[0].offsetHeight);
  requestAnimationFrame(function next() {
    note() < 12 ? requestAnimationFrame(next) : resolve(frames);
  });
})"""
"""Scroll to a row: which rows are drawn and seen before, and in each of the next frames."""


class TestTable:
    def test_keys_go_through_the_rows_select_and_act(self, gallery):
        page = gallery("lists")
        press(page, "j", "j")
        assert focused(page) == "INV-2026-00064"
        press(page, "x", "j", "x", "k")
        assert page.evaluate("[...selected.value].join()") == "64,63"
        page.get_by_role("region", name="Selected rows").get_by_role("button", name="Issue").click()
        page.get_by_role("link", name="INV-2026-00064").focus()
        press(page, "c")
        assert called(page) == ["issue 64,63", "copy 64"]

    def test_enter_opens_the_row(self, gallery):
        page = gallery("lists")
        press(page, "j", "Enter")
        expect(page).to_have_url(re.compile("#invoice-65$"))

    def test_p_opens_the_editor_under_the_row_and_escape_closes_it(self, gallery):
        page = gallery("lists")
        press(page, "j", "p")
        assert page.evaluate("document.activeElement.name") == "amount"
        press(page, "Escape")
        expect(page.locator(".editor-row")).to_have_count(0)
        assert focused(page) == "INV-2026-00065"
        press(page, "p", "Enter")
        told(page, "paid 65")
        assert called(page) == ["paid 65"]

    def test_what_changed_is_marked_and_a_row_that_goes_gives_the_focus_to_the_next(self, gallery):
        page = gallery("lists")
        press(page, "j", "j")
        page.evaluate("rows.value = rows.value.map((row) => row.id === '63' ? { ...row, customer: 'Changed' } : row)")
        expect(page.locator("[data-changed]")).to_have_attribute("data-row", "63")
        page.evaluate("rows.value = rows.value.filter(({ id }) => id !== '64')")
        assert focused(page) == "INV-2026-00063"

    def test_a_dot_opens_the_menu_of_the_row(self, gallery):
        page = gallery("lists")
        press(page, "j", ".")
        expect(page.get_by_role("menuitem")).to_have_text(["Payment\np", "Copy\nc"], use_inner_text=True)
        press(page, "ArrowDown", "Enter")
        assert called(page) == ["copy 65"]

    def test_an_open_menu_stays_while_its_row_changes_and_goes_with_the_row(self, gallery):
        page = gallery("lists")
        row = page.locator("[data-row='63']")
        row.get_by_role("button", name="Actions").click()
        menu = page.get_by_role("menu")
        expect(menu).to_be_visible()
        place = menu.bounding_box()
        page.evaluate("rows.value = rows.value.map((row) => row.id === '63' ? { ...row, customer: 'Changed' } : row)")
        expect(row).to_contain_text("Changed")
        assert menu.bounding_box() == place
        page.evaluate("rows.value = rows.value.filter(({ id }) => id !== '63')")
        expect(menu).to_have_count(0)

    def test_a_head_sorts_and_says_so(self, gallery):
        page = gallery("lists")
        head = page.get_by_role("columnheader", name="Date")
        expect(head).to_have_attribute("aria-sort", "descending")
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", "ascending")

    def test_of_a_long_list_only_what_is_near_is_drawn_and_more_is_read_at_its_end(self, gallery):
        page = gallery("many")
        assert page.locator(".row-line").count() < 100
        expect(page.get_by_role("table")).to_have_attribute("aria-rowcount", "10001")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        told(page, "rows=400")
        page.get_by_text("INV-2026-00200", exact=True).wait_for()
        assert page.locator(".row-line").count() < 100
        row = page.locator("[data-row='200']")
        expect(row).to_have_attribute("aria-rowindex", "201")

    @pytest.mark.parametrize(
        ("query", "rows", "told"), [("", "10001", "10000 rows"), ("&uncounted", "-1", "200+ rows")]
    )
    def test_a_list_that_is_read_in_part_says_how_long_it_is_if_it_knows(self, gallery, query, rows, told):
        page = gallery("many", query=query)
        expect(page.get_by_role("table")).to_have_attribute("aria-rowcount", rows)
        expect(page.locator("tfoot")).to_have_text(told)

    def test_after_a_jump_rows_come_a_few_a_frame_and_those_in_view_first(self, gallery):
        page = gallery("many")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        told(page, "rows=400")
        frames = page.evaluate(JUMP, 100)
        drawn, came = frames[0]["drawn"], []
        for frame in frames[1:]:
            new = [row for row in frame["drawn"] if row not in drawn]
            drawn = frame["drawn"]
            came += [new] if new else []
        assert len(came) > 2
        assert max(map(len, came)) <= 8
        seen = frames[-1]["seen"]
        assert seen[0] in came[0]
        assert set(seen) <= {row for new in came[: -(-len(seen) // 8)] for row in new}
        assert drawn == list(range(drawn[0], drawn[-1] + 1))
        assert len(drawn) >= len(seen) + 20

    def test_a_range_is_chosen_by_shift_and_all_that_match_up_to_2000(self, gallery):
        page = gallery("many", query="&chosen")
        press(page, "j", "x", "j", "j", "j", "X")
        bar = page.get_by_role("region", name="Selected rows")
        expect(bar).to_contain_text("4 selected")
        page.locator("[data-row='8'] td").last.click(modifiers=["Shift"])
        expect(bar).to_contain_text("8 selected")
        press(page, "Control+a")
        bar.get_by_role("button", name="All 10,000 that match").click()
        expect(bar).to_contain_text("2,000 selected")
        told(page, "rows=2000")

    def test_the_focus_goes_to_rows_that_were_not_drawn(self, gallery):
        page = gallery("many")
        press(page, *["j"] * 120)
        assert focused(page) == "INV-2026-00120"


def test_rows_of_unequal_height_are_where_one_scrolls_to(gallery):
    """Rows of one to four lines: there is a row in the middle of the window wherever one goes, and in order."""
    page = gallery("many", query="&uneven")
    page.locator("[data-row]").first.wait_for()
    seen = page.evaluate(
        """async () => {
          const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const middle = () => document.elementFromPoint(300, innerHeight / 2)?.closest("[data-row]")?.dataset.row;
          const seen = [];
          for (const share of [0.2, 0.5, 0.9, 0.4, 0.1]) {
            scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight));
            for (let n = 0; n < 20; n += 1) await drawn();
            seen.push(Number(middle()));
          }
          scrollTo(0, 0);
          for (let n = 0; n < 20; n += 1) await drawn();
          return [...seen, Number(document.querySelector("[data-row]").dataset.row)];
        }"""
    )
    fifth, half, most, less, tenth, first = seen
    assert first == 1
    assert tenth < fifth < less < half < most
    heights = page.evaluate(
        """() => [...document.querySelectorAll("tr.row-line")].every((row, at, all) =>
          at === 0 || Math.abs(all[at - 1].getBoundingClientRect().bottom - row.getBoundingClientRect().top) < 2)"""
    )
    assert heights
