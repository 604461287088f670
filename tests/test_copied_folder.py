"""A data folder that was copied while a server wrote to it: each workspace is whole, or it is said that it is not."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from erp.store import connections
from tests.servers import shut_down, wait_for
from tests.test_durability import Desk, everything, free_port, port, serving
from tests.test_lost_logs import SOLD, kill, logging_server, sell

__all__ = ["port"]

COPIES = 4


@contextmanager
def selling(desk: Desk, workspaces: list[str]) -> Iterator[dict[str, list[str]]]:
    """Clients that sell during the block, one in each workspace; the numbers that were acknowledged."""
    ended = threading.Event()
    acknowledged: dict[str, list[str]] = {id: [] for id in workspaces}

    def work(id: str) -> None:
        with suppress(OSError, HTTPException, ValueError):
            while not ended.is_set():
                acknowledged[id] += sell(desk, 1, **{"x-workspace-id": id})

    threads = [threading.Thread(target=work, args=(id,)) for id in workspaces]
    for thread in threads:
        thread.start()
    try:
        yield acknowledged
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def copy_of(folder: Path, target: Path) -> Path:
    """Copy a folder file by file, as people do; a file that is gone by then is left out."""
    target.mkdir()
    for file in sorted(folder.rglob("*")):
        place = target / file.relative_to(folder)
        with suppress(FileNotFoundError):
            place.mkdir(parents=True, exist_ok=True) if file.is_dir() else shutil.copyfile(file, place)
    return target


def test_each_workspace_in_a_copy_has_what_was_acknowledged_before_it_or_is_unavailable(
    tmp_path: Path, port: int
) -> None:
    desk = Desk(port)
    with serving(tmp_path / "data", port) as process:
        desk.sign_in()
        made = [desk.call("POST", "/workspace", {"name": f"Branch {n}"})[1]["data"]["id"] for n in range(2)]
        copies: list[tuple[Path, dict[str, list[str]]]] = []
        with selling(desk, made) as acknowledged:
            for number in range(COPIES):
                count = len(acknowledged[made[0]])
                wait_for(lambda count=count: len(acknowledged[made[0]]) >= count + 15, seconds=30)
                before = {id: list(numbers) for id, numbers in acknowledged.items()}
                copies.append((copy_of(tmp_path / "data", tmp_path / f"copy{number}"), before))
        shut_down(process)
    for folder, before in copies:
        desk.port = free_port()
        with serving(folder, desk.port) as process:
            for id in made:
                assert_whole_or_unavailable(desk, id, before[id])
            shut_down(process)


def assert_whole_or_unavailable(desk: Desk, id: str, before: list[str]) -> None:
    desk.headers["x-workspace-id"] = id
    status, answer = desk.call("GET", "/finance/invoices?limit=1")
    if status == 200:
        assert {one["number"] for one in everything(desk, "/finance/invoices")} >= set(before)
        assert desk.call("GET", "/workspace/events/verify")[1]["data"]["isValid"] is True
        assert desk.call("GET", "/finance/reports/balance-sheet")[1]["data"]["isBalanced"] is True
        assert desk.call("POST", "/finance/invoices", SOLD)[0] == 201
    else:
        assert (status, answer["error"]["code"]) == (503, "unavailable")


def test_a_copy_whose_only_fault_is_a_page_of_another_moment_is_found_by_its_rows(tmp_path: Path, port: int) -> None:
    """A page of a table as it was before a change: the file is sound, its log is whole, and one row is too old."""
    desk = Desk(port)
    with serving(tmp_path / "data", port) as process:
        desk.sign_in()
        sell(desk, 1)
        (contact,) = everything(desk, "/finance/contacts")
        assert desk.call("PATCH", f"/finance/contacts/{contact['id']}", {"name": "Initrode"})[0] == 200
        kill(process)
    folder = copy_of(tmp_path / "data", tmp_path / "copy")
    restore_row(folder, contact)
    with logging_server(folder, port) as (_, logged):
        assert desk.call("GET", "/finance/contacts")[0] == 503
    with serving(folder, port) as process:  # after a stop as after a kill
        assert desk.call("GET", "/finance/contacts")[0] == 503
        shut_down(process)
    assert "the data folder was copied while a server was running, so every file is checked in full" in logged[0]
    assert "is unavailable. Its file cannot be used: another program has changed contact Initrode" in logged[0]
    whole = copy_of(tmp_path / "data", tmp_path / "whole")
    with serving(whole, port) as process:
        assert everything(desk, "/finance/contacts")[0]["name"] == "Initrode"
        shut_down(process)


def restore_row(folder: Path, contact: Any) -> None:
    (books,) = (folder / "workspaces").glob("*.db")
    with closing(connections.sqlite3.connect(books)) as file:
        file.create_function("folded", 1, str.casefold, deterministic=True)
        file.execute("UPDATE contact SET name = ? WHERE id = ?", (contact["name"], contact["id"]))
        file.commit()
