"""The pages in a real browser, if one is installed."""

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from erp.auth.setup import open_setup
from tests.conftest import Office
from tests.servers import running

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")


class Shown(HTMLParser):
    """The content of a page: its words, its buttons, and the attributes of its fields by name."""

    def __init__(self, text):
        super().__init__()
        self.words = ""
        self.fields = {}
        self.buttons = []
        self._inside = []
        self.feed(text)
        self.words = " ".join(self.words.split())

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag in ("input", "select"):
            self.fields[named.get("name")] = named
        if tag == "button":
            self.buttons.append("")
        if tag not in ("input", "link", "meta", "img"):
            self._inside.append(tag)

    def handle_endtag(self, tag):
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data):
        if self._inside and self._inside[-1] in ("script", "noscript", "option", "title"):
            return
        self.words += f" {data}"
        if "button" in self._inside:
            self.buttons[-1] += data


@pytest.fixture
def show(installation, tmp_path):
    """Open an address of the server in the browser."""
    flags = ["--headless", "--disable-gpu", "--no-first-run", "--enable-logging=stderr", "--virtual-time-budget=9000"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")

    def show(address):
        command = [BROWSER, *flags, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom", server.url + address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert not re.search(r"Uncaught|Content Security Policy|Trusted", done.stderr), done.stderr
        return Shown(done.stdout)

    with running(installation.config, installation.app) as server:
        yield show


def test_set_up_asks_for_the_first_account(show, installation):
    page = show(f"/#setup={open_setup(installation.config)}")
    assert "Welcome" in page.words
    assert {name: field.get("autocomplete") for name, field in page.fields.items()} == {
        "name": "name",
        "email": "username",
        "password": "new-password",
    }
    assert "10 to 128 characters" in page.words
    assert page.buttons == ["Show", "Continue"]


def test_the_start_page_is_for_set_up_on_this_computer_and_then_for_sign_in(show, installation):
    assert "Welcome" in show("/").words
    installation.newcomer("Olga")
    page = show("/")
    assert page.fields["password"]["autocomplete"] == "current-password"
    assert page.buttons == ["Show", "Sign in", "Register"]
    assert "This server is already set up" in show("/#setup=spent").words


def test_an_invite_says_who_invites_whom_to_what_until_it_is_used(show, acme: Office):
    anna = acme.installation.newcomer("Anna")
    invite = acme.ok("POST", "/workspace/invites", {"email": anna.email, "role": "accountant"})
    address = f"/#invite={invite['token']}"
    page = show(address)
    assert f"Join Olga's office Olga invites {anna.email} as Accountant." in page.words
    assert "everyone's payslips." in page.words[page.words.index("Sees: ") : page.words.index("Changes: ")]
    assert (page.fields["email"]["value"], "readonly" in page.fields["email"]) == (anna.email, True)
    assert page.buttons == ["Show", "Register and join", "I have already registered"]
    anna.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    assert "This invite has already been used." in show(address).words


def test_an_unknown_invite_is_refused(show, acme: Office):
    page = show("/#invite=nonsense")
    assert "This invite does not work There is no such invite." in page.words
    assert page.fields == {}


def test_a_link_asks_for_the_new_password_twice(show, acme: Office):
    token = acme.ok("POST", "/auth/password-resets", {"userId": acme.user["id"]})["token"]
    page = show(f"/#reset={token}")
    assert [field["autocomplete"] for field in page.fields.values()] == ["new-password", "new-password"]
    assert page.buttons[-1] == "Set the password"
