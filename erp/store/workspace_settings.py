"""A workspace's settings: one row in its file, and values that depend on it (today, fiscal years, document numbers)."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from peewee import BooleanField, IntegerField, JSONField, TextField

from erp.kernel import caller, clock
from erp.kernel.days import ONE_DAY, months_later
from erp.kernel.language import Language, Noun, spoken
from erp.store import control, recorded
from erp.store.records import Record, WorkspaceTable
from erp.store.router import WORKSPACE
from erp.store.rows import DayField


def office_name() -> str:
    """The name of the office on its papers and bank files: its legal name, else the workspace's name."""
    legal: str | None = current().legal_name
    if legal:
        return legal
    ((name,),) = control.look_up("SELECT name FROM workspace WHERE id = ?", (caller.current().workspace_id,))
    return str(name)


class WorkspaceMeta(WorkspaceTable):
    """The id of the workspace that this file belongs to, so that a misplaced file is noticed."""

    is_recorded = False

    id = TextField(primary_key=True)
    seal_key = TextField()


class Settings(Record):
    """The workspace's settings; its name and status are in the control file."""

    noun = Noun("workspace")
    is_recorded = True

    legal_name = TextField(null=True)
    vat_id = TextField(null=True)
    tax_number = TextField(null=True)
    address = JSONField(null=True)
    base_currency = TextField()
    country = TextField(null=True)
    time_zone = TextField()
    fiscal_year_start = TextField(default="01-01")
    tax_rounding = TextField(default="document")
    cash_rounding = IntegerField(null=True)
    prices_include_tax = BooleanField(default=False)
    payment_terms_days = IntegerField(default=30)
    proration_basis = TextField(default="working_days")
    leave_payout = TextField(default="year_days")
    punch_rounding = JSONField(null=True)
    time_billing = JSONField(null=True)
    lateness_grace_minutes = IntegerField(default=5)
    time_approval = TextField(default="off")
    bill_approved_time_only = BooleanField(default=False)
    time_lock = JSONField(null=True)
    managers_see_margin = BooleanField(default=False)
    nacha = JSONField(null=True)
    number_formats = JSONField()
    weekend = JSONField()
    iban = TextField(null=True)
    lock_date = DayField(null=True)
    payroll_four_eyes = BooleanField(default=False)
    bill_approval = BooleanField(default=False)
    bills_need_account = BooleanField(default=False)
    share_links = BooleanField(default=False)
    small_difference_limit = IntegerField(default=100)
    low_value_limit = IntegerField(default=80_000)
    discount_grace_days = IntegerField(default=0)
    expense_payment_days = IntegerField(default=14)
    quote_valid_days = IntegerField(default=30)
    minutes_per_day = IntegerField(default=480)
    remittance = TextField(default="split")
    email = TextField(null=True)
    phone = TextField(null=True)
    contact_name = TextField(null=True)
    bic = TextField(null=True)
    bank_name = TextField(null=True)
    register_entry = TextField(null=True)
    managers = TextField(null=True)
    paper_footer = TextField(null=True)
    paper_language = TextField(null=True)
    logo_hash = TextField(null=True)
    paper_design = JSONField(null=True)
    tax_form = TextField(null=True)
    tax_method = TextField(default="effective")
    tax_basis = JSONField(default=list)
    tax_filing = TextField(default="monthly")
    tax_extension = BooleanField(default=False)
    tax_office_state = TextField(null=True)
    datev_advisor = IntegerField(null=True)
    datev_client = IntegerField(null=True)
    datev_chart = TextField(null=True)
    retention = JSONField(null=True)
    reminders = JSONField(null=True)
    first_steps = JSONField(null=True)

    @classmethod
    def personal(cls) -> frozenset[str]:
        """None: these are the office's own, which its documents show."""
        return frozenset()

    class Meta:
        database = WORKSPACE
        legacy_table_names = False


NUMBER_FORMATS = {
    "salesInvoice": "INV-{year}-{seq:5}",
    "salesCreditNote": "CN-{year}-{seq:5}",
    "purchaseInvoice": "BILL-{year}-{seq:5}",
    "purchaseCreditNote": "BCN-{year}-{seq:5}",
    "payment": "PAY-{year}-{seq:5}",
    "journal": "JE-{year}-{seq:5}",
    "payrollRun": "PR-{year}-{seq:3}",
    "reminder": "REM-{year}-{seq:5}",
    "employee": "EMP-{seq:4}",
    "expenseClaim": "EXP-{year}-{seq:5}",
    "quote": "QUO-{year}-{seq:5}",
}
"""The number series, and the format of each in a new workspace."""

FIXED_FORMATS = {
    "paymentRun": "RUN-{year}-{seq:3}",
    "offset": "OFF-{year}-{seq:5}",
    "transfer": "TR-{year}-{seq:5}",
    "revaluation": "REV-{year}-{seq:3}",
    "asset": "FA-{seq:4}",
    "depreciationRun": "DEP-{year}-{seq:3}",
}
"""The formats of series that no setting changes."""

NUMBER_FORMAT = re.compile(r"[^{}]*(\{year\}[^{}]*)?\{seq(:[1-9])?\}[^{}]*")


