"""The content of a backup, as `manifest.json` lists it."""

import re
from typing import Annotated, Literal

import msgspec

Kind = Literal["daily", "manual", "before-migration", "before-restore", "workspace"]

FORMAT = 1
"""Increased when older programs can no longer read the format."""

CONTROL = "control.db"
FILE_NAME = re.compile(r"control\.db|workspaces/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.db")
"""The allowed names of files in a backup; none leads out of a folder, and none is reserved by any system."""


class FileEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One database file, with its size and digest; `seq` and `head_hash` belong to its newest event.

    In the control file's entry they are the number of its changes and its history. `history` is the workspace's.
    """

    name: str
    size: int
    sha256: str
    schema: Annotated[int, msgspec.Meta(ge=1)]
    seq: int = 0
    head_hash: str | None = msgspec.field(default=None, name="tip")
    workspace_id: str | None = None
    workspace_name: str | None = None
    history: str | None = None


class MemberEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A person in an exported workspace; a person without a role was not a member, and only their name is known."""

    user_id: str
    name: str
    email: str | None = None
    role: str | None = None
    status: str = "active"


class Skipped(msgspec.Struct, frozen=True, rename="camel"):
    """A workspace whose file could not be backed up, or has lost changes, with the reason."""

    workspace_id: str
    workspace_name: str
    reason: str


class Manifest(msgspec.Struct, frozen=True, rename="camel"):
    """The content of a backup, its kind, time and version."""

    format: int
    kind: Kind
    program: str
    created_at: str
    files: list[FileEntry]
    members: list[MemberEntry] = []
    skipped: list[Skipped] = []
    doubtful: list[Skipped] = []
    """Workspaces whose file is in the backup and sound, but has lost changes."""

    def file(self, name: str) -> FileEntry | None:
        return next((entry for entry in self.files if entry.name == name), None)

    def workspace(self, workspace_id: str) -> FileEntry | None:
        """The entry of a workspace's file."""
        return self.file(workspace_file(workspace_id))

    def trusted_workspace(self, workspace_id: str) -> FileEntry | None:
        """The entry of a workspace's file that is in the backup in full."""
        return self.workspace(workspace_id) if workspace_id in self.trusted() else None

    def trusted(self) -> frozenset[str]:
        """The ids of the workspaces that it contains in full."""
        doubted = {doubt.workspace_id for doubt in self.doubtful}
        return frozenset(entry.workspace_id for entry in self.files if entry.workspace_id) - doubted


def workspace_file(workspace_id: str) -> str:
    """The name of a workspace's file in a backup."""
    return f"workspaces/{workspace_id}.db"
