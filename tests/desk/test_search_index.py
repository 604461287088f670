"""The index of the search: it saves work and changes no answer, whatever has become of its file."""

import shutil
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from erp.desk import search as searching
from erp.store import connections, disk, engine, events, router, sql
from erp.store.router import INDEX, WORKSPACE
from erp.store.search import narrowing, words
from erp.store.search.words import State
from erp.system import upkeep
from tests.busy_offices import busy_office
from tests.conftest import Office, examples
from tests.desk.test_search import office, search, titles
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.projects.projects import plan
from tests.system.backups.backups import backup, file_of
from tests.system.transfer.exports import export
from tests.tasks.tasks import add

__all__ = ["office"]

Compared = dict[str, int | None]


@pytest.fixture(autouse=True)
def _small_offices_have_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "SMALL", 0)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Compared:
    """How many rows of each kind the last search has compared; None for all of them."""
    counts: Compared = {}
    rows = searching._rows

    def counting(source: Any, text: str, ids: Any) -> Any:
        counts[source.type] = None if ids is None else len(ids)
        return rows(source, text, ids)

    monkeypatch.setattr(searching, "_rows", counting)
    return counts


def workspace_file(person: Office) -> Path:
    return person.installation.config.workspaces_dir / f"{person.workspace_id}.db"


def index_file(person: Office) -> Path:
    return person.installation.config.search_dir / f"{person.workspace_id}.db"


def state(person: Office) -> State | None:
    with person.acting(), words.opened(index_file(person), write=False):
        return words.state()


def without_index(person: Office, text: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrowing, "SMALL", 1 << 60)
        return search(person, text)


def is_asked(person: Office, compared: Compared) -> bool:
    """Whether the index narrows what is compared: no one is called that."""
    assert search(person, "qqqqq") == []
    return set(compared.values()) == {0}


def test_only_what_can_have_the_words_is_compared(office: Office, compared: Compared) -> None:
    for number in range(100, 120):
        plan(office, f"Quay {number}", code=f"Q{number}")
    assert titles(office, "quay 107") == ["Quay 107"]
    assert compared["project"] == 1
    assert len(titles(office, "quay 10")) == 8
    assert compared["project"] == 20, "two letters are too few to be looked for"
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared == dict.fromkeys(compared, 0) | {"project": 1}


def test_a_number_is_looked_for_and_an_amount_is_compared(office: Office, compared: Compared) -> None:
    for _ in range(12):
        invoice(office)
    assert titles(office, "inv-12", "invoice") == ["INV-2026-00012"]
    assert compared["invoice"] == 1
    assert titles(office, "INV 12", "invoice") == ["INV-2026-00012"]
    assert titles(office, "5124.16", "invoice") == ["INV-2026-00001"]
    assert compared["invoice"] is None
    assert compared["task"] == 0, "tasks have no amounts"


def test_words_that_many_rows_have_are_compared(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "MOST_FOUND", 3)
    for number in range(4):
        customer(office, f"Globex {number}")
    assert titles(office, "globex") == [f"Globex {number}" for number in range(4)]
    assert compared["contact"] is None
    assert compared["project"] == 0


PIECES = (
    "Müller & Söhne",
    "Straßenbau",
    "GmbH",
    "Łódź",
    "Zoë",
    "Brandt",
    "façade",
    "Order 7",
    "Receivable",
    "INV-2026-00001",
    "PAY-2026-00001",
    "JE-2026-00002",
    "BRIDGE-1",
    "5.124,16",
    "124.16",
    "5 124",
    "2026",
    "100 % _",
    '"quoted"',
    "日本語の名前",
    "𝒳 😀😁😂",
    "R/4711",
    "EMP-0001",
)


def _texts(number: int, seed: int) -> list[str]:
    """Parts of what the records hold, in any order, case and number."""
    random = Random(seed)

    def part() -> str:
        piece = random.choice(PIECES)
        start = random.randrange(len(piece))
        cut = piece[start : start + random.randint(1, len(piece))]
        return random.choice((piece, cut, cut.upper(), sql.fold(cut), f" {cut}"))

    return [" ".join(part() for _ in range(random.choice((1, 1, 1, 2, 3, 9)))) for _ in range(number)]


