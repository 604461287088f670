"""`erp backup` and `erp restore` at the command line."""

import shutil
from contextlib import ExitStack

import pytest

from erp.cli import main
from erp.runtime import instance
from erp.store import files, router
from tests.system.backups.backups import back_again, backup, contents_of, figures, file_of, restarted, rewritten, trade


@pytest.fixture
def erp(acme, capsys):
    """Run a command on Olga's data directory: exit code, stdout and stderr."""

    def run(*words):
        code = main([*map(str, words), "--data-dir", str(acme.installation.config.data_dir)])
        return code, *capsys.readouterr()

    return run


def test_a_backup_is_made_beside_a_running_server_and_its_path_is_printed(acme, erp):
    trade(acme)
    instance.prepare(acme.installation.config)
    with instance.hold(acme.installation.config):
        code, said, complaint = erp("backup")
    assert (code, complaint) == (0, "")
    (name,) = contents_of(acme)
    assert said.startswith(str(acme.installation.config.backups_dir / name))
    assert "workspaces: 1; verified" in said
    assert figures(acme)


def test_a_backup_can_go_to_another_folder(acme, erp, tmp_path):
    code, said, _ = erp("backup", "--to", tmp_path / "stick")
    assert code == 0
    (backup_file,) = (tmp_path / "stick").iterdir()
    assert said.startswith(str(backup_file))
    assert contents_of(acme) == set()


def test_other_files_in_that_folder_are_not_touched(acme, erp, tmp_path):
    (tmp_path / "stick" / ".work-shop").mkdir(parents=True)
    (tmp_path / "stick" / "other.zip.part").write_text("")
    assert erp("backup", "--to", tmp_path / "stick")[0] == 0
    assert len(list((tmp_path / "stick").iterdir())) == 3


def test_a_backup_without_one_of_the_workspaces_fails_and_names_it(acme, stranger, erp, spoil):
    spoil(stranger)
    code, said, complaint = erp("backup")
    assert code == 1
    assert ".zip" in said
    assert "Sam's office" in complaint
    assert stranger.workspace_id in complaint


def test_a_folder_without_data_cannot_be_backed_up(tmp_path, capsys):
    assert main(["backup", "--data-dir", str(tmp_path / "none")]) == 1
    assert "holds no data" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_without_a_server_a_restore_is_done_at_once(acme, erp):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    trade(acme)
    router.close_all()
    code, said, _ = erp("restore", name)
    assert code == 0
    assert "It has been restored." in said
    assert figures(back_again(restarted(acme.installation.config.data_dir), acme)) == then


def test_beside_a_running_server_a_restore_waits_for_the_next_start(acme, erp):
    name = backup(acme)["name"]
    trade(acme)
    now = figures(acme)
    instance.prepare(acme.installation.config)
    with instance.hold(acme.installation.config):
        code, said, _ = erp("restore", name)
        assert code == 0
        assert "Stop it and start it again" in said
        assert figures(acme) == now
    assert figures(back_again(restarted(acme.installation.config.data_dir), acme)) != now


def test_a_backup_file_can_be_restored_to_an_empty_folder(acme, tmp_path, capsys):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    saved = shutil.copy(acme.installation.config.backups_dir / name, tmp_path / "saved here.zip")
    new = tmp_path / "new home"
    assert main(["restore", str(saved), "--data-dir", str(new)]) == 0
    assert figures(back_again(restarted(new), acme)) == then
    assert not (new / "replaced").exists() or not any((new / "replaced").rglob("*.db"))


def test_a_backup_that_does_not_exist_is_refused_and_nothing_is_created(tmp_path, capsys):
    new = tmp_path / "new home"
    assert main(["restore", "nope.zip", "--data-dir", str(new)]) == 1
    message = f"erp: There is no file nope.zip, and no backup of that name in {new / 'backups'}.\n"
    assert capsys.readouterr() == ("", message)
    assert not new.exists()


@pytest.mark.parametrize("content", [b"", b"no backup", None])
def test_a_file_that_cannot_be_restored_is_refused_in_one_line(acme, erp, tmp_path, content):
    before = figures(acme)
    if content is not None:
        (tmp_path / "x.zip").write_bytes(content)
    router.close_all()
    code, said, complaint = erp("restore", tmp_path / "x.zip")
    assert (code, said) == (1, "")
    assert complaint.startswith("erp: ")
    assert complaint.count("\n") == 1
    assert figures(acme) == before


