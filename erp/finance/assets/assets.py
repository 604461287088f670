"""Fixed assets: adding, changing, and putting them in use."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec.structs import asdict

from erp.finance.assets import candidates, schedule, terms
from erp.finance.assets.bodies import AssetChange, AssetLine, AssetRow, LifeChange, NewAsset
from erp.finance.assets.models import Asset
from erp.finance.books import accounts, work
from erp.finance.books.dimensions import assigning
from erp.finance.documents.line_assets import LineAsset
from erp.kernel import money
from erp.kernel.complaints import REQUIRED, Complaints
from erp.kernel.errors import InUse, Invalid, InvalidTransition
from erp.kernel.language import Noun, Word, month_and_year, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Id

FIXED = frozenset(
    {"account_id", "cost", "acquired_on", "in_use_on", "life_months", "method", "declining_percent", "residual_value"}
    | {"opening_accumulated", "opening_date"}
)
"""The fields that posted depreciation rests on."""

_SAME = ("name", "account_id", "acquired_on", "cost", "serial_number")
"""The fields in which two rows of different files are the same asset."""

_AMOUNTS = ("cost", "residual_value", "opening_accumulated")


class MonthBeforeLastRun(InvalidTransition):
    """Depreciation is posted through {month}. Choose a later month, or void the later runs first."""


def add(new: NewAsset) -> list[Asset]:
    """Add a draft, or as many as the line of a bill is split into.

    Raises:
        UnknownReference: it names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
        InUse: the line has assets already.
    """
    values = new.changes()
    line, count = values.pop("from_line"), values.pop("count") or 1
    if line is None:
        return [_insert(_checked(_columns(values)))]
    bought = candidates.find(line.invoice_id, line.line_id)
    taken = {"name": bought.name, "account_id": bought.account_id, "acquired_on": bought.date}
    taken |= {"project_id": bought.project_id, "dimensions": bought.dimensions}
    taken |= {"invoice_id": line.invoice_id, "line_id": line.line_id}
    sent = _columns({name: value for name, value in values.items() if value is not None})
    cost = sent.get("cost", bought.cost)
    if cost < count:
        raise Invalid.one("count", "too_large", says("The cost is too small to be split into so many assets."))
    costs = money.spread(cost, [1] * count)
    return [_insert(_checked(taken | sent | {"cost": cost})) for cost in costs]


def make_of_line(invoice_id: str, line_id: str, asset: LineAsset) -> None:
    """Make the assets that a line of a bill becomes when the bill is posted; with a first day they are in use.

    Raises:
        Invalid: with a complaint for every field that is wrong.
    """
    line = AssetLine(invoice_id=Id(invoice_id), line_id=Id(line_id))
    for made in add(NewAsset(from_line=line, **asdict(asset))):
        if made.in_use_on is not None:
            activate(made)


def loader() -> Callable[[AssetRow], Asset]:
    """A function that adds the old assets of a file, which may have equal ones; nothing is posted.

    It raises `Invalid` with a complaint for every field that is wrong, and for an asset that was there before.
    """
    present = {tuple(getattr(asset, name) for name in _SAME): asset.number for asset in Asset.select()}

    def load(row: AssetRow) -> Asset:
        values = _checked(_columns(row.changes()))
        number = present.get(tuple(values.get(name) for name in _SAME))
        if number is not None:
            message = says("{number} already has this name, account, day, cost and serial number.", number=number)
            raise Invalid.one("name", "duplicate", message)
        asset = _insert(values)
        return activate(asset) if asset.in_use_on is not None else asset

    return load


def change(id: str, body: AssetChange) -> Asset:
    """Change an asset.

    Raises:
        InUse: depreciation is posted, and rests on a field.
        UnknownReference: it names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    asset = Asset.find_to_change(id)
    values = changes.differing(asset, _columns(body.changes()))
    present = {name: getattr(asset, name) for name in AssetChange.__struct_fields__}
    values = changes.differing(asset, {name: _checked(present | values)[name] for name in values})
    if FIXED & values.keys() and (asset.status == "disposed" or terms.is_depreciated(id)):
        raise _fixed(asset)
    if asset.status == "in_use":
        _check_usable(present | values)
    if values:
        data = event_data(asset) | {"changes": changes.before_and_after(asset, values)}
        asset.change(**values)
        events.write("asset.updated", "asset", id, data)
    return asset


