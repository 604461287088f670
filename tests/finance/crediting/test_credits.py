"""Credit notes made from an invoice mirror it to the cent: its lines, rates, discounts and accounts."""

from decimal import Decimal

from erp.store.router import WORKSPACE
from tests.events import events_of, last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.crediting.credits import TODAY, of_line, refused, taxes
from tests.finance.documents.invoices import credit, invoice, line, status_and_due
from tests.finance.journals.journals import posted
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint


def test_a_credit_note_lowers_what_is_due(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"vatId": "DE123456788"})
    wien = customer(acme, "Wien", vatId="ATU12345675")["id"]
    rate = tax_rate(acme, "0", category="AE", exemptionReason="Reverse charge")["id"]
    r2 = invoice(acme, line("3000.00", taxRateId=rate), customerId=wien, issueDate="2026-01-20", reference="PO 7")
    g1 = credit(acme, r2, of_line(r2, 0, amount="300.00"), reason="Two hours fewer")
    assert (g1["kind"], g1["number"], g1["issueDate"]) == ("sales_credit_note", "CN-2026-00001", TODAY)
    assert (g1["total"], g1["taxTotal"], g1["status"], g1["amountDue"]) == ("300.00", "0.00", "paid", "0.00")
    assert (g1["reference"], g1["note"], g1["creditedInvoiceId"]) == ("PO 7", "Two hours fewer", r2["id"])
    assert status_and_due(acme, r2["id"]) == ("partially_paid", "2700.00")
    shown = acme.ok("GET", f"/finance/invoices/{r2['id']}")
    assert (shown["creditNoteIds"], shown["amountCredited"]) == ([g1["id"]], "300.00")
    assert balances(acme) == {"1100": 270_000, "4000": -270_000}
    assert problems(acme) == []


def test_parts_of_two_rates_are_credited_with_their_tax(acme, r1):
    note = credit(acme, r1, of_line(r1, 0, amount="100.00"), of_line(r1, 1, amount="40.00"))
    assert (note["netTotal"], note["taxTotal"], note["total"]) == ("140.00", "21.80", "161.80")
    assert taxes(note) == {("19", "100.00", "19.00"), ("7", "40.00", "2.80")}
    assert posted(acme, note["journalEntryId"]) == {"1100": -16_180, "2200": 2_180, "4000": 14_000}
    error = refused(acme, r1, of_line(r1, 1, amount="201.00"))
    assert complaint(error) == ("lines[0].amount", "too_large")
    assert error["details"][0]["message"] == "Remaining to correct on line 2, Consulting: 160.00 EUR."
    assert status_and_due(acme, r1["id"]) == ("partially_paid", "1242.20")


def test_a_whole_invoice_is_credited_to_the_cent_with_all_that_it_has(acme, standard, reduced, zero):
    details = {"unit": "hour", "priceBaseQuantity": "2", "discount": {"percent": "5"}, "charge": "1.10"}
    made = invoice(
        acme,
        line("9.999999", "3.5", taxRateId=zero, **details),
        line("33.33", "3", taxRateId=standard),
        line("12.345", "7", taxRateId=reduced, accountId="4100"),
        discount={"percent": "3"},
        allowances=[{"description": "Loyalty", "percent": "10", "taxRateId": standard}],
        charges=[{"description": "Freight", "amount": "4.05", "taxRateId": reduced}],
        roundingAmount="0.03",
    )
    note = credit(acme, made)
    same = "subtotal discountTotal chargeTotal netTotal taxTotal roundingAmount total taxBreakdown discount"
    assert {name: note[name] for name in same.split()} == {name: made[name] for name in same.split()}
    assert note["allowances"] == made["allowances"]
    assert note["charges"] == made["charges"]
    assert [each["creditedLineId"] for each in note["lines"]] == [each["id"] for each in made["lines"]]
    for ours, theirs in zip(note["lines"], made["lines"], strict=True):
        taken_over = {"id": "", "creditedLineId": "", "accountBecause": "line"}
        assert {**ours, "id": "", "creditedLineId": ""} == {**theirs, **taken_over}
    assert balances(acme) == {}
    assert status_and_due(acme, made["id"]) == ("credited", "0.00")
    assert problems(acme) == []


