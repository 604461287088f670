"""Numbers of customers and suppliers: one series each, given once, and never changed or given again."""

import pytest

from erp.store import router
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.documents.invoices import bill, credit, invoice
from tests.refusals import complaint
from tests.system.checks.offices import tamper

PATH = "/finance/contacts"


def numbers(contact):
    return contact["debtorNumber"], contact["creditorNumber"]


def found(office, text):
    return [contact["name"] for contact in office.ok("GET", PATH, params={"q": text, "sort": "name"})]


def fill_series(office, series, last):
    """Let a series have come to a place."""
    with office.books(write=True):
        WORKSPACE.run("INSERT INTO number_counter (series, fiscal_year, last) VALUES (?, 0, ?)", (series, last))


def file_of(office):
    return office.installation.config.workspaces_dir / f"{office.workspace_id}.db"


def problems(office):
    router.close_all()
    verdict = checking.workspace_file(file_of(office), nobody_writes=True)
    return [*verdict.problems, *verdict.altered]


def test_customers_and_suppliers_are_numbered_in_a_series_each(acme):
    assert numbers(customer(acme)) == ("10001", None)
    assert numbers(supplier(acme)) == (None, "70001")
    assert numbers(customer(acme, kind="both")) == ("10002", "70002")
    new = invoice(acme, customerId=None, customer={"name": "Initech"})
    assert numbers(acme.ok("GET", f"{PATH}/{new['customerId']}")) == ("10003", None)
    assert problems(acme) == []


def test_a_contact_that_becomes_a_supplier_too_keeps_its_number_as_a_customer(acme):
    made = customer(acme)
    path = f"{PATH}/{made['id']}"
    assert numbers(acme.ok("PATCH", path, {"name": "Globex Ltd"})) == ("10001", None)
    assert numbers(acme.ok("PATCH", path, {"kind": "supplier"})) == ("10001", "70001")
    assert numbers(acme.ok("PATCH", path, {"kind": "both"})) == ("10001", "70001")
    assert numbers(acme.ok("PATCH", path, {"kind": "customer"})) == ("10001", "70001")
    events = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"], "type": "contact.updated"})
    assert ["kind", "creditorNumber"] in [event["data"]["changed"] for event in events]
    assert problems(acme) == []


def test_the_number_of_a_contact_that_was_deleted_is_not_given_again(acme):
    acme.ok("DELETE", f"{PATH}/{customer(acme)['id']}")
    assert numbers(customer(acme)) == ("10002", None)


@pytest.mark.parametrize("name", ["debtorNumber", "creditorNumber"])
def test_no_request_sets_a_number(acme, name):
    body = {"kind": "both", "name": "Globex", name: "10007"}
    assert complaint(acme.refused("POST", PATH, body, status=422)) == (name, "read_only")
    path = f"{PATH}/{customer(acme)['id']}"
    assert complaint(acme.refused("PATCH", path, {name: "10007"}, status=422)) == (name, "read_only")


def test_a_spreadsheet_is_numbered_in_its_order_and_a_trial_of_it_takes_no_number(acme):
    sheet = {"csv": "kind,name\ncustomer,Alster\nsupplier,Bille\ncustomer,Elbe"}
    acme.ok("POST", f"{PATH}/import", {**sheet, "dryRun": True})
    acme.ok("POST", f"{PATH}/import", sheet)
    shown = {contact["name"]: numbers(contact) for contact in acme.ok("GET", PATH)}
    assert shown == {"Alster": ("10001", None), "Bille": (None, "70001"), "Elbe": ("10002", None)}


def test_a_contact_is_found_by_its_whole_number_alone(acme):
    for name in ("Alster", "Bille"):
        customer(acme, name)
    supplier(acme, "Elbe 1000")
    assert found(acme, "10002") == ["Bille"]
    assert found(acme, "70001") == ["Elbe 1000"]
    assert found(acme, "1000") == ["Elbe 1000"]
    assert found(acme, "alster 10001") == ["Alster"]


def test_documents_say_the_number_of_their_day(acme):
    made = customer(acme, address={"line1": "1 Pier", "city": "Kiel", "country": "DE"})
    shown = invoice(acme, customerId=made["id"])
    assert shown["customer"]["debtorNumber"] == "10001"
    assert credit(acme, shown)["customer"]["debtorNumber"] == "10001"
    assert bill(acme)["supplier"]["creditorNumber"] == "70001"


def test_a_customer_beyond_the_end_of_the_series_has_no_number_and_can_be_invoiced(acme):
    fill_series(acme, "debtor", 59_998)
    assert numbers(customer(acme)) == ("69999", None)
    late = customer(acme)
    assert numbers(late) == (None, None)
    assert invoice(acme, customerId=late["id"])["customer"]["debtorNumber"] is None


def test_a_number_that_another_program_has_changed_is_found(acme):
    customer(acme)
    router.close_all()
    tamper(file_of(acme), "UPDATE contact SET debtor_number = '10000'")
    assert problems(acme) == [
        "Another program has changed contact Globex: its debtor number is 10000, but its event recorded 10001."
    ]
