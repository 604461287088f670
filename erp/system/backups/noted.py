"""The newest change of each file as it was noted outside of it: in `tips.db`, in the control file and by a backup."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from erp.kernel import clock, config
from erp.kernel.language import Moment
from erp.store import tips
from erp.store.tips import Tip
from erp.system.backups.backups import Backup
from erp.system.backups.chain_heads import WorkspaceRow
from erp.system.backups.manifest import CONTROL, FileEntry
from erp.system.checks.chain import NotedHead


class Notes(msgspec.Struct, frozen=True):
    """The notes that speak for or against the files; `backups` are the newest first."""

    tips: Mapping[str, Tip]
    backups: Sequence[Backup] = ()

    def of_control_file(self, history: str) -> list[NotedHead]:
        """The changes that the control file must have, if that is its history; backups of another do not count."""
        entries = ((backup, backup.manifest.file(CONTROL)) for backup in self.backups)
        heads = (_head(backup, entry) for backup, entry in entries if entry and entry.head_hash == history)
        return _newest_first(*self._by_tips(config.current().control_path.name), next(heads, None))

    def of_workspace(self, workspace_id: str, row: WorkspaceRow) -> list[NotedHead]:
        """The events that a workspace's file must have, the newest first."""
        entries = ((backup, backup.manifest.trusted_workspace(workspace_id)) for backup in self.backups)
        heads = (_head(backup, entry) for backup, entry in entries if entry and entry.history == row.history)
        control = NotedHead(*row.noted_head, config.current().control_path.name) if row.noted_head else None
        return _newest_first(next(heads, None), control, *self._by_tips(f"{workspace_id}.db"))

    def _by_tips(self, name: str) -> Iterator[NotedHead]:
        if name in self.tips:
            yield NotedHead(*self.tips[name], tips.NAME)


def _head(backup: Backup, entry: FileEntry) -> NotedHead:
    made_at = clock.parse(backup.manifest.created_at).astimezone()
    return NotedHead(entry.seq, entry.head_hash or "", f"the backup of {Moment.of(made_at, with_year=True)}")


def _newest_first(*heads: NotedHead | None) -> list[NotedHead]:
    return sorted((head for head in heads if head is not None), key=lambda head: head.seq, reverse=True)
