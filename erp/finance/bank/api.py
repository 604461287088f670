"""Bank statements over HTTP."""

from erp.finance.bank import candidates, matching, previews, rules, several, statements
from erp.finance.bank.account_entries import DoesNotAddUp
from erp.finance.bank.bodies import (
    BankAccountChange,
    BankRuleChange,
    BankStatementFile,
    CsvHead,
    LineConfirmation,
    LineFilter,
    LinesConfirmation,
    MatchCandidateFilter,
    MatchDraft,
    MatchUndo,
    NewBankRule,
    ReconciliationQuery,
    RuleFilter,
    StatementFilter,
)
from erp.finance.bank.formats.csv_proposed import Proposal
from erp.finance.bank.formats.model import MappingNeeded, NotAStatement
from erp.finance.bank.matching import AlreadyMatched, NothingSuggested, NotMatched
from erp.finance.bank.models import BankLine, BankRule, BankStatement
from erp.finance.bank.own_accounts import SeveralAccounts
from erp.finance.bank.several import TooMuch
from erp.finance.bank.statements import BalancesDiffer, ReadFile
from erp.finance.bank.views import lines as line_views
from erp.finance.bank.views import reconciliation as account_views
from erp.finance.bank.views import rules as rule_views
from erp.finance.bank.views import statements as statement_views
from erp.finance.bank.views.lines import BankLineView
from erp.finance.bank.views.previews import MatchPreviewView
from erp.finance.bank.views.reconciliation import ReconciliationView
from erp.finance.bank.views.rules import BankRuleView
from erp.finance.bank.views.several import LinesConfirmedView, MatchCandidateView
from erp.finance.bank.views.statements import BankImportView, BankStatementView, CsvProposalView
from erp.finance.books import ledger, open_items, voids
from erp.finance.books.ledger import DatedTooEarly
from erp.finance.items.expense_claims import PaidByPayroll
from erp.finance.journals.journals import NotReversible
from erp.kernel.errors import InUse, Invalid, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page

_REVERSING = (NotReversible, ledger.AlreadyReversed, ledger.ReversalStays, open_items.StillSettled)


class Statements:
    @endpoint(permission="finance.read", refuses=(UnknownReference, Invalid))
    def on_get(self, query: StatementFilter) -> Page[BankStatementView]:
        """List the imported bank statements.

        Each has its days, its opening and closing balance, and the number of its transactions. An unknown account in
        the filter is a 422.
        """
        return statement_views.listed(query)


class Import:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, NotAStatement, MappingNeeded, SeveralAccounts, BalancesDiffer),
        prepare=statements.read,
    )
    def on_post(self, body: BankStatementFile, prepared: ReadFile) -> BankImportView:
        """Import bank statements: camt.053 or 052 (zipped too), MT940, or CSV with the account's mapping.

        A line is recognised by the bank's reference, its date and its amount, or by its text, and is not imported
        twice. Of several accounts in a file, each statement goes to the account with its IBAN. Opening balance and
        lines must sum to the closing balance. Rows of a CSV that are pending, zero or in another currency are left
        out. Only automatic rules post anything, the first 300 lines that fit. A file with a document type declaration
        is never read, nor one of more than 50,000 transactions, or of XML that has more than 5 MiB or 200,000 elements.
        """
        outcome = statements.run(body, prepared)
        return BankImportView.of(outcome, *rules.run_automatic(outcome))


class CsvColumnsOfFile:
    @endpoint(permission="finance.write", writes=False, refuses=(NotAStatement,), prepare=statements.propose)
    def on_post(self, body: CsvHead, prepared: Proposal) -> CsvProposalView:
        """Propose a mapping for a bank's CSV file, without storing anything.

        The columns are guessed by their headings and their content. `delimiter` and `skipRows` correct the guess.
        """
        return CsvProposalView.of(prepared)


class Statement:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> BankStatementView:
        """Show a bank statement; its lines are at `/finance/bank/lines?statementId=`.

        It shows the days, the opening and closing balance, and the number of its transactions.
        """
        return BankStatementView.of_many([BankStatement.find(id)])[0]


class Lines:
    @endpoint(permission="finance.read", refuses=(UnknownReference, Invalid))
    def on_get(self, query: LineFilter) -> Page[BankLineView]:
        """List the bank transactions, unmatched ones with suggestions.

        Suggestions come with a reason: an end-to-end id or a number with the amount, a cash discount or a fee, a
        payroll or payment run, an IBAN or a name with the amount, or a rule.
        """
        return line_views.listed(query)


class Line:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> BankLineView:
        """Show a bank transaction.

        A matched one shows its record, an unmatched one suggestions with their reasons, and `can` the actions open to
        you now.
        """
        return BankLineView.of(BankLine.find(id))


