"""Issuing a credit note for an invoice: the checks, the posting, and settling the invoice with it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from erp.finance.books import periods
from erp.finance.books.ledger import Leg
from erp.finance.contacts.models import Contact
from erp.finance.crediting import parts, remaining, totals
from erp.finance.crediting.bodies import CreditedLine, InvoiceCredit
from erp.finance.crediting.parts import ALL, NONE, Item, Share
from erp.finance.crediting.remaining import Left, LeftLine
from erp.finance.crediting.totals import Credited, Heading
from erp.finance.documents import bills, drafts, invoices, posting, snapshot, standing, store, traded_assets
from erp.finance.documents.figures import Figures
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.documents.standing import Standing
from erp.finance.documents.store import FullInvoice
from erp.finance.items import settlement
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import Digits, Word, says
from erp.kernel.money import MICRO
from erp.store import events, workspace_settings


class _Wanted(NamedTuple):
    """The part of a line to credit; no quantity where only its price is lowered."""

    share: Share
    quantity: int | None


class LineCredit(NamedTuple):
    """The part of a line to credit: a quantity in millionths, or an amount in minor units that lowers its price."""

    line_id: str
    quantity: int | None
    amount: int | None


class CreditCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A credit note to issue for an invoice; without `lines`, for all that is left of it.

    With `force`, another credit note of the supplier may have the number.
    """

    invoice: Invoice
    lines: Sequence[LineCredit] | None = None
    day: date | None = None
    reference: str | None = None
    reason: str | None = None
    supplier_number: str | None = None
    force: bool = False


def read(id: str, body: InvoiceCredit) -> CreditCommand:
    """The credit note that a request asks for.

    Raises:
        Invalid: with a complaint for every amount that the currency cannot express, and for a day that is far ahead.
    """
    invoice, complaints = Invoice.find_to_change(id), Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    lines = None
    if body.lines is not None:
        lines = [_line_credit(line, invoice, f"lines[{i}]", complaints) for i, line in enumerate(body.lines)]
    complaints.refuse()
    return CreditCommand(
        invoice=invoice,
        lines=lines,
        day=body.date,
        reference=body.reference,
        reason=body.reason,
        supplier_number=body.supplier_number,
        force=body.force,
    )


def _line_credit(line: CreditedLine, invoice: Invoice, path: str, complaints: Complaints) -> LineCredit:
    quantity = None if line.quantity is None else money.scaled(line.quantity, MICRO)
    amount = None if line.amount is None else complaints.minor(line.amount, invoice.currency, f"{path}.amount")
    return LineCredit(line.line_id, quantity, amount)


def credit(command: CreditCommand) -> FullInvoice:
    """Issue a credit note for an invoice, or for parts of its lines, and settle the invoice with it.

    Returns:
        The credit note.

    Raises:
        InvalidTransition: it is no issued invoice or bill, or nothing is left of it to credit.
        InUse: an asset that was bought with one of the lines is depreciated or disposed of.
        SupplierNumberTaken: another credit note of the supplier has that number.
        Invalid: with a complaint for every field that is wrong, such as more than is left of a line.
        PeriodLocked: the day is in the locked period.
    """
    invoice, complaints = command.invoice, Complaints()
    _check_status(standing.of(invoice))
    if command.supplier_number is not None and invoice.kind not in PURCHASES:
        complaints.add("supplierNumber", "not_needed", says("Only for supplier credit notes. Clear the field."))
    day = _day(invoice, command.day, complaints)
    left = remaining.left_of(invoice)
    wanted = _whole(left) if command.lines is None else _wanted(left, command.lines, complaints)
    complaints.refuse()
    withdrawn = traded_assets.withdraw(invoice, wanted)
    credited = _credited(left, wanted)
    _check_sums(left, credited)
    periods.check_open(day, "date")
    if command.supplier_number is not None and not command.force:
        supplier = invoice.contact_id, invoice.contact_name
        bills.check_number(totals.KINDS[invoice.kind], supplier, command.supplier_number, day)
    heading = Heading(day, command.reference or invoice.reference, command.reason, command.supplier_number)
    return _issue(left, credited, heading, withdrawn)


