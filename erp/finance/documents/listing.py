"""The list of invoices: its filters and orders."""

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

import msgspec
from msgspec.structs import fields

from erp.finance.documents.bodies import InvoiceType
from erp.finance.documents.views import AWAITING, InvoiceSummary
from erp.kernel import money
from erp.store import workspace_settings
from erp.web.json_pages import Condition, like, one_of, page
from erp.web.scalars import Day, Id, Line
from erp.web.schema import ListQuery, Page

Status = Literal["draft", "issued", "partially_paid", "paid", "void", "written_off"]
STATUSES = get_args(Status)
OWED = ("sales_invoice", "purchase_invoice")
"""What can be overdue; a credit note cannot."""


class InvoiceFilter(ListQuery):
    status: (
        Annotated[str, msgspec.Meta(description=f"One or several, separated by commas, of {', '.join(STATUSES)}.")]
        | None
    ) = None
    type: InvoiceType | None = None
    customer_id: Id | None = None
    currency: str | None = None
    overdue: bool | None = None
    project_id: Annotated[Id, msgspec.Meta(description="Of the document or of a line.")] | None = None
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
    # Not by its text, in which INV-100000 comes before INV-20000.
    "number": "iif(seq IS NULL, '', type || printf('%04d%09d', fiscal_year, seq))",
    "issueDate": "issue_date",
    "dueDate": "due_date",
    "total": "total",
    "customerName": "contact_name",
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
_OF_PROJECT = "(project_id = ? OR id IN (SELECT invoice_id FROM invoice_line WHERE project_id = ?))"
_LATE = f"(status IN {AWAITING} AND type IN {OWED} AND due_date < ?)"
_DAYS_LATE = f"iif({_LATE}, CAST(julianday(?) - julianday(due_date) AS INTEGER), 0)"
_SHOWN = _JSON.replace("days_overdue", _DAYS_LATE)


def search(query: InvoiceFilter) -> Page[InvoiceSummary]:
    """The invoices that a query asks for."""
    shown = Condition(_SHOWN, [workspace_settings.today().isoformat()] * _SHOWN.count("?"))
    return page("invoice", shown, list(_conditions(query)), query, sort=query.sort, sortable=SORTABLE)


def _conditions(query: InvoiceFilter) -> Iterator[Condition]:
    for clause, value in (
        ("type = ?", query.type),
        ("contact_id = ?", query.customer_id),
        ("currency = ?", query.currency),
        ("issue_date >= ?", query.date_from),
        ("issue_date <= ?", query.date_to),
        ("due_date >= ?", query.due_from),
        ("due_date <= ?", query.due_to),
    ):
        if value is not None:
            yield Condition(clause, [str(value)])
    if query.status is not None:
        yield one_of("status", query.status, STATUSES)
    if query.overdue is not None:
        yield Condition(_LATE if query.overdue else f"NOT {_LATE}", [workspace_settings.today().isoformat()])
    if query.project_id is not None:
        yield Condition(_OF_PROJECT, [query.project_id] * 2)
    if query.q:
        yield like(("number", "contact_name", "reference"), query.q)
