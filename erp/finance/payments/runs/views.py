"""Views and the list of payment runs."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta

from erp.finance.books import voids
from erp.finance.books.models import DocumentType
from erp.finance.contacts import heads
from erp.finance.payments.models import Status
from erp.finance.payments.runs.models import PaymentRun
from erp.kernel import caller, money
from erp.store import names, sql
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Day, Money
from erp.web.schema import Page, RecordQuery, RecordView, View, show

V = TypeVar("V", bound=View)
Action = Literal["void"]


class PaymentRunTransferView(View):
    """The payment of a run to one supplier; `remittance` is the payment reference."""

    payment_id: str
    payment_number: str
    status: Status
    supplier_id: str
    supplier_name: str
    amount: Money
    discount: Annotated[Money, Meta(description="The cash discounts that were taken with it.")]
    holder: str
    iban: str
    bic: str | None
    remittance: str


class PaymentRunCreditView(View):
    """The use of a supplier's credit for a bill of a run; `discount` was taken off a bill paid by credit alone."""

    allocation_id: str
    supplier_id: str
    supplier_name: str
    bill_id: str
    bill_number: str
    credit_type: DocumentType
    credit_id: str
    credit_number: str
    amount: Money
    discount: Money
    date: str
    released_on: str | None


class PaymentRunView(RecordView):
    """Bills that are paid together: one payment a supplier, of the amount that its credit does not cover."""

    created_by: str | None
    created_by_name: str | None
    number: str
    status: Status
    date: str
    account_id: str
    account_code: str
    account_name: str
    currency: str
    amount: Money
    transfers: list[PaymentRunTransferView]
    credits: list[PaymentRunCreditView]
    voided_at: str | None
    void_reason: str | None
    can: Annotated[
        list[Action], Meta(description="Actions on it open to you now, unless a rule about the day refuses.")
    ]

    @classmethod
    def of(cls, run: PaymentRun) -> "PaymentRunView":
        """Show a run with its transfers."""
        return cls.of_many([run])[0]

    @classmethod
    def of_many(cls, runs: Sequence[PaymentRun]) -> "list[PaymentRunView]":
        """Show runs; three queries for all their transfers, credits and accounts."""
        transfers = _of_runs(runs, _TRANSFERS, PaymentRunTransferView)
        credits = _of_runs(runs, _CREDITS, PaymentRunCreditView)
        named = names.of(account=[run.account_id for run in runs])
        return [
            show(
                cls,
                run,
                date=run.date.isoformat(),
                amount=money.text(run.amount, run.currency),
                account_code=named.code(run.account_id),
                account_name=named.name(run.account_id),
                transfers=transfers[run.id],
                credits=credits[run.id],
                can=_actions(run),
            )
            for run in runs
        ]


def _actions(run: PaymentRun) -> list[Action]:
    checks: dict[Action, Callable[[], object]] = {"void": lambda: voids.check_voidable(run)}
    return caller.allowed("finance.write", checks)


_TRANSFERS = f"""
SELECT t.run_id, y.currency, y.id, y.number, y.status, contact.id, contact.name, y.amount,
    (SELECT coalesce(sum(d.amount), 0) FROM deduction AS d
        WHERE d.payment_id = y.id AND d.kind = 'cash_discount' AND d.undone_on IS NULL),
    {sql.json_text("t.bank_account", "'$.holder'")}, {sql.json_text("t.bank_account", "'$.iban'")},
    {sql.json_text("t.bank_account", "'$.bic'")}, t.remittance
FROM payment_run_transfer AS t JOIN payment AS y ON y.id = t.payment_id {heads.join("y.contact_id")}
WHERE t.run_id IN (SELECT value FROM json_each(?)) ORDER BY y.id
"""
_CREDITS = f"""
SELECT u.run_id, bill.currency, a.id, contact.id, contact.name, bill.document_id, bill.number,
    credit.document_type, credit.document_id, credit.number, a.amount,
    CASE WHEN d.undone_on IS NULL THEN coalesce(d.amount, 0) ELSE 0 END, a.date, a.released_on
FROM payment_run_credit AS u JOIN allocation AS a ON a.id = u.allocation_id
JOIN open_item AS credit ON credit.id = a.from_item_id JOIN open_item AS bill ON bill.id = a.to_item_id
{heads.join("bill.contact_id")} LEFT JOIN deduction AS d ON d.id = u.deduction_id
WHERE u.run_id IN (SELECT value FROM json_each(?)) ORDER BY u.id
"""


def _of_runs(runs: Sequence[PaymentRun], query: str, view: type[V]) -> dict[str, list[V]]:
    """Views by run id; the query selects the run, its currency, and the values of a view."""
    views: dict[str, list[V]] = {run.id: [] for run in runs}
    for run_id, currency, *row in WORKSPACE.rows(query, (sql.array(views),)):
        values: dict[str, Any] = dict(zip(view.__struct_fields__, row, strict=True))
        amounts = {name: money.text(values[name], currency) for name in ("amount", "discount")}
        views[run_id].append(view(**values | amounts))
    return views


class PaymentRunFilter(RecordQuery):
    status: Status | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"


def search(query: PaymentRunFilter) -> Page[PaymentRunView]:
    select = PaymentRun.select()
    if query.status is not None:
        select = select.where(PaymentRun.status == query.status)
    select = within(select, query, PaymentRun.date)
    return page(select, query, views=PaymentRunView.of_many, sort=query.sort, sortable={"date": PaymentRun.date})
