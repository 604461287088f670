"""Batches of journal entries for DATEV, each entry once, and their files."""

from datetime import date

from erp.finance.closing.datev import entries, settings, sheet, store
from erp.finance.closing.datev.bodies import DatevRange, NewDatevStack
from erp.finance.closing.datev.entries import Made
from erp.finance.closing.datev.models import DatevStack
from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import says
from erp.store import events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import File


class NothingNew(Refusal):
    """All journal entries of this period are already in a DATEV batch, or there are none."""


def look(query: DatevRange) -> File:
    """The file of all entries of some days; nothing is marked.

    Raises:
        DatevNotSetUp: the settings lack a required field of the file.
    """
    _check(query.date_from, query.date_to)
    bookings = entries.read(store.IN_RANGE, {"first": str(query.date_from), "last": str(query.date_to)})
    return _file(query.date_from, query.date_to, bookings, clock.stamp())


def make(body: NewDatevStack) -> DatevStack:
    """Put all entries of some days that are in no batch into a new one.

    Raises:
        DatevNotSetUp: the settings lack a required field of the file.
        NothingNew: there are none.
    """
    _check(body.date_from, body.date_to)
    where = f"{store.IN_RANGE} AND {store.NEW}"
    bookings = entries.read(where, {"first": str(body.date_from), "last": str(body.date_to)})
    if not bookings.entry_ids:
        raise NothingNew
    stack = DatevStack.add(date_from=body.date_from, date_to=body.date_to, entries=len(bookings.entry_ids))
    WORKSPACE.run(store.MARK, (stack.id, sql.array(bookings.entry_ids)))
    bookings.personal.keep()
    data = {"dateFrom": str(body.date_from), "dateTo": str(body.date_to), "count": len(bookings.entry_ids)}
    events.write("datev_stack.created", "datev_stack", stack.id, data)
    return stack


def file_of(id: str) -> File:
    """The file of a batch.

    Raises:
        NotFound: there is no such stack.
    """
    stack = DatevStack.find(id)
    _check(stack.date_from, stack.date_to)
    return _file(stack.date_from, stack.date_to, entries.read(store.IN_STACK, {"stack": id}), stack.created_at)


def count_missing(first: date, last: date) -> int:
    """The number of entries of some days that are in no batch."""
    ((count,),) = WORKSPACE.rows(_COUNT_MISSING, {"first": str(first), "last": str(last)})
    return int(count)


def has_missing(first: date, last: date) -> bool:
    """Whether an entry of some days is in no batch."""
    return bool(WORKSPACE.rows(_HAS_MISSING, {"first": str(first), "last": str(last)}))


def last_sent(first: date, last: date) -> DatevStack | None:
    """The batch with some of these days that was made last."""
    made = DatevStack.fetch(_LAST_SENT, str(last), str(first))
    return made[0] if made else None


_MISSING = f"FROM journal_entry AS entry WHERE {store.IN_RANGE} AND {store.NEW}"
_COUNT_MISSING, _HAS_MISSING = f"SELECT count(*) {_MISSING}", f"SELECT 1 {_MISSING} LIMIT 1"
_LAST_SENT = (
    "SELECT * FROM datev_stack WHERE received_as IS NULL AND date_from <= ? AND date_to >= ?"
    " ORDER BY created_at DESC, id DESC LIMIT 1"
)


def _check(first: date, last: date) -> None:
    complaints = Complaints()
    with complaints.gathered():
        settings.check()
    if last < first:
        complaints.add("dateTo", "too_early", says("Must not be before {date}.", date=first))
    elif workspace_settings.fiscal_year(first) != workspace_settings.fiscal_year(last):
        complaints.add("dateTo", "several_years", says("The period must lie in one fiscal year."))
    complaints.refuse()


def _file(first: date, last: date, bookings: Made, made_at: str) -> File:
    start = workspace_settings.fiscal_year_start(first)
    header = settings.header(start, made_at, first, last)
    return File(sheet.bookings(header, bookings.rows), f"EXTF_Buchungsstapel_{first:%Y%m%d}_{last:%Y%m%d}.csv")
