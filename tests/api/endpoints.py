"""The endpoints, to walk over, and requests to them."""

import re
from typing import Any

import pytest

from erp.app import areas
from erp.store.records import new_id
from erp.web import openapi
from erp.web.contract import Contract

EVERY = list(openapi.contracts(areas()))
ENDPOINTS = [each for each in EVERY if each[3].access != "kiosk"]
"""Without those that take the token of a kiosk."""
WITHIN = [each for each in ENDPOINTS if each[3].access == "workspace"]
SIGNED_IN = [each for each in ENDPOINTS if each[3].access != "public"]
READ = [each for each in ENDPOINTS if each[2] == "GET" and "{" not in each[1] and not each[3].produces]


def named(endpoints: list[Any]) -> Any:
    """Parametrise over endpoints, by verb and path."""
    return pytest.mark.parametrize(
        ("path", "verb", "contract"),
        [each[1:] for each in endpoints],
        ids=[f"{verb} {path}" for _, path, verb, _ in endpoints],
    )


def filled(path: str, id: str | None = None, workspace_id: str = "") -> str:
    """A path with its parameters filled in."""
    path = path.replace("{workspace_id}", workspace_id).replace("/year-to-date/{year}", "/year-to-date/2026")
    path = path.replace("/people/{kind}", "/people/contact")
    return re.sub(r"\{\w+\}", id or new_id(), path)


def example(contract: Contract) -> dict[str, Any]:
    """The documented example of an endpoint's body."""
    return dict(getattr(contract.body, "EXAMPLE", {}))
