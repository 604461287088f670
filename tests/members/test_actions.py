"""What may be done with members and invites now: what `can` offers works, the rest is refused."""

import pytest

from erp.kernel.roles import ROLES
from tests.members.conftest import member_id

SENT = {"activate": {"status": "active"}, "change_role": {"role": "viewer"}, "suspend": {"status": "suspended"}}
ACTIONS = [*SENT, "remove"]


def attempt(person, id, action):
    """Whether a member takes an action."""
    path = f"/workspace/members/{id}"
    answer = person.call("PATCH", path, SENT[action]) if action in SENT else person.call("DELETE", path)
    return answer.status_code < 300


def offered(person, id):
    """What a member offers in the list."""
    (row,) = [row for row in person.ok("GET", "/workspace/members") if row["id"] == id]
    return row["can"]


def _joined(acme, whose, suspended):
    """As many members of a role as there are actions."""
    ids = [member_id(acme, acme.colleague(whose)) for _ in ACTIONS]
    for id in ids if suspended else ():
        acme.ok("PATCH", f"/workspace/members/{id}", {"status": "suspended"})
    return ids


@pytest.mark.parametrize("suspended", [False, True])
@pytest.mark.parametrize("whose", ["owner", "admin", "member"])
@pytest.mark.parametrize("role", ["owner", "admin", "hr", "viewer"])
def test_what_a_member_offers_works_and_the_rest_is_refused(acme, role, whose, suspended):
    person = acme if role == "owner" else acme.colleague(role)
    reaches = role == "owner" or (role == "admin" and whose != "owner")
    expected = ["activate" if suspended else "suspend", "change_role", "remove"] if reaches else []
    for id, action in zip(acme.once(_joined, whose, suspended), ACTIONS, strict=True):
        assert offered(person, id) == sorted(expected)
        if action != ("suspend" if suspended else "activate"):
            assert attempt(person, id, action) == (action in expected), action


def test_the_last_owner_offers_nothing_until_there_is_another(acme):
    id = member_id(acme, acme)
    assert offered(acme, id) == []
    assert [attempt(acme, id, action) for action in ("change_role", "suspend", "remove")] == [False, False, False]
    acme.colleague("owner")
    assert offered(acme, id) == ["change_role", "remove", "suspend"]


@pytest.mark.parametrize("role", ["owner", "admin", "hr", "viewer"])
@pytest.mark.parametrize("offer", ROLES)
def test_an_invite_offers_to_be_revoked_where_that_works(acme, role, offer):
    person = acme if role == "owner" else acme.colleague(role)
    made = acme.ok("POST", "/workspace/invites", {"email": "anna@example.com", "role": offer})
    assert made["can"] == ["revoke"]
    works = role == "owner" or (role == "admin" and offer != "owner")
    if role != "viewer":
        listed = person.call("GET", "/workspace/invites")
        rows = [row["can"] for row in listed.json.get("data", ()) if row["id"] == made["id"]]
        assert rows in ([["revoke"] if works else []], [])
    assert (person.call("DELETE", f"/workspace/invites/{made['id']}").status_code < 300) == works
    if works:
        assert [row["can"] for row in acme.ok("GET", "/workspace/invites") if row["id"] == made["id"]] == [[]]
        acme.refused("DELETE", f"/workspace/invites/{made['id']}", status=409, code="invalid_transition")
