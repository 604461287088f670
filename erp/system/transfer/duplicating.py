"""A second workspace that begins as a copy of another: the same people and books, a file and an id of its own."""

from erp.store import control, events
from erp.store.records import new_id
from erp.store.router import CONTROL
from erp.system.backups import snapshot
from erp.system.transfer import registration
from erp.system.transfer.registration import Seat


def duplicate(workspace_id: str, name: str | None = None) -> tuple[str, str]:
    """Copy a workspace as it is at this moment, for trying things out; its id and its name.

    Its members and their roles come along; invites, calendar addresses and named tokens do not.

    Raises:
        NotFound: there is no such workspace.
        Refusal: the name will not do.
        Unavailable, Unsound: the workspace's file is damaged.
        StorageFull: the disk has no room for it.
    """
    source = registration.find_usable(workspace_id)
    called = registration.checked_name(f"{source.name[:180]} (sandbox)" if name is None else name)
    events.deliver(workspace_id)
    copy_id = new_id()
    with registration.adopting(copy_id, called, source.created_by, _seats(workspace_id)) as new:
        snapshot.take(control.workspace_path(workspace_id), new)
        with registration.editing(new) as connection:
            for table in ("workspace_meta", "settings"):
                connection.execute(f"UPDATE {table} SET id = ?", (copy_id,))
            told = {"name": called, "of": {"id": workspace_id, "name": source.name}}
            events.write_into(connection, "workspace.duplicated", "workspace", copy_id, told)
    return copy_id, called


_MEMBERS = (
    "SELECT user.id, user.name, user.email, member.role, member.status FROM member JOIN user ON user.id = user_id"
    " WHERE workspace_id = ? ORDER BY member.id"
)


def _seats(workspace_id: str) -> list[Seat]:
    with control.read():
        return [Seat(*row) for row in CONTROL.rows(_MEMBERS, (workspace_id,))]
