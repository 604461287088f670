"""The life of an invoice: drafted, issued, amended, voided."""

import csv

import pytest

from erp.finance.books.models import Posting
from erp.finance.contacts.models import Contact
from erp.finance.documents.models import Invoice, InvoiceLine
from erp.store.events import Event
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count, posted
from tests.refusals import complaints

TODAY = "2026-03-10T09:00:00Z"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(TODAY)


def events(office):
    with office.books():
        return [event.type for event in Event.select().order_by(Event.seq) if event.type.startswith("invoice.")]


def test_an_invoice_is_issued_at_once_and_gets_the_next_number(acme):
    first = invoice(acme)
    second = invoice(acme)
    assert (first["number"], second["number"]) == ("INV-2026-00001", "INV-2026-00002")
    assert (first["status"], first["version"], first["amountDue"]) == ("issued", 1, "100.00")
    assert first["issuedAt"] == "2026-03-10T09:00:00.000Z"


def test_numbers_have_no_gap_after_a_refusal(acme):
    acme.refused("POST", "/finance/invoices", new_invoice(line("-5.00")), status=422, code="negative_total")
    assert invoice(acme)["number"] == "INV-2026-00001"


def test_a_number_belongs_to_the_fiscal_year_of_the_invoice(acme):
    assert invoice(acme, issueDate="2025-12-31")["number"] == "INV-2025-00001"
    assert invoice(acme, issueDate="2026-01-01")["number"] == "INV-2026-00001"


def test_credit_notes_have_a_series_of_their_own(acme):
    invoice(acme)
    note = invoice(acme, kind="sales_credit_note")
    assert (note["number"], note["status"], note["amountDue"]) == ("CN-2026-00001", "issued", "100.00")


@pytest.fixture
def varied(acme):
    """The answer to an invoice with everything that a line and a document may have."""
    tax, untaxed = tax_rate(acme)["id"], tax_rate(acme, "0", category="Z")["id"]
    body = new_invoice(
        line(
            "9.999999",
            "3.5",
            unit="hour",
            priceBaseQuantity="2",
            discount={"percent": "5"},
            charge="1.10",
            taxRateId=tax,
        ),
        reference="Order 7",
        note="Thank you.\nGoodbye.",
        discount={"amount": "1.00"},
        allowances=[{"description": "Loyalty", "percent": "10", "taxRateId": untaxed}],
        charges=[{"description": "Freight", "amount": "4.00", "taxRateId": tax}],
    )
    return acme.call("POST", "/finance/invoices", body)


def test_an_invoice_is_read_as_it_was_made(acme, varied):
    made = varied.json["data"]
    assert varied.headers["Location"] == f"/api/v1/finance/invoices/{made['id']}"
    assert varied.headers["ETag"] == '"1"'
    assert acme.ok("GET", f"/finance/invoices/{made['id']}") == made
    assert made["lines"][0] | {"id": "", "accountId": "", "taxRateId": ""} == {
        "id": "",
        "description": "Consulting",
        "quantity": "3.5",
        "unit": "hour",
        "unitPrice": "9.999999",
        "priceBaseQuantity": "2",
        "discount": {"percent": "5", "amount": None},
        "charge": {"percent": None, "amount": "1.10"},
        "taxRateId": "",
        "accountId": "",
        "projectId": None,
        "taskId": None,
        "net": "17.72",
        "tax": "3.34",
        "gross": "20.06",
        "discountShare": "1.00",
        "netAfterDiscount": "16.72",
        "timeLogIds": [],
        "expenseLineId": None,
        "creditedLineId": None,
        "deductibleTaxPercent": None,
        "deductibleCostPercent": None,
        "nonDeductibleAccountId": None,
        **dict.fromkeys(("nonDeductibleAccountCode", "nonDeductibleAccountName", "productName")),
        **dict.fromkeys(("projectName", "taskKey", "taskTitle")),
        "accountCode": "4000",
        "accountName": "Sales",
        "taxRateName": "Rate of 20",
        "nonDeductibleTax": "0.00",
        "nonDeductibleCost": "0.00",
        "serviceDate": None,
        "servicePeriod": None,
        "taxDate": None,
        "productId": None,
        "dimensions": {},
        "asset": None,
        "madeAssets": [],
    }


