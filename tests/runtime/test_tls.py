"""https without a proxy: the certificate, connections, renewals, and what plain http may still reach."""

import base64
import datetime
import hashlib
import os
import re
import ssl
import stat
from contextlib import contextmanager
from functools import partial

import falcon.testing
import pytest
from cryptography import x509

from erp.app import create_app
from erp.kernel import config as configuration
from erp.kernel.config import BadOption, Config
from erp.runtime.channel import Limits
from erp.runtime.instance import CannotStart
from erp.runtime.server import Server, bind
from erp.runtime.tls import authority
from erp.runtime.tls.certificates import Certificates
from erp.runtime.tls.channel import SecureChannel
from tests.servers import answer, connection, get, office, running

NAMES = ("localhost", "127.0.0.1", "192.168.7.5", "office", "office.local")
TODAY = datetime.datetime(2026, 3, 11, 12, tzinfo=datetime.UTC)


@pytest.fixture
def secure(tmp_path):
    return Config(data_dir=tmp_path, tls=True, lan=True, host="0.0.0.0")


def made(config, names=NAMES, now=None):
    certificates = Certificates(config, names=lambda: names, now=now or (lambda: datetime.datetime.now(datetime.UTC)))
    certificates.renew()
    return certificates


@contextmanager
def serving(config, limits=None, app=office):
    certificates = made(config)
    kind = SecureChannel.with_certificate(certificates.context)
    sock = bind("127.0.0.1", 0)

    with running(config, app, limits, sock=sock, build=partial(Server, channels=kind)) as server:
        yield server


def trusting(config):
    """A client that trusts the authority, and checks all that the standard asks for."""
    context = ssl.create_default_context(cafile=config.tls_dir / "authority.pem")
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


@contextmanager
def secured(config, server, name="localhost"):
    with connection(server) as plain, trusting(config).wrap_socket(plain, server_hostname=name) as client:
        yield client


def asked(config, server, path="/hello", method="GET", body=None, name="localhost"):
    with secured(config, server, name) as client:
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        client.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{length}Connection: close\r\n\r\n".encode())
        if body:
            client.sendall(body)
        return answer(client)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "office", "office.local", "erp.local"])
def test_a_client_that_trusts_the_authority_is_served_by_every_name(secure, name):
    with serving(secure) as server:
        assert asked(secure, server, name=name)[::2] == (200, b"/hello")


def test_a_client_that_does_not_trust_it_is_served_nothing_and_others_still_are(secure):
    with serving(secure) as server:
        with connection(server) as plain, pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
        assert asked(secure, server)[0] == 200


def test_plain_http_is_understood_on_the_same_port(secure):
    with serving(secure) as server:
        assert get(server)[::2] == (200, b"/hello")


@pytest.mark.parametrize("size", [1, 16_000, 70_000, 3_000_000])
def test_what_is_sent_comes_back_whole(secure, size):
    body = os.urandom(size)
    with serving(secure) as server:
        status, _, back = asked(secure, server, method="POST", body=body)
        assert (status, hashlib.sha256(back).digest()) == (200, hashlib.sha256(body).digest())


def test_several_requests_of_one_connection_in_one_record_are_all_answered(secure):
    one = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
    with serving(secure) as server, secured(secure, server) as client:
        client.sendall(b"".join(one % number for number in range(5)))
        assert [answer(client)[2] for _ in range(5)] == [b"/%d" % number for number in range(5)]


@pytest.mark.parametrize("raw", [b"\x16\x03\x01\x00\x05nonsense", b"\x16", b"\x16\x03\x01\xff\xff" + b"x" * 70_000])
def test_what_is_no_handshake_ends_that_connection_alone(secure, raw):
    with serving(secure, Limits(idle=1, sweep_every=0, turn=0.05)) as server:
        with connection(server) as client:
            client.sendall(raw)
            assert client.recv(1000)[:1] in (b"", b"\x15")  # closed, perhaps with an alert before
        assert asked(secure, server)[0] == 200


def test_an_old_protocol_is_refused(secure):
    with serving(secure) as server, connection(server) as plain:
        context = trusting(secure)
        with pytest.warns(DeprecationWarning, match="deprecated"):
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT@SECLEVEL=0")
        with pytest.raises(ssl.SSLError, match="(?i)protocol.version"):
            context.wrap_socket(plain, server_hostname="localhost")


