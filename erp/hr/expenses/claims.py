"""Expense claims of a person: drafts, and handing them in."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from msgspec import UNSET

from erp.attachments import attachments
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.expenses import hints, lines
from erp.hr.expenses.bodies import ClaimChange, ClaimSubmission, NewClaim
from erp.hr.expenses.models import ExpenseClaim, ExpenseLine
from erp.kernel import caller, clock, money
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Word, says
from erp.store import changes, events, workspace_settings

BY_OFFICE = frozenset({"account_id", "tax_rate_id", "tax_amount", "net", "tax"})
"""Columns of an approved line that the books may change; the rest is the person's."""


class NothingToClaim(Refusal):
    """The total of the claim is 0.00. Add an expense first."""

    status = 422


def find(id: str) -> ExpenseClaim:
    """A claim that the caller may see.

    Raises:
        NotFound: there is none in this workspace.
        Forbidden: it is someone else's, and the caller can read only their own.
    """
    claim = ExpenseClaim.find(id)
    check_readable(claim)
    return claim


def find_to_change(id: str) -> ExpenseClaim:
    """As `find`, in the version that the caller expects."""
    claim = ExpenseClaim.find_to_change(id)
    check_readable(claim)
    return claim


def check_readable(claim: ExpenseClaim) -> None:
    if claim.employee_id != people.own_id() and not people.may_for(claim.employee_id, "expenses.read"):
        raise people.refusal("expenses.read")


def check_writable(claim: ExpenseClaim, *statuses: str) -> None:
    """Refuse a caller who is neither the person nor decides on their claims, and a claim in another status.

    Raises:
        Forbidden: it is someone else's.
        InvalidTransition: its status is none of these.
    """
    if claim.employee_id != people.own_id() and not people.may_for(claim.employee_id, "expenses.decide"):
        raise people.refusal("expenses.decide")
    refuse_unless(claim, *statuses)


def refuse_unless(claim: ExpenseClaim, *statuses: str) -> None:
    """Refuse an act on a claim in another status.

    Raises:
        InvalidTransition: it has one.
    """
    if claim.status not in statuses:
        raise InvalidTransition(says("This claim is {status}.", status=Word.of(claim.status)))


def create(new: NewClaim) -> ExpenseClaim:
    """Draft a claim.

    Raises:
        NoEmployeeRecord: no employee is named, and the caller has no employee record.
        Forbidden: someone else is named, and the caller does not decide on their claims.
        Invalid: with a complaint for every field that is wrong.
    """
    employee = people.subject(new.employee_id, "expenses.decide")
    claim = ExpenseClaim.add(employee=employee.id, title=new.title, note=new.note)
    claim.change(**lines.write(claim, new.lines))
    write_event(claim, "draft")
    return claim


def change(id: str, body: ClaimChange) -> ExpenseClaim:
    """Change a draft; of an approved claim the books may change accounts and taxes.

    Raises:
        Forbidden: it is someone else's.
        InvalidTransition: it has been handed in, or more than the accounts and taxes would change.
        Invalid: with a complaint for every field that is wrong.
    """
    claim = find_to_change(id)
    if claim.status == "approved" and caller.may("expenses.post"):
        _change_taxes(claim, body)
    else:
        check_writable(claim, "draft")
        sent = {name: value for name, value in body.changes().items() if name != "lines"}
        values = changes.differing(claim, sent)
        if body.lines is not UNSET:
            values |= lines.write(claim, body.lines)
        claim.change(**values)
    write_event(claim, "updated")
    return claim


def _change_taxes(claim: ExpenseClaim, body: ClaimChange) -> None:
    before = [_kept(line) for line in lines.of_claim(claim.id)]
    if body.lines is UNSET or body.title is not UNSET or body.note is not UNSET:
        raise InvalidTransition(says("Of an approved claim only the accounts and taxes of its lines can be changed."))
    claim.change(**lines.write(claim, body.lines))
    if [_kept(line) for line in lines.of_claim(claim.id)] != before:
        raise InvalidTransition(says("Of an approved claim only the accounts and taxes of its lines can be changed."))


def _kept(line: ExpenseLine) -> Mapping[str, Any]:
    return {name: getattr(line, name) for name in line._meta.columns if name not in BY_OFFICE}


def remove(id: str) -> None:
    """Delete a draft.

    Files that came from the inbox go back there, other files are deleted.

    Raises:
        InvalidTransition: it has been handed in.
    """
    claim = find_to_change(id)
    check_writable(claim, "draft")
    attachments.give_back("expense_claim", id)
    for line in lines.of_claim(id):
        line.delete_instance()
    changes.delete(claim, says("This claim is in use."), event_data)


def submit(id: str, body: ClaimSubmission) -> ExpenseClaim:
    """Hand in a draft; its first time gives it a number.

    Raises:
        InvalidTransition: it is no draft.
        NothingToClaim: it comes to nothing.
        Invalid: a receipt is missing, or a limit that blocks is passed.
        DuplicateReceipt: another claim or a bill has one of its files.
    """
    claim = find_to_change(id)
    check_writable(claim, "draft")
    if not claim.total:
        raise NothingToClaim
    hints.check(claim, force=body.force)
    numbered = {} if claim.number else _number(workspace_settings.today())
    claim.change(status="submitted", submitted_at=clock.stamp(), decision_note=None, **numbered)
    write_event(claim, "submitted")
    return claim


def _number(day: date) -> dict[str, Any]:
    number, fiscal_year, seq = workspace_settings.next_number("expenseClaim", day)
    return {"number": number, "fiscal_year": fiscal_year, "seq": seq}


def withdraw(id: str) -> ExpenseClaim:
    """Take back a claim before anyone has decided on it.

    Raises:
        InvalidTransition: it is not submitted.
    """
    claim = find_to_change(id)
    check_writable(claim, "submitted")
    claim.change(status="draft", submitted_at=None)
    write_event(claim, "withdrawn")
    return claim


def employee_of(claim: ExpenseClaim) -> Employee:
    """The person who claims."""
    return Employee.find(claim.employee_id)


def event_data(claim: ExpenseClaim) -> dict[str, Any]:
    """The number, the person and the total; the title may tell where someone was."""
    base = workspace_settings.current().base_currency
    total = {"total": money.text(claim.total, base), "currency": base}
    return {"number": claim.number, "employeeId": claim.employee_id} | total


def write_event(claim: ExpenseClaim, act: str, **more: Any) -> None:
    events.write(f"expense_claim.{act}", "expense_claim", claim.id, event_data(claim) | more)
