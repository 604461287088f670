"""Changing a workspace: its settings, its name, its status.

Name and status stand in the control file, the settings in the workspace's own. What changes both is committed in
the control file together with a note of the rest (`events.write_later`), so that a power cut leaves no half.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.finance.books import accounts, ledger
from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import STANDARD, SUBTYPES
from erp.kernel import money
from erp.kernel.complaints import refuse_any
from erp.kernel.countries import COUNTRIES
from erp.kernel.errors import Complaint, InvalidTransition, Refusal
from erp.store import control, events, workspace_settings
from erp.store.control import Workspace
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import Settings
from erp.web.address import Address
from erp.web.scalars import Id, Line, Name, PositiveAmount
from erp.web.schema import Body, Unset
from erp.web.text_scalars import (
    DayOfYear,
    Iban,
    KnownCountry,
    KnownCurrency,
    NumberFormat,
    PunchRounding,
    TaxNumber,
    TimeZone,
    Weekday,
)
from erp.workspace.view import ProrationBasis, TaxRounding, WorkspaceView, show


class NumberFormatsChange(Body):
    """Formats of number series; those left out stay."""

    sales_invoice: NumberFormat | Unset = UNSET
    sales_credit_note: NumberFormat | Unset = UNSET
    purchase_invoice: NumberFormat | Unset = UNSET
    purchase_credit_note: NumberFormat | Unset = UNSET
    payment: NumberFormat | Unset = UNSET
    journal: NumberFormat | Unset = UNSET
    payroll_run: NumberFormat | Unset = UNSET
    employee: NumberFormat | Unset = UNSET


class WorkspaceChange(Body):
    """What is to change of a workspace."""

    name: Name | Unset = UNSET
    legal_name: Line | Unset | None = UNSET
    tax_number: TaxNumber | Unset | None = UNSET
    address: Address | Unset | None = UNSET
    base_currency: KnownCurrency | Unset = UNSET
    country: KnownCountry | Unset | None = UNSET
    time_zone: TimeZone | Unset = UNSET
    fiscal_year_start: DayOfYear | Unset = UNSET
    tax_rounding: TaxRounding | Unset = UNSET
    cash_rounding: PositiveAmount | Unset | None = UNSET
    prices_include_tax: bool | Unset = UNSET
    payment_terms_days: Annotated[int, msgspec.Meta(ge=0, le=3650)] | Unset = UNSET
    proration_basis: ProrationBasis | Unset = UNSET
    punch_rounding: PunchRounding | Unset | None = UNSET
    number_formats: NumberFormatsChange | Unset = UNSET
    weekend: Annotated[list[Weekday], msgspec.Meta(max_length=6)] | Unset = UNSET
    default_accounts: dict[str, Id] | Unset = UNSET
    iban: Iban | Unset | None = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"paymentTermsDays": 14, "defaultAccounts": {"sales": "4100"}}


class BaseCurrencyFixed(Refusal):
    """The base currency is fixed once something is posted in it, or rates, budgets or pay are agreed in it."""


class FiscalYearFixed(Refusal):
    """The start of the fiscal year is fixed since the first number of a fiscal year was given."""


def change(workspace_id: str, body: WorkspaceChange) -> WorkspaceView:
    """Change the workspace that is open for writing.

    Raises:
        VersionMismatch: the caller expects another version.
        BaseCurrencyFixed: another base currency is asked for once amounts of it are on record.
        FiscalYearFixed: another start of the fiscal year, after a number of one was given.
        Invalid: a value does not fit the books; every one is named.
    """
    row = workspace_settings.current()
    row.check_version()
    sent = body.changes()
    name = sent.pop("name", before := show(workspace_id).name)
    columns = _differing(_columns(sent, row), row)
    renaming = {"name": name} if name != before else {}
    data = {"changed": [_wire_name(field) for field in (*renaming, *columns)]}
    if renaming:
        _change_both(workspace_id, "workspace.updated", data, columns, **renaming)
    elif columns:
        workspace_settings.apply(columns)
        events.write("workspace.updated", "workspace", workspace_id, data)
    return show(workspace_id)


def set_status(workspace_id: str, status: str, event: str) -> WorkspaceView:
    """Archive the workspace that is open for writing, or bring it back.

    Raises:
        InvalidTransition: it has that status already.
    """
    workspace_settings.current().check_version()
    if show(workspace_id).status == status:
        raise InvalidTransition(f"The workspace is {status} already.")
    _change_both(workspace_id, event, {}, {}, state=status)
    return show(workspace_id)


def _change_both(
    workspace_id: str, event: str, data: Mapping[str, Any], columns: Mapping[str, Any], **facts: str
) -> None:
    with control.write():
        Workspace.find(workspace_id).change(**facts)
        events.write_later(workspace_id, event, "workspace", workspace_id, data, changed_settings=columns)
    events.deliver_here(workspace_id)


def _differing(columns: Mapping[str, Any], row: Settings) -> dict[str, Any]:
    present = {name: getattr(row, name, None) for name in columns}
    if "default_accounts" in columns:
        present["default_accounts"] = {key: ledger.default_account(key) for key in columns["default_accounts"]}
    return {name: value for name, value in columns.items() if value != present[name]}


def _wire_name(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def _columns(sent: Mapping[str, Any], row: Settings) -> dict[str, Any]:
    """The values as the file keeps them, checked against each other and against the books."""
    _refuse_fixed(sent, row)
    columns = dict(sent)
    complaints: list[Complaint] = []
    for name, check in _CHECKS.items():
        if columns.get(name) is not None:
            columns[name], found = check(columns[name], columns, row)
            complaints += found
    refuse_any(complaints, "account")
    if columns.get("base_currency", row.base_currency) != row.base_currency:
        columns.setdefault("cash_rounding", None)
    return columns


def _refuse_fixed(sent: Mapping[str, Any], row: Settings) -> None:
    if sent.get("base_currency", row.base_currency) != row.base_currency and _has_amounts():
        raise BaseCurrencyFixed(field="baseCurrency")
    if sent.get("fiscal_year_start", row.fiscal_year_start) != row.fiscal_year_start and _has_numbered_years():
        raise FiscalYearFixed(field="fiscalYearStart")


def _has_amounts() -> bool:
    """Whether anything is kept in minor units of the base currency that another could not share."""
    return any(WORKSPACE.rows(f"SELECT 1 FROM {kept} LIMIT 1") for kept in _IN_BASE_CURRENCY)


_IN_BASE_CURRENCY = (
    "journal_entry",
    "compensation",
    "project WHERE coalesce(hourly_rate, fixed_price, budget_amount) IS NOT NULL",
    "task WHERE hourly_rate IS NOT NULL",
    "time_log WHERE hourly_rate IS NOT NULL",
    "pay_component WHERE coalesce(amount, base_cap, amount_cap) IS NOT NULL OR brackets IS NOT NULL",
    "payroll_run",
)


def _has_numbered_years() -> bool:
    return bool(WORKSPACE.rows("SELECT 1 FROM number_counter WHERE fiscal_year > 0 LIMIT 1"))


Checked = tuple[Any, list[Complaint]]


def _address(address: Address, columns: Mapping[str, Any], row: Settings) -> Checked:
    unknown = address.country is not None and address.country not in COUNTRIES
    complaint = Complaint("address.country", *KnownCountry.complaint)
    return address.kept() or None, [complaint] if unknown else []


def _cash_rounding(step: PositiveAmount, columns: Mapping[str, Any], row: Settings) -> Checked:
    currency = columns.get("base_currency", row.base_currency)
    try:
        return money.minor(step, currency), []
    except money.TooManyDecimals:
        message = f"Has more decimals than {currency}."
        return None, [Complaint("cashRounding", "too_many_decimals", message)]
    except money.OutOfRange:
        return None, [Complaint("cashRounding", "out_of_range", "Is larger than the books can hold.")]


def _punch_rounding(rounding: PunchRounding, columns: Mapping[str, Any], row: Settings) -> Checked:
    return msgspec.to_builtins(rounding), []


def _weekend(days: list[str], columns: Mapping[str, Any], row: Settings) -> Checked:
    twice = len(set(days)) < len(days)
    return days, [Complaint("weekend", "duplicate", "Must name each day once.")] if twice else []


def _number_formats(change: NumberFormatsChange, columns: Mapping[str, Any], row: Settings) -> Checked:
    formats = row.number_formats | {_wire_name(series): text for series, text in change.changes().items()}
    plain = {series: re.sub(r"\{seq:\d\}", "{seq}", text) for series, text in formats.items()}
    complaints = [
        Complaint(f"numberFormats.{_wire_name(series)}", "duplicate", "Another series has numbers of this form.")
        for series in change.changes()
        if list(plain.values()).count(plain[_wire_name(series)]) > 1
    ]
    return formats, complaints


def _default_accounts(named: Mapping[str, str], columns: Mapping[str, Any], row: Settings) -> Checked:
    found, complaints = accounts.look_up({f"defaultAccounts.{key}": value for key, value in named.items()})
    for field, account in found.items():
        complaints += _misfit(field, account)
    unknown = [f"defaultAccounts.{key}" for key in named if key not in _SEEDS]
    complaints += [Complaint(field[:200], "unknown_field", "There is no such default account.") for field in unknown]
    return {field.partition(".")[2]: account.id for field, account in found.items()}, complaints


_SEEDS = {seed.system_key: seed for seed in STANDARD if seed.system_key}
_OWN_SUBTYPES = {"receivable": {"receivable"}, "payable": {"payable"}, "bank": {"bank", "cash"}}
_OWN_TYPES = {"exchange": {"income", "expense"}, "rounding": {"income", "expense"}}
_OWN_TYPES |= {"tax": {"asset", "liability"}, "input_tax": {"asset", "liability"}}
_WITH_CONTACT = {"receivable", "payable"}
"""Subtypes to which nothing is posted without a contact: they serve the keys of their own name alone."""


def _misfit(field: str, account: AccountRef) -> list[Complaint]:
    key = field.partition(".")[2]
    if key not in _SEEDS:
        return []
    if key in _OWN_SUBTYPES:
        fits, wanted = account.subtype in _OWN_SUBTYPES[key], _OWN_SUBTYPES[key]
    else:
        wanted = _OWN_TYPES.get(key, {_SEEDS[key].type})
        fits = SUBTYPES[account.subtype] in wanted and account.subtype not in _WITH_CONTACT
    message = f"Account {account.code} does not fit: it must be of {' or '.join(sorted(wanted))}."
    return [] if fits else [Complaint(field, "unfit_account", message)]


_CHECKS: dict[str, Callable[[Any, Mapping[str, Any], Settings], Checked]] = {
    "address": _address,
    "cash_rounding": _cash_rounding,
    "punch_rounding": _punch_rounding,
    "weekend": _weekend,
    "number_formats": _number_formats,
    "default_accounts": _default_accounts,
}
"""What is turned into its kept form, or depends on more than the value itself."""
