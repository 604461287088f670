"""Request bodies of fixed assets and of depreciation runs."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, field

from erp.finance.assets.models import AssetStatus, DisposalKind
from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.documents.line_assets import (
    AssetMethod,
    DecliningPercent,
    InUseOn,
    LifeMonths,
    LineAsset,
    ResidualValue,
)
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Amount, Day, Id, Line, Month, Name, Note, NotNegativeAmount, PositiveAmount
from erp.web.schema import Body, RecordQuery, Unset

AccountOfAsset = Annotated[AccountIdOrCode, Meta(description="An account for fixed assets, by its id or code.")]
Cost = Annotated[PositiveAmount, Meta(description="Net cost with non-deductible tax, in the base currency.")]
AcquiredOn = Annotated[Day, Meta(description="The day of the purchase.")]
OpeningAccumulated = Annotated[
    NotNegativeAmount,
    Meta(description="Depreciation of an old asset, posted elsewhere: through the last month over on `openingDate`."),
]
OpeningDate = Annotated[Day, Meta(description="The day of the opening balances that include an old asset.")]


class AssetLine(Body):
    """A line of a document."""

    invoice_id: Id
    line_id: Id


class NewAsset(LineAsset, kw_only=True):
    """A fixed asset, as a draft; with `fromLine`, what it leaves out is taken from the line of a bill."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Laptop",
        "accountId": "1500",
        "cost": "1500.00",
        "acquiredOn": "2026-01-12",
        "inUseOn": "2026-01-15",
        "lifeMonths": 36,
    }

    account_id: AccountOfAsset | None = None
    cost: Cost | None = None
    acquired_on: AcquiredOn | None = None
    opening_accumulated: OpeningAccumulated | None = None
    opening_date: OpeningDate | None = None
    project_id: Id | None = None
    dimensions: Dimensions | None = None
    employee_id: Annotated[Id, Meta(description="Its user.")] | None = None
    from_line: Annotated[AssetLine, Meta(description="The line of a bill on which it was bought.")] | None = None

    def check(self) -> Iterable[Complaint]:
        if self.count is not None and self.from_line is None:
            yield Complaint("count", "not_needed", says("Only with fromLine. Clear the field."))


class AssetRow(Body):
    """An old asset of an import: it is in use at once, and nothing is posted for it."""

    name: Name
    account_id: AccountOfAsset
    cost: Cost
    acquired_on: AcquiredOn
    in_use_on: InUseOn | None = None
    life_months: LifeMonths | None = None
    method: AssetMethod = "linear"
    declining_percent: DecliningPercent | None = None
    residual_value: ResidualValue | None = None
    opening_accumulated: OpeningAccumulated | None = None
    opening_date: OpeningDate | None = None
    project_id: Id | None = None
    dimensions: Dimensions | None = None
    employee_id: Annotated[Id, Meta(description="Its user.")] | None = None
    serial_number: Line | None = None
    location: Line | None = None
    note: Note | None = None


class AssetChange(Body):
    """The fields of an asset to change. Null clears a field."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"location": "Berlin"}

    name: Name | Unset = UNSET
    account_id: AccountOfAsset | Unset = UNSET
    cost: Cost | Unset = UNSET
    acquired_on: AcquiredOn | Unset = UNSET
    in_use_on: InUseOn | Unset | None = UNSET
    life_months: LifeMonths | Unset | None = UNSET
    method: AssetMethod | Unset = UNSET
    declining_percent: DecliningPercent | Unset | None = UNSET
    residual_value: ResidualValue | Unset = UNSET
    opening_accumulated: OpeningAccumulated | Unset = UNSET
    opening_date: OpeningDate | Unset | None = UNSET
    project_id: Id | Unset | None = UNSET
    dimensions: Dimensions | Unset | None = UNSET
    employee_id: Annotated[Id, Meta(description="Its user.")] | Unset | None = UNSET
    serial_number: Line | Unset | None = UNSET
    location: Line | Unset | None = UNSET
    note: Note | Unset | None = UNSET


class LifeChange(Body):
    """A new useful life: what is left is spread over the months that are left of it."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"lifeMonths": 48, "from": "2026-12", "reason": "It wears out sooner"}

    life_months: Annotated[int, Meta(ge=1, le=1200, description="The whole life, from the first month in use.")]
    from_: Annotated[Month, Meta(description="The first month of the new depreciation.")] = field(name="from")
    reason: Name


class AssetDisposal(Body):
    """The day and the kind of a disposal."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"date": "2026-06-15", "kind": "scrapped", "reason": "Water damage"}

    date: Day
    kind: DisposalKind
    reason: Name
    invoice_id: Annotated[Id, Meta(description="The invoice with which it was sold.")] | None = None
    line_id: Annotated[Id, Meta(description="The line of that invoice, if it has several.")] | None = None
    proceeds: (
        Annotated[Amount, Meta(description="Net proceeds, if there is no invoice: for the gain; not posted.")] | None
    ) = None

    def check(self) -> Iterable[Complaint]:
        if self.invoice_id is not None and self.proceeds is not None:
            yield Complaint("proceeds", "not_needed", says("The invoice has the proceeds. Clear the field."))
        if self.line_id is not None and self.invoice_id is None:
            yield Complaint("invoiceId", "required", says("Choose the invoice of the line."))


class AssetFilter(RecordQuery):
    status: AssetStatus | None = None
    account_id: AccountIdOrCode | None = None
    project_id: str | None = None
    is_fully_depreciated: Annotated[bool, Meta(description="Whether nothing is left to depreciate.")] | None = None
    q: Annotated[str, Meta(max_length=200, description="Text in number, name, serial number or location.")] | None = (
        None
    )
    sort: Literal["number", "-number", "name", "-name", "acquiredOn", "-acquiredOn", "createdAt", "-createdAt"] = (
        "-number"
    )


class NewDepreciationRun(Body):
    """The month whose depreciation is posted."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"month": "2026-03"}

    month: Month
    dry_run: Annotated[bool, Meta(description="Show the depreciation, and post nothing.")] = False


class DepreciationRunVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "A useful life was wrong"}

    reason: Line | None = None


class DepreciationRunFilter(RecordQuery):
    status: Literal["posted", "void"] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    sort: Literal["date", "-date", "createdAt", "-createdAt"] = "-date"
