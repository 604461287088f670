"""The configuration of the process: each field of `Config` has a flag, a variable, a key of erp.toml and its help."""

import argparse
import datetime
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec

from erp.kernel.options import (
    Option,
    address,
    between,
    folder,
    is_loopback,
    one_of,
    other_site,
    proxied,
    switch,
    three_numbers,
    time_of_day,
)

Registration = Literal["open", "invite", "closed"]


class BadOption(ValueError):
    """An option has an invalid value; the message has its source, its valid values and its purpose."""


class Config(msgspec.Struct, frozen=True, dict=True):
    """The options of one run; in tests, `Config(data_dir=tmp_path)` is enough."""

    data_dir: Annotated[
        Path,
        Option(
            "data_dir",
            folder,
            "Folder that holds all data.",
            "erp-data beside the executable if it exists, else your user data folder",
            "DIR",
        ),
    ]
    host: Annotated[
        str, Option("host", address, "Address to listen on.", "127.0.0.1, or all with --lan", "ADDRESS")
    ] = "127.0.0.1"
    lan: Annotated[
        bool, Option("lan", switch, "Share with the local network: listen on all interfaces.", "not shared")
    ] = False
    port: Annotated[
        int, Option("port", between(0, 65535), "Port to listen on; 0 takes any free one.", "8420", "PORT")
    ] = 8420
    port_is_explicit: bool = False
    lan_is_explicit: bool = False
    """Whether a flag, a variable or another setting decides who can reach the server, so that erp.toml cannot."""
    registration: Annotated[
        Registration,
        Option(
            "registration",
            one_of(*get_args(Registration)),
            "Who can register: anyone who can reach the server (open), people with an invite (invite), or no one, so "
            "that users are added by `erp user create` (closed).",
            "open while only this computer can reach the server, else invite",
            "open|invite|closed",
        ),
    ] = "open"
    workspaces_per_user: Annotated[
        int,
        Option(
            "workspaces_per_user",
            between(0, 10_000),
            "How many workspaces a user can create; 0 sets no limit. An instance admin has none.",
            "5",
            "N",
        ),
    ] = 5
    allowed_hosts: Annotated[
        tuple[str, ...],
        Option(
            "allowed_host",
            address,
            "Another name by which browsers can reach this server; can be repeated (in the environment, separated by "
            "commas).",
            "none",
            "NAME",
            repeatable=True,
        ),
    ] = ()
    allowed_origins: Annotated[
        tuple[str, ...],
        Option(
            "allowed_origin",
            other_site,
            "Another site whose pages may use the API with a bearer token, never with the cookie; can be repeated (in "
            "the environment, separated by commas).",
            "none",
            "https://NAME",
            repeatable=True,
        ),
    ] = ()
    public_url: Annotated[
        str | None,
        Option("public_url", proxied, "Address at which a TLS proxy serves this server.", "no proxy", "https://NAME"),
    ] = None
    tls: Annotated[
        bool,
        Option(
            "tls",
            switch,
            "Serve https to the network, with a certificate of an own local authority; the page /trust says how phones "
            "and computers trust it.",
            "http",
        ),
    ] = False
    no_mdns: Annotated[
        bool,
        Option("no_mdns", switch, "Do not announce a shared server to the network as erp.local.", "announced by mDNS"),
    ] = False
    webhooks_private: Annotated[
        bool,
        Option(
            "webhooks_private",
            switch,
            "Let webhooks send to this computer and its private networks as well, also over http.",
            "only to https addresses of the internet",
        ),
    ] = False
    mail_private: Annotated[
        bool,
        Option(
            "mail_private",
            switch,
            "Let workspaces send mail through mail servers on this computer and its private networks as well.",
            "only through mail servers of the internet",
        ),
    ] = False
    threads: Annotated[
        int, Option("threads", between(1, 64), "Number of requests handled at the same time.", "4", "N")
    ] = 4
    backup_at: Annotated[
        datetime.time,
        Option(
            "backup_at",
            time_of_day,
            "Time of the daily backup, in this computer's time zone; if the server is not running then, it makes the "
            "backup when it next starts.",
            "02:00",
            "HH:MM",
        ),
    ] = datetime.time(2)
    backup_keep: Annotated[
        tuple[int, int, int],
        Option(
            "backup_keep",
            three_numbers,
            "How many daily, weekly and monthly backups to keep.",
            "7/4/12",
            "DAYS/WEEKS/MONTHS",
        ),
    ] = (7, 4, 12)
    no_browser: Annotated[
        bool, Option("no_browser", switch, "Do not open the browser.", "opened when a person starts the server")
    ] = False
    log_level: Annotated[
        str,
        Option(
            "log_level",
            one_of("debug", "info", "warning", "error"),
            "Lowest level to log.",
            "info",
            "debug|info|warning|error",
        ),
    ] = "info"
    log_format: Annotated[
        str, Option("log_format", one_of("text", "json"), "Format of the log.", "text", "text|json")
    ] = "text"

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
        return self.data_dir / "backups"

    @property
    def search_dir(self) -> Path:
        """The folder of the search indexes; missing ones are rebuilt."""
        return self.data_dir / "search"

    @property
    def tls_dir(self) -> Path:
        """The folder of the local authority and its certificate."""
        return self.data_dir / "tls"

    @property
    def logs_dir(self) -> Path:
        return self.data_dir / "logs"


