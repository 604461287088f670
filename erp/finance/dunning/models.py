"""The tables of reminders. Amounts are minor units; rates are millionths of a percent."""

from typing import Literal

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import OpenItem
from erp.finance.contacts.models import Contact
from erp.finance.documents.models import Invoice
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.router import WORKSPACE
from erp.store.rows import DayField

ReminderStatus = Literal["made", "undone"]
ChargesStatus = Literal["none", "open", "charged", "waived"]
BlockKind = Literal["disputed", "agreed", "other"]
Blocked = Literal["contact", "invoice"]
SentVia = Literal["smtp", "eml", "post", "link", "other"]


class ReminderLevel(WorkspaceRecord):
    """A level of reminders: the first is reached after the due date, each later one after the letter before.

    The fee is in the base currency.
    """

    noun = Noun("reminder level")

    position = IntegerField()
    name = TextField()
    days_after = IntegerField()
    pay_within_days = IntegerField()
    fee = IntegerField()
    charges_interest = BooleanField()
    charges_lump_sum = BooleanField()


class BaseRate(WorkspaceRecord):
    """The rate that a central bank announces, from a day until the next one."""

    noun = Noun("base rate")

    valid_from = DayField()
    rate = IntegerField()


class ReminderBlock(WorkspaceTable):
    """A contact or an invoice that is not reminded: until a day, which is the last one, or until it is lifted."""

    id = TextField(primary_key=True, default=new_id)
    resource_type = TextField()
    resource_id = TextField()
    kind = TextField()
    reason = TextField()
    until = DayField(null=True)
    created_at = TextField()
    created_by = TextField(null=True)

    def change(self, *, resource_id: str) -> None:
        """Let it block another record, in whose place the one it blocked is."""
        self.resource_id = resource_id
        WORKSPACE.run("UPDATE reminder_block SET resource_id = ? WHERE id = ?", (resource_id, self.id))
        self._record_columns("resource_id")


class Reminder(WorkspaceRecord):
    """A letter; the parts of it that were charged before are taken off its total.

    `paper` has what its PDF says beside its columns, as on the day it was made.
    """

    noun = Noun("reminder")
    sealed = frozenset({"customer", "paper"})

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="made")
    contact = ForeignKeyField(Contact, lazy_load=False)
    contact_name = TextField()
    customer = JSONField(null=True)
    currency = TextField()
    date = DayField()
    pay_by = DayField()
    level_id = TextField()
    level = IntegerField()
    level_name = TextField()
    open = IntegerField()
    credit = IntegerField()
    fee = IntegerField()
    interest = IntegerField()
    lump_sum = IntegerField()
    charged_fee = IntegerField()
    charged_interest = IntegerField()
    charged_lump_sum = IntegerField()
    total = IntegerField()
    paper = JSONField()
    undone_at = TextField(null=True)
    undo_reason = TextField(null=True)
    waived_at = TextField(null=True)
    waive_reason = TextField(null=True)
    sent_at = TextField(null=True)
    sent_via = TextField(null=True)
    pdf_sha256 = TextField(null=True)

    contact_id: str

    @property
    def charged(self) -> int:
        """The part of its charges that was charged before it."""
        return int(self.charged_fee + self.charged_interest + self.charged_lump_sum)

    @property
    def charges(self) -> int:
        """The charges that it asks for."""
        return int(self.fee + self.interest + self.lump_sum) - self.charged


class ReminderItem(WorkspaceTable):
    """An open item on a letter. `is_live` until the letter is undone; `date` is the letter's."""

    id = TextField(primary_key=True, default=new_id)
    reminder = ForeignKeyField(Reminder, lazy_load=False)
    position = IntegerField()
    item = ForeignKeyField(OpenItem, lazy_load=False)
    invoice = ForeignKeyField(Invoice, null=True, lazy_load=False)
    number = TextField()
    date = DayField()
    due_date = DayField()
    days_overdue = IntegerField()
    open = IntegerField()
    last_level = IntegerField()
    level = IntegerField()
    interest = IntegerField()
    lump_sum = IntegerField()
    charged_interest = IntegerField()
    charged_lump_sum = IntegerField()
    is_live = BooleanField(default=True)

    reminder_id: str
    item_id: str
    invoice_id: str | None


class ReminderCharge(WorkspaceTable):
    """An invoice that asks for charges of a letter; it counts while the invoice stands."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    reminder = ForeignKeyField(Reminder, lazy_load=False)
    fee = IntegerField()
    interest = IntegerField()
    lump_sum = IntegerField()

    invoice_id: str
    reminder_id: str


class ReminderChargeItem(WorkspaceTable):
    """The part of a charge that an item owes."""

    id = TextField(primary_key=True, default=new_id)
    charge = ForeignKeyField(ReminderCharge, lazy_load=False)
    item = ForeignKeyField(OpenItem, lazy_load=False)
    interest = IntegerField()
    lump_sum = IntegerField()

    charge_id: str
    item_id: str
