"""Documents of employees, as an office adds them."""

import base64
from typing import Any

from tests.conftest import Office
from tests.desk.files import pdf


def path_of(employee_id: str) -> str:
    return f"/hr/employees/{employee_id}/documents"


def at(document: dict[str, Any], action: str = "") -> str:
    """The path of a document."""
    return f"/hr/documents/{document['id']}{action}"


def permit(**fields: Any) -> dict[str, Any]:
    """A document with a file of its own."""
    file = {"file": base64.b64encode(pdf()).decode(), "name": "permit.pdf"}
    return {"kind": "permit", "title": "Residence permit", **file, **fields}


def document(office: Office, employee_id: str, **fields: Any) -> Any:
    """A document that has been added."""
    return office.ok("POST", path_of(employee_id), permit(**fields))
