"""What may stand in one document, so that an e-invoice can express it."""

import pytest

from erp.finance.contacts.models import TaxRate
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count, posted
from tests.refusals import complaints

OURS, VIENNA = "DE123456788", "ATU12345675"
RING = {"city": "Wien", "postalCode": "1010", "country": "AT"}


def rate(office, category, **fields):
    """The id of a new tax rate of 0 %."""
    return tax_rate(office, "0", name=f"Rate {category}", category=category, **fields)["id"]


def refused(office, *lines, **fields):
    """The complaints about an invoice that is to be issued; nothing of it is kept."""
    before = entry_count(office)
    error = office.refused("POST", "/finance/invoices", new_invoice(*lines, **fields), status=422)
    assert entry_count(office) == before
    assert office.ok("GET", "/finance/invoices") == []
    return complaints(error)


def with_vat_id(office, vat_id=OURS):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"vatId": vat_id})


def test_nothing_stands_beside_what_is_outside_the_scope_of_tax(acme):
    full, outside = tax_rate(acme)["id"], rate(acme, "O")
    assert refused(acme, line(taxRateId=full), line(taxRateId=outside)) == {"lines[1].taxRateId": "mixed_categories"}
    zero = rate(acme, "Z")
    charges = [{"amount": "5.00", "taxRateId": None}]
    allowances = [{"amount": "1.00", "taxRateId": outside}]
    assert refused(acme, line(taxRateId=zero), line(taxRateId=None), charges=charges, allowances=allowances) == {
        "lines[1].taxRateId": "mixed_categories",
        "allowances[0].taxRateId": "mixed_categories",
        "charges[0].taxRateId": "mixed_categories",
    }


def test_an_item_without_a_tax_rate_and_one_of_category_o_stand_together(acme):
    made = invoice(acme, line(taxRateId=rate(acme, "O")), line(taxRateId=None), charges=[{"amount": "5.00"}])
    assert ([row["category"] for row in made["taxBreakdown"]], made["total"]) == (["O"], "205.00")


def test_other_categories_stand_together(acme):
    with_vat_id(acme)
    exempt = rate(acme, "E", exemptionReason="Lessons")
    rates = [tax_rate(acme, "19")["id"], exempt, *(rate(acme, category) for category in ("Z", "AE", "K", "G"))]
    wien = customer(acme, "Wien", vatId=VIENNA, address=RING)["id"]
    made = invoice(acme, *(line(taxRateId=id) for id in rates), customerId=wien)
    assert (made["taxTotal"], made["total"]) == ("19.00", "619.00")


def test_what_is_drafted_is_refused_when_it_is_issued(acme):
    draft = invoice(acme, line(taxRateId=tax_rate(acme)["id"]), line(taxRateId=None), draft=True)
    path = f"/finance/invoices/{draft['id']}"
    error = acme.refused("POST", f"{path}/issue", status=422)
    assert complaints(error) == {"lines[1].taxRateId": "mixed_categories"}
    assert acme.ok("GET", path)["status"] == "draft"
    assert acme.ok("POST", "/finance/invoices/preview", new_invoice(line(), line(taxRateId=None)))["total"] == "200.00"


def test_a_credit_note_follows_the_same_rules(acme):
    lines = [line(taxRateId=tax_rate(acme)["id"]), line(taxRateId=None)]
    assert refused(acme, *lines, kind="sales_credit_note") == {"lines[1].taxRateId": "mixed_categories"}


@pytest.mark.parametrize("category", ["AE", "K", "G"])
def test_an_older_rate_that_charges_what_its_category_does_not_is_refused_when_it_is_used(acme, category):
    with_vat_id(acme)
    wien = customer(acme, "Wien", vatId=VIENNA, address=RING)["id"]
    old = rate(acme, category)
    with acme.books(write=True):
        TaxRate.update(rate=19_000_000).where(TaxRate.id == old).execute()
    assert refused(acme, line(taxRateId=old), customerId=wien) == {"lines[0].taxRateId": "not_zero"}


@pytest.mark.parametrize(
    ("category", "needs"),
    [("AE", ("seller", "buyer")), ("K", ("seller", "buyer")), ("G", ("seller",)), ("Z", ()), ("O", ())],
)
def test_who_does_not_charge_tax_shows_the_vat_ids_that_the_category_asks_for(acme, category, needs):
    untaxed = rate(acme, category)
    bare, known = customer(acme, address=RING)["id"], customer(acme, "Wien", vatId=VIENNA, address=RING)["id"]
    fields = {"seller": "lines[0].taxRateId", "buyer": "customerId"}
    if needs:
        expected = {fields[party]: "vat_id_required" for party in needs}
        assert refused(acme, line(taxRateId=untaxed), customerId=bare) == expected
    if "buyer" in needs:
        with_vat_id(acme)
        assert refused(acme, line(taxRateId=untaxed), customerId=bare) == {"customerId": "vat_id_required"}
        assert refused(acme, line(taxRateId=untaxed), customer={"name": "Globex", "address": RING}) == {
            "customer.vatId": "vat_id_required"
        }
    with_vat_id(acme)
    made = invoice(acme, line(taxRateId=untaxed), customerId=known if "buyer" in needs else bare)
    assert (made["taxTotal"], made["taxBreakdown"][0]["rate"]) == ("0.00", "0")
    assert posted(acme, made["journalEntryId"]) == {"1100": 10_000, "4000": -10_000}


def test_a_new_customer_of_a_reverse_charge_brings_a_vat_id(acme):
    with_vat_id(acme)
    made = invoice(acme, line(taxRateId=rate(acme, "AE")), customer={"name": "Wien", "vatId": "atu 12345675"})
    assert (made["customer"]["vatId"], made["customer"]["taxNumber"]) == (VIENNA, None)


def test_an_exempt_document_says_why(acme):
    exempt = rate(acme, "E")
    lines = [line(taxRateId=exempt), line(taxRateId=tax_rate(acme)["id"])]
    assert refused(acme, *lines) == {"lines[0].taxRateId": "exemption_reason_required"}
    acme.ok("PATCH", f"/finance/tax-rates/{exempt}", {"exemptionReason": "Lessons are exempt"})
    assert invoice(acme, *lines)["total"] == "220.00"


def test_everything_that_an_e_invoice_cannot_express_is_named_at_once(acme):
    lines = [line(taxRateId=rate(acme, "E")), line(taxRateId=rate(acme, "AE")), line(taxRateId=None)]
    assert refused(acme, *lines, customerId=customer(acme)["id"]) == {
        "lines[0].taxRateId": "exemption_reason_required",
        "lines[1].taxRateId": "vat_id_required",
        "lines[2].taxRateId": "mixed_categories",
        "customerId": "vat_id_required",
    }


def test_the_services_for_vienna_show_no_tax_and_both_vat_ids(acme):
    """The worked month: R2, 3,000.00 of services to a firm in the EU."""
    with_vat_id(acme)
    services = rate(acme, "AE", exemptionReason="Reverse charge")
    wien = customer(acme, "Wien", vatId=VIENNA, address=RING)["id"]
    made = invoice(acme, line("3000.00", taxRateId=services), customerId=wien)
    assert made["taxBreakdown"] == [
        {"taxRateId": services, "taxRateName": "Rate AE", "category": "AE", "rate": "0", "base": "3000.00"}
        | {"amount": "0.00", "ownAmount": None, "difference": None, "reverseCharge": "0.00"}
    ]
    assert posted(acme, made["journalEntryId"]) == {"1100": 300_000, "4000": -300_000}
