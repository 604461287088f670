"""No body refers to a record of another workspace."""

import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
import pytest

from erp.store.router import WORKSPACE
from erp.web.contract import Contract
from erp.web.hints import peeled
from tests.api.endpoints import WITHIN, example, filled, named
from tests.conftest import Office

REFERENCES = {
    "journal entry": "entryId",
    "account": "accountId accountOfBankId defaultAccounts discountsGivenAccountId discountsReceivedAccountId"
    " expenseAccountId fromAccountId incomeAccountId inputTaxAccountId"
    " liabilityAccountId nonDeductibleAccountId outputTaxAccountId paidFromAccountId purchaseAccountId restAccountId"
    " toAccountId",
    "bank line": "lineIds",
    "bank rule": "ruleId",
    "contact": "contactId customerId intoContactId supplierId",
    "attachment": "attachmentId attachmentIds",
    "employee": "employeeId employeeIds managerEmployeeId reportsToEmployeeId",
    "expense category": "categoryId",
    "expense claim": "claimIds",
    "employee document": "replacesDocumentId",
    "invoice": "billIds creditNoteId depositIds invoiceId invoiceIds resourceId",
    "leave": "leaveId",
    "leave type": "leaveTypeId",
    "open item": "fromItemId itemId itemIds toItemId",
    "pay component": "componentId componentIds",
    "payment": "paymentId",
    "payroll run": "ofRunIds",
    "product": "productId",
    "project": "projectId",
    "site": "siteId siteIds",
    "task": "afterId beforeId dependsOn parentId taskId",
    "reminder": "reminderId reminderIds",
    "quote line": "chosenLineIds",
    "tax rate": "defaultTaxRateId feeTaxRateId purchaseTaxRateId restTaxRateId taxRateId",
    "workspace": "groupWorkspaceId",
    "user": "assigneeUserIds memberUserIds ownerUserId userId",
}
"""The fields of bodies that name another record, by what they name; a new one does not pass without a place here."""
NAMED_KIND = {field: kind for kind, fields in REFERENCES.items() for field in fields.split()}
NO_REFERENCES = ("companyId", "lineId", "throughId", "vatId")
"""A line is a part of the record at the path; `throughId` is a mark in one's own notices."""


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
    "fromLine": {"lineId": "a"},
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
    "items": [{"amount": "1.00"}],
    "entries": [{"amount": "1.00"}],
    "parts": [{"accountId": "6100", "amount": "20.00"}],
    "printedTax": [{"amount": "1.00"}],
    "records": [{"date": "2026-03-04"}],
    "components": [{"percent": "1"}],
    "months": [{"month": "2025-03", "debit": "1.00"}],
    "settles": [{"amount": "1.00"}],
}
"""What an example leaves out, in its smallest form."""
OPENING_ITEM = {
    "accountId": "1200",
    "contactId": "none",
    "number": "A-7",
    "documentDate": "2025-12-01",
    "debit": "1.00",
}


def placed(body: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of a body with a value put in its place; a part that is missing on the way is added."""
    if not path:
        return value
    if path[0] == 0:
        return [placed(body[0] if body else {}, path[1:], value), *(body or [])[1:]]
    name = str(path[0])
    body = {each: part for each, part in body.items() if (each, name) not in INSTEAD}
    return {**body, name: placed(body.get(name) or PARTS.get(name), path[1:], value)}


OF_BILLS = {"supplierId", "supplier", "printedTax", "nonDeductibleAccountId", "paidFromAccountId"}
"""Fields that only a bill has."""


def is_document(contract: Contract) -> bool:
    fields = msgspec.structs.fields(contract.body) if contract.body is not None else ()
    return bool({"kind", "invoice"} & {field.encode_name for field in fields})


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
    ("file", "attachmentId"),
} | {(field, "records") for field in ("employeeId", "date", "punches", "breakMinutes")}
"""The field to the left is left out for the one to the right."""
JUDGED_LATER = {
    ("/auth/password-resets/send", "userId"),  # the administrator resets any password
    ("/finance/invoices/{id}/issue", "paidFromAccountId"),  # of bills alone, and this draft is none
    *(("/finance/bank/lines/{id}/confirm", name) for name in ("reminderId", "restAccountId", "restTaxRateId")),
}
"""References that only count beside other facts, such as the items of a bank line, which are judged first."""
REFERRING = [
    (verb, path, contract, place)
    for _, path, verb, contract in WITHIN
    if contract.body is not None
    for place in references(contract.body)
    if (path, place[-1]) not in JUDGED_LATER and not (path.startswith("/finance/quotes") and place[-1] in OF_BILLS)
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
    body = as_bill(example(contract), place) if OF_BILLS & set(place) and is_document(contract) else example(contract)
    if path == "/finance/opening-balances" and place[0] == "items":
        body = {**body, "items": [OPENING_ITEM]}
    if path == "/finance/bank/lines/{id}/preview" and place[0] != "parts":
        del body["parts"]
    if path == "/finance/quotes/{id}/project":
        del body["project"]
    if "ofRunIds" in place:
        body = {**body, "kind": "correction"}
    body = placed(body, place, theirs[kind_named(path, place)])
    body |= {"resourceType": "invoice"} if place == ("resourceId",) else {}
    route = filled(path, records.get(path.partition("/{id}")[0]), olga.workspace_id)
    before = content_of(olga)
    if path == "/finance/journals/preview":  # it says what a refusal would say
        answer = olga.ok(verb, route, body)
        error = {"details": answer["details"] + [each for line in answer["lines"] for each in line["details"]]}
    else:
        error = olga.refused(verb, route, body, status=422)
    shown = re.sub(r"\.(\d+)", r"[\1]", ".".join(map(str, place)))
    complaints = {complaint["field"]: complaint["code"] for complaint in error["details"]}
    assert complaints.get(shown) == "unknown_reference", error
    assert content_of(olga) == before


def content_of(office: Office) -> dict[str, Any]:
    """Every row of the workspace's file."""
    events_of(office)
    with office.books():
        return {table: WORKSPACE.rows(f'SELECT * FROM "{table}"') for table in WORKSPACE.get_tables()}


def events_of(office: Office) -> int:
    """How many changes there have been."""
    count: int = office.ok("GET", "/workspace/events/verify")["events"]
    return count


OF_QUERIES = re.compile(r".*(Id|Ids|ccount|mployee|ontact|roject|ask)$")


@named([each for each in WITHIN if each[2] == "GET"])
def test_whatever_record_is_named_to_be_read_a_refusal_is_a_documented_one(
    olga: Office, records: dict[str, str], theirs: dict[str, str], path: str, verb: str, contract: Contract
) -> None:
    """Accounts by their code are of the right kind, and still may be the wrong ones. Every answer is checked."""
    names = ["1010", "4000", records["/finance/contacts"], theirs["task"], "none"]
    for name in names if "{id}" in path else ():
        olga.call("GET", filled(path, name, olga.workspace_id))
    route = filled(path, records.get(path.partition("/{id}")[0]), olga.workspace_id)
    fields = msgspec.structs.fields(contract.query) if contract.query is not None else ()
    for field in (each.encode_name for each in fields if OF_QUERIES.fullmatch(each.encode_name)):
        for name in names:
            olga.call("GET", route, params={field: name})
