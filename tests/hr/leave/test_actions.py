"""What may be done with leave now: what `can` offers works, the rest is refused."""

import pytest

from tests.hr.leave.applications import ask, decide, hired, hired_colleague


@pytest.fixture(autouse=True)
def _in_june(clock_at):
    clock_at("2026-06-03T09:00:00Z")


def pending(acme, employee):
    return ask(acme, "2026-07-06", "2026-07-07", employeeId=employee)


def approved(acme, employee):
    return decide(acme, pending(acme, employee))


def begun(acme, employee):
    return decide(acme, ask(acme, "2026-06-01", "2026-06-05", employeeId=employee))


def rejected(acme, employee):
    return decide(acme, pending(acme, employee), "reject")


def cancelled(acme, employee):
    return decide(acme, pending(acme, employee), "cancel")


NOTHING, ALL, BACK = "", "approve reject cancel", "cancel undo"
STATES = {
    pending: {"owner": ALL, "hr": ALL, "boss": ALL, "other": NOTHING, "self": "cancel"},
    approved: {"owner": BACK, "hr": BACK, "boss": BACK, "other": NOTHING, "self": "cancel"},
    begun: {"owner": BACK, "hr": BACK, "boss": "cancel", "other": NOTHING, "self": NOTHING},
    rejected: {"owner": "undo", "hr": "undo", "boss": "undo", "other": NOTHING, "self": NOTHING},
    cancelled: dict.fromkeys(("owner", "hr", "boss", "other", "self"), NOTHING),
}


@pytest.fixture
def people(acme):
    """Mia, whose leave it is, her manager, another manager, somebody of HR and the owner."""
    return acme.once(_people)


def _people(acme):
    boss, boss_id = hired_colleague(acme, "manager")
    mia = acme.colleague("member")
    mia_id = hired(acme, "Mia", user=mia, managerEmployeeId=boss_id)
    other, _ = hired_colleague(acme, "manager")
    everyone = {"owner": acme, "hr": acme.colleague("hr"), "boss": boss, "other": other, "self": mia}
    return everyone, mia_id


@pytest.mark.parametrize("who", ["owner", "hr", "boss", "other", "self"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_leave_offers_works_and_the_rest_is_refused(acme, people, state, who):
    everyone, mia = people
    person, expected = everyone[who], sorted(STATES[state][who].split())
    if who != "other":
        made = state(acme, mia)
        assert person.ok("GET", f"/hr/leaves/{made['id']}")["can"] == expected
        listed = person.ok("GET", "/hr/leaves", params={"employeeId": mia})
        assert [row["can"] for row in listed if row["id"] == made["id"]] == [expected]
        decide(acme, made, "cancel") if state in (pending, approved, begun) else None
    for action in ("approve", "reject", "cancel", "undo"):
        made = state(acme, mia)
        path = "decision/undo" if action == "undo" else action
        answer = person.call("POST", f"/hr/leaves/{made['id']}/{path}", {})
        assert (answer.status_code == 200) == (action in expected), answer.text
        if (action == "undo" or state in (pending, approved, begun)) and answer.json.get("data", {}).get(
            "status"
        ) != "cancelled":
            acme.call("POST", f"/hr/leaves/{made['id']}/cancel", {})


def test_an_owner_decides_on_their_own_leave_and_others_do_not(acme):
    hr, hr_id = hired_colleague(acme, "hr")
    asked = ask(hr, "2026-07-06", employeeId=hr_id)
    assert asked["can"] == ["cancel"]
    hr.refused("POST", f"/hr/leaves/{asked['id']}/approve", {}, status=403)
    own = ask(acme, "2026-07-06", employeeId=hired(acme, "Olga", user=acme))
    assert own["can"] == ["approve", "cancel", "reject"]
