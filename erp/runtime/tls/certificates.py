"""The files of the local authority and of this computer's certificate, made when they are missing, and renewed."""

import datetime
import logging
import os
import ssl
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from erp.kernel import clock, threads
from erp.kernel.config import Config
from erp.kernel.options import HOST_NAME, is_ip
from erp.runtime.instance import CannotStart
from erp.web import hosts

LOOK_EVERY = 60.0
"""Seconds between two looks whether this computer has other addresses, or the certificate is old."""
LAST_WAIT = 1.0
RENEWED_BEFORE = datetime.timedelta(days=30)

AUTHORITY, SERVER = "authority", "server"
log = logging.getLogger("erp.server")


class Certificates:
    """The server's certificate for new connections."""

    def __init__(
        self,
        config: Config,
        names: Callable[[], Collection[str]] = hosts.own_names,
        now: Callable[[], datetime.datetime] = clock.now,
    ) -> None:
        self._config, self._names, self._now = config, names, now
        self._folder = config.tls_dir
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._shown: frozenset[str] = frozenset()

    def renew(self) -> None:
        """Make missing files, and a new certificate once the present one is old or lacks a name.

        Raises:
            CannotStart: a file cannot be read or written.
        """
        from erp.runtime.tls import authority

        self._folder.mkdir(mode=0o700, exist_ok=True)
        try:
            if not self._path(AUTHORITY, "key").exists():
                self._make_authority()
            vouching = authority.certificate_from(self._path(AUTHORITY, "pem").read_bytes())
            wanted = frozenset(name for name in self._wanted() if authority.may_vouch_for(vouching, name))
            if not self._is_good(vouching, wanted):
                key = authority.key_from(self._path(AUTHORITY, "key").read_bytes())
                self._keep(SERVER, *authority.make_leaf(vouching, key, wanted, self._now()))
                log.info("a certificate for %s has been made", ", ".join(sorted(wanted)))
            elif self._shown == wanted:
                return
            self.context.load_cert_chain(self._path(SERVER, "pem"), self._path(SERVER, "key"))
        except (OSError, ValueError) as problem:
            raise CannotStart(
                f"The certificate cannot be made or read in {self._folder}: {problem}. Move that folder away and start "
                "again; then a new authority is made, which phones and computers have to trust again."
            ) from problem
        self._shown = wanted

    def _make_authority(self) -> None:
        from erp.runtime.tls import authority

        title = f"erp on {hosts.computer_name()}"
        self._keep(AUTHORITY, *authority.make_authority(title, self._wanted(), self._now()))
        log.info("a local authority has been made: %s", title)

    def _wanted(self) -> frozenset[str]:
        """The names and addresses that people may type."""
        every = {*self._names(), *self._config.allowed_hosts, *hosts.ANNOUNCED.values(), "erp.local"}
        return frozenset(name for name in every if is_ip(name) or HOST_NAME.fullmatch(name))

    def _is_good(self, vouching: object, wanted: frozenset[str]) -> bool:
        """Whether the present certificate is from this authority, for these names, and not old."""
        from erp.runtime.tls import authority

        try:
            shown = authority.certificate_from(self._path(SERVER, "pem").read_bytes())
            authority.key_from(self._path(SERVER, "key").read_bytes())
            shown.verify_directly_issued_by(vouching)  # type: ignore[arg-type]  # a certificate
        except (OSError, ValueError, TypeError, ArithmeticError):
            return False
        except Exception as problem:  # noqa: BLE001 - a signature that is wrong has an exception of the library
            log.warning("a new certificate is made: %s", type(problem).__name__)
            return False
        is_fresh = shown.not_valid_after_utc - RENEWED_BEFORE > self._now() >= shown.not_valid_before_utc
        return is_fresh and wanted <= authority.names_of(shown)

    def _keep(self, name: str, certificate: object, key: object) -> None:
        """Write both files, with a key that only this user can read."""
        from erp.runtime.tls import authority

        for suffix, item in (("key", key), ("pem", certificate)):
            path = self._path(name, suffix)
            new = path.with_suffix(f".{suffix}.tmp")
            new.unlink(missing_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(authority.pem_of(item))  # type: ignore[arg-type]  # as the library has typed them
            new.replace(path)

    def _path(self, name: str, suffix: str) -> Path:
        return self._folder / f"{name}.{suffix}"


@contextmanager
def kept(config: Config) -> Iterator[ssl.SSLContext]:
    """The certificate of a server during the block, renewed with time and addresses.

    Raises:
        CannotStart: a file cannot be read or written.
    """
    certificates = Certificates(config)
    certificates.renew()
    with threads.running("certificates", partial(_keep_on, certificates), LAST_WAIT):
        yield certificates.context


def _keep_on(certificates: Certificates, over: threading.Event) -> None:
    while not over.wait(LOOK_EVERY):
        try:
            certificates.renew()
        except CannotStart as problem:
            log.error("%s", problem)
