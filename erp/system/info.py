"""How the installation is: versions, addresses, room on the disk, backups, and every workspace."""

import platform
from pathlib import Path
from typing import Annotated

from msgspec import Meta
from peewee import PeeweeException, sqlite3  # type: ignore[attr-defined]

from erp import __version__
from erp.kernel import clock, config
from erp.kernel.config import Config, Registration
from erp.kernel.errors import Refusal
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import control, disk
from erp.store.router import CONTROL, WORKSPACE
from erp.system.backups import backups, daily, staging
from erp.web.endpoint import endpoint
from erp.web.hosts import lan_urls, local_url
from erp.web.scalars import Instant
from erp.web.schema import View

STARTED_AT = clock.stamp()
"""When this program was started: the areas are read once, before anything is served."""

_WORKSPACES = (
    "SELECT w.id, w.name, w.status, w.fault, (SELECT count(*) FROM member AS m WHERE m.workspace_id = w.id) AS members"
    " FROM workspace AS w WHERE w.state <> 'creating' ORDER BY w.name, w.id"
)
_NEWEST_EVENT = "SELECT occurred_at FROM event ORDER BY seq DESC LIMIT 1"


class VersionsView(View):
    """What runs."""

    erp: str
    python: str
    sqlite: str
    system: str


class SchemasView(View):
    """The versions of the two kinds of files."""

    control: int
    workspace: int


class AddressesView(View):
    """Where the server is reached."""

    local: Annotated[str, Meta(description="From this computer.")]
    network: Annotated[list[str], Meta(description="From the local network, the likeliest first; none if not shared.")]
    public: Annotated[str | None, Meta(description="Through a TLS proxy, if there is one.")]


class BackupsView(View):
    """How safe the data is."""

    last_good_at: Annotated[Instant | None, Meta(description="When the newest sound backup was made.")]
    last_good_name: str | None
    next_due_at: Annotated[Instant, Meta(description="Of the daily one; in the past, it is about to be made.")]
    restored_at_next_start: Annotated[str | None, Meta(description="The backup that is then put in place of the data.")]


class WorkspaceStateView(View):
    """A workspace, as whoever looks after the installation sees it."""

    id: str
    name: str
    status: str
    fault: Annotated[str | None, Meta(description="Why its file cannot be used.")]
    size: Annotated[int | None, Meta(description="Of its file and what is not yet merged into it, in bytes.")]
    members: int
    last_activity_at: Annotated[Instant | None, Meta(description="When something was last changed in it.")]


class InfoView(View):
    """The installation."""

    versions: VersionsView
    schemas: SchemasView
    data_directory: str
    addresses: AddressesView
    registration: Registration
    started_at: Instant
    free_space: Annotated[int, Meta(description="On the disk of the data directory, in bytes.")]
    warnings: Annotated[list[str], Meta(description="What makes this a risky place for the data, in sentences.")]
    backups: BackupsView
    workspaces: list[WorkspaceStateView]


def show() -> InfoView:
    """Look at the installation as it is now."""
    settings = config.current()
    return InfoView(
        versions=VersionsView(
            erp=__version__,
            python=platform.python_version(),
            sqlite=sqlite3.sqlite_version,
            system=f"{platform.system()} {platform.release()}",
        ),
        schemas=SchemasView(control=len(control_schema.STEPS), workspace=len(workspace_schema.STEPS)),
        data_directory=str(settings.data_dir),
        addresses=_addresses(settings),
        registration=settings.registration,
        started_at=STARTED_AT,
        free_space=disk.free_space(settings.data_dir),
        warnings=disk.warnings(settings.data_dir),
        backups=_backups(),
        workspaces=workspaces(),
    )


def _addresses(settings: Config) -> AddressesView:
    return AddressesView(
        local=local_url(settings.host, settings.port), network=lan_urls(settings), public=settings.public_url
    )


def _backups() -> BackupsView:
    last = backups.latest_good()
    return BackupsView(
        last_good_at=last.manifest.created_at if last else None,
        last_good_name=last.path.name if last else None,
        next_due_at=clock.stamp(daily.next_due()),
        restored_at_next_start=staging.staged_name(config.current().data_dir),
    )


def workspaces() -> list[WorkspaceStateView]:
    """Every workspace of the installation, by name."""
    with control.read():
        rows = CONTROL.rows(_WORKSPACES)
    return [_workspace(*row) for row in rows]


def _workspace(id: str, name: str, status: str, fault: str | None, members: int) -> WorkspaceStateView:
    last = None
    if fault is None:
        try:
            last = _last_activity(id)
        except (Refusal, PeeweeException) as problem:  # damaged since the start, when it was looked at
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
    """The installation."""

    @endpoint(access="instance", session_only=True)
    def on_get(self) -> InfoView:
        """Show how the installation is: its versions, addresses, free space, backups and workspaces.

        `fault` says why a workspace is `unavailable`; the newest backup that holds it can be restored. `warnings` are
        the same that the server logs when it starts.
        """
        return show()
