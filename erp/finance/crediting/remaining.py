"""The creditable rest of an invoice: its amounts, less its credit notes and deductions that stand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books import default_accounts
from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.crediting.parts import Prices, Worth
from erp.finance.documents import standing, store
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.documents.standing import SETTLING, DeductedPart, Standing
from erp.finance.documents.store import AdjustmentRow, LineRow
from erp.finance.documents.totals import UNTAXED, Adjustment, Line, Tax, line_value
from erp.kernel.money import spread
from erp.store.router import WORKSPACE
from erp.store.sql import array


class Stated(NamedTuple):
    """A document's currency, and whether its prices include tax."""

    currency: str
    prices_include_tax: bool

    @classmethod
    def of(cls, invoice: Invoice) -> "Stated":
        return cls(invoice.currency, invoice.prices_include_tax)


class LeftLine(NamedTuple):
    """A stored line of the invoice, and its rest.

    All of its quantity may be gone before its value, where an earlier credit note that had lowered its price is void.
    """

    row: LineRow
    quantity: int
    worth: Worth

    @property
    def is_used_up(self) -> bool:
        return not self.quantity and not self.worth.value


class LeftAdjustment(NamedTuple):
    """A stored allowance or charge of the invoice, and its rest."""

    row: AdjustmentRow
    worth: Worth


class Left(NamedTuple):
    """The rest of an invoice; amounts in minor units of its currency, `base_total` of the base currency.

    `rates` holds its tax rates by id; None for lines without one.
    """

    invoice: Invoice
    credit_notes: Sequence[Invoice]
    lines: Sequence[LeftLine]
    adjustments: Sequence[LeftAdjustment]
    rates: Mapping[str | None, TaxRateRef | None]
    total: int
    rounding_amount: int
    base_total: int

    @property
    def prices(self) -> Prices:
        return Prices(self.invoice.prices_include_tax, "line" if self.invoice.tax_rounding == "line" else "document")

    def tax(self, rate_id: str | None) -> Tax:
        """A tax rate of the invoice, as its totals know it."""
        rate = self.rates[rate_id]
        return UNTAXED if rate is None else Tax(rate.id, rate.category, rate.rate)

    def entry_ids(self) -> list[str]:
        """The entries of the invoice, of its credit notes and of its deductions."""
        ids = (document.journal_entry_id for document in (self.invoice, *self.credit_notes))
        return [*(id for id in ids if id is not None), *standing.deduction_entries(self.invoice.id)]


def left_of(invoice: Invoice) -> Left:
    """The creditable rest of an issued invoice."""
    left, parts = after_credits(invoice), standing.deducted_parts(invoice.id)
    if not parts:
        return left
    lines = _after_deductions(left.lines, parts, Stated.of(invoice))
    total, base = sum(part.amount for part in parts), standing.deducted_base(invoice.id)
    return left._replace(lines=lines, total=left.total - total, base_total=left.base_total - base)


def fill(documents: list[Standing]) -> list[Standing]:
    """Set `is_used_up`; one query reads the lines of all documents that have credit notes or deductions."""
    touched = [one.id for one in documents if one.credited_by is not None or one.deductions]
    if not touched:
        return documents
    lines: dict[str, list[tuple[Stated, LineRow]]] = defaultdict(list)
    for id, currency, prices_include_tax, *row in WORKSPACE.rows(_LINES, {"ids": array(touched)}):
        lines[id].append((Stated(currency, bool(prices_include_tax)), LineRow(*row)))
    return [replace(one, is_used_up=_is_used_up(one, lines[one.id])) if one.id in lines else one for one in documents]


