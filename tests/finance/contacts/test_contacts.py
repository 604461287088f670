import csv
import datetime
import io

import pytest

from erp.finance.books import default_accounts, ledger
from erp.finance.books.ledger import Leg
from erp.finance.contacts import contacts
from erp.finance.contacts.bodies import ContactChange, NewContact
from erp.kernel.errors import Invalid, UnknownReference
from erp.store.events import Event
from tests.events import events_of
from tests.finance.documents.invoices import invoice
from tests.refusals import complaint, refuse_every_change, refuse_stale_changes

BAKERY = {"kind": "customer", "name": "Blue Heron Bakery"}
MONEY = {"balance", "bankAccount", "overdue", "reminderBlock", "reminderLevel", "unallocatedCredit"}


def add(office, **fields):
    return office.ok("POST", "/finance/contacts", BAKERY | fields)


def names(office, **params):
    return [contact["name"] for contact in office.ok("GET", "/finance/contacts", params=params)]


def post(office, contact, key, against, amount, day):
    """Post minor units to the contact's receivable or payable against another default account."""
    with office.books(write=True):
        ids = default_accounts.by_key()
        legs = [Leg(ids[key], amount, contact_id=contact["id"]), Leg(ids[against], -amount)]
        ledger.post(datetime.date.fromisoformat(day), f"To {key}", legs, kind="manual")


def march_invoice(office, contact, price, **fields):
    dates = {"issueDate": "2026-03-01", "dueDate": "2026-03-31"}
    return invoice(office, price, customerId=contact["id"], **dates | fields)


def amounts(office, contact):
    shown = office.ok("GET", f"/finance/contacts/{contact['id']}")
    return shown["balance"], shown["overdue"], shown["unallocatedCredit"]


def test_a_contact_is_added(acme):
    address = {"line1": "4 Mill Lane", "city": "Hamburg", "postalCode": "20095", "country": "DE"}
    answer = acme.call("POST", "/finance/contacts", {**BAKERY, "address": address, "paymentTermsDays": 14})
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/finance/contacts/{made['id']}"
    assert made["address"] == address | {"line2": None, "region": None}
    assert (made["paymentTermsDays"], made["createdByUserId"], made["legalName"]) == (14, acme.user["id"], None)
    assert {made[name] for name in MONEY - {"bankAccount", "reminderBlock", "reminderLevel"}} == {"0.00"}
    assert acme.ok("GET", f"/finance/contacts/{made['id']}") == made
    assert events_of(acme, made["id"]) == ["contact.created"]


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/finance/contacts", NewContact.EXAMPLE)
    changed = acme.ok("PATCH", f"/finance/contacts/{made['id']}", ContactChange.EXAMPLE)
    assert changed["phone"] == ContactChange.EXAMPLE["phone"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"kind": "friend"}, "kind", "not_one_of"),
        ({"name": " "}, "name", "required"),
        ({"email": "nowhere"}, "email", "bad_format"),
        ({"currency": "XXX"}, "currency", "unknown_currency"),
        ({"paymentTermsDays": -1}, "paymentTermsDays", "out_of_range"),
        ({"defaultTaxRateId": "nobody"}, "defaultTaxRateId", "unknown_reference"),
        ({"address": {"street": "Mill Lane"}}, "address.street", "unknown_field"),
        ({"balance": "1.00"}, "balance", "read_only"),
    ],
)
def test_a_contact_that_does_not_fit_is_refused(acme, fields, field, code):
    assert complaint(acme.refused("POST", "/finance/contacts", BAKERY | fields, status=422)) == (field, code)


@pytest.mark.parametrize("country", ["XX", "ZZ", "AA", "QM", "XA", "UK", "de"])
def test_an_address_in_no_country_is_refused(acme, country):
    path = f"/finance/contacts/{add(acme)['id']}"
    for verb, target, body in (("POST", "/finance/contacts", BAKERY), ("PATCH", path, {})):
        error = acme.refused(verb, target, {**body, "address": {"country": country}}, status=422)
        assert complaint(error) == ("address.country", "unknown_country")
    sheet = {"csv": f"kind,name,address.country\ncustomer,Globex,{country}"}
    error = acme.refused("POST", "/finance/contacts/import", sheet, status=422)
    assert complaint(error) == ("rows[2].address.country", "unknown_country")


@pytest.mark.parametrize("country", ["XK", "XI", "GB", "SS"])
def test_kosovo_and_northern_ireland_are_in_addresses_as_any_country(acme, country):
    assert add(acme, address={"city": "Here", "country": country})["address"]["country"] == country


