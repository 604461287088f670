"""`erp serve`, `erp openapi` and `erp version`."""

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import erp
from erp import __version__
from erp.commands.parsing import DONE, NO_SETTINGS, add, typed_options
from erp.kernel import config
from erp.kernel.config import OPTIONS, Config
from erp.runtime import server
from erp.store.connections import SQLITE_VERSION

if TYPE_CHECKING:
    from erp.commands.parsing import Commands

DEV = "--dev"


def add_to(commands: "Commands") -> None:
    """Describe the commands."""
    examples = (
        "serve",
        "serve --lan",
        "serve --data-dir D:\\Office --port 9000",
        "serve --public-url https://erp.example.com",
    )
    serve = add(commands, "serve", _serve, "Start the server (the default).", *examples, shown=OPTIONS)
    if not getattr(sys, "frozen", False):
        serve.add_argument(DEV, action="store_true", help="start again when a file of the program has changed")
    add(commands, "openapi", _openapi, "Print the OpenAPI document.", "openapi > openapi.json", shown=NO_SETTINGS)
    about = "Print the versions of the program, of Python and of SQLite."
    add(commands, "version", _version, about, "version", shown=NO_SETTINGS)


def _serve(settings: Config, arguments: argparse.Namespace) -> int:
    if getattr(arguments, "dev", False):
        from erp.runtime import developing

        return developing.serve([word for word in sys.argv[1:] if word != DEV], Path(erp.__file__).parent)
    return server.serve(settings, lambda: config.load(typed_options(arguments), os.environ))


def _openapi(settings: Config, arguments: argparse.Namespace) -> int:
    from erp.app import openapi_document

    print(json.dumps(openapi_document(), indent=2, ensure_ascii=False))
    return DONE


def _version(settings: Config, arguments: argparse.Namespace) -> int:
    print(f"erp {__version__} (Python {platform.python_version()}, SQLite {SQLITE_VERSION})")
    return DONE
