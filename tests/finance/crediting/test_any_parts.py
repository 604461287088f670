"""In whatever parts an invoice is credited, its credit notes come to the invoice."""

from collections import Counter, defaultdict
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import line, new_invoice
from tests.finance.journals.journals import posted

RATES = ("19", "7", "0")
LINES = st.lists(
    st.fixed_dictionaries(
        {
            "unitPrice": st.integers(1, 40_000).map(lambda price: str(Decimal(price) / 1000)),
            "quantity": st.sampled_from(["1", "2", "3", "7", "0.5", "12.345"]),
            "rate": st.integers(0, len(RATES) - 1),
            "accountId": st.sampled_from(["4000", "4100"]),
            "discount": st.sampled_from([None, {"percent": "10"}, {"percent": "33.333"}]),
        }
    ),
    min_size=1,
    max_size=4,
)


def sold(drawn, rate_ids):
    fields = {"accountId": drawn["accountId"], "discount": drawn["discount"], "taxRateId": rate_ids[drawn["rate"]]}
    return line(drawn["unitPrice"], drawn["quantity"], **fields)


ADJUSTMENTS = st.lists(st.tuples(st.sampled_from(["1.5", "10"]), st.integers(0, len(RATES) - 1)), max_size=2)
STEPS = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(1, 9)), max_size=6)


class Ledger:
    """An invoice with its credit notes: what each rate comes to, and what all of them have posted."""

    def __init__(self, office, made):
        self.office, self.made = office, made
        self.notes = []

    def take(self, place, by_quantity, tenths):
        """Credit a part of what the line was, or all that is left of it if that is less."""
        own = self.made["lines"][place % len(self.made["lines"])]
        wanted = Decimal(own["quantity"]) if by_quantity else self.value(own)
        digits = Decimal("0.000001") if by_quantity else Decimal("0.01")
        part = (wanted * tenths / 10).quantize(digits)
        body = {"lines": [{"lineId": own["id"], "quantity" if by_quantity else "amount": f"{part:f}"}]}
        answer = self.office.call("POST", f"/finance/invoices/{self.made['id']}/credit", body)
        if answer.status_code == 201:
            self.notes.append(answer.json["data"])
        else:
            details = answer.json["error"]["details"]
            assert {each["code"] for each in details} <= {"too_large", "wrong_sign", "zero"}, details

    def value(self, own):
        """The line as entered, near enough: its net, or its price with tax."""
        if not self.made["pricesIncludeTax"]:
            return Decimal(own["net"])
        return Decimal(own["unitPrice"]) * Decimal(own["quantity"])

    def finish(self):
        answer = self.office.call("POST", f"/finance/invoices/{self.made['id']}/credit", {})
        if answer.status_code == 201:
            self.notes.append(answer.json["data"])
        assert answer.status_code in (201, 409), answer.text

    def check_not_exceeded(self):
        left = {each["rate"]: (Decimal(each["base"]), Decimal(each["amount"])) for each in self.made["taxBreakdown"]}
        bases, amounts = self.sums()
        for rate, (base, amount) in left.items():
            assert 0 <= bases[rate] <= base
            assert 0 <= amounts[rate] <= amount
        assert sum(Decimal(note["total"]) for note in self.notes) <= Decimal(self.made["total"])

    def sums(self):
        bases, amounts = defaultdict[str, Decimal](Decimal), defaultdict[str, Decimal](Decimal)
        for each in (each for note in self.notes for each in note["taxBreakdown"]):
            bases[each["rate"]] += Decimal(each["base"])
            amounts[each["rate"]] += Decimal(each["amount"])
        return bases, amounts

    def check_finished(self):
        bases, amounts = self.sums()
        for each in self.made["taxBreakdown"]:
            assert (bases[each["rate"]], amounts[each["rate"]]) == (Decimal(each["base"]), Decimal(each["amount"]))
        for name in ("subtotal", "discountTotal", "chargeTotal", "netTotal", "taxTotal", "roundingAmount", "total"):
            assert sum(Decimal(note[name]) for note in self.notes) == Decimal(self.made[name])
        for own in self.made["lines"]:
            parts = [each for note in self.notes for each in note["lines"] if each["creditedLineId"] == own["id"]]
            for name in ("net", "discountShare", "tax", "gross"):
                assert sum(Decimal(part[name]) for part in parts) == Decimal(own[name])

    def posted(self):
        """What the invoice and its credit notes have posted together, by account."""
        sums = Counter[str]()
        for document in (self.made, *self.notes):
            if document["journalEntryId"]:
                sums.update(posted(self.office, document["journalEntryId"]))
        return {code: amount for code, amount in sums.items() if amount}


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=LINES,
    allowances=ADJUSTMENTS,
    charges=ADJUSTMENTS,
    discount=st.sampled_from([None, {"percent": "3"}, {"amount": "0.01"}]),
    included=st.booleans(),
    by_line=st.booleans(),
    foreign=st.booleans(),
    steps=STEPS,
)
def test_in_whatever_parts_an_invoice_is_credited_they_come_to_the_invoice(
    acme, lines, allowances, charges, discount, included, by_line, foreign, steps
):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"taxRounding": "line" if by_line else "document"})
    rates = acme.ok("GET", "/finance/tax-rates", params={"q": "Rate of"}) or [
        tax_rate(acme, rate, category="S" if rate != "0" else "Z") for rate in RATES
    ]
    ids = [rate["id"] for rate in rates]
    fields = {"currency": "CHF", "exchangeRate": "0.333333"} if foreign else {}
    body = new_invoice(
        *[sold(each, ids) for each in lines],
        discount=discount,
        allowances=[{"percent": percent, "taxRateId": ids[rate]} for percent, rate in allowances],
        charges=[{"percent": percent, "taxRateId": ids[rate], "accountId": "4800"} for percent, rate in charges],
        pricesIncludeTax=included,
        **fields,
    )
    answer = acme.call("POST", "/finance/invoices", body)
    if answer.status_code == 422:  # more discount than lines
        return
    ledger = Ledger(acme, answer.json["data"])
    for step in steps:
        ledger.take(*step)
        if all(Decimal(each["base"]) >= 0 for each in ledger.made["taxBreakdown"]):
            ledger.check_not_exceeded()
    ledger.finish()
    ledger.check_finished()
    assert ledger.posted() == {}
