"""The paper of an unsaved document: made again at each request, and never stored."""

import threading
import time
from secrets import token_urlsafe
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from erp.finance.contacts.models import Contact
from erp.finance.documents import drafts
from erp.finance.documents.deposits.store import ShownDeposit
from erp.finance.documents.figures import Figures
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.invoices import previews
from erp.finance.invoices.previews import InvoicePreview, TypedInvoice
from erp.finance.output import sources
from erp.finance.output.paper import papers
from erp.kernel import caller, clock
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.web.inline import Inline, shown
from erp.web.schema import File, Query

PATH = "/api/v1/finance/invoices/preview"
KEPT_FOR = 60 * 10**9
MOST_KEPT = 32


class PreviewQuery(Query):
    """The form of a preview."""

    format: Annotated[
        Literal["json", "pdf"], Meta(description="`pdf`: the paper of the document, marked as a draft.")
    ] = "json"
    inline: Inline = False


class DocumentPreview(InvoicePreview, dict=True):
    """Totals of an unsaved document, or its paper."""

    @classmethod
    def made(cls, body: TypedInvoice) -> "DocumentPreview":
        preview = previews.preview(body)
        answer = cls.of(preview)
        vars(answer)["figures"] = preview.figures  # for the paper, which is no part of the answer
        return answer

    def file(self, format: str, query: Any) -> File | None:
        if format != "pdf":
            return None
        file = File(_paper(vars(self)["figures"]), f"{says('draft')}.pdf", papers.PDF)
        return _held(shown(file)) if query.inline else file


def _paper(figures: Figures) -> bytes:
    contact = figures.command.contact
    if not isinstance(contact, Contact):
        contact = Contact(**{name: value for name, value in msgspec.structs.asdict(contact).items() if value})
    invoice = Invoice(status="draft", **drafts.columns(figures, contact))
    full = FullInvoice(invoice, drafts.parts_of(figures, ""), deposits=_deposits(figures))
    return papers.written(sources.of_full(full, contact), clock.now(), None)


def _deposits(figures: Figures) -> list[ShownDeposit]:
    return [
        ShownDeposit(of.id, str(of.number), of.issue_date.isoformat(), row.tax_rate_id, "S", 0, row.net, row.tax)
        for of, received in ((deposit.invoice, deposit.received) for deposit in figures.deposits)
        for row in received
    ]


class _Kept(msgspec.Struct):
    """A paper in memory, for the one who asked for it, until it is too old, in nanoseconds of a steady clock."""

    owner: tuple[str | None, str | None]
    file: File
    until: int


_KEPT: dict[str, _Kept] = {}
_LOCK = threading.Lock()


def _held(file: File) -> File:
    """The same paper, with the address at which a page can show it in a frame within the next minute."""
    token = token_urlsafe(16)
    with _LOCK:
        _forget_old()
        while len(_KEPT) >= MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)))
        _KEPT[token] = _Kept(_owner(), file, time.monotonic_ns() + KEPT_FOR)
    return msgspec.structs.replace(file, headers=file.headers | {"Content-Location": f"{PATH}/{token}"})


def held(token: str) -> File:
    """A paper that the caller asked for less than a minute ago.

    Raises:
        NotFound: there is none.
    """
    with _LOCK:
        _forget_old()
        kept = _KEPT.get(token)
    if kept is None or kept.owner != _owner():
        raise NotFound(says("This preview is too old. Make it again."))
    return kept.file


def _owner() -> tuple[str | None, str | None]:
    current = caller.current()
    return current.user_id, current.workspace_id


def _forget_old() -> None:
    now = time.monotonic_ns()
    for token in [token for token, kept in _KEPT.items() if kept.until < now]:
        del _KEPT[token]
