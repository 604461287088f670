"""Opening balances with open items, entered again until they are locked (AC-1)."""

from datetime import date
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.finance.machine.amounts import in_base, text
from tests.finance.machine.journals import Journals
from tests.finance.machine.model import BANK, PAYABLE, RECEIVABLE, Document, Item
from tests.finance.machine.office import AMOUNTS, CURRENCIES, RATES

YEAR_END = date(2025, 12, 31)


class Opening(Journals):
    @rule(
        data=st.data(),
        money=AMOUNTS,
        amounts=st.lists(AMOUNTS, max_size=2),
        back=st.sampled_from([None, None, None, -50, -30]),
    )
    def enter_opening_balances(self, data, money, amounts, back):
        """What is entered again takes the place of what was entered before, on the day of that."""
        day = YEAR_END if back is None else self.day(back)
        document = Document("journal_entry", "", "", "", "opening", day)
        items = [self.old_item(data, document, amount, place) for place, amount in enumerate(amounts)]
        document.legs = [(BANK, money), ("3900", -money - sum(item.base for item in items))]
        lines = [{"accountId": BANK, "debit": text(money)}]
        body = {"date": str(day), "lines": lines, "items": [self.old_row(item) for item in items]}
        before = next((entry for entry in self.of_type("journal_entry") if self.is_opening(entry)), None)
        refusals = self.closed(day)
        if before is not None:
            refusals += self.closed(before.day) + (["still_settled"] if before.settled else [])
        made = self.ask("/opening-balances", body, refusals)
        if made is None:
            return
        if before is not None:
            self.books.reverse(before, before.day)
            before.kind = "replaced"
        document.id = made["journalEntryId"]
        self.books.enter(document, *items)

    def is_opening(self, entry: Document) -> bool:
        return entry.kind == "opening" and not entry.is_void

    def old_item(self, data: Any, document: Document, amount: int, place: int) -> Item:
        contact, currency = data.draw(st.sampled_from(sorted(self.contacts))), data.draw(CURRENCIES)
        account, sign = data.draw(st.sampled_from([RECEIVABLE, PAYABLE])), data.draw(st.sampled_from([1, -1]))
        base = in_base(amount, currency, data.draw(st.sampled_from(RATES[currency]))) or 1
        of = contact, account, currency, sign * amount, sign * base, document.day, document.day
        return Item(document, *of, own_number=f"OLD-{len(self.books.documents)}-{place}")

    def old_row(self, item: Item) -> dict[str, Any]:
        leg = self.leg(item.currency, abs(item.amount), abs(item.base), item.contact, item.account, item.sign)
        return leg | {"number": item.number, "documentDate": str(item.day)}
