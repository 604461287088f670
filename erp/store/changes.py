"""Changes of records: differences, their form in the log, archiving, and deletion of unused records."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

from peewee import IntegrityError

from erp.kernel import clock
from erp.kernel.errors import InUse, InvalidTransition
from erp.kernel.language import Sentence, says
from erp.kernel.wire import wire_name
from erp.store import events
from erp.store.records import WorkspaceRecord

R = TypeVar("R", bound=Any)
ALREADY_ARCHIVED = says("This record is already archived.")
NOT_ARCHIVED = says("This record is not archived.")


def differing(record: WorkspaceRecord, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that differ from the record's own."""
    return {name: value for name, value in values.items() if getattr(record, name) != value}


def before_and_after(record: WorkspaceRecord, values: Mapping[str, Any]) -> dict[str, Any]:
    """The effect of a change, as `{"from": …, "to": …}` by wire name; call it before the record is changed."""
    old_and_new = ((name, getattr(record, name), value) for name, value in values.items())
    return {wire_name(name): {"from": _plain(old), "to": _plain(new)} for name, old, new in old_and_new}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def delete(record: R, refusal: Sentence, event_data: Callable[[R], Mapping[str, Any]]) -> None:
    """Delete a record that nothing refers to, and log it.

    The foreign keys of the file know every table that could, other areas' included.

    Args:
        refusal: the message if something does.
        event_data: what an event says of the record.

    Raises:
        InUse: something refers to it.
    """
    try:
        record.delete_instance()
    except IntegrityError:
        raise InUse(refusal) from None
    _log(record, "deleted", event_data)


def archive(record: R, event_data: Callable[[R], Mapping[str, Any]], refusal: Sentence | None = None) -> R:
    """Archive a record, and log it.

    Args:
        event_data: what an event says of the record.
        refusal: what is said if it is archived, where that is more than that it is.

    Raises:
        InvalidTransition: it is already archived.
    """
    if record.archived_at is not None:
        raise InvalidTransition(refusal or ALREADY_ARCHIVED)
    record.change(archived_at=clock.stamp())
    return _log(record, "archived", event_data)


def unarchive(record: R, event_data: Callable[[R], Mapping[str, Any]], refusal: Sentence | None = None) -> R:
    """Unarchive a record, and log it.

    Raises:
        InvalidTransition: it is not archived.
    """
    if record.archived_at is None:
        raise InvalidTransition(refusal or NOT_ARCHIVED)
    record.change(archived_at=None)
    return _log(record, "unarchived", event_data)


def _log(record: R, action: str, event_data: Callable[[R], Mapping[str, Any]]) -> R:
    kind = record.noun.replace(" ", "_")
    events.write(f"{kind}.{action}", kind, record.id, dict(event_data(record)))
    return record
