import gzip
import html
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from threading import Barrier, Timer

import falcon
import pytest
from falcon.testing import TestClient
from openapi_spec_validator import validate

from erp.web.docs import PATH, DocsFile, DocsPage, Documentation, OneOperation, OpenApiDocument, once
from tests.conftest import IS_THOROUGH
from tests.documented import document
from tests.servers import running


def documented(make):
    """The documentation on its own, of the document that `make` makes."""
    app = falcon.App()
    app.req_options.strip_url_path_trailing_slash = True
    documentation = once(lambda: Documentation.of(make()))
    app.add_route(PATH, DocsPage(documentation))
    app.add_route("/api/openapi.json", OpenApiDocument(documentation))
    app.add_route(PATH + "/{name}", DocsFile())
    app.add_route(PATH + "/operations/{operation_id}", OneOperation(documentation))
    return TestClient(app)


@pytest.fixture(scope="module")
def client():
    return documented(document)


class Page(HTMLParser):
    """What the page names and what stands inline in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self._tag in ("script", "style") and data.strip():
            self.inline.append(data)


@pytest.fixture(scope="module")
def page(client):
    return Page(client.simulate_get(PATH).text)


@pytest.mark.parametrize("path", [PATH, PATH + "/"])
def test_the_documentation_answers_at_its_own_address(client, path):
    answer = client.simulate_get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")


def test_the_page_names_no_other_computer(client):
    assert not re.search(r"https?:|//", client.simulate_get(PATH).text.removeprefix("<!doctype html>"))


def test_the_page_lists_every_operation_by_tag(client):
    text = client.simulate_get(PATH).text
    operations = [operation for item in document()["paths"].values() for operation in item.values()]
    assert text.count("<li ") == len(operations)
    assert "<code>POST /api/v1/finance/invoices/{id}/issue</code> Issue a draft.</summary>" in text
    for tag in {operation["tags"][0] for operation in operations}:
        count = sum(tag in operation["tags"] for operation in operations)
        assert f"<details><summary>{tag} ({count})</summary>" in text
    assert " (0)</summary>" not in text


def test_the_page_says_how_requests_and_answers_look(client):
    text = client.simulate_get(PATH).text
    assert "<code>Authorization: Bearer …</code>" in text
    assert text.count("<p>Limits: ") == 1


@pytest.mark.thorough
def test_each_operation_has_a_part_of_the_document_that_refers_to_nothing_outside(client):
    whole = json.loads(client.simulate_get("/api/openapi.json").content)
    every = [(path, verb, made) for path, item in whole["paths"].items() for verb, made in item.items()]
    for path, verb, operation in every[:: 1 if IS_THOROUGH else 10]:
        answer = client.simulate_get(f"{PATH}/operations/{operation['operationId']}")
        part = answer.json
        assert part["paths"] == {path: {verb: operation}}
        for _, kind, name in re.findall(r'"#/(components)/(\w+)/([^"]+)"', answer.text):
            assert part["components"][kind][name] == whole["components"][kind][name]
        assert part["components"]["securitySchemes"] == whole["components"]["securitySchemes"]
        assert len(answer.content) < 250_000


def test_the_part_of_an_operation_is_a_valid_document(client):
    part = client.simulate_get(PATH + "/operations/createProject").json
    validate(part)
    assert "ProjectView" in part["components"]["schemas"]
    assert "EmployeeView" not in part["components"]["schemas"]


def test_an_operation_that_does_not_exist_has_no_part(client):
    for name in ("issue", "issueInvoic", "", "'"):
        assert client.simulate_get(f"{PATH}/operations/{name}").status_code == 404


def test_a_reader_that_has_the_document_does_not_load_it_again(client):
    first = client.simulate_get("/api/openapi.json")
    assert first.headers["etag"].startswith('W/"')
    again = client.simulate_get("/api/openapi.json", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.simulate_get("/api/openapi.json", headers={"If-None-Match": 'W/"older"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "is_packed"), [("gzip, br", True), ("gzip;q=0", False), ("br", False), ("gzip;q=0.5", True)]
)
def test_the_document_is_compressed_for_those_who_accept_it(client, accepted, is_packed):
    plain = client.simulate_get("/api/openapi.json")
    answer = client.simulate_get("/api/openapi.json", headers={"Accept-Encoding": accepted})
    assert (answer.headers.get("content-encoding") == "gzip") is is_packed
    assert answer.headers["vary"] == "Accept-Encoding"
    content = gzip.decompress(answer.content) if is_packed else answer.content
    assert content == plain.content
    assert len(answer.content) < len(plain.content) / 5 or not is_packed


def test_the_document_is_made_once_when_several_ask_for_it_first_and_at_the_same_time():
    made, together = [], Barrier(3)

    def make():
        made.append(document())
        return made[-1]

    def ask(path):
        together.wait(10)
        return site.simulate_get(path).content

    site = documented(make)
    assert made == []
    with ThreadPoolExecutor(3) as readers:
        first, same, page = readers.map(ask, ("/api/openapi.json", "/api/openapi.json", PATH))
    assert len(made) == 1
    assert json.loads(first) == json.loads(json.dumps(document()))
    assert first == same
    assert page.count(b"<li ") == sum(map(len, made[0]["paths"].values()))


def test_selecting_a_workspace_says_where_ones_own_id_goes():
    field = document()["components"]["schemas"]["WorkspaceSelection"]["properties"]["workspaceId"]
    assert "GET /workspace" in field["description"]


def test_everything_the_page_loads_is_served(client, page):
    files = [address for address in page.addresses if address.startswith(PATH) and not address.endswith(".html")]
    assert len(files) == 4
    for address in files:
        answer = client.simulate_get(address)
        assert answer.status_code == 200
        assert len(answer.content) > 100
        assert answer.headers["content-type"].startswith("text/css" if address.endswith(".css") else "text/javascript")


def test_the_styles_load_nothing_from_elsewhere(client, page):
    for address in page.addresses:
        if address.endswith(".css"):
            targets = re.findall(r"url\(\s*[\"']?([^\"')]{0,40})", client.simulate_get(address).text)
            assert all(target.startswith("data:") for target in targets)


def test_the_browser_may_run_only_our_own_files(client, page):
    policy = client.simulate_get(PATH).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["base-uri"] == rules["object-src"] == "'none'"
    assert "unsafe" not in policy
    assert page.inline == []


def test_a_browser_that_has_a_file_does_not_load_it_again(client):
    first = client.simulate_get(PATH + "/docs.js")
    again = client.simulate_get(PATH + "/docs.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.simulate_get(PATH + "/docs.js", headers={"If-None-Match": '"older"'}).status_code == 200


@pytest.mark.parametrize("name", ["docs.html", "redoc.js", "__init__.py", "..%2fdocs.py", "..%2f..%2fmoney.py"])
def test_nothing_else_can_be_read(client, name):
    assert client.simulate_get(f"{PATH}/{name}").status_code == 404


def test_a_list_says_what_its_filters_are_and_leaves_them_empty():
    operation = document()["paths"]["/api/v1/finance/payments"]["get"]
    fields = {each["name"]: each for each in operation["parameters"]}
    several = "The id or number of a settled invoice. One or several, repeated or separated by commas."
    assert fields["invoiceId"]["description"] == several
    assert fields["invoiceId"]["schema"] == {"type": "array", "items": {"type": "string"}, "maxItems": 50}
    assert fields["direction"]["schema"]["items"] == {"type": "string", "enum": ["made", "received"]}
    assert fields["dateFrom"]["schema"] == {"type": "string", "format": "date"}
    assert "`-`" in fields["sort"]["description"]


def test_nothing_sent_in_an_address_or_a_header_can_be_null():
    operations = [each for path in document()["paths"].values() for each in path.values()]
    schemas = [each["schema"] for operation in operations for each in operation["parameters"]]
    assert len(schemas) > 100
    assert [each for each in schemas if "anyOf" in each or each.get("default", "") is None or "type" not in each] == []


def program_of(page):
    (program,) = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)
    return html.unescape(program)


def test_the_ten_lines_that_follow_a_workspace_do_so(acme, client):
    program = program_of(client.simulate_get(PATH + "/events.html").text)
    assert len(program.splitlines()) == 10
    token = acme.ok("POST", "/auth/tokens", {"name": "follower", "workspaceId": acme.workspace_id})["token"]
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"legalName": "Acme & Co"})
    with running(acme.installation.config, acme.installation.app) as server:
        for shown, used in (("http://127.0.0.1:8420", server.url), ("erp_…", token), ("sleep(5)", "sleep(0.05)")):
            assert shown in program
            program = program.replace(shown, used)
        with subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, text=True) as follower:
            patience = Timer(30, follower.kill)
            patience.start()
            assert follower.stdout is not None
            read = [follower.stdout.readline().split()[:2] for _ in range(2)]
            contact = acme.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
            later = follower.stdout.readline().split()
            follower.kill()
            patience.cancel()
    assert read == [["1", "workspace.created"], ["2", "workspace.updated"]]
    assert later == ["3", "contact.created", contact["id"]]


def test_the_page_of_the_documentation_leads_to_the_one_about_events(client, page):
    assert PATH + "/events.html" in page.addresses
    assert client.simulate_get(PATH + "/events.html").headers["content-type"].startswith("text/html")
