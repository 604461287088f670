"""Matching bank lines, and unmatching them; postings go through payments and journals."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from erp.finance.bank import account_entries, commands, store
from erp.finance.bank.account_entries import DoesNotAddUp, check_rate, tax_in
from erp.finance.bank.bodies import LineConfirmation
from erp.finance.bank.commands import AccountPart, Match, MatchedEntry, PaidItem
from erp.finance.bank.models import BankCounterparty, BankLine, BankMatch, BankRule
from erp.finance.bank.store import BookEntry
from erp.finance.bank.suggestions import Finder, Suggestion
from erp.finance.books import accounts, periods
from erp.finance.books.accounts import AccountRef
from erp.finance.books.dimensions.codes import of_text
from erp.finance.books.exchange_rates.rates import read_rate
from erp.finance.books.models import OpenItem
from erp.finance.books.voids import Correction
from erp.finance.contacts import contacts, heads
from erp.finance.contacts.models import Contact
from erp.finance.items import settlement
from erp.finance.items.asked import Told
from erp.finance.journals import journals
from erp.finance.payments import allocations, payments, recording
from erp.finance.payments.allocations import RequestedAllocation
from erp.finance.payments.models import Payment
from erp.finance.payments.recording import FeeTerms, PaymentCommand
from erp.finance.write_downs.discounts import Taking
from erp.kernel import caller, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, Invalid, InvalidTransition, NotFound, UnknownReference
from erp.kernel.language import Listed, Noun, Sentence, says
from erp.store import events, names
from erp.store.router import WORKSPACE

Json = dict[str, Any]


class AlreadyMatched(InvalidTransition):
    """This bank transaction is already matched. Unmatch it first."""


class NothingSuggested(InvalidTransition):
    """No match found. Choose the open items that it pays, or an account."""


class NotMatched(InvalidTransition):
    """This bank transaction is not matched."""


class Part(NamedTuple):
    """A matched entry and its amount; `made` is set where the entry was posted for the line."""

    entry_id: str
    amount: int
    made: str | None = None
    document_id: str | None = None


def confirm(id: str, body: LineConfirmation) -> BankLine:
    """Match a line as the body says, else with the first suggestion.

    Raises:
        AlreadyMatched: it has a match.
        NothingSuggested: there is no suggestion.
        Invalid: the match does not add up to the line's amount.
        PeriodLocked: the entry to post is in the locked period.
    """
    line = BankLine.find_to_change(id)
    check_rate(body.tax_rate_id)
    check_rate(body.fee_tax_rate_id, "feeTaxRateId")
    check_unmatched(line)
    said = commands.read(body, line.currency)
    account = accounts.refer(line.account_id, "accountId")
    if said.rule_id is not None and BankRule.find_or_none(said.rule_id) is None:
        raise UnknownReference("ruleId", Noun("bank rule"))
    if said.entries or said.items or said.parts or said.contact_id:
        return match(line, account, said, "rule" if said.rule_id else "manual")
    return of_suggestion(line, account, _suggested(line, account))


def check_unmatched(line: BankLine) -> None:
    """Refuse a line that has a match; a match whose entry has been reversed is removed.

    Raises:
        AlreadyMatched: it has one.
    """
    matched = store.matches([line.id]).get(line.id, [])
    if any(row[-1] for row in matched):
        raise AlreadyMatched(_matched_by(line.id))
    for row in matched:
        _remove(str(row[0]))


def _matched_by(line_id: str) -> Sentence | None:
    """The refusal that names a colleague who was quicker; None for one's own match."""
    found = WORKSPACE.rows(_MATCHED, (line_id,))
    user_id = found[0][0] if found else caller.current().user_id
    if user_id == caller.current().user_id:
        return None
    return says("{name} has matched this bank transaction already.", name=names.of_user(user_id) or "?")


