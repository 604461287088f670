"""Shared documents over HTTP, for the receiver of a link."""

from falcon import Request

from erp.kernel.errors import InvalidTransition, NotFound, RateLimited, Unavailable
from erp.kernel.language import says
from erp.share_links import opening, subjects
from erp.share_links.bodies import (
    SharedAcceptance,
    SharedDecline,
    SharedDocument,
    SharedFileRequest,
    SharedViewRequest,
)
from erp.share_links.models import ShareLink
from erp.share_links.opening import PinNeeded, WrongPin
from erp.share_links.refusals import OfferEnded, Superseded, TwoAlternatives
from erp.share_links.subjects import Answers
from erp.web.endpoint import endpoint
from erp.web.schema import File

REFUSES = (NotFound, PinNeeded, RateLimited, Unavailable, WrongPin)


class SharedView:
    @endpoint(access="public", writes=False, shows_secret=True, refuses=(*REFUSES, TwoAlternatives))
    def on_post(self, body: SharedViewRequest, req: Request) -> SharedDocument:
        """Show the document of a share link.

        No one signs in: `secret` is what follows `#` in the link's address. A link that is unknown, expired, revoked or
        switched off is a 404. After five wrong PINs it waits for 15 minutes (429), after twenty it is revoked. A link
        takes 60 requests a minute, an address 30 unknown secrets in ten minutes. Of a quote, `chosenLineIds` tries
        options: `total` is then the total with them, and nothing is stored.
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            return subjects.of(link).view(link.subject_id, body.chosen_line_ids)


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
        `X-Content-SHA256` is the hash of a stored file.
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            return subjects.of(link).file(link.subject_id, body.form)


ANSWER_REFUSES = (*REFUSES, InvalidTransition, OfferEnded, Superseded)


class SharedAccept:
    @endpoint(access="public", writes=False, shows_secret=True, refuses=(*ANSWER_REFUSES, TwoAlternatives))
    def on_post(self, body: SharedAcceptance, req: Request) -> SharedDocument:
        """Accept a quote as its receiver.

        It is a word, and no qualified electronic signature. The name, the time, the revision and the SHA-256 of the
        quote's PDF are kept and printed on the order confirmation. `revision` is the one that was shown: another one
        is a 409 (`superseded`), and so is a second answer, or one after the last valid day (`quote_expired`).
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            _answers(link).accept(link.subject_id, body)
            return subjects.of(link).view(link.subject_id, ())


class SharedDeclined:
    @endpoint(access="public", writes=False, shows_secret=True, refuses=ANSWER_REFUSES)
    def on_post(self, body: SharedDecline, req: Request) -> SharedDocument:
        """Decline a quote as its receiver.

        The office can reopen or revise it.
        """
        with opening.opened(body, req.remote_addr, req.context.request_id) as link:
            _answers(link).decline(link.subject_id, body)
            return subjects.of(link).view(link.subject_id, ())


def _answers(link: ShareLink) -> Answers:
    answers = subjects.of(link).answers
    if answers is None:
        raise InvalidTransition(says("This document asks for no answer."))
    return answers
