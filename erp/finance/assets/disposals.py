"""Disposal of an asset: its last depreciation, its book value, the gain; and undoing it."""

from collections import defaultdict
from datetime import date
from typing import Any, NamedTuple

import msgspec

from erp.finance.assets import assets, runs, schedule, terms
from erp.finance.assets.assets import MonthBeforeLastRun, check_in_use
from erp.finance.assets.bodies import AssetDisposal
from erp.finance.assets.models import Asset, DisposalKind
from erp.finance.assets.runs import Due
from erp.finance.books import default_accounts, ledger, periods
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Entry, Leg
from erp.finance.documents.models import Invoice
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, InvalidTransition, UnknownReference
from erp.kernel.language import Noun, month_and_year, says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE


class Sale(NamedTuple):
    """The line of a sales invoice with which an asset was sold, and its net amount without credits."""

    invoice_id: str
    line_id: str
    net: int


class Disposal(msgspec.Struct, frozen=True, kw_only=True):
    """An asset that leaves the books on a day; net proceeds in minor units of the base currency."""

    asset: Asset
    day: date
    kind: DisposalKind
    reason: str
    proceeds: int | None = None
    sale: Sale | None = None


def read(id: str, body: AssetDisposal) -> Disposal:
    """The disposal that a request asks for.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    asset, complaints = Asset.find_to_change(id), Complaints()
    currency = workspace_settings.current().base_currency
    with complaints.gathered():
        periods.check_not_ahead(body.date, "date")
    sale = None
    with complaints.gathered():
        sale = None if body.invoice_id is None else _sale(body.invoice_id, body.line_id)
    proceeds = None if body.proceeds is None else complaints.minor(body.proceeds, currency, "proceeds")
    if asset.in_use_on is not None and body.date < asset.in_use_on:
        complaints.add("date", "too_early", says("Must not be before the first day in use."))
    if asset.opening_date is not None and body.date <= asset.opening_date:
        complaints.add("date", "too_early", says("Must be after the day of the opening balances."))
    complaints.refuse()
    return Disposal(
        asset=asset,
        day=body.date,
        kind=body.kind,
        reason=body.reason,
        proceeds=proceeds if sale is None else sale.net,
        sale=sale,
    )


def dispose(disposal: Disposal) -> Asset:
    """Take an asset out of the books: depreciation through its month, then its book value as an expense.

    One of a pool stays in its pool: nothing is posted.

    Raises:
        InvalidTransition: it is not in use.
        MonthBeforeLastRun: a later month of it is depreciated.
        PeriodLocked: the day is in the locked period.
    """
    asset = disposal.asset
    check_in_use(asset)
    periods.check_open(disposal.day, "date")
    entries: list[Entry] = []
    values: dict[str, Any] = {"disposal_book_value": None, "disposal_entry_id": None}
    if asset.method != "pool":
        entries = _depreciate(asset, disposal.day)
        accumulated = _accumulated(asset)
        values["disposal_book_value"] = asset.cost - sum(accumulated.values())
        legs = _legs(asset, accumulated)
        if legs:
            entries.append(_post(asset, disposal.day, legs))
            values["disposal_entry_id"] = entries[-1].id
    asset.change(
        status="disposed",
        disposed_on=disposal.day,
        disposal_kind=disposal.kind,
        disposal_reason=disposal.reason,
        proceeds=disposal.proceeds,
        sale_invoice_id=None if disposal.sale is None else disposal.sale.invoice_id,
        sale_line_id=None if disposal.sale is None else disposal.sale.line_id,
        **values,
    )
    data = assets.event_data(asset) | {"date": str(disposal.day), "kind": disposal.kind, "reason": disposal.reason}
    events.write("asset.disposed", "asset", asset.id, data, entries=entries)
    return asset


def undo(id: str) -> Asset:
    """Take a disposal back: its entries are reversed on their own day, and the asset is in use again.

    Raises:
        InvalidTransition: it is not disposed of.
        PeriodLocked: the day of the disposal is in the locked period.
    """
    asset = Asset.find_to_change(id)
    check_disposed(asset)
    day = asset.disposed_on
    periods.check_open(day, "date")
    text = says("Undone disposal of {number}", number=asset.number)
    entries = [ledger.reverse(entry_id, day, text) for (entry_id,) in WORKSPACE.rows(_ENTRIES, (id,))]
    asset.change(
        status="in_use",
        **dict.fromkeys(("disposed_on", "disposal_kind", "disposal_reason", "proceeds", "disposal_book_value")),
        **dict.fromkeys(("sale_invoice_id", "sale_line_id", "disposal_entry_id")),
    )
    events.write("asset.disposal_undone", "asset", id, assets.event_data(asset) | {"date": str(day)}, entries=entries)
    return asset


def check_disposed(asset: Asset) -> None:
    """Refuse an asset that is not disposed of."""
    if asset.status != "disposed":
        raise InvalidTransition(says("{number} has not been disposed of.", number=asset.number))


def proceeds_of(asset: Asset) -> int | None:
    """The net proceeds of an asset: of one sold with an invoice, without what is credited by now."""
    if asset.sale_line_id is None:
        return asset.proceeds
    ((_, net, currency, exchange_rate),) = WORKSPACE.rows(f"{_LINES} WHERE l.id = ?", (asset.sale_line_id,))
    return in_base(net, currency, exchange_rate)


def gain(asset: Asset) -> int | None:
    """Net proceeds less the book value, of an asset that is disposed of."""
    return None if asset.status != "disposed" else (proceeds_of(asset) or 0) - (asset.disposal_book_value or 0)


def _depreciate(asset: Asset, day: date) -> list[Entry]:
    """Post the depreciation through the month of a day that is not posted yet."""
    last = assets.last_depreciated(asset.id)
    if last is not None and schedule.number(last) > schedule.number(day):
        raise MonthBeforeLastRun(month=month_and_year(last), field="date")
    due: list[Due] = runs.due_in([asset], day)
    if not due:
        return []
    entry = ledger.post(
        day,
        says("Depreciation of {number} to its disposal", number=asset.number),
        runs.legs_of(due),
        kind="depreciation",
        source=("asset", asset.id),
        document_number=asset.number,
    )
    runs.insert(due, day, entry.id)
    return [entry]


def _accumulated(asset: Asset) -> dict[str, int]:
    """The accumulated depreciation of an asset by the account where it is collected."""
    by_account: dict[str, int] = defaultdict(int)
    by_account[terms.accounts_of(asset).accumulated] += asset.opening_accumulated
    for account_id, amount in WORKSPACE.rows(_COLLECTED, (asset.id,)):
        by_account[account_id] += amount
    return by_account


def _legs(asset: Asset, accumulated: dict[str, int]) -> list[Leg]:
    amounts = defaultdict(int, accumulated)
    amounts[asset.account_id] -= asset.cost
    book_value = asset.cost - sum(accumulated.values())
    legs = [Leg(account_id, amount) for account_id, amount in amounts.items() if amount]
    expense = Leg(
        default_accounts.of("asset_disposals"),
        book_value,
        project_id=asset.project_id,
        dimensions=asset.dimensions,
    )
    return [*legs, expense] if book_value else legs


def _post(asset: Asset, day: date, legs: list[Leg]) -> Entry:
    return ledger.post(
        day,
        says("Disposal of {number}, {name}", number=asset.number, name=asset.name),
        legs,
        kind="asset_disposal",
        source=("asset", asset.id),
        document_number=asset.number,
    )


def _sale(invoice_id: str, line_id: str | None) -> Sale:
    """The line of a sales invoice; of one with a single line, that one."""
    if Invoice.find_or_none(invoice_id) is None:
        raise UnknownReference("invoiceId", Noun("invoice"))
    rows = WORKSPACE.rows(_SALE, (invoice_id,))
    if not rows:
        raise Invalid.one("invoiceId", "unsuitable_invoice", says("Must be an issued invoice to a customer."))
    if line_id is None and len(rows) > 1:
        raise Invalid.one("lineId", "required", says("The invoice has several lines. Choose the line of the asset."))
    for id, net, currency, exchange_rate in rows:
        if line_id in (None, id):
            _check_unsold(id)
            return Sale(invoice_id, id, in_base(net, currency, exchange_rate))
    raise Invalid.one("lineId", "unknown_reference", says("The invoice has no line with this id."))


def _check_unsold(line_id: str) -> None:
    """Refuse a line whose net amount is already the proceeds of another asset."""
    for (number,) in WORKSPACE.rows("SELECT number FROM asset WHERE sale_line_id = ? LIMIT 1", (line_id,)):
        message = says(
            "{number} was already sold with this line. Enter the asset's share as proceeds instead.", number=number
        )
        raise Invalid.one("lineId", "in_use", message)


_CREDITED = (
    "(SELECT coalesce(sum(c.gross - c.tax), 0) FROM invoice_line AS c JOIN invoice AS note ON note.id = c.invoice_id"
    " WHERE c.credited_line_id = l.id AND note.status NOT IN ('draft', 'void'))"
)
_LINES = (
    f"SELECT l.id, l.gross - l.tax - {_CREDITED}, i.currency, i.exchange_rate FROM invoice_line AS l"
    " JOIN invoice AS i ON i.id = l.invoice_id"
)
_SALE = (
    f"{_LINES} WHERE i.id = ? AND i.kind IN ('sales_invoice', 'final_invoice')"
    " AND i.status NOT IN ('draft', 'void') ORDER BY l.position"
)
_COLLECTED = (
    f"SELECT d.account_id, sum(d.amount) FROM depreciation AS d WHERE d.asset_id = ? AND {terms.STANDS}"
    " GROUP BY d.account_id"
)
_ENTRIES = (
    "SELECT id FROM journal_entry AS entry WHERE source_type = 'asset' AND source_id = ? AND reverses_id IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id) ORDER BY seq DESC"
)
