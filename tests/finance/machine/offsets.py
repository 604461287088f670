"""What a contact owes set against what it is owed, by one entry without a bank (AC-5)."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import text
from tests.finance.machine.documents import Documents
from tests.finance.machine.model import GAINS, LOSSES, Document, Item
from tests.finance.machine.office import AMOUNTS, SELDOM, SETTLING_DAYS, Clock, Part


class Offsets(Documents):
    @precondition(lambda self: self.opposed())
    @rule(data=st.data(), back=SETTLING_DAYS, amount=AMOUNTS, greedy=SELDOM)
    def offset(self, data, back, amount, greedy):
        debit = data.draw(st.sampled_from(self.opposed()))
        apart = [item for item in self.opposed_to(debit) if item.account != debit.account]
        others = st.sampled_from((not data.draw(SELDOM) and apart) or self.opposed_to(debit))
        credits = data.draw(st.lists(others, min_size=1, max_size=2, unique=True))
        amount = min(amount, debit.left, sum(item.left for item in credits)) + greedy
        parts, rest = [(debit, amount)], amount
        for i, item in enumerate(credits):
            part = rest if i == len(credits) - 1 else min(item.left, rest - 1)
            parts, rest = [*parts, *([(item, part)] if part else [])], rest - part
        day, refusals = self.day_from(max(item.free_from for item, _ in parts), back)
        body = {"contactId": debit.contact, "items": [self.named(item, part) for item, part in parts]}
        refusals += self.misfits_of_offset(parts)
        made = self.ask("/offsets", body | self.dated(back), refusals)
        if made is None:
            return
        document = Document("offset", made["id"], made["number"], debit.contact, "offset", day)
        own = [self.own(document, item, part) for item, part in parts]
        gain = sum(item.base for item in own)
        document.legs = [(GAINS if gain > 0 else LOSSES, -gain)]
        self.books.enter(document, *own)
        for mirror, (item, part) in zip(own, parts, strict=True):
            self.books.link(mirror, item, part, day).made_by = document

    def opposed(self) -> list[Item]:
        """Debits that some credit of the same contact can be set against."""
        return [item for item in self.open_items() if item.sign > 0 and self.opposed_to(item)]

    def opposed_to(self, debit: Item) -> list[Item]:
        return [
            item
            for item in self.open_items()
            if item.sign < 0 and (item.contact, item.currency) == (debit.contact, debit.currency)
        ]

    def named(self, item: Item, amount: int) -> dict[str, Any]:
        """An item by its document where that has a name in a request, else by itself."""
        names = {"invoice": "invoiceId", "payment": "paymentId"}
        shown = {"amount": text(amount, item.currency)}
        if item.document.type in names and amount % 3:
            return shown | {names[item.document.type]: item.document.id}
        return shown | {"itemId": item.id}

    def misfits_of_offset(self, parts: list[Part]) -> list[str]:
        refusals = ["too_large"] if any(part > item.left for item, part in parts) else []
        refusals += ["worth_nothing"] if not all(item.part(part) for item, part in parts) else []
        refusals += ["deposit"] if any(item.document.kind == "deposit_invoice" for item, _ in parts) else []
        return refusals + (["same_account"] if len({item.account for item, _ in parts}) == 1 else [])

    def own(self, document: Document, item: Item, amount: int) -> Item:
        """The item of the offset's leg against another, worth what that part of it is."""
        base, day = item.part(amount), document.day
        of = item.contact, item.account, item.currency, -item.sign * amount, -item.sign * base, day, day
        return Item(document, *of)

    @precondition(lambda self: self.of_type("offset"))
    @rule(data=st.data(), later=st.sampled_from([None, None, 0, 1, 5, -1]))
    def void_an_offset(self, data, later):
        document = self.any_live(data, self.of_type("offset"))
        back = None if later is None else min((document.day - Clock.today).days + later, 7)
        day, refusals = self.day_from(document.day, back)
        refusals += ["invalid_transition"] if document.is_void else []
        refusals += [reason for item in document.items for link in item.live for reason in self.kept(link)]
        if self.ask(f"/offsets/{document.id}/void", self.dated(back), refusals) is not None:
            self.books.reverse(document, day)
