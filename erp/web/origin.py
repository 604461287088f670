"""The cross-site rule: which requests a browser may send to this server on behalf of a page.

Cookies do not distinguish ports, so the whole origin counts, including its port.
"""

from erp.kernel.options import USUAL_PORTS

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


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


def _same(one: str, other: str) -> bool:
    return _without_usual_port(one) == _without_usual_port(other)


def _without_usual_port(origin: str) -> str:
    origin = origin.lower()
    return origin.removesuffix(f":{USUAL_PORTS.get(origin.partition('://')[0])}")
