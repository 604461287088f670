"""Cursors: opaque, and of no use where they were not made."""

import base64
import json

import pytest

from erp.kernel.errors import BadParameter
from erp.web import paging


def spelled(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize("value", ["x", 0, -1, 2**62])
def test_a_cursor_is_read_as_it_was_written(value: object) -> None:
    assert paging.read_cursor(paging.write_cursor("-name", value, "id"), "-name") == (value, "id")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        spelled([]),
        spelled({}),
        spelled(None),
        spelled(["name"]),
        spelled(["name", "x", "id"]),
        spelled(["-name", None, "id"]),
        spelled(["-name", 1.5, "id"]),
        spelled(["-name", True, "id"]),
        spelled(["-name", 10**30, "id"]),
        spelled(["-name", "x", 7]),
        spelled(["-name", "\ud800", "id"]),
        spelled(["-name", "x", "\ud800"]),
        spelled(["-name", "x", "id", "more"]),
    ],
)
def test_a_cursor_that_was_not_made_for_the_list_is_refused(cursor: str) -> None:
    with pytest.raises(BadParameter):
        paging.read_cursor(cursor, "-name")
