"""What may be done with a payroll run now: what `can` offers works, the rest is refused."""

import pytest

from tests.hr.payroll.payrolls import JANUARY, act, path, payroll_run

pytestmark = pytest.mark.usefixtures("wednesday")

ACTIONS = ["approve", "delete", "pay", "recalculate", "reverse", "undoPayment"]
STATES = {
    "draft": ["approve", "delete", "recalculate"],
    "approve": ["pay", "reverse"],
    "pay": ["reverse", "undoPayment"],
    "reverse": [],
}
STEPS = {"draft": [], "approve": ["approve"], "pay": ["approve", "pay"], "reverse": ["approve", "reverse"]}


def in_state(office, state):
    made = payroll_run(office)
    for step in STEPS[state]:
        made = act(office, made, step)
    return made


def attempt(person, made, action):
    """Whether a run takes an action."""
    if action == "delete":
        return person.call("DELETE", path(made)).status_code < 300
    body = {"reason": "Wrong month"} if action in ("reverse", "undoPayment") else {}
    if made["status"] == "paid" and action == "reverse":
        body["moneyReturnedOn"] = "2026-03-10"
    return person.call("POST", path(made, {"undoPayment": "pay/undo"}.get(action, action)), body).status_code < 300


def can(person, made):
    """What a run offers, by itself and in the list."""
    shown = person.ok("GET", path(made))["can"]
    assert [row["can"] for row in person.ok("GET", "/hr/payroll/runs") if row["id"] == made["id"]] == [shown]
    return shown


@pytest.mark.parametrize("role", ["owner", "accountant"])
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("state", STATES)
def test_what_a_run_offers_works_and_the_rest_is_refused(acme, anna, state, action, role):
    person = acme if role == "owner" else acme.colleague(role)
    made = acme.once(in_state, state)
    expected = [one for one in STATES[state] if role == "owner" or one in ("pay", "undoPayment")]
    assert can(person, made) == expected
    assert attempt(person, made, action) == (action in expected)


def test_who_prepared_a_run_is_not_offered_its_approval_where_two_must_see_it(acme, anna):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"payrollFourEyes": True})
    made, other = payroll_run(acme), acme.colleague("hr")
    assert (can(acme, made), can(other, made)) == (["delete", "recalculate"], ["approve", "delete", "recalculate"])
    assert not attempt(acme, made, "approve")
    assert attempt(other, made, "approve")


def test_a_dry_run_offers_nothing(acme, anna):
    assert acme.ok("POST", "/hr/payroll/run", {**JANUARY, "dryRun": True})["can"] == []
