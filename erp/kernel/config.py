"""Every setting, once: the fields of `Config` are the table that flags, environment, erp.toml and help derive from."""

import argparse
import datetime
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs

from erp.kernel.options import (
    Setting,
    address,
    between,
    folder,
    is_loopback,
    one_of,
    origin,
    row,
    switch,
    three_numbers,
    time_of_day,
)

Registration = Literal["open", "invite", "closed"]


class BadSetting(ValueError):
    """A setting has a value it cannot have; the message names it, where it was found, and what it is for."""


@dataclass(frozen=True)
class Config:
    """The settings of one run; in tests, `Config(data_dir=tmp_path)` is enough."""

    data_dir: Path = field(
        metadata=row(
            "data_dir",
            folder,
            "Folder that holds all data.",
            "erp-data beside the executable if it exists, else your user data folder",
            "DIR",
        )
    )
    host: str = field(
        default="127.0.0.1",
        metadata=row("host", address, "Address to listen on.", "127.0.0.1, or all with --lan", "ADDRESS"),
    )
    lan: bool = field(
        default=False,
        metadata=row("lan", switch, "Share with the local network: listen on all interfaces.", "not shared"),
    )
    port: int = field(
        default=8420,
        metadata=row("port", between(0, 65535), "Port to listen on; 0 takes any free one.", "8420", "PORT"),
    )
    port_is_explicit: bool = False
    registration: Registration = field(
        default="open",
        metadata=row(
            "registration",
            one_of(*get_args(Registration)),
            "Who may make an account: anyone who reaches the server (open), people with an invite (invite), nobody "
            "but by `erp user create` (closed).",
            "open on this computer alone, invite when others reach the server",
            "open|invite|closed",
        ),
    )
    allowed_hosts: tuple[str, ...] = field(
        default=(),
        metadata=row(
            "allowed_host",
            address,
            "A further name under which browsers may address this server; may be repeated (separated by commas in "
            "the environment).",
            "none",
            "NAME",
            repeatable=True,
        ),
    )
    public_url: str | None = field(
        default=None,
        metadata=row(
            "public_url", origin, "Address under which a TLS proxy serves this server.", "no proxy", "https://NAME"
        ),
    )
    threads: int = field(
        default=4,
        metadata=row("threads", between(1, 64), "Requests worked on at the same time.", "4", "N"),
    )
    backup_at: datetime.time = field(
        default=datetime.time(2),
        metadata=row(
            "backup_at",
            time_of_day,
            "When the daily backup is made, in this computer's time; if it was off then, at its next start.",
            "02:00",
            "HH:MM",
        ),
    )
    backup_keep: tuple[int, int, int] = field(
        default=(7, 4, 12),
        metadata=row(
            "backup_keep",
            three_numbers,
            "How many daily, weekly and monthly backups are kept.",
            "7/4/12",
            "DAYS/WEEKS/MONTHS",
        ),
    )
    no_browser: bool = field(
        default=False,
        metadata=row("no_browser", switch, "Do not open the browser.", "a person's start opens it"),
    )
    log_level: str = field(
        default="info",
        metadata=row(
            "log_level",
            one_of("debug", "info", "warning", "error"),
            "Least level that is logged.",
            "info",
            "debug|info|warning|error",
        ),
    )
    log_format: str = field(
        default="text",
        metadata=row("log_format", one_of("text", "json"), "Form of the log's lines.", "text", "text|json"),
    )

    @cached_property
    def control_path(self) -> Path:
        """The control database: users, sessions, workspaces."""
        return self.data_dir / "control.db"

    @cached_property
    def workspaces_dir(self) -> Path:
        """The folder of the workspaces' files."""
        return self.data_dir / "workspaces"

    @property
    def backups_dir(self) -> Path:
        """The folder of the backups."""
        return self.data_dir / "backups"

    @property
    def logs_dir(self) -> Path:
        """The folder of the logs."""
        return self.data_dir / "logs"


