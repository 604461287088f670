"""The application: areas, middleware and error handlers, in the order they apply."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import falcon
from falcon.routing import CompiledRouter
from peewee import DatabaseError, IntegrityError

import erp.auth.routes
import erp.desk.routes
import erp.finance.routes
import erp.hr.routes
import erp.mail.routes
import erp.projects.routes
import erp.share_links.routes
import erp.system.routes
import erp.tasks.routes
import erp.webhooks.routes
import erp.workspace.routes
from erp import __version__
from erp.desk.notices import notices
from erp.finance.assets import assets
from erp.finance.bank import candidates
from erp.finance.documents import traded_assets
from erp.finance.documents.posting import TITLES
from erp.finance.dunning import charges, letters
from erp.finance.dunning import sending as letter_sending
from erp.finance.invoices import sent
from erp.finance.items.asked import Told
from erp.finance.output import sending as document_sending
from erp.finance.output import sharing
from erp.finance.quotes import invoicing, quotes
from erp.finance.quotes import sending as quote_sending
from erp.finance.quotes import sharing as quote_sharing
from erp.hr.access import user_links
from erp.hr.cost_rates import periods
from erp.hr.payroll.payslips import mailing
from erp.kernel.config import Config
from erp.kernel.errors import Refusal
from erp.mail import following, links
from erp.mail import people as people_mail
from erp.members import invites, people
from erp.share_links.subjects import SUBJECTS
from erp.store import events, router
from erp.system import upkeep
from erp.system.backups import damage
from erp.tasks.time import costs
from erp.web import answers, openapi
from erp.web.contract import BadContract
from erp.web.docs import DocsFile, DocsPage, Documentation, OneOperation, OpenApiDocument, once
from erp.web.edge import Edge
from erp.web.endpoint import contract_of, endpoint
from erp.web.hosts import TRUST
from erp.web.pages import manual, moved, shared
from erp.web.pages.static import Page, StaticFile, screens
from erp.web.pages.trust import Certificate, Trust
from erp.web.schema import View
from erp.web.session import Guard
from erp.workspace import samples

PREFIX = "/api/v1"
App = falcon.App[falcon.Request, falcon.Response]
AREAS: tuple[ModuleType, ...] = (
    erp.auth.routes,
    erp.workspace.routes,
    erp.webhooks.routes,
    erp.mail.routes,
    erp.share_links.routes,
    erp.projects.routes,
    erp.tasks.routes,
    erp.finance.routes,
    erp.hr.routes,
    erp.desk.routes,
    erp.system.routes,
)

DESCRIPTION = """A business management server for a small office.

Paths begin with `/api/v1`. Sign in with `POST /auth/sign-in/email`. A browser then stays signed in by its cookie; a
script sends the token as `Authorization: Bearer …`. Then select a workspace by its `id`, unless you have one alone.
Lists take `limit` (1 to 200), `cursor`, filters and `format=csv`. Money is a decimal string. A change can send
`If-Match`, and a POST an `Idempotency-Key`. To look again whether a list, report or record has changed, send
`If-None-Match` with its `ETag`: a 304 says that it has not.

Every answer is `{"success": true, "data": …}`, or a refusal:
`{"success": false, "error": {"code", "status", "message", "details": [{"field", "code", "message"}], "requestId"}}`.
A 422 names at once every field that is wrong by itself: its type, its form, days out of order, a guessable password.
Once the fields are right, a second 422 names what only the workspace's records show, such as an unknown id. Messages
are in the language of the user, or of `Accept-Language` (English or German), and `Content-Language` says so; `code`
never changes, and `params` has the values in a message. A record may be sent back as it was read: read-only fields that
are unchanged are ignored. An id that is not in the workspace is `not_found`, an address without an endpoint
`no_such_endpoint`.

