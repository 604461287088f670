"""Invoices of an accepted quote: by share, by lines, the rest, deposits, and the final invoice that applies these."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books.exchange_rates import rates
from erp.finance.books.service import NO_SERVICE, Service
from erp.finance.contacts import contacts, payment_terms
from erp.finance.contacts.models import Contact
from erp.finance.documents import invoices
from erp.finance.documents.commands import InvoiceCommand, LineCommand
from erp.finance.documents.snapshot import language
from erp.finance.documents.store import FullInvoice
from erp.finance.quotes import bill_lines, drafts, invoiced, parts
from erp.finance.quotes.accepted import Accepted, accepted_parts
from erp.finance.quotes.bodies import QuoteInvoice
from erp.finance.quotes.invoiced import Invoiced
from erp.finance.quotes.models import Quote, QuoteLine
from erp.finance.quotes.parts import WHOLE
from erp.finance.quotes.quotes import check_invoiceable, event_data
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import Digits, says, translated
from erp.kernel.money import MICRO, divide
from erp.store import events
from erp.store.events import Draft
from erp.store.router import WORKSPACE


class AboveQuote(Refusal):
    """{left} of {number} is left to invoice, and this would be {wanted}. Invoice less, or send `force`."""

    status = 422


class DepositOpen(Refusal):
    """{number} has deposit invoices, so that a final invoice must bill the rest and apply them."""


class QuoteTaken(NamedTuple):
    """An invoice of a quote as it was drafted, and whether it goes above the quote."""

    quote: Quote
    full: FullInvoice
    is_above: bool


def invoice(id: str, body: QuoteInvoice) -> QuoteTaken:
    """Draft an invoice of an accepted quote.

    Raises:
        InvalidTransition: it has not been accepted, or is closed.
        AboveQuote: more than is left would be invoiced, without `force`.
        DepositOpen: it has deposit invoices, and this is neither one nor the final invoice.
        Invalid: with a complaint for every field that is wrong.
    """
    quote = Quote.find_to_change(id)
    check_invoiceable(quote)
    bills = invoiced.of(quote)
    deposit_ids = live_deposits(id)
    if deposit_ids and body.kind == "sales_invoice":
        raise DepositOpen(number=quote.number)
    accepted = accepted_parts(quote)
    if body.kind == "deposit_invoice":
        demand = _deposit(quote, accepted, body, bills)
    else:
        demand = _demand(quote, accepted, body, bills)
    if demand.is_above and (not body.force or not demand.command.lines):
        raise _above(quote, body, demand)
    full = invoices.create(_completed(demand.command, quote, body, deposit_ids))
    if demand.is_above and not quote.is_above and body.kind != "deposit_invoice":
        _keep_above(quote)
    return QuoteTaken(quote, full, demand.is_above)


class Demand(NamedTuple):
    """The lines of an invoice, the net amount that was asked for, and what of the quote is left for it."""

    command: InvoiceCommand
    wanted: int
    left: int
    is_above: bool


def _demand(quote: Quote, accepted: Sequence[Accepted], body: QuoteInvoice, bills: Invoiced) -> Demand:
    whole, left = [each.part for each in accepted], invoiced.left(quote, bills)
    shares = _shares(accepted, body)
    if shares is None:
        taken = parts.rest_of(whole)
        wanted, is_above = sum(each.amount for each in taken), not left
    else:
        named = [one for one in whole if one.id in shares]
        taken = [parts.take(one, shares[one.id], force=body.force) for one in named]
        # A share is measured on the whole quote: a line that was invoiced before takes what is left of it.
        measured = [named] if body.share is not None else [[one] for one in named]
        is_above = any(parts.is_above(some, shares) for some in measured)
        wanted = sum(divide(one.amount * shares[one.id], WHOLE) for one in named) if is_above else 0
    total = sum(each.amount for each in taken)
    taken = [each for each in taken if each.amount]
    is_above = is_above or total > left or not taken
    return Demand(bill_lines.printed(quote, _customer(quote), accepted, taken), wanted or total, left, is_above)


def _above(quote: Quote, body: QuoteInvoice, demand: Demand) -> AboveQuote:
    left, wanted = (money.shown(amount, quote.currency) for amount in (demand.left, demand.wanted))
    sent = (("share", body.share is not None), ("lines", body.lines is not None), ("rest", body.rest))
    field = next((name for name, is_sent in sent if is_sent), "kind")
    return AboveQuote(field=field, number=quote.number, left=left, wanted=wanted)


def _completed(command: InvoiceCommand, quote: Quote, body: QuoteInvoice, deposit_ids: Sequence[str]) -> InvoiceCommand:
    """The command with what every invoice of the quote has."""
    return replace(
        command,
        kind=body.kind,
        is_draft=True,
        issue_date=body.issue_date,
        payment_terms=payment_terms.read(quote.payment_terms),
        service=NO_SERVICE if body.kind == "deposit_invoice" else Service(quote.service_from, quote.service_to),
        currency=quote.currency,
        exchange_rate=rates.scaled(body.exchange_rate),
        reference=quote.reference,
        project_id=quote.project_id,
        deposit_ids=deposit_ids if body.kind == "final_invoice" else (),
        quote_id=quote.id,
    )


def _customer(quote: Quote) -> Contact:
    return contacts.refer(quote.contact_id, "customerId", kind="customer")


_DEPOSITS = "SELECT id FROM invoice WHERE quote_id = ? AND kind = 'deposit_invoice' AND status <> 'void' ORDER BY id"


def live_deposits(quote_id: str) -> list[str]:
    return [id for (id,) in WORKSPACE.rows(_DEPOSITS, (quote_id,))]


def _shares(accepted: Sequence[Accepted], body: QuoteInvoice) -> Mapping[str, int] | None:
    """The part of each line or charge that a request names; None for all that is left."""
    if body.share is not None:
        return dict.fromkeys((each.row.id for each in accepted), money.scaled(body.share, WHOLE // 100))
    return None if body.lines is None else _parts_of_lines(accepted, body)


def _parts_of_lines(accepted: Sequence[Accepted], body: QuoteInvoice) -> Mapping[str, int]:
    """The parts that quantities are of their lines; a charge has the quantity 1."""
    rows, wanted, complaints = {each.row.id: each.row for each in accepted}, dict[str, int](), Complaints()
    for i, line in enumerate(body.lines or ()):
        row = rows.get(line.line_id)
        if row is None:
            message = says("Must be the id of an accepted line or charge of this quote.")
            complaints.add(f"lines[{i}].lineId", "unknown_reference", message)
        elif line.line_id in wanted:
            complaints.add(f"lines[{i}].lineId", "repeated", says("Another line of the request has the same id."))
        else:
            quantity = row.quantity if isinstance(row, QuoteLine) else MICRO
            wanted[line.line_id] = divide(money.scaled(line.quantity, MICRO) * WHOLE, quantity)
            if wanted[line.line_id] <= 0:
                message = says("Must have the sign of the quote's quantity.")
                complaints.add(f"lines[{i}].quantity", "wrong_sign", message)
    complaints.refuse()
    return wanted


def _deposit(quote: Quote, accepted: Sequence[Accepted], body: QuoteInvoice, bills: Invoiced) -> Demand:
    """A deposit: a line for each tax rate. It uses nothing up, but all deposits together are at most the rest."""
    assert body.share is not None
    share, by_rate = money.scaled(body.share, WHOLE // 100), defaultdict[str | None, int](int)
    for each in accepted:
        by_rate[each.row.tax_rate_id] += each.part.amount
    percent = Digits(money.plain(share, WHOLE // 100))
    text = says("Deposit of {percent} % on quote {number}", percent=percent, number=quote.number)
    spoken = translated(text, language(drafts.as_invoice(quote)))
    nets = {rate_id: divide(amount * share, WHOLE) for rate_id, amount in by_rate.items()}
    lines = [
        LineCommand(
            description=spoken, quantity=MICRO, unit_price=money.price(net, quote.currency), tax_rate_id=rate_id
        )
        for rate_id, net in nets.items()
        if net
    ]
    command = InvoiceCommand(contact=_customer(quote), lines=lines, prices_include_tax=False)
    wanted, left = sum(nets.values()), (quote.accepted_net or 0) - bills.used - bills.deposits
    return Demand(command, wanted, max(left, 0), wanted > left or not lines)


def _keep_above(quote: Quote) -> None:
    quote.change(is_above=True)
    events.write("quote.updated", "quote", quote.id, event_data(quote) | {"isAbove": True})


_QUOTE_OF = """
SELECT coalesce(invoice.quote_id, credited.quote_id) FROM invoice
LEFT JOIN invoice AS credited ON credited.id = invoice.credited_invoice_id WHERE invoice.id = ?
"""


def follow(event: Draft, seq: int) -> None:
    """Note that a quote is exceeded because someone changed a draft of it, or voided a credit note."""
    for (quote_id,) in WORKSPACE.rows(_QUOTE_OF, (event.resource_id,)):
        quote = None if quote_id is None else Quote.find(quote_id)
        if quote is None or quote.accepted_net is None or quote.is_above:
            continue
        if invoiced.of(quote).used > quote.accepted_net:
            _keep_above(quote)
