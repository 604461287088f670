"""Receipts of deposits: the settled part of a deposit invoice counts as received, and its tax is due from that day.

Code that settles documents with payments must call `allocate` and `release` of this room.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from erp.finance.books import default_accounts, ledger
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Entry, Leg
from erp.finance.books.models import Allocation, OpenItem, SourceType
from erp.finance.documents.deposits import store
from erp.finance.documents.deposits.models import DepositReceipt
from erp.finance.documents.deposits.shares import Owed, Share, add_rest, shares
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import Sentence, says
from erp.store.router import WORKSPACE


def allocate(
    source: OpenItem, target: OpenItem, amount: int, day: date, deposit: Invoice | None
) -> tuple[Allocation, list[Entry]]:
    """Settle an item as `settlement.allocate` does; for a deposit, the amount is also posted as received.

    Args:
        deposit: the deposit invoice that the target belongs to, None where it is another document.
    """
    made, entries = settlement.allocate(source, target, amount, day)
    if deposit is not None:
        entries += _receive(deposit, made)
    return made, entries


def release(allocation: Allocation, day: date) -> list[Entry]:
    """Release an allocation as `settlement.release` does; the receipt that it posted for a deposit is reversed.

    Raises:
        InvalidTransition: a final invoice applies the receipt, or as `settlement.release` says.
    """
    receipts = DepositReceipt.fetch("SELECT * FROM deposit_receipt WHERE allocation_id = ?", allocation.id)
    message = why_kept(receipts[0].invoice_id) if receipts else None
    if message is not None:
        raise InvalidTransition(message)
    entries = settlement.release(allocation, day)
    for id in dict.fromkeys(receipt.journal_entry_id for receipt in receipts):
        if id is not None:
            entries.append(ledger.reverse(id, day, says("Release of a deposit received")))
    return entries


def why_kept(deposit_id: str) -> Sentence | None:
    """Message if no receipt of a deposit can be released, because an issued final invoice applies it."""
    final = store.applied_by(deposit_id)
    if final is None:
        return None
    ((number,),) = WORKSPACE.rows("SELECT number FROM invoice WHERE id = ?", (deposit_id,))
    return kept(number, final[1])


def kept(number: str | None, final: str) -> Sentence:
    """Message that a final invoice applies a deposit, by the numbers of both."""
    return says("{other} applies {number}. Void {other} first.", other=final, number=number)


def _receive(deposit: Invoice, allocation: Allocation) -> list[Entry]:
    """Post the receipt of a deposit, and store it by tax rate."""
    left = _left(deposit)
    parts = shares(allocation.amount, left)
    taxes = [in_base(part.tax, deposit.currency, deposit.exchange_rate) for part in parts]
    nets = [in_base(part.net, deposit.currency, deposit.exchange_rate) for part in parts]
    nets = add_rest(nets, allocation.to_base - sum(taxes))
    account_id = default_accounts.of("deposits_received")
    accounts = [store.tax_account(owed.rate_id) or default_accounts.of("tax") for owed in left]
    legs = _legs(deposit, allocation, parts, nets, taxes, accounts)
    entries = _post(deposit, allocation, legs)
    for owed, part, net, tax, tax_account in zip(left, parts, nets, taxes, accounts, strict=True):
        if any((*part, net, tax)):
            DepositReceipt.create(
                invoice=deposit.id,
                allocation=allocation.id,
                tax_rate=owed.rate_id,
                net=part.net,
                tax=part.tax,
                base_net=net,
                base_tax=tax,
                account=account_id,
                tax_account=tax_account,
                journal_entry=entries[0].id if entries else None,
            )
    return entries


def _left(deposit: Invoice) -> list[Owed]:
    """The unpaid rest of a deposit at each tax rate."""
    gross: Counter[str | None] = Counter()
    tax: Counter[str | None] = Counter()
    for row in store.received(deposit.id):
        gross[row.tax_rate_id] += row.net + row.tax
        tax[row.tax_rate_id] += row.tax
    return [
        owed._replace(gross=owed.gross - gross[owed.rate_id], tax=owed.tax - tax[owed.rate_id])
        for owed in store.owed(deposit)
    ]


def _legs(
    deposit: Invoice,
    allocation: Allocation,
    parts: Sequence[Share],
    nets: Sequence[int],
    taxes: Sequence[int],
    accounts: Sequence[str],
) -> list[Leg]:
    """Deposits requested against deposits received and the tax of each rate."""
    legs = [
        _leg(deposit, requested_account(deposit), allocation.to_base, allocation.amount),
        _leg(deposit, default_accounts.of("deposits_received"), -sum(nets), -sum(part.net for part in parts)),
    ]
    of_rates = zip(parts, taxes, accounts, strict=True)
    legs += [_leg(deposit, account_id, -tax, -part.tax) for part, tax, account_id in of_rates]
    return [leg for leg in legs if leg.amount]


def _leg(deposit: Invoice, account_id: str, amount: int, foreign: int) -> Leg:
    if deposit.exchange_rate is None:
        return Leg(account_id, amount)
    return Leg(account_id, amount, currency=deposit.currency, foreign_amount=foreign)


def requested_account(deposit: Invoice) -> str:
    """The account that a deposit was posted to against the receivable."""
    query = "SELECT account_id FROM posting WHERE entry_id = ? AND contact_id IS NULL"
    rows = WORKSPACE.rows(query, (deposit.journal_entry_id,))
    return rows[0][0] if rows else default_accounts.of("deposits_requested")


def _post(deposit: Invoice, allocation: Allocation, legs: Sequence[Leg]) -> list[Entry]:
    if not legs:
        return []
    text = says("Deposit {number} received, {name}", number=deposit.number, name=deposit.contact_name)
    source: tuple[SourceType, str] = ("allocation", allocation.id)
    day: date = allocation.date
    return [ledger.post(day, text, legs, kind="deposit_received", source=source, reference=deposit.reference)]
