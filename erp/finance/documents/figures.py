"""From a request to the figures of an invoice: currency, dates, accounts, projects, tax rates and totals."""

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from erp.finance.books import accounts, dimensions, ledger, service
from erp.finance.books.exchange_rates.rates import in_base, read_rate
from erp.finance.books.service import Service
from erp.finance.contacts import contacts, payment_terms, tax_rates
from erp.finance.contacts.bodies import NewContact
from erp.finance.contacts.models import Contact
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents import bill_taxes
from erp.finance.documents.bill_taxes import BillTaxes
from erp.finance.documents.bodies import InvoiceRequest, early_due_date
from erp.finance.documents.deposits import deducting
from erp.finance.documents.deposits.deducting import Deduction
from erp.finance.documents.reading import Reader, items
from erp.finance.documents.totals import (
    Document,
    Totals,
    compute,
)
from erp.finance.products.lines import Prices, fill
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.errors import Invalid
from erp.kernel.language import Noun, Word, says
from erp.kernel.money import LIMIT, OutOfRange
from erp.kernel.wire import wire_name
from erp.store import workspace_settings

Customer = Contact | NewContact
"""A contact on record, or one that is added together with the invoice."""

NO_ONE = NewContact(kind="both", name="-")
"""Stands in for a missing customer, so that the rest of the document can be checked."""

CONTROL_ACCOUNTS = ("receivable", "payable")
"""Subtypes of accounts whose postings name a contact; a line cannot be posted to them."""


class Figures(msgspec.Struct, frozen=True):
    """Everything that is computed from a request; adjustments are the allowances, then the charges.

    `line_projects` holds the project of each line or of its task; None where the document's project applies. `rates`
    holds the tax rate of each line and adjustment by its path (`lines[0]`), None for those without. `bill` is set
    if a supplier wrote the document.
    """

    request: InvoiceRequest
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
    rates: Mapping[str, TaxRateRef | None]
    tax_accounts: dict[str | None, str | None]
    tax_date: date
    service: Service
    line_services: Sequence[Service]
    payment_terms: PaymentTerms | None = None
    bill: BillTaxes | None = None
    deductions: Sequence[Deduction] = ()

    @property
    def deposit_total(self) -> int:
        """The amount that a final invoice deducts: all that was received of its deposits."""
        return sum(deduction.gross for deduction in self.deductions)

    def line_tax_date(self, i: int) -> date | None:
        """The day that decides the tax period of a line with a service of its own; None for any other."""
        own = self.line_services[i]
        return None if own.end is None else tax_day(self.request.kind, self.issue_date, own)


