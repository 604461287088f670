"""Behind a real nginx, with the configuration block that the documentation shows."""

import hashlib
import logging
import re
from contextlib import ExitStack, closing

import pytest

from erp.app import create_app
from erp.auth.setup import open_setup
from erp.kernel.config import Config
from erp.web.edge import client_address
from tests.conftest import PASSWORD
from tests.docs.pages import blocks, page
from tests.proxies import NAME, OLGA, Client, free_port, made_keys, needs, nginx, replaced
from tests.servers import running

needs_nginx = needs("nginx", "openssl")


def block():
    (found,) = blocks(page("operating"), "proxy", "nginx")
    return found


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return made_keys(tmp_path_factory.mktemp("keys"), NAME)


def in_front(folder, keys, port, backend):
    server = replaced(
        block(),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/erp.example.com.crt", str(keys / "erp.crt")),
        ("/etc/ssl/erp.example.com.key", str(keys / "erp.key")),
        ("127.0.0.1:8420", backend.removeprefix("http://")),
    )
    return nginx(folder, port, server)


class Proxied:
    """A server behind its proxy."""

    def __init__(self, keys, port, config):
        self.keys, self.port, self.url = keys, port, config.public_url
        self.code = open_setup(config)
        self.clients = ExitStack()

    def client(self, source="127.0.0.1"):
        return self.clients.enter_context(closing(Client(self.keys, self.port, source)))

    def set_up(self):
        answer, content = self.client().call("POST", "/auth/register", {**OLGA, "name": "Olga", "setupCode": self.code})
        assert answer.status == 201, content


@pytest.fixture
def behind(tmp_path, keys):
    port = free_port()
    config = Config(data_dir=tmp_path / "data", public_url=f"https://{NAME}:{port}", registration="invite")
    app = create_app(config)
    with running(config, app) as server, in_front(tmp_path / "nginx", keys, port, server.url):
        proxied = Proxied(keys, port, config)
        with proxied.clients:
            yield proxied


@needs_nginx
def test_no_one_counts_as_local_and_the_setup_code_lets_the_first_one_in(behind):
    _, content = behind.client().call("POST", "/auth/register", {**OLGA, "name": "Olga"})
    assert content["error"]["code"] == "registration_closed"
    assert not behind.client().call("GET", "/auth/register")[1]["data"]["isOpenToYou"]
    behind.set_up()


@needs_nginx
def test_a_browser_signs_in_by_a_cookie_that_no_other_name_and_no_plain_connection_can_set(behind):
    behind.set_up()
    client = behind.client()
    cookie = client.sign_in()
    assert cookie.startswith("__Host-erp_session_")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    answer, content = client.call("GET", "/auth/session")
    assert content["data"]["user"]["email"] == OLGA["email"]
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


@needs_nginx
@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Origin": "https://evil.example"}, "cross_site"),
        ({"Origin": f"http://{NAME}"}, "cross_site"),
        ({"Sec_Fetch_Site": "cross-site"}, "cross_site"),
        ({"Host": "evil.example"}, "host_rejected"),
        ({"Host": NAME + ":1"}, "host_rejected"),
        ({"X_Forwarded_Host": "evil.example", "Origin": "https://evil.example"}, "cross_site"),
    ],
    ids=str,
)
def test_pages_and_names_of_others_are_refused(behind, headers, code):
    _, content = behind.client().call("POST", "/auth/sign-in/email", OLGA, **headers)
    assert content["error"]["code"] == code


@needs_nginx
def test_links_and_pages_are_those_of_the_public_address(behind):
    behind.set_up()
    client = behind.client()
    client.sign_in()
    workspace = client.call("POST", "/workspace", {"name": "Acme"})[1]["data"]["id"]
    client.kept["X-Workspace-Id"] = workspace
    _, invite = client.call("POST", "/workspace/invites", {"email": "anna@example.com", "role": "member"})
    assert invite["data"]["acceptUrl"].startswith(f"{behind.url}/#invite=")
    answer, page = client.ask("GET", "/")
    assert (answer.status, b"/static/" in page) == (200, True)
    (module,) = re.findall(r'src="([^"]+app\.js)"', page.decode())
    assert client.ask("GET", module)[0].headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert behind.url.encode() in client.ask("GET", "/api/v1/system/qr")[1]