SETTINGS: dict[str, Setting] = {f.name: f.metadata["setting"] for f in fields(Config) if "setting" in f.metadata}


def add_flags(parser: argparse._ActionsContainer) -> None:
    """Give the parser a flag for every setting; what is not given stays out of the namespace."""
    for attribute, setting in SETTINGS.items():
        options: dict[str, Any] = {"dest": attribute, "help": setting.described(), "default": argparse.SUPPRESS}
        if setting.is_switch:
            parser.add_argument(setting.flag, action="store_true", **options)
            continue
        action = "append" if setting.repeatable else "store"
        parser.add_argument(setting.flag, action=action, metavar=setting.metavar, **options)


def load(flags: Mapping[str, object], environ: Mapping[str, str]) -> Config:
    """Settle every setting: flag, environment, erp.toml of the data directory, default, in that order.

    Raises:
        BadSetting: a value cannot be read, or two settings contradict each other.
    """
    given = _environment(environ) | _flags(flags)
    data_dir = given.setdefault("data_dir", default_data_dir())
    assert isinstance(data_dir, Path)
    given = _file(data_dir / "erp.toml") | given
    return Config(**_settled(given))


def default_data_dir() -> Path:
    """Find the data directory that holds when none is named."""
    beside = Path(sys.executable).absolute().parent / "erp-data"
    if getattr(sys, "frozen", False) and beside.is_dir():
        return beside
    return platformdirs.user_data_path("erp", appauthor=False)


def _settled(given: dict[str, Any]) -> dict[str, Any]:
    """Add the defaults that depend on other settings."""
    host = given.get("host", "0.0.0.0" if given.get("lan") else "127.0.0.1")
    if given.get("lan") and is_loopback(host):
        raise BadSetting(f"--lan shares with the network, but --host {host} does not: leave one of them out.")
    shared = not is_loopback(host)
    default = "invite" if shared or given.get("public_url") else "open"
    return {"registration": default, **given, "host": host, "lan": shared, "port_is_explicit": "port" in given}


def _flags(flags: Mapping[str, object]) -> dict[str, Any]:
    return {name: _read(SETTINGS[name], value, SETTINGS[name].flag) for name, value in flags.items()}


def _environment(environ: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        text = environ.get(setting.variable)
        if text:
            value = [part for part in text.split(",") if part.strip()] if setting.repeatable else text
            given[name] = _read(setting, value, setting.variable)
    return given


def _file(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadSetting(f"{path} cannot be read: {reason}") from problem
    known = {setting.name: name for name, setting in SETTINGS.items() if name != "data_dir"}
    given: dict[str, Any] = {}
    for key, value in table.items():
        name = known.get(key.replace("-", "_"))
        if name is None:
            raise BadSetting(f"{path}: there is no setting {key!r}; there are {', '.join(known)}.")
        given[name] = _read(SETTINGS[name], value, f"{path}: {key}")
    return given


def _read(setting: Setting, value: object, where: str) -> object:
    """Read one value, whichever place it came from, by the setting's own reader."""
    if setting.repeatable:
        parts = value if isinstance(value, list) else [value]
        return tuple(_read_one(setting, part, where) for part in parts)
    return _read_one(setting, value, where)


def _read_one(setting: Setting, value: object, where: str) -> object:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        return setting.parse(text)
    except ValueError as problem:
        raise BadSetting(f"{where}: {text!r} will not do: {problem}. {setting.described()}") from problem


ACTIVE: ContextVar[Config] = ContextVar("erp_config")


def current() -> Config:
    """Return the configuration this thread of work runs under.

    Raises:
        LookupError: none is active.
    """
    try:
        return ACTIVE.get()
    except LookupError:
        raise LookupError("No configuration is active here: wrap the work in `with config.use(...)`.") from None


@contextmanager
def use(config: Config) -> Iterator[Config]:
    """Make the configuration current for the block."""
    token = ACTIVE.set(config)
    try:
        yield config
    finally:
        ACTIVE.reset(token)
