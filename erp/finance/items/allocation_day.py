"""The day of a later matching, as it is proposed before two open items are allocated."""

from datetime import date

from erp.finance.books import periods
from erp.finance.books.models import OpenItem
from erp.finance.items import settlement
from erp.finance.items.views import AllocationDayView, AllocationWarning
from erp.kernel.errors import NotFound
from erp.kernel.language import Sentence, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


def proposed(id: str, other_id: str) -> AllocationDayView:
    """The usual day of two open items, with its reason and a warning about a filed return.

    Raises:
        NotFound: there is no such item.
    """
    source, target = _find(id), _find(other_id)
    day = settlement.usual_day(source, target)
    is_locked = day == periods.first_open_day() and day > settlement.earliest(source, target)
    return AllocationDayView(
        date=day,
        reason="locked" if is_locked else "items",
        message=_locked() if is_locked else _of_items(source, target),
        warnings=_warnings(day),
    )


def _find(id: str) -> OpenItem:
    item = OpenItem.find_by(id=id)
    if item is None:
        raise NotFound(says("There is no such open item."))
    return item


def _of_items(source: OpenItem, target: OpenItem) -> Sentence:
    return says("The later date of {number} and {other}.", number=source.number, other=target.number)


def _locked() -> Sentence:
    lock_date = workspace_settings.current().lock_date
    return says("The first open day. The books are locked through {lock_date}.", lock_date=lock_date)


def _warnings(day: date) -> list[AllocationWarning]:
    """The filed returns on cash basis that a matching on a day changes."""
    return [
        AllocationWarning(
            code="filed_return_changes",
            message=says(
                "The VAT return from {first} to {last} has been filed, and changes with this allocation.",
                first=date.fromisoformat(first),
                last=date.fromisoformat(last),
            ),
        )
        for first, last in WORKSPACE.rows(_FILED, {"day": day.isoformat()})
    ]


_FILED = """
SELECT DISTINCT date_from, date_to FROM tax_return
WHERE date_from <= :day AND date_to >= :day AND basis = 'cash' ORDER BY date_from
"""
