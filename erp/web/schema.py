"""Bodies, queries and views: one class is the type, the validator, the codec and the documented schema.

msgspec stops at the first error; `field_complaints` then finds every other one.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import IO, Annotated, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Sentence, says
from erp.kernel.wire import wire_name
from erp.web import field_complaints
from erp.web.hints import peeled
from erp.web.scalars import Moment, Scalar, Unfit, dec_hook

T = TypeVar("T")
V = TypeVar("V", bound="View")
S = TypeVar("S", bound="View")
Q = TypeVar("Q", bound="Query")


def one_or_several(values: Iterable[str]) -> msgspec.Meta:
    """The mark of a text parameter that takes one or several of these values, separated by commas."""
    items = {"type": "string", "enum": list(values)}
    return msgspec.Meta(description="One or several, repeated or separated by commas.", extra={"items": items})


MOST_IDS = 200
IDS = msgspec.Meta(
    description="Only these records, by their ids: repeated or separated by commas. Unknown ids are left out.",
    extra={"items": {"type": "string"}, "maxItems": MOST_IDS},
)
UpdatedAfter = Annotated[Moment, msgspec.Meta(description="Only records that were changed after this instant.")]

Unset = UnsetType
"""The type of a PATCH field that was not sent: `name: Name | Unset = UNSET`."""


class Sent(msgspec.Struct, kw_only=True, rename=wire_name, forbid_unknown_fields=True):
    """Fields that a request sends."""

    def __post_init__(self) -> None:
        """Refuse fields that do not go together."""
        if complaints := list(self.check()):
            raise Invalid(complaints)

    def check(self) -> Iterable[Complaint]:
        """Complaints about fields that do not go together, such as a last day before the first.

        While complaints are collected, a field that is wrong by itself is UNSET here.
        """
        return ()


def are_reversed(first: object, last: object) -> bool:
    """Whether two days or instants are both known, and the last comes before the first."""
    return isinstance(first, date) and isinstance(last, date) and last < first


class Body(Sent):
    """The body of a request; `SMALLER` is the message for one that is too large.

    `FILES` has the field of a file that may be the body itself, by media type; see `transport.uploads`. With `UPLOAD`
    the body may be any file up to 25 MiB, which goes to the disk and becomes the field `file`.
    """

    SMALLER: ClassVar[Sentence | None] = None
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
    """The data of an answer; `IN_BASE` are amounts in the base currency, whatever the currency beside them."""

    IN_BASE: ClassVar[tuple[str, ...]] = ()


def show(view: type[V], row: object, **derived: object) -> V:
    """A row as a view: each field is the derived value of its name, else the row's own."""
    names, values = _own(view, tuple(derived))
    derived.update(zip(names, values(row), strict=True))
    return view(**derived)


@cache
def _own(view: type[View], derived: tuple[str, ...]) -> tuple[Sequence[str], Callable[[object], Sequence[Any]]]:
    """The fields of a view that are a row's own, and their reader; measured: half the time of one `getattr` each."""
    names = tuple(name for name in view.__struct_fields__ if name not in derived)
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda row: [getattr(row, name) for name in names]


class DetailView(View):
    """A complaint about a field, as in the details of a refusal."""

    field: str
    code: str
    message: str

    @classmethod
    def of_all(cls, complaints: Sequence[Complaint]) -> "list[DetailView]":
        """Complaints where they are part of an answer."""
        return [show(cls, complaint) for complaint in complaints]


class RecordView(View):
    """Fields of every record."""

    id: str
    version: int
    created_at: str
    updated_at: str


class Query(Sent):
    """The parameters of a request's query string.

    `SEVERAL` are filters of a list without pages that take several values, which `several.fits` compares. With
    `HAS_COLUMNS`, `columns` names the fields of a row that its file has.
    """

    SEVERAL: ClassVar[tuple[str, ...]] = ()
    HAS_COLUMNS: ClassVar[bool] = False


TableFormat = Annotated[
    Literal["json", "csv", "xlsx"],
    msgspec.Meta(description="`csv` and `xlsx` answer a table with all pages, as `Accept` with their types does."),
]
COLUMNS = msgspec.Meta(
    description="The fields of a row that a `csv` or `xlsx` file has, in this order: repeated or separated by commas. "
    "`items.number` has the numbers of all its items.",
    extra={"items": {"type": "string"}, "maxItems": 100},
    max_length=4000,
)


class TableQuery(Query):
    """Parameters of every list and report without pages."""

    format: TableFormat = "json"


class ListQuery(Query):
    """Parameters of every list with pages; `SINGLE` are filters that take one value, unlike others.

    A list whose rows are made in Python compares the values of `SEVERAL` itself.
    """

    SINGLE: ClassVar[tuple[str, ...]] = ()
    HAS_COLUMNS = True

    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="The number of records per page.")] = 50
    cursor: Annotated[str, msgspec.Meta(max_length=1000, description="The previous page's `nextCursor`.")] | None = None
    total: Annotated[
        bool,
        msgspec.Meta(
            description="Also count all records, as `page.total`, and where the list has `page.sums`, add them up."
        ),
    ] = False
    format: TableFormat = "json"
    columns: Annotated[str, COLUMNS] | None = None
    ids: Annotated[str, IDS] | None = None


