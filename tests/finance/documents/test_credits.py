"""Credit notes made from an invoice: they mirror it to the cent, and never credit more than is left."""

from collections import Counter, defaultdict
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.finance.documents.models import Invoice
from erp.store import router
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.crowds import all_at_once
from tests.events import events_of, last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import credit, invoice, line, new_invoice, status_and_due
from tests.finance.journals.journals import posted
from tests.finance.payments.payments import payment
from tests.refusals import complaint, complaints

TODAY = "2026-01-25"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(f"{TODAY}T09:00:00Z")


@pytest.fixture
def standard(acme):
    return tax_rate(acme, "19")["id"]


@pytest.fixture
def reduced(acme):
    return tax_rate(acme, "7")["id"]


@pytest.fixture
def zero(acme):
    return tax_rate(acme, "0", category="Z")["id"]


@pytest.fixture
def r1(acme, standard, reduced):
    """1,000.00 at 19 % and 200.00 at 7 %."""
    return invoice(acme, line("1000.00", taxRateId=standard), line("200.00", taxRateId=reduced), issueDate="2026-01-05")


def of_line(document, place, **part):
    return {"lineId": document["lines"][place]["id"], **part}


def refused(office, document, *lines, status=422, code="validation_failed", **fields):
    body = {"lines": list(lines), **fields} if lines else fields
    return office.refused("POST", f"/finance/invoices/{document['id']}/credit", body, status=status, code=code)


def taxes(document):
    return {(each["rate"], each["base"], each["amount"]) for each in document["taxBreakdown"]}


def problems(office):
    """What `erp check` finds in the office's file."""
    router.close_all()
    file = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    found = checking.workspace_file(file, nobody_writes=True).problems
    router.close_all()
    return found


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
    assert error["details"][0]["message"] == "Only 160.00 EUR is left to credit of line 2, Consulting."
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
        assert {**ours, "id": "", "creditedLineId": ""} == {**theirs, "id": "", "creditedLineId": ""}
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
    assert error["message"] == f"Nothing is left of {r1['number']} to credit."


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
    assert error["details"][0]["message"] == "Only 7.5 hour is left to credit of line 1, Consulting."
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
    assert error["details"][0]["message"].startswith("Send an amount instead")
    again = credit(acme, r1)
    assert (again["netTotal"], again["taxTotal"]) == (first["netTotal"], first["taxTotal"])
    assert Decimal(again["total"]) + Decimal(last["total"]) == Decimal(r1["total"])
    assert balances(acme) == {}


def test_a_refunded_credit_note_and_a_credited_invoice_are_not_voided(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "100.00", invoiceId=made["id"])
    note = credit(acme, made)
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    error = acme.refused("POST", f"/finance/invoices/{made['id']}/void", {}, status=409, code="in_use")
    assert error["message"] == f"{note['number']} credits {made['number']}. Void it first."
    payment(acme, "40.00", direction="made", invoiceId=note["id"])
    acme.refused("POST", f"/finance/invoices/{note['id']}/void", {}, status=409, code="in_use")


def test_only_issued_invoices_are_credited(acme):
    draft = invoice(acme, draft=True)
    note = invoice(acme, kind="sales_credit_note")
    void = invoice(acme)
    acme.ok("POST", f"/finance/invoices/{void['id']}/void", {})
    lost = invoice(acme)
    with acme.books(write=True):
        Invoice.find(lost["id"]).change(status="written_off")
    for document in (draft, note, void, lost):
        refused(acme, document, status=409, code="invalid_transition")
    acme.refused("POST", "/finance/invoices/nothing/credit", {}, status=404, code="not_found")


def test_every_wrong_field_is_named(acme, r1):
    error = refused(
        acme,
        r1,
        {"lineId": "another", "amount": "1.00"},
        of_line(r1, 0),
        of_line(r1, 1, amount="1.00", quantity="1"),
        of_line(r1, 1, amount="-1.00"),
        of_line(r1, 1, amount="2.00"),
        date="2026-01-04",
    )
    assert complaints(error) == {
        "date": "too_early",
        "lines[0].lineId": "unknown_reference",
        "lines[1]": "exactly_one",
        "lines[2]": "exactly_one",
        "lines[3].amount": "wrong_sign",
        "lines[4].lineId": "repeated",
    }
    assert complaint(refused(acme, r1, of_line(r1, 0, amount="0"))) == ("lines[0].amount", "wrong_sign")
    assert complaint(refused(acme, r1, of_line(r1, 0, amount="0.001"))) == ("lines[0].amount", "too_many_decimals")
    refused(acme, r1, date="2026-02-02", code="date_in_future")
    assert credit(acme, r1, date="2026-02-02", allowFuture=True)["issueDate"] == "2026-02-02"


