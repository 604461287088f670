"""Request bodies of bank statements."""

from io import BytesIO
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.periods import AllowFuture
from erp.kernel.language import Sentence, says
from erp.web.scalars import Amount, Day, Id, Line, Name, NotNegativeAmount, PositiveAmount, shaped
from erp.web.schema import Body, Query, RecordQuery, TableQuery, Unset
from erp.web.text_scalars import Iban
from erp.web.transport.uploads import Upload

Column = Annotated[str, Meta(min_length=1, max_length=100, description="The heading of a column.")]


Delimiter = Literal[";", ",", "\t"]
DecimalSign = Literal[",", "."]
SkippedRows = Annotated[int, Meta(ge=0, le=100, description="Rows before the headings.")]


class CsvColumns(Body):
    """The columns of a bank's CSV file: either `amount`, or `debit` and `credit`."""

    date: Column
    amount: Column | None = None
    debit: Column | None = None
    credit: Column | None = None
    value_date: Column | None = None
    text: Annotated[list[Column], Meta(max_length=10)] = []
    party: Column | None = None
    payer: Annotated[Column, Meta(description="With `payee`: the other side where money comes in.")] | None = None
    payee: Annotated[Column, Meta(description="With `payer`: the other side where money goes out.")] | None = None
    iban: Column | None = None
    reference: Annotated[Column, Meta(description="The bank's own reference of the line, never used twice.")] | None = (
        None
    )
    end_to_end: Column | None = None
    balance: Annotated[Column, Meta(description="The balance after the line.")] | None = None
    currency: Column | None = None


class CsvMapping(Body):
    """The mapping of a bank's CSV files."""

    columns: CsvColumns
    delimiter: Delimiter = ";"
    decimal_sign: DecimalSign = ","
    date_format: Annotated[
        str,
        shaped(
            r"^[DMY./ -]{3,12}$",
            says("Must be a format of D, M and Y, such as DD.MM.YYYY."),
            description="Format of days, of D, M and Y.",
            examples=["DD.MM.YYYY"],
        ),
    ] = "DD.MM.YYYY"
    skip_rows: SkippedRows = 0


class StatementFile(Upload):
    """A file from a bank: raw, or in JSON as text or in base64."""

    json_schema: ClassVar[dict[str, Any]] = {
        "type": "string",
        "description": "camt.053 or 052, MT940 or CSV as text, or any of them or a zip file in base64.",
    }

    @classmethod
    def read(cls, value: object) -> Upload:
        is_text = isinstance(value, str) and any(sign in value.strip() for sign in SEPARATORS)
        return cls(BytesIO(str(value).encode())) if is_text else super().read(value)


SEPARATORS = "\n;,\t "
"""Characters of text that base64 lacks, so that a short table is not taken for a file in base64."""


class CsvHead(Body):
    """A bank's CSV file whose columns are not known yet."""

    UPLOAD: ClassVar[bool] = True
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "file": "Buchungstag;Verwendungszweck;Betrag\n05.01.2026;Miete;-850,00\n07.01.2026;R-2026-0001;1.190,00"
    }

    file: StatementFile
    delimiter: Delimiter | None = None
    skip_rows: SkippedRows | None = None


