"""The cookies of two servers on one computer, in a browser that gives each of them those of both."""

import json
import shutil
from contextlib import ExitStack
from http.cookiejar import Cookie, CookieJar
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest

from erp.app import application
from erp.kernel.config import Config
from tests.conftest import PASSWORD
from tests.servers import running

HOST = "127.0.0.1"


class Browser:
    """A jar of cookies, which knows hosts, but no ports (RFC 6265, 8.5)."""

    def __init__(self):
        self.jar = CookieJar()
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(self.jar))

    def names(self):
        return {cookie.name for cookie in self.jar}

    def name_of(self, kind):
        (name,) = (name for name in self.names() if name.startswith(f"erp_{kind}_"))
        return name

    def plant(self, name, value):
        self.jar.set_cookie(
            Cookie(0, name, value, None, False, HOST, False, False, "/", True, False, None, True, None, None, {})
        )

    def call(self, url, verb, path, body=None):
        headers = {"Content-Type": "application/json", "Origin": url, "Sec-Fetch-Site": "same-origin"}
        content = None if body is None else json.dumps(body).encode()
        request = Request(f"{url}/api/v1{path}", content, headers, method=verb)
        try:
            with self.opener.open(request) as answer:
                return answer.status, json.load(answer)["data"]
        except HTTPError as refusal:
            return refusal.code, json.load(refusal)["error"]["code"]

    def sign_in(self, url, email):
        status, data = self.call(url, "POST", "/auth/login", {"email": email, "password": PASSWORD})
        assert status == 200, data
        return data["session"]["token"]

    def who(self, url):
        status, data = self.call(url, "GET", "/auth/session")
        return data["user"]["name"] if status == 200 else data


@pytest.fixture
def two(installation, tmp_path):
    """The addresses of a server where Anna has registered, and of one on a copy of its folder; and her address."""
    anna = installation.newcomer("Anna")
    folders = installation.config.data_dir, tmp_path / "copy"
    shutil.copytree(*folders)
    with ExitStack() as servers:
        made = (Config(data_dir=folder) for folder in folders)
        started = [servers.enter_context(running(each, application(each))) for each in made]
        yield *(server.url for server in started), anna.email


def test_someone_stays_signed_in_to_two_servers_on_one_computer(two):
    here, there, email = two
    browser = Browser()
    browser.sign_in(here, email)
    assert browser.who(there) == "not_authenticated"
    browser.sign_in(there, email)
    assert (browser.who(here), browser.who(there)) == ("Anna", "Anna")
    kinds = [name.rpartition("_") for name in sorted(browser.names())]
    assert [kind for kind, *_ in kinds] == ["erp_device"] * 2 + ["erp_session"] * 2
    marks = [mark for *_, mark in kinds]
    assert len(set(marks)) == 2
    assert all(len(mark) == 8 and int(mark, 16) >= 0 for mark in marks)
    assert browser.call(here, "POST", "/auth/logout")[0] == 200
    assert (browser.who(here), browser.who(there)) == ("not_authenticated", "Anna")


def test_cookies_of_earlier_names_count_and_are_renamed(two):
    here, there, email = two
    first = Browser()
    token, (now, device) = first.sign_in(here, email), (first.name_of("session"), first.name_of("device"))
    marks = next(cookie.value for cookie in first.jar if cookie.name == device)
    port = here.rpartition(":")[2]
    for old in ("erp_session", f"erp_session_{port}"):
        browser = Browser()
        browser.plant(old, token)
        assert browser.who(there) == "not_authenticated"
        assert browser.names() == {old}, "it is another server's"
        assert browser.who(here) == "Anna"
        (renamed,) = browser.jar
        assert (renamed.name, renamed.value, renamed.is_expired()) == (now, token, False)
        assert browser.who(here) == "Anna"
    browser.plant("erp_device", marks)
    browser.sign_in(here, email)
    assert browser.names() == {now, device}
    out = Browser()
    out.plant("erp_session", token)
    assert out.call(here, "POST", "/auth/logout")[0] == 200
    assert (out.names(), first.who(here)) == (set(), "not_authenticated")
