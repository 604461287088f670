"""Checks of the log: it is whole, and every journal entry is as its event recorded it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from erp.finance.books import ledger
from erp.store import events
from erp.store.router import WORKSPACE
from erp.store.tips import Tip
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


class NotedHead(NamedTuple):
    """An event that a file must have; `by` is the place of the note, such as `control.db`."""

    seq: int
    hash: str
    by: str


def check_heads(findings: Findings, noted: Iterable[NotedHead], loss: Callable[[Tip, str], str | None]) -> None:
    """Compare with events or changes that were noted outside of the file."""
    for head in noted:
        if (sentence := loss((head.seq, head.hash), f", as {head.by} notes")) is not None:
            findings.add(sentence)
