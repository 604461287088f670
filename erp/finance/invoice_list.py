"""The list of invoices: its filters and orders."""

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec.structs import fields
from peewee import SQL, ModelSelect, fn

from erp import money, settings
from erp.errors import BadParameter
from erp.finance.invoice_terms import InvoiceType
from erp.finance.invoice_views import AWAITING, InvoiceSummary
from erp.finance.models import Invoice
from erp.web.scalars import Day, Id, Line
from erp.web.schema import ListQuery

Status = Literal["draft", "issued", "partially_paid", "paid", "void", "written_off"]
STATUSES = get_args(Status)
OWED = ("sales_invoice", "purchase_invoice")
"""What can be overdue; a credit note cannot."""


class InvoiceFilter(ListQuery):
    status: Annotated[str, msgspec.Meta(description="One status or several, separated by commas.")] | None = None
    type: InvoiceType | None = None
    customer_id: Id | None = None
    currency: str | None = None
    overdue: bool | None = None
    project_id: Id | None = None
    date_from: Annotated[Day, msgspec.Meta(description="The first issue date.")] | None = None
    date_to: Annotated[Day, msgspec.Meta(description="The last issue date.")] | None = None
    due_from: Day | None = None
    due_to: Day | None = None
    q: Annotated[Line, msgspec.Meta(description="Part of number, customer or reference.")] | None = None
    sort: Literal[
        "number",
        "-number",
        "issueDate",
        "-issueDate",
        "dueDate",
        "-dueDate",
        "total",
        "-total",
        "customerName",
        "-customerName",
        "createdAt",
        "-createdAt",
    ] = "-createdAt"


SORTABLE = {
    "number": fn.COALESCE(Invoice.number, ""),
    "issueDate": Invoice.issue_date,
    "dueDate": Invoice.due_date,
    "total": Invoice.total,
    "customerName": Invoice.contact_name,
}

_COLUMNS = {
    "customer_id": "contact_id",
    "customer_name": "contact_name",
    **{name: money.sql_text(name) for name in ("subtotal", "tax_total", "total", "amount_paid", "amount_credited")},
    "amount_due": money.sql_text(
        "(CASE WHEN status IN ('void', 'written_off') THEN 0 ELSE total - amount_paid - amount_credited END)"
    ),
    "is_overdue": "json(iif(days_overdue > 0, 'true', 'false'))",
}
"""How the fields of a summary are had from the table, where they are not columns of that very name."""

_JSON = "json_object({})".format(
    ", ".join(f"'{field.encode_name}', {_COLUMNS.get(field.name, field.name)}" for field in fields(InvoiceSummary))
)
_DAYS_OVERDUE = (
    f"CASE WHEN status IN {AWAITING} AND type IN {OWED} AND due_date < ?"
    " THEN CAST(julianday(?) - julianday(due_date) AS INTEGER) ELSE 0 END"
)
_SHOWN = _JSON.replace("days_overdue", f"({_DAYS_OVERDUE})")


def select(query: InvoiceFilter) -> "ModelSelect[Invoice]":
    """The invoices that a query asks for, each as the JSON of an `InvoiceSummary`."""
    today = settings.today().isoformat()
    found = Invoice.select(SQL(_SHOWN, [today] * _SHOWN.count("?")))
    for condition in _conditions(query):
        found = found.where(condition)
    return found


def _conditions(query: InvoiceFilter) -> list[Any]:
    plain = {
        Invoice.type: query.type,
        Invoice.contact: query.customer_id,
        Invoice.currency: query.currency,
        Invoice.project_id: query.project_id,
    }
    found: list[Any] = [column == value for column, value in plain.items() if value is not None]
    found += [Invoice.issue_date >= query.date_from] if query.date_from else []
    found += [Invoice.issue_date <= query.date_to] if query.date_to else []
    found += [Invoice.due_date >= query.due_from] if query.due_from else []
    found += [Invoice.due_date <= query.due_to] if query.due_to else []
    found += [Invoice.status.in_(_statuses(query.status))] if query.status is not None else []
    found += [_is_overdue() if query.overdue else ~_is_overdue()] if query.overdue is not None else []
    found += [_mentions(query.q)] if query.q else []
    return found


def _statuses(text: str) -> list[str]:
    named = text.split(",")
    if not set(named) <= set(STATUSES):
        raise BadParameter(f"status: Must be of {', '.join(STATUSES)}.")
    return named


def _is_overdue() -> Any:
    return Invoice.status.in_(AWAITING) & (Invoice.due_date < settings.today()) & Invoice.type.in_(OWED)


def _mentions(text: str) -> Any:
    return Invoice.number.contains(text) | Invoice.contact_name.contains(text) | Invoice.reference.contains(text)
