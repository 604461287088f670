"""Invoices from time logs: drafts of all billable time of a project or a customer that is on no invoice yet.

The minutes of a line are rounded as `timeBilling` says. Its quantity is their hours to two places, and its net is that
quantity × rate: what is printed is multiplied. The net is divided among its logs, so that their amounts sum to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import Meta

from erp.finance.billing import billing_rules, rounding
from erp.finance.billing.billing_rules import Rule
from erp.finance.billing.rounding import Logged
from erp.finance.books.service import Service
from erp.finance.contacts import contacts
from erp.finance.contacts.models import Contact
from erp.finance.documents import billed_expenses, invoices
from erp.finance.documents.billed_expenses import Unbilled
from erp.finance.documents.billed_time import BilledLog
from erp.finance.documents.commands import InvoiceCommand, LineCommand
from erp.finance.documents.store import FullInvoice
from erp.finance.invoices.views import InvoiceView
from erp.kernel import money, places, wording
from erp.kernel.errors import Invalid, Refusal, UnknownReference
from erp.kernel.language import Listed, counted, says
from erp.members import people
from erp.projects import projects, rates
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.tasks.time import locks
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id, Money
from erp.web.schema import Body, View
from erp.web.text_scalars import TimeBilling

MAX_LINES, MAX_TEXT = 500, 1000
NAMED = 10
"""Number of tasks that a refusal names."""

Grouping = Literal["task", "user", "date"]


class NewTimeInvoice(Body):
    """The time of one project, or of all projects of a customer."""

    project_id: Annotated[Id, Meta(description="Either this or `customerId`; bills its customer.")] | None = None
    customer_id: Annotated[Id, Meta(description="All projects of this customer.")] | None = None
    date_from: Annotated[Day, Meta(description="The first day; all earlier time when absent.")] | None = None
    date_to: Annotated[Day, Meta(description="The last day; today when absent.")] | None = None
    group_by: Annotated[Grouping, Meta(description="Lines per task, user or day.")] = "task"
    approved_only: (
        Annotated[bool, Meta(description="Leave out time whose week is not approved; as the setting when absent.")]
        | None
    ) = None
    include_expenses: Annotated[
        bool, Meta(description="Bill the billable lines of posted expense claims too, with the markup of the project.")
    ] = True
    time_billing: (
        Annotated[TimeBilling, Meta(description="Wins over the project's, the contact's and the workspace's.")] | None
    ) = None
    dry_run: Annotated[bool, Meta(description="Show the draft, and store nothing.")] = False


class NoCustomer(Refusal):
    """The project has no customer to invoice. Choose a customer first."""

    status = 422


class NothingToBill(Refusal):
    """No billable time entries to invoice {days}."""

    status = 422


class ApprovedTimeOnly(Refusal):
    """Only approved time can be invoiced in this workspace. Leave out `approvedOnly`, or change the setting."""

    status = 422


class TimeWithoutRate(Refusal):
    """Some time entries have no hourly rate. Enter one in the time entry, the task or the project: {tasks}."""

    status = 422


class TooManyLines(Refusal):
    """{lines} lines are more than the {most} of an invoice. Group by {others}, or shorten the period."""

    status = 422


class Log(NamedTuple):
    """A billable time log, with the columns of its line."""

    id: str
    minutes: int
    rate: int | None
    user_id: str
    date: str
    task_id: str
    key: str
    title: str
    project_id: str
    project: str
    note: str | None


def draft(body: NewTimeInvoice) -> FullInvoice:
    """Draft an invoice of the requested time.

    Raises:
        UnknownReference: there is no such project or customer.
        Invalid: not exactly one of them is named, or the customer is archived.
        NoCustomer: the project has none.
        ApprovedTimeOnly: it asks for time that is not approved, against the setting.
        NothingToBill: there is no such time.
        TimeWithoutRate: some of it has no rate.
        TooManyLines: it does not fit on one invoice.
    """
    field, customer = _customer(body)
    day = body.date_to or people.today()
    logs, expenses = _find(body, day), _expenses(body, day)
    if not logs and not expenses:
        raise NothingToBill(field=field, days=_days(body, day))
    _check_rates(logs, field)
    rules = billing_rules.of_projects({log.project_id for log in logs}, customer, body.time_billing)
    language = customer.language or workspace_settings.paper_language()
    lines = _lines(logs, body.group_by, rules, language)
    costs = [_expense_line(expense) for expense in expenses]
    if len(lines) + len(costs) > MAX_LINES:
        others = Listed.of([grouping for grouping in get_args(Grouping) if grouping != body.group_by], "or")
        raise TooManyLines(field="groupBy", lines=len(lines) + len(costs), most=MAX_LINES, others=others)
    command = InvoiceCommand(
        contact=customer,
        lines=[*(line.command for line in lines), *costs],
        is_draft=True,
        service=_service(sorted([log.date for log in logs] + [expense.date for expense in expenses])),
        currency=workspace_settings.current().base_currency,
        prices_include_tax=False,  # rates are without tax
        project_id=body.project_id,
        time_sheet=any(rule.time_sheet for rule in rules.values()),
    )
    return invoices.draft_for_time(command, [line.logs for line in lines], [expense.id for expense in expenses])


def _customer(body: NewTimeInvoice) -> tuple[str, Contact]:
    """The field that names the project or customer, and the customer."""
    if (body.project_id is None) == (body.customer_id is None):
        raise Invalid.one("projectId", "exactly_one", says("Choose either a project or a customer."))
    if body.project_id is None:
        assert body.customer_id is not None
        return "customerId", contacts.refer(body.customer_id, "customerId", kind="customer")
    project = projects.refer(body.project_id, "projectId")
    if project.customer_id is None:
        raise NoCustomer(field="projectId")
    return "projectId", contacts.refer(project.customer_id, "projectId", kind="customer")


def _days(body: NewTimeInvoice, last: date) -> str:
    if body.date_from is None:
        return says("until {last}", last=last)
    return says("from {first} until {last}", first=body.date_from, last=last)


_LOGS = f"""
SELECT log.id, log.minutes, {rates.OF_LOG}, log.user_id, log.date,
    task.id, task.key, task.title, project.id, project.name, log.note
