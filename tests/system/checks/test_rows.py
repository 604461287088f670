"""Whatever another program changes in a row that an event tells of is found, with the record and the field by name."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from erp.store import connections, router
from erp.system.checks import files as checking
from erp.system.checks import rows
from tests.system.checks.offices import full_books, tampered_copy

SALE = "number = 'INV-2026-00002'"
OF_SALE = f"invoice_id = (SELECT id FROM invoice WHERE {SALE})"
ABROAD = "(SELECT id FROM contact WHERE name = 'Globex')"
PIPER = "name = 'Pied Piper'"
CLARA = "name = 'Clara Klein'"
OF_ANNA = "employee_id = (SELECT id FROM employee WHERE name = 'Anna')"
SWAP = (
    "UPDATE account SET code = 'x' WHERE code = '4000'; UPDATE account SET code = '4000' WHERE code = '4100';"
    "UPDATE account SET code = '4100' WHERE code = 'x'"
)
DOUBLED = (
    f"UPDATE invoice SET subtotal = 2 * subtotal, total = 2 * total WHERE {SALE};"
    f"UPDATE invoice_line SET net = 2 * net, gross = 2 * gross, unit_price = 2 * unit_price WHERE {OF_SALE}"
)
GHOST = (
    "INSERT INTO contact (id, version, created_at, updated_at, kind, name)"
    " VALUES ('x', 1, '2026', '2026', 'supplier', 'Ghost')"
)
EDITS = [
    # documents
    (
        DOUBLED,
        "changed invoice INV-2026-00002: its subtotal is 199.98, but its event recorded 99.99; its total is 199.98, bu",
    ),
    (f"UPDATE invoice_line SET net = net + 1 WHERE {OF_SALE}", "changed line 1 of invoice INV-2026-00002: its net is"),
    (
        "UPDATE payment SET amount = 2 * amount WHERE number = 'PAY-2026-00001'",
        "payment PAY-2026-00001: its amount is 2",
    ),
    (
        f"UPDATE invoice SET contact_id = {ABROAD} WHERE {SALE}",
        "invoice INV-2026-00002: its contact is Globex, but its event recorded Initech",
    ),
    (
        f"UPDATE payment SET contact_id = {ABROAD} WHERE number = 'PAY-2026-00001'",
        "payment PAY-2026-00001: its contact is Globex, but its event recorded Initech",
    ),
    ("UPDATE payment SET direction = 'made'", "PAY-2026-00001: its direction is made, but its event recorded received"),
    (
        "UPDATE payment SET note = 'Gift'",
        "changed payment PAY-2026-00001: its note is Gift, but its event recorded empty",
    ),
    ("UPDATE payment SET method = 'cash'", "changed payment PAY-2026-00001: its method is cash, but"),
    (
        f"UPDATE invoice_line SET description = 'Hat' WHERE {OF_SALE}",
        "changed line 1 of invoice INV-2026-00002: its description is Hat, but its event recorded Consulting",
    ),
    (
        f"UPDATE invoice SET due_date = '2027-01-01' WHERE {SALE}",
        "INV-2026-00002: its due date is 2027-01-01, but its ev",
    ),
    (
        f"UPDATE invoice SET tax_date = '2027-01-01' WHERE {SALE}",
        "INV-2026-00002: its tax date is 2027-01-01, but its event recorded",
    ),
    (
        f"UPDATE invoice SET note = 'Paid in cash' WHERE {SALE}",
        "changed invoice INV-2026-00002: its note is Paid in ca",
    ),
    (
        f"UPDATE invoice SET contact_name = 'Eve' WHERE {SALE}",
        "its contact name is Eve, but its event recorded Initech",
    ),
    (
        f"UPDATE invoice SET customer = '{{}}' WHERE {SALE}",
        "INV-2026-00002: its customer is not the one that its event",
    ),
    (
        "UPDATE invoice SET exchange_rate = 990000000000 WHERE currency = 'USD'",
        "its exchange rate is 0.99, but its event",
    ),
    ("UPDATE invoice_tax SET rate = 1 WHERE position = 0", "changed tax 1 of invoice INV-2026-0000"),
    (f"DELETE FROM invoice_line WHERE {OF_SALE}", "deleted line 1 of invoice INV-2026-00002"),
    (
        "UPDATE allocation SET amount = amount - 1",
        "changed allocation of PAY-2026-00001 to INV-2026-00001: its amount is",
    ),
    (
        "UPDATE open_item SET due_date = '2030-01-01' WHERE number = 'PAY-2026-00001'",
        "changed open item of PAY-2026-00001: its due date is 2030-01-01, but its event recorded 2026-",
    ),
    ("UPDATE invoice SET reference = 'PO' WHERE number IS NULL", "changed invoice draft "),
    # the books
    (
        "UPDATE account SET type = 'expense' WHERE code = '1200'",
        "account 1200: its type is expense, but its event recorded",
    ),
    (SWAP, "changed account 4000: its code is 4100, but its event recorded 4000"),
    (
        "UPDATE account SET name = 'Bribes' WHERE code = '6300'",
        "changed account 6300: its name is Bribes, but its event re",
    ),
    (
        "UPDATE default_account SET account_id = (SELECT id FROM account WHERE code = '6900') WHERE key = 'bad_debts'",
        "changed default account bad",
    ),
    ("UPDATE tax_rate SET rate = 1 WHERE category = 'Z'", "changed tax rate Zero: its rate is 0.000001, but its event"),
    (
        "UPDATE tax_rate SET name = 'Nil' WHERE category = 'Z'",
        "tax rate Zero: its name is Nil, but its event recorded Zero",
    ),
    (
        "UPDATE settings SET lock_date = NULL",
        "changed settings: its lock date is empty, but its event recorded 2025-12-31",
    ),
    (
        "UPDATE settings SET iban = 'GB82WEST12345698765432'",
        "settings: its iban is GB82WEST12345698765432, but its event recorded DE89370400440532013000",
    ),
    ("UPDATE settings SET payment_terms_days = 90", "its payment terms days is 90, but its event recorded 14"),
    ("UPDATE settings SET country = 'FR'", "changed settings: its country is FR, but its event recorded "),
    ("""UPDATE settings SET weekend = '["fri"]'""", "changed settings: its weekend is "),
    # contacts
    (f"UPDATE contact SET name = 'Hooli II' WHERE {PIPER}", "contact Pied Piper: its name is Hooli II, but its event"),
    (
        f"UPDATE contact SET email = 'x@y.example' WHERE {PIPER}",
        "contact Pied Piper: its email is not the one that its",
    ),
    (
        f"UPDATE contact SET tax_number = 'DE2' WHERE {PIPER}",
        "contact Pied Piper: its tax number is not the one that its",
    ),
    (
        f"UPDATE contact SET address = '{{}}' WHERE {PIPER}",
        "changed contact Pied Piper: its address is not the one that",
    ),
    (
        f"UPDATE contact SET archived_at = '2026-01-01' WHERE {PIPER}",
        "contact Pied Piper: its archived at is 2026-01-01, but",
    ),
    (f"DELETE FROM contact WHERE {PIPER}", "Another program has deleted contact Pied Piper."),
    (GHOST, "Another program has added contact Ghost: no event tells of it."),
    # projects, tasks and time
    ("UPDATE project SET name = 'Barn' WHERE name = 'Shop'", ": its name is Barn, but its event recorded Shop"),
    (
        "UPDATE project SET hourly_rate = 1 WHERE name = 'Shop'",
        ": its hourly rate is 0.01, but its event recorded 60.00",
    ),
    (
        "UPDATE project SET status = 'completed' WHERE name = 'Shop'",
        "its status is completed, but its event recorded acti",
    ),
    (
        "INSERT INTO project_member SELECT id, 'x' FROM project WHERE name = 'Shop'",
        "its members is x, but its event reco",
    ),
    ("UPDATE task SET title = 'Kart' WHERE title = 'Cart'", ": its title is Kart, but its event recorded Cart"),
    (
        "UPDATE task SET due_date = '2026-01-01' WHERE title = 'Cart'",
        ": its due date is 2026-01-01, but its event record",
    ),
    ("UPDATE task SET tags = '[]' WHERE title = 'Act'", ": its tags is [], but its event recorded soon"),
    ("DELETE FROM task_assignee", ": its assignees is empty, but its event recorded "),
    ("DELETE FROM task_dependency", ": its dependencies is empty, but its event recorded "),
    ("UPDATE task_comment SET text = 'Yes'", "changed comment on task "),
    ("UPDATE time_log SET minutes = 600 WHERE minutes = 10", "its minutes is 600, but its event recorded 10"),
    (
        "UPDATE time_log SET date = '2026-03-09' WHERE minutes = 10",
        "its date is 2026-03-09, but its event recorded 2026-03-0",
    ),
    (
        "UPDATE time_log SET invoice_id = NULL, invoice_line = NULL",
        "its invoice is empty, but its event recorded draft",
    ),
    # people
    (
        f"UPDATE employee SET name = 'Klara' WHERE {CLARA}",
        "employee Clara Klein: its name is Klara, but its event record",
    ),
    (
        f"UPDATE employee SET bank_account = '{{}}' WHERE {CLARA}",
        "Clara Klein: its bank account is not the one that its ev",
    ),
    (
        f"UPDATE employee SET phone = '1' WHERE {CLARA}",
        "changed employee Clara Klein: its phone is not the one that its eve",
    ),
    (
        f"UPDATE employee SET hire_date = '2020-01-01' WHERE {CLARA}",
        "Clara Klein: its hire date is 2020-01-01, but its eve",
    ),
    (f"UPDATE employment SET starts_on = '2020-01-01' WHERE {OF_ANNA}", "changed employment of Anna from 20"),
    (f"UPDATE work_schedule SET mon = 1 WHERE {OF_ANNA}", "changed work schedule of Anna from "),
    (f"UPDATE compensation SET amount = 2 * amount WHERE {OF_ANNA}", "changed pay of Anna from "),
    (
        f"UPDATE compensation SET effective_from = '2020-01-01' WHERE {OF_ANNA}",
        "effective from is 2020-01-01, but its e",
    ),
    (
        "UPDATE attendance_record SET status = 'absent'",
        "attendance of Clara Klein on 2026-03-03: its status is absent, but",
    ),
    (
        "UPDATE attendance_record SET note = 'Ill'",
        "of Clara Klein on 2026-03-03: its note is not the one that its event rec",
    ),
    ("UPDATE attendance_record SET worked_minutes = 9", "its worked minutes is 9, but its event recorded "),
    (
        "UPDATE leave_application SET status = 'rejected'",
        "leave of Anna from 2026-02-02: its status is rejected, but its ev",
    ),
    (
        "UPDATE leave_application SET end_date = '2026-03-30'",
        "leave of Anna from 2026-02-02: its end date is 2026-03-30",
    ),
    ("UPDATE leave_entry SET days = days + 100 WHERE kind <> 'taken'", "changed leave ledger entry of Anna on "),
    (
        "UPDATE leave_type SET allowance_days = 9900 WHERE code = 'annual'",
        ": its allowance days is 99, but its event record",
    ),
    (
        "UPDATE holiday SET name = 'Eve'",
        "holiday Christmas Eve on 2026-12-24: its name is Eve, but its event recorded Chri",
    ),
    (
        "UPDATE holiday SET date = '2026-12-23'",
        "changed holiday Christmas Eve on 2026-12-24: its date is 2026-12-23, but",
    ),
    ("UPDATE pay_component SET percent = percent * 2", "changed pay component "),
    ("UPDATE pay_component SET name = 'X' WHERE position = 0", ": its name is X, but its event recorded "),
    (
        "UPDATE payslip SET paid_days = 1",
        "changed payslip of Anna in payroll run PR-2026-001: it is not the one that its",
    ),
    (
        f"UPDATE payslip SET snapshot = '{{}}' WHERE {OF_ANNA}",
        "changed payslip of Anna in payroll run PR-2026-001: it is n",
    ),
    (
        "UPDATE payslip_line SET name = 'Bonus'",
        "payslip of Anna in payroll run PR-2026-001: its lines are not those that",
    ),
    (
        "UPDATE payroll_run SET pay_date = '2026-02-28'",
        "payroll run PR-2026-001: its pay date is 2026-02-28, but its event",
    ),
    (
        "UPDATE payroll_run SET warnings = '[1]'",
        "payroll run PR-2026-001: its warnings is not the one that its event recor",
    ),
    (
        "UPDATE comparison_balance SET base_amount = 50100",
        "comparison balance of 1010 in 2025-12: its base amount is 501.00, but its event recorded 500.00",
    ),
    (
        "UPDATE deduction SET reason = 'Lost' WHERE kind = 'uncollectable' AND of_item_id IS NOT NULL",
        "changed deduction from R-0815 on 2026-03-11: its reason is Lost, but its event recorded Gone",
    ),
]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield full_books(tmp_path_factory.mktemp("books"))
    router.close_all()


def test_rows_that_no_other_program_has_changed_are_as_their_events_recorded_them(books: Path) -> None:
    assert checking.workspace_file(books, nobody_writes=True).findings == []


@pytest.mark.parametrize(("script", "sentence"), EDITS, ids=[script[:70] for script, _ in EDITS])
def test_an_edit_from_outside_is_named(books: Path, tmp_path: Path, script: str, sentence: str) -> None:
    altered = checking.workspace_file(tampered_copy(books, tmp_path, script), nobody_writes=True).altered
    assert any(sentence in found for found in altered), altered


@pytest.mark.parametrize("name", ["expense_account_hd", 'x\\", (SELECT 1) AS \\"y'])
def test_a_spoilt_name_of_a_column_in_an_event_is_never_a_part_of_a_statement(
    books: Path, tmp_path: Path, name: str
) -> None:
    script = f"UPDATE event SET recorded = replace(recorded, 'expense_account_id', '{name}')"
    altered = checking.workspace_file(tampered_copy(books, tmp_path, script), nobody_writes=True).altered
    assert any("its lines are not those that its event recorded" in found for found in altered), altered


def test_what_no_event_may_quote_stands_in_none(books: Path) -> None:
    """Pay, bank accounts and addresses are recorded as seals, which nothing but the file's own key can try out."""
    with closing(connections.sqlite3.connect(f"file:{books}?mode=ro", uri=True)) as file:
        recorded = [text for (text,) in file.execute("SELECT recorded FROM event WHERE recorded IS NOT NULL")]
        ((salary,),) = file.execute(f"SELECT amount FROM compensation WHERE {OF_ANNA}")
    assert len(recorded) > 20
    people = [json.loads(text) for text in recorded if '"compensation"' in text or '"employee"' in text]
    assert people
    for text in map(json.dumps, people):
        assert "DE89370400440532013000" not in text
        assert f": {salary}" not in text
    assert not any("buy@pied-piper.example" in text or "Bonn" in text for text in recorded)


def test_the_users_that_an_import_has_given_other_ids_are_the_same_people() -> None:
    imported = json.dumps({"members": [{"userId": "new", "formerUserIds": ["old"]}]})
    created = json.dumps(
        {"task": {"t": {"reporter_user_id": "old", "assignees": ["old", "other"], "tags": ["old", "b"]}}}
    )
    events = [("task.created", "{}", created), ("workspace.imported", imported, None)]
    known = rows.fold(events)
    assert known == {"task": {"t": {"reporter_user_id": "new", "assignees": ["new", "other"], "tags": ["old", "b"]}}}


def test_a_long_log_is_read_in_seconds() -> None:
    values: dict[str, Any] = {
        "name": "Pages",
        "description": None,
        "status": "todo",
        "tags": [],
        "position": 7,
        "dueDate": "2026-01-01",
    }
    recorded = (json.dumps({"task": {str(n % 5000): values | {"n": n}}}) for n in range(100_000))
    began = time.perf_counter()
    known = rows.fold(("task.updated", "{}", text) for text in recorded)
    assert len(known["task"]) == 5000
    assert time.perf_counter() - began < 20
