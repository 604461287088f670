"""A record that is read and sent back whole: a field that cannot be sent, but is sent as it is shown, is ignored."""

import copy
import re
from collections.abc import Sequence
from typing import Any, get_args, get_origin

import msgspec

from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.schema import peeled

READ_ONLY = ("read_only", says("This field is read-only."))

Plain = dict[str, Any]

_STEPS = re.compile(r"[^.\[\]]+|(?<=\[)[0-9]+(?=\])")
_NOTHING = object()


def explained(complaints: Sequence[Complaint], view: type | None) -> list[Complaint]:
    """The complaints, where those about unknown fields that answers show say that the fields are read-only."""
    return [
        Complaint(each.field, *READ_ONLY) if each.code == "unknown_field" and _is_shown(each.field, view) else each
        for each in complaints
    ]


def is_needed(complaints: Sequence[Complaint], view: type | None) -> bool:
    """Whether a wrong field is one that answers show, so that what they show now decides whether it matters."""
    return any(_is_shown(each.field, view) for each in complaints)


def dropped(plain: Plain, shown: Plain, complaints: Sequence[Complaint]) -> tuple[Plain, list[Complaint]]:
    """A change without what it repeats from the record, and the complaints that are left.

    Objects and lists that are repeated are dropped as well, because what they show can differ in form from what can be
    sent. Single values stay, because to send one can mean to keep it: a due date, when the issue date changes.
    """
    rest = copy.deepcopy(plain)
    for name, value in plain.items():
        if isinstance(value, (dict, list)) and _is_same(value, shown.get(name, _NOTHING)):
            del rest[name]
    left = [each for each in complaints if not _drop(rest, plain, shown, _STEPS.findall(each.field))]
    return rest, [each for each in left if _is_left(each.field, plain, rest)]


def _is_left(path: str, plain: Plain, rest: Plain) -> bool:
    """Whether the top-level field of a path has not been dropped as a whole."""
    name = (_STEPS.findall(path) or [path])[0]
    return name not in plain or name in rest


def _is_shown(path: str, view: type | None) -> bool:
    kind: Any = view
    for step in _STEPS.findall(path):
        if step.isdecimal():
            continue  # the place in a list
        fields = _fields(kind)
        if step not in fields:
            return False
        kind = fields[step]
    return True


def _fields(kind: Any) -> dict[str, Any]:
    inner = peeled(kind)
    if get_origin(inner) is list:
        inner = peeled(get_args(inner)[0])
    if not (isinstance(inner, type) and issubclass(inner, msgspec.Struct)):
        return {}
    return {field.encode_name: field.type for field in msgspec.structs.fields(inner)}


def _drop(rest: Any, sent: Any, shown: Any, steps: Sequence[str]) -> bool:
    """Remove a field from a body if it is sent as it is shown, and return whether it was.

    Args:
        rest: the body that it is removed from.
        sent: the body as it was sent.
    """
    if not steps:
        return False
    for step in steps[:-1]:
        rest, sent, shown = _within(rest, step), _within(sent, step), _counterpart(sent, shown, step)
    last = steps[-1]
    if not isinstance(rest, dict) or last not in rest or not _is_same(rest[last], _within(shown, last)):
        return False
    del rest[last]
    return True


def _within(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step, _NOTHING)
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return _NOTHING


def _counterpart(sent: Any, shown: Any, step: str) -> Any:
    """What is shown in the place of a part that is sent: in a list, the item with its id, if it has one."""
    item = _within(sent, step)
    if isinstance(shown, list) and isinstance(item, dict) and "id" in item:
        return next((other for other in shown if isinstance(other, dict) and other.get("id") == item["id"]), _NOTHING)
    return _within(shown, step)


def _is_same(sent: Any, shown: Any) -> bool:
    return isinstance(sent, bool) == isinstance(shown, bool) and bool(sent == shown)
