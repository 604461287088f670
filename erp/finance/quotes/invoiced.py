"""The invoiced parts of quotes: fixed SQL over their live invoices, in net."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal, NamedTuple

from erp.finance.quotes.models import Quote
from erp.store import sql
from erp.store.router import WORKSPACE

QuoteStatus = Literal[
    "draft", "issued", "expired", "accepted", "partly_invoiced", "invoiced", "declined", "superseded", "closed"
]

_NET = "({0}.subtotal - {0}.discount_total + {0}.charge_total)"
_CREDITED = (
    f"coalesce((SELECT sum({_NET.format('note')}) FROM invoice AS note"
    " WHERE note.credited_invoice_id = bill.id AND note.status <> 'void'), 0)"
)
_COUNTED = "bill.status <> 'void' AND bill.kind IN ('sales_invoice', 'final_invoice')"
USED = (
    f"coalesce((SELECT sum({_NET.format('bill')} - {_CREDITED}) FROM invoice AS bill"
    f" WHERE bill.quote_id = {{id}} AND {_COUNTED}), 0)"
)
"""SQL of the net amount that invoices and drafts take of a quote, less credit notes."""

STATUS = (
    "CASE WHEN {t}.status = 'issued' AND {t}.valid_until < :today THEN 'expired'"
    f" WHEN {{t}}.status <> 'accepted' OR {USED.format(id='{t}.id')} = 0 THEN {{t}}.status"
    f" WHEN {USED.format(id='{t}.id')} >= {{t}}.accepted_net THEN 'invoiced' ELSE 'partly_invoiced' END"
)
"""SQL of the status as of `:today`."""

_SUMS = f"""
SELECT bill.quote_id,
    coalesce(sum(CASE WHEN {_COUNTED} AND bill.status <> 'draft' THEN {_NET.format("bill")} - {_CREDITED} END), 0),
    coalesce(sum(CASE WHEN {_COUNTED} AND bill.status = 'draft' THEN {_NET.format("bill")} END), 0),
    coalesce(sum(CASE WHEN bill.status <> 'void' AND bill.kind = 'deposit_invoice'
        THEN {_NET.format("bill")} - {_CREDITED} END), 0),
    coalesce(sum(CASE WHEN bill.status <> 'void' THEN 1 ELSE 0 END), 0)
FROM invoice AS bill WHERE bill.quote_id IN (SELECT value FROM json_each(?)) GROUP BY bill.quote_id
"""


class Invoiced(NamedTuple):
    """The amounts of a quote on issued invoices, on drafts, and on deposit invoices; how many of these are live."""

    issued: int = 0
    drafts: int = 0
    deposits: int = 0
    live: int = 0

    @property
    def used(self) -> int:
        return self.issued + self.drafts


def of_many(quote_ids: Iterable[str]) -> Mapping[str, Invoiced]:
    """The invoiced amounts of each quote that has any invoices."""
    rows = WORKSPACE.rows(_SUMS, (sql.array(quote_ids),))
    return {id: Invoiced(*sums) for id, *sums in rows}


def of(quote: Quote) -> Invoiced:
    return of_many([quote.id]).get(quote.id, Invoiced())


def status_of(quote: Quote, invoiced: Invoiced, today: date) -> QuoteStatus:
    """The status that people see: the whole last day is valid."""
    status: QuoteStatus = quote.status  # type: ignore[assignment]  # one of them, as the table says
    if status == "issued" and today > quote.valid_until:
        return "expired"
    if status != "accepted" or not invoiced.used:
        return status
    return "invoiced" if invoiced.used >= (quote.accepted_net or 0) else "partly_invoiced"


def left(quote: Quote, invoiced: Invoiced) -> int:
    """The rest to invoice; nothing before the quote is accepted, or once more was invoiced."""
    return max((quote.accepted_net or 0) - invoiced.used, 0)
