"""Views of reminders: levels, base rates, proposals, runs and letters."""

import datetime
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.contacts import heads
from erp.finance.dunning import charges, letters, store
from erp.finance.dunning.models import (
    BaseRate,
    ChargesStatus,
    Reminder,
    ReminderItem,
    ReminderLevel,
    ReminderStatus,
    SentVia,
)
from erp.finance.dunning.outlines import Skipped, Why
from erp.finance.dunning.proposals import Proposal, ProposedItem, ProposedLetter
from erp.kernel import caller, money
from erp.kernel.errors import InUse
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, View, show

ReminderAction = Literal["undo", "charge", "waive", "send", "mark_sent", "unmark_sent"]
Charged = Annotated[
    Money, Meta(description="The part of fee, interest and lump sum that is invoiced or waived already: taken off.")
]
Level = Annotated[int, Meta(description="The position of its level; 0 for an item that has not reached the first.")]


class ReminderLevelView(RecordView):
    """A level of reminders; the fee is in the base currency."""

    created_by: str | None
    created_by_name: str | None
    position: int
    name: str
    days_after: int
    pay_within_days: int
    fee: Money
    charges_interest: bool
    charges_lump_sum: bool
    is_in_use: Annotated[bool, Meta(description="Whether a letter names it, so that it cannot be deleted.")]

    @classmethod
    def of(cls, level: ReminderLevel) -> "ReminderLevelView":
        return cls.of_many([level])[0]

    @classmethod
    def of_many(cls, levels: Sequence[ReminderLevel]) -> "list[ReminderLevelView]":
        currency = workspace_settings.current().base_currency
        used = {id for (id,) in WORKSPACE.rows("SELECT DISTINCT level_id FROM reminder WHERE status = 'made'")}
        return [show(cls, level, fee=money.text(level.fee, currency), is_in_use=level.id in used) for level in levels]


class BaseRateView(RecordView):
    """A base rate, in force until the next one."""

    created_by: str | None
    created_by_name: str | None
    valid_from: datetime.date
    rate: Annotated[Figure, Meta(description="A percentage a year; it may be below zero.")]

    @classmethod
    def of(cls, rate: BaseRate) -> "BaseRateView":
        return show(cls, rate, rate=money.plain(rate.rate))


class ProposedItemView(View):
    """An item of a proposed letter."""

    item_id: str
    invoice_id: str | None
    number: str
    due_date: datetime.date
    days_overdue: int
    open: Money
    last_level: Level
    level: Level
    interest: Money
    lump_sum: Money

    @classmethod
    def of(cls, each: ProposedItem) -> "ProposedItemView":
        item = each.item
        return show(
            cls,
            each,
            item_id=item.id,
            invoice_id=item.invoice_id,
            number=item.number,
            due_date=item.due,
            **{name: money.text(amount, item.currency) for name, amount in _amounts(each, item.open).items()},
        )


class ProposedLetterView(View):
    """A letter as it would be made: `total` = open + fee + interest + lumpSum − charged."""

    contact_id: str
    contact_name: str
    currency: str
    level: Level
    level_name: str
    items: list[ProposedItemView]
    credit: Annotated[Money, Meta(description="Payments and credit notes that are not allocated: set off.")]
    open: Annotated[Money, Meta(description="The items less the credit.")]
    fee: Money
    interest: Money
    lump_sum: Money
    charged: Charged
    total: Money
    pay_by: datetime.date

    @classmethod
    def of(cls, letter: ProposedLetter) -> "ProposedLetterView":
        return show(
            cls,
            letter,
            level=letter.level.position,
            level_name=letter.level.name,
            items=[ProposedItemView.of(each) for each in letter.items],
            **{name: money.text(getattr(letter, name), letter.currency) for name in _SUMS},
        )


class SkippedView(View):
    """A contact that is left out of the proposal, or one of their items."""

    contact_id: str
    contact_name: str
    item_id: str | None
    number: str | None
    why: Why
    until: Annotated[datetime.date | None, Meta(description="The last day for which that is known.")]

    @classmethod
    def of(cls, skipped: Skipped) -> "SkippedView":
        return show(cls, skipped)


class ReminderProposalView(View):
    """The letters of a day, and who is left out; nothing is stored."""

    date: datetime.date
    letters: list[ProposedLetterView]
    skipped: list[SkippedView]

    @classmethod
    def of(cls, proposal: Proposal) -> "ReminderProposalView":
        return cls(
            date=proposal.day,
            letters=[ProposedLetterView.of(letter) for letter in proposal.letters],
            skipped=[SkippedView.of(skipped) for skipped in proposal.skipped],
        )


class ReminderRunPreview(View):
    """The letters of a run; nothing is stored."""

    date: datetime.date
    letters: list[ProposedLetterView]

    @classmethod
    def of(cls, proposal: Proposal) -> "ReminderRunPreview":
        return cls(date=proposal.day, letters=[ProposedLetterView.of(letter) for letter in proposal.letters])


