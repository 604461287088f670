"""Files of records: who reads and adds them, which stay, and which go with their record."""

import json

import pytest

from erp.store import router
from tests.desk.files import PATH, attach, check, content, files, options, pdf, refused, stored
from tests.events import events_of, last_event
from tests.finance.billing.time_logs import hourly_project, project_task, time_invoice, time_log
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.hr.employees.employees import IBAN, hire
from tests.hr.expenses.claims import draft as claim
from tests.hr.expenses.claims import posted as posted_claim
from tests.hr.expenses.claims import receipt
from tests.projects.projects import plan
from tests.tasks.tasks import add as task

ACCOUNTING = {"owner", "admin", "accountant"}
BOOKS = ACCOUNTING | {"viewer"}
EVERYONE = BOOKS | {"hr", "manager", "member"}
RIGHTS = {
    None: (BOOKS, ACCOUNTING),
    "invoice": (BOOKS, ACCOUNTING),
    "payment": (BOOKS, ACCOUNTING),
    "journal_entry": (BOOKS, ACCOUNTING),
    "contact": (BOOKS | {"manager"}, ACCOUNTING),
    "project": (EVERYONE, {"owner", "admin", "manager"}),
    "task": (EVERYONE, {"owner", "admin", "manager"}),
    "employee": ({"owner", "admin", "hr"}, {"owner", "admin", "hr"}),
}
"""Who reads the files of a record, and who adds and removes them, by its type; None is the inbox."""

DRIVE = {"kind": "mileage", "date": "2026-01-05", "distance": "10", "vehicle": "car", "country": "DE"}


def posted(office, type):
    """An issued invoice, or an expense claim that has been posted."""
    if type == "invoice":
        return ("invoice", invoice(office, "60.00")["id"])
    claimant = office.colleague("member")
    account = {"holder": "Dan Iel", "iban": IBAN}
    hire(office, name="Dan Iel", userId=claimant.user["id"], bankAccount=account)
    return ("expense_claim", posted_claim(claimant, office, receipt("10.00", date="2026-01-05"))["id"])


def recorded(office, type):
    """The tables whose rows the only event of a type records."""
    with office.books():
        ((rows,),) = router.WORKSPACE.rows("SELECT recorded FROM event WHERE type = ?", (type,))
    return sorted(json.loads(rows))


def record(office, type):
    """A record of a type, as a request about its files names it."""
    if type is None:
        return None
    makers = {
        "invoice": lambda: bill(office, "60.00", draft=True),
        "payment": lambda: payment(office, "5.00", contactId=customer(office, "Initech")["id"], date="2026-01-05"),
        "journal_entry": lambda: entry(office),
        "contact": lambda: customer(office),
        "project": lambda: plan(office),
        "task": lambda: task(office),
        "employee": lambda: hire(office),
        "expense_claim": lambda: claim(office, DRIVE, employeeId=hire(office)["id"]),
    }
    return (type, makers[type]()["id"])


@pytest.mark.parametrize("type", RIGHTS)
def test_the_rights_of_a_record_are_those_of_its_files(acme, type):
    readers, writers = RIGHTS[type]
    of = record(acme, type)
    kept = attach(acme, pdf(), "first.pdf", of)["id"]
    for role in sorted(EVERYONE - {"owner"}):
        person = acme.colleague(role)
        read = person.call("GET", f"{PATH}/{kept}/content").status_code
        assert read == (200 if role in readers else 403), role
        assert person.call("GET", f"{PATH}/{kept}").status_code == read
        if of is None:
            assert (kept in [row["id"] for row in files(person, isFiled=False)]) == (role in readers), role
        else:
            shown = person.call("GET", PATH, params={"resourceType": of[0], "resourceId": of[1]})
            assert shown.status_code == read, role
        assert (kept in [row["id"] for row in files(person)]) == (role in readers), role
        wrote = person.call("POST", PATH, **options(pdf(500), "second.pdf", of)).status_code
        assert wrote == (201 if role in writers else 403), role
        removed = person.call("DELETE", f"{PATH}/{kept}").status_code if role not in writers else 403
        assert removed == 403, role


