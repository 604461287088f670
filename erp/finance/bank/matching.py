"""Confirming what a line is, and taking that back: what is posted goes through payments and journals."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.bank import store
from erp.finance.bank.bodies import LineConfirmation, MatchUndo
from erp.finance.bank.models import BankCounterparty, BankLine, BankMatch
from erp.finance.bank.store import BookEntry, Item
from erp.finance.bank.suggestions import Finder, Suggestion
from erp.finance.books import accounts, ledger
from erp.finance.books.accounts import AccountRef
from erp.finance.contacts.models import TaxRate
from erp.finance.items import settlement
from erp.finance.journals import journals
from erp.finance.journals.bodies import JournalReversal, NewJournalEntry
from erp.finance.payments import payments, recording
from erp.finance.payments.bodies import NewPayment, PaymentVoid
from erp.finance.payments.models import Payment
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, InvalidTransition, UnknownReference
from erp.kernel.language import says
from erp.kernel.money import MICRO
from erp.store import events, workspace_settings
from erp.web import schema
from erp.web.scalars import Day

FIRST, LAST = date.min, date.max
Json = dict[str, Any]


class AlreadyMatched(InvalidTransition):
    """This line has been confirmed. Undo that first."""


class NothingSuggested(InvalidTransition):
    """Nothing in the books resembles this line. Say which items it pays, or the account that it is posted to."""


class NotMatched(InvalidTransition):
    """This line has not been confirmed."""


class Part(NamedTuple):
    """What is matched with a line, and what was posted for it."""

    entry_id: str
    amount: int
    made: str | None = None
    document_id: str | None = None


def confirm(id: str, body: LineConfirmation) -> BankLine:
    """Say what a line is; without a word, the first suggestion.

    Raises:
        AlreadyMatched: it has been said.
        NothingSuggested: there is no suggestion.
        Invalid: what is said does not come to the line's amount.
        PeriodLocked: what is to be posted is in the locked period.
    """
    line = BankLine.find_to_change(id)
    check_rate(body.tax_rate_id)
    matched = store.matches([id]).get(id, [])
    if any(row[-1] for row in matched):
        raise AlreadyMatched
    for row in matched:  # its entry has been reversed since
        _remove(str(row[0]))
    account = accounts.refer(line.account_id, "accountId")
    return _confirm(line, account, body, _suggested(line, account, body))


def _suggested(line: BankLine, account: AccountRef, body: LineConfirmation) -> Suggestion | None:
    if body.entries or body.items or body.account_id or body.contact_id:
        return None
    found = Finder(account, _lines_of(line)).of(line)
    if not found or found[0].because == "part":
        raise NothingSuggested
    return found[0]


def _lines_of(line: BankLine) -> list[BankLine]:
    query = f"SELECT * FROM bank_line WHERE account_id = ? AND date = ? AND id IN ({store.UNMATCHED}) ORDER BY id"
    return BankLine.fetch(query, line.account_id, line.date.isoformat())


def of_rule(line: BankLine, account: AccountRef, found: Suggestion) -> BankLine:
    """Confirm what an automatic rule says of a line."""
    return _confirm(line, account, LineConfirmation(), found)


def _confirm(line: BankLine, account: AccountRef, body: LineConfirmation, found: Suggestion | None) -> BankLine:
    caller.current().if_match = None  # the line's, and none of what is posted for it
    reason = "manual" if found is None else found.because
    said = body if found is None else schema.decode(confirmation(found, account.currency), LineConfirmation)
    _check_one_kind(said)
    if said.entries:
        parts = _entries(line, account, said)
    elif said.account_id:
        parts = _journal(line, account, said)
    else:
        parts = _payment(line, account, said)
    for part in parts:
        BankMatch.create(
            line=line.id,
            entry=part.entry_id,
            amount=part.amount,
            made=part.made,
            document_id=part.document_id,
            reason=reason,
        )
    _learn(line, parts)
    line.change()
    data = {"amount": money.text(line.amount, line.currency), "date": str(line.date), "because": reason}
    events.write("bank_line.matched", "bank_line", line.id, data)
    return line


def confirmation(found: Suggestion, currency: str) -> Json:
    """What to send to confirm a suggestion."""
    if found.rule is not None:
        plain = {"accountId": found.rule.account_id, "taxRateId": found.rule.tax_rate_id}
        return {name: value for name, value in (plain | {"description": found.rule.description}).items() if value}
    if found.entries:
        return {
            "entries": [
                {"entryId": part.entry.id, "amount": money.text(abs(part.amount), currency)} for part in found.entries
            ]
        }
    items: list[Json] = []
    for part in found.items:
        items.append({"itemId": part.item.id, "amount": money.text(part.amount, currency)})
        if part.discount:
            items[-1]["discountTaken"] = True
    return {"items": items} | ({"feeAmount": money.text(found.fee, currency)} if found.fee else {})


def _check_one_kind(body: LineConfirmation) -> None:
    kinds = [name for name in ("entries", "items", "account_id") if getattr(body, name)]
    if len(kinds) > 1 or (body.contact_id and "items" not in kinds and kinds):
        raise Invalid.one("entries", "exactly_one", "Send one of entries, items or a contactId, and accountId.")
    if body.fee_amount and (body.entries or body.account_id):
        raise Invalid.one("feeAmount", "not_applicable", "Only a payment has a fee.")


def _entries(line: BankLine, account: AccountRef, body: LineConfirmation) -> list[Part]:
    """The entries that a line is, or is a part of."""
    left = {entry.id: entry for entry in store.entries(account, FIRST, LAST)}
    complaints, parts, rest = Complaints(), [], line.amount
    for i, said in enumerate(body.entries):
        entry = left.pop(said.entry_id, None)
        if entry is None:
            complaints.unknown(f"entries[{i}].entryId", "unmatched entry of this account")
            continue
        amount = _share(entry, said.amount, rest, line, complaints, f"entries[{i}].amount")
        rest -= amount
        parts.append(Part(entry.id, amount))
    if rest and not complaints.items:
        message = says("{rest} of the line is left.", rest=money.shown(rest, line.currency))
        complaints.add("entries", "not_equal", message)
    complaints.refuse()
    return parts


def _share(entry: BookEntry, said: Any, rest: int, line: BankLine, complaints: Complaints, field: str) -> int:
    """How much of an entry is in a line."""
    sign = 1 if line.amount > 0 else -1
    most = entry.left * sign
    amount = min(most, abs(rest)) if said is None else complaints.minor(said, line.currency, field)
    if most <= 0 or amount > most:
        message = says("{number} has {left} left.", number=entry.number, left=money.shown(entry.left, line.currency))
        complaints.add(field, "too_large", message)
    return sign * amount


def _payment(line: BankLine, account: AccountRef, body: LineConfirmation) -> list[Part]:
    """A payment of the line's amount that settles the items."""
    fee = Complaints().minor(body.fee_amount, line.currency, "feeAmount") if body.fee_amount else 0
    amount = line.amount + fee if line.amount > 0 else -line.amount - fee
    known = {item.id: item for item in store.items(line.currency)}
    plain: Json = {
        "direction": "received" if line.amount > 0 else "made",
        "contactId": body.contact_id,
        "amount": money.text(amount, line.currency),
        "currency": line.currency,
        "date": line.date.isoformat(),
        "accountId": account.id,
        "reference": (body.description or line.text)[:200] or None,
        "feeAmount": money.text(fee, line.currency) if fee else None,
        **_settling(body, known),
    }
    if amount <= 0:
        raise Invalid.one("feeAmount", "too_large", "The fee is as large as the line.")
    payment = recording.record(schema.decode({name: value for name, value in plain.items() if value}, NewPayment))
    if payment.journal_entry_id is None:
        raise Invalid.one("items", "worth_nothing", "The line is worth nothing in the books' currency.")
    return [Part(payment.journal_entry_id, line.amount, "payment", payment.id)]


