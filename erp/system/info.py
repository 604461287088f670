"""The state of the installation: versions, addresses, free space, backups, and every workspace."""

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta
from peewee import PeeweeException

from erp import __version__
from erp.kernel import clock, config
from erp.kernel.config import Config, Registration
from erp.kernel.errors import Refusal
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import connections, control, disk
from erp.store.router import CONTROL, WORKSPACE
from erp.system.backups import backups, daily, damage, staging
from erp.web.endpoint import endpoint
from erp.web.hosts import announced_url, lan_urls, local_url
from erp.web.scalars import Instant
from erp.web.schema import View

STARTED_AT = clock.stamp()
"""Start of this process; this module is imported once, before anything is served."""

_WORKSPACES = (
    "SELECT w.id, w.name, w.status, w.fault, (SELECT count(*) FROM member AS m WHERE m.workspace_id = w.id) AS members"
    " FROM workspace AS w WHERE w.state <> 'creating' ORDER BY w.name, w.id"
)
_NEWEST_EVENT = "SELECT occurred_at FROM event ORDER BY seq DESC LIMIT 1"


class VersionsView(View):
    """The versions of the running program and its parts."""

    erp: str
    python: str
    sqlite: str
    system: str


class SchemaVersionsView(View):
    """The schema versions of the two kinds of file."""

    control: int
    workspace: int


class ServerAddressesView(View):
    """The addresses of the server."""

    local: Annotated[str, Meta(description="From this computer.")]
    network: Annotated[
        list[str], Meta(description="From the local network, the most likely first; empty if not shared.")
    ]
    announced: Annotated[
        str | None,
        Meta(description="By the name announced by mDNS, such as http://erp.local:8420."),
    ]
    public: Annotated[str | None, Meta(description="Through a TLS proxy, if there is one.")]


class BackupStateView(View):
    """The last good backup, the next one, and a restore that is waiting."""

    last_good_at: Annotated[Instant | None, Meta(description="Time of the newest good backup.")]
    last_good_name: str | None
    next_due_at: Annotated[
        Instant, Meta(description="Of the daily backup; if it is in the past, it is about to be made.")
    ]
    restored_at_next_start: Annotated[str | None, Meta(description="The backup that the next start restores.")]


WorkspaceStatus = Literal["active", "archived", "unavailable", "creating"]


class WorkspaceStateView(View):
    """A workspace for the instance admin."""

    id: str
    name: str
    status: WorkspaceStatus
    fault: Annotated[str | None, Meta(description="The reason why its file cannot be used.")]
    size: Annotated[int | None, Meta(description="Bytes of its file and of its write-ahead log.")]
    members: int
    last_activity_at: Annotated[Instant | None, Meta(description="Time of its last change.")]


class InstallationView(View):
    """The installation and its state."""

    versions: VersionsView
    schemas: SchemaVersionsView
    data_directory: str
    addresses: ServerAddressesView
    registration: Registration
    started_at: Instant
    free_space: Annotated[int, Meta(description="Free bytes on the disk of the data directory.")]
    warnings: Annotated[list[str], Meta(description="Sentences about risks to the data.")]
    backups: BackupStateView
    workspaces: list[WorkspaceStateView]


def describe() -> InstallationView:
    """The installation as it is now."""
    settings, shown = config.current(), workspaces()
    return InstallationView(
        versions=VersionsView(
            erp=__version__,
            python=platform.python_version(),
            sqlite=connections.SQLITE_VERSION,
            system=f"{platform.system()} {platform.release()}",
        ),
        schemas=SchemaVersionsView(control=CONTROL_SCHEMA.version, workspace=WORKSPACE_SCHEMA.version),
        data_directory=str(settings.data_dir),
        addresses=addresses(settings),
        registration=settings.registration,
        started_at=STARTED_AT,
        free_space=disk.free_space(settings.data_dir),
        warnings=[*disk.warnings(settings.data_dir), *_unavailable(shown)],
        backups=_backups(),
        workspaces=shown,
    )


def addresses(settings: Config) -> ServerAddressesView:
    """The present addresses of the server."""
    return ServerAddressesView(
        local=local_url(settings.host, settings.port),
        network=lan_urls(settings),
        announced=announced_url(settings),
        public=settings.public_url,
    )


def _backups() -> BackupStateView:
    last = backups.latest_good()
    return BackupStateView(
        last_good_at=last.manifest.created_at if last else None,
        last_good_name=last.name if last else None,
        next_due_at=clock.stamp(daily.next_due()),
        restored_at_next_start=staging.staged_name(config.current().data_dir),
    )


def workspaces() -> list[WorkspaceStateView]:
    """Every workspace of the installation, by name."""
    with control.read():
        rows = CONTROL.rows(_WORKSPACES)
    return [_workspace(*row) for row in rows]


def _unavailable(shown: Sequence[WorkspaceStateView]) -> list[str]:
    """The reason and the remedy for each workspace whose file cannot be used."""
    return [
        f"{workspace.name} is unavailable. {workspace.fault} {damage.remedy(workspace.id)}"
        for workspace in shown
        if workspace.fault
    ]


def _workspace(id: str, name: str, status: WorkspaceStatus, fault: str | None, members: int) -> WorkspaceStateView:
    last = None
    if fault is None:
        try:
            last = _last_activity(id)
        except (Refusal, PeeweeException) as problem:  # damaged after the start, when it was checked
            status, fault = "unavailable", f"Its file cannot be used: {problem}."
    size = _size(control.workspace_path(id))
    return WorkspaceStateView(
        id=id, name=name, status=status, fault=fault, size=size, members=members, last_activity_at=last
    )


def _last_activity(workspace_id: str) -> str | None:
    with control.open_workspace(workspace_id, write=False):
        return next((instant for (instant,) in WORKSPACE.rows(_NEWEST_EVENT)), None)


def _size(path: Path) -> int | None:
    files = [file for file in (path, path.with_name(f"{path.name}-wal")) if file.exists()]
    return sum(file.stat().st_size for file in files) if path in files else None


class Info:
    @endpoint(access="instance", session_only=True)
    def on_get(self) -> InstallationView:
        """Show the state of the installation: versions, addresses, free space, backups and workspaces.

        `fault` is the reason why a workspace is `unavailable`, such as damage or lost changes. `warnings` are the
        warnings in the server's log at its start: they also name the backup for a restore.
        """
        return describe()
