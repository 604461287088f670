"""Bills: what suppliers charge, with their own number and tax, and what of it is deducted."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from erp.store import router
from erp.system.checks import files as checking
from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line, new_bill, new_invoice, status_and_due
from tests.finance.journals.journals import posted, postings
from tests.finance.payments.payments import payment
from tests.refusals import complaint, complaints

TODAY = "2026-01-31"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(f"{TODAY}T09:00:00Z")


def account(office, code, name, **fields):
    """A new account of SKR 04; an expense unless the fields say otherwise."""
    body = {"code": code, "name": name, "type": "expense", "subtype": "expense", **fields}
    return office.ok("POST", "/finance/accounts", body)["code"]


@pytest.fixture
def standard(acme):
    """19 %, deducted on 1406."""
    input_tax = account(acme, "1406", "Vorsteuer 19 %", type="asset", subtype="current_asset")
    return tax_rate(acme, "19", inputTaxAccountId=input_tax)["id"]


@pytest.fixture
def reduced(acme):
    """7 %, deducted on 1401."""
    input_tax = account(acme, "1401", "Vorsteuer 7 %", type="asset", subtype="current_asset")
    return tax_rate(acme, "7", inputTaxAccountId=input_tax)["id"]


@pytest.fixture
def meyer(acme):
    return supplier(acme)["id"]


@pytest.fixture
def b1(acme, standard, reduced, meyer):
    """The worked month: supplies 100.00 at 19 %, books 50.00 at 7 %."""
    supplies, books = account(acme, "6815", "Bürobedarf"), account(acme, "6820", "Zeitschriften, Bücher")
    return bill(
        acme,
        line("100.00", description="Supplies", taxRateId=standard, accountId=supplies),
        line("50.00", description="Books", taxRateId=reduced, accountId=books),
        supplierId=meyer,
        supplierNumber="M-4711",
        issueDate="2026-01-08",
        dueDate="2026-02-07",
    )


def problems(office):
    """What `erp check` finds in the office's file."""
    router.close_all()
    file = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    found = checking.workspace_file(file, nobody_writes=True).problems
    router.close_all()
    return found


def refused(office, *lines, status=422, code="validation_failed", **fields):
    return office.refused("POST", "/finance/invoices", new_bill(*lines, **fields), status=status, code=code)


def test_a_bill_posts_expenses_input_tax_and_what_is_owed(acme, b1, meyer):
    assert (b1["kind"], b1["number"], b1["status"]) == ("purchase_invoice", "BILL-2026-00001", "issued")
    assert (b1["subtotal"], b1["taxTotal"], b1["total"], b1["amountDue"]) == ("150.00", "22.50", "172.50", "172.50")
    assert postings(acme, b1["journalEntryId"]) == {
        "1401": (350, None),
        "1406": (1_900, None),
        "2000": (-17_250, meyer),
        "6815": (10_000, None),
        "6820": (5_000, None),
    }
    entry = acme.ok("GET", f"/finance/journals/{b1['journalEntryId']}")
    assert (entry["description"], entry["reference"]) == ("Bill BILL-2026-00001, Meyer", "M-4711")
    assert owed_by(acme, meyer) == -17_250


def test_a_bill_names_its_supplier_where_an_invoice_names_its_customer(acme, b1, meyer):
    assert (b1["supplierId"], b1["supplierName"], b1["supplierNumber"]) == (meyer, "Meyer", "M-4711")
    assert (b1["customerId"], b1["customerName"], b1["customer"]) == (None, None, None)
    assert b1["supplier"]["name"] == "Meyer"
    type, data = last_event(acme)
    assert (type, data["kind"], data["supplierId"]) == ("invoice.issued", "purchase_invoice", meyer)
    sold = invoice(acme, "1.00")
    assert (sold["supplierId"], sold["supplierName"], sold["supplierNumber"], sold["supplier"]) == (None,) * 4


def test_a_new_supplier_comes_with_the_bill(acme):
    made = bill(acme, supplier={"name": "Technik GmbH"})
    shown = acme.ok("GET", f"/finance/contacts/{made['supplierId']}")
    assert (shown["name"], shown["kind"]) == ("Technik GmbH", "supplier")
    error = refused(acme, supplier={"name": "Technik GmbH", "currency": "XXQ"})
    assert list(complaints(error)) == ["supplier.currency"]


