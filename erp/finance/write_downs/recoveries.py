"""What is received later on what was written off: recovered debts and their tax, past the receivable."""

from msgspec.structs import replace

from erp.finance.books.ledger import Leg
from erp.finance.documents import deducted
from erp.finance.documents.models import Deduction
from erp.finance.write_downs import basis as bases
from erp.finance.write_downs import deductions, posting
from erp.finance.write_downs.deductions import Wanted
from erp.finance.write_downs.parts import Part
from erp.finance.write_downs.posting import Amount
from erp.finance.write_downs.subjects import Subject
from erp.kernel.money import divide, spread
from erp.store.records import new_id


def legs(subject: Subject, amount: int, base: int) -> list[Leg]:
    """The legs of a recovery against the money; `base` is what it is worth, both unsigned."""
    basis = bases.of(subject)
    parts = _parts(subject, amount)
    against = posting.legs_of(basis, parts, Amount(amount, base), "recovery", corrects_tax=True)
    signed = posting.signed(basis, against, is_opposite=True)
    return [replace(leg, contact_id=subject.item.contact_id) for leg in signed]


def insert(subject: Subject, wanted: Wanted, base: int, entry_id: str | None) -> Deduction:
    """Keep what a payment recovered, so that no more than was written off is."""
    return deductions.insert(new_id(), subject, wanted, base, _parts(subject, wanted.amount), entry=entry_id)


def _parts(subject: Subject, amount: int) -> list[Part]:
    """The parts of a recovery in the proportion of what was written off; the last takes all that is left."""
    rates = _left(subject)
    if amount == sum(rate.amount for rate in rates):
        return rates
    amounts = spread(amount, [rate.amount for rate in rates])
    return [
        Part(rate.rate_id, part, divide(rate.tax * part, rate.amount))
        for rate, part in zip(rates, amounts, strict=True)
        if part
    ]


def _left(subject: Subject) -> list[Part]:
    """What was written off at each rate with the tax that was corrected, less what has been recovered."""
    parts = deducted.parts(subject.id, deducted.RECOVERED)
    left = []
    for rate_id in dict.fromkeys(part.rate_id for part in parts):
        own = [(1 if part.kind == "uncollectable" else -1, part) for part in parts if part.rate_id == rate_id]
        amount = sum(sign * part.amount for sign, part in own)
        tax = sum(sign * part.tax for sign, part in own if part.corrects_tax)
        left.append(Part(rate_id, amount, tax))
    return [part for part in left if part.amount]