class ReminderItemView(View):
    """An item of a letter, as on the letter."""

    item_id: str
    invoice_id: str | None
    number: str
    due_date: datetime.date
    days_overdue: int
    open: Money
    last_level: Level
    level: Level
    interest: Money
    lump_sum: Money

    @classmethod
    def of(cls, item: ReminderItem, currency: str) -> "ReminderItemView":
        amounts = {name: money.text(amount, currency) for name, amount in _amounts(item, item.open).items()}
        return show(cls, item, **amounts)


class ReminderView(RecordView):
    """A letter with its items, as it was made: `total` = open + fee + interest + lumpSum − charged."""

    created_by: str | None
    created_by_name: str | None
    number: str
    status: ReminderStatus
    charges_status: Annotated[
        ChargesStatus, Meta(description="`none` also once later letters name all its items: they ask for the charges.")
    ]
    contact_id: str
    contact_name: str
    currency: str
    date: datetime.date
    pay_by: datetime.date
    level: Level
    level_name: str
    items: list[ReminderItemView]
    credit: Money
    open: Money
    fee: Money
    interest: Money
    lump_sum: Money
    charged: Charged
    total: Money
    charge_invoice_id: str | None
    charge_invoice_number: str | None
    undone_at: str | None
    undo_reason: str | None
    waived_at: str | None
    waive_reason: str | None
    sent_at: str | None
    sent_via: SentVia | None
    is_sent: bool
    can: Annotated[list[ReminderAction], Meta(description="Actions on the letter open to you now.")]

    @classmethod
    def of(cls, reminder: Reminder) -> "ReminderView":
        return cls.of_many([reminder])[0]

    @classmethod
    def of_many(cls, reminders: Sequence[Reminder]) -> "list[ReminderView]":
        """The letters; two queries for all of them."""
        ids = [reminder.id for reminder in reminders]
        items: dict[str, list[ReminderItem]] = defaultdict(list)
        for item in letters.items_of(*ids):
            items[item.reminder_id].append(item)
        facts = {id: row for id, *row in WORKSPACE.rows(_FACTS, (sql.array(ids),))}
        named = names.of(invoice=[invoice_id for _, invoice_id in facts.values()])
        return [
            show(
                cls,
                reminder,
                items=[ReminderItemView.of(item, reminder.currency) for item in items[reminder.id]],
                charges_status=facts[reminder.id][0],
                charge_invoice_id=facts[reminder.id][1],
                charge_invoice_number=named.code(facts[reminder.id][1]),
                contact_id=heads.of(reminder.contact_id),
                is_sent=reminder.sent_at is not None,
                can=_can(reminder, facts[reminder.id][0]),
                **{name: money.text(getattr(reminder, name), reminder.currency) for name in _SUMS},
            )
            for reminder in reminders
        ]


class ReminderRunView(View):
    """The letters of a run, by the names of their contacts."""

    date: datetime.date
    letters: list[ReminderView]

    @classmethod
    def of(cls, day: datetime.date, reminders: Sequence[Reminder]) -> "ReminderRunView":
        return cls(date=day, letters=ReminderView.of_many(reminders))


_SUMS = ("credit", "open", "fee", "interest", "lump_sum", "charged", "total")
_FACTS = f"""
SELECT reminder.id, {store.CHARGES_STATUS}, (
    SELECT max(invoice.id) FROM reminder_charge JOIN invoice ON invoice.id = reminder_charge.invoice_id
    WHERE reminder_charge.reminder_id = reminder.id AND {store.CHARGED}
) FROM reminder WHERE reminder.id IN (SELECT value FROM json_each(?))
"""


def _amounts(each: Any, open: int) -> dict[str, int]:
    return {"open": open, "interest": each.interest, "lump_sum": each.lump_sum}


def _can(reminder: Reminder, charges_status: ChargesStatus) -> list[ReminderAction]:
    def charge() -> None:
        _refuse_settled(charges_status)
        charges.check_chargeable(reminder)

    def waive() -> None:
        _refuse_settled(charges_status)
        letters.check_open(reminder)

    checks: dict[ReminderAction, Callable[[], object]] = {
        "undo": lambda: letters.check_undoable(reminder),
        "charge": charge,
        "waive": waive,
        "send": lambda: letters.check_made(reminder),
        "mark_sent": lambda: letters.check_markable(reminder),
        "unmark_sent": lambda: letters.check_sent(reminder),
    }
    return caller.allowed("finance.write", checks)


def _refuse_settled(charges_status: ChargesStatus) -> None:
    """Refuse early: most letters of a list are settled, and further checks ask the database for each."""
    if charges_status in ("charged", "waived"):
        raise InUse
