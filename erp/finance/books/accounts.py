"""The chart of accounts: what its accounts are, how they are found, and the rules of changing them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta

from erp.finance.books.chart import SUBTYPES, AccountType
from erp.finance.books.models import Account
from erp.kernel.complaints import refuse_any, unknown, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists, Complaint, Conflict, InUse
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Currency, Id, Name, Note
from erp.web.schema import Body, Unset

if TYPE_CHECKING:
    Subtype = str
else:
    Subtype = Literal[tuple(SUBTYPES)]

Code = Annotated[
    str,
    msgspec.Meta(
        max_length=20, pattern=r"^[A-Za-z0-9.\-]+$", description="1 to 20 letters, digits, dots and dashes; unique."
    ),
]

MAX_LEVELS = 10
"""How deep groups may nest."""

AccountName = Annotated[str, Meta(min_length=1, max_length=64, description="An account's id or its code.")]

MONEY_ACCOUNTS = ("cash", "bank", "credit_card", "current_asset", "current_liability")
"""Subtypes of accounts that money comes in to or goes out of."""


class NewAccount(Body):
    """An account, or a group that adds up the accounts below it.

    The subtype has to be one of the type's. The parent is named by id or by code; it is a group of the same type.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {"code": "1020", "name": "Savings", "type": "asset", "subtype": "bank"}

    code: Code
    name: Name
    type: AccountType
    subtype: Subtype
    parent_id: Id | None = None
    is_group: bool = False
    currency: Currency | None = None
    description: Note | None = None