def _is_used_up(document: Standing, lines: Sequence[tuple[Stated, LineRow]]) -> bool:
    """Whether nothing is left of a document's lines.

    Args:
        lines: of the document and of its credit notes that stand.
    """
    stated = lines[0][0]
    rows = [row for _, row in lines]
    own = [row for row in rows if row.invoice_id == document.id]
    left = _lines(stated, own, [row for row in rows if row.invoice_id != document.id])
    parts = [part for taken in document.deductions if taken.kind in SETTLING for part in taken.parts]
    return all(line.is_used_up for line in _after_deductions(left, parts, stated))


def _after_deductions(left: Sequence[LeftLine], parts: Sequence[DeductedPart], stated: Stated) -> list[LeftLine]:
    """The rest of the lines, less the amounts that deductions took of their rates."""
    lines = list(left)
    for rate_id in dict.fromkeys(part.rate_id for part in parts):
        of_rate = [part for part in parts if part.rate_id == rate_id]
        _deduct(lines, rate_id, sum(part.amount for part in of_rate), sum(part.tax for part in of_rate), stated)
    return lines


def _deduct(lines: list[LeftLine], rate_id: str | None, amount: int, tax: int, stated: Stated) -> None:
    """Take the deducted amount of a rate off its lines, in proportion to the rest of each."""
    places = [i for i, line in enumerate(lines) if line.row.tax_rate_id == rate_id and line.worth.discounted > 0]
    value = amount if stated.prices_include_tax else amount - tax
    values = spread(value, [lines[i].worth.discounted for i in places])
    taxes = spread(tax, [max(lines[i].worth.tax, 0) for i in places])
    for i, of_value, of_tax in zip(places, values, taxes, strict=True):
        worth = lines[i].worth.less(Worth(of_value, tax=of_tax))
        lines[i] = lines[i]._replace(worth=worth, quantity=lines[i].quantity if worth.value else 0)


def after_credits(invoice: Invoice) -> Left:
    """An issued invoice less its credit notes that stand."""
    notes = store.live_credit_notes(invoice.id)
    own, credited = store.find_parts(invoice.id), [store.find_parts(note.id) for note in notes]
    ids = {row.tax_rate_id for row in own.lines} | {row.tax_rate_id for row in own.adjustments}
    rates, _ = tax_rates.look_up({id: id for id in ids if id is not None})
    return Left(
        invoice=invoice,
        credit_notes=notes,
        lines=_lines(Stated.of(invoice), own.lines, [row for parts in credited for row in parts.lines]),
        adjustments=_adjustments(invoice, own.adjustments, [row for parts in credited for row in parts.adjustments]),
        rates={id: rates[id] if id is not None else None for id in ids},
        total=invoice.total - sum(note.total for note in notes),
        rounding_amount=invoice.rounding_amount - sum(note.rounding_amount for note in notes),
        base_total=invoice.base_total - sum(note.base_total for note in notes),
    )


def line_of(row: LineRow, tax: Tax) -> Line:
    """A stored line, as totals are computed from it."""
    return Line(
        quantity=row.quantity,
        unit_price=row.unit_price,
        tax=tax,
        price_base_quantity=row.price_base_quantity,
        discount=either(row.discount_amount, row.discount_percent),
        charge=either(row.charge_amount, row.charge_percent),
    )


def either(amount: int | None, percent: int | None) -> Adjustment | None:
    """A stored discount or charge; None where it has neither an amount nor a percentage."""
    return None if amount is None and percent is None else Adjustment(amount, percent)


def control_of(left: Left) -> str | None:
    """The receivable or payable that the invoice was posted to; new invoices may use another."""
    posted = store.posted(left.invoice.journal_entry_id)
    return next((account for account, contact, _ in posted if contact is not None), None)


