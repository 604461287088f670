"""The documentation page in a real browser, if one is installed."""

import os
import re
import shutil
import subprocess

import pytest

from tests.servers import running

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")


@pytest.fixture
def show(installation, tmp_path):
    """Open an address of the server in the browser; the page after its scripts ran."""
    flags = ["--headless", "--disable-gpu", "--no-first-run", "--enable-logging=stderr", "--virtual-time-budget=9000"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")

    def show(address):
        command = [BROWSER, *flags, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom", server.url + address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        assert not re.search(r"Uncaught|Content Security Policy", done.stderr), done.stderr
        return done.stdout

    with running(installation.config, installation.app) as server:
        yield show


def test_operations_are_grouped_and_collapsed_until_one_searches(show):
    page = show("/api/docs")
    assert 'id="operations-tag-finance"' in page
    assert page.count('class="opblock ') == 0
    assert re.search(r'<section id="operations" hidden', page)
    assert re.search(r'<search id="search">', page)


def test_a_search_finds_an_operation_by_a_field_that_it_takes(show):
    page = show("/api/docs?q=priceBaseQuantity+preview")
    assert re.search(r"1 of \d+ operations", page)
    assert page.count('class="opblock ') == 1