_MATCHED = (
    "SELECT json_extract(actor, '$.id') FROM event"
    " WHERE resource_type = 'bank_line' AND resource_id = ? AND type = 'bank_line.matched' ORDER BY seq DESC LIMIT 1"
)


def _suggested(line: BankLine, account: AccountRef) -> Suggestion:
    found = Finder(account, _lines_of(line)).of(line)
    if not found or found[0].because == "part":
        raise NothingSuggested
    return found[0]


def _lines_of(line: BankLine) -> list[BankLine]:
    query = f"SELECT * FROM bank_line WHERE account_id = ? AND date = ? AND id IN ({store.UNMATCHED}) ORDER BY id"
    return BankLine.fetch(query, line.account_id, line.date.isoformat())


def of_suggestion(line: BankLine, account: AccountRef, found: Suggestion) -> BankLine:
    """Match a line with its suggestion, as an automatic rule does."""
    said = Match(
        entries=[MatchedEntry(part.entry.id, abs(part.amount)) for part in found.entries],
        items=[PaidItem(part.item.id, part.amount, bool(part.discount)) for part in found.items],
        fee=found.fee,
        reminder_id=found.letter.id if found.letter else None,
    )
    if (rule := found.rule) is not None:
        said = Match(parts=[_of_rule(rule)], description=rule.description, rule_id=rule.id)
    return match(line, account, said, found.because)


def _of_rule(rule: BankRule) -> AccountPart:
    return AccountPart(
        account_id=rule.account_id,
        tax_rate_id=rule.tax_rate_id,
        project_id=rule.project_id,
        dimensions=rule.dimensions,
        contact_id=rule.contact_id,
    )


def match(line: BankLine, account: AccountRef, said: Match, reason: str) -> BankLine:
    """Match a line as a command says."""
    caller.current().if_match = None  # it is for the line, not for the records that are posted
    commands.check_one_kind(said, has_contact=bool(said.contact_id), has_fee=bool(said.fee))
    if said.reminder_id is not None:
        said = _with_charges(said)
    if said.entries:
        parts = _entries(line, account, said)
    elif said.parts:
        parts = _journal(line, account, said)
    else:
        parts = _payment(line, account, said)
    parts += _rest(line, account, said, line.amount - sum(part.amount for part in parts))
    for part in parts:
        BankMatch.create(
            line=line.id,
            entry=part.entry_id,
            amount=part.amount,
            made=part.made,
            document_id=part.document_id,
            reason=reason,
            rule_id=said.rule_id,
        )
    _learn(line, parts)
    line.change()
    data = {"amount": money.text(line.amount, line.currency), "date": str(line.date), "because": reason}
    events.write("bank_line.matched", "bank_line", line.id, data)
    return line


def _with_charges(said: Match) -> Match:
    """The match with the charges of a reminder, which are invoiced now."""
    assert said.reminder_id is not None
    if Told.charge is None:
        raise UnknownReference("reminderId", Noun("reminder"))
    try:
        id = Told.charge(said.reminder_id)
    except NotFound:
        raise UnknownReference("reminderId", Noun("reminder")) from None
    item = OpenItem.find_by(id=id)
    assert item is not None
    return replace(said, items=[*said.items, PaidItem(item.id, settlement.remaining(item))])


def confirmation(found: Suggestion, currency: str) -> Json:
    """The request body that accepts a suggestion."""
    if found.rule is not None:
        rule = found.rule
        plain: Json = {"ruleId": rule.id, "accountId": rule.account_id, "contactId": rule.contact_id}
        plain |= {"taxRateId": rule.tax_rate_id, "projectId": rule.project_id}
        plain |= {"dimensions": of_text(rule.dimensions), "description": rule.description}
        return {name: value for name, value in plain.items() if value}
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
    if found.letter is not None:
        return {"items": items, "reminderId": found.letter.id}
    return {"items": items} | ({"feeAmount": money.text(found.fee, currency)} if found.fee else {})


