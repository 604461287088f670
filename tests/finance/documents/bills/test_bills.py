"""Bills: what suppliers charge, with their own number and tax."""

from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.bills.bills import account, refused
from tests.finance.documents.invoices import bill, invoice, line, new_bill, new_invoice, status_and_due
from tests.finance.journals.journals import posted, postings
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint, complaints


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
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "Closed"})
    refused(acme, issueDate="2025-12-31", status=409, code="period_locked")


def test_the_same_number_of_a_supplier_in_a_year_is_refused_with_the_other_bill(acme, b1, meyer):
    again = {"supplierId": meyer, "supplierNumber": "m-4711", "issueDate": "2026-01-20"}
    error = refused(acme, **again, status=409, code="supplier_number_taken")
    assert error["message"] == (
        "m-4711 of Meyer in 2026 already exists as BILL-2026-00001. Check the number, or confirm it."
    )
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


def test_the_check_finds_bills_in_order(acme, b1, b2, standard, meyer):
    lunch = line("100.00", taxRateId=standard, deductibleCostPercent="70", nonDeductibleAccountId="6900")
    printed = [{"taxRateId": standard, "amount": "18.98"}]
    bill(acme, lunch, supplierId=meyer, printedTax=printed, currency="USD", exchangeRate="0.913")
    acme.ok("POST", f"/finance/invoices/{bill(acme, '5.00')['id']}/void", {})
    payment(acme, "172.50", direction="made", invoiceId=b1["id"])
    assert problems(acme) == []


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
