"""Whether answers keep the rules of WSGI, and refuse only as the documentation says."""

import functools
import wsgiref.validate
from contextvars import ContextVar

import falcon.testing

from erp.app import _router, areas
from erp.kernel.errors import NoSuchEndpoint
from erp.web import openapi

PREFIX = "/api/v1"

validator = wsgiref.validate.validator
IS_CHECKED: ContextVar[bool] = ContextVar("IS_CHECKED", default=True)
"""Whether a request and its answer are held against the rules of WSGI, which takes a tenth of a request's time."""

wsgiref.validate.validator = lambda application: validator(application) if IS_CHECKED.get() else application
ANSWERED: set[tuple[str, str]] = set()
"""The endpoints that have answered and not refused; until then each request is checked."""


@functools.cache
def documented_refusals() -> dict[tuple[str, str], set[tuple[int, str]]]:
    """What each endpoint may refuse with, by its verb and its path."""
    return {
        (verb, PREFIX + path): {
            (status, kind.code) for status, kinds in openapi.refusals(contract, verb).items() for kind in kinds
        }
        for _, path, verb, contract in openapi.contracts(areas())
    }


def endpoint_of(verb: str, path: str) -> tuple[str, str] | None:
    """The verb and the path, with names for its ids, as the documentation has them."""
    found = _router().find((PREFIX + path.partition("?")[0]).rstrip("/"))
    return (verb, found[3]) if found and found[3] else None


def check_is_documented(endpoint: tuple[str, str] | None, answer: falcon.testing.Result) -> None:
    """Whatever a test sends, an endpoint refuses only as its documentation says, and never fails."""
    assert answer.status_code < 500 or answer.status_code in (503, 507), answer.text
    if answer.status_code >= 400 and endpoint in documented_refusals():
        error = answer.json["error"]
        known = documented_refusals()[endpoint]
        assert error["code"] == NoSuchEndpoint.code or (error["status"], error["code"]) in known, (endpoint, error)