def test_what_is_left_of_an_invoice_is_credited_when_no_lines_are_named(acme, r1):
    credit(acme, r1, of_line(r1, 0, amount="100.00"), of_line(r1, 1, amount="200.00"))
    rest = credit(acme, r1)
    assert taxes(rest) == {("19", "900.00", "171.00")}
    assert [(each["quantity"], each["unitPrice"], each["discount"]["amount"]) for each in rest["lines"]] == [
        ("1", "1000.00", "100.00")
    ]
    assert status_and_due(acme, r1["id"]) == ("credited", "0.00")
    error = refused(acme, r1, status=409, code="invalid_transition")
    assert error["message"] == f"{r1['number']} is already fully credited."


def test_a_part_of_the_quantity_is_credited_at_the_price_of_the_line(acme, standard):
    made = invoice(
        acme, line("80.00", "10", unit="hour", taxRateId=standard, discount={"percent": "10"}), reference="A 1"
    )
    note = credit(acme, made, of_line(made, 0, quantity="2.5"), reference="B 2")
    (credited,) = note["lines"]
    assert (credited["quantity"], credited["unit"], credited["unitPrice"]) == ("2.5", "hour", "80.00")
    assert (credited["discount"]["percent"], credited["net"], credited["tax"]) == ("10", "180.00", "34.20")
    assert note["reference"] == "B 2"
    error = refused(acme, made, of_line(made, 0, quantity="7.6"))
    assert complaint(error) == ("lines[0].quantity", "too_large")
    assert error["details"][0]["message"] == "Remaining to correct on line 1, Consulting: 7.5 hour."
    credit(acme, made, of_line(made, 0, quantity="7.5"))
    assert complaint(refused(acme, made, of_line(made, 0, quantity="1"))) == ("lines[0].quantity", "too_large")


def test_the_price_is_lowered_first_and_the_goods_come_back_later(acme):
    made = invoice(acme, line("10.00", "10"))
    credit(acme, made, of_line(made, 0, amount="10.00"))
    half = credit(acme, made, of_line(made, 0, quantity="5"))
    assert (half["lines"][0]["discount"]["amount"], half["total"]) == ("5.00", "45.00")
    assert credit(acme, made)["total"] == "45.00"


def test_thirds_of_a_line_come_to_the_line(acme):
    made = invoice(acme, line("33.333333", "3"))
    totals = [credit(acme, made, of_line(made, 0, quantity="1"))["total"] for _ in range(3)]
    assert sorted(totals) == ["33.33", "33.33", "33.34"]
    assert balances(acme) == {}


def test_an_amount_holds_the_tax_where_prices_include_it(acme, standard):
    made = invoice(acme, line("119.00", taxRateId=standard), pricesIncludeTax=True)
    note = credit(acme, made, of_line(made, 0, amount="11.90"))
    assert (note["netTotal"], note["taxTotal"], note["total"]) == ("10.00", "1.90", "11.90")
    assert complaint(refused(acme, made, of_line(made, 0, amount="107.11"))) == ("lines[0].amount", "too_large")
    assert credit(acme, made)["total"] == "107.10"


def test_the_last_credit_of_a_rate_takes_its_remaining_tax(acme, standard):
    made = invoice(acme, line("1.00", taxRateId=standard))
    parts = [credit(acme, made, of_line(made, 0, amount="0.02"))["taxTotal"] for _ in range(3)]
    assert parts == ["0.00", "0.00", "0.00"]
    assert credit(acme, made, of_line(made, 0, amount="0.94"))["taxTotal"] == "0.19"


def test_discount_allowance_and_charge_are_credited_with_the_lines_of_their_rate(acme, standard, reduced, zero):
    made = invoice(
        acme,
        line("100.00", taxRateId=standard),
        line("100.00", taxRateId=reduced),
        discount={"amount": "20.00"},
        allowances=[{"amount": "9.00", "taxRateId": standard}],
        charges=[{"amount": "5.00", "taxRateId": zero}],
    )
    note = credit(acme, made, of_line(made, 0, amount="50.00"))
    assert (note["subtotal"], note["discount"]["amount"]) == ("50.00", "5.00")
    assert ([each["amount"] for each in note["allowances"]], note["charges"]) == (["4.50"], [])
    assert taxes(note) == {("19", "40.50", "7.70")}
    rest = credit(acme, made)
    assert ([each["amount"] for each in rest["allowances"]], rest["chargeTotal"]) == (["4.50"], "5.00")
    assert balances(acme) == {}