def test_an_invoice_is_read_with_its_adjustments_and_totals(acme, varied):
    made = varied.json["data"]
    assert [(each["description"], each["percent"], each["amount"]) for each in made["allowances"]] == [
        ("Loyalty", "10", "1.77")
    ]
    assert [(each["description"], each["percent"], each["amount"]) for each in made["charges"]] == [
        ("Freight", None, "4.00")
    ]
    assert (made["subtotal"], made["discountTotal"], made["chargeTotal"]) == ("17.72", "2.77", "4.00")
    assert made["netTotal"] == "18.95"
    assert (made["taxTotal"], made["total"]) == ("4.14", "23.09")
    assert (made["reference"], made["note"], made["createdByUserId"]) == (
        "Order 7",
        "Thank you.\nGoodbye.",
        acme.user["id"],
    )


def test_a_line_charge_may_be_a_percentage(acme):
    made = invoice(acme, line(charge={"percent": "2.5"}))
    assert (made["lines"][0]["charge"]["percent"], made["total"]) == ("2.5", "102.50")


def test_a_customer_is_made_along_with_the_invoice(acme):
    body = new_invoice(customer={"name": "Initech", "currency": "EUR", "paymentTermsDays": 7})
    made = acme.ok("POST", "/finance/invoices", body)
    assert (made["customerName"], made["dueDate"]) == ("Initech", "2026-03-17")
    contact = acme.ok("GET", f"/finance/contacts/{made['customerId']}")
    assert (contact["kind"], contact["name"]) == ("customer", "Initech")


def test_an_invoice_shows_its_customer_as_of_the_day_of_issue(acme):
    address = {"line1": "4 Mill Lane", "city": "Hamburg", "country": "DE"}
    known = {"name": "Globex", "legalName": "Globex Ltd", "vatId": "DE136695976", "taxNumber": "12/345/67890"}
    globex = customer(acme, **known, address=address)["id"]
    made = invoice(acme, customerId=globex)
    later = {"name": "Globex Two", "legalName": None, "vatId": None, "taxNumber": "1", "address": None}
    acme.ok("PATCH", f"/finance/contacts/{globex}", later)
    shown = acme.ok("GET", f"/finance/invoices/{made['id']}")["customer"]
    assert {name: shown[name] for name in ("id", *known)} == {"id": globex, **known}
    assert shown["address"]["city"] == "Hamburg"


def test_dates_follow_the_workspace_and_the_customer(acme):
    by_workspace = invoice(acme)
    assert (by_workspace["issueDate"], by_workspace["dueDate"]) == ("2026-03-10", "2026-04-09")
    globex = customer(acme, paymentTermsDays=0)["id"]
    assert invoice(acme, customerId=globex)["dueDate"] == "2026-03-10"
    dated = new_invoice(customerId=globex, issueDate="2026-02-01", dueDate="2026-02-02")
    assert acme.ok("POST", "/finance/invoices", dated)["dueDate"] == "2026-02-02"


def test_today_is_the_day_where_the_office_is(installation, clock_at):
    clock_at("2026-03-10T23:30:00Z")
    office = installation.office("Aiko", timeZone="Asia/Tokyo", baseCurrency="JPY")
    assert invoice(office, line("100"))["issueDate"] == "2026-03-11"


def test_an_invoice_of_nothing_is_paid_and_posts_nothing(acme):
    made = invoice(acme, line("0"))
    assert (made["status"], made["number"], made["journalEntryId"]) == ("paid", "INV-2026-00001", None)
    assert entry_count(acme) == 0


def test_an_invoice_that_cancels_out_still_posts_what_moves(acme):
    made = invoice(acme, line(), line("-100.00", accountId="4100"))
    assert made["status"] == "paid"
    assert posted(acme, made["journalEntryId"]) == {"4000": -10_000, "4100": 10_000}


def test_a_draft_has_no_number_and_posts_nothing(acme):
    draft = invoice(acme, draft=True)
    assert (draft["number"], draft["status"], draft["issuedAt"], draft["total"]) == (None, "draft", None, "100.00")
    assert entry_count(acme) == 0


def test_a_draft_is_issued_later(acme):
    draft = invoice(acme, draft=True, issueDate="2026-03-01")
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert (issued["id"], issued["status"], issued["number"]) == (draft["id"], "issued", "INV-2026-00001")
    assert (issued["issueDate"], issued["version"]) == ("2026-03-01", 2)
    assert posted(acme, issued["journalEntryId"]) == {"1100": 10_000, "4000": -10_000}
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == issued


def test_a_draft_without_a_date_is_dated_when_it_is_issued(acme, clock_at):
    draft = invoice(acme, draft=True)
    clock_at("2026-03-12T09:00:00Z")
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert (draft["issueDate"], issued["issueDate"], issued["dueDate"]) == ("2026-03-10", "2026-03-12", "2026-04-11")


