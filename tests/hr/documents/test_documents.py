"""Documents of employees: their files, who reads them, and their reminders."""

import pytest

from erp.store import router
from tests.desk.files import OCTETS, attach, pdf
from tests.hr.documents.documents import at, document, path_of, permit
from tests.hr.employees.employees import change, hire


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def titles(office, path="/hr/documents", **params):
    return [each["title"] for each in office.ok("GET", path, params=params)]


def expiring(office):
    return office.ok("GET", "/workspace/home")["documentsExpiring"]


def test_a_document_is_added_with_its_file(acme):
    anna = hire(acme)
    made = document(acme, anna["id"], validFrom="2025-04-01", validUntil="2026-04-01")
    assert {
        name: made[name] for name in ("kind", "title", "employeeName", "validFrom", "validUntil", "remindDays")
    } == {
        "kind": "permit",
        "title": "Residence permit",
        "employeeName": "Anna Ritter",
        "validFrom": "2025-04-01",
        "validUntil": "2026-04-01",
        "remindDays": 30,
    }
    assert (made["remindsOn"], made["isDue"], made["visibility"]) == ("2026-03-02", True, "hr")
    assert made["can"] == ["archive", "change", "delete", "done", "replace"]
    assert made["attachmentName"] == "permit.pdf"
    content = acme.call("GET", f"/workspace/attachments/{made['attachmentId']}/content")
    assert content.content == pdf()
    assert acme.ok("GET", at(made)) == made
    assert acme.ok("GET", path_of(anna["id"])) == [made] == acme.ok("GET", "/hr/documents")


def test_a_file_can_be_sent_as_the_body(acme):
    anna = hire(acme)
    params = {"kind": "licence", "title": "Driving licence", "name": "licence.pdf"}
    made = acme.ok("POST", path_of(anna["id"]), raw=pdf(), params=params, headers=OCTETS)
    assert (made["kind"], made["attachmentName"]) == ("licence", "licence.pdf")


def test_a_file_of_the_employee_or_the_inbox_becomes_that_of_a_document(acme):
    anna, ben = hire(acme), hire(acme, name="Ben")
    own = attach(acme, pdf(), "own.pdf", ("employee", anna["id"]))
    waiting = attach(acme, pdf(500), "inbox.pdf")
    others = attach(acme, pdf(600), "other.pdf", ("employee", ben["id"]))
    for file in (own, waiting):
        body = {"kind": "other", "title": "Paper", "attachmentId": file["id"]}
        made = acme.ok("POST", path_of(anna["id"]), body)
        assert made["attachmentId"] == file["id"]
        moved = acme.ok("GET", f"/workspace/attachments/{file['id']}")
        assert (moved["resourceType"], moved["resourceId"]) == ("employee_document", made["id"])
    body = {"kind": "other", "title": "Paper", "attachmentId": others["id"]}
    acme.refused("POST", path_of(anna["id"]), body, status=422, code="unknown_reference")
    hr = acme.colleague("hr")
    body["attachmentId"] = attach(acme, pdf(700), "bill.pdf")["id"]
    hr.refused("POST", path_of(anna["id"]), body, status=422, code="unknown_reference")  # the inbox is not theirs


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"file": None}, "file", "required"),
        ({"attachmentId": "x"}, "file", "required"),
        ({"name": None}, "name", "required"),
        ({"kind": "sick_note", "visibility": "person"}, "visibility", "not_applicable"),
        ({"validFrom": "2026-03-02", "validUntil": "2026-03-01"}, "validUntil", "reversed"),
        ({"kind": "photo"}, "kind", "not_one_of"),
        ({"remindDays": 366}, "remindDays", "out_of_range"),
    ],
)
def test_a_document_that_does_not_fit_is_refused(acme, fields, field, code):
    refusal = acme.refused("POST", path_of(hire(acme)["id"]), permit(**fields), status=422, code="validation_failed")
    assert [(each["field"], each["code"]) for each in refusal["details"]] == [(field, code)]


def test_the_person_reads_what_is_shown_to_them_and_never_a_sick_note(acme):
    mia, hr = acme.colleague("member"), acme.colleague("hr")
    own = hire(acme, name="Mia", userId=mia.user["id"])["id"]
    shown = document(hr, own, title="Contract", kind="contract", visibility="person")
    hidden = document(hr, own, title="Warning", kind="other")
    sick = document(hr, own, title="Flu", kind="sick_note")
    others = document(hr, hire(acme, name="Ben")["id"], visibility="person")
    assert titles(mia) == ["Contract"] == titles(mia, path_of(own))
    assert sorted(titles(hr)) == ["Contract", "Flu", "Residence permit", "Warning"]
    mine = mia.ok("GET", at(shown))
    assert mine["can"] == []
    assert mia.call("GET", f"/workspace/attachments/{mine['attachmentId']}/content").content == pdf()
    for unseen in (hidden, sick, others):
        mia.refused("GET", at(unseen), status=404, code="not_found")
        path = f"/workspace/attachments/{unseen['attachmentId']}"
        mia.refused("GET", path, status=403, code="forbidden")
        mia.refused("GET", f"{path}/content", status=403, code="forbidden")
    files = mia.ok("GET", "/workspace/attachments")
    assert [file["id"] for file in files] == [mine["attachmentId"]]
    assert titles(mia, path_of(others["employeeId"])) == []
    mia.refused("GET", "/hr/documents", params={"employeeId": others["employeeId"]}, status=403, code="forbidden")


