"""Posting a line to accounts: one journal entry, with the tax taken out of each part of the line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.bank.commands import REST, AccountPart, Match
from erp.finance.bank.models import BankLine
from erp.finance.books import accounts, default_accounts, periods
from erp.finance.books.accounts import AccountRef
from erp.finance.books.exchange_rates import rates
from erp.finance.books.ledger import Leg
from erp.finance.books.models import JournalEntry
from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.journals import journals
from erp.finance.journals import lines as journal_lines
from erp.finance.journals.journals import JournalCommand
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, Refusal, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.money import MICRO
from erp.store import workspace_settings


class DoesNotAddUp(Refusal):
    """The open items come to {difference} more than the transaction and its fee."""

    status = 422


class _Posting(NamedTuple):
    """An amount on an account, in the line's currency; `part` is what a request asks to post to it, tax aside."""

    account: AccountRef
    amount: int
    part: AccountPart | None = None


def post_rest(line: BankLine, account: AccountRef, rest: AccountPart, amount: int, said: Match) -> JournalEntry:
    """Post an entry of what the rest of a match leaves of a line, which has the sign of the line."""
    part = replace(rest, amount=abs(amount))
    return _post(line, amount, account, replace(said, parts=[part]))


def post(line: BankLine, account: AccountRef, said: Match) -> JournalEntry:
    """Post an entry to the accounts of a match.

    Raises:
        DoesNotAddUp: the parts come to more or less than the line.
    """
    missing = abs(line.amount) - sum(_gross(part, line) for part in said.parts)
    if missing:
        difference = money.shown(abs(missing), line.currency)
        message = says("The parts come to {difference} less than the transaction.", difference=difference)
        if missing < 0:
            message = says("The parts come to {difference} more than the transaction.", difference=difference)
        raise DoesNotAddUp(message, field="parts")
    return _post(line, line.amount, account, said)


def _post(line: BankLine, amount: int, account: AccountRef, said: Match) -> JournalEntry:
    text = said.description or line.text or line.party or says("Bank transaction of {day}", day=line.date)
    periods.check_not_ahead(line.date, "date")
    postings = [_Posting(account, amount)]
    for part in said.parts:
        postings += _of_part(line, part)
    return journals.post(JournalCommand(date=line.date, description=text[:200], legs=_legs(line, postings)))


def _gross(part: AccountPart, line: BankLine) -> int:
    return abs(line.amount) if part.amount is None else part.amount


def _of_part(line: BankLine, part: AccountPart) -> Iterator[_Posting]:
    """The net amount of a part, and the tax in it."""
    gross, sign = _gross(part, line), 1 if line.amount > 0 else -1
    named = _field(part, "accountId")
    target = accounts.refer(part.account_id, named)
    if target.id == line.account_id:
        message = says("The transaction is on account {code}. Choose another account.", code=target.code)
        raise Invalid.one(named, "unsuitable_account", message)
    of_rate = _field(part, "taxRateId")
    tax, tax_account = tax_in(gross, part.tax_rate_id, is_income=line.amount > 0, field=of_rate)
    own = tax if tax_account else 0
    yield _Posting(target, -sign * (gross - own), part)
    if tax_account and own:
        yield _Posting(accounts.refer(tax_account, of_rate), -sign * own)


def _field(part: AccountPart, name: str) -> str:
    """The path of a field of a part in the request, such as `restAccountId` for the rest."""
    return f"rest{name[0].upper()}{name[1:]}" if part.path == REST else f"{part.path}{name}"


def _legs(line: BankLine, postings: Sequence[_Posting]) -> list[Leg]:
    """The legs of an entry; in a foreign currency, each is converted at the day's rate, and the last evens them out."""
    base, complaints, legs = workspace_settings.current().base_currency, Complaints(), []
    is_foreign = line.currency != base
    rate = rates.latest(line.currency, line.date) if is_foreign else None
    for i, (account, amount, part) in enumerate(postings):
        path = (part.path.rstrip(".") if part else "") or f"lines[{i}]"
        contact = heads.of(part.contact_id) if part and part.contact_id else None
        journal_lines.check(path, account, contact, line.currency if is_foreign else None, complaints)
        if contact is not None and Contact.find_or_none(contact) is None:
            complaints.unknown(f"{path}.contactId", Noun("contact"))
        if is_foreign and rate is None:
            complaints.add(f"{path}.exchangeRate", "required", rates.missing(line.currency, line.date))
        leg = Leg(account.id, amount, contact)
        if rate is not None:
            worth = money.convert(amount, rate, line.currency, base)
            leg = Leg(account.id, worth, contact, currency=line.currency, foreign_amount=amount)
        legs.append(leg if part is None else _analysed(leg, part))
    complaints.refuse()
    legs[-1] = replace(legs[-1], amount=legs[-1].amount - sum(leg.amount for leg in legs))
    return legs


def _analysed(leg: Leg, part: AccountPart) -> Leg:
    """The leg with the project, the dimensions and the description of its part."""
    return replace(
        leg, project_id=part.project_id, dimensions=part.dimensions, description=part.description, path=part.path
    )


def check_rate(tax_rate_id: str | None, field: str = "taxRateId") -> TaxRate | None:
    """The tax rate that a rule or a line names: one of category S, or without tax."""
    if tax_rate_id is None:
        return None
    rate = TaxRate.find_or_none(tax_rate_id)
    if rate is None:
        raise UnknownReference(field, Noun("tax rate"))
    if rate.rate and rate.category != "S":
        message = says("{name} is reverse charge. Enter a bill instead.", name=rate.name)
        raise Invalid.one(field, "unsuitable", message)
    return rate


def tax_in(gross: int, tax_rate_id: str | None, *, is_income: bool, field: str = "taxRateId") -> tuple[int, str | None]:
    """The tax in an amount and its account: gross × percent ÷ (100 + percent), half away from zero."""
    rate = check_rate(tax_rate_id, field)
    if rate is None or not rate.rate:
        return 0, None
    own = rate.__data__["output_tax_account" if is_income else "input_tax_account"]
    usual = default_accounts.of("tax" if is_income else "input_tax")
    return money.divide(gross * rate.rate, 100 * MICRO + rate.rate), own or usual
