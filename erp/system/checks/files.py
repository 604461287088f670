"""Checks of a file: by the engine, and by the rules of the books, pay and leave.

A file is read over a separate connection, which changes no byte of it and is closed at the end.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from erp.migrations import CONTROL_SCHEMA, FIRST, WORKSPACE_SCHEMA, NewerSchema, Schema, UnreleasedSchema
from erp.store import control, engine, events
from erp.store.router import CONTROL, WORKSPACE, Router
from erp.system.checks import chain, items, kept_files, ledger, people, rows, schema
from erp.system.checks.chain import NotedHead
from erp.system.checks.documents import assets, cash_tax, deposits, invoices, payments, postings, quotes, reminders
from erp.system.checks.findings import MOST, Findings, Rule
from erp.workspace import stored

CONTROL_RULES = (
    Rule(
        "The workspace {} has no owner any more.",
        "SELECT name FROM workspace WHERE state <> 'creating' AND NOT EXISTS (SELECT 1 FROM member"
        " WHERE workspace_id = workspace.id AND role = 'owner' AND member.status = 'active')",
    ),
    Rule(
        "There are {} events for workspace {}, which does not exist.",
        "SELECT count(*), workspace_id FROM outbox WHERE workspace_id NOT IN (SELECT id FROM workspace)"
        " GROUP BY workspace_id",
    ),
)

DOCUMENTS = (invoices.RULES, quotes.RULES, deposits.RULES, payments.RULES, assets.RULES, reminders.RULES)

_KINDS = {
    CONTROL: ("a control file", CONTROL_SCHEMA),
    WORKSPACE: ("a workspace file", WORKSPACE_SCHEMA),
}


class Report(msgspec.Struct):
    """The result of checking a file; `problems` are plain sentences, none if it is sound.

    `altered` are sentences about rows of a workspace that differ from what its events recorded: it can be used, but
    not trusted. `schema` is the version of its schema, `seq` and `head_hash` belong to its newest event, or, of a
    control file, are the number of its changes and its history.
    `is_of_release` is false if its tables belong neither to this version nor to an earlier one.
    """

    kind: str
    schema: int = 0
    seq: int = 0
    head_hash: str | None = None
    is_of_release: bool = True
    problems: list[str] = msgspec.field(default_factory=list)
    altered: list[str] = msgspec.field(default_factory=list)

    @property
    def findings(self) -> list[str]:
        """The problems, and the rows that differ from their events."""
        return [*self.problems, *self.altered]


def control_file(
    path: Path, *, thorough: bool = True, nobody_writes: bool = False, noted_heads: Iterable[NotedHead] = ()
) -> Report:
    """Check a control file.

    Args:
        thorough: read every index and row, not only the structure of the file.
        nobody_writes: as for `connections.looking`.
        noted_heads: changes, noted outside of the file, that the file must still have.
    """
    report, findings = Report("control"), Findings()
    if _has_content(path, findings):
        with findings.reading(), CONTROL.inspect(path, nobody_writes=nobody_writes):
            report.schema = engine.schema_version(CONTROL)
            if _is_well_formed(CONTROL, report, findings, thorough=thorough):
                findings.apply(CONTROL_RULES, CONTROL)
                report.seq, report.head_hash = control.newest_change()
                chain.check_heads(findings, noted_heads, control.loss)
    report.problems = findings.sentences()
    return report


def has_webhook(path: Path, *, nobody_writes: bool) -> bool:
    """Whether a workspace's file, which is sound, has a webhook.

    Args:
        nobody_writes: as for `connections.looking`.
    """
    with WORKSPACE.inspect(path, nobody_writes=nobody_writes):
        return bool(WORKSPACE.rows("SELECT 1 FROM webhook LIMIT 1"))


def workspace_file(
    path: Path, *, thorough: bool = True, nobody_writes: bool = False, noted_heads: Iterable[NotedHead] = ()
) -> Report:
    """Check a workspace's file; the stem of its name is the workspace's id.

    If the structure is damaged, or the schema is older or newer than this program's, nothing beyond the newest event
    is read.

    Args:
        thorough: read every index and row, and check the rules of the books, pay and leave.
        nobody_writes: as for `connections.looking`.
        noted_heads: events, noted outside of the file, that the file must still have.
    """
    report, findings, altered = Report("workspace"), Findings(), Findings()
    if _has_content(path, findings):
        with findings.reading(), WORKSPACE.inspect(path, nobody_writes=nobody_writes):
            report.schema = engine.schema_version(WORKSPACE)
            is_well_formed = _is_well_formed(WORKSPACE, report, findings, thorough=thorough)
            _check_owner(path.stem, findings)
            report.seq, report.head_hash = events.tip()
            chain.check_heads(findings, noted_heads, events.loss)
            if thorough and not findings.sentences():
                findings.add(*stored.faults())
            if thorough and is_well_formed:
                _check_content(findings)
                rows.check(altered)
    report.problems, report.altered = findings.sentences(), altered.sentences()
    return report


def _has_content(path: Path, findings: Findings) -> bool:
    if not path.exists():
        findings.add("It is missing.")
    elif path.stat().st_size == 0:  # SQLite would take it for a new database
        findings.add("It is empty.")
    return not findings.sentences()


def _is_well_formed(router: Router, report: Report, findings: Findings, *, thorough: bool) -> bool:
    """Whether the file belongs to this program, is sound as the engine sees it, and has the present schema."""
    name, known = _KINDS[router]
    if not engine.is_of_kind(router):
        findings.add(f"It is not {name} of this program.")
    for words in engine.damage(router, thorough=thorough, limit=MOST):
        findings.add(f"It is damaged: {words}.")
    is_whole = not findings.sentences()
    if is_whole:
        _check_release(router, report, known, findings)
    return is_whole and report.schema == known.version


def _check_release(router: Router, report: Report, known: Schema, findings: Findings) -> None:
    """Say which version wrote a file that this one cannot use, and which parts another program has changed."""
    try:
        engine.check_release(router.connection(), known)
    except NewerSchema:
        report.is_of_release = False
        findings.add(
            f"It was written by a newer version of this program (schema {report.schema}; "
            f"this one knows {known.version})."
        )
        return
    except UnreleasedSchema:
        report.is_of_release = False
        if report.schema < FIRST:
            findings.add(f"It was written by an unreleased version of this program (schema {report.schema}).")
            return
    schema.check(router, known, report.schema, findings)


def _check_owner(workspace_id: str, findings: Findings) -> None:
    owners = [id for (id,) in WORKSPACE.rows("SELECT id FROM workspace_meta")]
    if owners != [workspace_id]:
        findings.add(f"It is the file of workspace {', '.join(map(str, owners)) or 'none'}, not of {workspace_id}.")


def _check_content(findings: Findings) -> None:
    for rules in (ledger.RULES, items.RULES, *DOCUMENTS, people.RULES):
        findings.apply(rules)
    chain.check(findings)
    postings.check(findings)
    cash_tax.check(findings)
    kept_files.check(findings)
