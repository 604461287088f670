"""The tax that a supplier printed on the bill, which wins over what the lines come to."""

import pytest

from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.bills.bills import refused
from tests.finance.documents.invoices import bill, line
from tests.finance.journals.journals import posted
from tests.refusals import complaint, complaints


def test_the_tax_that_the_supplier_printed_wins(acme, standard, meyer):
    """Three lines of 33.33 at 19 %: our tax is 19.00, the supplier's 18.99."""
    made = bill(
        acme,
        *[line("33.33", taxRateId=standard)] * 3,
        supplierId=meyer,
        printedTax=[{"taxRateId": standard, "amount": "18.99"}],
    )
    assert (made["taxTotal"], made["total"]) == ("18.99", "118.98")
    (tax,) = made["taxBreakdown"]
    assert (tax["amount"], tax["ownAmount"], tax["difference"]) == ("18.99", "19.00", "-0.01")
    assert posted(acme, made["journalEntryId"]) == {"1406": 1_899, "2000": -11_898, "5000": 9_999}
    assert sum(round(float(each["tax"]) * 100) for each in made["lines"]) == 1_899


def test_the_printed_tax_of_a_bill_with_gross_prices_leaves_its_total(acme, standard):
    printed = [{"taxRateId": standard, "amount": "18.97"}]
    made = bill(acme, line("119.00", taxRateId=standard), pricesIncludeTax=True, printedTax=printed)
    assert (made["netTotal"], made["taxTotal"], made["total"]) == ("100.03", "18.97", "119.00")


@pytest.mark.parametrize(("printed", "fits"), [("18.95", True), ("19.05", True), ("18.94", False), ("19.06", False)])
def test_the_printed_tax_may_be_five_cents_away(acme, standard, printed, fits):
    fields = {"printedTax": [{"taxRateId": standard, "amount": printed}]}
    if fits:
        assert bill(acme, line("100.00", taxRateId=standard), **fields)["taxTotal"] == printed
        return
    error = refused(acme, line("100.00", taxRateId=standard), **fields)
    assert complaint(error) == ("printedTax[0].amount", "too_far")
    message = error["details"][0]["message"]
    assert printed in message
    assert "19.00" in message


def test_only_a_rate_of_the_bill_can_have_a_printed_tax(acme, standard, reduced):
    owed = tax_rate(acme, "19", category="AE")["id"]
    printed = [{"taxRateId": id, "amount": "19.00"} for id in (standard, standard, reduced, owed)]
    lines = [line("100.00", taxRateId=id) for id in (standard, owed)]
    assert complaints(refused(acme, *lines, printedTax=printed)) == {
        "printedTax[1].taxRateId": "repeated",
        "printedTax[2].taxRateId": "not_applicable",
        "printedTax[3].taxRateId": "not_taxed",
    }


def test_a_printed_tax_that_is_beyond_the_books_is_refused(acme, standard):
    """By the lines the total is the largest that the books hold, and the printed tax is five cents more."""
    lines = [line("840336134453.7814", "100", taxRateId=standard)]
    assert bill(acme, *lines, draft=True)["total"] == "99999999999999.99"
    error = refused(acme, *lines, printedTax=[{"taxRateId": standard, "amount": "15966386554621.90"}])
    assert complaint(error) == ("lines", "out_of_range")


def test_a_printed_tax_is_not_compared_with_a_line_that_is_wrong(acme, standard):
    printed = [{"taxRateId": standard, "amount": "19.00"}]
    error = refused(acme, line("a hundred", taxRateId=standard), printedTax=printed)
    assert list(complaints(error)) == ["lines[0].unitPrice"]
