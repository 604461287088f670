"""The figures of a document: currency, dates, accounts, projects, tax rates and totals."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET

from erp.finance.books import accounts, default_accounts, service, work
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.finance.books.exchange_rates.rates import in_base, read_rate
from erp.finance.books.service import Service
from erp.finance.contacts import contacts, payment_terms, tax_rates
from erp.finance.contacts.models import Contact
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents import bill_taxes, prepaid, traded_assets, usual_accounts
from erp.finance.documents.bill_taxes import BillTaxes
from erp.finance.documents.bodies import early_due_date
from erp.finance.documents.commands import AdjustmentCommand, InvoiceCommand, LineCommand
from erp.finance.documents.deposits import applied
from erp.finance.documents.deposits.applied import AppliedDeposit
from erp.finance.documents.models import AccountReason
from erp.finance.documents.totals import (
    UNTAXED,
    Document,
    DocumentAdjustment,
    Line,
    Tax,
    TaxRounding,
    Totals,
    compute,
)
from erp.finance.products import products
from erp.kernel import money
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.language import Digits, Noun, Word, says
from erp.kernel.money import LIMIT, OutOfRange
from erp.store import workspace_settings

MOST_ROUNDING = 5
"""The largest `rounding_amount`, in the major unit, without a cash rounding step."""


class Figures(msgspec.Struct, frozen=True):
    """Everything that is computed from a command; adjustments are the allowances, then the charges.

    `line_reasons` says why each line has its account; a credit note's has none.
    `line_projects` holds the project of each line or of its task; None where the document's project applies.
    `dimensions` has what each line, then each adjustment has, as stored; in a credit note, `is_inherited`. `rates`
    holds the tax rate of each line and adjustment by its path (`lines[0]`), None for those without. `bill` is set
    if a supplier wrote the document.
    """

    command: InvoiceCommand
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
    dimensions: Sequence[str | None] = ()
    is_inherited: bool = False
    payment_terms: PaymentTerms | None = None
    bill: BillTaxes | None = None
    line_reasons: Sequence[AccountReason] = ()
    deposits: Sequence[AppliedDeposit] = ()

    @property
    def deposit_total(self) -> int:
        """The amount that a final invoice applies: all that was received of its deposits."""
        return sum(deposit.gross for deposit in self.deposits)

    def line_tax_date(self, i: int) -> date | None:
        """The day that decides the tax period of a line with a service of its own; None for any other."""
        own = self.command.lines[i].service
        return None if own.end is None else tax_day(self.command.kind, self.issue_date, own)


def compute_figures(command: InvoiceCommand, complaints: Complaints | None = None) -> Figures:
    """Compute the figures of an invoice; nothing is written.

    Args:
        complaints: from the caller, to be refused together with the rest; a collection that never refuses gathers
            them, and the figures leave out the wrong parts.

    Raises:
        UnknownReference: one field names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    complaints, command = complaints or Complaints(), bill_taxes.with_method(command)
    facts = _read(command, complaints)
    complaints.refuse()
    return _priced(command, facts, complaints)


class _Facts(NamedTuple):
    """The records and days that a command names, and its arithmetic before it is done."""

    issue_date: date
    due_date: date
    terms: PaymentTerms | None
    currency: str
    exchange_rate: int | None
    accounts: dict[str, str]
    """By the path of the field that names each."""
    rates: Mapping[str, TaxRateRef | None]
    projects: list[str | None]
    document: Document
    printed: dict[str, int]
    deposits: list[AppliedDeposit]


def _read(command: InvoiceCommand, complaints: Complaints) -> _Facts:
    issue_date, due_date, terms = _dates(command, complaints)
    currency, exchange_rate = _currency(command, issue_date, complaints)
    named = _named_accounts(command, currency, complaints)
    rates = _tax_rates(command, complaints)
    projects = _projects(command, complaints)
    assigning.check({f"{path}.dimensions": item.dimensions for path, item in command.items}, complaints)
    document = _document(command, currency, rates, complaints)
    printed = bill_taxes.read_fields(command, rates, complaints)
    deposits = _deposits(command, currency, issue_date, complaints)
    return _Facts(
        issue_date=issue_date,
        due_date=due_date,
        terms=terms,
        currency=currency,
        exchange_rate=exchange_rate,
        accounts=named,
        rates=rates,
        projects=projects,
        document=document,
        printed=printed,
        deposits=deposits,
    )


