"""Posting transfers between own accounts, and voiding them."""

from datetime import date
from typing import Any

import msgspec

from erp.finance.books import accounts, default_accounts, descriptions, ledger, periods, voids
from erp.finance.books.accounts import AccountRef
from erp.finance.books.exchange_rates import rates
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Entry, Leg
from erp.finance.books.voids import Correction
from erp.finance.payments import worth
from erp.finance.payments.transfers.bodies import NewTransfer
from erp.finance.payments.transfers.models import Transfer
from erp.finance.payments.worth import Side
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.language import says
from erp.kernel.money import LIMIT, RATE_SCALE
from erp.store import events, workspace_settings
from erp.store.records import new_id


class TransferCommand(msgspec.Struct, frozen=True, kw_only=True):
    """Money to move between two accounts; amounts are minor units of the account that they leave or reach.

    The exchange rate is times `RATE_SCALE`. Without `received`, the amount arrives, or its value by exchange rates.
    """

    source: AccountRef
    target: AccountRef
    amount: int
    day: date
    received: int | None = None
    exchange_rate: int | None = None
    fee: int = 0
    reference: str | None = None
    note: str | None = None


def read(body: NewTransfer) -> TransferCommand:
    """The command for a request to move money.

    Raises:
        Invalid: with a complaint for every unsuitable account, or amount that its currency cannot express.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    source = _account(body.from_account_id, "fromAccountId", complaints)
    target = _account(body.to_account_id, "toAccountId", complaints)
    complaints.refuse()
    assert source is not None
    assert target is not None
    if body.currency not in (None, source.currency):
        message = says(
            "Account {code} is kept in {currency}. Enter the amount in that currency.",
            code=source.code,
            currency=source.currency,
        )
        complaints.add("currency", "wrong_currency", message)
    arrived, fee = body.received_amount, body.fee_amount
    command = TransferCommand(
        source=source,
        target=target,
        amount=complaints.minor(body.amount, source.currency, "amount"),
        day=body.date or workspace_settings.today(),
        received=None if arrived is None else complaints.minor(arrived, target.currency, "receivedAmount"),
        exchange_rate=rates.scaled(body.exchange_rate),
        fee=0 if fee is None else complaints.minor(fee, source.currency, "feeAmount"),
        reference=body.reference,
        note=body.note,
    )
    complaints.refuse()
    return command


def make(command: TransferCommand) -> Transfer:
    """Move money between two accounts.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    _check_accounts(command, complaints)
    transfer = _draft(command, complaints)
    complaints.refuse()
    legs = _legs(transfer, *_worth(command, transfer, complaints), complaints)
    complaints.refuse()
    periods.check_open(transfer.date, "date")
    entry = _post(transfer, legs)
    events.write("transfer.posted", "transfer", transfer.id, _event_data(transfer), entries=[entry])
    return transfer


def void(id: str, correction: Correction) -> Transfer:
    """Void a transfer: its entry is reversed.

    Raises:
        InvalidTransition: it is already void.
        DatedTooEarly: the day is before the transfer.
        PeriodLocked: the day is in the locked period.
    """
    transfer = Transfer.find_to_change(id)
    voids.check_voidable(transfer)
    day = voids.day_of(correction, transfer)
    entry = ledger.reverse(transfer.journal_entry_id, day, says("Void of {number}", number=transfer.number))
    transfer.change(status="void", voided_at=clock.stamp(), void_reason=correction.reason)
    data = _event_data(transfer) | {"date": day.isoformat(), "reason": correction.reason}
    events.write("transfer.void", "transfer", id, data, entries=[entry])
    return transfer


def _account(name: str, field: str, complaints: Complaints) -> AccountRef | None:
    """A bank or cash account in any currency."""
    with complaints.gathered():
        return accounts.refer_money(name, field, accounts.refer(name, field).currency)
    return None


def _check_accounts(command: TransferCommand, complaints: Complaints) -> None:
    source, target = command.source, command.target
    if source.id == target.id:
        complaints.add("toAccountId", "same_account", says("Choose two different accounts."))
    base = workspace_settings.current().base_currency
    if source.currency == target.currency and command.received not in (None, command.amount):
        message = says(
            "Both accounts are kept in {currency}, so the same amount arrives. Enter the amount that "
            "the bank keeps as bank fee.",
            currency=source.currency,
        )
        complaints.add("receivedAmount", "differs", message)
    if command.exchange_rate is not None and source.currency == target.currency == base:
        complaints.add(
            "exchangeRate", "not_needed", says("Both accounts are kept in {base}. Clear the exchange rate.", base=base)
        )


def _draft(command: TransferCommand, complaints: Complaints) -> Transfer:
    """The transfer as it is going to be, without its number and entry."""
    transfer = Transfer(
        id=new_id(),
        date=command.day,
        from_account=command.source.id,
        to_account=command.target.id,
        amount=command.amount,
        currency=command.source.currency,
        received_amount=command.amount,
        received_currency=command.target.currency,
        fee_amount=command.fee or None,
        reference=command.reference,
        note=command.note,
    )
    if transfer.currency != transfer.received_currency:
        transfer.received_amount = _received(command, transfer, complaints)
    return transfer


