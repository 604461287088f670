"""What the documentation promises of every endpoint is so."""

import json
import re

import msgspec
import pytest
from openapi_spec_validator import validate

from erp.web.contract import Contract
from erp.web.schema import ListQuery, RecordView, decode, known
from tests.api.endpoints import ENDPOINTS, EVERY, WITHIN, example, filled, named
from tests.api.made import MADE_OF_OTHERS
from tests.conftest import IS_THOROUGH, Installation, Office
from tests.documented import document
from tests.openapi_faults import faults_of

HANDED_OUT = {
    "billIds",
    "contactId",
    "decisions",
    "fromItemId",
    "ids",
    "invoiceIds",
    "reminderIds",
    "letters",
    "secret",
    "token",
    "setupCode",
    "workspaceId",
    "userId",
}
"""What an example cannot contain, because it is handed out first."""


@named(EVERY)
def test_its_documentation_is_a_sentence(path: str, verb: str, contract: Contract) -> None:
    first = (contract.function.__doc__ or "").strip().split("\n\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", " ".join(first.split())), first


@named([each for each in ENDPOINTS if each[3].body is not None])
def test_a_body_with_required_fields_has_an_example_that_is_valid(path: str, verb: str, contract: Contract) -> None:
    assert contract.body is not None
    required = {field.encode_name for field in msgspec.structs.fields(contract.body) if field.required}
    assert required <= set(example(contract)), "an example shows at least what is required"
    decode(json.loads(json.dumps(example(contract))), contract.body)


NEED_A_FILE = {"/finance/datev/received", "/workspace/paper/letterhead"}
"""A file of another program in base64 is no example that anybody could read."""
NEED_A_PHONE = {f"/auth/two-factor/{action}" for action in ("confirm", "disable", "recovery-codes")}


def test_every_example_works_when_it_is_tried_out(installation: Installation) -> None:
    """In the order of the documentation, as a person would press the buttons."""
    office = installation.office("Olga")
    tried = 0
    for _, path, verb, contract in ENDPOINTS:
        body = example(contract)
        is_alone = "{" not in path and path not in MADE_OF_OTHERS and path not in NEED_A_PHONE | NEED_A_FILE
        if verb == "POST" and body and is_alone and not HANDED_OUT & set(body):
            answer = office.call(verb, path, body)
            expected = (403,) if path.startswith("/auth/sign-in") or path == "/auth/login" else ()
            assert answer.status_code in (200, 201, *expected), f"{verb} {path}: {answer.text}"
            if "Location" in answer.headers:
                made = office.ok("GET", answer.headers["Location"].removeprefix("/api/v1"))
                assert made["id"] == answer.json["data"]["id"]
            tried += 1
    assert tried >= 10


@named([each for each in WITHIN if "{id}" in each[1] and example(each[3])])
def test_an_example_for_a_record_is_refused_for_its_state_at_most(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Or because it names another record, whose id an example cannot know."""
    answer = olga.call(verb, filled(path, records[path.partition("/{id}")[0]]), example(contract))
    complaints = answer.json["error"].get("details", []) if answer.status_code == 422 else []
    assert answer.status_code in (200, 201, 409, 422), answer.text
    assert {each["code"] for each in complaints} <= {"unknown_reference"}, answer.text


@pytest.mark.thorough
def test_the_document_is_valid_openapi(server: Installation) -> None:
    served = server.client.simulate_get("/api/openapi.json", host="localhost").json
    assert served["openapi"] == "3.1.0"
    assert faults_of(served) == []
    if IS_THOROUGH:
        validate(served)  # it finds no more, and takes half a minute
    assert served == json.loads(json.dumps(document()))


@named([each for each in WITHIN if each[3].body is not None])
def test_a_body_may_name_its_workspace_and_the_document_says_so(path: str, verb: str, contract: Contract) -> None:
    assert contract.body is not None
    schema = document()["components"]["schemas"][contract.body.__name__]
    assert schema["properties"]["workspaceId"]["type"] == "string"
    assert "workspaceId" not in schema.get("required", [])


def test_every_endpoint_is_documented(server: Installation) -> None:
    paths = document()["paths"]
    assert {(re.sub(r"_(\w)", lambda part: part[1].upper(), path), verb.lower()) for _, path, verb, _ in EVERY} == {
        (path.removeprefix("/api/v1"), verb) for path, item in paths.items() for verb in item
    }, "with the parameters of paths in camelCase"


def test_a_view_of_a_record_shows_what_every_record_has() -> None:
    """What there is once, such as the settings of the mail server, has a version and no id."""
    versioned = {c.view for *_, c in ENDPOINTS if c.view and hasattr(c.view, "version") and hasattr(c.view, "id")}
    assert len(versioned) > 10
    assert [view for view in versioned if not issubclass(view, RecordView)] == []


def test_every_list_takes_a_limit_and_a_cursor() -> None:
    pages = [contract for *_, contract in ENDPOINTS if contract.shape == "page"]
    assert all(contract.query and issubclass(contract.query, ListQuery) for contract in pages)


@named(EVERY)
def test_msgspec_can_read_the_types_of_an_endpoint(path: str, verb: str, contract: Contract) -> None:
    for kind in filter(None, (contract.body, contract.query, contract.view, contract.grouped, contract.preview)):
        assert known(kind) is kind
