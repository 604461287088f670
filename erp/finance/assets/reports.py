"""The reports of fixed assets: the register at a day, and the movements of a fiscal year."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Annotated, NamedTuple

from msgspec import Meta

from erp.finance.assets import register
from erp.finance.assets.register import Held
from erp.finance.reports.period import FileQuery, ReportDate, plain
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.kernel.days import ONE_DAY, months_later
from erp.kernel.language import Word
from erp.store import names, workspace_settings
from erp.web.endpoint import endpoint


class MovementsQuery(FileQuery):
    """The fiscal year of the movements."""

    year: (
        Annotated[int, Meta(ge=1900, le=2199, description="The year in which it ends; this one when absent.")] | None
    ) = None


class Register:
    @endpoint(permission="finance.read")
    def on_get(self, query: ReportDate) -> ReportTree:
        """Show the register of fixed assets at the end of a day.

        Cost, accumulated depreciation and book value of each asset, with sums by account. Below, each account for fixed
        assets is compared with the ledger: `difference` is 0 where every posting belongs to an asset. Drafts are left
        out.
        """
        return register_of(query)


class Movements:
    @endpoint(permission="finance.read")
    def on_get(self, query: MovementsQuery) -> ReportTree:
        """Show the movements of fixed assets in a fiscal year, by account.

        Cost and accumulated depreciation at its beginning, what was added and disposed of, and at its end, with both
        book values. An asset that was bought and sold in the year is in additions and disposals.
        """
        return movements_in(query)


def register_of(query: ReportDate) -> ReportTree:
    """The register that a query asks for."""
    return register_at(plain(query.date or workspace_settings.today())).view(query)


def movements_in(query: MovementsQuery) -> ReportTree:
    """The movements that a query asks for."""
    first, last = _days(query.year)
    return movements_of(first, last).view(query, {"year": str(workspace_settings.fiscal_year(last))})


def register_at(day: date) -> Tree:
    """The register at the end of a day."""
    columns = [
        Column(key="acquired_on", label=Word("Bought"), kind="date"),
        Column(key="cost", label=Word("Cost", "column"), date_to=day),
        Column(key="accumulated", label=Word("Depreciation"), date_to=day),
        Column(key="book_value", label=Word("Book value"), adds=("cost",), subtracts=("accumulated",), date_to=day),
        Column(key="register", label=Word("Register", "of assets"), date_to=day, adds_up=False),
        Column(key="ledger", label=Word("Ledger"), date_to=day, adds_up=False),
        Column(key="difference", label=Word("Difference"), date_to=day, adds_up=False),
    ]
    tree = Tree("asset_register", Word("Asset register"), columns, heading=Word("Asset"), since=None, until=day)
    held = register.assets()
    sums = []
    for account in _by_account([one for one in held if one.is_held(day)]):
        lines = [_line(one, day) for one in account.held]
        if row := tree.group(f"{account.code} {account.name}", lines, key=account.id, level=0):
            sums.append(row)
    tree.sum(Word("All assets"), sums, key="total")
    _compare(tree, held, day)
    return tree


def _line(one: Held, day: date) -> Row:
    asset = one.asset
    cells: dict[str, Cell] = {
        "acquired_on": asset.acquired_on.isoformat(),
        "cost": Figure(asset.cost),
        "accumulated": Figure(one.accumulated(day)),
    }
    return Row(kind="line", label=asset.name, code=asset.number, link=links.to(f"/assets/{asset.id}"), cells=cells)


def _compare(tree: Tree, held: Sequence[Held], day: date) -> None:
    tree.section(Word("Compared with the ledger"), key="comparison")
    for account in register.compared(held, day):
        cells: dict[str, Cell] = {
            "register": Figure(account.register),
            "ledger": Figure(account.ledger, links.ledger(account.account_id, date_to=day)),
            "difference": Figure(account.difference),
        }
        tree.line(account.name, cells, code=account.code, link=links.to(f"/accounts/{account.account_id}"))


_COST = ("cost_opening", "additions", "disposals")
_ACCUMULATED = ("accumulated_opening", "depreciation", "accumulated_disposals")
_MOVEMENTS = (
    Column(key="cost_opening", label=Word("Opening cost")),
    Column(key="additions", label=Word("Additions")),
    Column(key="disposals", label=Word("Disposals")),
    Column(key="cost_closing", label=Word("Closing cost"), adds=_COST[:2], subtracts=_COST[2:]),
    Column(key="accumulated_opening", label=Word("Opening dep.")),
    Column(key="depreciation", label=Word("Year's dep.")),
    Column(key="accumulated_disposals", label=Word("Dep. removed")),
    Column(
        key="accumulated_closing",
        label=Word("Closing dep."),
        adds=_ACCUMULATED[:2],
        subtracts=_ACCUMULATED[2:],
    ),
    Column(
        key="book_opening",
        label=Word("Opening value"),
        adds=("cost_opening",),
        subtracts=("accumulated_opening",),
    ),
    Column(
        key="book_closing",
        label=Word("Closing value"),
        adds=(*_COST[:2], _ACCUMULATED[2]),
        subtracts=(*_ACCUMULATED[:2], _COST[2]),
    ),
)
"""The columns of the movements, with names short enough for ten of them on paper."""


def movements_of(first: date, last: date) -> Tree:
    """The movements of the days of a fiscal year."""
    title = Word("Movements of fixed assets")
    tree = Tree("asset_movements", title, _MOVEMENTS, heading=Word("Account"), since=first, until=last)
    rows = []
    for account in _by_account(register.assets()):
        sums: dict[str, int] = defaultdict(int)
        for one in account.held:
            for column, amount in _moved(one, first, last).items():
                sums[column] += amount
        if any(sums.values()):
            cells: dict[str, Cell] = {column: Figure(sums[column]) for column in (*_COST, *_ACCUMULATED)}
            link = links.to("/reports/asset-register", date=last)
            rows.append(tree.line(account.name, cells, code=account.code, key=account.id, link=link))
    tree.sum(Word("All assets"), rows, key="total")
    return tree


def _moved(one: Held, first: date, last: date) -> Mapping[str, int]:
    """The amounts of an asset in the columns of a year."""
    asset, gone = one.asset, one.gone_on
    if max(one.since, asset.acquired_on) > last or (gone is not None and gone < first):
        return {}
    is_old = asset.acquired_on < first
    before = one.accumulated(first - ONE_DAY) if is_old else 0
    closing = one.accumulated(last)
    is_gone = gone is not None and gone <= last
    return {
        "cost_opening": asset.cost if is_old else 0,
        "additions": 0 if is_old else asset.cost,
        "disposals": asset.cost if is_gone else 0,
        "accumulated_opening": before,
        "depreciation": closing - before,
        "accumulated_disposals": closing if is_gone else 0,
    }


class _Account(NamedTuple):
    """An account with its assets."""

    id: str
    code: str
    name: str
    held: Sequence[Held]


def _by_account(held: Sequence[Held]) -> list[_Account]:
    named = names.of(account=[one.asset.account_id for one in held])
    return [
        _Account(id, named.code(id) or "", named.name(id) or "", list(of_account))
        for id, of_account in groupby(held, key=lambda one: one.asset.account_id)
    ]


def _days(year: int | None) -> tuple[date, date]:
    """The first and the last day of a fiscal year."""
    today = workspace_settings.today()
    first = workspace_settings.fiscal_year_start(today)
    if year is not None:
        first = months_later(first, 12 * (year - workspace_settings.fiscal_year(today)))
    return first, months_later(first, 12) - ONE_DAY
