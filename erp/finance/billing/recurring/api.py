"""Recurring documents over HTTP."""

from erp.finance.billing.recurring import listing, making, templates
from erp.finance.billing.recurring.bodies import (
    NewRecurringDocument,
    OccurrenceFilter,
    RecurringDocumentChange,
    RecurringDocumentFilter,
)
from erp.finance.billing.recurring.models import RecurringDocument
from erp.finance.billing.recurring.views import OccurrenceView, RecurringDocumentView, RecurringRunView
from erp.finance.books.ledger import AccountClosed, AmountOutOfRange, UnbalancedEntry
from erp.finance.books.periods import PeriodLocked
from erp.finance.documents.allowed import NegativeTotal
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_DOCUMENT = (UnknownReference, UnbalancedEntry, NegativeTotal)


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: RecurringDocumentFilter) -> Page[RecurringDocumentView]:
        """List recurring documents by name.

        Paused and ended ones are in the list. Each shows its next date and the last failure.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=_DOCUMENT)
    def on_post(self, body: NewRecurringDocument) -> RecurringDocumentView:
        """Set up an invoice or a journal entry that recurs.

        It is checked as if it were made today. Its dates are counted from the first one: monthly from 31 January, it
        is made on 28 February, 31 March, 30 April. Each date is made once, within an hour of the beginning of its day;
        after the server was off, all missed documents are made, dated as they should have been. Documents that are
        due already are made then too, or at once by `/run`.

        A date in the locked period makes a draft dated today (a journal entry: an entry posted today), with a warning.
        The reason why a document cannot be made is shown as `failure`, and it is tried again every day.
        """
        return RecurringDocumentView.of(templates.add(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> RecurringDocumentView:
        """Show a recurring document.

        It shows the template, the rhythm, the next date, and `can`, the actions open to you now.
        """
        return RecurringDocumentView.of(RecurringDocument.find(id))

    @endpoint(permission="finance.write", refuses=_DOCUMENT)
    def on_patch(self, id: str, body: RecurringDocumentChange) -> RecurringDocumentView:
        """Change a recurring document.

        Documents already made stay; a new schedule begins after the last date that was made. An invoice or a journal
        entry is replaced as a whole.
        """
        return RecurringDocumentView.of(templates.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a recurring document that has made nothing yet.

        One that has made documents is refused (409 `in_use`); end or pause it instead.
        """
        templates.remove(id)


class Pause:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> RecurringDocumentView:
        """Pause a recurring document.

        Nothing is made until it is resumed. One that is not active is refused (409).
        """
        return RecurringDocumentView.of(templates.pause(id))


class Resume:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> RecurringDocumentView:
        """Resume a recurring document from today on; dates that passed during the pause are not made.

        One that is not paused is refused (409).
        """
        return RecurringDocumentView.of(templates.resume(id))


class Run:
    @endpoint(
        permission="finance.write",
        refuses=(InvalidTransition, *_DOCUMENT, PeriodLocked, AccountClosed, AmountOutOfRange),
    )
    def on_post(self, id: str) -> RecurringRunView:
        """Make all documents due now, or none; errors are the same as at the document's own endpoint.

        The answer lists what was made, which may be nothing. A paused one is refused (409).
        """
        return RecurringRunView(made=listing.run(id, making.make_due(id)))


class Occurrences:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: OccurrenceFilter) -> list[OccurrenceView]:
        """List the documents that a recurring document has made, and its next dates.

        The next dates are planned only: nothing is reserved for them. A warning says where a date would fail.
        """
        return listing.occurrences(id, query)
