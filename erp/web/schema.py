"""Bodies, queries and views: one class is the type, the validator, the codec and the documented schema.

msgspec stops at the first error. When it fails, `complaints` checks the fields one by one, so that a caller learns
about every wrong field at once.
"""

import re
import threading
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import IO, Annotated, Any, ClassVar, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Word, says
from erp.kernel.wire import wire_name
from erp.web.scalars import Scalar, Unfit

T = TypeVar("T")
V = TypeVar("V", bound="View")
S = TypeVar("S", bound="View")
Q = TypeVar("Q", bound="Query")

SEVERAL = {"values": "several"}
"""The extra mark of a text parameter that takes several values, separated by commas."""


def one_or_several(values: Iterable[str]) -> msgspec.Meta:
    """The mark of a text parameter that takes one or several of these values."""
    return msgspec.Meta(
        description=f"One or several, repeated or separated by commas, of {', '.join(values)}.", extra=SEVERAL
    )


Unset = UnsetType
"""The type of a PATCH field that was not sent: `name: Name | Unset = UNSET`."""


class Body(msgspec.Struct, kw_only=True, rename=wire_name, forbid_unknown_fields=True):
    """What a request sends; `SMALLER` refuses one that is too large and says what to send instead.

    `FILES` has the field of a file that may be the body itself, by media type; see `transport.uploads`. With `UPLOAD`
    the body may be any file up to 25 MiB, which goes to the disk and stands in the field `file`.
    """

    SMALLER: ClassVar[str | None] = None
    FILES: ClassVar[Mapping[str, str]] = {}
    UPLOAD: ClassVar[bool] = False

    def changes(self) -> dict[str, Any]:
        """The fields that were sent, by their Python names."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not UNSET}


class Texts(Body):
    """A part of a record that is stored as JSON and holds texts alone."""

    def kept(self) -> dict[str, str]:
        """The texts that there are, as stored."""
        return {name: str(text) for name in self.__struct_fields__ if (text := getattr(self, name))}


class View(msgspec.Struct, kw_only=True, rename=wire_name):
    """What an answer shows."""


def show(view: type[V], row: object, **derived: object) -> V:
    """A row as a view: each field is the derived value of its name, else the row's own."""
    names, values = _own(view, tuple(derived))
    derived.update(zip(names, values(row), strict=True))
    return view(**derived)


@cache
def _own(view: type[View], derived: tuple[str, ...]) -> tuple[Sequence[str], Callable[[object], Sequence[Any]]]:
    """The fields of a view that are a row's own, and what reads them; measured: half the time of asking for each."""
    names = tuple(name for name in view.__struct_fields__ if name not in derived)
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda row: [getattr(row, name) for name in names]


class DetailView(View):
    """What is wrong with a field, as the details of a refusal say it."""

    field: str
    code: str
    message: str

    @classmethod
    def of_all(cls, complaints: Sequence[Complaint]) -> "list[DetailView]":
        """Complaints where they are part of an answer."""
        return [show(cls, complaint) for complaint in complaints]


class RecordView(View):
    """What every record shows."""

    id: str
    version: int
    created_at: str
    updated_at: str


class Query(msgspec.Struct, kw_only=True, rename=wire_name, forbid_unknown_fields=True):
    """The parameters of a request's query string."""


class TableQuery(Query):
    """What every list and report takes that is complete, without pages."""

    format: Annotated[Literal["json", "csv"], msgspec.Meta(description="`csv` answers a table.")] = "json"


