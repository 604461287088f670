"""Expense claims as they are shown."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, convert, field

from erp.finance.documents import billed_expenses
from erp.hr.expenses import claims, decisions, hints, lines, posting
from erp.hr.expenses.bodies import LineKind, PaidBy, PayBy, Status, Vehicle
from erp.hr.expenses.hints import Code
from erp.hr.expenses.models import ExpenseClaim, ExpenseLine
from erp.kernel import caller, money
from erp.kernel.language import Sentence
from erp.kernel.money import RATE_SCALE
from erp.store import names, sql, workspace_settings
from erp.store.names import Names
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, Unset, View, show

Action = Literal[
    "approve", "change", "delete", "post", "reject", "return", "submit", "undoDecision", "void", "withdraw"
]

STATUS = """CASE WHEN status <> 'posted' THEN status ELSE coalesce(
    (SELECT CASE WHEN open = 0 THEN 'paid' WHEN open <> amount THEN 'partially_paid' END FROM open_item
        WHERE document_id = journal_entry_id AND amount < 0),
    CASE WHEN own_total = 0 THEN 'paid' ELSE 'posted' END) END"""
"""The status of an `expense_claim`; how far it is paid is told by its open item alone."""


class TripStayView(View):
    """The place where a day of a journey ended."""

    date: str
    country: str
    region: str | None


class TripMealsView(View):
    """The meals of a day that others have paid."""

    date: str
    breakfast: bool
    lunch: bool
    dinner: bool


class TripView(View):
    """The journey behind a mileage or a per diem."""

    country: str
    region: str | Unset | None = UNSET
    distance: Figure | Unset = UNSET
    vehicle: Vehicle | Unset = UNSET
    origin: str | Unset | None = field(default=UNSET, name="from")
    destination: str | Unset | None = field(default=UNSET, name="to")
    start_at: str | Unset = UNSET
    end_at: str | Unset = UNSET
    overnight: bool | Unset = UNSET
    stays: list[TripStayView] | Unset = UNSET
    meals: list[TripMealsView] | Unset = UNSET


class PerDiemDayView(View):
    """A day of a per diem, less the meals that were given."""

    date: str
    part: Literal["full", "partial"]
    country: str
    region: str | None
    meals: list[str]
    amount: Money


class ExpenseLineView(View):
    """A line of a claim: amountBase = net + tax, in the base currency."""

    id: str
    kind: LineKind
    date: str
    category_id: str
    category_code: str
    category_name: str
    description: str | None
    project_id: str | None
    project_name: str | None
    task_id: str | None
    task_key: str | None
    task_title: str | None
    is_billable: bool
    paid_by: PaidBy = field(name="paidBy")
    account_id: str | None
    account_code: str | None
    account_name: str | None
    attachment_ids: list[str]
    amount: Money
    currency: str
    exchange_rate: Figure | None
    tax_rate_id: str | None
    tax_rate_name: str | None
    tax_amount: Annotated[Money | None, Meta(description="The tax as printed, if it was given.")]
    supplier_name: str | None
    receipt_number: str | None
    trip: TripView | None
    days: list[PerDiemDayView]
    explanation: str | None
    amount_base: Money
    net: Annotated[Money, Meta(description="The cost, with the tax that cannot be deducted.")]
    tax: Money
    is_billed: bool


class ClaimWarning(View):
    """An oddity of a line; `line` counts from 0."""

    code: Code
    line: int
    message: Sentence


class ExpenseClaimSummary(RecordView):
    """A claim in a list; its amounts are in the base currency."""

    created_by: str | None
    created_by_name: str | None
    number: str | None
    employee_id: str
    employee_name: str
    title: str
    note: str | None
    status: Status
    currency: str
    total: Money
    own_total: Annotated[Money, Meta(description="The part that the employee paid.")]
    card_total: Money
    tax_total: Money
    amount_paid: Money
    due_date: str | None
    pay_by: PayBy
    submitted_at: str | None
    decided_by: str | None
    decided_by_name: str | None
    decided_at: str | None
    decision_note: str | None
    contact_id: str | None
    contact_name: str | None
    journal_entry_id: str | None
    journal_entry_number: str | None
    posted_on: str | None
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Action], Meta(description="Actions open to you now, unless a rule about its lines refuses.")]

    @classmethod
    def of_many(cls, rows: Sequence[ExpenseClaim]) -> "list[ExpenseClaimSummary]":
        """Show claims; three queries for any number of them."""
        told = _told(rows)
        return [show(cls, claim, **told[claim.id]) for claim in rows]


class ExpenseClaimView(ExpenseClaimSummary):
    """A claim with its lines."""

    lines: list[ExpenseLineView]
    warnings: list[ClaimWarning]

    @classmethod
    def of(cls, claim: ExpenseClaim) -> "ExpenseClaimView":
        rows = lines.of_claim(claim.id)
        warnings = [
            ClaimWarning(code=hint.code, line=hint.position, message=hint.message)
            for hint in hints.of_claim(claim, rows)
            if claim.status in ("draft", "submitted", "approved")
        ]
        return show(cls, claim, lines=_lines(rows), warnings=warnings, **_told([claim])[claim.id])


class DecidedClaimsView(View):
    """The claims that were decided on, in the order of the request."""

    claims: list[ExpenseClaimView]


_STANDING = f"""
SELECT expense_claim.id, {STATUS}, coalesce((
    SELECT open - amount FROM open_item WHERE document_id = journal_entry_id AND amount < 0), 0)
