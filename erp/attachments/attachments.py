"""Files of records: adding them, and their safe names."""

import re
import unicodedata

from erp.attachments.models import Attachment
from erp.store import events, sql

MOST_LETTERS = 200

_FORBIDDEN = re.compile(r'[<>:"|?*]')


def safe_name(name: str) -> str:
    """A file name that any computer can store: no folder, no invisible or reversing character."""
    last = re.split(r"[/\\]", name)[-1]
    seen = "".join(sign for sign in last if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    plain = _FORBIDDEN.sub("-", seen).strip().lstrip(".").strip()
    stem, dot, ending = plain.rpartition(".")
    return f"{stem[: MOST_LETTERS - len(ending) - 1]}{dot}{ending}"[:MOST_LETTERS]


def link(sha256: str, name: str, size: int, media_type: str, resource: tuple[str, str] | None) -> Attachment:
    """Give a record, or the inbox, a file whose bytes are kept.

    Args:
        resource: the record's type and id.
    """
    type, id = resource or (None, None)
    row = Attachment.add(resource_type=type, resource_id=id, name=name, sha256=sha256, size=size, media_type=media_type)
    events.write("attachment.added", type or "attachment", id or row.id, event_data(row))
    return row


def give_back(type: str, id: str) -> None:
    """Move the files that came from the inbox back there, before their record is deleted."""
    for row in Attachment.fetch(_FROM_INBOX, type, id):
        row.change(resource_type=None, resource_id=None)
        events.write("attachment.returned", "attachment", row.id, event_data(row))


_FROM_INBOX = f"""
SELECT * FROM attachment WHERE resource_type = ?1 AND resource_id = ?2 AND id IN (
    SELECT {sql.json_text("data", "'$.attachmentId'")} FROM event
    WHERE resource_type = ?1 AND resource_id = ?2 AND type = 'attachment.filed')
"""


def event_data(row: Attachment) -> dict[str, object]:
    """The event's data; an employee's file has no name there, which may tell what it is about."""
    data = {"attachmentId": row.id, "sha256": row.sha256, "size": row.size, "mediaType": row.media_type}
    return data if row.resource_type in ("employee", "employee_document") else data | {"name": row.name}
