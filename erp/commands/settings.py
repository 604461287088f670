"""`erp config`: the settings in force, and the place where each is set."""

import argparse
import os
from typing import TYPE_CHECKING

from erp.commands.parsing import DATA_FOLDER, DONE, add, plain, typed_options
from erp.kernel import config
from erp.kernel.config import FILE_NAME, OPTIONS, Config

if TYPE_CHECKING:
    from erp.commands.parsing import Commands


def add_to(commands: "Commands") -> None:
    """Describe the command."""
    about = "Print each setting with its value and its source: default, erp.toml, environment or option."
    add(commands, "config", _config, about, "config", "config --lan --port 9000", shown=DATA_FOLDER, hidden=OPTIONS)


def _config(settings: Config, arguments: argparse.Namespace) -> int:
    sources = config.sources(typed_options(arguments), os.environ)
    rows = [(row.name, config.shown(getattr(settings, name)), sources[name]) for name, row in OPTIONS.items()]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, value, source in rows:
        print(plain(f"{name:<{first}}  {value:<{second}}  {source}"))
    file = settings.data_dir / FILE_NAME
    print(
        plain(f"{file} {'is read' if file.exists() else 'does not exist'}. A server reads its settings when it starts.")
    )
    return DONE
