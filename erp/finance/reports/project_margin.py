"""The margin of projects: what they earned, less what their time and their expenses cost.

Someone who may not see the cost of time sees none of it, nor the margin. With the setting `managersSeeMargin` managers
see the sums of projects, but none that would tell what someone earns, alone or compared with another: only of whole
calendar months that are over, each of them with at least three people or none.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.contacts import contacts
from erp.finance.reports.period import ComparedQuery, Span, compared, span_of
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, Kind, ReportTree, Row, Tree, Withheld
from erp.kernel import caller
from erp.kernel.days import is_month_end
from erp.kernel.errors import Forbidden, UnknownReference
from erp.kernel.language import Word, says
from erp.members import people
from erp.projects import projects
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.time import costs
from erp.web.endpoint import endpoint
from erp.web.scalars import Id

Grouping = Literal["project", "customer", "user"]

FEWEST = 3
"""The people whose cost a manager sees as a sum."""


class MarginQuery(ComparedQuery):
    """The days, the rows and the comparison to show."""

    compare: Annotated[
        Literal["previous_period", "previous_year"],
        Meta(description="The comparison: as many months or days right before, or the same days a year ago."),
    ] = "previous_period"
    group_by: Annotated[Grouping, Meta(description="The rows.")] = "project"
    project_id: Annotated[Id, Meta(description="A project's id or code: only it.")] | None = None
    customer_id: Annotated[Id, Meta(description="A contact's id: only their projects.")] | None = None


class Worth(NamedTuple):
    """The sums of a row in some days; `fewest` are the people with a cost in the month that has the fewest."""

    minutes: int = 0
    billable_minutes: int = 0
    unbilled: int = 0
    time_cost: int = 0
    fewest: int = 0
    income: int = 0
    expenses: int = 0


def of(query: MarginQuery) -> ReportTree:
    """The report that a query asks for; its proof is the same for everyone who may read it.

    Raises:
        Forbidden: the caller may not see it.
        UnknownReference: there is no such project or customer.
    """
    _check_rights(query)
    return _Margins(query).tree().view(query)


def _check_rights(query: MarginQuery) -> None:
    if not caller.may("finance.read"):
        if not _sees_sums():
            raise caller.refusal("finance.read")
        if query.group_by != "project":
            raise Forbidden(says("You can only see the margin of projects."))
    if query.group_by == "user" and not caller.may("time.read"):
        raise caller.refusal("time.read")


def _sees_sums() -> bool:
    return workspace_settings.current().managers_see_margin and caller.may("projects.write")


class _Margins:
    """A report while it is made."""

    def __init__(self, query: MarginQuery) -> None:
        self.query, self.group_by = query, query.group_by
        self.span = span_of(query)
        self.then = compared(query, self.span) or self.span
        self.today = workspace_settings.today()
        self.sees_all = caller.may("cost.read")
        self.sees_costs = self.sees_all or _sees_sums()
        self.project_id = projects.refer(query.project_id, "projectId").id if query.project_id else None
        named = query.customer_id
        self.customer_id = contacts.refer(named, "customerId", archived=True).id if named else None

    def tree(self) -> Tree:
        tree = Tree(
            "project_margin",
            Word("Margin of projects"),
            [*self._columns("", self.span), *self._columns("previous_", self.then)],
            heading={"project": Word("Project"), "customer": Word("Customer"), "user": Word("Person")}[self.group_by],
            since=self.span.first,
            until=self.span.last,
        )
        tree.sum(Word("Total"), [tree.add(row) for row in self._rows()], key="total")
        return tree

    def _columns(self, prefix: str, span: Span) -> Iterator[Column]:
        """The figures of some days."""
        first, last = span
        for key, label, kind in self._figures():
            yield Column(
                key=prefix + key,
                label=says("{figure} (previous)", figure=label) if prefix else label,
                kind=kind,
                date_from=first,
                date_to=last,
                adds=tuple(prefix + other for other in _ADDS.get(key, ())),
                subtracts=tuple(prefix + other for other in self._costs() if key == "margin"),
                percent_of=f"{prefix}income" if key == "margin_percent" else None,
                is_for_all=key not in _OF_COSTS,
            )

    def _figures(self) -> Iterator[tuple[str, str, Kind]]:
        for key, label, kind in _FIGURES:
            if (key not in _OF_COSTS or self.sees_costs) and (key != "expenses" or self.group_by != "user"):
                yield key, label, kind

    def _costs(self) -> tuple[str, ...]:
        return ("time_cost",) if self.group_by == "user" else ("time_cost", "expenses")

    def _rows(self) -> Iterator[Row]:
        now, then = self._worth(self.span), self._worth(self.then)
        names = self._names({*now, *then})
        for id in sorted(names, key=lambda id: (id == "", names[id], id)):
            cells = {**self._cells("", id, now.get(id, Worth()), self.span)}
            cells |= self._cells("previous_", id, then.get(id, Worth()), self.then)
            yield Row(kind="line", label=names[id], level=1, key=id or None, link=self._record(id), cells=cells)

    def _cells(self, prefix: str, id: str, worth: Worth, span: Span) -> dict[str, Cell]:
        cells: dict[str, Cell] = {
            "minutes": Figure(worth.minutes, self._time(id, span)),
            "billable_minutes": Figure(worth.billable_minutes, self._time(id, span, is_billable="true")),
            "income": Figure(worth.income, self._posted(id, span)),
            "unbilled": Figure(worth.unbilled, self._time(id, span, is_billable="true", is_invoiced="false")),
            "time_cost": self._time_cost(worth, span, self._time(id, span)),
            "expenses": Figure(worth.expenses, self._posted(id, span)),
        }
        shown = {key for key, *_ in self._figures()}
        return {prefix + key: cell for key, cell in cells.items() if key in shown}

    def _time_cost(self, worth: Worth, span: Span, link: str | None) -> Cell:
        if not self.sees_all:
            if not (span.first.day == 1 and is_month_end(span.last) and span.last < self.today):
                return Withheld("not_whole_months")
            if 0 < worth.fewest < FEWEST:
                return Withheld("too_few_people")
        return Figure(worth.time_cost, link)

    def _time(self, id: str, span: Span, **more: str) -> str | None:
        """The address of the time of a row."""
        if self.group_by == "customer":
            return self._projects(id, span)
        chosen = {f"{self.group_by}_id": id, "date_from": span.first, "date_to": span.last, **more}
        if self.group_by == "user":
            chosen |= {"project_id": self.project_id, "customer_id": self.customer_id}
        return links.time_logs(**chosen)

    def _posted(self, id: str, span: Span) -> str | None:
        """The address of the income and expenses of a row."""
        if self.group_by == "user":
            return self._time(id, span, is_invoiced="true")
        if self.group_by == "customer":
            return self._projects(id, span)
        return links.to("/reports/profit-and-loss", project_id=id, date_from=span.first, date_to=span.last)

    def _projects(self, customer_id: str, span: Span) -> str | None:
        """The address of the projects of a customer."""
        if not customer_id:
            return None
        days = {"date_from": span.first, "date_to": span.last}
        return links.to("/reports/project-margin", customer_id=customer_id, **days)

    def _record(self, id: str) -> str | None:
        if self.group_by == "project":
            return f"/api/v1/projects/{id}"
        return links.to(f"/contacts/{id}") if self.group_by == "customer" and id else None

    def _worth(self, span: Span) -> dict[str, Worth]:
        """The sums of each row in some days."""
        parameters: dict[str, Any] = {"first": str(span.first), "last": str(span.last)}
        parameters |= {"project": self.project_id, "customer": self.customer_id}
        key = _KEYS[self.group_by]
        sums = {
            id: Worth(*amounts)
            for id, *amounts in WORKSPACE.rows(_TIME.format(key=key), {**parameters, **costs.parameters()})
        }
        if self.group_by == "user":
            return sums
        posted = WORKSPACE.rows(_POSTED.format(key=key), parameters)
        results = {id: {"income": income, "expenses": expenses} for id, income, expenses in posted}
        return {id: sums.get(id, Worth())._replace(**results.get(id, {"income": 0})) for id in {*sums, *results}}

    def _names(self, ids: set[str]) -> Mapping[str, str]:
        if self.group_by == "user":
            known = people.names(ids)
            return {id: known.get(id) or Word("Former member") for id in ids}
        rows = WORKSPACE.rows(_NAMES[self.group_by], (sql.array(ids),))
        return {id: name for id, name in [*rows, ("", Word("Without a customer"))] if id in ids}


_FIGURES: Sequence[tuple[str, str, Kind]] = (
    ("minutes", Word("Time", "worked"), "minutes"),
    ("billable_minutes", Word("Billable", "time"), "minutes"),
    ("income", Word("Income"), "amount"),
    ("unbilled", Word("Not invoiced"), "amount"),
    ("time_cost", Word("Cost of time"), "amount"),
    ("expenses", Word("Expenses"), "amount"),
    ("margin", Word("Margin"), "amount"),
    ("margin_percent", Word("Margin in %"), "percent"),
)
_OF_COSTS = {"time_cost", "margin", "margin_percent"}
_ADDS = {"margin": ("income",), "margin_percent": ("margin",)}
_KEYS = {"project": "project.id", "customer": "coalesce(project.customer_id, '')", "user": "user_id"}
_NAMES = {
    "project": "SELECT id, code || ' ' || name FROM project WHERE id IN (SELECT value FROM json_each(?))",
    "customer": "SELECT id, name FROM contact WHERE id IN (SELECT value FROM json_each(?))",
}

_CHOSEN = (
    "(CAST(:project AS TEXT) IS NULL OR project.id = :project)"
    " AND (CAST(:customer AS TEXT) IS NULL OR project.customer_id = :customer)"
)
_RATE = "coalesce(time_log.cost_rate, span.rate)"
_TIME = f"""
WITH span AS MATERIALIZED ({costs.SPANS}),
of_month AS (
    SELECT {{key}} AS key, sum(minutes) AS minutes, sum(minutes) FILTER (WHERE is_billable) AS billable,
        sum(amount) FILTER (WHERE is_billable AND invoice_id IS NULL) AS unbilled,
        sum({costs.cost(_RATE)}) AS cost, count(DISTINCT user_id) FILTER (WHERE {_RATE} IS NOT NULL) AS people,
        sum(amount) FILTER (WHERE EXISTS (
            SELECT 1 FROM invoice WHERE invoice.id = invoice_id AND invoice.number IS NOT NULL)) AS income
    FROM time_log JOIN project ON project.id = time_log.project_id
    LEFT JOIN span ON time_log.cost_rate IS NULL AND person_id = user_id
        AND time_log.date BETWEEN first_day AND last_day
    WHERE time_log.date BETWEEN :first AND :last AND {_CHOSEN} GROUP BY {{key}}, substr(time_log.date, 1, 7))
