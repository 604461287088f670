"""Charges of a letter: an invoice of fee, interest and lump sum. Damages: without value added tax."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.books import default_accounts
from erp.finance.contacts import heads
from erp.finance.contacts.models import Contact
from erp.finance.documents import invoices
from erp.finance.documents.commands import InvoiceCommand, LineCommand
from erp.finance.documents.store import FullInvoice
from erp.finance.dunning import letters, store
from erp.finance.dunning.bodies import ChargePart
from erp.finance.dunning.letters import AlreadyCharged
from erp.finance.dunning.models import Reminder, ReminderCharge, ReminderChargeItem
from erp.finance.items import settlement
from erp.finance.items.asked import AskedLetter
from erp.kernel import money
from erp.kernel.errors import Invalid
from erp.kernel.language import Word, says, translated
from erp.kernel.money import MICRO
from erp.store import events, workspace_settings

PARTS: tuple[ChargePart, ...] = ("fee", "interest", "lumpSum")
TITLES: dict[ChargePart, Word] = {
    "fee": Word("Reminder fee"),
    "interest": Word("Default interest"),
    "lumpSum": Word("Lump sum for late payment"),
}
ROLES: dict[ChargePart, str] = {
    "fee": "reminder_charges",
    "interest": "default_interest",
    "lumpSum": "reminder_charges",
}


class Amounts(NamedTuple):
    """The parts of charges in minor units."""

    fee: int
    interest: int
    lump_sum: int


class Share(NamedTuple):
    """The charges that an item owes, in minor units."""

    item_id: str
    interest: int
    lump_sum: int


def charge(id: str, parts: Sequence[ChargePart] | None = None) -> Reminder:
    """Invoice the charges of a letter, today and due at once.

    Raises:
        InvalidTransition: the letter is undone, asks for no charges, or they are waived.
        AlreadyCharged: they are invoiced, by this letter or by another with the same items.
        Invalid: the letter does not ask for any of these parts.
        PeriodLocked: today is in the locked period.
    """
    reminder = Reminder.find_to_change(id)
    left, shares = check_chargeable(reminder)
    chosen = [part for part, amount in zip(PARTS, left, strict=True) if amount and (parts is None or part in parts)]
    if not chosen:
        raise Invalid.one("parts", "nothing_to_charge", says("The letter asks for none of these charges."))
    amounts = Amounts(*(amount if part in chosen else 0 for part, amount in zip(PARTS, left, strict=True)))
    full = _invoice(reminder, amounts)
    _keep(full.invoice.id, id, amounts, shares)
    reminder.change()
    data = {
        "invoiceId": full.invoice.id,
        "invoiceNumber": full.invoice.number,
        "charges": money.text(sum(amounts), reminder.currency),
    }
    events.write("reminder.charged", "reminder", id, letters.event_data(reminder) | data)
    return reminder


def check_chargeable(reminder: Reminder) -> tuple[Amounts, list[Share]]:
    """Refuse a letter without charges to invoice; else their sums, and the charges of its items.

    A letter that a later one replaces can be invoiced too, as far as the later one holds less.
    """
    letters.check_open(reminder)
    fee, shares = remaining(reminder)
    left = Amounts(fee, sum(share.interest for share in shares), sum(share.lump_sum for share in shares))
    if not any(left):
        raise AlreadyCharged(number=reminder.number)
    return left, shares


def _keep(invoice_id: str, reminder_id: str, amounts: Amounts, shares: Sequence[Share]) -> None:
    made = ReminderCharge.create(invoice_id=invoice_id, reminder_id=reminder_id, **amounts._asdict())
    for id, *both in shares:
        interest, lump_sum = (part if of_all else 0 for part, of_all in zip(both, amounts[1:], strict=True))
        if interest or lump_sum:
            ReminderChargeItem.create(charge_id=made.id, item_id=id, interest=interest, lump_sum=lump_sum)


def remaining(reminder: Reminder) -> tuple[int, list[Share]]:
    """The fee of a letter and the charges of its items, less what invoices of other letters with them hold by now."""
    items = letters.items_of(reminder.id)
    held = store.held([item.item_id for item in items], but=reminder.id)
    fee = max(reminder.charged_fee, *(held.fee.get(item.item_id, 0) for item in items))
    shares = [
        Share(
            item.item_id,
            max(0, item.interest - max(item.charged_interest, held.interest.get(item.item_id, 0))),
            max(0, item.lump_sum - max(item.charged_lump_sum, held.lump_sum.get(item.item_id, 0))),
        )
        for item in items
    ]
    return max(0, reminder.fee - fee), shares


def _invoice(reminder: Reminder, amounts: Amounts) -> FullInvoice:
    language = reminder.paper["language"]
    today = workspace_settings.today()
    lines = [
        LineCommand(
            description=_title(part, reminder.number, language),
            quantity=MICRO,
            unit_price=money.price(amount, reminder.currency),
            tax_rate_id=None,
            account_id=default_accounts.of(ROLES[part]),
        )
        for part, amount in zip(PARTS, amounts, strict=True)
        if amount
    ]
    return invoices.create(
        InvoiceCommand(
            contact=Contact.find(heads.of(reminder.contact_id)),
            lines=lines,
            issue_date=today,
            due_date=today,
            currency=reminder.currency,
            prices_include_tax=False,
            reference=reminder.number,
        )
    )


def _title(part: ChargePart, number: str, language: str) -> str:
    return f"{translated(TITLES[part], language)}, {number}"


def asked(currency: str) -> list[AskedLetter]:
    """The letters in a currency whose charges are open, with all their items, for the bank."""
    reminders = Reminder.fetch(_ASKED, currency)
    by_letter = defaultdict(list)
    for item in letters.items_of(*(reminder.id for reminder in reminders)):
        by_letter[item.reminder_id].append(item.item_id)
    return [
        AskedLetter(
            each.id,
            each.number,
            heads.of(each.contact_id),
            each.contact_name,
            each.total,
            each.charges,
            by_letter[each.id],
        )
        for each in reminders
    ]


_ASKED = f"SELECT * FROM reminder WHERE currency = ? AND {store.CHARGES_STATUS} = 'open' ORDER BY id DESC"


def charge_item(reminder_id: str) -> str:
    """Invoice the charges of a letter; the answer is the open item of the invoice."""
    charge(reminder_id)
    made = letters.standing_charge(reminder_id)
    assert made is not None
    return settlement.item_of(made.invoice_id).id