def remove(id: str) -> None:
    """Delete an asset of which nothing is posted.

    Raises:
        InUse: its depreciation or its disposal is posted.
    """
    asset = Asset.find_to_change(id)
    refusal = says("{number} is in the books and cannot be deleted. Dispose of it instead.", number=asset.number)
    if asset.status == "disposed":
        raise InUse(refusal)
    changes.delete(asset, refusal, event_data)


def activate(asset: Asset) -> Asset:
    """Put a draft in use.

    Raises:
        InvalidTransition: it is in use already, disposed of, or nothing is left of the line with which it was bought.
        Invalid: it lacks the day, or the life that its method needs.
    """
    if asset.status != "draft":
        raise InvalidTransition(says("{number} is already in use.", number=asset.number))
    if asset.line_id is not None and not candidates.is_bought(str(asset.invoice_id), asset.line_id):
        raise InvalidTransition(
            says("The bill of {number} is void or credited. Delete the asset.", number=asset.number)
        )
    _check_usable({name: getattr(asset, name) for name in AssetChange.__struct_fields__})
    asset.change(status="in_use")
    events.write("asset.in_use", "asset", asset.id, event_data(asset) | {"inUseOn": str(asset.in_use_on)})
    return asset


def change_life(id: str, body: LifeChange) -> Asset:
    """Spread what is left over the months that are left of another life.

    Raises:
        InvalidTransition: it is not in use.
        MonthBeforeLastRun: the month has been depreciated.
        Invalid: its method has no life, or the new one is over before the month.
    """
    asset = Asset.find_to_change(id)
    check_in_use(asset)
    since = schedule.number(date.fromisoformat(f"{body.from_}-01"))
    if asset.method not in ("linear", "declining"):
        raise Invalid.one("lifeMonths", "not_needed", says("Only linear and declining depreciation have a life."))
    plan = terms.plan_of(asset)
    if since <= plan.lives[-1].since:
        raise Invalid.one("from", "too_early", says("Must be after the month in which the present life begins."))
    if plan.first + body.life_months <= since:
        raise Invalid.one(
            "lifeMonths", "too_small", says("The life would be over before that month. Enter more months.")
        )
    last = last_depreciated(id)
    if last is not None and since <= schedule.number(last):
        raise MonthBeforeLastRun(month=month_and_year(last), field="from")
    before = asset.lives[-1][1] if asset.lives else asset.life_months
    asset.change(lives=[*asset.lives, [since, body.life_months, body.reason]])
    data = {"from": body.from_, "months": body.life_months, "monthsBefore": before, "reason": body.reason}
    events.write("asset.life_changed", "asset", id, event_data(asset) | data)
    return asset


def check_in_use(asset: Asset) -> None:
    """Refuse an asset that is not in use.

    Raises:
        InvalidTransition: it is a draft or disposed of.
    """
    if asset.status == "draft":
        raise InvalidTransition(says("{number} is a draft. Put it in use first.", number=asset.number))
    if asset.status == "disposed":
        raise InvalidTransition(
            says("{number} was disposed of on {date}.", number=asset.number, date=asset.disposed_on)
        )


def last_depreciated(id: str) -> date | None:
    """The last day on which depreciation of an asset is posted."""
    ((day,),) = WORKSPACE.rows(
        f"SELECT max(d.date) FROM depreciation AS d WHERE asset_id = ? AND {terms.STANDS}", (id,)
    )
    return None if day is None else date.fromisoformat(day)