def test_the_authority_may_vouch_for_local_names_and_for_no_other(secure, tmp_path):
    """Even somebody who has its key cannot pretend to be a site of the internet."""
    made(secure)
    vouching = authority.certificate_from((secure.tls_dir / "authority.pem").read_bytes())
    key = authority.key_from((secure.tls_dir / "authority.key").read_bytes())
    for name, is_trusted in (("printer.local", True), ("10.1.2.3", True), ("example.com", False), ("8.8.8.8", False)):
        leaf, leaf_key = authority.make_leaf(vouching, key, [name], datetime.datetime.now(datetime.UTC))
        path = tmp_path / "leaf.pem"
        path.write_bytes(authority.pem_of(leaf_key) + authority.pem_of(leaf))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        assert _trusts(trusting(secure), context, name) is is_trusted
        assert authority.may_vouch_for(vouching, name) is is_trusted


def _trusts(client, server, name):
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    theirs = client.wrap_bio(to_client, to_server, server_hostname=name)
    ours = server.wrap_bio(to_server, to_client, server_side=True)
    for side in (theirs, ours, theirs, ours):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLCertVerificationError:
            return False
    return True


def test_nobody_else_on_the_computer_can_read_the_keys(secure):
    made(secure)
    if os.name == "posix":
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (secure.tls_dir, *secure.tls_dir.iterdir())}
        assert modes == {
            "tls": 0o700,
            **dict.fromkeys(("authority.key", "authority.pem", "server.key", "server.pem"), 0o600),
        }


def files(config):
    return {path.name: path.read_bytes() for path in config.tls_dir.iterdir()}


def expiry(config):
    return authority.certificate_from((config.tls_dir / "server.pem").read_bytes()).not_valid_after_utc


def test_a_certificate_is_renewed_before_it_ends_and_the_authority_stays(secure):
    made(secure, now=lambda: TODAY)
    first = files(secure)
    for days, is_new in ((0, False), (59, False), (61, True)):
        made(secure, now=lambda days=days: TODAY + datetime.timedelta(days=days))
        now = files(secure)
        assert (now["server.pem"] != first["server.pem"]) is is_new
        assert (now["authority.pem"], now["authority.key"]) == (first["authority.pem"], first["authority.key"])
    assert expiry(secure) == TODAY + datetime.timedelta(days=61 + 90)


def test_a_new_address_gets_a_new_certificate_and_one_that_is_gone_does_not(secure):
    certificates = made(secure, now=lambda: TODAY)
    first = files(secure)["server.pem"]
    made(secure, NAMES[:3], now=lambda: TODAY)
    assert files(secure)["server.pem"] == first
    made(secure, (*NAMES, "10.0.0.9"), now=lambda: TODAY)
    leaf = authority.certificate_from(files(secure)["server.pem"])
    assert authority.names_of(leaf) >= {"10.0.0.9", "office.local", "erp.local"}
    made(secure, (*NAMES, "10.0.0.9", "8.8.8.8"), now=lambda: TODAY)  # for which it may not vouch
    assert files(secure)["server.pem"] == authority.pem_of(leaf)
    certificates.renew()  # and what runs already takes what is there


def test_a_server_that_runs_shows_the_renewed_certificate(secure):
    certificates = made(secure)
    kind = SecureChannel.with_certificate(certificates.context)
    with running(secure, sock=bind("127.0.0.1", 0), build=partial(Server, channels=kind)) as server:
        before = shown_by(secure, server)
        certificates._names = lambda: (*NAMES, "10.0.0.9")
        certificates.renew()
        assert shown_by(secure, server) != before


def shown_by(config, server):
    with secured(config, server) as client:
        return client.getpeercert(binary_form=True)


def test_a_damaged_certificate_is_replaced_and_a_damaged_authority_is_told_of(secure):
    made(secure)
    for name in ("server.pem", "server.key"):
        (secure.tls_dir / name).write_text("damaged")
        made(secure)
        x509.load_pem_x509_certificate((secure.tls_dir / "server.pem").read_bytes())
    (secure.tls_dir / "authority.pem").write_text("damaged")
    with pytest.raises(CannotStart, match="Move that folder away"):
        made(secure)


def test_https_and_a_proxy_do_not_go_together(tmp_path):
    flags = {"data_dir": str(tmp_path), "tls": "true", "public_url": "https://erp.example.com"}
    with pytest.raises(BadOption, match="leave one of them out"):
        configuration.load(flags, {})


