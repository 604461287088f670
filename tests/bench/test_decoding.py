"""How fast a body becomes a request that can be trusted: P20."""

import json
import statistics
import time
from collections.abc import Callable

import pytest

from erp.finance.documents.bodies import NewInvoice
from erp.store.records import new_id
from erp.web import schema, strict_json
from tests.bench.figures import Figures

LINES, ROUNDS, DECODINGS = 20, 15, 200


def _body() -> bytes:
    line = {"quantity": "7.5", "unit": "hour", "unitPrice": "120.00", "accountId": "4100", "taxRateId": new_id()}
    lines = [{**line, "description": f"Consulting in week {number}"} for number in range(LINES)]
    return json.dumps({"customerId": new_id(), "issueDate": "2026-03-02", "note": "Thank you", "lines": lines}).encode()


def _microseconds(decode: Callable[[bytes], object], raw: bytes) -> float:
    """CPU time of one decoding, as the mean of many."""
    began = time.process_time()
    for _ in range(DECODINGS):
        decode(raw)
    return (time.process_time() - began) / DECODINGS * 1e6


def _decode(raw: bytes) -> NewInvoice:
    """As a request is read, from its bytes to its checked body."""
    return schema.decode(strict_json.read(raw), NewInvoice)


@pytest.mark.bench("P20")
def test_an_invoice_is_decoded_and_validated_almost_as_fast_as_it_is_parsed(figures: Figures):
    raw = _body()
    assert len(_decode(raw).lines) == LINES
    turns = [(_microseconds(_decode, raw), _microseconds(json.loads, raw)) for _ in range(ROUNDS)]
    decoding, parsing = map(statistics.median, zip(*turns, strict=True))
    line = f"an invoice of {LINES} lines decoded in {decoding:.0f} µs, parsed by json in {parsing:.0f} µs (CPU time)"
    figures.ratio("P20", decoding / parsing, "≤", 3, line)