Limits: bodies of 1 MiB, JSON nested 32 levels deep, 500 lines per invoice, 1,000 lines per journal entry. A request's
head must arrive within 10 s, and its body within 60 s. Sessions end after 7 days without use, and after 30 days.
What is no valid request never reaches an operation and is refused in the same form: 400 `bad_request`, 413 `too_large`,
431 `headers_too_large`.
"""


class HealthView(View):
    """The state of the server."""

    status: Literal["ok"]
    version: str


class Health:
    """Whether the server answers."""

    @endpoint(access="public")
    def on_get(self) -> HealthView:
        """Check that the server answers, and get its version."""
        return HealthView(status="ok", version=__version__)


def create_app(config: Config, *, after_crash: bool = False) -> App:
    """Make the application on a data directory, which is first brought up to date and, after a crash, checked."""
    events.REACTIONS["member.joined"] = user_links.on_joined
    events.REACTIONS["member.removed"] = events.REACTIONS["member.left"] = people.remember
    events.FOLLOWERS.update(notices.followers())
    events.FOLLOWERS.update(dict.fromkeys(("invoice.updated", "invoice.void"), invoicing.follow))
    Told.paid, Told.letters, Told.charge = candidates.seem_paid, charges.asked, charges.charge_item
    traded_assets.MAKERS["purchase_invoice"] = assets.make_of_line
    _follow_mail()
    SUBJECTS["invoice"], SUBJECTS["quote"] = sharing.INVOICE, quote_sharing.QUOTE
    shared.KINDS.update(TITLES, quote=quote_sharing.TITLE)
    router.WORKSPACE.on_damage = damage.note
    costs.source = periods.spans
    samples.FILLER[:] = [_sample]
    upkeep.prepare(config, after_crash=after_crash)
    return application(config)


def _follow_mail() -> None:
    """Let areas say how their records go out by mail, and hear when they have."""
    following.LINKS.update(invite=links.of_invite, password_reset=links.of_reset)
    following.LINKS.update(invoice=links.of_document, quote=links.of_document)
    following.MAY_SEND.update(invite=links.check_invite, password_reset=links.check_reset)
    following.SENDABLE.update(invoice=document_sending.check, quote=quote_sending.check, reminder=letter_sending.check)
    following.SENDABLE.update(payslip=mailing.check, invite=links.check_pending)
    following.SENT.update(invoice=sent.note, quote=quotes.note_mailed, reminder=letters.note_sent)
    invites.SEND[:] = [people_mail.send_new]
    invites.CHECK_ADDRESS[:] = [people_mail.check_address]


@contextmanager
def _sample(name: str) -> Iterator[tuple[str, Path]]:
    from erp.demo import sample  # here, because few offices need it

    with sample.played(name, partial(application, is_logged=False)) as made:
        yield made


def application(config: Config, *, is_logged: bool = True) -> App:
    """The application on a data directory that is up to date."""
    app: App = falcon.App(middleware=[Edge(config, is_logged=is_logged), Guard()], router=_router())
    app.req_options.strip_url_path_trailing_slash = True
    app.resp_options.secure_cookies_by_default = False
    for kind, handler in (
        (Exception, answers.on_unexpected),
        (DatabaseError, answers.on_storage_error),
        (IntegrityError, answers.on_constraint),
        (falcon.HTTPError, answers.on_framework_error),
        (Refusal, answers.on_refusal),
    ):
        app.add_error_handler(kind, handler)  # type: ignore[arg-type]
    return app


@functools.cache
def _router() -> CompiledRouter:
    """The routes, which are the same for every application of the process."""
    router = CompiledRouter()
    for path, resource in routes().items():
        router.add_route(path, resource)
    router.find("/")  # compiles the routes now, not in the first request
    return router


def routes() -> dict[str, object]:
    """Every path of the server with its resource.

    Raises:
        BadContract: a resource of an area has a responder that is not an endpoint.
    """
    resources = {
        **{path: Page(module) for path, module in screens().items()},
        **{path: moved.Moved(now) for path, now in moved.PAGES.items()},
        "/static/{version}/{name:path}": StaticFile(),
        TRUST: Trust(),
        f"{TRUST}/erp.crt": Certificate(),
        shared.PATH: shared.Shared(),
        manual.PATH: manual.Manual(),
        f"{manual.PATH}/{{name:path}}": manual.Manual(),
        **documentation(),
        "/api/health": Health(),
    }
    for area in areas():
        for path, resource in area.items():
            _check_resource(path, resource)
            resources[PREFIX + path] = resource
    return resources


@functools.cache
def documentation() -> dict[str, object]:
    """The page and the document of the API, made once in a process."""
    made = once(lambda: Documentation.of(openapi_document()))
    return {
        "/api/docs": DocsPage(made),
        "/api/docs/{name}": DocsFile(),
        "/api/docs/operations/{operation_id}": OneOperation(made),
        "/api/openapi.json": OpenApiDocument(made),
    }


def _check_resource(path: str, resource: object) -> None:
    for name in dir(resource):
        if name.startswith("on_") and contract_of(resource, name.removeprefix("on_")) is None:
            raise BadContract(f"{path} {name}: it is not an endpoint")


def areas() -> list[openapi.Area]:
    """The routes of each area."""
    return [area.ROUTES for area in AREAS]


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of the API."""
    return openapi.document(areas(), PREFIX, DESCRIPTION)
