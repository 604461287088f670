"""Erasing a person who has left: what goes, what stays until when, and a log that stays valid."""

import io
import zipfile
from contextlib import closing

import pytest

from erp.desk.privacy import erasing, redaction
from erp.store import router
from erp.store.connections import sqlite3
from tests.desk.files import attach, pdf
from tests.desk.privacy.people import (
    ASKED,
    EMAIL,
    IBAN,
    NAME,
    PHONE,
    WORKING,
    amounts,
    days,
    erase,
    events,
    findings,
    hired,
    leaver,
    left,
    sign_in,
    traces,
    worked,
)
from tests.hr.payroll.payrolls import hourly
from tests.refusals import complaint

PATH = "/workspace/people/employee/{}/erase"


@pytest.fixture
def eve(acme, clock_at):
    """The id of Eve, who left on 31 May 2023; it is 26 November 2026."""
    return leaver(acme, clock_at)


def alias(id):
    return f"Person {id[-4:].upper()}"


def test_a_dry_run_says_what_goes_and_what_stays_until_when_and_changes_nothing(acme, eve):
    """people.md 10: attendance until 2025-12-31 is over; leave stays until 2026-12-31, payroll until 2029-12-31."""
    shown = erase(acme, "employee", eve, dry_run=True)
    assert days(shown["keeps"]) == {"leave": "2026-12-31", "files": "2026-12-31", "payroll": "2029-12-31"}
    assert amounts(shown["erases"]) == {"profile": 1, "attendance": 1}
    assert shown["keeps"][-1]["why"] == "Payroll records are kept for 6 years."
    assert shown["redactedEvents"] > 0
    assert shown["backupsUntil"] == "2027-11-01"  # the newest of twelve months, by default
    assert acme.ok("GET", f"/hr/employees/{eve}")["name"] == NAME
    assert events(acme, "person.erased") == []


def test_what_is_entered_late_runs_from_the_day_of_leaving(acme, clock_at):
    clock_at(ASKED)
    eve = hired(acme)
    left(acme, eve)
    kept = days(erase(acme, "employee", eve, dry_run=True)["keeps"])
    assert kept == {"leave": "2026-12-31", "payroll": "2029-12-31"}


def test_an_erasure_leaves_an_alias_and_what_must_be_kept(acme, eve):
    done = erase(acme, "employee", eve)
    assert (done["name"], amounts(done["erases"])) == (alias(eve), {"profile": 1, "attendance": 1})
    shown = acme.ok("GET", f"/hr/employees/{eve}")
    assert shown["name"] == alias(eve)
    empty = ("email", "phone", "bankAccount", "address", "birthday", "emergencyContact", "jobTitle")
    assert [shown[name] for name in empty] == [None] * len(empty)
    assert acme.ok("GET", "/hr/attendance", params={"employeeId": eve}) == []
    (leave,) = acme.ok("GET", "/hr/leaves", params={"employeeId": eve})
    assert (leave["days"], leave["employeeName"]) == ("2", alias(eve))
    (slip,) = acme.ok("GET", "/hr/payroll/payslips", params={"employeeId": eve})
    assert acme.ok("GET", f"/hr/payroll/payslips/{slip['id']}")["snapshot"]["name"] == NAME


def test_the_log_is_valid_and_names_what_it_says_less_of(acme, eve):
    before = acme.ok("GET", "/workspace/events/verify")
    assert (before["isValid"], before["redacted"]) == (True, 0)
    done = erase(acme, "employee", eve)
    after = acme.ok("GET", "/workspace/events/verify")
    assert (after["isValid"], after["redacted"]) == (True, done["redactedEvents"])
    (event,) = events(acme, "person.erased")
    assert event["data"]["reason"] == "Asked for it on 26 November"
    assert len(event["data"]["redactions"]) == done["redactedEvents"]
    created, *_ = events(acme, "employee.created")
    assert created["data"]["name"] == "erased"
    assert findings(acme) == []


def test_nothing_but_what_is_kept_names_the_person(acme, eve):
    assert {each.table for each in traces(acme)} >= {"employee", "event", "attendance_record", "payslip"}
    erase(acme, "employee", eve)
    kept = {
        ("payslip", "snapshot"),  # payroll, until 2029
        ("payroll_run", "variance"),
        ("payroll_run", "warnings"),
        ("leave_application", "reason"),  # leave, until 2026
        ("employee_document", "title"),  # files, until 2026
        ("attachment", "name"),
        ("stored_part", "content"),
    }
    assert traces(acme) - {("event", "data"), ("event", "recorded")} == kept
    with acme.books():
        named = router.WORKSPACE.rows(
            "SELECT type FROM event WHERE instr(data || coalesce(recorded, ''), ?) > 0", (NAME,)
        )
    assert {type for (type,) in named} <= {
        "attachment.added",
        "payroll_run.draft",
        "payroll_run.approved",
        "payroll_run.paid",
    }
    assert traces(acme, EMAIL, PHONE, IBAN) == set()


