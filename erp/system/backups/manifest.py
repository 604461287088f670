"""What a backup says of itself: its `manifest.json`."""

import re
from typing import Annotated, Literal

import msgspec

Kind = Literal["daily", "manual", "before-migration", "before-restore", "workspace"]

FORMAT = 1
"""Counts up when an older program could no longer read what is written."""

CONTROL = "control.db"
FILE_NAME = re.compile(r"control\.db|workspaces/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.db")
"""What a file of a backup may be called; nothing that leads out of a folder, and nothing that any system reserves."""


class FileEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One database file: what it is, and by what it is known to be whole.

    `seq` and `tip` are the place and the hash of its newest event.
    """

    name: str
    size: int
    sha256: str
    schema: Annotated[int, msgspec.Meta(ge=1)]
    seq: int = 0
    tip: str | None = None
    workspace_id: str | None = None
    workspace_name: str | None = None


class MemberEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A person of an exported workspace; one without a role is known by name alone."""

    user_id: str
    name: str
    email: str | None = None
    role: str | None = None
    status: str = "active"


class Skipped(msgspec.Struct, frozen=True, rename="camel"):
    """A workspace whose file could not be backed up, or is not trusted, and why."""

    workspace_id: str
    workspace_name: str
    reason: str


class Manifest(msgspec.Struct, frozen=True, rename="camel"):
    """What is in a backup, of which kind it is, and which program made it when."""

    format: int
    kind: Kind
    program: str
    created_at: str
    files: list[FileEntry]
    members: list[MemberEntry] = []
    skipped: list[Skipped] = []
    doubtful: list[Skipped] = []
    """Those whose file is in it and sound, but has lost changes that it once had."""

    def file(self, name: str) -> FileEntry | None:
        """The entry of a file."""
        return next((entry for entry in self.files if entry.name == name), None)

    def workspace(self, workspace_id: str) -> FileEntry | None:
        """The entry of a workspace's file."""
        return self.file(workspace_file(workspace_id))

    def trusted(self) -> frozenset[str]:
        """The ids of the workspaces of which it holds a copy that lacks nothing."""
        doubted = {each.workspace_id for each in self.doubtful}
        return frozenset(entry.workspace_id for entry in self.files if entry.workspace_id) - doubted


def workspace_file(workspace_id: str) -> str:
    """The name that a workspace's file has in a backup."""
    return f"workspaces/{workspace_id}.db"
