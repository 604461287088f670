"""Several documents at once: printed, packed, and drafts deleted."""

import zipfile
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NameObject, TextStringObject

from erp.finance.output import several
from erp.web.schema import File
from tests.conftest import Office
from tests.finance.documents.invoices import invoice, line
from tests.finance.output.letterheads import drawn
from tests.finance.output.test_paper_design import upload

PDF = "/finance/invoices/pdf"


def test_documents_are_packed_or_joined_and_drafts_left_out_or_deleted(acme: Office) -> None:
    first, second = (invoice(acme, *(line("10.00") for _ in range(count))) for count in (1, 60))
    unsent = invoice(acme, line("5.00"), draft=True)["id"]
    ids = [second["id"], unsent, first["id"], first["id"]]
    answer = acme.call("POST", PDF, {"ids": ids, "as": "zip"})
    assert (answer.headers["Content-Type"], answer.headers["X-Left-Out"]) == ("application/zip", unsent)
    with zipfile.ZipFile(BytesIO(answer.content)) as packed:
        assert packed.namelist() == [f"{each['number']}.pdf" for each in (second, first)]
        alone = [PdfReader(BytesIO(packed.read(name))) for name in packed.namelist()]
    viewer = acme.colleague("viewer")
    answer = viewer.call("POST", PDF, {"ids": ids, "as": "pdf"})
    assert (answer.headers["Content-Type"], answer.headers["X-Left-Out"]) == ("application/pdf", unsent)
    joined = PdfReader(BytesIO(answer.content), strict=True)
    pages = [page for reader in alone for page in reader.pages]
    assert len(joined.pages) == len(pages) > 2
    assert [page.extract_text() for page in joined.pages] == [page.extract_text() for page in pages]
    assert [page.mediabox for page in joined.pages] == [page.mediabox for page in pages]
    assert "X-Left-Out" not in acme.call("POST", PDF, {"ids": [first["id"]], "as": "pdf"}).headers
    error = acme.refused("POST", PDF, {"ids": [unsent, unsent, "odd"], "as": "pdf"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("ids[2]", "unknown_reference")]
    error = acme.refused("POST", PDF, {"ids": [unsent], "as": "pdf"}, status=422)
    assert error["details"][0]["code"] == "only_drafts"
    acme.refused("POST", PDF, {"ids": ["x"] * 101, "as": "doc"}, status=422)

    viewer.refused("POST", "/finance/invoices/delete-drafts", {"ids": [unsent]}, status=403)
    gone = acme.ok("POST", "/finance/invoices/delete-drafts", {"ids": [unsent, first["id"], "odd"]})
    kept = [{"id": first["id"], "code": "invalid_transition"}, {"id": "odd", "code": "not_found"}]
    assert gone == {"deleted": [unsent], "kept": kept}
    acme.refused("GET", f"/finance/invoices/{unsent}", status=404)


def test_papers_on_a_letterhead_are_joined_whatever_its_layers_are_called(acme: Office) -> None:
    layer = {"/Type": NameObject("/OCG"), "/Name": TextStringObject("Brief 977 0 R (stream)")}
    layers = _dictionary({"/L": _dictionary(layer)})
    drawing = drawn(b"1 0 0 rg 0 0 9 9 re f", resources=_dictionary({"/Properties": layers}))
    assert upload(acme, drawing).status_code == 200
    ids = [invoice(acme, line("10.00"))["id"] for _ in range(2)]
    content = acme.call("POST", PDF, {"ids": ids, "as": "pdf"}).content
    pages: Any = PdfReader(BytesIO(content), strict=True).pages
    assert ["/Letterhead1" in page["/Resources"]["/XObject"] for page in pages] == [True, True]


def _dictionary(values: dict[str, Any]) -> DictionaryObject:
    return DictionaryObject({NameObject(name): value for name, value in values.items()})


def test_papers_of_the_same_name_get_numbers_that_none_has() -> None:
    files = [File(b"", name) for name in ("7.pdf", "7-2.pdf", "7.pdf", "7.pdf")]
    assert [*several.names(files)] == ["7.pdf", "7-2.pdf", "7-3.pdf", "7-4.pdf"]