def test_what_stays_goes_once_its_time_is_over_too(acme, eve, clock_at):
    erase(acme, "employee", eve)
    clock_at("2030-01-02T09:00:00Z")
    sign_in(acme)
    done = erase(acme, "employee", eve)
    assert set(amounts(done["erases"])) == {"leave", "files", "payroll"}
    assert acme.ok("GET", "/hr/leaves", params={"employeeId": eve}) == []
    assert traces(acme) == set()
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    assert findings(acme) == []
    assert amounts(erase(acme, "employee", eve)["erases"]) == {}
    assert len(events(acme, "person.erased")) == 2


def test_the_days_of_others_stay_in_the_log(acme, clock_at):
    """A contract that ended on a day on which someone else was absent."""
    eve = leaver(acme, clock_at, contractEnd="2023-05-31")
    clock_at(WORKING)
    adam = acme.ok("POST", "/hr/employees", {"name": "Adam Apfel", "hireDate": "2022-01-01"})
    day = {"date": "2023-05-31", "status": "absent", "employeeId": adam["id"]}
    acme.ok("POST", "/hr/attendance", day)
    clock_at(ASKED)
    before = [event["data"] for event in events(acme, "attendance.recorded") if event["data"]["date"] == "2023-05-31"]
    assert [data["employeeId"] for data in before] == [adam["id"]]
    erase(acme, "employee", eve)
    after = [event["data"] for event in events(acme, "attendance.recorded")]
    assert before[0] in after


def test_a_namesake_keeps_their_name_in_the_log(acme, clock_at):
    eve = leaver(acme, clock_at)
    clock_at(WORKING)
    acme.ok("POST", "/hr/employees", {"name": NAME, "hireDate": "2023-01-01"})
    clock_at(ASKED)
    erase(acme, "employee", eve)
    assert [event["data"]["name"] for event in events(acme, "employee.created")] == ["erased", NAME]


def test_an_erasure_says_why(acme, eve):
    error = acme.refused("POST", PATH.format(eve), {"reason": " "}, status=422)
    assert complaint(error) == ("reason", "required")
    acme.ok("POST", PATH.format(eve), {"dryRun": True})


def test_erased_attendance_makes_no_difference_in_pay(acme, clock_at):
    """What was paid by attendance that is gone cannot be computed again."""
    eve = leaver(acme, clock_at, compensation=hourly())
    (slip,) = acme.ok("GET", "/hr/payroll/payslips", params={"employeeId": eve})
    assert slip["gross"] == "480.00"  # 8 hours of work and two days of paid leave, at 20.00
    erase(acme, "employee", eve)
    assert acme.ok("GET", "/hr/payroll/differences") == []


def test_whoever_works_here_still_is_not_erased(acme, clock_at):
    clock_at(WORKING)
    eve = hired(acme)
    body = {"reason": "Asked"}
    acme.refused("POST", PATH.format(eve), body, status=409, code="still_employed")
    left(acme, eve, "2023-06-05")
    acme.refused("POST", PATH.format(eve), body, status=409, code="still_employed")  # it is their last day
    clock_at("2023-06-06T09:00:00Z")
    assert "profile" in days(erase(acme, "employee", eve, dry_run=True)["keeps"])  # through the year


def test_whoever_is_still_owed_money_is_not_erased(acme, clock_at):
    clock_at(WORKING)
    eve = hired(acme)
    worked(acme, eve)
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"country": "DE"})
    categories = {each["code"]: each["id"] for each in acme.ok("GET", "/hr/expense-categories")}
    drive = {"kind": "mileage", "date": "2023-05-03", "distance": "20.0", "vehicle": "car"}
    claim = {"employeeId": eve, "title": "Drive", "lines": [drive | {"categoryId": categories["mileage"]}]}
    made = acme.ok("POST", "/hr/expense-claims", claim)
    acme.ok("POST", f"/hr/expense-claims/{made['id']}/submit", {})
    left(acme, eve)
    clock_at(ASKED)
    acme.refused("POST", PATH.format(eve), {"reason": "Asked"}, status=409, code="balance_open")


def test_the_log_is_read_before_the_file_is_locked_and_then_only_what_is_new(acme, eve, monkeypatch):
    found = []
    find, judge = redaction.find, erasing.judge

    def counted(*about, **after):
        found.append((after, find(*about, **after)))
        return found[-1][1]

    def judged(*whom):
        plan = judge(*whom)
        acme.ok("POST", "/tasks", {"title": EMAIL})
        return plan

    monkeypatch.setattr(redaction, "find", counted)
    monkeypatch.setattr(erasing, "judge", judged)
    last = acme.ok("GET", "/workspace/events/verify")["events"]
    done = erase(acme, "employee", eve)
    (before, old), (since, new) = found
    assert (before, since) == ({}, {"after": last})
    assert (len(new), len(old) + 1) == (1, done["redactedEvents"])
    assert [event["data"]["title"] for event in events(acme, "task.created")] == ["erased"]
    assert findings(acme) == []


