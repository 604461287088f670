"""The accounts of the books that hold money, as requests name them."""

from erp.finance.books import accounts
from erp.finance.books.accounts import AccountRef
from erp.kernel.errors import NotFound, UnknownReference
from erp.kernel.language import says


def refer(name: str, field: str) -> AccountRef:
    """An account that holds money, in any currency."""
    return accounts.refer_money(name, field, accounts.refer(name, field).currency)


def of_path(id: str) -> AccountRef:
    """The account that an address names by its id or code.

    Raises:
        NotFound: there is none.
    """
    try:
        return refer(id, "id")
    except UnknownReference:
        raise NotFound(says("There is no such account.")) from None
