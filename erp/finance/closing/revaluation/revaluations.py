"""Posting revaluations, and voiding them.

The entry of the day is posted to the receivables, payables and accounts themselves, so that the balance sheet of the
day shows their value; the next day another entry reverses it. The open amount of an item does not change, so that a
realised difference is measured from the document.

Receivables and payables are revalued item by item, accounts that are kept in a foreign currency by their balance.
Goods and fixed assets are no money, and stay at their cost.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from erp.finance.books import account_balances, default_accounts, ledger, open_items, periods, voids
from erp.finance.books.exchange_rates import rates as exchange_rates
from erp.finance.books.ledger import Entry, Leg
from erp.finance.books.models import SourceType
from erp.finance.closing.revaluation.bodies import NewRevaluation
from erp.finance.closing.revaluation.models import Revaluation
from erp.kernel import clock, money
from erp.kernel.complaints import Complaints, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists
from erp.kernel.language import says
from erp.kernel.money import RATE_SCALE
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE


class Position(msgspec.Struct, frozen=True):
    """An open item, or the balance of an account; a debit above zero, `book` in the base currency."""

    account_id: str
    currency: str
    amount: int
    book: int
    item_id: str | None = None
    contact_id: str | None = None
    number: str | None = None

    def difference(self, rates: Mapping[str, int], base: str) -> int:
        """The gain against the books; a debt gains by being worth less."""
        return money.convert(self.amount, rates[self.currency], self.currency, base) - self.book


def make(body: NewRevaluation) -> Revaluation:
    """Revalue everything in foreign currencies at the end of a day; in a dry run, nothing is written.

    Raises:
        Invalid: with a complaint for every rate that is wrong or missing.
        AlreadyExists: the day has a revaluation.
        PeriodLocked: the day is in the locked period.
    """
    complaints = Complaints()
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    base = workspace_settings.current().base_currency
    held = _positions(body.date, base)
    rates = _rates(body, held, base, complaints)
    complaints.refuse()
    periods.check_open(body.date, "date")
    present = Revaluation.find_by(date=body.date.isoformat(), status="posted")
    if present is not None:
        raise AlreadyExists(
            says("{number} has already revalued {date}. Void {number} first.", number=present.number, date=body.date),
            field="date",
        )
    lines = [msgspec.to_builtins(position) | {"difference": position.difference(rates, base)} for position in held]
    revaluation = Revaluation(id=new_id(), date=body.date, rates=rates, lines=lines)
    return revaluation if body.dry_run else _post(revaluation)


def void(id: str, reason: str | None) -> Revaluation:
    """Void a revaluation: both entries are reversed on their own days, without a trace.

    Raises:
        InvalidTransition: it is already void.
        PeriodLocked: its day is in the locked period.
    """
    revaluation = Revaluation.find_to_change(id)
    voids.check_voidable(revaluation)
    periods.check_open(revaluation.date, "date")
    text = says("Void of {number}", number=revaluation.number)
    pair = ((revaluation.journal_entry_id, 0), (revaluation.reversal_entry_id, 1))
    entries = [ledger.reverse(entry, _later(revaluation.date, days), text) for entry, days in pair if entry is not None]
    revaluation.change(status="void", voided_at=clock.stamp(), void_reason=reason)
    data = _event_data(revaluation) | {"reason": reason}
    events.write("revaluation.void", "revaluation", id, data, entries=entries)
    return revaluation


def gains_and_losses(revaluation: Revaluation) -> tuple[int, int]:
    """The sum of the gains, and of the losses, both above zero."""
    differences = [line["difference"] for line in revaluation.lines]
    return sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0)


def _rates(body: NewRevaluation, held: Sequence[Position], base: str, complaints: Complaints) -> dict[str, int]:
    """The rate of each currency: as given, else the day's."""
    rates: dict[str, int] = {}
    for i, sent in enumerate(body.rates or ()):
        field = f"rates[{i}].currency"
        if sent.currency not in DIGITS:
            complaints.items.append(unknown_currency(field))
        elif sent.currency == base:
            complaints.add(
                field, "base_currency", says("{base} is the base currency and needs no exchange rate.", base=base)
            )
        elif sent.currency in rates:
            complaints.add(field, "repeated", says("{currency} appears twice.", currency=sent.currency))
        else:
            rates[sent.currency] = money.scaled(sent.rate, RATE_SCALE)
    for currency in sorted({position.currency for position in held} - rates.keys()):
        rate = exchange_rates.latest(currency, body.date)
        if rate is None:
            complaints.add("rates", "required", exchange_rates.missing(currency, body.date))
        else:
            rates[currency] = rate
    return rates