class AccountChange(Body):
    """Fields of an account to change; those left out stay, null clears (a currency of null is the base currency)."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Main bank account", "description": "With the bank next door."}

    code: Code | Unset = UNSET
    name: Name | Unset = UNSET
    type: AccountType | Unset = UNSET
    subtype: Subtype | Unset = UNSET
    parent_id: Id | Unset | None = UNSET
    is_group: bool | Unset = UNSET
    currency: Currency | Unset | None = UNSET
    description: Note | Unset | None = UNSET


@dataclass(frozen=True, slots=True)
class AccountRef:
    """An account that a request names, as far as posting to it needs to know it."""

    id: str
    code: str
    subtype: str
    currency: str


_NAMED = (
    "SELECT id, code, subtype, currency, is_group, archived_at IS NOT NULL FROM account"
    " WHERE id IN (SELECT value FROM json_each(?)) OR code IN (SELECT value FROM json_each(?))"
)


def refer(value: str, field: str, *, postable: bool = True) -> AccountRef:
    """Find the account that a field names by id or by code.

    Args:
        postable: whether something is to be posted to it, so that groups and archived accounts are refused.

    Raises:
        UnknownReference: there is none in this workspace.
        Invalid: nothing can be posted to it.
    """
    return refer_all({field: value}, postable=postable)[field]


def refer_all(values: Mapping[str, str], *, postable: bool = True) -> dict[str, AccountRef]:
    """Find the accounts that fields name by id or by code, in one query.

    Args:
        values: ids or codes by the field's path (`lines[0].accountId`).
        postable: whether something is to be posted to them, so that groups and archived accounts are refused.

    Raises:
        UnknownReference: one field names none of this workspace.
        Invalid: several fields do, or nothing can be posted to what they name.
    """
    found, complaints = look_up(values, postable=postable)
    refuse_any(complaints, "account")
    return found


def look_up(values: Mapping[str, str], *, postable: bool = True) -> tuple[dict[str, AccountRef], list[Complaint]]:
    """Find accounts as `refer_all` does, for a caller with complaints of its own to add."""
    names = json.dumps(list(set(values.values())))
    named: dict[str, tuple[AccountRef, str]] = {}
    for id, code, subtype, currency, is_group, is_archived in WORKSPACE.rows(_NAMED, (names, names)):
        closed = "a group" if is_group else "archived" if is_archived else ""
        named[id] = named[code] = AccountRef(id, code, subtype, currency), closed if postable else ""
    complaints = [fault for item in values.items() for fault in _faults(*item, named)]
    return {field: named[value][0] for field, value in values.items() if value in named}, complaints


def _faults(field: str, value: str, named: Mapping[str, tuple[AccountRef, str]]) -> list[Complaint]:
    if value not in named:
        return [unknown(field, "account")]
    account, closed = named[value]
    message = f"Nothing can be posted to account {account.code}: it is {closed}."
    return [Complaint(field, "account_closed", message)] if closed else []


def add(new: NewAccount) -> Account:
    """Add an account.

    Raises:
        AlreadyExists: another account has the code.
        UnknownReference: the parent is not in this workspace.
        Invalid: its subtype, parent or currency does not fit.
    """
    values = _with_currency(new.changes())
    values |= _checked(None, values, values)
    account = Account.add(**values)
    events.write("account.created", "account", account.id, {"code": account.code, "name": account.name})
    return account


def change(id: str, wanted: AccountChange) -> Account:
    """Change an account.

    Raises:
        AlreadyExists: another account has the code.
        InUse: postings, accounts below it, or the program's own use fix what is to be changed.
        UnknownReference: the parent is not in this workspace.
        Invalid: its subtype, parent or currency does not fit.
    """
    account = Account.find_to_change(id)
    values = changes.differing(account, _with_currency(wanted.changes()))
    whole = {name: values.get(name, getattr(account, name)) for name in AccountChange.__struct_fields__}
    values = changes.differing(account, values | _checked(account, values, whole))
    _check_free_to(account, values)
    if values:
        facts = {"code": account.code, "changes": changes.before_and_after(account, values)}
        account.change(**values)
        events.write("account.updated", "account", id, facts)
    return account


def remove(id: str) -> None:
    """Delete an account that nothing refers to.

    Raises:
        InUse: it has postings or accounts below it, or a tax rate, a document or the program posts to it.
    """
    account = Account.find_to_change(id)
    changes.delete(account, f"Account {account.code} is in use and has to stay; archive it when it is done with.")
    events.write("account.deleted", "account", id, {"code": account.code, "name": account.name})


def archive(id: str) -> None:
    """Archive an account, so that nothing more can be posted to it.

    Raises:
        InvalidTransition: it is archived already.
        InUse: it has a balance, or something would still post to it.
    """
    account = Account.find_to_change(id)
    for sql, reason in _STILL_NEEDED:
        if WORKSPACE.rows(sql, (id,)):
            raise InUse(f"Account {account.code} {reason}.")
    changes.archive(account, f"Account {account.code}", {"code": account.code, "name": account.name})


def unarchive(id: str) -> None:
    """Take an archived account back into use.

    Raises:
        InvalidTransition: it is not archived.
        Conflict: its group is.
    """
    account = Account.find_to_change(id)
    if account.parent_id is not None and Account.find(account.parent_id).archived_at is not None:
        raise Conflict("Its group is archived; take the group back into use first.")
    changes.unarchive(account, f"Account {account.code}", {"code": account.code, "name": account.name})


_HAS_POSTINGS = ("SELECT 1 FROM posting WHERE account_id = ? LIMIT 1", "has postings")
_HAS_CHILDREN = ("SELECT 1 FROM account WHERE parent_id = ? LIMIT 1", "has accounts below it")
_IS_DEFAULT = (
    "SELECT 1 FROM default_account WHERE account_id = ? LIMIT 1",
    "is one that the program posts to by itself",
)
_IS_DEFAULT_BANK = (
    "SELECT 1 FROM default_account WHERE account_id = ? AND key = 'bank'",
    "is where payments go that name no account",
)
_IS_OF_TAX_RATE = (
    "SELECT 1 FROM tax_rate WHERE ? IN (sales_account_id, purchase_account_id) AND archived_at IS NULL LIMIT 1",
    "is the account of a tax rate",
)
_STILL_NEEDED = (
    _IS_DEFAULT,
    (
        "SELECT 1 FROM balance WHERE account_id = ? GROUP BY account_id HAVING SUM(debit) <> SUM(credit)",
        "has a balance; bring it to zero first",
    ),
    (
        "SELECT 1 FROM account WHERE parent_id = ? AND archived_at IS NULL LIMIT 1",
        "has accounts below it that are not archived",
    ),
    _IS_OF_TAX_RATE,
)
"""What keeps an account from being archived: a query that finds it, and how it is said."""


def _check_free_to(account: Account, values: Mapping[str, Any]) -> None:
    """Refuse changes that would alter what stands in the books already."""
    for (sql, reason), fixed in (
        (_HAS_POSTINGS, {"type", "currency", "is_group"} | _of_contacts(account, values)),
        (_IS_DEFAULT, {"type", "is_group"} | _of_contacts(account, values)),
        (_IS_DEFAULT_BANK, set() if values.get("subtype") in ("bank", "cash") else {"subtype"}),
        (_IS_OF_TAX_RATE, {"is_group"} | _of_contacts(account, values)),
        (_HAS_CHILDREN, {"type", "is_group"}),
    ):
        wrong = sorted(fixed & values.keys())
        if wrong and WORKSPACE.rows(sql, (account.id,)):
            names = ", ".join(map(changes.wire_name, wrong))
            raise InUse(f"Account {account.code} {reason}: {names} cannot be changed.")


def _of_contacts(account: Account, values: Mapping[str, Any]) -> set[str]:
    """The subtype's name when it goes into or out of those whose postings bear a contact."""
    either = {"receivable", "payable"} & {account.subtype, values.get("subtype", account.subtype)}
    return {"subtype"} if either else set()


