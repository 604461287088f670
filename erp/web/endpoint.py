"""One declaration per endpoint: from the request to the rule, and from its result to the answer.

    @endpoint(permission="finance.write", status=201, refuses=(NotFound,))
    def on_post(self, body: NewPayment) -> PaymentView:
        \"\"\"Record a payment.\"\"\"
        return PaymentView.of(record(body))

The responder names what it needs as parameters: `body`, `query`, the parameters of its path, and, where it handles
cookies, `req` and `resp`. It runs in one transaction of the file that it reads or changes.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any, TypeVar, Unpack

import falcon
import msgspec

from erp.kernel import caller, language
from erp.kernel.caller import Caller
from erp.kernel.errors import BadParameter, Busy, Forbidden, MalformedJson, NotFound, Refusal
from erp.kernel.language import Sentence, says
from erp.kernel.slots import Slots
from erp.store import control, events
from erp.store.connections import LOCK_SECONDS
from erp.store.control import Outbox, Workspace
from erp.web import answers, csv_list, idempotency, schema, several, unchanged
from erp.web.contract import Contract, Declared, read_contract
from erp.web.schema import Body, File, Page, Printed, Report, SummedPage
from erp.web.strict_json import clean
from erp.web.transport import freshness

F = TypeVar("F", bound=Callable[..., Any])

_PREPARING: dict[tuple[Callable[..., Any], str], threading.Lock] = {}
"""One at a time makes the file that an endpoint answers a user with: it may take long, and others do not wait."""
_READING = Slots(2, queue=1, refusal=says("Several files are being read right now. Try again in a second."))
"""Reading a file may take seconds: one worker thread at least is always left for others."""


def endpoint(**declared: Unpack[Declared]) -> Callable[[F], F]:
    """Declare an endpoint with the attributes of `Contract`."""

    def declare(function: F) -> F:
        contract = read_contract(function, **declared)

        @wraps(function)
        def respond(resource: object, req: falcon.Request, resp: falcon.Response, **path: str) -> None:
            _respond(contract, resource, req, resp, path)

        respond.contract = contract  # type: ignore[attr-defined]
        return respond  # type: ignore[return-value]

    return declare


def contract_of(resource: object, verb: str) -> Contract | None:
    """The contract of a resource's responder; None if that is not an endpoint."""
    return getattr(getattr(resource, f"on_{verb.lower()}", None), "contract", None)


@dataclass(slots=True)
class _Exchange:
    """One request on its way through an endpoint, with the arguments of the responder."""

    contract: Contract
    resource: object
    req: falcon.Request
    resp: falcon.Response
    arguments: dict[str, Any]
    key: idempotency.Key | None = None

    def call(self, **replaced: Any) -> Any:
        arguments = {**self.arguments, **replaced} if replaced else self.arguments
        return several.answered(arguments.get("query"), partial(self._ask, arguments))

    def _ask(self, arguments: dict[str, Any], query: Any) -> Any:
        given = {**arguments, "query": query}
        return self.contract.function(self.resource, **{name: given[name] for name in self.contract.wants})


def _respond(
    contract: Contract, resource: object, req: falcon.Request, resp: falcon.Response, path: dict[str, str]
) -> None:
    who = req.context.caller
    with nullcontext() if who is None else caller.acting(who):
        state = freshness.state_of(req) if freshness.has_state(contract) else None
        if state is not None and freshness.is_held(req, resp, state):
            return
        exchange = _Exchange(contract, resource, req, resp, _arguments(contract, req, resp, path))
        exchange.arguments["body"] = _body(contract, resource, req.context.body, path)
        if contract.store is None or contract.makes_file:
            _check_match_was_used(who)  # before the rule commits by itself
        exchange.key = idempotency.key_of(contract, req)
        if contract.prepare is None:
            _answer_in_store(exchange)
        else:
            _answer_prepared(exchange, contract.prepare, path)
        if state is not None:
            freshness.mark(req, resp, state)


def _body(contract: Contract, resource: object, plain: Any, path: dict[str, str]) -> Body:
    """The body; a PATCH may repeat fields that the record shows but no one can send."""
    kind = contract.body or Body
    if contract.shows_what_it_changes and isinstance(plain, dict) and unchanged.has_other_fields(plain, kind):
        plain = unchanged.dropped(plain, _shown(contract, resource, path), kind)
    return schema.decode(plain, kind, shown=contract.view)


def _shown(contract: Contract, resource: object, path: dict[str, str]) -> dict[str, Any]:
    """The record that a PATCH changes, as the caller reads it; empty if they cannot."""
    get = contract_of(resource, "GET")
    read = contract.reads or (None if get is None else get.function)
    assert read is not None, f"{contract.function.__qualname__}: there is no GET, so it must declare `reads`"
    try:
        with _store(contract, writes=False):
            shown: dict[str, Any] = msgspec.to_builtins(read(resource, **path), enc_hook=schema.enc_hook)
            return shown
    except (Forbidden, NotFound):
        return {}


def _answer_prepared(exchange: _Exchange, prepare: Callable[..., Any], path: dict[str, str]) -> None:
    makes_file = exchange.contract.makes_file
    with _one_at_a_time(exchange.contract) if makes_file else nullcontext():
        if exchange.key is not None:
            with _store(exchange.contract, writes=False):
                if idempotency.replay(exchange.key, exchange.resp):
                    return
        with nullcontext() if makes_file else _READING.take():
            exchange.arguments["prepared"] = prepare(exchange.arguments["body"], **path)
        _answer_in_store(exchange)


