"""Posting expense claims: the expenses and their tax, owed to the employee or on the company card; and voiding them."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from erp.finance.books import default_accounts, ledger, periods, voids
from erp.finance.books.ledger import ItemTerms, Leg
from erp.finance.books.models import SourceType
from erp.finance.books.voids import Correction
from erp.finance.contacts import contacts, tax_rates
from erp.finance.contacts.models import Contact
from erp.finance.documents import billed_expenses
from erp.finance.documents.models import BillableExpense, ExpenseTax
from erp.hr.access import own_pay
from erp.hr.expenses import claims, lines
from erp.hr.expenses.bodies import ClaimPosting
from erp.hr.expenses.models import ExpenseCategory, ExpenseClaim, ExpenseLine
from erp.kernel import clock
from erp.kernel.errors import InUse, Refusal
from erp.kernel.language import Word, says
from erp.store import events, names, sql, workspace_settings

_DEFAULTS = {"receipt": "travel_expenses", "mileage": "mileage", "per_diem": "per_diems"}
"""The default account of a line by its kind, where neither it nor its category has one."""


class NoCompanyCard(Refusal):
    """No account of the company card is chosen. Choose one among the default accounts."""

    status = 422


class ClaimBilled(InUse):
    """An invoice bills expenses of {number}. Void that invoice first."""


class _Target(NamedTuple):
    account_id: str
    project_id: str | None


def post(id: str, body: ClaimPosting) -> ExpenseClaim:
    """Post an approved claim, dated by its last line unless the request says otherwise.

    Raises:
        OwnPay: it is the caller's own, and someone else can post it.
        InvalidTransition: it is not approved.
        NoCompanyCard: a line was paid by the company card, which has no account.
        PeriodLocked: the date is in the locked period.
    """
    claim = claims.find_to_change(id)
    check_postable(claim)
    periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    rows = lines.of_claim(id)
    day = body.date or max(periods.first_open_day(), *(line.date for line in rows))
    due_date = day + timedelta(days=workspace_settings.current().expense_payment_days)
    contact = _contact(claim)
    text = says("Expense claim {number}: {title}", number=claim.number, title=claim.title)
    legs = [*_debits(rows), *_credits(claim, contact, due_date)]
    source: tuple[SourceType, str] = ("expense_claim", claim.id)
    entry = ledger.post(day, text, legs, kind="expense_claim", source=source, document_number=claim.number)
    billed_expenses.offer(_billable(rows))
    for rate_id, (base, tax) in lines.taxes(rows).items():
        ExpenseTax.create(entry=entry.id, tax_rate=rate_id, base=base, tax=tax)
    claim.change(
        status="posted",
        journal_entry=entry.id,
        contact=contact.id,
        posted_on=day,
        due_date=due_date,
        pay_by=body.pay_by,
    )
    data = claims.event_data(claim) | {"date": day.isoformat()}
    events.write("expense_claim.posted", "expense_claim", id, data, entries=[entry])
    return claim


def _billable(rows: Sequence[ExpenseLine]) -> list[BillableExpense]:
    """The lines that a customer pays, each worded as it will be billed."""
    named = names.of(expense_category=[row.category_id for row in rows])
    return [
        BillableExpense(
            id=row.id,
            claim_id=row.claim_id,
            project_id=row.project_id,
            date=row.date,
            description=row.description or row.supplier_name or named.name(row.category_id),
            net=row.net,
        )
        for row in rows
        if row.is_billable and row.project_id and row.net
    ]


def check_postable(claim: ExpenseClaim) -> None:
    """Refuse a posting that the caller cannot make. Raises as `post`."""
    own_pay.refuse_own(claims.employee_of(claim), Word("post your own expense claim"), "expenses.post")
    claims.refuse_unless(claim, "approved")


def void(id: str, correction: Correction) -> ExpenseClaim:
    """Reverse the entry of a claim on which nothing has been paid.

    Raises:
        InvalidTransition: it is not posted.
        StillSettled: something has been paid.
        ClaimBilled: an invoice bills one of its lines.
        DatedTooEarly: the day is before its entry's.
        PeriodLocked: the day is in the locked period.
    """
    claim = claims.find_to_change(id)
    check_voidable(claim)
    assert claim.journal_entry_id is not None
    if not billed_expenses.withdraw(id):
        raise ClaimBilled(number=claim.number)
    day = voids.day_of(correction, claim, claim.posted_on)
    text = says("Expense claim {number} void", number=claim.number)
    entry = ledger.reverse(claim.journal_entry_id, day, text)
    claim.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    data = claims.event_data(claim) | {"reason": correction.reason}
    events.write("expense_claim.void", "expense_claim", id, data, entries=[entry])
    return claim


def check_voidable(claim: ExpenseClaim) -> None:
    """Refuse to void a claim that is not posted, or one's own. Raises as `void`."""
    own_pay.refuse_own(claims.employee_of(claim), Word("void your own expense claim"), "expenses.post")
    claims.refuse_unless(claim, "posted")


def _contact(claim: ExpenseClaim) -> Contact:
    employee = claims.employee_of(claim)
    return contacts.of_employee(employee.id, employee.name, employee.bank_account)


_CATEGORIES = "SELECT * FROM expense_category WHERE id IN (SELECT value FROM json_each(?))"


def _debits(rows: Sequence[ExpenseLine]) -> list[Leg]:
    """The expenses by account and project, then the tax that can be deducted by its account."""
    categories = ExpenseCategory.fetch(_CATEGORIES, sql.array({row.category_id for row in rows}))
    usual = {category.id: category.expense_account_id for category in categories}
    tax_accounts = tax_rates.accounts_of_input({row.tax_rate_id for row in rows if row.tax_rate_id})
    nets, taxes = Counter[_Target](), Counter[str]()
    for row in rows:
        account = row.account_id or usual[row.category_id] or default_accounts.of(_DEFAULTS[row.kind])
        nets[_Target(account, row.project_id)] += row.net
        if row.tax and row.tax_rate_id:
            taxes[tax_accounts[row.tax_rate_id]] += row.tax
    expenses = [Leg(target.account_id, net, project_id=target.project_id) for target, net in nets.items()]
    return [*expenses, *(Leg(account, tax) for account, tax in taxes.items())]


def _credits(claim: ExpenseClaim, contact: Contact, due_date: date) -> list[Leg]:
    own = Leg(
        default_accounts.of("employee_payable"),
        -claim.own_total,
        contact_id=contact.id,
        terms=ItemTerms(due_date=due_date),
    )
    if not claim.card_total:
        return [own]
    card = default_accounts.by_key().get("company_card")
    if card is None:
        raise NoCompanyCard
    return [own, Leg(card, -claim.card_total)]
