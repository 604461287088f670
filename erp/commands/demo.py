"""`erp demo`: the server on a made-up company, to look around in."""

import argparse
import logging
import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from erp.commands.parsing import add
from erp.kernel import config
from erp.kernel.config import Config
from erp.runtime import instance, server

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.demo.plan_people import Person

ABOUT = """Start the server on a made-up company, to look around in: a year of books, projects, tasks and time, staff,
leave and payroll up to the present day, and an account for each role. Its data is in a folder of its own, which is
deleted when the server stops; your own data is left alone. With --data-dir it is made in that folder, which must be
empty, and stays there. All else is as with `erp serve`."""
NO_DATA = {"erp.toml", "erp.lock"}
"""What an empty data directory may hold."""


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    add(commands, "demo", _demo, "Start the server on a made-up company, to look around in.").description = ABOUT


def _demo(settings: Config, arguments: argparse.Namespace) -> int:
    is_kept = hasattr(arguments, "data_dir")
    with _folder(settings.data_dir if is_kept else None) as folder:
        flags = {name: value for name, value in vars(arguments).items() if name in config.OPTIONS}
        own = config.load({**flags, "data_dir": str(folder)}, os.environ)  # nothing of the office's own erp.toml
        print("Making a small company with a year of business, which takes a few seconds …", flush=True)
        with _undone_when_interrupted(folder):
            people = _fill(own)
        _tell_how_to_sign_in(people, is_kept)
        return server.serve(own)


@contextmanager
def _folder(named: Path | None) -> Iterator[Path]:
    """The folder to fill: the one that was named, or one that goes when the block ends."""
    if named is not None:
        _refuse_used(named)
        yield named
        return
    with TemporaryDirectory(prefix="erp-demo-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            logging.shutdown()  # on Windows a log that is open cannot be deleted


def _refuse_used(folder: Path) -> None:
    if folder.is_dir() and {each.name for each in folder.iterdir()} - NO_DATA:
        raise instance.CannotStart(
            f"{folder} is not empty, and the made-up company is not mixed with anything else. Name another folder with "
            "--data-dir, or leave it out: the company is then made in a folder that is deleted afterwards."
        )


@contextmanager
def _undone_when_interrupted(folder: Path) -> Iterator[None]:
    """Whatever ends the block early, leave nothing half made; signals that would end the program do so in order."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    except BaseException:
        for made in folder.iterdir():
            if made.is_dir():
                shutil.rmtree(made)
            elif made.name not in NO_DATA:
                made.unlink()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _fill(settings: Config) -> "Sequence[Person]":
    from erp.demo import filling

    instance.prepare(settings)
    with instance.hold(settings):
        return filling.fill(settings)


def _tell_how_to_sign_in(people: "Sequence[Person]", is_kept: bool) -> None:
    from erp.demo.plan_people import PASSWORD

    print(f'Sign in with one of these addresses and the password "{PASSWORD}":')
    for person in people:
        print(f"  {person.role:<11} {person.email:<27} {person.name}, {person.job[0].lower()}{person.job[1:]}")
    print("The company stays in its folder." if is_kept else "All of it is deleted when the server stops.", flush=True)
