"""Request bodies of payroll runs."""

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.hr.payroll.models import RunKind
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Day, Id, Line
from erp.web.schema import Body, Query
from erp.web.text_scalars import KnownCurrency

LONGEST = datetime.timedelta(days=366)

TakeOverrides = Annotated[
    bool, msgspec.Meta(description="Also copy the overrides of the reversed run for the same period.")
]


class NewPayrollRun(Body):
    """The period to pay, for every employee due or only for those named; `dryRun` stores nothing.

    A `correction` pays differences alone; by default its period spans the periods of the runs that it corrects.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "periodStart": "2026-01-01",
        "periodEnd": "2026-01-31",
        "payDate": "2026-01-30",
    }

    kind: Annotated[
        RunKind, msgspec.Meta(description="A `correction` pays no day, only what earlier payslips lack.")
    ] = "regular"
    period_start: Annotated[Day, msgspec.Meta(description="Required, except for a correction.")] | None = None
    period_end: (
        Annotated[Day, msgspec.Meta(description="The last day; a regular period has 366 days at most.")] | None
    ) = None
    pay_date: Annotated[Day, msgspec.Meta(description="`periodEnd` when absent, today for a correction.")] | None = None
    include_differences: Annotated[
        bool, msgspec.Meta(description="Also pay the open differences of the employees whom a regular run pays.")
    ] = True
    of_run_ids: (
        Annotated[
            list[Id],
            msgspec.Meta(min_length=1, max_length=100, description="The runs to correct; every run when absent."),
        ]
        | None
    ) = None
    employee_ids: (
        Annotated[
            list[Id],
            msgspec.Meta(min_length=1, max_length=1000, description="Ids or numbers; every employee when absent."),
        ]
        | None
    ) = None
    currency: (
        Annotated[KnownCurrency, msgspec.Meta(description="Of the pay that it pays; the base currency when absent.")]
        | None
    ) = None
    take_overrides: TakeOverrides = False
    dry_run: bool = False

    def check(self) -> Iterator[Complaint]:
        if self.kind == "regular":
            yield from self._of_regular()
        start, end = self.period_start, self.period_end
        if not isinstance(start, datetime.date) or not isinstance(end, datetime.date):
            return
        if end < start:
            yield Complaint("periodEnd", "before_start", says("Must not be before periodStart."))
        if self.kind == "regular" and end - start >= LONGEST:
            message = says("A period can have at most {days} days.", days=LONGEST.days)
            yield Complaint("periodEnd", "too_long", message)

    def _of_regular(self) -> Iterator[Complaint]:
        for name, day in (("periodStart", self.period_start), ("periodEnd", self.period_end)):
            if day is None:
                yield Complaint(name, "required", says("This field is required."))
        if self.of_run_ids is not None:
            yield Complaint("ofRunIds", "not_applicable", says("Only a correction names the runs that it corrects."))


class PayrollRecalculation(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    take_overrides: TakeOverrides = False
    take: Annotated[bool, msgspec.Meta(description="Also add the `proposals`, as one-off lines.")] = False


class PayrollApproval(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: (
        Annotated[Day, msgspec.Meta(description="Of the journal entry; the end of the period when absent.")] | None
    ) = None
    exchange_rate: RateOrLatest | None = None


class PayrollPayment(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"accountId": "1010"}

    date: Annotated[Day, msgspec.Meta(description="Of the journal entry; the pay date when absent.")] | None = None
    account_id: AccountIdOrCode | None = None
    exchange_rate: RateOrLatest | None = None


class PaymentUndo(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Recorded for the wrong account"}

    reason: Annotated[Line, msgspec.Meta(min_length=1)]


class PayrollReversal(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "reason": "Paid to a wrong account",
        "moneyReturnedOn": "2026-02-04",
    }

    date: (
        Annotated[
            Day,
            msgspec.Meta(
                description="Of the entry that reverses the accrual; its own by default, or today if that is locked."
            ),
        ]
        | None
    ) = None
    reason: Annotated[Line, msgspec.Meta(min_length=1)]
    money_returned_on: (
        Annotated[
            Day,
            msgspec.Meta(
                description="Date on which the money of a paid run was returned: the date of the reversing entry."
            ),
        ]
        | None
    ) = None


class BankFileQuery(Query):
    """The format of a bank file."""

    format: (
        Annotated[
            Literal["pain001", "nacha", "bacs_csv", "csv"],
            msgspec.Meta(
                description="ISO 20022 pain.001.001.09, NACHA, a table for BACS, or a plain table; by default the "
                "usual one of the currency."
            ),
        ]
        | None
    ) = None
    execution_date: (
        Annotated[
            Day, msgspec.Meta(description="The bank's execution date; the pay date by default, never in the past.")
        ]
        | None
    ) = None
