"""Signing in with a code of an app as well: switching it on, codes that count once, and what gets round it."""

import datetime
import threading
from collections import Counter
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest

from erp.auth import resets
from erp.auth.two_factor import codes
from erp.kernel import config
from erp.store.control import RecoveryCode, SecondFactor
from tests.auth.conftest import bearer, code_of
from tests.conftest import PASSWORD

NOW = "2026-03-02T09:00:10Z"
RFC_6238 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # its appendix B: "12345678901234567890" in base 32


def secret_of(person):
    return person.ok("POST", "/auth/two-factor/setup", {"password": PASSWORD})["secret"]


def switched_on(person, clock_at):
    """The app of a person who switches it on, and the recovery codes; a minute later, when another code counts."""
    clock_at(NOW)
    app = pyotp.TOTP(secret_of(person))
    made = person.ok("POST", "/auth/two-factor/confirm", {"code": at(app, NOW)})["recoveryCodes"]
    clock_at("2026-03-02T09:01:10Z")
    return app, made


def at(app, moment):
    return app.at(datetime.datetime.fromisoformat(moment))


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        ("1970-01-01T00:00:59Z", "287082"),
        ("2005-03-18T01:58:29Z", "081804"),
        ("2009-02-13T23:31:30Z", "005924"),
        ("2033-05-18T03:33:20Z", "279037"),
    ],
)
def test_the_codes_are_those_of_the_standard(clock_at, moment, code):
    clock_at(moment)
    assert codes.step_of(RFC_6238, code, 0) is not None
    assert codes.step_of(RFC_6238, f"{(int(code) + 1) % 1_000_000:06}", 0) is None


def test_nothing_changes_until_the_secret_is_confirmed(anna, sign_in, clock_at):
    clock_at(NOW)
    shown = anna.ok("POST", "/auth/two-factor/setup", {"password": PASSWORD})
    address = urlsplit(shown["uri"])
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert parse_qs(address.query)["secret"] == [shown["secret"]]
    assert "<svg" in shown["qr"]
    assert anna.ok("GET", "/auth/two-factor") == {"isOn": False, "since": None, "recoveryCodesLeft": 0}
    assert sign_in(anna.email).status_code == 200
    for code in ("000000", "１２３４５６"):
        error = anna.refused("POST", "/auth/two-factor/confirm", {"code": code}, status=422)
        assert [(each["field"], each["code"]) for each in error["details"]] == [("code", "wrong_code")]
    anna.refused("POST", "/auth/two-factor/setup", {"password": "not the password"}, status=422)


def test_signing_in_then_takes_a_code_as_well(anna, sign_in, clock_at):
    app, _ = switched_on(anna, clock_at)
    state = anna.ok("GET", "/auth/two-factor")
    assert (state["isOn"], state["since"], state["recoveryCodesLeft"]) == (True, "2026-03-02T09:00:10.000Z", 10)
    answer = sign_in(anna.email)
    assert code_of(answer) == (401, "second_factor_needed")
    assert "set-cookie" not in answer.headers
    assert code_of(sign_in(anna.email, body={"code": "123456"})) == (401, "wrong_code")
    assert code_of(sign_in(anna.email, "not the password", body={"code": app.now()})) == (401, "wrong_credentials")
    typed = at(app, "2026-03-02T09:01:10Z")
    assert sign_in(anna.email, body={"code": f"{typed[:3]} {typed[3:]}"}).status_code == 200


@pytest.mark.parametrize(
    ("of", "is_taken"), [("09:00:30", True), ("09:01:40", True), ("09:00:10", False), ("09:02:10", False)]
)
def test_a_phone_may_be_half_a_minute_off(anna, sign_in, clock_at, of, is_taken):
    app, _ = switched_on(anna, clock_at)
    answer = sign_in(anna.email, body={"code": at(app, f"2026-03-02T{of}Z")})
    assert (answer.status_code == 200) is is_taken


def test_a_code_counts_once(anna, sign_in, clock_at):
    app, made = switched_on(anna, clock_at)
    for code in (at(app, "2026-03-02T09:01:10Z"), made[0]):
        assert sign_in(anna.email, body={"code": code}).status_code == 200
        assert code_of(sign_in(anna.email, body={"code": code})) == (401, "wrong_code")
    assert anna.ok("GET", "/auth/two-factor")["recoveryCodesLeft"] == 9


