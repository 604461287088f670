"""A receiver of webhooks on this computer, and a sender that a test drives by hand."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks import Webhook

from erp.webhooks.sender import Sender
from tests.conftest import Office

WEBHOOKS = "/workspace/webhooks"


class Received(NamedTuple):
    """A request that arrived, and the path it was sent to."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> Any:
        return json.loads(self.body)

    @property
    def type(self) -> str:
        return str(self.message["type"])

    def is_signed_with(self, secret: str) -> bool:
        """Whether a signature is by this secret, whatever the clock says."""
        at = datetime.fromtimestamp(int(self.headers["webhook-timestamp"]), UTC)
        signature = Webhook(secret).sign(self.id, at, self.body.decode())
        return signature in self.headers["webhook-signature"].split(" ")


class Answer(NamedTuple):
    """What a receiver answers."""

    status: int = 204
    headers: dict[str, str] = {}
    body: bytes = b""


class Receiver:
    """A server that keeps what arrives; `answer` may be replaced, and may wait or raise."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], Answer] = lambda received: Answer()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                received = Received(self.path, headers, body)
                receiver.received.append(received)
                status, more, content = receiver.answer(received)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **more}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"

    @property
    def types(self) -> list[str]:
        return [received.type for received in self.received]

    def answers(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Answer so from now on."""
        self.answer = lambda received: Answer(status, headers, body)


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        thread.join()
        receiver.server.server_close()


def webhook(office: Office, url: str, *types: str, **fields: Any) -> dict[str, Any]:
    """A new webhook, with its secret."""
    made: dict[str, Any] = office.ok("POST", WEBHOOKS, {"url": url, "eventTypes": list(types), **fields})
    return made


def shown(office: Office, made: dict[str, Any]) -> dict[str, Any]:
    """A webhook as it is now."""
    now: dict[str, Any] = office.ok("GET", f"{WEBHOOKS}/{made['id']}")
    return now


def deliveries(office: Office, made: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    """What was sent to a webhook, the latest first."""
    rows: list[dict[str, Any]] = office.ok("GET", f"{WEBHOOKS}/{made['id']}/deliveries{query}")
    return rows


def contact(office: Office, name: str = "Initech") -> str:
    """Something that happens."""
    return str(office.ok("POST", "/finance/contacts", {"kind": "customer", "name": name})["id"])


def send(office: Office, sender: Sender | None = None) -> None:
    """What the threads of the server do when the bell is rung, or it is time to look."""
    sender = sender or Sender(office.installation.config)
    for key in sender.ready():
        sender.serve(key)
