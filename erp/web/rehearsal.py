"""Every complaint about a body at once, although some of its fields stop the rule before it has looked at the others.

What is wrong is left out or replaced by a stand-in, and the rule is run again on the rest; what it does is undone. It
is run without the value, with a low one and with a high one: a complaint that depends on a value that no one sent would
mislead, so it must come up each time. None of this costs a request that is right.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from erp.kernel import clock
from erp.kernel.errors import Complaint, Invalid, Refusal
from erp.web.scalars import Day, Moment, Number, Scalar, Unfit
from erp.web.schema import dec_hook, peeled

log = logging.getLogger("erp.web")

ROUNDS = 3
"""How often the rule may stop at something new."""

DEPENDENT = ("required", "not_applicable", "too_far")
"""Complaints that what is wrong may decide: that a field should be there or not, or is far from what others come to."""

APART = timedelta(days=3653)
"""How far before and after today the stand-ins for a day are."""

Variant = Literal["absent", "low", "high"]

Plain = dict[str, Any]
Rehearse = Callable[[Plain], object]


class _NoStandIn(Exception):
    """There is no value that surely fits a field."""


def all_complaints(plain: Plain, kind: type, first: Sequence[Complaint], rehearse: Rehearse) -> list[Complaint]:
    """The complaints that are known, and those that the rule has about the rest of the body.

    Args:
        plain: the body as it was sent.
        kind: the type of the body.
        first: the complaints that are known.
        rehearse: runs the rule on a body, and undoes what it does.
    """
    complaints = list(first)
    for _ in range(ROUNDS):
        more = _more(plain, kind, complaints, rehearse)
        if not more:
            break
        complaints += more
    return complaints


def _more(plain: Plain, kind: type, known: Sequence[Complaint], rehearse: Rehearse) -> list[Complaint]:
    faulty = {complaint.field for complaint in known}
    by_try: list[list[Complaint]] = []
    for variant in get_args(Variant):
        try:
            body = mended(plain, kind, faulty, variant)
        except _NoStandIn:
            continue
        found = None if body == plain else _complaints(body, rehearse)
        if found is not None:
            by_try.append([each for each in found if not _concerns(each.field, faulty)])
    if not by_try:
        return []
    first, *others = by_try
    certain = (each for each in first if each.code not in DEPENDENT)
    return [each for each in certain if all(_is_among(each, other) for other in others)]


def _complaints(body: Plain, rehearse: Rehearse) -> Sequence[Complaint] | None:
    """What the rule says to a body; None if it stops for a reason that is not about the fields."""
    try:
        rehearse(body)
    except Invalid as refusal:
        return refusal.details
    except Refusal:
        return None
    except Exception:
        log.debug("a rehearsal stopped", exc_info=True)
        return None
    return []


def _is_among(one: Complaint, others: Sequence[Complaint]) -> bool:
    return any((one.field, one.code) == (other.field, other.code) for other in others)


def _concerns(field: str, faulty: Collection[str]) -> bool:
    """Whether a field is one that is faulty, or lies within one, or around one."""
    return any(_is_within(field, each) or _is_within(each, field) for each in faulty)


def _is_within(field: str, other: str) -> bool:
    return field == other or (field.startswith(other) and field[len(other)] in ".[")


def mended(plain: Plain, kind: type, faulty: Collection[str], variant: Variant, path: str = "") -> Plain:
    """A body without its faults: unknown fields are gone, others are replaced or, if they are optional, absent.

    An optional field that was not sent stays absent, although a rule finds fault with what it took in its place.

    Args:
        faulty: the paths of what is wrong.

    Raises:
        _NoStandIn: nothing can replace one of them.
    """
    hints = get_type_hints(kind, include_extras=True)
    whole: Plain = {}
    for field in msgspec.structs.fields(kind):
        name, hint = field.encode_name, hints[field.name]
        where = f"{path}.{name}" if path else name
        if where in faulty:
            if field.required or (name in plain and variant != "absent"):
                whole[name] = _stand_in(hint, variant)
        elif name in plain:
            whole[name] = _mended_value(plain[name], hint, faulty, variant, where)
    return whole


def _mended_value(value: Any, hint: Any, faulty: Collection[str], variant: Variant, path: str) -> Any:
    if not any(_is_within(each, path) for each in faulty):
        return value
    inner = peeled(hint)
    if isinstance(value, list) and get_origin(inner) is list:
        (item,) = get_args(inner)
        places = [f"{path}[{index}]" for index in range(len(value))]
        return [
            _stand_in(item, variant) if where in faulty else _mended_value(part, item, faulty, variant, where)
            for part, where in zip(value, places, strict=True)
        ]
    if isinstance(value, dict) and get_origin(inner) is dict:
        return {key: part for key, part in value.items() if f"{path}.{key}" not in faulty}
    if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        return mended(value, inner, faulty, variant, path)
    return value


def _stand_in(hint: Any, variant: Variant) -> Any:
    inner = peeled(hint)
    if get_origin(inner) is Literal:
        return get_args(inner)[-1 if variant == "high" else 0]
    if get_origin(inner) is list:
        return [_stand_in(get_args(inner)[0], variant)]
    if get_origin(inner) is dict:
        return {}
    if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        hints = get_type_hints(inner, include_extras=True)
        required = [field for field in msgspec.structs.fields(inner) if field.required]
        return {field.encode_name: _stand_in(hints[field.name], variant) for field in required}
    for value in _candidates(inner, variant):
        if _fits(value, hint):
            return value
    raise _NoStandIn(str(hint))


def _fits(value: Any, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint, dec_hook=dec_hook)
    except (msgspec.ValidationError, Unfit):
        return False
    return True


def _candidates(inner: Any, variant: Variant) -> Sequence[Any]:
    """Values of a type, the first one that fits to be taken."""
    is_high = variant == "high"
    if inner is bool:
        return [is_high]
    if inner is int:
        return [1000, 12, 5, 1, 2000] if is_high else [1, 2, 10, 100, 2000]
    if inner is str:
        letter = "y" if is_high else "x"
        return [letter, letter * 12, letter * 40, f"{letter}@example.com"]
    if issubclass(inner, Number):
        return ["1000000000", "100", "1"] if is_high else ["1"]
    day = clock.now() + (APART if is_high else -APART)
    if issubclass(inner, Day):
        return [day.date().isoformat()]
    if issubclass(inner, Moment):
        return [day.isoformat(timespec="milliseconds")]
    return list(inner.json_schema.get("examples", ())) if issubclass(inner, Scalar) else []
