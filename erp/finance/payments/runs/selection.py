"""Which bills a payment run pays: those that it names, or all that are due by a day."""

from collections.abc import Iterator, Sequence
from datetime import date

from erp.finance.documents import invoices
from erp.finance.documents.bills.approval import PAYABLE
from erp.finance.documents.models import Invoice
from erp.finance.documents.overdue import AWAITING
from erp.finance.payments.runs.bodies import NewPaymentRun
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import Word, says
from erp.store import workspace_settings


class NothingDue(Refusal):
    """No bill in {currency} that may be paid is due through {day}."""


def bills_of(body: NewPaymentRun, complaints: Complaints) -> list[Invoice]:
    """The bills to pay.

    Raises:
        NothingDue: there is none by the day that the request names.
    """
    if (body.bill_ids is None) == (body.due_through is None):
        complaints.add("billIds", "exactly_one", "Send either billIds or dueThrough.")
        return []
    if body.bill_ids is not None:
        return list(_named(body.bill_ids, complaints))
    assert body.due_through is not None
    return _due(body.due_through)


def _named(names: Sequence[str], complaints: Complaints) -> Iterator[Invoice]:
    seen: set[str] = set()
    for i, name in enumerate(names):
        field = f"billIds[{i}]"
        with complaints.gathered():
            bill = invoices.refer(name, field)
            problem = (
                ("repeated", says("{number} is named twice.", number=bill.number)) if bill.id in seen else _unfit(bill)
            )
            seen.add(bill.id)
            if problem is None:
                yield bill
            else:
                complaints.add(field, *problem)


def _unfit(bill: Invoice) -> tuple[str, str] | None:
    """Why a run cannot pay a document: a code and a message."""
    base = workspace_settings.current().base_currency
    if bill.kind != "purchase_invoice":
        kind = Word.of(bill.kind)
        if bill.number is None:
            return "not_a_bill", says("This draft is a {kind}. A run pays bills.", kind=kind)
        return "not_a_bill", says("{number} is a {kind}. A run pays bills.", number=bill.number, kind=kind)
    if bill.status == "draft":
        return "invoice_draft", "This bill is a draft. Issue it first."
    if bill.status not in AWAITING:
        return "nothing_due", says(
            "{number} is {status}. Nothing is due on it.", number=bill.number, status=Word.of(bill.status)
        )
    if bill.approval not in PAYABLE:
        return "not_approved", says("{number} has not been approved. Approve it first.", number=bill.number)
    if bill.currency != base:
        return "wrong_currency", says(
            "{number} is in {currency}. A run pays bills in {base}.",
            number=bill.number,
            currency=bill.currency,
            base=base,
        )
    return None


def _due(day: date) -> list[Invoice]:
    currency = workspace_settings.current().base_currency
    bills: list[Invoice] = Invoice.fetch(_DUE, currency, day.isoformat())
    if not bills:
        raise NothingDue(currency=currency, day=day)
    return bills


_DUE = (
    f"SELECT * FROM invoice WHERE kind = 'purchase_invoice' AND status IN {AWAITING} AND approval IN {PAYABLE}"
    " AND currency = ? AND due_date <= ? ORDER BY due_date, id"
)
