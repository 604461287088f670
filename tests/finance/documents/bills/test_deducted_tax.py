"""Tax owed in the supplier's place, and tax and costs that are deducted in part."""

import pytest

from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.bills.bills import account, refused
from tests.finance.documents.invoices import bill, line, new_invoice
from tests.finance.journals.journals import posted
from tests.refusals import complaint


def test_tax_that_is_owed_in_the_suppliers_place_is_posted_both_ways(acme, b2):
    assert (b2["taxTotal"], b2["total"]) == ("0.00", "240.00")
    (tax,) = b2["taxBreakdown"]
    assert (tax["category"], tax["rate"], tax["base"], tax["amount"]) == ("AE", "19", "240.00", "0.00")
    assert tax["reverseCharge"] == "45.60"
    assert posted(acme, b2["journalEntryId"]) == {"1407": 4_560, "2000": -24_000, "3837": -4_560, "5923": 24_000}


def test_a_purchase_within_the_eu_is_taxed_both_ways_too(acme):
    goods = tax_rate(acme, "19", category="K")["id"]
    made = bill(acme, line("100.00", taxRateId=goods))
    assert made["total"] == "100.00"
    assert posted(acme, made["journalEntryId"]) == {"1300": 1_900, "2000": -10_000, "2200": -1_900, "5000": 10_000}


def test_a_sale_with_a_rate_that_the_buyer_owes_is_not_issued(acme, reverse):
    both = tax_rate(acme, "19", category="AE", side="both")["id"]
    for rate, code in ((reverse, "wrong_side"), (both, "not_zero")):
        error = acme.refused("POST", "/finance/invoices", new_invoice(line(taxRateId=rate)), status=422)
        assert code in {detail["code"] for detail in error["details"]}


def test_reverse_charge_counts_a_discount_and_allowances_and_rounds_once(acme, reverse):
    """(10.03 + 10.03 − 0.50 − 1.00) × 19 % = 18.56 × 0.19 = 3.5264."""
    made = bill(
        acme,
        *[line("10.03", taxRateId=reverse)] * 2,
        discount={"amount": "0.50"},
        allowances=[{"amount": "1.00", "taxRateId": reverse}],
    )
    assert made["taxBreakdown"][0]["reverseCharge"] == "3.53"
    assert posted(acme, made["journalEntryId"]) == {"1407": 353, "2000": -1_856, "3837": -353, "5000": 1_856}


def test_entertainment_is_a_cost_in_part_and_its_tax_is_deducted_in_full(acme, standard):
    """100.00 + 19.00, of which 70 % is a deductible cost."""
    account(acme, "6640", "Bewirtungskosten")
    account(acme, "6644", "Nicht abzugsfähige Bewirtungskosten")
    lunch = line("100.00", taxRateId=standard, accountId="6640", deductibleCostPercent="70")
    assert complaint(refused(acme, lunch)) == ("lines[0].nonDeductibleAccountId", "required")
    made = bill(acme, {**lunch, "nonDeductibleAccountId": "6644"})
    assert posted(acme, made["journalEntryId"]) == {"1406": 1_900, "2000": -11_900, "6640": 7_000, "6644": 3_000}
    (shown,) = made["lines"]
    assert (shown["deductibleCostPercent"], shown["nonDeductibleCost"]) == ("70", "30.00")
    assert (shown["deductibleTaxPercent"], shown["nonDeductibleTax"]) == (None, "0.00")


def test_tax_that_cannot_be_deducted_goes_to_the_account_of_the_line(acme, standard):
    """Half of 0.19 is 0.095: of each line 0.10 is deducted and 0.09 is not."""
    lines = [line("1.00", taxRateId=standard, accountId="6400", deductibleTaxPercent="50")] * 3
    made = bill(acme, *lines)
    assert [each["nonDeductibleTax"] for each in made["lines"]] == ["0.09"] * 3
    assert posted(acme, made["journalEntryId"]) == {"1406": 30, "2000": -357, "6400": 327}


def test_both_percents_are_apart(acme, standard):
    """Net 200.00: 50.00 is no cost. Tax 38.00: 19.00 is not deducted."""
    car = line("200.00", taxRateId=standard, accountId="6400", deductibleTaxPercent="50", deductibleCostPercent="75")
    made = bill(acme, {**car, "nonDeductibleAccountId": "6900"})
    assert posted(acme, made["journalEntryId"]) == {"1406": 1_900, "2000": -23_800, "6400": 16_900, "6900": 5_000}


def test_tax_that_is_owed_and_not_deducted_is_a_cost(acme, reverse):
    """A doctor's software from abroad: 45.60 is owed, none of it deducted."""
    made = bill(acme, line("240.00", taxRateId=reverse, accountId="6400", deductibleTaxPercent="0"))
    assert posted(acme, made["journalEntryId"]) == {"2000": -24_000, "3837": -4_560, "6400": 28_560}


@pytest.mark.parametrize("code", ["1100", "2000"])
def test_what_is_not_deductible_cannot_go_to_receivables_or_payables(acme, code):
    lunch = line("100.00", deductibleCostPercent="70", nonDeductibleAccountId=code)
    assert complaint(refused(acme, lunch)) == ("lines[0].nonDeductibleAccountId", "unsuitable_account")