def check_creditable(document: Standing) -> None:
    """Refuse to credit anything but an issued invoice or bill with something left to credit."""
    _check_status(document)
    if document.is_used_up:
        raise _nothing_left(document)


def _nothing_left(document: Standing | Invoice) -> InvalidTransition:
    return InvalidTransition(says("{number} is already fully credited.", number=document.number))


_NOT_CREDITED = {
    "deposit_invoice": says(
        "{number} is a deposit invoice and cannot be credited. Void it, or apply it in a final invoice."
    ),
    "final_invoice": says(
        "{number} is a final invoice and cannot be credited line by line. Void it and issue "
        "another, or create a separate credit note and allocate it."
    ),
}


def _check_status(invoice: Standing) -> None:
    if invoice.status == "draft":
        raise InvalidTransition(says("A draft cannot be credited. Change or delete it instead."))
    if invoice.kind in _NOT_CREDITED:
        raise InvalidTransition(_NOT_CREDITED[invoice.kind].fill(number=invoice.number))
    if invoice.kind not in totals.KINDS:
        raise InvalidTransition(
            says("{number} is not an invoice. Only invoices and bills can be credited.", number=invoice.number)
        )
    if invoice.status == "void":
        raise InvalidTransition(says("{number} is void and cannot be credited.", number=invoice.number))
    if invoice.status == "written_off":
        raise InvalidTransition(
            says(
                "{number} has been written off. Reverse the write-off first, then credit it.",
                number=invoice.number,
            )
        )
    if invoice.is_doubtful:
        raise InvalidTransition(says("{number} is doubtful. Reverse the write-off first.", number=invoice.number))


def _day(invoice: Invoice, day: date | None, complaints: Complaints) -> date:
    if day is not None and day < invoice.issue_date:
        complaints.add(
            "date",
            "too_early",
            says("Must not be before the date of the invoice, {issue_date}.", issue_date=invoice.issue_date),
        )
    return day or max(workspace_settings.today(), invoice.issue_date)


def _whole(left: Left) -> dict[str, _Wanted]:
    wanted = {line.row.id: _Wanted(ALL, line.quantity or None) for line in left.lines if not line.is_used_up}
    if not wanted:
        raise _nothing_left(left.invoice)
    return wanted


def _wanted(left: Left, asked: Sequence[LineCredit], complaints: Complaints) -> dict[str, _Wanted]:
    lines = {line.row.id: line for line in left.lines}
    wanted: dict[str, _Wanted] = {}
    for i, part in enumerate(asked):
        path, line = f"lines[{i}]", lines.get(part.line_id)
        if line is None:
            complaints.add(f"{path}.lineId", "unknown_reference", says("The invoice has no line with this id."))
        elif part.line_id in wanted:
            complaints.add(f"{path}.lineId", "repeated", says("Another line corrects the same invoice line."))
        elif (part.quantity is None) == (part.amount is None):
            complaints.add(path, "exactly_one", says("Send either quantity or amount."))
        else:
            wanted[part.line_id] = _wanted_of(left, line, part, path, complaints)
    return wanted


def _wanted_of(left: Left, line: LeftLine, part: LineCredit, path: str, complaints: Complaints) -> _Wanted:
    if part.quantity is not None:
        quantity = part.quantity
        text = Digits(f"{money.plain(line.quantity)} {line.row.unit or ''}".rstrip())
        _check_left(quantity, line.quantity, text, line, f"{path}.quantity", complaints)
        return _Wanted(Share(quantity, line.quantity), quantity)
    value, amount = line.worth.value, part.amount or 0
    text = money.shown(value, left.invoice.currency)
    _check_left(amount, value, text, line, f"{path}.amount", complaints)
    return _Wanted(Share(amount, value), None)


