"""Lists of recurring documents, and of their dates."""

from erp.finance.billing.recurring.bodies import OccurrenceFilter, RecurringDocumentFilter
from erp.finance.billing.recurring.models import RecurringDocument, RecurringOccurrence
from erp.finance.billing.recurring.views import OccurrenceView, RecurringDocumentView
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.schema import Page

_ENDING = (
    "SELECT id FROM recurring_document WHERE next_on IS NOT NULL AND last_on IS NOT NULL"
    f" AND {sql.days_between('?', 'last_on')} <= remind_days"
)


def search(query: RecurringDocumentFilter) -> Page[RecurringDocumentView]:
    select = RecurringDocument.select()
    if query.kind is not None:
        select = select.where(RecurringDocument.kind == query.kind)
    if query.status is not None:
        select = select.where(_has_status(query.status))
    if query.is_failing:
        select = select.where(RecurringDocument.failure.is_null(False))
    if query.is_ending:
        ids = [id for (id,) in WORKSPACE.rows(_ENDING, (workspace_settings.today().isoformat(),))]
        select = select.where(sql.among(RecurringDocument.id, ids))
    if query.q is not None:
        select = select.where(sql.positional(sql.contains(("name",), query.q)))
    sortable = {"name": RecurringDocument.name}
    return page(select, query, views=RecurringDocumentView.of_many, sort=query.sort, sortable=sortable)


def _has_status(status: str) -> object:
    has_ended = RecurringDocument.next_on.is_null()
    if status == "ended":
        return has_ended
    return ~has_ended & RecurringDocument.paused_at.is_null(status == "active")


_MADE = "SELECT * FROM recurring_occurrence WHERE recurring_id = ? ORDER BY date"


def occurrences(id: str, query: OccurrenceFilter) -> list[OccurrenceView]:
    """The occurrences that were made, then the next dates."""
    recurring = RecurringDocument.find(id)
    made = [OccurrenceView.of(recurring, each) for each in RecurringOccurrence.fetch(_MADE, id)]
    return [*made, *OccurrenceView.upcoming(recurring, query.upcoming)]


def run(id: str, made: list[RecurringOccurrence]) -> list[OccurrenceView]:
    """The occurrences of a run."""
    recurring = RecurringDocument.find(id)
    return [OccurrenceView.of(recurring, each) for each in made]
