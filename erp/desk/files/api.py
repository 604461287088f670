"""Files of records and of the inbox over HTTP."""

from erp.attachments.media_types import SUFFIXES, NotAllowed, WronglyNamed
from erp.desk.files import bills, files, listing
from erp.desk.files.bodies import AttachmentFilter, BillOfFile, ContentQuery, Filing, NewAttachment
from erp.desk.files.files import FilesStay, JudgedFile, NotInInbox
from erp.desk.files.views import AddedAttachmentView, AttachmentView
from erp.finance.documents.bills import SupplierNumberTaken
from erp.finance.output.einvoice.xml import Unreadable
from erp.finance.output.incoming import ReadFile
from erp.finance.output.views import ReceivedBillView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.tasks.assignees import TaskOfOthers
from erp.web.endpoint import endpoint
from erp.web.inline import NotShown
from erp.web.schema import File, Page


class Collection:
    @endpoint(permission="workspace.read", refuses=(UnknownReference,))
    def on_get(self, query: AttachmentFilter) -> Page[AttachmentView]:
        """List the files of a record, of the inbox, or of all records that you may read, the newest first.

        The right to read a record includes its files; the inbox needs the right to read the books. An employee's files
        are for the employee and for people with the right to change employees, like phone and address.
        """
        return listing.search(query)

    @endpoint(
        permission="workspace.read",
        status=201,
        refuses=(UnknownReference, NotAllowed, WronglyNamed, TaskOfOthers, InvalidTransition),
        prepare=files.judge,
    )
    def on_post(self, body: NewAttachment, prepared: JudgedFile) -> AddedAttachmentView:
        """Add a file to a record, or to the inbox: PDF, PNG, JPEG or XML, up to 25 MiB.

        The right to change a record includes adding files. The type is detected from the content and must match the
        name. XML has at most 15 MiB (5 MiB where Python brings an expat before 2.6) and 200,000 elements. The bytes are
        stored once, however many records have them; `warnings` list the other records.
        """
        return AddedAttachmentView.of_added(*files.add(body, prepared))


class Item:
    @endpoint(permission="workspace.read")
    def on_get(self, id: str) -> AttachmentView:
        """Show the facts about a file.

        It shows the name, the size, the media type and the hash. The right to read it is the right to read its record.
        """
        return AttachmentView.of_one(files.find(id))

    @endpoint(permission="workspace.read", refuses=(FilesStay, TaskOfOthers, InvalidTransition))
    def on_delete(self, id: str) -> None:
        """Remove a file from the inbox or from a record.

        The files of posted invoices, bills, payments and journal entries stay. The bytes are deleted with the last
        record that has them; backups keep them until they are replaced.
        """
        files.remove(id)


class Content:
    @endpoint(permission="workspace.read", produces=tuple(SUFFIXES), refuses=(NotShown,))
    def on_get(self, id: str, query: ContentQuery) -> File:
        """Download a file as it was added; `X-Content-SHA256` is its hash.

        The right to download it is the right to read its record. With `inline`, a page may show it in a frame, unless
        it is XML (`not_shown`).
        """
        return files.content(id, is_inline=query.inline)


class Record:
    @endpoint(permission="finance.write", refuses=(NotInInbox, UnknownReference, TaskOfOthers, InvalidTransition))
    def on_post(self, id: str, body: Filing) -> AttachmentView:
        """Attach an inbox file to a record.

        It leaves the inbox, and the record's list has it. You need the right to change that record (403).
        """
        return AttachmentView.of_one(files.file(id, body))


class Bill:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(NotInInbox, UnknownReference, SupplierNumberTaken, Unreadable),
        prepare=bills.read,
    )
    def on_post(self, id: str, body: BillOfFile, prepared: ReadFile | None) -> ReceivedBillView:
        """Draft a bill from a file of the inbox, and attach the file.

        An e-invoice is read with all its lines, as in `POST /finance/invoices/from-e-invoice`. For any other file, give
        the supplier and the amount: the draft has one line.
        """
        return ReceivedBillView.of_file(bills.draft(id, body, prepared), prepared)
