"""Promises that hold for every endpoint; a new one is walked by itself."""

import functools
import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
import pytest
from openapi_spec_validator import validate

from erp.app import areas, openapi_document
from erp.kernel import roles
from erp.kernel.roles import Role
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.web import openapi
from erp.web.contract import Contract
from erp.web.schema import ListQuery, RecordView, decode, peeled
from tests.conftest import Installation, Office

ENDPOINTS = list(openapi.contracts(areas()))
WITHIN = [each for each in ENDPOINTS if each[3].access == "workspace"]
SIGNED_IN = [each for each in ENDPOINTS if each[3].access != "public"]
READ = [each for each in ENDPOINTS if each[2] == "GET" and "{" not in each[1] and not each[3].produces]
HANDED_OUT = {
    "billIds",
    "contactId",
    "decisions",
    "fromItemId",
    "invoiceIds",
    "token",
    "setupCode",
    "workspaceId",
    "userId",
}
"""What an example cannot contain, because it is handed out first."""


def named(endpoints: list[Any]) -> Any:
    """Parametrise over endpoints, by verb and path."""
    return pytest.mark.parametrize(
        ("path", "verb", "contract"),
        [each[1:] for each in endpoints],
        ids=[f"{verb} {path}" for _, path, verb, _ in endpoints],
    )


def filled(path: str, id: str | None = None, workspace_id: str = "") -> str:
    """A path with its parameters filled in."""
    path = path.replace("{workspace_id}", workspace_id)
    return re.sub(r"\{\w+\}", id or new_id(), path)


def example(contract: Contract) -> dict[str, Any]:
    """The documented example of an endpoint's body."""
    return dict(getattr(contract.body, "EXAMPLE", {}))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("walk"))


@pytest.fixture(scope="module")
def olga(server: Installation) -> Office:
    return server.office("Olga")


@pytest.fixture(scope="module")
def sam(olga: Office) -> Office:
    return olga.installation.office("Sam")


