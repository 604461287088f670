"""The pages of a document: their colours, mark and foot, and how texts, lines and tables stand on them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from erp.finance.output.design.designs import Design
from erp.finance.output.paper.content import Content
from erp.kernel import qr
from erp.kernel.language import Word
from erp.kernel.paper.pdf import FACE, MARGIN_MM, blank, write

Color = tuple[int, int, int]
INK, GRAY, RULE, WHITE = (32, 36, 44), (105, 112, 122), (205, 212, 218), (255, 255, 255)
MARK = (226, 232, 236)
WIDTH = 210 - 2 * MARGIN_MM
BAND_MM = 5
Align = Literal["L", "R", "C"]
Columns = Sequence[tuple[float, str]]
"""The widths of columns in millimetres, with their alignment."""
_BOLDER = 0.07
"""Millimetres of outline that embolden a text: the bold typeface would take seconds to load."""


class Look(NamedTuple):
    """The colours of a layout: of titles and lines, of fills if there are any; whether headings are a band.

    `has_edge`: the top of each page is a band too; a letterhead has a top of its own.
    """

    accent: Color
    tint: Color | None
    has_band: bool = False
    has_edge: bool = False

    @classmethod
    def of(cls, design: Design) -> "Look":
        if design.layout == "plain":
            return cls(INK, None)
        accent = tuple(int(design.accent_color[start : start + 2], 16) for start in (1, 3, 5))
        tint = tuple(round(255 - (255 - part) * 0.075) for part in accent)
        return cls(accent, tint, design.layout == "modern", design.letterhead is None)  # type: ignore[arg-type]  # of three parts


class Pages:
    """The pages of a document on A4."""

    columns: Columns

    def __init__(self, content: Content, made_at: datetime, design: Design) -> None:
        self.content, self._words = content, content.wording
        self._design, self._look = design, Look.of(design)
        self.pdf = blank(archived=True)
        self.pdf.set_title(content.title)
        self.pdf.set_creation_date(made_at)
        self.pdf.set_auto_page_break(False)
        self.pdf.footer = self._foot  # type: ignore[method-assign]
        self._begin_page()

    def _next_page(self) -> None:
        self.pdf.add_page()
        self._begin_page()
        self.pdf.set_y(self._design.top_mm)

    def _begin_page(self) -> None:
        self._mark()
        if self._look.has_band and self._look.has_edge:
            self.pdf.set_fill_color(*self._look.accent)
            self.pdf.rect(0, 0, 210, BAND_MM, style="F")

    def _mark(self) -> None:
        """A mark across the page, below everything else."""
        if self.content.mark is None:
            return
        self.pdf.set_font(FACE, size=90)
        self.pdf.set_text_color(*MARK)
        width = self.pdf.get_string_width(self.content.mark)
        with self.pdf.rotation(45, 105, 160):
            self.pdf.text(105 - width / 2, 170, self.content.mark)

    def _foot(self) -> None:
        if self._design.has_office_head:
            self._particulars()
        self.pdf.set_xy(MARGIN_MM, -10)
        self._text(WIDTH / 2, self.content.title, 7, color=GRAY)
        page = f"{self._words.say(Word('Page'))} {self.pdf.page_no()} {self._words.say(Word('of'))} {{nb}}"
        self.pdf.set_xy(MARGIN_MM + WIDTH / 2, -10)
        self._text(WIDTH / 2, page, 7, "R", GRAY)

    def _particulars(self) -> None:
        self.pdf.set_y(-24)
        self._rule(RULE, 0.2)
        self.pdf.ln(1.5)
        for line in filter(None, self.content.foot):
            self.pdf.set_x(MARGIN_MM)
            self._text(WIDTH, line, 6.8, "C", GRAY)

    def _columns(
        self,
        top: float,
        texts: Sequence[str],
        size: float,
        color: Color,
        *,
        strong: bool = False,
        columns: Columns | None = None,
    ) -> float:
        """Texts in the columns of a table; return the bottom of the highest."""
        left, end = float(MARGIN_MM), top
        for (width, align), text in zip(columns or self.columns, texts, strict=True):
            self.pdf.set_xy(left, top)
            self._text(width - 1.5 if align == "L" else width, text, size, align, color, strong=strong)  # type: ignore[arg-type]  # of two letters
            end = max(end, self.pdf.get_y())
            left += width
        return end

    def _head_of_table(self, top: float, texts: Sequence[str], columns: Columns) -> None:
        """The headings of a table: above a line, or white on a band."""
        if self._look.has_band:
            self.pdf.set_fill_color(*self._look.accent)
            self.pdf.rect(MARGIN_MM - 2, top - 1, WIDTH + 4, 6.4, style="F")
        color = WHITE if self._look.has_band else self._look.accent
        self._columns(top, texts, 8, color, strong=True, columns=columns)
        self.pdf.set_y(top + 5.4)
        self._rule(self._look.accent, 0.25)
        self.pdf.ln(1)

    def _pair(self, left: float, label_width: float, value_width: float, label: str, value: str, align: Align) -> None:
        """A label, and its value beside it; both may wrap."""
        top = self.pdf.get_y()
        self.pdf.set_xy(left, top)
        self._text(label_width, label, 8.5, color=GRAY)
        end = self.pdf.get_y()
        self.pdf.set_xy(left + label_width, top)
        self._text(value_width, value, 8.5, align)
        self.pdf.set_y(max(end, self.pdf.get_y()) + 0.6)

    def _qr(self, text: str, left: float, top: float, side: float) -> None:
        """The code as squares, with its quiet zone, on white."""
        rows = qr.transfer(text)
        step = side / len(rows)
        self.pdf.set_fill_color(255, 255, 255)
        self.pdf.rect(left, top, side, side, style="F")
        self.pdf.set_fill_color(0, 0, 0)
        for y, row in enumerate(rows):
            for x, is_dark in enumerate(row):
                if is_dark:
                    self.pdf.rect(left + x * step, top + y * step, step + 0.01, step + 0.01, style="F")

    def _rule(self, color: Color, width: float) -> None:
        y = self.pdf.get_y()
        self.pdf.set_draw_color(*color)
        self.pdf.set_line_width(width)
        self.pdf.line(MARGIN_MM, y, MARGIN_MM + WIDTH, y)

    def _text(
        self, width: float, text: str, size: float, align: Align = "L", color: Color = INK, *, strong: bool = False
    ) -> None:
        """Write a text that wraps within its width, and go to the line below."""
        pdf = self.pdf
        pdf.set_font(FACE, size=size)
        pdf.set_text_color(*color)
        mode = "FILL_STROKE" if strong else "FILL"
        with pdf.local_context(text_mode=mode, line_width=_BOLDER * size / 10, draw_color=color):
            write(pdf, width, size * 0.5, text, align)