class BankAccountChange(Body):
    """The bank account behind an account; null clears a field."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "csvMapping": {"columns": {"date": "Buchungstag", "amount": "Betrag", "text": ["Verwendungszweck"]}}
    }

    iban: Annotated[Iban, Meta(description="Statements with another IBAN are refused.")] | Unset | None = UNSET
    csv_mapping: CsvMapping | Unset | None = UNSET


class BankStatementFile(Body):
    """A file from the bank."""

    UPLOAD: ClassVar[bool] = True
    SMALLER: ClassVar[Sentence] = says("Send the file itself as the body, or in a form. It may have up to 25 MiB.")
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "accountId": "1010",
        "file": ":20:STARTUMSE\n:25:12345678/0000012345\n:28C:1/1\n:60F:C260101EUR100,00\n"
        ":61:2601050105CR20,00NTRFNONREF//4711\n:86:Rent\n:62F:C260131EUR120,00\n-",
    }

    file: StatementFile
    account_id: (
        Annotated[
            AccountIdOrCode,
            Meta(description="Not needed where accounts have the IBANs of the file; of several, each goes to its own."),
        ]
        | None
    ) = None
    name: Annotated[Name, Meta(description="Name of the file.")] | None = None
    opening_balance: (
        Annotated[Amount, Meta(description="Before the first line, where the file has none and is the first.")] | None
    ) = None
    closing_balance: Annotated[Amount, Meta(description="After the last line, where the file has none.")] | None = None
    dry_run: Annotated[bool, Meta(description="Read and check, and store nothing.")] = False


class ConfirmedEntry(Body):
    """An entry of the books that matches a line, or a part of it."""

    entry_id: Annotated[Id, Meta(description="A journal entry that moves money on the account.")]
    amount: (
        Annotated[PositiveAmount, Meta(description="The open part of the entry and the line when absent.")] | None
    ) = None


class ConfirmedItem(Body):
    """An open item that a line pays."""

    item_id: Annotated[Id, Meta(description="An open item of a contact.")]
    amount: PositiveAmount
    discount_taken: bool = False
    discount_amount: PositiveAmount | None = None
    settle_difference: Annotated[bool, Meta(description="Write off what is left, as a small difference.")] = False


class ConfirmedPart(Body):
    """A part of a line that is posted to an account."""

    account_id: AccountIdOrCode
    amount: Annotated[PositiveAmount, Meta(description="Tax included, above zero also of money out.")]
    tax_rate_id: Annotated[Id, Meta(description="The tax included in the amount.")] | None = None
    project_id: Id | None = None
    dimensions: Dimensions | None = None
    contact_id: Annotated[Id, Meta(description="For accounts that need a contact.")] | None = None
    description: Line | None = None


class LineConfirmation(Body):
    """The match of a line: entries, paid open items, an account, or parts. Without any: the first suggestion."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    entries: Annotated[list[ConfirmedEntry], Meta(max_length=200)] = []
    items: Annotated[list[ConfirmedItem], Meta(max_length=200)] = []
    contact_id: (
        Annotated[Id, Meta(description="Keeps what the items leave as a credit; without items, all of it.")] | None
    ) = None
    fee_amount: Annotated[NotNegativeAmount, Meta(description="The bank's fee.")] | None = None
    fee_tax_rate_id: Annotated[Id, Meta(description="Of category S: the tax included in the fee.")] | None = None
    account_id: AccountIdOrCode | None = None
    parts: Annotated[
        list[ConfirmedPart], Meta(max_length=20, description="Instead of `accountId`: they add up to the line.")
    ] = []
    reminder_id: (
        Annotated[Id, Meta(description="With `items`: invoice the charges of this reminder, and pay them as well.")]
        | None
    ) = None
    rule_id: Annotated[Id, Meta(description="The bank rule that it follows, which counts its uses.")] | None = None
    tax_rate_id: Annotated[Id, Meta(description="With `accountId`: the tax included in the amount.")] | None = None
    project_id: Annotated[Id, Meta(description="Of the posting to `accountId`, or of the fee.")] | None = None
    rest_account_id: (
        Annotated[AccountIdOrCode, Meta(description="With `items` or `entries`: what they leave is posted to it.")]
        | None
    ) = None
    rest_tax_rate_id: Annotated[Id, Meta(description="Of category S: the tax included in that rest.")] | None = None
    dimensions: Dimensions | None = None
    description: Line | None = None


class DraftItem(Body):
    """An open item of a match that is being chosen."""

    item_id: Annotated[Id, Meta(description="An open item of a contact.")]
    amount: Annotated[PositiveAmount, Meta(description="As much as fits when absent.")] | None = None
    discount_taken: Annotated[bool, Meta(description="A cash discount in time, if one is offered.")] = True


class DraftPart(Body):
    """A part of a split that is being typed."""

    amount: PositiveAmount | None = None
    tax_rate_id: Id | None = None