def _entries(line: BankLine, account: AccountRef, body: Match) -> list[Part]:
    """The parts of a match with existing entries."""
    left = {entry.id: entry for entry in store.entries(account, *store.ALWAYS)}
    complaints, parts, rest = Complaints(), [], line.amount
    for i, said in enumerate(body.entries):
        entry = left.pop(said.entry_id, None)
        if entry is None:
            complaints.unknown(f"entries[{i}].entryId", Noun("unmatched entry of this account"))
            continue
        amount = _share(entry, said.amount, rest, line, complaints, f"entries[{i}].amount")
        rest -= amount
        parts.append(Part(entry.id, amount))
    if rest and body.rest is None and not complaints.items:
        message = says("{rest} of the transaction is not matched.", rest=money.shown(rest, line.currency))
        complaints.add("entries", "not_equal", message)
    complaints.refuse()
    return parts


def _share(entry: BookEntry, said: int | None, rest: int, line: BankLine, complaints: Complaints, field: str) -> int:
    """The matched amount of an entry, with the sign of the line: as requested, else as much as is left of both."""
    sign = 1 if line.amount > 0 else -1
    most = entry.remaining * sign
    amount = min(most, abs(rest)) if said is None else said
    if most <= 0 or amount > most:
        message = says(
            "{number} has an open amount of {left}.",
            number=entry.number,
            left=money.shown(entry.remaining, line.currency),
        )
        complaints.add(field, "too_large", message)
    return sign * amount


def _payment(line: BankLine, account: AccountRef, body: Match) -> list[Part]:
    """Record a payment of the line's amount that settles the items."""
    periods.check_not_ahead(line.date, "date")
    amount = line.amount + body.fee if line.amount > 0 else -line.amount - body.fee
    whole, settles = amount, _settled(line, body)
    over = sum(item.amount for item in body.items) - amount
    if over > 0:
        raise DoesNotAddUp(difference=money.shown(over, line.currency), field="items")
    if body.rest is not None:
        amount += over
    if amount <= 0:
        raise Invalid.one("feeAmount", "too_large", says("The bank fee is as large as the transaction."))
    complaints = Complaints()
    currency, rate = read_rate(line.currency, None, complaints, day=line.date)
    complaints.refuse()
    payment = recording.record(
        PaymentCommand(
            direction="received" if line.amount > 0 else "made",
            contact=_contact(body, settles),
            account=accounts.refer_money(account.id, "accountId", currency),
            amount=amount,
            currency=currency,
            date=line.date,
            exchange_rate=rate,
            settles=settles,
            fee=body.fee,
            fee_terms=_fee_terms(body),
            reference=(body.description or line.text)[:200] or None,
        )
    )
    if payment.journal_entry_id is None:
        raise Invalid.one(
            "items", "worth_nothing", says("The amount rounds to 0.00 in the base currency; nothing can be posted.")
        )
    paid = line.amount - (whole - amount if line.amount > 0 else amount - whole)
    return [Part(payment.journal_entry_id, paid, "payment", payment.id)]


def _rest(line: BankLine, account: AccountRef, said: Match, left: int) -> list[Part]:
    """The entry of what items or entries leave of the line."""
    if said.rest is None:
        return []
    if not left:
        raise Invalid.one("restAccountId", "not_needed", says("Nothing is left of the transaction. Clear the account."))
    entry = account_entries.post_rest(line, account, said.rest, left, said)
    return [Part(entry.id, left, "journal_entry", entry.id)]


def _contact(body: Match, settles: Sequence[RequestedAllocation]) -> Contact:
    if body.contact_id is not None:
        return contacts.refer(body.contact_id, "contactId", archived=bool(settles))
    if not settles:
        raise Invalid.one("contactId", "required", says("Choose a contact or an invoice."))
    return Contact.find(heads.of(settles[0].document.contact_id))


