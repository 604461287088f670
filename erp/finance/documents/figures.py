"""From the terms of an invoice to its figures: in which currency, by when, to which accounts, and what it comes to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import chain

from msgspec import UNSET

from erp.finance.books import accounts, dimensions, ledger
from erp.finance.contacts import contacts, tax_rates
from erp.finance.contacts.bodies import NewContact
from erp.finance.contacts.models import Contact
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents.bodies import InvoiceTerms, NewInvoiceAdjustment, NewInvoiceLine, PercentOrAmount
from erp.finance.documents.totals import (
    Adjustment,
    Document,
    DocumentAdjustment,
    Line,
    Tax,
    TaxRounding,
    Totals,
    compute,
)
from erp.kernel import money
from erp.kernel.complaints import Complaints, refuse_any, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.money import LIMIT, MICRO, RATE_SCALE, OutOfRange
from erp.store import workspace_settings

Customer = Contact | NewContact
"""The customer: of record, or yet to be made."""

Item = NewInvoiceLine | NewInvoiceAdjustment

UNTAXED = Tax(None, "O", 0)
"""What an item without a tax rate bears: it is outside the scope of tax."""

CONTROL_ACCOUNTS = ("receivable", "payable")
"""Subtypes of accounts whose postings name a contact; no line goes to them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """An invoice worked out; its adjustments are the allowances, then the charges.

    A line's project is its own or its task's; one without bears the document's, which is not in `line_projects`.
    """

    terms: InvoiceTerms
    customer: Customer
    issue_date: date
    due_date: date
    currency: str
    exchange_rate: int | None
    document: Document
    totals: Totals
    base_total: int
    line_accounts: list[str]
    line_projects: list[str | None]
    adjustment_accounts: list[str]
    tax_accounts: dict[str | None, str | None]


def work_out(terms: InvoiceTerms) -> Figures:
    """Work out an invoice from its terms; nothing is written.

    Raises:
        UnknownReference: one field names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    faults = Complaints()
    customer = _customer(terms, faults)
    currency, exchange_rate = _currency(terms, customer, faults)
    issue_date, due_date = _dates(terms, customer, faults)
    posted_to = _accounts(terms, currency, faults)
    rates = _tax_rates(terms, customer, faults)
    projects = _projects(terms, faults)
    document = _Reader(currency, rates, faults).document(terms)
    faults.refuse()
    assert customer is not None
    totals, base_total = _totals(document, exchange_rate)
    return Figures(
        terms=terms,
        customer=customer,
        issue_date=issue_date,
        due_date=due_date,
        currency=currency,
        exchange_rate=exchange_rate,
        document=document,
        totals=totals,
        base_total=base_total,
        line_accounts=posted_to[: len(terms.lines)],
        line_projects=projects,
        adjustment_accounts=posted_to[len(terms.lines) :],
        tax_accounts={rate.id: rate.sales_account_id for rate in rates.values() if rate is not None},
    )


def _customer(terms: InvoiceTerms, faults: Complaints) -> Customer | None:
    if (terms.customer_id is None) == (terms.customer is None):
        message = "Name the customer by customerId, or describe a new one as customer."
        faults.add("customerId", "exactly_one", message)
        return None
    if terms.customer_id is None:
        return terms.customer
    with faults.gathered():
        return contacts.refer(terms.customer_id, "customerId", kind="customer")
    return None


def _currency(terms: InvoiceTerms, customer: Customer | None, faults: Complaints) -> tuple[str, int | None]:
    base: str = workspace_settings.current().base_currency
    currency = terms.currency or (customer and customer.currency) or base
    if currency not in DIGITS:
        faults.items.append(unknown_currency("currency" if terms.currency else "customer.currency"))
        return base, None
    if currency == base:
        if terms.exchange_rate is not None:
            faults.add("exchangeRate", "not_needed", f"The document is in {base}, as the books are.")
        return base, None
    if terms.exchange_rate is None:
        faults.add("exchangeRate", "required", f"Say what 1 {currency} is worth in {base}.")
        return currency, None
    return currency, money.scaled(terms.exchange_rate, RATE_SCALE)


def _dates(terms: InvoiceTerms, customer: Customer | None, faults: Complaints) -> tuple[date, date]:
    issue_date = terms.issue_date or workspace_settings.today()
    if terms.due_date is None:
        days = customer.payment_terms_days if customer is not None else None
        return issue_date, issue_date + timedelta(
            days=workspace_settings.current().payment_terms_days if days is None else days
        )
    if terms.due_date < issue_date:
        faults.add("dueDate", "too_early", f"Must not be before the issue date, {issue_date}.")
    return issue_date, terms.due_date


def _adjustments(terms: InvoiceTerms) -> Iterator[tuple[str, NewInvoiceAdjustment, bool]]:
    """Allowances, then charges, each with its path and whether it is a charge."""
    for i, item in enumerate(terms.allowances or ()):
        yield f"allowances[{i}]", item, False
    for i, item in enumerate(terms.charges or ()):
        yield f"charges[{i}]", item, True


def _items(terms: InvoiceTerms) -> Iterator[tuple[str, Item]]:
    lines = ((f"lines[{i}]", line) for i, line in enumerate(terms.lines))
    return chain(lines, ((path, item) for path, item, _ in _adjustments(terms)))


def _accounts(terms: InvoiceTerms, currency: str, faults: Complaints) -> list[str]:
    """The account of each line and adjustment; sales where none is named."""
    fields = [(f"{path}.accountId", item.account_id) for path, item in _items(terms)]
    given = {field: name for field, name in fields if name is not None}
    found, complaints = accounts.look_up(given) if given else ({}, [])
    with faults.gathered():
        refuse_any(complaints, "account")
    for field, account in found.items():
        if account.subtype in CONTROL_ACCOUNTS:
            message = f"Account {account.code} is posted to with a contact; it takes no line."
            faults.add(field, "unsuitable_account", message)
        elif account.currency not in (currency, workspace_settings.current().base_currency):
            faults.add(field, "wrong_currency", f"Account {account.code} is kept in {account.currency}.")
    sales = ledger.default_account("sales")
    return [found[field].id if field in found else sales for field, _ in fields]


def _tax_rates(terms: InvoiceTerms, customer: Customer | None, faults: Complaints) -> Mapping[str, TaxRateRef | None]:
    """The rate of each line and adjustment by its path, None for those without."""
    fields = {path: item.tax_rate_id for path, item in _items(terms)}
    given = {f"{path}.taxRateId": id for path, id in fields.items() if isinstance(id, str)}
    takes_default = UNSET in fields.values()
    own: str | None = customer.default_tax_rate_id if customer is not None and takes_default else None
    if own is not None:
        given["customer.defaultTaxRateId"] = own
    found, complaints = tax_rates.look_up(given) if given else ({}, [])
    with faults.gathered():
        refuse_any(complaints, "tax rate")
    default = found.get("customer.defaultTaxRateId") if own else tax_rates.default() if takes_default else None
    return {path: default if id is UNSET else found.get(f"{path}.taxRateId") for path, id in fields.items()}


def _projects(terms: InvoiceTerms, faults: Complaints) -> list[str | None]:
    """The project of each line: the one it names, else its task's."""
    lines = {f"lines[{i}]": line for i, line in enumerate(terms.lines)}
    named = {f"{path}.projectId": line.project_id for path, line in lines.items()}
    dimensions.check_projects({"projectId": terms.project_id, **named}, faults)
    tasks = {f"{path}.taskId": line.task_id for path, line in lines.items()}
    beside = {f"{path}.taskId": line.project_id for path, line in lines.items()}
    of_tasks = dimensions.projects_of_tasks(tasks, beside, faults)
    return [line.project_id or of_tasks.get(f"{path}.taskId") for path, line in lines.items()]


