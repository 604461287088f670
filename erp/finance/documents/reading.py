"""From the decimals of a request to the integers that its totals are computed from."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain

from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents.bodies import InvoiceRequest, NewInvoiceAdjustment, NewInvoiceLine, PercentOrAmount
from erp.finance.documents.totals import Adjustment, Document, DocumentAdjustment, Line, Tax, TaxRounding
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.language import Digits, says
from erp.kernel.money import MICRO
from erp.store import workspace_settings

_ROUNDED_TOO_FAR = says("Must not be more than {limit}, the largest possible rounding. Use a discount or a surcharge.")
_ROUNDED_BEYOND_CASH = says(
    "Must not be more than {limit}, half of the cash rounding step. Use a discount or a surcharge."
)

Item = NewInvoiceLine | NewInvoiceAdjustment

UNTAXED = Tax(None, "O", 0)
"""The tax of an item without a tax rate: outside the scope of tax."""

MOST_ROUNDING = 5
"""The largest `roundingAmount`, in the major unit, without a cash rounding step."""


def adjustments(request: InvoiceRequest) -> Iterator[tuple[str, NewInvoiceAdjustment, bool]]:
    """Allowances, then charges, each with its path and whether it is a charge."""
    for i, item in enumerate(request.allowances or ()):
        yield f"allowances[{i}]", item, False
    for i, item in enumerate(request.charges or ()):
        yield f"charges[{i}]", item, True


def items(request: InvoiceRequest) -> Iterator[tuple[str, Item]]:
    """Lines, allowances and charges, each with its path."""
    lines = ((f"lines[{i}]", line) for i, line in enumerate(request.lines))
    return chain(lines, ((path, item) for path, item, _ in adjustments(request)))


class Reader:
    """Turns decimals into integers, and complains about any that do not fit."""

    def __init__(self, currency: str, rates: Mapping[str, TaxRateRef | None], complaints: Complaints) -> None:
        self.currency = currency
        self.rates = rates
        self.complaints = complaints

    def document(self, request: InvoiceRequest) -> Document:
        settings = workspace_settings.current()
        included = request.prices_include_tax
        rounds = self.currency == settings.base_currency and not request.is_purchase
        cash_step = settings.cash_rounding if rounds else None
        tax_rounding: TaxRounding = "line" if settings.tax_rounding == "line" else "document"
        return Document(
            lines=[self.line(f"lines[{i}]", line) for i, line in enumerate(request.lines)],
            currency=self.currency,
            adjustments=[self.adjustment(*adjustment) for adjustment in adjustments(request)],
            discount=self.part("discount", request.discount),
            rounding_amount=self.rounding(request.rounding_amount, cash_step),
            prices_include_tax=settings.prices_include_tax if included is None else included,
            tax_rounding=tax_rounding,
            cash_step=cash_step,
        )

    def line(self, path: str, line: NewInvoiceLine) -> Line:
        assert line.unit_price is not None  # filled in when the request came
        base = line.price_base_quantity
        return Line(
            quantity=money.scaled(line.quantity, MICRO),
            unit_price=money.scaled(line.unit_price, MICRO),
            tax=self.tax(path),
            price_base_quantity=MICRO if base is None else money.scaled(base, MICRO),
            discount=self.part(f"{path}.discount", line.discount),
            charge=self.part(f"{path}.charge", None if line.charge is None else line.charge.part),
        )

    def adjustment(self, path: str, item: NewInvoiceAdjustment, is_charge: bool) -> DocumentAdjustment:
        part = self.part(path, PercentOrAmount(percent=item.percent, amount=item.amount))
        return DocumentAdjustment(part or Adjustment(amount=0), self.tax(path), is_charge)

    def tax(self, path: str) -> Tax:
        rate = self.rates[path]
        return UNTAXED if rate is None else Tax(rate.id, rate.category, rate.rate)

    def part(self, path: str, part: PercentOrAmount | None) -> Adjustment | None:
        if part is None:
            return None
        if (part.percent is None) == (part.amount is None):
            self.complaints.add(path, "exactly_one", says("Send either percent or amount."))
            return None
        if part.percent is not None:
            return Adjustment(percent=money.scaled(part.percent, MICRO))
        return Adjustment(amount=self.amount(f"{path}.amount", part.amount))

    def rounding(self, value: Decimal | None, cash_step: int | None) -> int | None:
        """An amount that rounds the total, not one that changes the price."""
        amount = self.amount("roundingAmount", value)
        most = cash_step // 2 if cash_step is not None else MOST_ROUNDING * 10 ** DIGITS[self.currency]
        if amount is not None and abs(amount) > most:
            message = _ROUNDED_TOO_FAR if cash_step is None else _ROUNDED_BEYOND_CASH
            limit = Digits(money.text(most, self.currency))
            self.complaints.add("roundingAmount", "too_large", message.fill(limit=limit))
        return amount

    def amount(self, path: str, value: Decimal | None) -> int | None:
        return None if value is None else self.complaints.minor(value, self.currency, path)