def _settled(line: BankLine, body: Match) -> list[RequestedAllocation]:
    """The items as allocations of the payment, invoices first."""
    known = {item.id: item for item in store.items(line.currency)}
    complaints = Complaints()
    for i, said in enumerate(body.items):
        if said.item_id not in known:
            complaints.unknown(f"items[{i}].itemId", Noun("open item"))
    complaints.refuse()
    invoices = [said for said in body.items if known[said.item_id].document_type == "invoice"]
    others = [said for said in body.items if known[said.item_id].document_type != "invoice"]
    return [
        *(_requested(said, f"allocations[{i}].", "invoiceId") for i, said in enumerate(invoices)),
        *(
            _requested(said, f"settles[{i}].", _NAMES[known[said.item_id].document_type])
            for i, said in enumerate(others)
        ),
    ]


_NAMES = {"payment": "paymentId", "journal_entry": "itemId"}


def _requested(said: PaidItem, path: str, name: str) -> RequestedAllocation:
    document, item = allocations.of_item(said.item_id, f"{path}{name}")
    taking = Taking(path, said.discount_taken, said.discount, said.settles_rest)
    return RequestedAllocation(document, item, said.amount, f"{path}{name}", f"{path}amount", taking)


def _journal(line: BankLine, account: AccountRef, body: Match) -> list[Part]:
    entry = account_entries.post(line, account, body)
    return [Part(entry.id, line.amount, "journal_entry", entry.id)]


def _fee_terms(body: Match) -> FeeTerms:
    """Where the fee of a payment goes, with the tax in it."""
    tax, tax_account_id = tax_in(body.fee, body.fee_tax_rate_id, is_income=False, field="feeTaxRateId")
    return FeeTerms(tax, tax_account_id, body.project_id, body.dimensions)


def _learn(line: BankLine, parts: Sequence[Part]) -> None:
    """Store the line's IBAN for the contact, if all matched entries belong to one contact."""
    if line.iban is None:
        return
    contact_ids = store.payers(part.entry_id for part in parts)
    if len(contact_ids) == 1:
        (contact_id,) = contact_ids
        if BankCounterparty.find_by(iban=line.iban, contact_id=contact_id) is None:
            BankCounterparty.add(iban=line.iban, contact=contact_id)


def undo(id: str, correction: Correction) -> BankLine:
    """Unmatch a line; payments and entries that were posted for it are voided or reversed.

    Raises:
        NotMatched: it has no match.
        InUse: its payment was allocated to something else since.
        PeriodLocked: the day is in the locked period.
    """
    line = BankLine.find_to_change(id)
    caller.current().if_match = None
    matched = store.matches([id]).get(id, [])
    if not matched:
        raise NotMatched
    for match_id, entry_id, _, _, _, _, made, document_id, _, is_live in matched:
        if is_live and made == "payment":
            _check_unused(document_id, match_id)
        _remove(match_id)
        if is_live and made == "payment":
            _void(document_id, correction)
        elif is_live and made == "journal_entry":
            journals.reverse(entry_id, correction._replace(day=correction.day or line.date))
    line.change()
    data = {"amount": money.text(line.amount, line.currency), "date": str(line.date), "reason": correction.reason}
    events.write("bank_line.unmatched", "bank_line", id, data)
    return line


def _check_unused(payment_id: str, match_id: str) -> None:
    if numbers := store.allocated_since(payment_id, match_id):
        raise InUse(
            says("Its payment has been allocated to {numbers} since. Release that first.", numbers=Listed.of(numbers))
        )


def _remove(match_id: str) -> None:
    match = BankMatch.find_by(id=match_id)
    if match is not None:
        match.delete_instance()


def _void(payment_id: str, correction: Correction) -> None:
    """Void a payment on its own day or, if it settled something later, on that day."""
    payment = Payment.find(payment_id)
    day = correction.day or settlement.last_day(payment.id, payment.date)
    payments.void(payment_id, correction._replace(day=day))