def tax_accounts_of(left: Left) -> dict[str | None, str | None]:
    """The account that the tax of each rate was posted to.

    If the rate has a different account today, the former one is inferred: an account of the entry that no other part
    of the invoice explains, preferably one with exactly the amount of the tax.
    """
    posted = store.posted(left.invoice.journal_entry_id)
    others = {account: amount for account, contact, amount in posted if contact is None}
    present = _tax_accounts(left)
    explained: set[str | None] = {*present.values(), default_accounts.of("rounding")}
    explained |= {line.row.account_id for line in left.lines} | {item.row.account_id for item in left.adjustments}
    if left.invoice.kind in PURCHASES:
        explained |= {line.row.non_deductible_account_id for line in left.lines} | {default_accounts.of("tax")}
        explained |= {rate.output_tax_account_id for rate in left.rates.values() if rate is not None}
    spare = {account: amount for account, amount in others.items() if account not in explained}
    former = {id: _former(left, id, spare) for id, account in present.items() if account not in others}
    return present | {id: account for id, account in former.items() if account is not None}


def _tax_accounts(left: Left) -> dict[str | None, str | None]:
    """The accounts that the tax of each rate would be posted to today."""
    rates = [rate for rate in left.rates.values() if rate is not None]
    if left.invoice.kind in PURCHASES:
        input_tax = default_accounts.of("input_tax")
        return {rate.id: rate.input_tax_account_id or input_tax for rate in rates}
    tax = default_accounts.of("tax")
    return {rate.id: rate.output_tax_account_id or tax for rate in rates}


def _former(left: Left, rate_id: str | None, spare: Mapping[str, int]) -> str | None:
    """The account that the tax of a rate was posted to, among the accounts that nothing else explains."""
    sign = 1 if left.invoice.kind in PURCHASES else -1
    rows = [line.row for line in left.lines if line.row.tax_rate_id == rate_id]
    tax = sign * sum(row.tax - row.non_deductible_tax for row in rows)
    fitting = [account for account, amount in spare.items() if amount == tax]
    return next(iter([*fitting, *spare]), None)


def _lines(invoice: Stated, rows: Sequence[LineRow], credited: Sequence[LineRow]) -> list[LeftLine]:
    lines = []
    for row in rows:
        quantity, worth = row.quantity, _line_worth(row, invoice)
        had_value = worth.value != 0
        for part in (part for part in credited if part.credited_line_id == row.id):
            quantity -= part.credited_quantity or 0
            worth = worth.less(_line_worth(part, invoice))
        lines.append(LeftLine(row, 0 if had_value and not worth.value else quantity, worth))
    return lines


def _line_worth(row: LineRow, invoice: Stated) -> Worth:
    value = line_value(line_of(row, UNTAXED), invoice.currency)
    discounted = row.gross if invoice.prices_include_tax else row.gross - row.tax
    return Worth(value, value - discounted, row.net + row.tax - row.gross, row.tax)


def _adjustments(
    invoice: Invoice, rows: Sequence[AdjustmentRow], credited: Sequence[AdjustmentRow]
) -> list[LeftAdjustment]:
    adjustments = []
    for row in rows:
        worth = _adjustment_worth(row, invoice)
        for part in (part for part in credited if part.position == row.position):
            worth = worth.less(_adjustment_worth(part, invoice))
        adjustments.append(LeftAdjustment(row, worth))
    return adjustments


def _adjustment_worth(row: AdjustmentRow, invoice: Invoice) -> Worth:
    sign = 1 if row.is_charge else -1
    value = row.amount + row.tax if invoice.prices_include_tax else row.amount
    return Worth(sign * value, tax=sign * row.tax)


_LINES = f"""
SELECT original.id, original.currency, original.prices_include_tax, {", ".join(f"line.{x}" for x in LineRow._fields)}
FROM (
    SELECT id AS original_id, id AS document_id FROM invoice WHERE id IN (SELECT value FROM json_each(:ids))
    UNION ALL SELECT credited_invoice_id, id FROM invoice
    WHERE credited_invoice_id IN (SELECT value FROM json_each(:ids)) AND status <> 'void'
) AS pair JOIN invoice AS original ON original.id = original_id JOIN invoice_line AS line ON invoice_id = document_id
ORDER BY original.id, document_id, position
"""
