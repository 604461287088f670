"""Journal entries over HTTP."""

from erp.finance.books import ledger, open_items, periods, voids
from erp.finance.journals import importing, journals, listing, preview
from erp.finance.journals.bodies import JournalFilter, JournalReversal, NewJournalEntry, TypedJournalEntry
from erp.finance.journals.importing import ImportedEntriesView, JournalImport, Read
from erp.finance.journals.journals import NotReversible
from erp.finance.journals.views import JournalEntrySummary, JournalEntryView, JournalPreview
from erp.kernel.errors import UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_DATED = (periods.PeriodLocked, periods.DateInFuture)


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: JournalFilter) -> Page[JournalEntrySummary]:
        """List journal entries without their lines, the newest first.

        Entries of every kind: posted by hand, or by the document that `source` names (an invoice, a payment or a
        payroll run).
        """
        return listing.search(query)

    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(UnknownReference, ledger.UnbalancedEntry, *_DATED, ledger.AmountOutOfRange),
    )
    def on_post(self, body: NewJournalEntry) -> JournalEntryView:
        """Post a journal entry.

        Accounts are given by id or code. An entry is posted at once and never changed; to correct it, reverse it. A
        line to a receivable or payable account needs a contact. For an amount agreed in another currency, give it as
        `currency` and `foreignAmount` in addition to the amount in the base currency; it has the side of its line. Or
        give it as `foreignDebit` or `foreignCredit` without an amount in the base currency: each such line is converted
        by the exchange rate of the date, and rounded.
        """
        return JournalEntryView.of(journals.post(journals.read(body)))


class Typed:
    @endpoint(permission="finance.write", writes=False)
    def on_post(self, body: TypedJournalEntry) -> JournalPreview:
        """Compute the sums of an unsaved journal entry, without storing anything.

        Incomplete input is accepted. `details` of the entry and of each line list the complaints of a refusal.
        """
        return JournalPreview.of(preview.preview(body))


class Import:
    @endpoint(permission="finance.write", prepare=importing.read)
    def on_post(self, body: JournalImport, prepared: Read) -> ImportedEntriesView:
        """Post journal entries from a spreadsheet, all or none.

        Each row is a line with the headings `entry`, `date`, `text`, `accountId`, `debit` and `credit`, and others of
        `POST /finance/journals`. Consecutive rows with the same `entry` are one entry; the first has its date, text and
        reference. Errors name the row (`rows[3].debit`; the headings are row 1). `dryRun` only checks. Entries with the
        day, text and lines of one that is posted by hand already are left out, unless `onDuplicate` adds them.

        With `source`, the file is the export of transactions from GnuCash as it is. Its accounts are found by their
        names or codes, or as `accounts` maps them. Voided transactions are left out, and so are those that have been
        imported before, by the id that becomes the `reference`.
        """
        return importing.load(body, prepared)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> JournalEntryView:
        """Show a journal entry with its lines.

        `source` names the document that the entry was posted for, if it was not entered by hand. Entries are never
        changed, only reversed.
        """
        return JournalEntryView.of(journals.find(id))


class Reverse:
    @endpoint(
        permission="finance.write",
        refuses=(
            NotReversible,
            ledger.AlreadyReversed,
            ledger.ReversalStays,
            open_items.StillSettled,
            ledger.DatedTooEarly,
            *ledger.POSTING,
        ),
    )
    def on_post(self, id: str, body: JournalReversal) -> JournalEntryView:
        """Reverse a journal entry that was posted by hand.

        Posts the same lines with debit and credit exchanged, and returns that entry. Its description names the reversed
        entry and the reason. Its date cannot be before the entry's or in a locked period. To reverse the entry of an
        invoice, a payment or a payroll run, void or reverse that document.
        """
        return JournalEntryView.of(journals.reverse(id, voids.read(body)))
