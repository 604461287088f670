"""The lists of reminder levels, base rates and letters."""

from peewee import SQL

from erp.finance.contacts import heads
from erp.finance.dunning import store
from erp.finance.dunning.bodies import BaseRateFilter, LevelFilter, ReminderFilter
from erp.finance.dunning.models import BaseRate, Reminder, ReminderLevel
from erp.finance.dunning.views import BaseRateView, ReminderLevelView, ReminderView
from erp.store import sql
from erp.web.paging import page, within
from erp.web.schema import Page

_SORTABLE = {"number": Reminder.number, "date": Reminder.date}
_STATUS = store.CHARGES_STATUS.replace("reminder.id", "t1.id")


def levels(query: LevelFilter) -> Page[ReminderLevelView]:
    """One page of the levels, by position."""
    sortable = {"position": ReminderLevel.position}
    return page(ReminderLevel.select(), query, views=ReminderLevelView.of_many, sort="position", sortable=sortable)


def base_rates(query: BaseRateFilter) -> Page[BaseRateView]:
    """One page of the base rates."""
    sortable = {"validFrom": BaseRate.valid_from}
    return page(BaseRate.select(), query, BaseRateView.of, sort=query.sort, sortable=sortable)


def search(query: ReminderFilter) -> Page[ReminderView]:
    """One page of the letters that match."""
    select = Reminder.select()
    if query.contact_id is not None:
        select = select.where(sql.among(Reminder.contact_id, heads.group(query.contact_id)))
    for column in ("level", "status"):
        value = getattr(query, column)
        if value is not None:
            select = select.where(Reminder._meta.combined[column] == value)
    if query.invoice_id is not None:
        select = select.where(SQL(_OF_INVOICE, (query.invoice_id,)))
    if query.charges_status is not None:
        select = select.where(SQL(f"({_STATUS}) = ?", (query.charges_status,)))
    if query.is_sent is not None:
        select = select.where(Reminder.sent_at.is_null(not query.is_sent))
    if query.q is not None:
        select = select.where(sql.positional(sql.contains(("number", "contact_name"), query.q, also=(_NAMES_ITEM,))))
    select = within(select, query, Reminder.date)
    return page(select, query, views=ReminderView.of_many, sort=query.sort, sortable=_SORTABLE)


_OF_INVOICE = "t1.id IN (SELECT reminder_id FROM reminder_item WHERE invoice_id = ?)"
_NAMES_ITEM = f"id IN (SELECT reminder_id FROM reminder_item AS named WHERE {sql.holds('named.number')})"
