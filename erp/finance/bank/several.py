"""Matching several lines of an account at once, each by itself: what one is refused for stops no other."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

from erp.finance.bank import bank_accounts, matching, store
from erp.finance.bank.bodies import LinesConfirmation
from erp.finance.bank.commands import Match, PaidItem
from erp.finance.bank.matching import NothingSuggested
from erp.finance.bank.models import BankLine
from erp.finance.bank.suggestions import Finder, Suggestion, sure
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, InvalidTransition, Refusal, UnknownReference
from erp.kernel.language import Noun, Sentence, says
from erp.store import sql
from erp.store.router import WORKSPACE

MOST = 300
"""The most lines of a request: colleagues who write wait for about two seconds meanwhile."""


class NotSure(InvalidTransition):
    """More than one match is possible. Choose one."""


class TooMuch(Refusal):
    """The transactions come to {difference} more than the open item."""

    status = 422


class Skipped(NamedTuple):
    """A line that stays unmatched, with the code and the message of the reason."""

    line_id: str
    code: str
    message: Sentence


class Outcome(NamedTuple):
    """The lines that were matched, each with its suggestion unless an item was chosen, and the others."""

    confirmed: Sequence[tuple[BankLine, Suggestion | None]]
    skipped: Sequence[Skipped]
    currency: str


def confirm(body: LinesConfirmation) -> Outcome:
    """Match lines with their first suggestions, only with sure ones, or with an item; or say what would be matched.

    Raises:
        UnknownReference: there is no such account, no such line of it, or no such open item.
        TooMuch: the lines come to more than the item.
    """
    account = bank_accounts.refer(body.account_id, "accountId")
    lines = _lines(account.id, body.line_ids)
    finder = Finder(account, lines)
    if body.item_id is not None:
        _check_item(body.item_id, body.line_ids, lines, account.currency)
    confirmed: list[tuple[BankLine, Suggestion | None]] = []
    skipped: list[Skipped] = []
    with WORKSPACE.undone() if body.dry_run else nullcontext():
        for line in lines:
            try:
                chosen = None if body.item_id else _chosen(finder.of(line), only_sure=body.only_sure)
                with WORKSPACE.attempted():
                    matching.check_unmatched(line)
                    if chosen is not None:
                        matching.of_suggestion(line, account, chosen)
                    elif body.item_id is not None:
                        paid = Match(items=[PaidItem(body.item_id, abs(line.amount))])
                        matching.match(line, account, paid, "manual")
            except Refusal as refusal:
                if refusal.status >= 500:
                    raise
                skipped.append(Skipped(line.id, refusal.code, _reason(refusal)))
            else:
                confirmed.append((line, chosen))
    return Outcome(confirmed, skipped, account.currency)


def _reason(refusal: Refusal) -> Sentence:
    """Of an invalid match, the message of its first complaint: no form marks a field."""
    return refusal.details[0].message if isinstance(refusal, Invalid) else refusal.message


def _check_item(item_id: str, ids: Sequence[str] | None, lines: Sequence[BankLine], currency: str) -> None:
    """Refuse an item unless named lines pay no more than it, all in its direction."""
    item = next((item for item in store.items(currency) if item.id == item_id), None)
    if item is None:
        raise UnknownReference("itemId", Noun("open item"))
    if ids is None:
        raise Invalid.one("lineIds", "required", says("Choose the transactions that pay it."))
    if any((line.amount > 0) != (item.open > 0) for line in lines):
        message = says("{number} is not paid by money in this direction.", number=item.number)
        raise Invalid.one("itemId", "unsuitable", message)
    over = abs(sum(line.amount for line in lines)) - abs(item.open)
    if over > 0:
        raise TooMuch(difference=money.shown(over, currency), field="itemId")


def _chosen(found: Sequence[Suggestion], *, only_sure: bool) -> Suggestion:
    if not found or found[0].because == "part":
        raise NothingSuggested
    if not only_sure:
        return found[0]
    suggestion = sure(found)
    if suggestion is None:
        raise NotSure
    return suggestion


_OF_ACCOUNT = (
    f"SELECT * FROM bank_line WHERE account_id = ? AND id IN ({store.UNMATCHED}) ORDER BY date, id LIMIT {MOST}"
)
_NAMED = (
    "SELECT * FROM bank_line WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))"
    f" AND id IN ({store.UNMATCHED}) ORDER BY date, id"
)


def _lines(account_id: str, ids: Sequence[str] | None) -> list[BankLine]:
    """The unmatched lines, the earliest first; of the named ones, those that are matched already are left out."""
    if ids is None:
        return BankLine.fetch(_OF_ACCOUNT, account_id)
    known = {id for (id,) in WORKSPACE.rows(_KNOWN, (account_id, sql.array(ids)))}
    complaints = Complaints()
    for i, id in enumerate(ids):
        if id not in known:
            complaints.unknown(f"lineIds[{i}]", Noun("line of this account"))
    complaints.refuse()
    return BankLine.fetch(_NAMED, account_id, sql.array(ids))


_KNOWN = "SELECT id FROM bank_line WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))"
