"""A router over PostgreSQL databases instead of files: each workspace has one, and so has the installation."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import peewee
import psycopg
from psycopg.adapt import Dumper, Loader

from erp.kernel.errors import Busy
from erp.store.router import Router

SIGNS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|(?<!:):([A-Za-z_]\w*)|\?(\d*)|%")
FAILED: dict[str, str] = {}
"""Statements that the server has refused, with its first error for each."""

READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class Whole(Loader):
    """A sum of integers is a decimal number there."""

    def load(self, data: Any) -> int | Decimal:
        text = bytes(data).decode()
        return Decimal(text) if "." in text else int(text)


class Text(Loader):
    def load(self, data: Any) -> str:
        return bytes(data).decode()


class Flag(Loader):
    """True and false as fixed SQL gets them of SQLite."""

    def load(self, data: Any) -> int:
        return int(bytes(data) == b"t")


class Day(Dumper):
    def dump(self, obj: date) -> bytes:
        return obj.isoformat().encode()


LOADERS: dict[str, Any] = {"numeric": Whole, "json": Text, "jsonb": Text, "bool": Flag}


def connected(folder: str, name: str) -> Any:
    """A connection to a database of the server whose socket is in the folder."""
    connection = psycopg.connect(host=folder, user="erp", dbname=name, autocommit=True)
    for kind, loader in LOADERS.items():
        connection.adapters.register_loader(kind, loader)
    connection.adapters.register_dumper(date, Day)
    connection.execute("SET search_path = public, erp")
    return connection


@lru_cache(8192)
def spelled(sql: str) -> str:
    """The statement with psycopg's signs for parameters; texts keep theirs."""

    def sign(match: re.Match[str]) -> str:
        if match[1]:
            return f"%({match[1]})s"
        if match[0].startswith("?"):
            return f"%(p{match[2]})s" if match[2] else "%s"
        return match[0].replace("%", "%%")

    return SIGNS.sub(sign, sql)


def database_of(path: Path) -> str:
    """The name of the database for a file."""
    return path.stem.replace("-", "_")


class Connection:
    """The parts of an SQLite connection that the program uses."""

    def __init__(self, folder: str, name: str, version: int) -> None:
        self._own = connected(folder, name)
        self._pragmas = {"PRAGMA user_version": version, "PRAGMA query_only = 0": 0, "PRAGMA query_only = 1": 1}

    @property
    def in_transaction(self) -> bool:
        return bool(self._own.info.transaction_status != psycopg.pq.TransactionStatus.IDLE)

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        if sql in self._pragmas:
            return self._own.execute(f"SELECT {self._pragmas[sql]}")
        text = {"BEGIN": READING, "BEGIN IMMEDIATE": "BEGIN"}.get(sql, sql)
        if "?1" in sql:
            parameters = {f"p{index}": value for index, value in enumerate(parameters, 1)}
        try:
            return self._own.execute(spelled(text), parameters)
        except psycopg.Error as error:
            FAILED.setdefault(sql, f"{error}")
            raise _of_peewee(error) from error

    def executemany(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._own.cursor() as cursor:
            cursor.executemany(spelled(sql), rows)

    def close(self) -> None:
        self._own.close()


def _of_peewee(error: psycopg.Error) -> Exception:
    state = error.sqlstate or ""
    if state == "55P03":
        return Busy()
    kind = peewee.IntegrityError if state.startswith("23") else peewee.OperationalError
    return kind(str(error))


class Served(Router):
    """A router whose files are databases of a server."""

    folder: str
    version: int

    def serve(self, folder: str, version: int) -> None:
        """Open databases of the server whose socket is in the folder."""
        self.folder, self.version = folder, version

    def _open(self, path: str) -> Any:
        return Connection(self.folder, database_of(Path(path)), self.version)

    def state(self, path: Path) -> str:
        raise Busy