class Candidates:
    @endpoint(permission="finance.read", refuses=(Invalid,))
    def on_get(self, id: str, query: MatchCandidateFilter) -> list[MatchCandidateView]:
        """List the open items and entries that a bank transaction may match, the best first.

        Only those in its direction and currency, at most 100: money that comes in settles what customers owe. `confirm`
        of the transaction takes several of them, as `items` with parts or as `entries`.
        """
        line = BankLine.find(id)
        return MatchCandidateView.of_many(candidates.of_line(line, query), line.currency)


class ConfirmSeveral:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, Invalid, TooMuch, InvalidTransition, DatedTooEarly, *ledger.POSTING),
    )
    def on_post(self, body: LinesConfirmation) -> LinesConfirmedView:
        """Match the unmatched transactions of an account with their first suggestions, at most 300.

        By default only sure ones: the whole amount, by a number, an end-to-end id or a run, with a cash discount in
        time. Each is matched by itself: one that is refused is in `skipped` with its code, and the others are matched.
        Transactions that are matched already are left out, so repeating the request changes nothing. With `itemId`,
        each of `lineIds` pays a part of that open item, by a payment of its own; too much is a 422 and matches none.
        """
        return LinesConfirmedView.of(several.confirm(body), dry_run=body.dry_run)


class Confirm:
    @endpoint(
        permission="finance.write",
        refuses=(
            UnknownReference,
            AlreadyMatched,
            DoesNotAddUp,
            NothingSuggested,
            ledger.UnbalancedEntry,
            InvalidTransition,
            PaidByPayroll,
            DatedTooEarly,
            *ledger.POSTING,
        ),
    )
    def on_post(self, id: str, body: LineConfirmation) -> BankLineView:
        """Match a bank transaction. Without a body, the first suggestion is used.

        `entries` are already in the books, and nothing is posted. `items` are settled by a payment of the transaction's
        date and amount, less or plus the fee. `accountId` posts a journal entry, with the tax of `taxRateId` separate;
        `parts` post one to several accounts, and add up to the transaction.
        An IBAN is remembered with its contact for suggestions; the contact's own bank account stays as it is.
        """
        return BankLineView.of(matching.confirm(id, body))


class Preview:
    @endpoint(permission="finance.write", writes=False, refuses=(UnknownReference, Invalid))
    def on_post(self, id: str, body: MatchDraft) -> MatchPreviewView:
        """Add up a match as far as it is chosen, without storing anything.

        An item without an amount takes its open amount less a cash discount in time, or what is left of the transaction
        if that is less. `parts` show the tax in each. `isComplete` says whether `confirm` would take it.
        """
        return MatchPreviewView.of(previews.preview(id, body))


class Undo:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, NotMatched, InUse, InvalidTransition, DatedTooEarly, *_REVERSING, *ledger.POSTING),
    )
    def on_post(self, id: str, body: MatchUndo) -> BankLineView:
        """Unmatch a bank transaction.

        A payment that was made for it is voided, and a journal entry reversed; earlier records stay. A payment that was
        allocated to something else since is a 409.
        """
        return BankLineView.of(matching.undo(id, voids.read(body)))


class Rules:
    @endpoint(permission="finance.read")
    def on_get(self, query: RuleFilter) -> Page[BankRuleView]:
        """List the bank rules.

        Each names a text and the account that a transaction with that text is posted to.
        """
        return rule_views.listed(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference,))
    def on_post(self, body: NewBankRule) -> BankRuleView:
        """Add a bank rule: transactions with this text are posted to an account.

        The longest text that fits comes first.
        """
        return BankRuleView.of(rules.add(body))


class Rule:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> BankRuleView:
        """Show a bank rule.

        It shows the text that a transaction must contain, and the account that it is then posted to.
        """
        return BankRuleView.of(BankRule.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference,))
    def on_patch(self, id: str, body: BankRuleChange) -> BankRuleView:
        """Change a bank rule. Entries that it has posted stay.

        Fields that are left out stay. Unmatched transactions are suggested for it as it is now.
        """
        return BankRuleView.of(rules.change(id, body))

    @endpoint(permission="finance.write")
    def on_delete(self, id: str) -> None:
        """Delete a bank rule. Its entries stay.

        Later transactions get no suggestion from it.
        """
        rules.delete(id)


class BankAccount:
    @endpoint(permission="finance.read", refuses=(Invalid,))
    def on_get(self, id: str, query: ReconciliationQuery) -> ReconciliationView:
        """Reconcile an account: its books against its bank statements, with unmatched records on both sides.

        `id` may also be the account's code. An account that is neither a bank nor a cash account is a 422.
        """
        return account_views.state(id, query)


class AccountFormat:
    @endpoint(permission="finance.write")
    def on_post(self, id: str, body: BankAccountChange) -> ReconciliationView:
        """Set the IBAN of an account, and the columns of its bank's CSV files.

        Later imports of CSV use the columns; imported statements stay. The answer is the account's reconciliation.
        """
        statements.change_feed(id, body)
        return account_views.state(id, ReconciliationQuery())