def test_a_document_names_its_own_kind_of_contact(acme, meyer):
    globex = customer(acme)["id"]
    wrong = {**new_bill(), "customerId": globex}
    error = acme.refused("POST", "/finance/invoices", wrong, status=422)
    assert complaint(error) == ("customerId", "not_needed")
    error = acme.refused("POST", "/finance/invoices", new_invoice(supplierId=meyer), status=422)
    assert complaint(error) == ("supplierId", "not_needed")
    assert complaint(refused(acme, supplierId=globex)) == ("supplierId", "wrong_kind")
    body = new_bill()
    del body["supplier"]
    assert complaint(acme.refused("POST", "/finance/invoices", body, status=422)) == ("supplierId", "exactly_one")


def test_what_only_a_bill_has_is_refused_on_an_invoice(acme):
    lines = [line(deductibleTaxPercent="50", deductibleCostPercent="70", nonDeductibleAccountId="6900")]
    body = new_invoice(*lines, supplierNumber="1", printedTax=[])
    error = acme.refused("POST", "/finance/invoices", body, status=422)
    assert complaints(error) == {
        "supplierNumber": "not_needed",
        "printedTax": "not_needed",
        "lines[0].deductibleTaxPercent": "not_needed",
        "lines[0].deductibleCostPercent": "not_needed",
        "lines[0].nonDeductibleAccountId": "not_needed",
    }


def test_a_line_goes_to_the_expense_account_of_its_tax_rate_or_to_cost_of_sales(acme):
    rent = tax_rate(acme, "19", expenseAccountId="6100")["id"]
    made = bill(acme, line("100.00", taxRateId=rent), line("10.00"), line("1.00", accountId="6200"))
    assert posted(acme, made["journalEntryId"]) == {"1300": 1_900, "2000": -13_000, "5000": 1_000, "6100": 10_000} | {
        "6200": 100
    }


def test_a_bill_is_entered_with_the_prices_that_it_shows(acme, standard):
    """119.00 with 19 % in it is 100.00 and 19.00."""
    made = bill(acme, line("119.00", taxRateId=standard), pricesIncludeTax=True)
    assert (made["netTotal"], made["taxTotal"], made["total"]) == ("100.00", "19.00", "119.00")
    assert posted(acme, made["journalEntryId"]) == {"1406": 1_900, "2000": -11_900, "5000": 10_000}


def test_cash_rounding_is_for_what_we_sell(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"cashRounding": "0.05"})
    assert bill(acme, "10.02")["total"] == "10.02"
    assert bill(acme, "10.02", roundingAmount="-0.02")["total"] == "10.00"
    assert invoice(acme, "10.02")["total"] == "10.00"


def test_a_foreign_bill_is_posted_at_its_rate(acme, meyer):
    made = bill(acme, "1000.00", supplierId=meyer, currency="USD", exchangeRate="0.92")
    assert posted(acme, made["journalEntryId"]) == {"2000": -92_000, "5000": 92_000}
    payment(acme, "1000.00", direction="made", invoiceId=made["id"], exchangeRate="0.95")
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    assert balances(acme) == {"1010": -95_000, "6910": 3_000, "5000": 92_000}


def test_payments_made_settle_a_bill(acme, b1, meyer):
    error = acme.refused("POST", "/finance/payments", {"invoiceId": b1["number"], "amount": "1.00"}, status=422)
    assert complaint(error) == ("invoiceId", "wrong_direction")
    payment(acme, "72.50", direction="made", invoiceId=b1["number"])
    assert status_and_due(acme, b1["id"]) == ("partially_paid", "100.00")
    payment(acme, "100.00", direction="made", invoiceId=b1["id"])
    assert status_and_due(acme, b1["id"]) == ("paid", "0.00")
    assert owed_by(acme, meyer) == 0


