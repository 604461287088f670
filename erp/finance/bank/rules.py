"""Bank rules: accounts for lines with some text; automatic ones post when a statement is imported."""

from collections.abc import Iterator

from erp.finance.bank import matching
from erp.finance.bank.bodies import NewBankRule
from erp.finance.bank.models import BankLine, BankRule
from erp.finance.bank.statements import Outcome
from erp.finance.bank.suggestions import Finder
from erp.finance.books import accounts
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import says
from erp.store import events, sql


def add(body: NewBankRule) -> BankRule:
    """Add a rule.

    Raises:
        UnknownReference: there is no such account or tax rate.
        Invalid: nothing can be posted to the account without a contact.
    """
    complaints = Complaints()
    account_id = None
    with complaints.gathered():
        account = accounts.refer(body.account_id, "accountId")
        account_id = account.id
        if account.needs_contact:
            message = says("Entries on this account need a contact. Choose another account.")
            raise Invalid.one("accountId", "unsuitable_account", message)
    with complaints.gathered():
        matching.check_rate(body.tax_rate_id)
    complaints.refuse()
    rule = BankRule.add(
        text=body.text,
        account=account_id,
        tax_rate=body.tax_rate_id,
        description=body.description,
        is_automatic=body.is_automatic,
    )
    events.write("bank_rule.created", "bank_rule", rule.id, {"text": rule.text})
    return rule


def delete(id: str) -> None:
    """Delete a rule; its entries stay."""
    rule = BankRule.find_to_change(id)
    rule.delete_instance()
    events.write("bank_rule.deleted", "bank_rule", id, {"text": rule.text})


def run_automatic(outcome: Outcome) -> tuple[int, list[str]]:
    """Post the new lines of an import for which an automatic rule is the first suggestion.

    Returns:
        How many, and why others could not be posted.
    """
    refused: list[str] = []
    count = 0
    for line in _ruled(outcome):
        try:
            _post(outcome, line)
        except Refusal as refusal:
            if refusal.status >= 500:
                raise
            refused.append(refusal.message)
        else:
            count += 1
    return count, list(dict.fromkeys(refused))


_NEW = "SELECT * FROM bank_line WHERE statement_id IN (SELECT value FROM json_each(?)) ORDER BY statement_id, position"


def _ruled(outcome: Outcome) -> Iterator[BankLine]:
    if BankRule.find_by(is_automatic=True) is None:
        return
    lines = BankLine.fetch(_NEW, sql.array(statement.id for statement in outcome.statements if statement.id))
    if not lines:
        return
    finder = Finder(outcome.account, lines)
    for line in lines:
        suggestions = finder.of(line)
        if suggestions and suggestions[0].rule is not None and suggestions[0].rule.is_automatic:
            yield line


def _post(outcome: Outcome, line: BankLine) -> None:
    (suggestion, *_) = Finder(outcome.account, [line]).of(line)
    matching.of_suggestion(line, outcome.account, suggestion)
