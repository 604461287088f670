"""What a caller gets when the disk is full or another writer holds the file; nothing is half written."""

import pytest

from erp.finance.books.models import JournalEntry
from erp.kernel import config
from erp.store import control, router
from erp.store.router import WORKSPACE
from tests.conftest import Office

ENTRY = {
    "date": "2026-01-31",
    "description": "Rent",
    "lines": [
        {"accountId": "6100", "debit": "100.00", "description": "x" * 200},
        {"accountId": "1010", "credit": "100.00", "description": "y" * 200},
    ],
}


def entries(office: Office) -> int:
    with office.books():
        return JournalEntry.select().count()


def test_a_full_disk_refuses_and_keeps_what_there_was(acme: Office) -> None:
    with acme.books(write=True):
        ((pages,),) = WORKSPACE.rows("PRAGMA page_count")
        WORKSPACE.run(f"PRAGMA max_page_count = {pages + 4}")
    while (answer := acme.call("POST", "/finance/journals", ENTRY)).status_code == 201:
        pass
    assert (answer.status_code, answer.json["error"]["code"]) == (507, "storage_full")
    before = entries(acme)
    acme.refused("POST", "/finance/journals", ENTRY, status=507, code="storage_full")
    assert entries(acme) == before
    assert acme.ok("GET", "/finance/reports/balance-sheet")["isBalanced"] is True
    with acme.books(write=True):
        WORKSPACE.run("PRAGMA max_page_count = 1000000")
    acme.ok("POST", "/finance/journals", ENTRY)
    assert entries(acme) == before + 1
    assert acme.ok("GET", "/workspace/events/verify")["isValid"] is True


def test_a_writer_that_waits_too_long_is_asked_to_try_again(acme: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "LOCK_SECONDS", 0.01)
    with config.use(acme.installation.config):
        path = str(control.workspace_path(acme.workspace_id))
    with WORKSPACE._write_lock(path):
        answer = acme.call("POST", "/finance/journals", ENTRY)
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "busy")
    assert answer.headers["Retry-After"] == "1"
    assert entries(acme) == 0
