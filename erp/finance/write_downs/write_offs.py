"""Write-offs of documents: uncollectable amounts, small differences and doubtful ones, and later recoveries."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from msgspec.structs import replace

from erp.finance.books import default_accounts, ledger, open_items, periods
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.finance.books.ledger import DatedTooEarly, Entry, ItemTerms, Leg
from erp.finance.books.models import Allocation, OpenItem, SourceType
from erp.finance.books.voids import Correction
from erp.finance.documents import standing, store
from erp.finance.documents.models import DEMANDING, Deduction, Invoice
from erp.finance.documents.standing import Standing, Taken
from erp.finance.documents.store import FullInvoice
from erp.finance.items import settlement
from erp.finance.write_downs import basis as bases
from erp.finance.write_downs import deductions, posting, subjects
from erp.finance.write_downs.bodies import Category, WriteOff
from erp.finance.write_downs.deductions import Wanted
from erp.finance.write_downs.parts import Part
from erp.finance.write_downs.posting import Amount
from erp.finance.write_downs.subjects import Subject
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, InvalidTransition
from erp.kernel.language import Digits, says
from erp.kernel.money import divide, spread
from erp.store import events, workspace_settings
from erp.store.records import new_id


class WriteOffCommand(NamedTuple):
    """An amount to write off, in minor units of the item's currency; without one, all that is due."""

    category: Category
    reason: str
    amount: int | None = None
    day: date | None = None
    corrects_tax: bool | None = None
    dimensions: str | None = None


def read(body: WriteOff, currency: str) -> WriteOffCommand:
    """The write-off that a request asks for.

    Raises:
        Invalid: the currency cannot express the amount, the day is far ahead, or a dimension is unknown or archived.
    """
    complaints = Complaints()
    assigning.check({"dimensions": body.dimensions}, complaints)
    amount = None if body.amount is None else complaints.minor(body.amount, currency, "amount")
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    complaints.refuse()
    return WriteOffCommand(body.category, body.reason, amount, body.date, body.correct_tax, stored(body.dimensions))


def write_off(id: str, command: WriteOffCommand) -> FullInvoice:
    """Write off the amount due on an invoice or a bill, or a part of it; or move it to doubtful receivables.

    Raises:
        InvalidTransition: it is not an issued invoice or bill, nothing is due on it, or it is already doubtful.
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before the document's, or before something of it was released.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    document = standing.of(invoice)
    check_writable(document)
    if command.category == "doubtful" and document.is_doubtful:
        raise InvalidTransition(says("{number} is already doubtful.", number=invoice.number))
    deduction, entries = take(subjects.of_invoice(invoice), command)
    if command.category == "doubtful":
        invoice.change()
    data = {"number": invoice.number, **deductions.event_data(deduction), "reason": command.reason}
    events.write("invoice.written_off", "invoice", id, data, entries=entries)
    return store.full(Invoice.find(id))


def take(subject: Subject, command: WriteOffCommand) -> tuple[Deduction, list[Entry]]:
    """Write off the requested part of the amount due, or move it; the caller logs the event.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before the item's, or before something of it was released.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    amount = _amount(subject, command, complaints)
    complaints.refuse()
    day = _day(subject.item, command.day)
    wanted = Wanted(
        command.category,
        amount,
        day,
        command.reason,
        corrects_tax=_corrects_tax(command),
        dimensions=command.dimensions,
    )
    return (_move if command.category == "doubtful" else deductions.make)(subject, wanted)


