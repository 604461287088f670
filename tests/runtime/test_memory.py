"""What a server keeps of its memory, and what it never loads."""

import gc
import importlib
import subprocess
import sys
import weakref
from importlib.util import find_spec
from pathlib import Path

import pytest

from erp.runtime import memory

MEASURED = """
from pathlib import Path
from threading import Barrier, Thread
from erp.runtime import memory

def mebibytes(name="VmRSS"):
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024

memory.keep_little()
"""
HASHING = """
from erp.auth.passwords import hash_password

before = mebibytes()
for _ in range(4):
    hash_password("correct horse battery")
print(mebibytes() - before)
"""
FREEING = """
before = mebibytes()
blocks = [bytes(100_000) for _ in range(500)]
kept = bytes(100_000)
del blocks
memory.return_free_blocks()
print(mebibytes() - before)
"""
THREADS = """
before, together = mebibytes("VmSize"), Barrier(8)

def work():
    together.wait(10)
    block = bytes(100_000)
    together.wait(10)

threads = [Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(mebibytes("VmSize") - before)
"""


def measured(script: str) -> float:
    """The MiB that a script tells, run with the allocator as the server sets it."""
    done = subprocess.run([sys.executable, "-c", MEASURED + script], capture_output=True, text=True, check=True)
    return float(done.stdout)


class Knot:
    """Something that only the search for garbage can free."""

    def __init__(self) -> None:
        self.itself = self


def test_no_garbage_is_searched_while_the_program_starts_and_again_afterwards() -> None:
    with memory.starting():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_start_that_fails_searches_for_garbage_again() -> None:
    with pytest.raises(OSError, match="no port"), memory.starting():
        raise OSError("no port is free")
    assert gc.isenabled()


def test_what_a_start_has_left_is_not_searched_again_but_what_comes_later_is() -> None:
    with memory.starting():
        before = weakref.ref(Knot())
    later = weakref.ref(Knot())
    gc.collect()
    assert before() is not None
    assert later() is None
    gc.unfreeze()
    gc.collect()
    assert before() is None


needs_figures = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="this system does not tell how much is used"
)


@needs_figures
def test_hashed_passwords_leave_no_memory_behind() -> None:
    """A hash takes 19 MiB."""
    assert measured(HASHING) < 10


@needs_figures
def test_free_blocks_go_back_to_the_system_even_below_one_that_is_kept() -> None:
    """The blocks take 48 MiB."""
    assert measured(FREEING) < 10


@needs_figures
def test_threads_share_one_heap() -> None:
    """Glibc would reserve 64 MiB of addresses for each; their stacks take 8."""
    assert measured(THREADS) < 8 * 20


def test_a_library_is_imported_without_a_module_that_it_names_but_does_not_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_library.py").write_text("import unused_part\nKind = unused_part.Kind\n")
    (tmp_path / "unused_part.py").write_text("class Kind: ...\nIS_REAL = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with memory.without("unused_part"):
        a_library = importlib.import_module("a_library")
    assert isinstance(a_library.Kind, type)
    assert "unused_part" not in sys.modules
    assert importlib.import_module("unused_part").IS_REAL


def test_a_library_is_imported_as_if_another_were_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_chooser.py").write_text("try:\n    import a_driver\nexcept ImportError:\n    a_driver = None\n")
    (tmp_path / "a_driver.py").write_text("IS_REAL = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with memory.hidden("a_driver"):
        chooser = importlib.import_module("a_chooser")
    assert chooser.a_driver is None
    assert importlib.import_module("a_driver").IS_REAL


def test_a_module_that_is_loaded_already_stays() -> None:
    with memory.without("gc"), memory.hidden("gc"):
        assert sys.modules["gc"] is gc
    assert sys.modules["gc"] is gc


SERVES_ONE_FEATURE = {
    *(
        "apispec",
        "arabic_reshaper",
        "cryptography",
        "dateutil",
        "fontTools",
        "fpdf",
        "holidays",
        "ifaddr",
        "icalendar",
        "offapi",
        "python_calamine",
        "segno",
        "stdnum",
        "zeroconf",
        "zxcvbn",
    ),
    *("asyncio", "email", "html", "multiprocessing", "platformdirs", "ssl", "tomllib", "unittest"),
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The libraries that a server has loaded when it is ready."""
    folder = tmp_path_factory.mktemp("office")
    command = [sys.executable, "-X", "importtime", "-m", "erp", "serve", "--no-browser", "--port", "0"]
    with (
        (folder / "imported").open("wb") as imported,
        subprocess.Popen([*command, "--data-dir", str(folder)], stdout=subprocess.PIPE, stderr=imported) as server,
    ):
        assert server.stdout
        assert server.stdout.readline().startswith(b"erp is ready at ")
        server.terminate()
    lines = (folder / "imported").read_text("utf-8").splitlines()
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_a_server_is_ready_without_the_libraries_that_serve_one_feature(loaded: set[str]) -> None:
    assert {"erp", "falcon", "peewee"} <= loaded
    assert loaded & SERVES_ONE_FEATURE == set()


@pytest.mark.skipif(find_spec("pysqlite3") is None, reason="here Python's own SQLite serves")
def test_a_server_has_one_sqlite(loaded: set[str]) -> None:
    assert loaded & {"_sqlite3", "pysqlite3"} == {"pysqlite3"}
