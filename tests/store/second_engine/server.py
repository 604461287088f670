"""A PostgreSQL server of a test's own: in a new folder, reached by a Unix socket there, stopped at the end."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "20",
    "jit": "off",
}


def programs() -> Path | None:
    """The folder of the newest PostgreSQL server on this computer, if there is one."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    return max(folders, key=lambda folder: int(folder.parent.name), default=Path(on_path).parent if on_path else None)


def reason_to_skip() -> str | None:
    """The reason why there is no second engine here."""
    if sys.platform == "win32":
        return "PostgreSQL is reached by a Unix socket"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    if programs() is None:
        return "PostgreSQL's server programs are not installed (Debian: postgresql)"
    return None if os.getuid() or _servant() else "PostgreSQL does not run as root, and there is no other user here"


def _servant() -> str | None:
    """An unprivileged user whom root can let run the server."""
    import pwd  # Windows has none

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@contextmanager
def running() -> Iterator[str]:
    """A server for the block; the folder of its socket."""
    bin_folder, servant = programs(), None if os.getuid() else _servant()
    assert bin_folder is not None
    with tempfile.TemporaryDirectory(prefix="erp-pg-", dir="/tmp") as name:  # a socket's path is short
        folder, rights = Path(name), dict[str, Any](user=servant, extra_groups=[]) if servant else {}
        if servant:
            shutil.chown(folder, servant)
        files = folder / "files"

        def run(program: str, *arguments: str) -> None:
            command = [str(bin_folder / program), "-D", str(files), *arguments]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=120, **rights)

        run("initdb", "--username=erp", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        with (files / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{setting} = '{value}'\n" for setting, value in SETTINGS.items())
            settings.write(f"unix_socket_directories = '{folder}'\n")
        run("pg_ctl", "start", "--wait", "--silent", f"--log={folder / 'log'}")
        try:
            yield name
        finally:
            run("pg_ctl", "stop", "--wait", "--silent", "--mode=immediate")
