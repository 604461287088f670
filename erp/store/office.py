"""The office that a workspace is, as its papers and bank files name it."""

from erp.kernel import caller
from erp.store import control, workspace_settings
from erp.store.control import Workspace


def name() -> str:
    """Its legal name, otherwise the name of the workspace."""
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    legal: str | None = workspace_settings.current().legal_name
    if legal:
        return legal
    with control.read():
        return str(Workspace.find(workspace_id).name)
