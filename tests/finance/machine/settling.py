"""Open items settled with each other, and taken back."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import text
from tests.finance.machine.documents import Documents
from tests.finance.machine.model import Item, Link
from tests.finance.machine.office import AMOUNTS, SELDOM, SETTLING_DAYS, Clock


class Settling(Documents):
    @precondition(lambda self: self.pairs())
    @rule(data=st.data(), back=SETTLING_DAYS, amount=AMOUNTS, greedy=SELDOM, anything=SELDOM)
    def allocate_items(self, data, back, amount, greedy, anything):
        source, target = data.draw(st.sampled_from(self.pairs()))
        if anything:
            target = data.draw(st.sampled_from(self.books.items))
        amount = max(1, min(amount, min(source.left, target.left) + greedy))
        day, refusals = self.day_from(max(source.free_from, target.free_from), back)
        refusals += ["too_large", "nothing_left"] if amount > min(source.left, target.left) else []
        refusals += self.differences(source, target)
        body = {"fromItemId": source.id, "toItemId": target.id, "amount": text(amount, source.currency)}
        if self.ask("/allocations", body | self.dated(back), refusals) is not None:
            self.books.link(source, target, amount, day)

    def differences(self, source: Item, target: Item) -> list[str]:
        refusals = ["same_side"] if source.sign == target.sign else []
        refusals += ["wrong_contact"] if source.contact != target.contact else []
        refusals += ["wrong_account"] if source.account != target.account else []
        refusals += ["wrong_currency", "decimals"] if source.currency != target.currency else []
        deposits = [item for item in (source, target) if item.document.kind == "deposit_invoice"]
        return refusals + ["deposit"] * len(deposits)

    @precondition(lambda self: any(self.books.links()))
    @rule(data=st.data(), later=st.sampled_from([None, None, 0, 1, 5, -1]), through_payment=st.booleans())
    def release(self, data, later, through_payment):
        link = data.draw(st.sampled_from([*self.books.links()]))
        back = None if later is None else min((link.day - Clock.today).days + later, 7)
        day, refusals = self.day_from(link.day, back)
        payments = [document for document in link.documents if document.type == "payment"]
        refusals += self.kept(link)
        path = f"/allocations/{link.id}/release"
        if payments and through_payment:
            path = f"/payments/{payments[0].id}{path}"
        else:
            refusals += self.kept_apart(link)
        if self.ask(path, self.dated(back), refusals) is not None:
            self.undo_deductions(link, day)
            self.books.release(link, day)

    def kept_apart(self, link: Link) -> list[str]:
        """Why it is not released by itself: something else is taken back with it."""
        with_payment = any(
            own.link is link and own.stands for document in link.documents for own in document.deductions
        )
        is_deposit = any(document.kind == "deposit_invoice" for document in link.documents)
        is_moved = not link.is_of_two
        return ["invalid_transition"] if with_payment or is_deposit or link.made_by or is_moved else []