def compute_figures(
    request: InvoiceRequest, complaints: Complaints | None = None, *, are_lines_new: bool = False
) -> Figures:
    """Compute the figures of an invoice; nothing is written.

    Args:
        complaints: from the caller, to be refused together with the rest; a collection that never refuses gathers
            them, and the figures leave out the wrong parts.
        are_lines_new: whether the lines come from a request, and take missing values from their products; a draft
            stores its lines with these values.

    Raises:
        UnknownReference: one field names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    complaints = complaints or Complaints()
    customer = _customer(request, complaints)
    issue_date, due_date, terms = _dates(request, customer, complaints)
    currency, exchange_rate = _currency(request, customer, issue_date, complaints)
    if are_lines_new:
        request = _filled(request, currency, complaints)
    named = _named_accounts(request, currency, complaints)
    rates = _tax_rates(request, customer, complaints)
    projects = _projects(request, complaints)
    rendered, line_services = _services(request, complaints)
    document = Reader(currency, rates, complaints).document(request)
    printed = bill_taxes.read_fields(request, rates, currency, complaints)
    deductions = _deductions(request, customer, currency, issue_date, complaints)
    complaints.refuse()
    totals, own_taxes = _totals(document, printed, complaints)
    with complaints.gathered():
        deducting.check_total(deductions, totals.total, currency)
    complaints.refuse()
    posted_to = _accounts(named, rates, request)
    return Figures(
        request=request,
        customer=customer,
        issue_date=issue_date,
        due_date=due_date,
        currency=currency,
        exchange_rate=exchange_rate,
        document=document,
        totals=totals,
        base_total=_base_total(totals, currency, exchange_rate, deductions),
        line_accounts=posted_to[: len(request.lines)],
        line_projects=projects,
        adjustment_accounts=posted_to[len(request.lines) :],
        rates=rates,
        tax_accounts=_tax_accounts(rates, request),
        tax_date=tax_day(request.kind, issue_date, rendered),
        service=rendered,
        line_services=line_services,
        payment_terms=terms,
        bill=_bill(request, document, totals, rates, own_taxes, named),
        deductions=deductions,
    )


def tax_day(kind: str, document_date: date, rendered: Service) -> date:
    """The day that decides the tax period of a document or a line, as the books are locked now."""
    return service.tax_day(kind, document_date, rendered.end, workspace_settings.current().lock_date)


_HAS_PARTY = {
    "customer": says("Invoices and credit notes need a customer. Choose a customer instead."),
    "supplier": says("Bills and supplier credit notes need a supplier. Choose a supplier instead."),
}
_ONE_PARTY = {
    "customer": says("Send either customerId, for an existing customer, or customer, for a new one."),
    "supplier": says("Send either supplierId, for an existing supplier, or supplier, for a new one."),
}


def _customer(request: InvoiceRequest, complaints: Complaints) -> Customer:
    party = request.party
    other = "customer" if party == "supplier" else "supplier"
    for field in (f"{other}_id", other):
        if getattr(request, field) is not None:
            message = _HAS_PARTY[party]
            complaints.add(wire_name(field), "not_needed", message)
    if (request.contact_id is None) == (request.new_contact is None):
        message = _ONE_PARTY[party]
        complaints.add(f"{party}Id", "exactly_one", message)
        return NO_ONE
    if request.contact_id is None:
        return request.new_contact or NO_ONE
    with complaints.gathered():
        return contacts.refer(request.contact_id, f"{party}Id", kind=party)
    return NO_ONE


def _currency(
    request: InvoiceRequest, customer: Customer, issue_date: date, complaints: Complaints
) -> tuple[str, int | None]:
    default = customer.currency or workspace_settings.current().base_currency
    field = "currency" if request.currency else f"{request.party}.currency"
    return read_rate(request.currency or default, request.exchange_rate, complaints, day=issue_date, field=field)


def _filled(request: InvoiceRequest, currency: str, complaints: Complaints) -> InvoiceRequest:
    """The request, with missing values of its lines filled in from their products."""
    included = request.prices_include_tax
    prices = Prices(currency, workspace_settings.current().prices_include_tax if included is None else included)
    is_purchase = request.kind.startswith("purchase")
    return replace(request, lines=fill(request.lines, None if is_purchase else prices, complaints))


def _dates(
    request: InvoiceRequest, customer: Customer, complaints: Complaints
) -> tuple[date, date, PaymentTerms | None]:
    """The issue date, the due date, and the terms that apply: beside another due date, their discounts alone."""
    issue_date = request.issue_date or workspace_settings.today()
    terms = contacts.terms_of(customer) if request.payment_terms is None else request.payment_terms
    if request.payment_terms is not None:
        payment_terms.check(request.payment_terms, "paymentTerms", complaints)
    discounts = None if terms is None else terms.discounts
    if terms is None or not terms.is_dated:
        terms = PaymentTerms(days=workspace_settings.current().payment_terms_days, discounts=discounts)
    due_date = payment_terms.due_date(terms, issue_date)
    if request.due_date is None or request.due_date == due_date:
        return issue_date, due_date, terms
    _check_due_date(request, request.due_date, issue_date, complaints)
    return issue_date, request.due_date, PaymentTerms(discounts=discounts) if discounts else None


def _check_due_date(request: InvoiceRequest, due_date: date, issue_date: date, complaints: Complaints) -> None:
    complaints.items += early_due_date(issue_date, due_date)
    if request.payment_terms is not None and request.payment_terms.is_dated:
        message = says("The due date differs from the payment terms. Clear one of the two.")
        complaints.add("dueDate", "not_by_terms", message)


def _services(request: InvoiceRequest, complaints: Complaints) -> tuple[Service, list[Service]]:
    """When the services of the document and of its lines were rendered."""
    lines = [
        service.read(line.service_date, line.service_period, complaints, f"lines[{i}].")
        for i, line in enumerate(request.lines)
    ]
    return service.read(request.service_date, request.service_period, complaints), lines


def _named_accounts(request: InvoiceRequest, currency: str, complaints: Complaints) -> dict[str, str]:
    """The account that each field names, by its path."""
    named = {f"{path}.accountId": item.account_id for path, item in items(request) if item.account_id is not None}
    for i, line in enumerate(request.lines):
        if line.non_deductible_account_id is not None:
            named[f"lines[{i}].nonDeductibleAccountId"] = line.non_deductible_account_id
    by_field, refused = accounts.look_up(named) if named else ({}, [])
    with complaints.gathered():
        refuse_any(refused, Noun("account"))
    for field, account in by_field.items():
        if account.subtype in CONTROL_ACCOUNTS:
            message = says(
                "Account {code} cannot be used in a line ({subtype}). Choose another account.",
                code=account.code,
                subtype=Word.of(account.subtype),
            )
            complaints.add(field, "unsuitable_account", message)
        elif account.currency not in (currency, workspace_settings.current().base_currency):
            message = says(
                "Account {code} is in {currency}. Choose one in the document's or base currency.",
                code=account.code,
                currency=account.currency,
            )
            complaints.add(field, "wrong_currency", message)
    return {field: account.id for field, account in by_field.items()}


def _accounts(named: Mapping[str, str], rates: Mapping[str, TaxRateRef | None], request: InvoiceRequest) -> list[str]:
    """The account of each line and adjustment: its own, else its tax rate's, else the default one."""
    default = ledger.default_account("cost_of_sales" if request.is_purchase else "sales")
    column = "expense_account_id" if request.is_purchase else "income_account_id"
    of_rates = {path: getattr(rate, column) for path, rate in rates.items() if rate is not None}
    return [named.get(f"{path}.accountId") or of_rates.get(path) or default for path in rates]


