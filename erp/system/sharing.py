"""Sharing with the local network, switched on a page: the setting `lan` of erp.toml, which applies at once."""

import logging
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Meta

from erp.kernel import config
from erp.kernel.config import FILE_NAME, Config
from erp.kernel.errors import Refusal
from erp.store import files
from erp.system.info import ServerAddressesView, addresses
from erp.web.endpoint import endpoint
from erp.web.hosts import trust_url
from erp.web.pages import trust
from erp.web.schema import Body, Unset, View

log = logging.getLogger("erp.server")

_listeners: dict[Path, Callable[[], None]] = {}
"""The functions that let a running server listen again, by its data directory."""

_LAN = re.compile(r"^[ \t]*lan[ \t]*=.*$", re.MULTILINE)


class NotSwitchable(Refusal):
    """Access depends on how the program was started. Stop it, and start it with {command}."""


class SharingChange(Body):
    """The new state of sharing."""

    is_shared: bool | Unset = UNSET

    EXAMPLE = {"isShared": True}


class TlsView(View):
    """The certificate of the server, and the way to trust it."""

    trust_url: Annotated[str | None, Meta(description="The page with instructions, while the server is shared.")]
    fingerprint: Annotated[str | None, Meta(description="The SHA-256 of the local authority's certificate.")]


class SharingView(View):
    """The reach of the server."""

    is_shared: Annotated[bool, Meta(description="Whether the local network can reach it.")]
    can_be_switched: Annotated[
        bool, Meta(description="Whether a PATCH can change it; else the start of the program decides.")
    ]
    command: Annotated[str, Meta(description="The command that starts this very program with or without sharing.")]
    addresses: ServerAddressesView
    tls: Annotated[TlsView | None, Meta(description="Null while the server speaks plain http.")]


@contextmanager
def switched_by(settings: Config, listen_again: Callable[[], None]) -> Iterator[None]:
    """Let the page switch sharing in the block; `listen_again` ends the present listening and reads erp.toml again."""
    _listeners[settings.data_dir] = listen_again
    try:
        yield
    finally:
        del _listeners[settings.data_dir]


def describe(*, is_shared: bool) -> SharingView:
    """The reach of the server, given `is_shared`."""
    settings = config.current()
    return SharingView(
        is_shared=is_shared,
        can_be_switched=_can_be_switched(settings),
        command=command(settings, is_shared=not is_shared),
        addresses=addresses(settings),
        tls=TlsView(trust_url=trust_url(settings), fingerprint=trust.fingerprint(settings)) if settings.tls else None,
    )


def command(settings: Config, *, is_shared: bool) -> str:
    """The command that starts this very program on the same data, shared or not, for this system's terminal."""
    words = [*config.program(), "serve", "--data-dir", str(settings.data_dir), *_flags(settings, is_shared=is_shared)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _flags(settings: Config, *, is_shared: bool) -> Iterator[str]:
    if is_shared:
        yield "--lan"
    if settings.tls:
        yield "--tls"


def switch(*, is_shared: bool) -> None:
    """Write the setting, and let the server listen again once this answer is sent.

    Raises:
        NotSwitchable: something else than erp.toml decides.
    """
    settings = config.current()
    if is_shared == settings.lan:
        return
    if not _can_be_switched(settings):
        raise NotSwitchable(command=command(settings, is_shared=is_shared))
    try:
        write(settings.data_dir / FILE_NAME, is_shared=is_shared)
    except ValueError as form:
        raise NotSwitchable(command=command(settings, is_shared=is_shared)) from form
    log.info("sharing with the network is switched %s", "on" if is_shared else "off")
    _listeners[settings.data_dir]()


def write(path: Path, *, is_shared: bool) -> None:
    """Set `lan` in the file, and leave every other line as it is.

    Raises:
        ValueError: the file has `lan` in another form.
    """
    import tomllib  # here, because the switch is rarely used

    text = path.read_text("utf-8") if path.exists() else ""
    line = f"lan = {str(is_shared).lower()}"
    changed, count = _LAN.subn(line, text)
    changed = changed if count else "\n".join([*text.splitlines(), line, ""])
    if tomllib.loads(changed).get("lan") is not is_shared:
        raise ValueError(path)
    new = path.with_suffix(".toml.tmp")
    new.write_text(changed, "utf-8")
    files.put_in_place(new, path)


def _can_be_switched(settings: Config) -> bool:
    return not settings.lan_is_explicit and settings.data_dir in _listeners


class Sharing:
    @endpoint(access="instance")
    def on_get(self) -> SharingView:
        """Show the reach of the server, and whether a PATCH can change it.

        Only administrators of the installation can read it. It names the addresses under which others on the network
        reach the server.
        """
        return describe(is_shared=config.current().lan)

    @endpoint(access="instance", store="control", refuses=(NotSwitchable,))
    def on_patch(self, body: SharingChange) -> SharingView:
        """Share the server with the local network, or stop sharing it.

        The setting is kept in erp.toml. The server listens again as soon as the answer is sent: connections end, and
        for about a second none is accepted. By default, only people with an invite can register while it is shared.
        """
        is_shared = config.current().lan if body.is_shared is UNSET else body.is_shared
        switch(is_shared=is_shared)
        return describe(is_shared=is_shared)