FILE_NAME = "erp.toml"

OPTIONS: dict[str, Option] = {
    name: mark
    for name, hint in get_type_hints(Config, include_extras=True).items()
    for mark in getattr(hint, "__metadata__", ())
}
"""The options by the names of their fields."""


def add_flags(parser: argparse._ActionsContainer, names: Iterable[str] = OPTIONS, *, are_shown: bool = True) -> None:
    """Add a flag for each option; a missing flag leaves no attribute."""
    for name in names:
        row = OPTIONS[name]
        about = row.described() if are_shown else argparse.SUPPRESS
        usual: dict[str, Any] = {"dest": name, "help": about, "default": argparse.SUPPRESS}
        if row.is_switch:
            parser.add_argument(row.flag, action="store_true", **usual)
            continue
        action = "append" if row.repeatable else "store"
        parser.add_argument(row.flag, action=action, metavar=row.metavar, **usual)


def load(flags: Mapping[str, object], environ: Mapping[str, str]) -> Config:
    """Read every option: from its flag, else the environment, else erp.toml in the data directory, else its default.

    Raises:
        BadOption: a value cannot be read, or two options contradict each other.
    """
    layers, values = _layers(flags, environ), dict[str, Any]()
    for layer in layers.values():
        values |= layer
    said = {"lan", "host"} & (layers["environment"].keys() | layers["option"].keys())
    is_explicit = bool(said or {"host", "public_url"} & values.keys())
    return Config(**_with_defaults(values), lan_is_explicit=is_explicit)


def sources(flags: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, str]:
    """The source of each option's value: default, erp.toml, environment or option."""
    layers = _layers(flags, environ)
    return {
        name: next((source for source in reversed(layers) if name in layers[source]), "default") for name in OPTIONS
    }


def shown(value: object) -> str:
    """The value of an option as text, as in a flag or a variable."""
    match value:
        case bool():
            return str(value).lower()
        case datetime.time():
            return f"{value:%H:%M}"
        case tuple():
            return ("/" if all(isinstance(part, int) for part in value) else ", ").join(map(str, value)) or "none"
        case _:
            return "none" if value is None else str(value)


