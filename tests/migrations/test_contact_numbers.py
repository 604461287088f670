"""A file from before contacts had numbers keeps those that went to DATEV, and gives the others the next ones."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.migrations import migrate, trade
from erp.migrations.workspace import STEPS
from erp.store import connections

BEFORE = STEPS[: STEPS.index(trade.number_contacts)]
RECORD = "id, version, created_at, updated_at"
CONTACTS = {
    "a": "customer",
    "b": "customer",
    "c": "supplier",
    "d": "both",
    "e": "customer",
    "f": "supplier",
    "g": "customer",
}
IN_DATEV = [("d", "receivable", 1), ("b", "receivable", 3), ("f", "payable", 1), ("g", "payable", 2)]
POSTED = [("e", "receivable", 1), ("a", "payable", -1)]


def fill(file):
    for id, kind in CONTACTS.items():
        file.execute(f"INSERT INTO contact ({RECORD}, kind, name) VALUES (?1, 1, '', '', ?2, ?1)", (id, kind))
    file.executemany("INSERT INTO datev_account (contact_id, side, number) VALUES (?, ?, ?)", IN_DATEV)
    for side in ("receivable", "payable"):
        file.execute(
            f"INSERT INTO account ({RECORD}, code, name, type, subtype, is_group, currency)"
            " VALUES (?1, 1, '', '', ?1, ?1, 'asset', ?1, 0, 'EUR')",
            (side,),
        )
    file.execute("BEGIN")
    file.execute(
        "INSERT INTO journal_entry (id, number, fiscal_year, seq, date, description, kind, total, created_at, hash)"
        " VALUES ('x', 'JE-1', 2026, 1, '2026-01-01', '', 'manual', 1, '', '')"
    )
    for line, (contact, side, amount) in enumerate(POSTED):
        file.execute(
            "INSERT INTO posting (entry_id, line, account_id, date, amount, contact_id)"
            " VALUES ('x', ?, ?, '2026-01-01', ?, ?)",
            (line, side, amount, contact),
        )
    file.execute("INSERT INTO entry_seal (entry_id) VALUES ('x')")
    file.commit()


@pytest.fixture
def file(tmp_path: Path):
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        yield file


def numbers(file):
    rows = file.execute("SELECT id, debtor_number, creditor_number FROM contact ORDER BY id").fetchall()
    return {id: tuple(numbers) for id, *numbers in rows}


def counters(file):
    return dict(file.execute("SELECT series, last FROM number_counter WHERE fiscal_year = 0").fetchall())


def test_numbers_in_datev_stay_and_contacts_with_postings_come_next(file) -> None:
    fill(file)
    migrate(file, STEPS)
    assert numbers(file) == {
        "a": ("10005", "70003"),  # a customer with a posting as a supplier
        "b": ("10003", None),
        "c": (None, "70004"),
        "d": ("10001", "70005"),
        "e": ("10004", None),
        "f": (None, "70001"),
        "g": ("10006", "70002"),
    }
    assert counters(file) == {"debtor": 6, "creditor": 5}


def test_a_number_is_never_changed_and_never_had_twice(file) -> None:
    fill(file)
    migrate(file, STEPS)
    for change in ("'10099'", "NULL"):
        with pytest.raises(connections.sqlite3.IntegrityError, match="a contact keeps its number"):
            file.execute(f"UPDATE contact SET debtor_number = {change} WHERE id = 'a'")
    with pytest.raises(connections.sqlite3.IntegrityError, match="UNIQUE"):
        file.execute("UPDATE contact SET creditor_number = '70001' WHERE id = 'e'")


def test_a_file_without_contacts_counts_from_the_first(file) -> None:
    migrate(file, STEPS)
    assert counters(file) == {}


def test_what_has_no_room_in_a_series_has_no_number(file) -> None:
    fill(file)
    file.execute("UPDATE datev_account SET number = 59998 WHERE contact_id = 'b'")
    file.commit()
    migrate(file, STEPS)
    assert {id: debtor for id, (debtor, _) in numbers(file).items()} == {
        "a": None,
        "b": "69998",
        "c": None,
        "d": "10001",
        "e": "69999",
        "f": None,
        "g": None,
    }
    assert counters(file)["debtor"] == 59_999
