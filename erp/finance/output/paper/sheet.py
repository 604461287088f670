"""The sheet of documents: letterhead, recipient, a table that goes on over pages, totals, the account to pay to."""

from collections.abc import Sequence
from datetime import datetime

from erp.finance.output.design.designs import USUAL, Design
from erp.finance.output.paper.content import Content, LineText, Sum
from erp.finance.output.paper.pages import GRAY, INK, RULE, WHITE, WIDTH, Color, Columns, Pages
from erp.finance.output.paper.time_sheet import TimeBlock, hours_text
from erp.kernel.language import Word
from erp.kernel.paper import typefaces
from erp.kernel.paper.pdf import FACE, MARGIN_MM, draw_logo, lines_of

BOTTOM = 30
WINDOW_TOP, FACTS_LEFT = 48, 122
COLUMNS: Columns = ((8, "L"), (77, "L"), (26, "R"), (23, "R"), (15, "R"), (25, "R"))
"""Widths in millimetres: position, description, quantity, price, tax, amount."""
HEADINGS, CARRIED, ROW_BEGINS = 7, 6, 20
"""Millimetres of the headings of the table, of a sum that is carried over, and at least of the beginning of a row."""
LESS_THAN_PAGE = BOTTOM + HEADINGS + 2 * CARRIED
"""Millimetres of a page, apart from its top, that no row can take."""
MOST_NOTE_LINES = 25
TIME_COLUMNS = ((24, "L"), (32, "L"), (46, "L"), (54, "L"), (18, "R"))
"""Widths in millimetres of a time sheet: date, person, task, note, hours."""
LOGO_MM = (70, 20)
"""The largest width and height of a logo."""