def is_above_limit(asset: Asset) -> bool:
    """Whether an asset that is expensed at once costs more than the limit for that."""
    return asset.method == "immediate" and asset.cost > workspace_settings.current().low_value_limit


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """The sent fields as columns; amounts in minor units, the account still by its name."""
    complaints, currency = Complaints(), workspace_settings.current().base_currency
    values = assigning.as_columns(dict(values))
    columns = {name: value for name, value in values.items() if name not in ("residual_value", "opening_accumulated")}
    for name in _AMOUNTS:
        if values.get(name) is not None:
            columns[name] = complaints.minor(values[name], currency, wire_name(name))
    if columns.get("declining_percent") is not None:
        columns["declining_percent"] = money.scaled(columns["declining_percent"], money.MICRO)
    complaints.refuse()
    return columns


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Check all values of an asset; return them with the id of the account.

    Raises:
        UnknownReference: it names a record that is not in this workspace.
        Invalid: with a complaint for every field that is wrong.
    """
    complaints = Complaints()
    for name in ("name", "account_id", "cost", "acquired_on"):
        if values.get(name) is None:
            complaints.add(wire_name(name), *REQUIRED)
    complaints.refuse()
    with complaints.gathered():
        account = accounts.refer(values["account_id"], "accountId")
        _check_account(account)
    work.check_projects({"projectId": values.get("project_id")}, complaints)
    employee_id = values.get("employee_id")
    if employee_id is not None and not WORKSPACE.rows("SELECT 1 FROM employee WHERE id = ?", (employee_id,)):
        complaints.unknown("employeeId", Noun("employee"))
    _check_amounts(values, complaints)
    complaints.refuse()
    return {**values, "account_id": account.id}


def _check_account(account: accounts.AccountRef) -> None:
    if account.subtype != "fixed_asset":
        message = says(
            "Account {code} is not for fixed assets ({subtype}). Choose another account.",
            code=account.code,
            subtype=Word.of(account.subtype),
        )
        raise Invalid.one("accountId", "unsuitable_account", message)


def _check_amounts(values: Mapping[str, Any], complaints: Complaints) -> None:
    cost, residual = values["cost"], values.get("residual_value") or 0
    opening, opened = values.get("opening_accumulated") or 0, values.get("opening_date")
    used = values.get("in_use_on")
    if residual > cost:
        complaints.add("residualValue", "too_large", says("Must not be more than the cost."))
    elif opening > cost - residual:
        complaints.add(
            "openingAccumulated", "too_large", says("Must not be more than the cost less the residual value.")
        )
    if residual and values.get("method") == "pool":
        complaints.add("residualValue", "not_needed", says("A pool is depreciated to zero. Clear the field."))
    if opening and opened is None:
        complaints.add("openingDate", *REQUIRED)
    if used is not None and used < values["acquired_on"]:
        complaints.add("inUseOn", "too_early", says("Must not be before the day of the purchase."))
    if opened is not None and used is not None and opened < used:
        complaints.add("openingDate", "too_early", says("Must not be before the first day in use."))


def _check_usable(values: Mapping[str, Any]) -> None:
    """Refuse to depreciate without a first day, or without the terms that the method needs."""
    needed = {"linear": ["life_months"], "declining": ["life_months", "declining_percent"]}.get(values["method"], [])
    complaints = Complaints()
    for name in ("in_use_on", *needed):
        if not values[name]:
            complaints.add(wire_name(name), *REQUIRED)
    complaints.refuse()


def _insert(values: Mapping[str, Any]) -> Asset:
    number, _, seq = workspace_settings.next_number("asset", values["acquired_on"])
    asset = Asset.add(number=number, seq=seq, **values)
    events.write("asset.created", "asset", asset.id, event_data(asset))
    return asset


def _fixed(asset: Asset) -> InUse:
    return InUse(
        says(
            "Depreciation of {number} is posted, so its cost, account, dates and method stay. Change its useful life, "
            "or void the runs first.",
            number=asset.number,
        )
    )


def event_data(asset: Asset) -> dict[str, Any]:
    """The asset in an event."""
    currency = workspace_settings.current().base_currency
    return {"number": asset.number, "name": asset.name, "cost": money.text(asset.cost, currency)}


def all_in_use() -> Sequence[Asset]:
    """The assets that are depreciated: in use, or of a pool."""
    return Asset.fetch("SELECT * FROM asset WHERE status = 'in_use' OR status = 'disposed' AND method = 'pool'")
