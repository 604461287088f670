"""Matching several lines of an account at once, each by itself: what one is refused for stops no other."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

from erp.finance.bank import bank_accounts, matching, store
from erp.finance.bank.bodies import LinesConfirmation
from erp.finance.bank.matching import NothingSuggested
from erp.finance.bank.models import BankLine
from erp.finance.bank.suggestions import Finder, Suggestion, sure
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Noun, Sentence
from erp.store import sql
from erp.store.router import WORKSPACE

MOST = 300
"""The most lines of a request: colleagues who write wait for about two seconds meanwhile."""


class NotSure(InvalidTransition):
    """More than one match is possible. Choose one."""


class Skipped(NamedTuple):
    """A line that stays unmatched, with the code and the message of the reason."""

    line_id: str
    code: str
    message: Sentence


class Outcome(NamedTuple):
    """The lines that were matched, each with its suggestion, and the others."""

    confirmed: Sequence[tuple[BankLine, Suggestion]]
    skipped: Sequence[Skipped]


def confirm(body: LinesConfirmation) -> Outcome:
    """Match lines with their first suggestions, or only with sure ones; or say what would be matched.

    Raises:
        UnknownReference: there is no such account, or no such line of it.
    """
    account = bank_accounts.refer(body.account_id, "accountId")
    lines = _lines(account.id, body.line_ids)
    finder = Finder(account, lines)
    confirmed: list[tuple[BankLine, Suggestion]] = []
    skipped: list[Skipped] = []
    with WORKSPACE.undone() if body.dry_run else nullcontext():
        for line in lines:
            try:
                suggestion = _chosen(finder.of(line), only_sure=body.only_sure)
                with WORKSPACE.attempted():
                    matching.check_unmatched(line)
                    matching.of_suggestion(line, account, suggestion)
            except Refusal as refusal:
                if refusal.status >= 500:
                    raise
                skipped.append(Skipped(line.id, refusal.code, refusal.message))
            else:
                confirmed.append((line, suggestion))
    return Outcome(confirmed, skipped)


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
