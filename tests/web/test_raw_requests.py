"""What no browser would send: the server refuses it in its envelope and keeps running (reliability H2, C5)."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from erp.auth import passwords
from erp.kernel.slots import Slots
from tests.conftest import PASSWORD
from tests.servers import ask, connection, running, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    from tests.conftest import Installation

    installation = Installation(tmp_path_factory.mktemp("raw"))
    installation.newcomer("Olga")
    with running(installation.config, installation.app) as office_server:
        yield office_server


def request(server, line, *headers, body=b""):
    host = server.url.removeprefix("http://").encode()
    return b"\r\n".join([line, b"Host: " + host, b"Connection: close", *headers, b"", body])


LINES = [
    b"GET /api/v1/../../etc/passwd HTTP/1.1",
    b"GET /api/docs/%2e%2e%2f%2e%2e%2fcontrol.db HTTP/1.1",
    b"GET /api/docs/..%5c..%5ccontrol.db HTTP/1.1",
    b"GET /api/v1/workspace/%ff%fe HTTP/1.1",
    b"GET /api/v1/workspace/%00 HTTP/1.1",
    b"GET /api/v1/workspace/%zz HTTP/1.1",
    b"GET /api/v1/workspace/%ed%a0%80 HTTP/1.1",
    b"GET /api/v1/workspace/%0d%0aSet-Cookie:x=1 HTTP/1.1",
    b"GET /api/v1/workspace/%c0%ae%c0%ae HTTP/1.1",
    b"GET //evil.example/%2f.. HTTP/1.1",
    b"GET /api/v1/workspace?" + b"a=1&" * 5000 + b" HTTP/1.1",
    b"GET /api/v1/workspace/" + b"a" * 20000 + b" HTTP/1.1",
    b"GET /" + b"a" * 40000 + b" HTTP/1.1",
    b"GET /api/v1/workspace?limit=%ff&cursor=%00 HTTP/1.1",
    b"GET * HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"CONNECT evil.example:443 HTTP/1.1",
    b"GET http://evil.example/api/v1/workspace HTTP/1.1",
    b"BREW /api/v1/workspace HTTP/1.1",
    b"TRACE /api/v1/workspace HTTP/1.1",
    b"PUT /api/v1/workspace HTTP/1.1",
    b"GET /api/v1/workspace HTTP/9.9",
    b"GET  /api/v1/workspace HTTP/1.1",
    b"GET /api/v1/workspace\tHTTP/1.1",
    b"GET /api/v1/w\xc3\xb6rkspace HTTP/1.1",
]
HEADERS = [
    b"Host: evil.example",
    b"Authorization: Bearer \xff\xfe",
    b"Authorization: Bearer " + b"a" * 5000,
    b"Cookie: " + b";=" * 5000,
    b'Cookie: erp_session_8420="\\400\\777"',
    b"X: 1\r\n" * 9999 + b"X: 1",
    b"Sec-Fetch-Site: cross-site",
    b"Origin: http://evil.example",
    b"x-workspace-id: \xff",
    b"Content-Length: 5\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked",
    b"Content-Length: 99999999999",
    b"Content-Type: application/json; charset=\xff",
    b"Accept: \xff/\xff;q=x",
    b"Range: bytes=0-99999999999",
    b"X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: evil.example",
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:60].decode("latin-1"))
def test_an_odd_request_line_is_refused_and_the_next_request_is_answered(server, line):
    assert_is_refused(ask(server, request(server, line)))
    assert ask(server, request(server, b"GET /api/health HTTP/1.1"))[0] == 200


@pytest.mark.parametrize("header", HEADERS, ids=lambda line: line[:60].decode("latin-1"))
def test_an_odd_header_is_refused_and_the_next_request_is_answered(server, header):
    assert_is_refused(ask(server, request(server, b"GET /api/v1/workspace HTTP/1.1", header)))
    assert ask(server, request(server, b"GET /api/health HTTP/1.1"))[0] == 200


def assert_is_refused(found):
    status, headers, body = found
    assert 400 <= status < 500
    error = json.loads(body)["error"]
    assert (error["status"], headers["X-Request-Id"]) == (status, error["requestId"])
    assert "Set-Cookie" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_requests_sent_in_one_go_are_answered_one_by_one(server):
    host = server.url.removeprefix("http://").encode()
    one = b"GET /api/%s HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
    received = b""
    with connection(server) as client:
        client.sendall(one % b"health" + one % b"nothing" + request(server, b"GET /api/health HTTP/1.1"))
        while data := client.recv(4096):
            received += data
    assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"404", b"200"]


def test_the_office_works_while_many_try_passwords(installation, monkeypatch):
    """Reliability C5: who guesses takes the places for hashing and the queue before them, never all the workers."""
    olga = installation.office("Olga")
    may_go_on = threading.Event()

    class Hasher:
        def verify(self, kept, password):
            may_go_on.wait(10)
            return True

    monkeypatch.setattr(passwords, "_HASHER", Hasher())
    monkeypatch.setattr(passwords, "slot", Slots(1, patience=10).take)
    body = json.dumps({"email": "olga@example.com", "password": PASSWORD}).encode()
    length = b"Content-Length: %d" % len(body)
    with running(installation.config, installation.app) as server, ThreadPoolExecutor(30) as guessers:
        sign_in = request(
            server, b"POST /api/v1/auth/login HTTP/1.1", b"Content-Type: application/json", length, body=body
        )
        answers = [guessers.submit(ask, server, sign_in) for _ in range(30)]
        try:
            wait_for(lambda: sum(each.done() for each in answers) == 27)
            token = b"Authorization: Bearer " + olga.token.encode()
            assert ask(server, request(server, b"GET /api/v1/workspace HTTP/1.1", token))[0] == 200
        finally:
            may_go_on.set()
        statuses = sorted(each.result()[0] for each in answers)
    assert statuses == [401] * 3 + [503] * 27