def test_neither_the_kind_nor_the_title_of_a_document_is_in_the_log(acme):
    made = document(acme, hire(acme)["id"], kind="sick_note", title="Burnout clinic")
    change_path = at(made)
    acme.ok("PATCH", change_path, {"title": "Clinic, twice"})
    log = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"]})
    assert {event["type"] for event in log} == {
        "attachment.added",
        "employee_document.created",
        "employee_document.updated",
    }
    assert not any(word in str(log) for word in ("sick_note", "linic", "permit.pdf"))


def test_a_sick_note_stays_with_hr(acme):
    made = document(acme, hire(acme)["id"], kind="sick_note")
    path = at(made)
    acme.refused("PATCH", path, {"visibility": "person"}, status=422, code="validation_failed")
    shown = acme.ok("PATCH", path, {"kind": "other", "visibility": "person"})
    acme.refused("PATCH", path, {"kind": "sick_note"}, status=422, code="validation_failed")
    assert shown["visibility"] == "person"


def test_a_reminder_begins_on_its_day_and_ends_when_the_document_is_replaced(acme, clock_at):
    anna = hire(acme)["id"]
    old = document(acme, anna, validUntil="2026-03-20", remindDays=14)
    assert old["remindsOn"] == "2026-03-06"
    clock_at("2026-03-05T12:00:00Z")
    assert expiring(acme) == {"total": 0, "items": []}
    clock_at("2026-03-06T12:00:00Z")
    (item,) = expiring(acme)["items"]
    assert item == {
        "id": old["id"],
        "employeeId": anna,
        "employeeName": "Anna Ritter",
        "kind": "permit",
        "title": "Residence permit",
        "validUntil": "2026-03-20",
    }
    clock_at("2026-03-25T12:00:00Z")
    assert expiring(acme)["total"] == 1  # until something is done about it
    new = document(acme, anna, validUntil="2028-06-30", title="New permit", replacesDocumentId=old["id"])
    assert expiring(acme)["total"] == 0
    after = acme.ok("GET", at(old))
    assert (after["replacedById"], after["replacedByTitle"], after["isDue"]) == (new["id"], "New permit", False)
    again = permit(replacesDocumentId=old["id"])
    acme.refused("POST", path_of(anna), again, status=409, code="invalid_transition")
    acme.refused("DELETE", at(new), status=409, code="in_use")
    acme.refused("POST", path_of(hire(acme, name="Ben")["id"]), again, status=422, code="unknown_reference")


def test_a_reminder_is_ended_and_another_last_day_begins_a_new_one(acme):
    made = document(acme, hire(acme)["id"], validUntil="2026-03-10")
    path = at(made)
    assert expiring(acme)["total"] == 1
    ended = acme.ok("POST", f"{path}/done", {})
    assert (ended["isDue"], ended["doneAt"]) == (False, "2026-03-02T09:00:00.000Z")
    assert expiring(acme)["total"] == 0
    acme.refused("POST", f"{path}/done", {}, status=409, code="nothing_to_remind")
    acme.ok("PATCH", path, {"title": "Permit"})
    assert expiring(acme)["total"] == 0
    again = acme.ok("PATCH", path, {"validUntil": "2026-03-20"})
    assert (again["isDue"], again["doneAt"]) == (True, None)
    assert expiring(acme)["total"] == 1


def test_no_one_is_reminded_of_the_papers_of_a_leaver(acme, clock_at):
    anna = hire(acme)["id"]
    document(acme, anna, validUntil="2026-04-01")
    acme.ok("POST", f"/hr/employees/{anna}/terminate", {"date": "2026-03-05"})
    assert expiring(acme)["total"] == 1
    clock_at("2026-03-06T12:00:00Z")
    assert expiring(acme)["total"] == 0


def test_the_list_finds_what_expires_through_a_day(acme):
    anna = hire(acme)["id"]
    document(acme, anna, title="Never")
    document(acme, anna, title="June", validUntil="2026-06-30")
    document(acme, anna, title="July", validUntil="2026-07-01")
    done = document(acme, anna, title="Done", validUntil="2026-05-01")
    acme.ok("POST", at(done, "/done"), {})
    old = document(acme, anna, title="Old", validUntil="2026-04-01")
    document(acme, anna, title="Its successor", validUntil="2027-04-01", replacesDocumentId=old["id"])
    assert titles(acme, expiresThrough="2026-06-30") == ["June"]
    assert titles(acme, expiresThrough="2026-07-01", sort="validUntil") == ["June", "July"]
    assert titles(acme, sort="-validUntil")[:2] == ["Never", "Its successor"]
    assert titles(acme, kind="contract") == []
    assert len(titles(acme, employeeId=hire(acme, name="Ben", employeeNumber="B-7") and anna)) == 6


