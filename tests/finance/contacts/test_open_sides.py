"""A contact stays a customer or a supplier as long as something is open on that side."""

from tests.finance.contacts.test_contacts import add, march_invoice, post


def become(office, contact, kind):
    """The message that refuses another kind, None where it is accepted."""
    answer = office.call("PATCH", f"/finance/contacts/{contact['id']}", {"kind": kind})
    if answer.status_code == 200:
        assert answer.json["data"]["kind"] == kind
        return None
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "open_items")
    return answer.json["error"]["message"]


def test_a_customer_with_open_items_stays_one(acme, clock_at):
    clock_at("2026-03-15T12:00:00Z")
    alster = add(acme, name="Alster AG")
    first, second = march_invoice(acme, alster, "100.00"), march_invoice(acme, alster, "50.00")
    note = march_invoice(acme, alster, "10.00", kind="sales_credit_note")
    money = {"contactId": alster["id"], "method": "cash"}
    paid = acme.ok("POST", "/finance/payments", {**money, "amount": "20.00"})
    assert become(acme, alster, "supplier") == (
        "Alster AG still has as customer: 2 unpaid invoices (INV-2026-00001, INV-2026-00002), 1 open "
        "credit note (CN-2026-00001) and 1 payment on account (PAY-2026-00001). Allocate them, or "
        "set the contact type to customer and supplier."
    )
    assert become(acme, alster, "both") is None
    assert become(acme, alster, "supplier").startswith("Alster AG still has as customer: 2 unpaid invoices")
    assert become(acme, alster, "customer") is None
    for each in (first, second):
        acme.ok("POST", "/finance/payments", {**money, "invoiceId": each["id"], "amount": each["total"]})
    refund = {**money, "direction": "made", "invoiceId": note["id"], "amount": "10.00"}
    acme.ok("POST", "/finance/payments", refund)
    assert "1 payment on account (PAY-2026-00001)" in become(acme, alster, "supplier")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert become(acme, alster, "supplier") is None


def test_the_first_of_many_open_documents_are_named(acme):
    contact = add(acme)
    for _ in range(5):
        march_invoice(acme, contact, "1.00")
    assert "5 unpaid invoices (INV-2026-00001, INV-2026-00002, INV-2026-00003, …)" in become(acme, contact, "supplier")


def test_a_supplier_with_money_on_account_or_a_balance_stays_one(acme):
    contact = add(acme, kind="supplier")
    paid = acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "5.00", "direction": "made"})
    assert "still has as supplier: 1 payment on account (PAY-2026-00001)." in become(acme, contact, "customer")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    post(acme, contact, "payable", "cost_of_sales", -2_500, "2026-03-02")
    assert "still has as supplier: a balance of -25.00 EUR." in become(acme, contact, "customer")
    post(acme, contact, "payable", "cost_of_sales", 2_500, "2026-03-03")
    assert become(acme, contact, "customer") is None


def test_what_is_open_on_the_other_side_does_not_keep_a_kind(acme):
    contact = add(acme, kind="both")
    march_invoice(acme, contact, "1.00")
    march_invoice(acme, contact, "2.00", draft=True)
    assert become(acme, contact, "customer") is None


def test_a_payment_of_next_week_keeps_its_invoice_from_being_settled_today(acme, clock_at):
    """All that is to happen is known: the payment counts, whatever its date."""
    clock_at("2026-03-15T12:00:00Z")
    contact = add(acme)
    made = march_invoice(acme, contact, "100.00")
    acme.ok("POST", "/finance/payments", {"invoiceId": made["id"], "amount": "100.00", "date": "2026-03-20"})
    assert become(acme, contact, "supplier") is None


def test_a_payment_worth_nothing_in_the_books_is_open_all_the_same(acme):
    contact = add(acme)
    rate = {"currency": "CHF", "exchangeRate": "0.001"}
    acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "0.01", **rate})
    assert "1 payment on account (PAY-" in become(acme, contact, "supplier")