class Sheet(Pages):
    """A document on A4, written from the top downwards."""

    columns: Columns = COLUMNS

    def __init__(self, content: Content, made_at: datetime, logo: bytes | None = None, design: Design = USUAL) -> None:
        super().__init__(content, made_at, design)
        self._logo = logo
        self._carried = 0
        self._is_in_table = False

    def write(self) -> None:
        """Write all of the document."""
        self._head()
        self._window()
        self._facts()
        self._title()
        self._intro()
        self._table()
        self._sums()
        self._remarks()
        self._payment()
        self._time_sheet()

    def _head(self) -> None:
        """The logo, or the name of the office in large letters, and its contact details."""
        top = self._design.top_mm - 6
        self.pdf.set_y(top)
        if not self._design.has_office_head:
            return
        if self._logo is not None:
            draw_logo(self.pdf, self._logo, MARGIN_MM, top - 2, LOGO_MM)
        else:
            self.pdf.set_xy(MARGIN_MM, top)
            self._text(WIDTH * 0.6, self.content.office[0], 15, color=self._look.accent, strong=True)
        self.pdf.set_y(top)
        for i, line in enumerate(self.content.office):
            if i or self._logo is not None:
                self.pdf.set_x(MARGIN_MM + WIDTH * 0.6)
                self._text(WIDTH * 0.4, line, 8.5, "R", GRAY)

    def _window(self) -> None:
        """The recipient, in the window of an envelope (DIN 5008, form B)."""
        self._window_top = max(WINDOW_TOP, self._design.top_mm, self.pdf.get_y() + 3)
        self.pdf.set_xy(MARGIN_MM, self._window_top)
        self._text(92, self.content.sender, 6.5, color=GRAY)
        self.pdf.ln(2)
        for i, line in enumerate([*self._legible(self.content.names), *self.content.recipient]):
            self.pdf.set_x(MARGIN_MM)
            self._text(92, line, 10, strong=not i)
        self._window_end = self.pdf.get_y()

    def _legible(self, names: Sequence[str]) -> Sequence[str]:
        """The names that this computer has fonts for; all of them if it has none."""
        return [name for name in names if typefaces.can_write(self.pdf, name)] or names

    def _facts(self) -> None:
        self.pdf.set_y(max(WINDOW_TOP, self._design.top_mm))
        for label, value in self.content.facts:
            self._pair(FACTS_LEFT, 32, 210 - MARGIN_MM - FACTS_LEFT - 32, label, value, "R")

    def _title(self) -> None:
        self.pdf.set_xy(MARGIN_MM, max(self.pdf.get_y(), self._window_end, 88) + 6)
        self._text(WIDTH, self.content.title, self._title_size, color=self._look.accent, strong=True)
        self.pdf.ln(3)

    @property
    def _title_size(self) -> float:
        return 19 if self._look.has_band else 15

    def _intro(self) -> None:
        if self.content.intro:
            self._paragraph(self.content.intro)
            self.pdf.ln(4)

    def _table(self) -> None:
        self._make_room(HEADINGS + max(map(self._kept, self.content.lines[:1]), default=0) + CARRIED)
        self._headings()
        self._is_in_table = True
        for row in self.content.lines:
            self._make_room(self._kept(row))
            self._row(row)
            self._carried += row.net
        self._is_in_table = False
        self._rule(self._look.accent, 0.25)
        self.pdf.ln(2)

    def _headings(self) -> None:
        say = self._words.say
        names = (Word("Description"), Word("Quantity"), Word("Price"), Word("VAT"), Word("Amount"))
        top = self.pdf.get_y()
        texts = ["#", *map(say, names)]
        texts[-1] = f"{texts[-1]} ({self._words.currency})"
        self._head_of_table(top, texts, self.columns)

    def _row(self, row: LineText) -> None:
        """Write a row; the description of one that is longer than a page goes on over the next ones."""
        top, page = self.pdf.get_y() + 1, self.pdf.page_no()
        (first, *_), *others = self._described(row)
        end = self._columns(top, [row.position, first, row.quantity, row.price, row.tax, row.amount], 9, INK)
        self.pdf.set_y(top + 4.5)
        for text, size, color in others:
            self._make_room(size * 0.5)
            self.pdf.set_x(MARGIN_MM + self.columns[0][0])
            self._text(self.columns[1][0], text or " ", size, color=color)
        bottom = self.pdf.get_y()
        self.pdf.set_y((max(end, bottom) if self.pdf.page_no() == page else bottom) + 1)
        self._rule(RULE, 0.1)

    def _described(self, row: LineText) -> list[tuple[str, float, Color]]:
        """The lines of a row's description and of the notes below it, each with its size and color."""
        return [
            (line, size, color)
            for text, size, color in [(row.name, 9, INK), *((note, 7.5, GRAY) for note in row.notes)]
            for line in self._wrapped(text, size)
        ]

    def _wrapped(self, text: str, size: float) -> list[str]:
        self.pdf.set_font(FACE, size=size)
        return lines_of(self.pdf, self.columns[1][0] - 1.5, text)

    def _kept(self, row: LineText) -> float:
        """The room that a row needs, which stays on one page; the beginning of one that is longer than a page."""
        height = max(sum(size * 0.5 for _, size, _ in self._described(row)), 9) + 2
        return height if height <= 297 - LESS_THAN_PAGE - self._design.top_mm else ROW_BEGINS

    def _sums(self) -> None:
        """The totals, kept together on a page."""
        self._make_room(min(7 * len(self.content.sums), 180))
        for row in self.content.sums:
            self._sum(row)
        self.pdf.ln(4)

    def _sum(self, row: Sum) -> None:
        left, top = MARGIN_MM + 70, self.pdf.get_y()
        size = 11 if row.is_total else 9
        color: Color = INK
        if row.is_total:
            color = self._total(left, top)
            top += 1.2
        self.pdf.set_xy(left, top)
        self._text(WIDTH - 70 - 40, row.label, size, color=color, strong=row.is_total)
        end = self.pdf.get_y()
        self.pdf.set_xy(MARGIN_MM + WIDTH - 40, top)
        self._text(40, row.amount, size, "R", color, strong=row.is_total)
        self.pdf.set_y(max(end, self.pdf.get_y()) + (2 if row.is_total else 0.4))

    def _total(self, left: float, top: float) -> Color:
        """The ground of a total, or a line above it; the colour of the text on it."""
        fill = self._look.accent if self._look.has_band else self._look.tint
        if fill is None:
            self.pdf.set_draw_color(*INK)
            self.pdf.set_line_width(0.25)
            self.pdf.line(left, top, MARGIN_MM + WIDTH, top)
            return INK
        self.pdf.set_fill_color(*fill)
        self.pdf.rect(left - 2, top, WIDTH - 70 + 2, 8, style="F")
        return WHITE if self._look.has_band else INK

    def _remarks(self) -> None:
        for text in [*self.content.remarks, *([self.content.closing] if self.content.closing else [])]:
            self._make_room(10)
            self.pdf.set_x(MARGIN_MM)
            self._paragraph(text)
            self.pdf.ln(1.5)

    def _paragraph(self, text: str) -> None:
        """A text that may be longer than the rest of the page."""
        for line in text.split("\n"):
            self._make_room(5)
            self.pdf.set_x(MARGIN_MM)
            self._text(WIDTH, line or " ", 9)

    def _payment(self) -> None:
        """The bank account, with the code for a bank's app."""
        if not self.content.payment:
            return
        self._make_room(34)
        top = self.pdf.get_y() + 2
        height = 33.0 if self.content.qr else 6 + 5.2 * len(self.content.payment)
        if self._look.tint is not None:
            self.pdf.set_fill_color(*self._look.tint)
            self.pdf.rect(MARGIN_MM, top, WIDTH, height, style="F", round_corners=True, corner_radius=2)
        else:
            self.pdf.set_draw_color(*RULE)
            self.pdf.set_line_width(0.2)
            self.pdf.rect(MARGIN_MM, top, WIDTH, height)
        self.pdf.set_y(top + 3.5)
        for label, value in self.content.payment:
            self._pair(MARGIN_MM + 5, 40, 80, label, value, "L")
        if self.content.qr:
            self._qr(self.content.qr, MARGIN_MM + WIDTH - 32, top + 1.5, 30)
        self.pdf.set_y(top + height)

    def _time_sheet(self) -> None:
        """The time that the document bills, on pages of its own."""
        if not self.content.time_sheet:
            return
        self._next_page()
        self.pdf.set_x(MARGIN_MM)
        title = f"{self._words.say(Word('Time sheet', 'document'))} · {self.content.title}"
        self._text(WIDTH, title, 13, color=self._look.accent, strong=True)
        self.pdf.ln(3)
        self._time_headings()
        for block in self.content.time_sheet:
            self._time_block(block)

    def _time_headings(self) -> None:
        names = (Word("Date"), Word("Person", "time"), Word("Task"), Word("Note", "internal"), Word("Hours"))
        self._head_of_table(self.pdf.get_y(), [self._words.say(name) for name in names], TIME_COLUMNS)

    def _time_block(self, block: TimeBlock) -> None:
        for index, row in enumerate(block.rows, 1):
            texts = [row.date, row.person, row.task, self._shortened(row.note or ""), self._hours(row.hours)]
            self._time_room(self._height(texts) + (10 if index == len(block.rows) else 2))
            end = self._columns(self.pdf.get_y() + 1, texts, 8, INK, columns=TIME_COLUMNS)
            self.pdf.set_y(end + 1)
            self._rule(RULE, 0.1)
        label = f"{self._words.say(Word('Sum of line', 'time'))} {block.position}: {block.title}"
        self._time_room(8)
        top = self.pdf.get_y() + 1
        self.pdf.set_xy(MARGIN_MM, top)
        self._text(WIDTH - 22, label, 8.5, strong=True)
        end = self.pdf.get_y()
        self.pdf.set_xy(MARGIN_MM + WIDTH - 20, top)
        self._text(20, self._hours(block.quantity), 8.5, "R", strong=True)
        self.pdf.set_y(end + 3)

    def _shortened(self, note: str) -> str:
        """A note that fits on a page, whatever was written."""
        self.pdf.set_font(FACE, size=8)
        lines = lines_of(self.pdf, TIME_COLUMNS[3][0] - 1.5, note) if note else []
        return note if len(lines) <= MOST_NOTE_LINES else "\n".join([*lines[:MOST_NOTE_LINES], "…"])

    def _hours(self, hours: int) -> str:
        return self._words.number(hours_text(hours))

    def _height(self, texts: Sequence[str]) -> float:
        """The height of a row of the time sheet."""
        self.pdf.set_font(FACE, size=8)
        widths = (width - 1.5 if align == "L" else width for width, align in TIME_COLUMNS)
        return 4 * max(len(lines_of(self.pdf, width, text or " ")) for width, text in zip(widths, texts, strict=True))

    def _time_room(self, height: float) -> None:
        if self.pdf.get_y() + height > self.pdf.h - BOTTOM:
            self._next_page()
            self._time_headings()

    def _make_room(self, height: float) -> None:
        """Begin a page if the rest of this one is too short; inside the table with the sum carried over."""
        reserved = CARRIED if self._is_in_table else 0
        if self.pdf.get_y() + height + reserved <= self.pdf.h - BOTTOM:
            return
        is_carried = self._is_in_table and self._carried != 0
        if is_carried:
            self._carry(Word("Carried forward"))
        self._next_page()
        if self._is_in_table:
            self._headings()
            if is_carried:
                self._carry(Word("Brought forward"))

    def _carry(self, word: Word) -> None:
        top = self.pdf.get_y() + 1
        self._columns(top, ["", self._words.say(word), "", "", "", self._words.amount(self._carried)], 9, GRAY)
        self.pdf.set_y(top + 5.5)
