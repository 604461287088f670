import json
import threading
from contextlib import ExitStack

import pytest

from erp.kernel.config import Config
from erp.runtime import instance
from erp.runtime.channel import Channel, Limits
from erp.runtime.listener import Listener
from erp.runtime.server import Server
from tests.servers import answer, ask, connection, get, office, running, wait_for

QUICK = Limits(head=0.1, body=0.1, sweep_every=0, turn=0.05, head_size=2048, body_size=4096)


@pytest.fixture
def config(tmp_path):
    return Config(data_dir=tmp_path, no_browser=True)


@pytest.fixture
def running_server(config):
    with running(config, limits=QUICK) as office_server:
        yield office_server


def assert_is_envelope(refusal, status, code):
    assert refusal[0] == status
    envelope = json.loads(refusal[2])
    error = envelope["error"]
    assert envelope["success"] is False
    assert (error["code"], error["status"]) == (code, status)
    assert error["message"].endswith(".")
    headers = refusal[1]
    assert headers["X-Request-Id"] == error["requestId"]
    assert headers["Content-Type"] == "application/json"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "Server" not in headers


def test_the_server_does_not_name_itself(running_server):
    status, headers, body = get(running_server)
    assert (status, body) == (200, b"/hello")
    assert "Server" not in headers


GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",  # TLS to a plain port
    b"hello\r\n\r\n",
    b"GET\r\n\r\n",
    b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHo\x00st: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    b"GET / HTTP/1.1\r\n Host: a\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 1900 + b"x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n",
    b"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 1100,
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"x" * 1100,
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"x: y\r\n" * 400,
    b"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tc\r\n\r\n",
    b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/0.9\r\nHost: a\r\n\r\n",
    b"GET /\r\nHost: a\r\n\r\n",
]


@pytest.mark.parametrize("raw", GARBAGE)
def test_garbage_is_refused_in_our_envelope_and_the_next_request_is_answered(running_server, raw):
    assert_is_envelope(ask(running_server, raw), 400, "bad_request")
    assert get(running_server)[0] == 200


def test_a_length_of_thousands_of_digits_is_refused(config):
    with running(config) as office_server:
        raw = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n"
        assert_is_envelope(ask(office_server, raw), 400, "bad_request")


def test_a_head_beyond_the_limit_is_refused(running_server):
    raw = b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 3000 + b"\r\n\r\n"
    assert_is_envelope(ask(running_server, raw), 431, "headers_too_large")


@pytest.mark.parametrize(
    "raw",
    [
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n" + b"x" * 5000,
    ],
)
def test_a_body_beyond_the_limit_is_refused(running_server, raw):
    assert_is_envelope(ask(running_server, raw), 413, "too_large")


def test_an_error_of_the_application_is_answered_without_its_traceback(running_server, caplog):
    refusal = get(running_server, "/broken")
    assert_is_envelope(refusal, 500, "internal_error")
    assert b"secret" not in refusal[2]
    assert "a secret in the traceback" in caplog.text


@pytest.mark.parametrize(
    "start",
    [
        b"GET / HTTP/1.1\r\nHost:",
        b"GET / HTTP/1.1\nHost: a\n\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nslow",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nslow",
        b"GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTT",
    ],
)
def test_the_connection_of_a_request_that_never_ends_is_closed(running_server, start):
    with connection(running_server) as client:
        client.sendall(start)
        received = b""
        while data := client.recv(4096):
            received += data
    assert b"/second" not in received
    assert get(running_server)[0] == 200


def test_the_connection_of_a_request_that_trickles_in_is_closed(config):
    now = [0.0]
    limits = Limits(sweep_every=0, turn=0.05)

    def use_our_clock(office_server):
        office_server._listener.clock = lambda: now[0]

    with running(config, limits=limits, prepare=use_our_clock) as office_server, connection(office_server) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
        (channel,) = wait_for(lambda: list(office_server._listener.active_channels.values()))
        wait_for(lambda: channel._part)
        now[0] = 59.0
        client.sendall(b"slow")
        assert get(office_server)[0] == 200  # a sweep has passed, and the connection is still open
        client.setblocking(False)
        with pytest.raises(BlockingIOError):
            client.recv(1)
        client.settimeout(5)
        now[0] = 61.0
        assert client.recv(1) == b""


