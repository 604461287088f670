"""What an endpoint promises: read once from its signature, then used to decode, guard, answer and document it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from erp.errors import Refusal
from erp.roles import PERMISSION_NAMES
from erp.web.schema import Body, ListQuery, Page, Query, Report

Access = Literal["public", "user", "instance", "workspace"]
Shape = Literal["object", "list", "page", "empty"]


class BadContract(TypeError):
    """An endpoint is declared in a way that cannot be served; the start fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One endpoint.

    `access` says who may come: everybody, a signed-in user, the instance admin, or a member of the workspace whose
    role holds `permission`. `store` is the file whose transaction the rule runs in; without one the rule opens what
    it needs. `writes` is false for a POST that only computes.
    """

    function: Callable[..., Any]
    access: Access
    permission: str | None
    status: int
    refuses: tuple[type[Refusal], ...]
    store: Literal["workspace", "control"] | None
    writes: bool
    shows_secret: bool
    session_only: bool
    when_archived: bool
    prepare: Callable[[Any], Any] | None
    body: type[Body] | None
    query: type[Query] | None
    wants: tuple[str, ...]
    shape: Shape
    view: type | None

    @property
    def row(self) -> type | None:
        """What a row of its CSV shows; None where there is no CSV."""
        if self.shape in ("page", "list"):
            return self.view
        return self.view.ROW if self.view is not None and issubclass(self.view, Report) else None

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether a POST may carry an Idempotency-Key."""
        return self.store is not None and not self.shows_secret


def read_contract(function: Callable[..., Any], verb: str, **declared: Any) -> Contract:
    """Read an endpoint's contract from its signature and what its decorator says."""
    hints = get_type_hints(function, include_extras=True)
    answer = hints.pop("return", type(None))
    shape, view = _shape(answer)
    writes = declared.pop("writes", None)
    contract = Contract(
        function=function,
        writes=verb != "GET" if writes is None else writes,
        body=_struct(hints.get("body"), Body, function),
        query=_struct(hints.get("query"), Query, function),
        wants=tuple(name for name in inspect.signature(function).parameters if name != "self"),
        shape=shape,
        view=view,
        **declared,
    )
    _check(contract)
    return contract


def _check(contract: Contract) -> None:
    where = contract.function.__qualname__
    if (contract.access == "workspace") != (contract.permission is not None):
        raise BadContract(f"{where}: an endpoint of a workspace, and no other, declares a permission")
    if contract.permission is not None and contract.permission not in PERMISSION_NAMES:
        raise BadContract(f"{where}: there is no permission {contract.permission!r}")
    if not (contract.function.__doc__ or "").strip():
        raise BadContract(f"{where}: its docstring is its documentation")
    if contract.shape == "page" and not (contract.query and issubclass(contract.query, ListQuery)):
        raise BadContract(f"{where}: a page needs a ListQuery")


def _shape(answer: Any) -> tuple[Shape, type | None]:
    if answer is type(None):
        return "empty", None
    if get_origin(answer) is Page:
        return "page", get_args(answer)[0]
    if get_origin(answer) is list:
        return "list", get_args(answer)[0]
    return "object", answer


def _struct(hint: Any, base: type[msgspec.Struct], function: Callable[..., Any]) -> Any:
    if hint is None or (isinstance(hint, type) and issubclass(hint, base)):
        return hint
    raise BadContract(f"{function.__qualname__}: {hint} is no {base.__name__}")
