"""How payment runs are shown and listed."""

from collections.abc import Sequence
from typing import Any, Literal

from erp.finance.payments.models import Status
from erp.finance.payments.runs.models import PaymentRun
from erp.kernel import money
from erp.store import names, sql
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.scalars import Day, Money
from erp.web.schema import ListQuery, Page, RecordView, View, show


class PaymentRunTransferView(View):
    """The payment of a run to one supplier; `remittance` is what the supplier reads."""

    payment_id: str
    payment_number: str
    status: Status
    supplier_id: str
    supplier_name: str
    amount: Money
    holder: str
    iban: str
    bic: str | None
    remittance: str


class PaymentRunView(RecordView):
    """Bills that are paid together: one payment a supplier."""

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
    voided_at: str | None
    void_reason: str | None

    @classmethod
    def of(cls, run: PaymentRun) -> "PaymentRunView":
        """Show a run with its transfers."""
        return cls.of_many([run])[0]

    @classmethod
    def of_many(cls, runs: Sequence[PaymentRun]) -> "list[PaymentRunView]":
        """Show runs with one query for all their transfers."""
        transfers, named = _transfers(runs), names.of(account=[run.account_id for run in runs])
        return [
            show(
                cls,
                run,
                date=run.date.isoformat(),
                amount=money.text(run.amount, run.currency),
                account_code=named.code(run.account_id),
                account_name=named.name(run.account_id),
                transfers=transfers[run.id],
            )
            for run in runs
        ]


_TRANSFERS = f"""
SELECT t.run_id, y.currency, y.id, y.number, y.status, c.id, c.name, y.amount,
    {sql.json_text("t.bank_account", "'$.holder'")}, {sql.json_text("t.bank_account", "'$.iban'")},
    {sql.json_text("t.bank_account", "'$.bic'")}, t.remittance
FROM payment_run_transfer AS t JOIN payment AS y ON y.id = t.payment_id JOIN contact AS c ON c.id = y.contact_id
WHERE t.run_id IN (SELECT value FROM json_each(?)) ORDER BY y.id
"""


def _transfers(runs: Sequence[PaymentRun]) -> dict[str, list[PaymentRunTransferView]]:
    views: dict[str, list[PaymentRunTransferView]] = {run.id: [] for run in runs}
    for run_id, currency, *row in WORKSPACE.rows(_TRANSFERS, (sql.array(views),)):
        values: dict[str, Any] = dict(zip(PaymentRunTransferView.__struct_fields__, row, strict=True))
        views[run_id].append(PaymentRunTransferView(**values | {"amount": money.text(values["amount"], currency)}))
    return views


class PaymentRunFilter(ListQuery):
    status: Status | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-createdAt"


def search(query: PaymentRunFilter) -> Page[PaymentRunView]:
    """The page of payment runs that a query asks for."""
    select = PaymentRun.select()
    if query.status is not None:
        select = select.where(PaymentRun.status == query.status)
    if query.date_from is not None:
        select = select.where(PaymentRun.date >= query.date_from)
    if query.date_to is not None:
        select = select.where(PaymentRun.date <= query.date_to)
    return page(select, query, views=PaymentRunView.of_many, sort=query.sort, sortable={"date": PaymentRun.date})
