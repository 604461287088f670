"""Entries by hand on receivables and payables, and their reversal."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import in_base, text
from tests.finance.machine.model import PAYABLE, RECEIVABLE, Document, Item
from tests.finance.machine.office import AMOUNTS, DAYS_BACK, RATES, SELDOM, SETTLING_DAYS, Machine


class Journals(Machine):
    @rule(data=st.data(), back=DAYS_BACK, amount=AMOUNTS, debit=st.booleans())
    def write_by_hand(self, data, back, amount, debit):
        """Something that a contact owes or is owed against an expense, or moved to another contact or account."""
        contact, currency = self.party(data)
        contacts, accounts = st.sampled_from(sorted(self.contacts)), st.sampled_from([RECEIVABLE, PAYABLE])
        legs = [(contact, data.draw(accounts), 1 if debit else -1)]
        if data.draw(SELDOM):
            legs.append((data.draw(contacts), data.draw(accounts), -legs[0][2]))
        base = in_base(amount, currency, data.draw(st.sampled_from(RATES[currency]))) or 1
        day = self.day(back)
        lines = [self.leg(currency, amount, base, *leg) for leg in legs]
        if len(lines) == 1:
            lines.append({"accountId": "6850", "credit" if debit else "debit": text(base)})
        body = {"date": str(day), "description": "By hand", "lines": lines}
        made = self.ask("/journals", body, self.closed(day))
        if made is None:
            return
        document = Document("journal_entry", made["id"], made["number"], legs[0][0], "manual", day)
        document.legs = [("6850", -legs[0][2] * base)] if len(legs) == 1 else []
        items = [
            Item(document, contact, account, currency, sign * amount, sign * base, day, day)
            for contact, account, sign in legs
        ]
        self.books.enter(document, *items)

    def leg(self, currency: str, amount: int, base: int, contact: str, account: str, sign: int) -> dict[str, Any]:
        foreign = {} if currency == "EUR" else {"currency": currency, "foreignAmount": text(amount, currency)}
        side = "debit" if sign > 0 else "credit"
        return {"accountId": account, "contactId": contact, side: text(base), **foreign}

    @precondition(lambda self: self.of_type("journal_entry"))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def reverse(self, data, back):
        entry = self.any_live(data, self.of_type("journal_entry"))
        day, refusals = self.day_from(max([entry.day, *(item.last_day for item in entry.items)]), back)
        refusals += ["already_reversed"] if entry.is_void else []
        refusals += ["still_settled"] if entry.settled else []
        if self.ask(f"/journals/{entry.id}/reverse", self.dated(back), refusals) is not None:
            self.books.reverse(entry, day)
