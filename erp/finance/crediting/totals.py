"""The credit note itself: its lines, totals and command, worded like the credited invoice."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books.dimensions.codes import Dimensions, of_text
from erp.finance.books.service import Service
from erp.finance.contacts.models import Contact
from erp.finance.crediting.parts import Item, Worth
from erp.finance.crediting.remaining import Left, LeftAdjustment, LeftLine, either, line_of, tax_accounts_of
from erp.finance.documents import bill_taxes
from erp.finance.documents.bill_taxes import BillTaxes
from erp.finance.documents.commands import AdjustmentCommand, InvoiceCommand, LineCommand
from erp.finance.documents.figures import Figures
from erp.finance.documents.models import InvoiceKind
from erp.finance.documents.store import LineRow, Parts
from erp.finance.documents.totals import (
    Adjustment,
    Document,
    DocumentAdjustment,
    Line,
    Totals,
    amount_of,
    assemble,
    line_value,
)
from erp.kernel import money
from erp.kernel.money import MICRO

KINDS: Mapping[str, InvoiceKind] = {"sales_invoice": "sales_credit_note", "purchase_invoice": "purchase_credit_note"}
"""Creditable kinds, each with the kind of its credit notes."""


class Heading(NamedTuple):
    """Header fields of a credit note."""

    day: date
    reference: str | None
    note: str | None
    supplier_number: str | None = None


class CreditedLine(NamedTuple):
    """A line and its credited part; no quantity where only its price is lowered."""

    line: LeftLine
    worth: Worth
    quantity: int | None


class CreditedAdjustment(NamedTuple):
    """An allowance or charge and its credited part."""

    adjustment: LeftAdjustment
    worth: Worth


class Credited(NamedTuple):
    """The credited parts of an invoice. `is_last`: nothing is left of it afterwards; the total includes rounding."""

    items: Sequence[Item]
    worths: Sequence[Worth]
    lines: Sequence[CreditedLine]
    adjustments: Sequence[CreditedAdjustment]
    is_last: bool
    rounding_amount: int
    total: int

    @classmethod
    def of(
        cls, left: Left, items: Sequence[Item], worths: Sequence[Worth], quantities: Mapping[str, int | None]
    ) -> "Credited":
        """The credited lines, with the allowances and charges that are credited with them."""
        lines = [
            CreditedLine(line, worth, quantities[line.row.id])
            for line, worth in zip(left.lines, worths, strict=False)
            if line.row.id in quantities
        ]
        others = zip(left.adjustments, worths[len(left.lines) :], strict=True)
        adjustments = [CreditedAdjustment(item, worth) for item, worth in others if any(worth)]
        is_last = all(item.left == worth for item, worth in zip(items, worths, strict=True))
        total = sum(worth.discounted + (0 if left.prices.include_tax else worth.tax) for worth in worths)
        rounding = _rounding(left, total, is_last=is_last)
        return cls(items, worths, lines, adjustments, is_last, rounding, total + rounding)

    def linked(self, parts: Parts) -> Parts:
        """The parts of the credit note, each with a link to the line or adjustment that it credits."""
        lines = [
            row._replace(credited_line_id=credited.line.row.id, credited_quantity=credited.quantity)
            for row, credited in zip(parts.lines, self.lines, strict=True)
        ]
        adjustments = [
            row._replace(position=credited.adjustment.row.position)
            for row, credited in zip(parts.adjustments, self.adjustments, strict=True)
        ]
        return parts._replace(lines=lines, adjustments=adjustments)


def figures_of(left: Left, credited: Credited, contact: Contact, heading: Heading) -> Figures:
    """The figures of a credit note: accounts, projects, currency and exchange rate come from the invoice."""
    document = _document(left, credited)
    rows = [credited_line.line.row for credited_line in credited.lines]
    adjustments = [credited_adjustment.adjustment.row for credited_adjustment in credited.adjustments]
    command = _command(left, credited, document, heading, contact)
    totals = _totals(left, credited, document)
    return Figures(
        command=command,
        issue_date=heading.day,
        due_date=heading.day,
        currency=left.invoice.currency,
        exchange_rate=left.invoice.exchange_rate,
        document=document,
        totals=totals,
        base_total=_base_total(left, credited),
        line_accounts=[row.account_id for row in rows],
        line_projects=[row.project_id for row in rows],
        adjustment_accounts=[row.account_id for row in adjustments],
        rates={},
        tax_accounts=tax_accounts_of(left),
        tax_date=heading.day,
        dimensions=[row.dimensions for row in rows] + [row.dimensions for row in adjustments],
        is_inherited=True,
        bill=_bill(left, command, document, totals, [row.non_deductible_account_id for row in rows]),
    )


def _bill(
    left: Left, command: InvoiceCommand, document: Document, totals: Totals, accounts: Sequence[str | None]
) -> BillTaxes | None:
    if not command.is_purchase:
        return None
    rates = {str(id): rate for id, rate in left.rates.items()}
    return bill_taxes.taxes_of(document, totals, rates, own={}, lines=command.lines, accounts=accounts)


def _service_of(row: LineRow) -> Service:
    days = (None if day is None else date.fromisoformat(day) for day in (row.service_from, row.service_to))
    return Service(*days)


def _rounding(left: Left, total: int, *, is_last: bool) -> int:
    """The last credit note takes the invoice's rounding; an earlier one, just enough to keep within the rest."""
    if is_last:
        return left.rounding_amount
    return max(min(left.rounding_amount, 0), min(left.total - total, 0))


