"""Request bodies of expense claims."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.books.periods import AllowFuture
from erp.web.scalars import Currency, Day, Id, Line, Moment, Name, Note, NotNegativeAmount, Number, PositiveAmount
from erp.web.schema import Body, RecordQuery, Unset
from erp.web.text_scalars import KnownCountry

LineKind = Literal["receipt", "mileage", "per_diem"]
PaidBy = Literal["employee", "company_card"]
Vehicle = Literal["car", "motorcycle", "bicycle"]
Status = Literal["draft", "submitted", "approved", "rejected", "posted", "partially_paid", "paid", "void"]


class Distance(Number):
    """A distance above zero, in the unit of the country's rates."""

    decimals = 1
    whole_digits = 5
    sign = "positive"
    json_schema = {
        "type": "string",
        "description": "A distance in kilometres, in GB and US in miles, with at most 1 decimal.",
    }


class StayBody(Body):
    """Where a day of a journey ended."""

    date: Day
    country: KnownCountry
    region: Name | None = None


class MealsBody(Body):
    """The meals of a day that others have paid."""

    date: Day
    breakfast: bool = False
    lunch: bool = False
    dinner: bool = False


class NewClaimLine(Body):
    """A receipt, a journey with one's own vehicle (`mileage`), or days away (`per_diem`)."""

    kind: LineKind
    category_id: Annotated[Id, Meta(description="An id or code. `mileage` and `per_diem` by default.")] | None = None
    date: Annotated[Day, Meta(description="Of a per diem, by default the day on which it begins.")] | None = None
    description: Line | None = None
    project_id: Id | None = None
    task_id: Id | None = None
    is_billable: bool = False
    paid_by: PaidBy = msgspec.field(default="employee", name="paidBy")
    account_id: Annotated[AccountIdOrCode, Meta(description="The category's account by default.")] | None = None
    attachment_ids: Annotated[list[Id], Meta(max_length=20, description="Files of the claim.")] = []
    amount: Annotated[PositiveAmount, Meta(description="The total of a receipt, tax included.")] | None = None
    currency: Annotated[Currency, Meta(description="The base currency by default.")] | None = None
    exchange_rate: RateOrLatest | None = None
    tax_rate_id: (
        Annotated[Id, Meta(description="The category's by default, and none of a receipt in a foreign currency.")]
        | Unset
        | None
    ) = UNSET
    tax_amount: (
        Annotated[NotNegativeAmount, Meta(description="The tax as printed, if it differs by rounding: at most 0.05.")]
        | None
    ) = None
    supplier_name: Name | None = None
    receipt_number: Name | None = None
    distance: Distance | None = None
    vehicle: Vehicle | None = None
    origin: Annotated[Line, Meta(description="Where a journey began.")] | None = msgspec.field(
        default=None, name="from"
    )
    destination: Annotated[Line, Meta(description="Where it ended.")] | None = msgspec.field(default=None, name="to")
    country: Annotated[KnownCountry, Meta(description="The workspace's by default.")] | None = None
    region: Annotated[Name, Meta(description="A region or city of the country with per diems of its own.")] | None = (
        None
    )
    start_at: Moment | None = None
    end_at: Moment | None = None
    overnight: Annotated[
        bool, Meta(description="False for two days without a night in lodging: the longer one counts.")
    ] = True
    stays: Annotated[
        list[StayBody], Meta(max_length=400, description="Days that ended elsewhere than in `country` and `region`.")
    ] = []
    meals: Annotated[list[MealsBody], Meta(max_length=400)] = []


Lines = Annotated[list[NewClaimLine], Meta(min_length=1, max_length=200)]


class NewClaim(Body):
    """Expenses to claim; the caller's own by default."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "employeeId": "EMP-0001",
        "title": "Customer visit in Linz",
        "lines": [{"kind": "receipt", "date": "2026-03-09", "categoryId": "travel", "amount": "32.10"}],
    }

    title: Name
    lines: Lines
    employee_id: (
        Annotated[Id, Meta(description="An id or number; someone else's needs the right to decide on their claims.")]
        | None
    ) = None
    note: Note | None = None


class ClaimChange(Body):
    """The fields of a claim to change. Lines are replaced as a whole; a line keeps its id by its place."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "title": "Customer visit in Linz and Wels",
        "lines": [{"kind": "receipt", "date": "2026-03-09", "categoryId": "travel", "amount": "32.10"}],
    }

    title: Name | Unset = UNSET
    note: Note | Unset | None = UNSET
    lines: Lines | Unset = UNSET


class ClaimSubmission(Body):
    force: Annotated[bool, Meta(description="Although another claim or bill has the same file.")] = False


class ClaimNote(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "Welcome back"}

    note: Note | None = None


class ClaimReason(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "The hotel's receipt is missing."}

    reason: Annotated[Note, Meta(min_length=1, description="A message to the employee.")]


class ClaimVerdict(Body):
    """The decision on one claim."""

    id: Id
    decision: Literal["approve", "return", "reject"]
    note: Annotated[Note, Meta(description="Required except to approve.")] | None = None


class ClaimDecisions(Body):
    """Decisions that are taken together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "decisions": [{"id": "01890a5d-ac96-774b-bcce-b302099a8057", "decision": "approve"}]
    }

    decisions: Annotated[list[ClaimVerdict], Meta(min_length=1, max_length=200)]


PayBy = Annotated[
    Literal["payment_run", "payslip"], Meta(description="`payslip`: the person's next payslip in a draft takes it.")
]


class ClaimPosting(Body):
    """The day of the entry; by default the last line's, or the first open day."""

    date: Day | None = None
    pay_by: PayBy = "payment_run"
    allow_future: AllowFuture = False
    dry_run: Annotated[bool, Meta(description="Show the claim as posted, and store nothing.")] = False


class ClaimVoid(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Claimed twice"}

    date: Annotated[Day, Meta(description="Today by default, or the day of the entry if that is later.")] | None = None
    reason: Note | None = None
    allow_future: AllowFuture = False


class ClaimFilter(RecordQuery):
    """Filter for expense claims."""

    employee_id: Annotated[Id, Meta(description="An employee's id or number.")] | None = None
    is_own: Annotated[bool, Meta(description="Whether they are your own.")] | None = None
    status: Annotated[str, Meta(description="One or more, separated by commas.")] | None = None
    date_from: Annotated[Day, Meta(description="Created, or submitted, on or after this day.")] | None = None
    date_to: Annotated[Day, Meta(description="Created, or submitted, on or before this day.")] | None = None
    q: Annotated[str, Meta(max_length=200, description="Text in the number or title.")] | None = None
    sort: Literal["createdAt", "-createdAt", "total", "-total", "number", "-number"] = "-createdAt"
