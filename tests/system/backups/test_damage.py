"""A workspace's file that is not as it was written: refused with a reason, never written to, the others served."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from erp.store import connections, router
from erp.system import upkeep
from erp.system.backups import backups, chain_heads
from erp.system.checks import files as checking
from tests.busy_offices import NOW, busy_office, sell
from tests.conftest import Installation, Office, examples

FLIPS = int(os.environ.get("TRY_FLIPS", examples(60)))
FIGURES = (
    "/finance/reports/balance-sheet?date=2026-03-31",
    "/finance/reports/trial-balance?date=2026-03-31",
    "/finance/invoices?limit=1",
    "/hr/leave-balances?date=2026-03-31",
    "/hr/payroll/runs",
    "/tasks/time-logs",
    "/workspace/events/verify",
)
MONEY = {"total", "amountPaid", "amountDue", "gross", "net", "deductions", "balance", "taken", "minutes", "amount"}


class Damaged(NamedTuple):
    """An installation of two offices with no one at work; the file of the first is to be damaged."""

    installation: Installation
    office: Office
    other: Office

    @property
    def books(self) -> Path:
        return self.installation.config.workspaces_dir / f"{self.office.workspace_id}.db"

    def restarted(self) -> "Damaged":
        """The same after a start of the program."""
        router.close_all()
        again = Installation(self.installation.config.data_dir)
        first, second = (again_at(again, each) for each in (self.office, self.other))
        return Damaged(again, first, second)


def again_at(installation: Installation, office: Office) -> Office:
    back = Office(installation, office.email, {"user": office.user, "session": {"token": office.token}})
    back.workspace_id = office.workspace_id
    return back


@pytest.fixture
def offices(installation: Installation, clock_at: Callable[[str], None]) -> Iterator[Damaged]:
    clock_at(NOW)
    first, second = busy_office(installation), installation.office("Sam")
    sell(second)
    with first.acting():
        backups.make("manual")
    router.close_all()
    router.WORKSPACE.written.clear()
    yield Damaged(installation, first, second)
    router.close_all()


def figures(office: Office) -> list[Any]:
    """The sums that an office reads; None for what it is refused."""
    answers = [office.call("GET", path) for path in FIGURES]
    assert {answer.status_code for answer in answers} <= {200, 503}
    return [list(sums(answer.json["data"])) if answer.status_code == 200 else None for answer in answers]


def sums(shown: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(shown, dict):
        for key, value in shown.items():
            yield from sums(value, key)
    elif isinstance(shown, list):
        for value in shown:
            yield from sums(value, name)
    elif name in MONEY:
        yield name, shown


@pytest.mark.thorough
def test_a_flipped_byte_is_found_or_does_no_harm(offices: Damaged, caplog: pytest.LogCaptureFixture) -> None:
    """Reliability D9."""
    expected, of_other = figures(offices.office), figures(offices.other)
    router.close_all()
    whole, choose = offices.books.read_bytes(), Random(os.environ.get("TRY_SEED", "20260311"))
    found = 0
    places = [page_of_invoices(offices.books).start] + [choose.randrange(len(whole)) for _ in range(FLIPS - 1)]
    for place in places:
        bit = 1 << choose.randrange(8)
        spoiled = bytearray(whole)
        spoiled[place] ^= bit
        offices.books.write_bytes(spoiled)
        upkeep.prepare(offices.installation.config)
        read = figures(offices.office)
        assert figures(offices.other) == of_other
        router.close_all()
        assert offices.books.read_bytes() == spoiled, f"byte {place} was flipped, and the file written to"
        report = checking.workspace_file(offices.books, nobody_writes=True)
        harmless = read == expected and not report.problems
        assert harmless or report.problems or None in read, f"byte {place} was flipped, and no one noticed"
        found += not harmless
    offices.books.write_bytes(whole)
    assert found, "the first flip, at least, must have mattered"
    assert figures(offices.restarted().office) == expected


def page_of_invoices(books: Path) -> range:
    """Where in the file the table of invoices begins: its first page, whose first byte says what the page is."""
    with connections.looking(books, nobody_writes=True) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'invoice'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return range((page - 1) * size, page * size)


def tear(books: Path) -> bytes:
    """Damage the table of invoices, as a bad disk would; the file can still be opened."""
    page, content = page_of_invoices(books), bytearray(books.read_bytes())
    content[page.start : page.stop] = b"\x55" * len(page)
    books.write_bytes(content)
    return bytes(content)


def test_damage_that_is_met_at_work_makes_the_workspace_unavailable(
    offices: Damaged, caplog: pytest.LogCaptureFixture
) -> None:
    torn = tear(offices.books)
    now = offices.restarted()
    assert now.office.ok("GET", "/finance/accounts")
    error = now.office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    assert "administrator can restore it from a backup" in error["message"]
    (backup,) = (offices.installation.config.data_dir / "backups").glob("*.zip")
    (message,) = [each.getMessage() for each in caplog.records if each.name == "erp.damage"]
    assert f"workspace {now.office.workspace_id} is unavailable. Its file cannot be used: " in message
    assert "malformed" in message
    assert backup.name in message
    now.office.refused("GET", "/finance/accounts", status=503, code="unavailable")
    now.office.refused("POST", "/finance/contacts", {"kind": "customer", "name": "X"}, status=503, code="unavailable")
    assert now.other.ok("GET", "/finance/invoices")
    assert now.other.ok("POST", "/finance/contacts", {"kind": "customer", "name": "X"})
    router.close_all()
    assert offices.books.read_bytes() == torn


def test_a_file_without_one_of_its_tables_is_unavailable_to_those_who_need_it(offices: Damaged) -> None:
    with closing(connections.sqlite3.connect(offices.books)) as outside:
        outside.executescript("DROP TABLE holiday")
    now = offices.restarted()
    now.office.refused("GET", "/hr/holidays", status=503, code="unavailable")
    assert now.office.ok("GET", "/finance/invoices")


def test_nothing_of_what_a_row_holds_is_logged_when_it_cannot_be_read(
    offices: Damaged, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(connections.sqlite3.connect(offices.books)) as outside:
        outside.executescript("UPDATE contact SET note = CAST(x'736563726574ff' AS TEXT)")
        (id,) = outside.execute("SELECT id FROM contact LIMIT 1").fetchone()
    answer = offices.restarted().office.call("GET", f"/finance/contacts/{id}")
    assert answer.status_code == 503
    assert "Could not decode" in caplog.text
    assert "secret" not in caplog.text


def test_what_stands_in_the_log_when_damage_is_met_is_not_moved_into_the_file(offices: Damaged) -> None:
    torn = tear(offices.books)
    now = offices.restarted()
    now.office.ok("POST", "/finance/tax-rates", {"name": "Last", "rate": "7"})  # reads no invoice
    now.office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    router.close_all()
    assert offices.books.read_bytes() == torn
    assert offices.books.with_name(offices.books.name + "-wal").stat().st_size > 0


def test_damage_that_was_met_is_still_known_after_a_restart_and_forgotten_once_mended(offices: Damaged) -> None:
    whole = offices.books.read_bytes()
    tear(offices.books)
    offices.restarted().office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    offices.restarted().office.refused("GET", "/finance/accounts", status=503, code="unavailable")
    router.close_all()
    offices.books.write_bytes(whole)
    assert offices.restarted().office.ok("GET", "/finance/invoices")


@pytest.mark.parametrize("broken", ["zero length", "another's", "no database"])
@pytest.mark.parametrize("when", ["at a start", "at work"])
def test_a_file_that_is_not_the_workspaces_own_is_refused_and_nothing_is_made_of_it(
    offices: Damaged, broken: str, when: str
) -> None:
    """Reliability D10."""
    others = offices.books.with_name(f"{offices.other.workspace_id}.db").read_bytes()
    content = {"zero length": b"", "another's": others, "no database": b"no database " * 1000}[broken]
    now = offices.restarted() if when == "at work" else offices
    router.close_all()
    offices.books.write_bytes(content)
    now = now if when == "at work" else offices.restarted()
    now.office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    now.office.refused("POST", "/finance/contacts", {"kind": "customer", "name": "X"}, status=503, code="unavailable")
    control_path = now.installation.config.control_path
    with connections.looking(control_path) as connection:
        query = "SELECT fault FROM workspace WHERE id = ?"
        (reason,) = connection.execute(query, (now.office.workspace_id,)).fetchone()
    assert reason.startswith("Its file cannot be used: ")
    assert reason.endswith(".")
    assert now.other.ok("GET", "/finance/invoices")
    router.close_all()
    assert offices.books.read_bytes() == content
    assert {each.suffix for each in offices.books.parent.iterdir()} == {".db"}


def test_a_missing_file_is_not_recreated(offices: Damaged) -> None:
    offices.books.unlink()
    now = offices.restarted()
    now.office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    router.close_all()
    assert [each.stem for each in offices.books.parent.iterdir()] == [offices.other.workspace_id]


@pytest.fixture
def crashed(offices: Damaged, tmp_path: Path) -> Damaged:
    """The data directory as a killed server leaves it: the newest invoice stands in the write-ahead log alone."""
    now = offices.restarted()
    sell(now.office)
    with now.office.acting():
        chain_heads.note_written()
    folder = tmp_path / "crashed"
    shutil.copytree(offices.installation.config.data_dir, folder)
    router.close_all()
    other = Installation.__new__(Installation)
    other.config = type(offices.installation.config)(data_dir=folder)
    return Damaged(other, offices.office, offices.other)


def test_without_its_index_the_log_is_read_all_the_same(crashed: Damaged) -> None:
    crashed.books.with_name(crashed.books.name + "-shm").unlink()
    now = crashed.restarted()
    assert len(now.office.ok("GET", "/finance/invoices")) == 4
    assert now.office.ok("GET", "/workspace/events/verify")["isValid"]


@pytest.mark.parametrize("part", [0.99, 0.5, 0.0])
def test_a_log_that_is_cut_off_keeps_whole_changes_and_the_rest_is_known_to_be_missing(
    crashed: Damaged, part: float
) -> None:
    """Reliability D10."""
    log = crashed.books.with_name(crashed.books.name + "-wal")
    with log.open("r+b") as file:
        file.truncate(int(log.stat().st_size * part))
    before = {path.name: path.read_bytes() for path in crashed.books.parent.glob("*.db*") if path.suffix != ".db-shm"}
    assert checking.workspace_file(crashed.books, nobody_writes=True).problems == []
    now = crashed.restarted()
    now.office.refused("GET", "/finance/invoices", status=503, code="unavailable")
    assert now.other.ok("GET", "/finance/invoices")
    router.close_all()
    books = {name: content for name, content in before.items() if name.startswith(crashed.office.workspace_id)}
    assert {name: crashed.books.with_name(name).read_bytes() for name in books} == books
    assert {path.name for path in crashed.books.parent.iterdir() if path.suffix != ".db-shm"} <= before.keys()
