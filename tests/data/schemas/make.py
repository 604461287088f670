"""Make the golden files of the present schema: a backup of a small office, and what it read of its figures.

Run once before a release whose schema is new: `python tests/data/schemas/make.py`. The folder is named after the
workspaces' schema. The same program writes the same bytes every time: time and chance are fixed.
"""

import datetime
import itertools
import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2]))
dice = random.Random(20260311)
ticks = itertools.count(1_773_248_400_000_000_000, 1_000_000)
os.urandom = dice.randbytes
random._urandom = dice.randbytes  # type: ignore[attr-defined]
time.time_ns = lambda: next(ticks)

from erp.kernel import clock, config  # noqa: E402
from erp.migrations import control, workspace  # noqa: E402
from erp.store import router  # noqa: E402
from erp.system.backups import backups  # noqa: E402
from tests.busy_offices import NOW, busy_office, reported_figures  # noqa: E402
from tests.conftest import PASSWORD, Installation  # noqa: E402


def main() -> None:
    """Write the folder of the present schema again."""
    clock.now = lambda: datetime.datetime.fromisoformat(NOW)
    target = HERE / str(max(len(workspace.STEPS), len(control.STEPS)))
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data")
        office = busy_office(installation)
        who = {"email": office.email, "password": PASSWORD, "workspace": office.workspace_id}
        read = {**who, "figures": reported_figures(office)}
        with config.use(installation.config):
            made = backups.make("manual", target)
        made.path.rename(target / "backup.zip")
        router.close_all()
    (target / "figures.json").write_text(json.dumps(read, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
