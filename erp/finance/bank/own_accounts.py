"""The accounts of the books that statements belong to, by their IBANs."""

from collections.abc import Sequence

from erp.finance.bank.bank_accounts import refer
from erp.finance.bank.formats.model import ReadStatement
from erp.finance.bank.models import BankFeed
from erp.finance.books import accounts, default_accounts
from erp.finance.books.accounts import AccountRef
from erp.kernel import ibans
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import Listed, says
from erp.store import workspace_settings


class SeveralAccounts(Refusal):
    """The file has statements of several accounts. Enter the IBAN first where it belongs: {ibans}."""

    status = 422


def of_statements(statements: Sequence[ReadStatement], account_id: str | None) -> list[AccountRef]:
    """The account of each statement: the given one, or, of several in a file, the one with its IBAN.

    Raises:
        SeveralAccounts: no account has the IBAN of one of them.
        Invalid: no account is given, and none has the IBAN.
    """
    given = None if account_id is None else refer(account_id, "accountId")
    named = {_name(statement): _with_iban(iban_of(statement)) for statement in statements}
    if len(named) > 1:
        unknown = [name for name, account in named.items() if account is None]
        if unknown:
            raise SeveralAccounts(field="file", ibans=Listed.of(unknown))
    elif given is not None:
        return [given for _ in statements]
    found = [account for statement in statements if (account := named[_name(statement)]) is not None]
    if len(found) < len(statements):
        raise account_needed()
    return found


def account_needed() -> Invalid:
    """The refusal of a file that does not tell its account."""
    return Invalid.one("accountId", "required", says("No account has the IBAN of this file. Choose its account."))


def check(statement: ReadStatement, account: AccountRef) -> None:
    """Refuse a statement in another currency, or of another account.

    Raises:
        Invalid: it is.
    """
    if statement.currency not in (None, account.currency):
        message = says(
            "The statement is in {other}, but account {code} is kept in {currency}.",
            other=statement.currency,
            code=account.code,
            currency=account.currency,
        )
        raise Invalid.one("file", "wrong_currency", message)
    iban = iban_of(statement)
    expected = _expected(account)
    if iban and expected and iban != expected:
        message = says(
            "The statement belongs to {iban}, but account {code} has the IBAN {expected}.",
            iban=iban,
            code=account.code,
            expected=expected,
        )
        raise Invalid.one("file", "wrong_account", message)
    if iban:
        check_free(iban, account)


def check_free(iban: str, account: AccountRef) -> None:
    """Refuse an IBAN that belongs to another account.

    Raises:
        Invalid: it does.
    """
    other = BankFeed.find_by(iban=iban)
    if other is not None and other.account_id != account.id:
        code = accounts.refer(other.account_id, "accountId", postable=False).code
        message = says("{iban} belongs to account {code}.", iban=iban, code=code)
        raise Invalid.one("accountId", "wrong_account", message)


def iban_of(statement: ReadStatement) -> str | None:
    """The IBAN of a statement; MT940 may have the currency behind it."""
    account = statement.account or ""
    return ibans.found(account) or ibans.found(account[:-3])


def _name(statement: ReadStatement) -> str:
    """A name for the account of a statement, which others in its file do not have."""
    return iban_of(statement) or statement.account or "-"


def _with_iban(iban: str | None) -> AccountRef | None:
    if iban is None:
        return None
    feed = BankFeed.find_by(iban=iban)
    if feed is not None:
        return refer(feed.account_id, "accountId")
    default = refer(default_accounts.of("bank"), "accountId")
    return default if _expected(default) == iban else None


def _expected(account: AccountRef) -> str | None:
    """The IBAN of the account; for the default bank account, the workspace's."""
    feed = BankFeed.find_by(account_id=account.id)
    if feed is not None and feed.iban:
        return str(feed.iban)
    is_default = account.id == default_accounts.of("bank")
    return workspace_settings.current().iban if is_default else None
