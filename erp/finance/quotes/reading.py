"""From requests about quotes to commands, and from a command to the request that a draft stores."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from erp.finance.documents import reading
from erp.finance.documents.bodies import InvoiceRequest
from erp.finance.documents.commands import InvoiceCommand
from erp.finance.quotes.bodies import NewQuote, QuoteChange
from erp.finance.quotes.models import Option
from erp.kernel import places
from erp.kernel.complaints import Complaints
from erp.kernel.money import RATE_SCALE
from erp.store import workspace_settings
from erp.texts.kinds import PLACES
from erp.web import schema


class LineChoice(msgspec.Struct, frozen=True):
    """Whether the customer may choose a line, and the position, from 1, of the line that it would replace."""

    option: Option = "included"
    alternative_to: int | None = None


class QuoteCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A quote: the sales invoice that it would be with all of its lines, the choices of these, and its own texts."""

    document: InvoiceCommand
    choices: Sequence[LineChoice]
    valid_until: date | None = None
    subject: str | None = None
    intro: str | None = None
    closing: str | None = None


def quote(body: NewQuote, complaints: Complaints, *, are_lines_new: bool = True) -> QuoteCommand:
    """The command for a request; the lines of a stored one have the values of their products already."""
    for field in ("intro", "closing"):
        complaints.items += places.misfits(getattr(body, field), PLACES["quote"], field)
    document = reading.document(request(body), complaints, are_lines_new=are_lines_new)
    return QuoteCommand(
        document=with_rate(document),
        choices=choices(body.lines),
        valid_until=body.valid_until,
        subject=body.subject,
        intro=body.intro,
        closing=body.closing,
    )


def request(body: NewQuote) -> InvoiceRequest:
    """The request for the invoice that a quote would be."""
    shared = set(InvoiceRequest.__struct_fields__) & set(body.__struct_fields__) - {"intro", "closing"}
    return InvoiceRequest(kind="sales_invoice", **{name: getattr(body, name) for name in shared})


class _Chosen(Protocol):
    option: Option
    alternative_to: int | None


def choices(lines: Sequence[_Chosen]) -> list[LineChoice]:
    return [LineChoice(line.option, line.alternative_to) for line in lines]


def with_rate(command: InvoiceCommand) -> InvoiceCommand:
    """The command with an exchange rate that nothing depends on: a quote has no value in the base currency."""
    base = workspace_settings.current().base_currency
    currency = command.currency or command.contact.currency or base
    return command if currency == base else replace(command, exchange_rate=RATE_SCALE)


def stored(terms: str) -> NewQuote:
    """The request that a quote stores as its `terms`."""
    return schema.decode(json.loads(terms), NewQuote)  # stored as a text


def changed(terms: str, change: QuoteChange) -> NewQuote:
    """A stored request with the fields of a change in place of its own."""
    changes = change.changes()
    for pair in (("customer", "customer_id"), ("service_date", "service_period")):
        if changes.keys() & {*pair}:
            changes = dict.fromkeys(pair) | changes
    return replace(stored(terms), **changes)


def terms(command: QuoteCommand, contact_id: str, currency: str) -> str:
    """The request of a command as a quote stores it: with its contact, who may have just been added, by id."""
    document = replace(command.document, exchange_rate=None)
    values: dict[str, Any] = json.loads(reading.terms(document, contact_id, currency))
    del values["kind"]
    for line, choice in zip(values["lines"], command.choices, strict=True):
        line.update(_without_nulls({"option": choice.option, "alternativeTo": choice.alternative_to}))
    own = {
        "validUntil": command.valid_until and command.valid_until.isoformat(),
        "subject": command.subject,
        "intro": command.intro,
        "closing": command.closing,
    }
    return msgspec.json.encode(values | _without_nulls(own)).decode()


def _without_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
