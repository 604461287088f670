"""From an invoice's figures to the legs of its journal entry."""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from erp.finance.books import ledger, open_items
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Entry, ItemTerms, Leg
from erp.finance.documents.deposits import applied
from erp.finance.documents.figures import Figures
from erp.finance.documents.models import DEMANDING, Invoice
from erp.finance.items.documents import SETTLED_BY, SIGNS
from erp.kernel import money
from erp.kernel.language import Word, says

TITLES = {
    "sales_invoice": Word("Invoice"),
    "sales_credit_note": Word("Credit note", "own"),
    "deposit_invoice": Word("Deposit invoice"),
    "final_invoice": Word("Final invoice"),
    "purchase_invoice": Word("Bill"),
    "purchase_credit_note": Word("Supplier credit note"),
}
_Target = tuple[str, str | None]
"""The account and the project that an amount is posted to."""


def post(invoice: Invoice, legs: Sequence[Leg], number: str) -> list[Entry]:
    """Post an invoice under its number; no entry where nothing moves."""
    if not legs:
        return []
    text = says("{title} {number}, {name}", title=TITLES[invoice.kind], number=number, name=invoice.contact_name)
    terms = ItemTerms(due_date=_due_date(invoice))
    legs = [leg if leg.contact_id is None else replace(leg, terms=terms) for leg in legs]
    entry = ledger.post(
        invoice.issue_date,
        text,
        legs,
        kind="invoice",
        source=("invoice", invoice.id),
        document_number=number,
        reference=invoice.supplier_number,
    )
    return [entry]


def open_unposted(invoice: Invoice, number: str) -> None:
    """Open the item of an invoice that is worth nothing in the base currency."""
    direction, side = SETTLED_BY[invoice.kind]
    open_items.add_unposted(
        ("invoice", invoice.id, number),
        account_id=ledger.default_account(side),
        contact_id=invoice.contact_id,
        day=invoice.issue_date,
        due_date=_due_date(invoice),
        currency=invoice.currency,
        amount=invoice.demanded if direction == "received" else -invoice.demanded,
    )


def _due_date(invoice: Invoice) -> date:
    """When the open item of an invoice is due; a credit note is due on its own date."""
    due_date: date = invoice.due_date if invoice.kind in DEMANDING else invoice.issue_date
    return due_date


def legs_of(figures: Figures, contact_id: str, control_id: str | None = None) -> list[Leg]:
    """The legs of a document that are not zero: the receivable or payable against lines, tax and rounding.

    In a foreign currency each leg is converted by itself. The rounding difference goes to the largest leg
    against the contact's, which stays the document's total at its rate. A final invoice takes the deposits that it
    applies out of their account as they were received.

    Args:
        control_id: the receivable or payable account, when it is not today's default.
    """
    sign = SIGNS[figures.command.kind]
    amounts: dict[_Target, int] = {}
    for target, amount in (*_against(figures), *_of_bill(figures)):
        amounts[target] = amounts.get(target, 0) - sign * amount
    account_id = control_id or ledger.default_account(SETTLED_BY[figures.command.kind][1])
    control = _leg(figures, (account_id, None), sign * (figures.totals.total - figures.deposit_total), contact_id)
    received = sum(deposit.base for deposit in figures.deposits)
    control = replace(control, amount=sign * (figures.base_total - received))
    against = [_leg(figures, target, amount) for target, amount in amounts.items()]
    deposits = [_deposit_leg(figures, *net) for net in applied.nets(figures.deposits).items()]
    total = -control.amount - sum(leg.amount for leg in deposits)
    if deposits:
        _spread(against, total, {*figures.line_accounts, *figures.adjustment_accounts})
    _balance(against, total)
    return [leg for leg in (control, *deposits, *against) if leg.amount]


def _against(figures: Figures) -> Iterator[tuple[_Target, int]]:
    """The parts of the total with their targets; the tax of deposits is subtracted."""
    totals, project_id = figures.totals, figures.command.project_id
    if figures.command.kind == "deposit_invoice":
        yield (ledger.default_account("deposits_requested"), None), totals.total
        return
    for account_id, tax in applied.taxes(figures.deposits):
        yield (account_id, None), -tax
    lines = zip(totals.lines, figures.line_accounts, figures.line_projects, strict=True)
    for line, account_id, line_project_id in lines:
        yield (account_id, line_project_id or project_id), line.net - line.discount_share
    adjustments = zip(figures.document.adjustments, totals.adjustments, figures.adjustment_accounts, strict=True)
    for adjustment, result, account_id in adjustments:
        yield (account_id, project_id), result.amount if adjustment.is_charge else -result.amount
    for group in totals.tax_breakdown:
        for rate in group.rates:
            yield (_tax_account(figures, rate.rate_id), None), rate.tax
    yield (ledger.default_account("rounding"), None), totals.rounding_amount


def _of_bill(figures: Figures) -> Iterator[tuple[_Target, int]]:
    """Amounts that a bill moves between accounts: non-deductible tax, non-deductible cost, and reverse charge."""
    bill, project_id = figures.bill, figures.command.project_id
    if bill is None:
        return
    items = [line.tax.rate_id for line in figures.document.lines]
    items += [item.tax.rate_id for item in figures.document.adjustments]
    for rate_id, tax in zip(items, bill.reverse, strict=True):
        owed_to = bill.reverse_accounts.get(rate_id or "") or ledger.default_account("tax")
        yield (_tax_account(figures, rate_id), None), tax
        yield (owed_to, None), -tax
    lines = zip(items, figures.line_accounts, figures.line_projects, bill.non_deductible, strict=False)
    for rate_id, account_id, line_project_id, part in lines:
        target = account_id, line_project_id or project_id
        yield target, part.tax - part.cost
        yield (_tax_account(figures, rate_id), None), -part.tax
        yield (part.account_id or account_id, target[1]), part.cost


def _tax_account(figures: Figures, rate_id: str | None) -> str:
    default = "input_tax" if figures.command.is_purchase else "tax"
    return figures.tax_accounts.get(rate_id) or ledger.default_account(default)


def _leg(figures: Figures, target: _Target, amount: int, contact_id: str | None = None) -> Leg:
    account_id, project_id = target
    if figures.exchange_rate is None:
        return Leg(account_id, amount, contact_id, project_id)
    base = in_base(amount, figures.currency, figures.exchange_rate)
    return Leg(account_id, base, contact_id, project_id, currency=figures.currency, foreign_amount=amount)


def _deposit_leg(figures: Figures, account_id: str, net: tuple[int, int]) -> Leg:
    """The leg that takes deposits out of the account on which they were received, at the value on receipt."""
    leg = _leg(figures, (account_id, None), net[0])
    return replace(leg, amount=net[1])


def _spread(against: list[Leg], total: int, accounts: set[str]) -> None:
    """Spread the exchange difference between the deposits and the document over the legs on these accounts."""
    places = [i for i, leg in enumerate(against) if leg.account_id in accounts]
    rest = total - sum(leg.amount for leg in against)
    parts = money.spread(rest, [abs(against[i].amount) for i in places])
    for i, part in zip(places, parts, strict=True):
        against[i] = replace(against[i], amount=against[i].amount + part)


def _balance(against: list[Leg], total: int) -> None:
    """Add the rounding difference to the largest leg, so that all sum to the total."""
    rest = total - sum(leg.amount for leg in against)
    if rest:
        largest = max(range(len(against)), key=lambda i: (abs(against[i].amount), abs(against[i].foreign_amount or 0)))
        against[largest] = replace(against[largest], amount=against[largest].amount + rest)
