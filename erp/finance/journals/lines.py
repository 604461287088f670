"""The lines of a journal entry posted by hand: how they are checked, all at once, and how they are shown."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from erp.finance.books import accounts, dimensions
from erp.finance.books.accounts import AccountRef
from erp.finance.books.ledger import Leg
from erp.kernel import currencies, money
from erp.kernel.complaints import Complaints, refuse_any, unknown_currency
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Currency, Id, Line, Money, PositiveAmount
from erp.web.schema import Body, View

NEEDS_CONTACT = ("receivable", "payable")


class NewJournalLine(Body):
    account_id: Id
    debit: PositiveAmount | None = None
    credit: PositiveAmount | None = None
    description: Line | None = None
    contact_id: Id | None = None
    project_id: Id | None = None
    currency: Currency | None = None
    foreign_amount: PositiveAmount | None = None


class JournalLineView(View):
    """One line of a journal entry: a debit or a credit."""

    account_id: str
    account_code: str
    account_name: str
    debit: Money | None
    credit: Money | None
    description: str | None
    contact_id: str | None
    project_id: str | None
    currency: str | None
    foreign_amount: Money | None


def of_entry(entry_id: str) -> list[JournalLineView]:
    """The lines of an entry, in the order in which they were given."""
    base = workspace_settings.current().base_currency
    return [_shown(row, base) for row in WORKSPACE.rows(_LINES, (entry_id,))]


def legs(lines: Sequence[NewJournalLine]) -> list[Leg]:
    """Turn the lines of a request into legs.

    Raises:
        Invalid: with a complaint for every line that is wrong.
    """
    check = _Check(lines, workspace_settings.current().base_currency)
    found = [check.leg(place, line) for place, line in enumerate(lines)]
    check.faults.refuse()
    return found


@dataclass(slots=True)
class _Check:
    """The lines under scrutiny, what they refer to, and what is wrong with them."""

    lines: Sequence[NewJournalLine]
    base: str
    faults: Complaints = field(default_factory=Complaints)
    accounts: dict[str, AccountRef] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._find_accounts()
        self._find_contacts()
        self._find_projects()

    def leg(self, place: int, line: NewJournalLine) -> Leg:
        """Make a leg of a line; of a wrong one some leg that is never posted."""
        path = f"lines[{place}]"
        account = self.accounts.get(f"{path}.accountId")
        if account is not None and account.subtype in NEEDS_CONTACT and line.contact_id is None:
            self.faults.add(f"{path}.contactId", "required", f"Account {account.code} needs to know whose it is.")
        sign = 1 if line.debit is not None else -1
        foreign = self._foreign(path, line, account)
        return Leg(
            account.id if account else "",
            sign * self._amount(path, line),
            line.contact_id,
            line.project_id,
            line.description or None,
            line.currency,
            None if foreign is None else sign * foreign,
        )

    def _amount(self, path: str, line: NewJournalLine) -> int:
        if line.debit is not None and line.credit is not None:
            self.faults.add(f"{path}.credit", "one_side", "A line is a debit or a credit, not both.")
            return 0
        if line.debit is not None:
            return self.faults.minor(line.debit, self.base, f"{path}.debit")
        if line.credit is not None:
            return self.faults.minor(line.credit, self.base, f"{path}.credit")
        self.faults.add(f"{path}.debit", "required", "A line has a debit or a credit.")
        return 0

    def _foreign(self, path: str, line: NewJournalLine, account: AccountRef | None) -> int | None:
        wanted = account.currency if account else self.base
        if wanted != self.base and line.currency != wanted:
            message = f"Account {account.code if account else ''} is kept in {wanted}; give the amount in it, too."
            self.faults.add(f"{path}.currency", "wrong_currency", message)
            return None
        if line.currency is None and line.foreign_amount is None:
            return None
        if line.currency is None or line.foreign_amount is None:
            missing = "currency" if line.currency is None else "foreignAmount"
            self.faults.add(f"{path}.{missing}", "required", "currency and foreignAmount come together.")
            return None
        return self._in(line.currency, line.foreign_amount, path)

    def _in(self, currency: str, amount: Decimal, path: str) -> int | None:
        if currency == self.base:
            self.faults.add(f"{path}.currency", "base_currency", f"{currency} is the currency of the books itself.")
            return None
        if currency not in currencies.DIGITS:
            self.faults.found.append(unknown_currency(f"{path}.currency"))
            return None
        return self.faults.minor(amount, currency, f"{path}.foreignAmount")

    def _find_accounts(self) -> None:
        wanted = {f"lines[{place}].accountId": line.account_id for place, line in enumerate(self.lines)}
        self.accounts, complaints = accounts.look_up(wanted)
        with self.faults.gathered():
            refuse_any(complaints, "account")

    def _find_contacts(self) -> None:
        named = [line.contact_id for line in self.lines if line.contact_id is not None]
        known = {id for (id,) in WORKSPACE.rows(_CONTACTS, (json.dumps(named),))} if named else set()
        for place, line in enumerate(self.lines):
            if line.contact_id is not None and line.contact_id not in known:
                self.faults.unknown(f"lines[{place}].contactId", "contact")

    def _find_projects(self) -> None:
        named = {f"lines[{place}].projectId": line.project_id for place, line in enumerate(self.lines)}
        dimensions.check_projects(named, self.faults)


_CONTACTS = "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?))"
_LINES = (
    "SELECT a.id, a.code, a.name, p.amount, p.description, p.contact_id, p.project_id, p.currency, p.foreign_amount"
    " FROM posting AS p JOIN account AS a ON a.id = p.account_id WHERE p.entry_id = ? ORDER BY p.line"
)


def _shown(row: Sequence[Any], base: str) -> JournalLineView:
    account_id, code, name, amount, description, contact_id, project_id, currency, foreign = row
    return JournalLineView(
        account_id=account_id,
        account_code=code,
        account_name=name,
        debit=money.text(amount, base) if amount > 0 else None,
        credit=money.text(-amount, base) if amount < 0 else None,
        description=description,
        contact_id=contact_id,
        project_id=project_id,
        currency=currency,
        foreign_amount=None if foreign is None else money.text(abs(foreign), currency),
    )
