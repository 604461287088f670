"""Rules for billing the time of each project: from the request, the project, its customer or the workspace."""

from collections.abc import Collection
from typing import Any

import msgspec

from erp.finance.billing.rounding import Mode, Per
from erp.finance.contacts.models import Contact
from erp.projects.models import Project
from erp.store import sql, workspace_settings
from erp.web.text_scalars import TimeBilling


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule for billing time; a line without a text takes the usual one of its group."""

    step_minutes: int = 1
    per: Per = "line"
    mode: Mode = "nearest"
    line_text: str | None = None
    time_sheet: bool = False


def of_projects(project_ids: Collection[str], customer: Contact, asked: TimeBilling | None) -> dict[str, Rule]:
    """The rule of each project: each field is from the nearest that sets it."""
    rows = Project.fetch("SELECT * FROM project WHERE id IN (SELECT value FROM json_each(?))", sql.array(project_ids))
    settings = TimeBilling.of(workspace_settings.current().time_billing)
    of_customer = TimeBilling.of(customer.time_billing)
    return {row.id: _nearest(settings, of_customer, TimeBilling.of(row.time_billing), asked) for row in rows}


def _nearest(*levels: TimeBilling | None) -> Rule:
    """The fields that the levels set, the last level first."""
    values: dict[str, Any] = {}
    for level in levels:
        set_here = {} if level is None else msgspec.structs.asdict(level)
        values |= {name: value for name, value in set_here.items() if value is not None}
    return Rule(**values)
