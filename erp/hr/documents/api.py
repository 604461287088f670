"""Documents of employees over HTTP."""

from erp.attachments.media_types import NotAllowed, WronglyNamed
from erp.hr.documents import documents, listing
from erp.hr.documents.bodies import DocumentChange, DocumentFilter, EmployeeDocumentFilter, NewDocument
from erp.hr.documents.documents import ContractStays, JudgedFile, NothingToRemind
from erp.hr.documents.views import EmployeeDocumentView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class All:
    @endpoint(permission="employees.read_own", refuses=(UnknownReference,))
    def on_get(self, query: DocumentFilter) -> Page[EmployeeDocumentView]:
        """List the documents of all employees, such as those that expire soon.

        Without the right to change employees, the list holds only your own with `visibility` `person`.
        """
        return listing.search(query)


class Collection:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str, query: EmployeeDocumentFilter) -> Page[EmployeeDocumentView]:
        """List the documents of an employee, the newest first.

        For people with the right to change employees; the employee sees those with `visibility` `person`.
        """
        return listing.of_employee(id, query)

    @endpoint(
        permission="employees.write",
        status=201,
        collection="/api/v1/hr/documents",
        refuses=(UnknownReference, NotAllowed, WronglyNamed, InvalidTransition),
        prepare=documents.judge,
    )
    def on_post(self, id: str, body: NewDocument, prepared: JudgedFile | None) -> EmployeeDocumentView:
        """Add a document to an employee, with its file: PDF, PNG, JPEG or XML, up to 25 MiB.

        From `remindDays` before `validUntil` on, the home page reminds people with the right to change employees, until
        another document replaces it (`replacesDocumentId`) or the reminder is ended. More files can be added with
        `resourceType` `employee_document`.
        """
        return EmployeeDocumentView.of(documents.add(id, body, prepared))


class Item:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> EmployeeDocumentView:
        """Show a document of an employee.

        For people with the right to change employees, and for the employee if `visibility` is `person`.
        """
        return EmployeeDocumentView.of(documents.find(id))

    @endpoint(permission="employees.write")
    def on_patch(self, id: str, body: DocumentChange) -> EmployeeDocumentView:
        """Change the facts about a document.

        Another `validUntil` begins a new reminder. Sick notes are always `hr`.
        """
        return EmployeeDocumentView.of(documents.change(id, body))

    @endpoint(permission="employees.write", refuses=(ContractStays, InUse))
    def on_delete(self, id: str) -> None:
        """Delete a document with its files.

        A contract, or a document that has replaced another one, cannot be deleted (409): archive it.
        """
        documents.remove(id)


class Done:
    @endpoint(permission="employees.write", refuses=(NothingToRemind,))
    def on_post(self, id: str) -> EmployeeDocumentView:
        """End the reminder of a document that needs no successor.

        It stays as it is. Refused (409) if it does not expire, was replaced, or its reminder has ended.
        """
        return EmployeeDocumentView.of(documents.end_reminder(id))


class Archive:
    @endpoint(permission="employees.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> EmployeeDocumentView:
        """Archive a document.

        It stays with its files, and reminds of nothing. One that is archived already is refused (409).
        """
        return EmployeeDocumentView.of(documents.archive(id))


class Unarchive:
    @endpoint(permission="employees.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> EmployeeDocumentView:
        """Unarchive a document.

        Its reminder counts again. One that is not archived is refused (409).
        """
        return EmployeeDocumentView.of(documents.unarchive(id))
