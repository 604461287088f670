"""One message to one address: where it connects, what it follows, how long it waits and how much it reads."""

import socket
import ssl
import threading
from contextlib import contextmanager

import pytest

from erp.delivery import trust
from erp.kernel import config
from erp.kernel.config import Config
from erp.webhooks import posting
from tests.paths import ROOT
from tests.webhooks.receiver import Answer, receiving

CERTIFICATE, KEY = ROOT / "tests/data/receiver.crt", ROOT / "tests/data/receiver.key"
"""A certificate for receiver.test that signs itself, until 2126; made with `openssl req -x509`."""


@pytest.fixture(autouse=True)
def settings(tmp_path):
    with config.use(Config(data_dir=tmp_path, webhooks_private=True)) as used:
        yield used


def post(url: str) -> posting.Outcome:
    return posting.post(url, {"webhook-id": "1"}, b"{}")


@pytest.fixture
def resolving(monkeypatch):
    """Let a name have addresses, and count how often it is asked for."""
    asked: list[str] = []

    def resolve(*found: str) -> list[str]:
        def getaddrinfo(host: str, port: int, **_: object) -> list[object]:
            asked.append(host)
            families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in found]
            return [(family, 1, 6, "", (address, port)) for family, address in zip(families, found, strict=True)]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asked

    return resolve


