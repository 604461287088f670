"""Documents as PDF, in a typeface with Latin, Greek and Cyrillic letters."""

import logging
import warnings
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.fonts import FontFace

FACE = "Noto Sans"
TYPEFACE = files("fontpkg_noto_sans").joinpath("files/NotoSans[wdth,wght].ttf")
SMALL, TEXT, TITLE = 8, 10, 16
LINE_MM = 5.5
MARGIN_MM = 18

Align = Literal["L", "R"]


class Paper:
    """A document on A4 that is written from the top of its first page downwards."""

    def __init__(self, title: str, made_at: datetime) -> None:
        self._pdf = blank()
        self._pdf.set_title(title)
        self._pdf.set_creation_date(made_at)
        self.line(title, TITLE)
        self.gap()

    def line(self, text: str, size: int = TEXT) -> None:
        """Write a line; it wraps where it is too long."""
        self._pdf.set_font(FACE, size=size)
        self._pdf.multi_cell(0, LINE_MM * size / TEXT, text, new_x="LMARGIN", new_y="NEXT", align="L")

    def gap(self) -> None:
        """Leave an empty line."""
        self._pdf.ln(LINE_MM)

    def rows(self, widths: Sequence[int], aligned: Sequence[Align], rows: Sequence[Sequence[str]]) -> None:
        """Write a table whose first row is the heading.

        Args:
            widths: of the columns, relative to each other.
        """
        self._pdf.set_font(FACE, size=TEXT)
        with self._pdf.table(
            col_widths=tuple(widths),
            text_align=tuple("RIGHT" if align == "R" else "LEFT" for align in aligned),
            borders_layout="SINGLE_TOP_LINE",
            line_height=LINE_MM,
            headings_style=_plain_heading(),
        ) as table:
            for row in rows:
                table.row(row)

    def finish(self) -> bytes:
        """The document."""
        return bytes(self._pdf.output())


def blank() -> "FPDF":
    """An empty page with the typeface.

    The library is loaded here and not at the start: it takes 20 MiB and 0.2 s that an office without printing
    never needs. It is in the program's own archive, so it can be loaded at any time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that it cannot draw images; there are none
        from fpdf import FPDF
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it lists every table that it leaves out
    pdf = FPDF(format="A4")
    pdf.set_margin(MARGIN_MM)
    pdf.add_font(FACE, fname=str(TYPEFACE))
    pdf.add_page()
    return pdf


def _plain_heading() -> "FontFace":
    from fpdf.fonts import FontFace

    return FontFace(emphasis="NONE", color=(90, 90, 90))