SELECT key, sum(minutes), coalesce(sum(billable), 0), coalesce(sum(unbilled), 0), coalesce(sum(cost), 0),
    coalesce(min(people) FILTER (WHERE people > 0), 0), coalesce(sum(income), 0)
FROM of_month GROUP BY key
"""
# The comparison keeps SQLite on the index of postings with a project.
_POSTED = f"""
SELECT {{key}}, coalesce(-sum(p.amount) FILTER (WHERE a.type = 'income'), 0),
    coalesce(sum(p.amount) FILTER (WHERE a.type = 'expense'), 0)
FROM posting AS p {sql.THEN_JOIN} account AS a ON a.id = p.account_id JOIN project ON project.id = p.project_id
WHERE p.project_id > '' AND a.type IN ('income', 'expense') AND a.subtype <> 'payroll_expense'
AND p.date BETWEEN :first AND :last AND {_CHOSEN} GROUP BY 1
"""


class Resource:
    @endpoint(permission="money.read", refuses=(UnknownReference,))
    def on_get(self, query: MarginQuery) -> ReportTree:
        """Show the margin of projects.

        Income and expenses are postings with the project on such accounts, except for payroll accounts: time has its
        own cost, of each person and day. By person, income is their invoiced time, and there are no expenses. The
        margin is in per cent of the income. The same figures follow of the days before, or of another comparison.

        It needs the right to read the books, and its columns of costs and margins the right to see costs. With the
        setting `managersSeeMargin`, managers see both for each project, but only of whole calendar months that are over
        (else null with `why: not_whole_months`), and in each of which at least three people worked on it, or none
        (`too_few_people`). The proof leaves these columns out, so that it is the same for everyone.
        """
        return of(query)