def test_nothing_is_credited_in_a_locked_period(acme, r1):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-20", "reason": "Filed"})
    refused(acme, r1, date="2026-01-20", status=409, code="period_locked")
    assert credit(acme, r1, date="2026-01-21")["issueDate"] == "2026-01-21"


def test_a_returned_item_can_only_be_credited_together_with_others_of_its_rate(acme, standard, reduced):
    made = invoice(
        acme, line("100.00", taxRateId=standard), line("30.00", "-1", taxRateId=standard), line(taxRateId=reduced)
    )
    assert complaint(refused(acme, made, of_line(made, 0, amount="71.00"))) == ("lines", "too_large")
    assert complaint(refused(acme, made, of_line(made, 1, quantity="-1"))) == ("lines", "too_large")
    assert credit(acme, made, of_line(made, 0, amount="70.00"))["total"] == "83.30"
    assert taxes(credit(acme, made)) == {("19", "0.00", "0.00"), ("7", "100.00", "7.00")}
    assert balances(acme) == {}


def test_no_more_is_credited_than_an_invoice_with_a_negative_rate_comes_to(acme, standard, reduced):
    made = invoice(acme, line("100.00", taxRateId=standard), line("-90.00", taxRateId=reduced))
    error = refused(acme, made, of_line(made, 0, quantity="1"))
    assert error["details"][0]["message"] == "A credit note must be for a sum from 0 to 22.70 EUR, which is left."
    assert credit(acme, made)["total"] == "22.70"


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
    assert error["details"][0]["message"].startswith("Send a quantity instead")
    assert [each["quantity"] for each in credit(acme, made)["lines"]] == ["1", "1"]
    refused(acme, made, status=409, code="invalid_transition")


def test_a_repeated_request_credits_once_and_a_stale_one_not_at_all(acme, r1):
    path, body = f"/finance/invoices/{r1['id']}/credit", {"lines": [of_line(r1, 0, amount="600.00")]}
    first = acme.call("POST", path, body, headers={"Idempotency-Key": "a"})
    again = acme.call("POST", path, body, headers={"Idempotency-Key": "a"})
    note = first.json["data"]
    assert (first.status_code, again.json["data"]) == (201, note)
    assert first.headers["Location"] == f"/api/v1/finance/invoices/{note['id']}"
    assert acme.ok("GET", f"/finance/invoices/{note['id']}") == note
    acme.refused("POST", path, {}, status=412, code="version_mismatch", headers={"If-Match": '"1"'})
    assert acme.call("POST", path, {}, headers={"If-Match": '"2"'}).status_code == 201


def test_the_log_says_what_was_credited(acme, r1):
    note = credit(acme, r1)
    assert events_of(acme, note["id"]) == ["invoice.issued"]
    kind, data = last_event(acme)
    assert (kind, data["creditedInvoiceId"], data["allocatedAmount"]) == ("invoice.issued", r1["id"], "1404.00")
    assert [each["id"] for each in data["entries"]] == [note["journalEntryId"]]


def test_two_at_once_never_credit_more_than_is_left(acme, r1, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    body = {"lines": [of_line(r1, 1, amount="60.00")]}
    answers, statuses = all_at_once(acme, [(f"/finance/invoices/{r1['id']}/credit", body)] * 8)
    assert statuses == {201: 3, 422: 5}
    errors = [answer.json["error"]["details"][0] for answer in answers if answer.status_code == 422]
    assert {each["message"] for each in errors} == {"Only 20.00 EUR is left to credit of line 2, Consulting."}
    assert problems(acme) == []


RATES = ("19", "7", "0")
LINES = st.lists(
    st.fixed_dictionaries(
        {
            "unitPrice": st.integers(1, 40_000).map(lambda price: str(Decimal(price) / 1000)),
            "quantity": st.sampled_from(["1", "2", "3", "7", "0.5", "12.345"]),
            "rate": st.integers(0, len(RATES) - 1),
            "accountId": st.sampled_from(["4000", "4100"]),
            "discount": st.sampled_from([None, {"percent": "10"}, {"percent": "33.333"}]),
        }
    ),
    min_size=1,
    max_size=4,
)


def sold(drawn, rate_ids):
    fields = {"accountId": drawn["accountId"], "discount": drawn["discount"], "taxRateId": rate_ids[drawn["rate"]]}
    return line(drawn["unitPrice"], drawn["quantity"], **fields)


ADJUSTMENTS = st.lists(st.tuples(st.sampled_from(["1.5", "10"]), st.integers(0, len(RATES) - 1)), max_size=2)
STEPS = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(1, 9)), max_size=6)


