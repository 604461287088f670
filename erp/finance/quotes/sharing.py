"""Quotes by share link: their view for the receiver, and the receiver's yes or no."""

from collections.abc import Sequence
from datetime import date

from erp.finance.quotes import acceptance, papers, quotes
from erp.finance.quotes.acceptance import ByLink
from erp.finance.quotes.bodies import QuoteAcceptance, QuoteDecline, QuotePaperQuery
from erp.finance.quotes.models import Quote, QuoteLine
from erp.kernel import caller
from erp.kernel.errors import InvalidTransition, NotFound
from erp.kernel.language import Word, says
from erp.kernel.money import plain, price_text, text
from erp.share_links.bodies import Form, SharedAcceptance, SharedDecline, SharedDocument, SharedLine
from erp.share_links.refusals import OfferEnded, Superseded
from erp.share_links.subjects import Answers, Subject
from erp.store import control, workspace_settings
from erp.web.schema import File, show

TITLE = Word("Quote")


def _check(id: str) -> date:
    """Refuse a draft and a superseded revision; else the last valid day."""
    quote = Quote.find(id)
    quotes.check_sendable(quote)
    _check_newest(quote, quote.revision)
    valid_until: date = quote.valid_until
    return valid_until


def _view(id: str, chosen: Sequence[str]) -> SharedDocument:
    with control.reading_own():
        quote = Quote.find(id)
        net, tax, total = _amounts(quote, chosen)
        return SharedDocument(
            office=papers.office_of(quote),
            kind="quote",
            number=str(quote.number),
            issue_date=quote.issue_date.isoformat(),
            due_date=quote.valid_until.isoformat(),
            currency=quote.currency,
            total=text(total, quote.currency),
            net_total=text(net, quote.currency),
            tax_total=text(tax, quote.currency),
            amount_due=text(0, quote.currency),
            state="expired" if quote.status == "issued" and _has_ended(quote) else quote.status,
            payment=None,
            prices_include_tax=bool(quote.prices_include_tax),
            lines=[_line(line, quote.currency) for line in quote.lines],
            revision=quote.revision,
            forms=["pdf"] if quote.accepted_at is None else ["pdf", "order_confirmation"],
            can=caller.passing(
                {
                    "accept": lambda: _check_open(quote, quote.revision, accepts=True),
                    "decline": lambda: _check_open(quote, quote.revision),
                }
            ),
        )


def _amounts(quote: Quote, chosen: Sequence[str]) -> tuple[int, int, int]:
    """Net, tax and total: of what was accepted, or of what the receiver is thinking of."""
    if quote.accepted_net is not None:
        return quote.accepted_net, quote.accepted_tax or 0, quote.accepted_total or 0
    if not chosen:
        return quote.net_total, quote.tax_total, quote.total
    totals = acceptance.totals_with(quote, chosen)
    return totals.net_total, totals.tax_total, totals.total


def _line(line: QuoteLine, currency: str) -> SharedLine:
    return show(
        SharedLine,
        line,
        position=line.position + 1,
        quantity=plain(line.quantity),
        unit_price=price_text(line.unit_price, currency),
        price_base_quantity=plain(line.price_base_quantity),
        net=text(line.net, currency),
        is_accepted=line.accepted_net is not None,
    )


def _file(id: str, form: Form) -> File:
    if form == "pdf":
        return papers.file_of(id, QuotePaperQuery())
    if form == "order_confirmation":
        try:
            return papers.file_of(id, QuotePaperQuery(paper="order_confirmation"))
        except InvalidTransition:
            pass
    raise NotFound(says("This document has no such file."))


def _accept(id: str, answer: SharedAcceptance) -> None:
    """Accept as the office would, without force; the paper that the receiver could read is kept first."""
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    with control.reading_own():
        quote = Quote.find(id)
        _check_open(quote, answer.revision, accepts=True)
        made = papers.unkept(quote)
    with control.open_workspace(workspace_id, write=True):
        quote = Quote.find_to_change(id)
        _check_open(quote, answer.revision, accepts=True)
        said = QuoteAcceptance(by=answer.name.strip(), chosen_line_ids=answer.chosen_line_ids)
        acceptance.accept(id, said, ByLink(answer.note, papers.kept(quote, made)))


def _decline(id: str, answer: SharedDecline) -> None:
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    with control.open_workspace(workspace_id, write=True):
        _check_open(Quote.find_to_change(id), answer.revision)
        quotes.decline(id, QuoteDecline(reason=answer.reason), by=answer.name.strip())


QUOTE = Subject(check=_check, view=_view, file=_file, answers=Answers(accept=_accept, decline=_decline))


def _check_newest(quote: Quote, revision: int) -> None:
    """Refuse a superseded quote, and an answer to another revision."""
    if quote.status == "superseded" or quote.revision != revision:
        raise Superseded(number=quote.number)


def _check_open(quote: Quote, revision: int, *, accepts: bool = False) -> None:
    """Refuse an answer to another revision, a second one, and a yes after the last day."""
    _check_newest(quote, revision)
    if quote.status != "issued":
        raise InvalidTransition(says("{number} has been answered already.", number=quote.number))
    if accepts and _has_ended(quote):
        raise OfferEnded(number=quote.number, day=quote.valid_until)


def _has_ended(quote: Quote) -> bool:
    return bool(workspace_settings.today() > quote.valid_until)
