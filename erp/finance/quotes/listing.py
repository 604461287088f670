"""The list of quotes: its filters and orders, and sums of what matches."""

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET

from erp.finance.books.search import CONTACT_NAMED, found
from erp.finance.contacts import contacts, heads
from erp.finance.quotes.invoiced import STATUS, USED, QuoteStatus
from erp.finance.quotes.models import Quote
from erp.finance.quotes.views import QuoteSummary
from erp.kernel import money
from erp.projects import projects
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.web import paging
from erp.web.json_pages import chosen
from erp.web.paging import page
from erp.web.scalars import Day, Id, Line, Money
from erp.web.schema import RecordQuery, SummedPage, Unset, View, one_or_several

STATUSES = get_args(QuoteStatus)


class QuoteFilter(RecordQuery):
    status: Annotated[str, one_or_several(STATUSES)] | None = None
    customer_id: Annotated[Id, msgspec.Meta(description="A contact's id.")] | None = None
    project_id: Annotated[Id, msgspec.Meta(description="The project of the quote: its id or code.")] | None = None
    is_sent: Annotated[bool, msgspec.Meta(description="Whether it has gone out to its customer.")] | None = None
    currency: str | None = None
    date_from: Annotated[Day, msgspec.Meta(description="The first issue date.")] | None = None
    date_to: Annotated[Day, msgspec.Meta(description="The last issue date.")] | None = None
    valid_from: Annotated[Day, msgspec.Meta(description="Valid until this day or later.")] | None = None
    valid_to: Annotated[Day, msgspec.Meta(description="Valid until this day or earlier.")] | None = None
    q: (
        Annotated[
            Line,
            msgspec.Meta(description="Part of number, customer, subject, reference or note; or the total."),
        ]
        | None
    ) = None
    all_revisions: Annotated[bool, msgspec.Meta(description="Also the revisions that a later one follows.")] = False
    group_by: (
        Annotated[
            Literal["status", "currency"],
            msgspec.Meta(description="Answer counts and sums of all that match, by currency, instead of a page."),
        ]
        | None
    ) = None
    sort: Literal[
        "number",
        "-number",
        "issueDate",
        "-issueDate",
        "validUntil",
        "-validUntil",
        "total",
        "-total",
        "customerName",
        "-customerName",
        "createdAt",
        "-createdAt",
    ] = "-createdAt"


class QuoteSum(View, kw_only=True):
    """The quotes of one currency, and of one status if they are grouped by it: how many, and their sums."""

    status: Annotated[QuoteStatus | Unset, msgspec.Meta(description="Only where it is grouped by.")] = UNSET
    currency: str
    count: int
    total: Money
    left_net: Annotated[Money, msgspec.Meta(description="The rest to invoice of the accepted ones.")]


_NUMBER = f"coalesce({sql.padded('t1.fiscal_year', 4)} || {sql.padded('t1.seq', 9)}, '')"
_IS_NEWEST = (
    "NOT EXISTS (SELECT 1 FROM quote AS later WHERE later.number = t1.number AND later.revision > t1.revision"
    " AND NOT (later.status = 'draft' AND t1.status IN ('accepted', 'closed')))"
)
"""A draft does not take the place of the revision that the customer has accepted meanwhile."""
_TEXTS = ("t1.number", "t1.contact_name", "t1.subject", "t1.reference", "t1.note")
_UNUSED = sql.greater("t1.accepted_net - " + USED.format(id="t1.id"), "0")
_LEFT = f"CASE WHEN t1.status = 'accepted' THEN {_UNUSED} ELSE 0 END"
_SUMS = (
    "SELECT {status} AS status, t1.currency, count(*), sum(t1.total), sum({left}) FROM quote AS t1 WHERE {where}"
    " GROUP BY 1, 2 ORDER BY 1, 2"
)


def search(query: QuoteFilter) -> SummedPage[QuoteSummary, QuoteSum]:
    """One page of the quotes that match."""
    select = Quote.select()
    for condition in _conditions(query):
        select = select.where(sql.positional(condition))
    sortable = {
        "number": sql.positional(Condition(_NUMBER)),
        "issueDate": Quote.issue_date,
        "validUntil": Quote.valid_until,
        "total": Quote.total,
        "customerName": Quote.contact_name,
    }
    rows = page(select, query, views=QuoteSummary.of_many, sort=query.sort, sortable=sortable)
    return SummedPage.of(rows, sums(query) if query.total else None)


def sums(query: QuoteFilter) -> list[QuoteSum]:
    """Counts and sums of the matching quotes, in groups."""
    where = sql.all_of([*_conditions(query), *chosen(query)])
    status = STATUS.format(t="t1") if query.group_by == "status" else "NULL"
    statement = _SUMS.format(status=status, left=_LEFT, where=where.sql)
    rows = WORKSPACE.rows(statement, {**where.parameters, **_today()})
    return [
        QuoteSum(
            status=UNSET if status is None else status,
            currency=currency,
            count=count,
            total=money.text(total, currency),
            left_net=money.text(left, currency),
        )
        for status, currency, count, total, left in rows
    ]


def _today() -> dict[str, str]:
    return {"today": workspace_settings.today().isoformat()}


def _conditions(query: QuoteFilter) -> Iterator[Condition]:
    customer = query.customer_id and contacts.refer(query.customer_id, "customerId", archived=True).id
    project = query.project_id and projects.refer(query.project_id, "projectId").id
    yield from sql.given(
        (f"t1.contact_id IN {heads.owned('contact_id')}", customer),
        ("t1.project_id = :project_id", project),
        ("t1.currency = :currency", query.currency),
        ("t1.issue_date >= :date_from", query.date_from),
        ("t1.issue_date <= :date_to", query.date_to),
        ("t1.valid_until >= :valid_from", query.valid_from),
        ("t1.valid_until <= :valid_to", query.valid_to),
    )
    if query.status is not None:
        among = sql.array(paging.several("status", query.status, STATUSES))
        is_among = f"{STATUS.format(t='t1')} IN (SELECT value FROM json_each(:status_among))"
        yield Condition(is_among, {"status_among": among, **_today()})
    if query.is_sent is not None:
        yield Condition(f"t1.sent_at IS {'NOT ' if query.is_sent else ''}NULL")
    if not query.all_revisions:
        yield Condition(_IS_NEWEST)
    if query.q:
        yield found(query.q, _TEXTS, ("t1.total",), currency="t1.currency", also=(CONTACT_NAMED,))