def test_a_contract_is_archived_and_any_other_document_deleted_with_its_files(acme):
    anna = hire(acme)["id"]
    contract, other = document(acme, anna, kind="contract"), document(acme, anna, kind="training", title="First aid")
    assert "delete" not in contract["can"]
    acme.refused("DELETE", at(contract), status=409, code="contract_stays")
    acme.ok("DELETE", at(other))
    acme.refused("GET", f"/workspace/attachments/{other['attachmentId']}", status=404, code="not_found")
    archived = acme.ok("POST", at(contract, "/archive"), {})
    assert (archived["can"], titles(acme), titles(acme, isArchived="true")) == (["unarchive"], [], ["Residence permit"])
    acme.ok("POST", at(contract, "/unarchive"), {})
    assert titles(acme) == ["Residence permit"]


PERSONAL = {
    "contractEnd": "2026-12-31",
    "probationEnd": "2026-06-30",
    "birthday": "1990-05-17",
    "emergencyContact": {"name": "Paul Ritter", "phone": "+49 40 2"},
}


def test_personal_days_and_the_emergency_contact_are_for_the_person_and_hr(acme):
    anna, ben = acme.colleague("member"), acme.colleague("manager")
    made = hire(acme, userId=anna.user["id"], **PERSONAL)
    path = f"/hr/employees/{made['id']}"
    assert {name: made[name] for name in PERSONAL} == PERSONAL
    assert {name: anna.ok("GET", path)[name] for name in PERSONAL} == PERSONAL
    assert not PERSONAL.keys() & ben.ok("GET", path).keys()
    changed = change(acme, made, emergencyContact=None, contractEnd=None)
    assert (changed["emergencyContact"], changed["contractEnd"], changed["birthday"]) == (None, None, "1990-05-17")
    assert not any(text in str(acme.ok("GET", "/workspace/events")) for text in ("1990-05-17", "Paul"))


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("contractEnd", "2025-12-31", "reversed"),
        ("probationEnd", "2025-12-31", "reversed"),
        ("birthday", "2026-03-03", "in_future"),
    ],
)
def test_a_personal_day_that_does_not_fit_is_refused(acme, field, value, code):
    made = hire(acme)
    refusal = acme.refused("PATCH", f"/hr/employees/{made['id']}", {field: value}, status=422, code="validation_failed")
    assert [(each["field"], each["code"]) for each in refusal["details"]] == [(field, code)]


@pytest.mark.parametrize(
    ("today", "shown"),
    [
        ("2026-05-30", []),
        ("2026-05-31", [("probation", "2026-06-30")]),
        ("2026-06-30", [("probation", "2026-06-30")]),
        ("2026-07-01", []),
        ("2026-12-01", [("contract", "2026-12-31")]),
        ("2026-12-31", [("contract", "2026-12-31")]),
        ("2027-01-01", []),
    ],
)
def test_home_tells_of_contracts_and_probations_that_end_within_thirty_days(installation, clock_at, today, shown):
    clock_at(f"{today}T12:00:00Z")
    office = installation.office("Vera")
    anna = hire(office, **PERSONAL)

    def ending():
        return office.ok("GET", "/workspace/home")["employmentsEnding"]["items"]

    about = {"employeeId": anna["id"], "employeeName": "Anna Ritter"}
    assert ending() == [about | {"kind": kind, "date": day} for kind, day in shown]
    office.ok("POST", f"/hr/employees/{anna['id']}/terminate", {"date": "2027-01-15"})
    assert [each["kind"] for each in ending()] == [kind for kind, _ in shown if kind == "probation"]


def test_the_file_protects_the_files_of_a_person(acme):
    """A file of a person's record can become a document of theirs, and of no one else, nor go to the inbox."""
    eve, adam = (
        acme.ok("POST", "/hr/employees", {"name": name, "hireDate": "2026-01-01"})["id"] for name in ("E", "A")
    )
    file = attach(acme, pdf(500), "cv.pdf", ("employee", eve))
    other = document(acme, adam)
    move = "UPDATE attachment SET resource_type = ?, resource_id = ? WHERE id = ?"
    for resource in (("employee_document", other["id"]), (None, None), ("contact", eve)):
        with acme.books(write=True), pytest.raises(Exception, match="a file of a record is never changed"):
            router.WORKSPACE.run(move, (*resource, file["id"]))
    assert document(acme, eve, file=None, name=None, attachmentId=file["id"])["attachmentId"] == file["id"]
