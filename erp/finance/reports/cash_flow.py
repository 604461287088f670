"""Cash flow: the sources and uses of money, tied to bank and cash accounts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.books import account_balances
from erp.finance.books.years import RESULT_TYPES
from erp.finance.reports import fixed_assets, movements
from erp.finance.reports.period import ComparedQuery, Span, compared, span_of
from erp.finance.reports.table import accounts as chart
from erp.finance.reports.table import links
from erp.finance.reports.table.accounts import GROUPS, AccountRow
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree, comparison
from erp.kernel.errors import BadParameter
from erp.kernel.language import Word
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint

Method = Literal["indirect", "direct"]


class CashFlowQuery(ComparedQuery):
    """The days to show, and the method."""

    method: Annotated[
        Method,
        Meta(
            description="`indirect` begins with the result and removes what moved no money; `direct` shows the contra "
            "accounts of money."
        ),
    ] = "indirect"


CASH = ("bank", "cash")
INVESTING = ("fixed_asset",)
FINANCING = ("equity", "retained_earnings", "opening_balance", "long_term_liability")
SECTIONS: Mapping[str, str] = {
    "operating": Word("Cash flow from operating activities"),
    "investing": Word("Cash flow from investing activities"),
    "financing": Word("Cash flow from financing activities"),
}


def section_of(account: AccountRow) -> str:
    if account.subtype in INVESTING:
        return "investing"
    return "financing" if account.subtype in FINANCING else "operating"


def of(query: CashFlowQuery) -> ReportTree:
    """The cash flow that a query asks for.

    Raises:
        BadParameter: days end before they begin.
    """
    span = span_of(query)
    then = compared(query, span)
    spans = {"amount": span} if then is None else {"amount": span, "previous": then}
    return _Statement(spans, query.method).tree().view(query)


class _Flows:
    """The flows of money in some days, above zero for money in."""

    def __init__(self, span: Span, method: Method, accounts: Mapping[str, AccountRow]) -> None:
        self.span, self.accounts = span, accounts
        opened = _opened(span)
        moved = {id: amounts[0] - opened.get(id, 0) for id, amounts in movements.of_spans([span]).items()}
        self.opening = sum(amount for id, amount in opened.items() if accounts[id].subtype in CASH)
        self.begin, self.end = cash_at(span.before), cash_at(span.last)
        self.result = self.written_down = 0
        if method == "direct":
            self.of = _direct(span)
        else:
            written = fixed_assets.written_down(span)
            self.result = -sum(amount for id, amount in moved.items() if accounts[id].type in RESULT_TYPES)
            self.written_down = sum(written.results.values())
            self.of = {
                id: written.assets.get(id, 0) - amount
                for id, amount in moved.items()
                if accounts[id].type not in RESULT_TYPES and accounts[id].subtype not in CASH
            }


class _Statement:
    """A cash flow statement while it is made."""

    def __init__(self, spans: Mapping[str, Span], method: Method) -> None:
        self.accounts = {account.id: account for account in chart.accounts()}
        self.method = method
        self.flows = {key: _Flows(span, method, self.accounts) for key, span in spans.items()}
        self.span = spans["amount"]

    def tree(self) -> Tree:
        first, last = self.span
        columns = [*self._columns()]
        tree = Tree("cash_flow", Word("Cash flow"), columns, heading=Word("Account"), since=first, until=last)
        sums = []
        for key, label in SECTIONS.items():
            tree.section(label)
            sums.append(tree.sum(label, [*self._rows(tree, key)], key=key))
        change = tree.sum(Word("Change of cash and bank"), sums, key="change")
        self._tie(tree, change)
        return tree

    def _columns(self) -> Iterator[Column]:
        for key, flows in self.flows.items():
            first, last = flows.span
            yield Column(key=key, label=flows.span.label, date_from=first, date_to=last)
        if "previous" in self.flows:
            yield from comparison()

    def _rows(self, tree: Tree, section: str) -> Iterator[Row]:
        """The rows that a section sums."""
        if section == "operating" and self.method == "indirect":
            yield tree.line(Word("Result"), self._cells(_result), key="result")
            cells = self._cells(lambda flows: Figure(flows.written_down))
            yield tree.line(Word("Depreciation and other write-downs of fixed assets"), cells, key="depreciation")
        for subtype, label in GROUPS.items():
            of_group = [account for account in self.accounts.values() if account.subtype == subtype]
            lines = self._lines([account for account in of_group if section_of(account) == section])
            if row := tree.group(label, lines, key=subtype):
                yield row

    def _lines(self, accounts: Sequence[AccountRow]) -> Iterator[Row]:
        for account in accounts:
            if any(flows.of.get(account.id) for flows in self.flows.values()):
                cells = self._cells(partial(_of_account, account.id))
                link = links.to(f"/accounts/{account.id}")
                yield Row(kind="line", label=account.name, code=account.code, link=link, cells=cells)

    def _tie(self, tree: Tree, change: Row) -> None:
        """Show the balances of money accounts, and their difference from the change: 0."""
        tree.section(Word("Cash and bank"))
        begin = tree.line(Word("At the beginning"), self._cells(_begin), key="opening")
        rows = [begin, change]
        if any(flows.opening for flows in self.flows.values()):
            cells = self._cells(lambda flows: Figure(flows.opening))
            rows.append(tree.line(Word("From the opening balances"), cells, key="taken_over"))
        end = tree.line(Word("At the end"), self._cells(_end), key="closing")
        tree.sum(Word("Difference"), rows, [end], key="difference")

    def _cells(self, figure: Callable[[_Flows], Figure]) -> dict[str, Cell]:
        return {key: figure(flows) for key, flows in self.flows.items()}


def _result(flows: _Flows) -> Figure:
    first, last = flows.span
    return Figure(flows.result, links.to("/reports/profit-and-loss", date_from=first, date_to=last))


def _of_account(id: str, flows: _Flows) -> Figure:
    first, last = flows.span
    return Figure(flows.of.get(id, 0), links.ledger(id, date_from=first, date_to=last))


def _begin(flows: _Flows) -> Figure:
    return Figure(flows.begin, links.to("/reports/balance-sheet", date=flows.span.before))


def _end(flows: _Flows) -> Figure:
    return Figure(flows.end, links.to("/reports/balance-sheet", date=flows.span.last))


def cash_at(day: date) -> int:
    """The balance of bank and cash accounts at the end of a day."""
    held = account_balances.of_all(day)
    return sum(held[id][0] for (id,) in WORKSPACE.rows(f"SELECT id FROM account WHERE subtype IN {CASH}") if id in held)


def _opened(span: Span) -> dict[str, int]:
    """By account id, the opening balances of some days."""
    return dict(WORKSPACE.rows(_OPENED, {"first": str(span.first), "last": str(span.last)}))


def _direct(span: Span) -> dict[str, int]:
    """By account id, the money moved against it in some days, above zero for money in."""
    return dict(WORKSPACE.rows(_DIRECT, {"first": str(span.first), "last": str(span.last)}))


_OPENED = """
SELECT p.account_id, sum(p.amount) FROM journal_entry AS e LEFT JOIN journal_entry AS o ON o.id = e.reverses_id
JOIN posting AS p ON p.entry_id = e.id
WHERE e.date BETWEEN :first AND :last AND coalesce(o.kind, e.kind) = 'opening' GROUP BY p.account_id
"""
_DIRECT = f"""
WITH moved AS (
    SELECT DISTINCT f.entry_id AS id FROM account AS cash {sql.THEN_JOIN} posting AS f
    ON f.account_id = cash.id AND f.date BETWEEN :first AND :last WHERE cash.subtype IN {CASH}
)
SELECT p.account_id, -sum(p.amount) FROM moved {sql.THEN_JOIN} posting AS p ON p.entry_id = moved.id
JOIN account AS a ON a.id = p.account_id AND a.subtype NOT IN {CASH}
JOIN journal_entry AS e ON e.id = p.entry_id LEFT JOIN journal_entry AS o ON o.id = e.reverses_id
WHERE coalesce(o.kind, e.kind) <> 'opening' GROUP BY p.account_id
"""


class Resource:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: CashFlowQuery) -> ReportTree:
        """Show the sources and uses of money.

        Without days, it shows the fiscal year until today. The indirect method begins with the result and adds the
        changes of balance sheet accounts; the direct one shows the contra accounts of money. Both sum to the change of
        bank and cash accounts: `difference` is any deviation. Opening balances are not a flow, and have their own row.
        """
        return of(query)
