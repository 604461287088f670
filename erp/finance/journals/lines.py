"""The lines of a manual journal entry: all of them are checked before one is refused."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import msgspec

from erp.finance.books import accounts, work
from erp.finance.books.accounts import AccountRef
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.finance.books.exchange_rates import rates
from erp.finance.books.ledger import Leg
from erp.finance.contacts import heads
from erp.finance.journals.bodies import NewJournalLine
from erp.kernel import money
from erp.kernel.complaints import Complaints, refuse_any, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.language import Noun, says
from erp.kernel.money import RATE_SCALE
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE


def legs(lines: Sequence[NewJournalLine], day: date, complaints: Complaints) -> list[Leg]:
    """The legs of the lines of a request.

    Args:
        day: the date of the entry, whose exchange rates apply by default.
        complaints: the complaints about the request so far.

    Raises:
        Invalid: with a complaint for every wrong line.
    """
    legs = read({f"lines[{i}]": line for i, line in enumerate(lines)}, day, complaints)
    complaints.refuse()
    return [*legs.values()]


def read(lines: Mapping[str, NewJournalLine], day: date, complaints: Complaints) -> dict[str, Leg]:
    """The legs of lines by their places in a request; a wrong line gives a complaint, and a leg not to be posted."""
    reader = _Reader(lines, day, workspace_settings.current().base_currency, complaints)
    return {path: reader.leg(path, line) for path, line in lines.items()}


def check(path: str, account: AccountRef, contact_id: str | None, currency: str | None, complaints: Complaints) -> None:
    """Complain of a line without the contact that its account needs, or in another currency than its account."""
    if account.needs_contact and contact_id is None:
        message = says("Account {code} needs a contact. Choose the customer or supplier.", code=account.code)
        complaints.add(f"{path}.contactId", "required", message)
    if account.currency not in (workspace_settings.current().base_currency, currency):
        message = says(
            "Account {code} is in {currency}. Enter the amount in that currency as well.",
            code=account.code,
            currency=account.currency,
        )
        complaints.add(f"{path}.currency", "wrong_currency", message)


_CONTACTS = "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?))"


class _Reader(msgspec.Struct):
    """Turns lines into legs, and complains of wrong ones."""

    lines: Mapping[str, NewJournalLine]
    day: date
    base: str
    complaints: Complaints
    accounts: dict[str, AccountRef] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        self._find_accounts()
        self._check_contacts()
        project_ids = {f"{path}.projectId": line.project_id for path, line in self.lines.items()}
        work.check_projects(project_ids, self.complaints)
        named = {f"{path}.dimensions": line.dimensions for path, line in self.lines.items()}
        assigning.check(named, self.complaints)

    def leg(self, path: str, line: NewJournalLine) -> Leg:
        """The leg of a line; for a wrong line, a leg that is never posted."""
        account = self.accounts.get(f"{path}.accountId")
        if account is not None:
            check(path, account, line.contact_id, line.currency, self.complaints)
        is_converted = line.foreign_debit is not None or line.foreign_credit is not None
        amount, foreign_amount = self._converted(path, line) if is_converted else self._both(path, line)
        return Leg(
            account_id=account.id if account else "",
            amount=amount,
            contact_id=line.contact_id and heads.of(line.contact_id),
            project_id=line.project_id,
            description=line.description or None,
            currency=line.currency,
            foreign_amount=foreign_amount,
            dimensions=stored(line.dimensions),
            path=path,
        )

    def _both(self, path: str, line: NewJournalLine) -> tuple[int, int | None]:
        """The value of a line, and its amount in a foreign currency if it has one."""
        sign = 1 if line.debit is not None else -1
        if line.exchange_rate is not None:
            message = says(
                "Clear the exchange rate, or enter the amount in the foreign currency instead of the base currency."
            )
            self.complaints.add(f"{path}.exchangeRate", "not_needed", message)
        foreign_amount = self._foreign_amount(path, line)
        return sign * self._amount(path, line), None if foreign_amount is None else sign * foreign_amount

    def _converted(self, path: str, line: NewJournalLine) -> tuple[int, int | None]:
        """The value of a line in a foreign currency alone, by its exchange rate, and its amount."""
        side = "foreignDebit" if line.foreign_debit is not None else "foreignCredit"
        beside = {"debit": line.debit, "credit": line.credit, "foreignAmount": line.foreign_amount}
        beside |= {"foreignCredit": line.foreign_credit} if side == "foreignDebit" else {}
        for field, value in beside.items():
            if value is not None:
                self.complaints.add(f"{path}.{field}", "one_side", says("Clear this field or {side}.", side=side))
        foreign = line.foreign_debit or line.foreign_credit
        if foreign is None or line.currency is None:
            self.complaints.add(f"{path}.currency", "required", says("Enter the currency of {side}.", side=side))
            return 0, None
        foreign_amount = self._in_minor_units(path, line.currency, foreign, side)
        rate = None if foreign_amount is None else self._rate(path, line.currency, line.exchange_rate)
        if foreign_amount is None or rate is None:
            return 0, None
        sign = 1 if side == "foreignDebit" else -1
        return sign * money.convert(foreign_amount, rate, line.currency, self.base), sign * foreign_amount

    def _rate(self, path: str, currency: str, exchange_rate: Decimal | None) -> int | None:
        rate = rates.latest(currency, self.day) if exchange_rate is None else money.scaled(exchange_rate, RATE_SCALE)
        if rate is None:
            self.complaints.add(f"{path}.exchangeRate", "required", rates.missing(currency, self.day))
        return rate

    def _amount(self, path: str, line: NewJournalLine) -> int:
        if line.debit is not None and line.credit is not None:
            message = says("A line is either a debit or a credit. Clear one of the two.")
            self.complaints.add(f"{path}.credit", "one_side", message)
            return 0
        if line.debit is not None:
            return self.complaints.minor(line.debit, self.base, f"{path}.debit")
        if line.credit is not None:
            return self.complaints.minor(line.credit, self.base, f"{path}.credit")
        self.complaints.add(f"{path}.debit", "required", says("A line needs a debit or a credit."))
        return 0

    def _foreign_amount(self, path: str, line: NewJournalLine) -> int | None:
        if line.currency is None and line.foreign_amount is None:
            return None
        if line.currency is None or line.foreign_amount is None:
            missing = "currency" if line.currency is None else "foreignAmount"
            self.complaints.add(
                f"{path}.{missing}", "required", says("Enter the currency and the amount in that currency together.")
            )
            return None
        return self._in_minor_units(path, line.currency, line.foreign_amount, "foreignAmount")

    def _in_minor_units(self, path: str, currency: str, amount: Decimal, field: str) -> int | None:
        if currency == self.base:
            message = says(
                "{currency} is the base currency. Clear the currency and {field}.", currency=currency, field=field
            )
            self.complaints.add(f"{path}.currency", "base_currency", message)
            return None
        if currency not in DIGITS:
            with self.complaints.gathered():
                raise Invalid([unknown_currency(f"{path}.currency")])
            return None
        return self.complaints.minor(amount, currency, f"{path}.{field}")

    def _find_accounts(self) -> None:
        names = {f"{path}.accountId": line.account_id for path, line in self.lines.items() if line.account_id}
        self.accounts, complaints = accounts.look_up(names)
        with self.complaints.gathered():
            refuse_any(complaints, Noun("account"))

    def _check_contacts(self) -> None:
        ids = {line.contact_id for line in self.lines.values() if line.contact_id is not None}
        contacts = {id for (id,) in WORKSPACE.rows(_CONTACTS, (sql.array(ids),))} if ids else set()
        for path, line in self.lines.items():
            if line.contact_id is not None and line.contact_id not in contacts:
                self.complaints.unknown(f"{path}.contactId", Noun("contact"))
