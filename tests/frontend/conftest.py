"""A real browser for the pages: Playwright drives the Chromium that is installed."""

import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

from erp.web.sprite import sprite
from erp.web.static import POLICY

FRONTEND = Path(__file__).parents[2] / "erp" / "frontend"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def chromium():
    """The browser, for the whole run."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    flags = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """A fresh tab of a browser that nobody is signed in to; the page must say nothing on the console."""
    context = chromium.new_context(locale="en-GB", timezone_id="Europe/Berlin", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(10_000)
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


@pytest.fixture(scope="session")
def files():
    """The address of a server of the frontend's files, at `/`, and of the tests, at `/tests/`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
