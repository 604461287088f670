"""Whether the log of changes is whole, and every journal entry is as its event recorded it."""

from erp.finance.books import ledger
from erp.store import events
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings

_NUMBERS = "SELECT id, number FROM journal_entry"


def check(findings: Findings) -> None:
    """Recompute the chain, and the hashes of the entries that it names."""
    hashes: dict[str, str] = {}
    altered: list[str] = []
    for id, hash, is_same in ledger.entry_hashes():
        hashes[id] = hash
        if not is_same:
            altered.append(id)
    logged: set[str] = set()

    def hash_of(id: str) -> str | None:
        logged.add(id)
        return hashes.get(id)

    verdict = events.verify(hash_of)
    if verdict.reason is not None:
        findings.add(f"{verdict.reason} The {verdict.events} events before it are intact.")
    unlogged = hashes.keys() - logged if verdict.reason is None else set()
    for ids, sentence in (
        (altered, "Journal entry {} was altered."),
        (unlogged, "No event records journal entry {}."),
    ):
        if ids:
            numbers = dict(WORKSPACE.rows(_NUMBERS))
            findings.add(*sorted(sentence.format(numbers[id]) for id in ids))


def check_head(findings: Findings, noted: tuple[int, str]) -> None:
    """Compare with the number and hash of an event that were noted outside of the file."""
    seq, hash = noted
    last, _ = events.tip()
    rows = WORKSPACE.rows("SELECT hash FROM event WHERE seq = ?", (seq,))
    if not rows:
        findings.add(
            f"Its log ends with event {last}, but event {seq} was there before. The newest changes were cut off, or "
            "the file was replaced by an older one."
        )
    elif rows[0][0] != hash:
        findings.add(
            f"Event {seq} is not the one that was there before. The file was replaced, or its log was rewritten."
        )
