"""Writing documents off: what no one will pay, small differences, and what has become doubtful."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from erp.finance.books import ledger, open_items, periods
from erp.finance.books.ledger import DatedTooEarly, Entry, ItemTerms, Leg
from erp.finance.books.models import Allocation, OpenItem, SourceType
from erp.finance.documents import store
from erp.finance.documents.deducted import standing as deducted
from erp.finance.documents.deductions import deductions, subjects
from erp.finance.documents.deductions.bodies import WriteOff, WriteOffUndo
from erp.finance.documents.deductions.deductions import Wanted
from erp.finance.documents.deductions.subjects import Subject
from erp.finance.documents.models import Deduction, Invoice
from erp.finance.documents.overdue import DEMANDING
from erp.finance.documents.store import FullInvoice
from erp.finance.items import settlement
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InUse, InvalidTransition
from erp.kernel.language import Digits, says
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE


def write_off(id: str, body: WriteOff) -> FullInvoice:
    """Write off what is due on an invoice or a bill, or a part of it; or move it to doubtful receivables.

    Raises:
        InvalidTransition: it is no issued invoice or bill, or nothing is due on it, or it already is doubtful.
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before the document's, or before something of it was released.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    check_writable(invoice)
    if body.category == "doubtful" and deducted.is_doubtful(id):
        raise InvalidTransition(says("{number} already stands on doubtful receivables.", number=invoice.number))
    deduction, entries = take(subjects.of_invoice(invoice), body)
    if body.category == "doubtful":
        invoice.change()
    data = {"number": invoice.number, **deductions.event_data(deduction), "reason": body.reason}
    events.write("invoice.written_off", "invoice", id, data, entries=entries)
    return store.full(Invoice.find(id))


