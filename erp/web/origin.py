"""The cross-site rule: which requests a browser may send to this server on behalf of a page.

Cookies do not distinguish ports, so the whole origin counts, including its port. The pages of other sites that the
administrator names may use the API with a bearer token, by cross-origin resource sharing: no answer allows credentials,
and without a token they are refused like pages of any other site. Source: the Fetch standard, section 3.2, CORS
protocol.
"""

from collections.abc import Collection

import falcon

from erp.kernel.options import USUAL_PORTS

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

METHODS = "GET, POST, PUT, PATCH, DELETE"
SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, x-workspace-id"
"""The headers that such a page may send."""

SHOWN = "ETag, Location, X-Request-Id, Retry-After, Idempotent-Replayed, Content-Disposition"
"""The headers of an answer that such a page may read."""

REMEMBERED_SECONDS = "600"


def allowed(
    method: str,
    scheme: str,
    host: str,
    authorization: bool,
    cookie: bool,
    sec_fetch_site: str | None,
    origin: str | None,
    public_url: str | None = None,
) -> bool:
    """Whether a request may pass, by its method and by headers that no page can make a browser forge.

    Args:
        scheme: the scheme of the request as it reached us; `public_url` replaces it and the host.
        host: the Host header, which the allow-list has admitted.
        authorization: whether there is an Authorization header; no other site's page can add one.
        cookie: whether there is a session cookie.
    """
    if authorization:
        return True
    if origin is not None and not _same(origin, public_url or f"{scheme}://{host}"):
        return False
    if method in SAFE_METHODS:
        return sec_fetch_site in (None, "same-origin", "none")
    if sec_fetch_site not in (None, "same-origin"):
        return False
    return not cookie or origin is not None or sec_fetch_site is not None


def says_nothing(sec_fetch_site: str | None, origin: str | None) -> bool:
    """Whether a request does not say which site it comes from; browsers always do."""
    return sec_fetch_site is None and origin is None


def _same(one: str, other: str) -> bool:
    return _without_usual_port(one) == _without_usual_port(other)


def _without_usual_port(origin: str) -> str:
    origin = origin.lower()
    return origin.removesuffix(f":{USUAL_PORTS.get(origin.partition('://')[0])}")


def is_preflight(req: falcon.Request, allowed: Collection[str]) -> bool:
    """Whether a browser asks, for a page of an allowed site, what it may send."""
    asks = req.method == "OPTIONS" and req.get_header("Access-Control-Request-Method") is not None
    return asks and _is_allowed(req, allowed)


def set_headers(req: falcon.Request, resp: falcon.Response, allowed: Collection[str]) -> None:
    """Let a page of an allowed site read the answer; others get no header that names them."""
    if not req.path.startswith("/api"):
        return
    resp.append_header("Vary", "Origin")
    if not _is_allowed(req, allowed):
        return
    resp.set_header("Access-Control-Allow-Origin", req.get_header("Origin") or "")
    resp.set_header("Access-Control-Expose-Headers", SHOWN)
    if is_preflight(req, allowed):
        resp.set_header("Access-Control-Allow-Methods", METHODS)
        resp.set_header("Access-Control-Allow-Headers", SENT)
        resp.set_header("Access-Control-Max-Age", REMEMBERED_SECONDS)


def _is_allowed(req: falcon.Request, allowed: Collection[str]) -> bool:
    """Browsers write an origin in lower case and without the usual port, as the option is stored."""
    return req.path.startswith("/api") and req.get_header("Origin") in allowed
