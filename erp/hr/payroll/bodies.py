"""Payroll runs as requests give them."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.bodies import AccountIdOrCode
from erp.web.scalars import Day, Id, Line
from erp.web.schema import Body, Query


class NewPayrollRun(Body):
    """The period to pay, for every employee due or only for those named; `dryRun` stores nothing."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "periodStart": "2026-01-01",
        "periodEnd": "2026-01-31",
        "payDate": "2026-01-30",
    }

    period_start: Day
    period_end: Annotated[Day, msgspec.Meta(description="The last day; a period has 366 days at most.")]
    pay_date: Annotated[Day, msgspec.Meta(description="`periodEnd` when absent.")] | None = None
    employee_ids: (
        Annotated[
            list[Id],
            msgspec.Meta(min_length=1, max_length=1000, description="Ids or numbers; every employee when absent."),
        ]
        | None
    ) = None
    dry_run: bool = False


class PayrollApproval(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: (
        Annotated[Day, msgspec.Meta(description="Of the journal entry; the end of the period when absent.")] | None
    ) = None


class PayrollPayment(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"accountId": "1010"}

    date: Annotated[Day, msgspec.Meta(description="Of the journal entry; the pay date when absent.")] | None = None
    account_id: AccountIdOrCode | None = None


class PayrollReversal(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Run before the raises were entered"}

    date: Annotated[Day, msgspec.Meta(description="Of the journal entries; today when absent.")] | None = None
    reason: Annotated[Line, msgspec.Meta(min_length=1)]


class BankFileQuery(Query):
    """The format of a bank file."""

    format: Annotated[
        Literal["pain001", "csv"], msgspec.Meta(description="ISO 20022 pain.001.001.09, or a plain table.")
    ] = "pain001"
