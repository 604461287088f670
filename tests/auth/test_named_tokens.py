"""Named tokens: what a script may do, and what only a person may."""

import base64

import pytest

from tests.auth.conftest import bearer, code_of


def make(acme, **more):
    return acme.ok("POST", "/auth/tokens", {"name": "nightly", "workspaceId": acme.workspace_id, **more})


def call(acme, token, verb, path, body=None, **options):
    headers = bearer(token["token"]) | options.pop("headers", {})
    return acme.installation.call(verb, path, body, headers=headers, **options)


def test_a_token_acts_in_its_workspace_without_selecting_it(acme):
    token = make(acme)
    assert (token["name"], token["kind"], token["isReadOnly"], token["expiresAt"]) == ("nightly", "token", False, None)
    assert token["token"].startswith("erp_")
    mine = call(acme, token, "GET", "/auth/session").json["data"]
    assert mine["workspace"]["id"] == mine["session"]["activeWorkspaceId"] == acme.workspace_id
    assert call(acme, token, "GET", "/workspace/members").status_code == 200


def test_a_token_acts_in_no_other_workspace_of_its_user(acme):
    token = make(acme)
    other = acme.ok("POST", "/workspace", {"name": "Second office"})
    answer = call(acme, token, "GET", "/workspace/members", headers={"x-workspace-id": other["id"]})
    assert code_of(answer) == (403, "forbidden")


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("POST", "/auth/tokens", {"name": "another", "workspaceId": "x"}),
        ("GET", "/auth/tokens", None),
        ("DELETE", "/auth/tokens/x", None),
        ("POST", "/auth/select-workspace", {"workspaceId": None}),
        ("POST", "/auth/change-password", {"currentPassword": "x", "newPassword": "y"}),
        ("PATCH", "/auth/me", {"name": "Script"}),
        ("GET", "/auth/sessions", None),
        ("DELETE", "/auth/sessions/x", None),
        ("POST", "/auth/password-resets", {"userId": "x"}),
    ],
)
def test_a_token_cannot_manage_its_user(acme, verb, path, body):
    assert code_of(call(acme, make(acme), verb, path, body)) == (403, "forbidden")


def test_a_read_only_token_can_only_read(acme):
    token = make(acme, isReadOnly=True)
    assert call(acme, token, "GET", "/workspace/members").status_code == 200
    invite = {"email": "ben@example.com", "role": "member"}
    assert code_of(call(acme, token, "POST", "/workspace/invites", invite)) == (403, "forbidden")
    assert call(acme, make(acme), "POST", "/workspace/invites", invite).status_code == 201


def test_a_token_ends_when_it_expires_and_is_never_idle(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    owner = acme.installation.office("Ida")
    ending, lasting = make(owner, expiresAt="2026-06-01T12:00:00+02:00"), make(owner)
    assert ending["expiresAt"] == "2026-06-01T10:00:00.000Z"
    clock_at("2026-06-01T09:59:59Z")
    assert call(owner, ending, "GET", "/auth/session").status_code == 200
    clock_at("2026-06-01T10:00:00Z")
    assert code_of(call(owner, ending, "GET", "/auth/session")) == (401, "session_expired")
    clock_at("2027-06-01T10:00:00Z")
    assert call(owner, lasting, "GET", "/auth/session").status_code == 200


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"expiresAt": "2026-03-01T09:00:00Z"}, "expiresAt", "not_in_future"),
        ({"expiresAt": "9999-12-31T23:59:59-12:00"}, "expiresAt", "out_of_range"),
        ({"expiresAt": "2027-01-01"}, "expiresAt", None),
        ({"expiresAt": "2027-01-01T10:00:00"}, "expiresAt", None),
        ({"name": ""}, "name", "required"),
        ({"kind": "session"}, "kind", "read_only"),
    ],
)
def test_an_unacceptable_value_is_named(acme, clock_at, change, field, code):
    clock_at("2026-03-01T09:00:00Z")
    owner = acme.installation.office("Ida")
    body = {"name": "nightly", "workspaceId": owner.workspace_id, **change}
    (complaint,) = owner.refused("POST", "/auth/tokens", body, status=422)["details"]
    assert complaint["field"] == field
    assert code in (None, complaint["code"])


def test_a_token_for_the_workspace_of_others_is_refused(acme, stranger):
    body = {"name": "spy", "workspaceId": stranger.workspace_id}
    acme.refused("POST", "/auth/tokens", body, status=403, code="not_a_member")
    assert acme.ok("GET", "/auth/tokens") == []