class RecordQuery(ListQuery):
    """Parameters of every list of records with `updatedAt`."""

    updated_after: UpdatedAfter | None = None


Include = Annotated[Literal["lines"], msgspec.Meta(description="`lines` shows each with its lines.")]
"""The parts of documents that a list shows beside their own fields."""

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
        """The rows, each a `ROW`; in a report with pages, the rows of this page."""
        raise NotImplementedError

    def opening_rows(self) -> Sequence[View]:
        """The rows before the first page."""
        return ()

    def closing_rows(self) -> Sequence[View]:
        """The rows after the last page."""
        return ()

    def file(self, format: str, query: Any) -> "File | None":
        """None: its table is written row by row."""
        return None

    def headers(self) -> Mapping[str, str]:
        """The headers of its table as a file."""
        return {}


class File(msgspec.Struct):
    """An answer that is not JSON, sent as it is; the endpoint declares its media type as `produces`.

    If the endpoint declares several, `media_type` names any but the first. Content that is a path or an open file is
    sent piece by piece, however large it is.
    """

    content: bytes | Path | IO[bytes]
    name: str
    media_type: str | None = None
    headers: dict[str, str] = {}
    is_inline: bool = False


class Page(msgspec.Struct, Generic[V]):
    items: list[V]
    limit: int
    next_cursor: str | None = None
    total: int | None = None


class SummedPage(Page[V], Generic[V, S]):
    """A page with sums over all matching records, in groups, if the query says `total`."""

    sums: Sequence[S] | None = None

    @classmethod
    def of(cls, page: Page[V], sums: Sequence[S] | None) -> "SummedPage[V, S]":
        return cls(page.items, page.limit, page.next_cursor, page.total, sums)


_known: set[Any] = set()
_reading = threading.Lock()


def known(kind: type[T]) -> type[T]:
    """The type, once msgspec has read its fields.

    One thread at a time reads them: when two threads use a new type together, msgspec crashes. They are not read at
    the start of the server, which would take a tenth longer. So every type that is decoded passes through here.
    """
    if kind not in _known:
        with _reading:
            msgspec.json.Decoder(kind, dec_hook=dec_hook)
        _known.add(kind)
    return kind


def enc_hook(value: object) -> object:
    """Write one of our own scalars or kinds of text: views may show what bodies and queries sent."""
    if isinstance(value, (Scalar, str)):
        return str(value)
    raise NotImplementedError(f"no writer for {type(value)}")


def decode(value: object, kind: type[T], *, strict: bool = True, shown: type | None = None) -> T:
    """Turn plain values into a body or a query.

    Args:
        strict: whether text that looks like a number is refused as a number; query strings are all text.
        shown: the view that answers show, whose other fields are read-only.

    Raises:
        Invalid: with a complaint about every wrong field.
    """
    try:
        return msgspec.convert(value, known(kind), strict=strict, dec_hook=dec_hook)
    except (msgspec.ValidationError, Invalid):
        raise Invalid(field_complaints.of(value, kind, strict=strict, shown=shown)) from None


def fitting(values: Mapping[str, Any], kind: type[Body]) -> dict[str, Any]:
    """Plain values from a file, without the fields that a body of this kind would refuse."""
    wrong = {complaint.field.partition(".")[0] for complaint in field_complaints.of(values, kind)}
    return {name: value for name, value in values.items() if name not in wrong}


def part(value: object, kind: type[T]) -> T:
    """An object in the place of a scalar; its first complaint is about the scalar.

    Raises:
        Unfit: a field of it is wrong.
    """
    try:
        return decode(value, kind)
    except Invalid as invalid:
        first = invalid.details[0]
        raise Unfit(first.code, says("{field}: {problem}", field=first.field, problem=first.message)) from None


def decode_query(sent: Mapping[str, str | list[str]], kind: type[Q]) -> Q:
    """Turn the parameters of a query string into a query. The word null is text like any other.

    Raises:
        Invalid: with a complaint about every wrong parameter.
    """
    plain = {name: _given_once(name, value, kind) for name, value in sent.items()}
    query = decode(plain, kind, strict=False)
    nulls = [name for name, value in plain.items() if isinstance(value, str) and value.lower() == "null"]
    if nulls:  # which the decoder takes for a value that is absent
        if wrong := field_complaints.of(plain, kind, strict=False):
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
    if array_of(hint):
        return ",".join(value)
    raise Invalid.one(name, "repeated", says("The value is there more than once. Enter it once."))


def array_of(hint: Any) -> dict[str, Any] | None:
    """The schema of a parameter's values, if it takes several: repeated, or separated by commas in one text."""
    for part in get_args(hint):
        mark = part.extra if isinstance(part, msgspec.Meta) else array_of(part)
        if mark is not None and "items" in mark:  # any other mark is for complaints
            return {"type": "array", **mark}
    return None
