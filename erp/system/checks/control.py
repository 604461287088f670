"""Whether the control file's rows fit together, as far as the file itself does not see to it."""

from erp.system.checks.findings import Rule

RULES = (
    Rule(
        "The workspace {} has no owner any more.",
        "SELECT name FROM workspace WHERE state <> 'creating' AND NOT EXISTS (SELECT 1 FROM member"
        " WHERE workspace_id = workspace.id AND role = 'owner' AND member.status = 'active')",
    ),
    Rule(
        "There are {} events for workspace {}, which is not there.",
        "SELECT count(*), workspace_id FROM outbox WHERE workspace_id NOT IN (SELECT id FROM workspace)"
        " GROUP BY workspace_id",
    ),
)
