"""The sheet of a payslip: payer and payee, one large figure, tables that go on over pages, a foot."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from erp.kernel.language import says, translated
from erp.kernel.paper import typefaces
from erp.kernel.paper.pdf import FACE, MARGIN_MM, blank, draw_logo, lines_of, write

Color = tuple[int, int, int]
INK, GRAY, ACCENT, TINT, RULE = (32, 36, 44), (105, 112, 122), (22, 82, 104), (237, 243, 246), (205, 212, 218)
WIDTH_MM, BOTTOM_MM = 210 - 2 * MARGIN_MM, 22
COLUMNS_MM = (WIDTH_MM - 64, 32, 32)
PADDING_MM, LABEL_MM = 1.5, 46
LOGO_MM = (60, 16)
"""The largest width and height of a logo."""
_BOLDER = 0.07
"""Millimetres of outline that embolden a text: the bold typeface would take seconds to load."""


class Row(msgspec.Struct, frozen=True):
    """A row of a table: a name with an explanation below it, the amount, and the year to date."""

    name: str
    amount: str
    to_date: str
    explanation: str = ""
    is_total: bool = False


class PayslipPaper:
    """A sheet of A4 that is written from the top downwards."""

    def __init__(self, title: str, foot: str, language: str, made_at: datetime) -> None:
        self._pdf = blank()
        self._pdf.set_title(title)
        self._pdf.set_creation_date(made_at)
        self._pdf.set_auto_page_break(False)
        self._page_foot, self._language = foot, language
        self._pdf.footer = self._draw_foot  # type: ignore[method-assign]

    def can_write(self, text: str) -> bool:
        """Whether this computer has typefaces with all letters of a text."""
        return typefaces.can_write(self._pdf, text)

    def head(self, office: Sequence[str], title: str, lines: Sequence[str], logo: bytes | None) -> None:
        """Write the payer on the left, below their logo, and the title on the right."""
        top = self._pdf.get_y()
        if logo is not None:
            self._pdf.set_y(top + draw_logo(self._pdf, logo, MARGIN_MM, top, LOGO_MM) + 3)
        self._party(MARGIN_MM, office, 13)
        left_end = self._pdf.get_y()
        self._pdf.set_xy(MARGIN_MM + WIDTH_MM / 2, top)
        self._text(WIDTH_MM / 2, title, 13, "R", ACCENT, is_strong=True)
        for line in lines:
            self._pdf.set_x(MARGIN_MM + WIDTH_MM / 2)
            self._text(WIDTH_MM / 2, line, 9, "R", GRAY)
        self._pdf.set_y(max(left_end, self._pdf.get_y()) + 3)
        self._rule(ACCENT, 0.5)
        self._pdf.ln(4)

    def parties(self, person: Sequence[str], facts: Sequence[tuple[str, str]]) -> None:
        """Write the payee on the left, and facts with their labels on the right."""
        top, middle = self._pdf.get_y(), MARGIN_MM + WIDTH_MM / 2
        self._party(MARGIN_MM, person, 11)
        left_end = self._pdf.get_y()
        self._pdf.set_y(top)
        for label, value in facts:
            at = self._pdf.get_y()
            self._pdf.set_x(middle)
            self._text(LABEL_MM, label, 8.5, "L", GRAY)
            label_end = self._pdf.get_y()
            self._pdf.set_xy(middle + LABEL_MM, at)
            self._text(WIDTH_MM / 2 - LABEL_MM, value, 8.5, "R", INK)
            self._pdf.set_y(max(label_end, self._pdf.get_y()))
        self._pdf.set_y(max(left_end, self._pdf.get_y()) + 5)

    def figure(self, label: str, value: str, note: str) -> None:
        """Write the one large figure, on a ground of its own."""
        top, height = self._pdf.get_y(), 22
        self._pdf.set_fill_color(*TINT)
        self._pdf.rect(MARGIN_MM, top, WIDTH_MM, height, style="F", round_corners=True, corner_radius=2)
        self._pdf.set_xy(MARGIN_MM + 5, top + 5)
        self._text(80, label, 12, "L", ACCENT, is_strong=True)
        self._pdf.set_x(MARGIN_MM + 5)
        self._text(80, note, 8.5, "L", GRAY)
        self._pdf.set_xy(MARGIN_MM + 85, top + 4.5)
        self._text(WIDTH_MM - 90, value, 26, "R", INK, is_strong=True)
        self._pdf.set_y(top + height + 6)

    def table(self, headings: tuple[str, str, str], rows: Sequence[Row]) -> None:
        """Write a table; each page repeats its heading, which is never alone on a page."""
        if rows:
            self._make_room(self._height(rows[0]) + 9)
        self._headings(headings)
        for row in rows:
            height = self._height(row)
            if self._make_room(height):
                self._headings(headings)
            self._row(row, height)
        self._pdf.ln(5)

    def apart(self, title: str, note: str, headings: tuple[str, str, str], rows: Sequence[Row]) -> None:
        """Write a table below a title and a note, apart from the others; as a whole on a page where it fits."""
        self._make_room(min(sum(map(self._height, rows)) + 26, 200))
        self._rule(RULE, 0.3)
        self._pdf.ln(3)
        self._text(WIDTH_MM, title, 10, "L", GRAY, is_strong=True)
        self._text(WIDTH_MM, note, 8, "L", GRAY)
        self._pdf.ln(2.5)
        self.table(headings, rows)

    def finish(self, password: str | None = None) -> bytes:
        """The document, with AES-256 if it opens with a password alone."""
        if password is not None:
            from fpdf.enums import EncryptionMethod  # here, as all of the library

            owner = secrets.token_urlsafe(32)
            self._pdf.set_encryption(owner, password, encryption_method=EncryptionMethod.AES_256)
        return bytes(self._pdf.output())

    def _party(self, left: float, lines: Sequence[str], size: float) -> None:
        for index, line in enumerate(lines):
            self._pdf.set_x(left)
            self._text(WIDTH_MM / 2 - 6, line, 9 if index else size, "L", GRAY if index else INK, is_strong=not index)

    def _text(
        self, width: float, text: str, size: float, align: Literal["L", "R"], color: Color, *, is_strong: bool = False
    ) -> None:
        """Write a text that wraps within its width, and go to the line below."""
        pdf = self._pdf
        pdf.set_font(FACE, size=size)
        pdf.set_text_color(*color)
        with pdf.local_context(
            text_mode="FILL_STROKE" if is_strong else "FILL", line_width=_BOLDER * size / 10, draw_color=color
        ):
            write(pdf, width, size * 0.5, text, align)

    def _headings(self, headings: Sequence[str]) -> None:
        top = self._pdf.get_y()
        left: float = MARGIN_MM
        for index, (heading, width) in enumerate(zip(headings, COLUMNS_MM, strict=True)):
            self._pdf.set_xy(left, top)
            self._text(width, heading, 8.5, "R" if index else "L", ACCENT, is_strong=True)
            left += width
        self._pdf.set_y(top + 5.2)
        self._rule(ACCENT, 0.25)

    def _height(self, row: Row) -> float:
        explained = self._lines(row.explanation, 7.5) * 3.75 if row.explanation else 0
        return self._lines(row.name, 9) * 4.5 + explained + 2 * PADDING_MM

    def _lines(self, text: str, size: float) -> int:
        self._pdf.set_font(FACE, size=size)
        return len(lines_of(self._pdf, COLUMNS_MM[0] - 4, text))

    def _row(self, row: Row, height: float) -> None:
        top = self._pdf.get_y()
        if row.is_total:
            self._rule(RULE, 0.3)
        self._pdf.set_xy(MARGIN_MM, top + PADDING_MM)
        self._text(COLUMNS_MM[0] - 4, row.name, 9, "L", INK, is_strong=row.is_total)
        if row.explanation:
            self._text(COLUMNS_MM[0] - 4, row.explanation, 7.5, "L", GRAY)
        for left, text, color in ((COLUMNS_MM[0], row.amount, INK), (sum(COLUMNS_MM[:2]), row.to_date, GRAY)):
            self._pdf.set_xy(MARGIN_MM + left, top + PADDING_MM)
            self._text(COLUMNS_MM[1], text, 9, "R", color, is_strong=row.is_total)
        self._pdf.set_y(top + height)

    def _make_room(self, height: float) -> bool:
        """Begin a page if the rest of this one is too short; return whether it did."""
        if self._pdf.get_y() + height <= self._pdf.h - BOTTOM_MM:
            return False
        self._pdf.add_page()
        return True

    def _rule(self, color: Color, width: float) -> None:
        y = self._pdf.get_y()
        self._pdf.set_draw_color(*color)
        self._pdf.set_line_width(width)
        self._pdf.line(MARGIN_MM, y, MARGIN_MM + WIDTH_MM, y)

    def _draw_foot(self) -> None:
        self._pdf.set_y(-14)
        self._rule(RULE, 0.2)
        self._pdf.set_xy(MARGIN_MM, -12)
        self._text(WIDTH_MM - 40, self._page_foot, 7.5, "L", GRAY)
        self._pdf.set_xy(MARGIN_MM + WIDTH_MM - 40, -12)
        page = says("Page {page} of {pages}", page=self._pdf.page_no(), pages="{nb}")
        self._text(40, translated(page, self._language), 7.5, "R", GRAY)