def test_the_answer_is_the_same_with_the_index_and_without(office: Office, compared: Compared) -> None:
    named = customer(office, '日本語の名前 "quoted" 100 % _', email="zoe@example.com")["id"]
    invoice(office, "124.16", customerId=named, note="façade Order 7 — 5.124,16 𝒳 😀😁😂")
    plan(office, "INV-2026-00001", code="R4711", description="R/4711 Łódź")
    narrowed = found = 0
    for text in _texts(examples(400), seed=Random().randrange(1 << 30)):
        hits = search(office, text)
        narrowed += any(count is not None for count in compared.values())
        found += bool(hits)
        assert hits == without_index(office, text), text
    assert narrowed
    assert found


def test_a_record_is_found_as_it_is_now(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    globex = customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    office.ok("PATCH", f"/finance/contacts/{globex['id']}", {"name": "Initech"})
    assert titles(office, "globex") == []
    assert titles(office, "initech") == ["Initech"]
    office.ok("POST", f"/finance/contacts/{globex['id']}/archive", {})
    assert [hit["isArchived"] for hit in search(office, "initech")] == [True]
    office.ok("DELETE", f"/finance/contacts/{globex['id']}")
    assert titles(office, "initech") == []
    assert is_asked(office, compared)


def test_what_is_no_longer_there_leaves_the_index(office: Office, compared: Compared) -> None:
    task = add(office, "Paint the railings")
    assert titles(office, "railings") == ["Paint the railings"]
    office.ok("DELETE", f"/tasks/{task['id']}")
    assert search(office, "railings") == []
    assert compared["task"] == 0


def test_what_names_a_contact_is_found_by_its_new_name_at_once(office: Office, compared: Compared) -> None:
    assert [hit["type"] for hit in search(office, "söhne")] == ["contact", "invoice", "payment"]
    (contact,) = office.ok("GET", "/finance/contacts", params={"q": "söhne"})
    office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": "Initech"})
    assert [hit["type"] for hit in search(office, "initech")] == ["contact", "invoice", "payment"]
    assert compared == dict.fromkeys(compared, 0) | {"contact": 1, "invoice": 1, "payment": 1}
    assert titles(office, "söhne", "payment") == []
    assert compared["payment"] == 0


def test_the_log_tells_of_every_row_that_is_searched(installation: Any) -> None:
    """An index that begins empty at the first event and follows the log has what one that reads the tables has."""
    person = busy_office(installation)
    entry(person)
    path = index_file(person)
    with person.acting(), person.books():
        words.make(path)
        ((hash,),) = WORKSPACE.rows("SELECT hash FROM event WHERE seq = 1")
        form = narrowing._form(searching._SEARCHED, engine.schema_version(WORKSPACE))
        with words.opened(path, write=True):
            words.note(State(form, 1, hash, {}))
        assert narrowing.candidates(searching._SEARCHED, {"contact": [["qqqqq"]]}) == {"contact": []}
        for section, searched in enumerate(searching._SEARCHED):
            if searched.table != "account":  # the chart came with the first event
                rows = WORKSPACE.rows(searched.statement)
                assert rows, searched.table
                with words.opened(path, write=False):
                    for id, *texts in rows:
                        for word in " ".join(sql.fold(text) for text in texts if text).split():
                            if len(word) >= words.LETTERS:
                                assert id in (words.find(section, [[word]], 1000) or []), (searched.table, word)


def test_an_index_is_made_and_caught_up_in_steps_and_never_wrong_in_between(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "MOST_READ", 7)
    monkeypatch.setattr(narrowing, "MOST_EVENTS", 2)
    steps = 0
    while not is_asked(office, compared):
        steps += 1
        assert titles(office, "lodz") == ["Brücke in Łódź"]
        (contact,) = office.ok("GET", "/finance/contacts", params={"q": "söhne"})
        office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": f"Söhne {steps}"})
        assert titles(office, f"söhne {steps}", "contact") == [f"Söhne {steps}"]
    assert steps > 1
    for number in range(5):
        customer(office, f"Globex {number}")
    assert len(titles(office, "globex")) == 5
    assert set(compared.values()) == {None}, "some of the events are not read yet"
    for _ in range(8):
        invoice(office, customerId=contact["id"])
    while not is_asked(office, compared):
        pass
    assert len(titles(office, "globex")) == 5
    office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": "Initech"})
    assert [hit["type"] for hit in search(office, "initech")] == ["contact", *["invoice"] * 8, "payment"]
    assert compared["contact"] == 1
    assert compared["invoice"] is None, "so many rows are read in steps"
    while not is_asked(office, compared):
        pass
    assert len(titles(office, "initech", "invoice")) == 8
    assert compared["invoice"] == 9


def test_nothing_is_written_to_the_workspace_for_it(office: Office, compared: Compared) -> None:
    router.close_all()
    before = workspace_file(office).read_bytes()
    assert is_asked(office, compared)
    router.close_all()
    assert workspace_file(office).read_bytes() == before


def test_an_older_file_that_is_put_back_has_its_own_answers(office: Office, compared: Compared, tmp_path: Path) -> None:
    router.close_all()
    older = shutil.copy(workspace_file(office), tmp_path)
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    after = state(office)
    router.close_all()
    shutil.copy(older, workspace_file(office))
    assert titles(office, "globex") == []
    customer(office, "Initech")
    assert titles(office, "initech") == ["Initech"]
    assert compared["contact"] == 1
    now = state(office)
    assert after is not None
    assert now is not None
    assert now.seq == after.seq
    assert now.hash != after.hash
    for number in range(3):
        customer(office, f"Umbrella {number}")
    assert len(titles(office, "umbrella")) == 3


def test_a_workspace_that_is_restored_has_its_own_answers(office: Office, compared: Compared) -> None:
    name = backup(office)["name"]
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    office.ok("POST", f"/system/backups/{name}/restore", {"workspaceId": office.workspace_id})
    assert titles(office, "globex") == []
    customer(office, "Initech")
    assert titles(office, "initech") == ["Initech"]
    assert compared["contact"] == 1


def _overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xa5" * (len(content) - 100))


def _cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8192])


