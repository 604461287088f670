"""Changes of records: what differs, how it is told in the log, and deletion where nothing is lost."""

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
    """Those of the values that the record does not have already."""
    return {name: value for name, value in values.items() if getattr(record, name) != value}


def before_and_after(record: WorkspaceRecord, values: Mapping[str, Any]) -> dict[str, Any]:
    """What changes, before and after, by the names of the wire; asked before it is written."""
    old_and_new = ((name, getattr(record, name), value) for name, value in values.items())
    return {wire_name(name): {"from": _plain(old), "to": _plain(new)} for name, old, new in old_and_new}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def wire_name(name: str) -> str:
    """The camelCase name of a field."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def delete(record: WorkspaceRecord, refusal: str) -> None:
    """Delete a record that nothing refers to.

    The foreign keys of the file know every table that does, those of other areas included.

    Raises:
        InUse: something does; `refusal` is the message.
    """
    try:
        record.delete_instance()
    except IntegrityError:
        raise InUse(refusal) from None


def archive(record: Any, called: str, facts: Mapping[str, Any]) -> None:
    """Archive a record, and tell the log.

    Args:
        called: the record as a sentence begins with it.
        facts: what the log says of it.

    Raises:
        InvalidTransition: it is archived already.
    """
    if record.archived_at is not None:
        raise InvalidTransition(f"{called} is archived already.")
    record.change(archived_at=clock.stamp())
    _tell(record, "archived", facts)


def unarchive(record: Any, called: str, facts: Mapping[str, Any]) -> None:
    """Take an archived record back into use, and tell the log.

    Raises:
        InvalidTransition: it is not archived.
    """
    if record.archived_at is None:
        raise InvalidTransition(f"{called} is not archived.")
    record.change(archived_at=None)
    _tell(record, "unarchived", facts)


def _tell(record: WorkspaceRecord, what: str, facts: Mapping[str, Any]) -> None:
    kind = record.noun.replace(" ", "_")
    events.write(f"{kind}.{what}", kind, record.id, dict(facts))