LAN = {"host": "192.168.7.5", "port": 8420, "remote_addr": "192.168.7.20"}


@pytest.fixture
def client(secure, monkeypatch):
    monkeypatch.setattr("erp.web.hosts.own_addresses", lambda: ["192.168.7.5", "127.0.0.1"])
    monkeypatch.setattr("erp.web.hosts.lan_addresses", lambda: ["192.168.7.5"])
    made(secure)
    return falcon.testing.TestClient(create_app(secure))


def test_others_are_led_from_plain_http_to_https_and_this_computer_is_not(client):
    led = client.simulate_get("/invoices?state=open", **LAN)
    assert (led.status_code, led.headers["location"]) == (308, "https://192.168.7.5:8420/invoices?state=open")
    assert client.simulate_post("/api/v1/auth/sign-in/email", json={}, **LAN).status_code == 308
    assert client.simulate_get("/api/health", protocol="https", **LAN).status_code == 200
    local = {"host": "localhost", "port": 8420, "remote_addr": "127.0.0.1"}
    assert client.simulate_get("/api/health", **local).status_code == 200
    pretended = {**LAN, "host": "localhost"}
    assert client.simulate_get("/api/health", **pretended).status_code == 308


def test_the_page_about_trust_is_there_without_https_with_the_file_and_its_fingerprint(client, secure):
    page = client.simulate_get("/trust", **LAN)
    assert page.status_code == 200
    file = client.simulate_get("/trust/erp.crt", **LAN)
    assert file.headers["content-type"] == "application/x-x509-ca-cert"
    certificate = x509.load_der_x509_certificate(file.content)
    assert authority.pem_of(certificate) == (secure.tls_dir / "authority.pem").read_bytes()
    digest = hashlib.sha256(file.content).hexdigest().upper()
    assert within("code", page).replace(":", "") == digest
    assert 'href="https://192.168.7.5:8420/"' in page.text
    assert "<svg" in page.text
    allowed = base64.b64encode(hashlib.sha256(within("style", page).encode()).digest()).decode()
    policy = page.headers["content-security-policy"]
    assert f"'sha256-{allowed}'" in policy
    assert 'rel="icon" href="data:,"' in page.text  # else Firefox asks for a picture that the policy refuses
    assert "img-src data:" in policy
    german = client.simulate_get("/trust", headers={"Accept-Language": "de"}, **LAN)
    assert "Diesem Server vertrauen" in german.text


def within(tag, page):
    """What the only element of that name holds."""
    (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL)
    return text


def test_without_https_there_is_no_such_page(tmp_path):
    client = falcon.testing.TestClient(create_app(Config(data_dir=tmp_path)))
    for path in ("/trust", "/trust/erp.crt"):
        assert client.simulate_get(path, host="localhost", port=8420).status_code == 404


def test_the_cookie_is_kept_for_https_by_its_name(client):
    person = {"name": "Olga", "email": "olga@example.com", "password": "a password to test with"}
    local = {"host": "localhost", "port": 8420}
    made_here = client.simulate_post(
        "/api/v1/auth/register", json=person, headers={"Origin": "http://localhost:8420"}, **local
    )
    assert made_here.status_code == 201, made_here.text
    (name,) = (name for name in made_here.cookies if name.startswith("erp_session_"))
    signed_in = client.simulate_post(
        "/api/v1/auth/sign-in/email",
        json={"email": person["email"], "password": person["password"]},
        headers={"Origin": "https://192.168.7.5:8420"},
        protocol="https",
        **LAN,
    )
    assert signed_in.status_code == 200, signed_in.text
    cookie = signed_in.cookies[f"__Host-{name}"]
    assert (cookie.secure, cookie.http_only, cookie.path) == (True, True, "/")
    session = client.simulate_get(
        "/api/v1/auth/session", protocol="https", cookies={f"__Host-{name}": cookie.value}, **LAN
    )
    assert session.json["data"]["user"]["name"] == "Olga"


def test_browsers_are_not_given_a_policy_that_they_complain_of_on_plain_http(client):
    policy = "cross-origin-opener-policy"
    assert policy not in client.simulate_get("/trust", **LAN).headers
    assert client.simulate_get("/trust", protocol="https", **LAN).headers[policy] == "same-origin"
    assert client.simulate_get("/api/health", host="localhost", port=8420).headers[policy] == "same-origin"
