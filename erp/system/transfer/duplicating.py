"""A second workspace, begun as a copy of another: same members and books, its own file and id."""

from typing import Any, ClassVar

from erp.kernel import caller
from erp.kernel.errors import SampleData, StorageFull
from erp.mail import settings, tries
from erp.share_links import links
from erp.store import control, events
from erp.store.control import Workspace
from erp.store.records import new_id
from erp.store.router import CONTROL
from erp.system.backups import snapshot
from erp.system.transfer import registration
from erp.system.transfer.registration import LocalMember
from erp.web.endpoint import endpoint
from erp.web.scalars import Name
from erp.web.schema import Body
from erp.webhooks import webhooks
from erp.workspace.views import WorkspaceView
from erp.workspace.workspaces import TooManyWorkspaces, check_number


class WorkspaceCopy(Body):
    """The name of the copy."""

    name: Name

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Acme, to try things out"}


def duplicate(workspace_id: str, name: str | None = None) -> tuple[str, str]:
    """Copy a workspace as it is now, for trying things out; return the id and the name of the copy.

    Its members and their roles are copied; invites, calendar addresses and named tokens are not,
    webhooks and share links are off, and the password of the mail server is forgotten.

    Raises:
        NotFound: there is no such workspace.
        Refusal: a workspace cannot have that name.
        Unavailable, Unsound: the workspace's file is damaged.
        SampleData: it is a sample.
        StorageFull: the disk has no room for it.
    """
    source = registration.find_own(workspace_id)
    copy_name = registration.valid_name(f"{source.name[:180]} (sandbox)" if name is None else name)
    events.deliver(workspace_id)
    copy_id = new_id()
    with registration.registering(copy_id, copy_name, source.created_by, _members(workspace_id)) as new:
        snapshot.take(control.workspace_path(workspace_id), new)
        with registration.editing(new) as connection:
            for table in ("workspace_meta", "settings"):
                connection.execute(f"UPDATE {table} SET id = ?", (copy_id,))
            webhooks.switch_off_copies(connection)
            tries.doubt_copies(connection)
            settings.forget_password(connection)
            links.switch_off_copies(connection)
            data = {"name": copy_name, "of": {"id": workspace_id, "name": source.name}}
            events.write_into(connection, "workspace.duplicated", "workspace", copy_id, data)
    return copy_id, copy_name


_MEMBERS = (
    'SELECT u.id, u.name, u.email, member.role, member.status FROM member JOIN "user" AS u ON u.id = user_id'
    " WHERE workspace_id = ? ORDER BY member.id"
)


def _members(workspace_id: str) -> list[LocalMember]:
    with control.read():
        return [LocalMember(*row) for row in CONTROL.rows(_MEMBERS, (workspace_id,))]


class Resource:
    @endpoint(
        permission="workspace.own",
        store=None,
        status=201,
        session_only=True,
        also_when=("archived",),
        refuses=(TooManyWorkspaces, SampleData, registration.Unsound, StorageFull),
    )
    def on_post(self, workspace_id: str, body: WorkspaceCopy) -> WorkspaceView:
        """Copy a workspace as it is now, to try things out.

        Only an owner can. The copy has the same members and records. Its webhooks and share links are off, the mail
        password is not copied, and invites, calendar addresses and named tokens are not either. Both logs record the
        copy. Named tokens cannot make one.
        """
        if not caller.current().is_instance_admin:
            check_number()
        copy_id, name = duplicate(workspace_id, body.name)
        with control.open_workspace(workspace_id, write=True):
            data = {"name": name, "into": {"id": copy_id, "name": name}}
            events.write("workspace.duplicated", "workspace", workspace_id, data)
        with control.open_workspace(copy_id, write=False):
            return WorkspaceView.of(Workspace(name=name, status="active"), "owner")
