"""A browser that signs in or out: its session, and the marks by which it is known again."""

import falcon

from erp.auth import devices
from erp.kernel import clock
from erp.web import cookies
from erp.web.session import LIFETIME

LONGEST_MARKS = 1000


def give(req: falcon.Request, resp: falcon.Response, token: str, marks: str) -> None:
    """Sign a browser in, and mark it."""
    cookies.replace(req, resp, cookies.DEVICE, marks, devices.LIFETIME)
    cookies.give(req, resp, cookies.SESSION, token, LIFETIME)


def renew(req: falcon.Request, resp: falcon.Response, expires_at: str | None) -> None:
    """Have a browser that sent its session by an earlier name keep it by its name, until it ends."""
    if "HTTP_AUTHORIZATION" in req.env or expires_at is None or not cookies.is_earlier(req, cookies.SESSION):
        return
    token = cookies.sent(req, cookies.SESSION) or ""
    cookies.replace(req, resp, cookies.SESSION, token, clock.parse(expires_at) - clock.now())


def clear(req: falcon.Request, resp: falcon.Response) -> None:
    """Sign a browser out; its marks stay."""
    cookies.clear(req, resp, cookies.SESSION)


def marks(req: falcon.Request) -> str | None:
    """The marks that a browser has sent."""
    sent = cookies.sent(req, cookies.DEVICE)
    return sent if sent and len(sent) <= LONGEST_MARKS else None
