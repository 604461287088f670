import io
import json
import logging
from types import SimpleNamespace

import pytest

from erp import __version__
from erp.cli import main
from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.runtime import instance
from erp.store import control
from erp.store.connections import sqlite3
from erp.store.control import Workspace


@pytest.fixture
def erp(tmp_path, monkeypatch, capsys):
    """Run a command on its own data folder: exit code, stdout and stderr."""

    def run(*words, typed="", stdin=None):
        monkeypatch.setattr("sys.stdin", stdin or io.StringIO(typed))
        code = main([*words, "--data-dir", str(tmp_path / "data")])
        return code, *capsys.readouterr()

    return run


def test_the_version_command_shows_program_python_and_database(erp, capsys):
    code, said, complaint = erp("version")
    assert (code, complaint) == (0, "")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == said
    assert said.startswith(f"erp {__version__} (Python 3.")
    assert said.endswith(f"SQLite {sqlite3.sqlite_version})\n")


def test_the_openapi_document_can_be_printed(erp):
    code, said, _ = erp("openapi")
    assert code == 0
    assert json.loads(said)["openapi"].startswith("3.1")


@pytest.mark.parametrize("words", [["dance"], ["user"], ["user", "create"], ["--colour"], ["serve", "--threads"]])
def test_wrong_usage_ends_with_two(erp, words):
    with pytest.raises(SystemExit) as ended:
        erp(*words)
    assert ended.value.code == 2


@pytest.mark.parametrize("words", [["--help"], ["serve", "--help"], ["user", "--help"], ["user", "create", "--help"]])
def test_every_command_explains_itself(erp, words):
    with pytest.raises(SystemExit) as ended:
        erp(*words)
    assert ended.value.code == 0


def test_the_help_says_where_settings_can_be_written(erp, capsys):
    with pytest.raises(SystemExit):
        erp("serve", "--help")
    assert "a line of erp.toml" in " ".join(capsys.readouterr().out.split())


def test_a_folder_that_cannot_be_used_is_reported_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["user", "list", "--data-dir", str(tmp_path / "file")]) == 1
    said, complaint = capsys.readouterr()
    assert said == ""
    assert complaint.startswith("erp: ")
    assert "a file is in its place" in complaint
    assert complaint.count("\n") == 1


def test_an_error_of_the_operating_system_is_reported_without_its_number(erp, tmp_path):
    erp("user", "create", "ann@example.com", typed="correct horse battery\n")
    (tmp_path / "stick").write_text("")
    _, said, complaint = erp("backup", "--to", str(tmp_path / "stick"))
    assert (said, complaint) == ("", f"erp: {tmp_path / 'stick'} cannot be used (file exists).\n")


def test_a_warning_during_a_command_is_printed_like_its_other_messages(erp, monkeypatch, capsys):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])

    def warn():
        logging.getLogger("erp.trial").warning("nearly full")
        return True

    monkeypatch.setattr("erp.selftest.probes.run", warn)
    assert erp("selftest") == (0, "", "erp: nearly full\n")


@pytest.mark.parametrize(("words", "is_held"), [([], True), (["serve"], False)])
def test_after_a_double_click_on_windows_the_error_can_be_read(words, is_held, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    asked: list[str] = []
    monkeypatch.setenv("ERP_DATA_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", asked.append)
    assert main(words) == 1
    assert bool(asked) is is_held


def test_the_office_can_make_users_without_the_server(erp):
    typed = "correct horse battery\n"  # the first is an administrator in any case
    first = "ann@example.com can now sign in and is an administrator of this installation.\n"
    assert erp("user", "create", "ann@example.com", "--name", "Ann", typed=typed) == (0, first, "")
    assert erp("user", "create", "bob@example.com", typed=typed) == (0, "bob@example.com can now sign in.\n", "")
    code, said, _ = erp("user", "list")
    ann, bob = (line.split("\t") for line in said.splitlines())
    assert (code, ann[:2], ann[3], bob[:2], bob[3]) == (
        0,
        ["ann@example.com", "Ann"],
        "administrator",
        ["bob@example.com", "bob"],
        "user",
    )


def test_a_weak_password_is_refused(erp):
    code, said, complaint = erp("user", "create", "ann@example.com", typed="short\n")
    assert (code, said) == (1, "")
    assert complaint.startswith("erp: ")
    assert "Traceback" not in complaint
    assert erp("user", "list")[1] == ""


def test_a_user_who_forgot_the_password_gets_a_link(erp):
    erp("user", "create", "ann@example.com", typed="correct horse battery\n")
    code, said, _ = erp("user", "reset-password", "ann@example.com", "--public-url", "https://erp.example.com")
    assert code == 0
    assert said.startswith("https://erp.example.com/#reset=")


def test_a_link_for_an_unknown_user_is_refused(erp):
    code, said, complaint = erp("user", "reset-password", "nobody@example.com")
    assert (code, said) == (1, "")
    assert complaint.startswith("erp: ")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_mistyped_password_is_refused(erp, monkeypatch):
    typed = iter(["correct horse battery", "correct horse batery"])
    monkeypatch.setattr("getpass.getpass", lambda _: next(typed))
    code, _, complaint = erp("user", "create", "ann@example.com", stdin=Terminal())
    assert (code, complaint) == (2, "erp: The passwords do not match.\n")
    assert erp("user", "list")[1] == ""


def test_a_command_leaves_alone_a_workspace_that_a_running_server_is_creating(erp, tmp_path):
    erp("user", "create", "ann@example.com", typed="correct horse battery\n")
    settings = Config(data_dir=tmp_path / "data")
    with instance.hold(settings) as held:
        held.publish("ready", "http://127.0.0.1:8421")
        with (
            config.use(settings),
            caller.acting(Caller(user_id="someone", name="Ann", email="ann@example.com")),
            control.write(),
        ):
            Workspace.add(name="Acme", created_by="someone")
        unfinished = settings.workspaces_dir / "acme.new"
        unfinished.touch()
        assert erp("user", "list")[0] == 0
        assert erp("user", "reset-password", "ann@example.com")[1].startswith("http://127.0.0.1:8421/#reset=")
        assert unfinished.exists()
        with config.use(settings), control.read():
            assert Workspace.get().status == "creating"
        assert instance.running_at(settings.data_dir) == "http://127.0.0.1:8421"


def test_a_name_cannot_play_tricks_on_the_terminal(erp):
    erp("user", "create", "ann@example.com", "--name", "Ann\x1b[2J\tAdmin", typed="correct horse battery\n")
    assert erp("user", "list")[1].split("\t")[1] == "Ann?[2J?Admin"
