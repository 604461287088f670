"""Money between own accounts: each keeps its currency and its book value (AC-22)."""

from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import in_base, rounded, text
from tests.finance.machine.model import FEES, GAINS, LOSSES, Document
from tests.finance.machine.office import AMOUNTS, DAYS_BACK, OWN_ACCOUNTS, RATES, SETTLING_DAYS, Machine


class Transfers(Machine):
    @rule(
        data=st.data(),
        back=DAYS_BACK,
        ends=st.permutations(sorted(OWN_ACCOUNTS)),
        amount=AMOUNTS,
        arrives=AMOUNTS,
        fee=st.sampled_from([0, 0, 1, 150]),
    )
    def transfer(self, data, back, ends, amount, arrives, fee):
        """Often all that an account in a foreign currency holds."""
        source, target, day = ends[0], ends[1], self.day(back)
        held = self.books.held(source, day)[0]
        if held > fee and data.draw(st.booleans()):
            amount = held - fee
        own, other = OWN_ACCOUNTS[source], OWN_ACCOUNTS[target]
        arrives = amount if own == other else arrives
        rate = data.draw(st.sampled_from(RATES[own]))
        value, of_fee = self.worth(source, target, amount, arrives, fee, day, rate)
        leaving = -self.change(source, -amount - fee, value + of_fee, day)
        arriving = self.change(target, arrives, value, day)
        document = Document("transfer", "", "", "", "transfer", day)
        gain = arriving + of_fee - leaving
        document.legs = [(source, -leaving), (target, arriving), (FEES, of_fee)]
        document.legs.append((GAINS if gain > 0 else LOSSES, -gain))
        document.foreign = [(source, -amount - fee), (target, arrives)]
        body: dict[str, Any] = {"fromAccountId": source, "toAccountId": target, "date": str(day)}
        body |= {"amount": text(amount, own), "receivedAmount": text(arrives, other)} | self.rate(own, rate)
        body |= {"feeAmount": text(fee, own)} if fee else {}
        refusals = self.closed(day) + ([] if leaving and arriving else ["worth_nothing"])
        made = self.ask("/transfers", body, refusals)
        if made is not None:
            document.id, document.number = made["id"], made["number"]
            self.books.enter(document)

    def worth(
        self, source: str, target: str, amount: int, arrives: int, fee: int, day: date, rate: str
    ) -> tuple[int, int]:
        """What the amount and the fee are worth: the side in euros says it; between dollars it is their book value."""
        own, other = OWN_ACCOUNTS[source], OWN_ACCOUNTS[target]
        if "EUR" in (own, other):
            value = amount if own == "EUR" else arrives
            return value, rounded(Fraction(value * fee, amount))
        if own == other and self.books.held(source, day)[0] >= amount + fee:
            total = -self.change(source, -amount - fee, 0, day)
            of_fee = rounded(Fraction(total * fee, amount + fee))
            return total - of_fee, of_fee
        return in_base(amount, own, rate), in_base(fee, own, rate)

    def change(self, code: str, amount: int, value: int, day: date) -> int:
        """By how much a book value changes: what was held goes at its own, what goes beyond at its worth that day."""
        if OWN_ACCOUNTS[code] == "EUR":
            return amount
        held, book = self.books.held(code, day)
        sign = 1 if amount > 0 else -1
        if held * sign >= 0:
            return sign * value
        part = min(abs(amount), abs(held))
        share = -book if part == abs(held) else -rounded(Fraction(book * part, abs(held)))
        return share + sign * (value - rounded(Fraction(value * part, abs(amount))))

    @precondition(lambda self: self.of_type("transfer"))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def void_a_transfer(self, data, back):
        document = self.any_live(data, self.of_type("transfer"))
        day, refusals = self.day_from(document.day, back)
        refusals += ["invalid_transition"] if document.is_void else []
        if self.ask(f"/transfers/{document.id}/void", self.dated(back), refusals) is not None:
            self.books.reverse(document, day)
