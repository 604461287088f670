"""A program that dies at a named point of its work: `python -m tests.kill_points WORK POINT FOLDER [POINT FOLDER …]`.

It forks for each point, so that all of them cost one start. A point is `module:function:before` or `…:after`, with
the number of the call where it is not the first: `erp.system.upkeep:_take_steps:after:2`.
"""

import datetime
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from erp.kernel import clock
from erp.kernel.config import Config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import engine
from erp.system import upkeep
from tests.busy_offices import NOW, know, signed_in
from tests.conftest import Installation

DEAD = 9
ACKNOWLEDGED = "acknowledged"

Arm = Callable[[], None]


def migrate(folder: Path, arm: Arm) -> None:
    """Bring data up to date, as a later version of the program would."""
    know()
    arm()
    upkeep.prepare(Config(data_dir=folder))


def provision(folder: Path, arm: Arm) -> None:
    """Make two workspaces; the first is noted as acknowledged."""
    office = signed_in(Installation(folder), "olga1@example.com")
    made = office.ok("POST", "/workspace", {"name": "First"})
    (folder / ACKNOWLEDGED).write_text(made["id"], "utf-8")
    arm()
    office.ok("POST", "/workspace", {"name": "Second"})


WORKS = {"migrate": migrate, "provision": provision}


def die_at(point: str) -> None:
    """Let the process end without a word at a call of a function."""
    at(point, lambda: os._exit(DEAD))


def at(point: str, act: Callable[[], object], patch: Callable[[Any, str, Any], None] = setattr) -> None:
    """Do something at a call of a function, once."""
    module, name, when, *number = point.split(":")
    owner: Any = importlib.import_module(module)
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    original, left = getattr(owner, last), int(*number or "1")

    def watched(*args: Any, **options: Any) -> Any:
        nonlocal left
        left -= 1
        is_the_call = left == 0
        if is_the_call and when == "before":
            act()
        answer = original(*args, **options)
        if is_the_call and when == "after":
            act()
        return answer

    patch(owner, last, watched)


def main(work: str, *points_and_folders: str) -> None:
    """Do the work once for each point; complain of those that were never reached."""
    now = datetime.datetime.fromisoformat(NOW)
    clock.now = lambda: now
    for schema in (CONTROL_SCHEMA, WORKSPACE_SCHEMA):
        engine.parts_made_by(schema, schema.version)  # kept for all processes
    pairs = zip(points_and_folders[::2], points_and_folders[1::2], strict=True)
    if missed := [point for point, folder in pairs if not dies(work, point, Path(folder))]:
        sys.exit(f"never reached: {missed}")


def dies(work: str, point: str, folder: Path) -> bool:
    """Do the work in a process of its own; whether it died of it."""
    child = os.fork()
    if child == 0:
        WORKS[work](folder, lambda: die_at(point))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DEAD


if __name__ == "__main__":
    main(*sys.argv[1:])
