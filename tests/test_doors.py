"""Every endpoint's door: dead tokens, roles that may come in, pages of other sites."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from erp.app import areas
from erp.store.records import new_id
from erp.web import openapi
from erp.web.edge import NEEDS_NO_SESSION
from tests.conftest import PASSWORD, Installation, Office
from tests.matrix import ANYONE, DOORS, EVERY_ROLE, KIOSK, NO_ROLE, SIGNED_IN

ROLES = EVERY_ROLE.split()
ENDPOINTS = list(openapi.contracts(areas()))
WRITES = [(path, verb) for _, path, verb, _ in ENDPOINTS if verb != "GET"]


def filled(path: str, workspace_id: str = "") -> str:
    return re.sub(r"\{\w+\}", new_id(), path.replace("{workspace_id}", workspace_id or new_id()))


def sweep(person: Office, access: str) -> dict[str, tuple[int, str]]:
    """What a person gets from every endpoint with that access."""
    answers = {}
    for _, path, verb, contract in ENDPOINTS:
        if contract.access == access:
            answer = person.call(verb, filled(path, person.workspace_id), {} if verb != "GET" else None)
            code = "" if answer.status_code < 400 else answer.json["error"]["code"]
            answers[f"{verb} {path}"] = answer.status_code, code
            if answer.status_code == 401:
                assert answer.headers["www-authenticate"] == 'Bearer realm="erp", error="invalid_token"'
    assert answers
    return answers


@pytest.mark.parametrize("access", ["user", "workspace", "instance"])
def test_a_session_that_was_ended_opens_no_door(acme: Office, access: str) -> None:
    """Reliability T3."""
    acme.ok("POST", "/auth/logout")
    assert set(sweep(acme, access).values()) == {(401, "not_authenticated")}


@pytest.mark.parametrize("access", ["user", "workspace", "instance"])
def test_a_session_that_has_ended_by_itself_opens_no_door(
    acme: Office, clock_at: Callable[[str], None], access: str
) -> None:
    """Reliability T3."""
    clock_at("2199-01-01T00:00:00Z")
    assert set(sweep(acme, access).values()) == {(401, "session_expired")}


def test_every_endpoint_has_a_row_in_the_matrix_written_by_hand() -> None:
    """Reliability T4: whoever adds an endpoint says in `tests/matrix.py` who may come in."""
    assert {f"{verb} {path}" for _, path, verb, _ in ENDPOINTS} == set(DOORS)
    assert {role for who in DOORS.values() if who not in (ANYONE, SIGNED_IN, KIOSK) for role in who.split()} == set(
        ROLES
    )


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Office]:
    """A person of each role, none of whom is an administrator of the installation."""
    server = Installation(tmp_path_factory.mktemp("doors"))
    server.newcomer("Ada")
    owner = server.office("Olga")
    return {"owner": owner, **{role: owner.colleague(role) for role in ROLES if role != "owner"}}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_comes_in_exactly_where_the_matrix_lets_it(staff: dict[str, Office], role: str) -> None:
    """Reliability T4: past the guard a nonsensical request is refused for what it asks, never for who asks."""
    person = staff[role]
    wrong = {}
    for endpoint, who in DOORS.items():
        comes_in = who in (ANYONE, SIGNED_IN) or role in who.split()
        status, code = knock(person, endpoint)
        if not (status in (400, 422) if comes_in else (status, code) == (403, "forbidden")):
            wrong[endpoint] = status, code
    assert wrong == {}


def test_without_signing_in_only_the_public_doors_open(staff: dict[str, Office]) -> None:
    """Reliability T4."""
    nobody = Office(staff["owner"].installation, "", {"user": {}, "session": {"token": "erp_of_nobody"}})
    nobody.workspace_id = staff["owner"].workspace_id
    opened = {endpoint for endpoint in DOORS if knock(nobody, endpoint) != (401, "not_authenticated")}
    assert opened == {endpoint for endpoint, who in DOORS.items() if who == ANYONE}


def test_a_named_token_never_administers_the_installation_not_even_an_instance_admins(acme: Office) -> None:
    sentence = "An access token cannot administer the server. Sign in as a server administrator instead."
    token = acme.ok("POST", "/auth/tokens", {"name": "Export", "workspaceId": acme.workspace_id})
    script = Office(acme.installation, acme.email, {"user": acme.user, "session": token})
    for endpoint in [endpoint for endpoint, who in DOORS.items() if who == NO_ROLE]:
        verb, path = endpoint.split()
        assert script.refused(verb, filled(path), status=403, code="forbidden")["message"] == sentence


def knock(person: Office, endpoint: str) -> tuple[int, str]:
    """What a person hears who asks an endpoint for something that it cannot do."""
    verb, path = endpoint.split()
    body = {"nonsense": 1} if verb != "GET" else None
    answer = person.call(verb, filled(path, person.workspace_id), body, params={"nonsense": "1"})
    return answer.status_code, answer.json["error"]["code"]


FOREIGN: list[dict[str, str]] = [
    {},
    {"Origin": "http://localhost"},
    {"Origin": "http://localhost:3000"},
    {"Origin": "null"},
    {"Origin": "http://evil.example"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=repr)
def test_no_page_of_another_site_changes_anything_anywhere(acme: Office, headers: dict[str, str]) -> None:
    """Reliability A1."""
    cookie = {"Cookie": f"{acme.installation.cookie()}={acme.token}"}
    for path, verb in WRITES:
        if not headers and f"/api/v1{path}" in NEEDS_NO_SESSION:
            continue  # a script signs in again, with the cookie of before in its jar
        answer = acme.installation.call(verb, filled(path, acme.workspace_id), {}, headers={**cookie, **headers})
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "cross_site"), (verb, path)


@pytest.mark.parametrize("host", ["evil.example:8420", "localhost", "localhost:80", "localhost@evil.example"])
def test_no_foreign_name_reaches_any_endpoint(acme: Office, host: str) -> None:
    """Reliability A1."""
    for _, path, verb, _ in ENDPOINTS:
        headers = {"Host": host, "Authorization": f"Bearer {acme.token}"}
        answer = acme.installation.call(verb, filled(path, acme.workspace_id), headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (421, "host_rejected"), (verb, path)


NASTY: dict[str, str] = {
    "SQL": "x'); DROP TABLE user; --",
    "HTML": "<script>alert(1)</script>",
    "formula": '=HYPERLINK("http://evil.example")',
    "right to left": "\N{RIGHT-TO-LEFT OVERRIDE}abc",
    "emoji": "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}",
    "combining": "Zoe\N{COMBINING DIAERESIS}",
    "wild cards": "%_*?[a-z]\\",
}


def texts(body: Any) -> list[str]:
    return [name for name, value in body.items() if type(value) is str]


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_text_of_any_kind_is_kept_as_it_is_or_refused(acme: Office, text: str) -> None:
    """Reliability H4; `Installation.call` sees to it that no refusal is one that is not documented."""
    kept = 0
    for _, path, verb, contract in ENDPOINTS:
        example: dict[str, Any] = dict(getattr(contract.body, "EXAMPLE", {}))
        if contract.shows_secret or (contract.session_only and verb == "DELETE") or "password" in path:
            continue
        for field in texts(example):
            answer = acme.call(verb, filled(path, acme.workspace_id), {**example, field: text})
            if answer.status_code < 300 and isinstance(answer.json["data"], dict) and field in answer.json["data"]:
                shown = answer.json["data"][field].splitlines()[-1]  # a note of a punch goes below the one before
                assert shown == text.replace("e\N{COMBINING DIAERESIS}", "ë"), (verb, path, field)
                kept += 1
    assert kept > 5


def test_the_session_of_a_browser_is_worth_as_much_as_that_of_a_script(installation: Installation) -> None:
    """Reliability A5: over plain HTTP too, the cookie is a session, and a dead one is none."""
    olga = installation.newcomer("Olga")
    who = {"email": olga.email, "password": PASSWORD}
    name = installation.cookie()
    before = {"Cookie": f"{name}={olga.token}", "Sec-Fetch-Site": "same-origin"}
    answer = installation.call("POST", "/auth/login", who, headers=before)
    cookie = answer.cookies[name]
    assert (cookie.http_only, cookie.same_site, cookie.path, cookie.secure) == (True, "Strict", "/", False)
    assert cookie.value != olga.token
    now = {"Cookie": f"{name}={cookie.value}", "Sec-Fetch-Site": "same-origin"}
    assert installation.call("GET", "/auth/session", headers=now).status_code == 200
    assert installation.call("POST", "/auth/logout", headers=now).status_code == 200
    assert installation.call("GET", "/auth/session", headers=now).status_code == 401
