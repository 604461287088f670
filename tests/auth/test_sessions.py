"""Sessions: what they show, where they act, when they end."""

from contextlib import closing

import pytest

from erp.kernel.roles import PERMISSIONS
from erp.store import connections
from erp.store.control import Member, Session, User, Workspace
from tests.auth.conftest import bearer, code_of
from tests.conftest import PASSWORD
from tests.hr.employees.employees import hire


def test_a_session_shows_its_user_and_workspace(acme):
    mine = acme.ok("GET", "/auth/session")
    assert mine["user"]["email"] == acme.email
    assert mine["session"]["activeWorkspaceId"] == acme.workspace_id
    assert mine["session"]["kind"] == "session"
    assert "token" not in mine["session"]
    assert (mine["workspace"]["id"], mine["workspace"]["role"]) == (acme.workspace_id, "owner")
    assert [workspace["id"] for workspace in mine["workspaces"]] == [acme.workspace_id]


def test_without_a_selection_there_is_no_workspace(installation):
    anna = installation.newcomer("Anna")
    assert anna.ok("GET", "/auth/session")["workspace"] is None


def test_selecting_a_workspace_shows_the_permissions_there(acme):
    clerk = acme.colleague("accountant")
    selected = clerk.ok("POST", "/auth/select-workspace", {"workspaceId": acme.workspace_id})
    assert selected["session"]["activeWorkspaceId"] == acme.workspace_id
    assert selected["workspace"]["role"] == "accountant"
    assert set(selected["workspace"]["permissions"]) == PERMISSIONS["accountant"]


def test_the_selected_workspace_has_the_settings_that_screens_need(acme):
    acme.ok(
        "PATCH",
        f"/workspace/{acme.workspace_id}",
        {"legalName": "Acme GmbH", "country": "DE", "timeZone": "Europe/Berlin", "weekend": ["fri", "sat"]},
    )
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "Closed"})
    settings = acme.ok("GET", "/auth/session")["workspace"]["settings"]
    assert settings == {
        "legalName": "Acme GmbH",
        "baseCurrency": "EUR",
        "country": "DE",
        "timeZone": "Europe/Berlin",
        "fiscalYearStart": "01-01",
        "weekend": ["fri", "sat"],
        "pricesIncludeTax": False,
        "paymentTermsDays": 30,
        "payrollFourEyes": False,
        "managersSeeMargin": False,
        "shareLinks": False,
        "timeApproval": "off",
        "billApproval": False,
        "lockDate": "2025-12-31",
    }
    everything = acme.ok("GET", f"/workspace/{acme.workspace_id}")
    assert settings == {name: everything[name] for name in settings}
    assert acme.ok("POST", "/auth/select-workspace", {"workspaceId": acme.workspace_id})["workspace"]["settings"] == (
        settings
    )


def test_the_session_names_the_employee_record_in_the_selected_workspace(acme, stranger):
    assert acme.ok("GET", "/auth/session")["workspace"]["employeeId"] is None
    mine = hire(acme, name="Olga", userId=acme.user["id"])["id"]
    assert acme.ok("GET", "/auth/session")["workspace"]["employeeId"] == mine
    assert stranger.ok("GET", "/auth/session")["workspace"]["employeeId"] is None
    invite = stranger.ok("POST", "/workspace/invites", {"email": acme.email, "role": "member"})
    acme.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    elsewhere = acme.ok("POST", "/auth/select-workspace", {"workspaceId": stranger.workspace_id})["workspace"]
    assert elsewhere["employeeId"] is None, "the record is in the other workspace"


def test_the_session_tells_from_where_to_follow_changes(acme):
    before = acme.ok("GET", "/auth/session")["workspace"]["lastChange"]
    assert acme.ok("GET", f"/workspace/changes?after={before}")["changes"] == []
    acme.ok("POST", "/projects", {"name": "Website"})
    (change,) = acme.ok("GET", f"/workspace/changes?after={before}")["changes"]
    assert (change["type"], change["seq"]) == ("project.created", before + 1)


