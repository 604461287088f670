"""Whether the books of an office are sound."""

from erp.store import router
from erp.system.checks import files as checking
from tests.conftest import Office


def problems(office: Office) -> list[str]:
    """What `erp check` finds in the office's file."""
    router.close_all()
    file = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    found = checking.workspace_file(file, nobody_writes=True).problems
    router.close_all()
    return found
