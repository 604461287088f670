"""Linux: a unit of systemd that belongs to the user."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from erp.kernel.language import verbatim
from erp.runtime.services.launching import CannotInstall, Launch
from erp.runtime.services.service import Service, template

UNFIT_FOR_PROGRAM = re.compile(r"[\"'\\$]")
SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')
"""Starts a program whose path systemd would refuse, and is replaced by it."""


def usual_file() -> Path:
    """The folder of the user's units."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "systemd" / "user" / "erp.service"


class Systemd(Service):
    """A user unit; it needs no administrator."""

    hint = "It runs while you are signed in. To start it with the computer, run: loginctl enable-linger"

    @property
    def by_hand(self) -> str:
        return "systemctl --user daemon-reload && systemctl --user enable --now erp"

    def written(self, launch: Launch) -> bytes:
        folder = str(launch.folder)
        if folder != folder.strip() or folder.endswith("\\"):
            raise CannotInstall(verbatim(f"systemd cannot run a program in {folder!r}. Move it to another folder."))
        values = {"command": _command(launch.words), "folder": _literal(folder), "data_dir": str(launch.data_dir)}
        return template("erp.service").format(**values).encode()

    def remove(self) -> None:
        super().remove()
        self.run(["systemctl", "--user", "daemon-reload"])

    def shown(self) -> str:
        return self.file.read_text("utf-8")

    def data_dir(self) -> Path:
        line = re.search('^DataDir="(.*)"$', self.shown(), re.MULTILINE)
        return Path(line[1] if line else "")

    def is_running(self) -> bool | None:
        return self.run(["systemctl", "--user", "is-active", "--quiet", "erp"]).returncode == 0

    def _start(self) -> str | None:
        return self._first_problem(
            ["systemctl", "--user", "daemon-reload"],
            ["systemctl", "--user", "enable", "erp"],
            ["systemctl", "--user", "restart", "erp"],  # a running one has to read its new settings
        )

    def _stop(self) -> None:
        self.run(["systemctl", "--user", "disable", "--now", "erp"])


def _command(words: Sequence[str]) -> str:
    if UNFIT_FOR_PROGRAM.search(words[0]):
        words = (*SHELL, *words)
    program, *arguments = words
    return " ".join([_quoted(program), *(_quoted(word).replace("$", "$$") for word in arguments)])


def _quoted(word: str) -> str:
    escaped = _literal(word).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _literal(text: str) -> str:
    """Keep systemd from replacing specifiers such as %h."""
    return text.replace("%", "%%")
