"""Views of files."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from erp.attachments.models import Attachment
from erp.desk.files import records
from erp.desk.files.records import Named, ResourceType
from erp.web.schema import RecordView, show

Action = Literal["bill", "delete", "file"]


class AttachmentView(RecordView):
    """A file of a record, or of the inbox."""

    name: str
    media_type: str
    size: Annotated[int, Meta(description="In bytes.")]
    sha256: Annotated[str, Meta(description="The hash of its bytes, also in its event.")]
    resource_type: ResourceType | None
    resource_id: str | None
    resource_name: str | None
    created_by: str | None
    created_by_name: str | None
    can: Annotated[list[Action], Meta(description="Actions open to you now.")]

    @classmethod
    def of_many(cls, rows: Sequence[Attachment]) -> "list[AttachmentView]":
        """The files of a page; the records of each type are read once."""
        by_id = names_of(rows)
        return [cls.of(row, by_id.get(row.resource_id)) for row in rows]

    @classmethod
    def of(cls, row: Attachment, record: Named | None) -> "AttachmentView":
        """The view of a file of a record with that name."""
        return show(cls, row, resource_name=record and record.name, can=_actions(row, record))

    @classmethod
    def of_one(cls, row: Attachment) -> "AttachmentView":
        """The view of a single file."""
        return cls.of_many([row])[0]


class AddedAttachmentView(AttachmentView):
    """A file that has just been added."""

    warnings: Annotated[list[str], Meta(description="The records that already have the same file.")]

    @classmethod
    def of_added(cls, row: Attachment, warnings: Sequence[str]) -> "AddedAttachmentView":
        return cls(**msgspec.structs.asdict(AttachmentView.of_one(row)), warnings=list(warnings))


def names_of(rows: Sequence[Attachment]) -> dict[str | None, Named]:
    """The names of the records of files, by their ids."""
    ids: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.resource_type is not None and row.resource_id is not None:
            ids[row.resource_type].append(row.resource_id)
    return {id: record for type, of_type in ids.items() for id, record in records.named(type, of_type).items()}


def _actions(row: Attachment, record: Named | None) -> list[Action]:
    if not records.may_write(row):
        return []
    if row.resource_type is None:
        return ["bill", "delete", "file"]
    return [] if record is None or record.is_posted else ["delete"]
