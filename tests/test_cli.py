import errno
import io
import json
import logging
import subprocess
import sys
from types import SimpleNamespace

import pytest

from erp import __version__, cli
from erp.cli import main
from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.runtime import instance
from erp.store import control
from erp.store.connections import sqlite3
from erp.store.control import Workspace
from tests.servers import OWN_CONSOLE, interrupt


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


COMMANDS = [
    "serve",
    "openapi",
    "version",
    "demo",
    "config",
    "backup",
    "restore",
    "check",
    "user list",
    "user create",
    "user reset-password",
    "user reset-two-factor",
    "workspace list",
    "workspace export",
    "workspace import",
    "workspace duplicate",
    "service install",
    "service remove",
    "service status",
    "selftest",
]


@pytest.fixture
def help_of(capsys):
    def read(*words):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--help"])
        assert ended.value.code == 0
        return capsys.readouterr().out

    return read


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_examples_and_exit_codes_and_the_servers_settings_only_at_serve(help_of, command):
    said = help_of(*command.split())
    assert f"  erp {command}" in said.split("examples:\n")[1]
    assert [line.split()[0] for line in said.split("exit codes:\n")[1].splitlines()] == ["0", "1", "2"]
    assert ("--threads" in said) is (command == "serve")


def test_every_command_is_among_those_whose_help_was_read(help_of):
    def listed(*words):
        rows = help_of(*words).split("COMMAND\n")[1].split("\n\n")[0].splitlines()
        return {row.split()[0] for row in rows if row[4:5] != " "}

    assert listed() == {command.split()[0] for command in COMMANDS}
    for first in ("user", "workspace", "service"):
        assert listed(first) == {command.split()[1] for command in COMMANDS if command.startswith(f"{first} ")}


def test_a_command_shows_its_own_options_and_the_data_folder(help_of):
    said = help_of("restore")
    assert "--workspace ID" in said
    assert "--data-dir DIR" in said


def test_a_setting_that_a_command_has_no_use_for_is_wrong_usage(erp, capsys):
    with pytest.raises(SystemExit) as ended:
        erp("backup", "--threads", "3")
    assert ended.value.code == 2
    assert "--threads" in capsys.readouterr().err


def test_the_first_help_names_the_version_switch_and_the_examples(help_of):
    said = help_of()
    assert "--version" in said
    assert "erp serve --lan" in said
    assert "exit codes:" in said


def test_each_setting_is_printed_with_its_value_and_where_it_comes_from(erp, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "erp.toml").write_text("backup-keep = '3/1/1'\n")
    monkeypatch.setenv("ERP_THREADS", "2")
    code, said, complaint = erp("config", "--port", "9000")
    rows = {line.split()[0]: line.split()[1:] for line in said.splitlines()}
    assert (code, complaint) == (0, "")
    assert rows["port"] == ["9000", "option"]
    assert rows["threads"] == ["2", "environment"]
    assert rows["backup_keep"] == ["3/1/1", "erp.toml"]
    assert rows["log_level"] == ["info", "default"]
    assert rows.keys() >= {option.name for option in config.OPTIONS.values()}
    assert f"{tmp_path / 'data' / 'erp.toml'} is read." in said


def test_a_setting_that_does_not_exist_stops_every_command(erp, monkeypatch):
    monkeypatch.setenv("ERP_PROT", "9000")
    code, said, complaint = erp("user", "list")
    assert (code, said) == (2, "")
    assert complaint == "erp: The environment sets ERP_PROT, but there is no such setting. Did you mean ERP_PORT?\n"


def test_a_plain_http_address_of_a_proxy_is_refused_in_words(erp):
    code, said, complaint = erp("serve", "--public-url", "http://erp.example.com")
    assert (code, said) == (2, "")
    assert "use an address that begins with https://" in complaint


def run_real(*words, **settings):
    command = [sys.executable, "-m", "erp", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, creationflags=OWN_CONSOLE, **settings
    )


def test_a_reader_that_goes_away_hears_no_complaint(tmp_path):
    with run_real("openapi", "--data-dir", str(tmp_path)) as process:
        assert process.stdout.readline() == "{\n"
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_server_whose_first_line_was_read_goes_on_and_says_nothing_of_it(tmp_path):
    with run_real("serve", "--no-browser", "--port", "0", "--data-dir", str(tmp_path)) as process:
        assert process.stdout.readline().startswith("erp is ready at ")
        process.stdout.close()
        interrupt(process)
        assert process.stderr.read() == ""
        assert process.wait() == 0


@pytest.mark.parametrize(("system", "is_one"), [("win32", True), ("linux", False)])
def test_windows_has_another_word_for_a_reader_that_has_gone(monkeypatch, system, is_one):
    monkeypatch.setattr("sys.platform", system)
    assert cli._is_broken_pipe(OSError(errno.EINVAL, "Invalid argument")) is is_one
    assert cli._is_broken_pipe(BrokenPipeError())


def test_the_program_says_goodbye_when_it_stops(tmp_path):
    with run_real("serve", "--no-browser", "--port", "0", "--data-dir", str(tmp_path)) as process:
        assert process.stdout.readline().startswith("erp is ready at ")
        interrupt(process)
        assert process.stdout.read().splitlines()[-1] == "erp has stopped. Goodbye."
        assert process.wait() == 0


def test_a_command_that_is_interrupted_says_so(erp, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("erp.selftest.probes.run", interrupt)
    assert erp("selftest") == (1, "", "erp: Stopped before it was done.\n")


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
    with pytest.raises(FileExistsError) as there:
        (tmp_path / "stick").mkdir()
    words = str(there.value.strerror).lower()
    _, said, complaint = erp("backup", "--to", str(tmp_path / "stick"))
    assert (said, complaint) == ("", f"erp: {tmp_path / 'stick'} cannot be used ({words}).\n")


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


def test_a_user_who_exists_already_is_named_before_a_password_is_asked_for(erp, monkeypatch):
    erp("user", "create", "ann@example.com", typed="correct horse battery\n")
    asked: list[str] = []
    monkeypatch.setattr("getpass.getpass", asked.append)
    code, said, complaint = erp("user", "create", "Ann@Example.com", stdin=Terminal())
    assert (code, said, asked) == (1, "", [])
    assert "already exists" in complaint


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
