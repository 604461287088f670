"""The ledger: what it accepts, what it refuses, and how changes made to the file directly are found."""

from contextlib import closing
from datetime import date

import pytest

from erp.finance.books import account_balances, ledger
from erp.finance.books.ledger import Leg
from erp.finance.books.models import Account, JournalEntry
from erp.kernel import money
from erp.kernel.errors import NotFound
from erp.store import events
from erp.store.connections import sqlite3
from erp.store.control import workspace_path
from erp.store.router import WORKSPACE
from tests.finance.books.balances import rolled_back

DAY = date(2026, 3, 10)


def accounts():
    return {account.code: account.id for account in Account.select()}


def post(amount=100, day=DAY):
    ids = accounts()
    return ledger.post(day, "An entry", [Leg(ids["1010"], amount), Leg(ids["3000"], -amount)], kind="manual")


OF_ENTRY = ("number = 'x'", "date = '2026-02-02'", "description = 'x'", "reference = 'x'", "kind = 'opening'")
OF_POSTING = (
    "amount = amount + 1",
    "account_id = (SELECT id FROM account WHERE code = '1000')",
    "date = '2026-02-02'",
    "contact_id = 'x'",
    "project_id = 'x'",
    "description = 'x'",
    "currency = 'USD'",
    "foreign_amount = 1",
    "line = 7",
)


def test_a_hash_covers_every_field_of_an_entry_and_its_postings(acme):
    with acme.books(write=True):
        posted = post()
    changes = [f"UPDATE journal_entry SET {change}" for change in (*OF_ENTRY, "source_type = 'x', source_id = 'x'")]
    changes += [f"UPDATE posting SET {change} WHERE line = 0" for change in OF_POSTING]
    hashes = {hash_after(acme, posted.id, change) for change in changes}
    assert len(hashes | {posted.hash}) == len(changes) + 1
    with acme.books():
        assert ledger.entry_hash(posted.id) == posted.hash


def hash_after(office, entry_id, change):
    """The hash that an entry would have after a change that no trigger sees."""
    hashes: list[str | None] = []
    with rolled_back(office):
        WORKSPACE.run("PRAGMA defer_foreign_keys = 1")
        for (trigger,) in WORKSPACE.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            WORKSPACE.run(f"DROP TRIGGER {trigger}")
        WORKSPACE.run(change)
        hashes.append(ledger.entry_hash(entry_id))
    return hashes[0]


def tamper(office, *statements):
    """Change the file as someone could with another program; what verifying the log then says."""
    with office.acting():
        path = workspace_path(office.workspace_id)
    with closing(sqlite3.connect(str(path), isolation_level=None)) as file:
        for (trigger,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            assert file.execute(statement).rowcount == 1
    with office.books():
        return events.verify(ledger.entry_hash)


@pytest.fixture
def logged(acme):
    """An office with three entries, each in the log."""
    return acme.once(_logged)


def _logged(acme):
    body = {"date": "2026-03-10", "description": "Capital"}
    lines = [{"accountId": "1010", "debit": "1"}, {"accountId": "3000", "credit": "1"}]
    for _ in range(3):
        acme.ok("POST", "/finance/journals", {**body, "lines": lines})
    with acme.books():
        verdict = events.verify(ledger.entry_hash)
        last = events.Event.select().order_by(events.Event.seq.desc()).first()
        second = JournalEntry.get(JournalEntry.seq == 2)
    assert (verdict.broken_at, verdict.events) == (None, last.seq)
    return acme, verdict, second.id


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("UPDATE posting SET amount = amount + 1 WHERE entry_id = '{}' AND line = 0", 1),
        ("UPDATE journal_entry SET description = 'Other' WHERE id = '{}'", 1),
        ("DELETE FROM posting WHERE entry_id = '{}' AND line = 1", 1),
        ("DELETE FROM journal_entry WHERE id = '{}'", 1),
        ("UPDATE event SET data = '{{}}' WHERE resource_id = '{}'", 1),
        ("UPDATE event SET occurred_at = '2020' WHERE resource_id = '{}'", 1),
        ("DELETE FROM event WHERE resource_id = '{}'", 0),
    ],
)
def test_an_altered_file_is_found_at_the_first_altered_link(logged, change, back):
    office, before, second = logged
    assert tamper(office, change.format(second)).broken_at == before.events - back


def test_events_deleted_at_the_end_are_found_by_comparing_the_last_hash(logged):
    office, before, _ = logged
    after = tamper(office, "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
    assert after.broken_at is None
    assert (after.events, after.tip) != (before.events, before.tip)


def test_an_entry_needs_two_legs_that_sum_to_zero(acme):
    with acme.books(write=True):
        ids = accounts()
        for amounts in ([], [0, 0], [5], [5, -4], [5, 0]):
            legs = [Leg(ids["1010"], amount) for amount in amounts]
            with pytest.raises(ledger.UnbalancedEntry):
                ledger.post(DAY, "Wrong", legs, kind="manual")
        ledger.post(DAY, "Right", [Leg(ids["1010"], 5), Leg(ids["1100"], 0), Leg(ids["3000"], -5)], kind="manual")
        assert WORKSPACE.rows("SELECT number FROM journal_entry") == [("JE-2026-00001",)], "no number is lost"


def test_amounts_and_balances_have_their_limits(acme):
    with acme.books(write=True):
        post(money.LIMIT)
        with pytest.raises(ledger.AmountOutOfRange):
            post(money.LIMIT + 1)
        ids = accounts()
        most = [Leg(ids["1010"], money.LIMIT), Leg(ids["3000"], -money.LIMIT)] * 399
        ledger.post(DAY, "A great deal", most, kind="manual")
        with pytest.raises(ledger.AmountOutOfRange):
            ledger.post(DAY, "Too much", most[:4], kind="manual")


def test_an_unknown_entry_is_not_reversed(acme):
    with acme.books(write=True), pytest.raises(NotFound):
        ledger.reverse("none", DAY, "Nothing")


def test_balances_of_a_period_are_the_difference_of_two_days(acme):
    with acme.books(write=True):
        bank = accounts()["1010"]
        for amount, day in [
            (1, date(2026, 1, 31)),
            (2, date(2026, 2, 1)),
            (4, date(2026, 2, 28)),
            (8, date(2026, 3, 1)),
        ]:
            post(amount, day)
        ends = (date(2026, 2, 28), date(2026, 2, 27), date(2026, 1, 31), date(2026, 1, 30), date(2026, 3, 1))
        assert account_balances.of_all(*ends)[bank] == (7, 3, 1, 0, 15)
        assert [account_balances.of_all(end).get(bank, (0,)) for end in ends] == [(7,), (3,), (1,), (0,), (15,)]
        assert account_balances.of_all(date(2026, 1, 30)) == {}
        assert account_balances.of_account(bank, date(2026, 2, 28), start=date(2026, 2, 1)) == 6
        days = (date(2026, 1, 30), date(2026, 2, 27), date(2026, 2, 28), None)
        assert [account_balances.of_account(bank, day) for day in days] == [0, 3, 7, 15]


def test_balances_within_a_month_read_only_the_postings_of_that_month(acme):
    with acme.books():
        sql = account_balances._IN_DAYS.format(amounts="p.amount")
        plan = " ".join(row[3] for row in WORKSPACE.rows(f"EXPLAIN QUERY PLAN {sql}", ("2026-01-01", "2026-01-15")))
    assert "USING COVERING INDEX posting_account (account_id=? AND date>? AND date<?)" in plan
