"""DATEV over HTTP."""

from erp.finance.closing.datev import contacts, receiving, stacks, views
from erp.finance.closing.datev.bodies import DatevRange, NewDatevStack, ReceivedBookings
from erp.finance.closing.datev.entries import AccountCodesCollide, TooManyBookings
from erp.finance.closing.datev.models import DatevStack
from erp.finance.closing.datev.personal import TooManyContacts
from erp.finance.closing.datev.reading import NotADatevFile
from erp.finance.closing.datev.receiving import JudgedFile, OwnStack
from erp.finance.closing.datev.settings import DatevNotSetUp
from erp.finance.closing.datev.stacks import NothingNew
from erp.finance.closing.datev.views import DatevChangeView, DatevStackView, ReceivedBookingsView
from erp.kernel.errors import Invalid
from erp.web.endpoint import endpoint
from erp.web.schema import File

_MAKING = (Invalid, DatevNotSetUp, TooManyBookings, TooManyContacts, AccountCodesCollide)


class Bookings:
    @endpoint(permission="finance.read", produces="text/csv; charset=windows-1252", refuses=_MAKING)
    def on_get(self, query: DatevRange) -> File:
        """Download all journal entries of some days for DATEV (EXTF, category 21), without marking them as sent.

        Each entry becomes bookings between two accounts, above zero, with `S` or `H` for the first. Automatic accounts
        of the chart (SKR 03, SKR 04) get the gross amount and no key; where DATEV would find another tax, and with
        other accounts, the net amount has key 40 and tax has its own booking. Contacts have their numbers for accounts,
        projects are cost centres, and amounts are in the base currency. Days that are all locked are final.
        """
        return stacks.look(query)


class Received:
    @endpoint(permission="finance.write", refuses=(*_MAKING, NotADatevFile, OwnStack), prepare=receiving.read)
    def on_post(self, body: ReceivedBookings, prepared: JudgedFile) -> ReceivedBookingsView:
        """Post the bookings of a file from the tax advisor (EXTF, category 21), all or none, at most 10,000.

        Each booking is a manual journal entry. The tax that automatic accounts and the keys 2, 3, 8 and 9 find in an
        amount is posted separately; key 40 stops that. Accounts from 10001 and 70001 on are the numbers of contacts.
        Errors name the row of the file (`rows[3]` is the first). A booking with the day, text, reference and sum of a
        manual entry is refused as already posted. None of it goes back in a later batch.
        """
        return ReceivedBookingsView.of(receiving.receive(body, prepared))


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self) -> list[DatevStackView]:
        """List the batches made for DATEV, the latest first.

        Those that were received from the tax advisor are in the list as well.
        """
        return views.stacks()

    @endpoint(permission="finance.write", status=201, refuses=(NothingNew, *_MAKING))
    def on_post(self, body: NewDatevStack) -> DatevStackView:
        """Put the journal entries of some days that are in no batch yet into a new one.

        The tax advisor gets every entry once; the file of the batch can be downloaded again at any time.
        """
        return DatevStackView.of(stacks.make(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> DatevStackView:
        """Show a batch.

        It shows the days, the number of entries and, of one from the tax advisor, the name of the file.
        """
        return DatevStackView.of(DatevStack.find(id))


class Download:
    @endpoint(permission="finance.read", produces="text/csv; charset=windows-1252", refuses=_MAKING)
    def on_get(self, id: str) -> File:
        """Download the entries of a batch for DATEV, as `/finance/datev/bookings` has them.

        The file is made again from the entries, and is the same each time. Entries that DATEV cannot take are named in
        a 422.
        """
        return stacks.file_of(id)


class Changes:
    @endpoint(permission="finance.read")
    def on_get(self) -> list[DatevChangeView]:
        """List the journal entries that were posted into the days of a batch after it was made, and are in none.

        The tax advisor lacks these. A new batch of those days takes them in.
        """
        return views.changes()


class Contacts:
    @endpoint(permission="finance.read", produces="text/csv; charset=windows-1252", refuses=(DatevNotSetUp,))
    def on_get(self) -> File:
        """Download the customers and suppliers whose entries are in a batch for DATEV (EXTF, category 16).

        The advisor and client numbers must be in the settings (409 `datev_not_set_up`).
        """
        return contacts.file()
