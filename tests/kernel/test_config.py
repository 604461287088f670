import argparse
from datetime import time
from pathlib import Path

import pytest

from erp.cli import main
from erp.kernel import config
from erp.kernel.config import BadOption, Config


def load(tmp_path, flags=None, environ=None, toml=""):
    (tmp_path / "erp.toml").write_text(toml, "utf-8")
    return config.load({"data_dir": str(tmp_path)} | (flags or {}), environ or {})


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(tmp_path):
    toml = "port = 1\nthreads = 1\nlog_level = 'debug'"
    loaded = load(tmp_path, {"port": "3"}, {"ERP_PORT": "2", "ERP_THREADS": "2"}, toml)
    assert (loaded.port, loaded.threads, loaded.log_level, loaded.log_format) == (3, 2, "debug", "text")


@pytest.mark.parametrize(
    ("flags", "environ", "toml"),
    [({"port": "9"}, {}, ""), ({}, {"ERP_PORT": "9"}, ""), ({}, {}, "port = 9")],
)
def test_a_port_named_anywhere_is_explicit(tmp_path, flags, environ, toml):
    assert load(tmp_path, flags, environ, toml).port_is_explicit


def test_a_port_that_is_not_named_is_not_explicit(tmp_path):
    loaded = load(tmp_path)
    assert (loaded.port, loaded.port_is_explicit) == (8420, False)


def test_the_data_folder_of_the_environment_brings_its_own_file(tmp_path):
    (tmp_path / "erp.toml").write_text("threads = 7", "utf-8")
    assert config.load({}, {"ERP_DATA_DIR": str(tmp_path)}).threads == 7


def test_names_can_be_given_more_than_once(tmp_path):
    assert load(tmp_path, {"allowed_hosts": ["Books.Local", "erp"]}).allowed_hosts == ("books.local", "erp")
    assert load(tmp_path, environ={"ERP_ALLOWED_HOST": "a.example, b.example"}).allowed_hosts == (
        "a.example",
        "b.example",
    )
    assert load(tmp_path, toml="allowed-host = ['a.example']").allowed_hosts == ("a.example",)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, ("127.0.0.1", False, "open")),
        ({"lan": True}, ("0.0.0.0", True, "invite")),
        ({"host": "192.168.1.5"}, ("192.168.1.5", True, "invite")),
        ({"host": "::1"}, ("::1", False, "open")),
        ({"lan": True, "registration": "open"}, ("0.0.0.0", True, "open")),
        ({"public_url": "https://erp.example.com"}, ("127.0.0.1", False, "invite")),
    ],
)
def test_registration_is_open_only_where_no_one_else_can_reach_the_server(tmp_path, flags, expected):
    loaded = load(tmp_path, flags)
    assert (loaded.host, loaded.lan, loaded.registration) == expected


def test_sharing_a_loopback_address_is_a_contradiction(tmp_path):
    with pytest.raises(BadOption, match="leave one of them out"):
        load(tmp_path, {"lan": True, "host": "127.0.0.1"})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://ERP.example.com/", "https://erp.example.com"),
        ("https://erp.example.com:443", "https://erp.example.com"),
        ("https://[fd00::1]:8443", "https://[fd00::1]:8443"),
    ],
)
def test_a_public_address_is_read_as_an_origin(tmp_path, written, read):
    assert load(tmp_path, {"public_url": written}).public_url == read


