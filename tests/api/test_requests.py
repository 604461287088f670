"""What every endpoint refuses, and ignores, in a request."""

import msgspec

from erp.web.contract import Contract
from tests.api.endpoints import ENDPOINTS, WITHIN, example, filled, named
from tests.conftest import Office


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_an_unknown_field_is_named(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    error = olga.refused(verb, route, {"nonsense": 1}, status=422, code="validation_failed")
    assert "nonsense" in [complaint["field"] for complaint in error["details"]]


@named(ENDPOINTS)
def test_an_unknown_parameter_is_named(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    body = example(contract) if verb != "GET" else None
    error = olga.refused(verb, route, body, params={"nonsense": "1"}, status=400, code="bad_parameter")
    assert "nonsense" in error["message"]


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_a_body_that_is_not_json_is_refused(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    json_type = {"Content-Type": "application/json"}
    answer = olga.call(verb, route, headers=json_type, raw='{"a": NaN}')
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed_json")
    answer = olga.call(verb, route, headers={"Content-Type": "text/plain"}, raw="{}")
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "unsupported_media_type")
    answer = olga.call(verb, route, headers=json_type, raw=" " * ((1 << 20) + 1))
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too_large")


FORBIDDEN = [
    "id", "version", "createdAt", "createdByUserId", "role", "status", "number", "seq", "hash", "total", "amountPaid",
    "balance", "systemKey", "lockDate", "isInstanceAdmin", "journalEntryId", "archivedAt", "normalBalance", "paid",
]  # fmt: skip


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_what_only_the_program_sets_is_not_a_field_of_a_body(
    olga: Office, path: str, verb: str, contract: Contract
) -> None:
    """Reliability T8: mass assignment."""
    known = {field.encode_name for field in msgspec.structs.fields(contract.body)} if contract.body else set()
    forbidden = [name for name in FORBIDDEN if name not in known]
    body = {**example(contract), **dict.fromkeys(forbidden, "1")}
    error = olga.refused(verb, filled(path, workspace_id=olga.workspace_id), body, status=422, code="validation_failed")
    refused = ("unknown_field", "read_only")
    assert {each["field"] for each in error["details"] if each["code"] in refused} == set(forbidden)


@named([each for each in WITHIN if "{id}" in each[1] and each[2] in ("PATCH", "DELETE")])
def test_a_stale_version_is_refused_and_changes_nothing(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Or the endpoint says that it knows no versions; it never ignores what the caller expects."""
    route = filled(path, records[path.partition("/{id}")[0]], olga.workspace_id)
    answer = olga.call(verb, route, {} if verb == "PATCH" else None, headers={"If-Match": '"999"'})
    assert (answer.status_code, answer.json["error"]["code"]) == (412, "version_mismatch")


SET_UP_FIRST = ("/workspace/mail", "/workspace/texts/{kind}/{language}")
"""The mail server, which a first change has to name, and texts, whose paths name no id."""


@named([each for each in ENDPOINTS if each[2] == "PATCH" and each[1] not in SET_UP_FIRST])
def test_what_is_read_can_be_sent_back_whole(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """What only the program sets is ignored while it is unchanged, and named when it is changed."""
    route = filled(path, records.get(path.partition("/{id}")[0], olga.user["id"]), olga.workspace_id)
    shown = olga.ok("PATCH", route, {})
    answer = olga.call("PATCH", route, shown)
    assert answer.status_code == 200, answer.text
    assert {**answer.json["data"], "version": 0, "updatedAt": ""} == {**shown, "version": 0, "updatedAt": ""}
    shown = answer.json["data"]
    assert contract.body is not None
    taken = {each.encode_name for each in msgspec.structs.fields(contract.body)}
    field = next(name for name in ("version", "id", *shown) if name in shown and name not in taken)
    error = olga.refused("PATCH", route, {**shown, field: "0"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [(field, "read_only")]