def test_a_workspace_whose_file_is_spoilt_keeps_nobody_from_signing_in(acme, spoil):
    spoil(acme)
    for _ in range(2):  # the damage is noted the first time
        workspace = acme.ok("GET", "/auth/session")["workspace"]
        assert (workspace["id"], workspace["settings"]) == (acme.workspace_id, None)
    body = {"email": acme.email, "password": PASSWORD, "workspaceId": acme.workspace_id}
    again = acme.installation.call("POST", "/auth/login", body)
    assert again.json["data"]["workspace"]["status"] == "unavailable"


def test_null_selects_no_workspace(acme):
    cleared = acme.ok("POST", "/auth/select-workspace", {"workspaceId": None})
    assert (cleared["workspace"], cleared["session"]["activeWorkspaceId"]) == (None, None)
    acme.refused("GET", "/workspace/members", status=400, code="workspace_required")


def test_a_selection_must_be_named(acme):
    acme.refused("POST", "/auth/select-workspace", {}, status=422, code="validation_failed")


def test_a_workspace_of_others_cannot_be_selected_or_told_from_an_unknown_one(acme, stranger):
    answers = [
        acme.refused("POST", "/auth/select-workspace", {"workspaceId": named}, status=403, code="not_a_member")
        for named in (stranger.workspace_id, "018f0000-0000-7000-8000-000000000000", "nonsense")
    ]
    assert len({answer["message"] for answer in answers}) == 1
    assert acme.ok("GET", "/auth/session")["session"]["activeWorkspaceId"] == acme.workspace_id


def test_selecting_keeps_the_token_and_touches_no_other_session(acme):
    other = acme.installation.call("POST", "/auth/login", {"email": acme.email, "password": PASSWORD})
    acme.ok("POST", "/auth/select-workspace", {"workspaceId": None})
    headers = bearer(other.json["data"]["session"]["token"])
    selected = acme.installation.call(
        "POST", "/auth/select-workspace", {"workspaceId": acme.workspace_id}, headers=headers
    )
    assert selected.status_code == 200
    assert acme.ok("GET", "/auth/session")["workspace"] is None


def test_an_archived_workspace_can_be_selected(acme, records):
    with records(write=True):
        Workspace.update(state="archived").execute()
    assert acme.ok("POST", "/auth/select-workspace", {"workspaceId": acme.workspace_id})["workspace"]["status"] == (
        "archived"
    )


def test_a_suspended_member_has_no_workspace(acme, records):
    clerk = acme.colleague("accountant")
    with records(write=True):
        Member.update(status="suspended").where(Member.user == clerk.user["id"]).execute()
    mine = clerk.ok("GET", "/auth/session")
    assert (mine["workspace"], mine["workspaces"]) == (None, [])
    clerk.refused("POST", "/auth/select-workspace", {"workspaceId": acme.workspace_id}, status=403, code="not_a_member")