def _tax_accounts(rates: Mapping[str, TaxRateRef | None], request: InvoiceRequest) -> dict[str | None, str | None]:
    column = "input_tax_account_id" if request.is_purchase else "output_tax_account_id"
    return {rate.id: getattr(rate, column) for rate in rates.values() if rate is not None}


def _bill(
    request: InvoiceRequest,
    document: Document,
    totals: Totals,
    rates: Mapping[str, TaxRateRef | None],
    own: Mapping[str | None, int],
    named: Mapping[str, str],
) -> BillTaxes | None:
    if not request.is_purchase:
        return None
    others = [named.get(f"lines[{i}].nonDeductibleAccountId") for i in range(len(request.lines))]
    return bill_taxes.taxes_of(document, totals, rates, own=own, lines=request.lines, accounts=others)


def _tax_rates(request: InvoiceRequest, customer: Customer, complaints: Complaints) -> Mapping[str, TaxRateRef | None]:
    """The tax rate of each line and adjustment by its path, None for those without."""
    fields = {path: item.tax_rate_id for path, item in items(request)}
    named = {f"{path}.taxRateId": id for path, id in fields.items() if isinstance(id, str)}
    takes_default = UNSET in fields.values()
    party = request.party
    own: str | None = customer.default_tax_rate_id if takes_default else None
    if own is not None:
        named[f"{party}.defaultTaxRateId"] = own
    by_field, refused = tax_rates.look_up(named) if named else ({}, [])
    with complaints.gathered():
        refuse_any(refused, Noun("tax rate"))
    default = by_field.get(f"{party}.defaultTaxRateId") if own else tax_rates.default() if takes_default else None
    return {path: default if id is UNSET else by_field.get(f"{path}.taxRateId") for path, id in fields.items()}


def _projects(request: InvoiceRequest, complaints: Complaints) -> list[str | None]:
    """The project of each line: its own, else its task's."""
    if not (request.project_id or any(line.project_id or line.task_id for line in request.lines)):
        return [None] * len(request.lines)
    lines = {f"lines[{i}]": line for i, line in enumerate(request.lines)}
    named = {f"{path}.projectId": line.project_id for path, line in lines.items()}
    dimensions.check_projects({"projectId": request.project_id, **named}, complaints)
    tasks = {f"{path}.taskId": line.task_id for path, line in lines.items()}
    own = {f"{path}.taskId": line.project_id for path, line in lines.items()}
    of_tasks = dimensions.projects_of_tasks(tasks, own, complaints)
    return [line.project_id or of_tasks.get(f"{path}.taskId") for path, line in lines.items()]


def _totals(
    document: Document, printed: Mapping[str, int], complaints: Complaints
) -> tuple[Totals, Mapping[str | None, int]]:
    """The totals, and our tax of each rate whose tax the supplier printed."""
    try:
        return bill_taxes.printed_totals(document, compute(document), printed, complaints)
    except OutOfRange:
        raise _too_large() from None


def _deductions(
    request: InvoiceRequest, customer: Customer, currency: str, issue_date: date, complaints: Complaints
) -> list[Deduction]:
    contact_id = customer.id if isinstance(customer, Contact) else None
    if request.kind == "deposit_invoice" and not deducting.has_accounts():
        complaints.add("kind", "no_account", deducting.NO_ACCOUNTS)
    return deducting.read(request, contact_id, currency, issue_date, complaints)


def _base_total(totals: Totals, currency: str, exchange_rate: int | None, deductions: Sequence[Deduction]) -> int:
    """The total in the base currency: deposits at the value on receipt, the rest at the document's rate."""
    rest = totals.total - sum(deduction.gross for deduction in deductions)
    base_total = in_base(rest, currency, exchange_rate) + sum(deduction.base for deduction in deductions)
    if abs(base_total) > LIMIT:
        raise _too_large()
    return base_total


def _too_large() -> Invalid:
    return Invalid.one(
        "lines", "out_of_range", says("The total is larger than the books can hold. Split the document.")
    )
