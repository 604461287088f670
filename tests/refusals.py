"""What a refusal complains of, and refusals that every archivable record shares."""

from typing import Any

from tests.conftest import Office


def complaint(error: dict[str, Any]) -> tuple[str, str]:
    """The field and code of a refusal's only complaint."""
    (only,) = error["details"]
    return only["field"], only["code"]


def complaints(error: dict[str, Any]) -> dict[str, str]:
    """The codes of a refusal's complaints by field."""
    return {detail["field"]: detail["code"] for detail in error["details"]}


def complaint_pairs(error: dict[str, Any]) -> set[tuple[str, str]]:
    """The fields and codes of a refusal's complaints, where a field can have several."""
    return {(detail["field"], detail["code"]) for detail in error["details"]}


def refuse_every_change(viewer: Office, collection: str, path: str, body: Any) -> None:
    """Check that someone who may only read can neither change a record nor add one."""
    for verb, address, sent in (
        ("POST", collection, body),
        ("PATCH", path, {"name": "Mine"}),
        ("DELETE", path, None),
        ("POST", f"{path}/archive", None),
        ("POST", f"{path}/unarchive", None),
    ):
        viewer.refused(verb, address, sent, status=403, code="forbidden")


def refuse_stale_changes(office: Office, path: str) -> None:
    """Check that a request that expects an older version changes nothing of a record."""
    office.ok("PATCH", path, {"name": "First"}, headers={"If-Match": '"1"'})
    for verb, address, sent in (
        ("PATCH", path, {"name": "Late"}),
        ("DELETE", path, None),
        ("POST", f"{path}/archive", None),
    ):
        office.refused(verb, address, sent, status=412, code="version_mismatch", headers={"If-Match": '"1"'})
    assert office.ok("GET", path)["name"] == "First"
