"""`erp serve`, `erp openapi` and `erp version`."""

import argparse
import json
import platform
from typing import TYPE_CHECKING

from erp import __version__
from erp.commands.parsing import DONE, add
from erp.kernel.config import Config
from erp.runtime import server
from erp.store.connections import SQLITE_VERSION

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    add(commands, "serve", _serve, "Start the server (the default).")
    add(commands, "openapi", _openapi, "Print the OpenAPI document.")
    add(commands, "version", _version, "Print the versions of the program, of Python and of SQLite.")


def _serve(settings: Config, arguments: argparse.Namespace) -> int:
    return server.serve(settings)


def _openapi(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.app import openapi_document

    print(json.dumps(openapi_document(), indent=2, ensure_ascii=False))
    return DONE


def _version(settings: Config, arguments: argparse.Namespace) -> int:
    print(f"erp {__version__} (Python {platform.python_version()}, SQLite {SQLITE_VERSION})")
    return DONE