def test_an_invoice_is_issued_once(acme):
    made = invoice(acme)
    acme.refused("POST", f"/finance/invoices/{made['id']}/issue", status=409, code="invalid_transition")
    assert entry_count(acme) == 1


def test_a_draft_changes_in_every_part(acme):
    tax = tax_rate(acme)["id"]
    draft = invoice(acme, line(taxRateId=tax), draft=True, note="Soon", reference="A")
    initech = customer(acme, name="Initech")["id"]
    change = {
        "kind": "sales_credit_note",
        "customerId": initech,
        "issueDate": "2026-02-01",
        "dueDate": "2026-02-05",
        "lines": [line("7.00", "3", taxRateId=tax), line("1.00")],
        "discount": {"percent": "50"},
        "note": None,
    }
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", change)
    assert (changed["kind"], changed["customerName"], changed["dueDate"]) == (
        "sales_credit_note",
        "Initech",
        "2026-02-05",
    )
    assert [each["net"] for each in changed["lines"]] == ["21.00", "1.00"]
    assert (changed["taxTotal"], changed["total"], changed["note"], changed["reference"]) == (
        "2.10",
        "13.10",
        None,
        "A",
    )
    assert changed["version"] == 2
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == changed
    with acme.books():
        assert InvoiceLine.select().count() == 2


def test_what_a_change_of_a_draft_leaves_out_stays(acme):
    tax = tax_rate(acme, isDefault=True)["id"]
    body = new_invoice(
        line(), line(taxRateId=None), draft=True, discount={"amount": "10.00"}, charges=[{"amount": "5.00"}]
    )
    draft = acme.ok("POST", "/finance/invoices", body)
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"reference": "B"})
    assert [each["taxRateId"] for each in changed["lines"]] == [tax, None]
    assert changed["total"] == draft["total"]
    cleared = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"discount": None, "charges": None})
    assert (cleared["discount"], cleared["charges"], cleared["total"]) == (None, [], "220.00")


def test_a_draft_keeps_every_number_as_it_was_sent(acme):
    lines = [line("0.000001", "1000000", charge="1.00"), line("100.00", "0.000001", charge={"percent": "2.5"})]
    body = new_invoice(*lines, draft=True, currency="USD", exchangeRate="0.000000000001", roundingAmount="-0.01")
    draft = acme.ok("POST", "/finance/invoices", body)
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"note": "x"})
    assert (changed["exchangeRate"], changed["lines"][0]["charge"]["amount"]) == ("0.000000000001", "1.00")
    for shown in (draft, changed):
        shown |= {"note": "", "version": 0, "lines": [each | {"id": ""} for each in shown["lines"]]}
    assert changed == draft