@contextmanager
def _one_at_a_time(contract: Contract) -> Iterator[None]:
    """A repeated request must not prepare a second time, not even while the first is under way.

    Raises:
        Busy: the first has been under way for `LOCK_SECONDS`.
    """
    lock = _PREPARING.setdefault((contract.function, caller.current().user_id), threading.Lock())
    if not lock.acquire(timeout=LOCK_SECONDS):
        raise Busy
    try:
        yield
    finally:
        lock.release()


def _answer_in_store(exchange: _Exchange) -> None:
    with _store(exchange.contract, writes=exchange.contract.writes):
        if exchange.key is not None and idempotency.replay(exchange.key, exchange.resp):
            return
        result = exchange.call()
        _check_match_was_used(exchange.req.context.caller)
        _encode(exchange, result)
        if exchange.key is not None:
            idempotency.keep(exchange.key, exchange.resp)


def _store(contract: Contract, *, writes: bool) -> AbstractContextManager[None]:
    """Open the file that the endpoint works on."""
    if contract.store == "workspace":
        return control.open_workspace(_workspace_id(), write=writes)
    if contract.store == "control":
        return _changing_control() if writes else control.read()
    return nullcontext()


@contextmanager
def _changing_control() -> Iterator[None]:
    """Open the control file to change it; then deliver the events that this caused."""
    with control.write():
        yield
        waiting = _waiting()
    for workspace_id in waiting:
        events.try_to_deliver(workspace_id)


def _workspace_id() -> str:
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    return workspace_id


def _waiting() -> list[str]:
    """The workspaces with undelivered events; a file that cannot be used is never written to."""
    usable = Workspace.select(Workspace.id).where(Workspace.fault.is_null())
    waiting = Outbox.select(Outbox.workspace_id).where(Outbox.workspace_id.in_(usable)).distinct()
    return [row.workspace_id for row in waiting]


def _arguments(contract: Contract, req: falcon.Request, resp: falcon.Response, path: dict[str, str]) -> dict[str, Any]:
    arguments: dict[str, Any] = dict(path)
    if contract.query is not None:
        arguments["query"] = _query(contract, req)
    elif req.params:
        raise BadParameter(says("This endpoint has no parameter {name!r}.", name=next(iter(req.params))))
    arguments.update(req=req, resp=resp, prepared=None)
    return arguments


def _query(contract: Contract, req: falcon.Request) -> Any:
    assert contract.query is not None
    try:
        plain = {name: _clean(value) for name, value in req.params.items()}
        return several.decode(plain, contract.query)
    except MalformedJson as refusal:
        raise BadParameter(refusal.message) from None
    except Refusal as refusal:
        first = refusal.details[0]
        raise BadParameter(
            says("{field}: {problem}", field=first.field, problem=first.message), details=refusal.details
        ) from None


def _clean(value: str | list[str]) -> str | list[str]:
    return clean(value) if isinstance(value, str) else [clean(text) for text in value]


def _check_match_was_used(who: Caller | None) -> None:
    if who is not None and who.if_match is not None and not who.match_checked:
        raise BadParameter(says("This endpoint does not take If-Match."))


def _encode(exchange: _Exchange, result: Any) -> None:
    contract, resp, query = exchange.contract, exchange.resp, exchange.arguments.get("query")
    is_preview = contract.preview is not None and isinstance(result, contract.preview)
    status = 200 if is_preview else contract.status
    resp.status = status
    wanted = csv_list.wanted(exchange.req, query)
    if isinstance(result, Printed) and wanted != "json":
        result = result.file(wanted, query) or result
    if isinstance(result, File):
        _encode_file(contract, resp, result)
        return
    if contract.row is not None and wanted in ("csv", "xlsx"):
        csv_list.write(contract, result, query, resp, lambda query: exchange.call(query=query), wanted)
        if isinstance(result, Report):
            resp.set_headers(result.headers())
        return
    answer: dict[str, Any] = {"success": True, "data": {} if result is None else result}
    if isinstance(result, Page):
        answer |= {"data": result.items, "page": _page_data(result)}
    resp.data = _encoder(answers.language_of(exchange.req)).encode(answer)
    resp.content_type = falcon.MEDIA_JSON
    version = getattr(result, "version", None)
    if isinstance(version, int):
        resp.set_header("ETag", f'"{version}"')
    if status == 201 and getattr(result, "id", None):
        resp.set_header("Location", f"{contract.collection or exchange.req.path}/{result.id}")


@cache
def _encoder(spoken: str) -> msgspec.json.Encoder:
    """The encoder of answers, with the server's own sentences in a language."""

    def hook(value: object) -> object:
        return language.translated(value, spoken) if isinstance(value, Sentence) else schema.enc_hook(value)

    return msgspec.json.Encoder(enc_hook=hook)


def _encode_file(contract: Contract, resp: falcon.Response, file: File) -> None:
    resp.content_type = file.media_type or contract.media_types[0]
    if file.is_inline:
        resp.viewable_as = file.name
    else:
        resp.downloadable_as = file.name
    resp.set_headers(file.headers)
    if isinstance(file.content, bytes):
        resp.data = file.content
    else:
        stream = file.content.open("rb") if isinstance(file.content, Path) else file.content
        size = stream.seek(0, 2)
        stream.seek(0)
        resp.set_stream(stream, size)  # the server closes it once it is sent


def _page_data(page: Page[Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"limit": page.limit, "nextCursor": page.next_cursor}
    if page.total is not None:
        data["total"] = page.total
    if isinstance(page, SummedPage) and page.sums is not None:
        data["sums"] = page.sums
    return data
