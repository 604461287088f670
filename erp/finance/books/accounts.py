"""The chart of accounts: finding its accounts, and the rules of changing them."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from erp.finance.books import default_accounts, years
from erp.finance.books.bodies import AccountChange, NewAccount
from erp.finance.books.chart import CONTROL_SUBTYPES, SUBTYPES
from erp.finance.books.dimensions import assigning
from erp.finance.books.ledger import AccountClosed, closed_reason
from erp.finance.books.models import Account
from erp.kernel.complaints import refuse_any, unknown, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists, Complaint, Conflict, InUse, Invalid
from erp.kernel.language import Noun, Sentence, Word, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, sql, workspace_settings
from erp.store.router import WORKSPACE

MAX_LEVELS = 10
"""The deepest nesting of groups."""

MONEY_SUBTYPES = ("cash", "bank", "credit_card", "current_asset", "current_liability")
"""Subtypes of accounts that money can be paid into or out of."""


class AccountRef(msgspec.Struct, frozen=True):
    """An account that a request names by id or code: its columns that posting needs."""

    id: str
    code: str
    subtype: str
    currency: str

    @property
    def needs_contact(self) -> bool:
        """Whether its postings name a contact."""
        return self.subtype in CONTROL_SUBTYPES


_BY_ID_OR_CODE = (
    "SELECT id, code, subtype, currency, is_group, archived_at IS NOT NULL FROM account"
    " WHERE id IN (SELECT value FROM json_each(?)) OR code IN (SELECT value FROM json_each(?))"
)


def refer(name: str, field: str, *, postable: bool = True) -> AccountRef:
    """Find the account that a field names by id or by code.

    Args:
        postable: whether to refuse groups and archived accounts, because something will be posted to it.

    Raises:
        UnknownReference: there is no such account in this workspace.
        Invalid: nothing can be posted to it.
    """
    return refer_all({field: name}, postable=postable)[field]


def refer_money(name: str | None, field: str, currency: str) -> AccountRef:
    """Find the account that money in a currency is paid into or out of.

    Args:
        name: its id or code; without it, the default bank account.

    Raises:
        UnknownReference: there is no such account in this workspace.
        Invalid: it holds no money, or money in neither this nor the base currency.
    """
    account = refer(name or default_accounts.of("bank"), field)
    if account.subtype not in MONEY_SUBTYPES:
        message = says(
            "Account {code} is not a bank or cash account ({subtype}).",
            code=account.code,
            subtype=Word.of(account.subtype),
        )
        raise Invalid.one(field, "unsuitable_account", message)
    if account.currency not in (currency, workspace_settings.current().base_currency):
        raise Invalid.one(
            field,
            "wrong_currency",
            says("Account {code} is kept in {currency}.", code=account.code, currency=account.currency),
        )
    return account


def refer_all(names: Mapping[str, str], *, postable: bool = True) -> dict[str, AccountRef]:
    """Find the accounts that fields name by id or by code, in one query.

    Args:
        names: ids or codes by the field's path (`lines[0].accountId`).
        postable: whether to refuse groups and archived accounts, because something will be posted to them.

    Raises:
        UnknownReference: a single field names no account of this workspace.
        Invalid: several fields do, or nothing can be posted to the accounts they name.
    """
    accounts, complaints = look_up(names, postable=postable)
    refuse_any(complaints, Noun("account"))
    return accounts


def look_up(names: Mapping[str, str], *, postable: bool = True) -> tuple[dict[str, AccountRef], list[Complaint]]:
    """Find accounts as `refer_all` does, for a caller that adds complaints of its own."""
    array = sql.array(set(names.values()))
    accounts: dict[str, AccountRef] = {}
    closed: dict[str, Sentence] = {}
    for id, code, subtype, currency, is_group, is_archived in WORKSPACE.rows(_BY_ID_OR_CODE, (array, array)):
        accounts[id] = accounts[code] = AccountRef(id, code, subtype, currency)
        if postable and (is_group or is_archived):
            closed[id] = closed[code] = AccountClosed(code=code, reason=closed_reason(is_group)).message
    complaints = list(_complaints(names, accounts, closed))
    return {field: accounts[name] for field, name in names.items() if name in accounts}, complaints


def _complaints(
    names: Mapping[str, str], accounts: Mapping[str, AccountRef], closed: Mapping[str, Sentence]
) -> Iterator[Complaint]:
    for field, name in names.items():
        if name not in accounts:
            yield unknown(field, Noun("account"))
        elif name in closed:
            yield Complaint(field, AccountClosed.code, closed[name])


def add(new: NewAccount) -> Account:
    """Add an account.

    Raises:
        AlreadyExists: another account has the code.
        UnknownReference: the parent is not in this workspace.
        Invalid: the subtype, parent or currency does not fit.
    """
    values = _with_currency(assigning.as_columns(new.changes()))
    values |= _checked(None, values, values)
    account = Account.add(**values)
    events.write("account.created", "account", account.id, _event_data(account))
    return account


def change(id: str, body: AccountChange) -> Account:
    """Change an account.

    Raises:
        AlreadyExists: another account has the code.
        InUse: its postings, the accounts below it or its use as a default account do not allow the change.
        UnknownReference: the parent is not in this workspace.
        Invalid: the subtype, parent or currency does not fit.
    """
    account = Account.find_to_change(id)
    values = changes.differing(account, _with_currency(assigning.as_columns(body.changes())))
    result = {name: values.get(name, getattr(account, name)) for name in AccountChange.__struct_fields__}
    values = changes.differing(account, values | _checked(account, values, result))
    _refuse_unless_free(account, values)
    if values:
        data = {"code": account.code, "changes": changes.before_and_after(account, values)}
        account.change(**values)
        events.write("account.updated", "account", id, data)
    return account


def remove(id: str) -> None:
    """Delete an unused account.

    Raises:
        InUse: it has postings or accounts below it, or is the account of a tax rate, a document or a default.
    """
    account = Account.find_to_change(id)
    changes.delete(
        account,
        says("Account {code} is in use and cannot be deleted. Archive it instead.", code=account.code),
        _event_data,
    )


def archive(id: str) -> Account:
    """Archive an account, so that nothing more can be posted to it.

    Raises:
        InvalidTransition: it is already archived.
        InUse: it has a balance (income and expense: in the present fiscal year), or something would still post to it.
    """
    account = Account.find_to_change(id)
    for use, refusal in _PREVENT_ARCHIVING:
        if WORKSPACE.rows(use.query, (id,)):
            raise InUse(refusal.fill(code=account.code))
    if years.has_balance(account):
        raise InUse(says("Account {code} has a balance. Bring the balance to zero first.", code=account.code))
    return changes.archive(account, _event_data, says("Account {code} is already archived.", code=account.code))


def unarchive(id: str) -> Account:
    """Unarchive an account, so that it can be posted to again.

    Raises:
        InvalidTransition: it is not archived.
        Conflict: its group is.
    """
    account = Account.find_to_change(id)
    if account.parent_id is not None and Account.find(account.parent_id).archived_at is not None:
        raise Conflict(says("The account group is archived. Unarchive the group first."))
    return changes.unarchive(account, _event_data, says("Account {code} is not archived.", code=account.code))


class _Use(msgspec.Struct, frozen=True):
    """A use of an account: the query that finds it, and its name in a message."""

    query: str
    name: Word


_POSTINGS = _Use("SELECT 1 FROM posting WHERE account_id = ? LIMIT 1", Word("entries"))
_CHILDREN = _Use("SELECT 1 FROM account WHERE parent_id = ? LIMIT 1", Word("accounts below it"))
_OPEN_CHILDREN = _Use(
    "SELECT 1 FROM account WHERE parent_id = ? AND archived_at IS NULL LIMIT 1",
    Word("accounts below it"),
)
_DEFAULT = _Use("SELECT 1 FROM default_account WHERE account_id = ? LIMIT 1", Word("default account"))
_DEFAULT_BANK = _Use(
    "SELECT 1 FROM default_account WHERE account_id = ? AND key = 'bank'", Word("default account of payments")
)
_OF_LIVE_TAX_RATE = "SELECT 1 FROM tax_rate WHERE ? IN ({}) AND archived_at IS NULL LIMIT 1"
_TAX_RATE = _Use(_OF_LIVE_TAX_RATE.format("output_tax_account_id, input_tax_account_id"), Word("tax rate"))
_INCOME_OR_EXPENSE = _Use(
    _OF_LIVE_TAX_RATE.format(
        "income_account_id, expense_account_id, discounts_given_account_id, discounts_received_account_id"
    ),
    Word("tax rate"),
)
_PRODUCT = _Use(
    "SELECT 1 FROM product WHERE account_id = ?1 AND archived_at IS NULL"
    " UNION ALL SELECT 1 FROM product WHERE purchase_account_id = ?1 AND archived_at IS NULL LIMIT 1",
    Word("product"),
)
_ASSET = _Use(
    "SELECT 1 FROM asset WHERE account_id = ?1 UNION ALL SELECT 1 FROM depreciation WHERE account_id = ?1"
    " UNION ALL SELECT 1 FROM asset_account WHERE accumulated_account_id = ?1"
    " UNION ALL SELECT 1 FROM default_account WHERE account_id = ?1 AND key = 'accumulated_depreciation' LIMIT 1",
    Word("fixed assets"),
)
_LIVE_ASSET = _Use(
    "SELECT 1 FROM asset LEFT JOIN asset_account AS pair ON pair.account_id = asset.account_id"
    " WHERE asset.status <> 'disposed'"
    " AND ? IN (asset.account_id, pair.accumulated_account_id, pair.expense_account_id) LIMIT 1",
    Word("fixed assets"),
)
_BUDGET = _Use("SELECT 1 FROM budget_line WHERE account_id = ? LIMIT 1", Word("budget"))
_PREVENT_ARCHIVING = (
    (_DEFAULT, says("Account {code} is a default account. Choose another default account in the settings first.")),
    (_OPEN_CHILDREN, says("Account {code} has accounts below it. Archive those accounts first.")),
    (_TAX_RATE, says("Account {code} is used in a tax rate. Choose another account in the tax rate first.")),
    (_INCOME_OR_EXPENSE, says("Account {code} is used in a tax rate. Choose another account in the tax rate first.")),
    (_PRODUCT, says("Account {code} is used in a product. Choose another account in the product first.")),
    (_LIVE_ASSET, says("Fixed assets are depreciated on account {code}. Dispose of the assets first.")),
)
"""The uses that prevent an account from being archived, as a balance does, each with its refusal."""


def _refuse_unless_free(account: Account, values: Mapping[str, Any]) -> None:
    """Refuse changes that would give existing postings another meaning."""
    control = _control_fields(account, values)
    for use, fixed in (
        (_POSTINGS, {"type", "currency", "is_group"} | control),
        (_DEFAULT, {"type", "is_group"} | control),
        (_DEFAULT_BANK, set() if values.get("subtype") in ("bank", "cash") else {"subtype"}),
        (_TAX_RATE, {"is_group"} | control),
        (_INCOME_OR_EXPENSE, {"type", "currency", "is_group"}),
        (_PRODUCT, {"currency", "is_group"} | control),
        (_ASSET, {"type", "subtype", "is_group"}),
        (_BUDGET, {"type"}),
        (_CHILDREN, {"type", "is_group"}),
    ):
        refused = sorted(fixed & values.keys())
        if refused and WORKSPACE.rows(use.query, (account.id,)):
            fields = ", ".join(map(wire_name, refused))
            raise InUse(
                says(
                    "Account {code} is in use ({use}). These fields cannot be changed: {fields}.",
                    code=account.code,
                    use=use.name,
                    fields=fields,
                )
            )


def _control_fields(account: Account, values: Mapping[str, Any]) -> set[str]:
    """`subtype`, if it changes to or from one whose postings name a contact."""
    subtypes = {account.subtype, values.get("subtype", account.subtype)}
    return {"subtype"} if subtypes & set(CONTROL_SUBTYPES) else set()


def _event_data(account: Account) -> dict[str, Any]:
    return {"code": account.code, "name": account.name}


def _with_currency(values: dict[str, Any]) -> dict[str, Any]:
    if "currency" in values and values["currency"] is None:
        return values | {"currency": workspace_settings.current().base_currency}
    return values


def _checked(account: Account | None, values: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Check the values of a new or changed account; return the id of the named parent.

    Args:
        values: the values to write.
        result: all values of the account after that.
    """
    complaints = list(_misfits(result))
    parent_id = None
    if result["parent_id"] is not None:
        parents, unknown_parent = look_up({"parentId": result["parent_id"]}, postable=False)
        complaints += unknown_parent
        if not unknown_parent:
            parent_id = parents["parentId"].id
            complaints += _parent_misfits(Account.find(parent_id), account, result)
    refuse_any(complaints, Noun("account"))
    if "code" in values and Account.find_by(code=values["code"]):
        raise AlreadyExists(
            says("Account {code} already exists. Choose another code.", code=values["code"]), field="code"
        )
    return {"parent_id": parent_id}


