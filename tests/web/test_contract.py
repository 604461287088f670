"""Endpoints that are declared in a way that cannot be served fail the start."""

from types import SimpleNamespace
from typing import Literal

import falcon
import falcon.testing
import pytest

from erp import app
from erp.web import openapi
from erp.web.contract import BadContract
from erp.web.endpoint import endpoint
from erp.web.schema import File, ListQuery, Page, Query, RecordView, View


class Shown(View):
    name: str


def test_an_endpoint_of_a_workspace_declares_a_permission() -> None:
    with pytest.raises(BadContract, match="permission"):

        @endpoint()
        def on_get(self: object) -> Shown:
            """Show it."""
            return Shown(name="")


def test_a_permission_must_be_one_of_the_table() -> None:
    with pytest.raises(BadContract, match="no permission"):

        @endpoint(permission="finance.everything")
        def on_get(self: object) -> Shown:
            """Show it."""
            return Shown(name="")


def test_a_public_endpoint_has_no_permission_to_declare() -> None:
    with pytest.raises(BadContract, match="permission"):

        @endpoint(access="public", permission="finance.read")
        def on_get(self: object) -> Shown:
            """Show it."""
            return Shown(name="")


def test_an_endpoint_is_documented() -> None:
    with pytest.raises(BadContract, match="documentation"):

        @endpoint(permission="finance.read")
        def on_get(self: object) -> Shown:
            return Shown(name="")


def test_a_page_takes_the_parameters_of_a_list() -> None:
    with pytest.raises(BadContract, match="ListQuery"):

        @endpoint(permission="finance.read")
        def on_get(self: object) -> Page[Shown]:
            """List them."""
            return Page([], 50)


def test_a_responder_without_a_declaration_fails_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    class Undeclared:
        def on_get(self, req: object, resp: object) -> None:
            """Show it."""

    area = SimpleNamespace(__name__="erp.area.routes", __doc__="An area.", ROUTES={"/area": Undeclared()})
    monkeypatch.setattr(app, "AREAS", (area,))
    with pytest.raises(BadContract, match="/area on_get"):
        app.routes()


def test_an_endpoint_that_answers_a_file_says_of_what_kind() -> None:
    with pytest.raises(BadContract, match="produces"):

        @endpoint(permission="finance.read")
        def on_get(self: object) -> File:
            """Draw it."""
            return File(b"", "drawing.svg")


def test_a_file_is_sent_as_it_is() -> None:
    class Drawing:
        @endpoint(access="public", produces="image/svg+xml")
        def on_get(self) -> File:
            """Draw it."""
            return File(b"<svg/>", "drawing.svg")

    drawn = falcon.App()
    drawn.add_route("/drawing", Drawing())
    drawn.add_middleware(NobodyAsked())
    answer = falcon.testing.TestClient(drawn).simulate_get("/drawing")
    assert answer.content == b"<svg/>"
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="drawing.svg"'


def test_a_file_may_be_of_several_kinds() -> None:
    class Drawing:
        @endpoint(access="public", produces=("image/svg+xml", "text/plain"))
        def on_get(self) -> File:
            """Draw it."""
            return File(b"<svg/>", "drawing.txt", "text/plain")

    drawn = falcon.App()
    drawn.add_route("/drawing", Drawing())
    drawn.add_middleware(NobodyAsked())
    answer = falcon.testing.TestClient(drawn).simulate_get("/drawing")
    assert answer.headers["Content-Type"] == "text/plain"
    document = openapi.document([{"/drawing": Drawing()}], "", "")
    documented = document["paths"]["/drawing"]["get"]["responses"]["200"]["content"]
    assert list(documented) == ["image/svg+xml", "text/plain"]


class Made(RecordView):
    """Something that was made."""


class Imagined(Made):
    """Something that only would be."""


class Wish(Query):
    dry_run: bool = False


