"""Reminders of contacts and invoices, by fixed SQL: the room of the letters stands above these."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.books import open_items
from erp.finance.contacts import heads
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import View

IS_LIVE = "(reminder_block.until IS NULL OR reminder_block.until >= :today)"
"""Whether a block holds today: its last day is one without reminders."""


class ReminderBlockView(View):
    """Why reminders leave out a contact or an invoice."""

    kind: Literal["disputed", "agreed", "other"]
    reason: str
    until: Annotated[date | None, Meta(description="The last day without reminders; null: until it is lifted.")]
    blocks: Annotated[
        Literal["contact", "invoice"], Meta(description="Whether the contact is blocked, or the invoice alone.")
    ]
    created_at: str
    created_by_name: str | None


def blocks(ids: Sequence[str]) -> dict[str, ReminderBlockView]:
    """The blocks that hold today, by the id of the contact or invoice."""
    parameters = {"ids": sql.array(ids), "today": workspace_settings.today().isoformat()}
    return {id: _view(*row) for id, *row in WORKSPACE.rows(_BLOCKS, parameters)}


def _view(kind: Any, reason: str, until: str | None, blocked: Any, at: str, by: str | None) -> ReminderBlockView:
    return ReminderBlockView(
        kind=kind,
        reason=reason,
        until=None if until is None else date.fromisoformat(until),
        blocks=blocked,
        created_at=at,
        created_by_name=names.of_user(by),
    )


def levels(contact_ids: Sequence[str]) -> dict[str, int]:
    """The highest level of each contact's open overdue items that letters have named."""
    parameters = {"ids": sql.array(heads.groups(contact_ids)), "today": workspace_settings.today().isoformat()}
    return dict(WORKSPACE.rows(_LEVELS, parameters))


class OfInvoice(NamedTuple):
    """The newest letter that names an invoice, and whether the invoice asks for charges of one."""

    reminder_level: int
    last_reminder_on: date | None
    is_reminder_charge: bool


def of_invoice(id: str) -> OfInvoice:
    """The newest letter that names an invoice, and the charges it asks for."""
    ((level, day, is_charge),) = WORKSPACE.rows(_OF_INVOICE, {"id": id})
    return OfInvoice(level, None if day is None else date.fromisoformat(day), bool(is_charge))


def _newest(column: str, invoice_id: str) -> str:
    return (
        f"(SELECT {column} FROM reminder_item WHERE reminder_item.invoice_id = {invoice_id} AND is_live"
        " ORDER BY reminder_item.date DESC LIMIT 1)"
    )


LEVEL = f"coalesce({_newest('level', 'invoice.id')}, 0)"
"""The level of an `invoice`, in SQL."""
LAST_ON = _newest("date", "invoice.id")
"""The day of the newest letter that names an `invoice`."""
IS_CHARGE = "EXISTS (SELECT 1 FROM reminder_charge WHERE reminder_charge.invoice_id = invoice.id)"
"""Whether an `invoice` asks for charges of a letter."""
IS_BLOCKED = (
    "(invoice.kind NOT IN ('purchase_invoice', 'purchase_credit_note') AND EXISTS (SELECT 1 FROM reminder_block"
    f" WHERE reminder_block.resource_id IN (invoice.id, {heads.sql('invoice.contact_id')})"
    f" AND {IS_LIVE}))"
)
"""Whether reminders leave out an `invoice` as of :today."""
_OF_INVOICE = f"SELECT {LEVEL}, {LAST_ON}, {IS_CHARGE} FROM invoice WHERE id = :id"
_BLOCKS = f"""
SELECT resource_id, kind, reason, until, resource_type, created_at, created_by FROM reminder_block
WHERE resource_id IN (SELECT value FROM json_each(:ids)) AND {IS_LIVE}
"""
_LEVELS = f"""
SELECT item.head, max(named.level) FROM (
    SELECT open_item.id, {heads.sql("contact_id")} AS head FROM open_item
    WHERE contact_id IN (SELECT value FROM json_each(:ids)) AND {open_items.overdue("open", "'receivable'")}
) AS item JOIN reminder_item AS named ON named.item_id = item.id
WHERE named.is_live AND named.date = (
        SELECT max(date) FROM reminder_item AS newest WHERE newest.item_id = item.id AND newest.is_live
    )
GROUP BY item.head
"""
