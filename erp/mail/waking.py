"""The bell of outgoing mail, which watches the files of workspaces that have had a message."""

from erp.delivery.waking import Bell
from erp.kernel import caller
from erp.store import control

BELL = Bell()


def watch() -> None:
    """Let the sender look at the open workspace once this is committed, and after each write from then on."""
    BELL.watched.add(control.workspace_path(str(caller.current().workspace_id)))
