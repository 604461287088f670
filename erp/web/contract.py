"""An endpoint's contract: read once from its signature and decorator, then used to decode, guard, answer, document."""

import types
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, Union, Unpack, get_args, get_origin, get_type_hints

import msgspec

from erp.kernel.errors import Refusal
from erp.kernel.roles import PERMISSION_NAMES
from erp.web.schema import FILE_TYPES, Body, File, ListQuery, Page, Printed, Query, Report, SummedPage, TableQuery, View

Access = Literal["public", "user", "instance", "workspace", "kiosk"]
Shape = Literal["object", "list", "page", "file", "empty"]


class BadContract(TypeError):
    """An endpoint is declared in a way that cannot be served; the start of the server fails."""


Store = Literal["workspace", "control"]
AlsoWhen = Literal["archived", "unavailable"]


class Declared(TypedDict, total=False):
    """Arguments of an endpoint's decorator; `Contract` has the defaults and the meanings."""

    access: Access
    permission: str
    status: int
    refuses: tuple[type[Refusal], ...]
    store: Store | None
    writes: bool
    shows_secret: bool
    session_only: bool
    also_when: tuple[AlsoWhen, ...]
    prepare: Callable[..., Any]
    reads: Callable[..., Any]
    produces: str | Sequence[str]
    collection: str


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """One endpoint.

    Attributes:
        access: its callers: anyone, signed-in users, instance admins (never by a named token), members of the
            workspace whose role includes `permission`, or the kiosks of a workspace.
        status: the status of an answer that succeeds.
        refuses: its own refusals, beside the ones that every endpoint has.
        store: the file whose transaction the rule runs in: the workspace's, if it acts in one; else none by default,
            and the rule opens what it needs.
        writes: false for a GET, and for a POST that only computes.
        shows_secret: whether its answer must not be stored for an Idempotency-Key.
        session_only: whether scripts' named tokens are refused.
        also_when: `archived`: it may change an archived workspace. `unavailable`: it needs no workspace file.
        prepare: called with the body, and the parameters of the path, before the transaction is opened and after the
            look-up of the Idempotency-Key; the responder gets the result as `prepared`. It reads files that people
            send, and writes the file of a new workspace: others would have to wait for either.
        reads: a method of the resource that shows the record that a PATCH changes, where its GET does not.
        produces: the media type of an answer that is a `File`, or several, the usual one first.
        collection: the path of the list that contains the created record, if not its own path; it serves the
            Location header of endpoints named for an action (`…/run`, `…/from-time-logs`, `…/duplicate`).
        wants: the names of the responder's parameters.
        shape: the shape of the answer's data; `view` is one item of it.
        grouped: an item of the list that is answered instead of a page, if the query asks for groups; it puts sums
            at the address of the rows they add up, under the same filters, in JSON and CSV and in the documentation.
        sums: an item of the sums over all matching records, which a page has if the query says `total`.
        preview: the answer, with 200, to a body that asks only for a preview.
    """

    function: Callable[..., Any]
    access: Access = "workspace"
    permission: str | None = None
    status: int = 200
    refuses: tuple[type[Refusal], ...] = ()
    store: Store | None
    writes: bool
    shows_secret: bool = False
    session_only: bool = False
    also_when: tuple[AlsoWhen, ...] = ()
    prepare: Callable[..., Any] | None = None
    reads: Callable[..., Any] | None = None
    produces: str | Sequence[str] | None = None
    collection: str | None = None
    body: type[Body] | None
    query: type[Query] | None
    wants: tuple[str, ...]
    shape: Shape
    view: type | None
    grouped: type | None = None
    sums: type | None = None
    preview: type | None = None

    @property
    def row(self) -> type | None:
        """The view of a row of its CSV; None where there is no CSV."""
        if self.shape in ("page", "list"):
            return self.view
        return self.view.ROW if self.view is not None and issubclass(self.view, Report) else None

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types of a `File` that it answers, the usual one first."""
        return (self.produces,) if isinstance(self.produces, str) else tuple(self.produces or ())

    @property
    def file_types(self) -> dict[str, str]:
        """The formats in which an answer can also be a file, with their media types."""
        if self.view is None or self.query is None or not issubclass(self.view, Printed):
            return {}
        formats = get_args(get_type_hints(self.query)["format"])
        return {name: media for name, media in FILE_TYPES.items() if name in formats}

    @property
    def shows_what_it_changes(self) -> bool:
        """Whether it changes a record and answers with it: a PATCH."""
        return self.function.__name__ == "on_patch" and self.store is not None and self.shape == "object"

    @property
    def makes_file(self) -> bool:
        """Whether it prepares a file of the server's own, such as a workspace's; else it reads a file that was sent."""
        return self.prepare is not None and self.store == "control"

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether a POST may carry an Idempotency-Key."""
        return self.store is not None and not self.shows_secret


