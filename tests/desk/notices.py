"""Notices as people read them, and tasks that make some."""

from typing import Any

from tests.conftest import Office

NOTICES = "/workspace/notices"


def of(person: Office, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.ok("GET", NOTICES, params=query)
    return found


def told(person: Office) -> list[tuple[str, str, int]]:
    """Kind, text and count of someone's unread notices."""
    return [(each["kind"], each["text"], each["count"]) for each in of(person, isRead="false")]


def bell(person: Office) -> int:
    return int(person.ok("GET", "/workspace/changes")["unreadNotices"])


def task(office: Office, *assignees: Office, title: str = "Sketches") -> dict[str, Any]:
    about = {"title": title, "assigneeUserIds": [each.user["id"] for each in assignees]}
    made: dict[str, Any] = office.ok("POST", "/tasks", about)
    return made


def comment(person: Office, made: dict[str, Any], text: str = "Done?") -> None:
    person.ok("POST", f"/tasks/{made['id']}/comments", {"text": text})
