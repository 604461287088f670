"""The life of an invite."""

import pytest

from erp.kernel import config
from erp.kernel.roles import ROLES, may_grant
from erp.kernel.tokens import hashed
from erp.store import control
from erp.store.control import Invite, Workspace
from erp.web.hosts import link_base
from tests.members.conftest import member_id

ANNA = {"email": "Anna@Example.com", "role": "member"}
REST = [role for role in ROLES if role not in ("owner", "admin")]


def test_an_invite_shows_its_secret_once(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    assert made["acceptUrl"] == f"{link_base(acme.installation.config)}/#invite={made['token']}"
    listed = acme.ok("GET", "/workspace/invites")
    assert listed == [{name: value for name, value in made.items() if name not in ("token", "acceptUrl")}]
    assert (made["status"], made["role"], made["acceptedAt"]) == ("pending", "member", None)
    assert (made["email"], made["invitedByUserId"]) == ("Anna@Example.com", acme.user["id"])
    with config.use(acme.installation.config), control.read():
        stored = Invite.get().__data__
    assert made["token"] not in str(stored)
    assert stored["token_hash"] == hashed(made["token"])


def test_an_invite_is_valid_for_seven_days(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    made = installation.office("Olga").ok("POST", "/workspace/invites", ANNA)
    assert made["expiresAt"] == "2026-03-08T09:00:00.000Z"
    token = {"token": made["token"]}
    clock_at("2026-03-08T08:59:59Z")
    assert installation.call("POST", "/workspace/invites/preview", token).status_code == 200
    clock_at("2026-03-08T09:00:00Z")
    assert installation.call("POST", "/workspace/invites/preview", token).json["error"]["code"] == "invite_expired"


@pytest.mark.parametrize("granter", ["owner", "admin"])
@pytest.mark.parametrize("role", ROLES)
def test_nobody_invites_above_their_own_role(acme, granter, role):
    boss = acme if granter == "owner" else acme.colleague("admin")
    if may_grant(granter, role):
        assert boss.ok("POST", "/workspace/invites", ANNA | {"role": role})["role"] == role
    else:
        boss.refused("POST", "/workspace/invites", ANNA | {"role": role}, status=403, code="forbidden")
        assert acme.ok("GET", "/workspace/invites", params={"status": "pending"}) == []


@pytest.mark.parametrize("role", REST)
def test_only_owners_and_admins_manage_invites(acme, role):
    colleague = acme.colleague(role)
    pending = acme.ok("POST", "/workspace/invites", ANNA)
    colleague.refused("POST", "/workspace/invites", {"email": "b@example.com", "role": "viewer"}, status=403)
    colleague.refused("GET", "/workspace/invites", status=403, code="forbidden")
    colleague.refused("DELETE", f"/workspace/invites/{pending['id']}", status=403, code="forbidden")


@pytest.mark.parametrize(
    ("body", "field"),
    [({"role": "king"}, "role"), ({"email": "nobody"}, "email"), ({"email": "a b@c.de"}, "email"), ({"x": 1}, "x")],
)
def test_an_invite_names_an_address_and_a_role_that_exist(acme, body, field):
    error = acme.refused("POST", "/workspace/invites", ANNA | body, status=422, code="validation_failed")
    assert [complaint["field"] for complaint in error["details"]] == [field]


def test_an_address_has_one_pending_invite(acme, stranger):
    acme.ok("POST", "/workspace/invites", ANNA)
    again = ANNA | {"email": "anna@example.COM"}
    acme.refused("POST", "/workspace/invites", again, status=409, code="already_invited")
    stranger.ok("POST", "/workspace/invites", ANNA)


def test_a_member_is_not_invited_again(acme):
    viewer = acme.colleague("viewer")
    body = {"email": viewer.email.upper(), "role": "hr"}
    acme.refused("POST", "/workspace/invites", body, status=409, code="already_member")


def test_an_invite_takes_no_idempotency_key_as_its_answer_must_not_be_stored(acme):
    headers = {"Idempotency-Key": "x"}
    acme.refused("POST", "/workspace/invites", ANNA, headers=headers, status=400, code="bad_parameter")
    acme.refused("POST", "/workspace/invites/accept", {"token": "x"}, headers=headers, status=400)


def test_a_preview_shows_the_offer_to_anyone_with_the_token(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    answer = acme.installation.call("POST", "/workspace/invites/preview", {"token": made["token"]})
    offer = answer.json["data"]
    assert (bool(offer.pop("sees")), bool(offer.pop("changes"))) == (True, True)
    assert offer == {
        "workspaceName": "Olga's office",
        "role": "member",
        "email": "Anna@Example.com",
        "invitedByName": "Olga",
        "expiresAt": made["expiresAt"],
    }


def test_a_user_who_accepts_is_a_member_with_that_role_at_once(acme):
    person = acme.installation.newcomer("Anna")
    made = acme.ok("POST", "/workspace/invites", {"email": person.email.upper(), "role": "accountant"})
    joined = person.ok("POST", "/workspace/invites/accept", {"token": made["token"]})
    assert joined == {
        "id": acme.workspace_id,
        "name": "Olga's office",
        "status": "active",
        "role": "accountant",
        "lacksTwoFactor": False,
        "isSample": False,
    }
    assert person.ok("GET", f"/workspace/{acme.workspace_id}")["role"] == "accountant"
    (invite,) = acme.ok("GET", "/workspace/invites", params={"status": "accepted"})
    assert invite["acceptedAt"] is not None


def test_an_invite_is_used_once(acme):
    person = acme.installation.newcomer("Anna")
    token = {"token": acme.ok("POST", "/workspace/invites", ANNA | {"email": person.email})["token"]}
    person.ok("POST", "/workspace/invites/accept", token)
    person.refused("POST", "/workspace/invites/accept", token, status=409, code="invite_used")
    person.refused("POST", "/workspace/invites/preview", token, status=409, code="invite_used")
    assert len(acme.ok("GET", "/workspace/members")) == 2


def test_an_invite_is_only_for_its_address(acme, stranger):
    token = {"token": acme.ok("POST", "/workspace/invites", ANNA)["token"]}
    stranger.refused("POST", "/workspace/invites/accept", token, status=403, code="invite_for_another")
    assert len(acme.ok("GET", "/workspace/members")) == 1
    assert acme.ok("GET", "/workspace/invites")[0]["status"] == "pending"


def test_a_wrong_token_is_not_found(acme):
    for action in ("preview", "accept"):
        acme.refused("POST", f"/workspace/invites/{action}", {"token": "erp_x"}, status=404, code="not_found")
        acme.refused("POST", f"/workspace/invites/{action}", {}, status=422, code="validation_failed")


def test_a_revoked_invite_cannot_be_used_and_makes_room_for_another(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    assert acme.ok("DELETE", f"/workspace/invites/{made['id']}") == {}
    for action in ("preview", "accept"):
        token = {"token": made["token"]}
        acme.refused("POST", f"/workspace/invites/{action}", token, status=409, code="invite_revoked")
    acme.refused("DELETE", f"/workspace/invites/{made['id']}", status=409, code="invalid_transition")
    acme.ok("POST", "/workspace/invites", ANNA)
    assert [row["status"] for row in acme.ok("GET", "/workspace/invites")] == ["pending", "revoked"]


def test_an_admin_cannot_revoke_the_invite_of_a_future_owner(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA | {"role": "owner"})
    admin = acme.colleague("admin")
    admin.refused("DELETE", f"/workspace/invites/{made['id']}", status=403, code="forbidden")


def test_an_invite_of_another_workspace_is_not_found(acme, stranger):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    stranger.refused("DELETE", f"/workspace/invites/{made['id']}", status=404, code="not_found")
    assert stranger.ok("GET", "/workspace/invites") == []


def expire(office, invite_id: str) -> None:
    with config.use(office.installation.config), control.write():
        Invite.find(invite_id).change(expires_at="2020-01-01T00:00:00.000Z")


def test_an_expired_invite_cannot_be_used_and_makes_room_for_another(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    expire(acme, made["id"])
    for action in ("preview", "accept"):
        token = {"token": made["token"]}
        acme.refused("POST", f"/workspace/invites/{action}", token, status=409, code="invite_expired")
    acme.refused("DELETE", f"/workspace/invites/{made['id']}", status=409, code="invalid_transition")
    fresh = acme.ok("POST", "/workspace/invites", ANNA)
    with config.use(acme.installation.config), control.read():
        statuses = {row.id: row.status for row in Invite.select()}
    assert statuses == {made["id"]: "expired", fresh["id"]: "pending"}


@pytest.mark.parametrize("status", ["pending", "accepted", "revoked", "expired"])
def test_invites_are_listed_by_the_status_they_have_now(acme, status):
    acme.colleague("viewer")
    emails = {name: f"{name}@example.com" for name in ("pending", "revoked", "expired")}
    ids = {
        name: acme.ok("POST", "/workspace/invites", {"email": email, "role": "hr"})["id"]
        for name, email in emails.items()
    }
    acme.ok("DELETE", f"/workspace/invites/{ids['revoked']}")
    expire(acme, ids["expired"])
    (invite,) = acme.ok("GET", "/workspace/invites", params={"status": status})
    assert invite["status"] == status
    assert status == "accepted" or invite["id"] == ids[status]


def test_a_member_cannot_join_again(acme):
    person = acme.installation.newcomer("Anna")
    body = {"email": person.email, "role": "viewer"}
    first = acme.ok("POST", "/workspace/invites", body)
    with config.use(acme.installation.config), control.write():
        spare = Invite.find(first["id"]).__data__ | {"id": "spare", "token_hash": hashed("spare"), "status": "revoked"}
        Invite.create(**spare)
    person.ok("POST", "/workspace/invites/accept", {"token": first["token"]})
    with config.use(acme.installation.config), control.write():
        Invite.find("spare").change(status="pending")
    person.refused("POST", "/workspace/invites/accept", {"token": "spare"}, status=409, code="already_member")


def test_nobody_joins_an_archived_workspace(acme):
    person = acme.installation.newcomer("Anna")
    made = acme.ok("POST", "/workspace/invites", {"email": person.email, "role": "viewer"})
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    token = {"token": made["token"]}
    person.refused("POST", "/workspace/invites/accept", token, status=409, code="workspace_archived")


def test_a_named_token_cannot_join_for_its_owner(acme):
    made = acme.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": acme.workspace_id})
    script = {"Authorization": f"Bearer {made['token']}"}
    acme.refused("POST", "/workspace/invites/accept", {"token": "x"}, headers=script, status=403, code="forbidden")


def test_the_log_shows_the_whole_life_of_an_invite(acme):
    person = acme.installation.newcomer("Anna")
    revoked = acme.ok("POST", "/workspace/invites", ANNA)
    acme.ok("DELETE", f"/workspace/invites/{revoked['id']}")
    made = acme.ok("POST", "/workspace/invites", {"email": person.email, "role": "hr"})
    person.ok("POST", "/workspace/invites/accept", {"token": made["token"]})
    events = acme.ok("GET", "/workspace/events")
    assert [(event["type"], event["actor"]["id"]) for event in events][:4] == [
        ("member.joined", person.user["id"]),
        ("invite.pending", acme.user["id"]),
        ("invite.revoked", acme.user["id"]),
        ("invite.pending", acme.user["id"]),
    ]
    assert events[0]["data"] == {"userId": person.user["id"], "role": "hr", "inviteId": made["id"]}
    assert made["token"] not in str(events)
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]


def test_a_user_who_registers_with_an_invite_is_a_member_at_once(acme):
    made = acme.ok("POST", "/workspace/invites", ANNA)
    body = {"email": "anna@example.com", "password": "correct horse battery", "name": "Anna"}
    answer = acme.installation.call("POST", "/auth/register", body | {"inviteToken": made["token"]})
    assert answer.status_code == 201, answer.text
    assert [row["user"]["name"] for row in acme.ok("GET", "/workspace/members")] == ["Anna", "Olga"]
    newest = acme.ok("GET", "/workspace/events")[0]
    assert (newest["type"], newest["actor"]["name"]) == ("member.joined", "Anna")


def test_nobody_joins_a_workspace_whose_file_cannot_be_used(acme):
    person = acme.installation.newcomer("Anna")
    made = acme.ok("POST", "/workspace/invites", {"email": person.email, "role": "viewer"})
    with acme.acting(), control.write():
        Workspace.update(fault="The file is empty.").execute()
    token = {"token": made["token"]}
    person.refused("POST", "/workspace/invites/accept", token, status=503, code="unavailable")
    with acme.acting(), control.write():
        Workspace.update(fault=None).execute()
    person.ok("POST", "/workspace/invites/accept", token)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (None, []),
        ({"status": "suspended"}, []),
        ({"role": "viewer"}, []),
        ({"role": "admin"}, ["a@private.example", "v@private.example"]),
    ],
)
def test_a_member_who_leaves_or_is_demoted_leaves_no_invite_to_come_back_with(acme, change, left):
    other = acme.colleague("owner")
    for role in ("owner", "admin", "viewer"):
        other.ok("POST", "/workspace/invites", {"email": f"{role[0]}@private.example", "role": role})
    acme.ok("POST", "/workspace/invites", {"email": "ann@example.com", "role": "viewer"})
    path = f"/workspace/members/{member_id(acme, other)}"
    acme.ok("PATCH" if change else "DELETE", path, change)
    pending = acme.ok("GET", "/workspace/invites", params={"status": "pending"})
    assert sorted(invite["email"] for invite in pending) == sorted([*left, "ann@example.com"])