def current() -> Settings:
    """The settings of the open workspace."""
    return WORKSPACE.memo("settings", _load)


def paper_language() -> Language:
    """The language of the office's own papers: the setting, else the country's."""
    settings = current()
    return spoken(settings.paper_language or "") or ("de" if settings.country in _GERMAN else "en")


_GERMAN = ("AT", "CH", "DE", "LI")
"""Countries whose offices write in German unless they say otherwise."""


def _load() -> Settings:
    row = Settings.find_by()
    assert row is not None
    return row


def apply(changes: Mapping[str, Any]) -> None:
    """Change the settings of the open workspace, and what depends on them.

    Args:
        changes: columns, and `default_accounts`: ids by key. Accounts in the base currency change with it.
    """
    columns = dict(changes)
    for key, account_id in columns.pop("default_accounts", {}).items():
        WORKSPACE.run(_SET_DEFAULT_ACCOUNT, (key, account_id))
        recorded.note("default_account", key, {"account_id": account_id})
    for key in ("default_accounts", "calendar", "today"):
        WORKSPACE.forget(key)
    if "base_currency" in columns:
        currency = columns["base_currency"]
        for (id,) in WORKSPACE.rows(_CHANGE_CURRENCY, (currency, clock.stamp(), current().base_currency)):
            recorded.note("account", id, {"currency": currency})
    current().change(**columns)


_SET_DEFAULT_ACCOUNT = (
    "INSERT INTO default_account (key, account_id) VALUES (?, ?)"
    " ON CONFLICT (key) DO UPDATE SET account_id = excluded.account_id"
)
_CHANGE_CURRENCY = (
    "UPDATE account SET currency = ?, version = version + 1, updated_at = ? WHERE currency = ? RETURNING id"
)


def today() -> date:
    """The current day in the workspace's time zone, the same in all of a transaction."""
    return WORKSPACE.memo("today", _today)


def _today() -> date:
    return clock.today(time_zone())


def time_zone() -> str:
    """The time zone."""
    return current().time_zone if WORKSPACE.is_writing() else WORKSPACE.memo("calendar", _calendar)[0]


def lock_date() -> date | None:
    """The day through which the books are locked."""
    locked: date | None = current().lock_date if WORKSPACE.is_writing() else WORKSPACE.memo("calendar", _calendar)[1]
    return locked


def _calendar() -> tuple[str, date | None]:
    """The settings about days, without the others where nothing is written.

    Lists need only these, and a model object costs more than their rows; what is written needs the others as well.
    """
    ((time_zone, lock_date),) = WORKSPACE.rows("SELECT time_zone, lock_date FROM settings")
    return time_zone, lock_date and date.fromisoformat(lock_date)


def fiscal_year(day: date) -> int:
    """The year in which the fiscal year of that day ends."""
    start = current().fiscal_year_start
    return day.year + (start != "01-01" and day.strftime("%m-%d") >= start)


def fiscal_year_start(day: date) -> date:
    """The first day of the fiscal year of that day."""
    month, of_month = map(int, current().fiscal_year_start.split("-"))
    start = date(day.year, month, of_month)
    return start if start <= day else date(day.year - 1, month, of_month)


def fiscal_year_end(day: date) -> date:
    """The last day of the fiscal year of that day."""
    return months_later(fiscal_year_start(day), 12) - ONE_DAY


_NEXT = (
    "INSERT INTO number_counter (series, fiscal_year, last) VALUES (?, ?, 1)"
    " ON CONFLICT (series, fiscal_year) DO UPDATE SET last = number_counter.last + 1 RETURNING last"
)


def next_number(series: str, day: date) -> tuple[str, int, int]:
    """Take the next number of a series, in the current transaction.

    Returns:
        The number as shown, its fiscal year (0 for a series without years), and its position in that year.
    """
    pattern = FIXED_FORMATS.get(series) or current().number_formats[series]
    year = fiscal_year(day) if "{year}" in pattern else 0
    seq = count_on(series, year)
    return format_number(pattern, year, seq), year, seq


def next_numbers() -> dict[str, str]:
    """The number that each series of the settings gives next to a record of today."""
    this_year = fiscal_year(today())
    counters = WORKSPACE.rows("SELECT series, fiscal_year, last FROM number_counter")
    last = {(series, year): seq for series, year, seq in counters}
    numbers = {}
    for series, pattern in current().number_formats.items():
        year = this_year if "{year}" in pattern else 0
        numbers[series] = format_number(pattern, year, last.get((series, year), 0) + 1)
    return numbers


def count_on(series: str, year: int = 0) -> int:
    """Take the next position of a series in a year, in the current transaction."""
    ((seq,),) = WORKSPACE.rows(_NEXT, (series, year))
    return int(seq)


def format_number(pattern: str, year: int, seq: int) -> str:
    """A number in its format: `INV-{year}-{seq:5}` gives INV-2026-00001."""

    def padded(match: re.Match[str]) -> str:
        return str(seq).zfill(int(match[1] or 1))

    return re.sub(r"\{seq(?::(\d))?\}", padded, pattern.replace("{year}", str(year)))
