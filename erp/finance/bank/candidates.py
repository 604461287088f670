"""The records that a line may match: open items, and entries of the account that no line matches yet."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from erp.finance.bank import store
from erp.finance.bank.bodies import MatchCandidateFilter
from erp.finance.bank.models import BankLine
from erp.finance.bank.store import BookEntry, Item
from erp.finance.bank.suggestions import Finder, Suggestion, offer_of, sure
from erp.finance.books import accounts
from erp.finance.books.accounts import AccountRef
from erp.finance.contacts import heads
from erp.finance.write_downs.discounts import Offer
from erp.kernel import caller
from erp.kernel.complaints import Complaints
from erp.kernel.language import LANGUAGES, translated
from erp.store import events
from erp.store.router import WORKSPACE
from erp.web import several

MOST = 100
ELSEWHERE = ("attendance", "leave", "mail", "message", "share_link", "task", "time_log", "timer", "webhook")
"""Records of which neither open items nor lines of the bank depend."""
_STATE = (
    f"SELECT hash FROM event WHERE resource_type NOT IN ({', '.join(map(repr, ELSEWHERE))}) ORDER BY seq DESC LIMIT 1"
)
PAYING = ("end_to_end", "number_and_amount", "discount", "items_and_charges", "fee", "iban", "name")
"""The reasons by which a line seems to pay an item."""


class Candidate(NamedTuple):
    """An item or an entry that fits the direction of a line; its open amount is above zero.

    `score` is 100 for a sure suggestion, 90 and less for others in their order, 40 for the same amount, else 0.
    """

    record: Item | BookEntry
    open: int
    score: int
    suggestion: Suggestion | None
    offer: Offer | None = None


def of_line(line: BankLine, query: MatchCandidateFilter) -> list[Candidate]:
    """The candidates of a line that pass the filter, the best first: at most `MOST`."""
    account = accounts.refer(line.account_id, "accountId", postable=False)
    complaints = Complaints()
    least, most = (
        None if amount is None else complaints.minor(amount, line.currency, field)
        for field, amount in (("amountFrom", query.amount_from), ("amountTo", query.amount_to))
    )
    complaints.refuse()
    contacts = several.found(query.contact_id, "contactId", heads.of)
    scores = _scores(line, account)
    fitting = [
        _candidate(record, open, line, scores)
        for record, open in _records(line, account)
        if several.fits(contacts, record.contact_id)
        and _passes(record, query)
        and (least is None or open >= least)
        and (most is None or open <= most)
    ]
    best = sorted(fitting, key=lambda each: (-each.score, abs(each.open - abs(line.amount))))[:MOST]
    return [
        each._replace(offer=offer_of(each.record, line.date)) if isinstance(each.record, Item) else each
        for each in best
    ]


def seem_paid() -> frozenset[str]:
    """The open items that unmatched lines of all accounts seem to pay, by the first suggestion of each line.

    Many lines take a second, so the answer is remembered until the log has a change that could make another one.
    """
    ((state,),) = WORKSPACE.rows(_STATE) or [(events.GENESIS,)]
    return _seem_paid(caller.current().workspace_id, state)


@lru_cache(maxsize=16)
def _seem_paid(workspace_id: str | None, state: str) -> frozenset[str]:
    """As of a state of the open workspace, which the hash of an event names."""
    by_account = defaultdict(list)
    for line in BankLine.fetch(f"SELECT * FROM bank_line WHERE amount > 0 AND id IN ({store.UNMATCHED}) ORDER BY id"):
        by_account[line.account_id].append(line)
    paid = set[str]()
    for account_id, lines in by_account.items():
        finder = Finder(accounts.refer(account_id, "accountId", postable=False), lines)
        firsts = [found[0] for found in map(finder.of, lines) if found]
        paid |= {part.item.id for each in firsts if each.because in PAYING for part in each.items}
    return frozenset(paid)


def _candidate(
    record: Item | BookEntry, open: int, line: BankLine, scores: dict[str, tuple[int, Suggestion]]
) -> Candidate:
    score, suggestion = scores.get(record.id, (40 if open == abs(line.amount) else 0, None))
    return Candidate(record, open, score, suggestion)


def _records(line: BankLine, account: AccountRef) -> Iterator[tuple[Item | BookEntry, int]]:
    """The open items and entries in the direction of the line, with their open amounts."""
    sign = 1 if line.amount > 0 else -1
    for item in store.items(line.currency):
        if item.open * sign > 0:
            yield item, abs(item.open)
    for entry in store.entries(account, *store.ALWAYS):
        if entry.remaining * sign > 0:
            yield entry, abs(entry.remaining)


def _scores(line: BankLine, account: AccountRef) -> dict[str, tuple[int, Suggestion]]:
    """The score of each record that is suggested, with its best suggestion."""
    found = Finder(account, [line]).of(line)
    scores: dict[str, tuple[int, Suggestion]] = {}
    for place, suggestion in enumerate(found):
        score = 100 if suggestion is sure(found) else 90 - 10 * place
        records = [part.entry.id for part in suggestion.entries] + [part.item.id for part in suggestion.items]
        for id in records:
            scores.setdefault(id, (score, suggestion))
    return scores


def _passes(record: Item | BookEntry, query: MatchCandidateFilter) -> bool:
    """Whether a record has all words of the search, and one of its numbers; an entry in any reader's language."""
    if not query.q:
        return True
    if isinstance(record, Item):
        texts = [record.number, record.supplier_number, record.contact_name, record.legal_name]
    else:
        texts = [record.number, record.document, record.contact_name, record.description, record.reference]
        texts += [translated(record.shown_description, language) for language in LANGUAGES]
    text = " ".join(filter(None, texts)).casefold()
    words = query.q.casefold().split()
    numbers = [word for word in words if any(sign.isdigit() for sign in word)]
    has_number = not numbers or any(number in text for number in numbers)
    return has_number and all(word in text for word in words if word not in numbers)