def test_nothing_else_opens_the_data_while_a_backup_is_being_restored(acme, erp):
    settings = acme.installation.config
    (settings.data_dir / "restore" / "applying-2026").mkdir(parents=True)
    instance.prepare(settings)
    with files.locked(settings.data_dir / "erp.lock"):
        code, _, complaint = erp("user", "list")
    assert code == 1
    assert "A backup is being restored." in complaint


def test_a_backup_waits_until_another_has_finished(acme, erp, monkeypatch):
    backup(acme)
    with ExitStack() as other:
        other.enter_context(files.locked(acme.installation.config.backups_dir / ".lock"))
        monkeypatch.setattr("erp.commands.backups.time.sleep", lambda _: other.close())
        code, said, complaint = erp("backup")
    assert (code, complaint) == (0, "erp: Another backup or restore is under way. Waiting until it has finished.\n")
    assert "verified" in said


def test_a_backup_does_not_wait_for_ever(acme, erp, monkeypatch):
    monkeypatch.setattr("erp.commands.backups.PATIENCE", 0)
    backup(acme)
    with files.locked(acme.installation.config.backups_dir / ".lock"):
        code, said, complaint = erp("backup")
    assert (code, said) == (1, "")
    assert complaint == "erp: Another backup or restore is under way. Try again when it has finished.\n"


def test_a_start_during_a_backup_fails_and_restores_nothing(acme, erp):
    name = backup(acme)["name"]
    instance.prepare(acme.installation.config)
    with instance.hold(acme.installation.config):
        assert erp("restore", name)[0] == 0
    with files.locked(acme.installation.config.backups_dir / ".lock"):
        code, _, complaint = erp("user", "list")
    assert (code, "under way" in complaint) == (1, True)
    assert erp("user", "list")[0] == 0
    assert (acme.installation.config.data_dir / "replaced").exists()


def test_nothing_in_a_backup_from_elsewhere_commands_the_terminal(acme, erp):
    made = file_of(acme, backup(acme)["name"])
    evil = {"workspaceId": "\x1b[1m", "workspaceName": "\x1b[2m", "reason": "\x1b]0;evil\x07"}
    rewritten(made, made.with_name("skips.zip"), lambda manifest: manifest["skipped"].append(evil))
    rewritten(made, made.with_name("newer.zip"), lambda manifest: manifest.update(format=2, program="\x1b[3m"))
    code, said, complaint = erp("restore", "skips.zip")
    assert (code, "\x1b" in said + complaint, "evil" in complaint) == (0, False, True)
    code, said, complaint = erp("restore", "newer.zip")
    assert (code, "\x1b" in said + complaint, "Use that version to read it" in complaint) == (1, False, True)


def test_one_workspace_goes_back_alone_while_no_server_runs(acme, stranger, erp, spoil):
    trade(acme)
    then = figures(acme)["balances"]
    name = backup(acme)["name"]
    trade(acme)
    trade(stranger)
    others = figures(stranger)
    instance.prepare(acme.installation.config)
    with instance.hold(acme.installation.config):
        code, _, complaint = erp("restore", name, "--workspace", acme.workspace_id)
        assert (code, "already running" in complaint) == (1, True)
    for damage in (lambda: None, lambda: spoil(acme)):
        damage()
        code, said, _ = erp("restore", name, "--workspace", acme.workspace_id)
        assert code == 0, said
        assert "The workspace has been restored." in said
        assert (figures(acme)["balances"], figures(stranger)) == (then, others)
    newest = acme.ok("GET", "/workspace/events")[0]
    assert (newest["type"], newest["actor"]["name"]) == ("workspace.restored", "erp command line")


def test_a_restore_says_where_the_previous_data_is(acme, erp):
    name = backup(acme)["name"]
    code, said, complaint = erp("restore", name)
    (aside,) = (acme.installation.config.data_dir / "replaced").iterdir()
    assert (code, complaint) == (0, "")
    assert f"The previous data is in {aside}." in said
    assert (aside / "control.db").exists()
