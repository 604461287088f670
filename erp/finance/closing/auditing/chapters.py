"""Chapters that an office adds to its process description, with every wording that they have had."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta

from erp.finance.closing.auditing.models import ProcessChapter, ProcessWording
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import says
from erp.store import changes, events, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Day, Name
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, View, show

Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=20_000,
        description="Each line is a paragraph; one that begins with a dash is of a list.",
    ),
]
ValidFrom = Annotated[Day, Meta(description="The day from which the wording is in force; today when absent.")]


class NewProcessChapter(Body):
    """A chapter of the process description."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"title": "Petty cash", "text": "The cash is counted every Friday."}

    title: Name
    text: Text
    valid_from: ValidFrom | None = None


class ProcessChapterChange(Body):
    """A new wording of a chapter; the earlier ones are kept."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"text": "The cash is counted every evening."}

    title: Name | Unset = UNSET
    text: Text | Unset = UNSET
    valid_from: ValidFrom | Unset = UNSET


class ProcessChapterFilter(RecordQuery):
    """Filter for chapters."""

    is_archived: Annotated[bool, Meta(description="List only archived chapters.")] = False


class ProcessChapterView(RecordView):
    """A chapter in its newest wording."""

    created_by: str | None
    created_by_name: str | None
    title: str
    text: str
    valid_from: date
    archived_at: str | None

    @classmethod
    def of(cls, chapter: ProcessChapter) -> "ProcessChapterView":
        return show(cls, chapter)


class ProcessWordingView(View):
    """A wording of a chapter."""

    number: Annotated[int, Meta(description="Counted from 1 in each chapter.")]
    title: str
    text: str
    valid_from: date
    created_at: str
    created_by: str | None
    created_by_name: str | None

    @classmethod
    def of(cls, wording: ProcessWording) -> "ProcessWordingView":
        return show(cls, wording)


def add(body: NewProcessChapter) -> ProcessChapter:
    """Add a chapter."""
    day = body.valid_from or workspace_settings.today()
    chapter = ProcessChapter.add(title=body.title, text=body.text, valid_from=day)
    _keep(chapter, 1)
    events.write("process_chapter.created", "process_chapter", chapter.id, event_data(chapter))
    return chapter


def change(id: str, body: ProcessChapterChange) -> ProcessChapter:
    """Write a chapter again, from a day on.

    Raises:
        Invalid: the day is before the newest wording's.
    """
    chapter = ProcessChapter.find_to_change(id)
    sent = body.changes()
    if not changes.differing(chapter, sent):
        return chapter
    values = {"valid_from": workspace_settings.today(), **sent}
    if values["valid_from"] < chapter.valid_from:
        message = says("The present wording is in force from {day}.", day=chapter.valid_from)
        raise Invalid.one("validFrom", "too_early", message)
    chapter.change(**values)
    _keep(chapter, len(wordings(id)) + 1)
    events.write("process_chapter.updated", "process_chapter", id, event_data(chapter))
    return chapter


def archive(id: str) -> ProcessChapter:
    """Leave a chapter out of the descriptions of later fiscal years.

    Raises:
        InvalidTransition: it is archived.
    """
    return changes.archive(ProcessChapter.find_to_change(id), event_data)


def unarchive(id: str) -> ProcessChapter:
    """Take a chapter into the descriptions again.

    Raises:
        InvalidTransition: it is not archived.
    """
    return changes.unarchive(ProcessChapter.find_to_change(id), event_data)


def _keep(chapter: ProcessChapter, number: int) -> None:
    ProcessWording.create(
        chapter=chapter.id, number=number, title=chapter.title, text=chapter.text, valid_from=chapter.valid_from
    )


def event_data(chapter: ProcessChapter) -> dict[str, Any]:
    return {"title": chapter.title, "validFrom": chapter.valid_from.isoformat()}


def wordings(id: str) -> Sequence[ProcessWording]:
    """The wordings of a chapter, the newest first.

    Raises:
        NotFound: there is no such chapter.
    """
    return ProcessWording.fetch(_WORDINGS, ProcessChapter.find(id).id)


def in_force(first: date, last: date) -> list[list[ProcessWording]]:
    """The wordings of each chapter that were in force on some days, from the first to the last of each chapter."""
    chapters: dict[str, list[ProcessWording]] = {}
    for wording in ProcessWording.fetch(_UNTIL, str(first), str(last)):
        of_chapter = chapters.setdefault(str(wording.chapter), [])
        if of_chapter and (of_chapter[-1].valid_from == wording.valid_from or wording.valid_from <= first):
            of_chapter.pop()
        of_chapter.append(wording)
    return [*chapters.values()]


_WORDINGS = "SELECT * FROM process_wording WHERE chapter_id = ? ORDER BY number DESC"
_UNTIL = (
    "SELECT wording.* FROM process_wording AS wording JOIN process_chapter AS chapter ON chapter.id = chapter_id"
    " WHERE (archived_at IS NULL OR substr(archived_at, 1, 10) >= ?) AND wording.valid_from <= ?"
    " ORDER BY chapter_id, number"
)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ProcessChapterFilter) -> Page[ProcessChapterView]:
        """List the office's own chapters of the process description, in their order.

        Each is shown in its newest wording. Archived chapters are left out; `isArchived=true` lists only them.
        """
        select = ProcessChapter.select().where(ProcessChapter.archived_at.is_null(not query.is_archived))
        return page(select, query, ProcessChapterView.of, sort="createdAt")

    @endpoint(permission="finance.write", status=201)
    def on_post(self, body: NewProcessChapter) -> ProcessChapterView:
        """Add a chapter to the process description, such as on petty cash or on how documents are scanned.

        It comes after the chapters that the program writes, in the description of each fiscal year in which it is in
        force.
        """
        return ProcessChapterView.of(add(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ProcessChapterView:
        """Show a chapter of the office in its newest wording.

        `GET …/wordings` has the earlier ones.
        """
        return ProcessChapterView.of(ProcessChapter.find(id))

    @endpoint(permission="finance.write")
    def on_patch(self, id: str, body: ProcessChapterChange) -> ProcessChapterView:
        """Write a chapter again, from `validFrom` on, or from today.

        The earlier wordings are kept, and the descriptions of earlier fiscal years still have them.
        """
        return ProcessChapterView.of(change(id, body))


class Archive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProcessChapterView:
        """Archive a chapter: the descriptions of later fiscal years leave it out.

        The descriptions of this year and of earlier ones still have it.
        """
        return ProcessChapterView.of(archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProcessChapterView:
        """Unarchive a chapter, so that later descriptions have it again.

        One that is not archived is refused (409).
        """
        return ProcessChapterView.of(unarchive(id))


class Wordings:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> list[ProcessWordingView]:
        """List the wordings of a chapter, the newest first.

        A wording is in force until the day before the next one. None is ever changed or deleted.
        """
        return [ProcessWordingView.of(wording) for wording in wordings(id)]
