"""What may be done with a correction now: what `can` offers works, the rest is refused."""

import pytest

from tests.hr.attendance.records import NOW, employee_at_work, punch

CORRECTIONS = "/hr/attendance-corrections"
ALL, DECIDE, NOTHING = "approve cancel reject", "approve reject", ""
PATHS = {"approve": "approve", "cancel": "cancel", "reject": "reject", "undo": "decision/undo"}
PENDING = {"owner": DECIDE, "hr": DECIDE, "boss": DECIDE, "other": NOTHING, "self": "cancel"}
DECIDED = {"owner": "undo", "hr": "undo", "boss": "undo", "other": NOTHING, "self": NOTHING}
OFFERED = {"pending": PENDING, "approve": DECIDED, "reject": DECIDED, "cancel": dict.fromkeys(PENDING, NOTHING)}


@pytest.fixture
def people(acme, clock_at):
    """Mia, whose day it is, her manager, another manager, somebody of HR and the owner."""
    clock_at(NOW)
    return acme.once(_people)


def _people(acme):
    mia, boss, other, hr = (acme.colleague(role) for role in ("member", "manager", "manager", "hr"))
    boss_id = employee_at_work(acme, "Mona", boss)
    mia_id = employee_at_work(acme, "Mia", mia)
    acme.ok("PATCH", f"/hr/employees/{mia_id}", {"managerEmployeeId": boss_id})
    employee_at_work(acme, "Otto", other)
    return {"owner": acme, "hr": hr, "boss": boss, "other": other, "self": mia}


def ask(person):
    body = {"date": "2026-03-02", "punches": [punch("03-02 08:00", "18:00")], "reason": "Stayed for the delivery"}
    return person.ok("POST", CORRECTIONS, body)["id"]


def can(person, id):
    """What a correction offers, by itself and in the list."""
    shown = person.ok("GET", f"{CORRECTIONS}/{id}")["can"]
    assert [row["can"] for row in person.ok("GET", CORRECTIONS) if row["id"] == id] == [shown]
    return shown


@pytest.mark.parametrize("who", PENDING)
@pytest.mark.parametrize("state", OFFERED)
def test_what_a_correction_offers_works_and_the_rest_is_refused(people, state, who):
    person = people[who]
    expected = OFFERED[state][who].split()
    for action, path in PATHS.items():
        id = ask(people["self"])
        if state != "pending":
            people["self" if state == "cancel" else "owner"].ok("POST", f"{CORRECTIONS}/{id}/{state}")
        if who != "other":
            assert can(person, id) == expected
        assert (person.call("POST", f"{CORRECTIONS}/{id}/{path}").status_code == 200) == (action in expected)


def test_an_owner_decides_on_their_own_day_and_others_do_not(acme, people):
    employee_at_work(acme, "Olga", acme)
    employee_at_work(acme, "Hanna", people["hr"])
    assert can(acme, ask(acme)) == ALL.split()
    assert can(people["hr"], ask(people["hr"])) == ["cancel"]