def test_an_invoice_with_money_in_it_is_paid_and_the_rest_is_credit(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "70.00", invoiceId=made["id"])
    note = credit(acme, made)
    assert (note["status"], note["amountCredited"], note["amountDue"]) == ("partially_paid", "30.00", "70.00")
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    assert acme.ok("GET", f"/finance/contacts/{made['customerId']}")["unallocatedCredit"] == "70.00"
    assert owed_by(acme, made["customerId"]) == -7_000
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert status_and_due(acme, made["id"]) == ("partially_paid", "70.00")
    assert problems(acme) == []


def test_the_credit_of_a_paid_invoice_is_the_customers(acme):
    made = invoice(acme, "100.00")
    payment(acme, "100.00", invoiceId=made["id"])
    version = acme.ok("GET", f"/finance/invoices/{made['id']}")["version"]
    note = credit(acme, made, of_line(made, 0, amount="25.00"))
    assert (note["status"], note["amountDue"]) == ("issued", "25.00")
    shown = acme.ok("GET", f"/finance/invoices/{made['id']}")
    assert (shown["status"], shown["creditNoteIds"], shown["version"]) == ("paid", [note["id"]], version + 1)
    refund = payment(acme, "25.00", direction="made", invoiceId=note["id"])
    assert refund["unallocatedAmount"] == "0.00"
    assert owed_by(acme, made["customerId"]) == 0


def test_credited_invoices_are_found_by_their_status(acme):
    made = invoice(acme, "100.00", issueDate="2026-01-02", dueDate="2026-01-10")
    credit(acme, made)
    for status, count in (("credited", 1), ("paid", 0), ("paid,credited", 1)):
        params = {"status": status, "kind": "sales_invoice"}
        assert len(acme.ok("GET", "/finance/invoices", params=params)) == count
    assert acme.ok("GET", "/finance/invoices", params={"isOverdue": "true"}) == []


def test_a_credit_note_of_next_week_settles_the_invoice_on_its_day(acme, clock_at):
    made = invoice(acme, "100.00", issueDate="2026-01-02", dueDate="2026-01-10")
    note = credit(acme, made, date="2026-01-30")
    assert (note["issueDate"], note["status"], note["amountDue"]) == ("2026-01-30", "issued", "100.00")
    assert status_and_due(acme, made["id"]) == ("issued", "100.00")
    assert [each["id"] for each in acme.ok("GET", "/finance/invoices", params={"isOverdue": "true"})] == [made["id"]]
    assert acme.ok("GET", f"/finance/contacts/{made['customerId']}")["overdue"] == "100.00"
    clock_at("2026-01-30T09:00:00Z")
    assert status_and_due(acme, made["id"]) == ("credited", "0.00")
    assert acme.ok("GET", f"/finance/contacts/{made['customerId']}")["overdue"] == "0.00"


def test_a_foreign_invoice_is_credited_at_its_own_rate_without_a_difference(acme, standard, reduced, zero):
    lines = [line(price, taxRateId=rate) for price, rate in (("10.01", standard), ("20.02", reduced), ("0.35", zero))]
    made = invoice(acme, *lines, currency="CHF", exchangeRate="0.333333")
    for place, amount in ((0, "10.01"), (1, "3.33"), (1, "6.66")):
        note = credit(acme, made, of_line(made, place, amount=amount))
        assert (note["currency"], note["exchangeRate"]) == ("CHF", "0.333333")
    credit(acme, made)
    assert balances(acme) == {}
    with acme.books():
        assert WORKSPACE.rows("SELECT count(*) FROM journal_entry WHERE kind = 'exchange_difference'") == [(0,)]
    assert problems(acme) == []


def test_a_credit_goes_to_the_accounts_of_the_invoice_even_if_new_ones_go_elsewhere(acme):
    other = {"type": "liability", "subtype": "tax"}
    old = acme.ok("POST", "/finance/accounts", {"code": "2210", "name": "Old tax", **other})
    new = acme.ok("POST", "/finance/accounts", {"code": "2220", "name": "New tax", **other})
    rate = tax_rate(acme, "20", outputTaxAccountId=old["id"])["id"]
    project = acme.ok("POST", "/projects", {"name": "Site"})["id"]
    made = invoice(acme, line(taxRateId=rate, accountId="4100"), projectId=project)
    receivable = {"code": "1110", "name": "Other receivables", "type": "asset", "subtype": "receivable"}
    moved = acme.ok("POST", "/finance/accounts", receivable)["id"]
    acme.ok("PATCH", f"/finance/tax-rates/{rate}", {"outputTaxAccountId": new["id"]})
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"defaultAccounts": {"receivable": moved}})
    note = credit(acme, made, of_line(made, 0, amount="50.00"))
    assert posted(acme, note["journalEntryId"]) == {"1100": -6_000, "2210": 1_000, "4100": 5_000}
    assert note["projectId"] == project
    acme.ok("POST", f"/finance/tax-rates/{rate}/archive")
    credit(acme, made)
    assert balances(acme) == {}
    with acme.books():
        sums = "SELECT sum(amount) FROM posting WHERE project_id IS NOT NULL"
        assert WORKSPACE.rows(sums) == [(0,)]


