"""The common part of the services of three systems: a file that starts the program, and a manager."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import ClassVar

from erp.runtime import frozen
from erp.runtime.services.launching import Launch

Ended = subprocess.CompletedProcess[str]
Run = Callable[[Sequence[str]], Ended]

FAILED = 127
"""The exit code of a command that could not be run, as in shells."""


def run(words: Sequence[str]) -> Ended:
    """Run one command of the system and capture its output."""
    try:
        environment = frozen.environment_of_others()
        return subprocess.run(
            words, capture_output=True, text=True, errors="replace", check=False, env=environment, timeout=60
        )
    except FileNotFoundError:
        return Ended(words, FAILED, "", f"there is no {words[0]} on this computer")
    except subprocess.TimeoutExpired:
        return Ended(words, FAILED, "", f"{words[0]} did not finish within a minute")


@dataclass
class Service(ABC):
    """The service of one user on one computer."""

    file: Path
    run: Run = run

    hint: ClassVar[str]
    """The service's run time, for the user who has just installed it."""

    @property
    @abstractmethod
    def by_hand(self) -> str:
        """The command that starts the service by hand, if it could not be started here."""

    @property
    def is_installed(self) -> bool:
        """Whether its file exists."""
        return self.file.exists()

    def install(self, launch: Launch) -> str | None:
        """Write its file and start it.

        Returns:
            Why it could not be started, or None.
        """
        content = self.written(launch)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content)
        return self._start()

    def remove(self) -> None:
        """Stop it and delete its file."""
        self._stop()
        self.file.unlink()

    @abstractmethod
    def written(self, launch: Launch) -> bytes:
        """The content of its file."""

    @abstractmethod
    def shown(self) -> str:
        """The content of its file as text."""

    @abstractmethod
    def data_dir(self) -> Path:
        """The data directory that it serves, read from its file."""

    @abstractmethod
    def is_running(self) -> bool | None:
        """Whether the system reports it as running; None if that cannot be asked."""

    @abstractmethod
    def _start(self) -> str | None: ...

    @abstractmethod
    def _stop(self) -> None: ...

    def _first_problem(self, *commands: Sequence[str]) -> str | None:
        """Run commands until one fails; return its error."""
        for words in commands:
            ended = self.run(words)
            if ended.returncode != 0:
                return (ended.stderr or ended.stdout).strip() or f"{words[0]} failed"
        return None


def template(name: str) -> str:
    return (resources.files("erp.runtime.services") / "templates" / name).read_text("utf-8")
