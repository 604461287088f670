"""The OpenAPI document, as people and generators of clients read it."""

import copy
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from erp.projects.summary import TaskStatus
from erp.tasks import statuses
from erp.web.openapi import names
from tests import documented
from tests.docs.pages import PAGES
from tests.finance.documents.invoices import invoice, line
from tests.openapi_faults import faults_of


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return documented.document()


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every operation by verb and path."""
    return {
        f"{verb.upper()} {path.removeprefix('/api/v1')}": operation
        for path, item in document["paths"].items()
        for verb, operation in item.items()
    }


ENDPOINT = re.compile(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`?]+)")
"""An endpoint that a text names, without its query."""


def described(value: Any) -> Iterator[str]:
    """The texts of the document that people read."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from [inner] if key in ("description", "summary") and isinstance(inner, str) else described(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from described(inner)


def test_an_endpoint_that_a_text_or_a_page_of_documentation_names_is_there(document, operations):
    texts = [*described(document), *(path.read_text("utf-8") for path in PAGES)]
    named = {endpoint.replace(" /api/v1/", " /") for text in texts for endpoint in ENDPOINT.findall(text)}
    assert "POST /auth/sign-in/email" in named
    assert named - operations.keys() == set()


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        ("POST /finance/invoices", "createInvoice"),
        ("GET /finance/payments", "listPayments"),
        ("GET /finance/invoices/{id}", "getInvoice"),
        ("PATCH /tasks/{id}", "updateTask"),
        ("DELETE /tasks/{id}", "deleteTask"),
        ("POST /finance/invoices/{id}/issue", "issueInvoice"),
        ("POST /finance/payments/{id}/allocations/{allocationId}/release", "releaseAllocation"),
        ("GET /tasks/{id}/comments", "listTaskComments"),
        ("POST /hr/payroll/runs/{id}/approve", "approvePayrollRun"),
        ("GET /workspace", "listWorkspaces"),
        ("GET /hr/payroll/payslips/{id}/pdf", "downloadPayslipPdf"),
    ],
)
def test_an_operation_is_named_by_a_verb_and_a_noun(operations, endpoint, name):
    assert operations[endpoint]["operationId"] == name


def test_no_two_operations_have_the_same_name_and_all_are_words_in_camel_case(operations):
    ids = [operation["operationId"] for operation in operations.values()]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert [name for name in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z0-9]*)+", name)] == []


def test_every_exception_from_the_names_rule_is_of_an_endpoint(operations):
    assert names.EXCEPTIONS.keys() - operations.keys() == set()


