"""Revaluation of what is open and held in foreign currencies at a day, taken back the next day (AC-22)."""

from collections.abc import Iterator
from datetime import date, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.finance.machine.amounts import in_base, minor
from tests.finance.machine.books import Posting
from tests.finance.machine.office import DAYS_BACK, OWN_ACCOUNTS, RATES
from tests.finance.machine.reports import Reports

UNREALISED_GAINS, UNREALISED_LOSSES = "4930", "6920"


class Revaluations(Reports):
    @rule(back=DAYS_BACK, dollars=st.sampled_from(RATES["USD"]), yen=st.sampled_from(RATES["JPY"]))
    def revalue(self, back, dollars, yen):
        day, rates = self.day(back), {"USD": dollars, "JPY": yen}
        refusals = self.closed(day)
        refusals += ["already_exists"] if day in self.days_revalued().values() else []
        body = {"date": str(day), "rates": [{"currency": name, "rate": rate} for name, rate in rates.items()]}
        made = self.ask("/revaluations", body, refusals)
        if made is None:
            return
        legs = [leg for leg in self.differences_at(day, rates) if leg[2]]
        gains, losses = sum(leg[2] for leg in legs if leg[2] > 0), -sum(leg[2] for leg in legs if leg[2] < 0)
        assert (minor(made["gains"]), minor(made["losses"])) == (gains, losses)
        legs += [(UNREALISED_GAINS, None, -gains), (UNREALISED_LOSSES, None, losses)]
        postings: list[Posting] = [(day, *leg) for leg in legs]
        postings += [(day + timedelta(1), code, contact, -amount) for code, contact, amount in legs]
        self.books.revalued[made["id"]] = postings
        self.check_reports(day)
        self.check_reports(day + timedelta(1))

    def differences_at(self, day: date, rates: dict[str, str]) -> Iterator[tuple[str, str | None, int]]:
        """How much more each open item and each account is worth than in the books."""
        for item in self.books.items:
            if item.currency in rates and (amount := item.open_on(day)):
                worth = in_base(amount, item.currency, rates[item.currency])
                yield item.account, item.contact, worth - item.base_on(day)
        for code, currency in OWN_ACCOUNTS.items():
            if currency in rates:
                amount, book = self.books.held(code, day)
                yield code, None, in_base(amount, currency, rates[currency]) - book

    def days_revalued(self) -> dict[str, date]:
        return {id: postings[0][0] for id, postings in self.books.revalued.items()}

    @precondition(lambda self: self.books.revalued)
    @rule(data=st.data())
    def void_a_revaluation(self, data):
        """It is as if it had not been."""
        id = data.draw(st.sampled_from(sorted(self.books.revalued)))
        refusals = self.closed(self.days_revalued()[id])
        if self.ask(f"/revaluations/{id}/void", {}, refusals) is not None:
            del self.books.revalued[id]