BAD = [
    ("port", "65536"),
    ("port", "-1"),
    ("port", "80x"),
    ("port", "²"),
    ("threads", "0"),
    ("workspaces_per_user", "-1"),
    ("host", "a b"),
    ("host", "127.0.0.1:80"),
    ("registration", "anyone"),
    ("allowed_host", "*"),
    ("public_url", "erp.example.com"),
    ("public_url", "https://erp.example.com/books"),
    ("public_url", "https://user@erp.example.com"),
    ("public_url", "ftp://erp.example.com"),
    ("public_url", "http://erp.example.com"),
    ("public_url", "https://erp.example.com:99999"),
    ("lan", "maybe"),
    ("log_level", "loud"),
    ("log_format", "xml"),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_stops_the_start_with_the_help_of_its_row(tmp_path, name, value):
    variable = f"ERP_{name.upper()}"
    option = next(s for s in config.OPTIONS.values() if s.name == name)
    with pytest.raises(BadOption) as caught:
        load(tmp_path, environ={variable: value})
    assert str(caught.value).startswith(f"{variable}: ")
    assert option.help in str(caught.value)


def test_an_address_without_tls_is_refused_with_the_reason_and_the_way_out(tmp_path):
    with pytest.raises(BadOption, match=r"begins with https://.*could read passwords.*--lan"):
        load(tmp_path, {"public_url": "http://erp.example.com"})


@pytest.mark.parametrize(("variable", "meant"), [("ERP_PROT", "ERP_PORT"), ("ERP_DATADIR", "ERP_DATA_DIR")])
def test_a_misspelt_variable_is_refused_by_name(tmp_path, variable, meant):
    environ = {"ERP_HOME": "/opt/erp", variable: "9000"}
    with pytest.raises(BadOption) as caught:
        load(tmp_path, environ=environ)
    assert str(caught.value) == f"The environment sets {variable}, but there is no such setting. Did you mean {meant}?"


def test_variables_of_other_programs_are_ignored_and_named(tmp_path):
    environ = {"ERP_HOME": "/opt/erp", "ERP_CONNECTION_STRING": "x", "ERP_PORT": "9000", "PORT": "1", "ERP_PROT": ""}
    assert load(tmp_path, environ=environ).port == 9000
    assert config.ignored_variables(environ) == ["ERP_CONNECTION_STRING", "ERP_HOME"]


def test_a_variable_without_a_value_and_those_of_other_programs_are_left_alone(tmp_path):
    assert load(tmp_path, environ={"ERP_PROT": "", "PORT": "9000", "LERP_PORT": "1"}).port == 8420


def test_each_option_knows_where_its_value_comes_from(tmp_path):
    (tmp_path / "erp.toml").write_text("threads = 2\nport = 1", "utf-8")
    typed, environ = {"data_dir": str(tmp_path), "lan": True}, {"ERP_PORT": "2", "ERP_LOG_LEVEL": "debug"}
    sources = config.sources(typed, environ)
    assert {name: source for name, source in sources.items() if source != "default"} == {
        "data_dir": "option",
        "lan": "option",
        "port": "environment",
        "log_level": "environment",
        "threads": "erp.toml",
    }
    assert sources["host"] == "default"


@pytest.mark.parametrize(("name", "text"), [("backup_keep", "3/0/24"), ("backup_at", "23:30"), ("lan", "true")])
def test_a_value_is_shown_as_it_can_be_written(tmp_path, name, text):
    assert config.shown(getattr(load(tmp_path, {name: text}), name)) == text


def test_names_are_shown_one_after_another(tmp_path):
    assert config.shown(load(tmp_path).allowed_hosts) == "none"
    assert config.shown(load(tmp_path, {"allowed_hosts": ["a.example", "erp"]}).allowed_hosts) == "a.example, erp"


def test_a_bad_flag_is_wrong_usage_in_a_sentence(tmp_path, capsys):
    assert main(["serve", "--data-dir", str(tmp_path), "--port", "http"]) == 2
    assert "--port: 'http' is not valid: use a whole number from 0 to 65535." in capsys.readouterr().err


@pytest.mark.parametrize("toml", ["colour = 'red'", "data_dir = '/elsewhere'", "port = ", "port = true", "port = [1]"])
def test_a_file_that_makes_no_sense_is_refused_by_name(tmp_path, toml):
    with pytest.raises(BadOption, match="erp.toml"):
        load(tmp_path, toml=toml)


def test_a_portable_folder_beside_the_executable_is_used_when_frozen(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "erp"))
    (tmp_path / "erp-data").mkdir()
    assert config.default_data_dir() != tmp_path / "erp-data"
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert config.default_data_dir() == tmp_path / "erp-data"
    (tmp_path / "erp-data").rmdir()
    assert config.default_data_dir() != tmp_path / "erp-data"


def test_the_help_names_each_option_with_variable_and_default(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    for option in config.OPTIONS.values():
        assert f"{option.flag} " in text
        assert f"[{option.variable}; default: {option.default}]" in text


def test_flags_that_are_not_given_leave_no_trace():
    parser = argparse.ArgumentParser()
    config.add_flags(parser)
    assert vars(parser.parse_args([])) == {}
    assert vars(parser.parse_args(["--lan", "--allowed-host", "a", "--allowed-host", "b"])) == {
        "lan": True,
        "allowed_hosts": ["a", "b"],
    }


def test_a_configuration_is_current_only_inside_its_block(tmp_path):
    with pytest.raises(LookupError, match=r"config\.use"):
        config.current()
    with config.use(Config(data_dir=tmp_path)) as used:
        assert config.current() is used
    with pytest.raises(LookupError):
        config.current()


def test_a_configuration_knows_its_places_and_cannot_change():
    loaded = Config(data_dir=Path("/office"))
    assert loaded.control_path == Path("/office/control.db")
    assert loaded.workspaces_dir == Path("/office/workspaces")
    assert loaded.logs_dir == Path("/office/logs")
    with pytest.raises(AttributeError):
        loaded.port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [({}, (time(2), (7, 4, 12))), ({"backup_at": "23:30", "backup_keep": "3/0/24"}, (time(23, 30), (3, 0, 24)))],
)
def test_the_time_and_the_number_of_backups_can_be_set(tmp_path, flags, expected):
    loaded = load(tmp_path, flags)
    assert (loaded.backup_at, loaded.backup_keep) == expected


@pytest.mark.parametrize(
    "flags", [{"backup_at": "25:00"}, {"backup_at": "2"}, {"backup_keep": "7"}, {"backup_keep": "0/0/0"}]
)
def test_a_backup_that_is_never_made_or_kept_is_refused(tmp_path, flags):
    with pytest.raises(BadOption, match=r"use|keep"):
        load(tmp_path, flags)