def _with_currency(values: dict[str, Any]) -> dict[str, Any]:
    if "currency" in values and values["currency"] is None:
        return values | {"currency": workspace_settings.current().base_currency}
    return values


def _checked(account: Account | None, values: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Check what is wanted; the parent's id, where it names one.

    Args:
        values: what is to be written.
        whole: all values as they will be.
    """
    complaints = list(_misfits(whole))
    parent_id = None
    if whole["parent_id"] is not None:
        found, unknown = look_up({"parentId": whole["parent_id"]}, postable=False)
        complaints += unknown
        if not unknown:
            parent_id = found["parentId"].id
            complaints += _parent_faults(Account.find(parent_id), account, whole)
    refuse_any(complaints, "account")
    if "code" in values and Account.select().where(Account.code == values["code"]).exists():
        raise AlreadyExists(f"There is an account {values['code']} already.", field="code")
    return {"parent_id": parent_id}


def _misfits(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    if SUBTYPES[whole["subtype"]] != whole["type"]:
        fitting = ", ".join(subtype for subtype, kind in SUBTYPES.items() if kind == whole["type"])
        yield Complaint("subtype", "not_one_of", f"For the type {whole['type']}, must be one of: {fitting}.")
    if whole["currency"] not in DIGITS:
        yield unknown_currency("currency")


def _parent_faults(parent: Account, account: Account | None, whole: Mapping[str, Any]) -> Iterator[Complaint]:
    if not parent.is_group:
        yield Complaint("parentId", "not_a_group", f"Account {parent.code} is not a group.")
    elif parent.type != whole["type"]:
        yield Complaint("parentId", "other_type", f"Account {parent.code} is of the type {parent.type}.")
    elif parent.archived_at is not None and (account is None or account.archived_at is None):
        yield Complaint("parentId", "archived", f"Account {parent.code} is archived.")
    elif _levels(account.id if account else "", parent.id) > MAX_LEVELS:
        message = f"An account cannot be below itself, nor groups nest more than {MAX_LEVELS} deep."
        yield Complaint("parentId", "too_deep", message)


def _levels(id: str, parent_id: str) -> int:
    """How many levels the chart will have when that account goes below that parent; a circle has no end of them."""
    parents = dict(WORKSPACE.rows("SELECT id, parent_id FROM account")) | {id: parent_id}
    return max(_depth(each, parents) for each in parents)


def _depth(id: str | None, parents: Mapping[str, str | None]) -> int:
    depth = 0
    while id is not None and depth <= MAX_LEVELS:
        id, depth = parents[id], depth + 1
    return depth
