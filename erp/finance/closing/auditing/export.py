"""The auditor's export of a fiscal year: a zip of tables, their description, and the files of documents.

Source: the data carrier (Z3) of the German GoBD, paragraphs 165 to 170, formerly the GDPdU.
"""

import errno
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from io import TextIOWrapper
from typing import Any

from erp.attachments import stored
from erp.finance.closing.auditing import index_xml
from erp.finance.closing.auditing.index_xml import Supplier
from erp.finance.closing.auditing.sheet import Sheet
from erp.finance.closing.auditing.tables import FILES, TABLES, Table
from erp.kernel.errors import StorageFull
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web import address
from erp.web.schema import File

IN_MEMORY = 4 << 20
PATH = [column.name for column in FILES.columns].index("Pfad")
MEDIA_TYPE = [column.name for column in FILES.columns].index("Medientyp")


def make(first: date, last: date, name: str, *, with_files: bool, about: bytes) -> File:
    """The export of the days of a fiscal year.

    Args:
        about: the process description.

    Raises:
        StorageFull: the disk has no room for it.
    """
    content = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the server closes it once it is sent
    try:
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
            _fill(zipped, first, last, name, with_files=with_files)
            zipped.writestr("Verfahrensdokumentation.md", about)
    except OSError as problem:
        content.close()
        if problem.errno == errno.ENOSPC:
            raise StorageFull from None
        raise
    content.seek(0)
    return File(content, f"{name}.zip")


def _fill(zipped: zipfile.ZipFile, first: date, last: date, name: str, *, with_files: bool) -> None:
    base = workspace_settings.current().base_currency
    days = {"first": first.isoformat(), "last": last.isoformat()}
    sheets = [Sheet(table, base) for table in TABLES]
    for sheet in sheets:
        with TextIOWrapper(zipped.open(sheet.table.file, "w", force_zip64=True), "utf-8", newline="") as file:
            sheet.write(file, _rows(sheet.table, days, with_files=with_files))
    zipped.writestr("index.xml", index_xml.written(_supplier(first, last), name, sheets, first, last))
    if with_files:
        _write_files(zipped, days)


def _rows(table: Table, days: Mapping[str, str], *, with_files: bool) -> Iterator[Sequence[Any]]:
    """The rows of a table; rows of files name their place in the zip."""
    for row in WORKSPACE.run(table.rows, days):
        if table is FILES:
            path = _path(row[PATH], row[MEDIA_TYPE]) if with_files else None
            yield (*row[:PATH], path, *row[PATH + 1 :])
        else:
            yield row


def _path(sha256: str, media_type: str) -> str:
    ending = media_type.partition(";")[0].rpartition("/")[2]
    return f"Dateien/{sha256}.{ending if ending.isalnum() else 'bin'}"


def _write_files(zipped: zipfile.ZipFile, days: Mapping[str, str]) -> None:
    """Write each file once, even if several documents have it."""
    files = {(row[PATH], row[MEDIA_TYPE]) for row in WORKSPACE.rows(FILES.rows, days)}
    for path, sha256 in sorted({_path(*file): file[0] for file in files}.items()):
        with zipped.open(path, "w", force_zip64=True) as file:
            for part in stored.parts(sha256):
                file.write(part)


def _supplier(first: date, last: date) -> Supplier:
    settings = workspace_settings.current()
    return Supplier(
        workspace_settings.office_name(),
        ", ".join(address.lines(settings.address, None)) or "-",
        f"Datenüberlassung (Z3) für das Geschäftsjahr vom {first:%d.%m.%Y} bis {last:%d.%m.%Y}, "
        f"Beträge in {settings.base_currency}",
    )