def test_a_bill_in_draft_is_changed_issued_and_void_like_an_invoice(acme, meyer):
    draft = bill(acme, "10.00", supplierId=meyer, supplierNumber="7", draft=True)
    path = f"/finance/invoices/{draft['id']}"
    assert (draft["status"], draft["number"]) == ("draft", None)
    changed = acme.ok("PATCH", path, {"supplierNumber": "8", "lines": [line("20.00")]})
    assert (changed["supplierNumber"], changed["total"]) == ("8", "20.00")
    assert acme.ok("POST", f"{path}/issue", {})["number"] == "BILL-2026-00001"
    assert acme.ok("PATCH", path, {"reference": "Order 3"})["reference"] == "Order 3"
    acme.refused("PATCH", path, {"supplierNumber": "9"}, status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/void", {})["status"] == "void"
    assert balances(acme) == {}


def test_a_draft_becomes_a_bill_when_it_gets_a_supplier(acme, meyer):
    draft = invoice(acme, "10.00", draft=True)
    path = f"/finance/invoices/{draft['id']}"
    error = acme.refused("PATCH", path, {"kind": "purchase_invoice"}, status=422)
    assert complaints(error) == {"customerId": "not_needed", "supplierId": "exactly_one"}
    made = acme.ok("PATCH", path, {"kind": "purchase_invoice", "supplierId": meyer})
    assert (made["kind"], made["supplierId"], made["customerId"]) == ("purchase_invoice", meyer, None)
    assert acme.ok("POST", f"{path}/issue", {})["number"] == "BILL-2026-00001"


def test_a_preview_shows_what_a_bill_comes_to(acme, standard):
    shown = acme.ok("POST", "/finance/invoices/preview", new_bill(line("100.00", taxRateId=standard)))
    assert (shown["taxTotal"], shown["total"]) == ("19.00", "119.00")
    assert balances(acme) == {}


def test_a_duplicate_leaves_out_what_is_on_the_suppliers_paper(acme, standard, meyer):
    made = bill(
        acme,
        line("100.00", taxRateId=standard),
        supplierId=meyer,
        supplierNumber="7",
        printedTax=[{"taxRateId": standard, "amount": "18.99"}],
    )
    copy = acme.ok("POST", f"/finance/invoices/{made['id']}/duplicate", {})
    assert (copy["kind"], copy["supplierId"], copy["supplierNumber"]) == ("purchase_invoice", meyer, None)
    assert (made["total"], copy["total"]) == ("118.99", "119.00")


def test_a_bill_below_zero_is_a_credit_note(acme):
    error = refused(acme, "-1.00", code="negative_total")
    assert "purchase_credit_note" in error["message"]


def test_lists_tell_bills_from_invoices(acme, b1, meyer):
    sold = invoice(acme, "1.00")
    ids = lambda params: [each["id"] for each in acme.ok("GET", "/finance/invoices", params=params)]  # noqa: E731
    assert ids({"kind": "purchase_invoice"}) == [b1["id"]]
    assert ids({"supplierId": meyer}) == [b1["id"]]
    assert ids({"kind": "sales_invoice"}) == [sold["id"]]
    assert ids({"q": "4711"}) == [b1["id"]]
    assert ids({"sort": "supplierName"}) == [sold["id"], b1["id"]]
    (shown,) = acme.ok("GET", "/finance/invoices", params={"kind": "purchase_invoice"})
    assert {name: b1[name] for name in shown} == shown


def test_a_supplier_is_owed_and_its_bill_is_overdue_from_the_day_after(acme, b1, meyer, clock_at):
    path = f"/finance/contacts/{meyer}"
    assert acme.ok("GET", path)["balance"] == "-172.50"
    clock_at("2026-02-28T09:00:00Z")
    shown = acme.ok("GET", f"/finance/invoices/{b1['id']}")
    assert (shown["isOverdue"], shown["daysOverdue"]) == (True, 21)
    assert acme.ok("GET", path)["overdue"] == "0.00"
    acme.refused("PATCH", path, {"kind": "customer"}, status=409, code="open_items")


def test_the_statement_shows_bills_by_the_number_of_the_supplier(acme, b1, meyer):
    payment(acme, "72.50", direction="made", invoiceId=b1["id"], date="2026-01-20")
    (block,) = acme.ok("GET", f"/finance/contacts/{meyer}/statement")["blocks"]
    rows = [(each["number"], each["reference"], each["debit"], each["credit"]) for each in block["lines"]]
    assert rows == [("BILL-2026-00001", "M-4711", "0.00", "172.50"), ("PAY-2026-00001", None, "72.50", "0.00")]
    assert (block["opening"], block["closing"]) == ("0.00", "-100.00")


def test_a_locked_period_takes_no_bill(acme):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31"})
    refused(acme, issueDate="2025-12-31", status=409, code="period_locked")


def test_the_same_number_of_a_supplier_in_a_year_is_refused_with_the_other_bill(acme, b1, meyer):
    again = {"supplierId": meyer, "supplierNumber": "m-4711", "issueDate": "2026-01-20"}
    error = refused(acme, **again, status=409, code="supplier_number_taken")
    assert "BILL-2026-00001" in error["message"]
    assert b1["id"] in error["message"]
    assert error["remedy"]["path"] == f"/api/v1/finance/invoices/{b1['id']}"
    assert complaint(error) == ("supplierNumber", "supplier_number_taken")
    draft = bill(acme, supplierId=meyer, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    acme.refused("PATCH", path, {"supplierNumber": "M-4711"}, status=409, code="supplier_number_taken")
    forced = acme.ok("PATCH", path, {"supplierNumber": "M-4711", "force": True})
    assert forced["supplierNumber"] == "M-4711"
    assert acme.ok("POST", f"{path}/issue", {})["number"] == "BILL-2026-00002"
    assert bill(acme, **again, force=True)["number"] == "BILL-2026-00003"


def test_another_supplier_another_year_a_void_bill_and_a_credit_note_leave_a_number_free(acme, b1, meyer):
    bill(acme, supplierId=supplier(acme, "Elbe")["id"], supplierNumber="M-4711")
    bill(acme, supplierId=meyer, supplierNumber="M-4711", issueDate="2025-12-31")
    bill(acme, supplierId=meyer, supplierNumber="M-4711", kind="purchase_credit_note")
    acme.ok("POST", f"/finance/invoices/{b1['id']}/void", {})
    bill(acme, supplierId=meyer, supplierNumber="M-4711")


def test_of_many_who_enter_one_bill_one_passes(acme, meyer):
    body = new_bill("10.00", supplierId=meyer, supplierNumber="7")
    _, statuses = all_at_once(acme, [("/finance/invoices", body)] * 16)
    assert statuses == {201: 1, 409: 15}
    assert owed_by(acme, meyer) == -1_000


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


@pytest.fixture
def reverse(acme):
    """§ 13b at 19 %: deducted on 1407, owed on 3837."""
    deducted = account(acme, "1407", "Vorsteuer § 13b", type="asset", subtype="current_asset")
    owed = account(acme, "3837", "Umsatzsteuer § 13b", type="liability", subtype="tax")
    return tax_rate(acme, "19", category="AE", inputTaxAccountId=deducted, outputTaxAccountId=owed)["id"]


@pytest.fixture
def b2(acme, reverse):
    """The worked month: 240.00 of Cloud Ireland, § 13b."""
    services = account(acme, "5923", "Leistungen § 13b")
    return bill(
        acme,
        line("240.00", taxRateId=reverse, accountId=services),
        supplier={"name": "Cloud Ireland", "vatId": "IE1234567T"},
        issueDate="2026-01-12",
        dueDate="2026-02-11",
    )


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
    error = acme.refused("POST", "/finance/invoices", new_invoice(line(taxRateId=reverse)), status=422)
    assert "not_zero" in {detail["code"] for detail in error["details"]}


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


def test_the_check_finds_bills_in_order(acme, b1, b2, standard, meyer):
    lunch = line("100.00", taxRateId=standard, deductibleCostPercent="70", nonDeductibleAccountId="6900")
    printed = [{"taxRateId": standard, "amount": "18.98"}]
    bill(acme, lunch, supplierId=meyer, printedTax=printed, currency="USD", exchangeRate="0.913")
    acme.ok("POST", f"/finance/invoices/{bill(acme, '5.00')['id']}/void", {})
    payment(acme, "172.50", direction="made", invoiceId=b1["id"])
    assert problems(acme) == []


def test_a_bill_is_credited_in_whole(acme, b1, meyer):
    note = credit(acme, b1, supplierNumber="GS-1", reason="Returned")
    assert (note["kind"], note["number"], note["status"]) == ("purchase_credit_note", "BCN-2026-00001", "paid")
    assert (note["supplierId"], note["supplierNumber"], note["creditedInvoiceId"]) == (meyer, "GS-1", b1["id"])
    assert (note["total"], note["taxTotal"]) == ("172.50", "22.50")
    assert status_and_due(acme, b1["id"]) == ("credited", "0.00")
    assert balances(acme) == {}
    entry = acme.ok("GET", f"/finance/journals/{note['journalEntryId']}")
    assert entry["description"] == "Supplier's credit note BCN-2026-00001, Meyer"
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


@pytest.fixture
def with_approval(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})


def test_a_bill_needs_no_approval_unless_the_workspace_asks_for_it(acme):
    made = bill(acme)
    assert (made["approval"], made["approvedAt"], made["approvedByUserId"]) == ("not_needed", None, None)
    path = f"/finance/invoices/{made['id']}/approve"
    error = acme.refused("POST", path, status=409, code="invalid_transition")
    assert error["message"] == "BILL-2026-00001 needs no approval."


def test_a_bill_is_entered_then_approved(acme, with_approval):
    draft = bill(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    acme.refused("POST", f"{path}/approve", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/issue", {})["approval"] == "pending"
    shown = acme.ok("POST", f"{path}/approve")
    assert (shown["approval"], shown["status"]) == ("approved", "issued")
    assert (shown["approvedAt"], shown["approvedByUserId"]) == (f"{TODAY}T09:00:00.000Z", acme.user["id"])
    assert last_event(acme)[0] == "invoice.approved"
    acme.refused("POST", f"{path}/approve", status=409, code="invalid_transition")
    assert "approve" not in shown["can"]
    assert [each["id"] for each in acme.ok("GET", "/finance/invoices", params={"approval": "approved"})] == [
        draft["id"]
    ]
    assert problems(acme) == []


def test_invoices_and_credit_notes_and_void_bills_are_not_approved(acme, with_approval):
    assert invoice(acme, "1.00")["approval"] == "not_needed"
    made = bill(acme)
    assert credit(acme, made)["approval"] == "not_needed"
    gone = bill(acme)["id"]
    acme.ok("POST", f"/finance/invoices/{gone}/void", {})
    error = acme.refused("POST", f"/finance/invoices/{gone}/approve", status=409)
    assert "is void" in error["message"]


def test_an_accountant_enters_bills_and_does_not_approve_them(acme, with_approval):
    accountant = acme.colleague("accountant")
    made = bill(accountant)
    can = [office.ok("GET", f"/finance/invoices/{made['id']}")["can"] for office in (acme, accountant)]
    assert ["approve" in each for each in can] == [True, False]
    error = accountant.refused("POST", f"/finance/invoices/{made['id']}/approve", status=403, code="forbidden")
    assert "approve bills" in error["message"]


def test_of_many_who_approve_a_bill_one_does(acme, with_approval):
    path = f"/finance/invoices/{bill(acme)['id']}/approve"
    _, statuses = all_at_once(acme, [(path, {})] * 16)
    assert statuses == {200: 1, 409: 15}


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


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def test_the_bills_of_the_worked_month(acme, b1, b2, standard, meyer):
    """B1 to B4: input tax 589.00 + 3.50 + 45.60 = 638.10, of which 45.60 is owed too; 412.50 is left to pay."""
    equipment = account(acme, "0690", "Laptop", type="asset", subtype="fixed_asset")
    for name, code, day in (("Technik GmbH", equipment, "2026-01-14"), ("Elbe Immobilien", "6100", "2026-01-15")):
        lines = [line("1500.00", taxRateId=standard, accountId=code)]
        made = bill(acme, *lines, supplier={"name": name}, issueDate=day, dueDate=day)
        payment(acme, "1785.00", direction="made", invoiceId=made["id"], date=day)
    assert balances(acme) == {
        "0690": 150_000,
        "1010": -357_000,
        "1401": 350,
        "1406": 58_900,
        "1407": 4_560,
        "2000": -41_250,
        "3837": -4_560,
        "5923": 24_000,
        "6100": 150_000,
        "6815": 10_000,
        "6820": 5_000,
    }
    assert (owed_by(acme, meyer), owed_by(acme, b2["supplierId"])) == (-17_250, -24_000)
    due = acme.ok("GET", "/finance/bills/due", params={"dueThrough": "2026-02-28"})
    assert [each["amountDue"] for each in due] == ["172.50", "240.00"]
