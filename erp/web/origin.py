"""The cross-site rule: which requests a browser may send here on behalf of a page.

Ports do not separate cookies, so the whole origin counts, port included.
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
    """Decide whether a request may pass, by its method and the headers a browser cannot be made to forge.

    Args:
        scheme: of the request as it reached us; `public_url` takes its place and the host's.
        host: the Host header, already admitted by the allow-list.
        authorization: whether an Authorization header is present; no page can add one unasked.
        cookie: whether the session cookie is present.
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
