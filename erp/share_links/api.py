"""Shared documents over HTTP, for the receiver of a link."""

from falcon import Request

from erp.kernel.errors import NotFound, RateLimited, Unavailable
from erp.share_links import opening, subjects
from erp.share_links.bodies import SharedDocument, SharedFileRequest, SharedRequest
from erp.share_links.opening import PinNeeded, WrongPin
from erp.web.endpoint import endpoint
from erp.web.schema import File

REFUSES = (NotFound, PinNeeded, RateLimited, Unavailable, WrongPin)


class SharedView:
    @endpoint(access="public", writes=False, shows_secret=True, refuses=REFUSES)
    def on_post(self, body: SharedRequest, req: Request) -> SharedDocument:
        """Show the document of a share link.

        No one signs in: `secret` is what follows `#` in the link's address. A link that is unknown, expired, revoked or
        switched off is a 404. After five wrong PINs it waits for 15 minutes (429), after twenty it is revoked. A link
        takes 60 requests a minute, an address 30 unknown secrets in ten minutes.
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            return subjects.of(link).view(link.subject_id)


class SharedFile:
    @endpoint(
        access="public",
        writes=False,
        shows_secret=True,
        produces=("application/pdf", "application/xml"),
        refuses=REFUSES,
    )
    def on_post(self, body: SharedFileRequest, req: Request) -> File:
        """Download the document of a share link.

        `forms` of the view says which files there are; another one is a 404. The rest is as for the view.
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            return subjects.of(link).file(link.subject_id, body.form)