@named(SIGNED_IN)
@pytest.mark.parametrize(
    "authorization", [None, "Bearer erp_no_one", "Bearer a, Bearer b", "Basic eDp5", "Bearer"], ids=repr
)
def test_no_one_gets_in_without_a_valid_session(
    server: Installation, path: str, verb: str, contract: Contract, authorization: str | None
) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    answer = server.call(verb, filled(path, workspace_id=new_id()), headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json["error"]["code"] == "not_authenticated"


@named(WITHIN)
def test_a_stranger_gets_the_same_answer_for_anothers_workspace_and_for_none(
    olga: Office, sam: Office, path: str, verb: str, contract: Contract
) -> None:
    def refusal(workspace_id: str) -> dict[str, Any]:
        answer = sam.call(verb, filled(path, workspace_id=workspace_id), headers={"x-workspace-id": workspace_id})
        error: dict[str, Any] = answer.json["error"]
        return {"status": answer.status_code, **error, "requestId": ""}

    assert refusal(olga.workspace_id) == refusal(new_id())
    assert refusal(olga.workspace_id)["code"] == "not_a_member"


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_an_unknown_field_is_named(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    error = olga.refused(verb, route, {"nonsense": 1}, status=422, code="validation_failed")
    assert "nonsense" in [complaint["field"] for complaint in error["details"]]


@named(ENDPOINTS)
def test_an_unknown_parameter_is_named(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    body = example(contract) if verb != "GET" else None
    error = olga.refused(verb, route, body, params={"nonsense": "1"}, status=400, code="bad_parameter")
    assert "nonsense" in error["message"]


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_a_body_that_is_not_json_is_refused(olga: Office, path: str, verb: str, contract: Contract) -> None:
    route = filled(path, workspace_id=olga.workspace_id)
    json_type = {"Content-Type": "application/json"}
    answer = olga.call(verb, route, headers=json_type, raw='{"a": NaN}')
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed_json")
    answer = olga.call(verb, route, headers={"Content-Type": "text/plain"}, raw="{}")
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "unsupported_media_type")
    answer = olga.call(verb, route, headers=json_type, raw=" " * ((1 << 20) + 1))
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too_large")


@named([each for each in WITHIN if "{id}" in each[1]])
def test_an_unknown_id_is_not_found(olga: Office, path: str, verb: str, contract: Contract) -> None:
    body = example(contract) if verb != "GET" else None
    olga.refused(verb, filled(path, workspace_id=olga.workspace_id), body, status=404, code="not_found")


FORBIDDEN = [
    "id", "version", "createdAt", "createdByUserId", "role", "status", "number", "seq", "hash", "total", "amountPaid",
    "balance", "systemKey", "lockDate", "isInstanceAdmin", "journalEntryId", "archivedAt", "normalBalance", "paid",
]  # fmt: skip


@named([each for each in ENDPOINTS if each[2] in ("POST", "PATCH")])
def test_what_only_the_program_sets_is_not_a_field_of_a_body(
    olga: Office, path: str, verb: str, contract: Contract
) -> None:
    """Reliability T8: mass assignment."""
    known = {field.encode_name for field in msgspec.structs.fields(contract.body)} if contract.body else set()
    forbidden = [name for name in FORBIDDEN if name not in known]
    body = {**example(contract), **dict.fromkeys(forbidden, "1")}
    error = olga.refused(verb, filled(path, workspace_id=olga.workspace_id), body, status=422, code="validation_failed")
    refused = ("unknown_field", "read_only")
    assert {each["field"] for each in error["details"] if each["code"] in refused} == set(forbidden)


REFERENCES = {
    "account": "accountId defaultAccounts discountsGivenAccountId discountsReceivedAccountId expenseAccountId"
    " fromAccountId incomeAccountId inputTaxAccountId"
    " liabilityAccountId nonDeductibleAccountId outputTaxAccountId toAccountId",
    "contact": "contactId customerId supplierId",
    "employee": "employeeId employeeIds managerEmployeeId",
    "invoice": "billIds creditNoteId depositIds invoiceId invoiceIds",
    "leave": "leaveId",
    "leave type": "leaveTypeId",
    "open item": "fromItemId itemId toItemId",
    "pay component": "componentId",
    "payment": "paymentId",
    "product": "productId",
    "project": "projectId",
    "task": "afterId beforeId dependsOn parentId taskId",
    "tax rate": "defaultTaxRateId taxRateId",
    "user": "assigneeUserIds memberUserIds ownerUserId userId",
}
"""The fields of bodies that name another record, by what they name; a new one does not pass without a place here."""

NAMED_KIND = {field: kind for kind, fields in REFERENCES.items() for field in fields.split()}


NO_REFERENCES = ("lineId", "vatId")
"""A line is a part of the record at the path."""


def is_reference(name: str) -> bool:
    return name in NAMED_KIND or (name.endswith(("Id", "Ids")) and name not in NO_REFERENCES)


def references(kind: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places in a body that name another record."""
    for field in msgspec.structs.fields(kind):
        inner = peeled(field.type)
        here = (*path, field.encode_name)
        if get_origin(inner) is list:
            inner, here = peeled(get_args(inner)[0]), (*here, 0)
        if get_origin(inner) is dict and is_reference(field.encode_name):
            here = (*here, "receivable")
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            yield from references(inner, here)
        elif is_reference(field.encode_name):
            yield here


def kind_named(path: str, place: tuple[str | int, ...]) -> str:
    """What sort of record the field at a place names."""
    field = next(name for name in reversed(place) if isinstance(name, str) and is_reference(name))
    of_account = field == "parentId" and path.startswith("/finance/accounts")
    return "account" if of_account else NAMED_KIND[field]


PARTS: dict[str, Any] = {
    "lines": [{"description": "Work", "quantity": "1", "unitPrice": "1.00"}],
    "allocations": [{"amount": "1.00"}],
    "allowances": [{"amount": "1.00"}],
    "charges": [{"amount": "1.00"}],
    "customer": {"name": "Initech"},
    "invoice": {
        "customer": {"name": "Initech"},
        "lines": [{"description": "Work", "quantity": "1", "unitPrice": "1.00"}],
    },
    "journal": {
        "description": "Rent",
        "lines": [{"accountId": "6100", "debit": "1.00"}, {"accountId": "1010", "credit": "1.00"}],
    },
    "supplier": {"name": "Meyer"},
    "printedTax": [{"amount": "1.00"}],
    "records": [{"date": "2026-03-04"}],
    "components": [{"percent": "1"}],
    "months": [{"month": "2025-03", "debit": "1.00"}],
    "settles": [{"amount": "1.00"}],
}
"""What an example leaves out, in its smallest form."""


def placed(body: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of a body with a value put in its place; a part that is missing on the way is added."""
    if not path:
        return value
    if path[0] == 0:
        return [placed(body[0] if body else {}, path[1:], value), *(body or [])[1:]]
    name = str(path[0])
    body = {each: part for each, part in body.items() if (each, name) not in INSTEAD}
    return {**body, name: placed(body.get(name) or PARTS.get(name), path[1:], value)}


OF_BILLS = {"supplierId", "supplier", "printedTax", "nonDeductibleAccountId"}
"""Fields that only a bill has."""


def as_bill(body: dict[str, Any], place: tuple[str | int, ...]) -> dict[str, Any]:
    if place[0] == "invoice":
        others = {name: value for name, value in body.items() if name != "journal"}
        return {**others, "invoice": as_bill(body.get("invoice") or PARTS["invoice"], place[1:])}
    others = {name: value for name, value in body.items() if name != "customer"}
    return {**others, "kind": "purchase_invoice", "supplier": {"name": "Meyer"}}


INSTEAD = {
    ("invoiceId", "allocations"),
    ("invoiceId", "settles"),
    ("invoiceId", "itemId"),
    ("invoiceId", "paymentId"),
    ("customer", "customerId"),
    ("supplier", "supplierId"),
    ("journal", "invoice"),
} | {(field, "records") for field in ("employeeId", "date", "punches", "breakMinutes")}
"""The field to the left is left out for the one to the right."""


REFERRING = [
    (verb, path, contract, place)
    for _, path, verb, contract in WITHIN
    if contract.body is not None
    for place in references(contract.body)
]


@pytest.mark.parametrize(
    ("verb", "path", "contract", "place"),
    REFERRING,
    ids=[f"{verb} {path} {'.'.join(map(str, place))}" for verb, path, _, place in REFERRING],
)
def test_a_record_of_another_workspace_cannot_be_referred_to(
    olga: Office,
    records: dict[str, str],
    theirs: dict[str, str],
    verb: str,
    path: str,
    contract: Contract,
    place: tuple[str | int],
) -> None:
    """Reliability T6: a record of just the right kind is refused by the name of the field; nothing is written."""
    body = as_bill(example(contract), place) if OF_BILLS & set(place) else example(contract)
    body = placed(body, place, theirs[kind_named(path, place)])
    route = filled(path, records.get(path.partition("/{id}")[0]), olga.workspace_id)
    before = content_of(olga)
    if path == "/finance/invoices/preview":  # it says what a refusal would say
        answer = olga.ok(verb, route, body)
        error = {"details": answer["details"] + [each for line in answer["lines"] for each in line["details"]]}
    else:
        error = olga.refused(verb, route, body, status=422)
    shown = re.sub(r"\.(\d+)", r"[\1]", ".".join(map(str, place)))
    complaints = {complaint["field"]: complaint["code"] for complaint in error["details"]}
    assert complaints.get(shown) == "unknown_reference", error
    assert content_of(olga) == before


@pytest.fixture(scope="module")
def colleagues(olga: Office) -> dict[str, Office]:
    return {role: olga.colleague(role) for role in get_args(Role) if role != "owner"} | {"owner": olga}


@pytest.fixture(scope="module")
def theirs(sam: Office) -> dict[str, str]:
    """One record of each kind in Sam's workspace."""
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}

    def made(path: str) -> str:
        id: str = sam.ok("POST", path, example(makers[path]))["id"]
        return id

    contact_id = made("/finance/contacts")
    payment = sam.ok("POST", "/finance/payments", {"contactId": contact_id, "amount": "1.00"})
    return {
        "account": sam.ok("GET", "/finance/accounts")[0]["id"],
        "contact": contact_id,
        "employee": made("/hr/employees"),
        "invoice": made("/finance/invoices"),
        "leave": made("/hr/leaves"),
        "leave type": sam.ok("GET", "/hr/leave-types")[0]["id"],
        "open item": sam.ok("GET", "/finance/open-items")[0]["id"],
        "pay component": made("/hr/pay-components"),
        "payment": payment["id"],
        "product": made("/finance/products"),
        "project": made("/projects"),
        "task": made("/tasks"),
        "tax rate": sam.ok("GET", "/finance/tax-rates")[0]["id"],
        "user": sam.user["id"],
    }


def content_of(office: Office) -> dict[str, Any]:
    """Every row of the workspace's file."""
    events_of(office)
    with office.books():
        return {table: WORKSPACE.rows(f'SELECT * FROM "{table}"') for table in WORKSPACE.get_tables()}


def events_of(office: Office) -> int:
    """How many changes there have been."""
    count: int = office.ok("GET", "/workspace/events/verify")["events"]
    return count


def payment_run(office: Office) -> str:
    """A payment run takes more than its example: accounts on both sides, and a bill."""
    account = {"iban": "DE89370400440532013000"}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", account)
    supplier = {"name": "Meyer", "bankAccount": account}
    line = {"description": "Paper", "quantity": "1", "unitPrice": "1.00"}
    bill = office.ok("POST", "/finance/invoices", {"kind": "purchase_invoice", "supplier": supplier, "lines": [line]})
    id: str = office.ok("POST", "/finance/payment-runs", {"billIds": [bill["id"]]})["id"]
    return id


@pytest.fixture(scope="module")
def records(olga: Office) -> dict[str, str]:
    """The id of one of Olga's records for each collection that has items."""
    found: dict[str, str] = {}
    makers = {path: contract for _, path, verb, contract in WITHIN if verb == "POST"}
    elsewhere = {
        contract.collection.removeprefix("/api/v1"): path for path, contract in makers.items() if contract.collection
    }
    for _, path, _, _ in WITHIN:
        collection, item, _ = path.partition("/{id}")
        if not item or collection in found:
            continue
        if collection in MADE_OF_OTHERS:
            found[collection] = MADE_OF_OTHERS[collection](olga)
        elif collection in makers and not makers[collection].prepare:
            found[collection] = olga.ok("POST", collection, example(makers[collection]))["id"]
            if collection == "/finance/invoices":  # a draft, of which everything can be changed
                draft = {**example(makers[collection]), "draft": True}
                found[collection] = olga.ok("POST", collection, draft)["id"]
        elif collection in elsewhere:  # made by an action, or below a record of another collection
            above, below, _ = elsewhere[collection].partition("/{id}")
            found[collection] = olga.ok("POST", above, example(makers[above]))["id"]
            if below:
                body = example(makers[elsewhere[collection]])
                found[collection] = olga.ok("POST", filled(elsewhere[collection], found[collection]), body)["id"]
        else:
            found[collection] = olga.ok("GET", collection)[0]["id"]
    return found


def allocation_of(office: Office) -> str:
    """The id of an allocation of money to an entry by hand."""
    contact = office.ok("POST", "/finance/contacts", {"kind": "both", "name": "Settled"})["id"]
    lines = [{"accountId": "1100", "debit": "5.00", "contactId": contact}, {"accountId": "4000", "credit": "5.00"}]
    office.ok("POST", "/finance/journals", {"date": "2026-01-05", "description": "Owed", "lines": lines})
    office.ok("POST", "/finance/payments", {"contactId": contact, "amount": "5.00"})
    items = office.ok("GET", "/finance/open-items", params={"contactId": contact, "sort": "-date"})
    body = {"fromItemId": items[0]["id"], "toItemId": items[1]["id"], "amount": "5.00"}
    return str(office.ok("POST", "/finance/allocations", body)["id"])


def offset(office: Office) -> str:
    """An offset takes an invoice and a bill of the same contact."""
    contact = office.ok("POST", "/finance/contacts", {"kind": "both", "name": "Technik"})["id"]
    line = {"description": "Paper", "quantity": "1", "unitPrice": "1.00"}
    parties = {"sales_invoice": "customerId", "purchase_invoice": "supplierId"}
    documents = [
        office.ok("POST", "/finance/invoices", {"kind": kind, party: contact, "lines": [line]})["id"]
        for kind, party in parties.items()
    ]
    items = [{"invoiceId": document, "amount": "1.00"} for document in documents]
    return str(office.ok("POST", "/finance/offsets", {"contactId": contact, "items": items})["id"])


MADE_OF_OTHERS = {
    "/finance/payment-runs": payment_run,
    "/finance/offsets": offset,
    "/finance/allocations": allocation_of,
}
"""How a record is made that no example can make, because it names others."""


@named([each for each in WITHIN if "{id}" in each[1]])
def test_a_stranger_never_reaches_a_record_of_another_workspace(
    olga: Office, sam: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Reliability T5: her own workspace answers to another's id as it does to one that never existed."""
    body = example(contract) if verb != "GET" else None
    theirs = filled(path, records[path.partition("/{id}")[0]], sam.workspace_id)
    first = sam.refused(verb, theirs, body, status=404, code="not_found")
    second = sam.refused(verb, filled(path, workspace_id=sam.workspace_id), body, status=404, code="not_found")
    assert {**first, "requestId": ""} == {**second, "requestId": ""}


@named([each for each in WITHIN if "{id}" in each[1] and each[2] in ("PATCH", "DELETE")])
def test_a_stale_version_is_refused_and_changes_nothing(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Or the endpoint says that it knows no versions; it never ignores what the caller expects."""
    route = filled(path, records[path.partition("/{id}")[0]], olga.workspace_id)
    answer = olga.call(verb, route, {} if verb == "PATCH" else None, headers={"If-Match": '"999"'})
    assert (answer.status_code, answer.json["error"]["code"]) == (412, "version_mismatch")


@named([each for each in ENDPOINTS if each[2] == "PATCH"])
def test_what_is_read_can_be_sent_back_whole(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """What only the program sets is ignored while it is unchanged, and named when it is changed."""
    route = filled(path, records.get(path.partition("/{id}")[0], olga.user["id"]), olga.workspace_id)
    shown = olga.ok("PATCH", route, {})
    answer = olga.call("PATCH", route, shown)
    assert answer.status_code == 200, answer.text
    assert {**answer.json["data"], "version": 0, "updatedAt": ""} == {**shown, "version": 0, "updatedAt": ""}
    shown = answer.json["data"]
    field = "version" if "version" in shown else "id"
    error = olga.refused("PATCH", route, {**shown, field: "0"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [(field, "read_only")]


CREATING = [each for each in SIGNED_IN if each[3].status == 201 and each[2] == "POST"]
ELSEWHERE = {
    *("/finance/allocations", "/finance/invoices/from-time-logs", "/finance/payments"),
    *("/hr/payroll/run", "/hr/leave-adjustments"),
}
"""Their examples need more than one record; they answer with the view and at the collection of other endpoints."""


@named([each for each in CREATING if each[1] not in ELSEWHERE])
def test_everyone_who_may_create_a_record_can_fetch_it_at_its_location(
    olga: Office, colleagues: dict[str, Office], records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    body = {**example(contract), **({"workspaceId": olga.workspace_id} if path == "/auth/tokens" else {})}
    answer = olga.call(verb, filled(path, records.get(path.partition("/{id}")[0])), renamed(body))
    location = answer.headers.get("Location", "").removeprefix("/api/v1")
    assert answer.status_code in (201, 409, 422), answer.text  # some examples can only be used once
    location = location or f"{path}/{records.get(path, '')}"
    if location.endswith("/"):
        return  # what it creates has no address of its own
    may = [role for role in roles.ROLES if contract.permission and roles.allows(role, contract.permission)]
    everyone = [role for role in may if not str(contract.permission).endswith("_own")]
    for office in (olga, *(colleagues[role] for role in everyone)):
        assert office.call("GET", location).status_code == 200, location


def renamed(body: dict[str, Any]) -> dict[str, Any]:
    """An example under another name and code, so that it can be used again."""
    return body | {name: f"{body[name]}2"[-8:] for name in ("name", "code") if name in body}


@named(READ)
def test_what_is_read_has_the_envelope(olga: Office, path: str, verb: str, contract: Contract) -> None:
    answer = olga.call("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.json["success"] is True
    assert set(answer.json) == ({"success", "data", "page"} if contract.shape == "page" else {"success", "data"})
    if contract.shape == "page":
        assert set(answer.json["page"]) == {"limit", "nextCursor"}
        counted = olga.call("GET", path, params={"total": "true", "limit": "1"}).json["page"]
        assert set(counted) == {"limit", "nextCursor", "total"}


@named([each for each in ENDPOINTS if each[3].shape == "page" and "{" not in each[1]])
def test_a_list_is_walked_page_by_page_in_every_order(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    assert contract.query is not None
    sort = {field.encode_name: field.type for field in msgspec.structs.fields(contract.query)}.get("sort")
    for order in [{}, *({"sort": each} for each in get_args(sort))]:
        everything = olga.ok("GET", path, params={**order, "limit": "200"})
        assert list(walk(olga, path, order)) == everything


def walk(office: Office, path: str, parameters: dict[str, str]) -> Iterator[Any]:
    """All items of a list, three at a time."""
    cursor: dict[str, str] = {}
    for _ in range(200):
        answer = office.call("GET", path, params={**parameters, "limit": "3", **cursor})
        yield from answer.json["data"]
        if answer.json["page"]["nextCursor"] is None:
            return
        cursor = {"cursor": answer.json["page"]["nextCursor"]}


@named([each for each in ENDPOINTS if each[3].shape == "page" and "{" not in each[1]])
@pytest.mark.parametrize(
    "parameters", [{"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"cursor": "x"}, {"cursor": "WzFd"}, {"sort": "x"}]
)
def test_a_list_refuses_what_it_cannot_do(
    olga: Office, path: str, verb: str, contract: Contract, parameters: dict[str, str]
) -> None:
    olga.refused("GET", path, params=parameters, status=400, code="bad_parameter")


@named([each for each in ENDPOINTS if each[3].shape in ("page", "list") and "{" not in each[1]])
def test_a_list_is_also_a_spreadsheet(
    olga: Office, records: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    answer = olga.call("GET", path, headers={"Accept": "text/csv"})
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = answer.text.splitlines()
    size = {"limit": "200"} if contract.shape == "page" else {}
    assert len(rows) >= len(olga.ok("GET", path, params=size)) + 1
    assert rows[0]


@named(ENDPOINTS)
def test_its_documentation_is_a_sentence(path: str, verb: str, contract: Contract) -> None:
    first = (contract.function.__doc__ or "").strip().split("\n\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", " ".join(first.split())), first


@named([each for each in ENDPOINTS if each[3].body is not None])
def test_a_body_with_required_fields_has_an_example_that_is_valid(path: str, verb: str, contract: Contract) -> None:
    assert contract.body is not None
    required = {field.encode_name for field in msgspec.structs.fields(contract.body) if field.required}
    assert required <= set(example(contract)), "an example shows at least what is required"
    decode(json.loads(json.dumps(example(contract))), contract.body)


def test_every_example_works_when_it_is_tried_out(installation: Installation) -> None:
    """In the order of the documentation, as a person would press the buttons."""
    office = installation.office("Olga")
    tried = 0
    for _, path, verb, contract in ENDPOINTS:
        body = example(contract)
        if verb == "POST" and body and "{" not in path and not HANDED_OUT & set(body):
            answer = office.call(verb, path, body)
            expected = (403,) if path.startswith("/auth/sign-in") or path == "/auth/login" else ()
            assert answer.status_code in (200, 201, *expected), f"{verb} {path}: {answer.text}"
            if "Location" in answer.headers:
                made = office.ok("GET", answer.headers["Location"].removeprefix("/api/v1"))
                assert made["id"] == answer.json["data"]["id"]
            tried += 1
    assert tried >= 10


def test_the_document_is_valid_openapi(server: Installation) -> None:
    document = server.client.simulate_get("/api/openapi.json", host="localhost").json
    assert document["openapi"] == "3.1.0"
    validate(document)
    assert document == json.loads(json.dumps(openapi_document()))


@named([each for each in WITHIN if each[3].body is not None])
def test_a_body_may_name_its_workspace_and_the_document_says_so(path: str, verb: str, contract: Contract) -> None:
    assert contract.body is not None
    schema = openapi_document_once()["components"]["schemas"][contract.body.__name__]
    assert schema["properties"]["workspaceId"]["type"] == "string"
    assert "workspaceId" not in schema.get("required", [])


@functools.cache
def openapi_document_once() -> dict[str, Any]:
    return openapi_document()


def test_every_endpoint_is_documented(server: Installation) -> None:
    paths = openapi_document()["paths"]
    assert {(re.sub(r"_(\w)", lambda part: part[1].upper(), path), verb.lower()) for _, path, verb, _ in ENDPOINTS} == {
        (path.removeprefix("/api/v1"), verb) for path, item in paths.items() for verb in item
    }, "with the parameters of paths in camelCase"


def test_a_view_of_a_record_shows_what_every_record_has() -> None:
    versioned = {c.view for *_, c in ENDPOINTS if c.view and hasattr(c.view, "version")}
    assert len(versioned) > 10
    others = [view for view in versioned if not issubclass(view, RecordView)]
    assert [view.__name__ for view in others] == ["RevaluationView"]  # of a dry run as well, which makes no record
    assert {"id", "version", "created_at", "updated_at"} <= vars(others[0]).keys()


def test_every_list_takes_a_limit_and_a_cursor() -> None:
    pages = [contract for *_, contract in ENDPOINTS if contract.shape == "page"]
    assert all(contract.query and issubclass(contract.query, ListQuery) for contract in pages)


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/nowhere", "/api/v1/auth/login/more", "/api", "/api/v2/auth"])
def test_an_unknown_path_has_the_envelope(server: Installation, path: str) -> None:
    answer = server.client.simulate_get(path, host="localhost")
    assert answer.status_code == 404
    assert answer.json["error"]["code"] == "no_such_endpoint"
    assert answer.json["error"]["requestId"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize("path", ["/auth/session", "/finance/accounts", "/finance/accounts?format=csv"])
def test_a_head_is_answered_as_a_get_without_its_body(olga: Office, path: str) -> None:
    whole, head = olga.call("GET", path), olga.call("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Type", "Content-Length"):
        assert head.headers[name] == whole.headers[name]


def test_a_head_of_what_only_takes_a_post_is_refused(olga: Office) -> None:
    assert olga.call("HEAD", "/auth/login").status_code == 405


def test_a_method_that_a_path_does_not_answer_is_refused_with_those_it_does(server: Installation) -> None:
    answer = server.call("DELETE", "/auth/login")
    assert (answer.status_code, answer.json["error"]["code"]) == (405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


@named(READ)
def test_a_trailing_slash_does_not_matter(olga: Office, path: str, verb: str, contract: Contract) -> None:
    assert olga.call("GET", path + "/").status_code == olga.call("GET", path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/api/docs", "/api/docs/docs.js", "/api/openapi.json", "/api/health", "/nowhere"]
)
def test_every_answer_has_the_security_headers(server: Installation, path: str) -> None:
    headers = server.client.simulate_get(path, host="localhost").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "X-Request-Id" in headers
    assert not [name for name in headers if name.lower().startswith("access-control")]


def test_health_says_no_more_than_status_and_version(server: Installation) -> None:
    answer = server.client.simulate_get("/api/health", host="localhost").json
    assert set(answer["data"]) == {"status", "version"}


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "localhost, evil.example"])
def test_a_foreign_host_name_is_refused(server: Installation, host: str) -> None:
    answer = server.client.simulate_get("/api/health", headers={"Host": host})
    assert (answer.status_code, answer.json["error"]["code"]) == (421, "host_rejected")
