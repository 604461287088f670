"""The chart of accounts, filtered."""

from erp.finance.books.bodies import ChartFilter
from erp.finance.books.views import AccountView, chart, tree
from erp.web import several
from erp.web.paging import ids_of, updated_after


def search(query: ChartFilter) -> list[AccountView]:
    """The accounts that match, by code; nested in their groups if the query says so."""
    ids, after = query.ids and ids_of(query.ids), updated_after(query)
    accounts = [account for account in chart(query.date) if _matches(account, query)]
    accounts = [each for each in accounts if (not ids or each.id in ids) and (not after or each.updated_at > after)]
    return tree(accounts) if query.tree else accounts


def _matches(account: AccountView, query: ChartFilter) -> bool:
    return (
        several.fits(query.type, account.type)
        and several.fits(query.subtype, account.subtype)
        and query.is_archived == (account.archived_at is not None)
    )
