"""A file of a bank, by what it looks like."""

import base64
import binascii
import zipfile
import zlib
from io import BytesIO
from typing import Literal, NamedTuple

from erp.finance.bank.formats import camt053, csv_mapped, mt940
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.model import NotAStatement, ReadStatement, unreadable
from erp.kernel.language import says

Format = Literal["camt053", "mt940", "csv"]
LARGEST = 25 << 20
"""The most bytes that a zip file may unpack to."""
MOST_FILES = 400
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)
_SEPARATORS = "\n;,\t "
"""What text has and base64 lacks, so that a short table is not taken for a file in base64."""


class Read(NamedTuple):
    """What a file is, and its statements."""

    format: Format
    statements: list[ReadStatement]


def read(file: str, columns: Columns | None) -> Read:
    """The statements of a file.

    Args:
        file: text, or anything in base64.
        columns: how the account's CSV is to be read, once that has been said.

    Raises:
        NotAStatement: it is none, or is cut off, or is larger than it pretends.
    """
    text = file.removeprefix("\ufeff").strip()
    if text.startswith("<"):
        return Read("camt053", camt053.read(text))
    if not any(sign in text.strip() for sign in _SEPARATORS):
        return _binary(text, columns)
    if ":20:" in text[:1000] and ":25:" in text:
        return Read("mt940", mt940.read(text[text.index(":20:") :]))
    if columns is None:
        raise NotAStatement(
            "Say first which columns the CSV files of this account have: send csvMapping to the account.", field="file"
        )
    return Read("csv", [csv_mapped.read(text, columns)])


def _binary(text: str, columns: Columns | None) -> Read:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NotAStatement(field="file") from None
    if data.startswith(b"PK"):
        return _zipped(data)
    plain = _decoded(data)
    if not any(sign in plain.strip() for sign in _SEPARATORS):
        raise NotAStatement(field="file")
    return read(plain, columns)


def _decoded(data: bytes) -> str:
    """The text of a file in UTF-8 or, as older programs write it, in Windows' own code."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _zipped(data: bytes) -> Read:
    """The statements of all XML files in a zip file."""
    statements: list[ReadStatement] = []
    left = LARGEST
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if member.filename.lower().endswith(".xml")]
            for member in sorted(members[:MOST_FILES], key=lambda member: member.filename):
                with archive.open(member) as content:
                    xml = content.read(left + 1)
                left -= len(xml)
                if left < 0:
                    raise unreadable(
                        says("The zip file unpacks to more than {mebibytes} MiB.", mebibytes=LARGEST >> 20)
                    )
                statements += camt053.read(_decoded(xml))
    except _UNREADABLE:
        raise unreadable("The zip file cannot be read. Look whether it is complete.") from None
    if not statements:
        raise unreadable("There is no XML file in the zip file.")
    return Read("camt053", statements)
