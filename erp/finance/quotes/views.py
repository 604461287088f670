"""Views of quotes, in lists and in full."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books.service import ServicePeriodView
from erp.finance.contacts import heads, payment_terms
from erp.finance.contacts.bodies import TaxCategory
from erp.finance.contacts.payment_terms import PaymentTermsView
from erp.finance.documents.models import InvoiceKind
from erp.finance.documents.totals import TaxRounding
from erp.finance.invoices.view_parts import (
    InvoiceAdjustmentView,
    InvoiceCustomerView,
    InvoiceLineView,
    OfLine,
    PercentOrAmountView,
    service_fields,
)
from erp.finance.invoices.views import InvoiceStatus, NetTotal, SumOfLines
from erp.finance.quotes import accepted, drafts, invoiced, quotes, taxes
from erp.finance.quotes.accepted import accepted_parts
from erp.finance.quotes.invoiced import Invoiced, QuoteStatus, status_of
from erp.finance.quotes.models import AcceptedVia, Option, Quote, QuoteAdjustment, QuoteLine, SentVia
from erp.finance.quotes.parts import Part
from erp.kernel import caller
from erp.kernel.money import plain, text
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

Action = Literal[
    "update",
    "delete",
    "issue",
    "revise",
    "accept",
    "project",
    "decline",
    "reopen",
    "close",
    "invoice",
    "duplicate",
    "send",
    "mark_sent",
    "unmark_sent",
]
Can = Annotated[
    list[Action],
    Meta(
        description="Actions on the quote open to you now. Of an issued one, `update` changes the last day, reference"
        " and note."
    ),
]
Status = Annotated[
    QuoteStatus,
    Meta(
        description="As of today. `expired` is issued with its last day gone; `partly_invoiced` and `invoiced` are"
        " accepted, with drafts counted."
    ),
]
InvoicedNet = Annotated[Money, Meta(description="Net of its issued invoices, less their credit notes.")]
LeftNet = Annotated[Money, Meta(description="The accepted net less invoices and drafts.")]
IsAbove = Annotated[bool, Meta(description="More has been invoiced than was accepted, with consent.")]


class QuoteSummary(RecordView):
    """A quote in a list: the newest revision of its number."""

    created_by: str | None
    created_by_name: str | None
    number: str | None
    revision: int
    status: Status
    customer_id: str
    customer_name: str
    subject: str | None
    issue_date: date
    valid_until: date
    currency: str
    reference: str | None
    project_id: str | None
    project_name: str | None
    net_total: NetTotal
    tax_total: Money
    total: Money
    accepted_net: Money | None
    accepted_tax: Money | None
    accepted_total: Money | None
    invoiced_net: InvoicedNet
    draft_net: Annotated[Money, Meta(description="Net of its draft invoices.")]
    left_net: LeftNet
    deposit_net: Annotated[Money, Meta(description="Net of its deposit invoices, which use nothing up.")]
    is_above: IsAbove
    accepted_at: str | None
    accepted_on: date | None
    accepted_by: str | None
    accepted_via: AcceptedVia | None
    sent_at: str | None
    sent_via: SentVia | None
    is_sent: bool
    can: Can

    @classmethod
    def of_many(cls, rows: Sequence[Quote]) -> "list[QuoteSummary]":
        bills = invoiced.of_many(quote.id for quote in rows)
        named = names.of(project=[quote.project_id for quote in rows])
        return [show(cls, quote, **_derived(quote, bills.get(quote.id, Invoiced()), named)) for quote in rows]


class QuoteLineView(View):
    """A line; an option's amounts are its own, and count only once it is accepted.

    `acceptedNet` is net of its share of the document's discount; `leftNet` is what of it is not invoiced.
    """

    id: str
    option: Option
    alternative_to: int | None
    description: str
    quantity: Figure
    unit: str | None
    unit_price: Figure
    price_base_quantity: Figure
    discount: PercentOrAmountView | None
    charge: PercentOrAmountView | None
    tax_rate_id: str | None
    tax_rate_name: str | None
    account_id: str
    account_code: str
    account_name: str
    project_id: str | None
    project_name: str | None
    task_id: str | None
    task_key: str | None
    task_title: str | None
    product_id: str | None
    product_name: str | None
    service_date: date | None
    service_period: ServicePeriodView | None
    dimensions: dict[str, str]
    net: Money
    discount_share: Money
    net_after_discount: Money
    tax: Money
    gross: Money
    is_accepted: bool
    accepted_net: Money | None
    left_net: Money | None
    left_quantity: Figure | None

    @classmethod
    def of(cls, line: QuoteLine, currency: str, named: Names, part: Part | None) -> "QuoteLineView":
        row = InvoiceLineView.of(drafts.line_row(line), currency, named, OfLine())
        return show(
            cls,
            row,
            option=line.option,
            alternative_to=line.alternative_to,
            is_accepted=line.accepted_net is not None,
            accepted_net=None if line.accepted_net is None else text(line.accepted_net, currency),
            left_net=None if part is None else text(part.left, currency),
            left_quantity=None if part is None else plain(accepted.left_quantity(line, part)),
        )


class QuoteAdjustmentView(InvoiceAdjustmentView):
    """An allowance or a charge; a charge is invoiced as a line, by its `id`."""

    id: str

    @classmethod
    def of_quote(cls, row: QuoteAdjustment, currency: str, named: Names) -> "QuoteAdjustmentView":
        return show(cls, InvoiceAdjustmentView.of(drafts.adjustment_row(row), currency, named), id=row.id)


class QuoteTaxView(View):
    """The tax of one category and rate, in the total of the quote."""

    category: TaxCategory
    rate: Figure
    base: Money
    amount: Money


class QuoteRevisionView(View):
    """A revision of a quote."""

    id: str
    revision: int
    status: Status
    total: Money
    issued_at: str | None


class QuoteInvoiceView(View):
    """An invoice of a quote; void ones are shown as well, and count for nothing."""

    id: str
    number: str | None
    kind: InvoiceKind
    status: InvoiceStatus
    issue_date: date
    net_total: Money
    total: Money


class QuoteView(QuoteSummary):
    """A quote with its lines, its revisions and its invoices."""

    customer: InvoiceCustomerView | None
    prices_include_tax: bool
    tax_rounding: TaxRounding
    discount: PercentOrAmountView | None
    allowances: list[QuoteAdjustmentView]
    charges: list[QuoteAdjustmentView]
    note: str | None
    intro: str | None
    closing: str | None
    service_date: date | None
    service_period: ServicePeriodView | None
    payment_terms: PaymentTermsView | None
    lines: list[QuoteLineView]
    subtotal: SumOfLines
    discount_total: Money
    charge_total: Money
    rounding_amount: Money
    tax_breakdown: list[QuoteTaxView]
    issued_at: str | None
    accepted_note: Annotated[str | None, Meta(description="The customer's own words, by share link.")]
    accepted_paper_sha256: Annotated[
        str | None, Meta(description="Of an acceptance by share link: the hash of the PDF that was accepted.")
    ]
    declined_at: str | None
    declined_by: Annotated[str | None, Meta(description="The person who declined it by share link.")]
    declined_via: AcceptedVia | None
    decline_reason: str | None
    closed_at: str | None
    close_reason: str | None
    revisions: list[QuoteRevisionView]
    invoices: list[QuoteInvoiceView]

    @classmethod
    def of(cls, quote: Quote) -> "QuoteView":
        currency, lines, adjustments = quote.currency, quote.lines, quote.adjustments
        named = _names(quote, lines, adjustments)
        bills = invoiced.of(quote)
        is_accepted = quote.accepted_net is not None
        parts = {each.row.id: each.part for each in accepted_parts(quote)} if is_accepted else {}
        shown = [(row.is_charge, QuoteAdjustmentView.of_quote(row, currency, named)) for row in adjustments]
        return show(
            cls,
            quote,
            **_derived(quote, bills, named),
            **{name: text(getattr(quote, name), currency) for name in _PARTS_OF_TOTAL},
            customer=InvoiceCustomerView.of(drafts.as_invoice(quote)),
            discount=PercentOrAmountView.of(quote.discount_amount, quote.discount_percent, currency),
            allowances=[view for is_charge, view in shown if not is_charge],
            charges=[view for is_charge, view in shown if is_charge],
            **service_fields(quote.service_from, quote.service_to),
            payment_terms=payment_terms.view(payment_terms.read(quote.payment_terms)),
            lines=[QuoteLineView.of(line, currency, named, parts.get(line.id)) for line in lines],
            tax_breakdown=[
                QuoteTaxView(
                    category=row.category,  # type: ignore[arg-type]  # one of them, as the table says
                    rate=plain(row.rate),
                    base=text(row.base, currency),
                    amount=text(row.amount, currency),
                )
                for row in taxes.of_quote(quote, lines, adjustments)
            ],
            revisions=_revisions(quote, bills),
            invoices=_invoices(quote),
        )


_PARTS_OF_TOTAL = ("subtotal", "discount_total", "charge_total", "rounding_amount")


def _derived(quote: Quote, bills: Invoiced, named: Names) -> dict[str, Any]:
    """Fields that are computed as of today, with the amounts as texts."""
    currency, frozen = quote.currency, ("accepted_net", "accepted_tax", "accepted_total")
    amounts = {name: text(getattr(quote, name), currency) for name in ("net_total", "tax_total", "total")}
    accepted_amounts = {name: getattr(quote, name) for name in frozen}
    sums = (
        ("invoiced_net", bills.issued),
        ("draft_net", bills.drafts),
        ("left_net", invoiced.left(quote, bills)),
        ("deposit_net", bills.deposits),
    )
    return {
        **amounts,
        **{name: None if value is None else text(value, currency) for name, value in accepted_amounts.items()},
        **{name: text(amount, currency) for name, amount in sums},
        "status": status_of(quote, bills, workspace_settings.today()),
        "customer_id": heads.of(quote.contact_id),
        "customer_name": quote.contact_name,
        "project_name": named.name(quote.project_id),
        "is_sent": quote.sent_at is not None,
        "can": caller.allowed("finance.write", _actions(quote, bills)),
    }


def _actions(quote: Quote, bills: Invoiced) -> Mapping[Action, Callable[[], object]]:
    return {
        "update": lambda: None,
        "duplicate": lambda: None,
        "delete": partial(quotes.check_removable, quote),
        "issue": partial(quotes.check_issuable, quote),
        "revise": partial(quotes.check_revisable, quote),
        "accept": partial(quotes.check_acceptable, quote),
        "project": partial(_check_project, quote),
        "decline": partial(quotes.check_declinable, quote),
        "reopen": partial(quotes.check_reopenable, quote, bills),
        "close": partial(quotes.check_closable, quote, bills),
        "invoice": partial(quotes.check_left, quote, bills),
        "send": partial(quotes.check_mailable, quote),
        "mark_sent": partial(quotes.check_markable, quote),
        "unmark_sent": partial(quotes.check_sent, quote),
    }


def _check_project(quote: Quote) -> None:
    """Refuse a project to a quote that cannot get one, or to those who may not begin any."""
    quotes.check_without_project(quote)
    if not caller.may_change("projects.write"):
        raise caller.refusal("projects.write")


def _names(quote: Quote, lines: Sequence[QuoteLine], adjustments: Sequence[QuoteAdjustment]) -> Names:
    """Names of the records that a quote and its parts refer to; one query."""
    return names.of(
        account=[*(line.account_id for line in lines), *(row.account_id for row in adjustments)],
        tax_rate=[*(line.tax_rate_id for line in lines), *(row.tax_rate_id for row in adjustments)],
        project=[quote.project_id, *(line.project_id for line in lines)],
        task=[line.task_id for line in lines],
        product=[line.product_id for line in lines],
    )


def _revisions(quote: Quote, bills: Invoiced) -> list[QuoteRevisionView]:
    """All revisions of its number, the first one first."""
    rows = [quote]
    if quote.number is not None:
        rows = Quote.fetch("SELECT * FROM quote WHERE number = ? ORDER BY revision", quote.number)
    others, today = invoiced.of_many(row.id for row in rows if row.id != quote.id), workspace_settings.today()
    known = {**others, quote.id: bills}
    return [
        show(
            QuoteRevisionView,
            row,
            status=status_of(row, known.get(row.id, Invoiced()), today),
            total=text(row.total, row.currency),
        )
        for row in rows
    ]


_INVOICES = (
    "SELECT id, number, kind, status, issue_date, subtotal - discount_total + charge_total, total FROM invoice"
    " WHERE quote_id = ? ORDER BY id"
)


def _invoices(quote: Quote) -> list[QuoteInvoiceView]:
    return [
        QuoteInvoiceView(
            id=id,
            number=number,
            kind=kind,
            status=status,
            issue_date=date.fromisoformat(day),
            net_total=text(net, quote.currency),
            total=text(total, quote.currency),
        )
        for id, number, kind, status, day, net, total in WORKSPACE.rows(_INVOICES, (quote.id,))
    ]