def test_a_voided_credit_note_gives_its_lines_back(acme, r1):
    first = credit(acme, r1, of_line(r1, 1, amount="150.00"))
    assert complaint(refused(acme, r1, of_line(r1, 1, amount="60.00"))) == ("lines[0].amount", "too_large")
    voided = acme.ok("POST", f"/finance/invoices/{first['id']}/void", {"reason": "Wrong line"})
    assert (voided["status"], voided["amountCredited"]) == ("void", "0.00")
    assert status_and_due(acme, r1["id"]) == ("issued", r1["total"])
    credit(acme, r1, of_line(r1, 1, amount="200.00"))
    credit(acme, r1)
    assert balances(acme) == {}
    assert problems(acme) == []


def test_an_earlier_credit_note_is_voided_and_its_part_credited_again(acme, r1):
    first = credit(acme, r1, of_line(r1, 0, amount="333.33"))
    last = credit(acme, r1)
    acme.ok("POST", f"/finance/invoices/{first['id']}/void", {})
    error = refused(acme, r1, of_line(r1, 0, quantity="1"))
    assert error["details"][0]["message"].startswith("Enter an amount instead")
    again = credit(acme, r1)
    assert (again["netTotal"], again["taxTotal"]) == (first["netTotal"], first["taxTotal"])
    assert Decimal(again["total"]) + Decimal(last["total"]) == Decimal(r1["total"])
    assert balances(acme) == {}


def test_an_invoice_that_was_rounded_down_is_not_credited_for_more(acme):
    made = invoice(acme, "10.02", roundingAmount="-0.02")
    assert credit(acme, made, of_line(made, 0, amount="10.01"))["total"] == "10.00"
    assert credit(acme, made)["total"] == "0.00"
    assert balances(acme) == {}
    assert problems(acme) == []


def test_a_free_sample_comes_back(acme):
    made = invoice(acme, line("5.00"), line("0.00", "2"))
    assert credit(acme, made, of_line(made, 1, quantity="1"))["total"] == "0.00"
    error = refused(acme, made, of_line(made, 1, amount="1.00"))
    assert error["details"][0]["message"].startswith("Enter a quantity instead")
    assert [each["quantity"] for each in credit(acme, made)["lines"]] == ["1", "1"]
    refused(acme, made, status=409, code="invalid_transition")


def test_the_log_says_what_was_credited(acme, r1):
    note = credit(acme, r1)
    assert events_of(acme, note["id"]) == ["invoice.issued"]
    kind, data = last_event(acme)
    assert (kind, data["creditedInvoiceId"], data["allocatedAmount"]) == ("invoice.issued", r1["id"], "1404.00")
    assert [each["id"] for each in data["entries"]] == [note["journalEntryId"]]


def test_a_credit_note_dated_before_a_payment_was_released_settles_the_invoice_from_that_day(acme, r1):
    """Until then the payment settled it, so that on no day more than all of it is used up."""
    paid = payment(acme, "1404.00", invoiceId=r1["id"], date="2026-01-06")
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    acme.ok("POST", path, {"date": "2026-01-20"})
    note = credit(acme, r1, date="2026-01-10")
    assert (note["issueDate"], note["status"]) == ("2026-01-10", "paid")
    assert status_and_due(acme, r1["id"]) == ("credited", "0.00")
    numbers = {note["number"]: "-1404.00"}
    for day, expected in (("2026-01-19", numbers), ("2026-01-20", {paid["number"]: "-1404.00"})):
        shown = acme.ok("GET", "/finance/open-items", params={"asOf": day})
        assert {item["number"]: item["open"] for item in shown} == expected
    assert problems(acme) == []
