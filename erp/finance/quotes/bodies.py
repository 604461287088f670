"""Request bodies of quotes."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.service import ServicePeriod
from erp.finance.documents.bodies import NewCustomer, RoundingAmount, Terms
from erp.finance.documents.line_bodies import (
    Adjustments,
    InvoiceLineChange,
    NewInvoiceLine,
    PercentOrAmount,
    ServiceDay,
    Share,
)
from erp.finance.quotes.models import Option
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.projects.bodies import Code
from erp.web.inline import Inline
from erp.web.scalars import Currency, Day, Id, Line, Name, Note, Quantity
from erp.web.schema import Body, Query, Unset, are_reversed

Choice = Annotated[
    Option,
    msgspec.Meta(
        description="Options are never in the total: `optional` comes on top if the customer chooses it, `alternative`"
        " replaces the line that `alternativeTo` names."
    ),
]
AlternativeTo = Annotated[
    int, msgspec.Meta(description="Of an alternative: the position, from 1, of the included line that it replaces.")
]
Subject = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ValidUntil = Annotated[
    Day, msgspec.Meta(description="The last day on which it can be accepted; by default as `quoteValidDays` says.")
]
Intro = Annotated[Note, msgspec.Meta(description="Text before the lines.")]
Closing = Annotated[Note, msgspec.Meta(description="Text after the lines.")]


class NewQuoteLine(NewInvoiceLine):
    """A line of a quote: as of a sales invoice, and whether the customer may choose it."""

    option: Choice = "included"
    alternative_to: AlternativeTo | None = None


class QuoteLineChange(InvoiceLineChange):
    """A line of a draft; the lines of a change replace all lines of the draft."""

    option: Choice = "included"
    alternative_to: AlternativeTo | None = None

    def check(self) -> Iterable[Complaint]:
        return NewInvoiceLine.check(self)  # a quote has no time, so nothing was rounded to 0


Lines = Annotated[list[NewQuoteLine], msgspec.Meta(min_length=1, max_length=500)]
ChangedLines = Annotated[list[QuoteLineChange], msgspec.Meta(min_length=1, max_length=500)]


def early_end(issue_date: object, valid_until: object) -> Iterator[Complaint]:
    """The complaint about a quote that expires before it is issued."""
    if are_reversed(issue_date, valid_until):
        message = says("Must not be before the issue date, {issue_date}.", issue_date=issue_date)
        yield Complaint("validUntil", "too_early", message)


class NewQuote(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "customer": {"name": "Globex"},
        "subject": "Website relaunch",
        "lines": [
            {"description": "Concept", "quantity": "10", "unit": "day", "unitPrice": "960.00"},
            {"description": "Training", "quantity": "2", "unit": "day", "unitPrice": "480.00", "option": "optional"},
        ],
    }

    customer_id: Id | None = None
    customer: NewCustomer | None = None
    subject: Subject | None = None
    issue_date: Day | None = None
    valid_until: ValidUntil | None = None
    intro: Intro | None = None
    closing: Closing | None = None
    payment_terms: Terms | None = None
    service_date: ServiceDay | None = None
    service_period: ServicePeriod | None = None
    currency: Currency | None = None
    prices_include_tax: bool | None = None
    discount: PercentOrAmount | None = None
    allowances: Adjustments | None = None
    charges: Adjustments | None = None
    rounding_amount: RoundingAmount | None = None
    reference: Line | None = None
    project_id: Id | None = None
    note: Note | None = None
    lines: Lines

    def check(self) -> Iterable[Complaint]:
        return early_end(self.issue_date, self.valid_until)


class QuoteChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reference": "Order 4712", "note": "Thank you."}

    customer_id: Id | Unset = UNSET
    customer: NewCustomer | Unset = UNSET
    subject: Subject | Unset | None = UNSET
    issue_date: Day | Unset | None = UNSET
    valid_until: ValidUntil | Unset | None = UNSET
    intro: Intro | Unset | None = UNSET
    closing: Closing | Unset | None = UNSET
    payment_terms: Terms | Unset | None = UNSET
    service_date: ServiceDay | Unset | None = UNSET
    service_period: ServicePeriod | Unset | None = UNSET
    currency: Currency | Unset | None = UNSET
    prices_include_tax: bool | Unset | None = UNSET
    discount: PercentOrAmount | Unset | None = UNSET
    allowances: Adjustments | Unset | None = UNSET
    charges: Adjustments | Unset | None = UNSET
    rounding_amount: RoundingAmount | Unset | None = UNSET
    reference: Line | Unset | None = UNSET
    project_id: Id | Unset | None = UNSET
    note: Note | Unset | None = UNSET
    lines: ChangedLines | Unset = UNSET

    def check(self) -> Iterable[Complaint]:
        return early_end(self.issue_date, self.valid_until)


class NewQuoteProject(Body):
    """A project that is made when a quote is accepted; without a name it takes the subject of the quote."""

    name: Name | None = None
    code: Code | None = None
    tasks: Annotated[bool, msgspec.Meta(description="Also make a task of each accepted line.")] = False


class QuoteAcceptance(Body):
    """The customer's yes."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"by": "Petra Lindt", "reference": "Order 4711"}

    on: Annotated[Day, msgspec.Meta(description="The day of the yes; today when absent.")] | None = None
    by: Annotated[Name, msgspec.Meta(description="The person who said yes.")] | None = None
    reference: Annotated[Line, msgspec.Meta(description="The customer's order; replaces the quote's.")] | None = None
    chosen_line_ids: Annotated[
        list[Id], msgspec.Meta(max_length=500, description="The optional and alternative lines that are chosen.")
    ] = []
    project: NewQuoteProject | None = None
    project_id: Annotated[Id, msgspec.Meta(description="The project that it belongs to.")] | None = None
    force: Annotated[bool, msgspec.Meta(description="Accept a quote that has expired.")] = False

    def check(self) -> Iterable[Complaint]:
        if isinstance(self.project, NewQuoteProject) and isinstance(self.project_id, str):
            message = says("Send either projectId, for an existing project, or project, for a new one.")
            yield Complaint("projectId", "exactly_one", message)


