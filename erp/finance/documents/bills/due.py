"""The bills that are due by a day, as proposals for a payment run."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.contacts import contacts
from erp.finance.documents.bills.approval import Approval
from erp.finance.documents.overdue import AWAITING
from erp.store import sql, workspace_settings
from erp.store.sql import Amount, Condition
from erp.web.json_pages import page
from erp.web.scalars import Day, Id, Money
from erp.web.schema import ListQuery, Page, View


class DueBillView(View):
    """A bill on which something is due, whatever day that is paid; `hasIban` says whether its supplier has one.

    `supplierCredit` is what is open on the supplier's credit notes in the same currency.
    """

    id: str
    number: str
    supplier_id: str
    supplier_name: str
    supplier_number: str | None
    issue_date: str
    due_date: str
    days_overdue: int
    currency: str
    total: Money
    amount_due: Money
    supplier_credit: Money
    approval: Approval
    has_iban: bool


class DueBillFilter(ListQuery):
    due_through: Annotated[Day, Meta(description="The last due date. Today when absent.")] | None = None
    supplier_id: Annotated[Id, Meta(description="A contact's id.")] | None = None
    currency: str | None = None
    approval: Annotated[Approval, Meta(description="Where the approval of a bill stands.")] | None = None
    sort: Literal["dueDate", "-dueDate", "supplierName", "-supplierName", "createdAt", "-createdAt"] = "dueDate"


_HAS_ACCOUNT = "EXISTS (SELECT 1 FROM contact WHERE contact.id = contact_id AND bank_account IS NOT NULL)"
_CREDIT = (
    "SELECT coalesce(sum(note.total - note.amount_paid - note.amount_credited), 0) FROM invoice AS note"
    " WHERE note.contact_id = invoice.contact_id AND note.kind = 'purchase_credit_note'"
    f" AND note.status IN {AWAITING} AND note.currency = invoice.currency"
)
_LATE = f"CASE WHEN due_date < :today THEN {sql.days_between('due_date', ':today')} ELSE 0 END"
_SHOWN = sql.json_of(
    DueBillView,
    {
        "supplier_id": "contact_id",
        "supplier_name": "contact_name",
        "days_overdue": _LATE,
        "total": Amount("total"),
        "amount_due": Amount("(total - amount_paid - amount_credited)"),
        "supplier_credit": Amount(f"({_CREDIT})"),
        "has_iban": sql.json_bool(_HAS_ACCOUNT),
    },
)
_SORTABLE = {"dueDate": "due_date", "supplierName": "contact_name"}


def search(query: DueBillFilter) -> Page[DueBillView]:
    """The page of due bills that a query asks for."""
    shown = Condition(_SHOWN, {"today": workspace_settings.today().isoformat()})
    return page("invoice", shown, list(_conditions(query)), query, sort=query.sort, sortable=_SORTABLE)


def _conditions(query: DueBillFilter) -> Iterator[Condition]:
    yield Condition(f"kind = 'purchase_invoice' AND status IN {AWAITING}")
    yield from sql.given(
        ("due_date <= :due_through", query.due_through or workspace_settings.today()),
        ("contact_id = :supplier_id", query.supplier_id and _supplier(query.supplier_id)),
        ("currency = :currency", query.currency),
        ("approval = :approval", query.approval),
    )


def _supplier(id: str) -> str:
    return str(contacts.refer(id, "supplierId", archived=True).id)