def every(node: Any) -> list[dict[str, Any]]:
    """Every object of the document."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return ([node] if isinstance(node, dict) else []) + [found for each in inner for found in every(each)]


def test_no_field_is_null_by_default(document):
    assert [each for each in every(document) if each.get("default", "") is None] == []


def test_a_closed_set_says_that_it_is_text(document):
    sets = [each for each in every(document) if isinstance(each.get("enum"), list)]
    assert len(sets) > 50
    assert [each for each in sets if each.get("type") != "string" or None in each["enum"]] == []


def test_each_media_type_has_its_own_schema(operations):
    table = operations["GET /finance/contacts"]["responses"]["200"]["content"]
    assert table == {
        "application/json": {"schema": {"$ref": "#/components/schemas/ContactListAnswer"}},
        "text/csv": {"schema": {"type": "string"}},
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {
            "schema": {"type": "string", "format": "binary"}
        },
    }
    printed = operations["GET /hr/payroll/payslips/{id}/pdf"]["responses"]["200"]["content"]
    assert printed == {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}
    packed = operations["GET /system/backups/{name}"]["responses"]["200"]["content"]
    assert packed == {"application/zip": {"schema": {"type": "string", "format": "binary"}}}


def test_every_answer_in_json_has_a_name(operations, document):
    schemas = document["components"]["schemas"]
    for endpoint, operation in operations.items():
        for status, answer in operation["responses"].items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            if schema is None:
                continue
            for each in schema.get("anyOf", [schema]):
                name = each["$ref"].rpartition("/")[2]
                assert name in schemas, endpoint
                assert name.endswith("Answer"), endpoint
                assert (name == "ErrorAnswer") == (int(status) >= 400), endpoint


def test_an_envelope_has_the_shape_of_the_answer(document):
    schemas = document["components"]["schemas"]
    assert schemas["InvoiceAnswer"]["properties"]["data"] == {"$ref": "#/components/schemas/InvoiceView"}
    assert schemas["InvoiceAnswer"]["required"] == ["success", "data"]
    assert schemas["InvoiceSummaryListAnswer"]["required"] == ["success", "data", "page"]
    assert schemas["CountriesAnswer"]["required"] == ["success", "data"]
    assert schemas["ErrorAnswer"]["properties"]["error"] == {"$ref": "#/components/schemas/Error"}


def test_the_headers_of_an_answer_are_in_the_document(operations, document):
    made = operations["POST /finance/invoices"]["responses"]
    assert made["201"]["headers"].keys() == {"ETag", "Idempotent-Replayed", "Location", "X-Request-Id"}
    assert made["503"]["headers"].keys() == {"Content-Language", "Retry-After", "X-Request-Id"}
    assert made["401"]["headers"].keys() == {"Content-Language", "WWW-Authenticate", "X-Request-Id"}
    shown = operations["GET /finance/invoices"]["responses"]["200"]["headers"]
    assert shown.keys() == {"Content-Disposition", "ETag", "X-Request-Id"}
    assert operations["GET /finance/invoices"]["responses"]["304"]["headers"].keys() == {"ETag", "X-Request-Id"}
    assert "304" not in operations["GET /auth/session"]["responses"]
    assert all(header["description"] for header in document["components"]["headers"].values())


def test_a_body_of_which_every_field_may_be_left_out_may_be_left_out(operations, document, acme):
    for name, operation in operations.items():
        body = operation.get("requestBody", {"content": {}})
        if list(body["content"]) == ["application/json"]:
            schema = document["components"]["schemas"][body["content"]["application/json"]["schema"]["$ref"][21:]]
            assert body["required"] == bool(schema.get("required")), name
        elif body["content"]:
            assert body["required"], name  # a file
    assert operations["POST /finance/invoices/{id}/issue"]["requestBody"]["required"] is False
    draft = invoice(acme, line("100.00"), draft=True)
    assert acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")["status"] == "issued"


def test_what_is_created_leads_to_its_address(operations):
    links = operations["POST /finance/invoices"]["responses"]["201"]["links"]
    assert links["show"]["operationId"] == "getInvoice"
    assert links["show"]["parameters"] == {"id": "$response.body#/data/id"}
    comment = operations["POST /tasks/{id}/comments"]["responses"]["201"]["links"]["show"]
    assert comment["operationId"] == "getTaskComment"
    assert comment["parameters"] == {"id": "$request.path.id", "commentId": "$response.body#/data/id"}


def test_a_wrong_version_is_refused_only_where_one_can_be_sent(operations):
    takes = {
        endpoint
        for endpoint, operation in operations.items()
        if "If-Match" in [parameter["name"] for parameter in operation["parameters"]]
    }
    refuses = {endpoint for endpoint, operation in operations.items() if "412" in operation["responses"]}
    assert takes == refuses
    assert "PATCH /finance/invoices/{id}" in takes
    assert "POST /finance/invoices" not in takes


def test_the_workspace_is_named_by_a_plain_string_and_the_server_by_its_own_address(operations, document):
    (header,) = (each for each in operations["GET /tasks"]["parameters"] if each["name"] == "x-workspace-id")
    assert header["schema"] == {"type": "string"}
    assert [each["url"] for each in document["servers"]] == ["/"]


def test_every_schema_is_described_and_every_parameter_whose_name_does_not_say_all(operations, document):
    schemas = document["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    fields = [each for operation in operations.values() for each in operation["parameters"]]
    plain = r"\w+Id|status|role|type|subtype|kind|currency|direction|method|priority|department|year"
    bare = {each["name"] for each in fields if not each.get("description")}
    assert [name for name in bare if not re.fullmatch(rf"{plain}|isBillable|employmentType|calculation", name)] == []
    assert all(each["description"] for each in fields if each["in"] == "path")


def test_every_operation_says_more_than_its_summary(operations):
    for name, operation in operations.items():
        description = operation.get("description", "")
        assert re.fullmatch(r"\W?[A-Z`].+\.", description, re.DOTALL), name
        assert description != operation["summary"], name


OPEN = {
    "code": "a name that people give, or the code of a refusal, of which each endpoint lists its own",
    "day": "of a recurring document: `last`; of a quote to follow: a date",
    "form": "of a shared document: one of its files; of a VAT return: the form of a country",
    "from": "of a journey: the place where it began",
    "kind": "of a hit of the search: of any of its records",
    "language": "of a chart of accounts: of its names, which may be in any language",
    "problem": "the sentence of a file that cannot be read",
    "reason": "the words of a person; of rows that are left out, one of a few",
    "remittance": "of a transfer: the text that its recipient reads",
    "sort": "of a view: any column of its list",
    "source": "the text of a law or another source",
    "status": "of a hit of the search: of any of its records",
    "unit": "the unit of a line, as people name it",
    "why": "a reason in words; of a withheld figure, one of a few",
}
"""Names of fields that are a closed set in one place and text in another, and the reason."""


def test_a_name_of_a_closed_set_is_a_closed_set_everywhere(document, operations):
    fields = [*named_fields(document), *named_parameters(operations)]
    closed = {name for name, schema in fields if any("enum" in kind for kind in kinds(schema))}
    assert len(closed) > 60
    assert {name for name, schema in fields if name in closed and any(map(is_text, kinds(schema)))} == OPEN.keys()


def named_fields(document):
    schemas = document["components"]["schemas"].values()
    return [pair for schema in schemas for pair in schema.get("properties", {}).items()]


def named_parameters(operations):
    parameters = [each for operation in operations.values() for each in operation["parameters"]]
    return [(each["name"], each["schema"]) for each in parameters if each["in"] == "query"]


def kinds(schema):
    """The kinds of values of a field."""
    inner = schema.get("anyOf") or ([schema["items"]] if "items" in schema else None)
    return [schema] if inner is None else [kind for each in inner for kind in kinds(each)]


def is_text(kind):
    """Whether it is any text that an answer shows; what requests send has a length at least."""
    return kind.get("type") == "string" and not {"enum", "format", "maxLength", "pattern"} & kind.keys()


def test_one_or_several_values_are_a_list_of_a_closed_set(operations):
    (status,) = (each for each in operations["GET /finance/invoices"]["parameters"] if each["name"] == "status")
    assert status["schema"]["type"] == "array"
    assert {"draft", "issued", "void"} <= set(status["schema"]["items"]["enum"])


def test_no_field_of_a_body_has_a_default_which_generators_take_for_required(document):
    schemas = document["components"]["schemas"]
    assert [name for name, schema in schemas.items() for each in every(schema) if "default" in each] == []
    assert "By default `true`." in schemas["NewWebhook"]["properties"]["isActive"]["description"]
    assert "isActive" not in schemas["NewWebhook"]["required"]


def test_a_field_of_an_answer_is_required_unless_it_is_left_out_for_some(document):
    schemas = document["components"]["schemas"]
    assert {"minutes", "note"} <= {*schemas["TimerView"]["required"]}
    assert "balance" not in schemas["ContactView"]["required"], "left out for those who may not read finances"


@pytest.mark.parametrize(
    ("endpoint", "tag"),
    [
        ("POST /finance/invoices", "Invoices"),
        ("POST /finance/invoices/from-time-logs", "Invoices"),
        ("GET /finance/bank/lines", "Bank"),
        ("GET /finance/reports/balance-sheet", "Reports"),
        ("GET /finance/reports/tax", "Taxes"),
        ("GET /finance/payment-runs/{id}", "Payments"),
        ("POST /tasks/{id}/timer/start", "Time"),
        ("GET /tasks/{id}/comments", "Tasks"),
        ("POST /auth/tokens", "Access tokens"),
        ("POST /auth/sign-in/email", "Sign-in"),
        ("POST /workspace/leave", "Members"),
        ("GET /workspace/{workspaceId}", "Workspaces"),
        ("POST /hr/leaves", "Leave"),
        ("GET /system/backups", "Installation"),
    ],
)
def test_an_operation_is_found_under_the_word_that_people_look_for(operations, endpoint, tag):
    assert operations[endpoint]["tags"] == [tag]


def test_no_tag_is_empty_or_so_full_that_nothing_is_found_under_it(operations, document):
    counted = Counter(operation["tags"][0] for operation in operations.values())
    assert counted.keys() == {each["name"] for each in document["tags"] if each["description"]}
    assert {tag: count for tag, count in counted.items() if not 2 <= count <= 30} == {}


@pytest.mark.parametrize(
    ("schema", "field", "option"),
    [
        ("ActiveWorkspaceView", "permissions", "finance.write"),
        ("BalanceSheetGroup", "subtype", "bank"),
        ("EventView", "type", "invoice.issued"),
        ("InvoiceSummary", "kind", "sales_credit_note"),
        ("InvoiceSummary", "status", "partially_paid"),
        ("InvoiceTaxView", "category", "AE"),
        ("InvoiceView", "taxRounding", "line"),
        ("JournalEntrySummary", "kind", "manual"),
        ("JournalSourceView", "type", "payroll_run"),
        ("SessionView", "kind", "token"),
        ("TaskTime", "status", "in_progress"),
        ("WorkspaceStateView", "status", "archived"),
    ],
)
def test_a_closed_set_is_an_enum(document, schema, field, option):
    described = document["components"]["schemas"][schema]["properties"][field]
    assert option in described.get("items", described)["enum"]


def test_the_statuses_of_tasks_are_the_same_in_a_projects_summary():
    assert get_args(TaskStatus) == get_args(statuses.Status)


def test_an_amount_is_a_string_of_digits_in_bodies_and_answers(document):
    schemas = document["components"]["schemas"]
    assert [each for each in every(document) if each.get("type") == ["string", "number"]] == []
    asked = schemas["NewPayment"]["properties"]["amount"]
    shown = schemas["PaymentView"]["properties"]["amount"]
    for amount in (asked, shown):
        assert amount["type"] == "string"
        assert re.search(amount["pattern"], "1250.00")
        assert not re.search(amount["pattern"], "1.250,00")
    assert "number is accepted too" in asked["description"]
    quantity = schemas["NewInvoiceLine"]["properties"]["quantity"]
    assert re.search(quantity["pattern"], "-2.5")
    assert not re.search(asked["pattern"], "-2.5")
    assert re.search(schemas["InvoiceLineView"]["properties"]["unitPrice"]["pattern"], "0.125")


def put(document: dict[str, Any], value: Any, *place: str) -> None:
    for name in place[:-1]:
        document = document[name]
    document[place[-1]] = value


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        (("info", "version"), 1, "not of type"),
        (("components", "schemas", "InvoiceView", "type"), "nonsense", "InvoiceView is no schema"),
        (("components", "schemas", "Error", "properties", "code"), {"type": "string", "default": 1}, "its own 1"),
        (("components", "schemas", "NewTask", "examples"), [{"title": "A", "none": 1}], "its own {'title'"),
        (("components", "schemas", "InvoiceAnswer", "properties", "data", "$ref"), "#/nowhere", "leads nowhere"),
        (("paths", "/api/v1/tasks", "get", "operationId"), "createTask", "the name of two operations"),
        (("paths", "/api/v1/tasks/{id}", "get", "parameters"), [], "not those of its path"),
    ],
)
def test_a_fault_of_the_document_is_found(document: Any, place: tuple[str, ...], value: Any, fault: str) -> None:
    document = copy.deepcopy(document)
    put(document, value, *place)
    assert [each for each in faults_of(document) if fault in each]
