"""Workspaces at the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

from erp.cli import main
from erp.runtime import instance
from erp.store import control, router
from erp.store.control import Workspace
from tests.conftest import Installation, Office
from tests.paths import ROOT
from tests.servers import running
from tests.system.transfer.exports import at_the_command_line, export, register


@pytest.fixture
def erp(capsys: pytest.CaptureFixture[str]):
    """Run `erp workspace` on an installation: exit code, stdout and stderr."""

    def run(installation: Installation, *words: str) -> tuple[int, str, str]:
        router.close_all()
        code = main(["workspace", *words, "--data-dir", str(installation.config.data_dir)])
        return code, *capsys.readouterr()

    return run


def test_every_workspace_is_listed_with_its_status(acme: Office, erp, clock_at) -> None:
    acme.colleague("member")
    other = acme.installation.office("Sam")
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    code, said, complaint = erp(acme.installation, "list")
    assert (code, complaint) == (0, "")
    lines = [line.split("\t") for line in said.splitlines()]
    assert [line[:4] for line in lines] == [
        [acme.workspace_id, "Olga's office", "archived", "2 members"],
        [other.workspace_id, "Sam's office", "active", "1 member"],
    ]
    assert [line[4][-3:] for line in lines] == [" MB", " MB"]
    assert lines[0][5] == acme.ok("GET", "/workspace/events")[0]["occurredAt"][:10]


def test_a_damaged_workspace_is_listed_with_its_damage(acme: Office, erp, spoil) -> None:
    spoil(acme)
    code, said, _ = erp(acme.installation, "list")
    assert code == 0
    assert "\tunavailable: Its file cannot be used" in said
    code, said, complaint = erp(acme.installation, "export", acme.workspace_id)
    assert (code, said) == (1, "")
    assert complaint.startswith("erp: The workspace Olga's office is unavailable. Its file cannot be used")


def test_a_workspace_moves_by_two_commands(acme: Office, erp, tmp_path: Path) -> None:
    acme.colleague("member")
    elsewhere = Installation(tmp_path / "elsewhere")
    there = register(elsewhere, acme.email, "Olga Ohm")
    code, said, _ = erp(acme.installation, "export", acme.workspace_id, "--to", str(tmp_path / "acme.zip"))
    message = f"The workspace has been exported to {tmp_path / 'acme.zip'}"
    assert (code, said.splitlines()[0].split(". ")[0]) == (0, message)
    code, said, complaint = erp(elsewhere, "import", str(tmp_path / "acme.zip"))
    assert (code, complaint) == (0, "")
    assert said.splitlines() == [
        f"Olga's office has been imported as {acme.workspace_id}. Its members are:",
        f"{acme.email}\tOlga Ohm\towner\tactive",
        "These people are not members, because no user here has their e-mail address; its history names them:",
        "member2@example.com\tMember",
    ]
    there.select(acme.workspace_id)
    code, said, complaint = erp(elsewhere, "import", str(tmp_path / "acme.zip"))
    assert (code, said) == (1, "")
    assert complaint.startswith("erp: This workspace is here already, as Olga's office.")


def test_an_export_is_written_to_the_current_folder_by_default(
    acme: Office, erp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert erp(acme.installation, "export", acme.workspace_id)[0] == 0
    (file,) = (tmp_path / "here").iterdir()
    assert file.name.startswith("olga-s-office-20")


def test_a_copy_can_be_given_a_name(acme: Office, erp) -> None:
    code, said, _ = erp(acme.installation, "duplicate", acme.workspace_id, "--name", "Try it")
    assert code == 0
    assert said.startswith("Try it has been created as ")
    with at_the_command_line(acme.installation), control.read():
        assert sorted(row.name for row in Workspace.select()) == ["Olga's office", "Try it"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["export", "1234"], "There is no workspace 1234. List them all with `erp workspace list`."),
        (["duplicate", "1234"], "There is no workspace 1234. List them all with `erp workspace list`."),
        (["import", __file__], "test_workspaces.py is damaged or not a backup"),
        (["import", "nowhere.zip"], "There is no file "),
    ],
)
def test_a_failed_command_ends_with_one_and_one_line_of_explanation(
    acme: Office, erp, words: list[str], complaint: str
) -> None:
    code, stdout, stderr = erp(acme.installation, *words)
    assert (code, stdout) == (1, "")
    assert complaint in stderr
    assert stderr.count("\n") == 1


def test_workspaces_come_and_go_while_the_server_runs(acme: Office, tmp_path: Path) -> None:
    """Another process imports it; the server sees the new workspace at once."""

    def run(*words: str) -> str:
        data_dir = str(acme.installation.config.data_dir)
        command = [sys.executable, "-m", "erp", "workspace", *words, "--data-dir", data_dir]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout

    elsewhere = Installation(tmp_path / "elsewhere")
    theirs = elsewhere.office("Olga")
    assert theirs.email == acme.email
    instance.prepare(acme.installation.config)
    with instance.hold(acme.installation.config), running(acme.installation.config, acme.installation.app):
        run("export", acme.workspace_id, "--to", str(tmp_path))
        run("import", str(export(theirs, tmp_path / "theirs.zip")))
        run("duplicate", acme.workspace_id)
        names = [workspace["name"] for workspace in acme.ok("GET", "/workspace")]
        assert names == ["Olga's office", "Olga's office", "Olga's office (sandbox)"]
        acme.select(theirs.workspace_id)
        acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Initech"})
