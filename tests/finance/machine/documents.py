"""Invoices, bills and credit notes: issued, credited, voided."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.finance.machine.amounts import in_base, minor, tax_of, text
from tests.finance.machine.model import (
    CREDITED_BY,
    DEMANDING,
    PAYABLE,
    RECEIVABLE,
    SETTLING,
    SIGNS,
    Document,
    Item,
    Line,
    Link,
)
from tests.finance.machine.office import (
    AMOUNTS,
    CURRENCIES,
    DAYS_BACK,
    PERCENTS,
    RATES,
    SELDOM,
    SETTLING_DAYS,
    Clock,
    Machine,
)

SALES, PURCHASES = ("sales_invoice", "sales_credit_note"), ("purchase_invoice", "purchase_credit_note")
KINDS = {"customer": SALES, "supplier": PURCHASES, "both": SALES + PURCHASES}
TERMS = {"days": 14, "discounts": [{"percent": "2", "days": 14}]}


class Documents(Machine):
    @initialize(data=st.data(), amounts=st.lists(AMOUNTS, min_size=2, max_size=4))
    def open_an_office(self, data, amounts):
        """With some documents, as many runs leave out the rule that issues them."""
        self.open_books()
        for i, amount in enumerate(amounts):
            contact, currency = data.draw(st.sampled_from(sorted(self.contacts))), data.draw(CURRENCIES)
            kind = KINDS[self.contacts[contact]][0 if i % 2 else -2]
            self.draw_and_issue(data, kind, contact, currency, self.day(-i), [amount, 7 * amount], discount=i % 2 == 0)

    @rule(data=st.data(), back=DAYS_BACK, amounts=st.lists(AMOUNTS, min_size=1, max_size=2), discount=st.booleans())
    def issue(self, data, back, amounts, discount):
        contact, currency = self.party(data)
        kind = data.draw(st.sampled_from(KINDS[self.contacts[contact]]))
        self.draw_and_issue(data, kind, contact, currency, self.day(back), amounts, discount and kind in CREDITED_BY)

    def draw_and_issue(
        self,
        data: Any,
        kind: str,
        contact: str,
        currency: str,
        day: date,
        amounts: list[int],
        discount: bool = False,
    ) -> Document | None:
        """Issue a document with a line for each amount, at rates that are drawn."""
        percents, rate = data.draw(st.permutations(PERCENTS)), data.draw(st.sampled_from(RATES[currency]))
        lines = [Line(*pair) for pair in zip(amounts, percents, strict=False)]
        document = Document("invoice", "", "", contact, kind, day, currency, rate=rate, lines=lines)
        document.total = sum(line.net + line.tax for line in lines)
        document.offers_discount = discount
        body = self.body(document) | ({"paymentTerms": TERMS} if discount else {})
        return self.issue_as(document, body, self.closed(day))

    def body(self, document: Document) -> dict[str, Any]:
        return {
            "kind": document.kind,
            "customerId" if document.is_sale else "supplierId": document.contact,
            "issueDate": str(document.day),
            "dueDate": str(document.day + timedelta(14)),
            "currency": document.currency,
            "lines": [self.line(line, document.currency) for line in document.lines],
            **self.rate(document.currency, document.rate),
        }

    def line(self, line: Line, currency: str) -> dict[str, Any]:
        price, rate = text(line.net, currency), self.tax_rates[line.percent]
        return {"description": "Work", "quantity": "1", "unitPrice": price, "taxRateId": rate}

    def issue_as(self, document: Document, body: dict[str, Any], refusals: list[str]) -> Document | None:
        made = self.ask("/invoices", body, refusals)
        if made is None:
            return None
        document.id, document.number = made["id"], made["number"]
        assert minor(made["total"], document.currency) == document.total
        for line, shown in zip(document.lines, made["lines"], strict=True):
            line.id = shown["id"]
        base = in_base(document.total - document.deducted, document.currency, document.rate)
        self.enter_invoice(document, base)
        return document

    def enter_invoice(self, document: Document, base: int) -> None:
        """Enter a document whose legs are known or follow from its lines; one that asks for nothing has no item."""
        sign, demanded = SIGNS[document.kind], document.total - document.deducted
        document.legs = document.legs or against(document, sign * base)
        account = RECEIVABLE if document.is_sale else PAYABLE
        due = document.day + timedelta(14) if document.kind in DEMANDING else document.day
        of = document.contact, account, document.currency, sign * demanded, sign * base, document.day, due
        self.books.enter(document, *([Item(document, *of)] if demanded else []))

    @precondition(lambda self: self.creditable())
    @rule(data=st.data(), back=SETTLING_DAYS, whole=st.booleans(), amount=AMOUNTS, greedy=SELDOM)
    def credit(self, data, back, whole, amount, greedy):
        invoice = data.draw(st.sampled_from(self.creditable()))
        lefts = [invoice.left_of(place) for place in range(len(invoice.lines))]
        if any(net < 0 or tax < 0 for net, tax in lefts):
            return  # deductions have taken more than its notes had left: bookkeeping is silent on it
        place = data.draw(st.integers(0, len(lefts) - 1))
        amount = max(1, min(amount, lefts[place][0] + greedy))
        day = self.day(back) if back is not None else max(Clock.today, invoice.day)
        refusals = self.closed(day)
        refusals += ["too_early"] if day < invoice.day else []
        refusals += ["invalid_transition"] if invoice.is_void or self.is_written(invoice) else []
        body: dict[str, Any] = {} if back is None else {"date": str(day)}
        if whole:
            taken = [(net, tax) if net else (0, 0) for net, tax in lefts]
            refusals += [] if any(net for net, _ in lefts) else ["invalid_transition"]
        else:
            net, tax = lefts[place]
            refusals += ["too_large"] if amount > net else []
            part = amount, tax if amount == net else min(tax, tax_of(amount, invoice.lines[place].percent))
            taken = [part if i == place else (0, 0) for i in range(len(lefts))]
            body["lines"] = [{"lineId": invoice.lines[place].id, "amount": text(amount, invoice.currency)}]
        made = self.ask(f"/invoices/{invoice.id}/credit", body, refusals)
        if made is not None:
            self.enter_credit(invoice, made, day, taken, is_last=taken == lefts)

    def enter_credit(
        self, invoice: Document, made: dict[str, Any], day: date, taken: list[tuple[int, int]], *, is_last: bool
    ) -> None:
        """A part of what the invoice is worth, the last one all that its notes and deductions have left of it."""
        total = sum(net + tax for net, tax in taken)
        assert minor(made["total"], invoice.currency) == total
        others = [*invoice.live_notes, *(deduction.document for deduction in invoice.standing(*SETTLING))]
        left = abs(sum(document.items[0].base for document in (invoice, *others)))
        base = left if is_last else min(left, invoice.items[0].share(total))
        kind, lines = CREDITED_BY[invoice.kind], [Line(net, 0) for net, _ in taken]
        of = invoice.contact, kind, day, invoice.currency, total, invoice.rate
        note = Document("invoice", made["id"], made["number"], *of, lines=lines, credits=invoice, credited_nets=taken)
        if is_last:
            note.legs = [(code, -amount) for document in (invoice, *others) for code, amount in document.legs]
        else:
            nets = sum(net for net, _ in taken)
            taxes = by_percent((row.percent, tax) for row, (_, tax) in zip(invoice.lines, taken, strict=True))
            note.legs = legs_against(note, nets, taxes, SIGNS[kind] * base)
        self.enter_invoice(note, base)
        invoice.notes.append(note)
        amount = min(total, self.books.due(invoice))
        if amount:
            self.books.link(note.item, invoice.item, amount, max(day, invoice.item.free_from))

    @precondition(lambda self: self.of_type("invoice", "payment"))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def void(self, data, back):
        document = self.any_live(data, self.of_type("invoice", "payment"))
        day, refusals = self.day_from(self.books.last_day(document), back)
        refusals += ["invalid_transition"] if document.is_void else []
        links = [link for item in document.items for link in item.live]
        refusals += [reason for link in links for reason in self.kept(link)]
        refusals += ["invalid_transition"] if any(self.is_of_offset(link) for link in links) else []
        if document.type == "invoice":
            refusals += self.why_not_voided(document)
        if self.ask(f"/{document.type}s/{document.id}/void", self.dated(back), refusals) is None:
            return
        for link in links:
            self.undo_deductions(link, day)
        for deduction in (own for invoice in self.of_type("invoice") for own in invoice.standing("recovery")):
            deduction.is_undone = deduction.is_undone or deduction.payment is document
        self.books.reverse(document, day)
        for link in document.closings:
            assert link.made_by is not None
            self.books.reverse(link.made_by, day)

    def is_of_offset(self, link: Link) -> bool:
        """Whether only the void of an offset takes it back."""
        return link.made_by is not None and link.made_by.type == "offset"

    def why_not_voided(self, invoice: Document) -> list[str]:
        refusals = ["in_use"] if self.keeps(invoice) or invoice.live_notes else []
        refusals += ["in_use"] if self.books.final_of(invoice) else []
        return refusals + (["invalid_transition"] if self.is_written(invoice) else [])

    def is_written(self, invoice: Document) -> bool:
        """Whether it is written off, or stands on doubtful receivables."""
        return self.books.is_written_off(invoice) or bool(invoice.standing("doubtful"))

    def keeps(self, invoice: Document) -> bool:
        """Whether it is settled by something that voiding it would not release."""
        links = [link for item in self.books.items_of(invoice) for link in item.live if link.is_of_two]
        others = [document for link in links for document in link.documents if document is not invoice]
        return any(invoice.kind in DEMANDING or other.type != "invoice" for other in others)

    def undo_deductions(self, link: Link, day: date) -> None:
        """Take back what was taken off a document with a payment."""
        for document in link.documents:
            for deduction in document.deductions:
                if deduction.link is link and deduction.stands:
                    deduction.is_undone = True
                    self.books.reverse(deduction.document, day)


def against(document: Document, base: int) -> list[tuple[str, int]]:
    """What a document posts against what is owed for it, which `base` is, a debit above zero."""
    nets = sum(line.net for line in document.lines)
    return legs_against(document, nets, by_percent((line.percent, line.tax) for line in document.lines), base)


def by_percent(taxes: Iterable[tuple[int, int]]) -> list[int]:
    """The sum of the tax at each rate."""
    sums: Counter[int] = Counter()
    for percent, tax in taxes:
        sums[percent] += tax
    return [*sums.values()]


def legs_against(document: Document, net: int, taxes: list[int], base: int) -> list[tuple[str, int]]:
    """Net and the tax of each rate at the document's; the largest takes what rounding leaves over."""
    codes = ("4000", "2200") if document.is_sale else ("5000", "1300")
    if document.kind == "deposit_invoice":
        codes, net, taxes = ("1450", "2200"), net + sum(taxes), []
    worth = sum(in_base(tax, document.currency, document.rate) for tax in taxes)
    worths = [in_base(net, document.currency, document.rate), worth]
    worths[max((0, 1), key=lambda i: (worths[i], (net, sum(taxes))[i]))] += abs(base) - sum(worths)
    sign = -1 if base > 0 else 1
    return [(code, sign * worth) for code, worth in zip(codes, worths, strict=True)]
