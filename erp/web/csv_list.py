"""Lists and reports as CSV, with all pages, for spreadsheets."""

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from io import TextIOWrapper
from typing import Any

import falcon
import msgspec

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


def is_wanted(req: falcon.Request, query: Any) -> bool:
    """Whether the request asks for CSV, by `format=csv` or by its Accept header."""
    return wanted(req, query) == "csv"


def wanted(req: falcon.Request, query: Any) -> str:
    """The format that the request asks for, by `format=xlsx` or by its Accept header; else `json`."""
    named: str = getattr(query, "format", "json")
    first = req.accept.split(";")[0].strip()
    return named if named != "json" else _BY_TYPE.get(first, "json")


_BY_TYPE = {media.split(";")[0]: name for name, media in FILE_TYPES.items()}


def write(contract: Contract, first: Any, query: Any, resp: falcon.Response, ask: Callable[[Any], Any]) -> None:
    """Answer with a list or report as CSV, in the read scope of its first page.

    Args:
        first: the first page, or the complete list or report.
        ask: answers a query with its page.
    """
    row = contract.grouped if isinstance(first, list) and contract.grouped else contract.row
    assert row is not None
    shown = [name for name in columns(row) if name != "lines" or getattr(query, "include", True)]
    spool = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - Falcon closes it once it is sent
    text = TextIOWrapper(spool, "utf-8", newline="", write_through=True)
    text.write(",".join(shown) + "\r\n")
    for item in _items(first, query, ask):
        plain = msgspec.to_builtins(item, enc_hook=enc_hook)
        text.write(",".join(quoted(_dig(plain, column.split("."))) for column in shown) + "\r\n")
    text.detach()
    size = spool.tell()
    spool.seek(0)
    resp.content_type = "text/csv; charset=utf-8"
    resp.set_header("Content-Disposition", 'attachment; filename="list.csv"')
    resp.set_stream(spool, size)


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


def _dig(value: Any, names: list[str]) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def quoted(value: Any) -> str:
    """A value as it is written: text always in quotes; numbers and empty cells without."""
    text = cell(value)
    return text if text == "" or _is_number(text) else '"' + text.replace('"', '""') + '"'


def cell(value: Any) -> str:
    """A cell's text; where a spreadsheet would run it as a formula, an apostrophe is put before it.

    That is at its start and after every possible separator of cells. A number gets none.
    """
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        value = json.dumps(value, ensure_ascii=False)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if _is_number(text):
        return text
    text = _NEXT_START.sub(r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def plain(text: str) -> str:
    """A cell's text without the apostrophes that `cell` adds."""
    return _ESCAPED.sub(r"\1", text)


def _is_number(text: str) -> bool:
    return _NUMBERS.fullmatch(text) is not None
