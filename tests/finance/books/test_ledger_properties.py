"""What holds of the books after any sequence of requests, in any order and many at once.

`TRY_LEDGER_RUNS`, `TRY_LEDGER_STEPS`, `TRY_LEDGER_ENTRIES` and `TRY_LEDGER_POSTS` make the search longer.
"""

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from peewee import IntegrityError

from erp.finance.books import account_balances, ledger
from erp.finance.books.ledger import Leg
from erp.finance.books.models import Account
from erp.store import events
from erp.store.router import WORKSPACE
from tests.conftest import Office, examples
from tests.finance.contacts.contacts import customer
from tests.finance.journals.journals import entry, new_entry

RUNS = int(os.environ.get("TRY_LEDGER_RUNS", examples(20)))
STEPS = int(os.environ.get("TRY_LEDGER_STEPS", "25"))
ENTRIES = int(os.environ.get("TRY_LEDGER_ENTRIES", "5000"))
POSTS = int(os.environ.get("TRY_LEDGER_POSTS", "400"))

FIRST, TODAY = date(2025, 11, 1), date(2026, 3, 10)
CODES = ("1000", "1010", "1500", "2100", "3000", "4100", "6100")
DAYS = st.integers(0, (TODAY - FIRST).days).map(lambda days: FIRST + timedelta(days))
AMOUNTS = st.integers(1, 10**9)
ATTACKS = (
    "UPDATE posting SET amount = amount + 1",
    "UPDATE journal_entry SET date = '2026-01-01'",
    "DELETE FROM posting",
    "DELETE FROM journal_entry",
    "UPDATE event SET data = '{}'",
    "DELETE FROM event",
    "REPLACE INTO journal_entry SELECT * FROM journal_entry",
    "REPLACE INTO event SELECT * FROM event",
    (
        "INSERT INTO posting (entry_id, line, account_id, date, amount)"
        " SELECT entry_id, 77, account_id, date, amount FROM posting"
    ),
)