def test_tokens_are_listed_without_their_secret_and_apart_from_sessions(acme, stranger):
    made = make(acme)
    (listed,) = acme.ok("GET", "/auth/tokens")
    assert listed["id"] == made["id"]
    assert "token" not in listed
    assert made["id"] not in [session["id"] for session in acme.ok("GET", "/auth/sessions")]
    assert stranger.ok("GET", "/auth/tokens") == []


def test_a_deleted_token_stops_working_at_once(acme):
    token = make(acme)
    acme.ok("DELETE", f"/auth/tokens/{token['id']}")
    assert code_of(call(acme, token, "GET", "/auth/session")) == (401, "not_authenticated")
    acme.refused("DELETE", f"/auth/tokens/{token['id']}", status=404, code="not_found")


def test_nobody_deletes_the_token_of_another_user_or_a_session_as_a_token(acme, stranger):
    token = make(acme)
    stranger.refused("DELETE", f"/auth/tokens/{token['id']}", status=404)
    (session,) = acme.ok("GET", "/auth/sessions")
    acme.refused("DELETE", f"/auth/tokens/{session['id']}", status=404)
    acme.refused("DELETE", f"/auth/sessions/{token['id']}", status=404)
    assert call(acme, token, "GET", "/auth/session").status_code == 200


def test_tokens_do_not_count_among_the_twenty_sessions(acme):
    token = make(acme)
    for _ in range(21):
        answer = acme.installation.call(
            "POST", "/auth/login", {"email": acme.email, "password": "correct horse battery"}
        )
        assert answer.status_code == 200
    assert call(acme, token, "GET", "/auth/session").status_code == 200


def test_making_a_token_takes_no_idempotency_key(acme):
    body = {"name": "nightly", "workspaceId": acme.workspace_id}
    acme.refused("POST", "/auth/tokens", body, headers={"Idempotency-Key": "once"}, status=400, code="bad_parameter")


def test_a_token_sees_only_its_own_workspace(acme):
    token = make(acme)
    acme.ok("POST", "/workspace", {"name": "Second office"})
    session = call(acme, token, "GET", "/auth/session").json["data"]
    assert [workspace["id"] for workspace in session["workspaces"]] == [acme.workspace_id]
    assert len(acme.ok("GET", "/auth/session")["workspaces"]) == 2


CONTACT = {"kind": "customer", "name": "Globex"}
PDF = base64.b64encode(b"%PDF-1.4\n%%EOF\n").decode()


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"),
    [
        (["finance:read"], 200, 403),
        (["finance:write"], 200, 201),
        (["finance:read", "finance:write"], 200, 201),
        (["tasks:write", "workspace:read"], 403, 403),
        (None, 200, 201),
    ],
)
def test_scopes_limit_a_token_to_areas(acme, scopes, reads, writes):
    token = make(acme, scopes=scopes)
    assert token["scopes"] == scopes
    assert call(acme, token, "GET", "/finance/invoices").status_code == reads
    assert call(acme, token, "POST", "/finance/contacts", CONTACT).status_code == writes


def test_a_token_without_a_scope_is_told_which_it_lacks(acme):
    token = make(acme, scopes=["tasks:read"])
    answer = call(acme, token, "POST", "/tasks", {"title": "Pages"})
    assert answer.json["error"]["message"] == "This token lacks the scope tasks:write. Create a token that has it."
    german = call(acme, token, "GET", "/hr/employees", headers={"Accept-Language": "de"})
    assert (
        german.json["error"]["message"] == "Diesem Zugriffstoken fehlt der Bereich hr:read. Erstellen Sie eines damit."
    )


def test_scopes_never_exceed_the_rights_of_the_user(acme):
    viewer = acme.colleague("viewer")
    token = make(viewer, scopes=["finance:write"], workspaceId=acme.workspace_id)
    answer = call(acme, token, "POST", "/finance/contacts", CONTACT)
    assert (code_of(answer), "Viewer" in answer.json["error"]["message"]) == ((403, "forbidden"), True)


def test_a_read_only_token_with_a_scope_to_change_can_only_read(acme):
    token = make(acme, scopes=["finance:write"], isReadOnly=True)
    assert call(acme, token, "POST", "/finance/contacts", CONTACT).status_code == 403
    assert call(acme, token, "GET", "/finance/contacts").status_code == 200


