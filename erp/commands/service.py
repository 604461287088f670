"""`erp service`: the server as a service that the system starts."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from erp.commands.parsing import DONE, FAILED, NO_SETTINGS, add, group, typed_options
from erp.kernel import config
from erp.kernel.config import Config
from erp.kernel.language import verbatim
from erp.runtime import instance, server

if TYPE_CHECKING:
    from erp.commands.parsing import Commands
    from erp.runtime.services.service import Service


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    service = group(commands, "service", "Let the system start the server by itself.")
    about = "Install the service with these settings, or change its settings. Prints the file that it writes."
    examples = ("service install", "service install --lan --port 9000")
    add(service, "install", _install, about, *examples, hidden=config.OPTIONS)
    about = "Stop and remove the service. The data is kept."
    add(service, "remove", _remove, about, "service remove", shown=NO_SETTINGS)
    about = "Show whether the service is installed and running, and its address."
    add(service, "status", _status, about, "service status", shown=NO_SETTINGS)


def of_this_system() -> "Service":
    """The kind of service of this operating system."""
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
    flags = typed_options(arguments)
    other = None if service.is_installed else _answering(settings.data_dir)
    problem = service.install(plan(settings.data_dir, flags))
    print(f"{service.file}:", service.shown().strip(), sep="\n", end="\n\n")
    if problem:
        print(f"erp: The file has been written, but the service could not be started: {problem}", file=sys.stderr)
        print(f"To start it, run: {service.by_hand}", file=sys.stderr)
        return FAILED
    print("The service is installed. `erp service status` shows its address.", service.hint, sep="\n")
    _warn_of_environment(flags)
    if other:
        print(f"A server is already running on this data at {other}. Stop it, then install the service again.")
    return DONE


def _warn_of_environment(flags: dict[str, object]) -> None:
    """Name the settings of this environment, which the service lacks; the data directory has become a flag."""
    variables = [setting.variable for name, setting in config.OPTIONS.items() if name not in {*flags, "data_dir"}]
    if lacking := [variable for variable in variables if os.environ.get(variable)]:
        print(f"The service does not see {', '.join(lacking)} of your environment. Use flags or erp.toml instead.")


def _remove(settings: Config, arguments: argparse.Namespace) -> int:
    service = of_this_system()
    if not service.is_installed:
        print("There is nothing to remove: the service is not installed.")
        return DONE
    data_dir = service.data_dir()
    service.remove()
    print(f"The service and its file {service.file} have been removed. The data in {data_dir} is kept.")
    return DONE


def _status(settings: Config, arguments: argparse.Namespace) -> int:
    service = of_this_system()
    if not service.is_installed:
        print("The service is not installed.")
        return DONE
    state = {True: " and running", False: " but not running", None: ""}[service.is_running()]
    print(f"The service is installed ({service.file}){state}.")
    url = _answering(service.data_dir())
    print(f"A server answers at {url}" if url else "No server answers.", f"Data folder: {service.data_dir()}", sep="\n")
    return DONE


def _answering(data_dir: Path) -> str | None:
    """The address of the server that is running on the data, however it was started."""
    url = instance.running_at(data_dir)
    return url if url and server.answers(url) else None


def _refuse_root() -> None:
    from erp.runtime.services.launching import CannotInstall

    if sys.platform != "win32" and os.geteuid() == 0:
        raise CannotInstall(
            verbatim(
                "A service belongs to the user who owns the data. Sign in as that user to install it, not as root."
            )
        )
