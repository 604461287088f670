"""The general ledger over HTTP."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import UNSET, Meta

from erp.finance.books import accounts
from erp.finance.contacts import contacts
from erp.finance.reports import dimensions_in
from erp.finance.reports.general_ledger.ledgers import GeneralLedger, Start
from erp.finance.reports.general_ledger.store import CHUNK, Choice, Place
from erp.finance.reports.period import RangeQuery, span_of
from erp.finance.reports.projects_in import NO_PROJECT
from erp.finance.reports.table import files
from erp.finance.reports.table.tree import ReportTree
from erp.kernel.errors import BadParameter, UnknownReference
from erp.kernel.language import Word, says
from erp.projects import projects
from erp.web import paging
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Id
from erp.web.schema import File, Unset, show


class GeneralLedgerQuery(RangeQuery):
    """The days and postings to show."""

    account_id: Annotated[Id, Meta(description="An account's id or code; all accounts when absent.")] | None = None
    contact_id: Annotated[Id, Meta(description="A contact's id: its sub-ledger.")] | None = None
    project_id: (
        Annotated[Id, Meta(description="A project's id or code, or `none` for postings without a project.")] | None
    ) = None
    dimension: Annotated[str, Meta(max_length=2000, description=dimensions_in.DIMENSION)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="Number of postings of a page; files have all of them.")] = (
        200
    )
    cursor: Annotated[str, Meta(max_length=1000, description="The previous page's `nextCursor`.")] | None = None
    total: Annotated[bool, Meta(description="Also count all postings.")] = False


class GeneralLedgerPage(ReportTree):
    """Postings of the ledger; the heading and the opening balance of an account are on its first page."""

    next_cursor: Annotated[str | Unset | None, Meta(description="Of the next page; null on the last.")] = UNSET
    total: Annotated[int | Unset, Meta(description="The number of all postings, if asked for.")] = UNSET

    def file(self, format: str, query: GeneralLedgerQuery) -> File:
        """The whole ledger as a file; for CSV, only a part at a time is in memory."""
        ledger, _ = _asked(query)
        files.check_rows(format, ledger.count())
        if format != "csv":
            return ledger.whole().view(query).file(format, query)
        return files.in_parts(_parts(query), query)


def _parts(query: GeneralLedgerQuery) -> Iterator[ReportTree]:
    """All pages, one after the other."""
    start: Start | None = None
    ledger, _ = _asked(query)
    while True:
        start = ledger.page(start, CHUNK)
        yield ledger.tree.view(query)
        if start is None:
            return


def _asked(query: GeneralLedgerQuery) -> tuple[GeneralLedger, Start | None]:
    """The requested ledger, and the start of its page."""
    account = accounts.refer(query.account_id, "accountId", postable=False).id if query.account_id else None
    contact = contacts.refer(query.contact_id, "contactId", archived=True).id if query.contact_id else None
    project = query.project_id
    if project not in (None, NO_PROJECT):
        project = projects.refer(str(project), "projectId").id
    start = _read(query.cursor) if query.cursor else None
    wanted = dimensions_in.read(query.dimension)
    texts = dimensions_in.texts(wanted) if query.dimension else None
    title = wanted.titled(Word("General ledger"))
    return GeneralLedger(span_of(query), Choice(contact, project, texts), account, title), start


_ORDER = "general ledger"


def _cursor(start: Start | None) -> str | None:
    if start is None:
        return None
    return paging.write_cursor(
        _ORDER, f"{start.account_id} {start.place.date} {start.place.line}", start.place.entry_id
    )


def _read(cursor: str) -> Start:
    value, entry_id = paging.read_cursor(cursor, _ORDER)
    account_id, _, rest = str(value).partition(" ")
    day, _, line = rest.partition(" ")
    try:
        place = Place(Day.read(day).isoformat(), entry_id, int(line))
    except ValueError:
        raise BadParameter(says("cursor: This is not a valid cursor.")) from None
    return Start(account_id, place)


def of(query: GeneralLedgerQuery) -> ReportTree:
    """The whole ledger, or with `cursor`, empty for the first, one page.

    Raises:
        BadParameter: the whole has more postings than a spreadsheet takes.
    """
    if query.cursor is not None:
        return _page(query)
    ledger, _ = _asked(query)
    files.check_rows("xlsx", ledger.count())
    return ledger.whole().view(query)


def _page(query: GeneralLedgerQuery) -> GeneralLedgerPage:
    ledger, start = _asked(query)
    following = ledger.page(start, query.limit)
    is_whole = following is None and not query.cursor
    page = {"limit": str(query.limit), "cursor": query.cursor or ""}
    tree = ledger.tree.view(query, {} if is_whole else page)
    total = ledger.count() if query.total else UNSET
    return show(GeneralLedgerPage, tree, next_cursor=_cursor(following), total=total)


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter, UnknownReference))
    def on_get(self, query: GeneralLedgerQuery) -> GeneralLedgerPage:
        """Show the postings of all accounts or of one, each with its contra account and the balance after it.

        Without days, it shows the fiscal year until today. Each account begins with its opening balance and ends with
        its debits, its credits and its closing balance, as in the trial balance: above zero for a debit balance. If an
        entry has several accounts on the other side, `contra` lists their codes. With `contactId` it is the contact's
        sub-ledger. JSON has pages; a file has everything.
        """
        return _page(query)
