"""Documents as PDF, in a typeface with Latin, Greek and Cyrillic letters; others come from this computer's own."""

import io
import logging
import warnings
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from erp.kernel.paper import typefaces

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.fonts import FontFace

FACE = "Noto Sans"
TYPEFACE = files("fontpkg_noto_sans").joinpath("files/NotoSans[wdth,wght].ttf")
SHAPING = frozenset({"GDEF", "GPOS", "GSUB", "HVAR", "MVAR", "STAT", "avar", "fvar", "gvar"})
"""Tables of other weights, ligatures and kerning, which our papers do not use; a paper took twice as long with them."""
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
        write(self._pdf, 0, LINE_MM * size / TEXT, text, "L")

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
                table.row([typefaces.line(self._pdf, text) for text in row])

    def finish(self) -> bytes:
        """The document."""
        return bytes(self._pdf.output())


def draw_logo(pdf: "FPDF", logo: bytes, left: float, top: float, most: tuple[float, float]) -> float:
    """Draw an image as large as its place allows; the height that it takes, in millimetres.

    Args:
        most: the width and the height of the place.
    """
    from PIL import Image  # as it is needed for logos alone

    with Image.open(io.BytesIO(logo)) as image:
        width = min(most[0], most[1] * image.width / image.height)
        pdf.image(image, left, top, width)
        return width * image.height / image.width


class TableColumn(NamedTuple):
    """A column of a table on paper, and its preferred width in millimetres."""

    label: str
    width: int
    is_number: bool