class Books(RuleBasedStateMachine):
    """An office at work, beside a model of its books: the legs of each entry, and what is due on each invoice."""

    office: Office

    def __init__(self):
        super().__init__()
        workspace = self.office.ok("POST", "/workspace", {"name": "Books"})
        self.office.select(workspace["id"])
        self.customer = customer(self.office)["id"]
        self.legs: list[tuple[date, dict[str, int]]] = []
        self.entries: dict[str, dict[str, Any]] = {}
        self.invoices: dict[str, dict[str, Any]] = {}
        self.lock: date | None = None

    def call(self, path, body):
        answer = self.office.call("POST", f"/finance{path}", body)
        assert answer.status_code in (200, 201, 409, 422), answer.text
        return answer.json.get("data"), answer.json.get("error", {}).get("code")

    def note(self, day, **legs):
        self.legs.append((day, {code.removeprefix("_"): amount for code, amount in legs.items()}))

    def is_locked(self, day):
        return self.lock is not None and day <= self.lock

    @rule(day=DAYS, pair=st.permutations(CODES), amount=AMOUNTS, short=st.booleans())
    def post(self, day, pair, amount, short):
        debit, credit = pair[:2]
        body = new_entry(f"{Decimal(amount).scaleb(-2)}", day=str(day), debit=debit, credit=credit)
        if short:
            body["lines"][1]["credit"] = f"{Decimal(amount + 1).scaleb(-2)}"
        made, refusal = self.call("/journals", body)
        if short or self.is_locked(day):
            assert refusal == ("unbalanced_entry" if short else "period_locked")
            return
        self.entries[made["id"]] = {"day": day, "debit": debit, "credit": credit, "amount": amount, "reversed": False}
        self.note(day, **{f"_{debit}": amount, f"_{credit}": -amount})

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), day=DAYS)
    def reverse(self, data, day):
        id = data.draw(st.sampled_from(sorted(self.entries)))
        known = self.entries[id]
        _, refusal = self.call(f"/journals/{id}/reverse", {"date": str(day)})
        if known["reversed"]:
            assert refusal == "already_reversed"
        elif day < known["day"]:
            assert refusal == "dated_too_early"
        elif self.is_locked(day):
            assert refusal == "period_locked"
        else:
            assert refusal is None
            known["reversed"] = True
            self.note(day, **{f"_{known['debit']}": -known["amount"], f"_{known['credit']}": known["amount"]})

    @rule(day=DAYS)
    def close(self, day):
        _, refusal = self.call("/periods/lock", {"throughDate": str(day), "reason": "Closed"})
        assert refusal == ("lock_moves_forward" if self.is_locked(day) else None)
        self.lock = self.lock if refusal else day

    @rule(day=st.none() | DAYS)
    def reopen(self, day):
        _, refusal = self.call("/periods/unlock", {"throughDate": day and str(day), "reason": "A correction"})
        moves = self.lock is not None and (day is None or day < self.lock)
        assert refusal == (None if moves else "lock_moves_back")
        self.lock = day if moves else self.lock

    @rule(day=DAYS, amount=AMOUNTS)
    def issue(self, day, amount):
        price = f"{Decimal(amount).scaleb(-2)}"
        line = {"description": "Work", "quantity": "1", "unitPrice": price, "accountId": "4100", "taxRateId": None}
        body = {"customerId": self.customer, "issueDate": str(day), "dueDate": str(day), "lines": [line]}
        made, refusal = self.call("/invoices", body)
        if self.is_locked(day):
            assert refusal == "period_locked"
            return
        self.invoices[made["id"]] = {"day": day, "total": amount, "due": amount, "status": "issued"}
        self.note(day, _1100=amount, _4100=-amount)

    @precondition(lambda self: self.invoices)
    @rule(data=st.data(), day=DAYS, amount=AMOUNTS, whole=st.booleans())
    def pay(self, data, day, amount, whole):
        id = data.draw(st.sampled_from(sorted(self.invoices)))
        known = self.invoices[id]
        amount = known["due"] if whole and known["due"] else amount
        body = {"invoiceId": id, "amount": f"{Decimal(amount).scaleb(-2)}", "date": str(day)}
        _, refusal = self.call("/payments", body)
        assert (refusal is None) == (amount <= known["due"] and not self.is_locked(day)), refusal
        if refusal is None:
            known["due"] -= amount
            self.note(day, _1010=amount, _1100=-amount)

    @precondition(lambda self: self.invoices)
    @rule(data=st.data(), day=DAYS)
    def void(self, data, day):
        id = data.draw(st.sampled_from(sorted(self.invoices)))
        known = self.invoices[id]
        _, refusal = self.call(f"/invoices/{id}/void", {"date": str(day), "reason": "Wrong"})
        untouched = known["status"] == "issued" and known["due"] == known["total"]
        assert (refusal is None) == (untouched and day >= known["day"] and not self.is_locked(day)), refusal
        if refusal is None:
            known |= {"status": "void", "due": 0}
            self.note(day, _1100=-known["total"], _4100=known["total"])

    @precondition(lambda self: self.legs)
    @rule(statement=st.sampled_from(ATTACKS))
    def attack(self, statement):
        with pytest.raises(IntegrityError), self.office.books(write=True):
            WORKSPACE.run(statement)

    @invariant()
    def the_balances_are_those_of_the_model(self):
        day = max((day for day, _ in self.legs), default=FIRST)
        with self.office.books():
            codes = {account.id: account.code for account in Account.select()}
            days = (day, day - timedelta(days=17))
            ends = account_balances.of_all(*days)
            for place, through in enumerate(days):
                balances = {codes[id]: amounts[place] for id, amounts in ends.items() if amounts[place]}
                assert balances == self.expected(through)
            check_invariants(len(self.legs))

    def expected(self, through):
        total: Counter[str] = Counter()
        for day, legs in self.legs:
            if day <= through:
                total.update(legs)
        return {code: amount for code, amount in total.items() if amount}

    def teardown(self):
        with self.office.books():
            assert events.verify(ledger.entry_hash).broken_at is None
        for day in {day for day, _ in self.legs}:
            sheet = self.office.ok("GET", "/finance/reports/balance-sheet", params={"date": str(day)})
            assert sheet["isBalanced"] is True
        for id, known in self.invoices.items():
            due = self.office.ok("GET", f"/finance/invoices/{id}")["amountDue"]
            assert Decimal(due).scaleb(2) == known["due"]