@needs_nginx
def test_guessing_passwords_makes_only_ones_own_address_wait(behind):
    behind.set_up()
    guesser, colleague = behind.client("127.0.0.1"), behind.client("127.0.0.2")
    wrong = {**OLGA, "password": "wrong horse battery"}
    statuses = [guesser.call("POST", "/auth/sign-in/email", wrong)[0].status for _ in range(7)]
    assert statuses == [401] * 6 + [429]
    for pretended in ("127.0.0.2", "127.0.0.2, 203.0.113.9", '"', "::1"):
        answer, _ = guesser.call("POST", "/auth/sign-in/email", wrong, X_Forwarded_For=pretended)
        assert answer.status == 429, pretended
    assert colleague.call("POST", "/auth/sign-in/email", wrong)[0].status == 401
    colleague.sign_in()


@needs_nginx
def test_the_list_of_sign_ins_and_the_log_name_the_address_of_the_client(behind, caplog):
    caplog.set_level(logging.INFO, "erp.access")
    behind.set_up()
    client = behind.client("127.0.0.3")
    client.kept = {"X-Forwarded-For": "203.0.113.9"}
    client.sign_in()
    _, sessions = client.call("GET", "/auth/sessions")
    assert [each["address"] for each in sessions["data"] if each["isCurrent"]] == ["127.0.0.3"]
    logged = [record.__dict__ for record in caplog.records if record.name == "erp.access"]
    assert logged[-1]["address"] == "127.0.0.3"
    assert "203.0.113.9" not in {record.get("address") for record in logged}


@needs_nginx
def test_a_body_is_refused_at_the_same_sizes_as_without_a_proxy(behind):
    for size in (2 << 20, 25 << 20):
        answer, content = behind.client().call("POST", "/auth/login", b" " * size)
        assert (answer.status, content["error"]["code"]) == (413, "too_large")
    answer, _ = behind.client().ask("POST", "/api/v1/auth/login", b" " * (27 << 20))
    assert answer.status == 413


@needs_nginx
def test_a_large_download_arrives_whole(tmp_path, keys):
    pieces = [bytes([number]) * (1 << 20) for number in range(48)]

    def download(environ, start_response):
        start_response("200 OK", [("Content-Type", "application/zip")])
        return iter(pieces)

    port = free_port()
    config = Config(data_dir=tmp_path, public_url=f"https://{NAME}:{port}")
    with (
        running(config, download) as server,
        in_front(tmp_path / "nginx", keys, port, server.url),
        closing(Client(keys, port)) as client,
    ):
        _, content = client.ask("GET", "/backup.zip")
    assert hashlib.sha256(content).digest() == hashlib.sha256(b"".join(pieces)).digest()


def test_without_a_public_address_no_one_chooses_their_own_address(installation):
    olga = installation.newcomer("Olga")
    who = {"email": olga.email, "password": PASSWORD}
    installation.call("POST", "/auth/login", who, headers={"X-Forwarded-For": "203.0.113.9"})
    addresses = {each["address"] for each in olga.ok("GET", "/auth/sessions")}
    assert addresses == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "address"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("::1", "192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "2001:DB8::0:7", "2001:db8::7"),
        ("127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.7, unknown", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.7,", "127.0.0.1"),
        ("127.0.0.1", None, "127.0.0.1"),
        ("192.0.2.9", "192.0.2.7", "192.0.2.9"),
    ],
)
def test_only_a_proxy_on_this_computer_names_the_client_and_only_in_the_last_place(peer, forwarded_for, address):
    assert client_address(peer, forwarded_for) == address