def test_a_session_ends_after_seven_idle_days(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    anna = installation.newcomer("Anna")
    clock_at("2026-03-08T08:59:59Z")
    anna.ok("GET", "/auth/session")
    clock_at("2026-03-15T08:59:58Z")
    anna.ok("GET", "/auth/session")
    clock_at("2026-03-22T08:59:58Z")
    anna.refused("GET", "/auth/session", status=401, code="session_expired")


def test_a_session_ends_after_thirty_days_however_busy(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    anna = installation.newcomer("Anna")
    for day in range(4, 31, 3):
        clock_at(f"2026-03-{day:02}T09:00:00Z")
        anna.ok("GET", "/auth/session")
    clock_at("2026-03-31T08:59:59Z")
    anna.ok("GET", "/auth/session")
    clock_at("2026-03-31T09:00:00Z")
    anna.refused("GET", "/auth/session", status=401, code="session_expired")


def test_users_see_only_their_own_sessions(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    anna, ben = installation.newcomer("Anna"), installation.newcomer("Ben")
    clock_at("2026-03-02T09:00:00Z")
    agent = {"User-Agent": "Browser " + "x" * 300}
    body = {"email": anna.email, "password": PASSWORD}
    installation.call("POST", "/auth/login", body, headers=agent, remote_addr="192.0.2.7")
    newer, older = anna.ok("GET", "/auth/sessions")
    assert (older["isCurrent"], newer["isCurrent"]) == (True, False)
    assert (newer["address"], newer["userAgent"]) == ("192.0.2.7", agent["User-Agent"][:200])
    assert newer["createdAt"] == newer["lastUsedAt"] == "2026-03-02T09:00:00.000Z"
    assert newer["expiresAt"] == "2026-04-01T09:00:00.000Z"
    assert len(ben.ok("GET", "/auth/sessions")) == 1


def test_an_expired_session_is_not_listed(installation, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    anna = installation.newcomer("Anna")
    clock_at("2026-03-09T09:00:00Z")
    body = {"email": anna.email, "password": PASSWORD}
    token = installation.call("POST", "/auth/login", body).json["data"]["session"]["token"]
    listed = installation.call("GET", "/auth/sessions", headers=bearer(token)).json["data"]
    assert [session["isCurrent"] for session in listed] == [True]


def test_users_end_their_own_sessions_at_once(installation):
    anna = installation.newcomer("Anna")
    body = {"email": anna.email, "password": PASSWORD}
    lost = installation.call("POST", "/auth/login", body).json["data"]["session"]
    assert anna.ok("DELETE", f"/auth/sessions/{lost['id']}") == {}
    assert installation.call("GET", "/auth/session", headers=bearer(lost["token"])).status_code == 401
    anna.refused("DELETE", f"/auth/sessions/{lost['id']}", status=404, code="not_found")
    anna.ok("GET", "/auth/session")


def test_nobody_ends_the_session_of_another_user(acme, stranger):
    (theirs,) = stranger.ok("GET", "/auth/sessions")
    acme.refused("DELETE", f"/auth/sessions/{theirs['id']}", status=404, code="not_found")
    stranger.ok("GET", "/auth/session")


@pytest.mark.parametrize("how", ["cookie", "bearer"])
def test_a_request_that_names_its_user_is_refused_once_somebody_else_is_signed_in(acme, stranger, how):
    signed_in = {"Cookie": f"{acme.installation.cookie()}={acme.token}", "Sec-Fetch-Site": "same-origin"}
    who = signed_in if how == "cookie" else bearer(acme.token)
    body = {"name": "Initech", "kind": "customer"}

    def ask(user_id):
        headers = {**who, "x-user-id": user_id}
        return acme.installation.call("POST", "/finance/contacts", body, headers=headers)

    assert code_of(ask(stranger.ok("GET", "/auth/session")["user"]["id"])) == (409, "other_user")
    assert acme.ok("GET", "/finance/contacts") == []
    assert ask(acme.ok("GET", "/auth/session")["user"]["id"]).status_code == 201


def test_a_bearer_token_is_never_replaced_by_the_cookie(acme):
    headers = {**bearer("erp_wrong"), "Cookie": f"{acme.installation.cookie()}={acme.token}"}
    answer = acme.installation.call("GET", "/auth/session", headers=headers)
    assert code_of(answer) == (401, "not_authenticated")
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("GET", "/auth/session"),
        ("POST", "/auth/select-workspace"),
        ("PATCH", "/auth/me"),
        ("POST", "/auth/change-password"),
        ("GET", "/auth/sessions"),
        ("DELETE", "/auth/sessions/x"),
        ("GET", "/auth/tokens"),
        ("POST", "/auth/tokens"),
        ("DELETE", "/auth/tokens/x"),
        ("POST", "/auth/password-resets"),
    ],
)
def test_a_request_without_a_session_is_asked_to_sign_in(installation, verb, path):
    answer = installation.call(verb, path)
    assert code_of(answer) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"] == 'Bearer realm="erp"'


def test_the_control_file_holds_no_token_and_no_password(acme, records, tmp_path):
    named = acme.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": acme.workspace_id})
    reset = acme.ok("POST", "/auth/password-resets", {"userId": acme.user["id"]})
    invite = acme.ok("POST", "/workspace/invites", {"email": "ben@example.com", "role": "member"})
    copy = tmp_path / "copy.sqlite"
    with records():
        stored = {row.token_hash for row in Session.select()} | {User.get().password_hash}
    vacuum_into(acme.installation, copy)
    content = copy.read_bytes()
    assert all(secret.encode() in content for secret in stored)
    for secret in (acme.token, named["token"], reset["token"], invite["token"], PASSWORD):
        assert secret.removeprefix("erp_").encode() not in content


def vacuum_into(installation, copy):
    with closing(connections.connect(installation.config.control_path)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
