"""What the three systems' services have in common: a file that says how the program is started, and a manager."""

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
"""The exit code for a command that could not be run, as shells have it."""


def run(words: Sequence[str]) -> Ended:
    """Run one command of the system, and keep what it says."""
    try:
        others = frozen.environment_of_others()
        return subprocess.run(
            words, capture_output=True, text=True, errors="replace", check=False, env=others, timeout=60
        )
    except FileNotFoundError:
        return Ended(words, FAILED, "", f"there is no {words[0]} on this computer")
    except subprocess.TimeoutExpired:
        return Ended(words, FAILED, "", f"{words[0]} does not come to an end")


@dataclass
class Service(ABC):
    """The service of one person on one computer."""

    file: Path
    run: Run = run

    hint: ClassVar[str]
    """What is good to know once it is installed."""

    @property
    @abstractmethod
    def by_hand(self) -> str:
        """The command that does what could not be done now."""

    @property
    def is_installed(self) -> bool:
        """Whether its file is there."""
        return self.file.exists()

    def install(self, launch: Launch) -> str | None:
        """Write its file, or write it anew, and start it; return what kept it from being started, if anything."""
        content = self.written(launch)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content)
        return self._start()

    def remove(self) -> None:
        """Stop it and take its file away."""
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
        """The data directory that it serves, as its file says."""

    @abstractmethod
    def is_running(self) -> bool | None:
        """Whether the system says that it runs; None when it cannot be asked."""

    @abstractmethod
    def _start(self) -> str | None: ...

    @abstractmethod
    def _stop(self) -> None: ...

    def _first_problem(self, *commands: Sequence[str]) -> str | None:
        """Run commands until one fails; return what that one complains of."""
        for words in commands:
            ended = self.run(words)
            if ended.returncode != 0:
                return (ended.stderr or ended.stdout).strip() or f"{words[0]} failed"
        return None


def template(name: str) -> str:
    """Read one of the templates."""
    return (resources.files("erp.runtime.services") / "templates" / name).read_text("utf-8")
