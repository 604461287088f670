"""Files of records: adding, attaching, removing and downloading."""

from typing import NamedTuple

from erp.attachments import attachments, media_types, stored
from erp.attachments.models import Attachment
from erp.desk.files import records
from erp.desk.files.bodies import Filing, NewAttachment
from erp.desk.files.records import ResourceType
from erp.desk.files.views import names_of
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import Sentence, says
from erp.store import events, sql
from erp.store.sql import Condition
from erp.web import inline
from erp.web.schema import File

_HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox"}


class FilesStay(InvalidTransition):
    """{name} has been posted, so its files cannot be removed. Add another file instead."""


class NotInInbox(InvalidTransition):
    """This file belongs to {name} already."""


class JudgedFile(NamedTuple):
    """A file that is kept, under this name."""

    name: str
    media_type: str


def judge(new: NewAttachment) -> JudgedFile:
    """Look into a file that someone adds.

    Raises:
        NotAllowed, WronglyNamed: the content is not of a supported kind, or does not match the name.
        Invalid: it is XML that is too large.
    """
    name = attachments.safe_name(new.name)
    return JudgedFile(name, media_types.of(new.file.content, name))


def add(new: NewAttachment, judged: JudgedFile) -> tuple[Attachment, list[Sentence]]:
    """Add a file to a record, or to the inbox; and list the records that already have it.

    Raises:
        Forbidden, TaskOfOthers: the caller may not change the record.
        UnknownReference: there is no such record in this workspace.
    """
    resource = _resource(new.resource_type, new.resource_id)
    warnings = _already_on(new.file.sha256)
    stored.keep(new.file.content, new.file.sha256, new.file.size, judged.media_type)
    return attachments.link(new.file.sha256, judged.name, new.file.size, judged.media_type, resource), warnings


def _resource(type: ResourceType | None, value: str | None) -> tuple[ResourceType, str] | None:
    """The record that a request names, if the caller may change it; None for the inbox."""
    if type is None and value is None:
        records.check_write(None, None)
        return None
    if type is None or value is None:
        lacking = "resourceType" if type is None else "resourceId"
        raise Invalid.one(lacking, "missing", says("Send resourceType and resourceId, or neither for the inbox."))
    records.check_write(type, None)
    id = records.refer(type, value)
    records.check_write(type, id)
    return type, id


def _already_on(sha256: str) -> list[Sentence]:
    """The records that already have a file, as far as the caller may know."""
    where = sql.all_of([records.readable(), Condition("sha256 = :sha256", {"sha256": sha256})])
    rows = list(Attachment.select().where(sql.positional(where)).order_by(Attachment.id))
    records_by_id = names_of(rows)
    names = [record.name for row in rows if (record := records_by_id.get(row.resource_id)) is not None]
    warnings = [says("This file is already on {name}.", name=name) for name in dict.fromkeys(names)]
    if any(row.resource_type is None for row in rows):
        warnings.append(says("This file is already in the inbox."))
    return warnings


def find(id: str) -> Attachment:
    """A file whose record the caller may read.

    Raises:
        NotFound: there is none in this workspace.
        Forbidden: the caller may not read its record.
    """
    row = Attachment.find(id)
    records.check_read(row.resource_type, row.resource_id)
    return row


def content(id: str, *, is_inline: bool = False) -> File:
    """A file for download, never to be shown by a browser as if this program had made it; or for a frame of a page.

    Raises:
        NotShown: for a frame, it is of a kind that browsers might run.
    """
    row = find(id)
    if is_inline:
        inline.check(row.media_type)
    headers = {**_HEADERS, "X-Content-SHA256": row.sha256}
    file = File(stored.spooled(row.sha256), row.name, row.media_type, headers=headers)
    return inline.shown(file) if is_inline else file


def file(id: str, filing: Filing) -> Attachment:
    """Attach an inbox file to a record.

    Raises:
        NotInInbox: it belongs to a record already.
    """
    row = find_in_inbox(id)
    resource = _resource(filing.resource_type, filing.resource_id)
    assert resource is not None
    return move(row, *resource)


def move(row: Attachment, type: ResourceType, id: str) -> Attachment:
    """Move a file from the inbox to a record."""
    row.change(resource_type=type, resource_id=id)
    events.write("attachment.filed", type, id, attachments.event_data(row))
    return row


def find_in_inbox(id: str) -> Attachment:
    """A file of the inbox, to change.

    Raises:
        NotInInbox: it belongs to a record already.
    """
    row = find(id)
    records.check_write(None, None)
    row.check_version()
    if row.resource_type is not None:
        raise NotInInbox(name=_name_of(row))
    return row


def remove(id: str) -> None:
    """Remove a file from a record that has not been posted; its bytes are deleted with the last record that has them.

    Raises:
        FilesStay: the record has been posted.
    """
    row = find(id)
    records.check_write(row.resource_type, row.resource_id)
    row.check_version()
    record = names_of([row]).get(row.resource_id)
    if record is not None and record.is_posted:
        raise FilesStay(name=record.name)
    row.delete_instance()
    resource_id = row.resource_id or row.id
    events.write("attachment.removed", row.resource_type or "attachment", resource_id, attachments.event_data(row))


def _name_of(row: Attachment) -> str:
    record = names_of([row]).get(row.resource_id)
    return record.name if record is not None else row.name
