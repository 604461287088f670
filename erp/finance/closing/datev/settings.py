"""The settings of the workspace that files for DATEV need."""

import re
from datetime import date

from erp.finance.closing.datev import charts, sheet, store
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


class DatevNotSetUp(Invalid):
    """The DATEV settings are incomplete."""


def check() -> None:
    """Refuse to make a file without a required field.

    Raises:
        DatevNotSetUp: the settings lack it.
    """
    settings, complaints = workspace_settings.current(), Complaints()
    for field, column, message in (
        ("datevAdvisor", settings.datev_advisor, says("Enter the consultant no. in the DATEV settings first.")),
        ("datevClient", settings.datev_client, says("Enter the client no. in the DATEV settings first.")),
        ("datevChart", settings.datev_chart, says("Choose the chart of accounts in the DATEV settings first.")),
    ):
        if column is None:
            complaints.add(field, "required", message)
    if DIGITS[settings.base_currency] != 2:
        complaints.add("baseCurrency", "unsuitable", says("DATEV accepts only currencies with two decimals."))
    if complaints.items:
        raise DatevNotSetUp(complaints.items)


def header(start: date, made_at: str, first: date | None = None, last: date | None = None) -> sheet.Header:
    """The header of a file; master data has no days."""
    settings = workspace_settings.current()
    locked = settings.lock_date
    return sheet.Header(
        advisor=settings.datev_advisor or 0,
        client=settings.datev_client or 0,
        chart=charts.NUMBERS[str(settings.datev_chart)],
        year_start=start,
        account_length=account_length(),
        made_at=made_at,
        currency="" if first is None else settings.base_currency,
        first=first,
        last=last,
        is_final=last is not None and locked is not None and last <= locked,
    )


def account_length() -> int:
    """The number of digits of accounts: the longest code's, between 4 and 8."""
    codes = (code for (code,) in WORKSPACE.rows(store.CODES))
    return max((len(code) for code in codes if re.fullmatch(r"[0-9]{4,8}", code)), default=4)
