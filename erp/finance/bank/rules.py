"""Bank rules: accounts for lines with some text; automatic ones post when a statement is imported."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from erp.finance.bank import bank_accounts, matching
from erp.finance.bank.account_entries import check_rate
from erp.finance.bank.bodies import BankRuleChange, NewBankRule
from erp.finance.bank.models import BankLine, BankRule
from erp.finance.bank.statements import Outcome
from erp.finance.bank.suggestions import Finder, has_text_of
from erp.finance.books import accounts, work
from erp.finance.books.accounts import AccountRef
from erp.finance.books.dimensions import assigning
from erp.finance.contacts import contacts
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import says
from erp.kernel.wire import wire_name
from erp.store import changes, events, sql


def add(body: NewBankRule) -> BankRule:
    """Add a rule.

    Raises:
        UnknownReference: there is no such account, contact, tax rate, project or value of a dimension.
        Invalid: nothing can be posted to the account without a contact.
    """
    rule = BankRule.add(**_checked(body, None))
    events.write("bank_rule.created", "bank_rule", rule.id, {"text": rule.text})
    return rule


def change(id: str, body: BankRuleChange) -> BankRule:
    """Change a rule; entries that it has posted stay.

    Raises:
        VersionMismatch: it was changed meanwhile.
    """
    rule = BankRule.find_to_change(id)
    values = changes.differing(rule, _checked(body, rule))
    if values:
        data = {"text": rule.text, "changes": changes.before_and_after(rule, values)}
        rule.change(**values)
        events.write("bank_rule.updated", "bank_rule", id, data)
    return rule


def _checked(body: NewBankRule | BankRuleChange, rule: BankRule | None) -> dict[str, Any]:
    """The columns that a body gives, its references found in the workspace."""
    values = assigning.as_columns(body.changes())
    complaints = Complaints()
    for field, refer in (("account_id", accounts.refer), ("account_of_bank_id", bank_accounts.refer)):
        if values.get(field) is not None:
            with complaints.gathered():
                values[field] = refer(values[field], wire_name(field)).id
    with complaints.gathered():
        check_rate(values.get("tax_rate_id"))
    if values.get("contact_id") is not None:
        with complaints.gathered():
            contacts.refer(values["contact_id"], "contactId")
    work.check_projects({"projectId": values.get("project_id")}, complaints)
    assigning.check({"dimensions": body.dimensions or None}, complaints)
    complaints.refuse()
    _check_contact(values, rule)
    return values


def _check_contact(values: Mapping[str, Any], rule: BankRule | None) -> None:
    account_id, contact_id = (
        values[name] if name in values else getattr(rule, name) for name in ("account_id", "contact_id")
    )
    if contact_id is None and accounts.refer(account_id, "accountId", postable=False).needs_contact:
        message = says("Entries on this account need a contact. Choose another account.")
        raise Invalid.one("accountId", "unsuitable_account", message)


def delete(id: str) -> None:
    """Delete a rule; its entries stay."""
    rule = BankRule.find_to_change(id)
    rule.delete_instance()
    events.write("bank_rule.deleted", "bank_rule", id, {"text": rule.text})


MOST_LINES = 300
"""The most lines that an import tries its rules on: colleagues who write wait for about two seconds meanwhile."""


def run_automatic(outcome: Outcome) -> tuple[int, list[str]]:
    """Post the new lines of an import for which an automatic rule is the first suggestion.

    Returns:
        How many, and why others could not be posted.
    """
    refused: list[str] = []
    count = 0
    lines = _with_text_of_rules(outcome)
    for line, account in _ruled(outcome, lines[:MOST_LINES]):
        try:
            _post(line, account)
        except Refusal as refusal:
            if refusal.status >= 500:
                raise
            refused.append(refusal.message)
        else:
            count += 1
    if len(lines) > MOST_LINES:
        message = says("Rules post at most {most} transactions of an import. Match the others.", most=MOST_LINES)
        refused.append(message)
    return count, list(dict.fromkeys(refused))


_NEW = "SELECT * FROM bank_line WHERE statement_id IN (SELECT value FROM json_each(?)) ORDER BY statement_id, position"


def _with_text_of_rules(outcome: Outcome) -> list[BankLine]:
    """The new lines with the text of an automatic rule."""
    automatic = BankRule.fetch("SELECT * FROM bank_rule WHERE is_automatic = true")
    if not automatic:
        return []
    new = BankLine.fetch(_NEW, sql.array(statement.id for statement in outcome.statements if statement.id))
    return [line for line in new if any(has_text_of(rule, line) for rule in automatic)]


def _ruled(outcome: Outcome, lines: Sequence[BankLine]) -> Iterator[tuple[BankLine, AccountRef]]:
    """The lines that a rule posts, each with its account."""
    for account in {statement.account.id: statement.account for statement in outcome.statements}.values():
        own = [line for line in lines if line.account_id == account.id]
        finder = Finder(account, own) if own else None
        for line in own:
            suggestions = finder.of(line) if finder else []
            if suggestions and suggestions[0].rule is not None and suggestions[0].rule.is_automatic:
                yield line, account


def _post(line: BankLine, account: AccountRef) -> None:
    (suggestion, *_) = Finder(account, [line]).of(line)
    matching.of_suggestion(line, account, suggestion)
