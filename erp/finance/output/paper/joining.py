"""Several of our papers as one file to print.

pypdf is loaded where it is used: few requests need it.
"""

import io
from collections.abc import Sequence


def joined(papers: Sequence[bytes]) -> bytes:
    """The pages of the papers, one paper after the other, without the e-invoices inside and the marks of PDF/A."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.pdf_header = "%PDF-1.7"
    for paper in papers:
        writer.append(io.BytesIO(paper), import_outline=False)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
