"""Changes of records: what differs, what the log says about it, archiving, and deletion where nothing is lost."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from peewee import IntegrityError

from erp.kernel import clock
from erp.kernel.errors import InUse, InvalidTransition
from erp.store import events
from erp.store.records import WorkspaceRecord


def differing(record: WorkspaceRecord, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that differ from the record's own."""
    return {name: value for name, value in values.items() if getattr(record, name) != value}


def before_and_after(record: WorkspaceRecord, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a change does, as `{"from": …, "to": …}` by wire name; to be called before the record is changed."""
    old_and_new = ((name, getattr(record, name), value) for name, value in values.items())
    return {wire_name(name): {"from": _plain(old), "to": _plain(new)} for name, old, new in old_and_new}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def wire_name(name: str) -> str:
    """The camelCase name of a field."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def delete(record: WorkspaceRecord, refusal: str) -> None:
    """Delete a record that nothing refers to.

    The foreign keys of the file know every table that could, other areas' included.

    Raises:
        InUse: something refers to it; `refusal` is the message.
    """
    try:
        record.delete_instance()
    except IntegrityError:
        raise InUse(refusal) from None


def archive(record: Any, subject: str, event_data: Mapping[str, Any]) -> None:
    """Archive a record, and log it.

    Args:
        subject: what a sentence about the record begins with, such as `The tax rate`.
        event_data: what the event says.

    Raises:
        InvalidTransition: it is already archived.
    """
    if record.archived_at is not None:
        raise InvalidTransition(f"{subject} is already archived.")
    record.change(archived_at=clock.stamp())
    _log(record, "archived", event_data)


def unarchive(record: Any, subject: str, event_data: Mapping[str, Any]) -> None:
    """Take an archived record back into use, and log it.

    Raises:
        InvalidTransition: it is not archived.
    """
    if record.archived_at is None:
        raise InvalidTransition(f"{subject} is not archived.")
    record.change(archived_at=None)
    _log(record, "unarchived", event_data)


def _log(record: WorkspaceRecord, action: str, event_data: Mapping[str, Any]) -> None:
    kind = record.noun.replace(" ", "_")
    events.write(f"{kind}.{action}", kind, record.id, dict(event_data))