def test_a_change_clears_fields_with_null_and_the_log_names_fields_without_values(acme):
    made = add(acme, email="a@heron.example", taxNumber="DE 1", address={"city": "Hamburg", "country": "DE"})
    path = f"/finance/contacts/{made['id']}"
    changed = acme.ok("PATCH", path, {"email": None, "taxNumber": "DE 22", "address": {"city": "Kiel"}})
    assert (changed["email"], changed["taxNumber"], changed["name"]) == (None, "DE 22", made["name"])
    assert (changed["address"]["city"], changed["address"]["country"]) == ("Kiel", None)
    assert acme.ok("PATCH", path, {"address": None})["address"] is None
    with acme.books():
        event = Event.select().where(Event.type == "contact.updated").order_by(Event.seq).get()
        assert '"changed":["email","taxNumber","address"]' in event.data
        assert "DE 22" not in event.data


def test_a_contact_has_a_vat_id_beside_its_tax_number(acme):
    made = add(acme, vatId=" atu 123 45675 ", taxNumber="12 345/6789")
    assert (made["vatId"], made["taxNumber"]) == ("ATU12345675", "12 345/6789")
    assert names(acme, q="atu1234") == [BAKERY["name"]]
    path = f"/finance/contacts/{made['id']}"
    assert acme.ok("PATCH", path, {"vatId": "GB 999 9999 73"})["vatId"] == "GB999999973"
    assert acme.ok("PATCH", path, {"vatId": None})["vatId"] is None
    with acme.books():
        for event in Event.select().where(Event.resource_id == made["id"]):
            assert "ATU12345675" not in event.data


@pytest.mark.parametrize("vat_id", ["DE123456789", "ATU12345676", "DE12345678", "123456788", "DE", "", "IE 1234567"])
def test_a_wrong_vat_id_is_refused(acme, vat_id):
    error = acme.refused("POST", "/finance/contacts", BAKERY | {"vatId": vat_id}, status=422)
    assert complaint(error) == ("vatId", "not_a_vat_id")


def test_a_change_to_the_present_values_changes_nothing(acme):
    made = add(acme, address={"city": "Kiel"})
    assert acme.ok("PATCH", f"/finance/contacts/{made['id']}", {**BAKERY, "address": {"city": "Kiel"}}) == made
    assert events_of(acme, made["id"]) == ["contact.created"]


def test_the_default_tax_rate_of_a_contact_must_not_be_archived(acme):
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "Old", "rate": "5"})
    made = add(acme, defaultTaxRateId=rate["id"])
    acme.ok("POST", f"/finance/tax-rates/{rate['id']}/archive")
    error = acme.refused("POST", "/finance/contacts", BAKERY | {"defaultTaxRateId": rate["id"]}, status=422)
    assert complaint(error) == ("defaultTaxRateId", "archived")
    path = f"/finance/contacts/{made['id']}"
    assert acme.ok("PATCH", path, {"name": "Heron", "defaultTaxRateId": rate["id"]})["name"] == "Heron"


def test_a_contact_that_nothing_names_is_deleted(acme):
    made = add(acme)
    assert acme.ok("DELETE", f"/finance/contacts/{made['id']}") == {}
    acme.refused("GET", f"/finance/contacts/{made['id']}", status=404, code="not_found")
    assert events_of(acme, made["id"]) == ["contact.created", "contact.deleted"]


def test_a_contact_in_the_books_is_never_deleted(acme):
    posted, drafted = add(acme), add(acme)
    post(acme, posted, "receivable", "sales", 100, "2026-03-01")
    march_invoice(acme, drafted, "5.00", draft=True)
    for contact in (posted, drafted):
        acme.refused("DELETE", f"/finance/contacts/{contact['id']}", status=409, code="in_use")


def test_a_contact_is_archived_and_unarchived(acme):
    made = add(acme)
    path = f"/finance/contacts/{made['id']}"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/archive")["archivedAt"] is not None
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    assert names(acme) == []
    assert names(acme, isArchived="true") == [BAKERY["name"]]
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None
    assert events_of(acme, made["id"]) == ["contact.created", "contact.archived", "contact.unarchived"]


def test_contacts_are_listed_and_found(acme):
    add(acme, name="Zebra", email="z@stripes.example")
    add(acme, name="Ant", kind="supplier", legalName="Formica Ltd")
    add(acme, name="Mule 100%", kind="both", taxNumber="M-77")
    assert names(acme) == ["Mule 100%", "Ant", "Zebra"]
    assert names(acme, sort="name") == ["Ant", "Mule 100%", "Zebra"]
    assert names(acme, kind="customer", sort="name") == ["Mule 100%", "Zebra"]
    assert names(acme, kind="supplier", sort="name") == ["Ant", "Mule 100%"]
    assert names(acme, kind="both") == ["Mule 100%"]
    for text, name in {
        "zeb": "Zebra",
        "stripes": "Zebra",
        "formica": "Ant",
        "M-77": "Mule 100%",
        "%": "Mule 100%",
    }.items():
        assert names(acme, q=text) == [name]