def _base_total(left: Left, credited: Credited) -> int:
    """A part of the invoice's total in the base currency, in proportion; the last takes all that is left."""
    if credited.is_last or not credited.total:
        return left.base_total if credited.is_last else 0
    return min(left.base_total, money.divide(left.invoice.base_total * credited.total, left.invoice.total))


def _totals(left: Left, credited: Credited, document: Document) -> Totals:
    worths = [line.worth for line in credited.lines] + [item.worth for item in credited.adjustments]
    nets = [worth.discounted - (worth.tax if left.prices.include_tax else 0) for worth in worths]
    return assemble(
        document, nets, [line.worth.net_discount for line in credited.lines], [worth.tax for worth in worths]
    )


def _document(left: Left, credited: Credited) -> Document:
    invoice = left.invoice
    sum_of_lines = sum(line.worth.value for line in credited.lines)
    given = either(invoice.discount_amount, invoice.discount_percent)
    return Document(
        lines=[_line(left, line) for line in credited.lines],
        currency=invoice.currency,
        adjustments=[_adjustment(left, item, sum_of_lines) for item in credited.adjustments],
        discount=_stated(given, sum_of_lines, sum(line.worth.discount for line in credited.lines)),
        rounding_amount=credited.rounding_amount,
        prices_include_tax=left.prices.include_tax,
        tax_rounding=left.prices.tax_rounding,
    )


def _line(left: Left, credited: CreditedLine) -> Line:
    """The line with the credited quantity, and the discount or charge that brings it to its credited value.

    Where only the price is lowered, the quantity is 1 and the price is the amount.
    """
    tax, currency = left.tax(credited.line.row.tax_rate_id), left.invoice.currency
    value = credited.worth.value
    if credited.quantity is None:
        return Line(quantity=MICRO, unit_price=money.price(value, currency), tax=tax)
    line = replace(line_of(credited.line.row, tax), quantity=credited.quantity)
    if line_value(line, currency) == value:
        return line
    plain = replace(line, discount=None, charge=None)
    rest = line_value(plain, currency) - value
    part = Adjustment(amount=abs(rest)) if rest else None
    return replace(plain, discount=part) if rest > 0 else replace(plain, charge=part)


def _adjustment(left: Left, credited: CreditedAdjustment, sum_of_lines: int) -> DocumentAdjustment:
    row = credited.adjustment.row
    amount = credited.worth.value if row.is_charge else -credited.worth.value
    stated = _stated(either(row.given_amount, row.given_percent), sum_of_lines, amount)
    return DocumentAdjustment(stated or Adjustment(amount=0), left.tax(row.tax_rate_id), bool(row.is_charge))


def _stated(given: Adjustment | None, base: int, amount: int) -> Adjustment | None:
    """The invoice's own percentage or amount if it gives the same result, else the bare amount."""
    if amount_of(given, base) == amount:
        return given
    return Adjustment(amount=amount)


def _command(left: Left, credited: Credited, document: Document, heading: Heading, contact: Contact) -> InvoiceCommand:
    """A command that produces the same lines; a duplicate of the credit note starts from it."""
    invoice = left.invoice
    adjustments = [
        (item.is_charge, _adjustment_command(item, part.adjustment))
        for item, part in zip(document.adjustments, credited.adjustments, strict=True)
    ]
    return InvoiceCommand(
        kind=KINDS[invoice.kind],
        contact=contact,
        lines=[_line_command(line, part) for line, part in zip(document.lines, credited.lines, strict=True)],
        supplier_number=heading.supplier_number,
        issue_date=heading.day,
        due_date=heading.day,
        service=Service(invoice.service_from, invoice.service_to),
        currency=invoice.currency,
        exchange_rate=invoice.exchange_rate,
        prices_include_tax=invoice.prices_include_tax,
        discount=document.discount,
        allowances=[item for is_charge, item in adjustments if not is_charge],
        charges=[item for is_charge, item in adjustments if is_charge],
        rounding_amount=credited.rounding_amount,
        reference=heading.reference,
        project_id=invoice.project_id,
        note=heading.note,
    )


def _line_command(line: Line, credited: CreditedLine) -> LineCommand:
    row = credited.line.row
    return LineCommand(
        description=row.description,
        quantity=line.quantity,
        unit_price=line.unit_price,
        unit=row.unit if credited.quantity is not None else None,
        price_base_quantity=line.price_base_quantity,
        discount=line.discount,
        charge=line.charge,
        tax_rate_id=row.tax_rate_id,
        account_id=row.account_id,
        product_id=row.product_id,
        project_id=row.project_id,
        task_id=row.task_id,
        deductible_tax_percent=row.deductible_tax_percent,
        deductible_cost_percent=row.deductible_cost_percent,
        non_deductible_account_id=row.non_deductible_account_id,
        service=_service_of(row),
        dimensions=Dimensions(of_text(row.dimensions)),
    )


def _adjustment_command(item: DocumentAdjustment, left: LeftAdjustment) -> AdjustmentCommand:
    row = left.row
    return AdjustmentCommand(
        part=item.adjustment,
        description=row.description,
        tax_rate_id=row.tax_rate_id,
        account_id=row.account_id,
        dimensions=Dimensions(of_text(row.dimensions)),
    )