class TablePaper:
    """A table over as many pages as it needs, upright or across, with its headings on each."""

    INK, GRAY, ACCENT, RULE = (32, 36, 44), (105, 112, 122), (22, 82, 104), (205, 212, 218)
    ROW_MM, FOOT_MM, INDENT_MM = 4.8, 18, 3
    LABEL_MM = 46
    """The least width of the first column, which has the labels."""
    UPRIGHT_MM = 120
    """The greatest width of the other columns on upright paper."""
    BOLDER_MM = 0.05
    """The outline of emphasised text: the bold typeface would take seconds to load."""

    def __init__(self, heading: str, columns: Sequence[TableColumn], made_at: datetime) -> None:
        self._columns = columns
        self._labels = [heading, *(column.label for column in columns)]
        asked = sum(column.width for column in columns)
        self._pdf = blank(is_across=asked > self.UPRIGHT_MM)
        self._width = self._pdf.w - 2 * MARGIN_MM
        scale = min(1.0, (self._width - self.LABEL_MM) / max(1, asked))
        self._widths = [self._width - scale * asked, *(scale * column.width for column in columns)]
        self._size = max(5.0, 8 * min(1.0, scale * 1.15))
        self._pdf.set_creation_date(made_at)
        self._pdf.set_auto_page_break(False)

    def head(self, title: str, office: str, days: str) -> None:
        """Write the title of the table, and its headings."""
        self._pdf.set_title(title)
        for text, size, color in ((title, 15, self.ACCENT), (office, 10, self.INK), (days, 9, self.GRAY)):
            self._font(size, color)
            self._pdf.cell(self._width, size * 0.48, self._fitted(text, self._width), new_x="LMARGIN", new_y="NEXT")
        self._pdf.ln(4)
        self._headings()

    def row(self, kind: Literal["section", "line", "sum"], texts: Sequence[str], level: int) -> None:
        """Write a row, its label first; a sum has a line above it."""
        if self._pdf.get_y() + self.ROW_MM > self._pdf.h - self.FOOT_MM:
            self._pdf.add_page()
            self._headings()
        if kind == "sum":
            self._rule(self.RULE)
        color = self.ACCENT if kind == "section" else self.INK
        self._font(self._size, color)
        mode: Literal["FILL", "FILL_STROKE"] = "FILL" if kind == "line" else "FILL_STROKE"
        with self._pdf.local_context(text_mode=mode, line_width=self.BOLDER_MM, draw_color=color):
            self._line(texts, level * self.INDENT_MM)

    def finish(self, page: Callable[[int, int], str], foot: str = "") -> bytes:
        """The document.

        Args:
            page: makes the footer of a page from its number and the number of pages.
            foot: the text at the left of it on every page.
        """
        pages = len(self._pdf.pages)
        for number in range(1, pages + 1):
            self._pdf.page = number
            self._font(7.5, self.GRAY)
            self._pdf.set_xy(MARGIN_MM, self._pdf.h - 13)
            self._pdf.cell(self._width, 4, foot)
            self._pdf.set_xy(MARGIN_MM, self._pdf.h - 13)
            self._pdf.cell(self._width, 4, page(number, pages), align="R")
        return bytes(self._pdf.output())

    def _headings(self) -> None:
        self._font(self._size, self.ACCENT)
        self._line(self._labels)
        self._rule(self.ACCENT)

    def _line(self, texts: Sequence[str], indent: float = 0) -> None:
        left: float = MARGIN_MM
        top = self._pdf.get_y()
        widths = self._widths if any(texts[1:]) else [self._width, *(0 for _ in self._columns)]
        for index, (text, width) in enumerate(zip(texts, widths, strict=True)):
            if text:
                inset = 0 if index else indent
                align = "R" if index and self._columns[index - 1].is_number else "L"
                self._pdf.set_xy(left + inset, top)
                self._pdf.cell(width - inset, self.ROW_MM, self._fitted(text, width - inset - 1.5), align=align)
            left += width
        self._pdf.set_xy(MARGIN_MM, top + self.ROW_MM)

    def _fitted(self, text: str, width: float) -> str:
        """A text that is too long for its column loses its end; a figure never comes near."""
        text = typefaces.legible(self._pdf, text)
        if self._pdf.get_string_width(text) <= width:
            return typefaces.in_order(text)
        while text and self._pdf.get_string_width(f"{text}…") > width:
            text = text[: -max(1, len(text) // 12)]
        return typefaces.in_order(f"{text}…")

    def _font(self, size: float, color: tuple[int, int, int]) -> None:
        self._pdf.set_font(FACE, size=size)
        self._pdf.set_text_color(*color)

    def _rule(self, color: tuple[int, int, int]) -> None:
        self._pdf.set_draw_color(*color)
        self._pdf.set_line_width(0.2)
        self._pdf.line(MARGIN_MM, self._pdf.get_y(), MARGIN_MM + self._width, self._pdf.get_y())


def write(pdf: "FPDF", width: float, height: float, text: str, align: Literal["L", "R", "C"]) -> None:
    """Write a text that wraps within its width, and go to the line below.

    Args:
        width: 0 for all that is left of the page.
        height: of a line.
    """
    shown = typefaces.legible(pdf, text)
    lines = lines_of(pdf, width, shown) if typefaces.is_leftwards(shown) else [shown]
    left = pdf.get_x()
    for line in lines:
        pdf.set_x(left)
        pdf.multi_cell(width, height, typefaces.in_order(line), new_x="LEFT", new_y="NEXT", align=align)


def lines_of(pdf: "FPDF", width: float, text: str) -> list[str]:
    """The lines of a text that wraps within a width."""
    lines = pdf.multi_cell(width, 1, typefaces.legible(pdf, text), dry_run=True, output="LINES")
    assert isinstance(lines, list)
    return lines


def blank(*, is_across: bool = False, archived: bool = False) -> "FPDF":
    """An empty page with the typeface, upright or across.

    Args:
        archived: whether it keeps to PDF/A-3, so that it can be read for ever and have files inside.

    The library is loaded here and not at the start: it takes 20 MiB and 0.2 s that an office without printing
    never needs. It is in the program's own archive, so it can be loaded at any time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that it cannot draw images; there are none
        from fpdf import FPDF
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it lists every table that it leaves out
    pdf = FPDF(
        "landscape" if is_across else "portrait", format="A4", enforce_compliance="PDF/A-3B" if archived else None
    )
    pdf.set_margin(MARGIN_MM)
    pdf.add_font(FACE, fname=str(TYPEFACE))
    for font in pdf.fonts.values():
        for name in SHAPING.intersection(font.ttfont.keys()):  # type: ignore[union-attr]
            del font.ttfont[name]  # type: ignore[union-attr]
    pdf.add_page()
    return pdf


def _plain_heading() -> "FontFace":
    from fpdf.fonts import FontFace

    return FontFace(emphasis="NONE", color=(90, 90, 90))
