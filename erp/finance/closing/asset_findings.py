"""Open points of fixed assets at the end of a fiscal year."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import msgspec

from erp.finance.assets import assets, candidates, register, runs, schedule, terms
from erp.finance.assets.candidates import Candidate
from erp.finance.closing.searches import FindingKind
from erp.kernel.language import Sentence, says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


class AssetFinding(msgspec.Struct, frozen=True):
    """Open points of one kind: their number and their sum in the base currency.

    The rows are as in a search: type, id, number, day, contact, text, amount and currency.
    """

    kind: FindingKind
    message: Sentence
    link: str
    count: int
    amount: int
    rows: list[tuple[Any, ...]]


def at_the_end_of(year_end: date) -> Iterator[AssetFinding]:
    """The open points through the last day of a fiscal year."""
    base = workspace_settings.current().base_currency
    yield from _lines(year_end, base)
    yield from _missing(year_end)
    yield from _differing(year_end, base)


def _lines(day: date, base: str) -> Iterator[AssetFinding]:
    lines = [line for line in candidates.without_asset() if line.date <= day]
    if lines:
        yield AssetFinding(
            kind="lines_without_asset",
            message=says("Lines of bills on accounts for fixed assets have no asset. Add the assets."),
            link="/api/v1/finance/assets/candidates",
            count=len(lines),
            amount=sum(line.cost for line in lines),
            rows=[_row(line, base) for line in lines],
        )


def _row(line: Candidate, base: str) -> tuple[Any, ...]:
    bill = ("invoice", line.invoice_id, line.invoice_number, line.date, line.contact_name)
    return (*bill, line.name, line.cost, base)


def _missing(day: date) -> Iterator[AssetFinding]:
    """The months through the end of the year whose depreciation is not posted."""
    due = runs.due_in(assets.all_in_use(), day)
    if due:
        first = min(_first_month_due(each.asset.id, terms.plan_of(each.asset).first) for each in due)
        yield AssetFinding(
            kind="depreciation_missing",
            message=says("Depreciation is not posted for all months. Post the depreciation run of the last month."),
            link="/api/v1/finance/depreciation-runs",
            count=max(schedule.number(day) - first + 1, 1),
            amount=sum(each.amount for each in due),
            rows=[],
        )


def _first_month_due(asset_id: str, first: int) -> int:
    last = assets.last_depreciated(asset_id)
    return first if last is None else schedule.number(last) + 1


def _differing(day: date, base: str) -> Iterator[AssetFinding]:
    """The accounts on which the ledger has something else than the register, where there is a register."""
    if not WORKSPACE.rows("SELECT 1 FROM asset WHERE status <> 'draft' LIMIT 1"):
        return
    differing = [account for account in register.compared(register.assets(), day) if account.difference]
    if differing:
        yield AssetFinding(
            kind="asset_register_differs",
            message=says("Accounts for fixed assets differ from the asset register. Compare them in the report."),
            link=f"/api/v1/finance/reports/asset-register?date={day.isoformat()}",
            count=len(differing),
            amount=sum(account.difference for account in differing),
            rows=[
                ("account", account.account_id, account.code, day, None, account.name, account.difference, base)
                for account in differing
            ],
        )
