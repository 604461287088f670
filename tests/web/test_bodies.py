"""Bodies and headers at the edge of what an endpoint takes."""

import pytest

from tests.conftest import Office


def post(office: Office, path: str, raw: str, content_type: str = "application/json") -> tuple[int, str]:
    answer = office.call("POST", path, raw=raw, headers={"Content-Type": content_type})
    return answer.status_code, answer.json["error"]["code"]


@pytest.mark.parametrize("raw", ["[]", "null", "0", '"text"', "true"])
@pytest.mark.parametrize("path", ["/finance/contacts", "/auth/logout", "/workspace/leave"])
def test_a_body_is_an_object(acme: Office, path: str, raw: str) -> None:
    assert post(acme, path, raw) == (422, "validation_failed")


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']
)
def test_json_is_utf_8(acme: Office, content_type: str) -> None:
    assert post(acme, "/finance/contacts", "{}", content_type) == (422, "validation_failed")


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/json; charset=utf-16", "application/jsonp", "application/x-www-form-urlencoded"],
)
def test_any_other_media_type_is_refused(acme: Office, content_type: str) -> None:
    assert post(acme, "/finance/contacts", "{}", content_type) == (415, "unsupported_media_type")


def test_an_expectation_that_does_not_apply_stops_the_change_before_it_is_made(acme: Office) -> None:
    token = {"name": "script", "workspaceId": acme.workspace_id}
    acme.refused("POST", "/auth/tokens", token, headers={"If-Match": '"1"'}, status=400, code="bad_parameter")
    assert acme.ok("GET", "/auth/tokens") == []
    contact = {"name": "Initech", "kind": "customer"}
    acme.refused("POST", "/finance/contacts", contact, headers={"If-Match": '"1"'}, status=400, code="bad_parameter")
    assert acme.ok("GET", "/finance/contacts") == []


@pytest.mark.parametrize("header", ["3", 'W/"3"', '"x"', '"1", "2"', '""'])
def test_an_expectation_names_one_version(acme: Office, header: str) -> None:
    path = f"/workspace/{acme.workspace_id}"
    acme.refused("PATCH", path, {"legalName": "Acme"}, headers={"If-Match": header}, status=400, code="bad_parameter")


def test_any_version_may_be_expected(acme: Office) -> None:
    path = f"/workspace/{acme.workspace_id}"
    changed = acme.call("PATCH", path, {"legalName": "Acme GmbH"}, headers={"If-Match": "*"})
    assert changed.headers["ETag"] == f'"{changed.json["data"]["version"]}"'
    again = acme.call("PATCH", path, {"legalName": "Acme AG"}, headers={"If-Match": changed.headers["ETag"]})
    assert again.status_code == 200
    acme.refused("PATCH", path, {"legalName": "x"}, headers={"If-Match": changed.headers["ETag"]}, status=412)


@pytest.mark.parametrize(
    "email",
    [
        "",
        "olga",
        "olga@",
        "@example.com",
        "a b@example.com",
        "a\u0007@example.com",
        "a@b..c",
        "x" * 250 + "@example.com",
    ],
)
def test_what_is_not_an_email_address_is_refused(acme: Office, email: str) -> None:
    error = acme.refused("POST", "/workspace/invites", {"email": email, "role": "member"}, status=422)
    assert [complaint["field"] for complaint in error["details"]] == ["email"]