def _settling(body: LineConfirmation, known: dict[str, Item]) -> Json:
    """The items as the allocations of a payment, and what it settles that is no invoice."""
    complaints = Complaints()
    allocations: list[Json] = []
    settles: list[Json] = []
    for i, said in enumerate(body.items):
        item = known.get(said.item_id)
        if item is None:
            complaints.unknown(f"items[{i}].itemId", "open item")
            continue
        plain: Json = {"amount": str(said.amount), "discountTaken": said.discount_taken}
        plain |= {} if said.discount_amount is None else {"discountAmount": str(said.discount_amount)}
        if item.document_type == "invoice":
            allocations.append(plain | {"invoiceId": item.document_id})
        else:
            is_payment = item.document_type == "payment"
            settles.append(plain | ({"paymentId": item.document_id} if is_payment else {"itemId": item.id}))
    complaints.refuse()
    return {"allocations": allocations, "settles": settles}


def _journal(line: BankLine, account: AccountRef, body: LineConfirmation) -> list[Part]:
    """An entry by hand, with the tax that is in the amount on its own line."""
    assert body.account_id is not None
    sides = {"debit": abs(line.amount)} if line.amount > 0 else {"credit": abs(line.amount)}
    against = "credit" if line.amount > 0 else "debit"
    target = accounts.refer(body.account_id, "accountId")
    tax, tax_account = _tax(line, body.tax_rate_id)
    legs = [(account.id, next(iter(sides)), abs(line.amount)), (target.id, against, abs(line.amount) - tax)]
    legs += [(tax_account, against, tax)] if tax_account and tax else []
    text = body.description or line.text or line.party or says("Bank line of {day}", day=line.date)
    plain = {
        "date": line.date.isoformat(),
        "description": text[:200],
        "lines": [_leg(line, *leg) | _of_contact(target, leg[0], body) for leg in legs],
    }
    entry = journals.post(schema.decode(plain, NewJournalEntry))
    return [Part(entry.id, line.amount, "journal_entry", entry.id)]


