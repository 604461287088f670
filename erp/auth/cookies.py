"""The session cookie. Under TLS its `__Host-` prefix keeps other hosts and paths from setting it."""

from datetime import UTC, datetime

import falcon

from erp.web.session import LIFETIME, cookie_name, is_secure


def give(resp: falcon.Response, token: str) -> None:
    """Sign a browser in."""
    resp.set_cookie(
        cookie_name(),
        token,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        secure=is_secure(),
        http_only=True,
        same_site="Strict",
    )


def clear(resp: falcon.Response) -> None:
    """Sign a browser out."""
    resp.set_cookie(
        cookie_name(),
        "",
        expires=datetime.fromtimestamp(0, UTC),
        path="/",
        secure=is_secure(),
        http_only=True,
        same_site="Strict",
    )
