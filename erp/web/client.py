"""Requests to the application without a network, as if a client on this computer sent them."""

import json
import sys
from io import BytesIO
from typing import Any, Self
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = "/api/v1"


class RequestRefused(RuntimeError):
    """The application refused a request; the message says which and why."""


class Client:
    """A client of the application, signed in once it has a token."""

    def __init__(self, app: WSGIApplication, token: str = "") -> None:
        self.app = app
        self.token = token

    def signed_in(self, token: str) -> Self:
        """Another client of the same application, with a token."""
        return type(self)(self.app, token)

    def get(self, path: str) -> Any:
        """The data of a resource."""
        return self._call("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        """Create or do something; the data of the answer."""
        return self._call("POST", path, body)

    def patch(self, path: str, **body: Any) -> Any:
        """Change something; the data of the answer."""
        return self._call("PATCH", path, body)

    def fetch(self, path: str) -> bytes:
        """The content of a page or file; `path` is the complete path."""
        return self._send("GET", path)

    def _call(self, verb: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return json.loads(self._send(verb, PREFIX + path, body))["data"]

    def _send(self, verb: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        statuses: list[str] = []

        def start_response(status: str, *_: object) -> None:
            statuses.append(status)

        start: StartResponse = start_response  # type: ignore[assignment]  # no one uses WSGI's `write`
        parts = self.app(self._environ(verb, path, body), start)
        answer = b"".join(parts)
        if close := getattr(parts, "close", None):
            close()
        if not statuses[0].startswith("2"):
            raise RequestRefused(f"{verb} {path}: {statuses[0]} {answer.decode(errors='replace')} {body}")
        return answer

    def _environ(self, verb: str, path: str, body: dict[str, Any] | None) -> WSGIEnvironment:
        content = b"" if body is None else json.dumps(body, default=str).encode()
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": verb,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8420",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost:8420",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(content),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        return environ | ({"HTTP_AUTHORIZATION": f"Bearer {self.token}"} if self.token else {})