def _of_contact(target: AccountRef, account_id: str, body: LineConfirmation) -> Json:
    return {"contactId": body.contact_id} if body.contact_id and account_id == target.id else {}


def _leg(line: BankLine, account_id: str, side: str, amount: int) -> Json:
    """A line of the entry; in a foreign currency, it is converted at the day's rate."""
    text = money.text(amount, line.currency)
    if line.currency == workspace_settings.current().base_currency:
        return {"accountId": account_id, side: text}
    return {"accountId": account_id, "currency": line.currency, f"foreign{side.capitalize()}": text}


def check_rate(tax_rate_id: str | None) -> TaxRate | None:
    """The tax rate that a rule or a line names: one of category S, or without tax."""
    if tax_rate_id is None:
        return None
    rate = TaxRate.find_or_none(tax_rate_id)
    if rate is None:
        raise UnknownReference("taxRateId", "tax rate")
    if rate.rate and rate.category != "S":
        message = says("{name} is owed by the buyer. Enter a bill instead.", name=rate.name)
        raise Invalid.one("taxRateId", "unsuitable", message)
    return rate


def _tax(line: BankLine, tax_rate_id: str | None) -> tuple[int, str | None]:
    """The tax in a line and its account: gross × percent ÷ (100 + percent), half away from zero."""
    rate = check_rate(tax_rate_id)
    if rate is None or not rate.rate:
        return 0, None
    own = rate.__data__["output_tax_account" if line.amount > 0 else "input_tax_account"]
    usual = ledger.default_account("tax" if line.amount > 0 else "input_tax")
    return money.divide(abs(line.amount) * rate.rate, 100 * MICRO + rate.rate), own or usual


def _learn(line: BankLine, parts: Sequence[Part]) -> None:
    """Remember whose IBAN it was, where all of the line is of one contact."""
    if line.iban is None:
        return
    contact_ids = store.payers(part.entry_id for part in parts)
    if len(contact_ids) == 1:
        (contact_id,) = contact_ids
        if BankCounterparty.find_by(iban=line.iban, contact_id=contact_id) is None:
            BankCounterparty.add(iban=line.iban, contact=contact_id)


def undo(id: str, body: MatchUndo) -> BankLine:
    """Take back what a line was said to be; what was posted for it is voided or reversed.

    Raises:
        NotMatched: nothing was said.
        PeriodLocked: the day is in the locked period.
    """
    line = BankLine.find_to_change(id)
    caller.current().if_match = None
    matched = store.matches([id]).get(id, [])
    if not matched:
        raise NotMatched
    for match_id, entry_id, _, _, _, _, made, document_id, _, is_live in matched:
        _remove(match_id)
        if is_live and made == "payment":
            _void(document_id, body)
        elif is_live and made == "journal_entry":
            day = body.date or line.date
            reversal = JournalReversal(date=day, reason=body.reason, allow_future=body.allow_future)
            journals.reverse(entry_id, reversal)
    line.change()
    data = {"amount": money.text(line.amount, line.currency), "date": str(line.date), "reason": body.reason}
    events.write("bank_line.unmatched", "bank_line", id, data)
    return line


def _remove(match_id: str) -> None:
    match = BankMatch.find_by(id=match_id)
    if match is not None:
        match.delete_instance()


def _void(payment_id: str, body: MatchUndo) -> None:
    """Void a payment on its own day or, if it settled something later, on that day."""
    payment = Payment.find(payment_id)
    day = body.date or Day.read(settlement.last_day(payment.id, payment.date).isoformat())
    payments.void(payment_id, PaymentVoid(date=day, reason=body.reason, allow_future=body.allow_future))