def _of_another_program(path: Path) -> None:
    path.unlink()
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("CREATE TABLE photo (x)")
        other.commit()


def _of_another_version(path: Path) -> None:
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("ALTER TABLE state DROP COLUMN unread")
        other.commit()


def _without_words(path: Path) -> None:
    with closing(connections.sqlite3.connect(str(path))) as other:
        other.execute("DROP TABLE word")
        other.commit()


@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_text("no database"),
        lambda path: shutil.rmtree(path.parent),
        _overwritten,
        _cut_off,
        _of_another_program,
        _of_another_version,
        _without_words,
    ],
)
def test_an_index_that_is_lost_or_spoiled_is_made_again(
    office: Office, compared: Compared, spoil: Callable[[Path], Any]
) -> None:
    assert is_asked(office, compared)
    router.close_all()
    spoil(index_file(office))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert titles(office, "muller", "payment") == ["PAY-2026-00001"]
    assert is_asked(office, compared)
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared["project"] == 1


def test_an_index_that_is_deleted_while_the_server_runs_is_made_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    for path in office.installation.config.search_dir.iterdir():
        path.unlink()
    customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    assert compared["contact"] == 1
    assert index_file(office).exists()


def test_the_index_of_another_workspace_is_not_believed(office: Office, stranger: Office, compared: Compared) -> None:
    customer(stranger, "Globex")
    assert titles(stranger, "globex") == ["Globex"]
    assert is_asked(office, compared)
    router.close_all()
    shutil.copy(index_file(stranger), index_file(office))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert titles(office, "globex") == []
    assert titles(stranger, "globex") == ["Globex"]


