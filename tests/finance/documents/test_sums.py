"""Counts and sums of lists, by status and by currency, under the filters of the list."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, credit, invoice
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import write_off


def sums(office, path="/finance/invoices", by="status", **filters):
    return office.ok("GET", path, params={"groupBy": by, **filters})


@pytest.fixture
def office(acme, clock_at):
    """Sales: a draft of 10, 100 open, 200 overdue, 50 half paid, 70 paid, 30 in dollars; and a bill of 80."""
    clock_at("2026-03-10T09:00:00Z")
    globex = customer(acme)["id"]
    invoice(acme, "10.00", customerId=globex, draft=True)
    invoice(acme, "100.00", customerId=globex)
    invoice(acme, "200.00", issueDate="2026-01-05", dueDate="2026-01-31")
    half, whole = invoice(acme, "50.00"), invoice(acme, "70.00")
    payment(acme, "25.00", invoiceId=half["id"])
    paid = {"allocations": [{"invoiceId": whole["id"], "amount": "70.00"}], "contactId": whole["customerId"]}
    payment(acme, "90.00", **paid)
    invoice(acme, "30.00", currency="USD", exchangeRate="0.9")
    bill(acme, "80.00")
    return acme


def test_invoices_are_counted_and_added_up_by_status(office):
    def row(status, count, total, due, currency="EUR", late=(0, "0.00"), kind="sales_invoice"):
        figures = {"count": count, "total": total, "amountDue": due}
        overdue = {"overdueCount": late[0], "overdueAmount": late[1]}
        return {"kind": kind, "status": status, "currency": currency} | figures | overdue

    assert sums(office) == [
        row("issued", 1, "80.00", "80.00", kind="purchase_invoice"),
        row("draft", 1, "10.00", "10.00"),
        row("issued", 2, "300.00", "300.00", late=(1, "200.00")),
        row("issued", 1, "30.00", "30.00", currency="USD"),
        row("paid", 1, "70.00", "0.00"),
        row("partially_paid", 1, "50.00", "25.00"),
    ]


def test_the_sums_are_of_what_the_filters_let_through(office):
    assert sums(office, kind="purchase_invoice") == [
        {"kind": "purchase_invoice", "status": "issued", "currency": "EUR", "count": 1}
        | {"total": "80.00", "amountDue": "80.00", "overdueCount": 0, "overdueAmount": "0.00"}
    ]
    assert [row["count"] for row in sums(office, isOverdue="true")] == [1]
    assert [row["count"] for row in sums(office, q="70.00")] == [1]
    assert sums(office, q="no such thing") == []


def test_the_sum_of_a_whole_list_is_by_currency(office):
    rows = sums(office, by="currency", kind="sales_invoice")
    assert [(row["currency"], row["count"], row["total"], row["amountDue"]) for row in rows] == [
        ("EUR", 5, "430.00", "335.00"),
        ("USD", 1, "30.00", "30.00"),
    ]
    assert all("status" not in row for row in rows)


def test_the_groups_hold_what_the_tabs_of_the_list_hold(office):
    write_off(office, invoice(office))
    credit(office, invoice(office))
    office.ok("POST", f"/finance/invoices/{invoice(office)['id']}/void", {})
    counted: dict[str, int] = {}
    for row in sums(office):
        counted[row["status"]] = counted.get(row["status"], 0) + row["count"]
    assert {"void", "written_off", "credited"} <= counted.keys()
    for status, count in counted.items():
        assert len(office.ok("GET", "/finance/invoices", params={"status": status})) == count


def test_what_is_paid_later_is_open_until_then(office):
    made = invoice(office, "40.00", customerId=customer(office, "Later")["id"])
    payment(office, "40.00", invoiceId=made["id"], date="2026-03-15")
    (row,) = sums(office, customerId=made["customerId"])
    assert (row["status"], row["amountDue"]) == (
        office.ok("GET", "/finance/invoices", params={"customerId": made["customerId"]})[0]["status"],
        "40.00",
    )


def test_payments_are_added_up_with_what_is_left_of_them(office):
    (posted,) = sums(office, "/finance/payments")
    assert posted == {"direction": "received", "status": "posted", "currency": "EUR", "count": 2} | {
        "amount": "115.00",
        "unallocatedAmount": "20.00",
    }
    (whole,) = sums(office, "/finance/payments", by="currency")
    assert (whole["count"], "status" in whole) == (2, False)
    assert sums(office, "/finance/payments", dateFrom="2026-04-01") == []


@pytest.mark.parametrize(
    ("path", "filters"), [("/finance/invoices", {"kind": "sales_invoice"}), ("/finance/payments", {})]
)
def test_a_page_that_is_counted_is_added_up_whatever_part_of_the_list_it_is(office, path, filters):
    def page(**params):
        return office.call("GET", path, params={"limit": "1", **filters, **params}).json["page"]

    first = page(total="true")
    assert first["sums"] == sums(office, path, by="currency", **filters)
    assert sum(one["count"] for one in first["sums"]) == first["total"] > 1
    assert page(total="true", cursor=first["nextCursor"])["sums"] == first["sums"]
    assert page(total="true", q="no such thing")["sums"] == []
    assert "sums" not in page()
