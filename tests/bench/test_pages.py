"""How soon the pages answer in a browser: P25."""

import statistics
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.figures import Figures
from tests.bench.offices import Books
from tests.conftest import PASSWORD
from tests.frontend.conftest import CHROMIUM

LINES = 100
KEYS = 40
WATCH_KEYS = """() => {
  window.took = [];
  let began = 0;
  addEventListener("keydown", () => { began = performance.now(); }, { capture: true });
  addEventListener("input", () => {
    document.body.getBoundingClientRect();
    window.took.push(performance.now() - began);
  });
}"""
SCROLL = """() => new Promise((resolve) => {
  const frames = [];
  let before = performance.now();
  let last = -1;
  let waits = 0;
  requestAnimationFrame(function next(now) {
    frames.push(now - before);
    before = now;
    scrollBy(0, 800);
    waits = scrollY === last ? waits + 1 : 0;
    last = scrollY;
    waits > 120 ? resolve([frames.slice(1), scrollY]) : requestAnimationFrame(next);
  });
})"""


@pytest.fixture
def page(busy: Books) -> Iterator[Any]:
    """A page of the office with 10,000 tasks, signed in."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=busy.desk.server.url, viewport={"width": 1280, "height": 820})
        for path, body in (
            ("sign-in/email", {"email": "olga@example.com", "password": PASSWORD}),
            ("select-workspace", {"workspaceId": busy.id}),
        ):
            page.request.post(f"/api/v1/auth/{path}", data=body, headers={"Origin": busy.desk.server.url})
        yield page
        browser.close()


@pytest.mark.bench("P25")
def test_a_key_in_an_editor_of_100_lines_is_shown_within_a_frame(figures: Figures, page: Any):
    page.goto("/invoices/new")
    for number in range(LINES):
        page.locator(f"[name='lines[{number}].description']").focus()
        page.keyboard.press("Enter")
    page.locator(f"[name='lines[{LINES // 2}].description']").focus()
    page.evaluate(WATCH_KEYS)
    for _ in range(KEYS):
        page.keyboard.press("a", delay=20)
    took = page.evaluate("took")
    line = f"from a key to its layout with {LINES} lines, {max(took):.1f} at most of {KEYS}"
    figures.within("P25", statistics.median(took), 16, line)


@pytest.mark.bench("P25")
def test_a_list_of_10_000_scrolls_without_a_long_frame(figures: Figures, page: Any):
    page.goto("/tasks")
    page.locator("main .row-link").first.wait_for()
    frames, height = page.evaluate(SCROLL)
    longest = round(max(frames))  # three frames of a screen are 50.0 to 50.1 ms
    slow = sum(round(frame) > 50 for frame in frames)
    line = f"for the worst of {len(frames)} frames while {height:,.0f} px of 10,000 rows pass, {slow} over 50"
    figures.within("P25", longest, 50, line)