def test_a_client_that_is_waiting_for_an_answer_is_not_slow(config):
    may_answer = threading.Event()

    def slow_office(environ, start_response):
        may_answer.wait(5)
        return office(environ, start_response)

    with running(config, slow_office, QUICK) as office_server, connection(office_server) as client:
        client.sendall(b"GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost")
        (channel,) = wait_for(lambda: list(office_server._listener.active_channels.values()))
        wait_for(lambda: channel.requests)
        for _ in range(20):
            assert not channel.is_overdue(office_server._listener.clock() + 1000, QUICK)
        may_answer.set()
        assert answer(client)[2] == b"/first"


def flood(environ, start_response):
    """An application whose answer is larger than the system's buffers."""
    start_response("200 OK", [("Content-Length", str(40 << 20))])
    return (b"x" * (1 << 20) for _ in range(40))


def test_the_connection_of_a_client_that_reads_nothing_is_closed(config):
    with running(config, flood, Limits(sweep_every=0, turn=0.05)) as office_server, connection(office_server) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        (channel,) = wait_for(lambda: list(office_server._listener.active_channels.values()))
        wait_for(lambda: channel.is_done and channel.total_outbufs_len)
        channel.last_activity -= 31
        wait_for(lambda: not office_server._listener.active_channels)
        received = 0
        while part := client.recv(1 << 20):
            received += len(part)
        assert received < 40 << 20


def test_clients_that_read_nothing_keep_no_thread_and_get_one_answer_each(config):
    asked = []

    def greedy_office(environ, start_response):
        asked.append(environ["PATH_INFO"])
        return (flood if environ["PATH_INFO"] == "/flood" else office)(environ, start_response)

    with running(config, greedy_office) as office_server, ExitStack() as open_lines:
        greedy = [open_lines.enter_context(connection(office_server)) for _ in range(config.threads + 1)]
        for client in greedy:
            client.sendall(b"GET /flood HTTP/1.1\r\nHost: a\r\n\r\n" * 60)
        wait_for(lambda: asked.count("/flood") == len(greedy))
        assert get(office_server)[2] == b"/hello"
        assert asked.count("/flood") == len(greedy)


def test_pipelined_requests_are_answered_one_after_the_other_as_their_answers_are_read(config):
    def echoing(environ, start_response):
        body = environ["PATH_INFO"].encode() * 200_000
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    with running(config, echoing) as office_server, connection(office_server) as client:
        asked = [b"GET /%d HTTP/1.1\r\nHost: a\r\n" % number for number in range(10)]
        client.sendall(b"\r\n".join(asked) + b"Connection: close\r\n\r\n")
        received = b"".join(iter(lambda: client.recv(1 << 20), b""))
        bodies = [part.split(b"\r\n\r\n")[1] for part in received.split(b"HTTP/1.1 200 OK")[1:]]
        assert bodies == [b"/%d" % number * 200_000 for number in range(10)]


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.9"])
def test_the_unsent_answers_of_one_address_are_limited(config, monkeypatch, address):
    monkeypatch.setattr(Listener, "fix_addr", lambda self, addr: (address, addr[1]))
    with running(config, flood, Limits(held=100 << 20)) as office_server, ExitStack() as open_lines:
        channels = office_server._listener.active_channels
        for kept in (1, 2, 2, 2):
            client = open_lines.enter_context(connection(office_server))
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            wait_for(lambda kept=kept: [bool(c.is_done and c.held) for c in channels.values()] == [True] * kept)
        assert sum(channel.held for channel in channels.values()) <= 100 << 20


def test_the_unfinished_bodies_of_one_address_are_limited(config):
    with running(config, limits=Limits(held=5 << 20)) as office_server, ExitStack() as open_lines:
        channels = office_server._listener.active_channels
        senders = [open_lines.enter_context(connection(office_server)) for _ in range(3)]
        for client in senders:
            client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2200000\r\n\r\n" + b"x" * 2_100_000)
        wait_for(lambda: len(channels) == 2)
        assert get(office_server)[0] == 200


