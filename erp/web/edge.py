"""The edge of the server, for requests of any path: an id, the Host and cross-site rules, headers, the log line."""

import logging
import time

import falcon

from erp.kernel import config
from erp.kernel.config import Config
from erp.kernel.errors import CrossSite, HostRejected
from erp.kernel.language import says
from erp.kernel.options import is_ip, is_loopback, usual_ip
from erp.store.records import new_id
from erp.web import cookies, origin
from erp.web.hosts import TRUST, HostPolicy, split
from erp.web.transport import compression

log = logging.getLogger("erp.access")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_OPENER = "Cross-Origin-Opener-Policy"
"""Browsers ignore it on plain http, except inside this computer, and warn about it."""
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"


NEEDS_NO_SESSION = frozenset(f"/api/v1/auth/{name}" for name in ("login", "sign-in/email", "register"))
"""Paths at which a session's cookie counts for nothing, so that a script with a cookie jar can sign in again."""


class Edge:
    """Falcon middleware around everything else."""

    def __init__(self, active: Config, *, is_logged: bool = True) -> None:
        self._config = active
        self._is_logged = is_logged
        self._mark = cookies.mark_of(active)
        self._hosts = HostPolicy(active)
        is_secure = (active.public_url or "").startswith("https:")
        self._headers = HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if is_secure else {})

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Give the request an id and the configuration; refuse unknown host names and other sites."""
        req.context.config = config.ACTIVE.set(self._config)
        req.context.started = time.perf_counter()
        req.context.request_id = new_id()
        req.context.caller = None
        req.context.mark = self._mark
        if self._config.public_url is not None:
            req.env["REMOTE_ADDR"] = client_address(req.remote_addr, req.get_header("X-Forwarded-For"))
        req.context.method = req.method
        if req.method == "HEAD":  # answered like GET, without the body: some calendar programs send it first
            req.method = "GET"
        if not self._hosts.allows(req.env.get("HTTP_HOST"), int(req.env["SERVER_PORT"]), req.scheme):
            raise HostRejected
        if self._config.tls and req.scheme == "http" and not _may_stay_plain(req):
            raise falcon.HTTPPermanentRedirect(f"https://{req.env['HTTP_HOST']}{req.relative_uri}")
        if origin.is_preflight(req, self._config.allowed_origins):
            resp.complete = True  # the headers of every answer say the rest
            resp.status = falcon.HTTP_204
        elif req.path.startswith("/api/v1") and not self._is_same_site(req):
            raise _cross_site(req)

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Add the headers of every answer, and write the log line."""
        req.method = req.context.method
        if req.path.startswith("/api/v1"):
            compression.compress(req, resp)
        if req.method == "HEAD":
            _keep_head(resp)
        headers = self._headers | {"X-Request-Id": req.context.request_id}
        if req.scheme == "http" and self._config.public_url is None and not _is_named_locally(req):
            del headers[_OPENER]
        if resp.get_header("Content-Security-Policy") is None:
            headers["Content-Security-Policy"] = POLICY
        if req.path.startswith("/api") and resp.get_header("Cache-Control") is None:
            headers["Cache-Control"] = "no-store"
        resp.set_headers(headers)
        if self._config.allowed_origins:
            origin.set_headers(req, resp, self._config.allowed_origins)
        if self._is_logged:
            self._log(req, resp)
        config.ACTIVE.reset(req.context.config)

    def _is_same_site(self, req: falcon.Request) -> bool:
        env = req.env
        return origin.allowed(
            req.method,
            req.scheme,
            env.get("HTTP_HOST", ""),
            "HTTP_AUTHORIZATION" in env,
            "HTTP_COOKIE" in env and req.path not in NEEDS_NO_SESSION and cookies.has_session(req),
            env.get("HTTP_SEC_FETCH_SITE"),
            env.get("HTTP_ORIGIN"),
            self._config.public_url,
        )

    def _log(self, req: falcon.Request, resp: falcon.Response) -> None:
        if not log.isEnabledFor(logging.INFO):
            return
        who = req.context.caller
        route = req.uri_template  # the template, never the path, which may contain a secret
        line = AccessLine(f"{req.method} {route or '-'} {resp.status_code}")
        line.__dict__.update(
            method=req.method,
            route=route,
            status=resp.status_code,
            milliseconds=round((time.perf_counter() - req.context.started) * 1000, 1),
            address=req.remote_addr,
            request_id=req.context.request_id,
            user_id=who.user_id if who else None,
            workspace_id=who.workspace_id if who else None,
        )
        log.handle(line)


def _may_stay_plain(req: falcon.Request) -> bool:
    """Whether plain http is good enough: inside this computer, and to learn how to trust the certificate."""
    is_about_trust = req.path == TRUST or req.path.startswith(f"{TRUST}/")
    return is_about_trust or (is_loopback(usual_ip(req.remote_addr)) and _is_named_locally(req))


def _is_named_locally(req: falcon.Request) -> bool:
    host = split(req.env.get("HTTP_HOST"))
    return host is not None and is_loopback(host[0])


class AccessLine(logging.LogRecord):
    """A line of the log about a request; measured: finding its caller took half the time of writing it."""

    _USUAL = vars(logging.makeLogRecord({"name": log.name, "levelno": logging.INFO, "levelname": "INFO"}))

    def __init__(self, message: str) -> None:
        self.__dict__.update(self._USUAL, msg=message, args=None, created=time.time())


def _cross_site(req: falcon.Request) -> CrossSite:
    if origin.says_nothing(req.get_header("Sec-Fetch-Site"), req.get_header("Origin")):
        return CrossSite(
            says(
                "A request that signs in with a cookie must say where it comes from. Send this server's address as the "
                "`Origin` header or, better for a script, a bearer token instead of the cookie."
            )
        )
    return CrossSite()


def client_address(peer: str, forwarded_for: str | None) -> str:
    """The client behind a proxy on this computer: the last address, which the proxy added; clients can forge the rest.

    waitress could do this, but it takes every IPv4 address written as IPv6 for `::ffff`, and refuses a malformed
    header without an envelope.
    """
    last = (forwarded_for or "").rpartition(",")[2].strip()
    return usual_ip(last) if is_loopback(peer) and is_ip(last) else peer


def _keep_head(resp: falcon.Response) -> None:
    """Drop the body, which is not sent; its length stays."""
    if resp.data is not None:
        resp.content_length = len(resp.data)
    elif resp.stream is not None:
        resp.stream.close()  # type: ignore[union-attr]  # every stream here is a file
        resp.stream = None