def _check_left(asked: int, left: int, text: str, line: LeftLine, field: str, complaints: Complaints) -> None:
    """Complain unless the requested part has the sign of the rest and is at most the rest, which the message names."""
    name = says("line {line}, {description}", line=line.row.position + 1, description=line.row.description)
    if line.is_used_up:
        complaints.add(field, "too_large", says("{name} is already fully credited.", name=name))
    elif not left:
        other = Word("an amount") if field.endswith("quantity") else Word("a quantity")
        complaints.add(
            field,
            "too_large",
            says("Enter {other} instead: {name} has no other remaining amount.", other=other, name=name),
        )
    elif not asked or (asked < 0) != (left < 0):
        sign = Word("below") if left < 0 else Word("above")
        complaints.add(
            field,
            "wrong_sign",
            says("Must be {sign} 0. Remaining to correct on {name}: {text}.", sign=sign, text=text, name=name),
        )
    elif abs(asked) > abs(left):
        complaints.add(field, "too_large", says("Remaining to correct on {name}: {text}.", text=text, name=name))


def _credited(left: Left, wanted: Mapping[str, _Wanted]) -> Credited:
    lines = [
        Item(line.worth, left.tax(line.row.tax_rate_id), wanted[line.row.id].share if line.row.id in wanted else NONE)
        for line in left.lines
    ]
    adjustments = [Item(item.worth, left.tax(item.row.tax_rate_id), is_line=False) for item in left.adjustments]
    worths = parts.credited(lines, adjustments, left.prices)
    quantities = {id: want.quantity for id, want in wanted.items()}
    return Credited.of(left, [*lines, *adjustments], worths, quantities)


def _check_sums(left: Left, credited: Credited) -> None:
    """Refuse to credit more than the rest of a tax rate or of the invoice, or a negative sum of either."""
    currency, complaints = left.invoice.currency, Complaints()
    for tax, rest in parts.overdrawn(credited.items, credited.worths, left.prices):
        text = money.shown(rest, currency)
        message = says(
            "Lines at {percent} % can be credited by at most {text}, the remaining amount.",
            percent=Digits(money.plain(tax.rate)),
            text=text,
        )
        complaints.add("lines", "too_large", message)
    if not complaints.items and not 0 <= credited.total <= left.total:
        text = money.shown(left.total, currency)
        complaints.add("lines", "too_large", says("At most {text} can be credited, the remaining amount.", text=text))
    complaints.refuse()


def _issue(left: Left, credited: Credited, heading: Heading, withdrawn: Mapping[str, int]) -> FullInvoice:
    invoice = left.invoice
    contact = Contact.find(invoice.contact_id)
    figures = totals.figures_of(left, credited, contact, heading)
    note = Invoice.add(**drafts.columns(figures, contact), credited_invoice_id=invoice.id)
    store.mark_adjusted(invoice.id)
    store.insert_parts(credited.linked(drafts.parts_of(figures, note.id)))
    if note.kind not in PURCHASES:
        note.paper = snapshot.taken(note, left.rates.values())
    entries = invoices.enter(note, _legs(left, credited, figures))
    amount = min(note.total, invoice.due)
    if amount:
        items = settlement.item_of(note.id), settlement.item_of(invoice.id)
        entries += settlement.allocate(*items, amount, settlement.earliest(*items))[1]
        note = Invoice.find(note.id)
    else:
        invoice.change()
    data = {"creditedInvoiceId": invoice.id, "allocatedAmount": money.text(amount, note.currency), **withdrawn}
    events.write("invoice.issued", "invoice", note.id, invoices.event_data(note) | data, entries=entries)
    return store.full(note)


def _legs(left: Left, credited: Credited, figures: Figures) -> list[Leg]:
    """The legs of a credit note; the last one brings all accounts of the invoice back to zero."""
    if credited.is_last:
        return store.opposite(left.entry_ids())
    return posting.legs_of(figures, left.invoice.contact_id, remaining.control_of(left))