def test_people_see_their_own_files_and_add_to_their_own_tasks(acme):
    maria = acme.colleague("member")
    own, other = hire(acme, userId=maria.user["id"]), hire(acme, name="Ben Vogt")
    contract = attach(acme, pdf(), "contract.pdf", ("employee", own["id"]))
    secret = attach(acme, pdf(500), "warning.pdf", ("employee", other["id"]))
    assert [row["name"] for row in files(maria)] == ["contract.pdf"]
    assert content(maria, contract["id"]) == pdf()
    assert contract["can"] == ["delete"]
    assert files(maria)[0]["can"] == []
    maria.refused("GET", f"{PATH}/{secret['id']}", status=403)
    refused(maria, pdf(), "a.pdf", ("employee", own["id"]), status=403)
    hers, others = task(maria), task(acme)
    assert attach(maria, pdf(), "sketch.pdf", ("task", hers["key"]))["resourceName"] == hers["key"]
    error = refused(maria, pdf(), "a.pdf", ("task", others["id"]), status=403)
    assert "Olga" in error["message"]


def test_an_employees_files_are_not_named_in_the_log(acme):
    of = record(acme, "employee")
    attach(acme, pdf(), "second warning.pdf", of)
    type, data = last_event(acme)
    assert type == "attachment.added"
    assert sorted(data) == ["attachmentId", "mediaType", "sha256", "size"]


def test_no_one_is_told_of_a_file_that_they_may_not_read(acme):
    attach(acme, pdf(), "contract.pdf", record(acme, "employee"))
    attach(acme, pdf(), "contract.pdf")
    manager, of = acme.colleague("manager"), record(acme, "project")
    assert attach(manager, pdf(), "contract.pdf", of)["warnings"] == []
    assert attach(acme, pdf(), "contract.pdf", of)["warnings"] == [
        "This file is already on Anna Ritter.",
        "This file is already on Website.",
        "This file is already in the inbox.",
    ]


def test_no_one_sees_the_files_of_another_office(acme, stranger):
    kept = attach(acme, pdf(), "a.pdf")["id"]
    stranger.refused("GET", f"{PATH}/{kept}/content", status=404)
    assert files(stranger) == []


@pytest.mark.parametrize("type", ["payment", "journal_entry", "invoice"])
def test_the_files_of_what_is_posted_stay(acme, type):
    of = ("invoice", invoice(acme, "60.00")["id"]) if type == "invoice" else record(acme, type)
    kept = attach(acme, pdf(), "a.pdf", of)
    assert kept["can"] == []
    error = acme.refused("DELETE", f"{PATH}/{kept['id']}", status=409, code="files_stay")
    assert (
        error["message"]
        == f"{kept['resourceName']} has been posted, so its files cannot be removed. Add another file instead."
    )
    attach(acme, pdf(500), "b.pdf", of)
    assert [row["name"] for row in files(acme, of)] == ["b.pdf", "a.pdf"]
    with acme.books(write=True), pytest.raises(Exception, match="a file of a posted record is never deleted"):
        router.WORKSPACE.run("DELETE FROM attachment WHERE id = ?", (kept["id"],))
    with acme.books(write=True), pytest.raises(Exception, match="a file of a record is never changed"):
        router.WORKSPACE.run("UPDATE attachment SET name = 'c.pdf' WHERE id = ?", (kept["id"],))
    with acme.books(write=True), pytest.raises(Exception, match="a file that is kept is never changed"):
        router.WORKSPACE.run("UPDATE stored_part SET content = x'00'")


@pytest.mark.parametrize("type", ["invoice", "expense_claim"])
def test_the_files_of_what_is_posted_are_neither_detached_nor_deleted(acme, type):
    of = posted(acme, type)
    detach = "UPDATE attachment SET resource_type = NULL, resource_id = NULL WHERE resource_id = ?"
    if type == "invoice":
        attach(acme, pdf(), "a.pdf", of)
    before = files(acme, of)
    assert before
    with acme.books(write=True), pytest.raises(Exception, match="a file of a record is never changed"):
        router.WORKSPACE.run(detach, (of[1],))
    with acme.books(write=True), pytest.raises(Exception, match="a file of a posted record is never deleted"):
        router.WORKSPACE.run("DELETE FROM attachment WHERE resource_id = ?", (of[1],))
    assert files(acme, of) == before


