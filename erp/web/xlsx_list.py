"""Lists as Excel files: dates are dates, amounts are numbers in their currency, and no text is ever a formula."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from erp.kernel.currencies import DIGITS
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.store import workspace_settings
from erp.web.cells import dug, text_of
from erp.web.hints import peeled
from erp.web.scalars import Figure, Instant, Money
from erp.web.schema import View

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS = 50_000
"""More take longer than anyone waits, while the list is held open; CSV has any number."""

Kind = Literal["text", "number", "amount", "date", "instant"]
_MARKS: dict[Any, Kind] = {
    Money.__metadata__[0]: "amount",  # type: ignore[attr-defined]
    Figure.__metadata__[0]: "number",  # type: ignore[attr-defined]
    Instant.__metadata__[0]: "instant",  # type: ignore[attr-defined]
}
_FORMS = {"date": "yyyy-mm-dd", "instant": "yyyy-mm-dd hh:mm"}
_WIDTHS = {"text": 24, "number": 10, "amount": 15, "date": 12, "instant": 17}


def write(view: type[View], shown: Sequence[str], rows: Iterable[Mapping[str, Any]], file: IO[bytes]) -> None:
    """Write the rows of a list.

    The library is loaded here and not at the start, since few requests need it. It writes row by row.

    Args:
        shown: the headings, in order.
        rows: as plain values.

    Raises:
        BadParameter: they are too many.
    """
    from xlsxwriter import Workbook

    as_they_are = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    with tempfile.TemporaryDirectory() as folder:
        book = Workbook(file, {"constant_memory": True, "tmpdir": folder, **as_they_are})
        try:
            _Sheet(book, view, shown).write(rows)
        finally:
            book.close()  # after a refusal, too: the library has a file of its own open


def kinds(view: type, prefix: str = "") -> Iterator[tuple[str, Kind]]:
    """The headings of a list whose rows are such views, each with the kind of its cells."""
    for field in msgspec.structs.fields(view):
        inner = peeled(field.type)
        if isinstance(inner, type) and issubclass(inner, View):
            yield from kinds(inner, f"{prefix}{field.encode_name}.")
        else:
            kind = _kind(field.type)
            is_instant = kind == "text" and field.encode_name.endswith("At")
            yield prefix + field.encode_name, "instant" if is_instant else kind


def _kind(hint: Any) -> Kind:
    for mark in getattr(hint, "__metadata__", ()):
        if mark in _MARKS:
            return _MARKS[mark]
    if hint is date:
        return "date"
    if hint is int or hint is float:
        return "number"
    parts = () if get_origin(hint) in (list, dict, Literal) else get_args(hint)
    return next((kind for part in parts if (kind := _kind(part)) != "text"), "text")


class _Sheet:
    """The one sheet of a list."""

    def __init__(self, book: "Workbook", view: type[View], shown: Sequence[str]) -> None:
        by_name = dict(kinds(view))
        self._in_base = frozenset(wire_name(name) for name in view.IN_BASE)
        self._book, self._columns = book, [(name, by_name.get(name, "text")) for name in shown]
        self._sheet: Worksheet = book.add_worksheet()
        self._formats: dict[str, Format] = {}

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._sheet.freeze_panes(1, 0)
        for place, (_, kind) in enumerate(self._columns):
            self._sheet.set_column(place, place, _WIDTHS[kind])
        bold = self._book.add_format({"bold": True})
        for place, (name, _) in enumerate(self._columns):
            self._sheet.write_string(0, place, name, bold)
        for number, row in enumerate(rows, 1):
            if number > MOST_ROWS:
                raise BadParameter(
                    says("format: Has at most {most} rows. Filter the list, or choose CSV.", most=MOST_ROWS)
                )
            for place, (name, kind) in enumerate(self._columns):
                self._cell(number, place, kind, dug(row, name), row, name)

    def _cell(self, number: int, place: int, kind: Kind, value: Any, row: Mapping[str, Any], name: str) -> None:
        if value is None or value == "":
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(number, place, value)
        elif kind in ("number", "amount"):
            form = _figure(str(value), self._currency(row, name)) if kind == "amount" else ""
            self._sheet.write_number(number, place, Decimal(str(value)), self._format(form))
        elif kind in ("date", "instant"):
            day = datetime.fromisoformat(str(value)).replace(tzinfo=None)
            self._sheet.write_datetime(number, place, day, self._format(_FORMS[kind]))
        else:
            self._sheet.write_string(number, place, text_of(value)[:32_767])

    def _currency(self, row: Mapping[str, Any], name: str) -> str | None:
        """The currency of an amount: its own, the one beside it, else the row's."""
        if name in self._in_base:
            return workspace_settings.current().base_currency
        own, beside = name.removesuffix("Amount") + "Currency", f"{name.rpartition('.')[0]}.currency".removeprefix(".")
        currency = dug(row, own) or dug(row, beside) or row.get("currency")
        return currency if currency in DIGITS else None

    def _format(self, form: str) -> "Format":
        if form not in self._formats:
            self._formats[form] = self._book.add_format({"num_format": form} if form else {})
        return self._formats[form]


def _figure(text: str, currency: str | None) -> str:
    """The number format of an amount, with the decimals of its currency."""
    digits = DIGITS[currency] if currency else len(text.partition(".")[2])
    unit = f' "{currency}"' if currency else ""
    return f"#,##0{'.' if digits else ''}{'0' * digits}{unit}"
