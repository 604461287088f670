"""Files before and after they are brought up to date."""

from contextlib import closing
from pathlib import Path

from erp.kernel import config
from erp.kernel.config import Config
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA, version
from erp.store import connections, router
from erp.system.backups import backups
from tests.conftest import Office

WORKSPACE_VERSION, CONTROL_VERSION = WORKSPACE_SCHEMA.version, CONTROL_SCHEMA.version
"""The schemas of the files in this program, before newer steps are added."""


def schema(path: Path) -> int:
    with closing(connections.sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return version(file)


def file_of(office: Office) -> Path:
    return office.installation.config.workspaces_dir / f"{office.workspace_id}.db"


def contents(folder: Path) -> dict[str, bytes]:
    """The databases as they are on the disk, with no one at work."""
    router.close_all()
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.db*"))}


def made_before_migrating(settings: Config) -> list[backups.Backup]:
    with config.use(settings):
        return [each for each in backups.find_all() if each.manifest.kind == "before-migration"]
