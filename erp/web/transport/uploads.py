"""Files as bodies: a spreadsheet as it is, or as a part of a form, in place of JSON that quotes it.

The body's `FILES` name the field of the file. The other fields are in the query string or are parts of the form.
An uploaded file is written to the disk while it is read, and hashed on the way.
"""

import base64
import hashlib
import re
import tempfile
import weakref
from collections.abc import Iterator
from io import BytesIO
from pathlib import PurePath
from typing import IO, Any, ClassVar, get_origin

import falcon
import msgspec

from erp.kernel.errors import Invalid, MalformedJson, TooLarge, UnsupportedMediaType
from erp.kernel.language import says
from erp.web.hints import peeled
from erp.web.scalars import Scalar, Unfit
from erp.web.schema import Body
from erp.web.strict_json import clean

FORM = "multipart/form-data"
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XML = "application/xml"
ZIP = "application/zip"
_BY_SUFFIX = {".csv": CSV, ".xlsx": XLSX, ".xml": XML, ".zip": ZIP}
"""Browsers name some of these as they please; the name of a file says what it is."""
_CHARSETS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "iso-8859-1": "cp1252", "windows-1252": "cp1252"}


LIMIT = 25 << 20
"""The most bytes of an uploaded file."""
_FORM_AROUND = 64 << 10
_IN_MEMORY = 1 << 20
_PIECE = 256 << 10


class Upload(Scalar):
    """A file that a request has brought, with its size, its hash and the name that a form gives it."""

    json_schema: ClassVar[dict[str, Any]] = {
        "type": "string",
        "description": "The file: in base64 where the body is JSON, else as the body itself or as a part of a form.",
    }

    def __init__(self, stream: Any, name: str | None = None) -> None:
        self.content: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed below
        weakref.finalize(self, self.content.close)
        self.name = name
        digest, self.size = hashlib.sha256(), 0
        while piece := stream.read(_PIECE):
            self.size += len(piece)
            if self.size > LIMIT:
                raise _too_large()
            digest.update(piece)
            self.content.write(piece)
        if self.size == 0:
            raise Invalid.one("file", "empty", says("The file is empty."))
        self.sha256 = digest.hexdigest()

    def __str__(self) -> str:
        """The file's SHA-256; idempotency compares it."""
        return self.sha256

    def whole(self) -> bytes:
        """The whole content in memory."""
        self.content.seek(0)
        return self.content.read()

    @classmethod
    def read(cls, value: object) -> "Upload":
        """The file that has arrived, or a small one in base64."""
        if isinstance(value, Upload):
            return value
        try:
            return cls(BytesIO(base64.b64decode(str(value), validate=True)))
        except ValueError:
            raise Unfit("not_a_file", says("Send the file itself as the body or in a form, or in base64.")) from None
        except Invalid as empty:
            raise Unfit(empty.details[0].code, empty.details[0].message) from None


OCTETS = "application/octet-stream"
TAKEN = frozenset({FORM, OCTETS, XML, "text/xml", "application/pdf", "image/png", "image/jpeg", CSV, ZIP})
"""Media types of an upload; the type of the file is detected from its content."""


def is_file(req: falcon.Request) -> bool:
    """Whether a body is an upload, or a form with one."""
    return _media_type(req.content_type or "")[0] in TAKEN


def arrived(req: falcon.Request, kind: type[Body]) -> dict[str, Any]:
    """The fields of a body that is an upload, or a form with one.

    Raises:
        TooLarge: the file has more than 25 MiB.
        MalformedJson: the form cannot be read.
        Invalid: the file is empty.
    """
    if (req.content_length or 0) > LIMIT + _FORM_AROUND:
        raise _too_large()
    content_type = req.content_type or ""
    upload = next(peeled(field.type) for field in msgspec.structs.fields(kind) if field.encode_name == "file")
    fields: dict[str, Any] = {name: _typed(kind, name, value) for name, value in req.params.items()}
    if _media_type(content_type)[0] == FORM:
        fields |= dict(_once(_form(content_type, req.bounded_stream, req.content_length or 0, kind, upload)))
    elif req.content_length:
        fields["file"] = upload(req.bounded_stream)
    req.params.clear()  # type: ignore[attr-defined]  # they have been read as fields
    if "file" not in fields:
        raise Invalid.one("file", "missing", says("Send the file as the body, or as a part of a form."))
    file = fields["file"]
    if isinstance(file, Upload) and file.name is not None:  # else it is base64, in the query string
        fields.setdefault("name", file.name)
    return fields


