"""Views of backups, checks and restores."""

from typing import Annotated, Literal

from msgspec import Meta

from erp.system.backups.backups import Backup
from erp.system.backups.manifest import FileEntry, Skipped
from erp.web.scalars import Instant
from erp.web.schema import View

BackupKind = Literal["daily", "manual", "before-migration", "before-restore"]


class BackedUpWorkspaceView(View):
    """A workspace in a backup; `seq` is the number of its newest event, `size` the bytes of its file."""

    id: str
    name: str
    seq: int
    size: int

    @classmethod
    def of(cls, entry: FileEntry) -> "BackedUpWorkspaceView":
        """Show an entry of a manifest."""
        return cls(id=entry.workspace_id or "", name=entry.workspace_name or "", seq=entry.seq, size=entry.size)


class IncompleteWorkspaceView(View):
    """A workspace that a backup lacks, in part or in full, with the reason."""

    id: str
    name: str
    reason: str

    @classmethod
    def of(cls, skipped: Skipped) -> "IncompleteWorkspaceView":
        """Show an entry of a manifest."""
        return cls(id=skipped.workspace_id, name=skipped.workspace_name, reason=skipped.reason)


class BackupView(View):
    """A backup file; `size` is in bytes, `program` is the version that made it."""

    name: str
    kind: BackupKind | None
    created_at: Instant | None
    size: int
    program: str | None
    workspaces: list[BackedUpWorkspaceView]
    skipped: Annotated[list[IncompleteWorkspaceView], Meta(description="Workspaces whose file is not in it.")]
    doubtful: Annotated[
        list[IncompleteWorkspaceView], Meta(description="Workspaces whose file is in it, but has lost changes.")
    ]
    problem: Annotated[str | None, Meta(description="The reason why the file cannot be read.")]
    is_staged: Annotated[bool, Meta(description="Whether the next start restores it.")]

    @property
    def id(self) -> str:
        """The last part of its address."""
        return self.name

    @classmethod
    def of(cls, backup: Backup, staged_name: str | None = None) -> "BackupView":
        manifest = backup.manifest
        return cls(
            name=backup.name,
            kind=None if manifest.kind == "workspace" else manifest.kind,
            created_at=manifest.created_at,
            size=backup.size,
            program=manifest.program,
            workspaces=[BackedUpWorkspaceView.of(entry) for entry in manifest.files if entry.workspace_id],
            skipped=[IncompleteWorkspaceView.of(skipped) for skipped in manifest.skipped],
            doubtful=[IncompleteWorkspaceView.of(doubt) for doubt in manifest.doubtful],
            problem=None,
            is_staged=backup.name == staged_name,
        )

    @classmethod
    def of_unreadable(cls, name: str, size: int, problem: str) -> "BackupView":
        """Show a file in the backups folder that cannot be read."""
        return cls(
            name=name,
            kind=None,
            created_at=None,
            size=size,
            program=None,
            workspaces=[],
            skipped=[],
            doubtful=[],
            problem=problem,
            is_staged=False,
        )


class BackupCheckView(View):
    """The result of checking a backup; one without problems can be restored."""

    name: str
    is_good: bool
    problems: list[str]


class RestoreView(View):
    """The restored data, or the data to restore."""

    backup: str
    workspace_id: str | None
    is_done: Annotated[bool, Meta(description="False if the next start of the server restores it.")]
    kept: Annotated[str | None, Meta(description="The backup of the present data, which was made first.")]
