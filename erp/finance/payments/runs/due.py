"""Bills to be paid by a day, as candidates for a payment run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books import open_items
from erp.finance.contacts import contacts, heads
from erp.finance.documents import prepaid
from erp.finance.documents.bills import PAYABLE, Approval
from erp.finance.documents.models import Invoice
from erp.finance.documents.overdue import AWAITING
from erp.finance.documents.prepaid import PrepaidHint, PrepaidOpen
from erp.finance.write_downs import discounts
from erp.finance.write_downs.views import DiscountOfferView
from erp.kernel import money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.scalars import Day, Id, Money
from erp.web.schema import ListQuery, Page, View, show


class DueBillView(View):
    """A bill with an amount due, even after payments dated later; `hasIban` is about its supplier.

    `amountDue` leaves out `prepaidOpen`, so that nothing is paid twice.
    `supplierCredit` is the supplier's open credit in the same currency: credit notes, overpayments.
    """

    id: str
    number: str
    supplier_id: str
    supplier_name: str
    supplier_number: str | None
    issue_date: str
    due_date: str
    days_overdue: int
    currency: str
    total: Money
    amount_due: Money
    prepaid_open: PrepaidOpen
    prepaid_hint: PrepaidHint | None
    cash_discount: Annotated[
        DiscountOfferView | None, Meta(description="The discount for paying it on `date`; null without one.")
    ]
    supplier_credit: Money
    approval: Approval
    has_iban: bool


DueThrough = Annotated[
    Day, Meta(description="Bills that are due by then, or whose cash discount ends by then and is in time.")
]


class DueBillFilter(ListQuery):
    due_through: DueThrough | None = None
    date: (
        Annotated[Day, Meta(description="The day of payment, by which discounts are in time. Today when absent.")]
        | None
    ) = None
    supplier_id: Annotated[Id, Meta(description="A contact's id.")] | None = None
    currency: str | None = None
    approval: Annotated[Approval, Meta(description="Where the approval of a bill stands.")] | None = None
    sort: Literal["dueDate", "-dueDate", "supplierName", "-supplierName", "createdAt", "-createdAt"] = "dueDate"


def search(query: DueBillFilter) -> Page[DueBillView]:
    """A page of due bills; without `dueThrough`, due by the day of payment."""
    day = query.date or workspace_settings.today()
    bills = Invoice.select().where(Invoice.kind == "purchase_invoice", sql.among(Invoice.status, AWAITING))
    for condition in _conditions(query, day):
        bills = bills.where(condition)
    return page(bills, query, views=lambda found: _views(found, day), sort=query.sort, sortable=_SORTABLE)


def payable(through: date, day: date, currency: str) -> list[Invoice]:
    """The bills in a currency that a run on `day` pays: due, or with a discount that ends, by `through`.

    Bills that wait for approval, or are said to be paid already, are left out.
    """
    ending = sql.array(_with_ending_discount(through, day))
    bills = Invoice.fetch(_PAYABLE, currency, through.isoformat(), ending)
    unmatched = prepaid.unmatched(bills)
    return [bill for bill in bills if bill.due > unmatched.get(bill.id, 0)]


_SORTABLE = {"dueDate": Invoice.due_date, "supplierName": Invoice.contact_name}
_PAYABLE = (
    f"SELECT * FROM invoice WHERE kind = 'purchase_invoice' AND status IN {AWAITING} AND approval IN {PAYABLE}"
    " AND currency = ? AND (due_date <= ? OR id IN (SELECT value FROM json_each(?))) ORDER BY due_date, id"
)
_WITH_TERMS = (
    f"SELECT * FROM invoice WHERE kind = 'purchase_invoice' AND status IN {AWAITING} AND due_date > ?"
    " AND payment_terms IS NOT NULL"
)


def _with_ending_discount(through: date, day: date) -> Iterator[str]:
    """The ids of bills due later whose discount for paying on `day` ends by `through`."""
    for bill in Invoice.fetch(_WITH_TERMS, through.isoformat()):
        offer = discounts.in_time(bill, day)
        if offer is not None and offer.until <= through:
            yield bill.id


def _conditions(query: DueBillFilter, day: date) -> Iterator[Any]:
    through = query.due_through or day
    yield (Invoice.due_date <= through) | sql.among(Invoice.id, _with_ending_discount(through, day))
    if query.supplier_id is not None:
        supplier = contacts.refer(query.supplier_id, "supplierId", archived=True)
        yield sql.among(Invoice.contact, heads.group(supplier.id))
    for column in ("currency", "approval"):
        if (value := getattr(query, column)) is not None:
            yield getattr(Invoice, column) == value


def _views(bills: Sequence[Invoice], day: date) -> list[DueBillView]:
    """Show bills; three queries, however many they are, and one for each prepaid bill with a cash discount."""
    today = workspace_settings.today()
    own = {heads.of(bill.contact_id) for bill in bills}
    suppliers = sql.array(own)
    with_iban = {id for (id,) in WORKSPACE.rows(_WITH_IBAN, (suppliers,))}
    unmatched = Counter(prepaid.unmatched(bills))
    credit: Counter[tuple[str, str]] = Counter()
    for id, currency, amount in WORKSPACE.rows(_CREDIT, (sql.array(heads.groups(own)),)):
        credit[heads.of(id), currency] += amount
    return [
        show(
            DueBillView,
            bill,
            supplier_id=heads.of(bill.contact_id),
            supplier_name=bill.contact_name,
            issue_date=bill.issue_date.isoformat(),
            due_date=bill.due_date.isoformat(),
            days_overdue=open_items.days_late(bill.due_date, today),
            total=money.text(bill.total, bill.currency),
            amount_due=money.text(bill.due - unmatched[bill.id], bill.currency),
            prepaid_open=money.text(unmatched[bill.id], bill.currency),
            prepaid_hint=prepaid.hint(bill, unmatched[bill.id]),
            cash_discount=DiscountOfferView.of(bill, day),
            supplier_credit=money.text(credit[heads.of(bill.contact_id), bill.currency], bill.currency),
            has_iban=heads.of(bill.contact_id) in with_iban,
        )
        for bill in bills
    ]


_WITH_IBAN = "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND bank_account IS NOT NULL"
_CREDIT = (
    "SELECT contact_id, open_item.currency, sum(open) FROM open_item JOIN account ON account.id = account_id"
    " WHERE contact_id IN (SELECT value FROM json_each(?)) AND open > 0 AND subtype = 'payable'"
    " GROUP BY contact_id, open_item.currency"
)
