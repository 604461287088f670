"""Everything that is wrong with a body or a query: each field by its type, then those that must go together.

msgspec stops at the first error, so that this looks at the fields one by one once it has failed.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec
from msgspec import UNSET

from erp.kernel.complaints import REQUIRED, said_of
from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import Sentence, Word, says, verbatim
from erp.web.hints import hints, peeled, struct_in, without_none
from erp.web.scalars import Unfit, dec_hook


def of(value: object, kind: type, path: str = "", *, strict: bool = True, shown: Any = None) -> list[Complaint]:
    """Everything that is wrong with a body or a query, field by field, nested fields included.

    Args:
        shown: the type that answers show in its place, whose fields are read-only where `kind` lacks them.
    """
    if not isinstance(value, dict):
        return [Complaint(path or "body", "wrong_type", says("Must be an object."))]
    prefix = f"{path}." if path else ""
    of_body, of_view = hints(kind), hints(shown)
    items = [_unknown(f"{prefix}{name}", name in of_view, strict) for name in value if name not in of_body]
    sound: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        name, hint = field.encode_name, of_body[field.encode_name]
        if name in value:
            hint = hint if strict else without_none(hint)
            wrong = _of_field(value[name], hint, prefix + name, strict, of_view.get(name))
            sound[field.name] = UNSET if wrong else _converted(value[name], hint, strict)
            items += wrong
        elif field.required:
            sound[field.name] = UNSET
            items.append(Complaint(prefix + name, *REQUIRED))
    return items + _of_fields_together(kind, sound, prefix)


def _unknown(path: str, is_shown: bool, strict: bool) -> Complaint:
    if is_shown:
        return Complaint(path[:200], "read_only", says("This field is read-only."))
    message = says("There is no such field.") if strict else says("There is no such parameter.")
    return Complaint(path[:200], "unknown_field", message)


def _converted(value: object, hint: Any, strict: bool) -> Any:
    return msgspec.convert(value, hint, strict=strict, dec_hook=dec_hook)


def _of_fields_together(kind: type, sound: Mapping[str, Any], prefix: str) -> list[Complaint]:
    try:
        kind(**sound)
    except Invalid as refusal:
        return said_of(refusal, prefix, prefix)
    return []


def of_field(text: str, hint: Any, path: str) -> list[Complaint]:
    """Everything that is wrong with a value of a parameter."""
    return _of_field(text, hint, path, strict=False, shown=None)


def _of_field(value: object, hint: Any, path: str, strict: bool, shown: Any) -> list[Complaint]:
    inner, struct = peeled(hint), struct_in(hint)
    if value is not None and struct is not None and (struct is inner or isinstance(value, dict)):
        return of(value, struct, path, strict=strict, shown=shown)
    try:
        _converted(value, hint, strict)
    except msgspec.ValidationError as error:
        return _of_items(value, inner, path, strict, shown) or [_complaint(error, hint, path)]
    except Invalid as refusal:  # of fields that do not go together, in an item of the list
        return _of_items(value, inner, path, strict, shown) or said_of(refusal, path, f"{path}.")
    return []


def _of_items(value: object, inner: Any, path: str, strict: bool, shown: Any) -> list[Complaint]:
    if not isinstance(value, list) or get_origin(inner) is not list:
        return []
    (hint,) = get_args(inner)
    by_item = [_of_field(item, hint, f"{path}[{index}]", strict, shown) for index, item in enumerate(value)]
    return [complaint for of_item in by_item for complaint in of_item]


_WORDS = {
    "str": Word("text"),
    "int": Word("a whole number"),
    "bool": Word("true or false"),
    "array": Word("a list"),
    "object": Word("an object"),
}
_SENTENCES = [
    (r"Expected `str` of length >= 1\b", "required", says("Must not be empty.")),
    (r"Expected `str` of length >= (?P<least>\d+)", "too_short", says("Must have at least {least} characters.")),
    (r"Expected `str` of length <= 1\b", "too_long", says("Must have at most 1 character.")),
    (r"Expected `str` of length <= (?P<most>\d+)", "too_long", says("Must have at most {most} characters.")),
    (r"Expected `array` of length >= 1\b", "too_few", says("Must have at least 1 item.")),
    (r"Expected `array` of length <= 1\b", "too_many", says("Must have at most 1 item.")),
    (r"Expected `array` of length >= (?P<least>\d+)", "too_few", says("Must have at least {least} items.")),
    (r"Expected `array` of length <= (?P<most>\d+)", "too_many", says("Must have at most {most} items.")),
    (r"Expected `int` >= (?P<least>-?\d+)", "out_of_range", says("Must be {least} or more.")),
    (r"Expected `int` <= (?P<most>-?\d+)", "out_of_range", says("Must be {most} or less.")),
    (r"Invalid RFC3339", "invalid", says("Must be an instant with its offset, such as 2026-01-31T08:30:00Z.")),
    (r"Expected `(?P<kind>[^`]+)`", "wrong_type", says("Must be {kind}.")),
]


def _complaint(error: msgspec.ValidationError, hint: Any, path: str) -> Complaint:
    cause = error.__cause__
    if isinstance(cause, Unfit):
        return Complaint(path, cause.code, cause.message)
    message = str(error)
    if "Invalid enum value" in message:
        options = ", ".join(str(option) for option in get_args(peeled(hint)))
        return Complaint(path, "not_one_of", says("Must be one of: {options}.", options=options))
    if "Expected `str` matching regex" in message:
        return Complaint(path, "bad_format", next(_expected(hint)))
    for pattern, code, sentence in _SENTENCES:
        match = re.search(pattern, message)
        if match:
            return Complaint(
                path, code, sentence.fill(**{name: _place(name, match[name]) for name in match.groupdict()})
            )
    return Complaint(path, "invalid", verbatim(message))


def _expected(hint: Any) -> Iterator[Sentence]:
    """The words of the patterns in a type, from `scalars.shaped`."""
    for meta in getattr(hint, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.pattern is not None:
            yield (meta.extra or {})["expected"]
    for part in get_args(hint):
        yield from _expected(part)


def _place(name: str, text: str) -> object:
    return _WORDS.get(text.split(" ")[0], text) if name == "kind" else int(text)
