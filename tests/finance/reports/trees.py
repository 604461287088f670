"""Reports as tests read them: figures by the labels of rows and the keys of columns."""

import io
from typing import Any
from zipfile import ZipFile

from python_calamine import CalamineWorkbook

from tests.conftest import Office

JANUARY = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}


def report(office: Office, name: str, **params: str) -> dict[str, Any]:
    """A report as its tree."""
    shown: dict[str, Any] = office.ok("GET", f"/finance/reports/{name}", params=params)
    return shown


def unproven(shown: Any) -> Any:
    """An answer with nothing of its proof but the hash of its figures; the rest says when it was made."""
    if isinstance(shown, dict) and "proof" in shown:
        return {**shown, "proof": shown["proof"]["contentHash"]}
    return shown


def column(tree: dict[str, Any], key: str = "amount") -> dict[str, str]:
    """One column by the codes of accounts, else by the keys of rows, else by their labels; headings are left out."""
    return {
        row["code"] or row["key"] or row["label"]: row["cells"][key]["value"]
        for row in tree["rows"]
        if key in row["cells"]
    }


def cells(row: dict[str, Any]) -> dict[str, str]:
    """The values of a row by column."""
    return {key: cell["value"] for key, cell in row["cells"].items()}


def labelled(tree: dict[str, Any], label: str) -> dict[str, str]:
    """The values of the row with a label."""
    (row,) = [row for row in tree["rows"] if row["label"] == label and row["kind"] != "section"]
    return cells(row)


def sheet(content: bytes) -> list[list[Any]]:
    """The cells of an Excel file, as a spreadsheet shows them."""
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


def sheet_xml(content: bytes) -> str:
    """The sheet of an Excel file as it is written."""
    with ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return archive.read("xl/worksheets/sheet1.xml").decode()
