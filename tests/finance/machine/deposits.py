"""Deposit invoices, and the final invoices that deduct what was received of them (AC-7).

A deposit is asked for against 1450. What is received of it is moved to 2400, and its tax is due. The final invoice
deducts that, and closes what was never paid.
"""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import in_base
from tests.finance.machine.documents import Documents, by_percent
from tests.finance.machine.model import RECEIVABLE, Document, Item, Line
from tests.finance.machine.office import AMOUNTS, DAYS_BACK, PERCENTS, RATES, SELDOM, Clock
from tests.finance.machine.parts import Part


class Deposits(Documents):
    @rule(data=st.data(), back=DAYS_BACK, amounts=st.lists(AMOUNTS, min_size=1, max_size=2))
    def ask_for_a_deposit(self, data, back, amounts):
        contact, currency = self.party(data)
        if self.contacts[contact] != "supplier":
            self.draw_and_issue(data, "deposit_invoice", contact, currency, self.day(back), amounts)

    @precondition(lambda self: self.deposits())
    @rule(
        data=st.data(),
        later=st.sampled_from([None, None, 0, 2, -3]),
        price=AMOUNTS,
        exact=SELDOM,
        more=st.booleans(),
    )
    def issue_a_final_invoice(self, data, later, price, exact, more):
        """Deduct one or two deposits, seldom such as cannot be deducted together; for more than them or for less."""
        first = data.draw(st.sampled_from(self.deposits()))
        deposits = [first]
        if data.draw(SELDOM):
            deposits.append(data.draw(st.sampled_from(self.of_type("invoice"))))
        earliest = max(self.books.last_day(deposit) for deposit in deposits)
        day = (
            max(Clock.today, earliest)
            if later is None
            else min(earliest, self.day(7)) + (self.day(later) - Clock.today)
        )
        if day > self.day(7):
            return
        rate = data.draw(st.sampled_from(RATES[first.currency]))
        document = Document("invoice", "", "", first.contact, "final_invoice", day, first.currency, rate=rate)
        if exact:
            document.lines = [Line(line.net, line.percent) for line in first.lines]
        else:
            net = price + (sum(line.net for line in first.lines) if more else 0)
            document.lines = [Line(net, data.draw(st.sampled_from(PERCENTS)))]
        document.total = sum(line.net + line.tax for line in document.lines)
        self.deduct_deposits(document, deposits)

    def deposits(self) -> list[Document]:
        """Deposits that can be deducted; where there are none, all that were asked for."""
        asked = [document for document in self.of_type("invoice") if document.kind == "deposit_invoice"]
        return [deposit for deposit in asked if not self.books.final_of(deposit) and not deposit.is_void] or asked

    def deduct_deposits(self, document: Document, deposits: list[Document]) -> None:
        refusals = self.closed(document.day)
        for place, deposit in enumerate(deposits):
            refusals += ["repeated"] if deposit in deposits[:place] else []
            refusals += self.why_not_deducted(deposit, document)
        unique = list(dict.fromkeys(deposits))
        deducted = sum(part.gross for deposit in unique for part in self.received(deposit))
        refusals += ["more_than_total"] if deducted > document.total else []
        document.deducted = deducted
        document.legs = self.legs_of_final(document, unique)
        body = self.body(document) | {"depositIds": [deposit.id for deposit in deposits]}
        if self.issue_as(document, body, refusals) is None:
            return
        document.deposits = unique
        for deposit in unique:
            self.close_rest(document, deposit)

    def why_not_deducted(self, deposit: Document, final: Document) -> list[str]:
        if deposit.kind != "deposit_invoice":
            return ["wrong_kind"]
        refusals = ["invoice_void"] if deposit.is_void else []
        refusals += ["wrong_contact"] if deposit.contact != final.contact else []
        refusals += ["wrong_currency"] if deposit.currency != final.currency else []
        refusals += ["already_deducted"] if self.books.final_of(deposit) else []
        refusals += ["worth_nothing"] if deposit.item.left and not deposit.item.left_base else []
        return refusals + (["too_early"] if final.day < self.books.last_day(deposit) else [])

    def receipts(self, deposit: Document) -> list[Document]:
        links = (link for item in deposit.items for link in item.live)
        return [link.receipt for link in links if link.receipt is not None]

    def received(self, deposit: Document) -> list[Part]:
        """What was received of a deposit, in its currency."""
        return [part for receipt in self.receipts(deposit) for part in receipt.parts]

    def legs_of_final(self, document: Document, deposits: list[Document]) -> list[tuple[str, int]]:
        """What was received leaves 2400, its tax is not due again, and all the rest is income."""
        receipts = [receipt for deposit in deposits for receipt in self.receipts(deposit)]
        if not receipts:
            return []
        due = by_percent((line.percent, line.tax) for line in document.lines)
        had = by_percent((part.percent, part.tax) for each in receipts for part in each.parts)
        amounts = [document.total - document.deducted, *due, *had]
        owed, *taxes = (in_base(amount, document.currency, document.rate) for amount in amounts)
        tax = sum(taxes[: len(due)]) - sum(taxes[len(due) :])
        received = -sum(amount for each in receipts for code, amount in each.legs if code == "2400")
        return [("2400", received), ("2200", -tax), ("4000", tax - received - owed)]

    def close_rest(self, final: Document, deposit: Document) -> None:
        if not deposit.item.left:
            return
        item, day = deposit.item, final.day
        posted = Document("closing", "", final.number, final.contact, "closing", day)
        posted.legs = [("1450", item.left_base)]
        of = item.contact, RECEIVABLE, item.currency, -item.left, -item.left_base, day, day
        self.books.enter(posted, Item(posted, *of))
        link = self.books.link(posted.items[0], item, item.left, day)
        link.made_by = posted
        final.closings.append(link)