def test_a_wrong_change_of_a_draft_changes_nothing(acme):
    draft = invoice(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    error = acme.refused("PATCH", path, {"lines": [line("1", accountId="none")]}, status=422, code="unknown_reference")
    assert complaints(error) == {"lines[0].accountId": "unknown_reference"}
    acme.refused("PATCH", path, {"lines": []}, status=422, code="validation_failed")
    assert acme.ok("GET", path) == draft


def test_an_issued_invoice_changes_in_reference_notes_and_due_date_alone(acme):
    made = invoice(acme)
    path = f"/finance/invoices/{made['id']}"
    changed = acme.ok("PATCH", path, {"reference": "B", "note": "Paid soon", "dueDate": "2026-03-20"})
    assert (changed["reference"], changed["note"], changed["dueDate"], changed["version"]) == (
        "B",
        "Paid soon",
        "2026-03-20",
        2,
    )
    acme.refused("PATCH", path, {"note": "x", "lines": [line()]}, status=409, code="invalid_transition")
    acme.refused("PATCH", path, {"issueDate": "2026-03-01"}, status=409, code="invalid_transition")
    error = acme.refused("PATCH", path, {"dueDate": "2026-03-09"}, status=422)
    assert complaints(error) == {"dueDate": "too_early"}
    assert complaints(acme.refused("PATCH", path, {"dueDate": None}, status=422)) == {"dueDate": "required"}
    assert acme.ok("GET", path) == changed


def test_a_stale_change_is_refused(acme):
    made = invoice(acme, draft=True)
    path = f"/finance/invoices/{made['id']}"
    acme.ok("PATCH", path, {"note": "One"}, headers={"If-Match": '"1"'})
    for verb, where, body in (
        ("PATCH", path, {"note": "Two"}),
        ("POST", f"{path}/issue", None),
        ("DELETE", path, None),
    ):
        acme.refused(verb, where, body, status=412, code="version_mismatch", headers={"If-Match": '"1"'})


def test_a_draft_is_deleted_with_its_lines(acme):
    draft = invoice(acme, draft=True, charges=[{"amount": "5.00"}])
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    acme.refused("GET", f"/finance/invoices/{draft['id']}", status=404, code="not_found")
    with acme.books():
        assert InvoiceLine.select().count() == 0


def test_an_issued_invoice_is_never_deleted(acme):
    made = invoice(acme)
    acme.refused("DELETE", f"/finance/invoices/{made['id']}", status=409, code="invalid_transition")


def test_a_void_invoice_keeps_its_number_and_its_entry_is_reversed(acme):
    made = invoice(acme, issueDate="2026-03-01")
    path = f"/finance/invoices/{made['id']}"
    void = acme.ok("POST", f"{path}/void", {"reason": "Wrong customer"})
    assert (void["status"], void["number"], void["voidReason"]) == ("void", made["number"], "Wrong customer")
    assert (void["voidedAt"], void["amountDue"]) == ("2026-03-10T09:00:00.000Z", "0.00")
    assert acme.ok("GET", path) == void
    with acme.books():
        rows = Posting.select(Posting.date, Posting.amount).order_by(Posting.date, Posting.amount)
        assert [(f"{row.date}", row.amount) for row in rows] == [
            ("2026-03-01", -10_000),
            ("2026-03-01", 10_000),
            ("2026-03-10", -10_000),
            ("2026-03-10", 10_000),
        ]


def test_an_invoice_is_voided_once_and_a_draft_never(acme):
    made = invoice(acme)
    acme.ok("POST", f"/finance/invoices/{made['id']}/void")
    acme.refused("POST", f"/finance/invoices/{made['id']}/void", status=409, code="invalid_transition")
    draft = invoice(acme, draft=True)
    acme.refused("POST", f"/finance/invoices/{draft['id']}/void", status=409, code="invalid_transition")


def test_an_invoice_is_not_voided_before_its_date(acme):
    made = invoice(acme, issueDate="2026-03-15")
    path = f"/finance/invoices/{made['id']}/void"
    error = acme.refused("POST", path, {"date": "2026-03-14"}, status=422, code="dated_too_early")
    assert complaints(error) == {"date": "dated_too_early"}
    assert acme.ok("POST", path)["status"] == "void"


def test_an_invoice_that_was_paid_in_part_is_not_voided(acme):
    made = invoice(acme)
    acme.ok("POST", "/finance/payments", {"invoiceId": made["id"], "amount": "40.00", "date": "2026-03-10"})
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["amountDue"] == "60.00"
    error = acme.refused("POST", f"/finance/invoices/{made['id']}/void", status=409, code="in_use")
    assert made["number"] in error["message"]


def test_an_invoice_on_an_archived_account_is_voided_once_the_account_is_back(acme):
    made = invoice(acme, line(accountId="4100"))
    moved = [{"accountId": "4100", "debit": "100"}, {"accountId": "4000", "credit": "100"}]
    acme.ok("POST", "/finance/journals", {"date": made["issueDate"], "description": "To sales", "lines": moved})
    services = made["lines"][0]["accountId"]
    acme.ok("POST", f"/finance/accounts/{services}/archive", {})
    refusal = acme.refused("POST", f"/finance/invoices/{made['id']}/void", {}, status=422, code="account_closed")
    assert "4100" in refusal["message"]
    assert "details" not in refusal or all(detail["field"] != "accountId" for detail in refusal["details"])
    acme.ok("POST", f"/finance/accounts/{services}/unarchive", {})
    assert acme.ok("POST", f"/finance/invoices/{made['id']}/void", {})["status"] == "void"


def test_an_invoice_of_nothing_can_be_voided(acme):
    made = invoice(acme, line("0"))
    assert acme.ok("POST", f"/finance/invoices/{made['id']}/void")["status"] == "void"


def test_nothing_is_issued_or_voided_in_a_locked_period(acme):
    made = invoice(acme, issueDate="2026-01-20")
    draft = invoice(acme, issueDate="2026-01-20", draft=True)
    free = new_invoice(line("0"), issueDate="2026-01-31")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Reported"})
    acme.refused("POST", "/finance/invoices", new_invoice(issueDate="2026-01-31"), status=409, code="period_locked")
    acme.refused("POST", "/finance/invoices", free, status=409, code="period_locked")
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", status=409, code="period_locked")
    path = f"/finance/invoices/{made['id']}/void"
    acme.refused("POST", path, {"date": "2026-01-25"}, status=409, code="period_locked")
    assert acme.ok("POST", path, {"date": "2026-02-01"})["status"] == "void"


def test_every_change_is_one_event_that_names_its_entry(acme):
    draft = invoice(acme, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    acme.ok("PATCH", path, {"note": "x"})
    acme.ok("POST", f"{path}/issue")
    acme.ok("PATCH", path, {"note": "y"})
    acme.ok("PATCH", path, {"note": "y"})
    acme.ok("POST", f"{path}/void")
    acme.ok("DELETE", f"/finance/invoices/{invoice(acme, draft=True)['id']}")
    assert events(acme) == [
        "invoice.draft",
        "invoice.updated",
        "invoice.issued",
        "invoice.updated",
        "invoice.void",
        "invoice.draft",
        "invoice.deleted",
    ]
    with acme.books():
        posting = [event for event in Event.select().order_by(Event.seq) if "entries" in event.data]
        assert [event.type for event in posting] == ["invoice.issued", "invoice.void"]


def test_a_preview_stores_nothing(acme):
    tax = tax_rate(acme)["id"]
    body = new_invoice(line(taxRateId=tax), line("-200.00", taxRateId=tax))
    shown = acme.ok("POST", "/finance/invoices/preview", body)
    assert (shown["subtotal"], shown["taxTotal"], shown["total"]) == ("-100.00", "-20.00", "-120.00")
    assert [each["gross"] for each in shown["lines"]] == ["120.00", "-240.00"]
    assert (shown["issueDate"], shown["dueDate"], shown["currency"]) == ("2026-03-10", "2026-04-09", "EUR")
    with acme.books():
        assert Invoice.select().count() == Contact.select().count() == 0


def test_a_draft_below_zero_waits_to_be_corrected(acme):
    draft = invoice(acme, line("-5.00"), draft=True)
    assert draft["total"] == "-5.00"
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", status=422, code="negative_total")


def test_a_viewer_reads_invoices_and_writes_none(acme):
    made = invoice(acme, draft=True)
    viewer = acme.colleague("viewer")
    assert viewer.ok("GET", f"/finance/invoices/{made['id']}")["id"] == made["id"]
    for path in ("/finance/invoices", "/finance/invoices/preview", f"/finance/invoices/{made['id']}/issue"):
        viewer.refused("POST", path, new_invoice() if "issue" not in path else None, status=403, code="forbidden")


def test_a_repeated_request_issues_one_invoice(acme):
    first = acme.ok("POST", "/finance/invoices", new_invoice(), headers={"Idempotency-Key": "a"})
    body = new_invoice()
    again = acme.call("POST", "/finance/invoices", body, headers={"Idempotency-Key": "a"})
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json["data"] == first
    assert entry_count(acme) == 1


def test_what_remains_of_each_line_after_the_discount_makes_up_the_net_total(acme):
    """60.00 and 40.00 less 10.00 are 54.00 and 36.00; less 5.00, with 2.00 charged, 87.00 net."""
    full, low = tax_rate(acme, "20")["id"], tax_rate(acme, "10")["id"]
    body = new_invoice(
        line("60.00", taxRateId=full),
        line("40.00", taxRateId=low),
        discount={"amount": "10.00"},
        allowances=[{"amount": "5.00", "taxRateId": full}],
        charges=[{"amount": "2.00", "taxRateId": low}],
        roundingAmount="-0.05",
    )
    made = acme.ok("POST", "/finance/invoices", body)
    for shown in (made, acme.ok("POST", "/finance/invoices/preview", body)):
        assert [each["netAfterDiscount"] for each in shown["lines"]] == ["54.00", "36.00"]
        assert (shown["subtotal"], shown["netTotal"]) == ("100.00", "87.00")
        assert [(each["base"], each["amount"]) for each in shown["taxBreakdown"]] == [
            ("49.00", "9.80"),
            ("38.00", "3.80"),
        ]
        assert (shown["taxTotal"], shown["roundingAmount"], shown["total"]) == ("13.60", "-0.05", "100.55")
    (row,) = acme.ok("GET", "/finance/invoices")
    assert (row["subtotal"], row["netTotal"]) == ("100.00", "87.00")
    (sheet,) = csv.DictReader(acme.call("GET", "/finance/invoices", params={"format": "csv"}).text.splitlines())
    assert (sheet["subtotal"], sheet["netTotal"]) == ("100.00", "87.00")
