"""Reading a bank's file, whose format is recognised by its content."""

from typing import Literal, NamedTuple

from erp.finance.bank.formats import camt053, csv_mapped, mt940
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.bank.formats.model import Lines, MappingNeeded, NotAStatement, ReadStatement, unreadable
from erp.kernel.intake import packed
from erp.kernel.intake.budget import Budget
from erp.kernel.intake.text import encoding_of, lines
from erp.kernel.language import says

Format = Literal["camt053", "mt940", "csv"]
_HEAD = 4000
"""Bytes at the beginning by which a format is recognised."""


class Read(NamedTuple):
    """The format of a file, and its statements."""

    format: Format
    statements: list[ReadStatement]


def read(data: bytes, columns: Columns | None, currency: str | None) -> Read:
    """The statements of a file.

    Args:
        columns: the mapping of the account's CSV, if it is known.
        currency: the account's; rows of a CSV in others are left out.

    Raises:
        NotAStatement: it is not a statement, or is cut off.
        MappingNeeded: it is CSV, and its columns are not known yet.
        Invalid: it is too large.
    """
    if data.startswith(b"PK"):
        return _zipped(data)
    head = data[:_HEAD].decode(encoding_of(data), errors="replace").lstrip()
    if head.startswith("<"):
        return Read("camt053", _camt(data, Budget(), Lines()))
    if ":20:" in head[:1000] and ":25:" in head:
        return Read("mt940", mt940.read(lines(data), Lines()))
    if b"\n" not in data.strip():
        raise NotAStatement(field="file")
    if columns is None:
        raise MappingNeeded(field="file")
    return Read("csv", [csv_mapped.read(lines(data), columns, currency, Lines())])


def _camt(data: bytes, budget: Budget, counted: Lines) -> list[ReadStatement]:
    budget.check_xml(len(data))
    return camt053.read(data.decode(encoding_of(data), errors="replace").strip(), budget, counted)


def _zipped(data: bytes) -> Read:
    """The statements of all XML files in a zip file, without what a Mac adds to each."""
    budget, counted = Budget(), Lines()
    statements: list[ReadStatement] = []
    try:
        for _, xml in packed.parts(data, budget, _is_statement):
            statements += _camt(xml, budget, counted)
    except packed.UNREAD:
        raise unreadable(says("The zip file cannot be read. Check that it is complete.")) from None
    if not statements:
        raise unreadable(says("There is no XML file in the zip file."))
    return Read("camt053", statements)


def _is_statement(name: str) -> bool:
    folders, _, own = name.rpartition("/")
    return own.lower().endswith(".xml") and not own.startswith("._") and "__MACOSX" not in folders.split("/")
