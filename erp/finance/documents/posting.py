"""From an invoice's figures to the legs of its journal entry."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books import default_accounts, ledger, open_items
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


class _Target(NamedTuple):
    """The account, project and dimensions that an amount is posted to; tax is converted by its rate, as in returns."""

    account_id: str
    project_id: str | None = None
    tax: tuple[str, str | None] | None = None
    dimensions: str | None = None


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
        account_id=default_accounts.of(side),
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
    account_id = control_id or default_accounts.of(SETTLED_BY[figures.command.kind][1])
    control = _leg(figures, _Target(account_id), sign * (figures.totals.total - figures.deposit_total), contact_id)
    received = sum(deposit.base for deposit in figures.deposits)
    control = replace(control, amount=sign * (figures.base_total - received))
    against = _merged([_leg(figures, target, amount) for target, amount in amounts.items()])
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
        yield _Target(default_accounts.of("deposits_requested")), totals.total
        return
    for deposit in figures.deposits:
        for row in deposit.received:
            yield _Target(row.tax_account_id, tax=("applied", row.tax_rate_id)), -row.tax
    for line, target in zip(totals.lines, _line_targets(figures), strict=True):
        yield target, line.net - line.discount_share
    others = zip(figures.adjustment_accounts, figures.dimensions[len(totals.lines) :], strict=True)
    adjustments = zip(figures.document.adjustments, totals.adjustments, others, strict=True)
    for adjustment, result, (account_id, dimensions) in adjustments:
        amount = result.amount if adjustment.is_charge else -result.amount
        yield _Target(account_id, project_id, dimensions=dimensions), amount
    for group in totals.tax_breakdown:
        for rate in group.rates:
            yield _tax_target(figures, rate.rate_id, "tax"), rate.tax
    yield _Target(default_accounts.of("rounding")), totals.rounding_amount


def _of_bill(figures: Figures) -> Iterator[tuple[_Target, int]]:
    """Amounts that a bill moves between accounts: non-deductible tax, non-deductible cost, and reverse charge."""
    bill = figures.bill
    if bill is None:
        return
    items = [line.tax.rate_id for line in figures.document.lines]
    items += [item.tax.rate_id for item in figures.document.adjustments]
    for rate_id, tax in zip(items, bill.reverse, strict=True):
        owed_to = bill.reverse_accounts.get(rate_id or "") or default_accounts.of("tax")
        yield _tax_target(figures, rate_id, "reverse"), tax
        yield _Target(owed_to, tax=("owed", rate_id)), -tax
    for rate_id, target, part in zip(items, _line_targets(figures), bill.non_deductible, strict=False):
        yield target, part.tax - part.cost
        yield _tax_target(figures, rate_id, "lost"), -part.tax
        yield target._replace(account_id=part.account_id or target.account_id), part.cost


def _line_targets(figures: Figures) -> list[_Target]:
    """The target of each line."""
    lines = zip(figures.line_accounts, figures.line_projects, figures.dimensions, strict=False)
    return [
        _Target(account_id, project_id or figures.command.project_id, dimensions=dimensions)
        for account_id, project_id, dimensions in lines
    ]


def _tax_target(figures: Figures, rate_id: str | None, kind: str) -> _Target:
    """The account of a rate's tax; the kinds of its tax are converted one by one."""
    default = "input_tax" if figures.command.is_purchase else "tax"
    return _Target(figures.tax_accounts.get(rate_id) or default_accounts.of(default), tax=(kind, rate_id))


def _merged(legs: Sequence[Leg]) -> list[Leg]:
    """One leg for each account, project and dimensions."""
    merged: dict[tuple[str | None, ...], Leg] = {}
    for leg in legs:
        before = merged.setdefault(key := (leg.account_id, leg.project_id, leg.dimensions), leg)
        if before is not leg:
            foreign = None if leg.foreign_amount is None else (before.foreign_amount or 0) + leg.foreign_amount
            sums = replace(before, amount=before.amount + leg.amount, foreign_amount=foreign)
            merged[key] = sums
    return [*merged.values()]


def _leg(figures: Figures, target: _Target, amount: int, contact_id: str | None = None) -> Leg:
    leg = Leg(
        target.account_id,
        amount,
        contact_id,
        target.project_id,
        dimensions=target.dimensions,
        is_inherited=figures.is_inherited,
        path=_path(figures, target),
    )
    if figures.exchange_rate is None:
        return leg
    base = in_base(amount, figures.currency, figures.exchange_rate)
    return replace(leg, amount=base, currency=figures.currency, foreign_amount=amount)


def _path(figures: Figures, target: _Target) -> str | None:
    """The first line, allowance or charge with a target's account and dimensions."""
    accounts = [*figures.line_accounts, *figures.adjustment_accounts]
    items = zip(figures.command.items, accounts, figures.dimensions, strict=True)
    wanted = target.account_id, target.dimensions
    return next((path for (path, _), *item in items if tuple(item) == wanted), None)


def _deposit_leg(figures: Figures, account_id: str, net: tuple[int, int]) -> Leg:
    """The leg that takes deposits out of the account on which they were received, at the value on receipt."""
    leg = _leg(figures, _Target(account_id), net[0])
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
