"""What suppliers credit: their credit notes mirror the bill, to the cent."""

from decimal import Decimal

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.finance.books.balances import balances, owed_by
from tests.finance.documents.bills.bills import account
from tests.finance.documents.invoices import bill, credit, invoice, line, status_and_due
from tests.finance.journals.journals import posted
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint


def test_a_bill_is_credited_in_whole(acme, b1, meyer):
    note = credit(acme, b1, supplierNumber="GS-1", reason="Returned")
    assert (note["kind"], note["number"], note["status"]) == ("purchase_credit_note", "BCN-2026-00001", "paid")
    assert (note["supplierId"], note["supplierNumber"], note["creditedInvoiceId"]) == (meyer, "GS-1", b1["id"])
    assert (note["total"], note["taxTotal"]) == ("172.50", "22.50")
    assert status_and_due(acme, b1["id"]) == ("credited", "0.00")
    assert balances(acme) == {}
    entry = acme.ok("GET", f"/finance/journals/{note['journalEntryId']}")
    assert entry["description"] == "Supplier credit note BCN-2026-00001, Meyer"
    assert problems(acme) == []


def test_a_bill_is_credited_in_part_and_never_more_than_is_left(acme, b1):
    """20.00 of the books at 7 %: 20.00 + 1.40."""
    books = b1["lines"][1]["id"]
    note = credit(acme, b1, {"lineId": books, "amount": "20.00"})
    assert (note["total"], status_and_due(acme, b1["id"])) == ("21.40", ("partially_paid", "151.10"))
    assert posted(acme, note["journalEntryId"]) == {"1401": -140, "2000": 2_140, "6820": -2_000}
    body = {"lines": [{"lineId": books, "amount": "30.01"}]}
    error = acme.refused("POST", f"/finance/invoices/{b1['id']}/credit", body, status=422)
    assert "30.00 EUR" in error["details"][0]["message"]


def test_a_credit_note_of_a_supplier_is_refunded_by_a_payment_received(acme, b1, meyer):
    payment(acme, "172.50", direction="made", invoiceId=b1["id"])
    note = credit(acme, b1)
    assert status_and_due(acme, note["id"]) == ("issued", "172.50")
    payment(acme, "172.50", direction="received", invoiceId=note["id"])
    assert status_and_due(acme, note["id"]) == ("paid", "0.00")
    assert (owed_by(acme, meyer), balances(acme)) == (0, {})


def test_credit_notes_mirror_what_is_not_deductible_and_the_printed_tax(acme, standard):
    """Of 100.00 + 18.99, two credit notes: 40.00 + 7.60, then the rest."""
    lunch = line("100.00", taxRateId=standard, deductibleCostPercent="70", nonDeductibleAccountId="6900")
    made = bill(acme, {**lunch, "accountId": "6400"}, printedTax=[{"taxRateId": standard, "amount": "18.99"}])
    part = credit(acme, made, {"lineId": made["lines"][0]["id"], "amount": "40.00"})
    assert posted(acme, part["journalEntryId"]) == {"1406": -760, "2000": 4_760, "6400": -2_800, "6900": -1_200}
    rest = credit(acme, made)
    assert posted(acme, rest["journalEntryId"]) == {"1406": -1_139, "2000": 7_139, "6400": -4_200, "6900": -1_800}
    assert balances(acme) == {}


def test_a_credit_note_takes_back_tax_owed_in_the_suppliers_place(acme, b2):
    """100.00 of 240.00: 19.00 of 45.60, then 26.60."""
    part = credit(acme, b2, {"lineId": b2["lines"][0]["id"], "amount": "100.00"})
    assert part["taxBreakdown"][0]["reverseCharge"] == "19.00"
    assert posted(acme, part["journalEntryId"]) == {"1407": -1_900, "2000": 10_000, "3837": 1_900, "5923": -10_000}
    rest = credit(acme, b2)
    assert posted(acme, rest["journalEntryId"]) == {"1407": -2_660, "2000": 14_000, "3837": 2_660, "5923": -14_000}
    assert balances(acme) == {}


def test_a_credited_bill_is_due_again_when_the_credit_note_is_void(acme, b1, meyer):
    note = credit(acme, b1)
    acme.refused("POST", f"/finance/invoices/{b1['id']}/void", {}, status=409, code="in_use")
    acme.ok("POST", f"/finance/invoices/{note['id']}/void", {})
    assert status_and_due(acme, b1["id"]) == ("issued", "172.50")
    assert owed_by(acme, meyer) == -17_250


