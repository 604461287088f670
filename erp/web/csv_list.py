"""Lists and reports as tables, with all pages, for spreadsheets."""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from io import SEEK_END, TextIOWrapper
from typing import Any, get_args, get_origin

import falcon
import msgspec

from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.web.cells import dug, text_of
from erp.web.contract import Contract
from erp.web.hints import peeled
from erp.web.schema import FILE_TYPES, Page, Report, View, enc_hook

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A text that starts with one of these is a formula to a spreadsheet. Source: OWASP, CSV Injection."""

_NUMBER = r"-?[0-9]+(\.[0-9]+)?"
_NUMBERS = re.compile(_NUMBER)
_NEXT_START = re.compile(rf'(?<=[;,\t\r\n])([ "]*)(?=[=+\-@])(?!{_NUMBER}"*(?:[\]}};,\t\r\n]|$))')
"""The start of a formula in a spreadsheet program that separates cells by another character than the comma."""

_ESCAPED = re.compile(r"""(^|[;,\t\r\n][ "]*)'(?=[=+\-@\t\r])""")

SPOOL_BYTES = 1 << 20


def wanted(req: falcon.Request, query: Any) -> str:
    """The format that the request asks for, by `format=xlsx` or by its Accept header; else `json`.

    Raises:
        BadParameter: it names `columns`, which JSON does not have.
    """
    named: str = getattr(query, "format", "json")
    first = req.accept.split(";")[0].strip()
    format = named if named != "json" else _BY_TYPE.get(first, "json")
    if format == "json" and _chosen(query) is not None:
        raise BadParameter(says("columns: Only a file has columns. Choose the format csv or xlsx."))
    return format


_BY_TYPE = {media.split(";")[0]: name for name, media in FILE_TYPES.items()}


def write(
    contract: Contract, first: Any, query: Any, resp: falcon.Response, ask: Callable[[Any], Any], to: str
) -> None:
    """Answer with a list or report as a table, in the read scope of its first page.

    Args:
        first: the first page, or the complete list or report.
        ask: answers a query with its page.
        to: `csv` or `xlsx`.

    Raises:
        BadParameter: `columns` names one that there is not, or an Excel file would have too many rows.
    """
    row = contract.grouped if isinstance(first, list) and contract.grouped else contract.row
    assert row is not None
    shown = _shown(row, query)
    rows = (msgspec.to_builtins(item, enc_hook=enc_hook) for item in _items(first, query, ask))
    with ExitStack() as refused:
        spool = refused.enter_context(tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES))
        if to == "xlsx":
            from erp.web import xlsx_list

            xlsx_list.write(row, shown, rows, spool)
        else:
            _write(shown, rows, spool)
        refused.pop_all()  # Falcon closes it once it is sent
    size = spool.seek(0, SEEK_END)
    spool.seek(0)
    resp.content_type = FILE_TYPES[to]
    resp.set_header("Content-Disposition", f'attachment; filename="list.{to}"')
    resp.set_stream(spool, size)


def _write(shown: Sequence[str], rows: Iterable[Any], spool: Any) -> None:
    """Write a table as CSV. The mark at its start tells spreadsheet programs that it is UTF-8."""
    text = TextIOWrapper(spool, "utf-8", newline="", write_through=True)
    text.write("\ufeff" + ",".join(shown) + "\r\n")
    for row in rows:
        text.write(",".join(quoted(dug(row, column)) for column in shown) + "\r\n")
    text.detach()


def _shown(row: type, query: Any) -> list[str]:
    """The headings of a table: all, or the ones that a query names, in its order."""
    every = [name for name in columns(row) if name != "lines" or getattr(query, "include", True)]
    chosen = _chosen(query)
    if chosen is None:
        return every
    names = list(dict.fromkeys(chosen.split(",")))
    found = {name: [one for one in every if one == name or one.startswith(f"{name}.")] for name in names}
    found |= {name: [name] for name in within_lists(row) if name in found}
    for name in names:
        if not found[name]:
            raise BadParameter(says("columns: There is no column {name}.", name=name))
    return [one for name in names for one in found[name]]


def _chosen(query: Any) -> str | None:
    """The columns that a query names; `columns` of a report are others."""
    return query.columns if getattr(query, "HAS_COLUMNS", False) else None


def _items(answer: Any, query: Any, ask: Callable[[Any], Any]) -> Iterator[Any]:
    report = answer if isinstance(answer, Report) else None
    yield from report.opening_rows() if report else ()
    yield from _rows(answer)
    while (cursor := getattr(answer, "next_cursor", None)) is not None:
        answer = ask(msgspec.structs.replace(query, cursor=cursor))
        yield from _rows(answer)
    yield from report.closing_rows() if report else ()


def _rows(answer: Any) -> Sequence[Any]:
    rows: Any = answer.table() if isinstance(answer, Report) else answer
    if isinstance(answer, Page):
        rows = answer.items
    plain: Sequence[Any] = msgspec.json.decode(rows) if isinstance(rows, msgspec.Raw) else rows
    return plain


def columns(view: type, prefix: str = "") -> Iterator[str]:
    """The headings of a list whose rows are such views, as `address.city` for a part of one."""
    for field in msgspec.structs.fields(view):
        inner = peeled(field.type)
        if isinstance(inner, type) and issubclass(inner, View):
            yield from columns(inner, f"{prefix}{field.encode_name}.")
        else:
            yield prefix + field.encode_name


def within_lists(view: type) -> Iterator[str]:
    """The parts of a row's lists, such as `items.number`; a file has them where a query names them."""
    for field in msgspec.structs.fields(view):
        inner = peeled(field.type)
        (part,) = get_args(inner) if get_origin(inner) is list else (None,)
        if isinstance(part, type) and issubclass(part, View):
            yield from columns(part, f"{field.encode_name}.")


def quoted(value: Any) -> str:
    """A value as it is written: text always in quotes; numbers and empty cells without."""
    text = cell(value)
    return text if text == "" or _is_number(text) else '"' + text.replace('"', '""') + '"'


def cell(value: Any) -> str:
    """A cell's text; where a spreadsheet would run it as a formula, an apostrophe is put before it.

    That is at its start and after every possible separator of cells. A number gets none.
    """
    text = text_of(value)
    if _is_number(text):
        return text
    text = _NEXT_START.sub(r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def plain(text: str) -> str:
    """A cell's text without the apostrophes that `cell` adds."""
    return _ESCAPED.sub(r"\1", text)


def _is_number(text: str) -> bool:
    return _NUMBERS.fullmatch(text) is not None