def take(subject: Subject, body: WriteOff) -> tuple[Deduction, list[Entry]]:
    """Write off what a request says of what is due, or move it; the caller logs the event.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        DatedTooEarly: the day is before the item's, or before something of it was released.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    amount = _amount(subject, body, complaints)
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    complaints.refuse()
    day = _day(subject.item, body.date)
    wanted = Wanted(body.category, amount, day, body.reason, corrects_tax=_corrects_tax(body))
    return (_move if body.category == "doubtful" else deductions.make)(subject, wanted)


def undo(id: str, body: WriteOffUndo) -> FullInvoice:
    """Take the last write-off of a document back: what it took is due again.

    Raises:
        InvalidTransition: it has not been written off.
        InUse: something of it has been received since.
        DatedTooEarly: the day is before the write-off, or before a release of what was moved.
        PeriodLocked: the day is in the locked period.
    """
    invoice = Invoice.find_to_change(id)
    deduction = check_undoable(invoice)
    day, entries = take_back(deduction, body)
    if deduction.kind == "doubtful":
        invoice.change()
    data: dict[str, Any] = deductions.event_data(deduction) | {"date": day.isoformat(), "reason": body.reason}
    events.write("invoice.write_off_undone", "invoice", id, {"number": invoice.number} | data, entries=entries)
    return store.full(Invoice.find(id))


def take_back(deduction: Deduction, body: WriteOffUndo) -> tuple[date, list[Entry]]:
    """Take a write-off back on the day that a request says; that day, and the entries.

    Raises:
        DatedTooEarly: the day is before the write-off, or before a release of what was moved.
        PeriodLocked: the day is in the locked period.
    """
    periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    first = _first_day(deduction)
    day = body.date or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(says("It cannot be undone before {first}.", first=first), field="date")
    undo = _move_back if deduction.kind == "doubtful" else deductions.undo
    return day, undo(deduction, day, body.reason)


_DEPOSIT = (
    "{number} is a deposit invoice, and no income yet. Void it instead, or make the final invoice, which closes what"
    " was not paid of it."
)


def check_writable(invoice: Invoice) -> None:
    """Refuse to write off what is no issued invoice or bill, or nothing is due on."""
    if invoice.status == "draft":
        raise InvalidTransition("A draft cannot be written off. Change or delete it instead.")
    if invoice.kind not in DEMANDING:
        raise InvalidTransition(
            says("{number} is a credit note. Only an invoice or a bill can be written off.", number=invoice.number)
        )
    if invoice.kind == "deposit_invoice":
        raise InvalidTransition(says(_DEPOSIT, number=invoice.number))
    if invoice.status == "written_off":
        raise InvalidTransition(says("{number} has already been written off.", number=invoice.number))
    if invoice.due <= 0:
        raise InvalidTransition(says("Nothing is due on {number}.", number=invoice.number))


def check_undoable(invoice: Invoice, deductions: Sequence[Deduction] | None = None) -> Deduction:
    """The last write-off of a document, if it can be undone.

    Args:
        deductions: its deductions, where they are known.
    """
    known = deducted.of_invoice(invoice.id) if deductions is None else deductions
    return last_of(known, invoice.number)


def last_of(known: Sequence[Deduction], number: str | None) -> Deduction:
    """The last write-off among the deductions of a document or an item, if it can be undone.

    Raises:
        InvalidTransition: there is none.
        InUse: something of it has been recovered, or settled where it is doubtful.
    """
    standing = [deduction for deduction in known if deduction.undone_on is None]
    written = [one for one in standing if one.payment_id is None and one.kind != "cash_discount"]
    if not written:
        if number is None:
            raise InvalidTransition("This draft has not been written off.")
        raise InvalidTransition(says("{number} has not been written off.", number=number))
    if recovered := [deduction for deduction in standing if deduction.kind == "recovery"]:
        ((payment,),) = WORKSPACE.rows("SELECT number FROM payment WHERE id = ?", (recovered[-1].payment_id,))
        text = money.shown(recovered[-1].amount, recovered[-1].currency)
        raise InUse(
            says(
                "{number} recovered {text} of {invoice_number}. Void that payment first.",
                number=payment,
                text=text,
                invoice_number=number,
            )
        )
    if written[-1].kind == "doubtful":
        _check_unsettled(number, written[-1])
    return written[-1]


def _check_unsettled(number: str | None, deduction: Deduction) -> None:
    _, moved = open_items.of_entry(str(deduction.journal_entry_id))
    if moved.open != moved.amount:
        message = says(
            "Something has been settled on {number} since it became doubtful. Release that first.", number=number
        )
        raise InUse(message)


def _amount(subject: Subject, body: WriteOff, complaints: Complaints) -> int:
    """The amount to write off, in minor units."""
    amount = subject.due if body.amount is None else complaints.minor(body.amount, subject.item.currency, "amount")
    if amount > subject.due:
        text = money.shown(subject.due, subject.item.currency)
        complaints.add(
            "amount",
            "too_large",
            says("{number} has {text} due. Write off no more than that.", number=subject.number, text=text),
        )
    elif body.category == "small_difference":
        check_small(subject.item, amount, "amount", complaints)
    elif body.category == "doubtful":
        _check_doubtful(subject, amount, body, complaints)
    return amount


def check_small(item: OpenItem, amount: int, field: str, complaints: Complaints) -> None:
    """Complain of a difference that is larger than the workspace calls small."""
    settings = workspace_settings.current()
    worth = settlement.base_of(item, min(amount, settlement.remaining(item)))
    if worth > settings.small_difference_limit:
        message = says(
            "A difference of {amount} is more than the workspace's smallDifferenceLimit, {limit}.",
            amount=money.shown(worth, settings.base_currency),
            limit=Digits(money.text(settings.small_difference_limit, settings.base_currency)),
        )
        complaints.add(field, "too_large", message)


def _check_doubtful(subject: Subject, amount: int, body: WriteOff, complaints: Complaints) -> None:
    if subject.is_purchase:
        complaints.add("category", "unsuitable", "Only an invoice to a customer can be doubtful.")
    elif not subject.item.open_base:
        complaints.add("category", "unsuitable", "It is worth nothing in the books, so that nothing can be moved.")
    if amount != subject.due or amount != settlement.remaining(subject.item):
        complaints.add("amount", "not_needed", "All that is due becomes doubtful. Leave it out.")
    if body.correct_tax:
        complaints.add("correctTax", "not_needed", "Tax is corrected only once it is uncollectable. Leave it out.")


def _corrects_tax(body: WriteOff) -> bool:
    return body.category != "doubtful" and body.correct_tax is not False


def _day(item: OpenItem, day: date | None) -> date:
    first = max(item.date, item.released_on or item.date)
    if day is not None and day < first:
        raise DatedTooEarly(
            says("{number} cannot be written off before {first}.", number=item.number, first=first), field="date"
        )
    latest: date = day or max(workspace_settings.today(), first)
    return latest


def _move(subject: Subject, wanted: Wanted) -> tuple[Deduction, list[Entry]]:
    """Move what is due to doubtful receivables, where its open item is from then on."""
    item, id = subject.item, new_id()
    foreign = {"currency": item.currency} if subject.is_foreign else {}
    legs = [
        Leg(
            account_id,
            sign * item.open_base,
            item.contact_id,
            foreign_amount=sign * item.open if foreign else None,
            terms=_terms(subject),
            **foreign,
        )
        for account_id, sign in ((item.account_id, -1), (ledger.default_account("doubtful_receivables"), 1))
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
    """What the open item that is moved goes on to say."""
    item = subject.item
    if subject.invoice is not None:
        return ItemTerms(due_date=item.due_date)
    return ItemTerms(item.due_date, item.document_date, item.number, item.tax_rate_id)


def _first_day(deduction: Deduction) -> date:
    """The first day on which a write-off can be undone; what was moved is settled until its last release."""
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
            str(deduction.journal_entry_id), day, says("{number} is doubtful no more", number=from_original.number)
        )
    ]


_LIVE_FROM = "SELECT * FROM allocation WHERE from_item_id = ? AND released_on IS NULL"
