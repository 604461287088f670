"""`--all FOLDER`: a command for each of many installations."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.cli import main
from erp.kernel import config
from erp.store import router
from erp.store.connections import sqlite3
from erp.system.backups import backups
from tests.conftest import Installation, Office
from tests.docs.pages import blocks, page
from tests.test_durability import ENTRY


@pytest.fixture
def erp(capsys: pytest.CaptureFixture[str]):
    """Run a command: exit code, stdout and stderr."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        router.close_all()
        code = main([str(word) for word in words])
        router.close_all()
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for installations, with something else in it as well."""
    (tmp_path / "srv" / "lost+found").mkdir(parents=True)
    (tmp_path / "srv" / "notes.txt").write_text("none of them\n")
    return tmp_path / "srv"


def office(folder: Path, name: str) -> Office:
    made = Installation(folder / name).office("Olga")
    made.ok("POST", "/finance/journals", ENTRY)
    return made


def test_every_installation_is_checked_under_its_name(folder: Path, erp) -> None:
    for name in ("bolt", "acme"):
        office(folder, name)
    code, said, complaint = erp("check", "--all", folder)
    lines = said.splitlines()
    assert (code, complaint) == (0, "")
    assert [line for line in lines if line.endswith(":")] == ["acme:", "bolt:"]
    assert lines.count("All 2 files are sound.") == 2
    assert lines[-1] == "All 2 installations are done."


def test_the_others_are_checked_when_one_is_damaged_and_it_is_named(folder: Path, erp, spoil) -> None:
    spoil(office(folder, "acme"))
    office(folder, "bolt")
    (folder / "crane").mkdir()
    (folder / "crane" / "erp.toml").write_text("prot = 8421\n")
    office(folder, "drill")
    code, said, complaint = erp("check", "--all", folder)
    assert code == 1
    assert said.count("All 2 files are sound.") == 2
    assert "NOT SOUND" in said.partition("bolt:")[0]
    assert f"erp: {folder / 'crane' / 'erp.toml'}: there is no option 'prot'." in complaint
    assert complaint.splitlines()[-1] == "erp: 2 of 4 installations failed: acme, crane."


def test_each_backup_goes_to_the_place_of_its_installation(folder: Path, erp, tmp_path: Path) -> None:
    for name in ("acme", "bolt"):
        office(folder, name)
    assert erp("backup", "--all", folder)[0] == 0
    assert erp("backup", "--all", folder, "--to", tmp_path / "stick")[0] == 0
    made = [path.relative_to(tmp_path).parent.as_posix() for path in sorted(tmp_path.rglob("erp-*.zip"))]
    assert made == ["srv/acme/backups", "srv/bolt/backups", "stick/acme", "stick/bolt"]
    for name in ("acme", "bolt"):
        (backup,) = (tmp_path / "stick" / name).iterdir()
        assert erp("restore", backup, "--data-dir", tmp_path / f"tried-{name}")[0] == 0
        assert erp("check", "--data-dir", tmp_path / f"tried-{name}")[0] == 0


def test_an_installation_whose_control_file_is_lost_is_not_passed_over(folder: Path, erp) -> None:
    office(folder, "acme").installation.config.control_path.unlink()
    code, said, complaint = erp("backup", "--all", folder)
    assert (code, said) == (1, "acme:\n")
    assert complaint.splitlines()[-1] == "erp: 1 of 1 installations failed: acme."


def test_a_folder_that_cannot_be_read_is_a_failure_of_its_own(folder: Path, erp, monkeypatch) -> None:
    """Neither passed over nor the end of the others; root reads everything, so the refusal is made up."""
    office(folder, "bolt & sons")
    (folder / "acme").mkdir()
    listed = Path.iterdir

    def refuse(path: Path):
        if path.name in {"acme", "lost+found"}:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    code, said, complaint = erp("check", "--all", folder)
    assert (code, said.splitlines()[:2]) == (1, ["acme:", "bolt & sons:"])
    assert "All 2 files are sound." in said
    assert complaint.splitlines()[-1] == "erp: 1 of 2 installations failed: acme."


def test_a_link_to_a_disk_that_is_not_there_is_a_failure(folder: Path, erp, tmp_path: Path) -> None:
    office(folder, "acme")
    (folder / "bolt").symlink_to(tmp_path / "not mounted")
    code, _, complaint = erp("check", "--all", folder)
    assert (code, complaint.splitlines()[-1]) == (1, "erp: 1 of 2 installations failed: bolt.")


def test_a_bug_that_one_meets_does_not_stop_the_others(folder: Path, erp, monkeypatch) -> None:
    for name in ("acme", "bolt"):
        office(folder, name)
    made = backups.make

    def fail_once(*arguments):
        monkeypatch.setattr(backups, "make", made)
        raise ZeroDivisionError

    monkeypatch.setattr(backups, "make", fail_once)
    code, said, complaint = erp("backup", "--all", folder)
    assert (code, said.count("verified")) == (1, 1)
    assert "ZeroDivisionError" in complaint
    assert complaint.splitlines()[-1] == "erp: 1 of 2 installations failed: acme."


def test_settings_of_the_usual_data_folder_do_not_matter(folder: Path, erp, monkeypatch, tmp_path: Path) -> None:
    office(folder, "acme")
    monkeypatch.setattr(config, "default_data_dir", lambda: tmp_path)
    (tmp_path / "erp.toml").write_text("prot = 8421\n")
    assert erp("check", "--all", folder)[0] == 0
    assert erp("check")[0] == 2


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("--all", "{folder}", "--data-dir", "{folder}/acme"), 2, "leave one of them out"),
        (("--all", "{folder}/acme"), 2, "is the data folder of one installation: name it with --data-dir"),
        (("--all", "{folder}/lost+found"), 1, "is the data folder of an installation"),
        (("--all", "{folder}/missing"), 1, "missing cannot be used (no such file or directory)"),
    ],
)
@pytest.mark.parametrize("command", ["check", "backup"])
def test_a_wrong_folder_is_told(
    folder: Path, erp, command: str, words: tuple[str, ...], code: int, reason: str
) -> None:
    office(folder, "acme")
    answer = erp(command, *(word.format(folder=folder) for word in words))
    assert answer[:2] == (code, "")
    assert reason in answer[2]


def test_backups_do_not_go_among_the_installations(folder: Path, erp) -> None:
    office(folder, "acme")
    code, said, complaint = erp("backup", "--all", folder, "--to", folder / "backups")
    assert (code, said) == (2, "")
    assert "choose a folder for backups elsewhere" in complaint


def test_the_folder_that_the_environment_names_does_not_matter(
    folder: Path, erp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    office(folder, "acme")
    monkeypatch.setenv("ERP_DATA_DIR", str(tmp_path / "elsewhere"))
    code, said, _ = erp("check", "--all", folder)
    assert (code, said.splitlines()[0]) == (0, "acme:")
    assert said.splitlines()[-1] == "The only installation is done."


def events(data_dir: Path, workspace_id: str) -> list[tuple[int, str]]:
    """The numbers and hashes of a workspace's events, from the file itself."""
    with closing(sqlite3.connect(data_dir / "workspaces" / f"{workspace_id}.db")) as file:
        return list(file.execute("SELECT seq, hash FROM event ORDER BY seq"))


def test_a_workspace_moves_as_the_documentation_says_and_keeps_its_history(folder: Path, erp, tmp_path: Path) -> None:
    moving, _ = office(folder, "acme"), office(folder, "bolt")
    router.close_all()
    before = events(folder / "acme", moving.workspace_id)
    places = {
        "/srv/erp/acme.zip": str(tmp_path / "acme.zip"),
        "/srv/erp": str(folder),
        " ID ": f" {moving.workspace_id} ",
    }
    (lines,) = blocks(page("growing"), "move")
    for printed, here in places.items():
        assert printed in lines
        lines = lines.replace(printed, here)
    for line in lines.splitlines():
        code, _, complaint = erp(*line.removeprefix("sudo -u erp erp ").split())
        assert (code, complaint) == (0, "")
    after = events(folder / "bolt", moving.workspace_id)
    assert len(before) > 1
    assert after[: len(before)] == before
    assert erp("check", "--all", folder)[0] == 0
