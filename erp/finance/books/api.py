"""The chart of accounts over HTTP."""

from erp.finance.books import accounts, importing, listing
from erp.finance.books.bodies import AccountChange, ChartFilter, NewAccount
from erp.finance.books.importing import AccountImport
from erp.finance.books.models import Account
from erp.finance.books.views import AccountView
from erp.kernel.errors import AlreadyExists, Conflict, InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ChartFilter) -> list[AccountView]:
        """List the whole chart of accounts with balances, sorted by code.

        The list is not paged. Archived accounts are left out; `isArchived=true` lists only them. `balance` is in the
        account's own currency, `baseBalance` in the base currency. Income and expense begin at zero in each fiscal
        year; the trial balance shows the result of earlier years. Both balances of a group are the sum, in the base
        currency, of all accounts below it, including those that the filter leaves out. With `tree=true`, an account
        whose group is left out is at the top level.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewAccount) -> AccountView:
        """Add an account to the chart.

        Its number must be free (409). The type decides the side on which its balance is positive, and on which report
        it stands.
        """
        return AccountView.of(accounts.add(body))


class Import:
    @endpoint(permission="finance.write", prepare=importing.read)
    def on_post(self, body: AccountImport, prepared: ReadRows[NewAccount]) -> ImportedView:
        """Add accounts to the chart from a spreadsheet, all or none.

        The headings are the fields of the body of a `POST` that adds one. A group comes before the accounts that name
        it by its code as `parentId`. Errors name the row (`rows[3].name`; the headings are row 1). `dryRun` only
        checks.

        With `source`, the file is the chart of accounts that Xero exports, as it is. Accounts whose codes are there
        already are left out, if they are of the same type.
        """
        return sheets.load(body, importing.new(body, prepared), accounts.add)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> AccountView:
        """Show an account with its balance.

        The balance covers every posting; of income and expense, the present fiscal year alone.
        """
        return AccountView.of(Account.find(id))

    @endpoint(permission="finance.write", refuses=(AlreadyExists, InUse, UnknownReference))
    def on_patch(self, id: str, body: AccountChange) -> AccountView:
        """Change an account.

        Once an account has postings, its type and currency are fixed, it cannot become a group, and its subtype
        cannot change to or from receivable or payable (`in_use`).
        """
        return AccountView.of(accounts.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete an unused account.

        Refused as `in_use` if a posting, document, tax rate or other account refers to it, or if it is a default
        account.
        """
        accounts.remove(id)


class Archive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> AccountView:
        """Archive an account, so that nothing more can be posted to it.

        Refused as `in_use` while it has a balance or accounts below it that are not archived, and while it is a
        default account or the account of a tax rate.
        """
        return AccountView.of(accounts.archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(Conflict, InvalidTransition))
    def on_post(self, id: str) -> AccountView:
        """Unarchive an account, so that it can be posted to again.

        An account below an archived group is refused (409), as is one that is not archived.
        """
        return AccountView.of(accounts.unarchive(id))