def test_contacts_come_page_by_page(acme):
    for number in range(5):
        add(acme, name=f"Contact {number}")
    listed, cursor = [], None
    while True:
        params = {"sort": "-name", "limit": 2, "total": "true", **({"cursor": cursor} if cursor else {})}
        answer = acme.call("GET", "/finance/contacts", params=params).json
        listed += [contact["name"] for contact in answer["data"]]
        assert answer["page"]["total"] == 5
        cursor = answer["page"]["nextCursor"]
        if cursor is None:
            break
    assert listed == [f"Contact {number}" for number in reversed(range(5))]


def test_contacts_open_in_a_spreadsheet(acme):
    add(acme, phone="+49 40 123", address={"city": "Kiel"})
    answer = acme.call("GET", "/finance/contacts", params={"format": "csv"})
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["name"], row["phone"], row["address.city"]) == (BAKERY["name"], "'+49 40 123", "Kiel")
    assert row["balance"] == "0.00"


def test_a_balance_is_what_the_contact_owes_less_what_it_is_owed(acme):
    both, other = add(acme, kind="both"), add(acme)
    post(acme, both, "receivable", "sales", 10_000, "2026-03-01")
    post(acme, both, "payable", "cost_of_sales", -2_500, "2026-03-02")
    assert amounts(acme, both) == ("75.00", "100.00", "0.00")  # a posting by hand is due on its own date
    assert amounts(acme, other) == ("0.00", "0.00", "0.00")


def test_what_is_due_on_invoices_past_their_due_date_is_overdue(acme, clock_at):
    clock_at("2026-03-31T12:00:00Z")
    contact = add(acme)
    late = march_invoice(acme, contact, "100.00")
    march_invoice(acme, contact, "7.00", dueDate="2026-04-30")
    march_invoice(acme, contact, "5.00", draft=True)
    assert amounts(acme, contact) == ("107.00", "0.00", "0.00")
    clock_at("2026-04-01T12:00:00Z")
    acme.ok("POST", "/finance/payments", {"invoiceId": late["id"], "amount": "30.00", "method": "cash"})
    assert amounts(acme, contact) == ("77.00", "70.00", "0.00")


def test_what_is_overdue_in_another_currency_is_shown_in_the_base_currency(acme, clock_at):
    clock_at("2026-04-01T12:00:00Z")
    contact = add(acme)
    late = march_invoice(acme, contact, "100.00", currency="USD", exchangeRate="0.9")
    paid = {"invoiceId": late["id"], "amount": "50.00", "currency": "USD", "exchangeRate": "0.8", "method": "cash"}
    acme.ok("POST", "/finance/payments", paid)
    assert amounts(acme, contact) == ("45.00", "45.00", "0.00")


def test_what_is_left_of_payments_and_credit_notes_is_unallocated_credit(acme, clock_at):
    clock_at("2026-03-15T12:00:00Z")
    contact = add(acme)
    march_invoice(acme, contact, "20.00", kind="sales_credit_note")
    paid = {"contactId": contact["id"], "amount": "50.00", "method": "cash"}
    payment = acme.ok("POST", "/finance/payments", paid)
    assert amounts(acme, contact) == ("-70.00", "0.00", "70.00")
    sold = march_invoice(acme, contact, "30.00")
    part = {"allocations": [{"invoiceId": sold["id"], "amount": "30.00"}]}
    acme.ok("POST", f"/finance/payments/{payment['id']}/allocations", part)
    assert amounts(acme, contact) == ("-40.00", "0.00", "40.00")


def test_credit_that_was_paid_back_is_no_longer_credit(acme):
    contact = add(acme, kind="both")
    acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "50.00"})
    acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "20.00", "direction": "made"})
    assert amounts(acme, contact) == ("-30.00", "0.00", "30.00")


def test_a_refund_from_a_supplier_is_not_credit(acme):
    contact = add(acme, kind="supplier")
    acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "50.00", "direction": "made"})
    acme.ok("POST", "/finance/payments", {"contactId": contact["id"], "amount": "20.00"})
    assert amounts(acme, contact) == ("30.00", "0.00", "0.00")