class MatchDraft(Body):
    """A match as far as it is chosen: items and entries, or parts of a split."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"parts": [{"amount": "71.40"}, {"amount": "47.60"}]}

    items: Annotated[list[DraftItem], Meta(max_length=200)] = []
    entries: Annotated[list[ConfirmedEntry], Meta(max_length=200)] = []
    parts: Annotated[list[DraftPart], Meta(max_length=20)] = []
    fee_amount: Annotated[NotNegativeAmount, Meta(description="The bank's fee.")] | None = None
    keeps_rest: Annotated[bool, Meta(description="Whether what is left stays as a credit of the contact.")] = False
    posts_rest: Annotated[bool, Meta(description="Whether what is left is posted to an account.")] = False


class LinesConfirmation(Body):
    """The lines of an account to match with their first suggestions."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"accountId": "1010", "dryRun": True}

    account_id: AccountIdOrCode
    line_ids: (
        Annotated[list[Id], Meta(max_length=300, description="All unmatched lines, up to 300, when absent.")] | None
    ) = None
    only_sure: Annotated[bool, Meta(description="Only suggestions with `isSure`.")] = True
    item_id: (
        Annotated[Id, Meta(description="Rather than suggestions: the open item that each of `lineIds` pays a part of.")]
        | None
    ) = None
    dry_run: Annotated[bool, Meta(description="Say what would be matched, and match nothing.")] = False


class MatchCandidateFilter(TableQuery):
    """Filter for the records that a line may match."""

    SEVERAL = ("contact_id",)

    q: Annotated[
        str, Meta(max_length=200, description="Text in the contact or the description, or several numbers: `61 63`.")
    ] = ""
    contact_id: Id | None = None
    amount_from: Annotated[NotNegativeAmount, Meta(description="The least open amount.")] | None = None
    amount_to: Annotated[NotNegativeAmount, Meta(description="The largest open amount.")] | None = None


class MatchUndo(Body):
    """The reversal of a match."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "It was for another invoice"}

    date: Annotated[Day, Meta(description="Date of the reversal; the payment's when absent.")] | None = None
    reason: Line | None = None
    allow_future: AllowFuture = False


RuleText = Annotated[str, Meta(min_length=2, max_length=200)]
RuleContact = Annotated[Id, Meta(description="Of the posting, for accounts that need a contact.")]
RuleDirection = Annotated[Literal["in", "out", "any"], Meta(description="Only for money that comes in, or goes out.")]
RuleBank = Annotated[AccountIdOrCode, Meta(description="Only for lines of this bank account.")]
RuleTax = Annotated[Id, Meta(description="Of category S: the tax included in the amount.")]
RuleIsAutomatic = Annotated[bool, Meta(description="Post automatically when a statement is imported.")]


class NewBankRule(Body):
    """Lines whose text or counterparty contains `text` are posted to an account."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"text": "Kontoführung", "accountId": "6800"}

    text: RuleText
    account_id: AccountIdOrCode
    contact_id: RuleContact | None = None
    direction: RuleDirection = "any"
    account_of_bank_id: RuleBank | None = None
    tax_rate_id: RuleTax | None = None
    project_id: Id | None = None
    dimensions: Dimensions | None = None
    description: Line | None = None
    is_automatic: RuleIsAutomatic = False


class BankRuleChange(Body):
    """The fields of a rule to change; null clears a field."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"isAutomatic": True}

    text: RuleText | Unset = UNSET
    account_id: AccountIdOrCode | Unset = UNSET
    contact_id: RuleContact | Unset | None = UNSET
    direction: RuleDirection | Unset = UNSET
    account_of_bank_id: RuleBank | Unset | None = UNSET
    tax_rate_id: RuleTax | Unset | None = UNSET
    project_id: Id | Unset | None = UNSET
    dimensions: Dimensions | Unset | None = UNSET
    description: Line | Unset | None = UNSET
    is_automatic: RuleIsAutomatic | Unset = UNSET


class RuleFilter(RecordQuery):
    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class StatementFilter(RecordQuery):
    account_id: Annotated[Id, Meta(description="An account's id or code.")] | None = None
    sort: Literal["dateTo", "-dateTo", "createdAt", "-createdAt"] = "-dateTo"


class LineFilter(RecordQuery):
    account_id: Annotated[Id, Meta(description="An account's id or code.")] | None = None
    statement_id: Id | None = None
    status: Literal["matched", "unmatched"] | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    q: (
        Annotated[Line, Meta(description="Part of the party, the text, the IBAN or a reference; or the amount.")] | None
    ) = None
    direction: Annotated[Literal["in", "out"], Meta(description="Money that came in, or went out.")] | None = None
    amount_from: Annotated[NotNegativeAmount, Meta(description="The least amount, without its sign.")] | None = None
    amount_to: Annotated[NotNegativeAmount, Meta(description="The largest amount, without its sign.")] | None = None
    sort: Literal["date", "-date"] = "-date"


class ReconciliationQuery(Query):
    date: Annotated[Day, Meta(description="As at. The last day of the last statement when absent.")] | None = None
