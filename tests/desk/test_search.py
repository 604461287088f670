"""The search: one field that finds whatever a person may read."""

import pytest

from erp.store.search import narrowing
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.documents.invoices import bill, invoice
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.projects.projects import plan
from tests.tasks.tasks import add


def search(office, text):
    return office.ok("GET", "/workspace/search", params={"q": text})


def titles(office, text, type=None):
    return [hit["title"] for hit in search(office, text) if type in (None, hit["type"])]


@pytest.fixture(autouse=True, params=[narrowing.SMALL, 0], ids=["compared", "indexed"])
def _is_indexed(request, monkeypatch):
    monkeypatch.setattr(narrowing, "SMALL", request.param)


@pytest.fixture
def office(acme, clock_at):
    """An office with a record of each kind."""
    clock_at("2026-03-10T09:00:00Z")
    return acme.once(_office)


def _office(acme):
    muller = customer(acme, "Müller & Söhne", legalName="Müller und Söhne Straßenbau GmbH")["id"]
    made = invoice(acme, "5124.16", customerId=muller, reference="Order 7")
    payment(acme, "124.16", invoiceId=made["id"], reference="Statement 12")
    site = plan(acme, "Brücke in Łódź", code="BRIDGE", customerId=muller)
    add(acme, "Draw the façade", projectId=site["id"])
    body = {"name": "Zoë Brandt", "hireDate": "2026-01-01", "jobTitle": "Engineer", "employmentType": "full_time"}
    acme.ok("POST", "/hr/employees", body)
    entry(acme)
    return acme


@pytest.mark.parametrize("text", ["Müller", "muller", "MULLER", "söhne müller", "sohne MÜL", "strassenbau", "Straßen"])
def test_a_contact_is_found_whatever_the_case_the_accents_and_the_order(office, text):
    assert titles(office, text, "contact") == ["Müller & Söhne"]


def test_a_contact_is_found_by_its_whole_number(office):
    meyer = supplier(office, "Meyer")
    assert titles(office, "10001") == ["Müller & Söhne"]
    assert titles(office, meyer["creditorNumber"]) == ["Meyer"]
    assert titles(office, "1000", "contact") == []
    assert search(office, "10001")[0]["number"] == "10001"


def test_what_belongs_to_a_contact_is_found_by_its_name(office):
    hits = search(office, "muller")
    assert [hit["type"] for hit in hits] == ["contact", "invoice", "payment"]
    contact, made, paid = hits
    assert contact["subtitle"] == "10001 · Müller und Söhne Straßenbau GmbH"
    assert (made["title"], made["subtitle"]) == ("INV-2026-00001", "Müller & Söhne · 5124.16 EUR · 2026-03-10")
    assert (made["amount"], made["currency"], made["status"]) == ("5124.16", "EUR", "partially_paid")
    assert (paid["title"], paid["name"], paid["amount"]) == ("PAY-2026-00001", "Müller & Söhne", "124.16")


@pytest.mark.parametrize(
    "text", ["5124.16", "5.124,16", "5,124.16", "5 124,16", "INV-1", "inv 1", "INV-00001", "order 7"]
)
def test_an_invoice_is_found_by_its_number_and_by_its_amount(office, text):
    assert titles(office, text, "invoice") == ["INV-2026-00001"]


def test_a_name_and_an_amount_find_the_invoice_together(office):
    invoice(office, "5124.16", customerId=customer(office, "Globex")["id"])
    assert titles(office, "muller 5124.16", "invoice") == ["INV-2026-00001"]


def test_projects_tasks_employees_accounts_and_entries_are_found(office):
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert titles(office, "bridge-1") == ["Draw the façade"]
    assert titles(office, "facade draw") == ["Draw the façade"]
    assert titles(office, "zoe") == ["Zoë Brandt"]
    assert search(office, "engineer brandt")[0]["subtitle"] == "EMP-0001 · Engineer"
    assert titles(office, "receivable", "account") == ["Accounts receivable", "Doubtful receivables"]
    (made,) = office.ok("GET", "/finance/journals", params={"kind": "manual"})
    assert made["number"] in titles(office, made["description"], "journal_entry")
    assert titles(office, "je-1", "journal_entry") == ["JE-2026-00001"]


def test_the_best_comes_first(office):
    for name in ("Northern Light", "Light", "Lighthouse", "Delight"):
        customer(office, name)
    assert titles(office, "light") == ["Light", "Lighthouse", "Northern Light", "Delight"]


def test_an_archived_record_comes_last(office):
    first = customer(office, "Light")
    supplier(office, "Delight")
    office.ok("POST", f"/finance/contacts/{first['id']}/archive", {})
    assert [(hit["title"], hit["isArchived"]) for hit in search(office, "light")] == [
        ("Delight", False),
        ("Light", True),
    ]


def test_an_archived_task_comes_last_and_is_marked(office):
    task = office.ok("POST", "/tasks", {"title": "Light"})
    office.ok("PATCH", f"/tasks/{task['id']}", {"status": "done"})
    office.ok("POST", "/tasks", {"title": "Delight"})
    office.ok("POST", f"/tasks/{task['id']}/archive", {})
    found = [(hit["title"], hit["isArchived"]) for hit in search(office, "light")]
    assert found == [("Delight", False), ("Light", True)]


def test_at_most_eight_of_a_kind_are_answered(office):
    for i in range(9):
        customer(office, f"Lamp {i}")
    plan(office, "Lamps")
    assert len(titles(office, "lamp", "contact")) == 8
    assert titles(office, "lamp", "project") == ["Lamps"]


def test_a_bill_is_found_by_the_number_of_its_supplier(office):
    made = bill(office, supplierNumber="R/4711")
    assert titles(office, "r/4711", "invoice") == [made["number"]]


@pytest.mark.parametrize("text", ["%", "_", "\\", "' OR 1=1 --", "no such thing", "\u0301", "müller nowhere"])
def test_signs_have_no_meaning_of_their_own(office, text):
    assert search(office, text) == []


def test_nothing_is_shown_that_a_role_may_not_read(office):
    everything = {"contact", "invoice", "payment", "project", "task", "employee", "account", "journal_entry"}
    may = {
        "accountant": everything,
        "hr": {"project", "task", "employee"},
        "manager": {"contact", "project", "task", "employee"},
        "member": {"project", "task"},
        "viewer": everything - {"employee"},
    }
    words = ("muller", "lodz", "facade", "zoe", "receivable", "je-2")
    for role, types in may.items():
        person = office.colleague(role)
        assert {hit["type"] for word in words for hit in search(person, word)} <= types
        assert {hit["type"] for word in words for hit in search(office, word)} == everything


def test_a_stranger_finds_nothing_of_another_workspace(office, stranger):
    assert search(stranger, "muller") == []


@pytest.mark.parametrize(
    "path",
    ["/finance/contacts", "/finance/invoices", "/finance/payments", "/finance/open-items"],
)
def test_the_lists_fold_as_the_search_does(office, path):
    for text in ("Müller", "mulLER", "sohne müller"):
        assert len(office.ok("GET", path, params={"q": text})) == 1, text
    assert office.ok("GET", path, params={"q": "mueller"}) == []


def test_other_lists_fold_too(office):
    assert len(office.ok("GET", "/projects", params={"q": "lodz brucke"})) == 1
    assert len(office.ok("GET", "/tasks", params={"q": "FACADE"})) == 1
    assert len(office.ok("GET", "/hr/employees", params={"q": "zoe"})) == 1
    office.ok("POST", "/finance/products", {"name": "Glühbirne"})
    assert len(office.ok("GET", "/finance/products", params={"q": "gluh"})) == 1
