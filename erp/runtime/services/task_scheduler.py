"""Windows: a task of Task Scheduler that starts at the user's sign-in."""

import os
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import platformdirs

from erp.kernel.language import verbatim
from erp.runtime.services.launching import CannotInstall, Launch
from erp.runtime.services.service import Service, template

SPACE = "http://schemas.microsoft.com/windows/2004/02/mit/task"
NAME = "erp"
FILLED_IN = re.compile(r"%[^%]+%|\$\(Arg\d+\)")
"""Text that Task Scheduler would replace; it has no way to escape it."""


def usual_file() -> Path:
    """The file of the task's description; Task Scheduler makes its own copy."""
    return platformdirs.user_data_path("erp", appauthor=False) / "erp-task.xml"


class TaskScheduler(Service):
    """A task; it needs no administrator, and runs in a window of its own while the user is signed in."""

    hint = (
        "It starts in its own window when you sign in. You can minimise that window. Closing it stops the server until "
        "your next sign-in."
    )

    @property
    def by_hand(self) -> str:
        return f'schtasks /Create /TN {NAME} /XML "{self.file}" /F && schtasks /Run /TN {NAME}'

    def written(self, launch: Launch) -> bytes:
        for word in (*launch.words, str(launch.folder)):
            if part := FILLED_IN.search(word):
                raise CannotInstall(
                    verbatim(f"Task Scheduler would replace {part[0]} in {word!r}. Use a path without it.")
                )
        program, *arguments = launch.words
        task = ET.fromstring(template("erp-task.xml"))
        _fill(task, "UserId", f"{os.environ.get('USERDOMAIN', '.')}\\{os.environ.get('USERNAME', '')}")
        _fill(task, "Documentation", str(launch.data_dir))
        _fill(task, "Command", program)
        _fill(task, "Arguments", subprocess.list2cmdline(arguments))
        _fill(task, "WorkingDirectory", str(launch.folder))
        ET.register_namespace("", SPACE)  # here, as others write documents of their own
        content: bytes = ET.tostring(task, encoding="utf-16", xml_declaration=True)
        return content

    def shown(self) -> str:
        return self.file.read_text("utf-16")

    def data_dir(self) -> Path:
        return Path(ET.fromstring(self.file.read_bytes()).findtext(f".//{{{SPACE}}}Documentation", ""))

    def is_running(self) -> bool | None:
        """None: the answer of `schtasks` is in the language of the system."""
        return None

    def _start(self) -> str | None:
        self.run(["schtasks", "/End", "/TN", NAME])  # a running one has to read its new settings
        return self._first_problem(
            ["schtasks", "/Create", "/TN", NAME, "/XML", str(self.file), "/F"], ["schtasks", "/Run", "/TN", NAME]
        )

    def _stop(self) -> None:
        self.run(["schtasks", "/End", "/TN", NAME])
        self.run(["schtasks", "/Delete", "/TN", NAME, "/F"])


def _fill(task: ET.Element, name: str, text: str) -> None:
    for element in task.iter(f"{{{SPACE}}}{name}"):
        element.text = text
