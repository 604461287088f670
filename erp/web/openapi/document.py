"""The document of all areas: what it says of the whole, and the paths."""

from collections.abc import Iterator, Mapping
from typing import Any

from erp import __version__
from erp.web.contract import Contract
from erp.web.endpoint import contract_of
from erp.web.openapi import answers, schemas
from erp.web.openapi.operations import VERBS, operations, shown_path
from erp.web.openapi.tags import TAGS, tag_of

SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `session.token` of a sign-in, or a named token's `token`. It overrides the cookie.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "erp_session",
        "description": (
            "Set when you sign in on this page, for browsers; a script sends the bearer token. Its name ends in eight "
            "digits of the installation, as in `erp_session_0f3a9c27`, so that servers on one computer do not sign "
            "each other's users out, and begins with `__Host-` over https. A session is taken by the name "
            "`erp_session` too."
        ),
    },
}

Area = Mapping[str, object]
"""The routes of an area."""


def document(areas: list[Area], prefix: str, description: str) -> dict[str, Any]:
    """The document of all areas."""
    from apispec import APISpec  # here, because the document is made when it is first asked for

    spec = APISpec(
        title="erp",
        version=__version__,
        openapi_version="3.1.0",
        info={"description": description, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/", "description": "The server that this document is from."}],
        security=[{"bearer": []}, {"cookie": []}],
        tags=[{"name": tag.name, "description": tag.description} for tag in TAGS],
    )
    for name, scheme in SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    endpoints = [contract for *_, contract in contracts(areas)]
    for name, schema in (_described(schemas.of(endpoints), areas) | answers.envelopes(endpoints)).items():
        spec.components.schema(name, schema)
    for name, header in answers.HEADERS.items():
        spec.components.header(name, header)
    routes = {path: resource for area in areas for path, resource in area.items()}
    for path, resource in routes.items():
        spec.path(prefix + shown_path(path), operations=operations(path, resource, routes))
    return spec.to_dict()


def _described(plain: dict[str, Any], areas: list[Area]) -> dict[str, Any]:
    """Schemas with a description: a body without one is what its endpoints take."""
    takers: dict[str, list[str]] = {}
    for _, path, verb, contract in contracts(areas):
        if contract.body is not None:
            takers.setdefault(contract.body.__name__, []).append(f"`{verb} {shown_path(path)}`")
    bodies = {
        name: {"description": f"What {' and '.join(paths)} {'takes' if len(paths) == 1 else 'take'}."}
        for name, paths in takers.items()
    }
    return {name: {**bodies.get(name, {}), **schema} for name, schema in plain.items()}


def contracts(areas: list[Area]) -> Iterator[tuple[str, str, str, Contract]]:
    """Every endpoint: its tag, then path, verb and contract."""
    for routes in areas:
        for path, resource in routes.items():
            for verb in VERBS:
                contract = contract_of(resource, verb)
                if contract is not None:
                    yield tag_of(path), path, verb, contract