class Makers:
    @endpoint(access="public", status=201)
    def on_post(self, query: Wish) -> Made | Imagined:
        """Make it, or tell what it would be."""
        kind = Imagined if query.dry_run else Made
        return kind(id="1", version=1, created_at="", updated_at="")


@pytest.mark.parametrize(
    ("query", "status", "location"), [("", 201, "/things/1"), ("dryRun=true", 200, None)], ids=["made", "imagined"]
)
def test_a_preview_creates_nothing(query: str, status: int, location: str | None) -> None:
    workshop = falcon.App()
    workshop.add_route("/things", Makers())
    workshop.add_middleware(NobodyAsked())
    answer = falcon.testing.TestClient(workshop).simulate_post("/things", query_string=query)
    assert (answer.status_code, answer.headers.get("Location")) == (status, location)


def test_a_preview_is_documented_beside_what_is_created() -> None:
    document = openapi.document([{"/things": Makers()}], "", "")
    answers = document["paths"]["/things"]["post"]["responses"]
    shown = {
        status: answers[status]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for status in ("200", "201")
    }
    assert shown == {"200": "ImaginedAnswer", "201": "MadeAnswer"}
    envelope = document["components"]["schemas"]["ImaginedAnswer"]
    assert envelope["properties"]["data"] == {"$ref": "#/components/schemas/Imagined"}


class Counted(View):
    shelf: str
    books: int


class BookFilter(ListQuery):
    group_by: Literal["shelf"] | None = None


class Books:
    """Books one by one in pages, or counted shelf by shelf."""

    @endpoint(access="public")
    def on_get(self, query: BookFilter) -> Page[Shown] | list[Counted]:
        """List the books."""
        return [Counted(shelf="A", books=2)] if query.group_by else Page([Shown(name="Emma")], 50)


@pytest.mark.parametrize(
    ("query", "answer", "table"),
    [
        ("", {"data": [{"name": "Emma"}], "page": {"limit": 50, "nextCursor": None}}, 'name\r\n"Emma"\r\n'),
        ("groupBy=shelf", {"data": [{"shelf": "A", "books": 2}]}, 'shelf,books\r\n"A",2\r\n'),
    ],
)
def test_a_page_can_also_be_a_list_of_groups(query: str, answer: dict[str, object], table: str) -> None:
    library = falcon.App()
    library.add_route("/books", Books())
    library.add_middleware(NobodyAsked())
    client = falcon.testing.TestClient(library)
    assert client.simulate_get("/books", query_string=query).json == {"success": True, **answer}
    assert client.simulate_get("/books", query_string=f"{query}&format=csv").text == f"\ufeff{table}"


def test_both_answers_of_an_endpoint_that_groups_are_documented() -> None:
    document = openapi.document([{"/books": Books()}], "", "")
    media = document["paths"]["/books"]["get"]["responses"]["200"]["content"]["application/json"]
    schemas = document["components"]["schemas"]
    usual, groups = (schemas[each["$ref"].rpartition("/")[2]] for each in media["schema"]["anyOf"])
    assert usual["properties"]["data"]["items"] == {"$ref": "#/components/schemas/Shown"}
    assert groups["properties"]["data"]["items"] == {"$ref": "#/components/schemas/Counted"}
    assert ("page" in usual["properties"], "page" in groups["properties"]) == (True, False)
    assert {"Shown", "Counted", "ShownListAnswer", "CountedsAnswer"} <= schemas.keys()


def test_only_a_page_can_also_be_groups() -> None:
    with pytest.raises(BadContract, match="groups"):

        @endpoint(permission="finance.read")
        def on_get(self: object, query: BookFilter) -> Shown | list[Counted]:
            """List them."""
            return []


class NobodyAsked:
    """What the guard would leave for a public endpoint."""

    def process_resource(self, req: falcon.Request, resp: object, resource: object, params: object) -> None:
        req.context.caller, req.context.body = None, {}