def test_of_many_at_once_with_the_same_code_one_gets_in(anna, installation, clock_at):
    app, _ = switched_on(anna, clock_at)
    body = {"email": anna.email, "password": PASSWORD, "code": at(app, "2026-03-02T09:01:10Z")}
    seen: Counter[int] = Counter()
    together = threading.Barrier(3)

    def enter():
        together.wait()
        seen[installation.call("POST", "/auth/login", body).status_code] += 1

    threads = [threading.Thread(target=enter) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[200] == 1
    assert sum(seen.values()) == 3


def test_wrong_codes_are_slowed_down_and_the_right_password_alone_buys_no_more(anna, sign_in, clock_at):
    switched_on(anna, clock_at)
    answers = []
    for _ in range(7):
        assert sign_in(anna.email).status_code in (401, 429)
        answers.append(code_of(sign_in(anna.email, body={"code": "000000"})))
    assert answers == [(401, "wrong_code")] * 6 + [(429, "rate_limited")]


@pytest.mark.parametrize("path", ["disable", "recovery-codes"])
def test_wrong_codes_within_a_session_are_slowed_down_too_and_a_right_password_resets_nothing(anna, clock_at, path):
    _, made = switched_on(anna, clock_at)
    answers = []
    for number in range(8):
        guess = {"password": PASSWORD, "code": f"{number:06}"}
        answers.append(anna.call("POST", f"/auth/two-factor/{path}", guess).status_code)
        assert anna.call("POST", "/auth/two-factor/setup", {"password": PASSWORD}).status_code in (409, 429)
    assert answers == [422] * 6 + [429] * 2
    right = {"password": PASSWORD, "code": made[0]}
    anna.refused("POST", f"/auth/two-factor/{path}", right, status=429, code="rate_limited")


def test_signing_in_with_the_code_forgets_the_failures(anna, sign_in, clock_at):
    app, _ = switched_on(anna, clock_at)
    wrong = {"password": PASSWORD, "code": "000000"}
    for _ in range(5):
        anna.refused("POST", "/auth/two-factor/disable", wrong, status=422)
    assert sign_in(anna.email, body={"code": at(app, "2026-03-02T09:01:10Z")}).status_code == 200
    for _ in range(5):
        anna.refused("POST", "/auth/two-factor/disable", wrong, status=422)


def test_switching_it_on_ends_other_sessions_and_tokens_of_scripts_go_on(acme, sign_in, clock_at):
    other = sign_in(acme.email).json["data"]["session"]["token"]
    token = acme.ok("POST", "/auth/tokens", {"name": "Nightly", "workspaceId": acme.workspace_id})["token"]
    switched_on(acme, clock_at)
    assert acme.installation.call("GET", "/auth/session", headers=bearer(other)).status_code == 401
    assert acme.installation.call("GET", "/projects", headers=bearer(token)).status_code == 200
    assert acme.ok("GET", "/auth/session")["user"]["id"] == acme.user["id"]


def test_new_recovery_codes_replace_the_old_and_need_password_and_code(anna, sign_in, clock_at):
    app, made = switched_on(anna, clock_at)
    proof = {"password": PASSWORD, "code": at(app, "2026-03-02T09:01:10Z")}
    anna.refused("POST", "/auth/two-factor/recovery-codes", {**proof, "password": "not the password"}, status=422)
    renewed = anna.ok("POST", "/auth/two-factor/recovery-codes", proof)["recoveryCodes"]
    assert len({*made, *renewed}) == 20
    assert code_of(sign_in(anna.email, body={"code": made[1]})) == (401, "wrong_code")
    assert sign_in(anna.email, body={"code": renewed[1].lower()}).status_code == 200


def test_it_is_switched_off_by_password_and_code(anna, sign_in, clock_at):
    _, made = switched_on(anna, clock_at)
    anna.refused("POST", "/auth/two-factor/disable", {"password": PASSWORD, "code": "000000"}, status=422)
    anna.refused("POST", "/auth/two-factor/setup", {"password": PASSWORD}, status=409, code="already_on")
    off = anna.ok("POST", "/auth/two-factor/disable", {"password": PASSWORD, "code": made[0]})
    assert off == {"isOn": False, "since": None, "recoveryCodesLeft": 0}
    assert sign_in(anna.email).status_code == 200
    anna.refused("POST", "/auth/two-factor/disable", {"password": PASSWORD, "code": made[1]}, status=409, code="not_on")
    anna.refused("POST", "/auth/two-factor/confirm", {"code": "000000"}, status=409, code="not_begun")


def test_a_new_password_by_a_link_does_not_get_round_it(installation, anna, sign_in, clock_at):
    app, _ = switched_on(anna, clock_at)
    with config.use(installation.config):
        token = resets.issue_reset_link(anna.email).partition("#reset=")[2]
    new = "staple of the long stable"
    installation.call("POST", "/auth/password-resets/redeem", {"token": token, "newPassword": new})
    assert code_of(sign_in(anna.email, new)) == (401, "second_factor_needed")
    assert sign_in(anna.email, new, body={"code": at(app, "2026-03-02T09:01:10Z")}).status_code == 200


def test_the_administrator_sees_who_has_it_and_takes_it_away_from_who_has_lost_it(
    installation, acme, sign_in, clock_at
):
    anna = installation.newcomer("Anna")
    path = f"/system/users/{anna.user['id']}/reset-two-factor"
    acme.refused("POST", path, status=409, code="not_on")
    switched_on(anna, clock_at)
    shown = {each["email"]: each["hasTwoFactor"] for each in acme.ok("GET", "/system/users")}
    assert shown == {acme.email: False, anna.email: True}
    assert acme.ok("POST", path)["hasTwoFactor"] is False
    anna.refused("GET", "/auth/session", status=401, code="not_authenticated")
    assert sign_in(anna.email).status_code == 200


def test_secrets_are_shown_once_and_recovery_codes_are_kept_as_hashes(anna, records, clock_at):
    _, made = switched_on(anna, clock_at)
    with records():
        assert SecondFactor.select().count() == 1
        kept = {row.code_hash for row in RecoveryCode.select()}
    assert len(kept) == 10
    assert not kept & {codes.tidy(code) for code in made}
    assert not {"secret", "recoveryCodes"} & anna.ok("GET", "/auth/two-factor").keys()


def test_a_workspace_that_asks_for_it_lets_in_nobody_without(acme, sign_in, clock_at):
    path = f"/workspace/{acme.workspace_id}"
    error = acme.refused("PATCH", path, {"requiresTwoFactor": True}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("requiresTwoFactor", "lacks_two_factor")]
    ben = acme.colleague("accountant")
    token = ben.ok("POST", "/auth/tokens", {"name": "Nightly", "workspaceId": acme.workspace_id})["token"]
    switched_on(acme, clock_at)
    assert acme.ok("PATCH", path, {"requiresTwoFactor": True})["requiresTwoFactor"] is True
    assert acme.ok("GET", "/projects") == []
    for headers in ({}, {**bearer(token), "x-workspace-id": acme.workspace_id}):
        answer = ben.call("GET", "/projects", headers=headers)
        assert code_of(answer) == (403, "two_factor_required")
    (workspace,) = ben.ok("GET", "/auth/session")["workspaces"]
    assert workspace["lacksTwoFactor"] is True
    switched_on(ben, clock_at)
    assert ben.ok("GET", "/projects") == []
    (workspace,) = ben.ok("GET", "/auth/session")["workspaces"]
    assert workspace["lacksTwoFactor"] is False
    assert acme.ok("PATCH", path, {"requiresTwoFactor": False})["requiresTwoFactor"] is False
    assert "requiresTwoFactor" in str(acme.ok("GET", "/workspace/events?limit=1")[0]["data"])


def test_those_who_manage_members_see_who_has_it(acme, clock_at):
    ben = acme.colleague("member")
    switched_on(ben, clock_at)
    found = {each["user"]["id"]: each["hasTwoFactor"] for each in acme.ok("GET", "/workspace/members")}
    assert found == {acme.user["id"]: False, ben.user["id"]: True}
    (own, other) = ben.ok("GET", "/workspace/members")
    assert (own["hasTwoFactor"], other["hasTwoFactor"]) == (None, None)
