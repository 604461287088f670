"""Deposit invoices owe their tax when they are paid, and final invoices deduct what was received of them."""

from typing import Any

import pytest

from erp.store import recorded
from erp.store.router import WORKSPACE
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice, status_and_due
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-04-10T09:00:00Z")


@pytest.fixture
def standard(acme):
    return tax_rate(acme, "19")["id"]


@pytest.fixture
def alster(acme):
    return customer(acme, "Alster")["id"]


def deposit(office, customer_id, rate, price="6000.00", **fields):
    """A deposit invoice over a price at a tax rate, issued on 28 January."""
    dated = {"issueDate": "2026-01-28", **fields}
    return invoice(office, line(price, taxRateId=rate), kind="deposit_invoice", customerId=customer_id, **dated)


def new_final(customer_id, rate, *deposits, price="20000.00", **fields):
    """The body of a final invoice of 15 March that deducts some deposits."""
    ids = [each["id"] for each in deposits]
    dated = {"issueDate": "2026-03-15", **fields}
    return new_invoice(
        line(price, taxRateId=rate), kind="final_invoice", customerId=customer_id, depositIds=ids, **dated
    )


def final(office, *arguments, **fields):
    shown: dict[str, Any] = office.ok("POST", "/finance/invoices", new_final(*arguments, **fields))
    return shown


def read(office, document):
    return office.ok("GET", f"/finance/invoices/{document['id']}")


def complaints(office, body):
    """The codes of what is wrong with a refused invoice, by field."""
    error = office.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
    return {detail["field"]: detail["code"] for detail in error["details"]}


def entries(office, kind):
    """The days of the entries of a kind."""
    with office.books():
        return [day for (day,) in WORKSPACE.rows("SELECT date FROM journal_entry WHERE kind = ? ORDER BY id", (kind,))]


