"""Payment runs and their files for tests."""

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

from erp.finance.payments.credit_transfer import NAMESPACE
from tests.conftest import Office

OURS = "DE89370400440532013000"
MEYER = "NL91ABNA0417164300"
ELBE = "DE75512108001245126199"


def run(office: Office, **fields: Any) -> dict[str, Any]:
    """A new payment run."""
    shown: dict[str, Any] = office.ok("POST", "/finance/payment-runs", fields)
    return shown


def refused(office: Office, status: int = 422, code: str = "validation_failed", **fields: Any) -> dict[str, Any]:
    """The error of a payment run that is refused."""
    error: dict[str, Any] = office.refused("POST", "/finance/payment-runs", fields, status=status, code=code)
    return error


def ids(documents: Iterable[dict[str, Any]]) -> list[str]:
    """The ids of some documents."""
    return [document["id"] for document in documents]


def file_of(office: Office, made: dict[str, Any]) -> ElementTree.Element:
    """The file of a run for the bank."""
    answer = office.call("GET", f"/finance/payment-runs/{made['id']}/file")
    assert answer.status_code == 200, answer.text
    return ElementTree.fromstring(answer.content)


def texts(root: ElementTree.Element, *path: str) -> list[str | None]:
    """The texts of the elements of a file that are found at the end of a path."""
    steps = "/".join(f"{{{NAMESPACE}}}{step}" for step in path)
    return [element.text for element in root.findall(f".//{steps}")]
