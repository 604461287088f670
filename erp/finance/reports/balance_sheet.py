"""The balance sheet at a date: assets, liabilities and equity."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Meta

from erp.finance.books import account_balances
from erp.finance.books.bodies import Subtype
from erp.finance.books.chart import NORMAL_SIGN, SUBTYPES
from erp.finance.books.years import RESULT_TYPES
from erp.finance.reports.period import ReportDate
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree, comparison
from erp.finance.reports.table.views import ReportProof
from erp.kernel import money
from erp.kernel.days import ONE_DAY
from erp.kernel.language import Word, says
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.scalars import Day, Money
from erp.web.schema import File, Report, Unset, View, show


class BalanceSheetQuery(ReportDate):
    """The date of the balance sheet, and of another to compare it with."""

    compare_date: (
        Annotated[
            Day,
            Meta(
                description="Another day, whose figures are in `previous`. Before the opening balances, these are the "
                "imported ones of the last month that had ended."
            ),
        ]
        | None
    ) = None
    tree: Annotated[bool, Meta(description="Whether the answer has the tree as well, the source of the files.")] = False


class BalanceSheetAccount(View):
    """An account's balance, positive on the account's normal side."""

    id: str
    code: str
    name: str
    balance: Money
    previous: Money | Unset = UNSET


class BalanceSheetGroup(View):
    """The accounts of one subtype."""

    subtype: Subtype
    name: str
    total: Money
    accounts: list[BalanceSheetAccount]
    previous: Money | Unset = UNSET


class BalanceSheetSection(View):
    """The assets, or the liabilities."""

    total: Money
    groups: list[BalanceSheetGroup]


class BalanceSheetEquity(BalanceSheetSection):
    """The balances of equity accounts, and the results, which are computed from income and expenses."""

    retained_earnings: Annotated[Money, Meta(description="The results of earlier fiscal years.")]
    current_year_earnings: Annotated[Money, Meta(description="The result since the fiscal year began.")]


class BalanceSheetComparison(View):
    """The totals at `date`: the day of `compareDate`, or the end of the imported month."""

    date: datetime.date
    assets: Money
    liabilities: Money
    equity: Money
    retained_earnings: Money
    current_year_earnings: Money


class BalanceSheetRow(View):
    """A line of the balance sheet as a table."""

    section: str
    group: str
    code: str
    name: str
    balance: Money
    previous: Money | Unset = UNSET


class BalanceSheet(Report):
    """The balance sheet; accounts without a balance on either day are left out."""

    ROW = BalanceSheetRow

    date: datetime.date
    currency: str
    assets: BalanceSheetSection
    liabilities: BalanceSheetSection
    equity: BalanceSheetEquity
    total_assets: Money
    total_liabilities_and_equity: Money
    is_balanced: Annotated[bool, Meta(description="Whether the two totals are equal; found by comparing them.")]
    previous: BalanceSheetComparison | Unset = UNSET
    proof: Annotated[ReportProof | Unset, Meta(description="The proof of its tree.")] = UNSET
    tree: Annotated[ReportTree | Unset, Meta(description="The same as rows and columns; with `tree`.")] = UNSET

    def file(self, format: str, query: BalanceSheetQuery) -> File | None:
        """The tree as a file; a CSV with commas has the accounts alone."""
        if format == "csv" and query.separator == "comma":
            return None
        return _sheet(self.date, query).tree().view(query).file(format, query)

    def headers(self) -> Mapping[str, str]:
        """The proof."""
        return {} if self.proof is UNSET else self.proof.headers

    def table(self) -> list[BalanceSheetRow]:
        """A row for each account, and one for each computed result."""
        return [*_account_rows(self), *_result_rows(self)]


Balances = Mapping[str, tuple[int, ...]]
"""By account id: the balance at the end of a day, and at the end of the fiscal year before it."""


class _Position:
    """The books at the end of a day, in minor units, each total positive on its normal side."""

    def __init__(self, day: datetime.date, accounts: Sequence[AccountRow], balances: Balances) -> None:
        self.day = day
        self.year_before = workspace_settings.fiscal_year_start(day) - ONE_DAY
        self.of: dict[str, int] = {}
        """The balance of each account with postings until then, by its id."""
        totals, earlier = dict.fromkeys(NORMAL_SIGN, 0), 0
        for id, _, _, type, _ in accounts:
            if id in balances:
                amount, before = balances[id]
                self.of[id] = NORMAL_SIGN[type] * amount
                totals[type] += self.of[id]
                earlier += before if type in RESULT_TYPES else 0
        self.assets, self.liabilities = totals["asset"], totals["liability"]
        self.retained = -earlier
        self.current = totals["income"] - totals["expense"] - self.retained
        self.equity = totals["equity"] + self.retained + self.current

    @classmethod
    def of_books(cls, day: datetime.date, accounts: Sequence[AccountRow]) -> "_Position":
        """As the books are."""
        year_before = workspace_settings.fiscal_year_start(day) - ONE_DAY
        return cls(day, accounts, account_balances.of_all(day, year_before))

    @classmethod
    def to_compare(cls, day: datetime.date, accounts: Sequence[AccountRow]) -> "_Position":
        """The position of the books or, before they began, of the imported last month."""
        before = account_balances.imported(day)
        if before is None:
            return cls.of_books(day, accounts)
        end, balances = before
        return cls(end, accounts, {id: (amount, 0) for id, amount in balances.items()})

    def sum(self, accounts: Sequence[AccountRow]) -> int:
        """The balance of some accounts together."""
        return sum(self.of.get(account.id, 0) for account in accounts)


def of(query: BalanceSheetQuery) -> ReportTree:
    """The tree that a query asks for."""
    return _sheet(_day(query), query).tree().view(query)


def _day(query: BalanceSheetQuery) -> datetime.date:
    return query.date or workspace_settings.today()


def _sheet(day: datetime.date, query: BalanceSheetQuery) -> "_Sheet":
    return _Sheet(chart.accounts(), day, query.compare_date)


class _Sheet:
    """A balance sheet before it is shown: the position at its date and, for comparison, at another."""

    def __init__(self, accounts: Sequence[AccountRow], day: datetime.date, compared: datetime.date | None) -> None:
        self.currency = workspace_settings.current().base_currency
        self.now = _Position.of_books(day, accounts)
        self.then = None if compared is None else _Position.to_compare(compared, accounts)
        positions = [self.now] if self.then is None else [self.now, self.then]
        shown = {id for position in positions for id, amount in position.of.items() if amount}
        self.groups: dict[str, list[AccountRow]] = {subtype: [] for subtype in SUBTYPES}
        """The accounts with a balance on either day, by subtype."""
        for account in accounts:
            if account.id in shown:
                self.groups[account.subtype].append(account)

    def view(self) -> BalanceSheet:
        now = self.now
        return BalanceSheet(
            date=now.day,
            currency=self.currency,
            assets=BalanceSheetSection(total=self._text(now.assets), groups=self._groups("asset")),
            liabilities=BalanceSheetSection(total=self._text(now.liabilities), groups=self._groups("liability")),
            equity=BalanceSheetEquity(
                total=self._text(now.equity),
                groups=self._groups("equity"),
                retained_earnings=self._text(now.retained),
                current_year_earnings=self._text(now.current),
            ),
            total_assets=self._text(now.assets),
            total_liabilities_and_equity=self._text(now.liabilities + now.equity),
            is_balanced=now.assets == now.liabilities + now.equity,
            previous=self._previous(),
        )

    def tree(self) -> Tree:
        """The balance sheet as rows and columns."""
        then = self.then
        columns = [Column(key="balance", label=str(self.now.day), date_to=self.now.day)]
        if then is not None:
            columns += [Column(key="previous", label=str(then.day), date_to=then.day), *comparison("balance")]
        tree = Tree("balance_sheet", _TITLE, columns, heading=Word("Account"), since=None, until=self.now.day)
        sums = {}
        for type, label in _SECTIONS.items():
            tree.section(label)
            groups = [
                tree.group(chart.GROUPS[subtype], map(self._row, of), key=subtype)
                for subtype, of in self.groups.items()
                if SUBTYPES[subtype] == type
            ]
            rows = [row for row in groups if row is not None]
            if type == "equity":
                rows += map(tree.add, self._results())
            sums[type] = tree.sum(says("Total: {group}", group=label), rows, key=type)
        tree.sum(
            Word("Total liabilities and equity"), [sums["liability"], sums["equity"]], key="liabilities_and_equity"
        )
        return tree

    def _row(self, account: AccountRow) -> Row:
        def cell(position: _Position) -> Figure:
            return Figure(position.sum((account,)), links.ledger(account.id, date_to=position.day))

        link = links.to(f"/accounts/{account.id}")
        return Row(kind="line", code=account.code, label=account.name, link=link, cells=self._cells(cell))

    def _results(self) -> Iterator[Row]:
        def earlier(position: _Position) -> Figure:
            return Figure(position.retained, _of_results(None, position.year_before))

        def current(position: _Position) -> Figure:
            return Figure(position.current, _of_results(position.year_before + ONE_DAY, position.day))

        for key, label, cell in (
            ("retained_earnings", Word("Results of earlier years"), earlier),
            ("current_year_earnings", Word("Result of the current year"), current),
        ):
            yield Row(kind="line", key=key, label=label, level=1, cells=self._cells(cell))

    def _cells(self, cell: "Callable[[_Position], Figure]") -> dict[str, Cell]:
        cells: dict[str, Cell] = {"balance": cell(self.now)}
        return cells if self.then is None else cells | {"previous": cell(self.then)}

    def _groups(self, type: str) -> list[BalanceSheetGroup]:
        groups = self.groups.items()
        return [self._group(subtype, of) for subtype, of in groups if of and SUBTYPES[subtype] == type]

    def _group(self, subtype: str, accounts: Sequence[AccountRow]) -> BalanceSheetGroup:
        return BalanceSheetGroup(
            subtype=subtype,
            name=subtype.replace("_", " ").capitalize(),
            total=self._text(self.now.sum(accounts)),
            previous=self._then(accounts),
            accounts=[self._account(account) for account in accounts],
        )

    def _account(self, account: AccountRow) -> BalanceSheetAccount:
        balance = self._text(self.now.sum((account,)))
        return show(BalanceSheetAccount, account, balance=balance, previous=self._then((account,)))

    def _then(self, accounts: Sequence[AccountRow]) -> str | Unset:
        """The sum of some accounts on the day of comparison."""
        return UNSET if self.then is None else self._text(self.then.sum(accounts))

    def _previous(self) -> BalanceSheetComparison | Unset:
        if self.then is None:
            return UNSET
        return BalanceSheetComparison(
            date=self.then.day,
            assets=self._text(self.then.assets),
            liabilities=self._text(self.then.liabilities),
            equity=self._text(self.then.equity),
            retained_earnings=self._text(self.then.retained),
            current_year_earnings=self._text(self.then.current),
        )

    def _text(self, amount: int) -> str:
        return money.text(amount, self.currency)


_TITLE = Word("Balance sheet")
_SECTIONS = {"asset": Word("Assets"), "liability": Word("Liabilities"), "equity": Word("Equity")}


def _of_results(first: datetime.date | None, last: datetime.date) -> str:
    return links.to("/reports/profit-and-loss", date_from=first or datetime.date(1900, 1, 1), date_to=last)


def _account_rows(sheet: BalanceSheet) -> Iterator[BalanceSheetRow]:
    for section in ("assets", "liabilities", "equity"):
        for group in getattr(sheet, section).groups:
            for account in group.accounts:
                yield show(BalanceSheetRow, account, section=section, group=group.name)


def _result_rows(sheet: BalanceSheet) -> Iterator[BalanceSheetRow]:
    for name in ("retained_earnings", "current_year_earnings"):
        yield BalanceSheetRow(
            section="equity",
            group="Results",
            code="",
            name="Results of earlier years" if name == "retained_earnings" else "Result of the current year",
            balance=getattr(sheet.equity, name),
            previous=getattr(sheet.previous, name, UNSET),
        )


class Resource:
    @endpoint(permission="finance.read")
    def on_get(self, query: BalanceSheetQuery) -> BalanceSheet:
        """Show the balance sheet at a date.

        Accounts are grouped by subtype. The results of earlier years are computed as `retainedEarnings`, so that no
        closing entries are needed; postings to a retained earnings account are shown under that account.

        As an Excel file or a PDF, and as CSV with semicolons, it is the tree, with all sums.
        """
        sheet = _sheet(_day(query), query)
        shown = sheet.view()
        tree = sheet.tree().view(query)
        shown.proof = tree.proof
        if query.tree:
            shown.tree = tree
        return shown