def test_another_version_of_the_program_makes_another_index(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_asked(office, compared)
    with monkeypatch.context() as patch:
        patch.setattr(sql, "fold", lambda text: "")
        patch.setattr(words, "VERSION", 0)
        narrowing._form.cache_clear()
        search(office, "lodz")
    narrowing._form.cache_clear()
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared["project"] == 1


def test_without_a_place_for_the_index_all_is_found(office: Office, compared: Compared) -> None:
    office.installation.config.search_dir.write_text("a file where the folder would be")
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert set(compared.values()) == {None}


def test_the_last_room_of_a_disk_is_left_to_the_books(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(disk, "free_space", lambda folder: disk.LOW_SPACE - 1)
        assert titles(office, "lodz") == ["Brücke in Łódź"]
        assert set(compared.values()) == {None}
        assert not index_file(office).exists()
    assert is_asked(office, compared)


def test_without_full_text_search_in_the_engine_all_is_found(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_TABLES", ("CREATE VIRTUAL TABLE word USING fts9 (text)",))
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert set(compared.values()) == {None}
    assert not index_file(office).exists()


def test_an_index_that_cannot_be_written_is_not_asked(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_asked(office, compared)
    customer(office, "Globex")

    def refuse(*_: Any) -> None:
        INDEX.run("PRAGMA query_only = 1")
        INDEX.run("DELETE FROM state")

    with monkeypatch.context() as patch:
        patch.setattr(words, "note", refuse)
        assert titles(office, "globex") == ["Globex"]
        assert set(compared.values()) == {None}
    router.close_all()
    assert is_asked(office, compared)
    assert titles(office, "globex") == ["Globex"]


def test_a_small_office_has_no_index(office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert not office.installation.config.search_dir.exists()


def test_people_who_write_and_search_at_once_find_what_they_wrote(office: Office) -> None:
    missed: list[Any] = []

    def work(name: str) -> None:
        for number in range(12):
            try:
                customer(office, f"{name} {number} Ltd")
                if titles(office, f"{name} {number} ltd") != [f"{name} {number} Ltd"]:
                    missed.append((name, number))
            except BaseException as problem:  # noqa: BLE001 - the test reports it
                missed.append(problem)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("Alder", "Birch", "Cedar", "Dogwood")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missed == []
    assert len(titles(office, "ltd", "contact")) == 8
    assert search(office, "alder 11") == without_index(office, "alder 11")


def test_who_reads_an_older_state_neither_asks_the_index_nor_makes_it_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    with office.books():
        events.tip()  # from here on, this reader sees what is there now

        def trade() -> None:
            customer(office, "Globex")
            assert titles(office, "globex") == ["Globex"]

        thread = threading.Thread(target=trade)
        thread.start()
        thread.join()
        newer = state(office)
        assert searching.search("globex") == []
        assert set(compared.values()) == {None}
        assert [hit.title for hit in searching.search("lodz")] == ["Brücke in Łódź"]
        assert state(office) == newer
    assert titles(office, "globex") == ["Globex"]
    assert compared["contact"] == 1


def test_an_index_is_in_no_backup_and_no_export(office: Office, compared: Compared, tmp_path: Path) -> None:
    assert is_asked(office, compared)
    files = {
        zipfile.ZipFile(file_of(office, backup(office)["name"])),
        zipfile.ZipFile(export(office, tmp_path / "x.zip")),
    }
    for archive in files:
        names = archive.namelist()
        assert f"{office.workspace_id}.db" in {Path(name).name for name in names}
        assert not [name for name in names if "search" in name]
    with office.books():
        assert not [part for part in engine.parts(WORKSPACE) if "word" in part]


def test_a_start_removes_the_index_of_a_workspace_that_is_gone(
    office: Office, stranger: Office, compared: Compared
) -> None:
    assert is_asked(office, compared)
    assert is_asked(stranger, compared)
    router.close_all()
    settings = office.installation.config
    (settings.search_dir / "gone.db").write_text("an index")
    (settings.search_dir / "gone.new").write_text("half an index")
    upkeep.prepare(settings)
    assert {path.stem for path in settings.search_dir.iterdir()} == {office.workspace_id, stranger.workspace_id}


def test_after_a_crash_every_index_is_made_again(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    router.close_all()
    upkeep.prepare(office.installation.config, after_crash=True)
    assert list(office.installation.config.search_dir.iterdir()) == []
    assert is_asked(office, compared)
