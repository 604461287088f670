"""A workspace in open formats: a zip of tables as CSV and JSON, the stored files, the schema, and a readme.

It is for people and other programs to read; `exporting` makes the file that another installation imports.
"""

import errno
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from typing import IO, Any, NamedTuple

from peewee import JSONField, Model

from erp import __version__
from erp.attachments import stored
from erp.attachments.models import StoredFile
from erp.kernel import caller, clock, config
from erp.kernel.errors import StorageFull
from erp.store import control, engine, events
from erp.store.control import Member, User
from erp.store.records import Recorded
from erp.store.router import WORKSPACE
from erp.system.backups import archive, snapshot
from erp.system.transfer import exporting, registration
from erp.web import csv_list
from erp.web.endpoint import endpoint
from erp.web.schema import File

HIDDEN = frozenset(
    {
        "erasure",
        "erasure_event",
        "idempotency",
        "kiosk_pin",
        "sealed_secret",
        "share_link",
        "stored_part",
        "webhook_secret",
        "workspace_meta",
    }
)
"""Tables that hold nothing of the office: stored answers, hashes of PINs, links by their hashes, the bytes of files,
which are files in the zip, encrypted passwords, the secrets of webhooks, and the key of the log's seals.
"""

Row = Sequence[Any]


class Table(NamedTuple):
    """A table: its subject, its columns, the JSON ones among them, and its rows from the first each time."""

    name: str
    about: str
    columns: Sequence[str]
    json_columns: frozenset[str]
    rows: Callable[[], Iterator[Row]]


def export(workspace_id: str) -> File:
    """Everything in a workspace, as it is now; reading and writing go on meanwhile.

    The workspace's log records the export before anything is written.

    Raises:
        StorageFull: the disk has no room for it.
    """
    workspace = registration.find_usable(workspace_id)
    name = f"{exporting.simple_name(workspace.name)}-{clock.now().date()}.zip"
    events.deliver(workspace_id)
    with control.open_workspace(workspace_id, write=True):
        events.write("workspace.exported", "workspace", workspace_id, {"file": name})
    folder = config.current().backups_dir
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    snapshot.ensure_room(folder, control.workspace_path(workspace_id).stat().st_size)
    content = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - the server closes it once it is sent
    try:
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=archive.LEVEL) as zipped:
            _fill(zipped, workspace_id, workspace.name)
    except OSError as problem:
        content.close()
        if problem.errno == errno.ENOSPC:
            raise StorageFull from None
        raise
    return File(content, name)


def _fill(zipped: zipfile.ZipFile, workspace_id: str, name: str) -> None:
    members = _members(workspace_id)
    with control.open_workspace(workspace_id, write=False):
        parts = engine.parts(WORKSPACE)
        tables = [*_tables(parts), members]
        counts = {table.name: _write(zipped, table) for table in tables}
        _write_files(zipped)
    zipped.writestr("schema.sql", "\n\n".join(f"{statement};" for statement in parts.values()) + "\n")
    about = [
        {"table": table.name, "about": table.about, "columns": list(table.columns), "rows": counts[table.name]}
        for table in tables
    ]
    zipped.writestr("tables.json", json.dumps(about, ensure_ascii=False, indent=1))
    zipped.writestr("README.txt", _readme(name, tables, counts))


def _members(workspace_id: str) -> Table:
    """The users of the installation who are or were members, from the control file."""
    with control.read():
        users = {user.id: user for user in User.select(User.id, User.name, User.email)}
        rows = [
            (row.user_id, users[row.user_id].name, users[row.user_id].email, row.role, row.status)
            for row in Member.select().where(Member.workspace == workspace_id)
        ]
    columns = ("user_id", "name", "email", "role", "status")
    return Table("member", "Who is in the workspace, with their role.", columns, frozenset(), lambda: iter(rows))


def _tables(parts: Mapping[str, str]) -> Iterator[Table]:
    models = {model._meta.table_name: model for model in _models(Recorded)}
    for part in parts:
        kind, _, name = part.partition(" ")
        if kind == "table" and name not in HIDDEN:
            yield _table(name, models.get(name))


