"""Another program that reads our files while the server writes them takes nothing from them (reliability D8)."""

import subprocess
import sys
from pathlib import Path

from tests.servers import shut_down
from tests.test_durability import ENTRY, Desk, everything, port, post_until_killed, serving

__all__ = ["port"]

READER = """
import sqlite3, sys
while True:
    connection = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
    connection.execute("SELECT count(*) FROM journal_entry").fetchone()
    connection.close()
    print("read", flush=True)
"""


def test_nothing_acknowledged_is_lost_beside_an_outside_reader(tmp_path: Path, port: int) -> None:
    desk = Desk(port)
    acknowledged: dict[str, str] = {}
    pending: set[str] = set()
    with serving(tmp_path, port) as process:
        desk.sign_in()
        desk.call("POST", "/finance/journals", ENTRY)
        (books,) = (tmp_path / "workspaces").glob("*.db")
        command = [sys.executable, "-c", READER, str(books)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "read\n"
            post_until_killed(desk, process, pending, acknowledged)
            assert reader.poll() is None, "the reader had trouble"
            reader.kill()
    with serving(tmp_path, port) as process:
        found = {entry["number"] for entry in everything(desk, "/finance/journals")}
        shut_down(process)
    assert set(acknowledged.values()) <= found
    assert len(found) <= 1 + len(acknowledged) + len(pending)
