"""Pay templates whose figures are for another time than the pay they compute, and their acknowledgement."""

from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec
from peewee import CompositeKey, IntegerField, TextField

from erp.hr.calendar.holidays import Year
from erp.hr.payroll.components.templates import TEMPLATES, PayTemplate
from erp.kernel import caller, clock
from erp.kernel.errors import NotFound
from erp.kernel.language import Listed, says
from erp.store import events, names, workspace_settings
from erp.store.records import WorkspaceTable
from erp.store.router import WORKSPACE
from erp.web.scalars import Instant, Note
from erp.web.schema import Body, View, show


class PayTemplateCheck(WorkspaceTable):
    """The acknowledged figures of a pay template for the pay of a calendar year."""

    template = TextField()
    year = IntegerField()
    acknowledged_at = TextField()
    acknowledged_by = TextField()
    note = TextField(null=True)

    class Meta:
        primary_key = CompositeKey("template", "year")


class PayTemplateAcknowledgement(Body):
    """An acknowledgement of the figures of a pay template."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"year": 2026, "note": "Brackets compared with the new table"}

    year: Annotated[Year | None, msgspec.Meta(description="The year of the pay dates; this year when absent.")] = None
    note: Note | None = None


class PayTemplateCheckView(View):
    """The person who has checked the figures of a pay template, for the pay of a calendar year."""

    template: str
    year: int
    acknowledged_at: Instant
    acknowledged_by_user_id: str
    acknowledged_by_name: str | None
    note: str | None

    @classmethod
    def of(cls, row: PayTemplateCheck) -> "PayTemplateCheckView":
        return show(
            cls,
            row,
            acknowledged_by_user_id=row.acknowledged_by,
            acknowledged_by_name=names.of_user(row.acknowledged_by),
        )


_APPLIED = """
SELECT DISTINCT template FROM pay_component
WHERE template NOT IN (SELECT template FROM pay_template_check WHERE year = ?)
AND (currency IS NULL OR currency = (SELECT currency FROM payroll_run WHERE id = ?))
AND (archived_at IS NULL OR EXISTS (SELECT 1 FROM payslip_line JOIN payslip ON payslip.id = payslip_id
    WHERE component_id = pay_component.id AND run_id = ?))
ORDER BY template
"""


def find(run_id: str, pay_date: date) -> list[PayTemplate]:
    """The templates in use whose figures are not for pay of that day, and are not checked for its year.

    A component whose figures the office has changed is no longer a template's, and one for pay in another currency is
    not in use. An archived one is where the run has it.
    """
    codes = [code for (code,) in WORKSPACE.rows(_APPLIED, (pay_date.year, run_id, run_id))]
    return [TEMPLATES[code] for code in codes if code in TEMPLATES and not is_for(TEMPLATES[code], pay_date)]


def is_for(template: PayTemplate, day: date) -> bool:
    """Whether the figures of a template are for pay of that day."""
    first, last = template.valid_from or date.min, template.valid_to or date.max
    return first <= day <= last


def message(template: PayTemplate, pay_date: date) -> str:
    """The advice before pay of that day is computed with a template."""
    return says(
        "{template} is for {year}, not for pay of {day}. Not included: {what}. Check the "
        "figures, then acknowledge them for {this_year}.",
        template=template.name,
        year=template.year,
        day=pay_date,
        what=Listed.of(template.leaves_out, separator="; "),
        this_year=pay_date.year,
    )


def acknowledge(code: str, body: PayTemplateAcknowledgement) -> PayTemplateCheck:
    """Note that the figures of a template have been checked for a year; the first note of a year stays.

    Raises:
        NotFound: there is no such pay template.
    """
    if code not in TEMPLATES:
        raise NotFound(says("There is no such pay template."))
    year = body.year or workspace_settings.today().year
    present = PayTemplateCheck.find_by(template=code, year=year)
    if present is not None:
        return present
    events.write("component_set.acknowledged", "component_set", code, {"code": code, "year": year})
    by = caller.current().user_id
    return PayTemplateCheck.create(
        template=code, year=year, acknowledged_at=clock.stamp(), acknowledged_by=by, note=body.note
    )


def acknowledged_years() -> dict[str, list[int]]:
    """The years for which templates have been checked, by code."""
    years: dict[str, list[int]] = {}
    for code, year in WORKSPACE.rows("SELECT template, year FROM pay_template_check ORDER BY template, year"):
        years.setdefault(code, []).append(year)
    return years