def _received(command: TransferCommand, transfer: Transfer, complaints: Complaints) -> int:
    """The received amount in another currency: as given, or by the exchange rates of the day."""
    currency, base = transfer.received_currency, workspace_settings.current().base_currency
    if command.received is not None:
        return command.received
    sent = _rate(command, transfer, transfer.currency, complaints)
    arrived = None if currency == base else _rate(command, transfer, currency, complaints)
    value = in_base(transfer.amount, transfer.currency, sent)
    if arrived is None:
        return value
    received = money.divide(value * RATE_SCALE * 10 ** DIGITS[currency], arrived * 10 ** DIGITS[base])
    if not 0 < received <= LIMIT and not complaints.items:
        complaints.add(
            "receivedAmount", "required", says("Enter the amount received in {currency}.", currency=currency)
        )
    return received


def _rate(command: TransferCommand, transfer: Transfer, currency: str, complaints: Complaints) -> int | None:
    """The exchange rate of one of the currencies; a given one is of the first that is foreign."""
    base = workspace_settings.current().base_currency
    if currency == base:
        return None
    given_for = transfer.currency if transfer.currency != base else transfer.received_currency
    if command.exchange_rate is not None and currency == given_for:
        return command.exchange_rate
    rate = rates.latest(currency, transfer.date)
    if rate is None:
        field = "exchangeRate" if command.received is not None else "receivedAmount"
        complaints.add(field, "required", rates.missing(currency, transfer.date))
        return RATE_SCALE
    return rate


def _worth(command: TransferCommand, transfer: Transfer, complaints: Complaints) -> tuple[int, int]:
    """The amount and the fee in the base currency; a side in the base currency decides.

    Between two accounts in one foreign currency it is their book value, if the first account covers them.
    """
    base, fee = workspace_settings.current().base_currency, transfer.fee_amount or 0
    if base in (transfer.currency, transfer.received_currency):
        value = transfer.amount if transfer.currency == base else transfer.received_amount
        return value, money.divide(value * fee, transfer.amount)
    leaving = Side(transfer.from_account_id, transfer.currency, -transfer.amount - fee)
    if transfer.received_currency == transfer.currency and worth.is_covered(leaving, transfer.date):
        total = -worth.book_change(leaving, 0, transfer.date)
        of_fee = money.divide(total * fee, -leaving.change)
        return total - of_fee, of_fee
    rate = _rate(command, transfer, transfer.currency, complaints)
    return in_base(transfer.amount, transfer.currency, rate), in_base(fee, transfer.currency, rate)


def _legs(transfer: Transfer, value: int, fee_value: int, complaints: Complaints) -> list[Leg]:
    """The legs of the two accounts, the fee, and the realised exchange difference."""
    fee = transfer.fee_amount or 0
    source = Side(transfer.from_account_id, transfer.currency, -transfer.amount - fee)
    target = Side(transfer.to_account_id, transfer.received_currency, transfer.received_amount)
    legs = [
        _leg(source, worth.book_change(source, value + fee_value, transfer.date)),
        _leg(target, worth.book_change(target, value, transfer.date)),
        Leg(default_accounts.of("bank_charges"), fee_value),
    ]
    if not legs[0].amount or not legs[1].amount:
        complaints.add("amount", "worth_nothing", says("The amount rounds to 0.00 in the base currency."))
    elif max(abs(leg.amount) for leg in legs) > LIMIT:
        complaints.add("amount", "out_of_range", says("The amount is larger than the books can hold."))
    gain = sum(leg.amount for leg in legs)
    transfer.exchange_difference = gain
    return [*legs, Leg(default_accounts.of(f"realised_exchange_{'gains' if gain > 0 else 'losses'}"), -gain)]


def _leg(side: Side, base: int) -> Leg:
    if not side.is_foreign:
        return Leg(side.account_id, base)
    return Leg(side.account_id, base, currency=side.currency, foreign_amount=side.change)


def _post(transfer: Transfer, legs: list[Leg]) -> Entry:
    """Number the transfer, post it, and insert it."""
    transfer.number, transfer.fiscal_year, transfer.seq = workspace_settings.next_number("transfer", transfer.date)
    entry = ledger.post(
        transfer.date,
        descriptions.TRANSFER.fill(number=transfer.number),
        legs,
        kind="transfer",
        source=("transfer", transfer.id),
        document_number=transfer.number,
        reference=transfer.reference,
    )
    transfer.journal_entry_id = entry.id
    transfer.save(force_insert=True)
    return entry


def _event_data(transfer: Transfer) -> dict[str, Any]:
    return {
        "number": transfer.number,
        "date": transfer.date.isoformat(),
        "fromAccountId": transfer.from_account_id,
        "toAccountId": transfer.to_account_id,
        "amount": money.text(transfer.amount, transfer.currency),
        "currency": transfer.currency,
        "receivedAmount": money.text(transfer.received_amount, transfer.received_currency),
        "receivedCurrency": transfer.received_currency,
    }
