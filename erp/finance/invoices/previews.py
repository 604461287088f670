"""Preview of an unsaved document: the totals that can be computed so far, and complaints about the rest."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from erp.finance.books import accounts
from erp.finance.contacts import tax_fit
from erp.finance.contacts.tax_fit import OtherParty
from erp.finance.documents import reading
from erp.finance.documents.bodies import NewInvoice
from erp.finance.documents.drafts import taxes_of
from erp.finance.documents.figures import Figures, compute_figures
from erp.finance.documents.line_bodies import NewInvoiceLine
from erp.finance.invoices import paid_bills
from erp.finance.invoices.view_parts import AccountBecause, InvoiceTaxView
from erp.finance.invoices.views import TOTALS, DepositTotal, NetTotal, SumOfLines, TaxDate
from erp.finance.write_downs import discounts
from erp.finance.write_downs.views import DiscountOfferView
from erp.kernel.complaints import REQUIRED, Collected, Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Digits, Word, says
from erp.kernel.money import RATE_SCALE, plain, text
from erp.store import names
from erp.store.names import Names
from erp.web.scalars import Figure, Money, Number
from erp.web.schema import DetailView, Printed, View, show

MOST_ROUNDED = 2
"""The difference of a line's tax that rounding explains, in hundredths of the major unit."""


class TypedQuantity(Number):
    """A quantity that may still be 0."""

    whole_digits = 12
    json_schema = {"type": "string", "description": "A quantity, with at most 6 decimals."}


TypedWording = Annotated[str, msgspec.Meta(max_length=1000)]


class TypedLine(NewInvoiceLine):
    """A line as far as it is typed."""

    quantity: TypedQuantity | None = None  # type: ignore[assignment]  # a line that is complete has one
    description: TypedWording | None = None

    def check(self) -> Iterable[Complaint]:
        """Nothing is refused: the preview has the complaints."""
        return ()


TypedLines = Annotated[list[TypedLine], msgspec.Meta(max_length=500)]