class QuoteProject(Body):
    """The project of an accepted quote: a new one, or one that there is."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"project": {"name": "Website relaunch", "tasks": True}}

    project: NewQuoteProject | None = None
    project_id: Annotated[Id, msgspec.Meta(description="The project that it belongs to.")] | None = None

    def check(self) -> Iterable[Complaint]:
        if isinstance(self.project, NewQuoteProject) == isinstance(self.project_id, str):
            message = says("Send either projectId, for an existing project, or project, for a new one.")
            yield Complaint("projectId", "exactly_one", message)


class QuoteDecline(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Another offer was cheaper"}

    reason: Line | None = None


class QuoteClose(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The rest of the project was cancelled"}

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class QuoteLinePart(Body):
    """A part of a line of a quote, to be invoiced."""

    line_id: Annotated[Id, msgspec.Meta(description="An accepted line, or a charge of the whole quote.")]
    quantity: Quantity


class QuoteInvoice(Body):
    """The part of an accepted quote to invoice: a share, parts of lines, or the rest."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"share": "40"}

    share: Annotated[Share, msgspec.Meta(description="A percentage above 0 of each accepted line.")] | None = None
    lines: Annotated[list[QuoteLinePart], msgspec.Meta(min_length=1, max_length=600)] | None = None
    rest: Annotated[bool, msgspec.Meta(description="All that is left.")] = False
    kind: Annotated[
        Literal["sales_invoice", "deposit_invoice", "final_invoice"],
        msgspec.Meta(
            description="A deposit invoice asks for a share and uses nothing up. A final invoice bills all that is left"
            " and applies the quote's deposits."
        ),
    ] = "sales_invoice"
    issue_date: Day | None = None
    exchange_rate: RateOrLatest | None = None
    force: Annotated[bool, msgspec.Meta(description="Invoice more than is left.")] = False
    dry_run: Annotated[bool, msgspec.Meta(description="Show the invoice, and store nothing.")] = False

    def check(self) -> Iterable[Complaint]:
        if self.share == 0:
            yield Complaint("share", "not_positive", says("Must be greater than 0."))
        given = [self.share is not None, self.lines is not None, self.rest is True]
        if self.kind == "final_invoice":
            if any(given[:2]):
                message = says("A final invoice bills all that is left. Leave out the share and the lines.")
                yield Complaint("kind", "bills_the_rest", message)
        elif self.kind == "deposit_invoice":
            if given != [True, False, False]:
                yield Complaint("share", "required", says("A deposit invoice needs a share, and nothing else."))
        elif sum(given) != 1:
            yield Complaint("share", "exactly_one", says("Send one of share, lines and rest."))


class QuotePaperQuery(Query):
    """The paper of a quote."""

    paper: Annotated[
        Literal["quote", "order_confirmation"],
        msgspec.Meta(description="The order confirmation has what the customer accepted."),
    ] = "quote"
    inline: Inline = False
