"""Answers about an erasure: what it takes away, and what it leaves."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Literal

import msgspec

from erp.desk.privacy.declared import Kind
from erp.desk.privacy.erasing import Plan
from erp.desk.privacy.mentions import MentionKind
from erp.desk.privacy.persons import PersonKind
from erp.desk.privacy.retention import years
from erp.kernel import config
from erp.kernel.days import months_later
from erp.kernel.language import Sentence, says
from erp.store import workspace_settings
from erp.web.schema import View

KeptKind = Kind | Literal["account"]

_WHY: dict[KeptKind, Sentence] = {
    "profile": says("Name and contact details are kept through the year of the last date."),
    "attendance": says("Records of working time are kept for {years} years."),
    "leave": says("Leave is kept for {years} years, in which it can be claimed."),
    "files": says("Files of people are kept for {years} years, in which claims can be made."),
    "payroll": says("Payroll records are kept for {years} years."),
    "documents": says("Invoices, payments and expense claims are kept for {years} years."),
    "books": says("The books are kept for {years} years, with their texts and authors."),
    "account": says("The account is used outside of this workspace."),
}


class ErasedView(View):
    """Rows that an erasure deletes or empties."""

    kind: Kind
    count: int


class KeptView(View):
    """Rows that stay, each kind through a day."""

    kind: KeptKind
    count: int
    until: Annotated[str | None, msgspec.Meta(description="The last day for which they are kept.")]
    why: str


class MentionView(View):
    """Texts of the office's work with the person's name; an `attachment` is the file of a project or a task."""

    kind: MentionKind
    count: int


class ErasureView(View):
    """The effect of an erasure: rows that go, rows that stay, and the number of events that say less afterwards."""

    kind: PersonKind
    id: str
    name: Annotated[str, msgspec.Meta(description="The name by which the workspace calls the person afterwards.")]
    erases: list[ErasedView]
    keeps: list[KeptView]
    redacted_events: int
    mentions: Annotated[
        list[MentionView],
        msgspec.Meta(description="They stay as they are: search for the name, and judge them."),
    ]
    backups_until: Annotated[
        str, msgspec.Meta(description="Daily backups from before have the data until this day; others until deleted.")
    ]

    @classmethod
    def of(cls, plan: Plan) -> "ErasureView":
        """Show a plan, carried out or not."""
        person = plan.person
        is_named = not any(rest.kind == "profile" for rest in plan.erases) and person.user_id is None
        return cls(
            kind=person.kind,
            id=person.id,
            name=person.name if is_named else person.alias,
            erases=[ErasedView(rest.kind, rest.left) for rest in plan.erases],
            keeps=[*_kept(plan)],
            redacted_events=len(plan.blanked),
            mentions=[MentionView(kind, count) for kind, count in plan.mentions.items()],
            backups_until=_backups_until().isoformat(),
        )


def _kept(plan: Plan) -> Iterator[KeptView]:
    kept_for = years()
    for rest in plan.keeps:
        count = rest.count - (rest.left if rest in plan.erases else 0)
        until = None if rest.until is None else rest.until.isoformat()
        yield KeptView(rest.kind, count, until, _WHY[rest.kind].fill(years=kept_for[rest.kind]))
    if plan.authored is not None:
        count, last = plan.authored
        until = date(last.year + kept_for["books"], 12, 31).isoformat()
        yield KeptView("books", count, until, _WHY["books"].fill(years=kept_for["books"]))
    if plan.account_stays:
        yield KeptView("account", 1, None, _WHY["account"])


def _backups_until() -> date:
    """The day by which rotation has deleted the daily backups made until now."""
    days, weeks, months = config.current().backup_keep
    today = workspace_settings.today()
    return max(
        today + timedelta(days=days), today + timedelta(weeks=weeks + 1), months_later(today.replace(day=1), months)
    )