def _models(base: type[Model]) -> Iterator[type[Model]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _table(name: str, model: type[Model] | None) -> Table:
    columns = [column for column, *_ in WORKSPACE.run(f'SELECT * FROM "{name}" LIMIT 0').description]
    about = (model.__doc__ or "").strip().partition("\n")[0] if model is not None else ""
    fields = model._meta.sorted_fields if model is not None else ()
    json_columns = frozenset(field.column_name for field in fields if isinstance(field, JSONField))
    return Table(name, about, columns, json_columns, lambda: WORKSPACE.run(f'SELECT * FROM "{name}" ORDER BY 1'))


def _write(zipped: zipfile.ZipFile, table: Table) -> int:
    """Write a table in both formats; return the number of rows."""
    count = 0
    with _text(zipped, f"csv/{table.name}.csv") as file:
        file.write(",".join(table.columns) + "\r\n")
        for row in table.rows():
            file.write(",".join(map(csv_list.quoted, row)) + "\r\n")
            count += 1
    with _text(zipped, f"json/{table.name}.json") as file:
        file.write("[")
        for index, row in enumerate(table.rows()):
            record = {name: _parsed(table, name, value) for name, value in zip(table.columns, row, strict=True)}
            file.write((",\n" if index else "\n") + json.dumps(record, ensure_ascii=False))
        file.write("\n]\n")
    return count


def _text(zipped: zipfile.ZipFile, name: str) -> TextIOWrapper:
    member: IO[bytes] = zipped.open(name, "w", force_zip64=True)
    return TextIOWrapper(member, "utf-8", newline="")


def _write_files(zipped: zipfile.ZipFile) -> None:
    """Write each stored file, part by part, under its hash."""
    for row in StoredFile.select():
        with zipped.open(f"files/{row.sha256}.{row.media_type.rpartition('/')[2]}", "w", force_zip64=True) as file:
            for part in stored.parts(row.sha256):
                file.write(part)


def _parsed(table: Table, name: str, value: Any) -> Any:
    return json.loads(value) if name in table.json_columns and isinstance(value, str) else value


_README = """\
{name}, exported on {day} by erp {version}

This is everything that the workspace holds, to be read by people and other programs. To move it to another
installation of erp, use the file of `erp workspace export` instead.

csv/         each table as CSV: UTF-8, commas, one heading. Text that a spreadsheet would run as a formula has an
             apostrophe before it.
json/        the same tables as JSON, exactly as they are stored
files/       logos, papers, e-invoices and what is attached to records; the tables name them by their sha256
schema.sql   how the tables are defined, and which columns refer to which
tables.json  what each table is about, its columns, and how many rows it has

How values are stored
- Ids are text. A column that ends in _id names the row of another table with that id.
- Amounts are whole numbers in the smallest unit of their currency: 119000 in EUR is 1,190.00. In postings a debit is
  above zero and a credit below, in the base currency of the table `settings`.
- Quantities, unit prices and percentages are millionths: 19000000 is 19 %. Exchange rates have
  twelve decimals: 920000000000 is 0.92.
- Days are YYYY-MM-DD in the office's time zone, instants are in UTC, and durations are minutes.
- The table `event` is the log of changes. Each event has the hash of the one before it.

The tables
"""


def _readme(name: str, tables: Sequence[Table], counts: Mapping[str, int]) -> str:
    text = _README.format(name=name, day=clock.now().date(), version=__version__)
    lines = [f"- {table.name} ({counts[table.name]}): {table.about}".rstrip(": ") for table in tables]
    return text + "\n".join(lines) + "\n"


class Resource:
    @endpoint(
        permission="workspace.own", store=None, session_only=True, produces="application/zip", refuses=(StorageFull,)
    )
    def on_get(self) -> File:
        """Download everything in the workspace, in open formats, for people and other programs.

        The zip has each table as CSV and as JSON, the stored files, the schema, and a readme that explains them. It
        contains people's pay and bank details. Work can go on meanwhile, and the log records the export. Named tokens
        cannot download it.
        """
        return export(str(caller.current().workspace_id))
