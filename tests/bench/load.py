"""Load from its own process: keep-alive connections over loopback that send prebuilt requests.

Every connection waits for its answer before it asks again. The client only looks for the status and the end of an
answer, so that it uses a small part of a core. As a program it reads a `Load` from stdin, prints `go` when every
connection is open, and writes an `Outcome`, all as JSON lines.
"""

import json
import re
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import count

HOST = "127.0.0.1"
GREETING = f"GET /api/health HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """What to send: `requests` in turn, by every connection."""

    port: int
    requests: list[str]
    connections: int = 1
    seconds: float = 1.0
    in_step: bool = False
    """Whether the next round of requests waits until every connection has its answer."""


@dataclass(frozen=True)
class Outcome:
    """What came back: times in milliseconds, the rate in successes per second."""

    rate: float
    p50: float
    p99: float
    statuses: dict[str, int]
    client_share: float
    """The share of the time in which the client itself was computing; near 1 it would measure the client."""

    @property
    def successes(self) -> int:
        """How many requests succeeded."""
        return sum(number for status, number in self.statuses.items() if status.startswith("2"))

    @property
    def failures(self) -> int:
        """How many requests failed."""
        return sum(self.statuses.values()) - self.successes


def start(load: Load) -> "subprocess.Popen[str]":
    """Start a load; returns as soon as its connections are open."""
    client = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.load"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(json.dumps(asdict(load)) + "\n")
    client.stdin.flush()
    assert client.stdout.readline() == "go\n"
    return client


def outcome(client: "subprocess.Popen[str]") -> Outcome:
    """Wait for a load to end."""
    line, _ = client.communicate(timeout=120)
    assert client.returncode == 0
    return Outcome(**json.loads(line))


def run(load: Load) -> Outcome:
    """Put a load on a server and measure it."""
    return outcome(start(load))


class Connection:
    """A keep-alive connection with at most one request under way."""

    def __init__(self, port: int, requests: list[bytes], first: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests, self._turns = requests, count(first)
        self._received, self._sent = b"", 0.0
        self._greet()

    def ask(self) -> None:
        """Send the next request."""
        self._received, self._sent = b"", time.perf_counter()
        self.socket.sendall(self._requests[next(self._turns) % len(self._requests)])

    def _greet(self) -> None:
        """Ask something at once: of the connections that have asked nothing yet, the server keeps only some."""
        self.socket.sendall(GREETING)
        while self.take() is None:
            pass

    def take(self) -> tuple[int, float] | None:
        """Receive what has arrived; status and milliseconds once the answer is complete."""
        arrived = self.socket.recv(1 << 18)
        if not arrived:
            raise ConnectionError(f"closed by the server after {self._received!r}")
        self._received += arrived
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return None
        length = _LENGTH.search(self._received, 0, head)
        assert length, self._received
        if len(self._received) < head + 4 + int(length[1]):
            return None
        return int(self._received[9:12]), (time.perf_counter() - self._sent) * 1000


def _work(load: Load, connections: list[Connection]) -> tuple[list[float], Counter[str]]:
    times: list[float] = []
    statuses: Counter[str] = Counter()
    ready = selectors.DefaultSelector()
    for connection in connections:
        ready.register(connection.socket, selectors.EVENT_READ, connection)
        connection.ask()
    under_way, until = len(connections), time.perf_counter() + load.seconds
    while under_way:
        for key, _ in ready.select():
            answer = key.data.take()
            if answer is None:
                continue
            statuses[str(answer[0])] += 1
            times += [answer[1]] if 200 <= answer[0] < 300 else []
            under_way -= 1
            asking = _next_askers(load, connections, key.data, under_way) if time.perf_counter() < until else []
            for connection in asking:
                connection.ask()
            under_way += len(asking)
    return times, statuses


def _next_askers(load: Load, all_: list[Connection], answered: Connection, under_way: int) -> list[Connection]:
    if not load.in_step:
        return [answered]
    return [] if under_way else all_


def _measure(load: Load) -> Outcome:
    requests = [request.encode("latin-1") for request in load.requests]
    connections = [Connection(load.port, requests, number) for number in range(load.connections)]
    sys.stdout.write("go\n")
    sys.stdout.flush()
    began, computed = time.perf_counter(), time.process_time()
    times, statuses = _work(load, connections)
    took = time.perf_counter() - began
    share = (time.process_time() - computed) / took
    times.sort()
    return Outcome(len(times) / took, percentile(times, 50), percentile(times, 99), dict(statuses), share)


def percentile(ordered: list[float], part: int) -> float:
    """The value that `part` percent of the ordered values do not exceed."""
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] if ordered else float("nan")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(_measure(Load(**json.loads(sys.stdin.readline()))))))