def _priced(command: InvoiceCommand, facts: _Facts, complaints: Complaints) -> Figures:
    """The figures by facts that are all right; only the amounts can still be refused."""
    totals, own_taxes = _totals(facts.document, facts.printed, complaints)
    _check_total(command, totals, facts.deposits, facts.currency, complaints)
    posted = _posted_to(command, facts.accounts, facts.rates)
    return Figures(
        command=command,
        issue_date=facts.issue_date,
        due_date=facts.due_date,
        currency=facts.currency,
        exchange_rate=facts.exchange_rate,
        document=facts.document,
        totals=totals,
        base_total=_base_total(totals, facts.currency, facts.exchange_rate, facts.deposits),
        line_accounts=posted.line_accounts,
        line_projects=facts.projects,
        adjustment_accounts=posted.adjustment_accounts,
        rates=facts.rates,
        tax_accounts=_tax_accounts(facts.rates, command),
        tax_date=tax_day(command.kind, facts.issue_date, command.service),
        dimensions=_dimensions(command, [*posted.line_accounts, *posted.adjustment_accounts]),
        payment_terms=facts.terms,
        bill=_bill(command, facts.document, totals, facts.rates, own_taxes, facts.accounts),
        deposits=facts.deposits,
        line_reasons=posted.line_reasons,
    )


def _check_total(
    command: InvoiceCommand, totals: Totals, deposits: Sequence[AppliedDeposit], currency: str, complaints: Complaints
) -> None:
    """Refuse a total that is less than the prepaid amount or the applied deposits."""
    complaints.items += prepaid.misfits(command.kind, command.prepaid_amount, totals.total)
    with complaints.gathered():
        applied.check_total(deposits, totals.total, currency)
    complaints.refuse()


def tax_day(kind: str, document_date: date, rendered: Service) -> date:
    """The day that decides the tax period of a document or a line, as the books are locked now."""
    return service.tax_day(kind, document_date, rendered.end, workspace_settings.current().lock_date)


def _currency(command: InvoiceCommand, issue_date: date, complaints: Complaints) -> tuple[str, int | None]:
    default = command.contact.currency or workspace_settings.current().base_currency
    field = "currency" if command.currency else f"{command.party}.currency"
    return read_rate(command.currency or default, command.exchange_rate, complaints, day=issue_date, field=field)


def _dates(command: InvoiceCommand, complaints: Complaints) -> tuple[date, date, PaymentTerms | None]:
    """The issue date, the due date, and the terms that apply: beside another due date, their discounts alone."""
    issue_date = command.issue_date or workspace_settings.today()
    terms = contacts.terms_of(command.contact) if command.payment_terms is None else command.payment_terms
    if command.payment_terms is not None:
        payment_terms.check(command.payment_terms, "paymentTerms", complaints)
    discounts = None if terms is None else terms.discounts
    if terms is None or not terms.is_dated:
        terms = PaymentTerms(days=workspace_settings.current().payment_terms_days, discounts=discounts)
    due_date = payment_terms.due_date(terms, issue_date)
    if command.due_date is None or command.due_date == due_date:
        return issue_date, due_date, terms
    _check_due_date(command, command.due_date, issue_date, complaints)
    return issue_date, command.due_date, PaymentTerms(discounts=discounts) if discounts else None


def _check_due_date(command: InvoiceCommand, due_date: date, issue_date: date, complaints: Complaints) -> None:
    complaints.items += early_due_date(issue_date, due_date)
    if command.payment_terms is not None and command.payment_terms.is_dated:
        message = says("The due date differs from the payment terms. Clear one of the two.")
        complaints.add("dueDate", "not_by_terms", message)


def _document(
    command: InvoiceCommand, currency: str, rates: Mapping[str, TaxRateRef | None], complaints: Complaints
) -> Document:
    settings = workspace_settings.current()
    included = command.prices_include_tax
    cash_step = settings.cash_rounding if currency == settings.base_currency and not command.is_purchase else None
    tax_rounding: TaxRounding = "line" if settings.tax_rounding == "line" else "document"
    taxes = [UNTAXED if rate is None else Tax(rate.id, rate.category, rate.rate) for rate in rates.values()]
    _check_rounding(command.rounding_amount, currency, cash_step, complaints)
    return Document(
        lines=[
            Line(line.quantity, line.unit_price, tax, line.price_base_quantity, line.discount, line.charge)
            for line, tax in zip(command.lines, taxes, strict=False)
        ],
        currency=currency,
        adjustments=_adjustments(command, taxes[len(command.lines) :]),
        discount=command.discount,
        rounding_amount=command.rounding_amount,
        prices_include_tax=settings.prices_include_tax if included is None else included,
        tax_rounding=tax_rounding,
        cash_step=cash_step,
    )


