"""What is received later on a document that was written off: recovered debts and their tax, past the receivable."""

from msgspec.structs import replace

from erp.finance.books.ledger import Leg
from erp.finance.documents.crediting import left as lefts
from erp.finance.documents.deducted import standing as deducted
from erp.finance.documents.deductions import deductions, posting
from erp.finance.documents.deductions.deductions import Wanted
from erp.finance.documents.deductions.parts import Part
from erp.finance.documents.deductions.posting import Amount
from erp.finance.documents.models import Deduction, Invoice
from erp.kernel.money import divide, spread
from erp.store.records import new_id


def legs(invoice: Invoice, amount: int, base: int) -> list[Leg]:
    """The legs of a recovery against the money; `base` is what it is worth, both unsigned."""
    document = lefts.after_credits(invoice)
    against = posting.legs_of(document, _parts(invoice, amount), Amount(amount, base), "recovery", corrects_tax=True)
    signed = posting.signed(document, against, is_opposite=True)
    return [replace(leg, contact_id=invoice.contact_id) for leg in signed]


def insert(invoice: Invoice, wanted: Wanted, base: int, entry_id: str | None) -> Deduction:
    """Keep what a payment recovered, so that no more than was written off is."""
    return deductions.insert(new_id(), invoice, wanted, base, _parts(invoice, wanted.amount), entry=entry_id)


def _parts(invoice: Invoice, amount: int) -> list[Part]:
    """The parts of a recovery in the proportion of what was written off; the last takes all that is left."""
    rates = _left(invoice)
    if amount == sum(rate.amount for rate in rates):
        return rates
    amounts = spread(amount, [rate.amount for rate in rates])
    return [
        Part(rate.rate_id, part, divide(rate.tax * part, rate.amount))
        for rate, part in zip(rates, amounts, strict=True)
        if part
    ]


def _left(invoice: Invoice) -> list[Part]:
    """What was written off at each rate with the tax that was corrected, less what has been recovered."""
    parts = deducted.parts(invoice.id, deducted.RECOVERED)
    left = []
    for rate_id in dict.fromkeys(part.rate_id for part in parts):
        own = [(1 if part.kind == "uncollectable" else -1, part) for part in parts if part.rate_id == rate_id]
        amount = sum(sign * part.amount for sign, part in own)
        tax = sum(sign * part.tax for sign, part in own if part.corrects_tax)
        left.append(Part(rate_id, amount, tax))
    return [part for part in left if part.amount]