FROM expense_claim WHERE expense_claim.id IN (SELECT value FROM json_each(?))
"""


def _told(rows: Sequence[ExpenseClaim]) -> dict[str, dict[str, Any]]:
    """The fields of claims that are no columns of their own, by the id of the claim."""
    base = workspace_settings.current().base_currency
    standing = {id: rest for id, *rest in WORKSPACE.rows(_STANDING, (sql.array(row.id for row in rows),))}
    named = names.of(
        employee=[row.employee_id for row in rows],
        contact=[row.contact_id for row in rows],
        journal_entry=[row.journal_entry_id for row in rows],
    )
    told = {}
    for row in rows:
        status, paid = standing[row.id]
        amounts = {name: money.text(getattr(row, name), base) for name in _AMOUNTS}
        told[row.id] = amounts | {
            "employee_name": named.name(row.employee_id),
            "contact_name": named.name(row.contact_id),
            "journal_entry_number": named.code(row.journal_entry_id),
            "decided_by_name": names.of_user(row.decided_by),
            "status": status,
            "currency": base,
            "amount_paid": money.text(paid if row.status == "posted" else 0, base),
            "due_date": row.due_date and row.due_date.isoformat(),
            "posted_on": row.posted_on and row.posted_on.isoformat(),
            "can": _actions(row),
        }
    return told


_AMOUNTS = ("total", "own_total", "card_total", "tax_total")


def _actions(claim: ExpenseClaim) -> list[Action]:
    """The caller's actions on a claim; checked as the rules refuse."""

    def own(*statuses: str) -> Callable[[], object]:
        return lambda: claims.check_writable(claim, *statuses)

    writes: dict[Action, Callable[[], object]] = dict.fromkeys(("change", "delete", "submit"), own("draft"))
    writes["withdraw"] = own("submitted")
    decides: dict[Action, Callable[[], object]] = dict.fromkeys(
        ("approve", "reject", "return"), lambda: decisions.check_decidable(claim)
    )
    decides["undoDecision"] = lambda: decisions.check_undoable(claim)
    posts: dict[Action, Callable[[], object]] = {
        "post": lambda: posting.check_postable(claim),
        "void": lambda: posting.check_voidable(claim),
    }
    return sorted(
        [
            *caller.allowed("expenses.write_own", writes),
            *caller.allowed("expenses.decide_reports", decides),
            *caller.allowed("expenses.post", posts),
        ]
    )


def _lines(rows: Sequence[ExpenseLine]) -> list[ExpenseLineView]:
    named = names.of(
        expense_category=[row.category_id for row in rows],
        project=[row.project_id for row in rows],
        task=[row.task_id for row in rows],
        account=[row.account_id for row in rows],
        tax_rate=[row.tax_rate_id for row in rows],
    )
    base, billed = workspace_settings.current().base_currency, billed_expenses.billed([row.id for row in rows])
    return [_line(row, named, base, is_billed=row.id in billed) for row in rows]


def _line(row: ExpenseLine, named: Names, base: str, *, is_billed: bool) -> ExpenseLineView:
    return show(
        ExpenseLineView,
        row,
        date=row.date.isoformat(),
        category_code=named.code(row.category_id),
        category_name=named.name(row.category_id),
        project_name=named.name(row.project_id),
        task_key=named.code(row.task_id),
        task_title=named.name(row.task_id),
        account_code=named.code(row.account_id),
        account_name=named.name(row.account_id),
        tax_rate_name=named.name(row.tax_rate_id),
        amount=money.text(row.amount, row.currency),
        exchange_rate=None if row.exchange_rate is None else money.plain(row.exchange_rate, RATE_SCALE),
        tax_amount=None if row.tax_amount is None else money.text(row.tax_amount, base),
        trip=None if row.trip is None else convert(row.trip, TripView),
        days=[PerDiemDayView(**day) for day in row.days],
        amount_base=money.text(row.amount_base, base),
        net=money.text(row.net, base),
        tax=money.text(row.tax, base),
        is_billed=is_billed,
    )
