"""Whether the log of changes is whole, and every journal entry as its event tells of it."""

from erp.finance.books import ledger
from erp.store import events
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings

_NUMBERS = "SELECT id, number FROM journal_entry"


def check(found: Findings) -> None:
    """Recompute the chain, and the hashes of the entries that it names."""
    hashes: dict[str, str] = {}
    altered: list[str] = []
    for id, hash, is_same in ledger.entry_hashes():
        hashes[id] = hash
        if not is_same:
            altered.append(id)
    named: set[str] = set()

    def hash_of(id: str) -> str | None:
        named.add(id)
        return hashes.get(id)

    verdict = events.verify(hash_of)
    if verdict.reason is not None:
        found.add(f"{verdict.reason} It is the first that does not hold, after {verdict.events} that do.")
    untold = hashes.keys() - named if verdict.reason is None else set()
    for wrong, sentence in (
        (altered, "Journal entry {} was altered."),
        (untold, "No event tells of journal entry {}."),
    ):
        if wrong:
            numbers = dict(WORKSPACE.rows(_NUMBERS))
            found.add(*sorted(sentence.format(numbers[id]) for id in wrong))


def check_tip(found: Findings, noted: tuple[int, str]) -> None:
    """Compare with the place and hash of an event that were noted outside of the file."""
    seq, hash = noted
    last, _ = events.tip()
    at = WORKSPACE.rows("SELECT hash FROM event WHERE seq = ?", (seq,))
    if not at:
        found.add(
            f"Its log ends with event {last}, but event {seq} was there before: the newest changes were cut off, or "
            "the file was replaced by an older one."
        )
    elif at[0][0] != hash:
        found.add(f"Event {seq} is not the one that was there before: the file was replaced, or its log written anew.")