def test_a_statement_opens_in_a_spreadsheet(acme):
    contact = add(acme)
    march_invoice(acme, contact, "20.00")
    path = f"/finance/contacts/{contact['id']}/statement"
    params = {"format": "csv", "dateFrom": "2026-03-01", "dateTo": "2026-03-31"}
    rows = list(csv.DictReader(io.StringIO(acme.call("GET", path, params=params).text)))
    assert [(row["rowKind"], row["date"], row["number"], row["debit"], row["balance"]) for row in rows] == [
        ("opening", "2026-03-01", "", "0.00", "0.00"),
        ("line", "2026-03-01", "INV-2026-00001", "20.00", "20.00"),
        ("closing", "2026-03-31", "", "0.00", "20.00"),
    ]


def test_a_statement_shows_every_posting_with_a_running_balance(acme):
    contact, other = add(acme, kind="both"), add(acme)
    post(acme, contact, "receivable", "sales", 10_000, "2026-02-10")
    post(acme, contact, "receivable", "sales", 3_000, "2026-03-10")
    post(acme, contact, "payable", "cost_of_sales", -500, "2026-03-05")
    post(acme, contact, "receivable", "bank", -9_000, "2026-04-01")
    post(acme, other, "receivable", "sales", 1, "2026-03-07")
    path = f"/finance/contacts/{contact['id']}/statement"
    (march,) = acme.ok("GET", path, params={"dateFrom": "2026-03-01", "dateTo": "2026-03-31"})["blocks"]
    assert (march["opening"], march["closing"], march["currency"]) == ("100.00", "125.00", "EUR")
    lines = [(line["date"], line["debit"], line["credit"], line["balance"]) for line in march["lines"]]
    assert lines == [("2026-03-05", "0.00", "5.00", "95.00"), ("2026-03-10", "30.00", "0.00", "125.00")]
    assert march["lines"][0]["description"] == "To payable"
    (whole,) = acme.ok("GET", path)["blocks"]
    assert (whole["opening"], len(whole["lines"]), whole["closing"]) == ("0.00", 4, "35.00")
    assert whole["closing"] == amounts(acme, contact)[0]


def test_a_statement_does_not_end_before_it_begins(acme):
    path = f"/finance/contacts/{add(acme)['id']}/statement"
    params = {"dateFrom": "2026-03-02", "dateTo": "2026-03-01"}
    acme.refused("GET", path, status=400, code="bad_parameter", params=params)
    acme.refused("GET", "/finance/contacts/nobody/statement", status=404, code="not_found")


def test_a_stale_change_changes_nothing(acme):
    path = f"/finance/contacts/{add(acme)['id']}"
    refuse_stale_changes(acme, path)


def test_a_manager_sees_contacts_without_what_they_owe(acme):
    contact, manager = add(acme), acme.colleague("manager")
    path = f"/finance/contacts/{contact['id']}"
    assert manager.ok("GET", path) == {name: value for name, value in contact.items() if name not in MONEY}
    assert not MONEY & manager.ok("GET", "/finance/contacts")[0].keys()
    manager.refused("GET", f"{path}/statement", status=403, code="forbidden")
    manager.refused("PATCH", path, {"name": "Mine"}, status=403, code="forbidden")


def test_a_viewer_sees_contacts_and_changes_nothing(acme):
    contact, viewer = add(acme), acme.colleague("viewer")
    path = f"/finance/contacts/{contact['id']}"
    assert viewer.ok("GET", path) == contact
    viewer.ok("GET", f"{path}/statement")
    refuse_every_change(viewer, "/finance/contacts", path, BAKERY)


def test_a_member_does_not_see_contacts(acme):
    acme.colleague("member").refused("GET", "/finance/contacts", status=403, code="forbidden")


def test_the_contacts_of_another_office_are_not_there(acme, stranger):
    path = f"/finance/contacts/{add(acme)['id']}"
    for verb, where, body in (
        ("GET", path, None),
        ("GET", f"{path}/statement", None),
        ("PATCH", path, {"name": "Mine"}),
        ("DELETE", path, None),
    ):
        stranger.refused(verb, where, body, status=404, code="not_found")


def test_a_document_names_a_contact_of_its_kind_that_is_in_use(acme):
    customer, both, old = add(acme), add(acme, kind="both"), add(acme)
    acme.ok("POST", f"/finance/contacts/{old['id']}/archive")
    with acme.books():
        assert contacts.refer(customer["id"], "customerId", "customer").id == customer["id"]
        assert contacts.refer(both["id"], "supplierId", "supplier").id == both["id"]
        assert contacts.refer(customer["id"], "contactId").id == customer["id"]
        for id, code in ((customer["id"], "wrong_kind"), (old["id"], "archived")):
            with pytest.raises(Invalid) as refusal:
                contacts.refer(id, "supplierId", "supplier")
            assert [(complaint.field, complaint.code) for complaint in refusal.value.details] == [("supplierId", code)]
        with pytest.raises(UnknownReference):
            contacts.refer("nobody", "customerId", "customer")