def test_a_drafts_files_stay_once_it_is_posted(acme):
    drafted = bill(acme, "60.00", draft=True)
    kept = attach(acme, pdf(), "a.pdf", ("invoice", drafted["id"]))
    assert kept["can"] == ["delete"]
    acme.ok("POST", f"/finance/invoices/{drafted['id']}/issue", {})
    acme.refused("DELETE", f"{PATH}/{kept['id']}", status=409, code="files_stay")


@pytest.mark.parametrize("type", [None, "invoice", "contact", "project", "task", "employee"])
def test_elsewhere_a_file_can_be_removed_and_its_bytes_go_with_the_last_record(acme, type):
    of = record(acme, type)
    first, second = attach(acme, pdf(), "a.pdf", of), attach(acme, pdf(), "b.pdf", of)
    acme.ok("DELETE", f"{PATH}/{first['id']}")
    assert stored(acme) == (1, 400)
    acme.ok("DELETE", f"{PATH}/{second['id']}")
    assert stored(acme) == (0, 0)
    assert last_event(acme)[0] == "attachment.removed"
    acme.refused("GET", f"{PATH}/{first['id']}/content", status=404)
    assert check(acme) == []


@pytest.mark.parametrize(
    ("type", "path"),
    [
        ("invoice", "/finance/invoices"),
        ("contact", "/finance/contacts"),
        ("project", "/projects"),
        ("task", "/tasks"),
        ("expense_claim", "/hr/expense-claims"),
    ],
)
def test_the_files_of_a_record_go_with_it(acme, type, path):
    of = record(acme, type)
    attach(acme, pdf(), "a.pdf", of)
    acme.ok("DELETE", f"{path}/{of[1]}")
    assert files(acme) == []
    assert stored(acme) == (0, 0)
    assert check(acme) == []


@pytest.mark.parametrize(
    ("type", "path"),
    [
        ("invoice", "/finance/invoices"),
        ("contact", "/finance/contacts"),
        ("project", "/projects"),
        ("task", "/tasks"),
        ("expense_claim", "/hr/expense-claims"),
    ],
)
def test_a_file_of_the_inbox_is_there_again_without_its_record(acme, type, path):
    of = record(acme, type)
    received = attach(acme, pdf(), "received.pdf")
    attach(acme, pdf(500), "own.pdf", of)
    acme.ok("POST", f"{PATH}/{received['id']}/file", {"resourceType": type, "resourceId": of[1]})
    assert files(acme, isFiled=False) == []
    acme.ok("DELETE", f"{path}/{of[1]}")
    (back,) = files(acme)
    assert (back["id"], back["resourceType"], back["can"]) == (received["id"], None, ["bill", "delete", "file"])
    assert content(acme, received["id"]) == pdf()
    assert stored(acme)[0] == 1
    assert events_of(acme, received["id"])[-1] == "attachment.returned"
    assert recorded(acme, "attachment.returned") == ["attachment"]
    assert check(acme) == []


def test_the_time_that_a_deleted_draft_frees_is_recorded_with_the_deletion(acme):
    project = hourly_project(acme, customer_id=customer(acme)["id"])
    time_log(acme, project_task(acme, project["id"])["id"], date="2026-01-05")
    of = ("invoice", time_invoice(acme, projectId=project["id"])["id"])
    received = attach(acme, pdf(), "received.pdf")
    acme.ok("POST", f"{PATH}/{received['id']}/file", {"resourceType": of[0], "resourceId": of[1]})
    acme.ok("DELETE", f"/finance/invoices/{of[1]}")
    assert recorded(acme, "attachment.returned") == ["attachment"]
    assert "time_log" in recorded(acme, "invoice.deleted")


def test_a_record_that_does_not_exist_is_named(acme):
    error = refused(acme, pdf(), "a.pdf", ("invoice", "R-1"), status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("resourceId", "unknown_reference")]
    acme.refused("GET", PATH, params={"resourceType": "task", "resourceId": "T-1"}, status=422)
    error = acme.refused("GET", PATH, params={"resourceId": "x"}, status=400)
    assert error["message"] == "resourceType: Name the kind of the record in resourceId."
