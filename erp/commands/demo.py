"""`erp demo`: the server with a made-up company, to look around in."""

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

from erp.commands.parsing import add, typed_options
from erp.kernel import config
from erp.kernel.config import Config
from erp.runtime import instance, server

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.demo.scenario import Person

ABOUT = """Start the server with a made-up company to look around in: a year of books with bank statements, payment
runs and tax returns, projects, tasks and time, staff, leave and payroll up to today, and a user for each role. Its
data is in a temporary folder that is deleted when the server stops; your own data is not touched. With --data-dir the
company is created in that folder, which must be empty, and is kept. Everything else works as in `erp serve`."""
NO_DATA = {"erp.toml", "erp.lock"}
"""The only files that an empty data directory may have."""


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    about = "Start the server with a made-up company to look around in."
    demo = add(commands, "demo", _demo, about, "demo", "demo --data-dir trial", hidden=config.OPTIONS)
    demo.description = " ".join(ABOUT.split())


def _demo(settings: Config, arguments: argparse.Namespace) -> int:
    is_kept = hasattr(arguments, "data_dir")
    with _folder(settings.data_dir if is_kept else None) as folder:
        flags = {**typed_options(arguments), "data_dir": str(folder)}
        own = config.load(flags, os.environ)  # nothing of the office's own erp.toml
        print("Creating a small company with a year of business. This takes a few seconds …", flush=True)
        with _emptied_on_failure(folder):
            people = _fill(own)
        _explain_sign_in(people, is_kept)
        return server.serve(own)


@contextmanager
def _folder(named: Path | None) -> Iterator[Path]:
    """The folder to fill: the named one, or a temporary one that is deleted when the block ends."""
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
    if folder.is_dir() and {path.name for path in folder.iterdir()} - NO_DATA:
        raise instance.CannotStart(
            f"{folder} is not empty, and the made-up company needs a folder of its own. Name an empty folder with "
            "--data-dir, or leave --data-dir out to use a temporary one."
        )


@contextmanager
def _emptied_on_failure(folder: Path) -> Iterator[None]:
    """Empty the folder if the block fails; a signal that would end the program fails the block instead."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    except BaseException:
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in NO_DATA:
                path.unlink()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _fill(settings: Config) -> "Sequence[Person]":
    from erp.app import create_app
    from erp.demo import filling

    instance.prepare(settings)
    with instance.hold(settings):
        return filling.fill(settings, create_app)


def _explain_sign_in(people: "Sequence[Person]", is_kept: bool) -> None:
    from erp.demo import scenario

    print(f'Sign in with one of these addresses and the password "{scenario.read().password}":')
    for person in people:
        job = person.job_title[0].lower() + person.job_title[1:]
        print(f"  {person.role:<11} {person.email:<27} {person.name}, {job}")
    print(f"The company is {'kept' if is_kept else 'deleted'} when the server stops.", flush=True)