@contextmanager
def listening(talk):
    """A socket that `talk` serves, once for each connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def serve() -> None:
            while True:
                connection, _ = server.accept()
                with connection:
                    if over.is_set():
                        return
                    talk(connection, over)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        finally:
            over.set()
            with socket.socket() as last:
                last.connect(server.getsockname())
            thread.join()


def test_an_answer_is_told_with_its_status_and_its_beginning():
    with receiving() as receiver:
        receiver.answers(201, "grüß dich".encode())
        outcome = post(receiver.url)
    assert (outcome.problem, outcome.status, outcome.answer) == (None, 201, "grüß dich")
    assert 0 <= outcome.duration_ms < 5000
    (received,) = receiver.received
    assert received.headers["host"] == receiver.url.split("/")[2]
    assert received.headers["user-agent"].startswith("erp/")


def test_a_redirect_is_not_followed():
    with receiving() as receiver:
        receiver.answer = lambda received: Answer(307, {"Location": receiver.url + "/elsewhere"})
        outcome = post(receiver.url)
    assert (outcome.problem, outcome.status) == ("redirected", 307)
    assert len(receiver.received) == 1


@pytest.mark.parametrize(("status", "problem"), [(200, None), (299, None), (400, "bad_status"), (500, "bad_status")])
def test_only_a_status_from_200_to_299_takes_it(status, problem):
    with receiving() as receiver:
        receiver.answers(status)
        assert post(receiver.url).problem == problem


def test_the_connection_goes_to_the_address_that_was_checked(resolving):
    with receiving() as receiver:
        asked = resolving("127.0.0.1")
        port = receiver.url.split(":")[2].split("/")[0]
        outcome = post(f"http://rebound.test:{port}/hook")
    assert (outcome.problem, asked) == (None, ["rebound.test"]), "it is resolved once"
    assert receiver.received[0].headers["host"] == f"rebound.test:{port}"


@pytest.mark.parametrize(
    "found",
    [["127.0.0.1"], ["10.1.2.3"], ["::1"], ["::ffff:127.0.0.1"], ["169.254.169.254"], ["93.184.215.14", "127.0.0.1"]],
)
def test_a_name_that_leads_inside_is_refused_before_anything_is_connected(resolving, settings, monkeypatch, found):
    resolving(*found)
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it must not connect"))
    with config.use(Config(data_dir=settings.data_dir)):
        assert post("https://inside.test/").problem == "address_refused"


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "[::1]"])
def test_other_spellings_of_this_computer_are_refused(settings, host):
    with config.use(Config(data_dir=settings.data_dir)):
        assert post(f"https://{host}:1/").problem in ("address_refused", "unknown_host")


def test_plain_http_does_not_leave_the_private_network(resolving, monkeypatch):
    resolving("93.184.215.14")
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it must not connect"))
    assert post("http://outside.test/").problem == "address_refused"


def test_the_next_address_is_tried_when_one_takes_no_connection(resolving):
    with receiving() as receiver:
        resolving("127.0.0.2", "127.0.0.1")
        port = receiver.url.split(":")[2].split("/")[0]
        assert post(f"http://two.test:{port}/").problem is None


def test_a_name_that_nobody_has(monkeypatch):
    def getaddrinfo(*_: object, **__: object) -> list[object]:
        raise socket.gaierror(8, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert post("https://nobody.test/").problem == "unknown_host"


def test_a_name_server_that_never_answers_is_not_waited_for(monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(posting, "SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: go.wait(5) and [])
    assert post("https://slow.test/").problem == "timed_out"
    go.set()


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/").problem == "no_connection"


def test_a_receiver_that_says_nothing_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.2)
    with listening(lambda connection, over: over.wait(5)) as url:
        outcome = post(url)
    assert (outcome.problem, outcome.status) == ("timed_out", None)
    assert 150 < outcome.duration_ms < 3000


def test_a_head_that_comes_drop_by_drop_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.3)

    def talk(connection, over) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not over.wait(0.02):
            try:
                connection.sendall(b"a")
            except OSError:
                return

    with listening(talk) as url:
        assert post(url).problem == "timed_out"


def test_a_status_counts_even_if_the_rest_never_comes(monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.2)

    def talk(connection, over) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        over.wait(5)

    with listening(talk) as url:
        assert post(url)[:2] == (None, 200)


def test_an_endless_answer_is_read_no_further_than_it_is_kept():
    def talk(connection, over) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while not over.is_set():
                connection.sendall(b"x" * 65536)
        except OSError:
            pass

    with listening(talk) as url:
        outcome = post(url)
    assert (outcome.problem, outcome.answer) == (None, "x" * 1024)


@pytest.mark.parametrize(
    "sent", [b"hello\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n"]
)
def test_what_is_no_http_is_told(sent):
    def talk(connection, over) -> None:
        connection.recv(65536)
        connection.sendall(sent)

    with listening(talk) as url:
        assert post(url).problem == "bad_answer"


def secured(server_context: ssl.SSLContext):
    def talk(connection, over) -> None:
        try:
            with server_context.wrap_socket(connection, server_side=True) as secure:
                secure.recv(65536)
                secure.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok")
        except OSError:
            pass

    return talk


@pytest.fixture
def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    return secured(context)


@pytest.fixture
def trusted(monkeypatch):
    context = ssl.create_default_context(cafile=CERTIFICATE)
    monkeypatch.setattr(trust, "context", lambda: context)


@pytest.mark.usefixtures("trusted")
def test_a_trusted_certificate_for_the_name_is_taken(tls, resolving):
    with listening(tls) as url:
        resolving("127.0.0.1")
        outcome = post(url.replace("http://127.0.0.1", "https://receiver.test"))
    assert outcome[:3] == (None, 202, "ok")


@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_another_name_is_refused(tls, resolving):
    with listening(tls) as url:
        resolving("127.0.0.1")
        assert post(url.replace("http://127.0.0.1", "https://other.test")).problem == "tls_failed"


def test_a_certificate_that_nobody_vouches_for_is_refused(tls, resolving):
    with listening(tls) as url:
        resolving("127.0.0.1")
        assert post(url.replace("http://127.0.0.1", "https://receiver.test")).problem == "tls_failed"


def test_this_computer_trusts_certificates_and_checks_names():
    context = trust.context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_certificates_are_found_where_other_systems_keep_them(monkeypatch, tmp_path):
    """The executable was built on a system that keeps them elsewhere."""
    nowhere = ssl.DefaultVerifyPaths(  # the stubs do not know that a path can be none
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        "SSL_CERT_FILE",
        "/nowhere",
        "SSL_CERT_DIR",
        "/nowhere",
    )
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    monkeypatch.setenv("SSL_CERT_DIR", "/nowhere")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: nowhere)
    monkeypatch.setattr(trust, "BUNDLES", ("/nowhere", str(CERTIFICATE)))
    assert trust.context.__wrapped__().cert_store_stats()["x509_ca"] == 1
