"""Several workspaces of one owner as one: their balances side by side, without what they owe each other.

Read only: nothing is stored, and each file is opened by itself, one after the other. An amount is on the normal side of
its account; the row `elimination_difference` has the eliminated amounts that do not cancel.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from erp.finance.books import years
from erp.finance.books.chart import NORMAL_SIGN
from erp.finance.reports.period import ReportDate, plain
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import files
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Column, Figure, Row, Tree
from erp.finance.reports.table.views import ReportTable
from erp.kernel import caller, roles
from erp.kernel.errors import BadParameter, Forbidden, NotAMember, Refusal, TwoFactorRequired, Unavailable
from erp.kernel.language import Word, says
from erp.members import memberships
from erp.members.memberships import MembershipView
from erp.store import control, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.scalars import Day
from erp.web.schema import File, View

MOST = 10


class CurrenciesDiffer(Refusal):
    """{first} keeps its books in {currency}, {other} in {other_currency}. Choose workspaces with one base currency."""

    status = 422


class ConsolidatedQuery(ReportDate):
    """The workspaces and the days of a consolidation."""

    workspace_ids: (
        Annotated[
            str,
            Meta(description="At most 10, separated by commas; when absent, all active ones whose books you may read."),
        ]
        | None
    ) = None
    date_from: (
        Annotated[
            Day,
            Meta(description="The first day of income and expenses; by default of the fiscal year in each workspace."),
        ]
        | None
    ) = None


class ConsolidatedWorkspace(View):
    """A workspace, whose id is the key of its column."""

    id: str
    name: str


class Consolidation(ReportTable, kw_only=True):
    """The accounts of several workspaces by their codes; a workspace each has a column, then what is eliminated."""

    workspaces: list[ConsolidatedWorkspace]

    @property
    def office(self) -> str:
        return ", ".join(each.name for each in self.workspaces)

    def file(self, format: str, query: Any) -> File:
        return files.written(self, format, query)


class _Books(NamedTuple):
    """The balances of a workspace, debit above zero, and what of them is eliminated; by account."""

    workspace: MembershipView
    currency: str
    accounts: Sequence[AccountRow]
    balances: years.Balances
    eliminated: Mapping[str, int]


def of(query: ConsolidatedQuery) -> Consolidation:
    """The workspaces that a query asks for, as one.

    Raises:
        BadParameter: it asks for none, or for more than ten.
        NotAMember: the caller is not a member of one, or there is no such workspace.
        TwoFactorRequired: one asks for a second sign-in that the caller does not have.
        Forbidden: the caller may not read the books of one.
        CurrenciesDiffer: they have several base currencies.
    """
    workspaces = _workspaces(query.workspace_ids)
    ids, day = [each.id for each in workspaces], _day(query, workspaces[0])
    books = [_read(each, ids, day, query) for each in workspaces]
    for other in books[1:]:
        if other.currency != books[0].currency:
            raise CurrenciesDiffer(
                first=books[0].workspace.name,
                currency=books[0].currency,
                other=other.workspace.name,
                other_currency=other.currency,
            )
    tree = Tree(
        "consolidated",
        Word("Consolidation"),
        _columns(books, day),
        heading=Word("Account"),
        since=query.date_from,
        until=day,
        currency=books[0].currency,
    )
    _fill(tree, books)
    shown = [ConsolidatedWorkspace(id=each.id, name=each.name) for each in workspaces]
    return Consolidation(**tree.shown(query), workspaces=shown)


def _workspaces(listed: str | None) -> list[MembershipView]:
    user_id = caller.current().user_id
    with control.read():
        own = {each.id: each for each in memberships.of_user(user_id)}
    ids = (
        [id for id, each in own.items() if _is_readable(each)]
        if listed is None
        else [*dict.fromkeys(listed.split(","))]
    )
    if not ids or len(ids) > MOST:
        raise BadParameter(says("workspaceIds: Choose 1 to {most} workspaces.", most=MOST))
    for id in ids:
        _check(own.get(id))
    return [own[id] for id in ids]


def _is_readable(workspace: MembershipView) -> bool:
    is_open = workspace.status == "active" and not workspace.lacks_two_factor
    return is_open and roles.allows(workspace.role, "finance.read")


def _check(workspace: MembershipView | None) -> None:
    if workspace is None:
        raise NotAMember
    if workspace.lacks_two_factor:
        raise TwoFactorRequired
    if not roles.allows(workspace.role, "finance.read"):
        raise Forbidden
    if workspace.status == "unavailable":
        raise Unavailable


def _day(query: ConsolidatedQuery, first: MembershipView) -> date:
    if query.date is not None:
        return plain(query.date)
    with control.open_workspace(first.id, write=False):
        return workspace_settings.today()


def _read(workspace: MembershipView, ids: Sequence[str], day: date, query: ConsolidatedQuery) -> _Books:
    with control.open_workspace(workspace.id, write=False):
        accounts = chart.accounts()
        start = query.date_from or workspace_settings.fiscal_year_start(day)
        balances = years.balances({account.id: account.type for account in accounts}, day, plain(start))
        between = {id for (id,) in WORKSPACE.rows("SELECT id FROM account WHERE is_intercompany")}
        owed = WORKSPACE.rows(_OWED, (sql.array([id for id in ids if id != workspace.id]), day.isoformat()))
        eliminated = dict(owed) | {id: balances.of.get(id, 0) for id in between}
        return _Books(workspace, workspace_settings.current().base_currency, accounts, balances, eliminated)


_OWED = (
    "SELECT p.account_id, sum(p.amount) FROM contact AS c JOIN contact AS head ON head.id = coalesce(c.head_id, c.id)"
    " JOIN posting AS p ON p.contact_id = c.id"
    " JOIN account AS a ON a.id = p.account_id AND a.subtype IN ('receivable', 'payable')"
    " WHERE head.group_workspace_id IN (SELECT value FROM json_each(?)) AND p.date <= ? GROUP BY p.account_id"
)


def _columns(books: Sequence[_Books], day: date) -> list[Column]:
    own = [Column(key=each.workspace.id, label=each.workspace.name, date_to=day) for each in books]
    total = tuple(column.key for column in own)
    return [
        *own,
        Column(key="eliminations", label=Word("Eliminations"), date_to=day),
        Column(key="total", label=Word("Total"), date_to=day, adds=(*total, "eliminations")),
    ]


def _fill(tree: Tree, books: Sequence[_Books]) -> None:
    """Add a row for each code and type of account, then the earlier years, and what does not cancel."""
    rows: dict[tuple[str, str], Row] = {}
    amounts: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    for each in books:
        for account in each.accounts:
            sign, key = NORMAL_SIGN[account.type], (account.code, account.type)
            rows.setdefault(key, Row(kind="line", label=account.name, code=account.code, level=1))
            amounts[*key, each.workspace.id] += sign * each.balances.of.get(account.id, 0)
            amounts[*key, "eliminations"] -= sign * each.eliminated.get(account.id, 0)
    for key, row in sorted(rows.items(), key=lambda item: item[0]):
        keys = [*(each.workspace.id for each in books), "eliminations"]
        row.cells = {column: Figure(amounts[*key, column]) for column in keys}
        if any(amounts[*key, column] for column in keys):
            tree.add(row)
    if any(each.balances.earlier for each in books):
        earlier = {each.workspace.id: Figure(-each.balances.earlier) for each in books}
        tree.line(Word("Result of earlier years"), {**earlier}, key="earlier_years")
    difference = sum(sum(each.eliminated.values()) for each in books)
    tree.line(Word("Elimination difference"), {"eliminations": Figure(difference)}, key="elimination_difference")


class Resource:
    @endpoint(
        access="user",
        session_only=True,
        refuses=(BadParameter, NotAMember, TwoFactorRequired, Forbidden, CurrenciesDiffer, Unavailable),
    )
    def on_get(self, query: ConsolidatedQuery) -> Consolidation:
        """Show several of your workspaces as one.

        A row for each account code, a column for each workspace, `eliminations` and `total`; amounts are on the normal
        side of their account, and income and expenses count since `dateFrom`. Eliminated are receivables from and
        payables to contacts whose `groupWorkspaceId` is one of the others, and accounts with `isIntercompany`. The row
        `elimination_difference` has the part that does not cancel. You need the right to read the books of each, and
        all must have one base currency (422 `currencies_differ`).
        """
        return of(query)