def check_invariants(entries):
    """Check the invariants of the books, by SQL, in the workspace that is open."""
    assert WORKSPACE.rows("SELECT count(*) FROM journal_entry") == [(entries,)]
    unsound = "SELECT entry_id FROM posting GROUP BY entry_id HAVING sum(amount) <> 0 OR count(*) < 2"
    assert WORKSPACE.rows(unsound) == []
    gaps = "SELECT fiscal_year FROM journal_entry GROUP BY fiscal_year HAVING min(seq) <> 1 OR max(seq) <> count(*)"
    assert WORKSPACE.rows(gaps) == []
    summed = (
        "SELECT account_id, substr(date, 1, 7), sum(max(amount, 0)), sum(max(-amount, 0))"
        " FROM posting GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert WORKSPACE.rows("SELECT * FROM balance ORDER BY 1, 2") == WORKSPACE.rows(summed)
    logged_only = (
        "SELECT entry.value ->> 'id' FROM event, json_each(event.data, '$.entries') AS entry"
        " EXCEPT SELECT id FROM journal_entry"
    )
    assert WORKSPACE.rows(logged_only) == []
    unlogged = (
        "SELECT id FROM journal_entry"
        " EXCEPT SELECT entry.value ->> 'id' FROM event, json_each(event.data, '$.entries') AS entry"
    )
    assert WORKSPACE.rows(unlogged) == []


@pytest.mark.thorough
def test_the_invariants_hold_in_every_order_of_requests(installation, clock_at):
    clock_at(f"{TODAY}T12:00:00Z")
    Books.office = installation.newcomer("Olga")
    search = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # shrinking a failure would take minutes, and its steps are few enough to read
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Books, settings=search)


def test_eight_threads_take_numbers_without_gaps_or_duplicates(acme):
    def post(place):
        return entry(acme, f"{place + 1}.00")["number"]

    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(post, range(POSTS)))
    assert sorted(numbers) == [f"JE-2026-{seq:05}" for seq in range(1, POSTS + 1)]
    with acme.books():
        check_invariants(POSTS)
        assert events.verify(ledger.entry_hash).broken_at is None
        in_order = WORKSPACE.rows("SELECT seq FROM journal_entry ORDER BY rowid")
        assert in_order == [(seq,) for seq in range(1, POSTS + 1)]


def test_the_balance_sheet_of_any_day_is_the_sum_of_everything_posted(acme):
    chance = random.Random(20260310)
    posted: list[tuple[date, str, int]] = []
    with acme.books(write=True):
        types = {
            account.id: account.type for account in Account.select() if account.subtype not in ("receivable", "payable")
        }
        for _ in range(ENTRIES):
            day = date(2020, 1, 1) + timedelta(chance.randrange(2500))
            legs = random_legs(chance, sorted(types))
            ledger.post(day, "At random", legs, kind="manual")
            posted += [(day, leg.account_id, leg.amount) for leg in legs]
    for _ in range(50):
        day = date(2019, 12, 1) + timedelta(chance.randrange(2600))
        sheet = acme.ok("GET", "/finance/reports/balance-sheet", params={"date": str(day)})
        equity = sheet["equity"]
        shown = [sheet["totalAssets"], sheet["liabilities"]["total"], equity["total"]]
        shown += [equity["retainedEarnings"], equity["currentYearEarnings"]]
        assert [int(Decimal(text).scaleb(2)) for text in shown] == independent_sums(posted, types, day)
        assert sheet["isBalanced"] is True


def random_legs(chance, accounts):
    amounts = [chance.choice((-1, 1)) * chance.randrange(1, 10**7) for _ in range(chance.randrange(1, 5))]
    rest = -sum(amounts)
    return [Leg(chance.choice(accounts), amount) for amount in [*amounts, rest or 1, *([] if rest else [-1])]]


def independent_sums(posted, types, day):
    """Assets, liabilities, equity, earlier results and the present year's, by adding up every posting."""
    kinds: Counter[str] = Counter()
    for posted_on, account, amount in posted:
        if posted_on <= day:
            kind = types[account]
            if kind in ("income", "expense"):
                kind = "current" if posted_on.year == day.year else "earlier"
            kinds[kind] += amount
    equity = -(kinds["equity"] + kinds["earlier"] + kinds["current"])
    return [kinds["asset"], -kinds["liability"], equity, -kinds["earlier"], -kinds["current"]]
