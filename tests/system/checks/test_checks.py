"""Whatever another program does to a workspace's file is found, and reported in words that a bookkeeper understands."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import WORKSPACE_SCHEMA
from erp.store import connections, router
from erp.system.checks import files as checking
from erp.system.checks.chain import NotedHead
from erp.system.checks.files import Report
from tests.conftest import Installation
from tests.system.checks.offices import full_books, tampered_copy


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield full_books(tmp_path_factory.mktemp("books"))
    router.close_all()


@pytest.fixture
def tampered(books: Path, tmp_path: Path) -> Callable[[str], Report]:
    """Check a copy of the books that another program has changed."""
    return lambda script: checking.workspace_file(tampered_copy(books, tmp_path, script), nobody_writes=True)


def test_untouched_books_are_sound(books: Path) -> None:
    report = checking.workspace_file(books, nobody_writes=True)
    assert report.problems == []
    assert (report.kind, report.schema) == ("workspace", WORKSPACE_SCHEMA.version)
    assert report.seq > 20
    assert report.head_hash is not None
    assert len(report.head_hash) == 64


FIRST = "(SELECT id FROM journal_entry WHERE number = 'JE-2026-00001')"
TRAVEL = "(SELECT id FROM account WHERE code = '6400')"
REVERSALS = "(SELECT id FROM journal_entry WHERE kind = 'reversal')"
LEAVE_TWICE = """
CREATE TEMP TABLE again AS SELECT * FROM leave_application; UPDATE again SET id = 'again';
INSERT INTO leave_application SELECT * FROM again;
INSERT INTO leave_day SELECT 'again', date, employee_id, part, days FROM leave_day
"""
UNPAID = "(SELECT id FROM leave_type ORDER BY position DESC)"
GLOBEX = "(SELECT id FROM contact WHERE name = 'Globex')"
DOUBLED = (
    "UPDATE invoice_line SET net = 2 * net WHERE invoice_id = (SELECT id FROM invoice WHERE number = 'INV-2026-00002');"
    "UPDATE invoice SET subtotal = 2 * subtotal, total = 2 * total WHERE number = 'INV-2026-00002'"
)
CREDITING = "id = (SELECT max(id) FROM invoice WHERE credited_invoice_id IS NOT NULL)"
UNDEDUCTED = "DELETE FROM payment_run_credit; DELETE FROM deduction_part; DELETE FROM deduction"
DEDUCTING = "id = (SELECT id FROM invoice WHERE kind = 'final_invoice')"
DEDUCTED = "invoice_id = (SELECT deposit_id FROM invoice_deposit)"
TWICE = (
    "INSERT INTO invoice_deposit SELECT 'x', invoice.id, 9, deposit_id, NULL, 0, 0, 0, 0"
    " FROM invoice_deposit JOIN invoice ON number = 'INV-2026-00002'"
)
PAID = "(SELECT id FROM open_item WHERE number = 'PAY-2026-00001')"
DEPOSITED = "SELECT allocation_id FROM deposit_receipt"
TAMPERING = [
    (
        f"UPDATE invoice SET deposit_total = deposit_total + 1 WHERE {DEDUCTING}",
        "do not sum to its deposit total.",
    ),
    (
        "UPDATE invoice_deposit SET net = net + 1, tax = tax - 1",
        "does not apply the received amount of deposit INV-2026-",
    ),
    ("UPDATE invoice_deposit SET base_net = base_net + 1", "The journal entry of invoice INV-2026-"),
    (f"UPDATE deposit_receipt SET net = net + 1 WHERE {DEDUCTED}", "of deposit invoice INV-2026-"),
    ("UPDATE deposit_receipt SET account_id = tax_account_id", "differs from the stored or posted receipt."),
    (TWICE, "is applied by more than one final invoice."),
    (f"UPDATE invoice SET total = 10 * total WHERE {CREDITING}", "come to more than the invoice."),
    (
        f"UPDATE invoice SET credited_invoice_id = (SELECT min(id) FROM invoice) WHERE {CREDITING}",
        "credits a line of another invoice than its own.",
    ),
    (
        "UPDATE invoice_line SET credited_quantity = 3000000 WHERE credited_quantity > 0",
        "More is credited of line 1 of",
    ),
    ("UPDATE invoice SET is_adjusted = 0", "does not show that something was taken off it or credits it."),
    ("UPDATE invoice SET status = 'credited' WHERE number = 'INV-2026-00001'", "INV-2026-00001 is marked credited"),
    (f"UPDATE posting SET amount = amount + 1 WHERE entry_id = {FIRST} AND line = 0", "JE-2026-00001 does not balance"),
    (f"UPDATE posting SET amount = amount * 2 WHERE entry_id = {FIRST}", "JE-2026-00001 has fewer than two lines, or"),
    (f"UPDATE posting SET amount = amount * 2 WHERE entry_id = {FIRST}", "stored balance of account 1100 for "),
    (f"UPDATE posting SET date = '2020-01-01' WHERE entry_id = {FIRST}", "JE-2026-00001 has a line with a date other"),
    ("UPDATE balance SET debit = debit + 1, credit = credit + 1", "The stored balance of account 1010 for 2026-"),
    ("INSERT INTO balance SELECT account_id, '1999-01', 1, 0 FROM balance LIMIT 1", "for 1999-01 is not the sum"),
    (f"UPDATE journal_entry SET last_line = 99 WHERE id = {FIRST}", "refers to a posting that does not exist"),
    (f"UPDATE journal_entry SET last_line = 0 WHERE id = {FIRST}", "JE-2026-00001 ends with line 1, but has 2 lines."),
    ("UPDATE journal_entry SET seq = 99 WHERE seq = 2", "entries of fiscal year 2026 are not numbered from 1 wi"),
    ("UPDATE number_counter SET last = last + 1 WHERE series = 'journal'", "entries of fiscal year 2026 are not num"),
    ("UPDATE number_counter SET last = last - 1 WHERE series = 'debtor'", "The next customer would get a number that"),
    ("DELETE FROM number_counter WHERE series = 'creditor'", "The next supplier would get a number that was given"),
    (f"UPDATE journal_entry SET description = 'Gift' WHERE id = {FIRST}", "Journal entry JE-2026-00001 was altered."),
    (f"UPDATE journal_entry SET hash = 'x' WHERE id = {FIRST}", "Journal entry JE-2026-00001 was altered."),
    (f"UPDATE posting SET account_id = {TRAVEL} WHERE entry_id IN {REVERSALS}", "is not the exact mirror of JE-2026-"),
    ("UPDATE account SET is_group = 1 WHERE code = '1010'", "posts to account 1010, which is a group"),
    ("UPDATE posting SET contact_id = NULL", "posts to account 1100 without naming the customer"),
    (
        "PRAGMA foreign_keys = 0; UPDATE journal_entry SET source_id = 'x' WHERE source_type = 'payment'",
        "payment x, whi",
    ),
    (
        "UPDATE invoice SET amount_paid = 0 WHERE number = 'INV-2026-00001'",
        "00001: its paid and credited amounts are not",
    ),
    (
        f"{UNDEDUCTED}; DELETE FROM allocation WHERE id NOT IN ({DEPOSITED})",
        "What is kept as open of PAY-2026-00001 is not its amount less what settles it.",
    ),
    ("UPDATE invoice SET status = 'paid' WHERE number = 'INV-2026-00002'", "Invoice INV-2026-00002 is marked paid"),
    (
        "UPDATE invoice SET total = total + 1 WHERE number = 'INV-2026-00002'",
        "Invoice INV-2026-00002: its total is not",
    ),
    ("UPDATE invoice_line SET net = net + 1", "Invoice INV-2026-00001: its total is not the sum of its lines"),
    (
        "UPDATE invoice SET base_total = 1 WHERE number = 'INV-2026-00002'",
        "journal entry of invoice INV-2026-00002 does not",
    ),
    ("UPDATE invoice SET issue_date = '2020-01-01'", "journal entry of invoice INV-2026-00001 does not match"),
    ("UPDATE invoice SET seq = 7 WHERE number = 'INV-2026-00002'", "The sales invoices of 2026 are not numbered"),
    ("UPDATE payment SET base_amount = base_amount + 1", "The journal entry of payment PAY-2026-00001 does not"),
    ("UPDATE payment SET seq = seq + 10", "The payments of 2026 are not numbered from 1 without"),
    ("UPDATE payment SET seq = 2 WHERE seq = 3", "The payments of 2026 are not numbered from 1 without"),
    (
        f"UPDATE payment SET contact_id = {GLOBEX} WHERE number = 'PAY-2026-00001'",
        "Payment PAY-2026-00001 names Globex as its contact, but is posted to Initech.",
    ),
    (
        f"UPDATE invoice SET contact_id = {GLOBEX} WHERE number = 'INV-2026-00002'",
        "Invoice INV-2026-00002 names Globex as its contact, but is posted to Initech.",
    ),
    (
        "UPDATE payment SET direction = 'made' WHERE number = 'PAY-2026-00001'",
        "Payment PAY-2026-00001 is marked made, but is posted as a credit to its contact.",
    ),
    (
        "UPDATE invoice SET kind = 'sales_credit_note' WHERE number = 'INV-2026-00002'",
        "Invoice INV-2026-00002 is marked sales credit note, but is posted as a debit to its contact.",
    ),
    (
        "UPDATE payment SET amount = 2 * amount WHERE currency = 'USD'",
        "its amount at its exchange rate is not its amount in EUR, which is posted",
    ),
    (DOUBLED, "Invoice INV-2026-00002: its amount at its exchange rate is not its amount in EUR, which is posted"),
    (
        "UPDATE payment SET exchange_rate = 1000000000000 WHERE currency = 'USD'",
        "its amount at its exchange rate is not",
    ),
    (
        "UPDATE payment SET currency = 'USD'",
        "Payment PAY-2026-00001: its amount at its exchange rate is not its",
    ),
    (
        "UPDATE payment SET account_id = (SELECT id FROM account WHERE code = '1000')",
        "Payment PAY-2026-00001 names an account that its journal entry did not post to.",
    ),
    ("UPDATE account SET type = 'expense' WHERE code = '1200'", "Account 1200 is marked expense, which does not match"),
    (
        "UPDATE allocation SET to_base = to_base + 1",
        "The exchange difference of the allocation of PAY-2026-00001 to INV-2026-00001 on",
    ),
    (
        "UPDATE allocation SET amount = amount - 1",
        "What is kept as open of INV-2026-00001 is not its amount less what settles it.",
    ),
    (
        "UPDATE open_item SET open = amount, open_base = base_amount WHERE number = 'PAY-2026-00001'",
        "What is kept as open of PAY-2026-00001 is not its amount less what settles it.",
    ),
    (
        "UPDATE open_item SET open = open - 1, open_base = open_base - 1 WHERE number = 'INV-2026-00002'",
        "What is kept as open of INV-2026-00002 is not its amount less what settles it.",
    ),
    (
        "UPDATE open_item SET base_amount = base_amount + 1 WHERE number = 'INV-2026-00002'",
        "Line 1 of journal entry JE-2026-00002 has no open item, or one that does not match it.",
    ),
    (
        f"UPDATE open_item SET contact_id = {GLOBEX} WHERE number = 'INV-2026-00002'",
        "What is open of Globex on account 1100 is not what is posted of them on 2026-",
    ),
    (
        "DELETE FROM open_item WHERE number = 'INV-2026-00002'",
        "has no open item, or one that does not match it.",
    ),
    (
        "UPDATE open_item SET due_date = '2031-01-01' WHERE number = 'INV-2026-00002'",
        "The open item of INV-2026-00002 bears the number or the due date of another document.",
    ),
    (
        f"UPDATE allocation SET date = '2020-01-01' WHERE from_item_id = {PAID}",
        "links items that cannot settle each other, or is dated before them.",
    ),
    ("UPDATE time_log SET invoice_line = 9 WHERE invoice_id NOT NULL", "which is void or has no such line"),
    (
        "UPDATE time_log SET amount = amount + 1 WHERE minutes = 10",
        "amount of a time log of 2026-03-03 (10 minutes) is",
    ),
    ("UPDATE payroll_run SET net = net + 1", "Payroll run PR-2026-001: its totals are not the sums of its payslips"),
    ("UPDATE payslip SET gross = gross + 1", "the payslip of Anna is not the sum of its lines"),
    ("UPDATE payslip_line SET amount = amount + 1", "What payroll run PR-2026-001 posted to account 6000 does not"),
    ("UPDATE payroll_run SET status = 'approved'", "Payroll run PR-2026-001 is approved, but its journal entries do"),
    ("UPDATE payslip SET payable = payable + 1", "the amount payable to Anna does not follow from the net,"),
    (
        "UPDATE payslip SET carried_in = -1, payable = net - 1",
        "Payslips of Anna have taken up more than earlier ones have carried on.",
    ),
    (
        "UPDATE payslip_line SET origin_payslip_id = payslip_id",
        "Payroll run PR-2026-001 corrects a payslip that is not an approved one of Anna in a regular run.",
    ),
    (
        "UPDATE payslip_line SET origin_payslip_id = payslip_id, component_id = NULL, code = 'a', kind = 'earning'",
        "Payroll run PR-2026-001 corrects the same line of an earlier payslip of Anna twice.",
    ),
    ("UPDATE payroll_run SET payable = payable + 1", "The payment of payroll run PR-2026-001 is not the sum of its"),
    ("UPDATE payslip SET net = net + 1", "The balance of payroll runs on account "),
    ("UPDATE paid_day SET date = '2031' || substr(date, 5)", "PR-2026-001 pays Anna for 2031-"),
    (
        "UPDATE leave_entry SET days = days - 100 WHERE kind = 'taken'",
        "The leave of Anna from 2026-02-02 is approved, but",
    ),
    ("UPDATE payment_run SET amount = amount + 1", "The amount of payment run RUN-2026-001 is not the sum of its"),
    (
        "UPDATE payment_run SET status = 'void'",
        "Payment run RUN-2026-002 is void, but its payment PAY-2026-00004 is not.",
    ),
    (
        "UPDATE payment_run SET status = 'void' WHERE number = 'RUN-2026-002'",
        "Payment run RUN-2026-002 is void, but the credit that it used of BCN-2026-00001 has not been released.",
    ),
    ("UPDATE payment_run SET seq = seq + 10", "The payment runs of 2026 are not numbered from 1 without a gap"),
    ("UPDATE deduction_part SET amount = amount + 1", "The parts of the cash discount of invoice INV-2026-"),
    (
        "UPDATE deduction SET date = date(date, '+1 day')",
        "The journal entry of the write-off of invoice INV-2026-",
    ),
    (
        "UPDATE deduction SET amount = amount + 1 WHERE kind = 'cash_discount'",
        "The cash discount of invoice INV-2026-",
    ),
    (
        "UPDATE deduction SET amount = 99999999 WHERE kind = 'recovery'",
        "More is recovered of invoice INV-2026-",
    ),
    (
        "UPDATE deduction SET amount = amount + 1 WHERE kind = 'uncollectable' AND of_item_id IS NOT NULL",
        "The write-off of R-0815 is not what its open item settles.",
    ),
    (
        "UPDATE deduction SET amount = 99999999 WHERE kind = 'recovery' AND of_item_id IS NOT NULL",
        "More is recovered of R-0815 than was written off.",
    ),
    (
        "UPDATE deduction_part SET amount = 1 WHERE deduction_id = (SELECT max(id) FROM deduction)",
        "The parts of the recovery of R-0815 do not add up to it.",
    ),
    ("DELETE FROM leave_day", "The days of the leave of Anna from 2026-02-02 do not"),
    (
        LEAVE_TWICE,
        "Anna has more than one approved leave on 2026-02-02.",
    ),
    (
        "UPDATE leave_entry SET kind = 'carry_corrected' WHERE kind = 'allocation'",
        "The leave that Anna carried out of 2025 is not what the next year took in.",
    ),
    (
        f"UPDATE leave_entry SET leave_type_id = {UNPAID} WHERE kind = 'taken'",
        "leave ledger entry of Anna on 2026-02-02 is for",
    ),
    (
        "UPDATE time_log SET minutes = 30 WHERE date = '2026-02-10'",
        "The week of time of Olga Own from 2026-02-09 is approved, but its minutes are not those that were submitted.",
    ),
    ("UPDATE time_log SET is_billable = 1 WHERE date = '2026-02-10'", "are not those that were submitted."),
    (
        "UPDATE time_log SET date = '2026-02-11', created_at = '2031-01-01T00:00:00.000Z' WHERE date = '2026-02-10'",
        "from 2026-02-09 is approved, but has time of 2026-02-11 that was added later.",
    ),
    (
        "UPDATE time_log SET cost = cost + 1 WHERE cost > 0",
        "The cost of Olga Own's time on 2026-02-10 is not its minutes",
    ),
    (
        "UPDATE time_log SET cost_rate = 3000, cost = 1000 WHERE date = '2026-02-17'",
        "The time of Olga Own on 2026-02-17 keeps a cost, but its week is not approved.",
    ),
    (
        "UPDATE list_view SET created_by = 'nobody'",
        "The view Soon of the list tasks has an owner whom the workspace has never known.",
    ),
    ("UPDATE event SET data = '{}' WHERE seq = 5", "Event 5 was altered. The 4 events before it are intact."),
    ("DELETE FROM event WHERE seq = 5", "Event 5 is missing."),
    ("UPDATE workspace_meta SET id = 'another'", "It is the file of workspace another, not of "),
    ("PRAGMA application_id = 7", "It is not a workspace file of this program."),
    ("PRAGMA user_version = 999", "It was written by a newer version of this program (schema 999; this one knows"),
    ("UPDATE invoice SET status = 'lost'", "Invoice INV-2026-00001 is marked lost, which does not"),
]


@pytest.mark.parametrize(("script", "problem"), TAMPERING, ids=[script[:60] for script, _ in TAMPERING])
def test_what_another_program_changes_is_named(tampered: Callable[[str], Report], script: str, problem: str) -> None:
    problems = tampered(script).problems
    assert any(problem in sentence for sentence in problems), problems
    assert all(sentence.endswith(".") for sentence in problems)


def test_a_log_without_its_end_is_detected_by_the_head_that_was_noted(
    books: Path, tampered: Callable[[str], Report]
) -> None:
    before = checking.workspace_file(books, nobody_writes=True)
    assert before.head_hash is not None
    after = tampered("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
    assert after.seq == before.seq - 1
    copy = books.parent / "cut" / books.name
    copy.parent.mkdir()
    shutil.copy(books, copy)
    with closing(connections.sqlite3.connect(copy)) as connection:
        connection.executescript("DROP TRIGGER event_stays; DELETE FROM event WHERE seq > 3")
    assert f"event {before.seq} was there before, as control.db notes." in noted_problem(
        copy, (before.seq, before.head_hash)
    )
    assert "Event 3 is not the one that was there before" in noted_problem(copy, (3, before.head_hash))
    head = NotedHead(before.seq, before.head_hash, "control.db")
    assert checking.workspace_file(books, nobody_writes=True, noted_heads=[head]).problems == []


def noted_problem(path: Path, noted_head: tuple[int, str]) -> str:
    heads = [NotedHead(*noted_head, "control.db")]
    return checking.workspace_file(path, thorough=False, nobody_writes=True, noted_heads=heads).problems[-1]


WRITER = "An unreleased version of this program, or another program,"


def test_triggers_and_indexes_that_another_program_removed_or_changed_are_named(books: Path, tmp_path: Path) -> None:
    copy = tmp_path / books.name
    shutil.copy(books, copy)
    with closing(connections.sqlite3.connect(copy)) as connection:
        connection.executescript("DROP TRIGGER posting_kept; DROP INDEX invoice_status; DROP TRIGGER event_stays")
        connection.executescript("CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN SELECT 1; END")
        connection.executescript("ANALYZE; CREATE TABLE notes (text TEXT)")
    assert checking.workspace_file(copy, nobody_writes=True).problems == [
        f"{WRITER} has removed its index invoice_status, its trigger posting_kept.",
        f"{WRITER} has added its table notes.",
        f"{WRITER} has changed its trigger event_stays.",
    ]


def test_only_the_first_problems_are_listed(tampered: Callable[[str], Report]) -> None:
    rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
    report = tampered(f"{rows} INSERT INTO balance SELECT account_id, 1000 + i, 1, 0 FROM n, balance GROUP BY i")
    assert len(report.problems) == 21
    assert report.problems[-1] == "And 30 more."


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "It is missing."), (b"", "It is empty."), (b"no database " * 1000, "file is not a database")],
)
def test_a_file_that_is_no_database_is_named(tmp_path: Path, content: bytes | None, problem: str) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    for check in (checking.workspace_file, checking.control_file):
        assert problem in check(path).problems[0]
    assert [file.name for file in tmp_path.iterdir()] == ([] if content is None else ["x.db"])


def test_a_control_file_is_checked_as_well(installation: Installation) -> None:
    office = installation.office("Olga")
    path = installation.config.control_path
    assert checking.control_file(path).problems == []
    with office.acting(), closing(connections.connect(path)) as connection:
        connection.execute("UPDATE member SET role = 'viewer'")
        connection.execute("INSERT INTO outbox VALUES ('1', 'nowhere', '{}')")
    assert checking.control_file(path).problems == [
        "The workspace Olga's office has no owner any more.",
        "There are 1 events for workspace nowhere, which does not exist.",
    ]


def test_a_look_at_the_structure_alone_is_quick_and_finds_torn_pages(books: Path, tmp_path: Path) -> None:
    copy = tmp_path / books.name
    content = bytearray(books.read_bytes())
    content[8 * 4096 : 40 * 4096] = bytes(32 * 4096)
    copy.write_bytes(content)
    began = time.perf_counter()
    assert checking.workspace_file(copy, thorough=False, nobody_writes=True).problems
    assert time.perf_counter() - began < 5
