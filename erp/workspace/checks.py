"""Checks of a workspace's settings against each other and its books, and their stored form."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from erp.finance.books import accounts
from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import CONTROL_SUBTYPES, STANDARD, SUBTYPES
from erp.finance.dunning import terms
from erp.finance.dunning.terms import RemindersChange
from erp.finance.reports.tax import forms
from erp.kernel.complaints import Complaints, refuse_any
from erp.kernel.errors import Refusal
from erp.kernel.language import Listed, Noun, Sentence, Word, says
from erp.kernel.wire import wire_name
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import Settings
from erp.web.address import Address
from erp.web.scalars import NotNegativeAmount, PositiveAmount
from erp.web.schema import Body
from erp.web.text_scalars import Nacha, PunchRounding, TimeBilling, TimeLock


class BaseCurrencyFixed(Refusal):
    """The base currency can no longer be changed. Postings, rates, budgets or pay are recorded in it."""


class FiscalYearFixed(Refusal):
    """The start of the fiscal year can no longer be changed. The first number of a fiscal year has been used."""


class _Context(msgspec.Struct, frozen=True):
    """The context of a check: the settings before the change, and the base currency after it."""

    settings: Settings
    currency: str
    complaints: Complaints = msgspec.field(default_factory=Complaints)


def columns(sent: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The sent values as columns of the settings; `default_accounts` as account ids by key.

    Raises:
        BaseCurrencyFixed: the base currency would change although amounts in it exist.
        FiscalYearFixed: the fiscal year would start on another day although a number of one has been used.
        Invalid: values do not fit each other or the books; each is named.
    """
    _refuse_fixed(sent, settings)
    context = _Context(settings, sent.get("base_currency", settings.base_currency))
    values = dict(sent)
    for name, check in _CHECKS.items():
        if values.get(name) is not None:
            values[name] = check(values[name], context)
    context.complaints.refuse()
    if context.currency != settings.base_currency:
        values.setdefault("cash_rounding", None)
    return values


def _refuse_fixed(sent: Mapping[str, Any], settings: Settings) -> None:
    for name, (refusal, is_fixed) in _FIXED.items():
        own = getattr(settings, name)
        if sent.get(name, own) != own and is_fixed():
            raise refusal(field=wire_name(name))


def fixed() -> dict[str, Sentence]:
    """Why settings of the open workspace can no longer be changed, by field."""
    return {wire_name(name): refusal().message for name, (refusal, is_fixed) in _FIXED.items() if is_fixed()}


def _has_amounts() -> bool:
    """Whether amounts are stored in minor units of the base currency, which would change their value with it."""
    return any(WORKSPACE.rows(f"SELECT 1 FROM {rows} LIMIT 1") for rows in _IN_BASE_CURRENCY)


_IN_BASE_CURRENCY = (
    "journal_entry",
    "compensation",
    "cost_rate WHERE hourly_cost IS NOT NULL",
    "project WHERE coalesce(hourly_rate, fixed_price, budget_amount) IS NOT NULL",
    "task WHERE hourly_rate IS NOT NULL",
    "time_log WHERE hourly_rate IS NOT NULL",
    "past_rate WHERE hourly_rate IS NOT NULL",
    "pay_component WHERE coalesce(amount, base_cap, amount_cap) IS NOT NULL OR brackets IS NOT NULL",
    "payroll_run",
    "opening_year",
    "expense_claim",
    "reminder_level WHERE fee > 0",
    "expense_category WHERE limit_amount IS NOT NULL OR receipt_from > 0",
)


def _has_numbered_years() -> bool:
    return bool(WORKSPACE.rows("SELECT 1 FROM number_counter WHERE fiscal_year > 0 LIMIT 1"))


_FIXED: dict[str, tuple[type[Refusal], Callable[[], bool]]] = {
    "base_currency": (BaseCurrencyFixed, _has_amounts),
    "fiscal_year_start": (FiscalYearFixed, _has_numbered_years),
}


def _address(address: Address, context: _Context) -> dict[str, Any] | None:
    return address.kept() or None


def _cash_rounding(step: PositiveAmount, context: _Context) -> int:
    return context.complaints.minor(step, context.currency, "cashRounding")


def _small_difference_limit(limit: NotNegativeAmount, context: _Context) -> int:
    return context.complaints.minor(limit, context.currency, "smallDifferenceLimit")


def _low_value_limit(limit: NotNegativeAmount, context: _Context) -> int:
    return context.complaints.minor(limit, context.currency, "lowValueLimit")


def _punch_rounding(rounding: PunchRounding, context: _Context) -> Any:
    return msgspec.to_builtins(rounding)


def _time_billing(billing: TimeBilling, context: _Context) -> Any:
    return billing.kept() or None


def _time_lock(lock: TimeLock, context: _Context) -> Any:
    return msgspec.to_builtins(lock)


def _nacha(nacha: Nacha, context: _Context) -> Any:
    return {"company_id": nacha.company_id, "originating_routing": str(nacha.originating_routing)}


def _reminders(change: RemindersChange, context: _Context) -> dict[str, Any]:
    return terms.stored(change, context.settings, context.currency, context.complaints)


def _weekend(days: list[str], context: _Context) -> list[str]:
    _check_distinct(days, context.complaints)
    return days


def _check_distinct(days: Sequence[str], complaints: Complaints) -> None:
    if len(set(days)) < len(days):
        complaints.add("weekend", "duplicate", says("Must name each day only once."))


