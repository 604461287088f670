"""Request bodies of opening balances, and their views."""

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.ledger import Leg
from erp.finance.books.models import JournalEntry
from erp.kernel import money
from erp.kernel.intake.day_order import DateOrder
from erp.store import workspace_settings
from erp.web.scalars import Currency, Day, Id, Money, Month, Name, PositiveAmount
from erp.web.schema import Body, View

MOST = 5_000
"""The most rows of one request."""


class OpeningLine(Body, kw_only=True):
    """The balance of an account, a debit or a credit; a receivable or payable is compared with its items."""

    account_id: AccountIdOrCode
    debit: PositiveAmount | None = None
    credit: PositiveAmount | None = None
    currency: Currency | None = None
    foreign_amount: PositiveAmount | None = None


class OpeningItem(Body, kw_only=True):
    """An open item of a contact, with its number in the former program."""

    account_id: AccountIdOrCode
    contact_id: Id
    number: Name
    document_date: Day
    due_date: Annotated[Day, Meta(description="The document date when absent.")] | None = None
    debit: PositiveAmount | None = None
    credit: PositiveAmount | None = None
    currency: Currency | None = None
    foreign_amount: PositiveAmount | None = None
    tax_rate_id: (
        Annotated[Id, Meta(description="The tax rate included in the amount, for discounts and bad debts.")] | None
    ) = None


class OpeningMonth(Body, kw_only=True):
    """The balance of an account at the end of a month, from a trial balance of the former program.

    Of income and expenses, since the fiscal year began: the last month is the whole year.
    """

    account_id: AccountIdOrCode
    month: Month
    debit: PositiveAmount | None = None
    credit: PositiveAmount | None = None


class NewOpeningBalances(Body, kw_only=True):
    """The balances of all accounts at the end of a day, or a spreadsheet of them."""

    date: Annotated[Day, Meta(description="The last day of the former program.")]
    lines: Annotated[list[OpeningLine], Meta(max_length=MOST)] = []
    items: Annotated[list[OpeningItem], Meta(max_length=MOST)] = []
    months: Annotated[
        list[OpeningMonth],
        Meta(
            max_length=MOST,
            description="Balances of earlier months, for comparison in reports. They are not posted, and are replaced "
            "with the opening balances.",
        ),
    ] = []
    csv: (
        Annotated[
            str,
            Meta(
                min_length=1,
                description="In place of lines, items, months: a table with columns account, debit, credit, contact, "
                "number, documentDate, dueDate, currency, foreignAmount, taxRate and month; the first three are "
                "enough. A row with a month is for comparison. A table with other headings is read by the mapping that "
                "is kept for them.",
            ),
        ]
        | None
    ) = None
    xlsx: Annotated[str, Meta(min_length=1, description="The same table as an Excel file, in base64.")] | None = None
    source: (
        Annotated[
            Literal["xero"],
            Meta(
                description="The table is an export of sales invoices or of bills from this program: what is open of "
                "them is added to the opening balances in force."
            ),
        ]
        | None
    ) = None
    date_order: (
        Annotated[DateOrder, Meta(description="With `source`: for dates such as 01/02/2026, if no date shows it.")]
        | None
    ) = None
    dry_run: Annotated[bool, Meta(description="Check and add up, and post nothing.")] = False

    FILES: ClassVar[dict[str, str]] = {
        "text/csv": "csv",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    }

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "date": "2025-12-31",
        "lines": [{"accountId": "1010", "debit": "10000.00"}, {"accountId": "3000", "credit": "10000.00"}],
        "dryRun": True,
    }


class OpeningView(View):
    """The opening balances in force: their day, their journal entry, and the months for comparison."""

    date: Date | None = None
    journal_entry_id: str | None = None
    number: str | None = None
    months: list[str] = []


class OpeningBalancesView(View):
    """The opening balances that were entered, or would be in a dry run.

    A difference between the sides goes to the opening balance account.
    """

    date: Date
    accounts: Annotated[int, Meta(description="Number of posted balances, without contacts' items.")]
    items: Annotated[int, Meta(description="Number of new open items.")]
    comparisons: Annotated[int, Meta(description="Number of balances of earlier months for comparison.")]
    total: Annotated[Money, Meta(description="The sum of the debits.")]
    difference: Annotated[
        Money, Meta(description="Difference that went to the opening balance account; a debit above zero.")
    ]
    replaced_entry_id: Annotated[str | None, Meta(description="The entry of the earlier opening balances.")]
    journal_entry_id: Annotated[str | None, Meta(description="Null in a dry run, or where nothing is new.")]
    dry_run: bool

    @classmethod
    def of(
        cls,
        body: NewOpeningBalances,
        legs: Sequence[Leg],
        difference: int,
        *,
        comparisons: int,
        replaced: JournalEntry | None,
    ) -> "OpeningBalancesView":
        """The view of posted legs, without the leg of the difference."""
        base = workspace_settings.current().base_currency
        items = sum(leg.contact_id is not None for leg in legs)
        return cls(
            date=body.date,
            accounts=len(legs) - items,
            items=items,
            comparisons=comparisons,
            total=money.text(sum(amount for amount in (difference, *(leg.amount for leg in legs)) if amount > 0), base),
            difference=money.text(difference, base),
            replaced_entry_id=None if replaced is None else replaced.id,
            journal_entry_id=None,
            dry_run=body.dry_run,
        )
