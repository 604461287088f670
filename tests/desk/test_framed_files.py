"""Files that a page shows in a frame: only those in which nothing can run."""

import pytest

from tests.desk.files import JPEG, PATH, XML, attach, pdf, png
from tests.finance.documents.invoices import invoice

FRAMED = (
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""No script and no picture from elsewhere; Chromium needs the object and the style for its own viewer of PDFs."""


@pytest.mark.parametrize(("content", "name"), [(pdf(), "a.pdf"), (png(), "a.png"), (JPEG, "a.jpg")])
def test_a_file_that_browsers_only_show_can_stand_in_a_frame_of_the_page(acme, content, name):
    """A browser takes the headers as they are here: the frame may be ours alone, and nothing in it loads or runs."""
    id = attach(acme, content, name)["id"]
    answer = acme.call("GET", f"{PATH}/{id}/content", params={"inline": "true"})
    assert answer.content == content
    assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
    assert answer.headers["Content-Security-Policy"] == FRAMED
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_xml_is_downloaded_and_never_shown(acme):
    id = attach(acme, XML, "a.xml")["id"]
    acme.refused("GET", f"{PATH}/{id}/content", params={"inline": "true"}, status=422, code="not_shown")


def test_the_paper_of_an_invoice_can_stand_in_a_frame_too(acme):
    made = invoice(acme)
    answer = acme.call("GET", f"/finance/invoices/{made['id']}/pdf", params={"inline": "true"})
    assert answer.headers["Content-Disposition"].startswith("inline; ")
    assert answer.headers["Content-Security-Policy"] == FRAMED