def _adjustments(command: InvoiceCommand, taxes: Sequence[Tax]) -> list[DocumentAdjustment]:
    are_charges = [False] * len(command.allowances) + [True] * len(command.charges)
    items = zip(command.adjustments, taxes, are_charges, strict=True)
    return [DocumentAdjustment(item.part, tax, is_charge) for item, tax, is_charge in items]


_ROUNDED_TOO_FAR = says("Must not be more than {limit}, the largest possible rounding. Use a discount or a surcharge.")
_ROUNDED_BEYOND_CASH = says(
    "Must not be more than {limit}, half of the cash rounding step. Use a discount or a surcharge."
)


def _check_rounding(amount: int | None, currency: str, cash_step: int | None, complaints: Complaints) -> None:
    """Complain of an amount that changes the price in place of rounding the total."""
    most = cash_step // 2 if cash_step is not None else MOST_ROUNDING * 10 ** DIGITS[currency]
    if amount is not None and abs(amount) > most:
        message = _ROUNDED_TOO_FAR if cash_step is None else _ROUNDED_BEYOND_CASH
        limit = Digits(money.text(most, currency))
        complaints.add("roundingAmount", "too_large", message.fill(limit=limit))


def _named_accounts(command: InvoiceCommand, currency: str, complaints: Complaints) -> dict[str, str]:
    """The account that each field names, by its path."""
    named = {f"{path}.accountId": item.account_id for path, item in command.items if item.account_id is not None}
    for i, line in enumerate(command.lines):
        if line.non_deductible_account_id is not None:
            named[f"lines[{i}].nonDeductibleAccountId"] = line.non_deductible_account_id
    by_field, refused = accounts.look_up(named) if named else ({}, [])
    with complaints.gathered():
        refuse_any(refused, Noun("account"))
    for field, account in by_field.items():
        if account.needs_contact:
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
    traded_assets.check_lines(command, by_field, complaints)
    return {field: account.id for field, account in by_field.items()}


class _PostedTo(NamedTuple):
    """The accounts of the lines, each with its reason, and of the adjustments."""

    line_accounts: list[str]
    line_reasons: list[AccountReason]
    adjustment_accounts: list[str]


def _posted_to(command: InvoiceCommand, named: Mapping[str, str], rates: Mapping[str, TaxRateRef | None]) -> _PostedTo:
    found = _accounts(command, named, rates)
    accounts, lines = [account_id for account_id, _ in found], len(command.lines)
    return _PostedTo(accounts[:lines], [because for _, because in found[:lines]], accounts[lines:])


def _accounts(
    command: InvoiceCommand, named: Mapping[str, str], rates: Mapping[str, TaxRateRef | None]
) -> list[tuple[str, AccountReason]]:
    """The account of each line and adjustment, and why it is that one."""
    default = default_accounts.of("cost_of_sales" if command.is_purchase else "sales")
    column = "expense_account_id" if command.is_purchase else "income_account_id"
    of_rates = {path: getattr(rate, column) for path, rate in rates.items() if rate is not None}
    usual = usual_accounts.of_supplier(command)

    def chosen(path: str, item: LineCommand | AdjustmentCommand) -> tuple[str, AccountReason]:
        if own := named.get(f"{path}.accountId"):
            return own, "product" if isinstance(item, LineCommand) and item.is_account_of_product else "line"
        if path in usual:
            return usual[path], "supplier"
        return (of_rates[path], "tax_rate") if of_rates.get(path) else (default, "default")

    return [chosen(path, item) for path, item in command.items]


def _tax_accounts(rates: Mapping[str, TaxRateRef | None], command: InvoiceCommand) -> dict[str | None, str | None]:
    column = "input_tax_account_id" if command.is_purchase else "output_tax_account_id"
    return {rate.id: getattr(rate, column) for rate in rates.values() if rate is not None}