def undo(id: str, correction: Correction) -> FullInvoice:
    """Reverse the last write-off of a document; its amount is due again.

    Raises:
        InvalidTransition: it has not been written off.
        InUse: a part of it has been received since.
        DatedTooEarly: the day is before the write-off, or before a release on the doubtful item.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    check_undoable(standing.of(invoice))
    deduction = last_of(standing.deductions_of(id))
    day, entries = take_back(deduction, correction)
    if deduction.kind == "doubtful":
        invoice.change()
    data: dict[str, Any] = deductions.event_data(deduction) | {"date": day.isoformat(), "reason": correction.reason}
    events.write("invoice.write_off_undone", "invoice", id, {"number": invoice.number} | data, entries=entries)
    return store.full(Invoice.find(id))


def take_back(deduction: Deduction, correction: Correction) -> tuple[date, list[Entry]]:
    """Reverse a write-off; returns the day and the entries.

    Raises:
        DatedTooEarly: the day is before the write-off, or before a release on the doubtful item.
        PeriodLocked: the day is in the locked period.
    """
    first = _first_day(deduction)
    day = correction.day or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(says("The reversal cannot be dated before {first}.", first=first), field="date")
    undo = _move_back if deduction.kind == "doubtful" else deductions.undo
    return day, undo(deduction, day, correction.reason)


_DEPOSIT = says("{number} is a deposit invoice and not income yet. Void it, or create the final invoice.")


def check_writable(invoice: Standing) -> None:
    """Refuse to write off anything but an issued invoice or bill with an amount due."""
    if invoice.status == "draft":
        raise InvalidTransition(says("A draft cannot be written off. Change or delete it instead."))
    if invoice.kind not in DEMANDING:
        raise InvalidTransition(
            says("{number} is a credit note. Only invoices and bills can be written off.", number=invoice.number)
        )
    if invoice.kind == "deposit_invoice":
        raise InvalidTransition(_DEPOSIT.fill(number=invoice.number))
    if invoice.status == "written_off":
        raise InvalidTransition(says("{number} has already been written off.", number=invoice.number))
    if not invoice.is_due:
        raise InvalidTransition(says("{number} has no amount due.", number=invoice.number))


def check_undoable(document: Standing) -> None:
    """Refuse to undo the last write-off of a document where there is none, or something came of it since."""
    if document.status == "draft":
        raise InvalidTransition(says("This draft has not been written off."))
    check_taken(document.deductions, document.number)


def check_taken(deductions: Sequence[Taken], number: str | None) -> None:
    """Refuse to undo the last write-off among the deductions that stand of a document or an item.

    Raises:
        InvalidTransition: there is none.
        InUse: something of it has been recovered, or settled where it is doubtful.
    """
    written = [taken for taken in deductions if taken.payment is None and taken.kind != "cash_discount"]
    if not written:
        raise InvalidTransition(says("{number} has not been written off.", number=number))
    if recovered := [taken for taken in deductions if taken.kind == "recovery"]:
        raise InUse(
            says(
                "{number} is a recovery of {text} on {invoice_number}. Void the payment first.",
                number=recovered[-1].payment,
                text=money.shown(recovered[-1].amount, recovered[-1].currency),
                invoice_number=number,
            )
        )
    if written[-1].is_settled:
        raise InUse(
            says("{number} has allocations made since it became doubtful. Remove the allocations first.", number=number)
        )


def last_of(deductions: Sequence[Deduction]) -> Deduction:
    """The last write-off that stands."""
    standing = [deduction for deduction in deductions if deduction.undone_on is None]
    return [one for one in standing if one.payment_id is None and one.kind != "cash_discount"][-1]


def _amount(subject: Subject, command: WriteOffCommand, complaints: Complaints) -> int:
    """The amount to write off, in minor units."""
    amount = subject.due if command.amount is None else command.amount
    if amount > subject.due:
        text = money.shown(subject.due, subject.item.currency)
        complaints.add(
            "amount",
            "too_large",
            says("Open on {number}: {text}. Write off at most that amount.", number=subject.number, text=text),
        )
    elif command.category == "small_difference":
        check_small(subject.item, amount, "amount", complaints)
    elif command.category == "doubtful":
        _check_doubtful(subject, amount, command, complaints)
    return amount


def check_small(item: OpenItem, amount: int, field: str, complaints: Complaints) -> None:
    """Complain of a difference that is larger than the workspace calls small."""
    settings = workspace_settings.current()
    worth = settlement.base_of(item, min(amount, settlement.remaining(item)))
    if worth > settings.small_difference_limit:
        message = says(
            "{amount} exceeds the limit for small differences, {limit}.",
            amount=money.shown(worth, settings.base_currency),
            limit=Digits(money.text(settings.small_difference_limit, settings.base_currency)),
        )
        complaints.add(field, "too_large", message)


def _check_doubtful(subject: Subject, amount: int, command: WriteOffCommand, complaints: Complaints) -> None:
    if subject.is_purchase:
        complaints.add("category", "unsuitable", says("Only an invoice to a customer can be doubtful."))
    elif not subject.item.open_base:
        complaints.add(
            "category", "unsuitable", says("The amount rounds to 0.00 in the base currency; nothing can be posted.")
        )
    if amount != subject.due or amount != settlement.remaining(subject.item):
        complaints.add("amount", "not_needed", says("The whole amount due becomes doubtful. Clear the amount."))
    if command.corrects_tax:
        complaints.add(
            "correctTax",
            "not_needed",
            says("The tax is corrected only once the receivable is uncollectable. Clear the field."),
        )


def _corrects_tax(command: WriteOffCommand) -> bool:
    return command.category != "doubtful" and command.corrects_tax is not False


def _day(item: OpenItem, day: date | None) -> date:
    first = max(item.date, item.released_on or item.date)
    if day is not None and day < first:
        raise DatedTooEarly(
            says("{number} cannot be written off before {first}.", number=item.number, first=first), field="date"
        )
    latest: date = day or max(workspace_settings.today(), first)
    return latest


def _move(subject: Subject, wanted: Wanted) -> tuple[Deduction, list[Entry]]:
    """Move the amount due to a new open item on doubtful receivables."""
    item, id = subject.item, new_id()
    legs = [
        Leg(
            account_id,
            sign * item.open_base,
            item.contact_id,
            currency=item.currency if subject.is_foreign else None,
            foreign_amount=sign * item.open if subject.is_foreign else None,
            terms=_terms(subject),
        )
        for account_id, sign in ((item.account_id, -1), (default_accounts.of("doubtful_receivables"), 1))
    ]
    source: tuple[SourceType, str] = ("deduction", id) if subject.invoice is None else ("invoice", subject.id)
    entry = ledger.post(
        wanted.day,
        says("{number}, {name}, is doubtful", number=subject.number, name=subject.contact_name),
        legs,
        kind="doubtful",
        source=source,
        document_number=subject.number,
    )
    base = abs(item.open_base)
    open_items.link(entry.items[0], item, wanted.amount, (base, base), wanted.day)
    return deductions.insert(id, subject, wanted, base, (), entry=entry.id), [entry]


def _terms(subject: Subject) -> ItemTerms:
    """Terms of the moved open item; without a document, it keeps its own date, number and tax rate."""
    item = subject.item
    if subject.invoice is not None:
        return ItemTerms(due_date=item.due_date)
    return ItemTerms(item.due_date, item.document_date, item.number, item.tax_rate_id)


def _first_day(deduction: Deduction) -> date:
    """The first day on which a write-off can be undone; of a doubtful item, not before the last release on it."""
    moved = open_items.of_entry(str(deduction.journal_entry_id)) if deduction.kind == "doubtful" else []
    day: date = max([deduction.date, *(item.released_on for item in moved if item.released_on is not None)])
    return day


def _move_back(deduction: Deduction, day: date, reason: str | None) -> list[Entry]:
    deductions.mark_undone(deduction, day, reason)
    from_original, _ = open_items.of_entry(str(deduction.journal_entry_id))
    for allocation in Allocation.fetch(_LIVE_FROM, from_original.id):
        settlement.take_back(allocation, day)
    return [
        ledger.reverse(
            str(deduction.journal_entry_id), day, says("{number} is no longer doubtful", number=from_original.number)
        )
    ]


_LIVE_FROM = "SELECT * FROM allocation WHERE from_item_id = ? AND released_on IS NULL"


def recovery_legs(subject: Subject, amount: int, base: int, named: str | None) -> list[Leg]:
    """The legs of a recovery against the money; `base` is the amount in the base currency; both are unsigned.

    Args:
        named: the dimensions that the request names, as stored.
    """
    basis = bases.of(subject)
    parts = _recovery_parts(subject, amount)
    against = posting.legs_of(basis, parts, Amount(amount, base), "recovery", corrects_tax=True)
    signed = ledger.completed(posting.signed(basis, against, is_opposite=True), named, subjects.dimensions(subject))
    return [replace(leg, contact_id=subject.item.contact_id) for leg in signed]


def insert_recovery(subject: Subject, wanted: Wanted, base: int, entry_id: str | None) -> Deduction:
    """Store a recovery; recoveries never exceed the write-off."""
    return deductions.insert(new_id(), subject, wanted, base, _recovery_parts(subject, wanted.amount), entry=entry_id)


def _recovery_parts(subject: Subject, amount: int) -> list[Part]:
    """The parts of a recovery, in proportion to the write-off; the last recovery takes all that is left."""
    rates = _recoverable_parts(subject)
    if amount == sum(rate.amount for rate in rates):
        return rates
    amounts = spread(amount, [rate.amount for rate in rates])
    return [
        Part(rate.rate_id, part, divide(rate.tax * part, rate.amount))
        for rate, part in zip(rates, amounts, strict=True)
        if part
    ]


def _recoverable_parts(subject: Subject) -> list[Part]:
    """Written-off amount and corrected tax at each rate, less recoveries."""
    parts = standing.deducted_parts(subject.id, standing.RECOVERED)
    left = []
    for rate_id in dict.fromkeys(part.rate_id for part in parts):
        own = [(1 if part.kind == "uncollectable" else -1, part) for part in parts if part.rate_id == rate_id]
        amount = sum(sign * part.amount for sign, part in own)
        tax = sum(sign * part.tax for sign, part in own if part.corrects_tax)
        left.append(Part(rate_id, amount, tax))
    return [part for part in left if part.amount]
