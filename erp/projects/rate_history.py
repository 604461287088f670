"""The hourly rates of a project or a task over time, and taking one back."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.kernel import caller, money
from erp.kernel.errors import InUse, NotFound
from erp.kernel.language import says
from erp.projects import rates
from erp.projects.models import PastRate, Project
from erp.projects.rates import Owner
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Money
from erp.web.schema import View


class HourlyRateView(View):
    """An hourly rate and its first day."""

    id: Annotated[str | None, Meta(description="Null of the first rate, which cannot be deleted.")]
    valid_from: Annotated[date | None, Meta(description="Null of the first rate.")]
    hourly_rate: Money | None


def views(owner: Owner, id: str, present: int | None) -> list[HourlyRateView]:
    """The rates of a project or a task, the first at the top."""
    past = _past(owner, id)
    values = [*(row.hourly_rate for row in past), present]
    begins = [(None, None), *((row.id, row.until) for row in past)]
    currency = workspace_settings.current().base_currency
    return [
        HourlyRateView(id=id, valid_from=day, hourly_rate=None if rate is None else money.text(rate, currency))
        for (id, day), rate in zip(begins, values, strict=True)
    ]


def _past(owner: Owner, id: str) -> list[PastRate]:
    column = PastRate.project if owner == "project" else PastRate.task_id
    return list(PastRate.select().where(column == id).order_by(PastRate.until))


def remove(owner: Owner, id: str, rate_id: str) -> tuple[bool, int | None]:
    """Take back a rate: the one before it counts for its time.

    Returns:
        Whether it was the present rate, and the rate before it.

    Raises:
        NotFound: it has no such rate.
        InUse: time of its days is on an invoice.
    """
    past = _past(owner, id)
    at = next((i for i, row in enumerate(past) if row.id == rate_id), None)
    if at is None:
        raise NotFound(says("There is no such hourly rate."))
    begun, following = past[at], past[at + 1] if at + 1 < len(past) else None
    last = following.until.isoformat() if following else "9999"
    if WORKSPACE.rows(_BILLED.format(owner=owner), (id, begun.until.isoformat(), last)):
        raise InUse(says("Time at this hourly rate is on an invoice."))
    before = begun.hourly_rate
    begun.delete_instance()
    if following is not None:
        following.change(hourly_rate=before)
    WORKSPACE.forget(f"rates of {id}")
    return following is None, before


_BILLED = """
SELECT 1 FROM time_log
WHERE {owner}_id = ? AND invoice_id IS NOT NULL AND hourly_rate IS NULL AND date >= ? AND date < ? LIMIT 1
"""


class OfProject:
    @endpoint(permission="money.read")
    def on_get(self, id: str) -> list[HourlyRateView]:
        """List the hourly rates of a project, the first at the top.

        Each holds for time dated from its first day on until the next one begins.
        """
        return views("project", id, Project.find(id).hourly_rate)


class OfProjectItem:
    @endpoint(permission="projects.write", refuses=(InUse,))
    def on_delete(self, id: str, rate_id: str) -> None:
        """Delete an hourly rate of a project: the one before it counts for its time.

        A rate of invoiced time is refused (409 `in_use`), and the first rate has no id.
        """
        project = Project.find_to_change(id)
        if not caller.may("money.read"):
            raise caller.refusal("money.read")
        was_present, before = remove("project", id, rate_id)
        if was_present:
            project.change(hourly_rate=before)
        rates.reprice_project(id)
        events.write("project.updated", "project", id, {"code": project.code, "name": project.name, "changed": {}})