class ListQuery(Query):
    """The parameters that every list with pages takes."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="The number of records per page.")] = 50
    cursor: Annotated[str, msgspec.Meta(max_length=1000, description="The previous page's `nextCursor`.")] | None = None
    total: Annotated[
        bool,
        msgspec.Meta(
            description="Also count all records, as `page.total`, and where the list has `page.sums`, add them up."
        ),
    ] = False
    format: Annotated[Literal["json", "csv"], msgspec.Meta(description="`csv` answers all pages at once.")] = "json"


FILE_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
}
"""The media types of files that a query asks for by `format`."""


class Printed(View):
    """An answer that is an object in JSON, and a file in the other formats that its query has."""

    def file(self, format: str, query: Any) -> "File | None":
        """The answer in a format of `FILE_TYPES`; None where it is written in another way."""
        raise NotImplementedError


class Report(Printed):
    """An answer that is an object in JSON and a table in CSV.

    A report with pages has `next_cursor`, as `Page` has.
    """

    ROW: ClassVar[type[View]]

    def table(self) -> Sequence[View]:
        """The rows, each a `ROW`; of a report with pages, those of this page."""
        raise NotImplementedError

    def opening_rows(self) -> Sequence[View]:
        """The rows before those of the first page."""
        return ()

    def closing_rows(self) -> Sequence[View]:
        """The rows after those of the last page."""
        return ()

    def file(self, format: str, query: Any) -> "File | None":
        """None: its table is written row by row."""
        return None


class File(msgspec.Struct):
    """An answer that is not JSON, sent as it is; the endpoint declares its media type as `produces`.

    If the endpoint declares several, `media_type` names any but the first. Content that is a path or an open file is
    sent piece by piece, however large it is.
    """

    content: bytes | Path | IO[bytes]
    name: str
    media_type: str | None = None
    headers: dict[str, str] = {}


class Page(msgspec.Struct, Generic[V]):
    """One page of a list."""

    items: list[V]
    limit: int
    next_cursor: str | None = None
    total: int | None = None


class SummedPage(Page[V], Generic[V, S]):
    """A page with the sums of all that match, in groups, if the query says `total`."""

    sums: Sequence[S] | None = None

    @classmethod
    def of(cls, page: Page[V], sums: Sequence[S] | None) -> "SummedPage[V, S]":
        """The page with its sums."""
        return cls(page.items, page.limit, page.next_cursor, page.total, sums)


_known: set[Any] = set()
_reading = threading.Lock()


def known(kind: type[T]) -> type[T]:
    """The type, after msgspec has read what it says of its fields.

    In one thread at a time: asked first by two at once, msgspec crashes on a type half read. Not at the start of the
    server either, which it would make a tenth longer. So every type that is decoded goes through here.
    """
    if kind not in _known:
        with _reading:
            msgspec.json.Decoder(kind, dec_hook=dec_hook)
        _known.add(kind)
    return kind


def dec_hook(kind: Any, value: object) -> object:
    """Read one of our own scalars: every type that msgspec does not know is one."""
    return kind.read(value)


def enc_hook(value: object) -> object:
    """Write one of our own scalars or kinds of text: views may show what bodies and queries sent."""
    if isinstance(value, (Scalar, str)):
        return str(value)
    raise NotImplementedError(f"no writer for {type(value)}")


def decode(value: object, kind: type[T], *, strict: bool = True) -> T:
    """Turn plain values into a body or a query.

    Args:
        strict: whether text that looks like a number is refused as a number; query strings are all text.

    Raises:
        Invalid: with a complaint about every wrong field.
    """
    try:
        return msgspec.convert(value, known(kind), strict=strict, dec_hook=dec_hook)
    except (msgspec.ValidationError, Invalid):
        raise Invalid(complaints(value, kind, strict=strict)) from None


def decode_query(sent: Mapping[str, str | list[str]], kind: type[Q]) -> Q:
    """Turn the parameters of a query string into a query. The word null is text like any other.

    Raises:
        Invalid: with a complaint about every wrong parameter.
    """
    plain = {name: _given_once(name, value, kind) for name, value in sent.items()}
    query = decode(plain, kind, strict=False)
    nulls = [name for name, value in plain.items() if isinstance(value, str) and value.lower() == "null"]
    if nulls:  # which the decoder takes for a value that is absent
        if wrong := complaints(plain, kind, strict=False):
            raise Invalid(wrong)
        fields = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
        query = msgspec.structs.replace(query, **{fields[name]: plain[name] for name in nulls})
    return query


def _given_once(name: str, value: str | list[str], kind: type[Query]) -> str | list[str]:
    if isinstance(value, str):
        return value
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}
    hint = fields.get(name)
    if hint is None or get_origin(peeled(hint)) is list:
        return value
    if is_several(hint):
        return ",".join(value)
    raise Invalid.one(name, "repeated", "It is given more than once. Give it once.")


def is_several(hint: Any) -> bool:
    """Whether a parameter takes several values: repeated, or separated by commas in one text."""
    parts = get_args(hint)
    return any((isinstance(part, msgspec.Meta) and part.extra == SEVERAL) or is_several(part) for part in parts)


def complaints(value: object, kind: type, path: str = "", *, strict: bool = True) -> list[Complaint]:
    """Everything that is wrong with a body or a query, field by field, nested fields included."""
    if not isinstance(value, dict):
        return [Complaint(path or "body", "wrong_type", "Must be an object.")]
    prefix = f"{path}." if path else ""
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    unknown = [name for name in value if name not in fields]
    message = "There is no such field." if strict else "There is no such parameter."
    items = [Complaint(f"{prefix}{name}"[:200], "unknown_field", message) for name in unknown]
    for name, field in fields.items():
        if name in value:
            hint = hints[field.name] if strict else without_none(hints[field.name])
            items += _of_field(value[name], hint, prefix + name, strict)
        elif field.required:
            items.append(Complaint(prefix + name, *REQUIRED))
    return items


def _of_field(value: object, hint: Any, path: str, strict: bool) -> list[Complaint]:
    inner = peeled(hint)
    if value is not None and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        return complaints(value, inner, path, strict=strict)
    try:
        msgspec.convert(value, hint, strict=strict, dec_hook=dec_hook)
    except msgspec.ValidationError as error:
        return _of_items(value, inner, path, strict) or [_complaint(error, hint, path)]
    return []


def _of_items(value: object, inner: Any, path: str, strict: bool) -> list[Complaint]:
    if not isinstance(value, list) or get_origin(inner) is not list:
        return []
    (hint,) = get_args(inner)
    by_item = [_of_field(item, hint, f"{path}[{place}]", strict) for place, item in enumerate(value)]
    return [complaint for of_item in by_item for complaint in of_item]


def without_none(hint: Any) -> Any:
    """The type without None."""
    if hasattr(hint, "__metadata__"):
        return Annotated[(without_none(hint.__origin__), *hint.__metadata__)]
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(arg for arg in get_args(hint) if arg is not type(None))]  # noqa: UP007 - made at run time
    return hint


def peeled(hint: Any) -> Any:
    """The type inside `Annotated[…]` and `… | None | Unset`."""
    while True:
        if get_origin(hint) in (Union, types.UnionType):
            (hint,) = [arg for arg in get_args(hint) if arg not in (type(None), UnsetType)][:1] or [None]
        elif hasattr(hint, "__metadata__"):
            hint = hint.__origin__
        else:
            return hint


_WORDS = {
    "str": Word("text"),
    "int": Word("a whole number"),
    "bool": Word("true or false"),
    "array": Word("a list"),
    "object": Word("an object"),
}
_SENTENCES = [
    (r"Expected `str` of length >= 1\b", "required", "Must not be empty."),
    (r"Expected `str` of length >= (?P<least>\d+)", "too_short", "Must have at least {least} characters."),
    (r"Expected `str` of length <= (?P<most>\d+)", "too_long", "Must have at most {most} characters."),
    (r"Expected `array` of length >= (?P<least>\d+)", "too_few", "Must have at least {least} items."),
    (r"Expected `array` of length <= (?P<most>\d+)", "too_many", "Must have at most {most} items."),
    (r"Expected `int` >= (?P<least>-?\d+)", "out_of_range", "Must be {least} or more."),
    (r"Expected `int` <= (?P<most>-?\d+)", "out_of_range", "Must be {most} or less."),
    (r"Invalid RFC3339", "invalid", "Must be an instant with its offset, such as 2026-01-31T08:30:00Z."),
    (r"Expected `str` matching regex", "bad_format", "Does not have the expected format."),
    (r"Expected `(?P<kind>[^`]+)`", "wrong_type", "Must be {kind}."),
]


def _complaint(error: msgspec.ValidationError, hint: Any, path: str) -> Complaint:
    cause = error.__cause__
    if isinstance(cause, Unfit):
        return Complaint(path, cause.code, cause.message)
    message = str(error)
    if "Invalid enum value" in message:
        options = ", ".join(str(option) for option in get_args(peeled(hint)))
        return Complaint(path, "not_one_of", says("Must be one of: {options}.", options=options))
    for pattern, code, sentence in _SENTENCES:
        match = re.search(pattern, message)
        if match:
            return Complaint(
                path, code, says(sentence, **{name: _place(name, match[name]) for name in match.groupdict()})
            )
    return Complaint(path, "invalid", message)


def _place(name: str, text: str) -> object:
    return _WORDS.get(text.split(" ")[0], text) if name == "kind" else int(text)
