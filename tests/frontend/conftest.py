"""A real browser for the pages: Playwright drives the Chromium that is installed."""

import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from erp.app import create_app
from erp.demo import filling
from erp.kernel import config
from erp.kernel.config import Config
from erp.system.backups import backups
from erp.web.pages.sprite import sprite
from erp.web.pages.static import POLICY, frontend
from tests.demo.company import PASSWORD

try:
    from playwright.sync_api import expect as expect
except ImportError:  # every test that would use it is skipped, for want of the browser
    expect = None  # type: ignore[assignment]

TIMEOUT = 20_000
"""How long, in milliseconds, a page may take to show what a test expects of it."""
NAMED = re.compile("[^…]")
"""A heading that is not yet known is shown as three dots, and what is done with a record comes with its name."""
DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
LOSE = """(path) => {
  const real = window.fetch;
  window.fetch = async (address, options) => {
    const answer = await real(address, options);
    if (options?.method !== "POST" || new URL(address, location.href).pathname !== path) return answer;
    window.fetch = real;
    throw new TypeError("lost");
  };
}"""
HOLD = """(path) => {
  const real = window.fetch;
  const released = new Promise((done) => window.release = () => {
    window.fetch = real;
    done();
  });
  window.fetch = async (address, options) => {
    const answer = await real(address, options);
    if (new URL(address, location.href).pathname === path) await released;
    return answer;
  };
}"""
OFFER_LONGER = """
  const real = window.setTimeout;
  window.setTimeout = (work, after, ...more) =>
    real(work, after === 5000 || after === 8000 ? 120000 : after, ...more);
"""
FRONTEND = Path(__file__).parents[2] / "erp" / "frontend"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
"""The one without a window, where it is there, takes two thirds of the time."""


def today() -> date:
    """Today where the company is: from 22 or 23 o'clock of UTC, the day after."""
    return datetime.now(ZoneInfo("Europe/Berlin")).date()


def a_month_ago(day=1):
    """A day of the last month, which is neither locked nor in the future."""
    return (today().replace(day=1) - timedelta(days=1)).replace(day=day)


def short(day):
    """A day as an English page shows it."""
    return f"{day.day} {day:%b %Y}".replace("Sep ", "Sept ")


def first_request(desk, name):
    """The first day of the earliest leave that someone of the company has asked for."""
    asked = desk.api("GET", "/hr/leaves?status=pending&limit=200")
    return date.fromisoformat(min(one["startDate"] for one in asked if one["employeeName"].startswith(name)))


@pytest.fixture(scope="session")
def chromium():
    """The browser, for the whole run."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    flags = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    playwright.expect.set_options(timeout=TIMEOUT)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """A fresh tab of a browser that nobody is signed in to; the page must say nothing on the console."""
    context = chromium.new_context(locale="en-GB", timezone_id="Europe/Berlin", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.complaints = complaints
    yield page
    context.close()
    assert complaints == []


class _Files(http.server.SimpleHTTPRequestHandler):
    """The frontend's files and the tests beside them, under the policy of the real page."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def translate_path(self, path):
        root, name = (Path(__file__).parent, path[6:]) if path.startswith("/tests/") else (FRONTEND, path)
        return str(root / name.split("?")[0].lstrip("/"))

    def do_GET(self):
        if self.path == "/":
            self._send(b'<!doctype html><html lang="en"><title>tests</title><link rel="icon" href="/icon.svg"><body>')
        elif self.path == "/sheet.css":
            self._send(frontend()[1]["sheet.css"].content, "text/css")
        elif self.path == "/icons.svg":
            self._send(sprite((FRONTEND / "icons.txt").read_text("utf-8").split()), "image/svg+xml")
        else:
            super().do_GET()

    def _send(self, content, media_type="text/html; charset=utf-8"):
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *args):
        pass


class _FileServer(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):  # a page that is left reads no further
            super().handle_error(request, client_address)


@pytest.fixture(scope="session")
def files():
    """The address of a server of the frontend's files, at `/`, and of the tests, at `/tests/`."""
    server = _FileServer(("127.0.0.1", 0), _Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def gallery(tab, files):
    """Show parts of the gallery."""

    def gallery(*parts, query=""):
        tab.goto(f"{files}/tests/gallery/index.html?parts={','.join(parts)}{query}")
        tab.locator(".shell").wait_for()
        return tab

    return gallery


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory):
    """The data of the demonstration company with its backup of the day, created once and only copied from there."""
    settings = Config(data_dir=tmp_path_factory.mktemp("demo") / "data")
    filling.fill(settings, create_app)
    with config.use(settings):
        backups.make("daily")
    return settings.data_dir


@contextmanager
def served(folder, *options):
    """A server of its own process on a data directory; its address."""
    command = [sys.executable, "-m", "erp", "serve", "--data-dir", folder, "--port", "0", "--no-browser", *options]
    quiet = {**os.environ, "ERP_NO_MDNS": "true"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=quiet) as server:
        try:
            assert server.stdout is not None
            yield next(line.split()[-1] for line in server.stdout if "is ready at" in line)
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def company(demo_folder, tmp_path_factory):
    """The demonstration company in the browser, one for the tests of a module."""
    folder = shutil.copytree(demo_folder, tmp_path_factory.mktemp("company") / "data")
    with served(folder) as address:
        yield address