class Ledger:
    """An invoice with its credit notes: what each rate comes to, and what all of them have posted."""

    def __init__(self, office, made):
        self.office, self.made = office, made
        self.notes = []

    def take(self, place, by_quantity, tenths):
        """Credit a part of what the line was, or all that is left of it if that is less."""
        own = self.made["lines"][place % len(self.made["lines"])]
        wanted = Decimal(own["quantity"]) if by_quantity else self.value(own)
        digits = Decimal("0.000001") if by_quantity else Decimal("0.01")
        part = (wanted * tenths / 10).quantize(digits)
        body = {"lines": [{"lineId": own["id"], "quantity" if by_quantity else "amount": f"{part:f}"}]}
        answer = self.office.call("POST", f"/finance/invoices/{self.made['id']}/credit", body)
        if answer.status_code == 201:
            self.notes.append(answer.json["data"])
        else:
            details = answer.json["error"]["details"]
            assert {each["code"] for each in details} <= {"too_large", "wrong_sign", "zero"}, details

    def value(self, own):
        """The line as entered, near enough: its net, or its price with tax."""
        if not self.made["pricesIncludeTax"]:
            return Decimal(own["net"])
        return Decimal(own["unitPrice"]) * Decimal(own["quantity"])

    def finish(self):
        answer = self.office.call("POST", f"/finance/invoices/{self.made['id']}/credit", {})
        if answer.status_code == 201:
            self.notes.append(answer.json["data"])
        assert answer.status_code in (201, 409), answer.text

    def check_not_exceeded(self):
        left = {each["rate"]: (Decimal(each["base"]), Decimal(each["amount"])) for each in self.made["taxBreakdown"]}
        bases, amounts = self.sums()
        for rate, (base, amount) in left.items():
            assert 0 <= bases[rate] <= base
            assert 0 <= amounts[rate] <= amount
        assert sum(Decimal(note["total"]) for note in self.notes) <= Decimal(self.made["total"])

    def sums(self):
        bases, amounts = defaultdict[str, Decimal](Decimal), defaultdict[str, Decimal](Decimal)
        for each in (each for note in self.notes for each in note["taxBreakdown"]):
            bases[each["rate"]] += Decimal(each["base"])
            amounts[each["rate"]] += Decimal(each["amount"])
        return bases, amounts

    def check_finished(self):
        bases, amounts = self.sums()
        for each in self.made["taxBreakdown"]:
            assert (bases[each["rate"]], amounts[each["rate"]]) == (Decimal(each["base"]), Decimal(each["amount"]))
        for name in ("subtotal", "discountTotal", "chargeTotal", "netTotal", "taxTotal", "roundingAmount", "total"):
            assert sum(Decimal(note[name]) for note in self.notes) == Decimal(self.made[name])
        for own in self.made["lines"]:
            parts = [each for note in self.notes for each in note["lines"] if each["creditedLineId"] == own["id"]]
            for name in ("net", "discountShare", "tax", "gross"):
                assert sum(Decimal(part[name]) for part in parts) == Decimal(own[name])

    def posted(self):
        """What the invoice and its credit notes have posted together, by account."""
        sums = Counter[str]()
        for document in (self.made, *self.notes):
            if document["journalEntryId"]:
                sums.update(posted(self.office, document["journalEntryId"]))
        return {code: amount for code, amount in sums.items() if amount}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=LINES,
    allowances=ADJUSTMENTS,
    charges=ADJUSTMENTS,
    discount=st.sampled_from([None, {"percent": "3"}, {"amount": "0.01"}]),
    included=st.booleans(),
    by_line=st.booleans(),
    foreign=st.booleans(),
    steps=STEPS,
)
def test_in_whatever_parts_an_invoice_is_credited_they_come_to_the_invoice(
    acme, lines, allowances, charges, discount, included, by_line, foreign, steps
):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"taxRounding": "line" if by_line else "document"})
    rates = acme.ok("GET", "/finance/tax-rates", params={"q": "Rate of"}) or [
        tax_rate(acme, rate, category="S" if rate != "0" else "Z") for rate in RATES
    ]
    ids = [rate["id"] for rate in rates]
    fields = {"currency": "CHF", "exchangeRate": "0.333333"} if foreign else {}
    body = new_invoice(
        *[sold(each, ids) for each in lines],
        discount=discount,
        allowances=[{"percent": percent, "taxRateId": ids[rate]} for percent, rate in allowances],
        charges=[{"percent": percent, "taxRateId": ids[rate], "accountId": "4800"} for percent, rate in charges],
        pricesIncludeTax=included,
        **fields,
    )
    answer = acme.call("POST", "/finance/invoices", body)
    if answer.status_code == 422:  # more discount than lines
        return
    ledger = Ledger(acme, answer.json["data"])
    for step in steps:
        ledger.take(*step)
        if all(Decimal(each["base"]) >= 0 for each in ledger.made["taxBreakdown"]):
            ledger.check_not_exceeded()
    ledger.finish()
    ledger.check_finished()
    assert ledger.posted() == {}


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
