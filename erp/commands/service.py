"""`erp service`: have the system start the server by itself."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from erp.commands.parsing import DONE, FAILED, add, group
from erp.kernel import config
from erp.kernel.config import Config
from erp.runtime import instance, server

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.runtime.services.service import Service


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    service = group(commands, "service", "Have the system start the server by itself.")
    about = "Install the service with the settings given here, or change it; prints what it writes, and where."
    add(service, "install", _install, about)
    add(service, "remove", _remove, "Stop the service and take it away; the data stays.")
    add(service, "status", _status, "Say whether the service is installed, whether it runs, and where it answers.")


def of_this_system() -> "Service":
    """The service as this system knows it."""
    if sys.platform == "win32":
        from erp.runtime.services import task_scheduler

        return task_scheduler.TaskScheduler(task_scheduler.usual_file())
    if sys.platform == "darwin":
        from erp.runtime.services import launchd

        return launchd.Launchd(launchd.usual_file())
    from erp.runtime.services import systemd

    return systemd.Systemd(systemd.usual_file())


def _install(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.runtime.services.launching import plan

    _refuse_root()
    service = of_this_system()
    flags = {name: value for name, value in vars(arguments).items() if name in config.OPTIONS}
    other = None if service.is_installed else _answering(settings.data_dir)
    problem = service.install(plan(settings.data_dir, flags))
    print(f"{service.file}:", service.shown().strip(), sep="\n", end="\n\n")
    if problem:
        print(f"erp: The file is written, but the service could not be started: {problem}", file=sys.stderr)
        print(f"Start it by: {service.by_hand}", file=sys.stderr)
        return FAILED
    print("The service is installed. `erp service status` says where it answers.", service.hint, sep="\n")
    _name_what_is_left(flags)
    if other:
        print(f"A server runs on this data already, at {other}: stop it, then install the service once more.")
    return DONE


def _name_what_is_left(flags: dict[str, object]) -> None:
    """Settings of the environment are not the service's; that of the data directory was settled into a flag."""
    given = [each.variable for name, each in config.OPTIONS.items() if name not in {*flags, "data_dir"}]
    if left := [variable for variable in given if os.environ.get(variable)]:
        print(f"Not taken over from the environment: {', '.join(left)}. Give them as flags, or write them to erp.toml.")


def _remove(settings: Config, arguments: argparse.Namespace) -> int:
    service = of_this_system()
    if not service.is_installed:
        print("There is nothing to remove: the service is not installed.")
        return DONE
    data_dir = service.data_dir()
    service.remove()
    print(f"The service is gone, and {service.file} with it. The data in {data_dir} stays.")
    return DONE


def _status(settings: Config, arguments: argparse.Namespace) -> int:
    service = of_this_system()
    if not service.is_installed:
        print("The service is not installed.")
        return DONE
    runs = {True: " and runs", False: ", but does not run", None: ""}[service.is_running()]
    print(f"The service is installed ({service.file}){runs}.")
    url = _answering(service.data_dir())
    print(f"A server answers at {url}" if url else "No server answers.", f"Data folder: {service.data_dir()}", sep="\n")
    return DONE


def _answering(data_dir: Path) -> str | None:
    """The address of the server that runs on the data, however it was started."""
    url = instance.running_at(data_dir)
    return url if url and server.answers(url) else None


def _refuse_root() -> None:
    from erp.runtime.services.launching import CannotInstall

    if sys.platform != "win32" and os.geteuid() == 0:
        raise CannotInstall(
            "The service belongs to the person whose data it is: install it signed in as that person, not as root."
        )