def _bill(
    command: InvoiceCommand,
    document: Document,
    totals: Totals,
    rates: Mapping[str, TaxRateRef | None],
    own: Mapping[str | None, int],
    named: Mapping[str, str],
) -> BillTaxes | None:
    if not command.is_purchase:
        return None
    others = [named.get(f"lines[{i}].nonDeductibleAccountId") for i in range(len(command.lines))]
    return bill_taxes.taxes_of(document, totals, rates, own=own, lines=command.lines, accounts=others)


def _tax_rates(command: InvoiceCommand, complaints: Complaints) -> Mapping[str, TaxRateRef | None]:
    """The tax rate of each line and adjustment by its path, None for those without."""
    fields = {path: item.tax_rate_id for path, item in command.items}
    named = {f"{path}.taxRateId": id for path, id in fields.items() if isinstance(id, str)}
    takes_default = UNSET in fields.values()
    party = command.party
    own: str | None = command.contact.default_tax_rate_id if takes_default else None
    if own is not None:
        named[f"{party}.defaultTaxRateId"] = own
    side: Literal["sale", "purchase"] = "purchase" if command.is_purchase else "sale"
    by_field, refused = tax_rates.look_up(named, side) if named else ({}, [])
    with complaints.gathered():
        refuse_any(refused, Noun("tax rate"))
    default = by_field.get(f"{party}.defaultTaxRateId") if own else tax_rates.default() if takes_default else None
    return {path: default if id is UNSET else by_field.get(f"{path}.taxRateId") for path, id in fields.items()}


def _projects(command: InvoiceCommand, complaints: Complaints) -> list[str | None]:
    """The project of each line: its own, else its task's."""
    if not (command.project_id or any(line.project_id or line.task_id for line in command.lines)):
        return [None] * len(command.lines)
    lines = {f"lines[{i}]": line for i, line in enumerate(command.lines)}
    named = {f"{path}.projectId": line.project_id for path, line in lines.items()}
    work.check_projects({"projectId": command.project_id, **named}, complaints)
    tasks = {f"{path}.taskId": line.task_id for path, line in lines.items()}
    own = {f"{path}.taskId": line.project_id for path, line in lines.items()}
    of_tasks = work.projects_of_tasks(tasks, own, complaints)
    return [line.project_id or of_tasks.get(f"{path}.taskId") for path, line in lines.items()]


def _dimensions(command: InvoiceCommand, account_ids: Sequence[str]) -> list[str | None]:
    """The dimensions of each line and adjustment, completed from its account, its product and the contact."""
    if not assigning.known():
        return [None] * len(account_ids)
    of_accounts = assigning.of_accounts(account_ids)
    of_contact = command.contact.dimensions
    of_products = products.dimensions([line.product_id for line in command.lines])
    lines = [(stored(line.dimensions), of_products.get(line.product_id)) for line in command.lines]
    others = [(stored(item.dimensions), None) for item in command.adjustments]
    items = zip([*lines, *others], account_ids, strict=True)
    return [assigning.merged(own, of_accounts.get(id), of_product, of_contact) for (own, of_product), id in items]


def _totals(
    document: Document, printed: Mapping[str, int], complaints: Complaints
) -> tuple[Totals, Mapping[str | None, int]]:
    """The totals, and our tax of each rate whose tax the supplier printed."""
    try:
        return bill_taxes.printed_totals(document, compute(document), printed, complaints)
    except OutOfRange:
        raise too_large() from None


def _deposits(command: InvoiceCommand, currency: str, issue_date: date, complaints: Complaints) -> list[AppliedDeposit]:
    contact_id = command.contact.id if isinstance(command.contact, Contact) else None
    if command.kind == "deposit_invoice" and not applied.has_accounts():
        complaints.add("kind", "no_account", applied.NO_ACCOUNTS)
    return applied.read(command, contact_id, currency, issue_date, complaints)


def _base_total(totals: Totals, currency: str, exchange_rate: int | None, deposits: Sequence[AppliedDeposit]) -> int:
    """The total in the base currency: deposits at the value on receipt, the rest at the document's rate."""
    rest = totals.total - sum(deposit.gross for deposit in deposits)
    base_total = in_base(rest, currency, exchange_rate) + sum(deposit.base for deposit in deposits)
    if abs(base_total) > LIMIT:
        raise too_large()
    return base_total


def too_large() -> Invalid:
    return Invalid.one(
        "lines", "out_of_range", says("The total is larger than the books can hold. Split the document.")
    )
