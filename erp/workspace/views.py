"""View of a workspace for its members: name and status from the control file, settings from its own."""

from typing import Annotated, Literal

import msgspec

from erp.finance.books import default_accounts
from erp.finance.closing.datev.charts import ChartName
from erp.finance.documents.totals import TaxRounding
from erp.finance.dunning.terms import RemindersView
from erp.finance.payments.credit_transfer import Remittance
from erp.finance.reports.tax.counting.counted import Basis as TaxBasis
from erp.finance.reports.tax.elster import TaxOfficeState
from erp.finance.reports.tax.forms import TaxMethod
from erp.hr.payroll.calculation.values import Basis as ProrationBasis
from erp.hr.payroll.leave_payout import Method as PayoutMethod
from erp.kernel import caller, money
from erp.kernel.language import Sentence
from erp.kernel.roles import Role
from erp.members.memberships import Status
from erp.store import control, workspace_settings
from erp.store.control import Workspace
from erp.store.workspace_settings import Settings
from erp.web.address import AddressView
from erp.web.scalars import Day, Money
from erp.web.schema import RecordView, View, known, show
from erp.web.text_scalars import PunchRounding, TimeApproval, TimeBilling, TimeLock, Weekday
from erp.workspace import checks

PaperLanguage = Literal["en", "de"]
TaxFiling = Literal["monthly", "quarterly", "yearly"]


class NachaView(View):
    """The originator of NACHA files."""

    company_id: str
    originating_routing: str


class TaxBasisView(View):
    """A day from which tax counts when it is owed, or when it is received."""

    since: str
    basis: TaxBasis


class FixedSettingView(View):
    """A setting that can no longer be changed, and the reason."""

    field: str
    message: Sentence


class WorkspaceView(RecordView):
    """A workspace with its settings."""

    name: str
    status: Status
    role: Role
    is_sample: Annotated[
        bool, msgspec.Meta(description="Whether its data is made up, to look around in. Nothing leaves it.")
    ]
    legal_name: str | None
    vat_id: str | None
    tax_number: str | None
    address: AddressView | None
    base_currency: str
    country: str | None
    time_zone: str
    fiscal_year_start: str
    tax_rounding: TaxRounding
    cash_rounding: Money | None
    prices_include_tax: bool
    payment_terms_days: int
    proration_basis: ProrationBasis
    leave_payout: PayoutMethod
    punch_rounding: PunchRounding | None
    time_billing: TimeBilling | None
    lateness_grace_minutes: int
    time_approval: TimeApproval
    bill_approved_time_only: bool
    time_lock: TimeLock | None
    managers_see_margin: bool
    nacha: NachaView | None
    number_formats: dict[str, str]
    weekend: list[Weekday]
    default_accounts: dict[str, str]
    iban: str | None
    payroll_four_eyes: bool
    bill_approval: bool
    bills_need_account: bool
    share_links: bool
    requires_two_factor: bool
    small_difference_limit: Money
    low_value_limit: Money
    discount_grace_days: int
    expense_payment_days: int
    quote_valid_days: int
    minutes_per_day: int
    remittance: Remittance
    lock_date: Day | None
    email: str | None
    phone: str | None
    contact_name: str | None
    bic: str | None
    bank_name: str | None
    register_entry: str | None
    managers: str | None
    paper_footer: str | None
    paper_language: PaperLanguage | None
    logo_hash: str | None
    tax_form: str | None
    tax_method: TaxMethod
    tax_basis: list[TaxBasisView]
    tax_office_state: TaxOfficeState | None
    tax_filing: TaxFiling
    tax_extension: bool
    datev_advisor: int | None
    datev_client: int | None
    datev_chart: ChartName | None
    reminders: RemindersView
    fixed: Annotated[list[FixedSettingView], msgspec.Meta(description="Settings that can no longer be changed.")]

    @classmethod
    def of(cls, workspace: Workspace, role: Role) -> "WorkspaceView":
        """Show a workspace whose file is open."""
        row = workspace_settings.current()
        return show(
            cls,
            row,
            name=workspace.name,
            status=workspace.status,
            role=role,
            is_sample=workspace.is_sample,
            requires_two_factor=workspace.requires_two_factor,
            address=AddressView.of(row.address),
            punch_rounding=row.punch_rounding and msgspec.convert(row.punch_rounding, known(PunchRounding)),
            time_billing=TimeBilling.of(row.time_billing),
            nacha=row.nacha and NachaView(**row.nacha),
            time_lock=row.time_lock and msgspec.convert(row.time_lock, known(TimeLock)),
            cash_rounding=row.cash_rounding and money.text(row.cash_rounding, row.base_currency),
            low_value_limit=money.text(row.low_value_limit, row.base_currency),
            small_difference_limit=money.text(row.small_difference_limit, row.base_currency),
            default_accounts=default_accounts.by_key(),
            reminders=RemindersView.of(row),
            tax_basis=[TaxBasisView(**change) for change in row.tax_basis],
            fixed=[FixedSettingView(field=field, message=message) for field, message in checks.fixed().items()],
        )

    @classmethod
    def for_caller(cls, settings: Settings) -> "WorkspaceView":
        """The view of the open workspace, with the caller's role in it."""
        role = caller.current().role
        assert role is not None
        with control.read():
            workspace = Workspace.find(settings.id)
        return cls.of(workspace, role)