def read_contract(function: Callable[..., Any], **declared: Unpack[Declared]) -> Contract:
    """Read an endpoint's contract from its signature and its decorator."""
    hints = get_type_hints(function, include_extras=True)
    answer, preview = _previewed(hints.pop("return", type(None)))
    answer, grouped = _grouped(answer)
    shape, view = _shape(answer)
    defaults: Declared = {"writes": function.__name__ != "on_get"}
    if declared.get("access", "workspace") in ("workspace", "kiosk"):
        defaults["store"] = "workspace"
    is_table = shape == "list" or (view is not None and issubclass(view, Printed))
    contract = Contract(
        function=function,
        body=_struct(hints.get("body"), Body, function),
        query=_struct(hints.get("query"), Query, function) or (TableQuery if is_table else None),
        wants=tuple(hints),
        shape=shape,
        view=view,
        grouped=grouped,
        sums=get_args(answer)[1] if get_origin(answer) is SummedPage else None,
        preview=preview,
        **{"store": None, **defaults, **declared},  # type: ignore[arg-type]
    )
    _check(contract)
    return contract


def _check(contract: Contract) -> None:
    where = contract.function.__qualname__
    if (contract.access == "workspace") != (contract.permission is not None):
        raise BadContract(f"{where}: endpoints of a workspace, and only those, declare a permission")
    if contract.permission is not None and contract.permission not in PERMISSION_NAMES:
        raise BadContract(f"{where}: there is no permission {contract.permission!r}")
    if not (contract.function.__doc__ or "").strip():
        raise BadContract(f"{where}: its docstring is its documentation")
    if (contract.shape == "file") != (contract.produces is not None):
        raise BadContract(f"{where}: endpoints that answer a file, and only those, declare `produces`")
    if contract.shape == "page" and not (contract.query and issubclass(contract.query, ListQuery)):
        raise BadContract(f"{where}: a page needs a ListQuery")
    is_table = contract.row is not None or (contract.view is not None and issubclass(contract.view, Printed))
    if is_table and "format" not in (contract.query.__struct_fields__ if contract.query else ()):
        raise BadContract(f"{where}: a list or report has a query with `format`, such as a TableQuery")


def _previewed(answer: Any) -> tuple[Any, type | None]:
    """The two sides of `Run | RunPreview`: the created record, and its preview."""
    sides = get_args(answer) if get_origin(answer) in (Union, types.UnionType) else ()
    if sides and all(isinstance(side, type) and issubclass(side, View) for side in sides):
        created, preview = sides
        return created, preview
    return answer, None


def _grouped(answer: Any) -> tuple[Any, type | None]:
    """The two sides of `Page[Log] | list[Sum]`: the usual answer, and an item of the list of groups."""
    if get_origin(answer) not in (Union, types.UnionType):
        return answer, None
    usual, groups = get_args(answer)
    if get_origin(usual) not in (Page, SummedPage) or get_origin(groups) is not list:
        raise BadContract(f"{answer}: only a page can also be a list of groups")
    return usual, get_args(groups)[0]


def _shape(answer: Any) -> tuple[Shape, type | None]:
    if answer is type(None):
        return "empty", None
    if answer is File:
        return "file", None
    if get_origin(answer) in (Page, SummedPage):
        return "page", get_args(answer)[0]
    if get_origin(answer) is list:
        return "list", get_args(answer)[0]
    return "object", answer


def _struct(hint: Any, base: type[msgspec.Struct], function: Callable[..., Any]) -> Any:
    if hint is None or (isinstance(hint, type) and issubclass(hint, base)):
        return hint
    raise BadContract(f"{function.__qualname__}: {hint} is not a {base.__name__}")
