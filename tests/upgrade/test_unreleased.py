"""Data that this version does not know is left as it is, and called what it is."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from erp.cli import main
from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import WORKSPACE_SCHEMA, SchemaProblem, migrate
from erp.store import connections
from erp.system import upkeep
from erp.system.backups import archive, backups
from tests.busy_offices import CONTROL_STEPS, WORKSPACE_STEPS, signed_in
from tests.conftest import Installation, Office
from tests.upgrade.upgrades import CONTROL_VERSION, WORKSPACE_VERSION, contents, file_of

UNRELEASED = "ALTER TABLE contact ADD COLUMN colour TEXT"
"""What an unreleased version might have done in a step of its own."""

DEVELOPMENT = "PRAGMA user_version = 37"
"""How many steps files had taken before there were releases."""


@pytest.fixture
def older_office(office: Office, newer_program: Callable[..., None]) -> Path:
    """The data folder of an office, before the program that knows more steps has opened it."""
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    return office.installation.config.data_dir


def books_of(folder: Path) -> Path:
    (path,) = (folder / "workspaces").glob("*.db")
    return path


def altered(path: Path, statement: str) -> bytes:
    with closing(connections.sqlite3.connect(path)) as file:
        file.execute(statement)
        file.commit()
    return path.read_bytes()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (UNRELEASED, "an unreleased version of erp wrote it, or another program changed it: its table contact is not"),
        ("PRAGMA user_version = 0", "an unreleased version of erp wrote it (schema 0)"),
        (DEVELOPMENT, "an unreleased version of erp wrote it (schema 37). Only the version that wrote it can open it"),
        ("PRAGMA user_version = 999", "it was written by a newer version of erp (schema 999; this is erp"),
    ],
)
def test_a_workspace_of_a_schema_that_this_version_does_not_know_is_said_to_be_so_and_is_left_as_it_is(
    older_office: Path, caplog: pytest.LogCaptureFixture, statement: str, words: str
) -> None:
    before = altered(books_of(older_office), statement)
    Installation(older_office)
    assert words in caplog.text
    assert "damaged" not in caplog.text
    assert "restore" not in caplog.text, "a backup would be of no help"
    assert books_of(older_office).read_bytes() == before


@pytest.mark.parametrize("statement", ["ALTER TABLE user ADD COLUMN colour TEXT", "PRAGMA user_version = 7"])
def test_a_control_file_of_an_unreleased_schema_stops_the_start_in_words(older_office: Path, statement: str) -> None:
    before = altered(older_office / "control.db", statement)
    with pytest.raises(SchemaProblem, match=r"control\.db cannot be used: an unreleased version of erp wrote it"):
        upkeep.prepare(Config(data_dir=older_office))
    assert (older_office / "control.db").read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (UNRELEASED, "An unreleased version of this program, or another program, has changed its table contact."),
        (DEVELOPMENT, "It was written by an unreleased version of this program (schema 37)."),
        ("PRAGMA user_version = 999", "It was written by a newer version of this program (schema 999; this one knows"),
    ],
)
def test_the_check_says_which_version_wrote_a_file_and_not_that_it_is_damaged(
    older_office: Path, capsys: pytest.CaptureFixture[str], statement: str, words: str
) -> None:
    altered(books_of(older_office), statement)
    assert main(["check", "--data-dir", str(older_office)]) == 1
    said = capsys.readouterr().out
    assert words in said
    assert "damaged" not in said
    assert "last good backup" not in said


def test_the_check_says_that_older_data_is_older_and_sound(
    older_office: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--data-dir", str(older_office)]) == 0
    schemas = f"schema {WORKSPACE_VERSION} of {WORKSPACE_SCHEMA.version}"
    assert f"sound ({schemas}: the next start brings it up to date" in capsys.readouterr().out


def test_a_backup_of_an_unreleased_schema_is_not_restored_and_not_called_damaged(
    older_office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with config.use(Config(data_dir=older_office)):
        manifest = archive.read_manifest(backups.make("manual").path)
    altered(books_of(older_office), UNRELEASED)
    replace = msgspec.structs.replace
    entries = [
        replace(entry, size=path.stat().st_size, sha256=archive.sha256(path))
        for entry in manifest.files
        for path in [older_office / entry.name]
    ]
    archive.write(tmp_path / "backup.zip", replace(manifest, files=entries), older_office)
    assert main(["restore", str(tmp_path / "backup.zip"), "--data-dir", str(tmp_path / "new")]) == 1
    complaint = capsys.readouterr().err
    assert "An unreleased version of this program, or another program, has changed its table contact." in complaint
    assert "damaged" not in complaint


def test_an_older_program_refuses_a_newer_control_file_and_changes_no_byte(
    office: Office, newer_program: Callable[..., None]
) -> None:
    newer_program(WORKSPACE_STEPS, CONTROL_STEPS)
    upkeep.prepare(office.installation.config)
    office.installation.config.data_dir.chmod(0o700)
    before = contents(office.installation.config.data_dir)
    words = [sys.executable, "-m", "erp", "serve", "--no-browser", "--port", "0"]
    words += ["--data-dir", str(office.installation.config.data_dir)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stdout) == (1, "")
    newer = f"(schema {CONTROL_VERSION + len(CONTROL_STEPS)}; this is erp"
    assert f"control.db cannot be used: it was written by a newer version of erp {newer}" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert contents(office.installation.config.data_dir) == before


def test_a_single_workspace_from_a_newer_program_is_unavailable_and_keeps_every_byte(
    office: Office, newer_program: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    other = office.installation.office("Sam")
    newer_program(WORKSPACE_STEPS)
    with closing(connections.connect(file_of(other))) as file:
        migrate(file, WORKSPACE_SCHEMA)
    newer_program()
    before = contents(office.installation.config.workspaces_dir)[file_of(other).name]
    restarted = Installation(office.installation.config.data_dir)
    for verb, path in (("GET", "/finance/accounts"), ("POST", "/finance/journals")):
        answer = restarted.call(
            verb, path, {} if verb == "POST" else None, headers={"Authorization": f"Bearer {other.token}"}
        )
        assert answer.status_code == 503
    assert contents(restarted.config.workspaces_dir)[file_of(other).name] == before
    newer = WORKSPACE_VERSION + len(WORKSPACE_STEPS)
    assert f"written by a newer version of erp (schema {newer}" in caplog.text
    mine = signed_in(restarted, office.email, office.workspace_id)
    assert mine.ok("GET", "/finance/reports/balance-sheet")["isBalanced"] is True