class TypedInvoice(NewInvoice, kw_only=True):
    """A document as far as it is typed."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"description": "Consulting", "quantity": "8", "unitPrice": "95.00"}, {"description": "Trav"}],
    }

    lines: TypedLines = []  # type: ignore[assignment]

    def check(self) -> Iterable[Complaint]:
        """Nothing is refused: the preview has the complaints."""
        return ()


NONE = TypedQuantity(0)


class Preview(NamedTuple):
    """Totals of an unsaved document, and the complaints about it; `of_lines` has a list for each line.

    `warnings` prevent nothing.
    """

    figures: Figures
    of_document: list[Complaint]
    of_lines: list[list[Complaint]]
    warnings: list[Complaint]


def preview(body: TypedInvoice) -> Preview:
    """Compute an unsaved document as far as it is complete; nothing is written.

    An incomplete line counts as zero.

    Raises:
        Invalid: a field names a record that does not exist, or the total is larger than the books can hold.
    """
    if body.paid_from_account_id is not None:
        accounts.refer(body.paid_from_account_id, paid_bills.FIELD)
    complaints = Collected()
    complaints.items += [each for i, line in enumerate(body.lines) for each in _of_quantity(line, f"lines[{i}]")]
    if _has_no_party(body):
        message = says("Choose a contact ({party}), or create a new one.", party=Word.of(body.party))
        complaints.add(f"{body.party}Id", "required", message)
    if not body.lines:
        complaints.add("lines", "required", says("Add a line."))
    known = len(complaints.items)
    typed = replace(body, lines=[_with_quantity(line) for line in body.lines])
    figures = compute_figures(reading.document(typed, complaints), complaints)
    _refuse_unknown(complaints)
    items = complaints.items[:known] + [each for each in complaints.items[known:] if not _is_known(each, body)]
    of_lines = [[each for each in items if each.field.startswith(f"lines[{i}].")] for i in range(len(body.lines))]
    of_document = [each for each in items if not each.field.startswith("lines[")]
    return Preview(figures, of_document, of_lines, [] if _has_no_party(body) else _warnings(figures))


def _warnings(figures: Figures) -> list[Complaint]:
    party = OtherParty.of(figures.command.contact.vat_id, figures.command.contact.address)
    rates = {f"{path}.taxRateId": rate for path, rate in figures.rates.items()}
    return [*tax_fit.warnings(rates, party, is_purchase=figures.command.is_purchase), *_off_the_paper(figures)]


def _off_the_paper(figures: Figures) -> Iterator[Complaint]:
    """A warning for each printed tax that rounding does not explain: it is off by more than `MOST_ROUNDED` a line."""
    own = {} if figures.bill is None else figures.bill.own
    cent = 10 ** DIGITS[figures.currency] // 100 or 1
    for i, tax in enumerate(figures.command.printed_tax or ()):
        lines = sum(rate is not None and rate.id == tax.tax_rate_id for rate in figures.rates.values())
        off = tax.amount - own.get(tax.tax_rate_id, tax.amount)
        if abs(off) > MOST_ROUNDED * lines * cent:
            message = says(
                "The printed tax differs by {difference} from the lines. Compare them with the paper.",
                difference=Digits(text(off, figures.currency)),
            )
            yield Complaint(f"printedTax[{i}].amount", "off_the_paper", message)


def _has_no_party(body: TypedInvoice) -> bool:
    return body.contact_id is None and body.new_contact is None


def _refuse_unknown(complaints: Complaints) -> None:
    """Refuse ids that do not exist: no one is still typing them."""
    unknown = [each for each in complaints.items if each.code == "unknown_reference"]
    if unknown:
        raise Invalid(unknown)


def _of_quantity(line: TypedLine, path: str) -> Iterator[Complaint]:
    if line.quantity is None:
        yield Complaint(f"{path}.quantity", *REQUIRED)
    elif line.quantity == 0:
        yield Complaint(f"{path}.quantity", "zero", says("Must not be 0."))


def _with_quantity(line: TypedLine) -> TypedLine:
    return replace(line, quantity=line.quantity or NONE, description=line.description or None)


def _is_known(complaint: Complaint, body: TypedInvoice) -> bool:
    """Whether a complaint repeats that no one has chosen a customer yet."""
    return _has_no_party(body) and (complaint.field, complaint.code) == (f"{body.party}Id", "exactly_one")


class InvoicePreviewLine(View):
    """A line with its computed amounts, which are 0 while its quantity or price is missing."""

    net: Money
    discount_share: Money
    net_after_discount: Money
    tax: Money
    gross: Money
    account_id: str
    account_code: str
    account_name: str
    account_because: AccountBecause
    tax_rate_id: str | None
    tax_rate_name: str | None
    tax_rate: Figure | None
    details: Annotated[list[DetailView], Meta(description="Missing or invalid fields of the line.")]

    @classmethod
    def all_of(cls, preview: Preview, named: Names) -> "list[InvoicePreviewLine]":
        figures = preview.figures
        rates = [figures.rates[f"lines[{i}]"] for i in range(len(figures.totals.lines))]
        lines = zip(figures.totals.lines, figures.line_accounts, figures.line_reasons, rates, strict=True)
        return [
            cls(
                **{name: text(getattr(line, name), figures.currency) for name in _AMOUNTS},
                account_id=account_id,
                account_code=named[account_id][0] or "",
                account_name=named[account_id][1] or "",
                account_because=because,
                tax_rate_id=None if rate is None else rate.id,
                tax_rate_name=None if rate is None else rate.name,
                tax_rate=None if rate is None else plain(rate.rate),
                details=DetailView.of_all(complaints),
            )
            for (line, account_id, because, rate), complaints in zip(lines, preview.of_lines, strict=True)
        ]


_AMOUNTS = ("net", "discount_share", "net_after_discount", "tax", "gross")


class InvoicePreview(Printed):
    """Totals of an unsaved invoice; without any details, it can be saved as it is."""

    issue_date: date
    due_date: date
    currency: str
    exchange_rate: Figure | None
    lines: list[InvoicePreviewLine]
    allowances: list[Money]
    charges: list[Money]
    subtotal: SumOfLines
    discount_total: Money
    charge_total: Money
    net_total: NetTotal
    tax_breakdown: list[InvoiceTaxView]
    tax_total: Money
    rounding_amount: Money
    total: Money
    deposit_total: DepositTotal
    amount_due: Money
    cash_discounts: Annotated[list[DiscountOfferView], Meta(description="The discounts of its payment terms.")]
    tax_date: TaxDate
    details: Annotated[list[DetailView], Meta(description="Missing or invalid fields, except in its lines.")]
    warnings: Annotated[
        list[DetailView],
        Meta(
            description="Tax rates that hardly fit the customer or supplier (`rate_does_not_fit`), and printed tax that"
            " differs by more than 0.02 a line (`off_the_paper`)."
        ),
    ]

    @classmethod
    def of(cls, preview: Preview) -> Self:
        figures = preview.figures
        totals, currency = figures.totals, figures.currency
        adjustments = list(zip(figures.document.adjustments, totals.adjustments, strict=True))
        taxes = taxes_of(figures, "")
        named = names.of(tax_rate=[row.tax_rate_id for row in taxes], account=figures.line_accounts)
        return show(
            cls,
            figures,
            exchange_rate=None if figures.exchange_rate is None else plain(figures.exchange_rate, RATE_SCALE),
            lines=InvoicePreviewLine.all_of(preview, named),
            allowances=[text(result.amount, currency) for item, result in adjustments if not item.is_charge],
            charges=[text(result.amount, currency) for item, result in adjustments if item.is_charge],
            tax_breakdown=[InvoiceTaxView.of(row, currency, named) for row in taxes],
            deposit_total=text(figures.deposit_total, currency),
            amount_due=text(totals.total - figures.deposit_total, currency),
            cash_discounts=_discounts(figures),
            details=DetailView.of_all(preview.of_document),
            warnings=DetailView.of_all(preview.warnings),
            **{name: text(getattr(totals, name), currency) for name in TOTALS},
        )


def _discounts(figures: Figures) -> list[DiscountOfferView]:
    if figures.command.kind not in discounts.DISCOUNTED:
        return []
    due = figures.totals.total - figures.deposit_total - (figures.command.prepaid_amount or 0)
    steps = discounts.steps(figures.payment_terms, figures.issue_date, due)
    return [DiscountOfferView.of_due(step, due, figures.currency) for step in steps]