def _number_formats(change: Body, context: _Context) -> dict[str, str]:
    changed = {wire_name(series): pattern for series, pattern in change.changes().items()}
    formats: dict[str, str] = context.settings.number_formats | changed
    _check_different(formats, changed, context.complaints)
    return formats


def _check_different(formats: Mapping[str, str], changed: Iterable[str], complaints: Complaints) -> None:
    without_width = {series: re.sub(r"\{seq:\d\}", "{seq}", pattern) for series, pattern in formats.items()}
    for series in changed:
        if list(without_width.values()).count(without_width[series]) > 1:
            message = says("Another number series already has this format.")
            complaints.add(f"numberFormats.{series}", "duplicate", message)


def check_stored(sent: Mapping[str, Any], complaints: Complaints) -> None:
    """Complain about settings that do not fit each other, though each has the right form.

    Args:
        sent: all of them, as a request would send them.
    """
    _check_distinct(sent["weekend"], complaints)
    _check_different(sent["numberFormats"], sent["numberFormats"], complaints)


def _default_accounts(named: Mapping[str, str], context: _Context) -> dict[str, str]:
    by_path, complaints = accounts.look_up({f"defaultAccounts.{key}": value for key, value in named.items()})
    with context.complaints.gathered():
        refuse_any(complaints, Noun("account"))
    by_key = {path.partition(".")[2]: account for path, account in by_path.items()}
    for key, account in by_key.items():
        check_fits(key, account, context.complaints)
    for key in (key for key in named if key not in _SEEDS):
        context.complaints.add(
            f"defaultAccounts.{key}"[:200], "unknown_field", says("There is no such default account.")
        )
    return {key: account.id for key, account in by_key.items()}


_SEEDS = {seed.system_key: seed for seed in STANDARD if seed.system_key}
_SEEDS["tax_settlement"] = _SEEDS["tax"]
_SEEDS["net_tax_gain"] = _SEEDS["sales"]
_OWN_SUBTYPES = {
    "receivable": {"receivable"},
    "doubtful_receivables": {"receivable"},
    "payable": {"payable"},
    "employee_payable": {"payable"},
    "company_card": {"credit_card"},
    "bank": {"bank", "cash"},
    "accumulated_depreciation": {"fixed_asset"},
}
_OWN_TYPES = {"exchange": {"income", "expense"}, "rounding": {"income", "expense"}}
_OWN_TYPES |= {
    f"{kind}_exchange_{side}": {"income", "expense"}
    for kind in ("realised", "unrealised")
    for side in ("gains", "losses")
}
_OWN_TYPES |= {"deposits_requested": {"asset", "liability"}}
_OWN_TYPES |= {f"discounts_{kind}": {"income", "expense"} for kind in ("given", "received")}
_OWN_TYPES |= {f"small_difference_{kind}": {"income", "expense"} for kind in ("gains", "losses")}
_OWN_TYPES |= {key: {"income", "expense"} for key in ("recovered_debts", "asset_sales", "asset_disposals")}
_OWN_TYPES |= {key: {"asset", "liability"} for key in ("tax", "input_tax", "tax_settlement")}


def check_fits(key: str, account: AccountRef, complaints: Complaints) -> None:
    """Complain about an account whose type or subtype does not fit the key."""
    if key not in _SEEDS:
        return
    if key in _OWN_SUBTYPES:
        allowed = _OWN_SUBTYPES[key]
        fits = account.subtype in allowed
    else:
        allowed = _OWN_TYPES.get(key, {_SEEDS[key].type})
        fits = SUBTYPES[account.subtype] in allowed and account.subtype not in CONTROL_SUBTYPES
    if not fits:
        kinds = Listed.of([Word.of(kind) for kind in sorted(allowed)], "or")
        message = says(
            "Account {code} cannot be used here. Choose an account with the detail type {kinds}.",
            code=account.code,
            kinds=kinds,
        )
        complaints.add(f"defaultAccounts.{key}", "unfit_account", message)


def _tax_form(code: str, context: _Context) -> str:
    if code not in forms.FORMS:
        codes = Listed.of(sorted(forms.FORMS), "or")
        context.complaints.add("taxForm", "unknown_form", says("There is no such form. Choose {codes}.", codes=codes))
    return code


def _tax_basis(changes: Sequence[Any], context: _Context) -> list[dict[str, str]]:
    days = [change.since for change in changes]
    if len(set(days)) < len(days):
        context.complaints.add("taxBasis", "duplicate", says("Must name each day only once."))
    ordered = sorted(changes, key=lambda change: change.since)
    return [{"since": change.since.isoformat(), "basis": change.basis} for change in ordered]


_CHECKS: dict[str, Callable[[Any, _Context], Any]] = {
    "tax_form": _tax_form,
    "tax_basis": _tax_basis,
    "address": _address,
    "cash_rounding": _cash_rounding,
    "small_difference_limit": _small_difference_limit,
    "low_value_limit": _low_value_limit,
    "punch_rounding": _punch_rounding,
    "time_billing": _time_billing,
    "time_lock": _time_lock,
    "nacha": _nacha,
    "weekend": _weekend,
    "reminders": _reminders,
    "number_formats": _number_formats,
    "default_accounts": _default_accounts,
}
"""The settings that are stored in another form than sent, or depend on other values."""