def _misfits(result: Mapping[str, Any]) -> Iterator[Complaint]:
    if SUBTYPES[result["subtype"]] != result["type"]:
        fitting = ", ".join(subtype for subtype, type in SUBTYPES.items() if type == result["type"])
        yield Complaint(
            "subtype",
            "not_one_of",
            says("For type {type}, must be one of: {fitting}.", type=result["type"], fitting=fitting),
        )
    if result["currency"] not in DIGITS:
        yield unknown_currency("currency")


def _parent_misfits(parent: Account, account: Account | None, result: Mapping[str, Any]) -> Iterator[Complaint]:
    if not parent.is_group:
        yield Complaint(
            "parentId",
            "not_a_group",
            says("Account {code} is not an account group. Choose an account group.", code=parent.code),
        )
    elif parent.type != result["type"]:
        message = says(
            "Account group {code} has the account type {type}. Choose a group of the type {result_type}.",
            code=parent.code,
            type=parent.type,
            result_type=result["type"],
        )
        yield Complaint("parentId", "other_type", message)
    elif parent.archived_at is not None and (account is None or account.archived_at is None):
        yield Complaint(
            "parentId",
            "archived",
            says("Account group {code} is archived. Unarchive the group first.", code=parent.code),
        )
    elif _levels(account.id if account else "", parent.id) > MAX_LEVELS:
        message = says(
            "An account cannot be below itself, and groups nest at most {most} levels deep.", most=MAX_LEVELS
        )
        yield Complaint("parentId", "too_deep", message)


def _levels(id: str, parent_id: str) -> int:
    """The levels of the chart once the account is below that parent; above `MAX_LEVELS` for a circle."""
    parents = dict(WORKSPACE.rows("SELECT id, parent_id FROM account")) | {id: parent_id}
    return max(_depth(account_id, parents) for account_id in parents)


def _depth(id: str | None, parents: Mapping[str, str | None]) -> int:
    depth = 0
    while id is not None and depth <= MAX_LEVELS:
        id, depth = parents[id], depth + 1
    return depth