def _post(revaluation: Revaluation) -> Revaluation:
    """Number the revaluation, post both entries, and insert it."""
    day = revaluation.date
    number, fiscal_year, seq = workspace_settings.next_number("revaluation", day)
    revaluation.number, revaluation.fiscal_year, revaluation.seq = number, fiscal_year, seq
    legs, entries = _legs(revaluation), list[Entry]()
    if legs:
        source: tuple[SourceType, str] = ("revaluation", revaluation.id)
        back = [msgspec.structs.replace(leg, amount=-leg.amount) for leg in legs]
        text = says("Revaluation {number} of foreign currencies", number=number)
        entries = [
            ledger.post(day, text, legs, kind="revaluation", source=source, document_number=number),
            ledger.post(
                _later(day, 1),
                says("Reversal of revaluation {number}", number=number),
                back,
                kind="revaluation_reversal",
                source=source,
                document_number=number,
            ),
        ]
        revaluation.journal_entry_id, revaluation.reversal_entry_id = (entry.id for entry in entries)
    revaluation.save(force_insert=True)
    events.write("revaluation.posted", "revaluation", revaluation.id, _event_data(revaluation), entries=entries)
    return revaluation


def _legs(revaluation: Revaluation) -> list[Leg]:
    """A leg for each position, and one each for all gains and all losses."""
    legs = [_leg(line) for line in revaluation.lines if line["difference"]]
    gains, losses = gains_and_losses(revaluation)
    legs += [Leg(default_accounts.of("unrealised_exchange_gains"), -gains)] if gains else []
    return legs + ([Leg(default_accounts.of("unrealised_exchange_losses"), losses)] if losses else [])


def _leg(line: Mapping[str, Any]) -> Leg:
    return Leg(line["account_id"], line["difference"], line["contact_id"], description=line["number"])


def _later(day: date, days: int) -> date:
    return day + timedelta(days=days)


def _event_data(revaluation: Revaluation) -> dict[str, Any]:
    base = workspace_settings.current().base_currency
    gains, losses = gains_and_losses(revaluation)
    return {
        "number": revaluation.number,
        "date": revaluation.date.isoformat(),
        "gains": money.text(gains, base),
        "losses": money.text(losses, base),
    }


_ITEMS = f"""
SELECT account_id, currency, open_then, book, id, contact_id, number FROM (
    SELECT open_item.*, {open_items.OPEN_AT} AS open_then, {open_items.OPEN_BASE_AT} AS book FROM open_item
    WHERE currency <> :base AND {open_items.MAY_BE_OPEN_AT}
) AS item WHERE open_then <> 0 ORDER BY account_id, date, id
"""
_ACCOUNTS = """
SELECT id, currency, code FROM account WHERE currency <> ? AND type IN ('asset', 'liability') AND NOT is_group
AND archived_at IS NULL AND subtype NOT IN ('receivable', 'payable', 'inventory', 'fixed_asset') ORDER BY code
"""


def _positions(day: date, base: str) -> list[Position]:
    """All positions in foreign currencies at the end of a day."""
    rows = WORKSPACE.rows(_ITEMS, {"base": base, "day": day.isoformat()})
    return [*(Position(*row) for row in rows), *_balances(day, base)]


def _balances(day: date, base: str) -> Iterator[Position]:
    for id, currency, code in WORKSPACE.rows(_ACCOUNTS, (base,)):
        amount = account_balances.in_foreign(id, currency, through=day)
        book = account_balances.of_account(id, through=day)
        if amount or book:
            yield Position(id, currency, amount, book, number=code)