def test_records_hide_what_the_scopes_leave_out(acme):
    acme.ok("POST", "/projects", {"name": "Web", "billing": "hourly", "hourlyRate": "90.00"})
    acme.ok("POST", "/tasks", {"title": "Pages", "hourlyRate": "80.00"})
    acme.ok("POST", "/finance/contacts", CONTACT)
    token = make(acme, scopes=["tasks:read", "workspace:read"])
    (task,) = call(acme, token, "GET", "/tasks").json["data"]
    assert "hourlyRate" not in task
    assert task["can"] == []
    assert acme.ok("GET", "/workspace/search", params={"q": "Globex"})
    assert call(acme, token, "GET", "/workspace/search", params={"q": "Globex"}).json["data"] == []
    assert {each["type"] for each in call(acme, token, "GET", "/workspace/events").json["data"]} <= {
        "workspace.created",
        "task.created",
    }
    mine = call(acme, token, "GET", "/auth/session").json["data"]["workspace"]["permissions"]
    assert "tasks.read" in mine
    assert [each for each in mine if each.startswith(("finance", "pay", "tasks.write"))] == []


def test_a_token_without_a_scope_is_told_so_by_the_file_of_a_record(acme):
    project = acme.ok("POST", "/projects", {"name": "Web"})
    body = {"name": "a.pdf", "file": PDF, "resourceType": "project", "resourceId": project["id"]}
    file = acme.ok("POST", "/workspace/attachments", body)
    token = make(acme, scopes=["workspace:read"])
    answer = call(acme, token, "GET", f"/workspace/attachments/{file['id']}")
    assert answer.json["error"]["message"] == "This token lacks the scope projects:read. Create a token that has it."


def test_a_token_with_scopes_cannot_choose_where_events_are_sent(acme):
    webhook = acme.ok("POST", "/workspace/webhooks", {"url": "https://one.example.com/"})
    token, other = make(acme, scopes=["workspace:write"]), {"url": "https://two.example.com/"}
    assert call(acme, token, "POST", "/workspace/webhooks", other).status_code == 403
    assert call(acme, token, "PATCH", f"/workspace/webhooks/{webhook['id']}", other).status_code == 403
    (kept,) = call(acme, token, "GET", "/workspace/webhooks").json["data"]
    assert kept["url"] == "https://one.example.com/"


def test_a_token_with_scopes_cannot_change_who_may_do_what(acme):
    mei = acme.colleague("member")
    (member,) = acme.ok("GET", "/workspace/members", params={"q": mei.email})
    token = make(acme, scopes=["workspace:write", "hr:write"])
    invite = {"email": "new@example.com", "role": "viewer"}
    hired = {"name": "New", "hireDate": "2026-01-01", "email": "new@example.com", "invite": "viewer"}
    for verb, path, body in (
        ("POST", "/workspace/invites", invite),
        ("POST", "/hr/employees", hired),
        ("PATCH", f"/workspace/members/{member['id']}", {"role": "owner"}),
        ("PATCH", f"/workspace/members/{member['id']}", {"status": "suspended"}),
        ("DELETE", f"/workspace/members/{member['id']}", None),
    ):
        answer = call(acme, token, verb, path, body)
        assert (answer.status_code, "scopes" in answer.json["error"]["message"]) == (403, True), (verb, path)
    assert call(acme, token, "GET", "/workspace/members").json["data"][0]["can"] == []
    assert [each["status"] for each in acme.ok("GET", "/workspace/invites")] == ["accepted"]


def test_home_names_no_employees_to_a_token_without_their_scope(acme):
    alone, both = (make(acme, scopes=["workspace:write", *more]) for more in ([], ["hr:read"]))
    assert call(acme, alone, "GET", "/workspace/home").json["data"]["leaversWithAccess"] is None
    assert call(acme, both, "GET", "/workspace/home").json["data"]["leaversWithAccess"]["total"] == 0


@pytest.mark.parametrize("scopes", [[], ["finance"], ["finance:delete"], ["everything:read"]])
def test_a_scope_that_there_is_not_is_refused(acme, scopes):
    body = {"name": "nightly", "workspaceId": acme.workspace_id, "scopes": scopes}
    (complaint,) = acme.refused("POST", "/auth/tokens", body, status=422)["details"]
    assert complaint["field"].startswith("scopes")
