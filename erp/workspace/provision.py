"""Creating a workspace: first a note in the control file, then its own file, then its activation in the control file.

Before the last step no one can see it. After a crash before the file has its name, the next start undoes the work;
after a later crash, it completes the work (`erp.system.upkeep`).
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from erp.finance.assets.models import AssetAccount
from erp.finance.books.charts.templates import (
    GENERIC,
    ChartTemplate,
    TemplateAccount,
    TemplateDepreciation,
    TemplateTaxRate,
    rates_of,
)
from erp.finance.books.models import Account, DefaultAccount
from erp.finance.contacts.models import TaxRate
from erp.finance.contacts.tax_rates import usual_side
from erp.finance.dunning import levels as reminder_levels
from erp.finance.dunning.models import ReminderLevel
from erp.hr.expenses import categories as expense_categories
from erp.hr.expenses.models import ExpenseCategory
from erp.hr.leave.models import LeaveType
from erp.hr.leave.types import types as leave_types
from erp.hr.payroll.components import sets as pay_templates
from erp.hr.payroll.models import PayComponent
from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.kernel import caller, clock, money
from erp.kernel.countries import is_in_eu, tax_percentages
from erp.migrations import WORKSPACE_SCHEMA, Connection
from erp.store import connections, control, engine, events, files, recorded, tips
from erp.store.control import Member, Workspace
from erp.store.records import Recorded, new_id
from erp.store.router import WORKSPACE
from erp.store.rows import insertion
from erp.store.workspace_settings import NUMBER_FORMATS, Settings, WorkspaceMeta


def make(name: str, settings: Mapping[str, Any], chart: ChartTemplate) -> str:
    """Create a workspace up to its last step, which is `activate`; the caller becomes its owner.

    Args:
        settings: columns of its settings.

    Returns:
        Its id.
    """
    workspace_id = announce(name)
    try:
        write_file(workspace_id, name, settings, chart)
        put_in_place(workspace_id)
    except BaseException:
        withdraw(workspace_id)
        raise
    return workspace_id


def announce(name: str, **columns: Any) -> str:
    """Note in the control file that a workspace is being created, with its creator.

    Args:
        columns: others of the workspace.

    Returns:
        Its id.
    """
    current = caller.current()
    with control.write():
        workspace = Workspace.add(name=name, state="creating", created_by=current.user_id, **columns)
        Member.add(workspace_id=workspace.id, user_id=current.user_id, role="owner", joined_at=clock.stamp())
    return workspace.id


def write_file(workspace_id: str, name: str, settings: Mapping[str, Any], chart: ChartTemplate) -> None:
    """Write the workspace's file, under a name that the next start removes."""
    with connections.plain(new_path(workspace_id)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        fill = partial(_fill, workspace_id=workspace_id, name=name, settings=settings, chart=chart)
        engine.create(connection, WORKSPACE_SCHEMA, fill)
        connection.execute("PRAGMA journal_mode = WAL")


def put_in_place(workspace_id: str) -> None:
    """Give the finished file its name, durably; nothing has it open."""
    path = control.workspace_path(workspace_id)
    tips.here().forget(path.name)  # a workspace that is imported again may have fewer changes than before
    files.put_in_place(new_path(workspace_id), path)
    WORKSPACE.written.add(path)


def activate(workspace_id: str) -> None:
    """Activate the workspace; within the control file's transaction."""
    Workspace.find(workspace_id).change(state="active")


def withdraw(workspace_id: str) -> None:
    """Undo the creation of a workspace."""
    for leftover in new_path(workspace_id).parent.glob(f"{workspace_id}.new*"):
        leftover.unlink()
    with control.write():
        Workspace.delete().where(Workspace.id == workspace_id).execute()


def new_path(workspace_id: str) -> Path:
    """The path of a workspace's file while it is being created; the next start removes it."""
    return control.workspace_path(workspace_id).with_suffix(".new")


def _fill(
    connection: Connection, workspace_id: str, name: str, settings: Mapping[str, Any], chart: ChartTemplate
) -> None:
    key = secrets.token_hex(32)
    _insert(connection, WorkspaceMeta, [{"id": workspace_id, "seal_key": key}])
    defaults = {"number_formats": NUMBER_FORMATS, "weekend": ["sat", "sun"]}
    _insert(connection, Settings, [{"id": workspace_id, **defaults, **settings}])
    ids = {account.code: new_id() for account in chart.accounts}
    _insert(connection, Account, [_account(account, ids, settings["base_currency"]) for account in chart.accounts])
    keys = [{"key": key, "account": ids[code]} for key, code in chart.default_accounts.items()]
    _insert(connection, DefaultAccount, keys)
    _insert(connection, AssetAccount, [_asset_account(pair, ids) for pair in chart.depreciation])
    _insert(connection, TaxRate, _tax_rates(chart, settings.get("country"), ids))
    _insert(connection, Site, sites.seeds())
    _insert(connection, LeaveType, leave_types.seeds())
    _insert(connection, PayComponent, pay_templates.seeds())
    _insert(connection, ExpenseCategory, expense_categories.seeds())
    _insert(connection, ReminderLevel, reminder_levels.seeds())
    rows = recorded.spelled({table: dict(_rows(connection, model, id)) for table, model, id in _SEEDED}, key)
    data = {"name": name} | ({} if chart is GENERIC else {"chartTemplate": chart.code})
    events.write_into(connection, "workspace.created", "workspace", workspace_id, data, rows)


_SEEDED: tuple[tuple[str, type[Recorded], str], ...] = (
    ("settings", Settings, "id"),
    ("account", Account, "id"),
    ("default_account", DefaultAccount, "key"),
    ("asset_account", AssetAccount, "account_id"),
    ("tax_rate", TaxRate, "id"),
    ("site", Site, "id"),
    ("leave_type", LeaveType, "id"),
    ("pay_component", PayComponent, "id"),
    ("expense_category", ExpenseCategory, "id"),
    ("reminder_level", ReminderLevel, "id"),
)
"""The tables with rows in a new workspace, and the column of their id."""


def _rows(connection: Connection, model: type[Recorded], id: str) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The rows of a table as the first event records them."""
    cursor = connection.execute(f"SELECT * FROM {model._meta.table_name}")
    names = [column[0] for column in cursor.description]
    for row in cursor:
        values = dict(zip(names, row, strict=True))
        columns = model.as_recorded({name: value for name, value in values.items() if name != id})
        yield values[id], recorded.as_noted(model._meta.table_name, values[id], columns)


def _insert(connection: Connection, model: type[Recorded], records: Iterable[Mapping[str, Any]]) -> None:
    for values in records:
        connection.execute(*insertion(model, model(**values).__data__))


def _account(account: TemplateAccount, ids: Mapping[str, str], currency: str) -> dict[str, Any]:
    columns = {"code": account.code, "name": account.name, "type": account.type, "subtype": account.subtype}
    return {"id": ids[account.code], **columns, "currency": currency}


def _asset_account(pair: TemplateDepreciation, ids: Mapping[str, str]) -> dict[str, Any]:
    return {
        "account": ids[pair.asset],
        "accumulated_account": None if pair.accumulated is None else ids[pair.accumulated],
        "expense_account": ids[pair.expense],
    }


def _tax_rates(chart: ChartTemplate, country: str | None, ids: Mapping[str, str]) -> list[dict[str, Any]]:
    """The tax rates of the chart, whose standard one is the default, or else the usual ones of the country."""
    if not chart.is_for(country):
        own = rates_of(country)
        return _all_of(own, {}) if own else tax_rates(country)
    return _all_of(chart.tax_rates, ids)


def _all_of(rates: Sequence[TemplateTaxRate], ids: Mapping[str, str]) -> list[dict[str, Any]]:
    usual = next((rate for rate in rates if rate.category == "S"), None)
    return [_tax_rate(rate, ids) | {"is_default": rate is usual} for rate in rates]


def _tax_rate(rate: TemplateTaxRate, ids: Mapping[str, str]) -> dict[str, Any]:
    codes = {column: getattr(rate, column) for column in rate.__struct_fields__ if column.endswith("_account")}
    return {
        "name": rate.name,
        "rate": money.scaled(Decimal(rate.rate), money.MICRO),
        "category": rate.category,
        "side": usual_side(rate.category, money.scaled(Decimal(rate.rate), money.MICRO)),
        "tax_tag": rate.tax_tag,
        "exemption_reason": rate.exemption_reason,
        **{column: ids[code] for column, code in codes.items() if code},
    }


def tax_rates(country: str | None) -> list[dict[str, Any]]:
    """The tax rates of a new workspace in a country whose kinds of rates are not known."""
    owed = _EU_SERVICES if is_in_eu(country) else _DOMESTIC
    rates = [
        TemplateTaxRate("No tax", "0", "O"),
        TemplateTaxRate("Zero", "0", "Z"),
        TemplateTaxRate("Exempt", "0", "E"),
    ]
    percentages = tax_percentages(country) if country else ()
    rates += [owed, *(TemplateTaxRate(f"Tax {percentage} %", percentage, "S") for percentage in percentages)]
    return [_tax_rate(rate, {}) for rate in rates]


_EU_SERVICES = TemplateTaxRate("EU: services to a firm (the customer owes the tax)", "0", "AE", "eu_services")
_DOMESTIC = TemplateTaxRate("Domestic: the customer owes the tax", "0", "AE", "reverse_charge")