def test_texts_of_the_work_that_have_the_name_are_counted_and_stay(acme, eve):
    task = acme.ok("POST", "/tasks", {"title": f"Ask {NAME.lower()}", "description": f"{NAME} knows"})
    acme.ok("POST", f"/tasks/{task['id']}/comments", {"text": "ÉVA SONNENSCHEIN does not answer"})
    acme.ok("POST", f"/tasks/{task['id']}/comments", {"text": "Eva is gone"})
    attach(acme, pdf(500, b"letter"), f"Letter to {NAME}.pdf", ("task", task["id"]))
    found = {"task": 1, "task_comment": 1, "attachment": 1}
    assert amounts(erase(acme, "employee", eve, dry_run=True)["mentions"]) == found
    with zipfile.ZipFile(io.BytesIO(acme.call("GET", f"/workspace/people/employee/{eve}/export").content)) as zipped:
        assert "task 1, task_comment 1, attachment 1" in zipped.read("README.txt").decode()
    assert amounts(erase(acme, "employee", eve)["mentions"]) == found
    assert acme.ok("GET", f"/tasks/{task['id']}")["description"] == f"{NAME} knows"


def altered(acme, statement):
    """The answer of `verify` after another program has changed the file."""
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    with closing(sqlite3.connect(path)) as file:
        triggers = file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            file.execute(f"DROP TRIGGER {name}")
        file.execute(statement)
        for _, made in triggers:
            file.execute(made)
        file.commit()
    return acme.ok("GET", "/workspace/events/verify")


def test_another_change_of_a_redacted_event_is_found(acme, eve):
    erase(acme, "employee", eve)
    (event,) = events(acme, "employee.created")
    broken = altered(acme, f"UPDATE event SET data = replace(data, 'erased', 'Adam') WHERE seq = {event['seq']}")
    assert (broken["isValid"], broken["brokenAt"]) == (False, event["seq"])


def test_an_erasure_that_was_altered_excuses_nothing(acme, eve):
    erase(acme, "employee", eve)
    (event,) = events(acme, "person.erased")
    first = event["data"]["redactions"][0]["seq"]
    broken = altered(acme, f"UPDATE event SET data = replace(data, 'Asked', 'Hoped') WHERE seq = {event['seq']}")
    assert (broken["isValid"], broken["brokenAt"]) == (False, first)


def test_only_an_erasure_passes_what_the_file_protects(acme, eve):
    """The triggers let a row go while the erasing transaction says so, and it cannot be committed without its event."""
    with acme.books(write=True):
        for statement in (
            "DELETE FROM leave_entry",
            "UPDATE event SET data = '{}'",
            "UPDATE payslip SET snapshot = '{}'",
            "UPDATE payslip SET reimbursements = 1",
        ):
            with pytest.raises(Exception, match="never"):
                router.WORKSPACE.run(statement)
    begun = "INSERT INTO erasure (person_id, event_seq) SELECT 'x', max(seq) + 1 FROM event"

    def begin(*refused: tuple[str, str]) -> None:
        with acme.books(write=True):
            router.WORKSPACE.run(begun)
            for words, statement in refused:
                with pytest.raises(Exception, match=words):
                    router.WORKSPACE.run(statement)

    unnamed = "INSERT INTO event SELECT seq + 1, 'x', 'person.erased', occurred_at, actor, 'employee', 'x', '{}', NULL,"
    unnamed += " hash, hash FROM event ORDER BY seq DESC LIMIT 1"
    with acme.books(write=True), router.WORKSPACE.undone():
        with pytest.raises(Exception, match="only an erasure"):
            router.WORKSPACE.run("INSERT INTO erasure_event VALUES (1)")
        router.WORKSPACE.run(begun)
        router.WORKSPACE.run("INSERT INTO erasure_event VALUES (1)")
        router.WORKSPACE.run("UPDATE event SET data = '{}' WHERE seq = 1")
        for statement in ("DELETE FROM erasure_event", unnamed):
            with pytest.raises(Exception, match="an erasure (is ended by|names)"):
                router.WORKSPACE.run(statement)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        begin(
            ("never changed", "UPDATE event SET data = '{}'"),  # none of them is named
            ("never deleted", "DELETE FROM leave_entry"),  # the entries of another
            ("ended by its event", "DELETE FROM erasure"),
            ("never changed", "UPDATE erasure SET person_id = 'y'"),
        )


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_others_may_not_erase(acme, eve, role):
    acme.colleague(role).refused("POST", PATH.format(eve), {"reason": "x"}, status=403, code="forbidden")


def test_hr_erases_employees_alone(acme, eve):
    hr = acme.colleague("hr")
    customer = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Alster"})
    hr.refused(
        "POST", f"/workspace/people/contact/{customer['id']}/erase", {"reason": "x"}, status=403, code="forbidden"
    )
    assert erase(hr, "employee", eve)["name"] == alias(eve)
    hr.refused("POST", PATH.format(customer["id"]), {"reason": "x"}, status=404, code="not_found")
    acme.refused("POST", f"/workspace/people/animal/{eve}/erase", {"reason": "x"}, status=404, code="not_found")
