"""Promises about answers that hold for every endpoint; a new one is walked by itself."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from erp.web.contract import Contract
from erp.web.schema import RecordQuery
from tests.api.endpoints import ENDPOINTS, READ, named
from tests.conftest import Installation, Office

ADDED_UP = ("/finance/invoices", "/finance/payments", "/finance/quotes", "/tasks/time-logs")
"""The lists whose pages have sums."""


@named(READ)
def test_what_is_read_has_the_envelope(olga: Office, path: str, verb: str, contract: Contract) -> None:
    answer = olga.call("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.json["success"] is True
    assert set(answer.json) == ({"success", "data", "page"} if contract.shape == "page" else {"success", "data"})
    if contract.shape == "page":
        assert set(answer.json["page"]) == {"limit", "nextCursor"}
        counted = olga.call("GET", path, params={"total": "true", "limit": "1"}).json["page"]
        assert set(counted) == {"limit", "nextCursor", "total"} | ({"sums"} if path in ADDED_UP else set())


@named([each for each in ENDPOINTS if each[3].shape == "page" and "{" not in each[1]])
def test_a_list_is_walked_page_by_page_in_every_order(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    assert contract.query is not None
    sort = {field.encode_name: field.type for field in msgspec.structs.fields(contract.query)}.get("sort")
    orders = [one for each in get_args(sort) for one in (*get_args(each), each) if isinstance(one, str)]
    for order in [{}, *({"sort": each} for each in orders)]:
        everything = olga.ok("GET", path, params={**order, "limit": "200"})
        assert list(walk(olga, path, order)) == everything


def walk(office: Office, path: str, parameters: dict[str, str]) -> Iterator[Any]:
    """All items of a list, three at a time."""
    cursor: dict[str, str] = {}
    for _ in range(200):
        answer = office.call("GET", path, params={**parameters, "limit": "3", **cursor})
        yield from answer.json["data"]
        if answer.json["page"]["nextCursor"] is None:
            return
        cursor = {"cursor": answer.json["page"]["nextCursor"]}


PAGES = [each for each in ENDPOINTS if each[3].shape == "page" and "{" not in each[1]]


@named(PAGES)
def test_a_list_answers_only_the_records_that_are_named(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    everything = olga.ok("GET", path, params={"limit": "200"})
    for ids in ([each["id"] for each in everything[:3]], ["none"]):
        wanted = [each for each in everything if each["id"] in ids]
        for text in (",".join(ids), ids):
            answer = olga.call("GET", path, params={"ids": text, "total": "true"})
            assert answer.json["data"] == wanted
            assert answer.json["page"]["total"] == len(wanted)
    error = olga.refused("GET", path, params={"ids": ",".join(["none"] * 201)}, status=400, code="bad_parameter")
    assert error["message"] == "ids: List at most 200 ids at once."


@named([each for each in PAGES if "updated_at" in getattr(each[3].view, "__struct_fields__", ())])
def test_a_list_answers_only_records_that_were_changed_since(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    everything = olga.ok("GET", path, params={"limit": "200"})
    for instant in {each["updatedAt"] for each in everything[:3]} | {"2020-01-01T00:00:00Z", "2199-12-31T23:59:59Z"}:
        changed = [each for each in everything if each["updatedAt"] > instant]
        assert olga.ok("GET", path, params={"updatedAfter": instant, "limit": "200"}) == changed


def test_every_list_of_records_that_say_when_they_were_changed_can_be_asked_for_the_changes() -> None:
    pages = [contract for *_, contract in ENDPOINTS if contract.shape == "page"]
    for contract in pages:
        says_when = "updated_at" in getattr(contract.view, "__struct_fields__", ())
        assert says_when == (contract.query is not None and issubclass(contract.query, RecordQuery)), contract.query


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/finance/invoices", "currency"),
        ("/finance/payments", "currency"),
        ("/tasks", "status"),
        ("/tasks/time-logs", "task"),
        ("/hr/leaves", "status"),
    ],
)
def test_groups_and_sums_are_of_the_records_that_are_named(
    olga: Office, records: dict[str, str], path: str, group: str
) -> None:
    first = olga.ok("GET", path)[0]["id"]
    assert [each.get("count", 1) for each in olga.ok("GET", path, params={"groupBy": group, "ids": first})] == [1]
    assert olga.ok("GET", path, params={"groupBy": group, "ids": "none"}) == []
    page = olga.call("GET", path, params={"ids": "none", "total": "true"}).json["page"]
    assert page.get("sums", []) == []


@named(PAGES)
@pytest.mark.parametrize(
    "parameters", [{"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"cursor": "x"}, {"cursor": "WzFd"}, {"sort": "x"}]
)
def test_a_list_refuses_what_it_cannot_do(
    olga: Office, path: str, verb: str, contract: Contract, parameters: dict[str, str]
) -> None:
    olga.refused("GET", path, params=parameters, status=400, code="bad_parameter")


@named([each for each in ENDPOINTS if each[3].shape in ("page", "list") and "{" not in each[1]])
def test_a_list_is_also_a_spreadsheet(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    answer = olga.call("GET", path, headers={"Accept": "text/csv"})
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = answer.text.splitlines()
    size = {"limit": "200"} if contract.shape == "page" else {}
    assert len(rows) >= len(olga.ok("GET", path, params=size)) + 1
    assert rows[0]


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/nowhere", "/api/v1/auth/login/more", "/api", "/api/v2/auth"])
def test_an_unknown_path_has_the_envelope(server: Installation, path: str) -> None:
    answer = server.client.simulate_get(path, host="localhost")
    assert answer.status_code == 404
    assert answer.json["error"]["code"] == "no_such_endpoint"
    assert answer.json["error"]["requestId"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize("path", ["/auth/session", "/finance/accounts", "/finance/accounts?format=csv"])
def test_a_head_is_answered_as_a_get_without_its_body(olga: Office, path: str) -> None:
    whole, head = olga.call("GET", path), olga.call("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Type", "Content-Length"):
        assert head.headers[name] == whole.headers[name]


def test_a_head_of_what_only_takes_a_post_is_refused(olga: Office) -> None:
    assert olga.call("HEAD", "/auth/login").status_code == 405


def test_a_method_that_a_path_does_not_answer_is_refused_with_those_it_does(server: Installation) -> None:
    answer = server.call("DELETE", "/auth/login")
    assert (answer.status_code, answer.json["error"]["code"]) == (405, "method_not_allowed")
    assert "params" not in answer.json["error"]
    assert "POST" in answer.headers["Allow"]


@named(READ)
def test_a_trailing_slash_does_not_matter(olga: Office, path: str, verb: str, contract: Contract) -> None:
    assert olga.call("GET", path + "/").status_code == olga.call("GET", path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/api/docs", "/api/docs/docs.js", "/api/openapi.json", "/api/health", "/nowhere"]
)
def test_every_answer_has_the_security_headers(server: Installation, path: str) -> None:
    headers = server.client.simulate_get(path, host="localhost").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "X-Request-Id" in headers
    assert not [name for name in headers if name.lower().startswith("access-control")]


def test_health_says_no_more_than_status_and_version(server: Installation) -> None:
    answer = server.client.simulate_get("/api/health", host="localhost").json
    assert set(answer["data"]) == {"status", "version"}
