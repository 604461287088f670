"""The bodies of requests about invoices."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.periods import AllowFuture
from erp.finance.books.service import ServicePeriod
from erp.finance.contacts.bodies import NewContact
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.documents.line_bodies import Adjustments, ChangedLines, Lines, PercentOrAmount, ServiceDay, StoredLine
from erp.finance.documents.models import InvoiceKind, Party, party_of
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import (
    Amount,
    Currency,
    Day,
    Id,
    Line,
    Note,
)
from erp.web.schema import Body, Unset, are_reversed


class NewCustomer(NewContact, kw_only=True):
    """A customer that is added together with the invoice."""

    kind: Literal["customer", "both"] = "customer"


class NewSupplier(NewContact, kw_only=True):
    """A supplier that is added together with the bill."""

    kind: Literal["supplier", "both"] = "supplier"


Terms = Annotated[PaymentTerms, msgspec.Meta(description="The contact's when absent.")]


RoundingAmount = Annotated[
    Amount,
    msgspec.Meta(
        description="At most half of the workspace's cash rounding step; at most 5 where it has none, and in another"
        " currency."
    ),
]


class PrintedTax(Body):
    """The tax of one rate as the supplier printed it on the bill."""

    tax_rate_id: Id
    amount: Amount


PrintedTaxes = Annotated[
    list[PrintedTax],
    msgspec.Meta(
        max_length=100,
        description="The tax that a bill shows by its tax rates. Within 0.05 of what its lines come to, it is the tax"
        " of the bill.",
    ),
]
SupplierNumber = Annotated[
    Line,
    msgspec.Meta(
        description="The number that the supplier gave a bill; unique among the bills of a supplier in a calendar year."
    ),
]
Force = Annotated[bool, msgspec.Meta(description="Accept a `supplierNumber` that another bill of the year has.")]


PrepaidAmount = Annotated[
    Amount,
    msgspec.Meta(
        description="The part of a bill that the supplier says has been paid, such as deposits. `GET"
        " /finance/bills/due` and payment runs leave it out until payments are matched with it."
    ),
]
DepositIds = Annotated[
    list[Id],
    msgspec.Meta(
        max_length=100,
        description="Of a final invoice: the ids or numbers of the deposit invoices that it applies, as far as they"
        " have been paid. It closes what of them has not.",
    ),
]


Intro = Annotated[
    Note,
    msgspec.Meta(
        description="Above the lines of the paper, before the contact's and the workspace's texts; empty: none. Places"
        " as in `/workspace/texts`."
    ),
]
Closing = Annotated[Note, msgspec.Meta(description="The same below the totals.")]
TimeSheet = Annotated[
    bool, msgspec.Meta(description="Of a sales invoice: whether its paper ends with a list of the time that it bills.")
]


class InvoiceRequest(Body, kw_only=True):
    """Everything that the totals and the journal entry of an invoice are computed from."""

    kind: InvoiceKind = "sales_invoice"
    customer_id: Id | None = None
    customer: NewCustomer | None = None
    supplier_id: Id | None = None
    supplier: NewSupplier | None = None
    supplier_number: SupplierNumber | None = None
    force: Force = False
    issue_date: Day | None = None
    due_date: Day | None = None
    payment_terms: Terms | None = None
    service_date: ServiceDay | None = None
    service_period: ServicePeriod | None = None
    currency: Currency | None = None
    exchange_rate: RateOrLatest | None = None
    prices_include_tax: bool | None = None
    discount: PercentOrAmount | None = None
    allowances: Adjustments | None = None
    charges: Adjustments | None = None
    rounding_amount: RoundingAmount | None = None
    printed_tax: PrintedTaxes | None = None
    prepaid_amount: PrepaidAmount | None = None
    reference: Line | None = None
    project_id: Id | None = None
    note: Note | None = None
    intro: Intro | None = None
    closing: Closing | None = None
    time_sheet: TimeSheet = False
    deposit_ids: DepositIds | None = None
    lines: Lines

    @property
    def party(self) -> Party:
        return party_of(self.kind)

    @property
    def contact_id(self) -> str | None:
        """The customer or supplier, if it is on record."""
        return self.supplier_id if self.party == "supplier" else self.customer_id

    @property
    def new_contact(self) -> NewContact | None:
        """The customer or supplier, if it is to be added."""
        return self.supplier if self.party == "supplier" else self.customer


class StoredInvoice(InvoiceRequest, kw_only=True):
    """The request that a document stores."""

    lines: list[StoredLine]  # type: ignore[assignment]  # what was kept may be more than what may be sent


def early_due_date(issue_date: object, due_date: object) -> Iterator[Complaint]:
    """The complaint about a document that is due before it is issued."""
    if are_reversed(issue_date, due_date):
        message = says("Must not be before the issue date, {issue_date}.", issue_date=issue_date)
        yield Complaint("dueDate", "too_early", message)


PaidFrom = Annotated[
    AccountIdOrCode,
    msgspec.Meta(
        description="On a bill: the bank or cash account that it has been paid from already. A payment of all that is"
        " due is posted with it, on its day."
    ),
]
DryRun = Annotated[bool, msgspec.Meta(description="Show what issuing it would post, and store nothing.")]


class NewInvoice(InvoiceRequest, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "customer": {"name": "Globex"},
        "reference": "Order 4711",
        "lines": [
            {"description": "Consulting", "quantity": "8", "unit": "hour", "unitPrice": "95.00", "accountId": "4100"},
            {"description": "Travel", "quantity": "1", "unitPrice": "42.50", "discount": {"percent": "10"}},
        ],
    }

    draft: Annotated[bool, msgspec.Meta(description="Save a draft instead of issuing the invoice.")] = False
    paid_from_account_id: PaidFrom | None = None
    dry_run: DryRun = False
    allow_future: Annotated[
        bool,
        msgspec.Meta(description="Accept an issue date more than 7 days after today. A draft may have any date."),
    ] = False

    def check(self) -> Iterable[Complaint]:
        return early_due_date(self.issue_date, self.due_date)


class InvoiceChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reference": "Order 4712", "note": "Thank you."}

    kind: InvoiceKind | Unset = UNSET
    customer_id: Id | Unset = UNSET
    customer: NewCustomer | Unset = UNSET
    supplier_id: Id | Unset = UNSET
    supplier: NewSupplier | Unset = UNSET
    supplier_number: SupplierNumber | Unset | None = UNSET
    force: Force | Unset = UNSET
    issue_date: Day | Unset | None = UNSET
    due_date: Day | Unset | None = UNSET
    payment_terms: Terms | Unset | None = UNSET
    service_date: ServiceDay | Unset | None = UNSET
    service_period: ServicePeriod | Unset | None = UNSET
    currency: Currency | Unset | None = UNSET
    exchange_rate: RateOrLatest | Unset | None = UNSET
    prices_include_tax: bool | Unset | None = UNSET
    discount: PercentOrAmount | Unset | None = UNSET
    allowances: Adjustments | Unset | None = UNSET
    charges: Adjustments | Unset | None = UNSET
    rounding_amount: RoundingAmount | Unset | None = UNSET
    printed_tax: PrintedTaxes | Unset | None = UNSET
    prepaid_amount: PrepaidAmount | Unset | None = UNSET
    reference: Line | Unset | None = UNSET
    project_id: Id | Unset | None = UNSET
    note: Note | Unset | None = UNSET
    intro: Intro | Unset | None = UNSET
    closing: Closing | Unset | None = UNSET
    time_sheet: TimeSheet | Unset = UNSET
    deposit_ids: DepositIds | Unset | None = UNSET
    lines: ChangedLines | Unset = UNSET

    def check(self) -> Iterable[Complaint]:
        return early_due_date(self.issue_date, self.due_date)


class InvoiceIssue(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    allow_future: AllowFuture = False
    paid_from_account_id: PaidFrom | None = None
    dry_run: DryRun = False


class InvoiceBatchIssue(Body):
    """Drafts that are issued together, in this order."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"invoiceIds": ["01890a5d-ac96-774b-bcce-b302099a8057"]}

    invoice_ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=100)]
    allow_future: AllowFuture = False


class DraftDeletion(Body):
    """Drafts that are deleted together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"ids": ["01890a5d-ac96-774b-bcce-b302099a8057"]}

    ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=100)]


class InvoiceVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Billed to the wrong customer"}

    date: Annotated[Day, msgspec.Meta(description="Today when absent.")] | None = None
    reason: Line | None = None
    allow_future: AllowFuture = False
