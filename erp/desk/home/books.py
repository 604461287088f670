"""The books on the home page: overdue invoices, drafts, bills and money."""

from typing import Any, Literal

from erp.desk.home import waiting
from erp.desk.home.waiting import Waiting
from erp.finance.books import account_balances, open_items
from erp.finance.contacts import heads
from erp.finance.documents.bills import PAYABLE
from erp.finance.documents.models import InvoiceKind
from erp.finance.documents.overdue import AWAITING, DATED, STORED, Columns
from erp.finance.items import store as items
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.store.sql import Amount
from erp.web.scalars import Instant, Money
from erp.web.schema import View


class OverdueInvoiceView(View):
    """An overdue invoice."""

    id: str
    number: str
    customer_id: str
    customer_name: str
    due_date: str
    days_overdue: int
    currency: str
    amount_due: Money


class OverdueInvoices(Waiting):
    """Overdue invoices, the longest overdue at the top."""

    items: list[OverdueInvoiceView]


class DraftView(View):
    """An invoice, credit note or bill that has not been issued."""

    id: str
    kind: InvoiceKind
    contact_id: str
    contact_name: str
    updated_at: Instant
    currency: str
    total: Money


class Drafts(Waiting):
    """Drafts, the latest change at the top."""

    items: list[DraftView]


class WaitingBillView(View):
    """A bill to approve, or to pay."""

    id: str
    version: int
    number: str
    supplier_id: str
    supplier_name: str
    supplier_number: str | None
    due_date: str
    days_overdue: int
    currency: str
    amount_due: Money


class WaitingBills(Waiting):
    """Bills, the earliest due date at the top."""

    items: list[WaitingBillView]


class MoneyView(View):
    """Money and open amounts today, in the base currency; open credits reduce what is due."""

    currency: str
    bank: Money
    due_to_us: Money
    overdue: Money
    overdue_count: int
    due_by_us: Money


def _overdue(columns: Columns) -> str:
    shown: dict[str, str | Amount | None] = {
        "customer_id": heads.sql("contact_id"),
        "customer_name": "contact_name",
        "days_overdue": sql.days_between("due_date", ":today"),
        "amount_due": Amount(columns.due),
    }
    return (
        f"SELECT {sql.json_of(OverdueInvoiceView, shown)}, count(*) OVER () FROM invoice {columns.joined}"
        f" WHERE kind IN ('sales_invoice', 'deposit_invoice', 'final_invoice') AND {columns.with_overdue}"
        " ORDER BY due_date, number"
    )


_OVERDUE = {columns: _overdue(columns) for columns in (STORED, DATED)}
_DRAFTS = (
    f"SELECT {sql.json_of(DraftView, {'total': Amount('total')})}, count(*) OVER () FROM invoice"
    " WHERE status = 'draft' ORDER BY updated_at DESC, id"
)
_BILL = sql.json_of(
    WaitingBillView,
    {
        "supplier_id": heads.sql("contact_id"),
        "supplier_name": "contact_name",
        "days_overdue": f"CASE WHEN due_date < :today THEN {sql.days_between('due_date', ':today')} ELSE 0 END",
        "amount_due": Amount("(total - amount_paid - amount_credited)"),
    },
)
_BILLS = {
    action: (
        f"SELECT {_BILL}, count(*) OVER () FROM invoice WHERE kind = 'purchase_invoice' AND status IN {AWAITING}"
        f" AND {which} ORDER BY due_date, number"
    )
    for action, which in {
        "approve": "approval = 'pending'",
        "pay": f"approval IN {PAYABLE} AND due_date <= :today",
    }.items()
}


def overdue_invoices() -> OverdueInvoices | None:
    """The invoices overdue today."""
    if not caller.may("finance.read"):
        return None
    columns = DATED if items.is_anything_later() else STORED
    return waiting.read(OverdueInvoices, _OVERDUE[columns], _today())


def drafts() -> Drafts | None:
    """The documents that the caller may issue."""
    return waiting.read(Drafts, _DRAFTS, {}) if caller.may("finance.write") else None


def bills(action: Literal["approve", "pay"]) -> WaitingBills | None:
    """The bills that the caller may approve, or pay because they are due."""
    permission = {"approve": "bills.approve", "pay": "finance.write"}[action]
    return waiting.read(WaitingBills, _BILLS[action], _today()) if caller.may(permission) else None


def _today() -> dict[str, Any]:
    return {"today": workspace_settings.today().isoformat()}


_IS_OVERDUE = open_items.overdue("open", "account.subtype")
_OPEN = f"""
SELECT account.subtype, sum(open_base), sum(CASE WHEN {_IS_OVERDUE} THEN open_base ELSE 0 END),
    count(CASE WHEN {_IS_OVERDUE} THEN 1 END)
FROM open_item JOIN account ON account.id = open_item.account_id WHERE open <> 0 GROUP BY account.subtype
"""
_MONEY = "SELECT id FROM account WHERE subtype IN ('bank', 'cash')"


def figures() -> MoneyView | None:
    """The money and the open amounts."""
    if not caller.may("finance.read"):
        return None
    balances = account_balances.of_all(workspace_settings.today())
    bank = sum(balances.get(id, (0,))[0] for (id,) in WORKSPACE.rows(_MONEY))
    open_by_side = {side: tuple(sums) for side, *sums in WORKSPACE.rows(_OPEN, _today())}
    due, overdue, count = open_by_side.get("receivable", (0, 0, 0))
    owed = -open_by_side.get("payable", (0, 0, 0))[0]
    currency = workspace_settings.current().base_currency
    return MoneyView(
        currency=currency,
        bank=money.text(bank, currency),
        due_to_us=money.text(due, currency),
        overdue=money.text(overdue, currency),
        overdue_count=count,
        due_by_us=money.text(owed, currency),
    )