@pytest.fixture
def newcomer(tmp_path, tab):
    """A server that nobody has set up yet; the tab leaves it before it stops, since a page may still ask for more."""
    with served(tmp_path / "data") as address:
        yield address
        tab.goto("about:blank")


class Desk:
    """Somebody at work: a page of the company that they are signed in to, and what they count there."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        self.keys = 0
        self.quiet = True  # whether the browser may not even complain about a refusal
        self.asked: set[Any] = set()  # the requests that have no answer yet
        self.complaints: list[str] = []  # of the pages of all desks of a test
        page.on("request", lambda request: self.asked.add(request))
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self.asked.discard(request))

    def go(self, path):
        """Open an address and wait until its screen is there and knows what it shows."""
        self.page.goto(self.address + path)
        expect(self.page.locator("main h1")).to_have_text(NAMED)
        expect(self.page.locator("main [aria-busy=true]")).to_have_count(0)
        self.page.evaluate(DRAWN)  # the focus is set a frame after the screen is drawn
        return self.page

    def settle(self):
        """Wait until all that the page has asked for is there and drawn, and has asked for nothing more."""
        until = time.monotonic() + TIMEOUT / 1000
        quiet = 0
        while quiet < 2:
            assert time.monotonic() < until, [request.url for request in self.asked]
            self.page.evaluate(DRAWN)
            quiet = 0 if self.asked else quiet + 1

    def offer_undo_longer(self):
        """Let the pages that are opened from now on offer Undo for two minutes: seconds are few on a slow machine."""
        self.page.add_init_script(OFFER_LONGER)

    def come_back(self):
        """Come back to the page from another: it asks for changes at once, not at its next turn."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def lose_answer(self, path):
        """Let the next POST to a path arrive, but not its answer, as where the Wi-Fi breaks between them.

        The page itself loses it: a route of Playwright is continued a second time under load.
        """
        self.page.evaluate(LOSE, f"/api/v1{path}")

    @contextmanager
    def held(self, path):
        """Keep the answers of a path from the page until the block ends; the page itself does, as in `lose_answer`."""
        self.page.evaluate(HOLD, f"/api/v1{path}")
        yield
        self.page.evaluate("release()")

    def press(self, *keys):
        """Press keys, and count them."""
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def type(self, text):
        """Type a text, whose letters are not counted: what people write is theirs."""
        self.page.keyboard.type(text)

    def act(self, name):
        """Do an action of the page: by its button, or from the menu where the page has no room for it."""
        self.settle()
        main = self.page.get_by_role("main")
        button, more = main.get_by_role("button", name=name), main.get_by_role("button", name="More actions")
        button.or_(more).first.wait_for()
        if not button.count():
            more.click()
        button.or_(self.page.get_by_role("menuitem", name=name)).first.click()

    def api(self, verb, path, body=None):
        """Ask the server as this person, beside the page."""
        headers = {"Origin": self.address}
        answer = self.page.context.request.fetch(
            f"{self.address}/api/v1{path}", method=verb, data=body, headers=headers
        )
        return answer.json()["data"]

    def refusals(self):
        """The axe findings of the page as it stands."""
        return refusals(self.page)

    def is_wide(self):
        """Whether the page has to be scrolled sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def refusals(page):
    """The axe findings of a page as it stands."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], [each["target"] for each in one["nodes"]][:3]) for one in found]


def said(desk, text):
    """What the console says, but for the browser's own line about a refusal that a test provokes."""
    return () if "Failed to load resource" in text and not desk.quiet else (text,)


def sign_in(desk, who):
    """Sign somebody of the company in, unless their cookies still do so; the cookies."""
    known = {"email": f"{who}@alderfinch.example", "password": PASSWORD}
    is_signed_in = desk.page.context.request.get(f"{desk.address}/api/v1/auth/session").ok
    session = desk.api("GET", "/auth/session") if is_signed_in else desk.api("POST", "/auth/sign-in/email", known)
    desk.api("POST", "/auth/select-workspace", {"workspaceId": session["workspaces"][0]["id"]})
    return desk.page.context.cookies()


@pytest.fixture(scope="module")
def signed_in():
    """The cookies of those who have signed in to the company: to check a password takes as long as to open a page."""
    return {}


@contextmanager
def desks(chromium, company, signed_in):
    """Open desks at the demonstration company, and close them at the end; nothing may have been complained of."""
    contexts = []
    complaints: list[str] = []

    def open_desk(who="ines", width=1280, scheme="light", locale="en-GB"):
        height = 740 if width < 640 else 820
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=locale,
            reduced_motion="reduce",
            has_touch=width < 640,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.extend({request.url} if company not in request.url else ()))
        desk = Desk(page, company)
        desk.complaints = complaints
        page.on("console", lambda message: complaints.extend(said(desk, message.text)))
        context.add_cookies(signed_in.get(who, ()))
        signed_in[who] = sign_in(desk, who)
        return desk

    yield open_desk
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def at_desk(chromium, company, signed_in):
    """Sign somebody of the demonstration company in: `at_desk("amara")`, at a width, in a scheme, in a language."""
    with desks(chromium, company, signed_in) as open_desk:
        yield open_desk
