"""The list of invoices: its filters and orders."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET

from erp.finance.books.search import CONTACT_NAMED, found
from erp.finance.contacts import contacts, heads, reminded
from erp.finance.documents import standing
from erp.finance.documents.bills import Approval
from erp.finance.documents.models import PURCHASES, InvoiceKind
from erp.finance.documents.overdue import DATED, STORED, Columns
from erp.finance.invoices import actions
from erp.finance.invoices.views import InvoiceStatus, InvoiceSummary, lines_of
from erp.finance.items import store as items
from erp.kernel import money
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Noun
from erp.projects import projects
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Amount, Condition
from erp.web.json_pages import Added, chosen, one_of, page
from erp.web.scalars import Day, Id, Line, Money
from erp.web.schema import Include, Page, RecordQuery, SummedPage, Unset, View, one_or_several

STATUSES = get_args(InvoiceStatus)
KINDS = get_args(InvoiceKind)


GroupBy = Annotated[
    Literal["status", "currency"],
    msgspec.Meta(description="Answer counts and sums of all that match, by kind and currency, instead of a page."),
]


class InvoiceSum(View, kw_only=True):
    """The documents of one kind and currency, and of one status if they are grouped by it: how many, and their sums."""

    kind: InvoiceKind
    status: Annotated[InvoiceStatus | Unset, msgspec.Meta(description="Only where it is grouped by.")] = UNSET
    currency: str
    count: int
    total: Money
    amount_due: Money
    overdue_count: int
    overdue_amount: Money


class InvoiceFilter(RecordQuery):
    status: Annotated[str, one_or_several(STATUSES)] | None = None
    kind: Annotated[str, one_or_several(KINDS)] | None = None
    customer_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    supplier_id: Annotated[Id, msgspec.Meta(description="A contact's id; its bills.")] | None = None
    approval: Annotated[Approval, msgspec.Meta(description="Where the approval of a bill stands.")] | None = None
    currency: str | None = None
    is_overdue: bool | None = None
    reminder_level: (
        Annotated[int, msgspec.Meta(description="Its level in the newest reminder that names it.")] | None
    ) = None
    is_blocked: (
        Annotated[bool, msgspec.Meta(description="Whether it, or its contact, is blocked from reminders.")] | None
    ) = None
    is_sent: Annotated[bool, msgspec.Meta(description="Whether it has gone out to its customer.")] | None = None
    has_file: (
        Annotated[bool, msgspec.Meta(description="Whether a file is attached, or it came as an e-invoice.")] | None
    ) = None
    project_id: (
        Annotated[Id, msgspec.Meta(description="The project of the document or of a line: its id or code.")] | None
    ) = None
    quote_id: Annotated[Id, msgspec.Meta(description="The quote that it bills: its id or number.")] | None = None
    date_from: Annotated[Day, msgspec.Meta(description="The first issue date.")] | None = None
    date_to: Annotated[Day, msgspec.Meta(description="The last issue date.")] | None = None
    due_from: Day | None = None
    due_to: Day | None = None
    q: (
        Annotated[
            Line,
            msgspec.Meta(
                description="Part of number, supplier's number, contact, reference or note; or the total or what is"
                " due, as `5124.16`, `5,124.16` or, with any cents, `5124`."
            ),
        ]
        | None
    ) = None
    group_by: GroupBy | None = None
    include: Include | None = None
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
        "supplierName",
        "-supplierName",
        "createdAt",
        "-createdAt",
    ] = "-createdAt"


SORTABLE = {
    # By year and sequence: as text INV-100000 comes before INV-20000.
    "number": f"coalesce(kind || {sql.padded('fiscal_year', 4)} || {sql.padded('seq', 9)}, '')",
    "issueDate": "issue_date",
    "dueDate": "due_date",
    "total": "total",
    "customerName": "contact_name",
    "supplierName": "contact_name",
}

_TEXTS = ("number", "contact_name", "supplier_number", "reference", "note")
_AMOUNTS = ("total", "(total - deposit_total - amount_paid - amount_credited)")
_OF_PROJECT = "(project_id = :project_id OR id IN (SELECT invoice_id FROM invoice_line WHERE project_id = :project_id))"


_OF_QUOTE = "quote_id IN (SELECT quote.id FROM quote WHERE quote.id = :quote_id OR quote.number = :quote_id)"


def _shown(columns: Columns) -> str:
    return sql.json_of(
        InvoiceSummary,
        {
            "customer_id": f"CASE WHEN kind NOT IN {PURCHASES} THEN {heads.sql('contact_id')} END",
            "customer_name": f"CASE WHEN kind NOT IN {PURCHASES} THEN contact_name END",
            "supplier_id": f"CASE WHEN kind IN {PURCHASES} THEN {heads.sql('contact_id')} END",
            "supplier_name": f"CASE WHEN kind IN {PURCHASES} THEN contact_name END",
            "status": columns.status,
            **{name: Amount(name) for name in ("subtotal", "tax_total", "total", "deposit_total")},
            "net_total": Amount("(subtotal - discount_total + charge_total)"),
            "amount_paid": Amount(f"({columns.paid} - {standing.DEDUCTED})"),
            "amount_deducted": Amount(standing.DEDUCTED),
            "amount_credited": Amount(columns.credited),
            "amount_due": Amount(columns.due),
            "is_overdue": sql.Json(f"CASE WHEN {columns.is_overdue} THEN 'true' ELSE 'false' END"),
            "days_overdue": columns.days_overdue,
            "quote_number": "(SELECT quote.number FROM quote WHERE quote.id = quote_id)",
            "reminder_level": reminded.LEVEL,
            "last_reminder_on": reminded.LAST_ON,
            "is_blocked": sql.Json(sql.json_bool(reminded.IS_BLOCKED)),
            "is_reminder_charge": sql.Json(sql.json_bool(reminded.IS_CHARGE)),
            "is_sent": sql.Json("CASE WHEN sent_at IS NOT NULL THEN 'true' ELSE 'false' END"),
            "can": None,
            "lines": None,
        },
    )


_PROJECT = (
    "LEFT JOIN (SELECT id AS its_project_id, name AS project_name FROM project) AS its_project"
    " ON its_project_id = project_id"
)
_SHOWN = {columns: _shown(columns) for columns in (STORED, DATED)}
_JOINED = {columns: f"{columns.joined} {_PROJECT}" for columns in (STORED, DATED)}


def search(query: InvoiceFilter) -> SummedPage[InvoiceSummary, InvoiceSum]:
    columns = DATED if items.is_anything_later() else STORED
    shown = Condition(_SHOWN[columns], standing.parameters())
    where = list(_conditions(query, columns))
    can = Added("can", standing.FACTS, actions.of_page)
    rows = page("invoice", shown, where, query, joined=_JOINED[columns], sort=query.sort, sortable=SORTABLE, added=can)
    if query.include is not None:
        rows = _with_lines(rows)
    return SummedPage.of(rows, sums(query) if query.total else None)


def _with_lines(rows: Page[InvoiceSummary]) -> Page[InvoiceSummary]:
    items: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(rows.items))
    lines = lines_of({item["id"]: item["currency"] for item in items})
    with_lines: Any = [item | {"lines": lines[item["id"]]} for item in items]
    return msgspec.structs.replace(rows, items=with_lines)


_SUMS = """
SELECT kind, {status}, currency, count(*), sum(total), sum({due}),
    coalesce(sum(CASE WHEN {is_overdue} THEN 1 ELSE 0 END), 0), coalesce(sum(CASE WHEN {is_overdue} THEN {due} END), 0)
