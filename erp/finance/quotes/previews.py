"""Preview of an unsaved quote: the totals that can be computed so far, and complaints about the rest."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from erp.finance.documents.bodies import InvoiceRequest
from erp.finance.documents.drafts import taxes_of
from erp.finance.invoices import previews as documents
from erp.finance.invoices.previews import InvoicePreviewLine, TypedInvoice, TypedLine
from erp.finance.invoices.view_parts import InvoiceTaxView
from erp.finance.invoices.views import TOTALS, NetTotal, SumOfLines
from erp.finance.quotes import figures, reading
from erp.finance.quotes.bodies import AlternativeTo, Choice, NewQuote, early_end
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.kernel.money import text
from erp.store import names, workspace_settings
from erp.web.scalars import Money
from erp.web.schema import DetailView, View, show


class TypedQuoteLine(TypedLine):
    """A line as far as it is typed."""

    option: Choice = "included"
    alternative_to: AlternativeTo | None = None


TypedLines = Annotated[list[TypedQuoteLine], Meta(max_length=500)]


class TypedQuote(NewQuote, kw_only=True):
    """A quote as far as it is typed."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"description": "Concept", "quantity": "10", "unitPrice": "960.00"}, {"description": "Trai"}],
    }

    lines: TypedLines = []  # type: ignore[assignment]

    def check(self) -> Iterable[Complaint]:
        """Nothing is refused: the preview has the complaints."""
        return ()


class TypedTotals(NamedTuple):
    """The preview of the invoice that a quote would be, with the totals of its included lines."""

    preview: documents.Preview
    valid_until: date


def preview(body: TypedQuote) -> TypedTotals:
    """Compute an unsaved quote as far as it is complete; nothing is written.

    Raises:
        Invalid: a field names a record that does not exist, or the total is larger than the books can hold.
    """
    shared = set(InvoiceRequest.__struct_fields__) & set(body.__struct_fields__) - {"intro", "closing"}
    typed = TypedInvoice(**{name: getattr(body, name) for name in shared})
    choices = reading.choices(body.lines)
    whole = documents.preview(typed)
    wrong = list(figures.misfits(choices))
    if body.lines and not figures.included(choices):
        wrong.append(Complaint("lines", "nothing_included", says("Include at least one line.")))
    issue_date = body.issue_date or workspace_settings.today()
    wrong += early_end(issue_date, body.valid_until)
    computed = figures.with_choices(whole.figures, choices)
    shown = whole._replace(
        figures=computed,
        of_document=[each for each in whole.of_document if each.field != "exchangeRate"]
        + [each for each in wrong if not each.field.startswith("lines[")],
        of_lines=[
            known + [each for each in wrong if each.field.startswith(f"lines[{i}].")]
            for i, known in enumerate(whole.of_lines)
        ],
    )
    days = figures.valid_until(reading.QuoteCommand(document=computed.command, choices=choices), issue_date)
    return TypedTotals(shown, body.valid_until or days)


class QuotePreview(View):
    """Totals of an unsaved quote, without its options; without any details, it can be saved as it is."""

    issue_date: date
    valid_until: date
    currency: str
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
    details: Annotated[list[DetailView], Meta(description="Missing or invalid fields, except in its lines.")]
    warnings: Annotated[list[DetailView], Meta(description="Tax rates that hardly fit the customer.")]

    @classmethod
    def of(cls, typed: TypedTotals) -> "QuotePreview":
        shown = typed.preview
        computed, totals, currency = shown.figures, shown.figures.totals, shown.figures.currency
        adjustments = list(zip(computed.document.adjustments, totals.adjustments, strict=True))
        taxes = taxes_of(computed, "")
        named = names.of(tax_rate=[row.tax_rate_id for row in taxes], account=computed.line_accounts)
        return show(
            cls,
            computed,
            valid_until=typed.valid_until,
            lines=InvoicePreviewLine.all_of(shown, named),
            allowances=[text(result.amount, currency) for item, result in adjustments if not item.is_charge],
            charges=[text(result.amount, currency) for item, result in adjustments if item.is_charge],
            tax_breakdown=[InvoiceTaxView.of(row, currency, named) for row in taxes],
            details=DetailView.of_all(shown.of_document),
            warnings=DetailView.of_all(shown.warnings),
            **{name: text(getattr(totals, name), currency) for name in TOTALS},
        )