def test_a_suppliers_credit_note_can_stand_alone(acme, standard, meyer):
    note = bill(acme, line("100.00", taxRateId=standard), supplierId=meyer, kind="purchase_credit_note")
    assert (note["number"], note["total"], note["isOverdue"]) == ("BCN-2026-00001", "119.00", False)
    assert posted(acme, note["journalEntryId"]) == {"1406": -1_900, "2000": 11_900, "5000": -10_000}


def test_the_number_of_a_suppliers_credit_note_is_unique_too(acme, b1):
    path = f"/finance/invoices/{b1['id']}/credit"
    line_id = b1["lines"][0]["id"]
    body = {"lines": [{"lineId": line_id, "amount": "1.00"}], "supplierNumber": "GS-1"}
    acme.ok("POST", path, body)
    error = acme.refused("POST", path, body, status=409, code="supplier_number_taken")
    assert "BCN-2026-00001" in error["message"]
    acme.ok("POST", path, {**body, "force": True})
    sold = invoice(acme, "1.00")
    error = acme.refused("POST", f"/finance/invoices/{sold['id']}/credit", {"supplierNumber": "1"}, status=422)
    assert complaint(error) == ("supplierNumber", "not_needed")


def test_a_bill_is_credited_on_the_input_account_that_it_was_posted_to(acme, b1, standard):
    other = account(acme, "1405", "Vorsteuer", type="asset", subtype="current_asset")
    acme.ok("PATCH", f"/finance/tax-rates/{standard}", {"inputTaxAccountId": other})
    note = credit(acme, b1, {"lineId": b1["lines"][0]["id"], "amount": "50.00"})
    assert posted(acme, note["journalEntryId"]) == {"1406": -950, "2000": 5_950, "6815": -5_000}


BILL_LINES = st.lists(
    st.fixed_dictionaries(
        {
            "unitPrice": st.integers(1, 40_000).map(lambda price: str(Decimal(price) / 1000)),
            "quantity": st.sampled_from(["1", "3", "0.5", "12.345"]),
            "rate": st.integers(0, 3),
            "deductibleTaxPercent": st.sampled_from([None, "0", "50", "33.333"]),
            "deductibleCostPercent": st.sampled_from([None, "70", "66.667", "0"]),
        }
    ),
    min_size=1,
    max_size=4,
)


def cents(*amounts):
    return sum(int(Decimal(amount) * 100) for amount in amounts)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=BILL_LINES,
    included=st.booleans(),
    discount=st.sampled_from([None, {"percent": "10"}, {"amount": "0.01"}]),
    foreign=st.booleans(),
    parts=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 100)), max_size=3),
)
def test_any_bill_posts_what_it_shows_and_is_credited_to_nothing(
    acme, standard, reduced, reverse, lines, included, discount, foreign, parts
):
    rates = [standard, reduced, reverse, None]
    fields = {"currency": "USD", "exchangeRate": "0.9137"} if foreign else {}
    before = balances(acme)
    bodies = [
        {**line(), **each, "taxRateId": rates[each["rate"]], "accountId": "6400", "nonDeductibleAccountId": "6900"}
        for each in lines
    ]
    for body in bodies:
        del body["rate"]
    draft = bill(acme, *bodies, pricesIncludeTax=included, discount=discount, draft=True, **fields)
    assume(Decimal(draft["total"]) >= 0)
    made = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    if not foreign and made["journalEntryId"]:
        legs = posted(acme, made["journalEntryId"])
        cost, lost = ([each[name] for each in made["lines"]] for name in ("nonDeductibleCost", "nonDeductibleTax"))
        net = cents(made["netTotal"])
        assert legs.get("2000", 0) == -cents(made["total"])
        assert (legs.get("6400", 0), legs.get("6900", 0)) == (net - cents(*cost) + cents(*lost), cents(*cost))
        owed = cents(*(each["reverseCharge"] for each in made["taxBreakdown"]))
        assert legs.get("3837", 0) == -owed
        deducted = sum(legs.get(code, 0) for code in ("1401", "1406", "1407", "1300"))
        assert deducted == cents(made["taxTotal"]) + owed - cents(*lost)
    path = f"/finance/invoices/{made['id']}/credit"
    for place, percent in parts:
        own = made["lines"][place % len(made["lines"])]
        worth = Decimal(own["gross"] if included else own["net"])
        amount = (worth * percent / 300).quantize(Decimal("0.01"))
        if amount:
            acme.call("POST", path, {"lines": [{"lineId": own["id"], "amount": str(amount)}]})
    acme.call("POST", path, {})
    assert balances(acme) == before
    assert owed_by(acme, made["supplierId"]) == 0