def _layers(flags: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The options that each source sets; a later source wins."""
    typed, variables = _flags(flags), _environment(environ)
    named = variables | typed
    defaults = {} if "data_dir" in named else {"data_dir": default_data_dir()}
    in_file = _file((defaults | named)["data_dir"] / FILE_NAME)
    return {"default": defaults, FILE_NAME: in_file, "environment": variables, "option": typed}


def program() -> tuple[str, ...]:
    """The words that start this program: its own file, or Python with the module."""
    own = str(Path(sys.executable).absolute())
    return (own,) if getattr(sys, "frozen", False) else (own, "-m", "erp")


def default_data_dir() -> Path:
    """The data directory when none is named."""
    import platformdirs  # here, because a service and a second installation name theirs

    portable = Path(sys.executable).absolute().parent / "erp-data"
    if getattr(sys, "frozen", False) and portable.is_dir():
        return portable
    return platformdirs.user_data_path("erp", appauthor=False)


def _with_defaults(values: dict[str, Any]) -> dict[str, Any]:
    """Add the defaults that depend on other options."""
    host = values.get("host", "0.0.0.0" if values.get("lan") else "127.0.0.1")
    if values.get("lan") and is_loopback(host):
        raise BadOption(f"--lan shares with the network, but --host {host} does not: leave one of them out.")
    if values.get("tls") and values.get("public_url"):
        raise BadOption("--tls serves https itself, and --public-url names a proxy that does: leave one of them out.")
    shared = not is_loopback(host)
    registration = "invite" if shared or values.get("public_url") else "open"
    return {"registration": registration, **values, "host": host, "lan": shared, "port_is_explicit": "port" in values}


def _flags(flags: Mapping[str, object]) -> dict[str, Any]:
    return {name: _read(OPTIONS[name], value, OPTIONS[name].flag) for name, value in flags.items()}


def _environment(environ: Mapping[str, str]) -> dict[str, Any]:
    _refuse_misspelt(environ)
    values: dict[str, Any] = {}
    for name, row in OPTIONS.items():
        text = environ.get(row.variable)
        if text:
            value = [part for part in text.split(",") if part.strip()] if row.repeatable else text
            values[name] = _read(row, value, row.variable)
    return values


def _refuse_misspelt(environ: Mapping[str, str]) -> None:
    for name in _unknown(environ):
        near = _setting_near(name)
        if near is not None:
            raise BadOption(f"The environment sets {name}, but there is no such setting. Did you mean {near}?")


def ignored_variables(environ: Mapping[str, str]) -> list[str]:
    """The variables that begin like this program's settings, but are none, and so may be another program's."""
    return [name for name in _unknown(environ) if _setting_near(name) is None]


def _unknown(environ: Mapping[str, str]) -> list[str]:
    known = {row.variable for row in OPTIONS.values()}
    return sorted(name for name, text in environ.items() if name.startswith("ERP_") and text and name not in known)


def _setting_near(variable: str) -> str | None:
    """The variable that was probably meant."""
    from difflib import get_close_matches  # here, because a misspelt name is rare

    known = {row.name: row.variable for row in OPTIONS.values()}
    near = get_close_matches(variable.removeprefix("ERP_").lower(), known, n=1)
    return known[near[0]] if near else None


def _file(path: Path) -> dict[str, Any]:
    try:
        table = _parsed(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadOption(f"{path} cannot be read: {reason}") from problem
    known = {row.name: name for name, row in OPTIONS.items() if name != "data_dir"}
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = known.get(key.replace("-", "_"))
        if name is None:
            raise BadOption(f"{path}: there is no option {key!r}. The options are {', '.join(known)}.")
        values[name] = _read(OPTIONS[name], value, f"{path}: {key}")
    return values


def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # here, because few installations have the file

    return tomllib.loads(text)


def _read(row: Option, value: object, source: str) -> object:
    if row.repeatable:
        parts = value if isinstance(value, list) else [value]
        return tuple(_read_one(row, part, source) for part in parts)
    return _read_one(row, value, source)


def _read_one(row: Option, value: object, source: str) -> object:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        return row.parse(text)
    except ValueError as problem:
        raise BadOption(f"{source}: {text!r} is not valid: {problem}. {row.described()}") from problem


ACTIVE: ContextVar[Config] = ContextVar("erp_config")


def current() -> Config:
    """The configuration of the current thread of work.

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
