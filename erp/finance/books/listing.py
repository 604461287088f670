"""The chart of accounts, filtered."""

from erp.finance.books.bodies import ChartFilter
from erp.finance.books.views import AccountView, chart, tree


def search(query: ChartFilter) -> list[AccountView]:
    """The accounts that match, by code; nested in their groups if the query says so."""
    accounts = [account for account in chart(query.date) if _matches(account, query)]
    return tree(accounts) if query.tree else accounts


def _matches(account: AccountView, query: ChartFilter) -> bool:
    return (
        query.type in (None, account.type)
        and query.subtype in (None, account.subtype)
        and query.is_archived == (account.archived_at is not None)
    )
