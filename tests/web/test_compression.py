"""Answers are compressed for those who accept it."""

import gzip
import json

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice

PATH = "/finance/accounts"


def get(office, path=PATH, accepts=None, verb="GET", **headers):
    accepted = {} if accepts is None else {"Accept-Encoding": accepts}
    return office.call(verb, path, headers={**accepted, **headers})


@pytest.mark.parametrize("accepts", ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "GZIP"])
def test_a_long_answer_is_compressed_and_says_the_same(acme, accepts):
    plain, packed = get(acme), get(acme, accepts=accepts)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.content)) == plain.json
    assert len(packed.content) * 3 < len(plain.content)
    assert int(packed.headers["Content-Length"]) == len(packed.content)
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]


@pytest.mark.parametrize("accepts", [None, "", "identity", "gzip;q=0", "br", "gzip;q=0.0"])
def test_whoever_does_not_accept_it_gets_it_as_it_is(acme, accepts):
    answer = get(acme, accepts=accepts)
    assert "Content-Encoding" not in answer.headers
    assert answer.json["success"] is True


def test_a_short_answer_is_sent_as_it_is(acme):
    answer = get(acme, "/finance/invoices", "gzip")
    assert "Content-Encoding" not in answer.headers
    assert answer.json["data"] == []


def test_the_head_of_an_answer_is_that_of_the_answer(acme):
    got, head = get(acme, accepts="gzip"), get(acme, accepts="gzip", verb="HEAD")
    assert head.content == b""
    for name in ("Content-Length", "Content-Encoding", "ETag"):
        assert head.headers[name] == got.headers[name]


def test_tables_and_documents_are_sent_as_they_are(acme):
    for number in range(30):
        customer(acme, f"Customer {number}")
    assert "Content-Encoding" not in get(acme, "/finance/contacts?format=csv", "gzip").headers


def test_the_document_of_the_api_is_compressed_once(acme):
    answer = acme.installation.client.simulate_get(
        "/api/openapi.json", host="localhost", port=8420, headers={"Accept-Encoding": "gzip"}
    )
    assert json.loads(gzip.decompress(answer.content))["openapi"].startswith("3.1")
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_repeated_request_is_compressed_or_not_as_it_asks(acme):
    """The first answer is kept as it is."""
    lines = [{"description": f"Line {i}", "quantity": "1", "unitPrice": "1.00"} for i in range(5)]
    body = {"customer": {"name": "Globex"}, "lines": lines}
    key = {"Idempotency-Key": "k", "Accept-Encoding": "gzip"}
    first = acme.call("POST", "/finance/invoices", body, headers=key)
    again = acme.call("POST", "/finance/invoices", body, headers={"Idempotency-Key": "k"})
    assert first.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in again.headers
    assert json.loads(gzip.decompress(first.content)) == again.json


def test_a_long_refusal_is_compressed_too(acme):
    body = {"lines": [{"quantity": "0"}] * 20}
    headers = {"Accept-Encoding": "gzip", "Authorization": f"Bearer {acme.token}"}
    path = "/api/v1/finance/invoices"
    answer = acme.installation.client.simulate_post(path, json=body, headers=headers, host="localhost", port=8420)
    assert json.loads(gzip.decompress(answer.content))["error"]["code"] == "validation_failed"


def test_an_answer_that_is_held_is_the_same_compressed_or_not(acme):
    invoice(acme)
    held = get(acme, accepts="gzip").headers["ETag"]
    assert get(acme, **{"If-None-Match": held}).status_code == 304