FROM project JOIN time_log AS log ON log.project_id = project.id JOIN task ON task.id = log.task_id
WHERE {{asked}} AND (:approved_only = 0 OR {{approved}}) ORDER BY log.date, log.id
"""
_ASKED = """
(project.id = :project_id OR project.customer_id = :customer_id) AND log.is_billable AND log.invoice_id IS NULL
AND log.date BETWEEN :first AND :last
"""
_APPROVED = f"{locks.WEEK_STATUS} = 'approved'".replace("time_log.", "log.")
_LEFT_OUT = f"""
SELECT coalesce(sum(log.minutes), 0), coalesce(sum(log.amount), 0)
FROM project JOIN time_log AS log ON log.project_id = project.id
WHERE {_ASKED} AND :approved_only = 1 AND NOT {_APPROVED}
"""


def _find(body: NewTimeInvoice, last: date) -> list[Log]:
    return [
        Log(*row) for row in WORKSPACE.rows(_LOGS.format(asked=_ASKED, approved=_APPROVED), _parameters(body, last))
    ]


def _parameters(body: NewTimeInvoice, last: date) -> dict[str, Any]:
    return {
        "project_id": body.project_id,
        "customer_id": body.customer_id,
        "first": body.date_from.isoformat() if body.date_from else "",
        "last": last.isoformat(),
        "approved_only": int(_approved_only(body)),
    }


def _approved_only(body: NewTimeInvoice) -> bool:
    required: bool = workspace_settings.current().bill_approved_time_only
    if required and body.approved_only is False:
        raise ApprovedTimeOnly(field="approvedOnly")
    return required or bool(body.approved_only)


def _expenses(body: NewTimeInvoice, last: date) -> list[Unbilled]:
    if not body.include_expenses:
        return []
    first = body.date_from.isoformat() if body.date_from else ""
    if body.project_id is not None:
        return billed_expenses.unbilled("id", projects.refer(body.project_id, "projectId").id, first, last)
    return billed_expenses.unbilled("customer_id", str(body.customer_id), first, last)


def _expense_line(expense: Unbilled) -> LineCommand:
    """The line of an expense: its net with the markup."""
    whole = 100 * money.MICRO
    net = money.divide(expense.net * (whole + expense.markup), whole)
    return LineCommand(
        description=expense.description,
        quantity=money.MICRO,
        unit_price=money.price(net, workspace_settings.current().base_currency),
        project_id=expense.project_id,
    )


def _check_rates(logs: Sequence[Log], field: str) -> None:
    minutes: dict[str, int] = {}
    for log in logs:
        if log.rate is None:
            minutes[log.key] = minutes.get(log.key, 0) + log.minutes
    if minutes:
        tasks = [
            counted(total, says("{key} (1 minute)"), says("{key} ({minutes} minutes)"), key=key, minutes=total)
            for key, total in minutes.items()
        ]
        rest = len(tasks) - NAMED
        more = [counted(rest, says("1 more task"), says("{count} more tasks"))] if rest > 0 else []
        raise TimeWithoutRate(field=field, tasks=Listed.of(tasks[:NAMED] + more))


class _Line(NamedTuple):
    """A line, and the logs that share its net."""

    command: LineCommand
    logs: list[BilledLog]


def _lines(logs: Sequence[Log], group_by: Grouping, rules: Mapping[str, Rule], language: str) -> list[_Line]:
    """One line for each project, group and rate, in the order of the projects' names, then of the groups."""
    names = people.names({log.user_id for log in logs})
    several = len({log.project_id for log in logs}) > 1

    def key(log: Log) -> tuple[Any, ...]:
        group = {"task": log.task_id, "user": (names.get(log.user_id, ""), log.user_id), "date": log.date}[group_by]
        return log.project, log.project_id, group, log.rate

    def text(group: Sequence[Log], rule: Rule) -> str:
        own = rule.line_text or _USUAL_TEXT[group_by]
        said = places.filled(own, _values(group, names, language))[:MAX_TEXT] or group[0].title
        return f"{group[0].project}: {said}"[:MAX_TEXT] if several and rule.line_text is None else said

    groups = [list(alike) for _, alike in groupby(sorted(logs, key=key), key=key)]
    found = ((group, rules[group[0].project_id]) for group in groups)
    return [_line(text(group, rule), group, rule, by_task=group_by == "task") for group, rule in found]


