"""Whether a file holds what it should: as SQLite sees it, and as the books, pay and leave see it.

A file is looked at over a connection of its own, which changes no byte of it, and of which nothing is left open.
"""

from dataclasses import dataclass, field
from pathlib import Path

from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import events
from erp.store.router import CONTROL, CONTROL_ID, WORKSPACE, WORKSPACE_ID, Router
from erp.system.checks import chain, control, documents, ledger, people
from erp.system.checks import schema as shape_check
from erp.system.checks.findings import MOST, Findings


@dataclass(slots=True)
class Report:
    """What was found out about a file; `problems` are plain sentences, none where it is sound.

    `schema` is the number of schema steps it has taken, `seq` and `tip` are its newest event's place and hash.
    """

    kind: str
    schema: int = 0
    seq: int = 0
    tip: str | None = None
    problems: list[str] = field(default_factory=list)


def control_file(path: Path, *, thorough: bool = True, nobody_writes: bool = False) -> Report:
    """Check a control file.

    Args:
        thorough: look at every index and row, not only at the structure of the file.
        nobody_writes: as for `db.looking`.
    """
    report, found = Report("control"), Findings()
    if _is_there(path, found):
        with found.reading(), CONTROL.inspect(path, nobody_writes=nobody_writes):
            report.schema = _schema(CONTROL)
            if _is_well_formed(CONTROL, report.schema, found, thorough=thorough):
                shape_check.check(CONTROL, control_schema.STEPS, found)
                found.apply(control.RULES, CONTROL)
    report.problems = found.told()
    return report


def workspace_file(
    path: Path, *, thorough: bool = True, nobody_writes: bool = False, noted: tuple[int, str] | None = None
) -> Report:
    """Check a workspace's file; the stem of its name is the workspace's id.

    Where the structure is damaged, or the schema is older or newer than this program's, what the file holds is not
    looked at any further than its newest event.

    Args:
        thorough: look at every index and row, and at all that the books, pay and leave promise.
        nobody_writes: as for `db.looking`.
        noted: an event's place and hash that were noted outside of the file, which it must still have.
    """
    report, found = Report("workspace"), Findings()
    if _is_there(path, found):
        with found.reading(), WORKSPACE.inspect(path, nobody_writes=nobody_writes):
            report.schema = _schema(WORKSPACE)
            is_well_formed = _is_well_formed(WORKSPACE, report.schema, found, thorough=thorough)
            if is_well_formed:
                shape_check.check(WORKSPACE, workspace_schema.STEPS, found)
            _check_owner(path.stem, found)
            report.seq, report.tip = events.tip()
            if noted is not None:
                chain.check_tip(found, noted)
            if thorough and is_well_formed:
                _check_promises(found)
    report.problems = found.told()
    return report


def _is_there(path: Path, found: Findings) -> bool:
    if not path.exists():
        found.add("It is missing.")
    elif path.stat().st_size == 0:  # SQLite would take it for a new database
        found.add("It is empty.")
    return not found.told()


def _schema(router: Router) -> int:
    ((steps,),) = router.rows("PRAGMA user_version")
    return int(steps)


_KINDS = {
    CONTROL: ("a control file", CONTROL_ID, control_schema),
    WORKSPACE: ("the file of a workspace", WORKSPACE_ID, workspace_schema),
}


def _is_well_formed(router: Router, schema: int, found: Findings, *, thorough: bool) -> bool:
    """Whether the file is of this program, sound as SQLite sees it, and of the present schema."""
    name, expected, steps = _KINDS[router]
    known = len(steps.STEPS)
    ((application_id,),) = router.rows("PRAGMA application_id")
    if application_id != expected:
        found.add(f"It is not {name} of this program.")
    if schema > known:
        found.add(f"It was written by a newer version of this program (schema {schema}; this one knows {known}).")
    for (said,) in router.run(f"PRAGMA {'integrity' if thorough else 'quick'}_check({MOST})"):
        if said != "ok":
            found.add(f"It is damaged: {said}.")
    for table, row, parent, _ in router.run("PRAGMA foreign_key_check"):
        found.add(f"It is damaged: row {row} of {table} refers to a {parent} that is not there.")
    return not found.told() and schema == known


def _check_owner(workspace_id: str, found: Findings) -> None:
    owners = [id for (id,) in WORKSPACE.rows("SELECT id FROM workspace_meta")]
    if owners != [workspace_id]:
        found.add(f"It is the file of workspace {', '.join(map(str, owners)) or 'nobody'}, not of {workspace_id}.")


def _check_promises(found: Findings) -> None:
    for rules in (ledger.RULES, documents.RULES, people.RULES):
        found.apply(rules)
    chain.check(found)