def test_a_deposit_is_asked_for_received_and_deducted(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    assert (asked["total"], asked["amountDue"], asked["number"]) == ("7140.00", "7140.00", "INV-2026-00001")
    assert balances(acme) == {"1100": 714_000, "1450": -714_000}
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    assert balances(acme) == {"1010": 714_000, "2200": -114_000, "2400": -600_000}
    assert entries(acme, "deposit_received") == ["2026-02-03"]
    whole = final(acme, alster, standard, asked)
    assert (whole["total"], whole["depositTotal"], whole["amountDue"]) == ("23800.00", "7140.00", "16660.00")
    assert balances(acme) == {"1010": 714_000, "1100": 1_666_000, "2200": -380_000, "4000": -2_000_000}
    payment(acme, "16660.00", invoiceId=whole["id"], date="2026-04-02")
    assert status_and_due(acme, whole["id"]) == ("paid", "0.00")
    assert problems(acme) == []


def test_an_unpaid_deposit_is_closed_by_the_final_invoice(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    whole = final(acme, alster, standard, asked)
    assert (whole["depositTotal"], whole["amountDue"]) == ("0.00", "23800.00")
    assert [(each["number"], each["gross"]) for each in whole["deposits"]] == [(asked["number"], "0.00")]
    assert balances(acme) == {"1100": 2_380_000, "2200": -380_000, "4000": -2_000_000}
    assert (owed_by(acme, alster), status_and_due(acme, asked["id"])) == (2_380_000, ("credited", "0.00"))
    assert read(acme, asked)["finalInvoiceId"] == whole["id"]
    assert problems(acme) == []


def test_a_rest_that_was_not_paid_becomes_part_of_what_the_final_invoice_asks_for(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    payment(acme, "2380.00", invoiceId=asked["id"], date="2026-02-03")
    assert balances(acme) == {"1010": 238_000, "1100": 476_000, "1450": -476_000, "2200": -38_000, "2400": -200_000}
    whole = final(acme, alster, standard, asked)
    assert (whole["depositTotal"], whole["amountDue"]) == ("2380.00", "21420.00")
    (deducted,) = whole["deposits"]
    assert (deducted["net"], deducted["tax"], deducted["gross"]) == ("2000.00", "380.00", "2380.00")
    assert balances(acme) == {"1010": 238_000, "1100": 2_142_000, "2200": -380_000, "4000": -2_000_000}
    shown = read(acme, asked)
    assert (shown["status"], shown["amountPaid"], shown["amountCredited"]) == ("paid", "2380.00", "4760.00")
    assert problems(acme) == []


def test_part_payments_owe_their_tax_in_their_months_and_the_last_takes_the_rest(acme, alster, standard):
    asked = deposit(acme, alster, standard, "100.00")  # 119.00: thirds of 39.67, 39.67 and 39.66
    for day, amount in (("2026-02-03", "39.67"), ("2026-03-03", "39.67"), ("2026-04-03", "39.66")):
        payment(acme, amount, invoiceId=asked["id"], date=day)
    with acme.books():
        taxes = WORKSPACE.rows("SELECT tax FROM deposit_receipt ORDER BY id")
    assert [tax for (tax,) in taxes] == [633, 633, 634]  # 39.67 × 19 ÷ 119 = 6.33; 19.00 − 12.66
    assert entries(acme, "deposit_received") == ["2026-02-03", "2026-03-03", "2026-04-03"]
    assert balances(acme) == {"1010": 11_900, "2200": -1_900, "2400": -10_000}


def test_a_part_payment_is_split_over_the_rates_by_gross(acme, alster, standard):
    reduced = tax_rate(acme, "7")["id"]
    lines = line("1000.00", taxRateId=standard), line("200.00", taxRateId=reduced)  # 1,190.00 + 214.00
    asked = invoice(acme, *lines, kind="deposit_invoice", customerId=alster, issueDate="2026-01-28")
    payment(acme, "702.00", invoiceId=asked["id"], date="2026-02-03")  # 595.00 + 107.00
    assert balances(acme) == {"1010": 70_200, "1100": 70_200, "1450": -70_200, "2200": -10_200, "2400": -60_000}
    body = new_final(alster, standard, asked)
    body["lines"].append(line("300.00", taxRateId=reduced))
    whole = acme.ok("POST", "/finance/invoices", body)
    (deducted,) = whole["deposits"]
    rates = {(each["rate"], each["net"], each["tax"]) for each in deducted["taxBreakdown"]}
    assert rates == {("19", "500.00", "95.00"), ("7", "100.00", "7.00")}
    assert (whole["total"], whole["amountDue"]) == ("24121.00", "23419.00")
    assert balances(acme) == {"1010": 70_200, "1100": 2_341_900, "2200": -382_100, "4000": -2_030_000}
    assert problems(acme) == []


def test_a_later_allocation_is_a_receipt_and_its_release_takes_that_back(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    paid = payment(acme, "7140.00", contactId=alster, date="2026-02-03")
    assert balances(acme) == {"1010": 714_000, "1450": -714_000}
    part = {"invoiceId": asked["id"], "amount": "7140.00"}
    later = {"allocations": [part], "date": "2026-02-10"}
    shown = acme.ok("POST", f"/finance/payments/{paid['id']}/allocations", later)
    assert (balances(acme)["2200"], entries(acme, "deposit_received")) == (-114_000, ["2026-02-10"])
    (made,) = shown["allocations"]
    path = f"/finance/payments/{paid['id']}/allocations/{made['id']}/release"
    acme.ok("POST", path, {"date": "2026-03-01"})
    assert balances(acme) == {"1010": 714_000, "1450": -714_000}
    assert problems(acme) == []


def test_a_void_payment_takes_the_receipt_back(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    paid = payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {"date": "2026-02-20"})
    assert balances(acme) == {"1100": 714_000, "1450": -714_000}
    acme.ok("POST", f"/finance/invoices/{asked['id']}/void", {"date": "2026-02-21"})
    assert (balances(acme), problems(acme)) == ({}, [])


def test_two_deposits_are_deducted_and_a_void_final_invoice_frees_them(acme, alster, standard):
    first, second = (deposit(acme, alster, standard, price) for price in ("6000.00", "1000.00"))
    payment(acme, "7140.00", invoiceId=first["id"], date="2026-02-03")
    before = balances(acme)
    whole = final(acme, alster, standard, first, second)
    assert (whole["depositTotal"], whole["amountDue"]) == ("7140.00", "16660.00")
    assert balances(acme) == {"1010": 714_000, "1100": 1_666_000, "2200": -380_000, "4000": -2_000_000}
    acme.ok("POST", f"/finance/invoices/{whole['id']}/void", {"date": "2026-03-20"})
    assert balances(acme) == before
    assert (status_and_due(acme, second["id"]), read(acme, second)["finalInvoiceId"]) == (("issued", "1190.00"), None)
    assert problems(acme) == []
    again = final(acme, alster, standard, first, second, issueDate="2026-03-21")
    assert (again["amountDue"], problems(acme)) == ("16660.00", [])


def test_a_deposit_for_all_leaves_nothing_to_pay(acme, alster, standard):
    asked = deposit(acme, alster, standard, "20000.00")
    payment(acme, "23800.00", invoiceId=asked["id"], date="2026-02-03")
    whole = final(acme, alster, standard, asked)
    assert (whole["status"], whole["amountDue"]) == ("paid", "0.00")
    assert balances(acme) == {"1010": 2_380_000, "2200": -380_000, "4000": -2_000_000}
    assert problems(acme) == []
    acme.ok("POST", f"/finance/invoices/{whole['id']}/void", {"date": "2026-03-20"})
    assert balances(acme) == {"1010": 2_380_000, "2200": -380_000, "2400": -2_000_000}
    assert problems(acme) == []


def test_a_foreign_deposit_is_income_at_its_own_rate(acme, alster, standard):
    """1,190.00 dollars at 0.92 paid at 0.95; the final invoice of 5,950.00 dollars at 0.90."""
    abroad = {"currency": "USD", "exchangeRate": "0.92"}
    asked = deposit(acme, alster, standard, "1000.00", **abroad)
    payment(acme, "1190.00", invoiceId=asked["id"], exchangeRate="0.95", date="2026-02-03")
    # 1,130.50 in the bank; 920.00 + 174.80 as asked; 35.70 gained
    assert balances(acme) == {"1010": 113_050, "2200": -17_480, "2400": -92_000, "4920": -3_570}
    whole = final(acme, alster, standard, asked, price="5000.00", currency="USD", exchangeRate="0.90")
    assert (whole["depositTotal"], whole["amountDue"]) == ("1190.00", "4760.00")
    # 4,760.00 at 0.90 is owed; tax 174.80 + 760.00 at 0.90; income 920.00 + 4,000.00 at 0.90
    expected = {"1010": 113_050, "1100": 428_400, "2200": -85_880, "4000": -452_000, "4920": -3_570}
    assert balances(acme) == expected
    assert problems(acme) == []


def test_parts_of_a_foreign_deposit_leave_no_cent(acme, alster, standard):
    asked = deposit(acme, alster, standard, "99.99", currency="USD", exchangeRate="0.917")
    for amount in ("33.33", "33.33", "52.33"):
        payment(acme, amount, invoiceId=asked["id"], exchangeRate="0.917", date="2026-02-03")
    assert not {"1100", "1450"} & balances(acme).keys()
    final(acme, alster, standard, asked, price="99.99", currency="USD", exchangeRate="0.917")
    assert not {"1100", "1450", "2400"} & balances(acme).keys()
    assert problems(acme) == []


def test_each_deposit_is_deducted_once(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    twice = new_final(alster, standard, asked, asked)
    assert complaints(acme, twice) == {"depositIds[1]": "repeated"}
    whole = final(acme, alster, standard, asked)
    again = acme.refused("POST", "/finance/invoices", new_final(alster, standard, asked), status=422)
    (detail,) = again["details"]
    assert detail["message"] == f"{whole['number']} already applies {asked['number']}."


def test_only_deposits_of_the_customer_that_stand_are_deducted(acme, alster, standard):
    other = deposit(acme, customer(acme, "Elbe")["id"], standard)
    draft = deposit(acme, alster, standard, draft=True)
    dollars = deposit(acme, alster, standard, currency="USD", exchangeRate="0.92")
    sold = invoice(acme, customerId=alster, issueDate="2026-01-28")
    void = deposit(acme, alster, standard)
    acme.ok("POST", f"/finance/invoices/{void['id']}/void", {"date": "2026-01-30"})
    assert complaints(acme, new_final(alster, standard, other, draft, dollars, sold, void, {"id": "none"})) == {
        "depositIds[0]": "wrong_contact",
        "depositIds[1]": "invoice_draft",
        "depositIds[2]": "wrong_currency",
        "depositIds[3]": "wrong_kind",
        "depositIds[4]": "invoice_void",
        "depositIds[5]": "unknown_reference",
    }
    assert complaints(acme, new_final(alster, standard)) == {"depositIds": "required"}
    sale = new_final(alster, standard, other) | {"kind": "sales_invoice"}
    assert complaints(acme, sale) == {"depositIds": "not_needed"}


def test_deposits_beyond_the_total_point_to_a_credit_note(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    before = balances(acme)
    body = new_final(alster, standard, asked, price="5000.00")
    error = acme.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
    (detail,) = error["details"]
    assert (detail["field"], detail["code"]) == ("depositIds", "more_than_total")
    assert "1,190.00 EUR more than the total of 5,950.00 EUR" in detail["message"]
    assert "create a credit note" in detail["message"]
    assert balances(acme) == before


def test_a_final_invoice_is_not_dated_before_what_it_deducts(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-03-20")
    assert complaints(acme, new_final(alster, standard, asked)) == {"issueDate": "too_early"}


def test_what_is_deducted_stays(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    paid = payment(acme, "2380.00", invoiceId=asked["id"], date="2026-02-03")
    whole = final(acme, alster, standard, asked)
    before = balances(acme)
    path = f"/finance/payments/{paid['id']}/void"
    void = acme.refused("POST", path, {}, status=409, code="invalid_transition")
    numbers = whole["number"], asked["number"]
    assert void["message"] == "{0} applies {1}. Void {0} first.".format(*numbers)
    release = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    acme.refused("POST", release, {}, status=409, code="invalid_transition")
    acme.refused("POST", f"/finance/invoices/{asked['id']}/void", {}, status=409, code="in_use")
    with acme.books():
        ((closing,),) = WORKSPACE.rows("SELECT id FROM allocation ORDER BY id DESC LIMIT 1")
    acme.refused("POST", f"/finance/allocations/{closing}/release", {}, status=409, code="invalid_transition")
    assert balances(acme) == before
    assert "void" not in read(acme, asked)["can"]


def test_only_payments_settle_a_deposit(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    note = invoice(acme, customerId=alster, kind="sales_credit_note", issueDate="2026-02-01")
    items = acme.ok("GET", "/finance/open-items", params={"contactId": alster})
    ids = {item["number"]: item["id"] for item in items}
    body = {"fromItemId": ids[note["number"]], "toItemId": ids[asked["number"]], "amount": "100.00"}
    error = acme.refused("POST", "/finance/allocations", body, status=422, code="validation_failed")
    assert [detail["code"] for detail in error["details"]] == ["deposit"]
    paid = payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    made = paid["allocations"][0]["id"]
    acme.refused("POST", f"/finance/allocations/{made}/release", {}, status=409, code="invalid_transition")
    assert problems(acme) == []


def test_neither_deposits_nor_final_invoices_are_credited_line_by_line(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    whole = final(acme, alster, standard, asked)
    for document, word in ((asked, "deposit invoice"), (whole, "final invoice")):
        path = f"/finance/invoices/{document['id']}/credit"
        error = acme.refused("POST", path, {}, status=409, code="invalid_transition")
        assert f"{document['number']} is a {word}" in error["message"]
        assert "credit" not in read(acme, document)["can"]


def test_a_draft_deducts_what_has_been_received_when_it_is_issued(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    draft = final(acme, alster, standard, asked, draft=True)
    assert (draft["depositTotal"], draft["amountDue"]) == ("0.00", "23800.00")
    assert read(acme, draft)["deposits"] == draft["deposits"]
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    preview = acme.ok("POST", "/finance/invoices/preview", new_final(alster, standard, asked))
    assert (preview["depositTotal"], preview["amountDue"]) == ("7140.00", "16660.00")
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    assert (issued["depositTotal"], issued["amountDue"]) == ("7140.00", "16660.00")
    copy = acme.ok("POST", f"/finance/invoices/{deposit(acme, alster, standard)['id']}/duplicate")
    assert (copy["kind"], copy["status"]) == ("deposit_invoice", "draft")
    dropped = final(acme, alster, standard, deposit(acme, alster, standard), draft=True)
    acme.ok("PATCH", f"/finance/invoices/{dropped['id']}", {"kind": "sales_invoice", "depositIds": None})
    assert read(acme, dropped)["deposits"] == []
    acme.ok("DELETE", f"/finance/invoices/{dropped['id']}")
    assert problems(acme) == []


def test_lists_show_what_a_final_invoice_asks_for(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    whole = final(acme, alster, standard, asked)
    (listed,) = acme.ok("GET", "/finance/invoices", params={"kind": "final_invoice"})
    assert (listed["id"], listed["amountDue"], listed["depositTotal"]) == (whole["id"], "16660.00", "7140.00")
    (listed,) = acme.ok("GET", "/finance/invoices", params={"kind": "deposit_invoice"})
    assert (listed["id"], listed["status"]) == (asked["id"], "paid")
    both = acme.ok("GET", "/finance/invoices", params={"kind": "final_invoice,deposit_invoice"})
    assert [each["id"] for each in both] == [whole["id"], asked["id"]]
    acme.refused("GET", "/finance/invoices", params={"kind": "final_invoice,gift"}, status=400)
    assert len(acme.ok("GET", "/finance/invoices", params={"q": "16660"})) == 1


def test_a_locked_month_takes_no_receipt(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Closed"})
    body = {"amount": "7140.00", "invoiceId": asked["id"], "date": "2026-02-03"}
    acme.refused("POST", "/finance/payments", body, status=409, code="period_locked")
    assert balances(acme) == {"1100": 714_000, "1450": -714_000}


def test_an_older_workspace_chooses_its_accounts_for_deposits_first(acme, alster, standard):
    with acme.books(write=True):
        for key in ("deposits_requested", "deposits_received"):
            WORKSPACE.run("DELETE FROM default_account WHERE key = ?", (key,))
            recorded.note_removed("default_account", key)
    body = new_invoice(kind="deposit_invoice", customerId=alster)
    assert complaints(acme, body) == {"kind": "no_account"}
    chosen = {"deposits_requested": "1400", "deposits_received": "2700"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"defaultAccounts": chosen})
    asked = deposit(acme, alster, standard)
    payment(acme, "7140.00", invoiceId=asked["id"], date="2026-02-03")
    assert balances(acme) == {"1010": 714_000, "2200": -114_000, "2700": -600_000}


def test_a_statement_of_the_customer_shows_what_is_asked_for(acme, alster, standard):
    asked = deposit(acme, alster, standard)
    payment(acme, "2380.00", invoiceId=asked["id"], date="2026-02-03")
    whole = final(acme, alster, standard, asked)
    statement = acme.ok("GET", f"/finance/contacts/{alster}/statement")
    (block,) = statement["blocks"]
    shown = [(each["kind"], each["debit"], each["credit"]) for each in block["lines"]]
    assert shown == [
        ("invoice", "7140.00", "0.00"),
        ("payment", "0.00", "2380.00"),
        ("invoice", "21420.00", "0.00"),
        ("deposit_closing", "0.00", "4760.00"),
    ]
    assert block["closing"] == whole["amountDue"] == "21420.00"
    (item,) = acme.ok("GET", "/finance/open-items", params={"contactId": alster})
    assert (item["number"], item["open"]) == (whole["number"], "21420.00")


def test_a_deposit_is_neither_written_off_nor_paid_with_a_discount(acme, alster, standard):
    terms = {"days": 14, "discounts": [{"percent": "2", "days": 14}]}
    asked = deposit(acme, alster, standard, paymentTerms=terms)
    assert asked["cashDiscount"] is None
    assert "write_off" not in asked["can"]
    body = {"reason": "Insolvent", "category": "uncollectable"}
    error = acme.refused("POST", f"/finance/invoices/{asked['id']}/write-off", body, status=409)
    assert "create the final invoice" in error["message"]
    part = {"invoiceId": asked["id"], "amount": "7000.00", "discountAmount": "140.00"}
    error = acme.refused("POST", "/finance/payments", {"amount": "7000.00", "allocations": [part]}, status=422)
    assert [detail["code"] for detail in error["details"]] == ["unsuitable"]


def test_a_rest_that_is_worth_nothing_is_paid_before_it_is_deducted(acme, alster):
    """1 yen at 0.0033 is a third of a cent, which no entry can close."""
    abroad = {"currency": "JPY", "exchangeRate": "0.0033"}
    asked = invoice(acme, line("1"), kind="deposit_invoice", customerId=alster, issueDate="2026-01-28", **abroad)
    body = {**new_final(alster, None, asked, price="1000", **abroad)}
    error = acme.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
    (detail,) = error["details"]
    assert (detail["field"], detail["code"]) == ("depositIds", "worth_nothing")
    assert detail["message"].startswith("1 JPY of INV-2026-00001 is unpaid and rounds to 0.00 in the base currency.")
    payment(acme, "1", invoiceId=asked["id"], exchangeRate="0.0033", date="2026-02-03")
    whole = acme.ok("POST", "/finance/invoices", body)
    assert (whole["depositTotal"], whole["amountDue"]) == ("1", "999")
    assert problems(acme) == []
