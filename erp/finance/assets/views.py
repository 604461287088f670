"""Views of fixed assets, of lines without one, and of depreciation runs."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from erp.finance.assets import assets, disposals, runs, schedule, terms
from erp.finance.assets.candidates import Candidate
from erp.finance.assets.models import Asset, AssetStatus, DepreciationRun, DisposalKind, RunStatus
from erp.finance.assets.runs import Draft
from erp.finance.books.dimensions.codes import of_text
from erp.finance.documents.line_assets import Method
from erp.kernel import caller, money
from erp.kernel.errors import Complaint, InvalidTransition
from erp.kernel.language import says
from erp.store import names, sql, workspace_settings
from erp.store.names import Names
from erp.store.router import WORKSPACE
from erp.web.scalars import Figure, Money
from erp.web.schema import DetailView, RecordView, View, show

AssetAction = Literal["activate", "changeLife", "dispose", "undoDisposal", "delete"]


class AssetLifeView(View):
    """A change of the useful life."""

    from_month: Annotated[str, Meta(description="As `2026-01`.")]
    life_months: int
    reason: str


class AssetView(RecordView):
    """A fixed asset; amounts in the base currency."""

    created_by: str | None
    created_by_name: str | None
    number: str
    name: str
    status: AssetStatus
    account_id: str
    account_code: str | None
    account_name: str | None
    currency: str
    cost: Money
    residual_value: Money
    accumulated: Annotated[Money, Meta(description="Posted depreciation; of a disposed asset, through its disposal.")]
    book_value: Annotated[Money, Meta(description="Cost less `accumulated`.")]
    is_fully_depreciated: bool
    acquired_on: datetime.date
    in_use_on: datetime.date | None
    method: Method
    life_months: Annotated[int | None, Meta(description="In force now.")]
    lives: list[AssetLifeView]
    declining_percent: Figure | None
    opening_accumulated: Money
    opening_date: datetime.date | None
    invoice_id: str | None
    invoice_number: str | None
    line_id: str | None
    project_id: str | None
    project_code: str | None
    project_name: str | None
    dimensions: dict[str, str]
    employee_id: str | None
    employee_name: str | None
    serial_number: str | None
    location: str | None
    note: str | None
    disposed_on: datetime.date | None
    disposal_kind: DisposalKind | None
    disposal_reason: str | None
    proceeds: Annotated[Money | None, Meta(description="Net, without what was credited since.")]
    gain: Annotated[Money | None, Meta(description="Net proceeds less the book value; a loss is below zero.")]
    sale_invoice_id: str | None
    sale_invoice_number: str | None
    sale_line_id: str | None
    disposal_entry_id: str | None
    disposal_entry_number: str | None
    warnings: list[DetailView]
    can: Annotated[list[AssetAction], Meta(description="Actions on the asset open to you now.")]

    @classmethod
    def of(cls, asset: Asset) -> "AssetView":
        return cls.of_many([asset])[0]

    @classmethod
    def of_many(cls, shown: Sequence[Asset]) -> "list[AssetView]":
        """The assets; one query names their records, and one adds up their depreciation."""
        posted = terms.posted(asset.id for asset in shown)
        named = names.of(
            account=[asset.account_id for asset in shown],
            project=[asset.project_id for asset in shown],
            employee=[asset.employee_id for asset in shown],
            invoice=[id for asset in shown for id in (asset.invoice_id, asset.sale_invoice_id)],
            journal_entry=[asset.disposal_entry_id for asset in shown],
        )
        return [show(cls, asset, **_fields(asset, posted.get(asset.id, 0), named)) for asset in shown]


class MadeAssets(View):
    """The assets that the line of a bill was split into."""

    items: list[AssetView]

    @classmethod
    def of(cls, made: Sequence[Asset]) -> "MadeAssets":
        return cls(items=AssetView.of_many(made))


class ScheduledMonth(View):
    """Depreciation of a month; both other amounts are at its end."""

    month: Annotated[str, Meta(description="As `2026-01`.")]
    depreciation: Money
    accumulated: Money
    book_value: Money
    is_posted: bool


class ScheduledYear(View):
    """Depreciation of a fiscal year, named by the year in which it ends."""

    year: str
    depreciation: Money
    accumulated: Money
    book_value: Money
    is_posted: bool


class ScheduledAssetView(AssetView):
    """A fixed asset with its depreciation to come and past; one of a pool as if it were alone there."""

    years: list[ScheduledYear]
    months: list[ScheduledMonth]

    @classmethod
    def of(cls, asset: Asset) -> "ScheduledAssetView":
        named, posted = AssetView.of(asset), assets.last_depreciated(asset.id)
        months = [*_months(asset, None if posted is None else schedule.number(posted))]
        currency = workspace_settings.current().base_currency
        return show(
            cls,
            named,
            months=[row.view(currency) for row in months],
            years=[*_years(months, terms.plan_of(asset).year_start, currency)],
        )


class CandidateView(View):
    """A line of a posted bill on an account for fixed assets that has no asset."""

    invoice_id: str
    line_id: str
    invoice_number: str
    contact_name: str
    date: datetime.date
    name: str
    account_id: str
    account_code: str | None
    account_name: str | None
    currency: str
    cost: Annotated[Money, Meta(description="Net with non-deductible tax, in the base currency.")]

    @classmethod
    def of_many(cls, candidates: Sequence[Candidate]) -> "list[CandidateView]":
        """The lines, with the names of their accounts."""
        currency = workspace_settings.current().base_currency
        named = names.of(account=[candidate.account_id for candidate in candidates])
        return [
            show(
                cls,
                candidate,
                account_code=named.code(candidate.account_id),
                account_name=named.name(candidate.account_id),
                currency=currency,
                cost=money.text(candidate.cost, currency),
            )
            for candidate in candidates
        ]


class DepreciationLineView(View):
    """Depreciation of an asset."""

    asset_id: str
    asset_number: str
    asset_name: str
    account_code: Annotated[str | None, Meta(description="The account of the asset.")]
    amount: Money


class DepreciationRunPreview(View):
    """A run as it would be posted: nothing is stored."""

    date: datetime.date
    currency: str
    total: Money
    lines: list[DepreciationLineView]

    @classmethod
    def of(cls, draft: Draft) -> "DepreciationRunPreview":
        currency = workspace_settings.current().base_currency
        named = names.of(account=[asset.account_id for asset, _ in draft.due])
        lines = [
            _Line(asset.id, asset.number, asset.name, named.code(asset.account_id), amount)
            for asset, amount in draft.due
        ]
        return cls(date=draft.day, currency=currency, **_lines(lines, currency))


class DepreciationRunView(RecordView):
    """The depreciation of a month, posted on its last day."""

    created_by: str | None
    created_by_name: str | None
    number: str
    status: RunStatus
    date: datetime.date
    currency: str
    total: Money
    lines: list[DepreciationLineView]
    journal_entry_id: str
    journal_entry_number: str | None
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Literal["void"]], Meta(description="Actions on the run open to you now.")]

    @classmethod
    def of(cls, run: DepreciationRun) -> "DepreciationRunView":
        return cls.of_many([run])[0]

    @classmethod
    def of_many(cls, shown: Sequence[DepreciationRun]) -> "list[DepreciationRunView]":
        """The runs with their lines; one query for all of them."""
        currency = workspace_settings.current().base_currency
        named = names.of(journal_entry=[run.journal_entry_id for run in shown])
        lines: dict[str, list[_Line]] = {run.id: [] for run in shown}
        for run_id, *line in WORKSPACE.rows(_LINES, (sql.array(lines),)):
            lines[run_id].append(_Line(*line))
        return [show(cls, run, **_run_fields(run, lines[run.id], named, currency)) for run in shown]


class _Month(NamedTuple):
    month: int
    depreciation: int
    accumulated: int
    book_value: int
    is_posted: bool

    def view(self, currency: str) -> ScheduledMonth:
        return ScheduledMonth(month=f"{schedule.first_day(self.month):%Y-%m}", **self.amounts(currency))

    def amounts(self, currency: str) -> dict[str, Any]:
        """The fields that months and years share."""
        return {
            "depreciation": money.text(self.depreciation, currency),
            "accumulated": money.text(self.accumulated, currency),
            "book_value": money.text(self.book_value, currency),
            "is_posted": self.is_posted,
        }


class _Line(NamedTuple):
    asset_id: str
    number: str
    name: str
    account_code: str | None
    amount: int


_LINES = (
    "SELECT d.run_id, asset.id, asset.number, asset.name, account.code, d.amount FROM depreciation AS d"
    " JOIN asset ON asset.id = d.asset_id JOIN account ON account.id = asset.account_id"
    " WHERE d.run_id IN (SELECT value FROM json_each(?)) ORDER BY asset.seq"
)


def _lines(lines: Sequence[_Line], currency: str) -> dict[str, Any]:
    """The total and the lines of a run."""
    return {
        "total": money.text(sum(line.amount for line in lines), currency),
        "lines": [
            DepreciationLineView(
                asset_id=line.asset_id,
                asset_number=line.number,
                asset_name=line.name,
                account_code=line.account_code,
                amount=money.text(line.amount, currency),
            )
            for line in lines
        ],
    }


def _run_fields(run: DepreciationRun, lines: Sequence[_Line], named: Names, currency: str) -> dict[str, Any]:
    can: dict[Literal["void"], Callable[[], object]] = {"void": lambda: runs.check_latest(run)}
    return {
        **_lines(lines, currency),
        "currency": currency,
        "journal_entry_number": named.code(run.journal_entry_id),
        "can": caller.allowed("finance.write", can),
    }


def _fields(asset: Asset, posted: int, named: Names) -> dict[str, Any]:
    currency = workspace_settings.current().base_currency
    accumulated = asset.opening_accumulated + posted
    return {
        **{name: _money(getattr(asset, name), currency) for name in ("cost", "residual_value", "opening_accumulated")},
        "currency": currency,
        "accumulated": money.text(accumulated, currency),
        "book_value": money.text(asset.cost - accumulated, currency),
        "is_fully_depreciated": accumulated >= asset.cost - asset.residual_value,
        "life_months": asset.lives[-1][1] if asset.lives else asset.life_months,
        "lives": [
            AssetLifeView(from_month=f"{schedule.first_day(since):%Y-%m}", life_months=months, reason=reason)
            for since, months, reason in asset.lives
        ],
        "declining_percent": None if asset.declining_percent is None else money.plain(asset.declining_percent),
        "proceeds": _money(disposals.proceeds_of(asset), currency),
        "gain": _money(disposals.gain(asset), currency),
        "warnings": DetailView.of_all([*_warnings(asset)]),
        "can": caller.allowed("finance.write", _actions(asset, posted)),
        **_named(asset, named),
    }


def _named(asset: Asset, named: Names) -> dict[str, Any]:
    return {
        "account_code": named.code(asset.account_id),
        "account_name": named.name(asset.account_id),
        "project_code": named.code(asset.project_id),
        "project_name": named.name(asset.project_id),
        "dimensions": of_text(asset.dimensions),
        "employee_name": named.name(asset.employee_id),
        "invoice_number": named.code(asset.invoice_id),
        "sale_invoice_number": named.code(asset.sale_invoice_id),
        "disposal_entry_number": named.code(asset.disposal_entry_id),
    }


def _money(amount: int | None, currency: str) -> str | None:
    return None if amount is None else money.text(amount, currency)


def _warnings(asset: Asset) -> Iterator[Complaint]:
    settings = workspace_settings.current()
    if assets.is_above_limit(asset):
        limit = money.shown(settings.low_value_limit, settings.base_currency)
        message = says("Only assets up to {limit} net are usually expensed at once.", limit=limit)
        yield Complaint("method", "above_low_value_limit", message)


def _actions(asset: Asset, posted: int) -> dict[AssetAction, Callable[[], object]]:
    return {
        "activate": lambda: _refuse_unless(asset.status == "draft"),
        "changeLife": lambda: _refuse_unless(asset.status == "in_use" and asset.method in ("linear", "declining")),
        "dispose": lambda: assets.check_in_use(asset),
        "undoDisposal": lambda: disposals.check_disposed(asset),
        "delete": lambda: _refuse_unless(asset.status != "disposed" and not posted),
    }


def _refuse_unless(is_possible: bool) -> None:
    if not is_possible:
        raise InvalidTransition


def _months(asset: Asset, posted: int | None) -> Iterator[_Month]:
    """The months of the schedule of an asset; of a disposed one, through its disposal."""
    plan = terms.plan_of(asset)
    before = plan.opening
    end = None if asset.disposed_on is None or asset.method == "pool" else schedule.number(asset.disposed_on)
    for month, accumulated in schedule.months(plan):
        if end is not None and month > end:
            return
        is_posted = posted is not None and month <= posted
        yield _Month(month, accumulated - before, accumulated, plan.cost - accumulated, is_posted)
        before = accumulated


def _years(months: Sequence[_Month], year_start: int, currency: str) -> Iterator[ScheduledYear]:
    for start, of_year in groupby(months, key=lambda row: schedule.year_of(row.month, year_start)):
        rows = list(of_year)
        total = rows[-1]._replace(depreciation=sum(row.depreciation for row in rows))
        year = schedule.first_day(start + schedule.YEAR - 1).year
        yield ScheduledYear(year=str(year), **total.amounts(currency))
