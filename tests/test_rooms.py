"""The map of rooms is true: every room is on it, and it leads from a path to the code that serves it."""

import re
import tomllib
from typing import NamedTuple

from erp.app import areas
from tests.docs.pages import page
from tests.paths import ROOT

ROW = re.compile(r"^\| `(erp[\w/]*)` \| ([^|]+) \|([^|]*)\|$", re.MULTILINE)


class Room(NamedTuple):
    """A row of the map: a folder, and the beginnings of the paths it serves."""

    folder: str
    paths: list[str]


def rooms() -> list[Room]:
    text = page("architecture").partition("<!-- rooms -->")[2]
    return [Room(folder, re.findall(r"`([^`]+)`", paths)) for folder, _, paths in ROW.findall(text)]


ENDPOINTS = [(path, type(resource).__module__) for routes in areas() for path, resource in routes.items()]


def test_the_map_names_the_rooms_that_exist_and_no_others():
    packages = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "erp").glob("**/__init__.py")}
    assert sorted(room.folder for room in rooms()) == sorted(packages - {"erp"} | {"erp/frontend"})


def test_the_map_leads_to_every_endpoint():
    """The longest beginning of a path on the map is in the row of the room that serves it."""
    served = {beginning: room.folder for room in rooms() for beginning in room.paths}
    for path, module in ENDPOINTS:
        fitting = [beginning for beginning in served if f"{path}/".startswith(f"{beginning}/")]
        assert fitting, f"no row names {path}"
        assert served[max(fitting, key=len)] == module.rpartition(".")[0].replace(".", "/"), path


def test_no_row_promises_a_path_that_is_not_served():
    paths = [path for path, _ in ENDPOINTS]
    for room in rooms():
        for beginning in room.paths:
            assert any(path.startswith(beginning) for path in paths), beginning


def test_rooms_are_in_the_order_in_which_they_may_use_each_other():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "order")
    rank = {name.replace(".", "/"): -i for i, layer in enumerate(layers) for name in layer.split(" | ")}
    ranks = [rank[room.folder] for room in rooms() if room.folder in rank]
    assert len(ranks) > 20
    assert ranks == sorted(ranks)


def test_every_room_has_its_place_in_the_order():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "order")
    ordered = {name.replace(".", "/") for layer in layers for name in layer.split(" | ")}
    headings = {"erp/finance", "erp/frontend"}  # its rooms are ordered one by one; no Python
    placed = {room.folder for room in rooms() if any(f"{room.folder}/".startswith(f"{name}/") for name in ordered)}
    assert {room.folder for room in rooms()} - placed == headings
