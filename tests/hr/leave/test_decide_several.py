"""Several decisions on leave at once: all or none."""

import pytest

from tests.hr.leave.applications import ask, decide, hired, hired_colleague, left
from tests.refusals import complaints


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def body(*decisions):
    return {
        "decisions": [
            {"leaveId": asked["id"], "decision": decision, **({"note": note[0]} if note else {})}
            for asked, decision, *note in decisions
        ]
    }


def decide_all(office, *decisions, **options):
    return office.ok("POST", "/hr/leaves/decide", body(*decisions), **options)["leaves"]


def refused(office, *decisions, status=422):
    return office.refused("POST", "/hr/leaves/decide", body(*decisions), status=status)


def status(office, asked):
    return office.ok("GET", f"/hr/leaves/{asked['id']}")["status"]


def test_leave_is_approved_and_rejected_together(acme):
    mia, otto = hired(acme, "Mia"), hired(acme, "Otto")
    first = ask(acme, "2026-05-04", "2026-05-08", employeeId=mia)
    second = ask(acme, "2026-05-04", "2026-05-08", employeeId=otto)
    made = decide_all(acme, (first, "approve"), (second, "reject", "One of you must stay."))
    assert [(leave["status"], leave["decisionNote"]) for leave in made] == [
        ("approved", None),
        ("rejected", "One of you must stay."),
    ]
    assert (left(acme, mia), left(acme, otto)) == (("15", "0", "15"), ("20", "0", "20"))


def test_what_cannot_be_decided_is_named_by_its_row_and_nothing_is(acme):
    mia, otto = hired(acme, "Mia"), hired(acme, "Otto")
    open_one = ask(acme, "2026-05-04", employeeId=mia)
    decided = ask(acme, "2026-05-05", employeeId=mia)
    decide(acme, decided)
    worked = ask(acme, "2026-03-02", employeeId=otto)
    acme.ok("POST", "/hr/attendance", {"employeeId": otto, "date": "2026-03-02", "status": "present"})
    error = refused(acme, (open_one, "approve"), (decided, "reject"), ({"id": "none"}, "approve"), (worked, "approve"))
    assert complaints(error) == {
        "decisions[1]": "invalid_transition",
        "decisions[2].leaveId": "unknown_reference",
        "decisions[3].startDate": "at_work_then",
    }
    assert status(acme, open_one) == "pending"
    assert left(acme, mia) == ("19", "1", "18")


def test_the_same_request_is_decided_once(acme):
    asked = ask(acme, "2026-05-04", employeeId=hired(acme, "Mia"))
    assert complaints(refused(acme, (asked, "approve"), (asked, "reject"))) == {"decisions[1]": "invalid_transition"}
    assert status(acme, asked) == "pending"


def test_nobody_but_an_owner_decides_on_their_own_nor_a_manager_on_others(acme):
    manager, own = hired_colleague(acme, "manager")
    report, stranger = hired(acme, "Report", managerEmployeeId=own), hired(acme, "Stranger")
    asked = [ask(acme, "2026-05-04", employeeId=id) for id in (report, own, stranger)]
    error = refused(manager, *((each, "approve") for each in asked))
    assert complaints(error) == {"decisions[1]": "own_leave", "decisions[2]": "forbidden"}
    assert decide_all(manager, (asked[0], "approve"))[0]["status"] == "approved"
    refused(acme.colleague("member"), (asked[1], "approve"), status=403)


def test_a_decision_that_is_sent_again_is_taken_once(acme):
    asked = ask(acme, "2026-05-04", employeeId=hired(acme, "Mia"))
    key = {"Idempotency-Key": "decide"}
    assert decide_all(acme, (asked, "approve"), headers=key) == decide_all(acme, (asked, "approve"), headers=key)
