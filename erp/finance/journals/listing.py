"""The list of journal entries."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from peewee import ModelSelect, fn

from erp.finance.books import accounts
from erp.finance.books.models import JournalEntry, Posting
from erp.finance.books.search import CONTACT_NAMED, found
from erp.finance.contacts import contacts, heads
from erp.finance.journals.bodies import JournalFilter
from erp.finance.journals.views import JournalEntrySummary
from erp.store import sql, workspace_settings
from erp.web.paging import page
from erp.web.schema import Page

# By the number in the series: as text, a number of six digits would sort before one of five.
_NUMBER = JournalEntry.fiscal_year * 10**9 + JournalEntry.seq
_TEXTS = ("number", "description", "reference")
_OF_CONTACT = f"id IN (SELECT entry_id FROM posting WHERE {CONTACT_NAMED})"
_SORTABLE = {"date": JournalEntry.date, "number": _NUMBER}
_REVERSAL = JournalEntry.alias()
_REVERSED_AT = _REVERSAL.select(_REVERSAL.created_at).where(_REVERSAL.reverses == JournalEntry.id)
_CHANGED_AT = fn.coalesce(_REVERSED_AT, JournalEntry.created_at)


def search(query: JournalFilter) -> Page[JournalEntrySummary]:
    """One page of the entries that match."""
    entries = _entries()
    for condition in _conditions(query):
        entries = entries.where(condition)
    views = partial(JournalEntrySummary.of_many, with_lines=query.include is not None)
    return page(entries, query, views=views, sort=query.sort, sortable=_SORTABLE, changed_at=_CHANGED_AT)


def _conditions(query: JournalFilter) -> Iterator[Any]:
    for column in ("kind", "source_type", "source_id"):
        if (value := getattr(query, column)) is not None:
            yield getattr(JournalEntry, column) == value
    if query.account_id is not None:
        account = accounts.refer(query.account_id, "accountId", postable=False)
        yield _posts(Posting.account == account.id)
    if query.contact_id is not None:
        contact = contacts.refer(query.contact_id, "contactId", archived=True)
        yield _posts(sql.among(Posting.contact_id, heads.group(contact.id)))
    if query.date_from is not None:
        yield JournalEntry.date >= query.date_from
    if query.date_to is not None:
        yield JournalEntry.date <= query.date_to
    if query.q:
        base = f"'{workspace_settings.current().base_currency}'"
        yield sql.positional(found(query.q, _TEXTS, ("total",), currency=base, also=(_OF_CONTACT,)))


def _posts(condition: Any) -> Any:
    return JournalEntry.id.in_(Posting.select(Posting.entry).where(condition))


def _entries() -> "ModelSelect[JournalEntry]":
    """All entries, each as `journals.find` reads it."""
    reversal = JournalEntry.alias()
    reversed_by = reversal.select(reversal.id).where(reversal.reverses == JournalEntry.id)
    reversed_by_number = reversal.select(reversal.number).where(reversal.reverses == JournalEntry.id)
    reverses_number = reversal.select(reversal.number).where(reversal.id == JournalEntry.reverses)
    return JournalEntry.select(
        JournalEntry,
        reversed_by.alias("reversed_by_id"),
        reversed_by_number.alias("reversed_by_number"),
        _REVERSED_AT.alias("reversed_at"),
        reverses_number.alias("reverses_number"),
    )