def test_a_file_that_is_stored_is_not_held(config, tmp_path):
    path = tmp_path / "backup.zip"
    path.write_bytes(b"x" * (30 << 20))

    def sending(environ, start_response):
        start_response("200 OK", [("Content-Length", str(30 << 20))])
        return environ["wsgi.file_wrapper"](path.open("rb"))

    with running(config, sending, Limits(held=1 << 20)) as office_server:
        assert len(get(office_server)[2]) == 30 << 20


def test_for_a_new_connection_the_one_unused_for_longest_is_closed_when_all_places_are_taken(config):
    with running(config, limits=Limits(connections=20)) as office_server, ExitStack() as open_lines:
        clients = []
        for _ in range(25):
            clients.append(open_lines.enter_context(connection(office_server)))
            clients[-1].sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
            assert answer(clients[-1])[0] == 200
        assert [refuses(client) for client in clients[:5]] == [True] * 5
        clients[5].sendall(b"GET /again HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(clients[5])[2] == b"/again"


def test_a_connection_waits_while_every_place_is_busy(config):
    may_answer = threading.Event()

    def slow_office(environ, start_response):
        may_answer.wait(5)
        return office(environ, start_response)

    with running(config, slow_office, Limits(connections=2, turn=0.05)) as office_server, ExitStack() as open_lines:
        clients, channels = [], office_server._listener.active_channels
        for busy in (1, 2, 2):
            clients.append(open_lines.enter_context(connection(office_server)))
            clients[-1].sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
            wait_for(lambda busy=busy: [c.is_done for c in channels.values()] == [False] * busy)
        may_answer.set()
        assert [answer(client)[0] for client in clients] == [200] * 3


def test_one_address_in_the_network_cannot_use_up_all_connections(config, monkeypatch):
    may_answer = threading.Event()

    def slow_office(environ, start_response):
        may_answer.wait(5)
        return office(environ, start_response)

    monkeypatch.setattr(Listener, "fix_addr", lambda self, addr: ("192.168.1.9", addr[1]))
    with running(config, slow_office, Limits(per_address=2)) as office_server:
        channels = office_server._listener.active_channels
        with connection(office_server) as first, connection(office_server) as second:
            for client in (first, second):
                client.sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
            wait_for(lambda: sum(not channel.is_done for channel in channels.values()) == 2)
            with connection(office_server) as third:
                assert refuses(third)
            may_answer.set()
            assert [answer(client)[0] for client in (first, second)] == [200, 200]
            wait_for(lambda: all(channel.is_done for channel in channels.values()))
            assert get(office_server)[0] == 200  # in the place of an unused one
            (left,) = wait_for(lambda: len(channels) == 1 and list(channels.values()))
            used = next(client for client in (first, second) if client.getsockname()[1] == left.addr[1])
            used.sendall(b"GET /again HTTP/1.1\r\nHost: a\r\n\r\n")
            assert answer(used)[2] == b"/again"


def refuses(client):
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


def test_this_computer_itself_has_no_limit_of_connections_in_use(config):
    with running(config, limits=Limits(per_address=1)) as office_server, ExitStack() as open_lines:
        for _ in range(3):
            client = open_lines.enter_context(connection(office_server))
            client.sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
            assert answer(client)[0] == 200
        assert get(office_server)[0] == 200
        assert len(office_server._listener.active_channels) >= 3


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.9"])
def test_for_a_new_connection_the_longest_silent_one_of_its_address_is_closed(config, monkeypatch, address):
    monkeypatch.setattr(Listener, "fix_addr", lambda self, addr: (address, addr[1]))
    with running(config, limits=Limits(per_address=3)) as office_server, ExitStack() as open_lines:
        used, *silent = (open_lines.enter_context(connection(office_server)) for _ in range(3))
        used.sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(used)[0] == 200
        silent += [open_lines.enter_context(connection(office_server)) for _ in range(4)]
        assert [refuses(client) for client in silent[:3]] == [True] * 3
        assert get(office_server)[0] == 200
        used.sendall(b"GET /again HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(used)[2] == b"/again"


@pytest.mark.parametrize(("waiting", "stays"), [(6, False), (5, True)])
def test_in_a_crowd_a_head_must_begin_within_two_seconds(config, monkeypatch, waiting, stays):
    now = [0.0]
    monkeypatch.setattr(Listener, "fix_addr", lambda self, addr: (f"192.168.1.{addr[1] % 250}", addr[1]))

    def use_our_clock(office_server):
        office_server._listener.clock = lambda: now[0]

    limits = Limits(crowd=6, sweep_every=0, turn=0.05)
    with running(config, limits=limits, prepare=use_our_clock) as office_server, ExitStack() as open_lines:
        channels = office_server._listener.active_channels
        used, begun, *silent = (open_lines.enter_context(connection(office_server)) for _ in range(1 + waiting))
        used.sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(used)[0] == 200
        begun.sendall(b"GET /slow HTTP")
        wait_for(lambda: any(channel._part for channel in channels.values()))
        now[0] = 1.9
        assert get(office_server)[0] == 200  # a sweep has passed
        assert len(channels) >= 1 + waiting
        now[0] = 2.1
        wait_for(lambda: len(channels) == (1 + waiting if stays else 2))
        begun.sendall(b"/1.1\r\nHost: a\r\n\r\n")
        assert answer(begun)[2] == b"/slow"
        used.sendall(b"GET /again HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(used)[2] == b"/again"
        assert stays or all(refuses(client) for client in silent)


def test_ipv4_peers_of_a_dual_stack_socket_are_known_by_their_ipv4_address(running_server):
    fix = running_server._listener.fix_addr
    assert fix(("::ffff:192.168.1.9", 5, 0, 0)) == ("192.168.1.9", 5)
    assert fix(("fe80::1%eth0", 5, 0, 3)) == ("fe80::1", 5)


def test_three_hundred_idle_connections_block_no_one(config):
    """Reliability C3."""
    instance.raise_descriptor_limit()
    with running(config) as office_server, ExitStack() as idle:
        for _ in range(300):
            idle.enter_context(connection(office_server)).sendall(b"GET /in HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_for(lambda: len(office_server._listener.active_channels) == 300)
        assert get(office_server)[0] == 200


def test_many_slow_senders_block_no_one_and_are_disconnected(config, monkeypatch):
    """Reliability C4."""
    monkeypatch.setattr(Listener, "fix_addr", lambda self, addr: (f"192.168.1.{addr[1] % 10}", addr[1]))
    instance.raise_descriptor_limit()
    limits = Limits(head=0.5, body=0.5, sweep_every=0, turn=0.05)
    slow_starts = [b"GET / HTTP/1.1\r\nHost:"] * 120 + [
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nslow"
    ] * 50
    with running(config, limits=limits) as office_server, ExitStack() as open_lines:
        slow = [open_lines.enter_context(connection(office_server)) for _ in slow_starts]
        for client, start in zip(slow, slow_starts, strict=True):
            client.sendall(start)
        assert get(office_server)[0] == 200
        assert [client.recv(1) for client in slow] == [b""] * 170
        assert get(office_server)[0] == 200


def test_the_loop_leaves_an_answer_alone_while_a_thread_sends_it(config):
    sending, may_send, tries = threading.Event(), threading.Event(), []

    class Slow(Channel):
        def send(self, data, do_close=True):
            if b"/slow" in data:
                sending.set()
                may_send.wait(5)
            return super().send(data, do_close)

        def handle_write(self):
            tries.append(self)
            super().handle_write()

    def build(app, config, sock, limits):
        return Server(app, config, sock, limits, Slow)

    with running(config, build=build) as office_server, connection(office_server) as slow:
        slow.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        assert sending.wait(5)
        with connection(office_server) as quick:
            for number in range(5):
                quick.sendall(f"GET /{number} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                assert answer(quick)[2] == f"/{number}".encode()
        assert not tries
        may_send.set()
        assert answer(slow)[2] == b"/slow"


def test_an_answer_larger_than_what_the_system_takes_arrives_whole(config):
    body = bytes(range(256)) * 40_000

    def large(environ, start_response):
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    with running(config, large) as office_server:
        assert get(office_server)[2] == body
