"""Reading a bank's file, whose format is recognised by its content."""

import codecs
import zipfile
import zlib
from io import BytesIO
from typing import Literal, NamedTuple

from erp.finance.bank.formats import camt053, csv_mapped, mt940
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.model import MappingNeeded, NotAStatement, ReadStatement, unreadable
from erp.kernel.language import says

Format = Literal["camt053", "mt940", "csv"]
LARGEST = 25 << 20
"""The most bytes that a zip file may unpack to."""
MOST_FILES = 400
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)


class Read(NamedTuple):
    """The format of a file, and its statements."""

    format: Format
    statements: list[ReadStatement]


def read(data: bytes, columns: Columns | None) -> Read:
    """The statements of a file.

    Args:
        columns: the mapping of the account's CSV, if it is known.

    Raises:
        NotAStatement: it is not a statement, or is cut off, or is larger than declared.
        MappingNeeded: it is CSV, and its columns are not known yet.
    """
    if data.startswith(b"PK"):
        return _zipped(data)
    text = decoded(data).strip()
    if text.startswith("<"):
        return Read("camt053", camt053.read(text))
    if ":20:" in text[:1000] and ":25:" in text:
        return Read("mt940", mt940.read(text[text.index(":20:") :]))
    if "\n" not in text:
        raise NotAStatement(field="file")
    if columns is None:
        raise MappingNeeded(field="file")
    return Read("csv", [csv_mapped.read(text, columns)])


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8, in UTF-16 with a mark or, from older programs, in Windows-1252."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _zipped(data: bytes) -> Read:
    """The statements of all XML files in a zip file."""
    statements: list[ReadStatement] = []
    remaining = LARGEST
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if member.filename.lower().endswith(".xml")]
            for member in sorted(members[:MOST_FILES], key=lambda member: member.filename):
                with archive.open(member) as content:
                    xml = content.read(remaining + 1)
                remaining -= len(xml)
                if remaining < 0:
                    raise unreadable(
                        says("The zip file unpacks to more than {mebibytes} MiB.", mebibytes=LARGEST >> 20)
                    )
                statements += camt053.read(decoded(xml))
    except _UNREADABLE:
        raise unreadable(says("The zip file cannot be read. Check that it is complete.")) from None
    if not statements:
        raise unreadable(says("There is no XML file in the zip file."))
    return Read("camt053", statements)
