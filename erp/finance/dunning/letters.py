"""Letters: made from the proposal all or none, undone, waived, marked as sent. They post nothing."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.books.models import OpenItem
from erp.finance.contacts.models import Contact
from erp.finance.documents import paper_texts, snapshot
from erp.finance.documents.drafts import SNAPSHOT
from erp.finance.dunning import levels, proposals
from erp.finance.dunning.interest import Stretch
from erp.finance.dunning.models import Reminder, ReminderCharge, ReminderItem
from erp.finance.dunning.outlines import Choice, Key, Skipped, Why
from erp.finance.dunning.proposals import Proposal, ProposedLetter
from erp.finance.dunning.store import CHARGED
from erp.finance.items.asked import Told
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, InUse, InvalidTransition, Refusal
from erp.kernel.language import Noun, Sentence, says
from erp.mail import marking
from erp.mail.marking import SentMark
from erp.store import control, events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.texts.kinds import TextKind


class NotDue(Refusal):
    """Some of these letters are no longer due. Look at the proposal again."""


class AlreadyCharged(Refusal):
    """{number} has been charged already."""


class ChosenLetter(NamedTuple):
    """A letter to make."""

    contact_id: str
    currency: str
    level: int | None = None
    item_ids: tuple[str, ...] | None = None


def look_ahead(body: object) -> None:
    """Ask before the write lock which items the bank's lines seem to pay: within it, the answer is remembered.

    Whatever has changed it in between is asked for again.
    """
    with control.reading_own():
        Told.paid()


def draft(day: date | None, chosen: Sequence[ChosenLetter]) -> Proposal:
    """The letters of a run, in the order of the proposal.

    Raises:
        Invalid: the day is after today, a letter is named twice, or there is no such contact or level.
        NotDue: a letter is not due any more, or an item of it; by row.
        NoBaseRate: interest is charged for a day without a rate.
    """
    _check(day, chosen)
    choices: dict[Key, Choice] = {
        (row.contact_id, row.currency): Choice(row.level, None if row.item_ids is None else frozenset(row.item_ids))
        for row in chosen
    }
    proposal = proposals.propose(day, choices=choices)
    letters = {(letter.contact_id, letter.currency): letter for letter in proposal.letters}
    complaints = [
        Complaint(f"letters[{i}]", "not_due", _because(row, proposal.skipped))
        for i, row in enumerate(chosen)
        if not _is_whole(letters.get((row.contact_id, row.currency)), row)
    ]
    if complaints:
        raise NotDue(details=complaints)
    return proposal


def _check(day: date | None, chosen: Sequence[ChosenLetter]) -> None:
    complaints, seen = Complaints(), set[Key]()
    if day is not None and day > workspace_settings.today():
        complaints.add("date", "too_late", says("Must not be after today."))
    known = {level.position for level in levels.ordered()}
    for i, row in enumerate(chosen):
        if Contact.find_or_none(row.contact_id) is None:
            complaints.unknown(f"letters[{i}].contactId", Noun("contact"))
        if (row.contact_id, row.currency) in seen:
            complaints.add(f"letters[{i}]", "duplicate", says("This letter is named twice."))
        if row.level is not None and row.level not in known:
            complaints.unknown(f"letters[{i}].level", Noun("reminder level"))
        for j, id in enumerate(row.item_ids or ()):
            if OpenItem.find_by(id=id) is None:
                complaints.unknown(f"letters[{i}].itemIds[{j}]", Noun("open item"))
        seen.add((row.contact_id, row.currency))
    complaints.refuse()


def _is_whole(letter: ProposedLetter | None, row: ChosenLetter) -> bool:
    """Whether there is the letter, with all items that were chosen."""
    return letter is not None and (row.item_ids is None or {*row.item_ids} == {each.item.id for each in letter.items})


def _because(row: ChosenLetter, skipped: Iterable[Skipped]) -> Sentence:
    mine = [each for each in skipped if each.contact_id == row.contact_id]
    chosen = [each for each in mine if row.item_ids is None or each.item_id in (None, *row.item_ids)]
    for each in chosen or mine:
        return _REASONS[each.why].fill(name=each.contact_name, number=each.number)
    return says("Nothing is due.")


_REASONS: dict[Why, Sentence] = {
    "blocked_contact": says("{name} is blocked from reminders."),
    "blocked_document": says("{number} is blocked from reminders."),
    "below_minimum": says("The open amount of {name} is too small."),
    "not_yet": says("{number} is not due for a reminder yet."),
    "doubtful": says("{number} is doubtful."),
    "written_off": says("{number} has been written off."),
    "credit_covers": says("The credit of {name} covers what is open."),
    "no_level_left": says("{number} has reached the last level."),
    "payment_suggested": says("A bank transaction to be matched seems to pay {number}."),
}


def make(proposal: Proposal) -> list[Reminder]:
    """Make the letters of a proposal, each with the next number."""
    return [_make(letter) for letter in proposal.letters]


def _make(letter: ProposedLetter) -> Reminder:
    contact = Contact.find(letter.contact_id)
    number, fiscal_year, seq = workspace_settings.next_number("reminder", letter.day)
    figures = ("open", "credit", "fee", "interest", "lump_sum", "charged_fee", "charged_interest", "charged_lump_sum")
    reminder = Reminder.add(
        number=number,
        fiscal_year=fiscal_year,
        seq=seq,
        contact_id=contact.id,
        contact_name=contact.name,
        customer={name: getattr(contact, name) for name in SNAPSHOT},
        currency=letter.currency,
        date=letter.day,
        pay_by=letter.pay_by,
        level_id=letter.level.id,
        level=letter.level.position,
        level_name=letter.level.name,
        total=letter.total,
        paper=_paper(letter, contact),
        **{name: getattr(letter, name) for name in figures},
    )
    for position, each in enumerate(letter.items):
        ReminderItem.create(
            reminder_id=reminder.id,
            position=position,
            item_id=each.item.id,
            invoice_id=each.item.invoice_id,
            number=each.item.number,
            date=letter.day,
            due_date=each.item.due,
            open=each.item.open,
            **{name: getattr(each, name) for name in _OF_ITEM},
        )
    events.write("reminder.made", "reminder", reminder.id, event_data(reminder))
    return reminder


_OF_ITEM = ("days_overdue", "last_level", "level", "interest", "lump_sum", "charged_interest", "charged_lump_sum")


def _paper(letter: ProposedLetter, contact: Contact) -> dict[str, Any]:
    """Facts of the PDF beside the columns: the office, its texts, the days of the invoices, how interest is counted."""
    settings = workspace_settings.current()
    language = contact.language or workspace_settings.paper_language()
    texts = paper_texts.chosen_for(TEXTS[letter.level.position - 1], language, contact)
    return {
        "layout": snapshot.LAYOUT,
        "language": language,
        "texts": {name: text for name, text in texts.items() if text},
        "name": workspace_settings.office_name(),
        "country": settings.country or (settings.address or {}).get("country"),
        "seller": snapshot.seller(settings),
        "logo": settings.logo_hash,
        "design": settings.paper_design,
        "days": [each.item.document_date for each in letter.items],
        "interest": [[_plain(part) for part in each.stretches] for each in letter.items],
    }


TEXTS: tuple[TextKind, ...] = ("reminder_1", "reminder_2", "reminder_3", "reminder_4", "reminder_5")
"""The kinds of texts of the levels, by position."""


def _plain(part: Stretch) -> list[Any]:
    return [part.first.isoformat(), part.last.isoformat(), part.principal, part.rate]


def undo(id: str, reason: str) -> Reminder:
    """Undo a letter: its items fall back to the level before; its number stays.

    Raises:
        InvalidTransition: it is undone already.
        InUse: charges of it are invoiced.
    """
    reminder = Reminder.find_to_change(id)
    check_undoable(reminder)
    for item in items_of(reminder.id):
        WORKSPACE.run("UPDATE reminder_item SET is_live = false WHERE id = ?", (item.id,))
        ReminderItem.record_columns(item.id, {"is_live": False})
    reminder.change(status="undone", undone_at=clock.stamp(), undo_reason=reason)
    events.write("reminder.undone", "reminder", id, event_data(reminder) | {"reason": reason})
    return reminder


def check_undoable(reminder: Reminder) -> None:
    """Refuse to undo a letter that is undone, or whose charges are invoiced."""
    check_made(reminder)
    charge = standing_charge(reminder.id)
    if charge is not None:
        raise InUse(
            says("The charges of {number} are invoiced. Void the invoice of the charges first.", number=reminder.number)
        )


def check_made(reminder: Reminder) -> None:
    """Refuse a letter that is undone."""
    if reminder.status != "made":
        raise InvalidTransition(says("{number} has been undone.", number=reminder.number))


def waive(id: str, reason: str) -> Reminder:
    """Waive the charges of a letter: neither it nor later letters ask for them.

    Raises:
        InvalidTransition: it is undone, asks for no charges, or they are waived already.
        AlreadyCharged: they are invoiced.
    """
    reminder = Reminder.find_to_change(id)
    check_open(reminder)
    reminder.change(waived_at=clock.stamp(), waive_reason=reason)
    data = {"charges": money.text(reminder.charges, reminder.currency), "reason": reason}
    events.write("reminder.waived", "reminder", id, event_data(reminder) | data)
    return reminder


def check_open(reminder: Reminder) -> None:
    """Refuse a letter whose charges can neither be invoiced nor waived."""
    check_made(reminder)
    if standing_charge(reminder.id) is not None:
        raise AlreadyCharged(number=reminder.number)
    if reminder.waived_at is not None:
        raise InvalidTransition(says("The charges of {number} have been waived.", number=reminder.number))
    if not reminder.charges:
        raise InvalidTransition(says("{number} asks for no charges.", number=reminder.number))


def mark_sent(id: str, body: SentMark) -> Reminder:
    """Note that a letter has gone out, such as by post.

    Raises:
        InvalidTransition: it is undone, or was sent.
        Invalid: the day is before the letter's, or after today.
    """
    reminder = Reminder.find_to_change(id)
    check_made(reminder)
    marking.mark("reminder", reminder, reminder.date, body, event_data(reminder))
    return reminder


def note_sent(id: str, via: str, at: str) -> None:
    """Note that a message with the letter has gone out; the first one counts."""
    reminder = Reminder.find(id)
    marking.note("reminder", reminder, via, at, event_data(reminder))


def check_markable(reminder: Reminder) -> None:
    """Refuse to mark a letter that is undone, or was sent."""
    check_made(reminder)
    marking.check_unsent(reminder.number, is_sent=reminder.sent_at is not None)


def unmark_sent(id: str) -> Reminder:
    """Take back that a letter has gone out.

    Raises:
        InvalidTransition: it was not.
    """
    reminder = Reminder.find_to_change(id)
    marking.unmark("reminder", reminder, event_data(reminder))
    return reminder


def check_sent(reminder: Reminder) -> None:
    """Refuse a letter that was not sent."""
    marking.check_sent(reminder.number, is_sent=reminder.sent_at is not None)


def items_of(*reminder_ids: str) -> list[ReminderItem]:
    """The items of letters in their order."""
    return ReminderItem.fetch(_ITEMS, sql.array(reminder_ids))


_ITEMS = (
    "SELECT * FROM reminder_item WHERE reminder_id IN (SELECT value FROM json_each(?)) ORDER BY reminder_id, position"
)


def standing_charge(reminder_id: str) -> ReminderCharge | None:
    """The charge of a letter whose invoice stands."""
    rows = ReminderCharge.fetch(_CHARGE, reminder_id)
    return rows[0] if rows else None


_CHARGE = (
    "SELECT reminder_charge.* FROM reminder_charge JOIN invoice ON invoice.id = reminder_charge.invoice_id"
    f" WHERE reminder_charge.reminder_id = ? AND {CHARGED} ORDER BY reminder_charge.id DESC LIMIT 1"
)


def event_data(reminder: Reminder) -> dict[str, Any]:
    """The fields of every event of a letter."""
    return {
        "number": reminder.number,
        "contactId": reminder.contact_id,
        "level": reminder.level,
        "date": reminder.date.isoformat(),
        "total": money.text(reminder.total, reminder.currency),
        "currency": reminder.currency,
    }
