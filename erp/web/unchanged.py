"""Records that are read and sent back whole: read-only fields with their present values are ignored."""

from typing import Any

from erp.web.hints import hints, takes_none

Plain = dict[str, Any]

_NOTHING = object()


def has_other_fields(sent: Any, hint: Any) -> bool:
    """Whether a body, or a part of it, has a field that its type lacks."""
    if isinstance(sent, list):
        return any(has_other_fields(item, hint) for item in sent)
    fields = hints(hint)
    if not isinstance(sent, dict) or not fields:
        return False
    return any(name not in fields or has_other_fields(value, fields[name]) for name, value in sent.items())


def dropped(sent: Plain, shown: Plain, kind: type) -> Plain:
    """A change without the fields that it repeats from the record.

    Repeated objects and lists are dropped as well, because they can be shown in another form than they are sent.
    Repeated single values stay, because sending one can mean keeping it: a due date, when the issue date changes.
    """
    rest = {
        name: value
        for name, value in sent.items()
        if not (isinstance(value, (dict, list)) and _is_same(value, shown.get(name, _NOTHING)))
    }
    change: Plain = _sendable(rest, shown, kind)
    return change


def _sendable(sent: Any, shown: Any, hint: Any) -> Any:
    """A value without the fields, at any depth, that cannot be sent and have their present values."""
    if isinstance(sent, list):
        return [_sendable(item, _counterpart(item, shown, index), hint) for index, item in enumerate(sent)]
    fields = hints(hint)
    if not isinstance(sent, dict) or not fields:
        return sent
    by_name = shown if isinstance(shown, dict) else {}
    return {
        name: _sendable(value, by_name.get(name), fields.get(name))
        for name, value in sent.items()
        if _can_be_sent(name, value, fields) or not _is_same(value, by_name.get(name, _NOTHING))
    }


def _can_be_sent(name: str, value: Any, fields: Plain) -> bool:
    return name in fields and (value is not None or takes_none(fields[name]))


def _counterpart(item: Any, shown: Any, index: int) -> Any:
    """The shown item of a list for a sent one: the item with the same id, if it has one, else with the same index."""
    items = shown if isinstance(shown, list) else []
    if isinstance(item, dict) and "id" in item:
        return next((other for other in items if isinstance(other, dict) and other.get("id") == item["id"]), None)
    return items[index] if index < len(items) else None


def _is_same(sent: Any, shown: Any) -> bool:
    return isinstance(sent, bool) == isinstance(shown, bool) and bool(sent == shown)