FROM invoice {joined} WHERE {where} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


def sums(query: InvoiceFilter) -> list[InvoiceSum]:
    """Counts and sums of the matching documents, in groups."""
    columns = DATED if items.is_anything_later() else STORED
    where = sql.all_of([*_conditions(query, columns), *chosen(query)])
    statement = _SUMS.format(
        status=columns.status if query.group_by == "status" else "NULL",
        due=columns.due,
        is_overdue=columns.is_overdue,
        joined=columns.joined,
        where=where.sql,
    )
    rows = WORKSPACE.rows(statement, {**where.parameters, **_today()})
    return [_sum(*row) for row in rows]


def _sum(kind: InvoiceKind, status: InvoiceStatus | None, currency: str, count: int, *sums: int) -> InvoiceSum:
    total, due, overdue_count, overdue = sums
    return InvoiceSum(
        kind=kind,
        status=UNSET if status is None else status,
        currency=currency,
        count=count,
        total=money.text(total, currency),
        amount_due=money.text(due, currency),
        overdue_count=overdue_count,
        overdue_amount=money.text(overdue, currency),
    )


def _today() -> dict[str, str]:
    return {"today": workspace_settings.today().isoformat()}


def _customer(name: str) -> str:
    return str(contacts.refer(name, "customerId", archived=True).id)


def _supplier(name: str) -> str:
    return str(contacts.refer(name, "supplierId", archived=True).id)


def _quote(name: str) -> str:
    """The id of a quote if a filter names it by its id, or its number, which its revisions share."""
    if not WORKSPACE.rows("SELECT 1 FROM quote WHERE id = ? OR number = ? LIMIT 1", (name, name)):
        raise UnknownReference("quoteId", Noun("quote"))
    return name


def _conditions(query: InvoiceFilter, columns: Columns) -> Iterator[Condition]:
    yield from sql.given(
        (f"contact_id IN {heads.owned('contact_id')}", query.customer_id and _customer(query.customer_id)),
        (
            f"contact_id IN {heads.owned('supplier_id')} AND kind IN {PURCHASES}",
            query.supplier_id and _supplier(query.supplier_id),
        ),
        ("approval = :approval", query.approval),
        ("currency = :currency", query.currency),
        (_OF_QUOTE, query.quote_id and _quote(query.quote_id)),
        ("issue_date >= :date_from", query.date_from),
        ("issue_date <= :date_to", query.date_to),
        ("due_date >= :due_from", query.due_from),
        ("due_date <= :due_to", query.due_to),
        (_OF_PROJECT, query.project_id and projects.refer(query.project_id, "projectId").id),
    )
    if query.kind is not None:
        yield one_of("kind", query.kind, KINDS)
    if query.status is not None:
        among = one_of("status", query.status, STATUSES).parameters
        yield Condition(columns.with_status, {**among, **_today()})
    if query.is_overdue is not None:
        yield Condition(columns.with_overdue if query.is_overdue else f"NOT {columns.with_overdue}", _today())
    if query.reminder_level is not None:
        yield Condition(f"{reminded.LEVEL} = :reminder_level", {"reminder_level": query.reminder_level})
    yield from _answers(query)
    if query.q:
        yield found(query.q, _TEXTS, _AMOUNTS, also=(CONTACT_NAMED,))


def _answers(query: InvoiceFilter) -> Iterator[Condition]:
    """The questions that are answered by yes or no."""
    if query.is_blocked is not None:
        yield Condition(f"{'' if query.is_blocked else 'NOT '}{reminded.IS_BLOCKED}", _today())
    if query.is_sent is not None:
        yield Condition(f"sent_at IS {'NOT ' if query.is_sent else ''}NULL", {})
    if query.has_file is not None:
        yield Condition(f"{'' if query.has_file else 'NOT '}{standing.HAS_FILE}", {})
