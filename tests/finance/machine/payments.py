"""Payments: recorded with what they settle, and allocated later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import in_base, text
from tests.finance.machine.discounts import Discounts, Taking
from tests.finance.machine.model import BANK, DEMANDING, FEES, PAYABLE, RECEIVABLE, Document, Item
from tests.finance.machine.office import AMOUNTS, DAYS_BACK, RATES, SELDOM, SETTLING_DAYS, Part


@dataclass
class Money:
    """A payment before it is recorded."""

    contact: str
    currency: str
    direction: str
    amount: int
    day: date
    fee: int = 0

    @property
    def sign(self) -> int:
        return -1 if self.direction == "received" else 1


class Payments(Discounts):
    @precondition(lambda self: any(self.open_items()))
    @rule(
        data=st.data(), back=DAYS_BACK, greedy=SELDOM, more=st.sampled_from([0, 0, 77]), fee=st.sampled_from([0, 0, 1])
    )
    def pay(self, data, back, greedy, more, fee):
        """Settle open documents of one contact, account, currency and side, whole or in part, and a little more."""
        like = data.draw(st.sampled_from(self.open_items()))
        candidates = [
            item for item in self.open_items() if self.alike(item) == self.alike(like) and item.sign == like.sign
        ]
        items = data.draw(st.lists(st.sampled_from(candidates), min_size=1, max_size=3, unique=True))
        parts = [(item, data.draw(st.sampled_from([item.left, item.left, (item.left + 1) // 2]))) for item in items]
        parts[0] = parts[0][0], parts[0][1] + greedy
        amount, direction = sum(part for _, part in parts) + more, "received" if like.sign > 0 else "made"
        self.record(data, Money(like.contact, like.currency, direction, amount, self.day(back), fee), parts)

    @rule(data=st.data(), back=DAYS_BACK, amount=AMOUNTS, direction=st.sampled_from(["received", "made"]))
    def pay_on_account(self, data, back, amount, direction):
        self.record(data, Money(*self.party(data), direction, amount, self.day(back)), [])

    @precondition(lambda self: self.discountable())
    @rule(data=st.data(), back=DAYS_BACK, more=st.sampled_from([0, 0, 77]), greedy=SELDOM)
    def pay_less(self, data, back, more, greedy):
        """Settle the rest of a document with a cash discount or as a small difference."""
        invoice = data.draw(st.sampled_from(self.discountable()))
        taking = self.draw_taking(data, invoice, self.day(back), greedy)
        direction = "received" if invoice.item.sign > 0 else "made"
        money = Money(invoice.contact, invoice.currency, direction, taking.amount + more, self.day(back))
        self.record(data, money, [(invoice.item, taking.amount)], taking)

    def record(self, data: Any, money: Money, parts: Sequence[Part], taking: Taking | None = None) -> None:
        parts, settled = self.settled_by_payment(parts, by_item=not taking and data.draw(SELDOM))
        refusals = self.closed(money.day) + (taking.refusals if taking else [])
        refusals += ["overpayment"] if any(part > item.left for item, part in parts) else []
        refusals += ["too_large"] if money.direction == "received" and 0 < money.amount <= money.fee else []
        if taking:
            settled["allocations"][0] |= taking.fields
        rate = data.draw(st.sampled_from(RATES[money.currency]))
        made = self.ask("/payments", self.payment_body(money, rate) | settled, refusals)
        if made is None:
            return
        by_default = PAYABLE if self.contacts[money.contact] == "supplier" else RECEIVABLE
        document, base = self.payment(made, money, rate)
        account = parts[0][0].account if parts else by_default
        day, amount = money.day, money.sign * money.amount
        own = Item(document, money.contact, account, money.currency, amount, base, day, day)
        self.books.enter(document, own)
        for item, part in parts:
            self.settle(own, item, part, max(own.free_from, item.free_from), taking)
        if taking:
            self.check_taken(made, taking)

    def payment_body(self, money: Money, rate: str) -> dict[str, Any]:
        return {
            "direction": money.direction,
            "contactId": money.contact,
            "amount": text(money.amount, money.currency),
            "currency": money.currency,
            "date": str(money.day),
            **self.rate(money.currency, rate),
            **({"feeAmount": text(money.fee, money.currency)} if money.fee else {}),
        }

    def payment(self, made: dict[str, Any], money: Money, rate: str) -> tuple[Document, int]:
        """A payment with what it posts to the bank, and what it is worth."""
        base, fee = (in_base(amount, money.currency, rate) for amount in (money.sign * money.amount, money.fee))
        of = money.contact, money.direction, money.day, money.currency, money.amount, rate
        document = Document("payment", made["id"], made["number"], *of)
        document.legs = [(BANK, -base - fee), (FEES, fee)]
        return document, base

    @precondition(lambda self: self.pairs("payment", "invoice"))
    @rule(data=st.data(), back=SETTLING_DAYS, amount=AMOUNTS, greedy=SELDOM, less=SELDOM)
    def allocate_a_payment(self, data, back, amount, greedy, less):
        own, item = data.draw(st.sampled_from(self.pairs("payment", "invoice")))
        payment, invoice, taking = own.document, item.document, None
        day, refusals = self.day_from(max(own.free_from, item.free_from), back)
        amount = min(amount, min(own.left, item.left) + greedy)
        if less and invoice.kind in DEMANDING:
            taking = self.draw_taking(data, invoice, payment.day, greedy)
            amount, refusals = taking.amount, refusals + taking.refusals
        refusals += ["overpayment"] if amount > item.left else []
        refusals += ["over_allocated"] if amount > own.left else []
        part = {"invoiceId": invoice.id, "amount": text(amount, item.currency)} | (taking.fields if taking else {})
        body = {"allocations": [part]} | self.dated(back)
        made = self.ask(f"/payments/{payment.id}/allocations", body, refusals)
        if made is not None:
            self.settle(own, item, amount, day, taking)

    def settled_by_payment(self, parts: Sequence[Part], *, by_item: bool) -> tuple[list[Part], dict[str, Any]]:
        """What a payment settles, in the order in which its request says it: invoices come first."""
        allocations, settles = [], []
        for item, part in parts:
            document, amount = item.document, {"amount": text(part, item.currency)}
            if document.type == "journal_entry" or by_item:
                settles.append(((item, part), {"itemId": item.id} | amount))
            elif document.type == "payment":
                settles.append(((item, part), {"paymentId": document.id} | amount))
            elif document.kind in DEMANDING:
                allocations.append(((item, part), {"invoiceId": document.number} | amount))
            else:
                settles.append(((item, part), {"creditNoteId": document.id} | amount))
        in_order = [part for part, _ in [*allocations, *settles]]
        return in_order, {"allocations": [row for _, row in allocations], "settles": [row for _, row in settles]}
