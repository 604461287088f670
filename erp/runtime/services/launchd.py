"""macOS: an agent of launchd that belongs to the user."""

import os
import plistlib
import time
from pathlib import Path

from erp.runtime.services.launching import DATA_DIR, Launch
from erp.runtime.services.service import Service, template

LABEL = "local.erp"
SECONDS_TO_STOP = 16
"""Seconds, more than launchd waits before it kills."""


def usual_file() -> Path:
    """The folder of the user's agents."""
    return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"


class Launchd(Service):
    """An agent; it runs while the user is signed in at the screen."""

    hint = "It runs while you are signed in, and starts again at your next sign-in."

    @property
    def by_hand(self) -> str:
        return f'launchctl bootstrap {self._domain} "{self.file}"'

    def written(self, launch: Launch) -> bytes:
        agent = plistlib.loads(template(f"{LABEL}.plist").encode())
        agent["ProgramArguments"] = list(launch.words)
        agent["WorkingDirectory"] = str(launch.folder)
        agent["StandardErrorPath"] = str(Path.home() / "Library" / "Logs" / "erp.log")
        return plistlib.dumps(agent, sort_keys=False)

    def shown(self) -> str:
        return self.file.read_text("utf-8")

    def data_dir(self) -> Path:
        words = plistlib.loads(self.file.read_bytes())["ProgramArguments"]
        return next(Path(word.removeprefix(DATA_DIR)) for word in words if word.startswith(DATA_DIR))

    def is_running(self) -> bool | None:
        ended = self.run(["launchctl", "print", self._target])
        return ended.returncode == 0 and "state = running" in ended.stdout

    def _start(self) -> str | None:
        self._stop()
        return self._first_problem(["launchctl", "bootstrap", self._domain, str(self.file)])

    def _stop(self) -> None:
        """Remove the agent and wait until it is gone: launchd refuses another one of its name before that."""
        self.run(["launchctl", "bootout", self._target])
        until = time.monotonic() + SECONDS_TO_STOP
        while self.run(["launchctl", "print", self._target]).returncode == 0 and time.monotonic() < until:
            time.sleep(0.2)

    @property
    def _domain(self) -> str:
        return f"gui/{os.getuid()}"

    @property
    def _target(self) -> str:
        return f"{self._domain}/{LABEL}"