def _form(
    content_type: str, stream: Any, length: int, kind: type[Body], upload: type[Upload]
) -> Iterator[tuple[str, Any]]:
    from falcon.media.multipart import MultipartFormHandler

    try:
        for part in MultipartFormHandler().deserialize(stream, content_type, length):
            if part.filename is None and part.name != "file":
                yield part.name or "", _typed(kind, part.name or "", _text(part.get_data(), "utf-8"))
            else:
                yield "file", upload(part.stream, part.filename and clean(part.filename))
    except falcon.HTTPError:
        raise MalformedJson(says("The form cannot be read.")) from None


def _too_large() -> TooLarge:
    return TooLarge(says("The file is larger than 25 MiB. Send a smaller one."), limit=LIMIT)


def read(req: falcon.Request, raw: bytes, kind: type[Body]) -> dict[str, Any]:
    """The fields of a body that is a file or a form, as in JSON.

    Raises:
        UnsupportedMediaType: it is neither.
        MalformedJson: the form or the text cannot be read.
    """
    media_type, parameters = _media_type(req.content_type or "")
    if media_type == FORM:
        fields = dict(_once(_parts(req.content_type or "", raw, kind)))
    elif kind.FILES and media_type in kind.FILES:
        fields = {name: _typed(kind, name, value) for name, value in req.params.items()}
        fields |= dict([_file(media_type, parameters, raw, kind)])
    else:
        raise UnsupportedMediaType(
            says("Send the body as application/json, {files} or a form with the file.", files=", ".join(kind.FILES))
        )
    req.params.clear()  # type: ignore[attr-defined]  # they have been read as fields
    return fields


def _media_type(text: str) -> tuple[str, dict[str, str]]:
    """The media type of a Content-Type, with its parameters."""
    media_type, parameters = falcon.parse_header(text)
    return media_type.lower(), parameters


def _parts(content_type: str, raw: bytes, kind: type[Body]) -> Iterator[tuple[str, Any]]:
    from falcon.media.multipart import MultipartFormHandler

    try:
        for part in MultipartFormHandler().deserialize(BytesIO(raw), content_type, len(raw)):
            data = part.get_data()
            if part.filename is None:
                yield part.name or "", _typed(kind, part.name or "", _text(data, "utf-8"))
            else:
                suffix = PurePath(part.filename).suffix.lower()
                yield _file(*_media_type(_BY_SUFFIX.get(suffix, part.content_type)), data, kind)
    except falcon.HTTPError:
        raise MalformedJson(says("The form cannot be read.")) from None


def _once(parts: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    seen = set()
    for name, value in parts:
        if name in seen:
            raise MalformedJson(says("The body has the field {name!r} twice.", name=name[:80]))
        seen.add(name)
        yield name, value


def _file(media_type: str, parameters: dict[str, str], data: bytes, kind: type[Body]) -> tuple[str, str]:
    """The field of a file and its text, or its base64 if it is binary; a file of an unknown type counts as CSV."""
    if media_type in kind.FILES and media_type in (XLSX, ZIP):
        return kind.FILES[media_type], base64.b64encode(data).decode()
    field = kind.FILES.get(media_type, kind.FILES[CSV])
    return field, _text(data, parameters.get("charset", "utf-8").lower(), field)


def _text(data: bytes, charset: str, field: str = "") -> str:
    try:
        return clean(data.decode(_CHARSETS[charset]))
    except (KeyError, UnicodeDecodeError):
        message = says("The text is not in {charset}. Save the file as CSV in UTF-8.", charset=charset[:40].upper())
        raise Invalid.one(field, "wrong_charset", message) from None


_WHOLE = re.compile(r"-?[0-9]{1,18}")


def _typed(kind: type[Body], name: str, value: Any) -> Any:
    """A value of a query string or a form, which is always text, in the type of its field; lists have commas."""
    if not isinstance(value, str):
        return value
    field = next((each for each in msgspec.structs.fields(kind) if each.encode_name == name), None)
    if field is not None and isinstance(field.default, bool):
        return {"true": True, "false": False}.get(value, value)
    if field is not None and peeled(field.type) is int and _WHOLE.fullmatch(value):
        return int(value)
    if field is not None and get_origin(peeled(field.type)) is list:
        return [clean(part.strip()) for part in value.split(",")]
    return clean(value)
