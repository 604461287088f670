"""Changing a workspace: its settings, its name, its status.

Name and status are in the control file, the settings in the workspace's own file. A change of both is committed in
the control file together with a note of the rest (`events.write_later`), so that a power cut cannot leave half of it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books import default_accounts
from erp.finance.closing.datev.charts import ChartName
from erp.finance.documents.totals import TaxRounding
from erp.finance.dunning.terms import RemindersChange
from erp.finance.payments.credit_transfer import Remittance
from erp.finance.reports.tax.counting.counted import Basis as TaxBasis
from erp.finance.reports.tax.elster import TaxOfficeState
from erp.finance.reports.tax.forms import TaxMethod
from erp.hr.payroll.calculation.values import Basis as ProrationBasis
from erp.hr.payroll.leave_payout import Method as PayoutMethod
from erp.kernel import caller
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import Word, says
from erp.kernel.wire import wire_name
from erp.store import control, events, workspace_settings
from erp.store.control import SecondFactor, Workspace
from erp.store.workspace_settings import Settings
from erp.web.address import Address
from erp.web.scalars import Day, Email, Id, Line, Name, NotNegativeAmount, PositiveAmount
from erp.web.schema import Body, Unset
from erp.web.text_scalars import (
    Bic,
    DayOfYear,
    Iban,
    KnownCountry,
    KnownCurrency,
    Nacha,
    NumberFormat,
    PunchRounding,
    TaxNumber,
    TimeApproval,
    TimeBilling,
    TimeLock,
    TimeZone,
    VatId,
    Weekday,
)
from erp.workspace import checks
from erp.workspace.views import PaperLanguage, TaxFiling


class NumberFormatsChange(Body):
    """Formats of number series; omitted ones stay."""

    sales_invoice: NumberFormat | Unset = UNSET
    sales_credit_note: NumberFormat | Unset = UNSET
    purchase_invoice: NumberFormat | Unset = UNSET
    purchase_credit_note: NumberFormat | Unset = UNSET
    payment: NumberFormat | Unset = UNSET
    journal: NumberFormat | Unset = UNSET
    payroll_run: NumberFormat | Unset = UNSET
    expense_claim: NumberFormat | Unset = UNSET
    employee: NumberFormat | Unset = UNSET
    quote: NumberFormat | Unset = UNSET
    reminder: NumberFormat | Unset = UNSET


class TaxBasisFrom(Body):
    """A day from which tax counts when it is owed (accrual), or when it is received (cash)."""

    since: Day
    basis: TaxBasis


class WorkspaceChange(Body):
    """Changes to a workspace; omitted fields stay."""

    name: Name | Unset = UNSET
    legal_name: Line | Unset | None = UNSET
    vat_id: VatId | Unset | None = UNSET
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
    leave_payout: Annotated[PayoutMethod, msgspec.Meta(description="The value of a paid-out day of leave.")] | Unset = (
        UNSET
    )
    punch_rounding: PunchRounding | Unset | None = UNSET
    time_billing: TimeBilling | Unset | None = UNSET
    lateness_grace_minutes: (
        Annotated[int, msgspec.Meta(ge=0, le=120, description="Minutes that do not count as lateness.")] | Unset
    ) = UNSET
    time_approval: (
        Annotated[
            TimeApproval,
            msgspec.Meta(description="Whether people submit their weeks of time; `week_in_month` parts at month ends."),
        ]
        | Unset
    ) = UNSET
    bill_approved_time_only: (
        Annotated[bool, msgspec.Meta(description="Only approved time can be put on an invoice.")] | Unset
    ) = UNSET
    time_lock: TimeLock | Unset | None = UNSET
    managers_see_margin: (
        Annotated[bool, msgspec.Meta(description="Managers see what a project costs, if three people worked on it.")]
        | Unset
    ) = UNSET
    nacha: Nacha | Unset | None = UNSET
    number_formats: NumberFormatsChange | Unset = UNSET
    weekend: Annotated[list[Weekday], msgspec.Meta(max_length=6)] | Unset = UNSET
    default_accounts: dict[str, Id] | Unset = UNSET
    iban: Iban | Unset | None = UNSET
    payroll_four_eyes: (
        Annotated[bool, msgspec.Meta(description="No one approves a payroll run that they made or changed.")] | Unset
    ) = UNSET
    bill_approval: (
        Annotated[bool, msgspec.Meta(description="A bill must be approved before a payment run pays it.")] | Unset
    ) = UNSET
    bills_need_account: (
        Annotated[bool, msgspec.Meta(description="A bill is not issued while a line has only the default account.")]
        | Unset
    ) = UNSET
    share_links: (
        Annotated[bool, msgspec.Meta(description="Documents can be shared by links that need no sign-in.")] | Unset
    ) = UNSET
    requires_two_factor: (
        Annotated[
            bool,
            msgspec.Meta(
                description="Only members with two-factor sign-in may enter. You need it yourself to require it."
            ),
        ]
        | Unset
    ) = UNSET
    small_difference_limit: (
        Annotated[
            NotNegativeAmount,
            msgspec.Meta(description="The largest write-off as a small difference, in the base currency."),
        ]
        | Unset
    ) = UNSET
    low_value_limit: (
        Annotated[
            NotNegativeAmount,
            msgspec.Meta(
                description="The highest net cost of an asset that is expensed at once, in the base currency."
            ),
        ]
        | Unset
    ) = UNSET
    discount_grace_days: (
        Annotated[
            int,
            msgspec.Meta(ge=0, le=365, description="Days after its last day on which a cash discount still applies."),
        ]
        | Unset
    ) = UNSET
    expense_payment_days: (
        Annotated[int, msgspec.Meta(ge=0, le=365, description="Days after which a posted expense claim is due.")]
        | Unset
    ) = UNSET
    quote_valid_days: (
        Annotated[int, msgspec.Meta(ge=0, le=3650, description="Days for which a quote is valid unless it says so.")]
        | Unset
    ) = UNSET
    minutes_per_day: (
        Annotated[
            int,
            msgspec.Meta(ge=1, le=1440, description="Minutes of a day of a quote, for a project's budget."),
        ]
        | Unset
    ) = UNSET
    remittance: (
        Annotated[
            Remittance,
            msgspec.Meta(
                description="For more bills of a supplier than a payment reference can name: `split` pays by several"
                " transfers, `shorten` by one that says how many more there are."
            ),
        ]
        | Unset
    ) = UNSET
    email: Annotated[Email, msgspec.Meta(description="Of the office, for its papers.")] | Unset | None = UNSET
    phone: Line | Unset | None = UNSET
    contact_name: (
        Annotated[Line, msgspec.Meta(description="The contact person for questions about an invoice.")] | Unset | None
    ) = UNSET
    bic: Bic | Unset | None = UNSET
    bank_name: Line | Unset | None = UNSET
    register_entry: (
        Annotated[Line, msgspec.Meta(description="The register court and number, such as `Amtsgericht Köln, HRB 1`.")]
        | Unset
        | None
    ) = UNSET
    managers: Annotated[Line, msgspec.Meta(description="The managing directors, for papers.")] | Unset | None = UNSET
    paper_footer: (
        Annotated[str, msgspec.Meta(max_length=1000, description="Text at the end of each invoice.")] | Unset | None
    ) = UNSET
    paper_language: (
        Annotated[
            PaperLanguage,
            msgspec.Meta(
                description="The language of papers; null: the country's. Of journal entries as well; null: English."
            ),
        ]
        | Unset
        | None
    ) = UNSET
    datev_advisor: (
        Annotated[int, msgspec.Meta(ge=1001, le=9_999_999, description="The tax advisor's number at DATEV.")]
        | Unset
        | None
    ) = UNSET
    datev_client: (
        Annotated[int, msgspec.Meta(ge=1, le=99_999, description="The office's number with its tax advisor.")]
        | Unset
        | None
    ) = UNSET
    datev_chart: (
        Annotated[ChartName, msgspec.Meta(description="The DATEV chart whose codes the accounts have.")] | Unset | None
    ) = UNSET

    reminders: (
        Annotated[RemindersChange, msgspec.Meta(description="Terms of reminders; null: all as in the country.")]
        | Unset
        | None
    ) = UNSET
    tax_form: (
        Annotated[Line, msgspec.Meta(description="The form of tax returns; null: the country's.")] | Unset | None
    ) = UNSET
    tax_method: (
        Annotated[
            TaxMethod,
            msgspec.Meta(
                description="`net_rate`: tax is a percentage of the turnover with tax, the `netTaxRate` of the tax"
                " rates, and no tax of bills is deducted (Switzerland)."
            ),
        ]
        | Unset
    ) = UNSET
    tax_office_state: (
        Annotated[TaxOfficeState, msgspec.Meta(description="The German state of the tax office, for files for ELSTER.")]
        | Unset
        | None
    ) = UNSET
    tax_basis: (
        Annotated[
            list[TaxBasisFrom],
            msgspec.Meta(
                max_length=50,
                description="Basis of sales in tax returns, by the day of the sale; before the first day by accrual. "
                "Replaces the list.",
            ),
        ]
        | Unset
    ) = UNSET

    tax_filing: Annotated[TaxFiling, msgspec.Meta(description="The rhythm of VAT returns.")] | Unset = UNSET
    tax_extension: (
        Annotated[bool, msgspec.Meta(description="VAT returns are due one month later, as the tax office has granted.")]
        | Unset
    ) = UNSET

    EXAMPLE: ClassVar[dict[str, Any]] = {"paymentTermsDays": 14, "defaultAccounts": {"sales": "4100"}}


EVENTS = {"archived": "workspace.archived", "active": "workspace.unarchived"}
"""The event for each new status."""


def change(workspace_id: str, body: WorkspaceChange) -> Settings:
    """Change the workspace that is open for writing.

    Raises:
        VersionMismatch: the caller expects another version.
        BaseCurrencyFixed: the base currency would change although amounts in it exist.
        FiscalYearFixed: the fiscal year would start on another day although a number of one has been used.
        Invalid: values do not fit each other or the books; each is named.
    """
    settings = workspace_settings.current()
    settings.check_version()
    sent = body.changes()
    outside = _outside(workspace_id, sent)
    columns = _differing(checks.columns(sent, settings), settings)
    data = {"changed": [wire_name(field) for field in (*outside, *columns)]}
    if outside:
        _change_both(workspace_id, "workspace.updated", data, columns, **outside)
    elif columns:
        workspace_settings.apply(columns)
        events.write("workspace.updated", "workspace", workspace_id, data)
    return workspace_settings.current()


def _outside(workspace_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """The changes of the control file, taken out of the sent values."""
    workspace = _workspace(workspace_id)
    outside = {name: sent.pop(name) for name in ("name", "requires_two_factor") if name in sent}
    changes: dict[str, Any] = {name: value for name, value in outside.items() if value != getattr(workspace, name)}
    if changes.get("requires_two_factor") and not _has_two_factor():
        message = says("Turn on two-factor sign-in for yourself first, in your profile.")
        raise Invalid.one("requiresTwoFactor", "lacks_two_factor", message)
    return changes


def _has_two_factor() -> bool:
    with control.read():
        factor = SecondFactor.find_or_none(caller.current().user_id)
        return factor is not None and factor.confirmed_at is not None


def set_status(workspace_id: str, status: Literal["active", "archived"]) -> Settings:
    """Archive or unarchive the workspace that is open for writing.

    Raises:
        VersionMismatch: the caller expects another version.
        InvalidTransition: it already has this status.
    """
    workspace_settings.current().check_version()
    if _workspace(workspace_id).status == status:
        raise InvalidTransition(says("The workspace is already {status}.", status=Word.of(status)))
    _change_both(workspace_id, EVENTS[status], {}, {}, state=status)
    return workspace_settings.current()


def _workspace(workspace_id: str) -> Workspace:
    with control.read():
        return Workspace.find(workspace_id)


def _change_both(
    workspace_id: str, event: str, data: Mapping[str, Any], settings: Mapping[str, Any], **workspace: Any
) -> None:
    """Change a workspace's columns in the control file, and settings in its own file."""
    with control.write():
        Workspace.find(workspace_id).change(**workspace)
        events.write_later(workspace_id, event, "workspace", workspace_id, data, changed_settings=settings)
    events.deliver_here(workspace_id)


def _differing(columns: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    present = {name: getattr(settings, name, None) for name in columns}
    if "default_accounts" in columns:
        own = default_accounts.by_key()
        present["default_accounts"] = {key: own.get(key) for key in columns["default_accounts"]}
    return {name: value for name, value in columns.items() if value != present[name]}