_USUAL_TEXT: Mapping[Grouping, str] = {"task": "{task}", "user": "{person}", "date": "{date}"}


def _values(logs: Sequence[Log], names: Mapping[str, str], language: str) -> dict[str, str]:
    """The values of the places in the text of a line; of several logs, each value once."""

    def each(values: Iterable[str | None], separator: str = ", ") -> str:
        return separator.join(dict.fromkeys(value for value in values if value))

    days = sorted({log.date for log in logs})
    return {
        "project": logs[0].project,
        "task": each(log.title for log in logs),
        "key": each(log.key for log in logs),
        "person": each(names.get(log.user_id, log.user_id) for log in logs),
        "date": " – ".join(
            wording.day(date.fromisoformat(day), language) for day in dict.fromkeys((days[0], days[-1]))
        ),
        "note": each((log.note for log in logs), "; "),
    }


def _line(text: str, logs: Sequence[Log], rule: Rule, *, by_task: bool) -> _Line:
    first, rate = logs[0], logs[0].rate or 0
    minutes = rounding.billed(
        [Logged(log.minutes, log.user_id, log.date) for log in logs], rule.step_minutes, rule.per, rule.mode
    )
    quantity = rounding.hours(sum(minutes))
    shares = money.spread(money.divide(quantity * rate, money.MICRO), minutes)
    command = LineCommand(
        description=text,
        quantity=quantity,
        unit_price=money.price(rate, workspace_settings.current().base_currency),
        unit="h",
        project_id=first.project_id,
        task_id=first.task_id if by_task else None,
    )
    return _Line(command, [BilledLog(log.id, *part) for log, *part in zip(logs, shares, minutes, strict=True)])


def _service(days: Sequence[str]) -> Service:
    """The service of days in their order: from the first to the last one."""
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    return Service(None if first == last else first, last)


class LeftOutTimeView(View):
    """Billable time that is not on the invoice because its week is not approved, at its rates."""

    minutes: int
    amount: Money


class TimeInvoiceView(InvoiceView):
    """An invoice of time."""

    left_out: LeftOutTimeView


class TimeInvoicePreview(TimeInvoiceView):
    """The invoice that would be drafted: nothing is stored, its time stays billable, and its ids name nothing."""


def make(body: NewTimeInvoice) -> TimeInvoiceView:
    """Draft an invoice of time and show it, or only show it; it refuses as `draft` does."""
    minutes, amount = WORKSPACE.rows(_LEFT_OUT, _parameters(body, body.date_to or people.today()))[0]
    currency = workspace_settings.current().base_currency
    left_out = LeftOutTimeView(minutes=minutes, amount=money.text(amount, currency))
    if not body.dry_run:
        return TimeInvoiceView.of(draft(body), left_out=left_out)
    with WORKSPACE.undone():
        shown = TimeInvoicePreview.of(draft(body), left_out=left_out)
    shown.can = []
    return shown


class Resource:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(UnknownReference, NoCustomer, ApprovedTimeOnly, NothingToBill, TimeWithoutRate, TooManyLines),
    )
    def on_post(self, body: NewTimeInvoice) -> TimeInvoiceView | TimeInvoicePreview:
        """Draft an invoice of billable time.

        It bills all time of a project, or of all projects of a customer, up to `dateTo` that is on no invoice yet, with
        one line for each task, user or day and each hourly rate. The minutes are rounded by `timeBilling`: of the body,
        else of the project, the contact or the workspace, field by field. The quantity is in hours to two places, and
        is multiplied as printed. Its service is from the first to the last day of the
        time. Billable lines of posted expense claims follow, each with its net and the markup of the project, unless
        `includeExpenses` is false. Rates are without tax. Removing a line, deleting the draft or voiding the invoice
        makes its time and expenses billable again. With `dryRun`, the answer is 200 and shows the draft; nothing is
        stored. `approvedOnly` leaves out time whose week is not approved, and the setting `billApprovedTimeOnly`
        requires it; `leftOut` is the time left out.
        """
        return make(body)
