"""No endpoint lets a stranger in, and none hides a record from those who may see it."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from erp.kernel import roles
from erp.store.records import new_id
from erp.web.contract import Contract
from tests.api.endpoints import SIGNED_IN, WITHIN, example, filled, named
from tests.conftest import Installation, Office


@named(SIGNED_IN)
def test_no_one_gets_in_without_a_valid_session(server: Installation, path: str, verb: str, contract: Contract) -> None:
    for authorization in (None, "Bearer erp_no_one", "Bearer a, Bearer b", "Basic eDp5", "Bearer"):
        headers = {"Authorization": authorization} if authorization else {}
        answer = server.call(verb, filled(path, workspace_id=new_id()), headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (401, "not_authenticated"), authorization
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@named(WITHIN)
def test_a_stranger_gets_the_same_answer_for_anothers_workspace_and_for_none(
    olga: Office, sam: Office, path: str, verb: str, contract: Contract
) -> None:
    def refusal(workspace_id: str) -> dict[str, Any]:
        answer = sam.call(verb, filled(path, workspace_id=workspace_id), headers={"x-workspace-id": workspace_id})
        error: dict[str, Any] = answer.json["error"]
        return {"status": answer.status_code, **error, "requestId": ""}

    assert refusal(olga.workspace_id) == refusal(new_id())
    assert refusal(olga.workspace_id)["code"] == "not_a_member"


@named([each for each in WITHIN if "{id}" in each[1]])
def test_an_unknown_id_is_not_found(olga: Office, path: str, verb: str, contract: Contract) -> None:
    body = example(contract) if verb != "GET" else None
    olga.refused(verb, filled(path, workspace_id=olga.workspace_id), body, status=404, code="not_found")


@named([each for each in WITHIN if "{id}" in each[1]])
def test_a_stranger_never_reaches_a_record_of_another_workspace(
    olga: Office, sam: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Reliability T5: her own workspace answers to another's id as it does to one that never existed."""
    body = example(contract) if verb != "GET" else None
    theirs = filled(path, records[path.partition("/{id}")[0]], sam.workspace_id)
    first = sam.refused(verb, theirs, body, status=404, code="not_found")
    second = sam.refused(verb, filled(path, workspace_id=sam.workspace_id), body, status=404, code="not_found")
    assert {**first, "requestId": ""} == {**second, "requestId": ""}


AREAS = {
    "finance": {"bills", "contacts", "finance"},
    "hr": {"attendance", "employees", "expenses", "leave"},
    "payroll": {"cost", "pay", "payroll"},
    "projects": {"money", "projects"},
    "tasks": {"tasks", "time"},
    "workspace": {"events", "invites", "members", "workspace"},
}
"""The first words of the rights that a scope gives, by its area."""


@pytest.fixture(scope="module")
def limited(olga: Office) -> Callable[[Iterable[str]], dict[str, str]]:
    """Headers with a token of Olga's that has these scopes."""

    @functools.cache
    def headers(scopes: tuple[str, ...]) -> dict[str, str]:
        body = {"name": "script", "workspaceId": olga.workspace_id, "scopes": scopes}
        return {"Authorization": f"Bearer {olga.ok('POST', '/auth/tokens', body)['token']}"}

    return lambda scopes: headers(tuple(sorted(scopes)))


@named([each for each in WITHIN if not each[3].session_only])
def test_a_token_with_scopes_comes_in_by_the_scope_of_the_area_alone(
    olga: Office, limited: Any, path: str, verb: str, contract: Contract
) -> None:
    word, _, right = (contract.permission or "").partition(".")
    (area,) = (area for area, words in AREAS.items() if word in words)
    reads = right.startswith("read") and not contract.writes
    others = {f"{other}:write" for other in AREAS if other != area} | (set() if reads else {f"{area}:read"})
    route = filled(path, workspace_id=olga.workspace_id)
    refused = olga.installation.call(verb, route, headers=limited(others))
    assert refused.status_code == 403
    assert refused.json["error"]["params"] == {"scope": f"{area}:{'read' if reads else 'write'}"}
    for scope in {f"{area}:write", f"{area}:{'read' if reads else 'write'}"}:
        body = None if verb == "GET" else {"nonsense": 1}
        answer = olga.installation.call(verb, route, body, headers=limited({scope}))
        lacking = answer.json["error"].get("params", {}).get("scope", "") if answer.status_code == 403 else ""
        assert not lacking.startswith(f"{area}:"), "pay in a record of another area may ask for payroll as well"


CREATING = [each for each in SIGNED_IN if each[3].status == 201 and each[2] == "POST"]
ELSEWHERE = {
    *("/finance/allocations", "/finance/depreciation-runs", "/finance/invoices/from-time-logs", "/finance/payments"),
    *("/hr/employees/{id}/documents", "/hr/payroll/run", "/hr/leave-adjustments", "/workspace/attachments"),
    "/workspace/{workspace_id}/duplicate",
}
"""Their examples need more than one record, or who reads what they make depends on a record; they answer with the view
and at the collection of other endpoints."""


@named([each for each in CREATING if each[1] not in ELSEWHERE])
def test_everyone_who_may_create_a_record_can_fetch_it_at_its_location(
    olga: Office, colleagues: dict[str, Office], records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    body = {**example(contract), **({"workspaceId": olga.workspace_id} if path == "/auth/tokens" else {})}
    answer = olga.call(verb, filled(path, records.get(path.partition("/{id}")[0])), renamed(body))
    location = answer.headers.get("Location", "").removeprefix("/api/v1")
    assert answer.status_code in (201, 409, 422), answer.text  # some examples can only be used once
    location = location or f"{path}/{records.get(path, '')}"
    if location.endswith("/"):
        return  # what it creates has no address of its own
    may = [role for role in roles.ROLES if contract.permission and roles.allows(role, contract.permission)]
    everyone = [role for role in may if not str(contract.permission).endswith(("_own", "_reports"))]
    for office in (olga, *(colleagues[role] for role in everyone)):
        assert office.call("GET", location).status_code == 200, location


def renamed(body: dict[str, Any]) -> dict[str, Any]:
    """An example under another name and code, so that it can be used again."""
    return body | {name: f"{body[name]}2"[-8:] for name in ("name", "code") if name in body}


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "localhost, evil.example"])
def test_a_foreign_host_name_is_refused(server: Installation, host: str) -> None:
    answer = server.client.simulate_get("/api/health", headers={"Host": host})
    assert (answer.status_code, answer.json["error"]["code"]) == (421, "host_rejected")
