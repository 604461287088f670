"""Write-offs: in whole or in part, doubtful, undone, and what is received later (AC-4)."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import text
from tests.finance.machine.discounts import SMALL, deduction_legs
from tests.finance.machine.model import DEMANDING, DOUBTFUL, Deduction, Document, Item
from tests.finance.machine.office import AMOUNTS, DAYS_BACK, RATES, SELDOM, SETTLING_DAYS
from tests.finance.machine.parts import recovered
from tests.finance.machine.payments import Money, Payments

CATEGORIES = ["uncollectable", "uncollectable", "uncollectable", "doubtful", "doubtful", "small_difference"]


class WriteOffs(Payments):
    @precondition(lambda self: self.of_type("invoice"))
    @rule(
        data=st.data(),
        back=SETTLING_DAYS,
        category=st.sampled_from(CATEGORIES),
        amount=st.one_of(st.none(), AMOUNTS),
        corrects=st.sampled_from([None, None, False, True]),
        greedy=SELDOM,
    )
    def write_off(self, data, back, category, amount, corrects, greedy):
        sound = [invoice for invoice in self.discountable() if not self.why_not_written_off(invoice, category)]
        invoices = sound if sound and not data.draw(SELDOM) else self.of_type("invoice")
        invoice = data.draw(st.sampled_from(invoices))
        due = self.books.due(invoice)
        refusals = self.why_not_written_off(invoice, category)
        if category == "doubtful":
            amount, corrects = None, True if greedy else None
        elif amount is not None:
            amount = max(1, min(amount, due + greedy))
        off = due if amount is None else amount
        day, late = self.day_from(invoice.item.free_from if invoice.items else invoice.day, back)
        refusals += late + self.misfits(invoice, category, off, corrects) if invoice.items else late
        body: dict[str, Any] = {"category": category, "reason": "Insolvent"} | self.dated(back)
        body |= {} if amount is None else {"amount": text(amount, invoice.currency)}
        body |= {} if corrects is None else {"correctTax": corrects}
        if self.ask(f"/invoices/{invoice.id}/write-off", body, refusals) is None:
            return
        if category == "doubtful":
            self.move(invoice, Deduction(category, off, (), day, corrects_tax=False))
        else:
            self.deduct(invoice, Deduction(category, off, (), day, corrects_tax=corrects is not False))

    def why_not_written_off(self, invoice: Document, category: str) -> list[str]:
        is_unsuitable = invoice.kind not in DEMANDING or invoice.kind == "deposit_invoice"
        is_done = self.books.due(invoice) <= 0 or (category == "doubtful" and invoice.standing("doubtful"))
        return ["invalid_transition"] if is_unsuitable or is_done else []

    def misfits(self, invoice: Document, category: str, off: int, corrects: bool | None) -> list[str]:
        due, item = self.books.due(invoice), invoice.item
        if off > due:
            return ["too_large"]
        if category == "small_difference":
            return ["too_large"] if item.part(min(off, item.left)) > SMALL else []
        if category != "doubtful":
            return []
        refusals = ["not_needed"] if corrects else []
        return refusals + (["unsuitable"] if not invoice.is_sale or not item.left_base else [])

    def move(self, invoice: Document, deduction: Deduction) -> None:
        """Move what is due to doubtful receivables, where it stays open."""
        item, day, sign = invoice.item, deduction.day, invoice.item.sign
        posted = Document("doubtful", "", invoice.number, invoice.contact, "doubtful", day)
        amount, base = sign * item.left, sign * item.left_base
        of = invoice, invoice.contact
        out = Item(*of, item.account, item.currency, -amount, -base, day, item.due)
        moved = Item(*of, DOUBTFUL, item.currency, amount, base, day, item.due)
        self.books.enter(posted, out, moved)
        self.books.link(out, item, item.left, day)
        deduction.posted = posted
        invoice.deductions.append(deduction)

    @precondition(lambda self: any(document.deductions for document in self.of_type("invoice")))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def undo_a_write_off(self, data, back):
        documents = [document for document in self.of_type("invoice") if document.deductions]
        likely = [document for document in documents if document.standing("doubtful", "uncollectable")]
        invoice = data.draw(st.sampled_from(likely if likely and not data.draw(SELDOM) else documents))
        written = [own for own in invoice.deductions if own.stands and own.payment is None]
        first, refusals = invoice.day, ["invalid_transition"]
        if written:
            items = written[-1].document.items
            first, refusals = max([written[-1].day, *(item.free_from for item in items)]), []
            is_settled = any(link.is_of_two for item in items for link in item.live)
            if invoice.standing("recovery") or (written[-1].kind == "doubtful" and is_settled):
                refusals = ["in_use"]
        day, late = self.day_from(first, back)
        if self.ask(f"/invoices/{invoice.id}/write-off/undo", self.dated(back), refusals + late) is not None:
            written[-1].is_undone = True
            self.books.reverse(written[-1].document, day)

    @precondition(lambda self: self.written_off())
    @rule(data=st.data(), back=DAYS_BACK, amount=AMOUNTS, whole=SELDOM, greedy=SELDOM, more=SELDOM)
    def receive_later(self, data, back, amount, whole, greedy, more):
        """What is received on a document that was written off does not pass the receivable."""
        invoice = data.draw(st.sampled_from(self.written_off()))
        left = sum(part.gross for part in invoice.recoverable())
        amount = max(1, left if whole else min(amount, left + greedy))
        direction = "received" if invoice.is_sale else "made"
        money = Money(invoice.contact, invoice.currency, direction, amount + more, self.day(back))
        rate = data.draw(st.sampled_from(RATES[money.currency]))
        part = {"invoiceId": invoice.id, "amount": text(amount, money.currency)}
        refusals = self.closed(money.day) + (["overpayment"] if amount > left else [])
        refusals += ["written_off_apart"] if more or amount > left else []
        made = self.ask("/payments", self.payment_body(money, rate) | {"allocations": [part]}, refusals)
        if made is None:
            return
        document, base = self.payment(made, money, rate)
        parts = recovered(amount, invoice.recoverable())
        deduction = Deduction("recovery", amount, parts, money.day, payment=document)
        legs = deduction_legs(invoice, deduction, abs(base))
        document.legs += [(code, money.sign * worth) for code, worth in legs]
        self.books.enter(document)
        invoice.deductions.append(deduction)

    def written_off(self) -> list[Document]:
        return [document for document in self.of_type("invoice") if self.books.is_written_off(document)]
