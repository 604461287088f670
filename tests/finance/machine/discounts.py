"""What is taken off a document: cash discounts and small differences at payment, and how deductions post (AC-4, AC-6).

A deduction is split over the rates of its document. Its net goes to an account of its own, its tax lowers the tax.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests.finance.machine.amounts import in_base, minor, rounded, text
from tests.finance.machine.model import DEMANDING, Deduction, Document, Item, Link
from tests.finance.machine.office import AMOUNTS, SELDOM, Machine
from tests.finance.machine.parts import Part, closing, less, received, split, worths

SMALL = 100
"""The largest small difference, in the base currency."""
ACCOUNTS = {
    "cash_discount": ("4050", "5050"),
    "uncollectable": ("6850", "4950"),
    "small_difference": ("6945", "4940"),
    "recovery": ("4950", "4950"),
}
"""Of sales and of purchases."""


@dataclass
class Taking:
    """What a payment takes off the document that it settles with an amount."""

    amount: int
    fields: dict[str, Any]
    wanted: list[tuple[str, int]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


class Discounts(Machine):
    def discountable(self) -> list[Document]:
        return [
            document for document in self.of_type("invoice") if document.kind in DEMANDING and self.is_due(document)
        ]

    def is_due(self, document: Document) -> bool:
        return bool(document.items) and document.item.left > 0 and not document.is_void

    def draw_taking(self, data: Any, invoice: Document, day: date, greedy: bool) -> Taking:
        """A way to settle the rest of a document with less than is due."""
        due = self.books.due(invoice)
        ways = (
            ["taken", "taken", "amount", "difference", "both"] if invoice.offers_discount else ["amount", "difference"]
        )
        way = data.draw(st.sampled_from(ways if not data.draw(SELDOM) else ["taken"]))
        if way == "amount":
            off = min(data.draw(AMOUNTS), max(1, due - 1)) + greedy
            amount = max(1, due - off) if data.draw(st.booleans()) else 1
            fields: dict[str, Any] = {"discountAmount": text(off, invoice.currency)}
            return self.checked(invoice, Taking(amount, fields, [("cash_discount", off)]))
        offered = rounded(Fraction(due * 2, 100)) if way in ("taken", "both") else 0
        small = data.draw(st.integers(1, 130)) if way in ("difference", "both") else 0
        amount = max(1, due - offered - small + greedy)
        fields = {"discountTaken": True} if way in ("taken", "both") else {}
        taking = Taking(amount, fields | ({"settleDifference": True} if small else {}))
        if fields and not invoice.offers_discount:
            taking.refusals.append("no_discount")
        if offered and invoice.offers_discount:
            taking.wanted.append(("cash_discount", offered))
        return self.with_rest(invoice, taking, due - amount - sum(off for _, off in taking.wanted), bool(small))

    def with_rest(self, invoice: Document, taking: Taking, rest: int, small: bool) -> Taking:
        """What is still due beside the discount is a small difference, or the amount is wrong."""
        if small and rest > 0:
            taking.refusals += ["too_large"] if invoice.item.part(min(rest, invoice.item.left)) > SMALL else []
            taking.wanted.append(("small_difference", rest))
        elif rest and taking.wanted:
            taking.refusals.append("wrong_amount")
        return self.checked(invoice, taking)

    def checked(self, invoice: Document, taking: Taking) -> Taking:
        total = taking.amount + sum(off for _, off in taking.wanted)
        taking.refusals += ["overpayment"] if total > invoice.item.left else []
        taking.refusals += ["unsuitable"] if invoice.kind == "deposit_invoice" else []
        return taking

    def check_taken(self, made: dict[str, Any], taking: Taking) -> None:
        shown = [(row["kind"], minor(row["amount"], made["currency"])) for row in made["deductions"]]
        assert shown == taking.wanted

    def settle(self, own: Item, item: Item, amount: int, day: date, taking: Taking | None = None) -> None:
        """Settle an item with a payment, with what that takes off; a deposit is received."""
        made, invoice = self.books.link(own, item, amount, day), item.document
        if invoice.kind == "deposit_invoice":
            self.receive(invoice, made)
        for kind, off in taking.wanted if taking else ():
            self.deduct(invoice, Deduction(kind, off, (), day, payment=own.document, link=made))

    def deduct(self, invoice: Document, deduction: Deduction) -> None:
        """Take an amount off a document: what it posts settles the document at once."""
        item, rates, amount = invoice.item, invoice.rates(), deduction.amount
        closes = amount == self.books.due(invoice)
        deduction.parts = closing(amount, rates, invoice.taken()) if closes else split(amount, rates)
        base, sign = item.part(amount), 1 if invoice.is_sale else -1
        posted = Document("deduction", "", invoice.number, invoice.contact, deduction.kind, deduction.day)
        legs = deduction_legs(invoice, deduction, base)
        posted.legs = [(code, sign * worth) for code, worth in legs]
        day = deduction.day
        of = invoice.contact, item.account, item.currency, -item.sign * amount, -item.sign * base, day, day
        self.books.enter(posted, Item(posted, *of))
        deduction.posted = posted
        invoice.deductions.append(deduction)
        self.books.link(posted.items[0], item, amount, day).made_by = posted

    def receive(self, deposit: Document, link: Link) -> None:
        """Post a receipt of a deposit: its tax is due from now on (AC-7)."""
        others = [link.receipt for item in deposit.items for link in item.live if link.receipt]
        left = less(deposit.rates(), [part for receipt in others for part in receipt.parts])
        left.sort(key=lambda part: -part.percent)
        receipt = Document("receipt", "", deposit.number, deposit.contact, "receipt", link.day)
        receipt.parts = received(link.amount, left)
        taxes = [in_base(part.tax, deposit.currency, deposit.rate) for part in receipt.parts]
        base = link.bases[1]
        receipt.legs = [("1450", base), ("2400", sum(taxes) - base), *(("2200", -tax) for tax in taxes)]
        self.books.enter(receipt)
        link.receipt = receipt


def deduction_legs(invoice: Document, deduction: Deduction, base: int) -> list[tuple[str, int]]:
    """What a deduction posts against the contact's account: for a sale as debits."""
    code = ACCOUNTS[deduction.kind][0 if invoice.is_sale else 1]
    tax_code = "2200" if invoice.is_sale else "1300"
    corrects: Sequence[Part] = deduction.parts if deduction.corrects_tax else ()
    nets = [(code, part.net if corrects else part.gross) for part in deduction.parts]
    return worths([*nets, *((tax_code, part.tax) for part in corrects if part.tax)], base)
