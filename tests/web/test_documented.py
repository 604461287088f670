"""The hook that holds every answer of every test against the document finds what differs."""

import json

import falcon.testing
import pytest

from tests import documented
from tests.documented import PREFIX

HEADERS = {"content-type": "application/json", "x-request-id": "1"}
REFUSED = {"code": "not_found", "status": 404, "message": "There is none.", "requestId": "1"}
CONTACTS = ("get", f"{PREFIX}/finance/contacts")
CONTACT = ("get", f"{PREFIX}/finance/contacts/{{id}}")


def faults(asked, status, body, **headers):
    sent = HEADERS | {name.replace("_", "-"): value for name, value in headers.items()}
    answer = documented.Answer(status, sent, json.dumps(body).encode())
    return list(documented.faults_of(asked, is_head=False, answer=answer))


EMPTY_PAGE = {"success": True, "data": [], "page": {"limit": 50, "nextCursor": None}}


def test_an_answer_as_it_is_documented_has_no_faults():
    assert faults(CONTACTS, 200, EMPTY_PAGE) == []
    assert faults(CONTACT, 404, {"success": False, "error": REFUSED}) == []
    assert faults(None, 404, {"success": False, "error": REFUSED}) == []


@pytest.mark.parametrize(
    ("asked", "status", "body", "headers", "fault"),
    [
        (CONTACTS, 201, EMPTY_PAGE, {}, "the status is not documented"),
        (CONTACTS, 200, {**EMPTY_PAGE, "page": None}, {}, "page: "),
        (CONTACTS, 200, {**EMPTY_PAGE, "more": 1}, {}, "'more' was unexpected"),
        (CONTACTS, 200, {**EMPTY_PAGE, "data": [{"id": "1"}]}, {}, '"version" is a required property'),
        (CONTACTS, 200, EMPTY_PAGE, {"content_type": "text/html"}, "the media type 'text/html' is not documented"),
        (CONTACTS, 200, EMPTY_PAGE, {"location": "/"}, "headers are not documented: ['location']"),
        (CONTACT, 503, {"success": False, "error": REFUSED}, {"retry_after": "soon"}, "retry-after is 'soon'"),
        (CONTACT, 404, {"success": False, "error": {**REFUSED, "code": "gone"}}, {}, "the code gone is not"),
        (None, 404, {"success": False, "error": {}}, {}, '"code" is a required property'),
    ],
)
def test_a_difference_is_found(asked, status, body, headers, fault):
    assert any(fault in each for each in faults(asked, status, body, **headers)), faults(asked, status, body, **headers)


def test_the_answers_of_every_application_in_this_process_are_looked_at(acme):
    acme.call("GET", "/finance/contacts")
    assert documented.FOUND == []
    falcon.testing.TestClient(falcon.App()).simulate_get(f"{PREFIX}/finance/contacts")
    found, documented.FOUND[:] = [*documented.FOUND], []
    assert any("404: the status is not documented" in each for each in found)