class _Reader:
    """Turns decimals into integers, and complains of those that do not fit."""

    def __init__(self, currency: str, rates: Mapping[str, TaxRateRef | None], faults: Complaints) -> None:
        self.currency = currency
        self.rates = rates
        self.faults = faults

    def document(self, terms: InvoiceTerms) -> Document:
        now = workspace_settings.current()
        included = terms.prices_include_tax
        tax_rounding: TaxRounding = "line" if now.tax_rounding == "line" else "document"
        return Document(
            lines=[self.line(f"lines[{i}]", line) for i, line in enumerate(terms.lines)],
            currency=self.currency,
            adjustments=[self.adjustment(*each) for each in _adjustments(terms)],
            discount=self.part("discount", terms.discount),
            rounding_amount=self.amount("roundingAmount", terms.rounding_amount),
            prices_include_tax=now.prices_include_tax if included is None else included,
            tax_rounding=tax_rounding,
            cash_step=now.cash_rounding if self.currency == now.base_currency else None,
        )

    def line(self, path: str, line: NewInvoiceLine) -> Line:
        base = line.price_base_quantity
        return Line(
            quantity=money.scaled(line.quantity, MICRO),
            unit_price=money.scaled(line.unit_price, MICRO),
            tax=self.tax(path),
            price_base_quantity=MICRO if base is None else money.scaled(base, MICRO),
            discount=self.part(f"{path}.discount", line.discount),
            charge=self.part(f"{path}.charge", None if line.charge is None else line.charge.part),
        )

    def adjustment(self, path: str, item: NewInvoiceAdjustment, is_charge: bool) -> DocumentAdjustment:
        part = self.part(path, PercentOrAmount(percent=item.percent, amount=item.amount))
        return DocumentAdjustment(part or Adjustment(amount=0), self.tax(path), is_charge)

    def tax(self, path: str) -> Tax:
        rate = self.rates[path]
        return UNTAXED if rate is None else Tax(rate.id, rate.category, rate.rate)

    def part(self, path: str, part: PercentOrAmount | None) -> Adjustment | None:
        if part is None:
            return None
        if (part.percent is None) == (part.amount is None):
            self.faults.add(path, "exactly_one", "Give either percent or amount.")
            return None
        if part.percent is not None:
            return Adjustment(percent=money.scaled(part.percent, MICRO))
        return Adjustment(amount=self.amount(f"{path}.amount", part.amount))

    def amount(self, path: str, value: Decimal | None) -> int | None:
        return None if value is None else self.faults.minor(value, self.currency, path)


def _totals(document: Document, exchange_rate: int | None) -> tuple[Totals, int]:
    """The totals, and the total in the currency of the books."""
    try:
        totals = compute(document)
    except OutOfRange:
        raise _too_large() from None
    base_total = in_base(totals.total, document.currency, exchange_rate)
    if abs(base_total) > LIMIT:
        raise _too_large()
    return totals, base_total


def in_base(amount: int, currency: str, exchange_rate: int | None) -> int:
    """An amount of a document in the currency of the books."""
    if exchange_rate is None:
        return amount
    return money.convert(amount, exchange_rate, currency, workspace_settings.current().base_currency)


def _too_large() -> Invalid:
    return Invalid.one("lines", "out_of_range", "The document comes to more than the books can hold.")
